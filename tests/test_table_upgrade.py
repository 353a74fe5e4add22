"""A game keeps the scores that people agreed on, whatever a later version of the rules would say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rules import registry
from table.cli import main
from table.export import games
from table.ledger import read
from table.rejudge import RulingChange, ruling_changes
from table.rulebook import RulesetBook, open_rulebook
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


def changed_books(**values: int) -> Any:
    """Books of a later Paiju: these fans have other values, or (0) are no fans any more."""

    def books(name: str, options: Mapping[str, Any]) -> RulesetBook:
        rules = registry.ruleset(name, options)
        fans = tuple(
            replace(row, value=values.get(row.name, row.value)) for row in rules.fans if values.get(row.name, 1)
        )
        return RulesetBook(replace(rules, fans=fans, version="2"))

    return books


def test_the_rulings_that_changed_are_named_hand_by_hand(table: Table) -> None:
    table.must("claim_win", seat=2, source="discard", from_seat=3)
    table.must("hand_manual", hand="1133m2277p4499s5z", win_tile="5z")  # 七对 24
    table.must("approve")
    (state,) = games(read(table.folder / LEDGER_NAME)).values()
    assert ruling_changes(state, open_rulebook) == ()
    # 清龙 16 + 混一色 6 + 不求人 4 = 26 self-drawn: 34 each; with 清龙 12 it is 22: 30 each
    assert ruling_changes(state, changed_books(清龙=12)) == (
        RulingChange(
            hand_no=1,
            before=(-34, 102, -34, -34),
            now=(-30, 90, -30, -30),
            rulings=("清龙 counted 16, now 12", "the hand of seat 1 counted 26, now 22"),
        ),
    )
    (first, second) = ruling_changes(state, changed_books(清龙=0, 七对=4))
    assert (first.hand_no, second.hand_no) == (1, 2)
    assert "清龙 16 no longer counts" in first.rulings
    assert second.now is None
    assert "below_minimum" in second.rulings[0]


def test_the_command_line_says_which_ruling_changed(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    runner = CliRunner()
    same = runner.invoke(main, ["audit", "rules", "--data", str(table.folder)])
    assert (same.exit_code, same.output.splitlines()[-1]) == (0, "every hand is paid as it was")
    monkeypatch.setattr("table.rulebook.open_rulebook", changed_books(清龙=12))
    changed = runner.invoke(main, ["audit", "rules", "--data", str(table.folder)])
    assert changed.exit_code == 1
    assert changed.output.splitlines() == [
        "gb: opened with version 1, this Paiju has version 2",
        "hand 1: paid -34 102 -34 -34, now -30 90 -30 -30: "
        "清龙 counted 16, now 12; the hand of seat 1 counted 26, now 22",
    ]


def test_a_replay_after_an_upgrade_says_what_it_pays_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recording = Path(__file__).parent / "golden" / "evenings" / "gb.jsonl"
    runner, old = CliRunner(), tmp_path / "old.sqlite3"
    assert runner.invoke(main, ["replay", str(recording), "--into", str(old)]).exit_code == 0
    again = ["replay", str(recording), "--against", str(old), "--into"]
    same = runner.invoke(main, [*again, str(tmp_path / "same.sqlite3")])
    assert (same.exit_code, same.output.splitlines()[-1]) == (0, "bit for bit the same ledger")
    books = changed_books(七对=20)
    monkeypatch.setattr("table.core.TableCore.__init__.__defaults__", (books,))
    changed = runner.invoke(main, [*again, str(tmp_path / "changed.sqlite3")])
    assert changed.exit_code == 1
    lines = [line for line in changed.output.splitlines() if line.startswith("hand ")]
    assert [line.split(":")[0] for line in lines] == ["hand 2", "hand 12", "hand 16"]
    assert all("七对 counted 24, now 20" in line for line in lines)
