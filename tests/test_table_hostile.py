"""What a slip, a curious program or an odd file may send to a table: refused in words, and no point moves by it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from table.chain import canonical, chained
from table.commands import CommandError, parse_command
from table.decision import Rejected
from table.events import GameOpened
from table.hand_log import Chronicle, game_logs
from table.ledger import Batch, Ledger, LedgerCorrupt, read
from table.messages import RecordingError
from table.model import Actor, Payments
from table.photo_score import PhotoError, read_hand
from table.replay import read_recording
from table.rulebook import open_rulebook
from table.snapshot import Snapshot
from table.state import HistoryItem, add_up
from table.view import Live, snapshot
from tests.table_kit import NAMES, STRAIGHT, Desk, command, seen
from vision.types import Group, Image, PictureReading, TileReading

PLAYED = {"hand": "123m456p77s", "melds": [{"kind": "peng", "tiles": "999m", "from_seat": 2}], "win_tile": "7s"}


class PaperEyes:
    """Sees rows of tiles that a test writes down."""

    def __init__(self, rows: list[str]) -> None:
        self._rows = rows

    def read(self, image: Image) -> PictureReading:
        height, width = image.shape[:2]
        tiles, groups = seen(self._rows)
        read = tuple(TileReading(one.tile, one.score, one.sure, one.also, one.box) for one in tiles)
        return PictureReading(width, height, read, tuple(Group(one.kind, one.tiles) for one in groups))


def view(desk: Desk) -> Snapshot:
    """The document that every page shows; it must always be there."""
    assert desk.state.game is not None
    return snapshot(desk.state, Live(), open_rulebook(desk.state.game.ruleset, desk.state.game.options))


def claimed(ruleset: str = "gb", **options: Any) -> Desk:
    desk = Desk().open(ruleset=ruleset, **options)
    desk.must("claim_win", seat=1, source="discard", from_seat=2)
    desk.must("hand_manual", **STRAIGHT)
    return desk


# ---------------------------------------------------------------- circumstances that would move money elsewhere


@pytest.mark.parametrize(
    "more",
    [{"seat": 3}, {"from_seat": 0}, {"hand": "19m19p19s1234567z"}, {"win_tile": "1m"}, {"source": "self_draw"},
     {"melds": ""}, {"flowers": "12345678f"}, {"dealer": 2}, {"round_wind": "W"}, {"streak": 5}, {"out": ""}],
)  # fmt: skip
def test_stated_circumstances_change_neither_the_winner_nor_his_tiles_nor_who_deals(more: dict[str, Any]) -> None:
    desk = claimed()
    before = view(desk).claim
    assert before is not None
    assert before.verdict is not None
    assert before.verdict.payments == (-8, 48, -32, -8)
    desk.do("set_facts", more=more)
    now = view(desk).claim
    assert now is not None
    assert now.verdict is None or now.verdict.payments == before.verdict.payments
    if now.verdict is None:
        assert desk.refused("approve") == "not_judged"
    assert desk.state.totals == (0, 0, 0, 0)


@pytest.mark.parametrize(
    "facts",
    [
        {"players": {"2": {"melds": None}}},
        {"players": {"2": {"hz_kongs": None, "lz_kongs": None}}},
        {"players": {"2": {"hand": ["1m", "2m"], "melds": [{"type": "peng", "tiles": ["5p", "5p", "5p"]}]}}},
        {"players": {"2": {"opened": None}}},
        {"passed": {"2": ["1m", "2m"]}},
        {"birds": ["1m"]},
    ],
)
@pytest.mark.parametrize("ruleset", ["gb", "wuhan", "sichuan", "changsha", "guangdong"])
def test_facts_in_every_form_that_the_rules_read_leave_the_table_in_play(ruleset: str, facts: dict[str, Any]) -> None:
    desk = Desk().open(ruleset=ruleset)
    desk.must("start_hand")
    desk.do("hand_facts", facts=facts)
    assert view(desk).hand is not None
    desk.do("hand_facts", facts={"players": {"2": {"ready": True}}})
    desk.do("pass_win", seat=2, tile="3m")
    desk.do("turn_tile", what="bird", tile="3m")
    desk.do("kong", seat=2, meld_kind="hongzhong")
    desk.do("kong", seat=2, meld_kind="kong_open", tile="9p", from_seat=1)
    assert view(desk).wall is not None
    desk.do("draw_hand")
    desk.must("claim_win", seat=1, source="discard", from_seat=2)
    desk.do("hand_manual", **PLAYED)
    desk.do("approve")
    assert sum(desk.state.totals) == 0
    assert view(desk).phase


def test_in_a_game_for_two_nobody_sits_at_the_other_seats() -> None:
    desk = Desk().open(ruleset="two_player")
    desk.must("claim_win", seat=0, source="discard", from_seat=2)
    tiles = {"hand": "123456789m11z", "win_tile": "1z"}
    desk.must("hand_manual", **tiles, melds=[{"kind": "peng", "tiles": "777z", "from_seat": 1}])
    assert [question.text_key for question in view(desk).claim.questions] == ["bad_tiles"]  # type: ignore[union-attr]
    assert desk.refused("approve") == "not_judged"
    desk.do("hand_facts", facts={"turn": 1})
    assert view(desk).hand is not None


# ---------------------------------------------------------------- numbers that nobody counts


@pytest.mark.parametrize("stacks", [[10**8, 0, 0, 0], [-1, 18, 18, 18], [10**30] * 4])
def test_walls_have_as_many_stacks_as_fit_a_table(stacks: list[int]) -> None:
    desk = Desk().open()
    desk.must("start_hand")
    with pytest.raises(CommandError):
        command("walls", stacks=stacks)


@pytest.mark.parametrize("announced", [-50, 10**9])
def test_a_correction_announces_what_a_winner_could(announced: int) -> None:
    with pytest.raises(CommandError, match="announced"):
        command("correct_hand", hand_no=1, reason="x", announced=announced)


@pytest.mark.parametrize(
    "house",
    [{"stake": "500"}, {"stake": True}, {"stake": -1}, {"unit": "ten"}, {"unit": 0}, {"unit": True},
     {"break_count": "before"}, {"walls_108": "14,13,14"}, {"walls_108": "14,14,14,14"}, {"walls_108": [14, 13]}],
)  # fmt: skip
def test_what_a_table_agrees_beside_the_rules_is_read_or_refused(house: dict[str, Any]) -> None:
    with pytest.raises(CommandError, match="house"):
        command("open_game", names=list(NAMES), house=house)


def test_a_hand_that_does_not_count_costs_no_fee() -> None:
    desk = Desk().open(ruleset="jiaxing", options={"service_fee": 2})
    desk.must("start_hand")
    desk.must("draw_hand", void=True)
    assert [seat.fee for seat in view(desk).seats] == [0, 0, 0, 0]
    desk.must("start_hand")
    desk.must("draw_hand")
    assert [seat.fee for seat in view(desk).seats] == [2, 2, 2, 2]


# ---------------------------------------------------------------- the same thing twice, and back again


def test_dealt_tiles_win_once() -> None:
    desk = Desk().open(ruleset="changsha")
    desk.must("start_hand")
    dealt = {"seat": 1, "hand": "1111m3467p34679s"}
    desk.must("start_win", **dealt)
    once = desk.state.totals
    assert once == (-2 * 2, 8, -2, -2)  # 四喜 and 板板胡: a small self-draw each, 2 from the dealer
    assert desk.refused("start_win", **dealt) == "start_won_already"
    assert desk.state.totals == once


def test_a_kong_that_was_none_multiplies_nothing() -> None:
    desk = Desk().open(ruleset="wuhan")
    desk.must("start_hand")
    desk.must("take_discard", seat=2, meld_kind="peng", from_seat=1, tiles="555p")
    before = desk.state.facts["players"]["2"]["melds"]
    desk.must("kong", seat=2, meld_kind="kong_concealed", tile="9p")
    assert len(desk.state.facts["players"]["2"]["melds"]) == 2
    desk.must("drop_side", index=0)
    assert desk.state.facts["players"]["2"]["melds"] == before
    desk.must("kong", seat=2, meld_kind="kong_added", tile="5p")
    desk.must("drop_side", index=0)
    assert [(meld["type"], meld["tiles"]) for meld in desk.state.facts["players"]["2"]["melds"]] == [("peng", "555p")]


def test_a_claimed_kong_that_was_none_binds_nobody() -> None:
    desk = Desk().open(ruleset="jiaxing")
    desk.must("start_hand")
    for tiles in ("123m", "456m"):
        desk.must("take_discard", seat=1, meld_kind="chi", from_seat=0, tiles=tiles)
    desk.must("kong", seat=1, meld_kind="kong_open", tile="9p", from_seat=0)
    assert desk.state.facts["contracts"] == [[1, 0]]
    desk.must("drop_side", index=0)
    assert "contracts" not in desk.state.facts
    desk.must("take_discard", seat=1, meld_kind="chi", from_seat=0, tiles="789m")
    assert desk.state.facts["contracts"] == [[1, 0]]


def test_two_players_are_renamed_by_two_names() -> None:
    desk = Desk().open(ruleset="two_player")
    desk.must("rename_seats", names=["Eva", "Fritz"])
    assert [seat.name for seat in view(desk).seats if seat.playing] == ["Eva", "Fritz"]
    assert desk.refused("rename_seats", names=["Eva", "Eva"]) == "same_names"
    four = Desk().open()
    assert four.refused("rename_seats", names=["Eva", "Fritz"]) == "names_wanted"


def test_typed_tiles_may_have_gaps_wherever_they_are_typed() -> None:
    sent = parse_command(
        {
            "kind": "correct_hand",
            "idem": "1",
            "actor": {"role": "referee"},
            "hand_no": 1,
            "reason": "x",
            "hand": "123m 456m",
            "melds": [{"kind": "peng", "tiles": "5 5 5p"}],
        }
    )
    assert sent.hand == "123m456m"  # type: ignore[union-attr]
    assert sent.melds[0].tiles == "555p"  # type: ignore[union-attr,index]


# ---------------------------------------------------------------- files that were written by something else


@pytest.mark.parametrize("body", ["[]", '"game_opened"', "7", "null"])
def test_an_entry_that_is_no_object_is_said_to_be_unreadable(tmp_path: Path, body: str) -> None:
    """Its hash is right, as another program would have written it."""
    path = tmp_path / "ledger.sqlite3"
    ledger = Ledger.open(path)
    game = Desk().open().entries[0].event
    assert isinstance(game, GameOpened)
    batch = Batch(after=0, at_ms=1, actor=Actor(role="system"), idem="1", events=(game,))
    entry = next(iter(chained(batch, ledger.head)))
    actor = canonical(asdict(entry.actor))
    digest = hashlib.sha256(canonical([ledger.head, 1, 1, actor, "1", 0, body]).encode()).hexdigest()
    ledger._db.execute(
        "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (1, 1, actor, "1", 0, body, ledger.head, digest)
    )
    ledger.close()
    with pytest.raises(LedgerCorrupt, match="Entry 1 of"):
        read(path)


@pytest.mark.parametrize(
    "line",
    [
        {"at_ms": "noon", "mono_ms": 1, "command": {}},
        {"at_ms": 1, "mono_ms": 1, "seen": {"shown": [], "actor": {"role": "system"}, "idem": "1"}},
        {"at_ms": 1, "mono_ms": 1, "seen": 7},
        {"at_ms": 10**400, "mono_ms": 1e400},
    ],
)
def test_a_line_of_a_recording_that_is_none_is_named(tmp_path: Path, line: dict[str, Any]) -> None:
    path = tmp_path / "evening.jsonl"
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    with pytest.raises(RecordingError, match="Line 1 of"):
        list(read_recording(path))


# ---------------------------------------------------------------- what grew


def test_a_long_evening_is_added_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each row's running score follows from the row before, not from all rows before it."""
    desk = Desk().open()
    for _ in range(12):
        desk.draw()
    added_up: list[int] = []

    def counting(history: Iterable[HistoryItem]) -> Payments:
        rows = list(history)
        added_up.append(len(rows))
        return add_up(rows)

    monkeypatch.setattr("table.view.add_up", counting)
    assert len(view(desk).history) == 12
    assert sum(added_up) <= 12 + 1  # and the last hand's change


def test_a_photograph_of_seventeen_tiles_is_a_hand_where_the_rules_deal_sixteen(tmp_path: Path) -> None:
    hand, shown = "123456789m123p45s11z", ["123456789m123p45s11z", "6s"]
    photo = tmp_path / "hand.png"
    cv2.imwrite(str(photo), np.zeros((100, 100, 3), np.uint8))
    with pytest.raises(PhotoError, match="17 tiles are seen"):
        read_hand(photo, PaperEyes(shown))
    found = read_hand(photo, PaperEyes(shown), hand_tiles=17)
    assert [(laid.hand, laid.win_tile) for laid in found.hands] == [(hand, "6s")]


def test_a_ledger_taken_in_piece_by_piece_tells_the_same(tmp_path: Path) -> None:
    desk = Desk().open()
    desk.win(0, **STRAIGHT)  # type: ignore[arg-type]
    desk.must("call_referee", seat=1)
    desk.must("close_game")
    desk.open(ruleset="jiaxing").draw()
    desk.must("correct_hand", hand_no=1, reason="x", outcome="void")
    whole, growing = game_logs(desk.entries), Chronicle()
    for entry in desk.entries:
        growing.take([entry])
    assert {name: log.state.history for name, log in whole.items()} == {
        name: state.history for name, state in growing.games.items()
    }
    latest = list(whole.values())[-1]
    assert growing.log is not None
    assert (growing.log.hands, growing.log.entries, growing.seq) == (latest.hands, latest.entries, len(desk.entries))
    path = tmp_path / "ledger.sqlite3"
    ledger = Ledger.open(path)
    for number, name in enumerate(("first", "second")):
        event = desk.entries[0].event
        ledger.append(Batch(after=number, at_ms=1, actor=Actor(role="system", name=name), idem=name, events=(event,)))
    ledger.close()
    assert [entry.actor.name for entry in read(path)] == ["first", "second"]
    assert [entry.actor.name for entry in read(path, 1)] == ["second"]
    assert read(path, 2) == ()


@pytest.mark.parametrize(
    ("ruleset", "kind", "fields"),
    [
        ("guangdong", "liable", {"feeder": 2, "beneficiary": 1, "makes": "moon"}),
        ("jiaxing", "declare", {"seat": 1, "what": "stay"}),
        ("gb", "correct_hand", {"hand_no": 1, "reason": "r"}),
    ],
)
def test_a_refusal_is_a_sentence_and_shows_no_insides(ruleset: str, kind: str, fields: dict[str, Any]) -> None:
    desk = Desk().open(ruleset=ruleset)
    answer = desk.do(kind, **fields)
    assert isinstance(answer, Rejected)
    assert not set("{}[]") & set(answer.sentence.text), answer.sentence.text
    assert "1 to 0" not in answer.sentence.text
