"""A hand as a file for an appeal: complete, readable, provable, and the same every time."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from table.bundle import BundleError, check_bundle, write_bundle
from table.bundle_words import LANGUAGES, WORDS
from table.cli import main
from table.events import KINDS
from table.evidence import EvidenceStore
from table.ledger import verify
from table.runtime import EVIDENCE_NAME, LEDGER_NAME
from tests.evidence_kit import Table

WRONG_SEAT = "wrong seat"


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Two hands with a picture each; the first was corrected after the second."""
    table = Table(tmp_path / "data").open()
    table.win(1, shade=10)
    table.win(2, shade=20)
    table.must("correct_hand", hand_no=1, winner=3, outcome="win", source="self_draw", reason=WRONG_SEAT)
    return table


def files(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def changed(source: Path, target: Path, name: str, data: bytes, *, sums: bool = True) -> Path:
    """The bundle with one file replaced; with `sums` the list of hashes is made to fit."""
    content = files(source) | {name: data}
    if sums:
        listed = sorted(one for one in content if one != "SHA256SUMS")
        lines = "".join(f"{hashlib.sha256(content[one]).hexdigest()}  {one}\n" for one in listed)
        content["SHA256SUMS"] = lines.encode()
    with zipfile.ZipFile(target, "w") as archive:
        for one, body in content.items():
            archive.writestr(one, body)
    return target


def test_a_bundle_has_the_hand_its_picture_and_the_later_correction(table: Table, tmp_path: Path) -> None:
    made = write_bundle(table.folder, tmp_path / "hand.zip", 1)
    content = files(tmp_path / "hand.zip")
    document = json.loads(content["events.json"])
    kinds = [entry["event"]["kind"] for entry in document["entries"]]
    assert kinds[0] == "game_opened"
    assert kinds.count("hand_settled") == 1
    assert kinds[-1] == "hand_corrected"
    assert [name for name in content if name.startswith("pictures/")] == [f"pictures/{table.pictures[0]}.jpg"]
    assert hashlib.sha256(content[f"pictures/{table.pictures[0]}.jpg"]).hexdigest() == table.pictures[0]
    assert document["rows"][0]["outcome"]["winner"] == 3
    assert made.pictures == 1
    assert made.absent == 0
    assert made.head == verify(table.folder / LEDGER_NAME).head
    assert check_bundle(tmp_path / "hand.zip") == made


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_summary_tells_who_won_and_why_it_was_corrected(table: Table, tmp_path: Path, language: str) -> None:
    write_bundle(table.folder, tmp_path / "hand.zip", 1)
    text = files(tmp_path / "hand.zip")[f"summary.{language}.txt"].decode()
    assert "Dora (D)" in text
    assert WRONG_SEAT in text
    assert table.pictures[0] in text
    assert {"zh-Hans": "清龙 16", "zh-Hant": "清龍 16", "en": "Pure Straight 16"}[language] in text
    assert verify(table.folder / LEDGER_NAME).head in text


def test_the_sums_are_those_of_sha256sum(table: Table, tmp_path: Path) -> None:
    write_bundle(table.folder, tmp_path / "hand.zip", 2)
    content = files(tmp_path / "hand.zip")
    lines = content.pop("SHA256SUMS").decode().splitlines()
    assert lines == [f"{hashlib.sha256(data).hexdigest()}  {name}" for name, data in sorted(content.items())]


def test_the_same_ledger_gives_the_same_file(table: Table, tmp_path: Path) -> None:
    write_bundle(table.folder, tmp_path / "one.zip", 1)
    write_bundle(table.folder, tmp_path / "two.zip", 1)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with pytest.raises(BundleError, match="exists already"):
        write_bundle(table.folder, tmp_path / "one.zip", 1)


def test_a_change_to_any_part_is_found(table: Table, tmp_path: Path) -> None:
    whole = tmp_path / "hand.zip"
    write_bundle(table.folder, whole, 1)
    content = files(whole)
    attacks = {
        "picture": (f"pictures/{table.pictures[0]}.jpg", b"another", False),
        "event": ("events.json", content["events.json"].replace(b"Anna", b"Anne"), True),
        "chain": ("chain.jsonl", content["chain.jsonl"].replace(b"Anna", b"Anne"), True),
        "gap": ("chain.jsonl", b"".join(content["chain.jsonl"].splitlines(keepends=True)[:3]), True),
        "nonsense": ("chain.jsonl", b"[1]\n", True),
        "added": ("extra.txt", b"!", False),
    }
    for name, (file, data, sums) in attacks.items():
        with pytest.raises(BundleError):
            check_bundle(changed(whole, tmp_path / f"{name}.zip", file, data, sums=sums))
    cut = tmp_path / "cut.zip"
    cut.write_bytes(whole.read_bytes()[:500])
    with pytest.raises(BundleError, match="no bundle"):
        check_bundle(cut)


def test_a_picture_that_was_let_go_is_named_with_its_hash(table: Table, tmp_path: Path) -> None:
    EvidenceStore(table.folder / EVIDENCE_NAME).let_go(table.pictures[1], "2030-01-01T00:00:00.000Z")
    made = write_bundle(table.folder, tmp_path / "hand.zip", 2)
    assert (made.pictures, made.absent) == (0, 1)
    text = files(tmp_path / "hand.zip")["summary.en.txt"].decode()
    assert f"{table.pictures[1]}  picture no longer kept" in text
    assert check_bundle(tmp_path / "hand.zip") == made


def test_a_hand_that_is_still_played_can_be_appealed(table: Table, tmp_path: Path) -> None:
    table.must("start_hand")
    table.must("call_referee", seat=2, reason="tile count")
    write_bundle(table.folder, tmp_path / "hand.zip", 3)
    text = files(tmp_path / "hand.zip")["summary.en.txt"].decode()
    assert "Result: still being played" in text
    assert "referee called: seat Chen (C), reason tile count" in text


def test_a_hand_that_was_taken_back_is_told_with_what_followed(table: Table, tmp_path: Path) -> None:
    table.win(1, shade=30)
    table.must("undo_last", reason="agreed too early")
    table.must("approve")
    write_bundle(table.folder, tmp_path / "hand.zip", 3)
    kinds = [entry["event"]["kind"] for entry in json.loads(files(tmp_path / "hand.zip")["events.json"])["entries"]]
    assert kinds[-3:] == ["hand_settled", "decision_undone", "hand_settled"]


def test_what_is_not_there_is_said(table: Table, tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="no hand 9"):
        write_bundle(table.folder, tmp_path / "hand.zip", 9)
    with pytest.raises(BundleError, match="no game 'x'"):
        write_bundle(table.folder, tmp_path / "hand.zip", 1, "x")
    with pytest.raises(BundleError, match="no ledger"):
        write_bundle(tmp_path / "nowhere", tmp_path / "hand.zip", 1)
    with pytest.raises(BundleError, match="cannot be written"):
        write_bundle(table.folder, tmp_path / "nowhere" / "hand.zip", 1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]


def test_on_the_command_line(table: Table, tmp_path: Path) -> None:
    def paiju(*words: str | Path) -> tuple[int, str]:
        result = CliRunner().invoke(main, [str(word) for word in words])
        return result.exit_code, result.output

    out = tmp_path / "hand.zip"
    export = ("export", "--data", table.folder, "--format", "bundle")
    assert paiju(*export, "--hand", "2", "--out", out)[0] == 0
    code, said = paiju("audit", "bundle", out)
    assert code == 0
    assert verify(table.folder / LEDGER_NAME).head in said
    assert paiju(*export)[0] == 1
    assert "which hand" in paiju(*export)[1]
    assert paiju("audit", "bundle", table.folder / LEDGER_NAME)[0] == 1


def test_every_kind_of_event_has_words_in_three_languages() -> None:
    assert set(WORDS) >= KINDS
    for key, texts in WORDS.items():
        assert len(texts) == 3, key
        assert all(texts), key


def test_the_summary_names_who_sat_at_a_button_of_the_table(tmp_path: Path) -> None:
    table = Table(tmp_path / "data").open()
    table.press("call_referee", seat=2, reason="other")
    table.win(1, shade=10)
    write_bundle(table.folder, tmp_path / "hand.zip", 1)
    told = files(tmp_path / "hand.zip")["summary.en.txt"].decode()
    assert "[device Chen (C) table] " in told
