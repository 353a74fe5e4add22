"""The command `paiju`: the one place where the parts are put together."""

from __future__ import annotations

import click


@click.group()
def main() -> None:
    """牌局 Paiju: watch a real mahjong table, keep the score honest."""
