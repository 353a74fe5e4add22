"""Typing a hand: the rules of the keyboard, run in the browser's own engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tests import browser_rig as ui
from tests import webui_rig as rig

pytestmark = pytest.mark.browser

RUN = """async (steps) => {
  const entry = await import("/static/js/parts/entry.js");
  let now = entry.emptyEntry();
  for (const [name, ...given] of steps) now = entry[name](now, ...given);
  return { ...entry.entryFields(now), mode: now.mode, counted: entry.counted(now) };
}"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with (
        ui.launched() as browser,
        rig.open_table(tmp_path_factory.mktemp("table")) as runtime,
        rig.served(runtime) as address,
        ui.opened(browser, address) as page,
    ):
        yield page


def typed(page: Page, *steps: tuple[Any, ...]) -> dict[str, Any]:
    result: dict[str, Any] = page.evaluate(RUN, [list(step) for step in steps])
    return result


def keys(*tiles: str) -> list[tuple[str, str]]:
    return [("press", tile) for tile in tiles]


def test_the_last_of_fourteen_tiles_won(page: Page) -> None:
    hand = typed(page, *keys(*rig.STRAIGHT))
    assert (hand["hand"], hand["win_tile"], hand["counted"]) == ("12233456789m44z", "4m", 14)


def test_a_fifteenth_tile_and_a_fifth_copy_are_not_taken(page: Page) -> None:
    assert typed(page, *keys(*rig.STRAIGHT, "9s"))["counted"] == 14
    assert typed(page, *keys("1m", "1m", "1m", "1m", "1m"))["hand"] == "1111m"


def test_another_tile_may_have_won(page: Page) -> None:
    hand = typed(page, *keys(*rig.STRAIGHT), ("setMode", "win"), ("tapTile", 0))
    assert (hand["win_tile"], hand["mode"]) == ("1m", "hand")


@pytest.mark.parametrize(
    ("kind", "tile", "tiles"),
    [("chi", "7s", "789s"), ("peng", "5z", "555z"), ("kong_open", "1p", "1111p"), ("kong_added", "9m", "9999m")],
)
def test_one_tap_lays_a_meld(page: Page, kind: str, tile: str, tiles: str) -> None:
    hand = typed(page, ("setMode", kind), ("press", tile))
    assert hand["melds"] == [{"kind": kind, "tiles": tiles, "from_seat": None}]
    assert (hand["counted"], hand["mode"]) == (3, "hand")


def test_impossible_melds_are_not_taken(page: Page) -> None:
    assert typed(page, ("setMode", "chi"), ("press", "1z"))["melds"] == []
    assert typed(page, ("setMode", "chi"), ("press", "8p"))["melds"] == []
    assert typed(page, ("press", "5z"), ("press", "5z"), ("setMode", "peng"), ("press", "5z"))["melds"] == []
    assert len(typed(page, *[("setMode", "peng"), ("press", "1m"), ("setMode", "peng"), ("press", "2m")])["melds"]) == 2


def test_flowers_do_not_count_and_steps_are_taken_back(page: Page) -> None:
    hand = typed(page, *keys("3f", "1f", "1m", "2m"), ("backspace",))
    assert (hand["flowers"], hand["hand"], hand["counted"]) == ("13f", "1m", 1)
    empty = typed(page, *keys("1f"), ("setMode", "peng"), ("press", "1z"), ("backspace",), ("backspace",))
    assert (empty["melds"], empty["flowers"]) == ([], "")


def test_tile_text_is_split_and_joined(page: Page) -> None:
    result = page.evaluate(
        """async () => { const { splitTiles, joinTiles } = await import("/static/js/parts/tiles.js");
        return [splitTiles("12m5z3fxx"), joinTiles(["5z", "2m", "1m", "x", "3f"]), splitTiles("")]; }"""
    )
    assert result == [["1m", "2m", "5z", "3f", "x", "x"], "12m5z3fx", []]


@pytest.mark.parametrize(
    ("group", "meld", "kind"),
    [
        (["x", "9m", "9m", "x"], {"kind": "kong_concealed", "tiles": "9999m"}, "kong_concealed"),
        (["x", "9m", "9m", "x"], None, "kong_concealed"),
        (["9m", "9m", "9m", "9m"], {"kind": "kong_added", "tiles": "9999m"}, "kong_added"),
        (["9m", "9m", "9m", "9m"], None, "kong_open"),
        (["3m", "1m", "2m"], {"kind": "chi", "tiles": "123m"}, "chi"),
        (["7z", "7z", "7z"], None, "peng"),
    ],
)
def test_the_win_sheet_names_each_meld_as_it_is_counted(page: Page, group: list[str], meld: object, kind: str) -> None:
    shown = page.evaluate(
        """async ([group, meld]) => { const { pictureHand } = await import("/static/js/parts/claim-hand.js");
        const { paint } = await import("/static/js/core/dom.js");
        const one = { sure: "sure", also: [], box: [0, 0, 9, 9], role: "meld" };
        const tiles = group.map((tile, index) => ({ ...one, index, tile, seen: tile }));
        const groups = [{ kind: "meld", tiles: [...tiles.keys()] }];
        const box = document.createElement("div");
        paint(box, pictureHand({ tiles, groups, melds: meld ? [meld] : [] }, {}));
        return box.querySelector("select").value; }""",
        [group, meld],
    )
    assert shown == kind


def test_names_from_outside_cannot_become_markup(page: Page) -> None:
    shown = page.evaluate(
        """async () => { const { html, paint } = await import("/static/js/core/dom.js");
        const box = document.createElement("div");
        paint(box, html`<p title="${'"><b>'}">${"<img src=x onerror=alert(1)>"}</p>`);
        return [box.children.length, box.firstChild.textContent, box.firstChild.title]; }"""
    )
    assert shown == [1, "<img src=x onerror=alert(1)>", '"><b>']


def test_painting_keeps_what_a_person_types_and_where_the_focus_is(page: Page) -> None:
    kept = page.evaluate(
        """async () => { const { html, paint } = await import("/static/js/core/dom.js");
        const box = document.body.appendChild(document.createElement("div"));
        const first = (extra) => (extra ? html`<i data-key="i">new</i>` : "");
        const view = (n, extra) => html`${first(extra)}<input data-key="a" value="was"><p data-key="p">${n}</p>`;
        paint(box, view(1, false));
        const field = box.querySelector("input");
        field.focus(); field.value = "typing";
        paint(box, view(2, true));
        const same = box.querySelector("input") === field && document.activeElement === field;
        const result = [same, field.value, box.querySelector("p").textContent, box.children.length];
        box.remove();
        return result; }"""
    )
    assert kept == [True, "typing", "2", 3]


def test_painting_leaves_what_a_person_opened_open_until_the_state_wants_it_otherwise(page: Page) -> None:
    seen = page.evaluate(
        """async () => { const { html, paint, unfolded } = await import("/static/js/core/dom.js");
        const box = document.body.appendChild(document.createElement("div"));
        const view = (wanted, n) => paint(box, html`<details><summary>a</summary>${n}</details>
          <details ${unfolded(wanted)}><summary>b</summary>${n}</details>`);
        const states = [];
        const step = (wanted, tap) => {
          if (tap !== undefined) { const one = box.querySelectorAll("details")[tap]; one.open = !one.open; }
          view(wanted, states.length);
          states.push([...box.querySelectorAll("details")].map((one) => one.open));
        };
        step(false); step(false, 0); step(false, 1); step(true); step(true, 1); step(true, 0); step(false, 1);
        box.remove();
        return states; }"""
    )
    assert seen == [
        [False, False], [True, False], [True, True], [True, True], [True, False], [False, False], [False, False],
    ]  # fmt: skip


def test_shown_tiles_are_taken_up_as_they_are(page: Page) -> None:
    again = page.evaluate(
        """async () => { const entry = await import("/static/js/parts/entry.js");
        const melds = [{ kind: "peng", tiles: "777s", from_seat: null }];
        const shown = { hand: "123m55p", melds, win_tile: null, flowers: "" };
        const now = entry.entryFrom(shown, 13, { wins: false });
        const whole = ["1s", "2s", "3s", "4s", "5s", "6s"].reduce(entry.press, now);
        return [entry.entryFields(now), now.full, entry.entryFields(whole).win_tile]; }"""
    )
    shown = {
        "hand": "123m55p",
        "melds": [{"kind": "peng", "tiles": "777s", "from_seat": None}],
        "win_tile": None,
        "flowers": "",
    }
    assert again == [shown, 13, None]


def test_an_answer_that_says_how_the_hand_was_becomes_the_hand_of_a_correction(page: Page) -> None:
    """A kong that the hand shows as another kind than it was entered: as entered the hand is another one."""
    laid = {
        "hand": "123p456p678p9p",
        "melds": [{"kind": "kong_concealed", "tiles": "8888m", "from_seat": None}],
        "win_tile": "9p",
        "flowers": "",
    }
    corrected = page.evaluate(
        """async (laid) => { const { correctState, sayOfWin } = await import("/static/js/parts/correct.js");
        const row = { hand_no: 1, outcome: "win", winner: 1, source: "self_draw", ...laid, melds: [], players: [0, 1] };
        const ui = correctState(row);
        await sayOfWin({ ui: () => ui, draw: () => null }, "hand_manual", laid);
        return ui.laid; }""",
        laid,
    )
    assert corrected == laid
