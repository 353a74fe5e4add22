"""The command `paiju`: the one place where the parts are put together."""

from __future__ import annotations

import click

from table.cli_device import device, simulate
from table.cli_read import read
from table.cli_score import rules, score


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="paiju")
def main() -> None:
    """牌局 Paiju: watch a real mahjong table, keep the score honest."""


for command in (read, score, rules, simulate, device):
    main.add_command(command)
