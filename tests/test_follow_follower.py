"""A hand over several looks: when a move counts, when somebody is asked, what a win gets out of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.registry import ruleset
from table.follow.facts import circumstances, last_of_kind
from table.follow.follower import Asked, Follower, Moved, Step, Waiting, doubts, follow, look, say
from table.follow.legal import legal_moves
from table.follow.moves import Claimed, Discarded, Flowered, HandLaid, Konged
from table.follow.sighting import Glimpse, SeatSighting, Sighting, Spot
from table.follow.state import begin

GB = legal_moves(ruleset("gb"))


def tiles(text: str) -> tuple[Glimpse, ...]:
    return tuple(Glimpse(tuple((face, 0.5) for face in word.split("/")), sure="/" not in word) for word in text.split())


def sight(at_s: float, *ponds: str, melds: dict[int, str] | None = None) -> Sighting:
    """Ponds by seat; `melds` holds one group per seat."""
    groups = melds or {}
    return Sighting(
        at_s,
        tuple(
            SeatSighting(
                tiles(ponds[seat] if seat < len(ponds) else ""), (tiles(groups[seat]),) if seat in groups else ()
            )
            for seat in range(4)
        ),
    )


def watch(follower: Follower, *sightings: Sighting) -> tuple[Follower, list[Step]]:
    steps: list[Step] = []
    for sighting in sightings:
        follower, step = look(follower, sighting)
        steps.append(step)
    return follower, steps


def fresh() -> Follower:
    return Follower(begin(GB, 0), GB)


FIRST = Discarded(seat=0, faces=("5p",))


def test_a_move_counts_when_two_looks_agree() -> None:
    _, steps = watch(fresh(), sight(0, "5p"), sight(1, "5p"), sight(2, "5p"))
    assert steps == [Moved(()), Moved((FIRST,)), Moved(())]


def test_what_one_look_showed_alone_never_counts() -> None:
    follower, steps = watch(fresh(), sight(0, "5p"), sight(1), sight(2), sight(3), sight(4))
    assert steps == [Moved(())] * 5
    assert follower.state.moves == ()


def test_a_discard_seen_once_and_taken_at_once_is_remembered() -> None:
    lying = sight(0, "5p")
    taken = [sight(at_s, melds={2: "5p 5p 5p"}) for at_s in (1, 2)]
    follower, _ = watch(fresh(), lying, *taken)
    assert follower.state.moves[0] == FIRST
    assert isinstance(follower.state.moves[1], Claimed)


def test_somebody_is_asked_after_three_seconds_and_only_once() -> None:
    wrong = [sight(at_s, "5p", "", "1m") for at_s in (2.0, 3.0, 4.0, 5.0, 6.0)]
    _, steps = watch(follow(fresh(), (FIRST,)), *wrong)
    assert steps[:3] == [Waiting("out_of_turn")] * 3
    assert steps[3] == Asked("out_of_turn", (Spot(2, "pond", 0),))
    assert steps[4] == Waiting("out_of_turn")


def test_a_hand_over_the_table_is_never_asked_about() -> None:
    covered = replace(sight(0, "5p"), covered=frozenset({(0, "pond")}))
    _, steps = watch(fresh(), *(replace(covered, at_s=float(at_s)) for at_s in range(20)))
    assert set(steps) == {Waiting("covered")}


def test_a_word_of_a_person_before_the_move_counts_holds_until_the_tile_leaves() -> None:
    follower = say(fresh(), Spot(0, "pond", 0), "8s")
    follower, _ = watch(follower, *(sight(at_s, "7s") for at_s in range(3)))
    assert follower.state.seats[0].pond[0].faces == ("8s",)
    assert follower.state.seats[0].pond[0].pinned
    follower, _ = watch(follower, *(sight(at_s, melds={2: "8s 8s 8s"}) for at_s in range(3, 6)))
    assert follower.state.seats[0].pond == ()
    assert follower.pins == {}


def test_a_word_of_a_person_never_reaches_another_tile_in_the_same_place() -> None:
    """The tile that was named is taken away while something else is still unexplained; another comes to lie there."""
    follower, _ = watch(follow(fresh(), (FIRST,)), *(sight(at_s, "5p", "", "1m") for at_s in range(1, 5)))
    follower = say(follower, Spot(2, "pond", 0), "2m")
    under_an_arm = replace(sight(5, "5p", "", "", "9s"), covered=frozenset({(2, "pond")}))
    follower, _ = watch(follower, under_an_arm)
    assert follower.pins == {Spot(2, "pond", 0): "2m"}
    follower, _ = watch(follower, *(sight(at_s, "5p", "", "", "9s") for at_s in (6, 7, 8)))
    assert (follower.trouble, follower.pins) == ("out_of_turn", {})
    follower, _ = watch(follower, *(sight(at_s, "5p", "3p", "7z", "9s") for at_s in (9, 10, 11)))
    assert [own.pond[-1].faces for own in follower.state.seats] == [("5p",), ("3p",), ("7z",), ("9s",)]


def test_a_doubt_is_shown_and_settled_by_a_person() -> None:
    follower, _ = watch(fresh(), *(sight(at_s, "7s/8s") for at_s in range(3)))
    assert doubts(follower) == ((Spot(0, "pond", 0), ("7s", "8s")),)
    assert doubts(say(follower, Spot(0, "pond", 0), "7s")) == ()


def win(seat: int, feeder: int, tile: str) -> HandLaid:
    return HandLaid(seat=seat, source="discard", from_seat=feeder, taken=(tile,), tiles=())


def test_the_fourth_tile_of_its_kind() -> None:
    three = [Discarded(seat=seat, faces=("7z",)) for seat in range(4)]
    gone = follow(fresh(), (*three, win(1, 3, "7z"))).state
    assert last_of_kind(gone, GB, "7z")
    two = follow(fresh(), (*three[:3], win(1, 2, "7z"))).state
    assert last_of_kind(two, GB, "7z") is False
    doubtful = [*three[:2], Discarded(seat=2, faces=("7z", "6z")), three[3]]
    assert last_of_kind(follow(fresh(), (*doubtful, win(1, 3, "7z"))).state, GB, "7z") is None


def test_who_fed_the_kong_and_the_discard_after_a_kong() -> None:
    kong = Claimed(seat=2, kind="kong_open", from_seat=0, taken=("5p",), tiles=(("5p",),) * 4)
    bloom = HandLaid(seat=2, source="kong_replacement", from_seat=None, taken=(), tiles=())
    assert circumstances(follow(fresh(), (FIRST, kong, bloom)).state, GB, 2).kong_feeder == 0
    after = follow(fresh(), (FIRST, kong, Discarded(seat=2, faces=("1m",)), win(3, 2, "1m"))).state
    facts = circumstances(after, GB, 3)
    assert (facts.after_kong, facts.claims_before, facts.discards_before, facts.win_tile) == (True, True, 0, "1m")


def test_before_the_hand_lies_open_a_win_out_of_turn_is_on_the_discard() -> None:
    state = follow(fresh(), (FIRST,)).state
    facts = circumstances(state, GB, 3)
    assert (facts.source, facts.from_seat, facts.win_tile) == ("discard", 0, "5p")
    assert circumstances(state, GB, 1).source is None
    robbed = follow(fresh(), (FIRST, Konged(seat=1, kind="kong_concealed", faces=()))).state
    assert circumstances(robbed, GB, 1).source == "kong_replacement"


def test_two_stories_stay_two_however_many_moves_follow() -> None:
    """More moves than can be explained anew: both stories go on, and the question tells them to their end."""
    follower = follow(fresh(), (FIRST, Discarded(seat=1, faces=("9m",)), Discarded(seat=2, faces=("2p",))))
    ponds = [["5p"], ["9m"], [], []]
    steps: list[Step] = []
    for at_s, tile in enumerate(f"{number}{suit}" for suit in "ms" for number in range(1, 10)):
        ponds[(3 + at_s) % 4].append(tile)
        melds = {3: "1p/2p 2p 2p/3p"}
        follower, step = look(follower, sight(at_s * 0.7, *map(" ".join, ponds), melds=melds))
        steps.append(step)
    asked = [step for step in steps if isinstance(step, Asked)]
    assert [step.why for step in asked] == ["two_ways"]
    assert {isinstance(step, Waiting) and step.why for step in steps[:15]} == {"two_ways"}
    assert {way[0].kind for way in asked[0].ways if isinstance(way[0], Claimed)} == {"chi", "peng"}
    assert {len(way) for way in asked[0].ways} == {17}


@pytest.mark.parametrize("looks", [".!", ".!.!.!.!"])
def test_sightings_without_a_tile_do_not_choose_between_two_stories_that_begin_alike(looks: str) -> None:
    """A discard taken unseen was the one before the 4m or the one after it; some looks do not find the newest 1z."""
    melds = {0: "7z 7z 7z"}
    lying, overlooked = (sight(0, "5p 2p", pond, "4m", melds=melds) for pond in ("6p 1z", "6p"))
    shown = [lying if look == "." else overlooked for look in looks + 14 * "."]
    shown = [replace(one, at_s=1.0 + at_s) for at_s, one in enumerate(shown)]
    follower, steps = watch(follow(fresh(), (FIRST,)), sight(0, "5p", "6p"), *shown)
    assert follower.state.moves == (FIRST, Discarded(seat=1, faces=("6p",)))
    asked = [step for step in steps if isinstance(step, Asked)]
    assert [step.why for step in asked] == ["two_ways"]
    assert [way[0].seen for way in asked[0].ways if isinstance(way[0], Discarded)] == [True, False]


def test_nor_does_a_sighting_without_a_meld_after_a_discard_that_one_look_showed() -> None:
    """The 6p was seen once and taken: both stories begin with it. The 9m that seat 2 took is seat 3's or seat 1's."""
    pung = {3: "6p 6p 6p"}
    overlooked = sight(2.0, "5p 4p", "", "", "2s", melds=pung)
    lying = [sight(at_s, "5p 4p", "", "3p", "2s", melds={**pung, 2: "9m 9m 9m"}) for at_s in (1.0, *range(3, 17))]
    follower, steps = watch(follow(fresh(), (FIRST,)), sight(0, "5p", "6p"), lying[0], overlooked, *lying[1:])
    assert follower.state.moves == (FIRST, Discarded(seat=1, faces=("6p",)))
    asked = [step for step in steps if isinstance(step, Asked)]
    assert [(step.why, len(step.ways)) for step in asked] == [("two_ways", 2)]


def test_a_tile_like_the_one_seen_once_may_be_another_in_its_place() -> None:
    """Seat 1's 1m was taken and another one discarded, or it lies there still and the second one was taken."""
    ponds = ("5p 8p", "1m", "2z", "3z")
    follower = follow(fresh(), (FIRST,))
    shown = [sight(at_s, *ponds, melds={2: "1m 1m 1m"}) for at_s in range(1, 15)]
    follower, steps = watch(follower, sight(0, "5p", "1m"), *shown)
    assert follower.state.moves == (FIRST,)
    assert [(step.why, len(step.ways)) for step in steps if isinstance(step, Asked)] == [("two_ways", 2)]


def test_a_flower_told_before_a_discard_that_was_not_found_leaves_the_hand_as_it_is() -> None:
    """Seat 2 laid it aside in its turn; seat 1's discard was found later, so it seems to be of the arranging."""
    first = SeatSighting(tiles("5p"))
    flower = SeatSighting(flowers=tiles("5f"))
    found = Sighting(1.0, (first, SeatSighting(tiles("7m")), flower, SeatSighting()))
    overlooked = replace(found, at_s=0.0, seats=(first, SeatSighting(), flower, SeatSighting()))
    follower, _ = watch(fresh(), overlooked, found, found)
    told, true = Flowered(seat=2, faces=("5f",)), Discarded(seat=1, faces=("7m",))
    assert follower.state.moves == (told, FIRST, true)
    assert circumstances(follower.state, GB, 2).source is None
    assert circumstances(follower.state, GB, 2, ("self_draw", None)).wall_left == GB.wall - 3
    played = Discarded(seat=2, faces=("1z",))
    after = follow(follower, (played,)).state
    assert replace(after, moves=()) == replace(follow(fresh(), (FIRST, true, told, played)).state, moves=())
