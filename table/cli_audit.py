"""`paiju replay`, `paiju audit`: proof that a ledger is whole, and what other rules would make of it."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from table.cli_tools import DATA, fail, game_of, say

if TYPE_CHECKING:
    from table.rejudge import RulingChange


@click.command(
    epilog="""\b
Examples:
  paiju replay evening.jsonl --into /tmp/evening.sqlite3
  paiju replay evening.jsonl --into /tmp/evening.sqlite3 --speed 10
"""
)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--into", type=click.Path(dir_okay=False, path_type=Path), required=True, help="A new ledger.")
@click.option("--speed", type=click.FloatRange(min=0.01), help="1 is real time; as fast as possible if not given.")
@click.option("--against", type=click.Path(dir_okay=False, path_type=Path), help="Compare with this ledger.")
def replay(file: Path, into: Path, speed: float | None, against: Path | None) -> None:
    """Play a recorded session again; the same messages make the same ledger, bit for bit.

    After an upgrade of the rules `--against` says which rulings changed; exit code 1 if any hand is paid otherwise.
    """
    from table.ledger import LedgerError
    from table.messages import RecordingError
    from table.replay import read_recording
    from table.replay import replay as play

    try:
        recording = list(read_recording(file))  # a file of another kind leaves no ledger behind
        done = play(recording, into, speed=speed, sleep=time.sleep)
    except (LedgerError, RecordingError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"{file}: cannot be read ({error.strerror}).")
    for refused in done.refused:
        click.echo(f"refused: {refused}", err=True)
    say(f"{done.messages} messages, {done.entries} entries, last hash {done.head}")
    if against is not None:
        sys.exit(_compare(against, into, done.head))


def _compare(before: Path, now: Path, head: str) -> int:
    """Say in which hands two ledgers of the same evening differ; 1 if any is paid otherwise."""
    from table.export import games
    from table.ledger import LedgerError, read, verify
    from table.rejudge import changes_between_games

    try:
        if verify(before).head == head:
            say("bit for bit the same ledger")
            return 0
        old, new = games(read(before)), games(read(now))
    except LedgerError as error:
        fail(str(error))
    found = [change for name, state in old.items() if name in new for change in changes_between_games(state, new[name])]
    _print_changes(found)
    return int(bool(found) or old.keys() != new.keys())


def _print_changes(found: Sequence[RulingChange]) -> None:
    for change in found:
        paid = "no win" if change.now is None else " ".join(str(points) for points in change.now)
        before = " ".join(str(points) for points in change.before)
        say(f"hand {change.hand_no}: paid {before}, now {paid}: {'; '.join(change.rulings)}")
    if not found:
        say("every hand is paid as it was")


@click.group()
def audit() -> None:
    """The ledger's chain."""


@audit.command(name="verify", epilog="\b\nExample:\n  paiju audit verify --data data")
@DATA
def verify_chain(data: Path) -> None:
    """Prove that no entry of the ledger was changed, removed or slipped in; exit code 1 if one was."""
    from table.ledger import LedgerError, verify
    from table.runtime import LEDGER_NAME

    try:
        found = verify(data / LEDGER_NAME)
    except LedgerError as error:
        fail(str(error))
    if found.fault:
        say(f"{found.entries} entries hold, then: {found.fault}")
        sys.exit(1)
    say(f"{found.entries} entries, chain whole, last hash {found.head}")


@audit.command(name="rules", epilog="\b\nExample:\n  paiju audit rules --data data")
@DATA
@click.option("--game", help="The game's id; the latest if not given.")
def audit_rules(data: Path, game: str | None) -> None:
    """Say which rulings changed since a game was played: every hand that today's rules would pay otherwise.

    The scores stay as they were agreed; exit code 1 if any hand would differ.
    """
    from table.rejudge import ruling_changes
    from table.rulebook import UnknownRules, open_rulebook

    state = game_of(data, game)
    try:
        found = ruling_changes(state, open_rulebook)
    except UnknownRules as error:
        fail(str(error))
    if state.game is not None:
        now = open_rulebook(state.game.ruleset, state.game.options).version
        say(f"{state.game.ruleset}: opened with version {state.game.ruleset_version}, this Paiju has version {now}")
    _print_changes(found)
    sys.exit(int(bool(found)))


@audit.command(name="bundle", epilog="\b\nExample:\n  paiju audit bundle hand-4.zip")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def audit_bundle(file: Path) -> None:
    """Prove that a bundle for an appeal is whole; compare its last entry with the table's ledger."""
    from table.bundle import BundleError, check_bundle

    try:
        found = check_bundle(file)
    except BundleError as error:
        fail(str(error))
    say(f"{found.entries} entries of the hand, {found.chain} of the game, chain whole, last hash {found.head}")
