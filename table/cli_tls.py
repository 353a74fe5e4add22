"""`paiju tls`: HTTPS in the local network, with an authority of the table's own."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from table.cli_tools import DATA, fail, say

if TYPE_CHECKING:
    from table.tls import Certificates


@click.group()
def tls() -> None:
    """HTTPS in the local network, so that tablets stay awake and install the page."""


@tls.command(
    epilog="""\b
Examples:
  paiju tls init                             then start Paiju again and open /trust on each device
  paiju tls init --name table7.local
"""
)
@DATA
@click.option("--name", "names", multiple=True, metavar="NAME", help="A further host name or address of this PC.")
@click.option("--new-authority", is_flag=True, help="Replace the authority; every device must install it anew.")
def init(data: Path, names: tuple[str, ...], new_authority: bool) -> None:
    """Make the certificates, or renew them: the authority stays, so devices need nothing new."""
    from table.addresses import own_names
    from table.tls import FOLDER, TlsError, local_only, make

    try:
        made = make(data / FOLDER, [*local_only(own_names()), *names], datetime.now(UTC), new_authority=new_authority)
    except TlsError as error:
        fail(str(error))
    _tell(made)
    say("Start Paiju again; then open the page /trust on each tablet and phone and install the authority there.")


@tls.command(epilog="\b\nExample:\n  paiju tls show")
@DATA
def show(data: Path) -> None:
    """Say what the certificates are good for, and the fingerprint to compare with the page /trust."""
    from table.tls import FOLDER, TlsError, load

    try:
        _tell(load(data / FOLDER))
    except TlsError as error:
        fail(str(error))


def _tell(found: Certificates) -> None:
    say(f"Good for      {', '.join(found.names)}")
    say(f"Until         {found.ends:%Y-%m-%d}; paiju run renews it. The authority: {found.authority_ends:%Y-%m-%d}")
    say(f"Fingerprint   {found.fingerprint}")
