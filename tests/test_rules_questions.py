"""The JSON form of questions: clear errors, every kind dispatched, options with suggestions, explanations."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rules.errors import RulesInputError, UnknownKind, UnknownOption, UnknownRuleset
from rules.evaluate import REASONS
from rules.explain import explain, reading_text, why_not
from rules.fan_names import FAN_NAMES, fan_name
from rules.model import Meld, Reading
from rules.options import choice, switch, whole
from rules.questions import answer, answer_line, parse, plain_points, solve
from rules.reading_json import meld_json, parse_melds
from rules.registry import RULESETS, names, ruleset
from rules.wording import CHINESE


def question(**changes: Any) -> dict[str, Any]:
    """A good question with some fields changed; `winner` changes fields of the winner."""
    winner = {"seat": 0, "hand": "123456789m11p23s", "melds": [], "win_tile": "4s", "source": "discard", "from_seat": 2}
    winner |= changes.pop("winner", {})
    base = {"id": "q", "ruleset": "gb", "kind": "hand", "options": {}, "state": {}, "winners": [winner], "events": []}
    return base | changes


def test_the_answer_has_its_fixed_keys() -> None:
    reply = answer(question())
    assert list(reply) == ["id", "valid", "payments", "winners"]
    assert reply["id"] == "q"
    assert reply["payments"] == [44, -8, -28, -8]
    assert json.loads(json.dumps(reply, ensure_ascii=False)) == reply


def test_absent_kind_and_empty_parts_take_their_defaults() -> None:
    full = question()
    short = {key: full[key] for key in ("id", "ruleset", "winners")}
    assert answer(short) == answer(full)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"ruleset": "gd"}, 'did you mean "gb"'),
        ({"ruleset": 7}, '"ruleset" must be a name'),
        ({"kind": "hnad"}, 'did you mean "hand"'),
        ({"options": {"profil": "gb"}}, 'did you mean "profile"'),
        ({"options": {"profile": "mcr2007"}}, 'did you mean "mcr2006"'),
        ({"options": {"minimum": "8"}}, "a whole number of at least 0"),
        ({"options": {"minimum": True}}, "a whole number of at least 0"),
        ({"options": {"wildcard": "1f"}}, "a tile such as 7z, or null"),
        ({"options": []}, "must be an object"),
        ({"options": ["gb"]}, '"options" must be an object'),
        ({"state": {"dealr": 1}}, 'did you mean "dealer"'),
        ({"state": {"dealer": 4}}, "must be a seat 0-3, found 4"),
        ({"state": {"round_wind": "Q"}}, "one of E, S, W, N"),
        ({"state": {"last_tile": 1}}, "state.last_tile must be true or false"),
        ({"state": [1]}, "state must be an object"),
        ({"winners": []}, "at least one entry"),
        ({"winners": {"seat": 0}}, "winners must be a list"),
        ({"winner": {"sead": 1}}, 'did you mean "seat"'),
        ({"winner": {"seat": True}}, "winners[0].seat must be a whole number"),
        ({"winner": {"hand": 12}}, "winners[0].hand must be a list"),
        ({"winner": {"hand": "12q"}}, '"q" at place 3'),
        ({"winner": {"win_tile": "45s"}}, "expected one tile"),
        ({"winner": {"win_tile": ""}}, "the winning tile is missing"),
        ({"winner": {"source": "self-draw"}}, 'did you mean "self_draw"'),
        ({"winner": {"source": "self_draw"}}, "`from_seat` must be null"),
        ({"winner": {"from_seat": None}}, "needs `from_seat`"),
        ({"winner": {"from_seat": 0}}, "from the winner himself"),
        ({"winner": {"hand": "123456789m11p2s"}}, "has 12 tiles; with 0 melds it takes 13"),
        ({"winner": {"hand": "123456789m11p21f"}}, "is a flower"),
        ({"winner": {"flowers": "11f"}}, "exists only once"),
        ({"winner": {"flowers": "1m"}}, "is no flower"),
        ({"winner": {"melds": [{"type": "pong", "tiles": "111z"}]}}, 'did you mean "'),
        ({"winner": {"melds": [{"type": "peng", "tiles": "112z"}]}}, "must be 3 equal tiles"),
        ({"winner": {"melds": [{"type": "chi", "tiles": "124m"}]}}, "three ranks in a row"),
        ({"winner": {"melds": [{"type": "chi", "tiles": "89m1p"}]}}, "three ranks in a row"),
        ({"winner": {"melds": [{"type": "kong_open", "tiles": "111m"}]}}, "has 3 tiles; it takes 4"),
        ({"winner": {"melds": [{"type": "chi", "tiles": "123m", "from": 1}]}}, "only a discard of the previous seat"),
        ({"winner": {"melds": [{"type": "peng", "tiles": "111m", "from": 0}]}}, "from the player himself"),
        ({"winner": {"melds": [{"type": "kong_concealed", "tiles": "1111m", "from": 1}]}}, "must be null"),
        ({"kind": "wall"}, "gb has no question of kind wall; it has hand, dealer"),
        ({"kind": "dealer"}, "exactly one event, found 0"),
        ({"kind": "dealer", "events": [{"result": "won"}]}, "one of win, draw"),
        ({"kind": "claim", "events": [{"from": 0, "wants": {"2": "chi"}}]}, "only the next seat may"),
        ({"kind": "claim", "events": [{"from": 0, "wants": {"2": "steal"}}]}, "a claim is one of"),
        ({"events": [5]}, "events[0] must be an object"),
    ],
)  # fmt: skip
def test_malformed_input_is_one_clear_error(changed: dict[str, Any], says: str | None) -> None:
    reply = answer_line(question(**changed))
    if says is None:
        assert "error" not in reply
    else:
        assert set(reply) == {"id", "error"}
        assert reply["id"] == "q"
        assert says in str(reply["error"])


def test_error_types_tell_what_was_wrong() -> None:
    with pytest.raises(UnknownRuleset):
        ruleset("gbb")
    with pytest.raises(UnknownOption):
        ruleset("gb", {"x": 1})
    with pytest.raises(UnknownKind):
        answer(question(kind="sea"))
    assert issubclass(UnknownKind, RulesInputError)


def test_the_three_other_kinds_of_gb() -> None:
    state = {"dealer": 3, "round_wind": "E"}
    reply = answer(question(kind="dealer", state=state, winners=[], events=[{"result": "win", "winners": [3]}]))
    assert (reply["next_dealer"], reply["next_round"]) == (0, "S")
    assert answer(question(kind="draw", state={"dealer": 0}, winners=[]))["next_dealer"] == 1
    claim = question(kind="claim", winners=[], events=[{"from": 1, "can_win": [0, 3], "wants": {"2": "chi"}}])
    assert answer(claim)["claim_goes_to"] == 3
    claim["events"] = [{"from": 1, "wants": {"0": "peng", "2": "chi"}}]
    reply = answer(claim)
    assert (reply["claim_goes_to"], reply["claim"], reply["valid"]) == (0, "peng", True)
    claim["events"] = [{"from": 1}]
    assert answer(claim)["claim"] is None


def test_a_refusal_is_no_error() -> None:
    reply = answer(question(winner={"win_tile": "9s"}))
    assert (reply["valid"], reply["reason"], reply["payments"]) == (False, "shape", [0, 0, 0, 0])


def test_options_give_true_and_one_different_meanings() -> None:
    assert switch(True).accepts(False)
    assert not switch(True).accepts(1)
    assert not choice(1, 2).accepts(True)
    assert whole(None).accepts(None)
    assert not whole(0).accepts(None)


def test_melds_as_typed_on_a_command_line() -> None:
    melds = parse_melds("chi:123m, peng:555p@2,kong_concealed:9999s")
    assert melds == (Meld.parse("chi", "123m"), Meld.parse("peng", "555p", 2), Meld.parse("kong_concealed", "9999s"))
    assert [meld_json(meld)["tiles"] for meld in melds] == ["123m", "555p", "9999s"]
    assert parse_melds("") == ()
    for wrong in ("123m", "pung:111m", "chi:12q", "peng:111m@9"):
        with pytest.raises(RulesInputError):
            parse_melds(wrong)


# ---------------------------------------------------------------- explanations


def test_an_explanation_accounts_for_every_fan_of_the_table() -> None:
    rules, parsed = parse(question())
    verdict = solve(rules, parsed).winners[0]
    reasons = why_not(rules, verdict, "en")
    counted = [fan_name(line.name, "en") for line in verdict.fans]
    assert sorted(counted + [name for name, _ in reasons]) == sorted(fan_name(row.name, "en") for row in rules.fans)
    because = dict(reasons)
    assert because["No Honors"] == "included in All Chows"
    assert because["Chicken Hand"] == "counts only when nothing else does"
    assert because["Seven Pairs"].startswith("not met: Seven pairs")
    assert dict(why_not(rules, verdict, "zh-Hant"))["無字"] == "已含於平和"


def test_an_explanation_in_words() -> None:
    rules, parsed = parse(question())
    text = explain(rules, parsed, solve(rules, parsed), "en")
    assert "seat 0: win · 20 points in all" in text
    assert "read as 123m 456m 789m 234s 11p" in text
    assert "+ Pure Straight 16: Chows 123, 456 and 789 of one suit." in text
    assert "- No Honors: included in All Chows" in text
    assert "seat 1 pays seat 0 8 (base)" in text
    chinese = str(answer(question(), explained=True)["explain"])
    assert "+ 清龙 16: 同一花色的 123、456、789 三副顺子。" in chinese
    assert "1 号位付给 0 号位 8（底分）" in chinese


def test_two_chows_that_a_straight_ties_together_are_said_to_be_included_in_it() -> None:
    winner = {"seat": 0, "hand": "123m456m789m12p55z", "melds": [], "win_tile": "3p", "source": "self_draw"}
    rules, parsed = parse({"ruleset": "gb", "winners": [winner]})
    (verdict,) = solve(rules, parsed).winners
    because = dict(why_not(rules, verdict, "en"))
    assert because["Two Terminal Chows"] == because["Short Straight"] == "included in Pure Straight"
    assert because["Pure Double Chow"].startswith("not met")


@pytest.mark.parametrize("name", names())
def test_every_definition_is_there_in_chinese(name: str) -> None:
    missing = {row.meaning for row in ruleset(name).fans} - set(CHINESE)
    assert not missing


def test_every_reason_and_phrase_is_there_in_chinese() -> None:
    assert set(REASONS.values()) <= set(CHINESE)
    for english, (hans, hant) in CHINESE.items():
        assert len(hans) == len(hant)
        assert sorted(re.findall(r"{\w+}", english)) == sorted(re.findall(r"{\w+}", hans))


def test_readings_are_written_as_players_lay_them_out() -> None:
    assert reading_text(Reading("seven_pairs", pairs=(0, 9))) == "11m 11p"
    assert reading_text(Reading("orphans", pair=0)) == "orphans"
    wild = Reading("standard", chows=(0,), pair=33, wilds_as=(2,))
    assert reading_text(wild) == "123m 77z (wildcards as 3m)"


@pytest.mark.parametrize("name", names())
def test_every_fan_has_a_name_in_three_languages(name: str) -> None:
    rows = {row.name for rules in (ruleset(name), next(r for r in RULESETS if r.name == name)) for row in rules.fans}
    assert rows <= set(FAN_NAMES)
    assert all(fan_name(row, "en").isascii() or "×" in fan_name(row, "en") for row in rows)
    assert fan_name("断幺", "zh-Hant") == "斷幺"


def test_half_points_are_written_as_decimals() -> None:
    from fractions import Fraction

    assert [plain_points(value) for value in (3, Fraction(3, 2), Fraction(4, 2))] == [3, 1.5, 2]
    assert isinstance(plain_points(Fraction(4, 2)), int)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"winers": []}, 'no part "winers"'),
        ({"option": {}}, 'no part "option"'),
        ({"state": 0}, "state must be an object"),
        ({"winners": {}}, "winners must be a list"),
        ({"events": {}}, "events must be a list"),
        ({"state": {"players": {"0": {"meld": []}}}}, 'no field "meld"; did you mean "melds"'),
        ({"state": {"players": {"0": {"kongs": ["peng"]}}}}, "peng is no kong"),
        ({"state": {"liability": [{"for": 1, "kind": "十二張"}]}}, '"by" is missing'),
        ({"state": {"kong_ledger": [{"by": 1, "type": "chi", "paid": {}}]}}, "chi is no kong"),
        ({"kind": "claim", "events": [{"from": 2, "wants": {"2": "peng"}}]}, "cannot claim it himself"),
        ({"kind": "claim", "events": [{"from": 2, "can_win": [2]}]}, "cannot claim it himself"),
        ({"kind": "claim", "events": [{"from": 0, "wants": {"1": "peng", "2": "kong_open"}}]}, "both want a pung"),
        ({"kind": "dealer", "events": [{"result": "draw", "winners": [1]}]}, "a drawn hand has no winners"),
        ({"kind": "false_win", "events": [{"by": 1, "each": -5}]}, "0 or more"),
        ({"options": {"minimum": 10**9}}, "numbers go up to 1000000"),
        ({"ruleset": "popular", "options": {"fan_cap": 31}}, "a whole number from 1 to 30"),
        ({"state": {"balances": [10**40, 0, 0, 0]}}, "nobody holds more than"),
        ({"kind": "dealer", "events": [{"result": "win", "winners": [1], "from": 1}]}, "on his own tile"),
    ],
)
def test_what_is_misspelt_or_contradicts_itself_is_one_clear_error(changed: dict[str, Any], says: str) -> None:
    assert says in str(answer_line(question(**changed)).get("error"))


def test_remarks_may_stand_beside_a_question() -> None:
    assert "error" not in answer_line(question(why="a remark", expect={}, source_page=12))


def test_wins_of_one_moment_are_of_different_players_and_of_one_tile() -> None:
    one = question()["winners"][0] | {"source": "discard", "from_seat": 3}
    again, other = dict(one), one | {"seat": 1, "from_seat": 2}
    assert "two wins at once" in str(answer_line(question(winners=[one, again])).get("error"))
    assert "must be the same for all" in str(answer_line(question(winners=[one, other])).get("error"))


FIXED_REASONS = {
    "shape", "below_minimum", "not_opened", "pair_not_258", "three_suits", "no_required_tai",
    "rob_forbidden_any_tile_wait", "passed_same_tile", "holding_hongzhong", "two_laizi_small",
    "discard_win_not_allowed", "tile_not_in_set",
}  # fmt: skip


def test_every_reason_is_one_of_the_fixed_words() -> None:
    assert set(REASONS) == FIXED_REASONS
    golden = Path(__file__).parent / "golden" / "rules"
    given = set()
    for path in sorted(golden.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            reply: dict[str, Any] = answer_line(json.loads(line))
            given |= {one["reason"] for one in reply.get("winners", []) if not one["valid"]}
    assert given == FIXED_REASONS


def test_an_explanation_keeps_to_the_rows_that_the_question_is_about() -> None:
    dealt = {"seat": 2, "hand": "4444m135p1379s28p", "melds": [], "win_tile": None, "source": "start_hand"}
    won = {"seat": 1, "hand": "123m456p78s22s999m", "melds": [], "win_tile": "9s", "source": "discard", "from_seat": 2}
    start = answer({"ruleset": "changsha", "kind": "start", "winners": [dealt]}, explained=True)["explain"]
    hand = answer({"ruleset": "changsha", "winners": [won]}, explained=True)["explain"]
    assert ["板板胡" in str(text) for text in (start, hand)] == [True, False]
    assert ["碰碰胡" in str(text) for text in (start, hand)] == [False, True]


def test_five_copies_among_several_winners_are_remarked() -> None:
    one = {"seat": 1, "hand": "123m456m78s55m", "win_tile": "9s", "source": "discard", "from_seat": 0}
    one["melds"] = [{"type": "peng", "tiles": "222p", "from": 3}]
    four = one | {"seat": 2, "hand": "123m456m78s66s", "melds": [{"type": "peng", "tiles": "333p", "from": 3}]}
    five = four | {"hand": "123m456m78s55m"}
    notes = [answer({"ruleset": "guangdong", "winners": [one, two]}).get("notes") for two in (four, five)]
    assert notes == [None, ["the winners together show more than four copies of a tile; check the tiles"]]
