"""Chains of corrections, seats, options, penalties and substitutes, as an accountant who trusts nothing looks at them.

Every movement of the totals must be listed, the next hand must always follow from the one before, today's rules must
find every hand paid rightly, the record replayed must give the same ledger, and taking everything back restores all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules import registry
from table.aftermath import history_anew, setup_after
from table.decision import Context, Decision
from table.fold import fold
from table.ledger import read, verify
from table.model import Payments, Setup, added
from table.rejudge import ruling_changes
from table.replay import read_recording, replay
from table.rulebook import Seating, open_rulebook
from table.settle_up import settle_up
from table.state import PlayedHand, State, id_of, moved_by
from table.stays import shares
from tests.evening_player import EVENINGS, STORIES, evening
from tests.golden_evenings import Scribe
from tests.table_kit import PAIRS, STRAIGHT, Desk
from tests.test_table_corrections import as_it_stands, others, paid
from tests.test_table_corrections_back import elsewhere

STEPS = 22
CORRECTIONS = ("correct_hand", "correct_seats", "correct_options")


def by_player(payments: Payments, setup: Setup) -> Payments:
    seats = [setup.seating.index(player) for player in range(4)]
    return (payments[seats[0]], payments[seats[1]], payments[seats[2]], payments[seats[3]])


def minus(payments: Payments) -> Payments:
    return (-payments[0], -payments[1], -payments[2], -payments[3])


def listed(answer: Decision) -> Payments:
    """What the list of a correction says that each player gets more."""
    moved: list[Payments] = []
    for change in answer.changes:
        moved.append(by_player(change.after.payments, change.setup_after))
        moved.append(minus(by_player(change.before.payments, change.setup_before)))
    for row in answer.rows:
        moved.append(by_player(moved_by(row.after), row.after.setup))
        moved.append(minus(by_player(moved_by(row.before), row.before.setup)))
    return added(*moved)


def standing(state: State) -> Any:
    """All that matters of a game, without times."""
    return paid(state), state.setup, state.totals, state.results, state.fees, state.names, shares(state)


def of_a_hand(rng: Random, state: State) -> dict[str, Any]:
    assert state.game is not None
    hand = rng.choice(state.hands)
    further = [{"outcome": "win"}, {"drop_sides": [0]}, {"more": {"first_turn": True}}, {"last_tile": True}]
    return {"hand_no": hand.setup.hand_no, **rng.choice([*elsewhere(hand, state.game.places), *further])}


def of_seats(rng: Random, state: State) -> dict[str, Any]:
    assert state.game is not None
    setup = rng.choice(state.hands).setup
    seating, (one, other) = list(setup.seating), rng.sample(state.game.places, 2)
    seating[one], seating[other] = seating[other], seating[one]
    return {"from_hand": setup.hand_no, "seating": seating}


def of_options(rng: Random, state: State) -> dict[str, Any]:
    assert state.game is not None
    known = registry.ruleset(state.game.ruleset, {}).options
    name, option = rng.choice([one for one in known.items() if others(one[1])])
    return {"options": {**state.game.options, name: rng.choice(others(option))}}


def wishes(rng: Random, desk: Desk, first: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """What a restless referee does, one after the other."""
    for number in range(STEPS):
        state = desk.state
        assert state.game is not None
        rows = enumerate(state.history)
        standing = [id_of(place, row) for place, row in rows if not isinstance(row, PlayedHand) and not row.lifted]
        seat = rng.choice(state.game.places)
        kind = rng.choice((*CORRECTIONS, "correct_hand", "correct_hand", "penalise", "lift", "substitute", "undo_last"))
        if kind in CORRECTIONS:
            of = {"correct_hand": of_a_hand, "correct_seats": of_seats, "correct_options": of_options}[kind]
            yield kind, {**of(rng, state), "reason": f"r{number}"}
        elif kind == "penalise":
            yield kind, {"seat": seat, **rng.choice([{"code": "false_win"}, {"code": "early_draw"}, {"points": 5}])}
        elif kind == "lift" and standing:
            yield "lift_penalty", {"id": rng.choice(standing)}
        elif kind == "substitute":
            yield kind, {"seat": seat, "name": f"Eva {number}"}
        elif kind == "undo_last" and state.undo and state.undo[-1].seq > first:
            yield kind, {"reason": "slip"}


def audited(state: State) -> None:
    """What must hold of a game at any moment, looked at from outside."""
    game, setup = state.game, state.setup
    assert game is not None
    assert setup is not None
    book = open_rulebook(game.ruleset, game.options)
    context = Context(
        state=state,
        game=game,
        setup=setup,
        rulebook=book,
        seating=Seating(game.first.dealer, game.rotate_seats),
        books=open_rulebook,
    )
    assert [change for change in ruling_changes(state, open_rulebook) if change.now is not None] == []
    for before, after in zip(state.hands, state.hands[1:], strict=False):
        again = setup_after(context, (before, before), after.setup)
        assert again in (None, after.setup)
        dealt = book.following(before.setup, before.outcome, context.seating)
        if dealt is not None and not dealt.dealer_open:
            assert (dealt.dealer, dealt.carry) == (after.setup.dealer, after.setup.carry)
            assert (dealt.streak, dealt.prev_wild) == (after.setup.streak, after.setup.prev_wild)
    assert tuple(history_anew(context, state.hands, setup)) == state.history
    owed, played = [0] * 4, [0] * 4
    for debt in settle_up(state.totals):
        owed[debt.payer] -= debt.points
        owed[debt.payee] += debt.points
    for share in shares(state):
        played[share.player] += share.points
    assert owed == played == list(state.totals)


@pytest.mark.parametrize("name", [*EVENINGS, *STORIES])
def test_a_restless_referee_never_breaks_the_books(name: str, tmp_path: Path) -> None:
    rng, desk, done = Random(f"{name} 7"), Scribe(), 0
    last = rng.choice([6, 9, 1000])  # in the middle of an evening, or after its end
    for number, _ in enumerate(evening(name, desk)):
        if number == last:
            break
    start = desk.state
    for kind, fields in wishes(rng, desk, start.seq):
        before = desk.state
        preview = desk.do(kind, role="referee", preview=True, **fields) if kind in CORRECTIONS else None
        answer = desk.do(kind, role="referee", **fields)
        if not isinstance(answer, Decision):
            assert desk.state is before
            continue
        done += 1
        if preview is not None:
            assert isinstance(preview, Decision)
            assert (preview.changes, preview.rows) == (answer.changes, answer.rows)
            assert added(before.totals, listed(answer)) == desk.state.totals, (kind, fields)
        audited(desk.state)
    assert done > 5
    assert fold(desk.entries) == desk.state
    recording = tmp_path / "evening.jsonl"
    recording.write_text("".join(json.dumps(line) + "\n" for line in desk.lines), encoding="utf-8")
    again = replay(read_recording(recording), tmp_path / "ledger.sqlite3")
    assert again.refused == ()
    assert verify(tmp_path / "ledger.sqlite3").fault == ""
    assert standing(fold(read(tmp_path / "ledger.sqlite3"))) == standing(desk.state)
    while desk.state.undo and desk.state.undo[-1].seq > start.seq:
        desk.must("undo_last", role="referee")
    assert as_it_stands(desk.state) == as_it_stands(start)


@pytest.mark.parametrize("closed", ["between hands", "in a hand"])
def test_who_sat_where_counts_after_the_end_of_a_game_too(closed: str) -> None:
    """A penalty after the end is of whoever truly sat there; it went to the player who had been written down."""
    desk = Desk().open()
    desk.win(0, **PAIRS)
    desk.win(1, from_seat=2, **STRAIGHT)
    if closed == "in a hand":
        desk.must("start_hand")
    desk.must("close_game", reason="late")
    before = desk.state.totals
    desk.must("correct_seats", from_hand=2, seating=[1, 0, 2, 3], reason="wrong seats")
    assert desk.state.setup is not None
    assert desk.state.setup.seating == (1, 0, 2, 3)
    desk.must("penalise", seat=0, points=10)
    assert desk.state.taken_off == (0, 10, 0, 0)
    desk.must("correct_seats", from_hand=2, seating=[0, 1, 2, 3], reason="right after all")
    assert desk.state.totals == before
    assert desk.state.taken_off == (10, 0, 0, 0), "the penalty was the seat's, whoever sat there"


def test_a_round_that_changes_by_a_correction_changes_who_sits_where_at_the_end() -> None:
    desk = Desk().open(rotate_seats=True)
    for _ in range(15):
        desk.draw()
    desk.win(3, **PAIRS)
    assert desk.state.finished
    last = desk.state.hands[-1].setup
    assert desk.state.setup == last
    desk.must("correct_hand", hand_no=1, reason="it did not count", outcome="void")
    assert desk.state.setup == desk.state.hands[-1].setup
    assert desk.state.setup != last
