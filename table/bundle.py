"""One hand as a file for an appeal: what happened, the pictures, and the proof that nothing was changed afterwards.

The `.zip` can be read without Paiju:

    summary.en.txt (and zh-Hans, zh-Hant)   the hand for people
    events.json                             every entry that concerns the hand, with its hashes
    chain.jsonl                             every entry of the game as it was hashed: {"seq", "text", "sha256"}
    pictures/<sha256>.jpg                   the pictures that the entries name and that are still kept
    SHA256SUMS                              for `sha256sum -c`

A hash chain proves an entry only together with all that follow it, so `chain.jsonl` holds the whole game.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from table.bundle_summary import HandStory, summary
from table.bundle_words import LANGUAGES
from table.durable import move_in
from table.events import encode
from table.evidence import EvidenceStore, named_in
from table.hand_log import GameLog, game_logs
from table.ledger import Entry, LedgerError, Link, links, read
from table.model import Setup
from table.runtime import EVIDENCE_NAME, LEDGER_NAME
from table.view import clock_text

SUMS_NAME = "SHA256SUMS"
FORMAT = 1


class BundleError(Exception):
    """There is no such hand, or the bundle cannot be written or does not hold; the text says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """What a bundle holds: entries of the hand, entries of the chain, pictures, and pictures that are not kept."""

    entries: int
    chain: int
    head: str
    pictures: int
    absent: int


def write_bundle(data_dir: Path, target: Path, number: int, game_id: str | None = None) -> Bundle:
    """Write a hand as one `.zip`. The same ledger and pictures always give the same file, byte for byte.

    Args:
        data_dir: the table's folder.
        target: a new file; an older bundle is never overwritten.
        number: the hand's number, from 1.
        game_id: the game; the latest if None.

    Raises:
        BundleError: there is no such game or hand, the chain is broken, or the file cannot be written.
    """
    if target.exists():
        raise BundleError(f"{target} exists already. Choose another name; older bundles are never overwritten.")
    log, entries, chain = _find(data_dir / LEDGER_NAME, number, game_id)
    store = EvidenceStore(data_dir / EVIDENCE_NAME)
    pictures = {one: store.get(one) for entry in entries for one in named_in(encode(entry.event))}
    fates = {one: "kept" if data is not None else _fate(store, one) for one, data in pictures.items()}
    story = HandStory(state=log.state, setup=_setup(log, number), entries=entries, last=chain[-1], pictures=fates)
    files: dict[str, bytes] = {f"summary.{one}.txt": summary(story, one).encode() for one in LANGUAGES}
    files["events.json"] = _events(story, chain)
    files["chain.jsonl"] = "".join(_chain_line(link) for link in chain).encode()
    files |= {f"pictures/{one}.jpg": data for one, data in pictures.items() if data is not None}
    _write(files, target, log.entries[-1].at_ms)
    kept = sum(data is not None for data in pictures.values())
    absent = len(pictures) - kept
    return Bundle(entries=len(entries), chain=len(chain), head=chain[-1].hash, pictures=kept, absent=absent)


def check_bundle(path: Path) -> Bundle:
    """Prove that a bundle is whole: every file has its hash, every entry follows from the one before.

    Whether its last entry is that of the table's ledger, only the ledger can say (`paiju audit verify`).

    Raises:
        BundleError: it is no bundle, or something in it was changed.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        _check_sums(path, files)
        chain = _check_chain(path, files["chain.jsonl"].decode())
        document = json.loads(files["events.json"])
        entries, named = document["entries"], document["pictures"]
        changed = [entry["seq"] for entry in entries if chain.get(entry["seq"]) != entry]
    except (OSError, zipfile.BadZipFile, ValueError, KeyError, TypeError) as error:
        raise BundleError(f"{path} is no bundle, or was damaged ({error}).") from error
    if changed:
        raise BundleError(f"{path}: entry {changed[0]} in events.json is not that of the chain.")
    pictures = sum(f"pictures/{one}.jpg" in files for one in named)
    head = chain[max(chain)]["hash"]
    return Bundle(entries=len(entries), chain=len(chain), head=head, pictures=pictures, absent=len(named) - pictures)


def _find(ledger: Path, number: int, game_id: str | None) -> tuple[GameLog, tuple[Entry, ...], tuple[Link, ...]]:
    try:
        logs, every = game_logs(read(ledger)), links(ledger)
    except LedgerError as error:
        raise BundleError(str(error)) from error
    if not logs:
        raise BundleError("This ledger holds no game yet. Open one and play a hand first.")
    name = game_id if game_id is not None else list(logs)[-1]
    if name not in logs:
        raise BundleError(f"There is no game {name!r} in this ledger. It holds: {', '.join(logs)}.")
    log = logs[name]
    if number not in log.hands:
        raise BundleError(f"Game {name} has no hand {number}. It has hands 1 to {max(log.hands)}.")
    first, last = log.entries[0].seq, log.entries[-1].seq
    return log, log.hands[number], every[first - 1 : last]


def _setup(log: GameLog, number: int) -> Setup:
    """How the hand began: as it counts now if it is over, else as it is being played."""
    for row in reversed(log.state.history):
        if row.setup.hand_no == number:
            return row.setup
    if log.state.setup is None or log.state.setup.hand_no != number:
        raise BundleError(
            f"Hand {number} was taken back before it was over; it is part of the bundle of the hand before."
        )
    return log.state.setup


def _fate(store: EvidenceStore, picture: str) -> str:
    return "let_go" if store.let_go_at(picture) is not None else "missing"


def _events(story: HandStory, chain: tuple[Link, ...]) -> bytes:
    game, number = story.state.game, story.setup.hand_no
    wanted = {entry.seq for entry in story.entries}
    document = {
        "format": FORMAT,
        "game": None if game is None else asdict(game),
        "hand_no": number,
        "players": list(story.state.names),
        "setup": asdict(story.setup),
        "rows": [asdict(row) for row in story.state.history if row.setup.hand_no == number],
        "pictures": dict(story.pictures),
        "entries": [_entry(link.text, link.hash) for link in chain if link.seq in wanted],
    }
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def _entry(text: str, digest: str) -> dict[str, Any]:
    """An entry as values, from the text that was hashed; fields that this version adds by itself stay out."""
    prev_hash, seq, at_ms, actor, idem, part, event = json.loads(text)
    return {
        "seq": seq,
        "at": clock_text(at_ms),
        "at_ms": at_ms,
        "actor": json.loads(actor),
        "idem": idem,
        "part": part,
        "event": json.loads(event),
        "prev_hash": prev_hash,
        "hash": digest,
    }


def _chain_line(link: Link) -> str:
    return json.dumps({"seq": link.seq, "text": link.text, "sha256": link.hash}, ensure_ascii=False) + "\n"


def _write(files: Mapping[str, bytes], target: Path, at_ms: int) -> None:
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items()))
    moment = datetime.fromtimestamp(at_ms / 1000, UTC).timetuple()[:6]
    part = target.with_name(target.name + ".part")
    try:
        with zipfile.ZipFile(part, "w") as archive:
            for name, data in (*sorted(files.items()), (SUMS_NAME, sums.encode())):
                about = zipfile.ZipInfo(name, (max(moment[0], 1980), *moment[1:]))
                about.compress_type = zipfile.ZIP_STORED if name.endswith(".jpg") else zipfile.ZIP_DEFLATED
                archive.writestr(about, data)
        move_in(part, target)
    except OSError as error:
        raise BundleError(f"{target}: cannot be written ({error.strerror}). Name another folder.") from error
    finally:
        part.unlink(missing_ok=True)


def _check_sums(path: Path, files: Mapping[str, bytes]) -> None:
    lines = files.get(SUMS_NAME, b"").decode().splitlines()
    listed = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    if set(listed) != set(files) - {SUMS_NAME} or "events.json" not in files:
        raise BundleError(f"{path}: the files are not those that {SUMS_NAME} lists.")
    for name, digest in listed.items():
        if hashlib.sha256(files[name]).hexdigest() != digest:
            raise BundleError(f"{path}: {name} was changed, its hash does not fit.")


def _check_chain(path: Path, text: str) -> dict[int, dict[str, Any]]:
    """Every entry of the chain by its number."""
    found: dict[int, dict[str, Any]] = {}
    before: tuple[int, str] | None = None
    for line in map(json.loads, text.splitlines()):
        entry = _entry(line["text"], line["sha256"])
        follows = before is None or before == (entry["seq"] - 1, entry["prev_hash"])
        if not follows or hashlib.sha256(line["text"].encode()).hexdigest() != line["sha256"]:
            raise BundleError(f"{path}: entry {entry['seq']} of the chain was changed, its hash does not fit.")
        before = (entry["seq"], line["sha256"])
        found[entry["seq"]] = entry
    if not found:
        raise BundleError(f"{path}: it holds no chain.")
    return found
