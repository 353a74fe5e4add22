"""`paiju replay`, `export`, `audit`, `evidence`, `backup`, `restore`, `doctor`: a game as files."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from table.bundle_words import LANGUAGES
from table.cli_tools import fail, say

if TYPE_CHECKING:
    from table.rejudge import RulingChange
    from table.sheet import Words

WordsOf = Callable[[str], "Words"]
"""The words of a language; the command line's root hands this in."""

DATA = click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), default=Path("data"), show_default=True,
    help="The table's folder.",
)  # fmt: skip
MARKS = {"ok": "ok    ", "advice": "advice", "fault": "FAULT "}


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
        done = play(read_recording(file), into, speed=speed, sleep=time.sleep)
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


@click.command(
    epilog="""\b
Examples:
  paiju export --format csv > evening.csv
  paiju export --format json --data data/demo --out game.json
  paiju export --format pdf --language en --out evening.pdf
  paiju export --format pdf --sheet blank --out paper.pdf        an empty sheet to write on; `names` has the names in it
  paiju export --format bundle --hand 4 --out hand-4.zip
"""
)
@DATA
@click.option("--format", "form", type=click.Choice(["json", "csv", "pdf", "bundle"]), default="json",
              show_default=True)  # fmt: skip
@click.option("--game", help="The game's id; the latest if not given.")
@click.option("--hand", type=click.IntRange(min=1), help="The hand of a bundle.")
@click.option("--sheet", type=click.Choice(["played", "names", "blank"]), default="played", show_default=True,
              help="Which score sheet as PDF.")  # fmt: skip
@click.option("--language", type=click.Choice(LANGUAGES), default="zh-Hans", show_default=True, help="Of the PDF.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="A file instead of standard output.")
@click.pass_obj
def export(words: WordsOf, /, data: Path, form: str, game: str | None, out: Path | None, **more: Any) -> None:
    """Write a game as JSON (everything), CSV (a row per hand) or PDF (the score sheet), or one hand for an appeal."""
    if form == "bundle":
        _export_bundle(data, game, more["hand"], out)
        return
    if form == "pdf":
        _export_pdf(data, game, more["sheet"], words(more["language"]), out)
        return
    from table.export import ExportError, as_csv, as_json, choose, games
    from table.ledger import LedgerError, read
    from table.runtime import LEDGER_NAME

    try:
        state = choose(games(read(data / LEDGER_NAME)), game)
    except (ExportError, LedgerError) as error:
        fail(str(error))
    text = as_csv(state) if form == "csv" else as_json(state)
    if out is None:
        say(text.rstrip("\n"))
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        fail(f"{out}: cannot be written ({error.strerror}).")


def _export_pdf(data: Path, game: str | None, kind: str, words: Words, out: Path | None) -> None:
    from table.export import ExportError, choose, games
    from table.ledger import LedgerError, read
    from table.runtime import LEDGER_NAME
    from table.sheet import blank_sheet, named_sheet, sheet_of
    from table.sheet_pdf import draw

    target = out or Path("score-sheet.pdf")
    try:
        if kind == "blank":
            sheet = blank_sheet(words)
        else:
            state = choose(games(read(data / LEDGER_NAME)), game)
            sheet = sheet_of(state, words) if kind == "played" else named_sheet(state, words)
        done = draw(sheet)
        target.write_bytes(done.data)
    except (ExportError, LedgerError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"{target}: cannot be written ({error.strerror}).")
    say(f"{target}: {done.pages} {'page' if done.pages == 1 else 'pages'}")
    if done.missing:
        signs = ", ".join(f"{sign} (U+{ord(sign):04X})" for sign in done.missing)
        say(f"The font of the sheet lacks {signs}; □ stands in their place.")


def _export_bundle(data: Path, game: str | None, hand: int | None, out: Path | None) -> None:
    from table.bundle import BundleError, write_bundle

    if hand is None:
        fail("Say which hand: paiju export --format bundle --hand 4")
    target = out or Path(f"hand-{hand}.zip")
    try:
        done = write_bundle(data, target, hand, game)
    except BundleError as error:
        fail(str(error))
    absent = f", {done.absent} no longer kept" if done.absent else ""
    say(f"{target}: {done.entries} entries, {done.pictures} pictures{absent}, last hash {done.head}")


@click.group()
def evidence() -> None:
    """The pictures behind the decisions."""


@evidence.command(
    epilog="""\b
Examples:
  paiju evidence prune --days 90 --dry-run
  paiju evidence prune --days 90 --max-mb 2000
"""
)
@DATA
@click.option("--days", type=click.IntRange(min=1), help="Remove pictures last needed longer ago.")
@click.option("--max-mb", type=click.IntRange(min=0), help="Then remove the oldest until so many MB are left.")
@click.option("--dry-run", is_flag=True, help="Only say what would be removed.")
def prune(data: Path, days: int | None, max_mb: int | None, dry_run: bool) -> None:
    """Remove old pictures that no running game and no open call for the referee needs; never anything of the ledger."""
    from table.retention import Limits, RetentionError, plan
    from table.retention import prune as remove

    now_ms = time.time_ns() // 1_000_000
    try:
        agreed = plan(data, Limits(days=days, megabytes=max_mb), now_ms)
        if not dry_run:
            remove(data, agreed, now_ms)
    except RetentionError as error:
        fail(str(error))
    megabytes = sum(one.size for one in agreed.remove) / 1_000_000
    say(f"{len(agreed.remove)} pictures ({megabytes:.1f} MB) {'would be removed' if dry_run else 'removed'}")
    say(f"{len(agreed.keep)} stay, {agreed.held} of them only for a running game or an open call")


@click.command(epilog="\b\nExample:\n  paiju settle --unit 50        (a point is worth 50 of the smallest coin)")
@DATA
@click.option("--game", help="The game's id; the latest if not given.")
@click.option("--unit", default=1, show_default=True, type=click.IntRange(min=1), help="What a point is worth.")
def settle(data: Path, game: str | None, unit: int) -> None:
    """Say who pays whom at the end of an evening, with the fewest transfers."""
    from table.export import ExportError, choose, games
    from table.ledger import LedgerError, read
    from table.runtime import LEDGER_NAME
    from table.settle_up import settle_up
    from table.stays import shares

    try:
        state = choose(games(read(data / LEDGER_NAME)), game)
    except (ExportError, LedgerError) as error:
        fail(str(error))
    for player, total in enumerate(state.totals):
        off = f", {state.taken_off[player]} of penalties taken off" if state.taken_off[player] else ""
        say(f"{state.names[player]:<12} {total:+d}{off}")
    parts = shares(state)
    for share in parts:
        if sum(other.player == share.player for other in parts) > 1:
            until = "on" if share.to_hand is None else f"to {share.to_hand}"
            say(f"  {share.name}: hands {share.from_hand} {until}: {share.points:+d}")
    debts = settle_up(state.totals, unit)
    for debt in debts:
        say(f"{state.names[debt.payer]} pays {state.names[debt.payee]} {debt.amount} ({debt.points} points)")
    if not debts:
        say("Everybody is even.")


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
    from table.export import ExportError, choose, games
    from table.ledger import LedgerError, read
    from table.rejudge import ruling_changes
    from table.rulebook import UnknownRules, open_rulebook
    from table.runtime import LEDGER_NAME

    try:
        state = choose(games(read(data / LEDGER_NAME)), game)
        found = ruling_changes(state, open_rulebook)
    except (ExportError, LedgerError, UnknownRules) as error:
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


@click.command(epilog="\b\nExample:\n  paiju backup evening.tar")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@DATA
def backup(file: Path, data: Path) -> None:
    """Write the ledger and all pictures into one file, also while the table is in use."""
    from table.backup import BackupError, back_up

    try:
        kept = back_up(data, file)
    except BackupError as error:
        fail(str(error))
    say(f"{file}: {kept.entries} entries, {kept.pictures} pictures, last hash {kept.head}")


@click.command(epilog="\b\nExample:\n  paiju restore evening.tar --data restored")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@DATA
def restore(file: Path, data: Path) -> None:
    """Bring a backup back into a new folder, after checking every entry and picture."""
    from table.backup import BackupError
    from table.backup import restore as bring_back

    try:
        kept = bring_back(file, data)
    except BackupError as error:
        fail(str(error))
    say(f"{data}: {kept.entries} entries, {kept.pictures} pictures, last hash {kept.head}")


@click.command(epilog="\b\nExample:\n  paiju doctor --port 8080")
@DATA
@click.option("--port", default=8080, show_default=True, type=click.IntRange(1, 65535))
@click.option("--json", "as_json", is_flag=True, help="One JSON line per finding.")
def doctor(data: Path, port: int, as_json: bool) -> None:
    """Check this computer: packages, weights, disk, ledger, clock, ports, HTTPS, camera; exit code 1 on a fault."""
    from dataclasses import asdict
    from datetime import UTC, datetime

    from table.doctor import examine

    faults = 0
    for finding in examine(data, port, datetime.now(UTC)):
        faults += finding.health == "fault"
        if as_json:
            say(json.dumps(asdict(finding), ensure_ascii=False))
        else:
            say(f"{MARKS[finding.health]} {finding.topic:<9} {finding.text}")
    sys.exit(int(faults > 0))
