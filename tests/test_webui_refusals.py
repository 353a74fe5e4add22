"""Whatever is refused, a page says it in its own language: no exception's English text comes through.

Every way is looked at in the source: what the rules call impossible, what the ledger refuses, what the pages' own doors
refuse. A new exception without a sentence fails here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import rules
from rules.impossible import IMPOSSIBLE
from table.decision import Rejected
from table.ledger_errors import LedgerError
from table.model import LaidHand
from table.rulebook import BadHand
from table.rules_input import check_facts, check_tiles
from table.sentences import SENTENCES, ledger_trouble
from tests.table_kit import UNREADY, Desk, opened, view
from webui.texts import LANGUAGES, ONLY_FOR, catalogue, words_for

RULES = Path(rules.__file__).parent
ROOT = RULES.parent

FOR_PROGRAMS = {
    "errors.py", "reading_json.py", "question.py", "questions.py", "tiles.py", "claims.py", "policies.py",
    "rulesets/changsha_start.py", "rulesets/changsha_table.py", "rulesets/fujian.py", "rulesets/jiaxing_table.py",
    "rulesets/popular.py", "rulesets/sichuan.py", "rulesets/sichuan_battle.py", "rulesets/sichuan_table.py",
}  # fmt: skip
"""Where the form of a question is read (JSON, events, words): what only a program can get wrong has one sentence."""

NESTING = {"bad_command", "bad_tiles", "bad_facts", "draw_shows", "not_settled_under", "ledger_trouble"}
"""Sentences that hold another one as their `detail`; pages put that one in by its key, `why`."""

READABLE = {
    "seat", "by", "from_seat", "dealer", "tile", "tiles", "meld", "kind", "count", "size", "melds", "expected", "found",
    "laid", "drawn", "least", "most", "field", "code", "detail",
}  # fmt: skip
"""Values that pages can show: players, tiles and melds by name, numbers; `laid` is one in `fifth_laid` alone.
`field` is one of a command, those that people type into by name; `code` the number of a character."""


def calls(folder: Path, *names: str) -> Iterator[tuple[Path, ast.Call]]:
    """Calls of a function or method in the source, by its name."""
    for path, called, node in every_call(folder):
        if called in names:
            yield path, node


@cache
def every_call(folder: Path) -> list[tuple[Path, str, ast.Call]]:
    return [
        (path, node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", ""), node)
        for path in sorted(folder.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
    ]


def first(call: ast.Call, place: int = 0) -> str:
    """A text written out as an argument; empty if it is none."""
    found = call.args[place] if len(call.args) > place else None
    return found.value if isinstance(found, ast.Constant) and isinstance(found.value, str) else ""


def test_what_the_rules_call_impossible_has_a_key() -> None:
    bare = {path.relative_to(RULES).as_posix() for path, _ in calls(RULES, "RulesInputError")}
    assert bare <= FOR_PROGRAMS
    raised = {first(call) for _, call in calls(RULES, "Impossible")} - {""}
    assert raised <= set(IMPOSSIBLE)
    source = "".join(path.read_text("utf-8") for path in RULES.rglob("*.py") if path.name != "impossible.py")
    assert not [key for key in IMPOSSIBLE if f'"{key}"' not in source]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_is_said_in_every_language_with_names_and_numbers_only(language: str) -> None:
    texts = catalogue(language).texts
    reasons = [key for key in SENTENCES if key.startswith("why.")]
    assert len(reasons) > len(IMPOSSIBLE) > 60
    for key in reasons:
        places = set(re.findall(r"\{(\w+)\}", texts[f"say.{key}"]))
        assert places <= READABLE - {"detail"}, key
        if language != "en":
            assert not re.search(r"[A-Za-z]{2,}", re.sub(r"\{\w+\}", "", texts[f"say.{key}"])), key
    for part in ONLY_FOR["say.why"]:
        assert {f"say.{key}" for key in reasons} <= set(words_for(language, part).texts), part


def test_no_page_shows_the_text_of_an_exception() -> None:
    for language in LANGUAGES:
        with_detail = {key for key, text in catalogue(language).texts.items() if "{detail}" in text}
        assert with_detail == {f"say.{key}" for key in NESTING}, language
    for folder in ("table", "webui"):
        for path, call in calls(ROOT / folder, "say", "reject", "problem", "NotSettled"):
            if first(call) in NESTING:
                assert path.name == "sentences.py", (path, call.lineno)


def test_every_door_of_the_pages_says_what_it_refuses() -> None:
    for language in LANGUAGES:
        texts = catalogue(language).texts
        for name, place in (("problem", 2), ("BadRequestError", 1), ("PinError", 1)):
            for path, call in calls(ROOT / "webui", name):
                key = first(call, place)
                assert not key or f"say.{key}" in texts, (path, call.lineno, key)


def errors(start: type[LedgerError] = LedgerError) -> Iterator[type[LedgerError]]:
    yield start
    for one in start.__subclasses__():
        yield from errors(one)


def test_what_the_ledger_refuses_is_one_of_its_sentences() -> None:
    kinds = list(errors())
    assert len({kind.why for kind in kinds}) == len(kinds) > 5
    for kind in kinds:
        said = ledger_trouble(kind("English."))
        assert said.text == "English."
        assert said.params["why"] in SENTENCES


# --- what people at the table meet ------------------------------------------------------------------------------------


def refused(desk: Desk, kind: str, **fields: object) -> Rejected:
    answer = desk.do(kind, **fields)
    assert isinstance(answer, Rejected)
    return answer


def test_a_wrong_count_of_tiles_at_the_empty_wall_names_who_and_how_many() -> None:
    desk = opened("sichuan")
    shown = {str(seat): {"hand": hand} for seat, hand in enumerate(UNREADY)}
    shown["2"] = {"hand": "1478p258s369p"}
    said = refused(desk, "draw_hand", players=shown).sentence
    assert said.key == "draw_shows"
    assert said.params["why"] == "why.shown_size"
    assert (said.params["seat"], said.params["count"], said.params["expected"]) == (2, 10, 13)


def test_two_players_are_named_by_their_seats_at_the_table() -> None:
    desk = opened("two_player")
    desk.must("claim_win", seat=2, source="self_draw")
    desk.must("hand_manual", hand="123456789m123s", win_tile="1s")
    claim = view(desk).claim
    assert claim is not None
    (question,) = [one for one in claim.questions if one.id == "bad_tiles"]
    assert question.params["why"] == "why.hand_size"
    assert question.params["seat"] == 2
    assert "seat 2" in str(question.params["detail"])


def test_the_reason_of_a_refused_correction_of_options_is_said_too() -> None:
    desk = opened("wuhan")
    desk.must("draw_hand")
    options = {"check_ready_at_draw": True}
    said = refused(desk, "correct_options", options=options, reason="who is ready is paid").sentence
    assert said.key == "not_settled_under"
    assert said.params["why"] == "why.ready_unknown"
    assert (said.params["hand_no"], said.params["seat"]) == (1, 0)


def test_tiles_and_facts_that_only_a_program_can_send_have_one_sentence() -> None:
    for check in (lambda: check_facts({"nonsense": 1}), lambda: check_facts({"dice": "two"})):
        with pytest.raises(BadHand) as caught:
            check()
        assert caught.value.sentence.key == "why.unreadable"
    with pytest.raises(BadHand) as caught:
        check_tiles(LaidHand(hand="11111m"))
    assert caught.value.sentence.key == "why.fifth_typed"


@pytest.mark.parametrize(
    ("language", "kongs"), [("zh-Hans", "已记的杠"), ("zh-Hant", "已記的槓"), ("en", "kongs entered")]
)
def test_a_tile_that_lies_too_often_is_not_said_of_shown_hands_alone(language: str, kongs: str) -> None:
    """A second kong of a tile is refused while nobody has shown a hand."""
    desk = Desk().open(ruleset="sichuan")
    desk.must("kong", seat=1, meld_kind="kong_concealed", tile="9s")
    answer = refused(desk, "kong", seat=2, meld_kind="kong_concealed", tile="9s")
    assert answer.sentence.params == {"tile": "9s", "count": 8}
    assert kongs in catalogue(language).texts[f"say.{answer.sentence.key}"]
