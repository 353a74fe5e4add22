"""Rare situations at the running table: what following tells of a win, what it offers, and what it leaves to people."""

from __future__ import annotations

import pytest

from tests.seen_scene import Scene


def claim_of(scene: Scene, seat: int, **said: object) -> tuple[object, object, dict[str, object]]:
    """The claim of a seat after three looks: source, feeder, further circumstances."""
    scene.desk.must("claim_win", seat=seat, **said)
    scene.look(3)
    claim = next(one for one in scene.desk.state.claims if one.seat == seat)
    return claim.source, claim.from_seat, dict(claim.facts.more)


# --- several winners -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["guangdong", "changsha", "sichuan"])
def test_all_who_win_on_one_discard_are_told_the_same_feeder(rules: str) -> None:
    """Seat 1 plays next and might have drawn: of him it is asked."""
    scene = Scene(rules=rules)
    scene.discard((0, "1p"), (1, "9p"), (2, "2s"), (3, "8s"), (0, "5p"))
    for seat in (1, 2, 3):
        scene.desk.must("claim_win", seat=seat)
    scene.look(3)
    assert [(one.seat, one.source, one.from_seat) for one in scene.desk.state.claims] == [
        (1, None, None), (2, "discard", 0), (3, "discard", 0),
    ]  # fmt: skip


def test_the_second_hand_is_laid_open_after_the_first() -> None:
    scene = Scene(rules="guangdong")
    scene.discard((0, "1p"), (1, "9p"), (2, "2s"), (3, "8s"), (0, "5p"))
    scene.desk.must("claim_win", seat=2)
    scene.desk.must("claim_win", seat=3)
    scene.hands[2] = "1m 2m 3m 4m 5m 6m 7m 8m 9m 4p 6p 1z 1z"
    scene.look(3)
    scene.hands[3] = "1m 2m 3m 4m 5m 6m 7m 8m 9m 4p 6p 2z 2z"
    scene.look(3)
    assert [(one.source, one.from_seat) for one in scene.desk.state.claims] == [("discard", 0)] * 2


@pytest.mark.parametrize("pressed", [(1, 2), (2, 1)])
def test_who_plays_next_is_asked_before_a_farther_win_on_the_discard_is_paid(pressed: tuple[int, int]) -> None:
    """One alone wins: seat 1, if it was on the discard; the camera cannot tell whether he has drawn."""
    scene = Scene()
    scene.discard((0, "1p"), (1, "9p"), (2, "2s"), (3, "8s"), (0, "4m"))
    for seat in pressed:
        scene.desk.must("claim_win", seat=seat)
    scene.hands[2] = "1m 2m 3m 4m 5m 6m 7m 8m 9m 2m 3m 4z 4z"
    scene.look(3)
    assert [(one.seat, one.source) for one in scene.desk.state.claims] == [(1, None), (2, "discard")]
    scene.desk.must("hand_manual", hand="123456789m23m44z", win_tile="4m")
    assert scene.desk.refused("approve") == "not_judged"
    scene.desk.must("set_facts", source="discard", from_seat=0)
    scene.desk.must("approve")
    assert scene.desk.state.totals[1] > 0


# --- two players -----------------------------------------------------------------------------------------------------


def test_two_players_sit_where_the_game_says() -> None:
    scene = Scene(rules="two_player")
    game = scene.desk.state.game
    assert game is not None
    first, second = game.places
    scene.discard((first, "1m"), (second, "9m"), (first, "5m"))
    scene.ponds[first].pop()
    scene.melds[second].append("4m 5m 6m")
    scene.look()
    assert [(meld.kind, meld.from_seat) for meld in scene.table.melds[second]] == [("chi", first)]
    scene.discard((second, "2z"), (first, "3z"))
    source, feeder, _ = claim_of(scene, second)
    assert (source, feeder) == (None, None)  # he plays next: drawn or taken is asked


# --- the first go-round ----------------------------------------------------------------------------------------------


def test_changsha_starting_wins_are_shown_and_taken_up_again() -> None:
    """Two players show their dealt hands before the first discard; nothing is asked and nothing is won."""
    scene = Scene(rules="changsha", bird_count=0)
    scene.look()
    scene.hands[1] = "1m 1m 1m 1m 3m 3m 3m 4p 6p 7p 9s 9s 9s"
    scene.look(6)
    scene.hands[2] = "1p 1p 1p 1p 3p 3p 3p 4m 6m 7m 9m 9m 9m"
    scene.look(6)
    assert scene.table.question is None
    scene.hands[1] = scene.hands[2] = ""
    scene.discard((0, "1s"), (1, "4p"))
    assert (scene.table.turn, scene.table.question) == (2, None)


def test_changsha_the_dealer_shows_his_fourteen_and_plays_on() -> None:
    scene = Scene(rules="changsha", bird_count=0)
    scene.look()
    scene.hands[0] = "1m 1m 1m 1m 3m 3m 3m 4p 6p 7p 9s 9s 9s 8s"
    scene.look(4)
    scene.hands[0] = ""
    scene.look(2)
    scene.discard((0, "8s"), (1, "4p"))
    assert (scene.table.ponds[0], scene.table.turn, scene.table.question) == (("8s",), 2, None)
    live = scene.table
    scene.restart()
    scene.look()
    assert scene.table == live


@pytest.mark.parametrize(("rules", "first"), [("guangdong", True), ("sichuan", True), ("popular", True), ("gb", None)])
def test_a_draw_in_the_first_go_round_is_told_where_it_counts(rules: str, *, first: bool | None) -> None:
    scene = Scene(rules=rules)
    scene.discard((0, "5p"))
    _, _, more = claim_of(scene, 1, source="self_draw")
    assert more.get("first_turn") is first


def test_after_a_claim_the_first_go_round_is_broken() -> None:
    """廣東 地胡: the first draw, with nobody having claimed before."""
    scene = Scene(rules="guangdong")
    scene.discard((0, "5p"))
    scene.ponds[0].pop()
    scene.melds[2].append("5p 5p 5p")
    scene.look()
    scene.discard((2, "1s"))
    _, _, more = claim_of(scene, 3, source="self_draw")
    assert (more.get("first_turn"), more.get("claims_before")) == (True, True)


# --- what pays in between --------------------------------------------------------------------------------------------


def test_jiaxing_all_three_kinds_of_taken_discards_count_for_a_contract() -> None:
    """A kong of a discard binds like a chow or a pung; an added or a concealed one does not."""
    scene = Scene(rules="jiaxing")
    scene.desk.must("turn_tile", tile="9p")
    taken = (("1s", "1s 1s 1s 1s"), ("5p", "4p 5p 6p"), ("2s", "2s 2s 2s"))
    for number, (tile, meld) in enumerate(taken, start=1):
        scene.discard((0, tile))
        scene.ponds[0].pop()
        scene.melds[1].append(meld)
        scene.look()
        scene.discard((1, f"{number}m"), (2, f"{number}m"), (3, f"{number}m"))
    scene.discard((0, "9m"))
    scene.melds[1].append("x 8s 8s x")
    scene.look()
    offers = [dict(one.command) for one in scene.table.noticed]
    assert sorted(one["meld_kind"] for one in offers) == ["chi", "kong_open", "peng"]
    for offer in offers:
        scene.desk.must(**offer)
    assert scene.table.noticed == ()
    assert scene.desk.state.facts["contracts"]


def test_wuhan_red_dragons_and_wildcards_that_are_put_down_are_offered_as_kongs() -> None:
    scene = Scene(rules="wuhan")
    scene.desk.must("turn_tile", tile="4m")
    scene.ponds[0].append("7z")
    scene.look()
    scene.ponds[0].append("5m")
    scene.look()
    scene.discard((0, "1p"), (1, "9p"))
    assert (scene.table.turn, scene.table.question) == (2, None)
    offers = [dict(one.command) for one in scene.table.noticed]
    assert [(one["seat"], one["meld_kind"]) for one in offers] == [(0, "hongzhong"), (0, "laizi")]
    for offer in offers:
        scene.desk.must(**offer)
    assert scene.table.noticed == ()
    assert scene.desk.state.facts["players"]["0"] == {"hz_kongs": 1, "lz_kongs": 1}


def test_a_chain_of_kongs_is_fed_by_nobody_once_a_concealed_one_came_last() -> None:
    """廣東: the feeder of a claimed kong pays for its replacement, not for that of a kong after it."""
    scene = Scene(rules="guangdong")
    scene.discard((0, "5p"))
    scene.ponds[0].pop()
    scene.melds[2].append("5p 5p 5p 5p")
    scene.look()
    source, _, more = claim_of(scene, 2)
    assert (source, more.get("kong_feeder")) == ("kong_replacement", 0)
    scene.desk.must("cancel_claim", seat=None)
    scene.melds[2].append("x 8s 8s x")
    scene.look()
    source, _, more = claim_of(scene, 2)
    assert (source, more.get("kong_feeder")) == ("kong_replacement", None)


# --- what people say and what was seen do not agree ------------------------------------------------------------------


def test_a_win_that_cannot_have_been_by_what_was_seen_is_told_nothing_of() -> None:
    """It is seat 1's turn; seat 3 says that he has drawn: two discards were not seen, and what else, nobody knows."""
    scene = Scene(rules="guangdong")
    scene.discard((0, "5p"))
    scene.desk.must("claim_win", seat=3, source="self_draw")
    scene.look(3)
    claim = scene.document.claim
    assert claim is not None
    assert claim.seen is not None
    assert (claim.seen.source, claim.seen.last_tile, dict(claim.facts.more)) == (None, None, {})
    assert claim.seen.unsure == ("claims_before", "first_turn")
    assert claim.source == "self_draw"


def test_a_discard_that_was_passed_is_no_winning_tile() -> None:
    scene = Scene()
    scene.discard((0, "5p"), (1, "9p"))
    scene.desk.must("claim_win", seat=3, source="discard", from_seat=0)
    scene.look(3)
    claim = scene.document.claim
    assert claim is not None
    assert claim.seen is not None
    assert (claim.seen.tile, claim.seen.unsure, claim.seen.picture) == ("", ("last_of_kind",), None)


# --- the fourth of a kind -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("last", ["4m", "1z"])
def test_the_fourth_is_drawn_while_the_third_lies_there_as_the_newest_discard(last: str) -> None:
    scene = Scene()
    third = "1z" if last == "4m" else "4m"
    scene.discard((0, "4m"), (1, "4m"), (2, third), (3, last))
    scene.desk.must("claim_win", seat=0, source="self_draw")
    scene.look()
    scene.desk.must("hand_manual", hand="123456789p56m77z", win_tile="4m")
    scene.look()
    claim = scene.document.claim
    assert claim is not None
    assert claim.facts.last_of_kind


def test_a_discard_is_the_fourth_only_with_three_others() -> None:
    scene = Scene()
    scene.discard((0, "4m"), (1, "4m"), (2, "1z"), (3, "4m"))
    scene.desk.must("claim_win", seat=1)
    scene.look(3)
    claim = scene.document.claim
    assert claim is not None
    assert not claim.facts.last_of_kind


# --- a winner whose hand nobody saw -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "feeder", "taken"), [("discard", 2, True), ("discard", 2, False), ("self_draw", None, False)]
)
def test_in_a_battle_a_winner_whose_hand_is_never_laid_open_is_out(
    source: str, feeder: int | None, *, taken: bool
) -> None:
    """His hand was photographed or entered by hand. A pung of what seat 0 discards is fed by seat 0, not by him."""
    scene = Scene(rules="sichuan")
    scene.discard((0, "1p"), (1, "9p"), (2, "5p"))
    scene.desk.must("claim_win", seat=3, source=source, from_seat=feeder)
    scene.look(3)
    scene.desk.must("hand_manual", hand="123456123m99p46p", win_tile="5p")
    for question in scene.document.claim.questions:  # type: ignore[union-attr]
        scene.desk.must(**question.choices[-1].command)
    scene.desk.must("approve")
    if taken:
        scene.ponds[2].pop()
    scene.look()
    assert scene.table.turn == 0
    scene.melds[2].append("8p 8p 8p")  # taken before any look
    scene.look()
    assert [(meld.kind, meld.from_seat) for meld in scene.table.melds[2]] == [("peng", 0)]
    scene.discard((2, "2p"), (0, "3m"), (1, "3p"))
    assert (scene.table.turn, scene.table.question) == (2, None)
    live = scene.table
    scene.restart()
    scene.look()
    assert scene.table == live


def test_who_waits_for_his_points_keeps_what_was_told_once_the_first_has_got_his() -> None:
    """血戰: seats 3 and 0 win on one discard; after seat 3, whose hand lies open, seat 0 would be next to draw."""
    scene = Scene(rules="sichuan")
    scene.discard((0, "1s"), (1, "5p"))
    scene.desk.must("claim_win", seat=3)
    scene.desk.must("claim_win", seat=0)
    scene.look(3)
    assert [(one.source, one.from_seat) for one in scene.desk.state.claims] == [("discard", 1)] * 2
    scene.hands[3] = "1m 2m 3m 4m 5m 6m 1m 2m 3m 9p 9p 4p 6p"
    scene.look(3)
    scene.desk.must("hand_manual", hand="123456123m99p46p", win_tile="5p")
    for question in scene.document.claim.questions:  # type: ignore[union-attr]
        scene.desk.must(**question.choices[-1].command)
    scene.desk.must("approve")
    scene.look(3)
    assert {one.seat: one.approved for one in scene.desk.state.claims} == {3: True, 0: False}
    assert [(one.source, one.from_seat) for one in scene.desk.state.claims] == [("discard", 1)] * 2
    scene.desk.must("cancel_claim", seat=0)
    scene.look(3)
    scene.desk.must("claim_win", seat=0)  # he has drawn since, or not
    scene.look(3)
    assert [(one.source, one.from_seat) for one in scene.desk.state.claims] == [(None, None)]


@pytest.mark.parametrize("tile", ["7z", "5m"])
def test_wuhan_a_kong_of_one_tile_may_lie_beside_the_melds(tile: str) -> None:
    """It takes a replacement from the wall like one in the pond, and a win on that is 槓上花."""
    scene = Scene(rules="wuhan")
    scene.desk.must("turn_tile", tile="4m")
    scene.discard((0, "1p"), (1, "9p"))
    wall = scene.table.wall
    assert wall is not None
    scene.hands[2] = tile
    scene.look(3)
    assert scene.table.question is None
    assert scene.table.wall is not None
    assert scene.table.wall.left == wall.left - 2
    (offer,) = scene.table.noticed
    assert (offer.command["seat"], offer.command["meld_kind"]) == (2, "hongzhong" if tile == "7z" else "laizi")
    live = scene.table
    scene.restart()
    scene.look()
    assert (scene.table.wall, scene.table.flowers) == (live.wall, live.flowers)
    source, _, _ = claim_of(scene, 2)
    assert source == "kong_replacement"
    scene.hands[2] = f"{tile} 1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p 3p 4p 4p"
    scene.look(3)
    assert [one.source for one in scene.desk.state.claims] == ["kong_replacement"]
    scene.desk.must("cancel_claim", seat=None)
    scene.hands[2] = tile
    scene.look(3)
    scene.discard((2, "2s"), (3, "3s"))
    assert (scene.table.turn, scene.table.question) == (0, None)


def test_wuhan_a_tile_that_fell_over_is_no_kong() -> None:
    scene = Scene(rules="wuhan")
    scene.desk.must("turn_tile", tile="4m")
    scene.discard((0, "1p"), (1, "9p"))
    wall = scene.table.wall
    scene.hands[2] = "7z 3p"
    scene.look(3)
    assert (scene.table.wall, scene.table.noticed, scene.table.question) == (wall, (), None)
