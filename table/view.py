"""From the state of a table to the document that pages show."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from table.judging import Judgement, judge_claim
from table.model import LaidHand, Setup
from table.rulebook import WINDS, Rulebook
from table.session import expected_thrower
from table.snapshot import (
    BreakView,
    CallView,
    ClaimView,
    Devices,
    DeviceView,
    DiceView,
    GameView,
    HistoryRow,
    NextThrow,
    Problem,
    QueuedClaim,
    RoundView,
    SeatView,
    Snapshot,
    TileView,
    WaitingFor,
)
from table.state import Claim, FalseWin, Game, PlayedHand, State, add_up
from table.wall import throws_needed, wall_break

UNKNOWN_DEVICES = Devices(camera=DeviceView(state="absent", age_s=None), table=DeviceView(state="absent", age_s=None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """What is true now but not in the ledger: devices, problems, whether the eyes are reading, tiles in the wall."""

    rev: int = 0
    problems: tuple[Problem, ...] = ()
    devices: Devices = UNKNOWN_DEVICES
    reading: bool = False
    wall_left: int | None = None


def snapshot(state: State, live: Live, rulebook: Rulebook | None) -> Snapshot:
    """The whole table as pages show it; `rulebook` is that of the open game."""
    game, setup = state.game, state.setup
    return Snapshot(
        seq=state.seq,
        rev=live.rev,
        game=None if game is None else _game(game),
        seats=_seats(state),
        round=None if setup is None else _round(state, setup, rulebook),
        phase=state.phase,
        dice=tuple(DiceView(values=one.values, by=one.by, why=one.why, source=one.source) for one in state.dice),
        dice_next=_dice_next(state),
        wall_break=_wall_break(state),
        wall_left=live.wall_left,
        claims=tuple(QueuedClaim(seat=one.seat, source=one.source, from_seat=one.from_seat) for one in state.claims),
        claim=_claim(state, live, rulebook),
        history=_history(state),
        calls=tuple(
            CallView(id=one.id, seat=one.seat, reason=one.reason, at=clock_text(one.at_ms)) for one in state.calls
        ),
        problems=live.problems,
        devices=live.devices,
        undo=state.undo[-1].kind if state.undo else "",
    )


def clock_text(at_ms: int) -> str:
    """A moment as text, UTC with milliseconds.

    >>> clock_text(0)
    '1970-01-01T00:00:00.000Z'
    """
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at_ms % 1000:03d}Z"


def _game(game: Game) -> GameView:
    return GameView(
        id=game.id,
        ruleset=game.ruleset,
        ruleset_version=game.ruleset_version,
        options=dict(game.options),
        mode=game.mode,
        rotate_seats=game.rotate_seats,
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
    totals, dead = state.totals, state.dead_seats()
    last = _last_change(state)
    return tuple(
        SeatView(
            seat=seat,
            player=player,
            name=state.names[player],
            wind=_wind(seat, state.setup),
            dealer=seat == state.setup.dealer,
            total=totals[player],
            diff_to_leader=totals[player] - max(totals),
            last_change=last[player],
            dead=seat in dead,
        )
        for seat, player in enumerate(state.setup.seating)
    )


def _wind(seat: int, setup: Setup) -> Literal["E", "S", "W", "N"]:
    return WINDS[(seat - setup.dealer) % len(WINDS)]


def _last_change(state: State) -> tuple[int, int, int, int]:
    """What the last finished hand (with the false wins in it) moved, by player."""
    if not state.history:
        return (0, 0, 0, 0)
    last = state.history[-1].setup.hand_no
    return add_up(row for row in state.history if row.setup.hand_no == last)


def _dice_next(state: State) -> NextThrow | None:
    by = expected_thrower(state)
    return None if by is None else NextThrow(by=by, why="break2" if state.dice else "break1")


def _wall_break(state: State) -> BreakView | None:
    throws = [one.values for one in state.dice if one.why != "kong"]
    ready = state.game is not None and len(throws) >= throws_needed(state.game.ruleset)
    if not ready or state.setup is None:
        return None
    stacks = state.walls.stacks if state.walls is not None and sum(state.walls.stacks) > 0 else (18, 18, 18, 18)
    opened = wall_break(state.setup.dealer, throws, stacks)
    return BreakView(seat=opened.seat, stack=opened.stack)


def _claim(state: State, live: Live, rulebook: Rulebook | None) -> ClaimView | None:
    claim = state.claim
    if claim is None or state.setup is None or rulebook is None or state.game is None:
        return None
    judged = judge_claim(claim, state.setup, rulebook)
    laid = claim.laid or judged.laid or claim.entered or LaidHand(hand="")
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
        verdict=claim.verdict,
        agreed=claim.agreed,
        waiting_for=_waiting_for(state.game, claim, judged),
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
    if claim.verdict is None:
        return "answers"
    if game.mode == "competition" and claim.announced is None:
        return "announce"
    return "referee" if len(claim.agreed) == 3 or not claim.verdict.valid else "agree"


def _history(state: State) -> tuple[HistoryRow, ...]:
    return tuple(_row(row, state.history[: place + 1]) for place, row in enumerate(state.history))


def _row(row: PlayedHand | FalseWin, until: tuple[PlayedHand | FalseWin, ...]) -> HistoryRow:
    totals = add_up(until)
    by_seat = tuple(totals[player] for player in row.setup.seating)
    after = (by_seat[0], by_seat[1], by_seat[2], by_seat[3])
    return _false_win_row(row, after) if isinstance(row, FalseWin) else _hand_row(row, after)


def _hand_row(row: PlayedHand, after: tuple[int, int, int, int]) -> HistoryRow:
    outcome = row.outcome
    laid = outcome.laid or LaidHand(hand="")
    return HistoryRow(
        hand_no=row.setup.hand_no,
        outcome=outcome.outcome,
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
    )


def _false_win_row(row: FalseWin, after: tuple[int, int, int, int]) -> HistoryRow:
    return HistoryRow(
        hand_no=row.setup.hand_no,
        outcome="false_win",
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
        payments=row.payments,
        totals_after=after,
        corrected=False,
        reason=row.reason,
        picture=None,
        frame=None,
        at=clock_text(row.at_ms),
    )
