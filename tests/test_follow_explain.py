"""One change of the table at a time: what `explain` makes of it."""

from __future__ import annotations

import doctest
from dataclasses import replace

import pytest

from rules.registry import ruleset
from table.follow import faces
from table.follow.explain import explain
from table.follow.legal import legal_moves
from table.follow.moves import Claimed, Discarded, Flowered, HandLaid, Konged, Move, TableCleared
from table.follow.sighting import Glimpse, SeatSighting, Sighting, Spot
from table.follow.state import apply, pin
from table.follow.story import WAYS_GRACE_S, Contradiction, Explained, Unclear
from tests.follow_kit import GB, after, discard, laid, moves, seat, sight

WUHAN = legal_moves(ruleset("wuhan"))


PUNG = Claimed(seat=2, kind="peng", from_seat=0, taken=("5p",), tiles=(("5p",),) * 3)
CHOW = Claimed(seat=1, kind="chi", from_seat=0, taken=("5p",), tiles=(("4p",), ("5p",), ("6p",)))


def test_nothing_changed_needs_no_move() -> None:
    assert moves(after(discard(0, "5p")), sight(s0=seat("5p"))) == ()


def test_a_discard() -> None:
    assert moves(after(), sight(s0=seat("5p"))) == (discard(0, "5p"),)


def test_a_chow_by_the_next_player_takes_the_discard() -> None:
    assert moves(after(discard(0, "5p")), sight(s1=seat(melds="4p 5p 6p"))) == (CHOW,)


def test_a_pung_by_anybody() -> None:
    assert moves(after(discard(0, "5p")), sight(s2=seat(melds="5p 5p 5p"))) == (PUNG,)


def test_the_three_kongs() -> None:
    claimed = moves(after(discard(0, "5p")), sight(s2=seat(melds="5p 5p 5p 5p")))
    assert [(move.kind, move.from_seat) for move in claimed if isinstance(move, Claimed)] == [("kong_open", 0)]
    concealed = moves(after(discard(0, "5p")), sight(s0=seat("5p"), s1=seat(melds="x 9m 9m x")))
    assert concealed == (Konged(seat=1, kind="kong_concealed", faces=("9m",)),)
    state = after(discard(0, "5p"), PUNG, *(discard(number % 4, f"{number}s") for number in range(2, 6)))
    grown = sight(s0=seat("4s"), s1=seat("5s"), s2=seat("2s", "5p 5p 5p 5p"), s3=seat("3s"))
    assert moves(state, grown) == (Konged(seat=2, kind="kong_added", faces=("5p",), meld=0),)


def test_flowers_before_the_first_discard_and_in_turn() -> None:
    opening = moves(after(), sight(s0=seat(flowers="1f"), s2=seat(flowers="6f 7f")))
    assert [(move.seat, move.faces) for move in opening if isinstance(move, Flowered)] == [
        (0, ("1f",)), (2, ("6f",)), (2, ("7f",)),
    ]  # fmt: skip
    assert moves(after(discard(0, "5p")), sight(s0=seat("5p"), s1=seat(flowers="3f"))) == (
        Flowered(seat=1, faces=("3f",)),
    )


def test_when_a_flower_was_laid_aside_makes_no_second_story() -> None:
    """Seat 1's flower may be of the arranging or of its first turn: whichever it is, seat 1 discards next."""
    first = explain(after(), sight(s0=seat("1m"), s1=seat(flowers="2f")), GB)
    assert isinstance(first, Explained)
    assert (first.state.turn, first.state.step) == (1, "draw")
    both = explain(after(), sight(s0=seat("1m"), s1=seat(flowers="2f"), s2=seat(flowers="3f")), GB)
    assert isinstance(both, Explained)
    assert {(type(move), move.seat) for move in both.moves} == {  # type: ignore[union-attr]
        (Flowered, 1), (Flowered, 2), (Discarded, 0),
    }  # fmt: skip
    later = sight(s0=seat("1m", flowers="1f"), s1=seat("9p", flowers="2f"), s2=seat(flowers="3f"))
    known = explain(after(), later, GB)
    assert isinstance(known, Explained)
    in_turn = after(
        Flowered(seat=0, faces=("1f",)),
        discard(0, "1m"),
        Flowered(seat=1, faces=("2f",)),
        discard(1, "9p"),
        Flowered(seat=2, faces=("3f",)),
    )
    assert apply(known.state, discard(2, "1s"), GB).wall_left == apply(in_turn, discard(2, "1s"), GB).wall_left


def test_whether_the_next_tile_replaces_a_kong_or_a_flower_is_never_guessed() -> None:
    """國標: 槓上開花 counts on a tile that replaced the kong, not on one that replaced a flower after it."""
    state = after(discard(0, "1m"))
    both = explain(state, sight(s0=seat("1m"), s1=seat(melds="x x x x", flowers="2f")), GB)
    assert isinstance(both, Unclear)
    assert both.why == "two_ways"
    assert {type(way[-1]) for way in both.ways} == {Konged, Flowered}
    known = moves(state, sight(s0=seat("1m"), s1=seat("9p", melds="x x x x", flowers="2f")))
    assert {type(move) for move in known[:2]} == {Konged, Flowered}
    assert known[2:] == (discard(1, "9p"),)


def test_each_move_takes_its_tiles_from_the_wall() -> None:
    start = after().wall_left
    assert start == 144 - 53
    assert after(discard(0, "5p")).wall_left == start
    assert after(discard(0, "5p"), discard(1, "1m")).wall_left == start - 1
    assert after(discard(0, "5p"), PUNG, discard(2, "1m")).wall_left == start
    assert after(discard(0, "5p"), Konged(seat=1, kind="kong_concealed", faces=())).wall_left == start - 2
    assert after(Flowered(seat=3, faces=("1f",))).wall_left == start - 1


def test_concealed_tiles_are_counted() -> None:
    state = after(discard(0, "5p"), PUNG, discard(2, "1m"), discard(3, "1m"))
    assert [own.concealed for own in state.seats] == [13, 13, 10, 13]


HAND = "1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z"


@pytest.mark.parametrize(
    ("first", "sighting", "source", "from_seat"),
    [
        ((), sight(s0=seat(hand=f"{HAND} 2z")), "self_draw", None),
        ((discard(0, "2z"),), sight(s0=seat("2z"), s2=seat(hand=HAND)), "discard", 0),
        ((discard(0, "2z"),), sight(s2=seat(hand=f"{HAND} 2z")), "discard", 0),
        ((discard(0, "2z"),), sight(s0=seat("2z"), s1=seat(hand=f"{HAND} 3z")), "self_draw", None),
        (
            (discard(0, "3z"), Konged(seat=1, kind="kong_concealed", faces=("9m",))),
            sight(s0=seat("3z"), s1=seat(melds="x 9m 9m x", hand="1m 2m 3m 4p 5p 6p 1z 1z 2z 2z 2z")),
            "kong_replacement",
            None,
        ),
    ],
)
def test_a_hand_laid_open_tells_how_the_tile_came(
    first: tuple[Move, ...], sighting: Sighting, source: str, from_seat: int | None
) -> None:
    (laid,) = moves(after(*first), sighting)
    assert isinstance(laid, HandLaid)
    assert (laid.source, laid.from_seat) == (source, from_seat)


def test_a_robbed_kong() -> None:
    state = after(
        discard(0, "5p"), PUNG, *(discard(number % 4, f"{number}s") for number in range(2, 6)),
        Konged(seat=2, kind="kong_added", faces=("5p",), meld=0),
    )  # fmt: skip
    lying = {"s0": seat("4s"), "s1": seat("5s"), "s2": seat("2s", "5p 5p 5p 5p"), "s3": seat("3s", hand=HAND)}
    (laid,) = moves(state, sight(**lying))
    assert isinstance(laid, HandLaid)
    assert (laid.source, laid.from_seat, laid.taken) == ("rob_kong", 2, ("5p",))


def test_the_next_hand_begins_when_the_felt_is_clear() -> None:
    won = after(discard(0, "2z"), HandLaid(seat=2, source="discard", from_seat=0, taken=("2z",), tiles=()))
    assert moves(won, sight()) == (TableCleared(),)
    assert isinstance(explain(after(discard(0, "2z")), sight(), GB), Unclear)


def test_several_moves_between_two_looks_are_explained_together() -> None:
    found = moves(after(discard(0, "5p")), sight(s1=seat("9s", "4p 5p 6p"), s2=seat("1m"), s3=seat("2m", "x x x x")))
    assert found == (
        CHOW, discard(1, "9s"), discard(2, "1m"), Konged(seat=3, kind="kong_concealed", faces=()), discard(3, "2m"),
    )  # fmt: skip


def test_a_discard_that_was_taken_between_two_looks() -> None:
    first, second = moves(after(discard(0, "1m")), sight(s0=seat("1m"), s3=seat(melds="7z 7z 7z")))
    assert first == Discarded(seat=1, faces=("7z",), seen=False)
    assert isinstance(second, Claimed)
    assert (second.seat, second.from_seat, second.taken) == (3, 1, ("7z",))


def test_nothing_is_said_while_something_moves() -> None:
    assert explain(after(), Sighting(0.0, sight(s0=seat("5p")).seats, moving=True), GB) == Unclear(None, "moving")


def test_a_covered_place_hides_only_what_could_have_happened_there() -> None:
    """An arm over seat 3: the discard of seat 0 is followed, one that seat 3 must have had a part in is not."""
    mine = Sighting(0.0, sight(s0=seat("5p")).seats, frozenset({(3, "pond")}))
    assert explain(after(), mine, GB) == explain(after(), sight(s0=seat("5p")), GB)
    theirs = Sighting(0.0, sight(s0=seat("9p"), s3=seat()).seats, frozenset({(3, "pond")}))
    turn = after(*(discard(who, "1m") for who in range(3)))
    waits = Unclear(None, "covered", (Spot(3, "pond", 0),))
    assert (
        explain(turn, replace(theirs, seats=sight(s0=seat("1m 9p"), s1=seat("1m"), s2=seat("1m")).seats), GB) == waits
    )
    assert explain(after(), Sighting(0.0, sight().seats, frozenset({(3, "pond")})), GB) == waits


def test_a_discard_under_an_arm_is_not_taken_for_one_that_nobody_saw() -> None:
    """Seat 3 pungs the 8m of seat 1, whose pond is covered: seat 2 may not be said to have discarded another one."""
    state = after(discard(0, "1m"), discard(1, "8m"))
    taken = replace(sight(s0=seat("1m"), s3=seat(melds="8m 8m 8m")), covered=frozenset({(1, "pond")}))
    assert isinstance(explain(state, taken, GB), Unclear)


def test_while_melds_are_not_found_nothing_their_player_does_is_believed() -> None:
    """He may have made a kong of the pung that an arm hides."""
    state = after(discard(0, "5p"), PUNG)
    shown = sight(s2=seat("9p"))
    assert isinstance(explain(state, shown, GB), Unclear)
    assert isinstance(explain(state, sight(s2=seat("9p", "5p 5p 5p")), GB), Explained)


def test_half_a_tile_is_asked_about_only_once_play_cannot_be_told_without_it() -> None:
    patchy, spots = frozenset({(1, "pond")}), (Spot(1, "pond", 0),)
    first = discard(0, "5p")
    assert explain(after(first), replace(sight(s0=seat("5p")), patchy=patchy), GB) == Unclear(None, "covered", spots)
    gone_on = replace(sight(s0=seat("5p"), s2=seat("1m")), patchy=patchy)
    assert explain(after(first), gone_on, GB) == Unclear(WAYS_GRACE_S, "vanished", spots)


def test_a_claim_settles_the_doubtful_discard() -> None:
    found = explain(after(discard(0, "5p/6p")), sight(s2=seat(melds="5p 5p 5p")), GB)
    assert isinstance(found, Explained)
    assert found.moves == (PUNG,)
    assert found.state.open_faces() == ()


def test_a_doubtful_tile_of_a_meld_is_settled_by_the_others() -> None:
    (claim,) = moves(after(discard(0, "5p")), sight(s1=seat(melds="4p 5p/6p 6p/7p")))
    assert claim == CHOW


def test_no_fifth_copy_settles_a_face() -> None:
    state = after(discard(0, "7s"), discard(1, "7s"), discard(2, "7s"), discard(3, "7s"))
    lying = {f"s{number}": seat("7s") for number in range(1, 4)}
    assert moves(state, sight(s0=seat("7s 7s/8s"), **lying)) == (discard(0, "8s"),)


def test_a_face_is_settled_later_when_its_other_kind_is_gone() -> None:
    state = after(discard(0, "7s/8s"), *(discard(number, "7s") for number in (1, 2, 3, 0)))
    assert state.seats[0].pond[0].faces == ("8s",)


def test_a_tile_that_leaves_doubtful_ones_only_a_fifth_copy_is_asked_about() -> None:
    """Six tiles and two of 7s or 8s: with one more 7s there would be five 8s. What a person says of it stands."""
    laid = ("7s", "7s", "7s", "8s", "8s", "8s", "7s/8s", "7s/8s")
    state = after(*(discard(number % 4, tile) for number, tile in enumerate(laid)))
    lying = {"s1": seat("7s 8s"), "s2": seat("7s 7s/8s"), "s3": seat("8s 7s/8s")}
    table = sight(s0=seat("7s 8s 7s"), **lying)
    assert explain(state, table, GB) == Contradiction((Spot(0, "pond", 2),), "fifth")
    assert moves(state, table.pinned(Spot(0, "pond", 2), "7s")) == (discard(0, "7s"),)
    two = sight(s0=seat("7s 8s 7s"), **{**lying, "s1": seat("7s 8s 8s")})  # both kinds gone, and what are the two?
    assert explain(state, two, GB) == Contradiction((Spot(0, "pond", 2), Spot(1, "pond", 2)), "fifth")


def test_two_faces_that_stay_possible_are_both_kept() -> None:
    found = explain(after(), sight(s0=seat("7s/8s")), GB)
    assert isinstance(found, Explained)
    assert found.state.open_faces() == ((Spot(0, "pond", 0), ("7s", "8s")),)


def test_two_claims_that_stay_possible_are_both_offered() -> None:
    found = explain(after(discard(0, "5p")), sight(s1=seat(melds="5p 5p/4p 5p/6p")), GB)
    assert isinstance(found, Unclear)
    assert found.why == "two_ways"
    assert {move.kind for way in found.ways for move in way if isinstance(move, Claimed)} == {"chi", "peng"}


def test_a_tile_that_did_not_move_keeps_its_face() -> None:
    state = after(discard(0, "7s"), discard(1, "1m"), discard(2, "2m"))
    assert moves(state, sight(s0=seat("8s"), s1=seat("1m"), s2=seat("2m"))) == ()


def test_neighbours_read_the_wrong_way_round() -> None:
    state = after(discard(0, "7s"), discard(1, "1m"), discard(2, "2m"), discard(3, "3m"))
    found = moves(state, sight(s0=seat("9p 7s"), s1=seat("1m"), s2=seat("2m"), s3=seat("3m")))
    assert found == (discard(0, "9p"),)


def test_a_word_of_a_person_beats_the_camera() -> None:
    state = pin(after(discard(0, "7s")), Spot(0, "pond", 0), "8s")
    assert moves(state, sight(s0=seat("7s"))) == ()
    (claim,) = moves(state, sight(s1=seat(melds="7s 8s 9s")))
    assert isinstance(claim, Claimed)
    assert claim.taken == ("8s",)
    corrected = sight(s0=seat("7s")).pinned(Spot(0, "pond", 0), "1z")
    assert moves(after(), corrected) == (discard(0, "1z"),)


FOUR = tuple(discard(number, "7s") for number in range(4))


@pytest.mark.parametrize(
    ("first", "sighting", "why"),
    [
        ((discard(0, "5p"),), sight(s0=seat("5p"), s2=seat("1m")), "out_of_turn"),
        ((discard(0, "5p"),), sight(s2=seat(melds="4p 5p 6p")), "wrong_side"),
        ((discard(0, "5p"),), sight(s2=seat(melds="5p 5p 7p")), "no_meld"),
        (FOUR, sight(s0=seat("7s 7s"), s1=seat("7s"), s2=seat("7s"), s3=seat("7s")), "fifth"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_a_contradiction(first: tuple[Move, ...], sighting: Sighting, why: str) -> None:
    found = explain(after(*first), sighting, GB)
    assert isinstance(found, Contradiction)
    assert found.why == why
    assert found.tiles


def test_a_vanished_tile_is_given_time() -> None:
    state = after(discard(0, "7s"), discard(1, "1m"), discard(2, "2m"))
    found = explain(state, sight(s0=seat(""), s1=seat("1m"), s2=seat("2m")), GB)
    assert isinstance(found, Unclear)
    assert (found.why, found.tiles, found.grace_s) == ("vanished", (Spot(0, "pond", 0),), 3.0)


def test_a_wildcard_is_claimed_by_nobody() -> None:
    jiaxing = legal_moves(ruleset("jiaxing"))
    state = after(discard(0, "5p"), legal=jiaxing, wild="5p")
    assert not isinstance(explain(state, sight(s2=seat(melds="5p 5p 5p")), jiaxing), Explained)


def test_wuhan_a_red_dragon_put_down_is_a_kong_of_its_own() -> None:
    first, second = moves(after(legal=WUHAN), sight(s0=seat("7z 1m")), WUHAN)
    assert isinstance(first, Discarded)
    assert first.again
    assert second == discard(0, "1m")


def test_wuhan_the_last_four_tiles_are_drawn_without_a_discard() -> None:
    state = after(legal=WUHAN)
    number = 0
    while state.wall_left > WUHAN.silent_end:
        kind = WUHAN.kinds[number % 30]
        state = apply(state, discard(state.turn, kind), WUHAN)
        number += 1
    ponds = {
        f"s{who}": SeatSighting(tuple(Glimpse.of(t.faces[0]) for t in own.pond)) for who, own in enumerate(state.seats)
    }
    more = ponds[f"s{state.turn}"]
    ponds[f"s{state.turn}"] = SeatSighting((*more.pond, Glimpse.of("6z")))
    assert not isinstance(explain(state, sight(**ponds), WUHAN), Explained)
    assert moves(state, sight(), WUHAN) == (TableCleared(),)


def test_without_a_dead_wall_every_tile_can_be_drawn() -> None:
    assert legal_moves(ruleset("jiaxing")).wall == 136 - 53
    assert legal_moves(ruleset("jiaxing", {"dead_wall": 14})).wall == 136 - 53 - 14
    assert legal_moves(ruleset("wuhan")).wall == 136 - 53 - 10
    assert legal_moves(ruleset("popular")).wall == 120 - 53
    assert legal_moves(ruleset("fujian")).wall == 144 - 65


def test_the_examples_in_the_docstrings_are_true() -> None:
    results = doctest.testmod(faces)
    assert results.attempted == 4
    assert results.failed == 0


def test_a_kong_of_changsha_may_discard_two_tiles() -> None:
    legal = legal_moves(ruleset("changsha", {"kong_dice": 2}))
    kong = Konged(seat=0, kind="kong_concealed", faces=("9s",))
    state = after(kong, discard(0, "1m"), legal=legal)
    found = explain(state, sight(s0=seat("1m 2m", "x x x x")), legal)
    assert isinstance(found, Explained)
    assert found.moves == (discard(0, "2m"),)
    assert (found.state.turn, found.state.wall_left) == (1, state.wall_left - 1)
    usual = legal_moves(ruleset("changsha"))
    assert isinstance(explain(state, sight(s0=seat("1m 2m", "x x x x")), usual), Contradiction)


BATTLE = legal_moves(ruleset("sichuan"))


def test_a_battle_goes_on_after_the_winner_without_him() -> None:
    """Seat 2 wins on the discard of seat 0: seat 3 draws next, seat 2 takes no further part, his tiles lie open."""
    won = after(discard(0, "1m"), laid(2, "discard", 0, "1m"), legal=BATTLE)
    assert (won.step, won.turn, won.won) == ("draw", 3, (2,))
    shown = " ".join(["5p"] * 13)
    found = explain(won, sight(s0=seat("1m"), s2=seat(hand=shown), s3=seat("9s")), BATTLE)
    assert isinstance(found, Explained)
    assert found.moves == (discard(3, "9s"),)
    further = after(discard(0, "1m"), laid(2, "discard", 0, "1m"), discard(3, "9s"), discard(0, "2m"), legal=BATTLE)
    assert further.turn == 1
    assert after(*further.moves, discard(1, "3m"), legal=BATTLE).turn == 3


def test_a_discard_that_was_won_on_is_claimed_by_nobody_but_may_be_won_on_again() -> None:
    won = after(discard(0, "1m"), laid(1, "discard", 0, "1m"), legal=BATTLE)
    pung = sight(s1=seat(hand=" ".join(["5p"] * 13)), s3=seat(melds="1m 1m 1m"))
    assert not isinstance(explain(won, pung, BATTLE), Explained)
    both = apply(won, laid(3, "discard", 0, "1m"), BATTLE)
    assert (both.turn, both.won) == (0, (1, 3))
    assert apply(both, laid(0, "self_draw"), BATTLE).step == "over"
