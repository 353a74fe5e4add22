"""What makes no sense on the table becomes a question with its picture; every answer to it lets the game go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from table.audience import for_role
from table.events import MoveSeen, SeenAnswered
from table.fold import fold
from table.rulebook import open_rulebook
from table.snapshot import Question, SeenWall
from table.view import Live, snapshot
from tests.seen_scene import Scene, playing
from tests.table_kit import STRAIGHT

Told = tuple[str, int | None, tuple[str, ...]]


@dataclass(frozen=True)
class Case:
    """Something that cannot be: how the table came to lie so, how it is put right, and what is asked about it.

    `shows` are the places that the picture of the question must show: (seat, pond or melds, number).
    """

    key: str
    wrong: Callable[[Scene], object]
    right: Callable[[Scene], object]
    shows: tuple[tuple[int, str, int], ...]


def _gone(scene: Scene) -> None:
    assert scene.ponds[1].pop(0) == "9p"


def _from_the_wrong_side(scene: Scene) -> None:
    assert scene.ponds[3].pop() == "4m"
    scene.melds[1].append("3m 4m 5m")


def _taken_back(scene: Scene) -> None:
    scene.melds[1].pop()
    scene.ponds[3].append("4m")


def _too_late(scene: Scene) -> None:
    assert scene.ponds[1].pop() == "6z"
    scene.melds[3].append("6z 6z 6z")


def _given_back(scene: Scene) -> None:
    scene.melds[3].pop()
    scene.ponds[1].append("6z")


def _fifth(scene: Scene) -> None:
    for seat, tile in ((0, "4m"), (1, "4m"), (2, "4m"), (3, "1p")):
        scene.discard((seat, tile))
    scene.ponds[0].append("4m")


CASES = {
    "a tile is gone": Case("seen_vanished", _gone, lambda scene: scene.ponds[1].insert(0, "9p"), ((1, "pond", 0),)),
    "a fifth copy": Case("seen_fifth", _fifth, lambda scene: scene.ponds[0].pop(), ((0, "pond", 3),)),
    "a chow from the wrong side": Case(
        "seen_wrong_side", _from_the_wrong_side, _taken_back, ((1, "melds", 0), (1, "melds", 2))
    ),
    "a pung of a discard that was past": Case(
        "seen_out_of_turn", _too_late, _given_back, ((3, "melds", 0), (3, "melds", 2))
    ),
    "a kong out of turn": Case(
        "seen_out_of_turn",
        lambda scene: scene.melds[2].append("x 5p 5p x"),
        lambda scene: scene.melds[2].pop(),
        ((2, "melds", 1),),
    ),
    "a discard out of turn": Case(
        "seen_out_of_turn",
        lambda scene: scene.ponds[2].append("5p"),
        lambda scene: scene.ponds[2].pop(),
        ((2, "pond", 2),),
    ),
}
each_case = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))


def told(scene: Scene) -> list[Told]:
    """The moves that were written down."""
    seen = [entry.event for entry in scene.desk.entries if isinstance(entry.event, MoveSeen)]
    return [(one.what, one.seat, one.tiles) for one in seen]


def asked(case: Case) -> tuple[Scene, Question, list[Told]]:
    """The table until the question, and what was written down until then: all that made sense."""
    scene = playing()
    case.wrong(scene)
    question = scene.asked()
    assert question.text_key == case.key
    assert scene.shows(question.picture, *case.shows)
    lying = sum(map(len, scene.ponds)) + sum(len(meld.split()) for melds in scene.melds for meld in melds)
    assert scene.kept[question.picture or ""].shape[1] < 20 * lying  # cut out, not the whole table
    before = told(scene)
    scene.look(8)
    assert told(scene) == before
    assert scene.table.question == question
    return scene, question, before


def settled(scene: Scene) -> None:
    """Nobody has won or lost anything, and the ledger tells the same again."""
    assert scene.desk.state.totals == (0, 0, 0, 0)
    assert fold(scene.desk.entries) == scene.desk.state


def fields(command: Any) -> dict[str, Any]:
    return {name: value for name, value in command.items() if name != "kind"}


@each_case
@pytest.mark.parametrize("seat", range(4))
def test_as_it_lies_and_any_player_may_be_next(case: Case, seat: int) -> None:
    scene, question, before = asked(case)
    answer = next(choice.command for choice in question.choices if choice.seat == seat)
    assert scene.answer(**fields(answer)) == ""
    event = scene.desk.entries[-1].event
    assert isinstance(event, SeenAnswered)
    assert event.picture == question.picture  # the decision names what was looked at
    assert scene.answer(**fields(answer)) == "seen_gone"
    table = scene.table
    assert [list(pond) for pond in table.ponds] == scene.ponds
    assert [[list(meld.tiles) for meld in melds] for melds in table.melds] == [
        [meld.replace("x", "5p").split() for meld in melds] for melds in scene.melds
    ]
    assert (table.turn, table.question, told(scene)) == (seat, None, before)
    scene.look(4)
    assert told(scene) == before
    scene.discard((seat, "8p"), ((seat + 1) % 4, "9s"))
    assert told(scene) == [*before, ("discard", seat, ("8p",)), ("discard", (seat + 1) % 4, ("9s",))]
    now = scene.table
    scene.restart()
    scene.look()
    assert scene.table == now
    settled(scene)


@each_case
def test_what_is_put_right_on_the_table_needs_no_answer(case: Case) -> None:
    scene, question, before = asked(case)
    case.right(scene)
    scene.look()
    assert scene.table.question is None
    assert scene.answer(**fields(question.choices[-1].command)) == "seen_gone"
    assert told(scene) == before
    turn = scene.table.turn
    assert turn is not None
    scene.discard((turn, "8p"))
    assert told(scene) == [*before, ("discard", turn, ("8p",))]
    settled(scene)


@each_case
def test_a_hand_that_is_let_go_is_left_alone_and_the_next_one_is_followed(case: Case) -> None:
    scene, question, before = asked(case)
    assert scene.answer(**fields(question.choices[-1].command)) == ""
    assert scene.document.table is None
    scene.discard((0, "8p"), (1, "9s"))
    scene.restart()
    scene.look()
    assert scene.document.table is None
    assert told(scene) == before
    settled(scene)
    scene.desk.must("draw_hand")
    scene.desk.must("start_hand")
    scene.clear()
    scene.look()
    dealer = scene.desk.state.setup.dealer  # type: ignore[union-attr]
    assert (scene.table.turn, scene.table.question, scene.table.ponds) == (dealer, None, ((), (), (), ()))
    scene.discard((dealer, "8p"))
    assert told(scene) == [*before, ("discard", dealer, ("8p",))]


@each_case
def test_a_win_waits_for_no_answer(case: Case) -> None:
    scene, question, before = asked(case)
    scene.desk.must("claim_win", seat=1, source="discard", from_seat=3)
    scene.look(3)
    claim = scene.document.claim
    assert claim is not None
    assert claim.seen is None
    assert claim.from_camera == ()
    assert scene.table.question == question
    scene.desk.must("hand_manual", **STRAIGHT)
    scene.desk.must("approve")
    assert scene.desk.state.totals[1] > 0
    assert sum(scene.desk.state.totals) == 0
    assert told(scene) == before


@pytest.mark.parametrize("tile", ["3m", "7z", "4m"])
def test_the_fifth_copy_is_what_a_person_says_it_is(tile: str) -> None:
    """Also a fifth copy: then one of the others was misread, and nobody asks again."""
    scene, question, before = asked(CASES["a fifth copy"])
    assert question.pick is not None
    assert scene.answer(**fields({**question.pick, "tile": tile})) == ""
    scene.look(6)
    assert told(scene) == [*before, ("discard", 0, (tile,))]
    assert (scene.table.question, scene.table.turn) == (None, 1)
    scene.discard((1, "8p"))
    assert told(scene)[-1] == ("discard", 1, ("8p",))
    settled(scene)


def test_a_chow_from_the_wrong_side_may_be_a_pung_that_was_misread() -> None:
    """The first word leaves a group that is none, which is asked in turn; the second makes it a pung of the discard."""
    scene, question, before = asked(CASES["a chow from the wrong side"])
    assert question.pick is not None
    assert scene.answer(**fields({**question.pick, "tile": "4m"})) == ""
    again = scene.asked()
    assert (again.text_key, again.id != question.id) == ("seen_no_meld", True)
    assert again.pick is not None
    rest = {0, 1, 2} - {question.pick["index"]}
    assert again.pick["index"] in rest
    assert told(scene) == before
    word = {**again.pick, "tile": "4m"}
    for index in rest:  # of two tiles read as surely nobody knows which is wrong: a person names both
        assert scene.answer(**fields({**word, "index": index})) == ""
        word = {name: value for name, value in word.items() if name != "question"}
    scene.look(6)
    assert told(scene) == [*before, ("peng", 1, ("4m", "4m", "4m"))]
    assert scene.table.turn == 1
    settled(scene)


@pytest.mark.parametrize(("kind", "tiles"), [("peng", ("4m", "4m", "4m")), ("chi", ("3m", "4m", "5m"))])
def test_of_two_stories_the_one_that_is_chosen_is_written_down_and_goes_on(kind: str, tiles: tuple[str, ...]) -> None:
    scene = playing()
    scene.ponds[3].pop()
    scene.melds[0].append("3m?4m 4m 4m?5m")
    scene.look(3)
    scene.ponds[0].append("8p")
    scene.look(12)
    question = scene.table.question
    assert question is not None
    assert question.text_key == "seen_two_ways"
    assert scene.shows(question.picture, (0, "melds", 0), (0, "melds", 2))
    before = told(scene)
    way = next(choice for choice in question.choices if choice.moves and choice.moves[0].what == kind)
    assert scene.answer(**fields(way.command)) == ""
    scene.look(3)
    assert told(scene) == [*before, (kind, 0, tiles), ("discard", 0, ("8p",))]
    assert (scene.table.question, scene.table.turn) == (None, 1)
    scene.desk.must("claim_win", seat=2)
    scene.look(3)
    claim = scene.document.claim
    assert claim is not None
    assert claim.seen is not None
    assert (claim.source, claim.from_seat, claim.seen.tile) == ("discard", 0, "8p")
    assert scene.shows(claim.seen.picture, (0, "pond", 2))


def test_a_word_about_a_new_meld_never_reaches_the_ones_that_lie_there() -> None:
    """The newest meld is seen first in its row; what a person says of it must not be taken for the oldest."""
    scene = playing()
    scene.ponds[3].pop()
    scene.melds[1].append("4m 4m 4m")
    scene.discard((1, "1p"), (2, "2p"))
    scene.ponds[2].pop()
    scene.melds[1].insert(0, "2p 2p 6p")
    question = scene.asked()
    assert question.text_key == "seen_no_meld"
    assert question.pick is not None
    before = told(scene)
    place = {**question.pick, "index": question.pick["index"] + 2, "tile": "2p"}
    assert scene.answer(**fields(place)) == ""
    scene.look(6)
    assert told(scene) == [*before, ("peng", 1, ("2p", "2p", "2p"))]
    assert [meld.tiles for meld in scene.table.melds[1]] == [("4m", "4m", "4m"), ("2p", "2p", "2p")]


def test_a_question_stays_while_another_tile_is_named() -> None:
    scene = Scene()
    scene.discard((0, "4p?5p"), (1, "1z"))
    scene.ponds[0].append("9s")
    question = scene.asked()
    assert scene.answer(seat=0, zone="pond", index=0, tile="5p") == ""
    assert scene.table.question == question
    scene.look(6)
    assert scene.table.question == question
    assert scene.table.ponds[0] == ("5p",)


def test_the_picture_of_a_winning_tile_is_of_that_tile_after_a_person_said_how_the_table_lies() -> None:
    scene = playing()
    scene.ponds[0].append("6p")
    scene.ponds[3].append("5p")  # out of turn, and it stands
    question = scene.asked()
    assert scene.answer(**fields(next(choice.command for choice in question.choices if choice.seat == 0))) == ""
    scene.desk.must("claim_win", seat=1, source="discard", from_seat=3)
    scene.look(3)
    claim = scene.document.claim
    assert claim is not None
    assert claim.seen is not None
    assert claim.seen.tile == "5p"
    assert scene.shows(claim.seen.picture, (3, "pond", 2))
    assert not scene.shows(claim.seen.picture, (0, "pond", 2))


def test_in_a_battle_nobody_who_has_won_is_offered_as_next() -> None:
    """四川 血戰: the winner's open tiles stay, and the player before the next one is whoever still plays."""
    scene = Scene(rules="sichuan", mode="friendly")
    scene.discard((0, "1p"), (1, "9p"), (2, "5m"))
    scene.desk.must("claim_win", seat=3, source="discard", from_seat=2)
    scene.ponds[2].pop()
    scene.hands[3] = "1m 2m 3m 4m 5m 6m 7m 8m 9m 1m 2m 3m 5m 5m"
    scene.look(3)
    scene.desk.must("hand_manual", hand="123456789m123m5m", win_tile="5m")
    for question in scene.document.claim.questions:  # type: ignore[union-attr]
        scene.desk.must(**question.choices[-1].command)
    scene.desk.must("approve")
    scene.look()
    assert scene.table.turn == 0
    scene.ponds[1].append("8s")  # it is seat 0's turn
    question = scene.asked()
    assert [choice.seat for choice in question.choices if choice.text_key == "seen_lies"] == [0, 1, 2]
    assert scene.answer(question=question.id, turn=3) == "seat_out"
    assert scene.answer(question=question.id, turn=0) == ""
    assert scene.table.last is None  # seat 2 has nothing left in his pond that could be claimed


def test_a_persons_word_stays_when_the_rest_is_as_it_lies() -> None:
    """The camera reads a 3m where a person said 4m, before and after another tile of that pond is taken away."""
    scene = Scene()
    scene.discard((0, "1z"), (1, "9p"), (2, "1s"), (3, "2z"))
    scene.discard((0, "3m"), (1, "4p?5p"))
    assert scene.answer(seat=0, zone="pond", index=1, tile="4m") == ""
    assert scene.answer(seat=1, zone="pond", index=1, tile="5p") == ""
    scene.ponds[0].pop(0)
    scene.ponds[3].append("8s")
    question = scene.asked()
    assert question.text_key == "seen_vanished"
    assert scene.answer(question=question.id, turn=0) == ""
    scene.look(4)
    assert scene.table.ponds == (("4m",), ("9p", "5p"), ("1s",), ("2z", "8s"))
    scene.restart()
    scene.look(4)
    assert scene.table.ponds == (("4m",), ("9p", "5p"), ("1s",), ("2z", "8s"))


@pytest.mark.parametrize(("lies", "told_so"), [("8p", "8p"), ("4m", "3m")])
def test_a_word_about_a_tile_that_was_taken_away_is_not_that_of_the_next_one_after_a_restart(
    lies: str, told_so: str
) -> None:
    """Seat 0's discard was named 3m: taken away before it counted, another lies there; or it counted, and it stays."""
    scene, question, _ = asked(CASES["a fifth copy"])
    assert question.pick is not None
    assert scene.answer(**fields({**question.pick, "tile": "3m"})) == ""
    if lies == "8p":
        scene.ponds[0].pop()
        scene.look()
        scene.ponds[0].append(lies)
    else:
        scene.look(3)
    scene.restart()
    scene.look(4)
    assert told(scene)[-1] == ("discard", 0, (told_so,))
    assert scene.table.ponds[0][-1] == told_so


# --- not to be followed any more ------------------------------------------------------------------------------------


FOURTH = {"hand": "123456789m45s77z", "win_tile": "6s"}
"""清龙 16, 门前清 2, 喜相逢 1, 缺一门 1; with 和绝张 4 more."""


def ready_for_6s() -> Scene:
    """Seat 3 has discarded the 6s that seat 1 waits for."""
    scene = Scene()
    scene.discard((0, "1z"), (1, "9p"), (2, "1s"), (3, "6s"))
    return scene


def questions(scene: Scene) -> list[str]:
    claim = scene.document.claim
    assert claim is not None
    return [question.text_key for question in claim.questions]


def test_what_the_camera_told_of_a_win_is_taken_back_with_the_hand() -> None:
    """It had filled in the discard of seat 3 and that nobody had seen the other three: now people say both."""
    scene = ready_for_6s()
    scene.desk.must("claim_win", seat=1)
    scene.look()
    scene.desk.must("hand_manual", **FOURTH)
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.from_seat, claim.from_camera) == (
        "discard", 3, ("source", "last_tile", "last_of_kind"),
    )  # fmt: skip
    assert claim.verdict is not None
    scene.desk.must("answer_seen", ignore=True)
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.from_seat, claim.from_camera, claim.verdict) == (None, None, (), None)
    assert questions(scene) == ["ask_source"]
    scene.desk.must("set_facts", source="discard", from_seat=0)
    assert questions(scene) == ["ask_last_of_kind"]
    question = scene.document.claim.questions[0]  # type: ignore[union-attr]
    scene.desk.must(**question.choices[1].command)
    assert questions(scene) == []
    scene.desk.must("approve")
    assert scene.desk.state.totals[0] == min(scene.desk.state.totals)
    assert fold(scene.desk.entries) == scene.desk.state


def test_what_a_person_has_said_of_a_win_stays_when_the_hand_is_let_go() -> None:
    scene = ready_for_6s()
    scene.desk.must("claim_win", seat=1)
    scene.look()
    scene.desk.must("hand_manual", **FOURTH)
    scene.desk.must("set_facts", source="discard", from_seat=3, last_of_kind=True)
    scene.desk.must("answer_seen", ignore=True)
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.from_seat, claim.facts.last_of_kind, questions(scene)) == ("discard", 3, True, [])


def test_in_a_hand_that_was_let_go_what_pays_is_asked_and_nothing_is_assumed() -> None:
    """和絕張 4: the three others may lie open; before the hand was let go the camera would have told."""
    followed = ready_for_6s()
    followed.desk.must("claim_win", seat=1)
    followed.look()
    followed.desk.must("hand_manual", **FOURTH)
    assert questions(followed) == []
    scene = ready_for_6s()
    scene.desk.must("answer_seen", ignore=True)
    scene.desk.must("claim_win", seat=1, source="discard", from_seat=3)
    scene.desk.must("hand_manual", **FOURTH)
    assert questions(scene) == ["ask_last_of_kind"]


@pytest.mark.parametrize(("winner", "asks"), [(1, True), (2, False)])
def test_who_was_seen_to_discard_has_had_his_first_turn(winner: int, *, asks: bool) -> None:
    """四川 地胡: of seat 2, who was seen to discard before, it is not asked."""
    scene = Scene(rules="sichuan")
    scene.discard((0, "1p"))
    scene.ponds[0].pop()
    scene.melds[2].append("1p 1p 1p")
    scene.look()
    scene.discard((2, "9p"), (3, "5m"))
    scene.desk.must("answer_seen", ignore=True)
    scene.desk.must("claim_win", seat=winner, source="self_draw")
    scene.desk.must("hand_manual", hand="123456789m123m5m", win_tile="5m")
    assert ("ask_first_turn" in questions(scene)) is asks


def test_nothing_of_a_hand_that_was_let_go_reaches_the_next() -> None:
    """四川: the pung and the kong of the hand before are offered no more, and its discards are nobody's first turn."""
    scene = Scene(rules="sichuan")
    scene.discard((0, "1p"))
    scene.ponds[0].pop()
    scene.melds[2].append("1p 1p 1p 1p")
    scene.look()
    assert [choice.command["kind"] for choice in scene.table.noticed] == ["kong"]
    scene.desk.must("answer_seen", ignore=True)
    scene.look()
    scene.desk.must("draw_hand", void=True)
    scene.desk.must("start_hand")
    scene.clear()
    scene.look()
    assert (scene.desk.state.seen, scene.table.noticed, scene.table.melds) == ((), (), ((), (), (), ()))
    dealer = scene.desk.state.setup.dealer  # type: ignore[union-attr]
    scene.discard((dealer, "5m"))
    scene.desk.must("claim_win", seat=(dealer + 2) % 4)
    scene.look(3)
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.from_seat) == ("discard", dealer)
    assert claim.seen is not None
    assert claim.seen.unsure == ()


# --- the wall -------------------------------------------------------------------------------------------------------


def test_the_wall_is_counted_by_the_moves_while_nothing_is_asked() -> None:
    """國標: 144 tiles, 53 dealt. A discard follows a draw, but for the dealer's first and one after a claim."""
    scene = Scene()
    scene.look()
    assert scene.table.wall == SeenWall(left=91)
    scene.discard((0, "1z"), (1, "9p"), (2, "5p"))
    assert scene.table.wall == SeenWall(left=89)
    scene.ponds[2].pop()
    scene.melds[0].append("5p 5p 5p 5p")
    scene.look()
    assert scene.table.wall == SeenWall(left=88)
    scene.discard((0, "3s"), (1, "7z"))
    assert scene.table.wall == SeenWall(left=87)
    scene.ponds[3].append("8s")
    question = scene.asked()
    assert scene.table.wall is None
    assert scene.answer(question=question.id, turn=0) == ""
    assert scene.table.wall == SeenWall(left=86)


@pytest.mark.parametrize(("told", "differs"), [(None, False), (89, False), (88, False), (90, False), (87, True)])
def test_what_the_table_tells_of_the_wall_goes_before_and_a_difference_is_noted(
    told: int | None, *, differs: bool
) -> None:
    """Whoever plays may have drawn already, and a replacement may stand a moment longer: one tile says nothing."""
    scene = Scene()
    scene.discard((0, "1z"), (1, "9p"), (2, "5p"))
    live = Live(table=scene.following.table(scene.desk.state), wall_left=told)
    shown = snapshot(scene.desk.state, live, open_rulebook("gb", {}))
    assert shown.table is not None
    assert shown.table.wall == SeenWall(left=89, differs=differs)
    assert shown.wall_left == told


def test_in_a_competition_the_count_of_the_camera_is_for_the_referee() -> None:
    whole = playing(mode="competition").document
    assert for_role(whole, "referee").table.wall == SeenWall(left=84)  # type: ignore[union-attr]
    for role in ("viewer", "tablet", "player", "organiser"):
        assert for_role(whole, role).table is None
