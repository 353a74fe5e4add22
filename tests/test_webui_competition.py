"""A competition over the network: players and public get the same answers whether the claimed hand wins or not."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from table.customs import customs_of
from table.events import GameOpened
from table.runtime import Runtime
from tests import webui_rig as rig
from webui import create_app
from webui.roles import rights
from webui.stream import StreamGate, messages

GUARD = {"X-Paiju": "1"}
CLOCKS = re.compile(
    r"""\d{4}-\d\d-\d\dT[\d:.]+Z|"(?:rev|at_ms|age_s|reading_ms|readings_per_s|camera_late_ms)":\s?[\d.]+"""
)
TILE = re.compile(r"[1-9]+[mpszf]")


def post(client: FlaskClient, path: str, **fields: Any) -> Any:
    return client.post(f"/api/v1/{path}", json=fields, headers=GUARD)


def paired(client: FlaskClient, referee: FlaskClient, seat: int) -> FlaskClient:
    """The client as the phone of the player on this seat."""
    given = post(referee, "pair", role="player", seat=seat, name="phone").json["url"].partition("#")[2]
    assert post(client, "join", ticket=given).json["role"] == "player"
    return client


def addresses(picture: str) -> list[str]:
    """The pages of the table, its exports and pictures, and every question of the program interface."""
    values = {"number": "1", "form": "json", "picture_id": picture}
    rules = [rule for method, _, rule in (what.partition(" ") for what in rights()) if method == "GET"]
    asked = [rule for rule in rules if rule.startswith(("/api/", "/export/", "/evidence/", "/health"))]
    named = (re.sub(r"<(?:\w+:)?(\w+)>", lambda name: values[name[1]], rule) for rule in asked)
    return ["/", "/desk", "/history", *(one for one in named if one != "/api/v1/stream")]


def alike(text: str) -> str:
    """What was answered, without clocks, and with every tile as one letter."""
    return TILE.sub(lambda found: "t" * (len(found[0]) - 1), CLOCKS.sub("", text))


def photographed(table: Runtime) -> str:
    """The picture of the claim, once the eyes have read it."""
    watch = table.subscribe()
    while (now := watch.get(5)) is not None:
        if now.claim is not None and now.claim.tiles and not now.claim.reading:
            return str(now.claim.picture)
    return pytest.fail("nothing was read")


def told(folder: Path, ruleset: str, last: str) -> list[tuple[str, str]]:
    """All that players and public get of a photographed hand up to the announcement, and what it is."""
    row = [f"{rank}m" for rank in (9, 9, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 5)]
    row = [*row[:9], "4m", "5m", "6m", *row[9:]] if ruleset == "fujian" else row
    found: list[tuple[str, str]] = []
    with rig.open_table(folder, rig.ScriptedEyes((*row, last), doubts={4: "3m"})) as table:
        app = create_app(table, pin="4711")
        referee, public = app.test_client(), app.test_client()
        post(referee, "login", pin="4711", role="referee")
        player = paired(app.test_client(), referee, 1)
        rig.open_game(table, ruleset=ruleset, mode="competition")
        rig.do(table, "start_hand")
        if customs_of(ruleset, {}).indicator:
            rig.do(table, "turn_tile", tile="1z")
        rig.do(table, "claim_win", seat=1, source="self_draw")
        form = {"picture": (io.BytesIO(rig.picture(("x",) * len(row))), "hand.jpg", "image/jpeg"), "idem": "p1"}
        found.append(("photo", alike(player.post("/api/v1/photo", data=form, headers=GUARD).text)))
        picture = photographed(table)

        def look() -> None:
            for client, role in ((public, "viewer"), (player, "player")):
                for address in addresses(picture):
                    answer = client.get(address)
                    text = alike(answer.data.decode(errors="replace"))
                    found.append((f"{role} {address}", f"{answer.status_code} {text}"))
                live = messages(table, role, StreamGate(capacity=1))
                found.extend((f"{role} stream", alike(next(live).partition("data:")[2])) for _ in range(2))
                live.close()

        def says(kind: str, **fields: Any) -> None:
            answer = post(player, "command", **rig.document(kind, **fields))
            found.append((kind, f"{answer.status_code} {answer.text}"))

        look()
        while questions := player.get("/api/v1/state").json["claim"]["questions"]:
            wish = questions[0]["choices"][-1]["command"]
            says(**wish) if wish["kind"] in ("fix_tile", "set_win_tile") else rig.do(table, **wish)
            look()
        for kind, fields in (("approve", {}), ("agree", {"seat": 1}), ("announce", {"points": 8})):
            says(kind, **fields)
        look()
        claim = table.snapshot().claim
        assert claim is not None
        assert claim.verdict is not None
        found.append(("wins", json.dumps(claim.verdict.valid)))
        says("cancel_claim", seat=1)
    return found


@pytest.mark.parametrize("ruleset", ["gb", "changsha", "fujian"])
def test_no_answer_tells_players_and_public_whether_the_claimed_hand_wins(tmp_path: Path, ruleset: str) -> None:
    winning, other = (told(tmp_path / last, ruleset, last) for last in ("5m", "8m"))
    assert ("wins", "true") in winning
    assert ("wins", "false") in other
    assert [one for one in winning if one[0] != "wins"] == [one for one in other if one[0] != "wins"]


def finished(table: Runtime) -> str:
    """A competition with one hand won, over since; the id of its picture."""
    rig.open_game(table, mode="competition")
    rig.claim(table)
    client = create_app(table).test_client()
    form = {"picture": (io.BytesIO(rig.picture()), "hand.jpg", "image/jpeg"), "idem": "p1"}
    client.post("/api/v1/photo", data=form, headers=GUARD)
    picture = photographed(table)
    rig.do(table, "announce", points=24)
    rig.do(table, "approve")
    rig.do(table, "close_game")
    return picture


def test_what_a_competition_kept_to_the_referee_stays_with_him_when_another_game_is_open(tmp_path: Path) -> None:
    with rig.open_table(tmp_path, rig.ScriptedEyes()) as table:
        picture = finished(table)
        rig.open_game(table)
        rig.win(table)
        app = create_app(table, pin="4711")
        referee, public = app.test_client(), app.test_client()
        post(referee, "login", pin="4711", role="referee")
        player = paired(app.test_client(), referee, 1)
        first, second = table.entries()[0].event, table.snapshot().game
        assert isinstance(first, GameOpened)
        assert second is not None
        for form in ("json", "csv", "pdf"):
            old, new = f"/export/game.{form}?game={first.game_id}", f"/export/game.{form}?game={second.id}"
            told_to = [[client.get(one).status_code for client in (public, player, referee)] for one in (old, new)]
            assert told_to == [[403, 403, 200], [200, 200, 200]]
        shown = [client.get(f"/evidence/{picture}").status_code for client in (public, player, referee)]
        assert shown == [403, 200, 200]
        fans = [
            {
                fan
                for row in client.get("/api/v1/statistics").json["players"]
                for fan in [tuple(one) for one in row["fans"]]
            }
            for client in (public, player, referee)
        ]
        assert fans[0] == fans[1] == {("清龙", 1), ("混一色", 1), ("门前清", 1)}
        assert fans[2] == {("清龙", 2), ("混一色", 2), ("门前清", 2)}
