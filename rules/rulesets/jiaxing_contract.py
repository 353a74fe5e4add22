"""承包, the contract of 嘉興麻將: who forms one, who stays and who quits, and what that makes each player pay.

A player who has taken three melds from the same player is bound to him, and he to the taker, until the end of the hand.
Play pauses; each of the two others, unless bound or out already, chooses to stay or to quit. A quitter only draws and
discards from then on: he claims nothing, does not win, and pays and receives nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rules.errors import Impossible
from rules.model import HandResult, Plain, Seat, TableFacts, Winner
from rules.payments import seats_after
from rules.question import Event, Question

if TYPE_CHECKING:
    from rules.hand import Case
    from rules.ruleset import Ruleset

Pair = tuple[Seat, Seat]
"""(claimer, source)."""

MELDS_THAT_BIND = 3
BINDING_CLAIMS = ("chi", "peng", "kong_open")
OTHER_KONGS = ("kong_added", "kong_concealed")

PARTNER, OUTSIDER, BOUND_LOSER, ROBBED = 5, 2, 2, 3


# ---------------------------------------------------------------- the course of a hand


@dataclass(frozen=True, slots=True)
class Contracts:
    """The contracts of one hand after some events.

    `taken` are the sources of melds so far, one (claimer, source) for each; `formed` the contracts in order; `asked`
    those who have yet to say stay or quit, counter-clockwise from the claimer.
    """

    taken: tuple[Pair, ...] = ()
    formed: tuple[Pair, ...] = ()
    quit: tuple[Seat, ...] = ()
    asked: tuple[Seat, ...] = ()

    def bound(self, seat: Seat) -> bool:
        """Whether this player is in a contract."""
        return any(seat in pair for pair in self.formed)


def after_claim(contracts: Contracts, claimer: Seat, source: Seat) -> Contracts:
    """The contracts after a chow, a pung or a kong of a discard; a quitter's discard binds nobody.

    Raises:
        RulesInputError: The claimer has quit, or claims from himself.
    """
    if claimer == source:
        raise Impossible("claims_own", seat=claimer)
    if claimer in contracts.quit:
        raise Impossible("quit_claims", seat=claimer)
    if source in contracts.quit:
        return contracts
    pair = (claimer, source)
    taken = (*contracts.taken, pair)
    known = pair in contracts.formed or (source, claimer) in contracts.formed
    if known or taken.count(pair) < MELDS_THAT_BIND:
        return replace(contracts, taken=taken)
    formed = replace(contracts, taken=taken, formed=(*contracts.formed, pair))
    free = [seat for seat in seats_after(claimer) if not formed.bound(seat) and seat not in formed.quit]
    return replace(formed, asked=tuple(free))


def after_choice(contracts: Contracts, seat: Seat, choice: str) -> Contracts:
    """The contracts after one of the asked players says `stay` or `quit`.

    Raises:
        RulesInputError: This player was not asked.
    """
    if seat not in contracts.asked:
        known = ", ".join(map(str, contracts.asked)) or "nobody"
        raise Impossible("not_asked_to_stay", seat=seat, known=known)
    asked = tuple(one for one in contracts.asked if one != seat)
    leaving = (*contracts.quit, seat) if choice == "quit" else contracts.quit
    return replace(contracts, asked=asked, quit=leaving)


def after_event(contracts: Contracts, event: Event) -> Contracts:
    """One event of a `contract` question: `{claim, by, from}` or `{answer: stay|quit, seat}`."""
    if "answer" in event:
        return after_choice(contracts, event.seat("seat"), event.text("answer", "stay", "quit"))
    claim = event.text("claim", *BINDING_CLAIMS, *OTHER_KONGS)
    return contracts if claim in OTHER_KONGS else after_claim(contracts, event.seat("by"), event.seat("from"))


def answer_contract(rules: Ruleset, question: Question) -> HandResult:  # noqa: ARG001
    """The contracts after the events, and who has yet to choose."""
    contracts = Contracts(formed=question.facts.contracts, quit=question.facts.quit)
    for event in question.events:
        contracts = after_event(contracts, event)
    extras: list[tuple[str, Plain]] = [
        ("contracts_out", [list(pair) for pair in contracts.formed]),
        ("ask", list(contracts.asked)),
    ]
    if contracts.quit:
        extras.append(("quit_out", list(contracts.quit)))
    return HandResult.told(*extras)


# ---------------------------------------------------------------- what it does to a win


def share(winner: Seat, loser: Seat, facts: TableFacts) -> int:
    """How many times the unit a loser pays because of contracts; 0 for a quitter and where only the plain unit is due.

    A bound winner gets 5 from his partner and 2 from everybody else; a winner outside gets 2 from each bound player.
    """
    if loser in facts.quit:
        return 0
    if (winner, loser) in facts.contracts or (loser, winner) in facts.contracts:
        return PARTNER
    if any(winner in pair for pair in facts.contracts):
        return OUTSIDER
    return BOUND_LOSER if any(loser in pair for pair in facts.contracts) else 0


def check_contracts(rules: Ruleset, winner: Winner, facts: TableFacts) -> None:  # noqa: ARG001
    """A quitter cannot win, and nobody is both bound and a quitter.

    Raises:
        RulesInputError: The table says so.
    """
    if winner.seat in facts.quit:
        raise Impossible("quit_wins", seat=winner.seat)
    for claimer, source in facts.contracts:
        if claimer == source:
            raise Impossible("contract_of_one", seat=claimer)
        gone = [seat for seat in (claimer, source) if seat in facts.quit]
        if gone:
            raise Impossible("bound_quits", seat=gone[0], pair=f"{claimer}, {source}")


def missing_contract_note(case: Case) -> tuple[str, ...]:
    """A remark when the winner shows three melds from one player and the table has no contract of the two."""
    facts, seat = case.facts, case.seat
    sources: Sequence[Seat | None] = [meld.source_seat for meld in case.winner.melds]
    missing = any(
        sources.count(source) >= MELDS_THAT_BIND
        and source not in facts.quit
        and (seat, source) not in facts.contracts
        and (source, seat) not in facts.contracts
        for source in range(4)
    )
    return ("three melds from one player are shown, but the table has no contract of the two",) if missing else ()
