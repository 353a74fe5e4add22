"""The evening as files, and the seconds from 和 to the approved score."""

from __future__ import annotations

import csv
import io
import json

from table import events as ev
from table.commands import parse_command
from table.decision import Accepted
from table.ledger import Entry
from table.model import Actor, Outcome
from table.runtime import Runtime
from tests import pdf_text
from tests import webui_rig as rig
from webui import create_app
from webui.timing import middle, timings

GUARD = {"X-Paiju": "1"}


def test_the_score_sheet_is_a_table_for_spreadsheets(table: Runtime) -> None:
    rig.do(table, "open_game", names=["=1+1", "赵南", "王芳", "＝1+1"])
    rig.win(table)
    answer = create_app(table).test_client().get("/export/game.csv")
    assert answer.headers["Content-Disposition"].endswith('.csv"')
    assert answer.data.startswith(b"\xef\xbb\xbf"), "spreadsheets need the mark to read the names"
    rows = list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"))))
    assert rows[0]["winner"] == "赵南"
    assert (rows[0]["total"], rows[0]["王芳"]) == ("24", "-32")
    assert {"'=1+1", "'＝1+1"} <= rows[0].keys(), "a name is no formula"
    assert rows[-1]["赵南"] == "48"


def test_the_score_sheet_is_a_pdf_in_the_language_of_the_device(table: Runtime) -> None:
    rig.open_game(table)
    rig.win(table)
    client = create_app(table).test_client()
    for language, title in (("en", "Score sheet"), ("zh-Hant", "計分表")):
        client.set_cookie("paiju_lang", language)
        answer = client.get("/export/game.pdf")
        assert answer.content_type == "application/pdf"
        assert title in pdf_text.read(answer.data).pages[0]


def test_a_sheet_to_write_on_has_the_names_or_nothing(table: Runtime) -> None:
    client = create_app(table).test_client()
    assert client.get("/export/paper.pdf").status_code == 200, "also before the first game"
    rig.open_game(table)
    assert "赵南" in pdf_text.read(client.get("/export/paper.pdf").data).pages[0]
    assert "赵南" not in pdf_text.read(client.get("/export/paper.pdf?names=no").data).pages[0]


def test_everything_is_one_json_document(table: Runtime) -> None:
    rig.open_game(table)
    rig.win(table)
    answer = create_app(table).test_client().get("/export/game.json")
    document = json.loads(answer.data)
    assert document["totals"] == [-8, 48, -32, -8]
    assert answer.headers["Cache-Control"] == "no-store"


def test_what_cannot_be_exported_says_why(table: Runtime) -> None:
    client = create_app(table).test_client()
    assert "no game" in client.get("/export/game.csv").json["error"]
    assert client.get("/export/game.exe").status_code == 404
    rig.open_game(table)
    assert "no-such" in client.get("/export/game.json?game=no-such").json["error"]


def test_a_competition_is_exported_by_the_referee_only(table: Runtime) -> None:
    rig.open_game(table, mode="competition")
    app = create_app(table, pin="4711")
    client = app.test_client()
    assert client.get("/export/game.json").status_code == 403
    client.post("/api/v1/login", json={"pin": "4711"}, headers=GUARD)
    assert client.get("/export/game.json").status_code == 200


def entries(*told: tuple[float, ev.TableEvent]) -> list[Entry]:
    who = Actor(role="tablet")
    return [
        Entry(seq=place, at_ms=int(at * 1000), actor=who, idem=str(place), part=0, event=event, prev_hash="", hash="")
        for place, (at, event) in enumerate(told, 1)
    ]


def settled(number: int, winner: int | None) -> ev.HandSettled:
    outcome = Outcome(outcome="draw") if winner is None else Outcome(outcome="win", winner=winner)
    return ev.HandSettled(hand_no=number, outcome=outcome, next=None)


def test_seconds_run_from_the_claim_to_the_score() -> None:
    found = timings(entries(
        (0.0, ev.WinClaimed(seat=1)), (12.5, settled(1, 1)),
        (20.0, settled(2, None)),
        (30.0, ev.WinClaimed(seat=2)), (31.0, ev.ClaimCancelled(seat=2)),
        (40.0, ev.WinClaimed(seat=2)), (44.0, settled(3, 2)),
    ))  # fmt: skip
    assert [(one.hand_no, one.seat, one.seconds) for one in found] == [(1, 1, 12.5), (3, 2, 4.0)]
    assert middle(found) == 8.25
    assert middle(()) is None


def test_an_approval_that_was_undone_counts_until_the_right_one() -> None:
    found = timings(entries(
        (0.0, ev.WinClaimed(seat=1)), (10.0, settled(1, 1)),
        (15.0, ev.DecisionUndone(undone_seq=2, undone_kind="hand_settled", reason="")), (25.0, settled(1, 1)),
    ))  # fmt: skip
    assert [one.seconds for one in found] == [25.0]


def test_the_numbers_are_served_and_counted_again_when_the_ledger_grows(table: Runtime) -> None:
    rig.open_game(table)
    client = create_app(table).test_client()
    assert client.get("/api/v1/statistics").json["seconds_to_score"] == {"median": None, "wins": []}
    assert "paiju_seconds_to_score_median" not in client.get("/metrics").text
    rig.win(table)
    wins = client.get("/api/v1/statistics").json["seconds_to_score"]["wins"]
    assert [(one["hand_no"], one["seat"]) for one in wins] == [(1, 1)]
    assert 0 <= wins[0]["seconds"] < 60
    assert "paiju_seconds_to_score_median" in client.get("/metrics").text


def test_the_record_of_a_hand_shows_corrections_and_fans_that_fell_away(table: Runtime) -> None:
    rig.open_game(table)
    rig.win(table)
    rig.do(table, "correct_hand", hand_no=1, reason="wrong seat", winner=3)
    client = create_app(table).test_client()
    client.set_cookie("paiju_lang", "en")
    record = client.get("/api/v1/hands/1").json
    (correction,) = record["corrections"]
    assert (correction["before"], correction["after"]) == ([-8, 48, -32, -8], [-8, -8, -32, 48])
    assert (correction["winner_before"], correction["winner_after"]) == (1, 3)
    assert (correction["wins_before"], correction["wins_after"]) == ([[1, 24]], [[3, 24]])
    assert (correction["step"]["role"], correction["step"]["reason"]) == ("referee", "wrong seat")
    assert [step["what"] for step in record["steps"]][-1] == "hand corrected"
    assert client.get("/api/v1/hands/9").status_code == 404


def test_the_record_of_a_battle_names_every_winner_before_and_after(table: Runtime) -> None:
    rig.open_game(table, ruleset="sichuan")
    for seat, suit in ((1, "m"), (2, "p"), (3, "s")):
        rig.claim(table, seat, from_seat=0)
        rig.do(table, "hand_manual", hand=f"1234567891235{suit}", win_tile=f"5{suit}")
        rig.do(table, "approve")
    rig.do(table, "correct_hand", hand_no=1, win_no=1, reason="misread", hand="123456789p11p99m", win_tile="1p")
    rig.do(table, "correct_hand", hand_no=1, reason="nobody knows", outcome="void")
    smaller, void = create_app(table).test_client().get("/api/v1/hands/1").json["corrections"]
    assert [player for player, _value in smaller["wins_before"]] == [1, 2, 3]
    assert smaller["wins_after"][0] == smaller["wins_before"][0]
    assert smaller["wins_after"][1][1] < smaller["wins_before"][1][1]
    assert (void["wins_before"], void["wins_after"]) == (smaller["wins_after"], [])


def test_a_record_names_what_did_not_count_until_the_hand_is_judged_anew(table: Runtime) -> None:
    rig.open_game(table)
    rig.claim(table)
    rig.do(table, "hand_manual", hand="555666z7z123789m", win_tile="7z")
    rig.do(table, "approve")
    client = create_app(table).test_client()
    claimed = [entry.event for entry in table.entries() if isinstance(entry.event, ev.HandJudged)][-1]
    assert claimed.verdict is not None
    assert claimed.verdict.not_counted, "little three dragons swallow the dragon pungs"
    (dropped,) = client.get("/api/v1/hands/1").json["not_counted"]
    assert dropped["seat"] == 1
    assert [line["name"] for line in dropped["lines"]] == [line.name for line in claimed.verdict.not_counted]
    rig.do(table, "correct_hand", hand_no=1, reason="seat", winner=3)
    assert client.get("/api/v1/hands/1").json["not_counted"] == []


def test_a_record_of_a_competition_is_for_the_referee(table: Runtime) -> None:
    rig.open_game(table, mode="competition")
    client = create_app(table, pin="4711").test_client()
    assert client.get("/api/v1/hands/1").status_code == 403


def test_numbers_of_the_evening_and_of_all_games(table: Runtime) -> None:
    rig.open_game(table)
    rig.win(table, 1, 2)
    rig.do(table, "close_game")
    rig.open_game(table)
    rig.do(table, "close_game")
    rig.open_game(table)
    rig.win(table, 3, 1)
    found = create_app(table).test_client().get("/api/v1/statistics").json
    assert found["games"] == 2, "a game in which nothing was played is none"
    assert next((one["name"], one["points"]) for one in found["evening"]) == ("李北", {"gb": 48})
    assert {one["name"]: one["points"]["gb"] for one in found["players"]} == {
        "陈东": -16,
        "赵南": 16,
        "王芳": -40,
        "李北": 40,
    }


def test_the_fans_of_a_competition_are_for_the_referee(table: Runtime) -> None:
    rig.open_game(table, mode="competition")
    rig.claim(table)
    rig.do(table, "hand_manual", hand="123456789m23m44z", win_tile="4m")
    rig.do(table, "announce", points=24)
    rig.do(table, "approve")
    open_client = create_app(table).test_client()
    watching = create_app(table, pin="4711").test_client()
    for client, shown in ((open_client, True), (watching, False)):
        rows = client.get("/api/v1/statistics").json["evening"]
        assert any(row["fans"] for row in rows) is shown


def test_the_record_of_a_hand_tells_whose_button_of_the_table_it_was(table: Runtime) -> None:
    rig.open_game(table)
    for actor in ({"role": "device", "name": "seat C", "device": "table"}, {"role": "tablet", "name": "seat C"}):
        call = rig.document("call_referee", seat=2, reason="other") | {"actor": actor}
        assert isinstance(table.submit(parse_command(call)), Accepted)
    steps = create_app(table).test_client().get("/api/v1/hands/1").json["steps"]
    assert [step["seat"] for step in steps[-2:]] == [2, None]
