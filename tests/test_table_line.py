"""The table's line: notices in words, unchecked dice, a kong's die, the dealer lamp, going on after a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from device import messages as mtl
from device.link import LinkConfig
from device.notices import Notice, NoticeCode
from device.wire import EventId
from table import commands
from table.bridge import DealerLamp, Heard, ThatTable, boot_of, meaning, notice_sentence
from table.line_memory import KnownLine, LineMemory, known_line
from table.model import Payments
from table.rulebook import open_rulebook
from table.sentences import SENTENCES
from table.snapshot import Snapshot
from table.view import Live, snapshot
from table.wall_state import wall_now, wall_sentence
from tests.table_kit import Desk


def view(desk: Desk) -> Snapshot:
    assert desk.state.game is not None
    return snapshot(desk.state, Live(), open_rulebook(desk.state.game.ruleset, desk.state.game.options))


def event(number: int) -> dict[str, Any]:
    return {"id": EventId("7F3A", number), "t_ms": 1000 * number}


# --- notices --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", list(NoticeCode))
def test_every_notice_has_a_sentence(code: NoticeCode) -> None:
    notice = Notice(code, "The board says so.", seat=2, roll=7, count=3)
    sentence = notice_sentence(notice)
    if code is NoticeCode.DICE_UNCHECKED:
        assert sentence is None  # the throw itself waits for a tap
        return
    assert sentence is not None
    assert sentence.key == f"notice_{code.value}"
    assert sentence.key in SENTENCES
    assert sentence.text.strip()
    assert "None" not in notice_sentence(Notice(code, "The board says so.", seat=2)).text  # type: ignore[union-attr]


# --- dice -----------------------------------------------------------------------------------------------------------


def throw(number: int, values: tuple[int, ...], source: str = "elec", by: int | None = 0) -> Any:
    message = mtl.Dice(
        **event(number), roll=number, phase="end", count=len(values), values=values, by_seat=by, source=source
    )
    (command,) = [one for one in meaning(message, "today") if isinstance(one, commands.Dice)]
    return command


def test_plain_text_dice_wait_for_a_tap() -> None:
    said = throw(1, (3, 4), source="text", by=None)
    assert not said.checked
    assert throw(2, (3, 4)).checked
    desk = Desk().open(ruleset="jiaxing")
    desk.must("dice", values=[3, 3], source="table", roll="AAAA.1", checked=False)
    assert desk.state.dice == ()
    asked = view(desk).dice_ask
    assert asked is not None
    assert (asked.values, asked.roll) == ((3, 3), "AAAA.1")
    assert desk.refused("confirm_dice", roll="AAAA.2") == "unknown_roll"
    desk.must("confirm_dice", roll="AAAA.1")
    assert view(desk).dice_ask is None
    assert [one.values for one in desk.state.dice] == [(3, 3)]
    assert desk.state.started


def test_an_unchecked_throw_can_be_refused_or_typed() -> None:
    desk = Desk().open()
    desk.must("dice", values=[3, 3], source="table", roll="AAAA.1", checked=False)
    desk.must("void_dice", roll="AAAA.1")
    assert view(desk).dice_ask is None
    desk.must("dice", values=[3, 3], source="table", roll="AAAA.2", checked=False)
    desk.must("dice", values=[5, 2])
    assert view(desk).dice_ask is None
    assert [one.values for one in desk.state.dice] == [(5, 2)]


def test_a_single_die_is_the_die_of_a_kong() -> None:
    die = throw(3, (5,))
    assert die.values == (5,)
    popular = Desk().open(ruleset="popular")
    assert popular.refused("dice", values=[5]) == "dice_count"
    popular.must("dice", values=[1, 4])
    popular.must("kong", seat=1, meld_kind="kong_added", tile="3p")
    popular.must("dice", values=[5], source="table", roll="7F3A.3")
    popular.must("dice", values=[5], source="table", roll="7F3A.3")
    assert [one.why for one in popular.state.dice] == ["break1", "kong"]
    popular.must("void_dice", roll="7F3A.3")  # cocked, thrown again: the hand goes on
    assert popular.state.started
    assert [one.why for one in popular.state.dice] == ["break1"]
    other = Desk().open(ruleset="guangdong")
    other.must("dice", values=[1, 4])
    assert other.refused("dice", values=[5]) == "dice_not_now"


def test_unknown_values_are_asked_by_the_notice_only() -> None:
    message = mtl.Dice(**event(4), roll=4, phase="end", values=None, by_seat=0)
    assert meaning(message, "today") == (Heard(EventId("7F3A", 4)),)


# --- lamp, walls, identity ------------------------------------------------------------------------------------------


def test_the_dealer_lamp_is_compared_and_never_applied() -> None:
    said = meaning(mtl.Deal(**event(5), dealer=2), "today")
    assert DealerLamp(2) in said
    assert not [one for one in said if isinstance(one, commands.OpenGame | commands.Dice)]


def test_the_line_goes_on_where_it_ended(tmp_path: Path) -> None:
    assert known_line(tmp_path) == KnownLine()
    memory = LineMemory(tmp_path)
    memory.note(uid="A1B2C3D4")
    memory.note(last=EventId("7F3A", 12))
    known = known_line(tmp_path)
    assert known == KnownLine(uid="A1B2C3D4", last=EventId("7F3A", 12))
    config = LinkConfig(ports=("/dev/null",), uid=known.uid, resume_after=known.last)
    assert config.resume_after == EventId("7F3A", 12)
    (tmp_path / "line.json").write_text("no json", encoding="utf-8")
    assert known_line(tmp_path) == KnownLine()


def test_every_event_and_the_table_itself_are_remembered() -> None:
    assert meaning(mtl.Hello(proto=(1, 0), uid="A1B2C3D4", boot="7F3A"), "today") == (ThatTable("A1B2C3D4"),)
    assert meaning(mtl.Lift(**event(6), top="UP"), "today") == (Heard(EventId("7F3A", 6)),)


# --- the wall against the table's own counts ------------------------------------------------------------------------


def dealt(ruleset: str = "guangdong") -> Desk:
    desk = Desk().open(ruleset=ruleset)
    desk.must("dice", values=[1, 4])
    return desk


def test_walls_of_another_size_are_named() -> None:
    desk = Desk().open(ruleset="sichuan")
    desk.must("walls", stacks=[17, 17, 17, 17], tiles=136)
    sentence = wall_sentence(desk.state, None)
    assert sentence is not None
    assert (sentence.key, sentence.params) == ("wall_size", {"found": 136, "wanted": 108})


@pytest.mark.parametrize("ruleset", ["sichuan", "gb", "guangdong", "changsha", "beginner258", "popular"])
@pytest.mark.parametrize("stacks", [[17, 17, 17, 17], [99, 99, 99, 99], [10, 10, 10, 10], [18, 18, 18, 18]])
@pytest.mark.parametrize("draws", [0, 10, 55, 200])
def test_walls_of_another_game_or_too_many_draws_price_nothing(ruleset: str, stacks: list[int], draws: int) -> None:
    def priced(*, walled: bool) -> tuple[list[str], Payments | None, int | None]:
        desk = Desk().open(ruleset=ruleset)
        if walled:
            desk.must("walls", stacks=stacks)
        desk.must("start_hand")
        if walled:
            desk.must("tiles_taken", draws=draws)
        desk.must("kong", seat=0, meld_kind="kong_concealed", tile="9p")
        desk.must("claim_win", seat=1, source="self_draw")
        desk.must("hand_manual", hand="123456789m123m5m", win_tile="5m")
        assert desk.state.game is not None
        now = snapshot(desk.state, Live(), open_rulebook(desk.state.game.ruleset, desk.state.game.options))
        assert now.claim is not None
        paid = now.claim.verdict.payments if now.claim.verdict is not None else None
        return [question.text_key for question in now.claim.questions], paid, now.wall_left

    desk = Desk().open(ruleset=ruleset)
    assert desk.state.game is not None
    if 2 * sum(stacks) == desk.state.game.customs.tiles:
        draws = 200  # these walls are right; no wall gives that many
    assert priced(walled=True) == priced(walled=False)


def test_counts_that_agree_and_counts_that_do_not() -> None:
    desk = dealt()
    assert (wall_now(desk.state).left, wall_now(desk.state).at_most) == (None, 83)
    assert wall_now(desk.state, 60).source == "table"
    assert wall_sentence(desk.state, 136) is None  # the tiles are being dealt
    desk.must("claim_win", seat=1, source="self_draw")
    assert wall_sentence(desk.state, 84) is not None  # more than can be left
    desk.must("cancel_claim")
    desk.must("tiles_taken", draws=20)
    now = wall_now(desk.state, 63)
    assert (now.left, now.source, now.differs) == (63, "both", None)
    now = wall_now(desk.state, 62)
    assert (now.left, now.source, now.differs) == (63, "ledger", (62, 63))
    sentence = wall_sentence(desk.state, 62)
    assert sentence is not None
    assert sentence.key == "wall_differs"


@pytest.mark.parametrize(
    ("ruleset", "draws", "left", "key"),
    [
        ("sichuan", 50, 5, ""),
        ("sichuan", 51, 4, "must_win"),
        ("wuhan", 68, 5, ""),
        ("wuhan", 69, 4, "self_draw_only"),
        ("popular", 66, 1, "last_tile"),
        ("popular", 65, 2, ""),
        ("changsha", 54, 1, "sea_bottom"),
        ("guangdong", 82, 1, "last_tile"),
    ],
)
def test_the_last_tiles_of_each_game(ruleset: str, draws: int, left: int, key: str) -> None:
    desk = dealt(ruleset)
    desk.must("tiles_taken", draws=draws)
    now = wall_now(desk.state)
    assert (now.left, now.key) == (left, key)


def test_the_house_counts_from_the_stack_or_after_it() -> None:
    for count, stack in (("after", 5), ("from", 4)):
        desk = Desk().open(ruleset="guangdong", house={"break_count": count})
        desk.must("dice", values=[1, 4])
        shown = view(desk)
        assert shown.wall_break is not None
        assert (shown.wall_break.seat, shown.wall_break.stack) == (0, stack)


def test_an_event_repeated_after_midnight_keeps_its_key(tmp_path: Path) -> None:
    """The wall clock steps over midnight, or somebody sets it: the same event of the table counts once."""
    memory = LineMemory(tmp_path)
    assert memory.day_of("7F3A", "monday") == "monday"
    memory.note(last=EventId("7F3A", 12))
    assert memory.day_of("7F3A", "tuesday") == "monday"
    assert LineMemory(tmp_path).day_of("7F3A", "sunday") == "monday"
    assert memory.day_of("0001", "tuesday") == "tuesday"  # the table was started anew
    assert boot_of(mtl.Button(**event(3), key="HU", seat=1)) == "7F3A"
    assert boot_of(mtl.Hello(proto=(1, 0), uid="A1B2C3D4", boot="7F3A")) is None
