"""What following the hand gives to a claimed win, what people say of it, and what no public page may show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from table.audience import document, for_role, public
from table.events import HandOpened, MoveSeen, SeenAnswered, WinSeen
from table.hand_commands import AnswerSeen
from table.model import Actor, SeenWin
from table.view import Live, snapshot
from tests.seen_scene import Scene, glimpse, playing

WAITING = "123456789m23m44z"


# --- the claim ------------------------------------------------------------------------------------------------------


def test_a_claimed_win_is_filled_in_and_valued() -> None:
    scene = playing()
    scene.desk.must("claim_win", seat=1)
    scene.look()
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.from_seat, claim.facts.last_tile) == ("discard", 3, False)
    assert claim.seen is not None
    assert claim.seen.tile == "4m"
    assert claim.from_camera == ("source", "last_tile", "last_of_kind")
    scene.desk.must("hand_manual", hand=WAITING, win_tile="4m")
    claim = scene.document.claim
    assert claim is not None
    assert claim.verdict is not None
    assert claim.verdict.total == 24
    assert claim.verdict.payments[3] == min(claim.verdict.payments)
    assert scene.desk.state.totals == (0, 0, 0, 0)


def test_a_look_from_before_the_claim_tells_nothing() -> None:
    scene = playing()
    scene.ponds[0].append("5p")
    scene.desk.must("claim_win", seat=2)  # on a discard that the camera has not followed yet
    before = scene.now_s + 10
    scene.following.claimed(scene.desk.state, before)
    scene.look()
    assert scene.document.claim is not None
    assert scene.document.claim.source is None
    scene.now_s = before
    scene.look()
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.from_seat) == ("discard", 0)
    assert claim.seen is not None
    assert claim.seen.tile == "5p"


def test_the_first_look_after_the_claim_may_still_believe_what_lay_there_before() -> None:
    """The eyes believe a new tile from its second reading on; until then the discard before it would be paid for."""
    scene = playing()
    scene.desk.must("claim_win", seat=2)  # on a discard of seat 0 that is not believed yet
    scene.look(1)
    claim = scene.document.claim
    assert claim is not None
    assert claim.source is None
    scene.ponds[0].append("5p")
    scene.look(1)
    claim = scene.document.claim
    assert claim is not None
    assert claim.source is None
    scene.look()
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.from_seat) == ("discard", 0)


def test_a_laid_tile_that_might_be_a_back_is_a_face_in_doubt() -> None:
    assert glimpse("9p?x").faces == ("9p",)
    scene = playing()
    scene.desk.must("claim_win", seat=1)
    scene.hands[1] = "1m 2m 3m 4m 5m 6m 7m 8m 9m 2m 3m 4z 4z?x 4m"
    scene.ponds[3].pop()
    scene.look(3)
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.from_seat) == ("discard", 3)
    laid = [one for one in scene.desk.state.seen if isinstance(one, MoveSeen) and one.what == "hand"]
    assert [one.tiles[12] for one in laid] == ["4z"]


def test_what_is_not_explained_yet_makes_the_last_discard_doubtful() -> None:
    scene = playing()
    scene.ponds[1].append("5p")  # a discard out of turn: somebody took 4m in between, or this one drew unseen
    scene.desk.must("claim_win", seat=2)
    scene.look()
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.from_seat, claim.seen) == (None, None, None)


def test_a_persons_word_stays() -> None:
    scene = playing()
    scene.desk.must("claim_win", seat=1)
    scene.look()
    scene.desk.must("set_facts", source="self_draw", from_seat=None, last_tile=True)
    scene.look()
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.from_seat, claim.facts.last_tile) == ("self_draw", None, True)
    assert "source" not in claim.from_camera
    assert "last_tile" not in claim.from_camera
    scene.desk.must("see_win", seat=1, seen=SeenWin(source="discard", from_seat=3, last_tile=False))
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.facts.last_tile) == ("self_draw", True)


def test_saying_the_same_as_the_camera_confirms_it() -> None:
    scene = playing()
    scene.desk.must("claim_win", seat=1)
    scene.look()
    scene.desk.must("claim_win", seat=1, source="discard", from_seat=3)
    claim = scene.document.claim
    assert claim is not None
    assert "source" not in claim.from_camera
    assert scene.desk.refused("claim_win", seat=1, source="discard", from_seat=2) == "already_claimed"


def test_the_camera_may_tell_better_with_a_later_look() -> None:
    scene = playing()
    scene.desk.must("claim_win", seat=1)
    for seen, told in ((SeenWin(source="discard", from_seat=2), 2), (SeenWin(source="discard", from_seat=3), 3)):
        scene.desk.must("see_win", seat=1, seen=seen)
        claim = scene.document.claim
        assert claim is not None
        assert claim.from_seat == told
    scene.desk.must("see_win", seat=1, seen=SeenWin())
    claim = scene.document.claim
    assert claim is not None
    assert claim.source is None
    assert claim.waiting_for == "source"


def test_whoever_plays_next_may_have_drawn_so_it_is_asked() -> None:
    scene = playing()
    scene.desk.must("claim_win", seat=0)
    scene.look()
    claim = scene.document.claim
    assert claim is not None
    assert claim.source is None
    assert claim.waiting_for == "source"
    scene.desk.must("set_facts", source="discard", from_seat=3)
    scene.look()
    claim = scene.document.claim
    assert claim is not None
    assert claim.seen is not None
    assert claim.seen.tile == "4m"


def test_what_a_game_counts_of_the_first_go_round_is_told_and_nothing_else() -> None:
    for rules, more in (("popular", {"first_turn": True}), ("jiaxing", {"discards_before": 0}), ("gb", {})):
        scene = Scene(rules=rules)
        scene.discard((0, "4m"))
        drawn = {"source": "self_draw"} if rules == "jiaxing" else {}  # nobody wins on a discard there
        scene.desk.must("claim_win", seat=1 if drawn else 2, **drawn)
        scene.look()
        claim = scene.document.claim
        assert claim is not None
        assert dict(claim.facts.more) == more
        assert set(more) <= set(claim.from_camera)
        for name in more:
            scene.desk.must("set_facts", more={name: None if name == "discards_before" else False})
            scene.look()
            claim = scene.document.claim
            assert claim is not None
            assert name not in claim.from_camera


def test_the_fourth_tile_of_a_kind_is_counted_when_the_other_three_lie_open() -> None:
    scene = Scene()
    scene.discard((0, "4m"), (1, "4m"), (2, "4m"), (3, "1z"))
    scene.discard((0, "2z"), (1, "3z"), (2, "6z"), (3, "4m"))
    scene.desk.must("claim_win", seat=1)
    scene.look()
    claim = scene.document.claim
    assert claim is not None
    assert claim.facts.last_of_kind


def test_the_feeder_of_each_meld_reaches_the_hand() -> None:
    scene = playing()
    scene.ponds[3].pop()
    scene.melds[1].append("4m 4m 4m")
    scene.look()
    scene.discard((1, "5z"), (2, "8s"))
    scene.desk.must("claim_win", seat=1, source="discard", from_seat=2)
    scene.look()
    scene.desk.show(1, ["1m 2m 3m 5p 6p 7p 5s 6s 7s 8s", "4m 4m 4m", "8s"])
    claim = scene.document.claim
    assert claim is not None
    assert [(meld.kind, meld.from_seat) for meld in claim.melds] == [("peng", 3)]


# --- too early, cancelled -------------------------------------------------------------------------------------------


def test_a_hand_laid_open_by_another_is_noted_once_and_is_no_foul() -> None:
    scene = playing()
    scene.desk.must("claim_win", seat=1)
    scene.hands[2] = "1p 2p 3p 4p 5p 6p 7p 8p 9p 1s 1s 2s 2s"
    scene.look(3)
    noted = [entry.event for entry in scene.desk.entries if isinstance(entry.event, HandOpened)]
    assert [(event.seat, event.hand_no) for event in noted] == [(2, 1)]
    assert scene.desk.state.dead_seats() == frozenset()
    assert scene.desk.state.totals == (0, 0, 0, 0)
    whole = scene.document
    assert whole.table is not None
    assert [one.seat for one in whole.table.opened] == [2]
    for role in ("viewer", "tablet", "player"):
        shown = for_role(whole, role).table
        assert shown is not None
        assert shown.opened == ()


def test_play_goes_on_after_a_laid_hand_that_won_nothing() -> None:
    scene = playing()
    scene.desk.must("claim_win", seat=1)
    scene.hands[1] = "1p 2p 3p 4p 5p 6p 7p 8p 9p 1s 1s 2s 2s"
    scene.look()
    scene.desk.must("cancel_claim", seat=None)
    scene.hands[1] = ""
    scene.look()
    scene.discard((0, "8p"))
    table = scene.document.table
    assert table is not None
    assert table.ponds[0] == ("1z", "7z", "8p")
    assert table.turn == 1


# --- questions ------------------------------------------------------------------------------------------------------


def asked(scene: Scene) -> Any:
    """Look until the question comes; it."""
    scene.look(6)
    table = scene.document.table
    assert table is not None
    assert table.question is not None
    return table.question


def test_what_makes_no_sense_is_asked_and_play_and_claims_go_on() -> None:
    scene = playing()
    scene.ponds[2].append("5p")  # it is seat 0's turn
    question = asked(scene)
    assert question.text_key == "seen_out_of_turn"
    scene.desk.must("claim_win", seat=1, source="discard", from_seat=3)
    scene.desk.must("hand_manual", hand=WAITING, win_tile="4m")
    scene.desk.must("approve")
    assert scene.desk.state.totals[1] > 0


def test_it_is_as_it_lies_and_this_player_is_next() -> None:
    scene = playing()
    scene.ponds[2].append("5p")
    question = asked(scene)
    choice = next(one for one in question.choices if one.seat == 3)
    assert scene.answer(**{name: value for name, value in choice.command.items() if name != "kind"}) == ""
    table = scene.document.table
    assert table is not None
    assert table.question is None
    assert table.ponds[2] == ("1s", "9s", "5p")
    assert table.turn == 3
    scene.discard((3, "6p"))
    table = scene.document.table
    assert table is not None
    assert table.ponds[3][-1] == "6p"
    assert scene.answer(question=question.id, turn=3) == "seen_gone"


def test_a_fifth_copy_is_settled_by_a_persons_word_that_beats_the_camera() -> None:
    scene = Scene()
    scene.discard((0, "4m"), (1, "4m"), (2, "4m"), (3, "4m"))
    scene.ponds[0].append("4m")
    question = asked(scene)
    assert question.text_key == "seen_fifth"
    assert scene.answer(**{**question.pick, "tile": "3m"} | {"kind": "answer_seen"}) == ""
    scene.look()
    table = scene.document.table
    assert table is not None
    assert table.question is None
    assert table.ponds[0] == ("4m", "3m")
    answers = [entry.event for entry in scene.desk.entries if isinstance(entry.event, SeenAnswered)]
    assert [(one.answer, one.seat, one.index, one.tile) for one in answers] == [("tile", 0, 1, "3m")]


def test_a_tile_in_doubt_is_named_without_a_question() -> None:
    scene = Scene()
    scene.discard((0, "4p?5p"), (1, "1z"))
    table = scene.document.table
    assert table is not None
    assert table.ponds[0] == ("4p/5p",)
    assert scene.answer(seat=0, zone="pond", index=0, tile="5p") == ""
    scene.look()
    table = scene.document.table
    assert table is not None
    assert table.ponds[0] == ("5p",)


def test_a_hand_that_is_not_to_be_followed_is_left_alone_until_the_next() -> None:
    scene = playing()
    scene.ponds[2].append("5p")
    question = asked(scene)
    assert scene.answer(question=question.id, ignore=True) == ""
    assert scene.document.table is None
    assert scene.document.pace is None
    scene.desk.must("claim_win", seat=1)
    scene.look()
    claim = scene.document.claim
    assert claim is not None
    assert claim.source is None
    assert claim.seen is None


@pytest.mark.parametrize("fields", [{}, {"way": 0, "ignore": True}, {"tile": "1m"}, {"tile": "1m", "seat": 0}])
def test_an_answer_says_one_thing_and_where(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"give one answer|say where"):
        AnswerSeen(idem="a", actor=Actor(role="tablet"), question="q", **fields)


# --- restart --------------------------------------------------------------------------------------------------------


def test_after_a_restart_the_hand_is_taken_up_where_the_ledger_has_it() -> None:
    scene = playing()
    scene.ponds[3].pop()
    scene.melds[1].append("4m 4m 4m")
    scene.look()
    scene.discard((1, "5z"), (2, "4p?5p"))
    scene.answer(seat=2, zone="pond", index=2, tile="5p")
    before = scene.document.table
    scene.restart()
    scene.look()
    assert scene.document.table == before
    scene.discard((3, "8p"))
    table = scene.document.table
    assert table is not None
    assert table.ponds[3] == ("2z", "8p")


# --- what nobody may see --------------------------------------------------------------------------------------------


def keys_of(value: object) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for one in value.values() for key in keys_of(one)}
    if isinstance(value, list | tuple):
        return {key for one in value for key in keys_of(one)}
    return set()


def test_a_competition_shows_no_melds_discards_or_counts_to_the_public() -> None:
    scene = playing(mode="competition")
    scene.desk.must("claim_win", seat=1)
    scene.look()
    whole = scene.document
    assert whole.table is not None
    assert whole.claim is not None
    assert whole.claim.seen is not None
    for role in ("viewer", "tablet", "player", "organiser"):
        shown = document(for_role(whole, role))
        assert shown["table"] is None
        assert shown["claim"]["seen"] is None
        assert not keys_of(shown) & {"ponds", "melds_seen", "opened"}
    assert for_role(whole, "referee").table == whole.table
    assert public(replace(whole, claim=None)).table is None


def test_in_a_competition_nobody_is_told_that_it_is_the_fourth_of_its_kind() -> None:
    """和絕張 4: the winner has to find it himself; the referee sees that the camera counted the other three."""
    scene = Scene(mode="competition")
    scene.discard((0, "6s"), (1, "9p"), (2, "6s"), (3, "1p"), (0, "6s"), (1, "9s"), (2, "1s"), (3, "6s"))
    scene.desk.must("claim_win", seat=1)
    scene.look(3)
    claims = {role: for_role(scene.document, role).claim for role in ("viewer", "tablet", "player", "referee")}
    told = {role: (one.from_seat, one.facts.last_of_kind, one.from_camera) for role, one in claims.items() if one}
    assert told.pop("referee") == (3, True, ("source", "last_tile", "last_of_kind"))
    assert set(told.values()) == {(3, False, ("source",))}
    scene.desk.must("set_facts", last_of_kind=True)
    stated = for_role(scene.document, "tablet").claim
    assert stated is not None
    assert stated.facts.last_of_kind


def test_a_friendly_table_shows_them_and_nothing_when_following_is_off() -> None:
    whole = playing().document
    assert public(whole).table == whole.table
    assert snapshot(Scene().desk.state, Live(), None).table is None


@pytest.mark.parametrize(("rules", "turn_s"), [("gb", 15), ("jiaxing", 5)])
def test_the_time_of_a_turn_is_told_for_the_seat_that_plays(rules: str, turn_s: int) -> None:
    scene = Scene(rules=rules)
    scene.look()
    pace = scene.document.pace
    assert pace is not None
    assert (pace.turn, pace.limit_s) == (0, 30)
    scene.discard((0, "1z"))
    pace = scene.document.pace
    assert pace is not None
    assert (pace.turn, pace.limit_s) == (1, turn_s)
    scene.desk.must("claim_win", seat=2)
    assert scene.document.pace is None


def test_what_the_camera_tells_of_a_win_is_written_down() -> None:
    scene = playing()
    scene.desk.must("claim_win", seat=1)
    scene.look(3)
    told = [entry for entry in scene.desk.entries if isinstance(entry.event, WinSeen)]
    assert len(told) == 1


# --- what was seen and not entered ----------------------------------------------------------------------------------


def test_a_pung_that_may_bind_is_offered_until_somebody_enters_it() -> None:
    scene = playing(rules="jiaxing")
    scene.ponds[3].pop()
    scene.melds[1].append("4m 4m 4m")
    scene.look()
    table = scene.document.table
    assert table is not None
    (offer,) = table.noticed
    assert offer.command["kind"] == "take_discard"
    assert (offer.command["seat"], offer.command["from_seat"], offer.command["tiles"]) == (1, 3, "4m4m4m")
    assert not scene.desk.state.facts.get("contracts")
    scene.desk.must(**offer.command)
    table = scene.document.table
    assert table is not None
    assert table.noticed == ()


def test_a_kong_is_paid_only_when_a_person_enters_it() -> None:
    scene = Scene(rules="sichuan")
    scene.discard((0, "1p"), (1, "9p"), (2, "1s"), (3, "4m"))
    scene.ponds[3].pop()
    scene.melds[1].append("4m 4m 4m 4m")
    scene.look()
    assert scene.desk.state.totals == (0, 0, 0, 0)
    table = scene.document.table
    assert table is not None
    (offer,) = table.noticed
    scene.desk.must(**offer.command)
    assert scene.desk.state.totals[1] > 0
    table = scene.document.table
    assert table is not None
    assert table.noticed == ()


def test_the_third_dragon_makes_its_feeder_answer_once_a_person_says_so() -> None:
    scene = Scene(rules="guangdong")
    for dragon in ("5z", "6z", "7z"):
        scene.discard((0, dragon))
        scene.ponds[0].pop()
        scene.melds[1].append(" ".join([dragon] * 3))
        scene.look()
        scene.discard((1, f"{dragon[0]}p"), (2, f"{dragon[0]}s"), (3, f"{dragon[0]}m"))
    table = scene.document.table
    assert table is not None
    assert [dict(one.command) for one in table.noticed] == [
        {"kind": "liable", "feeder": 0, "beneficiary": 1, "makes": "大三元"}
    ]
    scene.desk.must(**table.noticed[0].command)
    table = scene.document.table
    assert table is not None
    assert table.noticed == ()


def test_who_feeds_the_twelfth_open_tile_answers_once_a_person_says_so() -> None:
    """廣東 十二張: who fed the fourth open meld, chow, pung or kong; nobody for the three before."""
    scene = Scene(rules="guangdong")
    scene.look()
    for between, (feeder, tile), meld, discarded in (
        ((), (0, "1z"), "1z 1z 1z", "5p"),
        (((2, "1m"), (3, "2m")), (0, "2p"), "1p 2p 3p", "6p"),
        ((), (2, "9s"), "9s 9s 9s 9s", "7p"),
        (((2, "3m"),), (3, "7m"), "7m 7m 7m", "8p"),
    ):
        assert scene.table.noticed == ()
        scene.discard(*between, (feeder, tile))
        scene.ponds[feeder].pop()
        scene.melds[1].append(meld)
        scene.look()
        scene.discard((1, discarded))
    (offer,) = scene.table.noticed
    assert dict(offer.command) == {"kind": "liable", "feeder": 3, "beneficiary": 1, "makes": "十二張"}
    scene.desk.must(**offer.command)
    assert scene.table.noticed == ()


@pytest.mark.parametrize("after", ["claim", "dead hand", "play goes on"])
def test_a_hand_laid_down_offers_its_win_with_one_tap(after: str) -> None:
    """和 may be said by laying the hand down; a person's tap makes it a claim, and the camera fills in from whom."""
    scene = playing()
    scene.ponds[3].pop()
    scene.hands[1] = "1m 2m 3m 4m 5m 6m 7m 8m 9m 2m 3m 4m 4z 4z"
    scene.look()
    (offer,) = scene.table.noticed
    assert offer.command == {"kind": "claim_win", "seat": 1}
    assert scene.desk.state.claims == ()
    if after == "claim":
        scene.desk.must(**offer.command)
        scene.look(3)
        claim = scene.document.claim
        assert claim is not None
        assert (claim.seat, claim.source, claim.from_seat) == (1, "discard", 3)
    elif after == "dead hand":
        scene.desk.must("penalise", seat=1, code="dead_hand", role="referee")
    else:
        scene.ponds[3].append("4m")
        scene.hands[1] = ""
        scene.discard((0, "8p"))
    assert scene.table.noticed == ()


def test_a_game_without_such_money_offers_nothing() -> None:
    scene = playing()
    scene.ponds[3].pop()
    scene.melds[1].append("4m 4m 4m")
    scene.look()
    table = scene.document.table
    assert table is not None
    assert table.noticed == ()


@pytest.mark.parametrize(("left", "key"), [(3, "must_win"), (4, "")])
def test_a_win_among_the_last_four_is_given_up_only_with_a_second_word(left: int, key: str) -> None:
    scene = Scene(rules="sichuan")
    scene.desk.must("claim_win", seat=1, source="discard", from_seat=0)
    scene.desk.must("set_facts", more={"wall_left": left})
    scene.desk.must("hand_manual", hand="123456789m2355p", win_tile="4p")
    claim = scene.document.claim
    assert claim is not None
    assert claim.verdict is not None
    assert claim.verdict.valid
    if key:
        assert scene.desk.refused("cancel_claim", seat=None) == key
        scene.desk.must("cancel_claim", seat=None, waived=True)
    else:
        scene.desk.must("cancel_claim", seat=None)
    assert scene.desk.state.claims == ()


@pytest.mark.parametrize("win_tile", ["4p", "9p"])
def test_giving_up_a_win_among_the_last_four_does_not_tell_the_players_of_a_competition(win_tile: str) -> None:
    scene = Scene(rules="sichuan", mode="competition")
    scene.desk.must("claim_win", seat=1, source="discard", from_seat=0)
    scene.desk.must("set_facts", more={"wall_left": 3})
    scene.desk.must("hand_manual", hand="123456789m2355p", win_tile=win_tile)
    claim = scene.desk.state.claims[0]
    assert claim.verdict is not None
    assert claim.verdict.valid is (win_tile == "4p")
    assert scene.desk.refused("cancel_claim", seat=1, role="player") == "must_win"
    if claim.verdict.valid:
        assert scene.desk.refused("cancel_claim", seat=1, role="referee") == "must_win"
        scene.desk.must("cancel_claim", seat=1, role="player", waived=True)
    else:
        scene.desk.must("cancel_claim", seat=1, role="referee")


# --- a winning hand read in doubt -----------------------------------------------------------------------------------


def doubtful(mode: str = "friendly") -> Scene:
    """A hand that wins as it was read, and for other points with the other face of its last tile."""
    scene = Scene(mode=mode)
    scene.desk.must("claim_win", seat=1, source="discard", from_seat=3)
    scene.desk.show(1, ["123456789m23m44z", "4m"], doubts={13: "check"}, also={13: ("1m", "9s")})
    return scene


def test_a_tile_in_doubt_that_changes_the_points_is_asked_though_the_hand_wins() -> None:
    scene = doubtful()
    claim = scene.document.claim
    assert claim is not None
    (question,) = claim.questions
    assert claim.verdict is None
    assert [(one.tile, one.total) for one in question.choices] == [("4m", 24), ("1m", 25)]
    assert scene.desk.refused("approve") == "not_judged"
    scene.desk.must(**question.choices[0].command)
    claim = scene.document.claim
    assert claim is not None
    assert claim.verdict is not None
    assert (claim.questions, claim.verdict.total) == ((), 24)


def test_in_a_competition_only_the_referee_sees_the_values_and_after_the_announcement() -> None:
    scene = doubtful("competition")

    def totals(role: str) -> list[int | None]:
        claim = for_role(scene.document, role).claim
        assert claim is not None
        return [choice.total for choice in claim.questions[0].choices]

    assert totals("tablet") == totals("referee") == [None, None, None]
    scene.desk.must("announce", points=24)
    assert totals("tablet") == [None, None, None]
    assert totals("referee") == [24, 25, 0]  # with a 9s it is no win


def test_a_tile_in_doubt_that_changes_nothing_is_not_asked() -> None:
    scene = Scene()
    scene.desk.must("claim_win", seat=1, source="discard", from_seat=3)
    scene.desk.show(1, ["123456789m23m44z", "4m"], doubts={0: "check"}, also={0: ("1s",)})
    claim = scene.document.claim
    assert claim is not None
    assert claim.questions == ()
    assert claim.verdict is not None


# --- what is forgotten when a person says how the table lies ----------------------------------------------------------


def lying_as_now(rules: str, discards: tuple[tuple[int, str], ...], turn: int) -> Scene:
    """Some discards, one that makes no sense, and a person's word that it is right as it lies."""
    scene = Scene(rules=rules)
    if discards:
        scene.discard(*discards)
    out_of_turn = (turn - 1) % 4
    scene.ponds[out_of_turn].append("9p")
    question = asked(scene)
    assert scene.answer(question=question.id, turn=turn) == ""
    return scene


def unsure(scene: Scene, seat: int, **said: Any) -> tuple[str, ...]:
    scene.desk.must("claim_win", seat=seat, **said)
    scene.look()
    claim = scene.document.claim
    assert claim is not None
    assert claim.seen is not None
    return claim.seen.unsure


def test_who_has_no_discard_before_him_may_be_in_his_first_go_round() -> None:
    scene = lying_as_now("sichuan", ((0, "1m"),), turn=3)
    assert unsure(scene, 3, source="self_draw") == ("claims_before", "first_turn")


def test_who_has_discards_before_him_has_had_his_first_turn() -> None:
    scene = lying_as_now("sichuan", ((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m")), turn=3)
    assert unsure(scene, 3, source="self_draw") == ()


def test_a_discard_that_lay_there_already_may_have_come_after_a_kong() -> None:
    scene = lying_as_now("sichuan", ((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m")), turn=3)
    assert unsure(scene, 0, source="discard", from_seat=2) == ("after_kong",)


def test_what_was_followed_since_is_known() -> None:
    scene = lying_as_now("sichuan", ((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m")), turn=3)
    scene.discard((3, "5m"), (0, "6m"))
    assert unsure(scene, 2, source="discard", from_seat=0) == ()


def test_a_hand_followed_from_its_beginning_leaves_nothing_unsure() -> None:
    scene = Scene(rules="sichuan")
    scene.discard((0, "1m"))
    assert unsure(scene, 2) == ()
    claim = scene.document.claim
    assert claim is not None
    assert dict(claim.facts.more) == {"first_turn": True}


def test_the_last_tile_and_the_fourth_of_a_kind_are_known_from_what_lies() -> None:
    scene = lying_as_now("gb", ((0, "9p"), (1, "9p"), (2, "3m"), (3, "4m")), turn=3)
    scene.discard((3, "5m"), (0, "9p"))
    assert unsure(scene, 2) == ()
    claim = scene.document.claim
    assert claim is not None
    assert (claim.facts.last_of_kind, claim.facts.last_tile) == (True, False)


def test_the_fourth_of_a_kind_is_counted_for_a_drawn_tile_too_once_the_hand_is_known() -> None:
    scene = Scene()
    scene.discard((0, "4m"), (1, "4m"), (2, "4m"), (3, "1z"))
    scene.desk.must("claim_win", seat=0, source="self_draw")
    scene.look()
    scene.desk.must("hand_manual", hand="123456789p56m77z", win_tile="4m")
    scene.told_again()
    claim = scene.document.claim
    assert claim is not None
    assert claim.facts.last_of_kind


@pytest.mark.parametrize(
    ("third", "last", "asked"),
    [("4m", True, []), ("5s", False, []), ("4m?3m", False, ["ask_last_of_kind"])],
)
@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize("typed", [False, True])
def test_the_fourth_of_a_kind_is_counted_once_people_say_what_won(
    third: str, last: bool, asked: list[str], drawn: bool, typed: bool
) -> None:
    """Nobody could read the discard that won, or the tile was drawn; where another hides its face, it is asked."""
    scene = Scene()
    scene.discard((0, "4m"), (1, "4m"), (2, third), (3, "4m?5m" if not drawn else "1z"))
    winner = 0 if drawn else 1
    scene.desk.must("claim_win", seat=winner, source="self_draw" if drawn else None)
    scene.look()
    assert scene.desk.state.claim is not None
    assert scene.desk.state.claim.source == ("self_draw" if drawn else "discard")
    if typed:
        scene.desk.must("hand_manual", hand="123456789p56m77z", win_tile="4m")
    else:
        scene.desk.show(winner, ("123456789p56m77z", "4m"))
    for _ in range(3):  # and it stays so
        scene.told_again()
        claim = scene.document.claim
        assert claim is not None
        assert (claim.facts.last_of_kind, [one.text_key for one in claim.questions]) == (last, asked)


def test_a_hand_that_was_read_before_the_camera_told_of_the_win_is_counted_with_the_same_look() -> None:
    scene = Scene()
    scene.discard((0, "4m"), (1, "4m"), (2, "4m"), (3, "1z"))
    scene.desk.must("claim_win", seat=0)
    scene.desk.show(0, ("123456789p56m77z", "4m"))
    scene.hands[0] = "1p 2p 3p 4p 5p 6p 7p 8p 9p 5m 6m 7z 7z 4m"
    while scene.document.claim is not None and scene.document.claim.source is None:
        scene.look(1)
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.facts.last_of_kind) == ("self_draw", True)
    assert claim.verdict is not None
    assert claim.verdict.total == 26
