"""What a claimed hand is worth, and what must be asked before anybody can say.

Every way to understand the tiles is put to the rules. A question is asked only if the answer changes what is paid; in a
competition it is asked of every hand (*alike*), for whether it matters would tell the players that the hand wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from table.circumstances import bird_question, facts_now, open_questions
from table.model import FROM_OTHERS, LaidHand, MeldKind, Payments, Scalar, Seat, Setup, TableFacts, Verdict
from table.reading import HandOption, Proposal, TileRole, propose
from table.robbed import facts_standing, robbed_by_claims, sides_standing
from table.rulebook import BadHand, Circumstances, Rulebook
from table.sentences import because
from table.shown_kongs import OtherKind, kong_questions, other_kinds
from table.snapshot import Candidate, Choice, Question
from table.state import Claim, Game, State
from table.unsaid import entered_facts, open_facts

LIKELY = 0.05
"""From this score on another face of a tile in doubt is worth asking about."""

BACK = "x"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Where a claimed hand stands: its verdict, or the questions that are open.

    `laid` is the hand as understood (also without a verdict, if there is only one way); `candidates` the winning tiles
    that were weighed; `roles` what each tile of the picture became.
    """

    laid: LaidHand | None = None
    win_index: int | None = None
    verdict: Verdict | None = None
    questions: tuple[Question, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    roles: Mapping[int, TileRole] = field(default_factory=dict)


def circumstances(claim: Claim, setup: Setup, table: TableFacts) -> Circumstances | None:
    """How this claim's tile came; None while that has not been said."""
    if claim.source is None or (claim.source in FROM_OTHERS and claim.from_seat is None):
        return None
    return Circumstances(
        setup=setup, winner=claim.seat, source=claim.source, from_seat=claim.from_seat, facts=claim.facts, table=table
    )


def judge_now(state: State, game: Game, claim: Claim, rulebook: Rulebook) -> Judgement:
    """Judge a claim with all that the table knows of the hand being played, its kongs with those that were entered."""
    judged, setup = judge_stated(state, game, claim, rulebook), state.setup
    if setup is None or judged.laid is None or judged.verdict is None:
        return judged
    robbed = robbed_by_claims((claim,), len({win.stage for win in state.won}))
    sides, table = sides_standing(state.sides, robbed), facts_standing(facts_now(state, game, setup), robbed)
    alike = game.mode == "competition"  # there a question must not tell that the hand wins
    how = circumstances(replace(claim, facts=entered_facts(state, game, claim, sides)), setup, table)
    kinds = tuple(
        other_kind.question
        for other_kind in other_kinds(state, claim, judged.laid, sides)
        if alike or (how is not None and _matters(other_kind, judged.verdict, how, rulebook))
    )
    if kinds:
        return replace(judged, verdict=None, questions=kinds)
    if not judged.verdict.valid and not alike:
        return judged
    asked = kong_questions(state, game, claim, judged.laid, sides, table, rulebook)
    return replace(judged, verdict=None, questions=asked) if asked else judged


def _matters(other: OtherKind, verdict: Verdict, how: Circumstances, rulebook: Rulebook) -> bool:
    """Whether it changes what is paid, at once or for the hand, that a kong was of the kind that was entered."""
    if verdict.valid and "kong" in rulebook.answers and any(other.side.payments):
        return True
    try:
        entered = rulebook.judge(other.laid, how)
    except BadHand:  # so it cannot have been
        return False
    return _result(entered) != _result(verdict)


def judge_stated(state: State, game: Game, claim: Claim, rulebook: Rulebook) -> Judgement:
    """The same without comparing kongs: what was paid at once is taken as it stands."""
    setup = state.setup
    if setup is None:
        return Judgement()
    robbed = robbed_by_claims((claim,), len({win.stage for win in state.won}))
    known = replace(claim, facts=entered_facts(state, game, claim, sides_standing(state.sides, robbed)))
    table = facts_standing(facts_now(state, game, setup), robbed)
    asked = open_questions(state, game, rulebook, claim)
    judged = judge_claim(known, setup, rulebook, table, asked, alike=game.mode == "competition")
    how = circumstances(known, setup, table)
    if how is not None and judged.verdict is not None and judged.laid is not None:
        facts = open_facts(state, known, game, (judged.laid, judged.verdict), how, rulebook)
        judged = replace(judged, verdict=None, questions=facts) if facts else judged
    birds = bird_question(state, game) if judged.verdict is not None and judged.verdict.valid else None
    return judged if birds is None else replace(judged, questions=(*judged.questions, birds))


def judge_claim(
    claim: Claim,
    setup: Setup,
    rulebook: Rulebook,
    table: TableFacts | None = None,
    asked: Sequence[Question] = (),
    *,
    alike: bool = False,
) -> Judgement:
    """Judge the hand of a claim as far as it is known.

    Args:
        claim: the claim with its hand.
        setup: how the hand of the game began.
        rulebook: the rules.
        table: what is known of the hand beside the claim.
        asked: questions about the hand that must be answered first.
        alike: ask the same of a hand that wins as of one that does not.
    """
    how = circumstances(claim, setup, table or {})
    inside = [seat for seat in rulebook.places if seat not in (table or {}).get("out", ())]
    ask = (*(() if how is not None else (_ask_source(claim, inside),)), *asked)
    proposal = propose(claim, rulebook.hand_tiles)
    if proposal.questions or not proposal.hands:
        return Judgement(questions=(*ask, *proposal.questions), roles=proposal.roles)
    if how is None or asked:
        only = proposal.hands[0] if len(proposal.hands) == 1 else None
        return Judgement(
            laid=only.laid if only else None,
            win_index=only.win_index if only else None,
            questions=ask,
            roles=proposal.roles,
        )
    judged = _weigh(proposal, how, rulebook, alike=alike)
    doubts = _doubts(claim, judged, how, rulebook, alike=alike)
    return replace(judged, laid=None, win_index=None, verdict=None, questions=doubts) if doubts else judged


@dataclass(frozen=True, slots=True)
class _Weighed:
    """One way to understand the hand, with what the rules say of it."""

    option: HandOption
    verdict: Verdict

    @property
    def result(self) -> tuple[bool, int, Payments]:
        return _result(self.verdict)


def _result(verdict: Verdict) -> tuple[bool, int, Payments]:
    return (verdict.valid, verdict.total, verdict.payments)


def _weigh(proposal: Proposal, how: Circumstances, rulebook: Rulebook, *, alike: bool) -> Judgement:
    weighed, refusal = _judge_all(proposal.hands, how, rulebook)
    if refusal is not None and not weighed:
        question = Question(id="bad_tiles", text_key="bad_tiles", params=because("bad_tiles", refusal.sentence).params)
        return Judgement(questions=(question,), roles=proposal.roles)
    complete = [one for one in weighed if alike or one.verdict.reason != "shape"] or weighed
    questions = _differences(complete, proposal, how, alike=alike)
    candidates = _candidates(complete)
    best = complete[0]
    if questions:
        return Judgement(questions=questions, candidates=candidates, roles=proposal.roles)
    roles = dict(proposal.roles)
    if best.option.win_index is not None:
        roles[best.option.win_index] = "win"
    return Judgement(
        laid=best.option.laid,
        win_index=best.option.win_index,
        verdict=best.verdict,
        candidates=candidates,
        roles=roles,
    )


def _judge_all(
    options: Sequence[HandOption], how: Circumstances, rulebook: Rulebook
) -> tuple[list[_Weighed], BadHand | None]:
    """Judge every option; those with impossible tiles fall out, and the last such complaint is kept."""
    weighed: list[_Weighed] = []
    refusal: BadHand | None = None
    for option in options:
        try:
            weighed.append(_Weighed(option, rulebook.judge(option.laid, how)))
        except BadHand as error:
            refusal = error
    return weighed, refusal


def _differences(
    weighed: Sequence[_Weighed], proposal: Proposal, how: Circumstances, *, alike: bool
) -> tuple[Question, ...]:
    """What to ask: nothing if every way gives the same result, unless it is asked whatever the result.

    Whether an open kong was claimed or added is asked for its result alone: by the rulesets as they are no hand is
    worth more for it.
    """
    differs = len({one.result for one in weighed}) > 1
    if (differs or alike) and len({one.option.layout for one in weighed}) > 1:
        return (_ask_layout(),)
    winners = _by_winner(weighed)
    first = [results[0] for results in winners.values()]
    if len(first) > 1 and (alike or len({one.result for one in first}) > 1):
        return (_ask_win_tile(first),)
    if not differs:
        return ()
    return tuple(_ask_kong(group, how) for group, kind in proposal.natural.items() if kind == "kong_open")


def _doubts(
    claim: Claim, judged: Judgement, how: Circumstances, rulebook: Rulebook, *, alike: bool
) -> tuple[Question, ...]:
    """A question for each tile read in doubt, where another likely face would also win and change what is paid.

    Asked alike it is one for each that has another likely face.
    """
    if judged.verdict is None or claim.how not in ("camera", "photo") or not (judged.verdict.valid or alike):
        return ()
    questions: list[Question] = []
    for tile in claim.tiles:
        if tile.sure != "check" or tile.index in claim.pins or judged.roles.get(tile.index, "out") == "out":
            continue
        values: dict[str, Verdict | None] = {tile.tile: judged.verdict}
        for name, score in tile.also:
            if score >= LIKELY and name != BACK:
                other = propose(replace(claim, pins={**claim.pins, tile.index: name}), rulebook.hand_tiles)
                weighed = _weigh(other, how, rulebook, alike=alike) if other.hands else Judgement()
                if alike or (weighed.verdict is not None and weighed.verdict.valid):
                    values[name] = weighed.verdict
        results = {None if verdict is None else (verdict.total, verdict.payments) for verdict in values.values()}
        if len(values if alike else results) > 1:
            questions.append(_ask_doubt(tile.index, values))
    return tuple(questions)


def _ask_doubt(index: int, values: Mapping[str, Verdict | None]) -> Question:
    command: dict[str, Scalar] = {"kind": "fix_tile", "index": index}
    choices = tuple(
        Choice(command={**command, "tile": name}, text_key="tile", tile=name, total=_worth(verdict))
        for name, verdict in values.items()
    )
    return Question(id=f"doubt:{index}", text_key="ask_tile", params={}, choices=choices, tiles=(index,), pick=command)


def _worth(verdict: Verdict | None) -> int | None:
    """What a hand is worth, 0 if it is no win; None where more must be asked first."""
    return None if verdict is None else verdict.total if verdict.valid else 0


def _by_winner(weighed: Sequence[_Weighed]) -> dict[str, list[_Weighed]]:
    winners: dict[str, list[_Weighed]] = {}
    for one in weighed:
        winners.setdefault(one.option.laid.win_tile, []).append(one)
    return winners


def _candidates(weighed: Sequence[_Weighed]) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(
            index=results[0].option.win_index,
            tile=tile,
            valid=results[0].verdict.valid,
            total=results[0].verdict.total,
        )
        for tile, results in _by_winner(weighed).items()
    )


def _ask_source(claim: Claim, inside: Sequence[Seat]) -> Question:
    others = (seat for step in (1, 2, 3) if (seat := (claim.seat + step) % 4) in inside)
    discards = tuple(
        Choice(
            command={"kind": "set_facts", "source": "discard", "from_seat": seat},
            text_key="discard",
            seat=seat,
        )
        for seat in others
    )
    drawn = Choice(command={"kind": "set_facts", "source": "self_draw"}, text_key="self_draw")
    return Question(id="source", text_key="ask_source", params={}, choices=(drawn, *discards))


def _ask_layout() -> Question:
    choices = tuple(
        Choice(command={"kind": "set_layout", "melds": melds}, text_key=key)
        for melds, key in ((True, "layout_melds"), (False, "layout_closed"))
    )
    return Question(id="layout", text_key="ask_layout", params={}, choices=choices)


def _ask_win_tile(first: Sequence[_Weighed]) -> Question:
    choices = []
    for one in first:
        tile, index = one.option.laid.win_tile, one.option.win_index
        target: dict[str, Scalar] = {"tile": tile} if index is None else {"index": index}
        choices.append(Choice(command={"kind": "set_win_tile", **target}, text_key="tile", tile=tile))
    indices = tuple(one.option.win_index for one in first if one.option.win_index is not None)
    return Question(id="win_tile", text_key="ask_win_tile", params={}, choices=tuple(choices), tiles=indices)


def _ask_kong(group: int, how: Circumstances) -> Question:
    kinds: tuple[MeldKind, ...] = ("kong_open", "kong_added")
    choices = tuple(
        Choice(command={"kind": "set_meld", "group": group, "meld_kind": kind}, text_key=kind) for kind in kinds
    )
    return Question(id=f"kong:{group}", text_key="ask_kong", params={"seat": how.winner}, choices=choices)
