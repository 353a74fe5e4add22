"""Circumstances of a win that only a person can tell: which may be stated, and which must be asked.

Asked is what nobody has said, what neither a kong entered nor the camera tells, and what changes the payment: who was
ready when he fed the last tile, whose kong the winning tile replaced, what happened before a person said how the table
lies, or in a hand that is followed no more. Everything else that a game counts is offered, and counts only once
somebody states it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from table import events as ev
from table.model import Facts, LaidHand, Payments, Scalar, Seat, SidePay, Source, Verdict
from table.rulebook import BadHand, Circumstances, Rulebook
from table.snapshot import Choice, Question
from table.state import Claim, Game, State

LAST_FOUR = 3
"""So many tiles are left at most when one of the last four was drawn."""

_SOURCES: Mapping[str, tuple[str, ...]] = {
    "first_turn": ("self_draw", "discard", "start_hand"),
    "after_kong": ("discard",),
    "discards_before": ("self_draw", "discard", "rob_kong", "kong_replacement"),
    "discarder_ready": ("discard",),
    "ready_before": ("self_draw", "discard", "rob_kong", "kong_replacement"),
    "wall_left": ("self_draw", "kong_replacement"),
}
"""For which ways of winning a circumstance makes sense."""

_OF_FEEDER = frozenset({"discarder_ready", "after_kong"})
"""Circumstances that tell something of the discarder; all others are the winner's."""

_FIRST_TURN = frozenset({"first_turn", "claims_before", "discards_before"})

TURNED: Final = "kong_discard"
"""Where the tile that a die turned up is a source of its own (長沙 槓上炮), a discard after a plain kong is none."""

_TURNED: tuple[tuple[bool, Source], ...] = ((True, TURNED), (False, "discard"))

_ON: Mapping[str, Scalar] = {"discards_before": 0, "wall_left": LAST_FOUR}
_OFF: Mapping[str, Scalar] = {"discards_before": 1, "wall_left": None}


def offered(game: Game, claim: Claim) -> dict[str, Scalar]:
    """The circumstances that this game counts for such a win and a person may state, with the value that says so."""
    counts, more = game.customs.counts, claim.facts.more
    names = [name for name, sources in _SOURCES.items() if name in counts and claim.source in sources]
    if "claims_before" in counts and more.get("first_turn") is True:
        names.append("claims_before")
    return {name: _ON.get(name, True) for name in names}


def entered_facts(state: State, game: Game, claim: Claim, sides: Sequence[SidePay]) -> Facts:
    """The circumstances of a claim with what the kongs of the hand tell: who fed the one whose replacement won.

    Where a kong throws a die (長沙), only a ready player may open it so: a die that was thrown says that he was.
    """
    facts = claim.facts
    kongs = [side for side in sides if side.what == "kong"]
    own = [side for side in kongs if side.seat == claim.seat]
    if claim.source != "kong_replacement" or not own:
        return facts
    told: dict[str, Scalar] = {}
    if own[-1].meld_kind == "kong_open":
        told["kong_feeder"] = own[-1].from_seat
    thrown = sum(throw.why == "kong" for throw in state.dice)
    if "ready_before" in game.customs.counts and own[-1] is kongs[-1] and thrown == len(kongs):
        told["ready_before"] = True
    return replace(facts, more={**told, **facts.more}) if told else facts


def open_facts(
    state: State, claim: Claim, game: Game, judged: tuple[LaidHand, Verdict], how: Circumstances, rules: Rulebook
) -> tuple[Question, ...]:
    """What must be asked before this verdict may stand; nothing where every answer pays the same.

    In a competition that is asked too: whether it matters would tell the players what the hand is.

    Args:
        state: what is known of the hand.
        claim: with its circumstances as far as they are known.
        game: what it counts.
        judged: the hand and what the rules say of it under those circumstances.
        how: the same circumstances in the words of the rules.
        rules: judge the other answers.
    """
    laid, verdict = judged
    asked: list[Question] = []
    for name in _unknown(state, claim, game, laid, how):
        choices = _choices(name, claim, game, how)
        results = {_result(verdict)}
        for choice in choices:
            other = replace(how, source=choice.command.get("source", how.source))
            more = {**how.facts.more, **choice.command["more"]}
            try:
                results.add(_result(rules.judge(laid, replace(other, facts=replace(how.facts, more=more)))))
            except BadHand:  # so it cannot have been
                continue
        if len(results) > 1 or game.mode == "competition":
            params: dict[str, Scalar] = {"seat": how.from_seat if name in _OF_FEEDER else claim.seat}
            turned = name == "after_kong" and TURNED in game.customs.counts
            key = f"ask_{TURNED}" if turned else f"ask_{name}"
            asked.append(Question(id=f"fact:{name}", text_key=key, params=params, choices=choices))
    return tuple(asked)


def _result(verdict: Verdict) -> tuple[bool, int, Payments]:
    return verdict.valid, verdict.total, verdict.payments


def _unknown(state: State, claim: Claim, game: Game, laid: LaidHand, how: Circumstances) -> Iterator[str]:
    """The circumstances that count here, could be so, and that nobody and nothing has told."""
    counts = game.customs.counts
    told = {*how.facts.more, *claim.said}
    dropped = any(isinstance(one, ev.SeenAnswered) and one.answer == "ignore" for one in state.seen)
    seen = None if dropped else claim.seen
    unsure = _untold(state, claim) & counts if dropped else () if seen is None else seen.unsure
    if claim.source != "discard":
        unsure = tuple(name for name in unsure if name != "after_kong")
    yield from (name for name in sorted(unsure) if name not in told)
    if "discarder_ready" in counts and claim.source == "discard" and "discarder_ready" not in told:
        feeder = how.table.get("players", {}).get(str(claim.from_seat), {})
        if "ready" not in feeder:
            yield "discarder_ready"
    if claim.source != "kong_replacement" or seen is not None:
        return
    if "ready_before" in counts and "ready_before" not in told:
        yield "ready_before"
    if "kong_feeder" in counts and "kong_feeder" not in told and any(one.kind == "kong_open" for one in laid.melds):
        yield "kong_feeder"


def _untold(state: State, claim: Claim) -> frozenset[str]:
    """What following would have told of this win, had people not let the hand go.

    Who was seen to discard before that has had his first turn.
    """
    discards = (one for one in state.seen if isinstance(one, ev.MoveSeen) and one.what == "discard")
    first = frozenset() if any(one.seat == claim.seat for one in discards) else _FIRST_TURN
    names = first | {"after_kong", "last_of_kind"}
    return frozenset(name for name in names if claim.source in _SOURCES.get(name, (claim.source,)))


def _choices(name: str, claim: Claim, game: Game, how: Circumstances) -> tuple[Choice, ...]:
    if name == "kong_feeder":
        return _feeders(claim, game, how.table.get("out", ()))
    if name == "after_kong" and TURNED in game.customs.counts:
        yes, no = ({**_states(name, on), "source": source, "from_seat": how.from_seat} for on, source in _TURNED)
        return Choice(command=yes, text_key="opened_yes"), Choice(command=no, text_key="opened_no")
    answers = ((_ON.get(name, True), "opened_yes"), (_OFF.get(name, False), "opened_no"))
    return tuple(Choice(command=_states(name, value), text_key=key) for value, key in answers)


def feeder_question(state: State, claim: Claim, game: Game) -> Question:
    """Who fed the kong whose replacement won, where the kongs that were entered do not say it."""
    choices = _feeders(claim, game, state.out)
    return Question(id="fact:kong_feeder", text_key="ask_kong_feeder", params={"seat": claim.seat}, choices=choices)


def _feeders(claim: Claim, game: Game, out: Sequence[Seat]) -> tuple[Choice, ...]:
    name, feeders = "kong_feeder", [seat for seat in game.places if seat not in (claim.seat, *out)]
    nobody = Choice(command=_states(name, None), text_key="fed_by_nobody")
    return (nobody, *(Choice(command=_states(name, seat), text_key="fed_by", seat=seat) for seat in feeders))


def _states(name: str, value: Scalar) -> dict[str, Any]:
    return {"kind": "set_facts", "more": {name: value}}
