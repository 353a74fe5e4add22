"""One table without threads: commands in, ledger entries and a new state out.

The runtime feeds it from its inbox and replay feeds it from a file; the same messages in the same order, with the same
times, make the same ledger bit for bit.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from table import commands
from table import events as ev
from table.decision import Accepted, Decision, Rejected, reject
from table.fold import StateError, advance, fold
from table.ledger import Batch, Ledger, LedgerCorrupt, LedgerError
from table.model import Actor
from table.rulebook import Rulebook, UnknownRules, open_rulebook
from table.sentences import ledger_trouble
from table.session import Books, decide, decide_shown
from table.state import State


class TableCore:
    """The state of a table and its ledger, always in step: what is not written has not happened."""

    def __init__(self, ledger: Ledger, books: Books = open_rulebook) -> None:
        """Take up the table where its ledger ends.

        Raises:
            LedgerError: the ledger is damaged, or its entries do not fit each other.
        """
        self._ledger = ledger
        self._books = books
        self._trouble: LedgerError | None = None
        try:
            self._state = fold(ledger.entries())
        except StateError as error:
            raise LedgerCorrupt(f"The ledger {ledger.path} does not add up: {error} Restore the last backup.") from None

    @property
    def state(self) -> State:
        """The table now."""
        return self._state

    @property
    def trouble(self) -> LedgerError | None:
        """What went wrong at the last attempt to write; None when it went well."""
        return self._trouble

    def rulebook(self) -> Rulebook | None:
        """The rules of the open game; None without a game, or if this Paiju no longer has them."""
        game = self._state.game
        if game is None:
            return None
        try:
            return self._books(game.ruleset, game.options)
        except UnknownRules:
            return None

    def carry_out(self, command: commands.Command, at_ms: int) -> Accepted | Rejected:
        """Carry out a command once; the same key again gives the same answer without doing it twice.

        Another command with that key is refused: a tap must not be lost unnoticed.
        """
        asked = _in_short(command)
        earlier = self._repeated(command.idem, asked)
        if earlier is not None:
            return earlier
        try:
            decision = decide(self._state, command, self._books)
        except UnknownRules as error:
            return reject("unknown_ruleset", detail=str(error))
        return self._write(decision, _Said(actor=command.actor, idem=command.idem, at_ms=at_ms, asked=asked))

    def show(self, shown: ev.HandShown, actor: Actor, idem: str, at_ms: int) -> Accepted | Rejected:
        """Take in what the eyes have read in a picture."""
        earlier = self._repeated(idem)
        if earlier is not None:
            return earlier
        said = _Said(actor=actor, idem=idem, at_ms=at_ms)
        return self._write(decide_shown(self._state, shown, self._books), said)

    def knows(self, idem: str) -> bool:
        """Whether the ledger holds what was asked under this key.

        Raises:
            LedgerError: it cannot be read.
        """
        return bool(self._ledger.find(idem))

    def _repeated(self, idem: str, asked: str = "") -> Accepted | Rejected | None:
        try:
            entries = self._ledger.find(idem)
            before = self._ledger.asked(idem) if entries and asked else ""
        except LedgerError as error:
            self._trouble = error
            return Rejected(sentence=ledger_trouble(error))
        if not entries:
            return None
        if before not in ("", asked):
            return reject("key_used")
        kinds = tuple(entry.event.kind for entry in entries)
        return Accepted(seq=entries[-1].seq, events=kinds, repeated=True)

    def _write(self, decision: Decision | Rejected, said: _Said) -> Accepted | Rejected:
        if isinstance(decision, Rejected):
            return decision
        if not decision.events:
            return self._accepted(decision)
        batch = Batch(
            after=self._state.seq,
            at_ms=said.at_ms,
            actor=said.actor,
            idem=said.idem,
            events=decision.events,
            asked=said.asked,
        )
        try:
            entries = self._ledger.append(batch)
        except LedgerError as error:
            self._trouble = error
            return Rejected(sentence=ledger_trouble(error))
        self._trouble = None
        for entry in entries:
            self._state = advance(self._state, entry)
        return self._accepted(decision)

    def _accepted(self, decision: Decision) -> Accepted:
        return Accepted(
            seq=self._state.seq,
            events=tuple(event.kind for event in decision.events),
            changes=decision.changes,
            rows=decision.rows,
            win=decision.win,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """Who said it, under which key, when, and what was asked in short."""

    actor: Actor
    idem: str
    at_ms: int
    asked: str = ""


def _in_short(command: commands.Command) -> str:
    """A hash of what a command asks, whoever sends it: what is left at its default does not matter."""
    asked = command.model_dump(mode="json", exclude={"idem", "actor"}, exclude_defaults=True)
    text = json.dumps([command.kind, asked], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
