"""The win of an earlier hand as a correction states it, and what must be asked of it: what was asked at the win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from table import commands
from table.circumstances import ask_void, of_another_feeder, table_facts
from table.claimed_hand import laid_melds
from table.claims import stated
from table.corrected_sides import paid_once
from table.decision import Context, CorrectedWin, Rejected, reject, reject_because
from table.drawn import shows_at_draw, void_wanted
from table.judging import Judgement, judge_now
from table.model import FROM_OTHERS, Facts, LaidHand, Outcome, Seat, Setup, SidePay, Source, WinPart
from table.robbed import robbed_by_wins, sides_standing
from table.rules_input import check_more
from table.sentences import Sentence, say
from table.set_aside import dealt_again, told_wins
from table.settling import NotSettled, hand_over, repriced
from table.shown_kongs import KONG_KIND, KONG_NOT_SHOWN, KONG_UNSAID, kept_paid
from table.snapshot import Question
from table.state import Claim, Game, PlayedHand, State
from table.unsaid import entered_facts, offered

OF_KONGS = (KONG_NOT_SHOWN, KONG_UNSAID)


def wins_stated(context: Context, old: Outcome, command: commands.CorrectHand) -> tuple[WinPart, ...] | Rejected:
    """The wins as the command states them; none for a hand that nobody won."""
    if (command.outcome or old.outcome) != "win" or _dealt(old, command):
        return ()
    if command.wins is not None:
        wins = tuple(_whole(win) for win in command.wins)
    else:
        before = told_wins(old)
        changed = _changed(context, old, before[command.win_no] if command.win_no < len(before) else None, command)
        if isinstance(changed, Rejected):
            return changed
        wins = (*before[: command.win_no], changed, *before[command.win_no + 1 :])
    if not _in_order(context, wins):
        return reject_because("bad_facts", say("why.wins_order"))
    for win in wins:
        check_more(win.facts.more)
        empty = next((one for one in (win.seat, win.from_seat) if one not in (*context.game.places, None)), None)
        if empty is not None:
            return reject("seat_empty", seat=empty)
        if win.source in FROM_OTHERS and win.from_seat is None:
            return reject("no_feeder")
        if win.from_seat == win.seat:
            return reject("from_self", seat=win.seat)
    return wins


def _in_order(context: Context, wins: Sequence[WinPart]) -> bool:
    """Whether the tiles won on follow each other, and play may have gone on after all but the last of them.

    Which kongs a winner still paid for goes by these numbers, so that a gap or an exchange would move points.
    """
    stages = [win.stage for win in wins]
    counted = [len(set(stages[:place])) - (stage in stages[:place]) for place, stage in enumerate(stages)]
    return stages == counted and (stages[-1] == 0 or "session" in context.rulebook.answers)


def _dealt(old: Outcome, command: commands.CorrectHand) -> bool:
    """Whether the command leaves the starting win that ended this hand as it was."""
    dealt = dealt_again(old)
    if dealt is None or command.wins is not None or command.hand not in (None, "", dealt.sides[-1].hand):
        return False
    return command.winner in (None, dealt.winner) and command.source in (None, "start_hand")


def asked_of(
    context: Context, played: PlayedHand, after: Outcome, wins: Sequence[WinPart], win_no: int
) -> CorrectedWin | None:
    """What is known of one of these wins, what may be said of it, and what must be asked before it may be priced.

    Of a hand that nobody won the same without a win; None where there is no such win. The kongs of all winners are
    asked together, for the hand has one list of them.

    Args:
        context: the game as it stands.
        played: the hand as it stands.
        after: the hand as it is said to have ended, with its circumstances and what it paid at once.
        wins: its wins as they are stated, in order.
        win_no: which of them.
    """
    inside = _at_the_wall(context, after, wins)
    suits = tuple(ask_void(seat) for seat in inside if void_wanted(context.game, after.table, seat))
    table = table_facts(context.game, played.setup, after.table, after.sides, [win.seat for win in wins])
    shows = shows_at_draw(context.rulebook, table) if inside else ""
    asked = CorrectedWin(
        facts=Facts(),
        offers={},
        questions=suits,
        table=after.table,
        shows=shows,
        inside=inside if shows else (),
        aside=played.outcome.aside,
    )
    if not wins:
        return asked
    if win_no >= len(wins):
        return None
    win = wins[win_no]
    own = _judged(context, played, after, wins, win)
    others = (_judged(context, played, after, wins, one) for one in wins if one is not win)
    kongs = [question for one in others for question in one.questions if question.id.startswith(OF_KONGS)]
    known = {question.id for question in own.questions}
    questions = (*own.questions, *kongs, *(question for question in suits if question.id not in known))
    offers = offered(context.game, _claim(win))
    return replace(asked, facts=win.facts, offers=offers, questions=questions, verdict=own.verdict)


def _judged(context: Context, played: PlayedHand, after: Outcome, wins: Sequence[WinPart], win: WinPart) -> Judgement:
    """This win as if it were to be approved now: what must be asked of it, or what it is worth."""
    claim = _claim(win)
    before = tuple(one for one in wins if one.stage < win.stage)
    standing = sides_standing(after.all_sides, robbed_by_wins(wins) - robbed_by_wins((win,)))
    paid = _priced(context, played.setup, replace(after, sides=standing), wins)
    state = replace(_at_its_end(context.state, after), setup=played.setup, claims=(claim,), won=before, sides=paid)
    was = paid_once(played.outcome)
    numbers = [next((place for place, one in enumerate(was) if one is side), None) for side in standing]
    judged = judge_now(state, context.game, claim, context.rulebook)
    questions = tuple(_of_the_past(question, state, win, numbers) for question in judged.questions)
    return replace(judged, questions=questions)


def _at_the_wall(context: Context, after: Outcome, wins: Sequence[WinPart]) -> tuple[Seat, ...]:
    """Who was still in when the wall was empty; nobody where the hand ended before."""
    if after.outcome == "void" or (after.outcome == "win" and (not wins or hand_over(context.rulebook, wins))):
        return ()
    return tuple(seat for seat in context.game.places if all(win.seat != seat for win in wins))


def _priced(context: Context, setup: Setup, after: Outcome, wins: Sequence[WinPart]) -> tuple[SidePay, ...]:
    """What was paid at once, as it will be paid; as it stands where that cannot have been, which is refused."""
    try:
        return repriced(context.rulebook, context.game, setup, after, wins)
    except NotSettled:
        return after.sides


def _of_the_past(question: Question, state: State, win: WinPart, numbers: Sequence[int | None]) -> Question:
    """A question about kongs as it is asked of a finished hand; `numbers` are those of its payments in `drop_sides`.

    A kong that was forgotten is added where its win stands, and one that the hand does not show may stay paid: nobody
    may remember the tiles. One that the correction itself adds and that is not shown, or shown as another kind, is for
    the correction to leave.
    """
    if question.id.startswith(KONG_UNSAID):
        choices = tuple(
            replace(one, command={**one.command, "stage": win.stage}) if one.command["kind"] == "kong" else one
            for one in question.choices
        )
        key = "past.ask_kong_unsaid" if state.won else question.text_key
        return replace(question, text_key=key, choices=choices)
    if not question.id.startswith((KONG_NOT_SHOWN, KONG_KIND)):
        return question
    *others, drop = question.choices
    place = drop.command["index"]
    if numbers[place] is None:
        return replace(question, choices=tuple(others))
    dropped = replace(drop, command={**drop.command, "index": numbers[place]})
    if question.id.startswith(KONG_KIND):
        return replace(question, choices=(*others, dropped))
    return replace(question, choices=(dropped, kept_paid(state, state.sides[place])))


def unsaid_of(context: Context, played: PlayedHand, after: Outcome, wins: Sequence[WinPart]) -> tuple[Question, ...]:
    """What must be said of these wins before they may be priced, and nobody has; see `asked_of`."""
    asked = (asked_of(context, played, after, wins, number) for number in range(len(wins) or 1))
    return tuple({question.id: question for one in asked if one is not None for question in one.questions}.values())


def refusing(asked: CorrectedWin, why: Sentence) -> CorrectedWin:
    """The same with why it cannot have been so, which is not asked too."""
    return replace(asked, refused=why, questions=tuple(one for one in asked.questions if one.text_key != why.key))


def _claim(win: WinPart) -> Claim:
    return Claim(
        seat=win.seat,
        source=win.source,
        from_seat=win.from_seat,
        facts=win.facts,
        how="manual",
        entered=win.laid,
        said=frozenset(win.facts.more),
    )


def _at_its_end(state: State, after: Outcome) -> State:
    """The table as a finished hand left it, as far as its outcome tells: no dice, no camera."""
    return replace(
        state,
        started=True,
        claims=(),
        dice=(),
        taken=None,
        noted=(),
        seen=(),
        opened=(),
        facts=after.table,
        sides=after.sides,
    )


def _whole(win: commands.WinIn) -> WinPart:
    laid = LaidHand(hand=win.hand, melds=laid_melds(win.melds), win_tile=win.win_tile, flowers=win.flowers)
    facts = Facts(last_tile=win.last_tile, last_of_kind=win.last_of_kind, more=win.more)
    return WinPart(
        seat=win.seat,
        source=win.source,
        from_seat=win.from_seat,
        laid=laid,
        facts=facts,
        total=0,
        computed=0,
        stage=win.stage,
    )


def _changed(context: Context, hand: Outcome, old: WinPart | None, command: commands.CorrectHand) -> WinPart | Rejected:
    """One win with what the command changes of it."""
    source = command.source or (old.source if old else None)
    from_seat = (old.from_seat if old else None) if command.from_seat is None else command.from_seat
    if source not in FROM_OTHERS and source != "sea_bottom":
        from_seat = None
    laid = _laid(old.laid if old else None, command)
    winner = (old.seat if old else None) if command.winner is None else command.winner
    if winner is None or source is None or laid is None or not laid.win_tile:
        return reject("incomplete_win")
    if source == "sea_bottom" and from_seat == winner:
        from_seat = None  # he took the last tile himself (海底撈月)
    before, announced = (Facts(), None) if old is None else (old.facts, old.announced)
    if old is not None and from_seat != old.from_seat:
        before = of_another_feeder(before)
    fresh = WinPart(seat=winner, source=source, from_seat=from_seat, laid=laid, facts=before, total=0, computed=0)
    if old is not None:
        fresh = replace(old, seat=winner, source=source, from_seat=from_seat, laid=laid, facts=before)
    if old is None or source != old.source or winner != old.seat:
        table = _at_its_end(context.state, hand)
        kept = replace(fresh, facts=_fitting(before, source, context.game, fresh))
        fresh = replace(kept, facts=entered_facts(table, context.game, _claim(kept), hand.sides))
    facts = stated(fresh.facts, command.last_tile, command.last_of_kind, command.more)
    return replace(fresh, facts=facts, announced=announced if command.announced is None else command.announced)


def _fitting(facts: Facts, source: Source, game: Game, win: WinPart) -> Facts:
    """The circumstances that make sense for such a win; of the others nobody has said anything."""
    kong = {"kong_feeder"} if source == "kong_replacement" else set()
    fits = {*offered(game, _claim(win)), "claims_before", "last_tile", "last_of_kind", *kong}
    return replace(facts, more={name: value for name, value in facts.more.items() if name in fits})


def _laid(old: LaidHand | None, command: commands.CorrectHand) -> LaidHand | None:
    if command.hand is None and old is None:
        return None
    base = old or LaidHand(hand="")
    return LaidHand(
        hand=base.hand if command.hand is None else command.hand,
        melds=base.melds if command.melds is None else laid_melds(command.melds),
        win_tile=base.win_tile if command.win_tile is None else command.win_tile,
        flowers=base.flowers if command.flowers is None else command.flowers,
    )
