"""Which pictures may go, and that nothing else ever does."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from table.backup import back_up, restore
from table.cli import main
from table.evidence import LET_GO_NAME, EvidenceStore
from table.ledger import verify
from table.retention import Limits, RetentionError, plan, prune
from table.runtime import EVIDENCE_NAME, LEDGER_NAME
from tests.evidence_kit import DAY_MS, Table
from tests.webui_rig import open_table
from webui import create_app

DAYS_90 = Limits(days=90)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Two evenings, 60 days apart, with one win each; both are over."""
    table = Table(tmp_path / "data").open()
    table.win(1, shade=10)
    table.end()
    table.now_ms += 60 * DAY_MS
    table.open()
    table.win(2, shade=200)
    table.end()
    return table


def removed(table: Table, limits: Limits, days_later: float) -> list[int]:
    """The numbers of the pictures that would go so many days after the last entry."""
    going = {one.picture for one in plan(table.folder, limits, table.now_ms + int(days_later * DAY_MS)).remove}
    return [number for number, picture in enumerate(table.pictures) if picture in going]


@pytest.mark.parametrize(("days_later", "gone"), [(0, []), (29, []), (31, [0]), (89, [0]), (91, [0, 1])])
def test_pictures_go_when_they_are_old(table: Table, days_later: float, gone: list[int]) -> None:
    assert removed(table, DAYS_90, days_later) == gone


def test_the_ledger_keeps_everything_and_the_other_pictures_stay(table: Table) -> None:
    before = (table.folder / LEDGER_NAME).read_bytes()
    later = table.now_ms + 31 * DAY_MS
    prune(table.folder, plan(table.folder, DAYS_90, later), later)
    assert table.store.get(table.pictures[0]) is None
    assert table.store.let_go_at(table.pictures[0]) is not None
    assert table.store.get(table.pictures[1]) is not None
    assert table.store.let_go_at(table.pictures[1]) is None
    assert (table.folder / LEDGER_NAME).read_bytes() == before
    assert plan(table.folder, DAYS_90, later).remove == ()


def test_an_open_call_keeps_the_pictures_of_its_game_until_it_is_closed(table: Table) -> None:
    table.must("call_referee", seat=2, reason="appeal: hand 1")
    assert removed(table, DAYS_90, 500) == [0]
    assert plan(table.folder, DAYS_90, table.now_ms + 500 * DAY_MS).held == 1
    table.must("close_call", id=table.desk.state.calls[0].id)
    assert removed(table, DAYS_90, 500) == [0, 1]


def test_a_call_stays_with_its_game_when_a_new_one_is_opened(table: Table) -> None:
    table.must("call_referee", seat=2, reason="appeal: hand 1")
    table.open()
    table.end()
    assert removed(table, DAYS_90, 500) == [0]


def test_a_running_game_keeps_its_pictures_however_old(tmp_path: Path) -> None:
    table = Table(tmp_path / "data").open()
    table.win(1, shade=10)
    assert removed(table, DAYS_90, 1000) == []
    table.must("claim_win", seat=2, source="self_draw", from_seat=None)
    table.show(2, 90)
    assert removed(table, Limits(megabytes=0), 1000) == []


def test_a_correction_starts_the_time_anew(tmp_path: Path) -> None:
    table = Table(tmp_path / "data").open()
    table.win(1, shade=10)
    table.win(2, shade=90)
    table.end()
    table.now_ms += 80 * DAY_MS
    table.must("correct_hand", hand_no=1, winner=3, outcome="win", source="self_draw", reason="wrong seat")
    assert removed(table, DAYS_90, 11) == [1]
    assert removed(table, DAYS_90, 91) == [0, 1]


def test_the_oldest_go_first_until_the_rest_fits(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table.retention.MEGABYTE", 1)  # pictures of a test are small
    total = sum(one.size for one in table.store.stored())
    assert removed(table, Limits(megabytes=total), 0) == []
    assert removed(table, Limits(megabytes=total - 1), 0) == [0]
    assert removed(table, Limits(megabytes=0), 0) == [0, 1]


def _unnamed(table: Table, number: int) -> None:
    """A picture that no entry names yet, a moment old."""
    data = bytes([number]) * 1000
    name = hashlib.sha256(data).hexdigest()
    path = table.folder / "evidence" / name[:2] / f"{name[2:]}.jpg"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    os.utime(path, (table.now_ms / 1000, table.now_ms / 1000))


def test_a_picture_that_is_being_read_stays_for_a_day(table: Table) -> None:
    _unnamed(table, 1)
    orphan = next(one for one in table.store.stored() if one.picture not in table.pictures)
    soon = plan(table.folder, Limits(megabytes=0), table.now_ms + DAY_MS // 2)
    assert orphan.picture not in {one.picture for one in soon.remove}
    later = plan(table.folder, Limits(megabytes=0), table.now_ms + 2 * DAY_MS)
    assert orphan.picture in {one.picture for one in later.remove}


def test_a_broken_chain_removes_nothing(table: Table) -> None:
    db = sqlite3.connect(table.folder / LEDGER_NAME)
    with db:
        db.execute("DROP TRIGGER entry_keeps")
        db.execute("UPDATE entry SET event = replace(event, 'Anna', 'Anne')")
    db.close()
    with pytest.raises(RetentionError, match="No picture was removed"):
        plan(table.folder, DAYS_90, table.now_ms + 500 * DAY_MS)


def test_without_a_limit_nothing_is_guessed(table: Table) -> None:
    with pytest.raises(RetentionError, match="number of days"):
        plan(table.folder, Limits(), table.now_ms)


def test_on_the_command_line_a_dry_run_changes_nothing(table: Table) -> None:
    def paiju(*words: str | Path) -> str:
        result = CliRunner().invoke(main, [str(word) for word in words])
        assert result.exit_code == 0, result.output
        return result.output

    ask = ("evidence", "prune", "--data", table.folder, "--days", "90")  # the test's evenings lie decades back
    assert "2 pictures" in paiju(*ask, "--dry-run")
    assert "would be removed" in paiju(*ask, "--dry-run")
    assert len(table.store.stored()) == 2
    assert "2 pictures" in paiju(*ask)
    assert table.store.stored() == ()
    assert verify(table.folder / LEDGER_NAME).fault == ""


def test_pages_say_that_an_old_picture_is_no_longer_kept(table: Table) -> None:
    later = table.now_ms + 500 * DAY_MS
    prune(table.folder, plan(table.folder, DAYS_90, later), later)
    with open_table(table.folder) as runtime:
        picture = runtime.snapshot().history[0].picture
        assert picture == table.pictures[1]
        client = create_app(runtime).test_client()
        gone, never = client.get(f"/evidence/{picture}"), client.get("/evidence/" + "0" * 64)
    assert (gone.status_code, gone.mimetype) == (410, "image/svg+xml")
    assert "照片已不再保存" in gone.text
    assert "no longer kept" in gone.text
    assert never.status_code == 404


def test_a_backup_remembers_which_pictures_were_let_go(table: Table, tmp_path: Path) -> None:
    later = table.now_ms + 31 * DAY_MS
    prune(table.folder, plan(table.folder, DAYS_90, later), later)
    back_up(table.folder, tmp_path / "kept.tar")
    kept = restore(tmp_path / "kept.tar", tmp_path / "again")
    assert kept.pictures == 1
    again = EvidenceStore(tmp_path / "again" / EVIDENCE_NAME)
    assert again.let_go_at(table.pictures[0]) is not None
    assert again.let_go_at(table.pictures[0]) == table.store.let_go_at(table.pictures[0])


def test_a_note_cut_off_by_a_power_cut_spoils_no_other(table: Table) -> None:
    first, second = table.pictures
    table.store.let_go(first, "2030-01-01T00:00:00.000Z")
    notes = table.folder / EVIDENCE_NAME / LET_GO_NAME
    notes.write_text(notes.read_text() + notes.read_text()[:40])
    assert table.store.let_go_at(first) == "2030-01-01T00:00:00.000Z"
    assert table.store.let_go_at(second) is None
    table.store.let_go(second, "2030-01-02T00:00:00.000Z")
    assert table.store.let_go_at(second) == "2030-01-02T00:00:00.000Z"
