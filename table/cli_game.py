"""`paiju export`, `settle`, `evidence`, `backup`, `restore`, `doctor`: a game as files."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from table.bundle_words import LANGUAGES
from table.cli_tools import DATA, fail, game_of, refuse_idle, say, write_whole

if TYPE_CHECKING:
    from table.sheet import Words

WordsOf = Callable[[str], "Words"]
"""The words of a language; the command line's root hands this in."""

FOR_FORMS = {
    "game": ("json", "csv", "pdf", "bundle"),
    "hand": ("bundle",),
    "consent": ("yolo",),
    "sheet": ("pdf",),
    "language": ("pdf",),
}
"""The forms of `paiju export` for which an option means something."""

MARKS = {"ok": "ok    ", "advice": "advice", "fault": "FAULT "}


@click.command(
    epilog="""\b
Examples:
  paiju export --format csv > evening.csv
  paiju export --format json --data data/demo --out game.json
  paiju export --format pdf --language en --out evening.pdf
  paiju export --format pdf --sheet blank --out paper.pdf        an empty sheet to write on; `names` has the names in it
  paiju export --format bundle --hand 4 --out hand-4.zip
  paiju export --format yolo --consent --out lessons.zip         pictures with what people set right, to train the eyes
"""
)
@DATA
@click.option("--format", "form", type=click.Choice(["json", "csv", "pdf", "bundle", "yolo"]), default="json",
              show_default=True)  # fmt: skip
@click.option("--game", help="The game's id; the latest if not given.")
@click.option("--hand", type=click.IntRange(min=1), help="The hand of a bundle.")
@click.option("--consent", is_flag=True, help="The players agreed to give away the pictures of a yolo export.")
@click.option("--sheet", type=click.Choice(["played", "names", "blank"]), default="played", show_default=True,
              help="Which score sheet as PDF.")  # fmt: skip
@click.option("--language", type=click.Choice(LANGUAGES), default="zh-Hans", show_default=True, help="Of the PDF.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file; without it JSON and CSV go to standard output, the others into this folder.",
)
@click.pass_obj
def export(words: WordsOf, /, data: Path, form: str, game: str | None, out: Path | None, **more: Any) -> None:
    """Write a game as JSON (everything), CSV (a row per hand) or PDF (the score sheet), or one hand for an appeal."""
    refuse_idle([name for name, forms in FOR_FORMS.items() if form not in forms], f"--format {form}")
    if form == "bundle":
        _export_bundle(data, game, more["hand"], out)
        return
    if form == "yolo":
        _export_yolo(data, out or Path("lessons.zip"), more["consent"])
        return
    if form == "pdf":
        _export_pdf(data, game, more["sheet"], words(more["language"]), out)
        return
    from table.export import as_csv, as_json

    state = game_of(data, game)
    text = as_csv(state) if form == "csv" else as_json(state)
    if out is None:
        say(text.rstrip("\n"))
        return
    try:
        write_whole(out, text.encode())
    except OSError as error:
        fail(f"{out}: cannot be written ({error.strerror}).")


def _export_pdf(data: Path, game: str | None, kind: str, words: Words, out: Path | None) -> None:
    from table.sheet import blank_sheet, named_sheet, sheet_of
    from table.sheet_pdf import draw

    target = out or Path("score-sheet.pdf")
    try:
        if kind == "blank":
            sheet = blank_sheet(words)
        else:
            state = game_of(data, game)
            sheet = sheet_of(state, words) if kind == "played" else named_sheet(state, words)
        done = draw(sheet)
        write_whole(target, done.data)
    except OSError as error:
        fail(f"{target}: cannot be written ({error.strerror}).")
    say(f"{target}: {done.pages} {'page' if done.pages == 1 else 'pages'}")
    if done.missing:
        signs = ", ".join(f"{sign} (U+{ord(sign):04X})" for sign in done.missing)
        say(f"The font of the sheet lacks {signs}; □ stands in their place.")


def _export_yolo(data: Path, target: Path, consent: bool) -> None:
    from table.yolo import YoloError, write_yolo

    try:
        done = write_yolo(data, target, consent=consent)
    except YoloError as error:
        fail(str(error))
    say(f"{target}: {done.pictures} pictures, {done.tiles} tiles, {done.corrected} set right, {done.left_out} left out")


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
@click.option("--unit", type=click.IntRange(min=1), help="What a point is worth; as agreed for the game if not given.")
def settle(data: Path, game: str | None, unit: int | None) -> None:
    """Say who pays whom at the end of an evening, with the fewest transfers."""
    from table.hand_view import unit_of
    from table.settle_up import settle_up
    from table.stays import shares

    state = game_of(data, game)
    for player, total in enumerate(state.totals):
        if state.game is not None and player not in state.game.places:
            continue
        off = f", {state.taken_off[player]} of penalties taken off" if state.taken_off[player] else ""
        fee = f", {state.fees[player]} of fees paid" if state.fees[player] else ""
        say(f"{state.names[player]:<12} {total:+d}{off}{fee}")
    parts = shares(state)
    for share in parts:
        if sum(other.player == share.player for other in parts) > 1:
            until = "on" if share.to_hand is None else f"to {share.to_hand}"
            say(f"  {share.name}: hands {share.from_hand} {until}: {share.points:+d}")
    debts = settle_up(state.totals, unit_of(state) if unit is None else unit)
    for debt in debts:
        say(f"{state.names[debt.payer]} pays {state.names[debt.payee]} {debt.amount} ({debt.points} points)")
    if not debts:
        say("Everybody is even.")
    if state.game is not None and not state.finished:
        say(f"The game is not over; this is how it stands, hands finished: {len(state.hands)}.")


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
