"""Questions that look answerable and are not: each gets one sentence, or the right payment, in every game."""

from __future__ import annotations

from typing import Any

import pytest

from rules.errors import RulesInputError
from rules.questions import answer

STRAIGHT = {"hand": "123456789m123p1s", "win_tile": "1s"}
"""A whole hand in most games."""
KONG = {"hand": "123m456m7p123p", "melds": [{"type": "kong_open", "tiles": "9999p", "from": 0}], "win_tile": "7p"}


def ask(ruleset: str, kind: str = "hand", **question: Any) -> dict[str, Any]:
    return answer({"ruleset": ruleset, "kind": kind, **question})


def wins(*seats: int, **fields: Any) -> list[dict[str, Any]]:
    return [{"seat": seat, **STRAIGHT, **fields} for seat in seats]


DRAWN = {"source": "self_draw"}
FED = {"source": "discard", "from_seat": 0}


@pytest.mark.parametrize("ruleset", ["gb", "guangdong", "fujian", "popular"])
@pytest.mark.parametrize(
    "winners", [wins(1, 2, **DRAWN), [*wins(1, **DRAWN), *wins(2, **FED)], [*wins(2, **FED), *wins(1, **DRAWN)]]
)
def test_nobody_else_wins_the_tile_that_one_player_drew(ruleset: str, winners: list[dict[str, Any]]) -> None:
    with pytest.raises(RulesInputError, match="seat 1 drew the winning tile, so nobody else"):
        ask(ruleset, winners=winners)


def test_the_sea_tile_is_the_takers_before_the_others() -> None:
    """長沙: the taker wins alone (海底撈月), even if another could win his tile."""
    tiles = {"hand": "123456789m123p2s", "win_tile": "2s"}
    taker = {"seat": 1, **tiles, "source": "sea_bottom"}
    other = {"seat": 2, **tiles, "source": "sea_bottom", "from_seat": 1}
    said = ask("changsha", options={"bird_count": 0}, winners=[taker, other])
    assert [one["valid"] for one in said["winners"]] == [True, False]
    assert said["payments"] == [-7, 19, -6, -6]
    with pytest.raises(RulesInputError, match="seat 1 drew"):
        ask("changsha", winners=[taker, {**other, "source": "discard"}])


@pytest.mark.parametrize("ruleset", ["gb", "guangdong", "sichuan", "changsha"])
def test_a_replacement_follows_a_kong_also_where_red_dragons_are_none(ruleset: str) -> None:
    with pytest.raises(RulesInputError, match="needs a kong in the hand"):
        ask(ruleset, winners=wins(1, source="kong_replacement", hz_kongs=1))


@pytest.mark.parametrize("ruleset", ["guangdong", "sichuan"])
def test_nobody_feeds_his_own_kong(ruleset: str) -> None:
    winner = {"seat": 1, **KONG, "source": "kong_replacement", "kong_feeder": 1}
    with pytest.raises(RulesInputError, match="the winner fed himself"):
        ask(ruleset, winners=[winner])


@pytest.mark.parametrize("ruleset", ["jiaxing", "wuhan", "fujian"])
def test_a_flower_is_never_wild(ruleset: str) -> None:
    with pytest.raises(RulesInputError, match="1f is a flower, which is never wild"):
        ask(ruleset, state={"wild": "1f"}, winners=wins(1, **DRAWN))


@pytest.mark.parametrize("ruleset", ["guangdong", "sichuan", "changsha", "jiaxing", "wuhan"])
def test_flowers_are_counted_only_where_the_set_has_them(ruleset: str) -> None:
    with pytest.raises(RulesInputError, match="this set has none"):
        ask(ruleset, state={"flowers": [0, 2, 0, 0]}, winners=wins(1, **DRAWN))


def test_flowers_that_the_table_counts_are_paid_in_guobiao_too() -> None:
    """清龙 16, 不求人 4, 平和 2, 喜相逢 1, 单钓将 1: 24, and a point for each flower from everybody."""
    plain = ask("gb", winners=wins(1, **DRAWN))
    counted = ask("gb", state={"flowers": [1, 2, 0, 0]}, winners=wins(1, **DRAWN))
    assert (plain["winners"][0]["total"], plain["payments"]) == (24, [-32, 96, -32, -32])
    assert (counted["winners"][0]["total"], counted["payments"]) == (26, [-34, 102, -34, -34])
    with pytest.raises(RulesInputError, match=r"state\.flowers says 2"):
        ask("gb", state={"flowers": [1, 2, 0, 0]}, winners=wins(1, **DRAWN, flowers="1f"))


def test_two_fives_and_eights_without_sets_win_only_if_the_melds_are_such_tiles_too() -> None:
    loose = {"seat": 1, "hand": "2588m58p5s", "win_tile": "2s", **DRAWN}
    mixed = [{"type": "chi", "tiles": "123m", "from": 0}, {"type": "peng", "tiles": "999p", "from": 0}]
    alike = [{"type": "peng", "tiles": "555m", "from": 0}, {"type": "peng", "tiles": "222p", "from": 0}]
    refused = ask("changsha", winners=[{**loose, "melds": mixed}])
    assert (refused["valid"], refused["reason"], refused["payments"]) == (False, "shape", [0, 0, 0, 0])
    won = ask("changsha", winners=[{**loose, "melds": alike, "hand": "2588m58p5s"}])
    assert won["winners"][0]["fans"] == [["將將胡", 1]]
    assert won["payments"] == [-7, 19, -6, -6]


def test_birds_are_tiles_of_the_set() -> None:
    with pytest.raises(RulesInputError, match="1z is no tile of this game"):
        ask("changsha", state={"birds": "1z"}, winners=wins(1, hand="123456789m123p2s", win_tile="2s", **DRAWN))


def test_a_whole_hand_is_dealt_to_the_dealer_or_completed_by_the_turned_gold() -> None:
    """福建: 底 5 twice and 搶金 20 from each; without the gold nobody but the dealer has seventeen tiles."""
    dealt = {"seat": 1, "hand": "123456789m123p1s456s", "win_tile": "1s", "source": "start_hand"}
    with pytest.raises(RulesInputError, match="only the dealer, seat 0, is dealt a whole hand"):
        ask("fujian", state={"wild": "9p"}, winners=[dealt])
    grabbed = ask("fujian", state={"flip": "9p"}, winners=[{**dealt, "win_tile": "9p"}])
    assert [name for name, _ in grabbed["winners"][0]["fans"]] == ["底", "金", "搶金"]
    assert grabbed["per_loser"] == 2 * (5 + 1) + 20


def test_a_die_shows_one_to_six_and_a_winner_is_named_once() -> None:
    with pytest.raises(RulesInputError, match=r"state.dice\[0\] must be 1-6, found 9999"):
        ask("sichuan", "dealer", state={"dice": [9999]}, events=[{"result": "draw"}])
    with pytest.raises(RulesInputError, match="named twice among the winners"):
        ask("changsha", "dealer", events=[{"result": "win", "winners": [1, 1], "from": 2}])


@pytest.mark.parametrize(("kind", "event"), [
    ("phase", {"phase": "before_deal", "seat": 1, "wants": "open"}),
    ("false_win", {"by": 1}),
])  # fmt: skip
@pytest.mark.parametrize("told", [[True], [True] * 4])
def test_two_players_make_two_choices(kind: str, event: dict[str, Any], told: list[bool]) -> None:
    with pytest.raises(RulesInputError, match=r"state\.open_hand needs one entry for each of the two players"):
        ask("two_player", kind, state={"open_hand": told}, events=[event])


# ---------------------------------------------------------------- 四川: the battle


def win(seat: int, **more: Any) -> dict[str, Any]:
    return {"type": "win", "seat": seat, "from": 0, "source": "discard", "fan": 1, **more}


def test_winnings_are_given_back_once() -> None:
    events = [win(1), {"type": "leave", "seat": 1}]
    once = ask("sichuan", "session", options={"leave_forfeits": True}, events=events)
    assert once["payments"] == [0, 0, 0, 0]
    with pytest.raises(RulesInputError, match="seat 1 has left already"):
        ask("sichuan", "session", options={"leave_forfeits": True}, events=[*events, events[-1]])


def test_winners_of_one_discard_share_the_kong_money() -> None:
    """呼叫轉移: seat 0 took 12 from each of three for a concealed kong and hands these 36 on once, half to each."""
    shot = [win(1, after_kong=True), win(2, after_kong=True, same_tile=True)]
    said = ask(
        "sichuan",
        "session",
        options={"transfer_on_kong_discard": True},
        events=[{"type": "kong_concealed", "by": 0}, *shot],
    )
    assert said["payments"] == [36 - 6 - 6 - 36, -12 + 6 + 18, -12 + 6 + 18, -12]
    alone = ask(
        "sichuan", "session", options={"transfer_on_kong_discard": True},
        events=[{"type": "kong_concealed", "by": 0}, win(1, after_kong=True), {"type": "kong_concealed", "by": 2}],
    )  # fmt: skip
    assert alone["payments"] == [36 - 6 - 36 - 12, -12 + 6 + 36, -12 + 24, -12 - 12]


# ---------------------------------------------------------------- 武漢: what the table does not know


def test_hands_shown_at_the_empty_wall_are_whole_hands() -> None:
    short = {str(seat): {"hand": "123456789m12p"} for seat in range(4)}
    with pytest.raises(RulesInputError, match="has 11 tiles"):
        ask("wuhan", "draw", options={"check_ready_at_draw": True}, state={"players": short})


@pytest.mark.parametrize(("fed_by", "said"), [(None, True), (3, False)])
def test_a_full_flush_whose_third_feeder_nobody_knows_is_remarked(fed_by: int | None, said: bool) -> None:
    melds = [{"type": "peng", "tiles": tiles, "from": 0} for tiles in ("111m", "333m", "777m")]
    melds[2]["from"] = fed_by
    drawn = {"seat": 1, "hand": "5m999m", "melds": melds, "win_tile": "5m", **DRAWN}
    told = ask("wuhan", winners=[drawn], state={"wild": "1p"})
    notes = told["winners"][0].get("notes", [])
    assert any("nobody is named who fed the third meld" in note for note in notes) is said
    assert told["liable"] == fed_by
