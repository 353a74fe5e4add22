"""From tiles in a picture to a hand: rows, melds, the winning tile apart; and what must be asked instead of guessed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from table.model import LaidHand
from table.reading import propose, worth_showing
from table.state import Claim, MeldPin
from table.tile_text import meld_kind, tiles_text
from tests.table_kit import seen


def claim(rows: Sequence[str], **more: Any) -> Claim:
    picture = {name: more.pop(name) for name in ("doubts", "also", "kinds") if name in more}
    tiles, groups = seen(rows, **picture)
    return Claim(seat=1, how="photo", tiles=tiles, groups=groups, **more)


def only_hand(rows: Sequence[str], **more: Any) -> LaidHand:
    proposal = propose(claim(rows, **more))
    assert proposal.questions == ()
    assert len(proposal.hands) == 1
    return proposal.hands[0].laid


def asked(rows: Sequence[str], **more: Any) -> list[str]:
    proposal = propose(claim(rows, **more))
    assert proposal.hands == ()
    return [question.id for question in proposal.questions]


@pytest.mark.parametrize(
    ("tiles", "kind"),
    [
        ("123m", "chi"),
        ("312m", "chi"),
        ("999s", "peng"),
        ("777z", "peng"),
        ("5555z", "kong_open"),
        ("x99px", "kong_concealed"),
        ("xxx9p", "kong_concealed"),
        ("124m", None),
        ("123z", None),
        ("12m3p", None),
        ("5554z", None),
        ("x12mx", None),
        ("x11m", None),
        ("11m", None),
    ],
)
def test_what_a_group_is(tiles: str, kind: str | None) -> None:
    from tests.table_kit import row_tiles

    assert meld_kind(row_tiles(tiles)) == kind


def test_a_row_and_the_winning_tile_apart() -> None:
    laid = only_hand(["123456789m23m44z", "4m"])
    assert laid == LaidHand(hand="12233456789m44z", win_tile="4m")


def test_melds_flowers_and_a_concealed_kong() -> None:
    laid = only_hand(["7f", "22s33z888p", "3z", "x11mx", "666z"])
    assert laid.hand == "888p22s33z"
    assert laid.win_tile == "3z"
    assert laid.flowers == "7f"
    assert [(meld.kind, meld.tiles) for meld in laid.melds] == [("kong_concealed", "1111m"), ("peng", "666z")]


def test_an_open_kong_may_have_been_added() -> None:
    proposal = propose(claim(["2223477m", "8m", "9999s", "123p"]))
    assert {hand.laid.melds[0].kind for hand in proposal.hands} == {"kong_open", "kong_added"}
    pinned = only_hand(["2223477m", "8m", "9999s", "123p"], meld_pins={2: MeldPin(kind="kong_added", from_seat=3)})
    assert (pinned.melds[0].kind, pinned.melds[0].from_seat) == ("kong_added", 3)


def test_nobody_laid_the_winning_tile_apart() -> None:
    proposal = propose(claim(["123456789m234m44z"]))
    assert {hand.laid.win_tile for hand in proposal.hands} == {f"{rank}m" for rank in range(1, 10)} | {"4z"}
    for hand in proposal.hands:
        assert len(hand.laid.hand.replace("m", "").replace("z", "")) == 13


def test_a_person_names_the_winning_tile() -> None:
    assert only_hand(["123456789m234m44z"], win_index=4).win_tile == "5m"
    assert only_hand(["123456789m23m44z"], win_named="4m").win_tile == "4m"


def test_the_winning_tile_lies_elsewhere() -> None:
    assert asked(["123456789m23m44z"]) == ["win_missing"]
    question = propose(claim(["123456789m23m44z"])).questions[0]
    assert question.pick == {"kind": "set_win_tile"}


def test_a_persons_word_beats_the_eyes() -> None:
    assert only_hand(["123456789m23m44z", "5m"], pins={13: "4m"}).win_tile == "4m"
    # an empty name takes a tile out of the picture: a shadow that was taken for one
    assert only_hand(["123456789m23m44z", "4m", "9p"], pins={14: ""}).win_tile == "4m"


def test_an_unreadable_tile_is_asked_with_the_likely_ones_first() -> None:
    rows = ["123456789m23m44z", "4m"]
    assert asked(rows, doubts={4: "unreadable"}, also={4: ["6m", "8m"]}) == ["tile:4"]
    question = propose(claim(rows, doubts={4: "unreadable"}, also={4: ["6m", "8m"]})).questions[0]
    assert [choice.tile for choice in question.choices] == ["5m", "6m", "8m"]
    assert question.pick == {"kind": "fix_tile", "index": 4}
    assert only_hand(rows, doubts={4: "unreadable"}, pins={4: "5m"}).win_tile == "4m"


def test_a_tile_to_check_is_shown_but_not_asked() -> None:
    assert only_hand(["123456789m23m44z", "4m"], doubts={4: "check"}).win_tile == "4m"


def test_a_face_down_tile_in_the_hand_is_asked() -> None:
    assert asked(["123x56789m23m44z".replace("x5", "mx5"), "4m"]) == ["tile:3"]


def test_a_kong_all_face_down_is_asked() -> None:
    assert asked(["2223477m", "8m", "xxxx", "123p"]) == ["tile:9"]
    laid = only_hand(["2223477m", "8m", "xxxx", "123p"], pins={9: "9p"})
    assert (laid.melds[0].kind, laid.melds[0].tiles) == ("kong_concealed", "9999p")


def test_a_fifth_copy_is_asked_at_the_least_certain_one() -> None:
    rows = ["1111123456789m", "4z"]
    found = propose(claim(rows, doubts={2: "check"}, also={2: ["2m"]})).questions
    assert [question.id for question in found] == ["fifth:1m"]
    assert found[0].tiles[0] == 2
    assert found[0].choices[0].command == {"kind": "fix_tile", "index": 2, "tile": "2m"}


@pytest.mark.parametrize("rows", [["123456789m2m44z"], ["123456789m2344m444z"], ["123m", "1m"], ["555z"]])
def test_a_wrong_number_of_tiles_is_asked(rows: list[str]) -> None:
    found = asked(rows)
    assert found in (["count"], ["fifth:4m"])


def test_groups_that_can_be_understood_in_two_ways() -> None:
    """Four sets lying apart and a pair: melds, or a concealed hand with gaps. Both are kept."""
    proposal = propose(claim(["123m", "456p", "789s", "111z", "5z", "5z"]))
    assert {hand.layout for hand in proposal.hands} == {"laid", "closed"}
    assert {len(hand.laid.melds) for hand in proposal.hands} == {4, 0}
    pinned = {number: MeldPin(kind=None) for number in range(4)}
    closed = propose(claim(["123m", "456p", "789s", "111z", "5z", "5z"], meld_pins=pinned))
    assert {len(hand.laid.melds) for hand in closed.hands} == {0}


def test_ponds_and_walls_are_not_the_hand() -> None:
    rows = ["123456789m23m44z", "4m", "1p9s3z2z4p6s7s", "xxxxxxxxx", "xx"]
    kinds = ["hand", "row", "pond", "row", "row"]
    assert only_hand(rows, kinds=kinds).win_tile == "4m"


def test_an_empty_picture() -> None:
    assert asked([]) == ["count"]
    assert not worth_showing(*seen([]))
    assert worth_showing(*seen(["123456789m23m44z", "4m"]))
    assert not worth_showing(*seen(["123p", "55z", "1s3s9p"]))


def test_tiles_as_text() -> None:
    assert tiles_text(["5z", "1p", "9m", "1m"]) == "19m1p5z"
    assert tiles_text([]) == ""


def test_a_misread_meld_is_asked_with_what_would_make_it_one() -> None:
    rows = ["2223477789m", "8m", "767z"]
    found = propose(claim(rows, also={12: ["7z", "1z"]})).questions
    assert [question.id for question in found] == ["meld:2"]
    assert found[0].choices[0].command == {"kind": "fix_tile", "index": 12, "tile": "7z"}
    assert found[0].choices[-1].command == {"kind": "set_meld", "group": 2, "meld_kind": None}
    assert only_hand(rows, pins={12: "7z"}).melds[0].tiles == "777z"
    assert only_hand(rows, meld_pins={2: MeldPin(kind=None)}).melds == ()
