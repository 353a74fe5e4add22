"""From the state of a table to the document that pages show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from table.clock_view import clock_view
from table.device_views import CameraView, Devices, DeviceView, Problem
from table.dice_views import BreakView, DiceView, NextThrow
from table.hand_view import dice_ask, hand_view, settlement, wall_view
from table.judging import Judgement, circumstances, judge_now
from table.model import NOTHING, LaidHand, Payments, Setup, added
from table.noticed import noticed
from table.penalties import names_of
from table.rulebook import WINDS, Rulebook
from table.seen_win import from_camera
from table.session import expected_thrower
from table.snapshot import (
    CallView,
    ClaimView,
    Earlier,
    GameView,
    HistoryRow,
    OpenedHand,
    Pace,
    QueuedClaim,
    RoundView,
    SeatView,
    SeenTable,
    Snapshot,
    TileView,
    WaitingFor,
)
from table.state import Claim, FalseWin, Game, Penalty, PlayedHand, State, add_up, id_of, moved_by
from table.unsaid import offered
from table.wall_state import opened_at

UNKNOWN_DEVICES = Devices(camera=CameraView(state="absent", age_s=None), table=DeviceView(state="absent", age_s=None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """What is true now but not in the ledger: devices, problems, whether the eyes are reading, tiles in the wall.

    `table` and `pace` are what following the hand knows; None while it is off. `rewritten` is the ledger's number
    where a finished hand last changed, or where this program began.
    """

    rev: int = 0
    problems: tuple[Problem, ...] = ()
    devices: Devices = UNKNOWN_DEVICES
    reading: bool = False
    wall_left: int | None = None
    table: SeenTable | None = None
    pace: Pace | None = None
    rewritten: int = 0


WHOLE_SET = "mpszf"
"""Letters of the tiles; what is played while the rules of a game are unknown."""


def snapshot(state: State, live: Live, rulebook: Rulebook | None) -> Snapshot:
    """The whole table as pages show it; `rulebook` is that of the open game."""
    game, setup, wall = state.game, state.setup, wall_view(state, live.wall_left)
    return Snapshot(
        seq=state.seq,
        rev=live.rev,
        game=None if game is None else _game(game, rulebook),
        seats=_seats(state),
        round=None if setup is None else _round(state, setup, rulebook),
        phase=state.phase,
        dice=tuple(DiceView(values=one.values, by=one.by, why=one.why, source=one.source) for one in state.dice),
        dice_next=_dice_next(state),
        wall_break=_wall_break(state),
        wall_left=live.wall_left if live.wall_left is not None or wall is None else wall.left,
        claims=tuple(
            QueuedClaim(seat=one.seat, source=one.source, from_seat=one.from_seat, approved=one.approved, held=one.held)
            for one in state.claims
        ),
        claim=_claim(state, live, rulebook),
        history=_history(state),
        calls=tuple(
            CallView(id=one.id, seat=one.seat, reason=one.reason, at=clock_text(one.at_ms)) for one in state.calls
        ),
        problems=live.problems,
        devices=live.devices,
        undo=_undo_kind(state),
        undo_pays=_undo_pays(state),
        undo_won=len(state.undo[-1].before.won) if state.undo else 0,
        dice_ask=dice_ask(state),
        wall=wall,
        hand=hand_view(state, rulebook),
        settlement=settlement(state),
        substitutes=state.stays,
        table=_table(state, live, rulebook, None if wall is None else wall.left),
        pace=live.pace,
        clock=clock_view(state),
        earlier=Earlier(changed=live.rewritten),
    )


_WINS = frozenset({"seat_agreed", "claim_approved"})
"""How people say yes to a win; with the last of them it is paid."""


def _undo_kind(state: State) -> str:
    """The kind of what would be taken back: of what ended a hand or paid a win, that."""
    if not state.undo:
        return ""
    point = state.undo[-1]
    if point.kind != "game_closed" and len(state.hands) > len(point.before.hands):
        return "hand_settled"
    return "wins_paid" if point.kind in _WINS and len(state.won) > len(point.before.won) else point.kind


def _undo_pays(state: State) -> Payments:
    """What every seat gets back if the last decision is taken back."""
    if not state.undo or state.setup is None:
        return NOTHING
    before, now = state.undo[-1].before.totals, state.totals
    back = [before[player] - now[player] for player in state.setup.seating]
    return (back[0], back[1], back[2], back[3])


def _table(state: State, live: Live, rulebook: Rulebook | None, left: int | None) -> SeenTable | None:
    """The table as followed, with what the ledger knows beside it; `left` are the tiles that the table itself tells."""
    if live.table is None or state.game is None or rulebook is None:
        return None
    opened = tuple(OpenedHand(seat=one.seat, picture=one.picture) for one in state.opened)
    wall = live.table.wall
    if wall is not None and left is not None:
        wall = replace(wall, differs=abs(left - wall.left) > 1)
    return replace(live.table, opened=opened, noticed=noticed(state, state.game, rulebook), wall=wall)


def clock_text(at_ms: int) -> str:
    """A moment as text, UTC with milliseconds.

    >>> clock_text(0)
    '1970-01-01T00:00:00.000Z'
    """
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at_ms % 1000:03d}Z"


def _game(game: Game, rulebook: Rulebook | None) -> GameView:
    played = WHOLE_SET if rulebook is None else {tile[1] for tile in rulebook.tiles} | set("f" * game.customs.flowers)
    return GameView(
        id=game.id,
        ruleset=game.ruleset,
        ruleset_version=game.ruleset_version,
        options=dict(game.options),
        mode=game.mode,
        rotate_seats=game.rotate_seats,
        places=game.places,
        house=dict(game.house),
        figure=game.customs.figure,
        counted_in=game.customs.counted_in,
        suits="".join(letter for letter in WHOLE_SET if letter in played),
        chows=rulebook is None or rulebook.chows,
    )


def _round(state: State, setup: Setup, rulebook: Rulebook | None) -> RoundView:
    return RoundView(
        wind=setup.round_wind,
        hand_no=setup.hand_no,
        dealer=setup.dealer,
        finished=state.finished,
        hands=None if rulebook is None else rulebook.hands,
    )


def _seats(state: State) -> tuple[SeatView, ...]:
    if state.setup is None:
        return ()
    totals, dead, off, fees = state.totals, state.dead_seats(), state.taken_off, state.fees
    results = state.results
    last, places = _last_change(state), state.game.places if state.game is not None else ()
    return tuple(
        SeatView(
            seat=seat,
            player=player,
            name=state.names[player],
            wind=_wind(seat, state.setup, places),
            dealer=seat == state.setup.dealer,
            total=totals[player],
            diff_to_leader=results[player] - max(results[state.setup.seating[one]] for one in places),
            last_change=last[player],
            dead=seat in dead,
            playing=seat in places,
            out=seat in state.out,
            off=off[player],
            fee=fees[player],
        )
        for seat, player in enumerate(state.setup.seating)
    )


def _wind(seat: int, setup: Setup, places: tuple[int, ...]) -> Literal["E", "S", "W", "N"]:
    """The dealer is East, then in playing order; of two players the other one is South."""
    if len(places) == 2 and seat in places:
        return "E" if seat == setup.dealer else "S"
    return WINDS[(seat - setup.dealer) % len(WINDS)]


def _last_change(state: State) -> tuple[int, int, int, int]:
    """What the last finished hand (with the false wins in it) moved, by player; a penalty that paid nobody is none."""
    told = (row.setup.hand_no for row in reversed(state.history) if isinstance(row, PlayedHand) or any(moved_by(row)))
    last = next(told, 0)
    return add_up(row for row in state.history if row.setup.hand_no == last)


def _dice_next(state: State) -> NextThrow | None:
    by = expected_thrower(state)
    return None if by is None else NextThrow(by=by, why="break2" if state.dice else "break1")


def _wall_break(state: State) -> BreakView | None:
    opened = opened_at(state)
    return None if opened is None else BreakView(seat=opened.seat, stack=opened.stack)


def _claim(state: State, live: Live, rulebook: Rulebook | None) -> ClaimView | None:
    claim = state.claim
    if claim is None or state.setup is None or rulebook is None or state.game is None:
        return None
    judged = judge_now(state, state.game, claim, rulebook)
    laid = claim.laid or judged.laid or claim.entered or LaidHand(hand="")
    verdict, how = claim.verdict, circumstances(claim, state.setup, {})
    if verdict is not None and verdict.valid and how is not None:
        _, paid = rulebook.as_announced(verdict, how, claim.announced)
        verdict = replace(verdict, payments=paid)
    return ClaimView(
        seat=claim.seat,
        source=claim.source,
        from_seat=claim.from_seat,
        reading=live.reading,
        how=claim.how,
        picture=claim.picture,
        frame=claim.frame,
        tiles=_tiles(claim, judged) if claim.how != "manual" else (),
        groups=claim.groups if claim.how != "manual" else (),
        hand=laid.hand,
        melds=laid.melds,
        win_tile=laid.win_tile,
        flowers=laid.flowers,
        candidates=judged.candidates,
        questions=judged.questions,
        facts=claim.facts,
        announced=claim.announced,
        verdict=verdict,
        agreed=claim.agreed,
        waiting_for=_waiting_for(state.game, claim, judged),
        seen=claim.seen,
        from_camera=from_camera(claim),
        offers=offered(state.game, claim),
    )


def _tiles(claim: Claim, judged: Judgement) -> tuple[TileView, ...]:
    return tuple(
        TileView(
            index=tile.index,
            tile=claim.tile_at(tile.index),
            seen=tile.tile,
            score=tile.score,
            sure=tile.sure,
            also=tile.also,
            box=tile.box,
            pinned=tile.index in claim.pins,
            role=judged.roles.get(tile.index, "out"),
        )
        for tile in claim.tiles
    )


def _waiting_for(game: Game, claim: Claim, judged: Judgement) -> WaitingFor:
    if any(question.id == "source" for question in judged.questions):
        return "source"
    if not claim.has_hand:
        return "hand"
    if claim.verdict is None or judged.questions:
        return "answers"
    if game.mode == "competition" and claim.announced is None:
        return "announce"
    agreed = len(claim.agreed) == len(game.places) - 1
    return "referee" if agreed or not claim.verdict.valid else "agree"


def _history(state: State) -> tuple[HistoryRow, ...]:
    rows: list[HistoryRow] = []
    totals = NOTHING
    for place, row in enumerate(state.history):
        totals = added(totals, add_up((row,)))
        by_seat = [totals[player] for player in row.setup.seating]
        after = (by_seat[0], by_seat[1], by_seat[2], by_seat[3])
        rows.append(_hand_row(row, after) if isinstance(row, PlayedHand) else _paid_row(place, row, after))
    return tuple(rows)


def _hand_row(row: PlayedHand, after: tuple[int, int, int, int]) -> HistoryRow:
    outcome = row.outcome
    laid = outcome.laid or LaidHand(hand="")
    return HistoryRow(
        hand_no=row.setup.hand_no,
        outcome=outcome.ending,
        winner=outcome.winner,
        source=outcome.source,
        from_seat=outcome.from_seat,
        dealer=row.setup.dealer,
        round_wind=row.setup.round_wind,
        players=row.setup.seating,
        hand=laid.hand,
        melds=laid.melds,
        win_tile=laid.win_tile,
        flowers=laid.flowers,
        total=outcome.total,
        computed=outcome.computed,
        announced=outcome.announced,
        fans=outcome.fans,
        payments=outcome.payments,
        totals_after=after,
        corrected=row.corrected,
        reason=row.reason,
        picture=outcome.picture,
        frame=outcome.frame,
        at=clock_text(row.at_ms),
        wins=outcome.wins,
        told=outcome.told,
        sides=outcome.sides,
        carry_out=outcome.carry_out,
        notes=outcome.notes,
    )


def _paid_row(place: int, row: FalseWin | Penalty, after: tuple[int, int, int, int]) -> HistoryRow:
    plain = HistoryRow(
        hand_no=row.setup.hand_no,
        outcome="false_win" if isinstance(row, FalseWin) else "penalty",
        winner=row.seat,
        source=None,
        from_seat=None,
        dealer=row.setup.dealer,
        round_wind=row.setup.round_wind,
        players=row.setup.seating,
        hand="",
        melds=(),
        win_tile="",
        flowers="",
        total=0,
        computed=None,
        announced=None,
        fans=(),
        payments=moved_by(row),
        totals_after=after,
        corrected=False,
        reason=row.reason,
        picture=None,
        frame=None,
        at=clock_text(row.at_ms),
        id=id_of(place, row),
        lifted=row.lifted,
    )
    if isinstance(row, FalseWin):
        return plain
    return replace(plain, code=row.code, names=names_of(row.code), off=row.off)
