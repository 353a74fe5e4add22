"""A game keeps the scores that people agreed on, whatever a later version of the rules would say."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.export import games
from table.ledger import read
from table.runtime import LEDGER_NAME
from tests.evidence_kit import Table
from tests.table_kit import PennyRules, penny_books


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A self-drawn win of 26 under gb: 3 x (26 + 8) for Ben."""
    table = Table(tmp_path / "data").open()
    table.win(1, shade=10)
    return table


def test_an_old_game_has_its_scores_without_asking_any_rules(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_rules(*_: object) -> None:
        raise AssertionError("the rules were asked about a hand that is over")

    monkeypatch.setattr("rules.registry.ruleset", no_rules)
    monkeypatch.setattr("table.rulebook.open_rulebook", no_rules)
    (state,) = games(read(table.folder / LEDGER_NAME)).values()
    assert state.totals == (-34, 102, -34, -34)
    assert state.game is not None
    assert (state.game.ruleset, state.game.ruleset_version) == ("gb", "1")


def test_rules_that_price_otherwise_change_later_hands_only(table: Table) -> None:
    table.desk.books = penny_books(PennyRules())
    table.must("claim_win", seat=2, source="discard", from_seat=3)
    table.must("hand_manual", hand="123456789m23m44z", win_tile="4m")
    table.must("approve")
    (state,) = games(read(table.folder / LEDGER_NAME)).values()
    assert state.hands[0].outcome.payments == (-34, 102, -34, -34)
    assert state.totals == (-34, 102, -33, -35)
