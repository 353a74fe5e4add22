"""The demonstration plays whole hands the public way, and a visitor's tap wins over the script."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from device.messages import Light, Score
from table.decision import Accepted, Decision
from table.demo_players import PATIENCE_S, POLITE_S, Players
from table.demonstration import DemoError, Demonstration, Timing, load_script
from table.panel import panel_commands
from table.rulebook import open_rulebook
from table.snapshot import Snapshot
from table.view import UNKNOWN_DEVICES, Live, snapshot
from tests.table_kit import PAIRS, Desk, command
from vision.reader import TileReader

QUICK = Timing(
    seat_s=0.1, throw_s=0.3, play_s=0.5, say_s=0.3, look_s=0.6, agree_s=0.1, rest_s=0.6, read_again_s=2.5, type_s=5.0
)


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demonstration]:
    running = Demonstration(tmp_path, lambda: TileReader.from_models(threads=1), timing=QUICK, pace=100.0).start()
    yield running
    running.stop()


def until(demo: Demonstration, wanted: Callable[[Snapshot], bool], seconds: float = 40.0) -> Snapshot:
    watcher, end = demo.runtime.subscribe(), time.monotonic() + seconds
    while time.monotonic() < end:
        seen = watcher.get(0.5)
        if seen is not None and wanted(seen):
            return seen
    raise AssertionError(f"not within {seconds} s: {demo.runtime.snapshot()}")


def test_a_hand_is_dealt_read_judged_and_settled_and_a_visitor_wins(demo: Demonstration) -> None:
    thrown = until(demo, lambda one: one.phase == "playing")
    assert [throw.source for throw in thrown.dice] == ["table", "table"]
    assert thrown.wall_break is not None
    assert thrown.devices.table.state == "live"
    settled = until(demo, lambda one: len(one.history) == 1)
    first = settled.history[0]
    # hand 1 of the recorded pictures: 清一色 24 不求人 4 ... 34 in all, self-drawn by the dealer: 42 from each
    assert (first.winner, first.source, first.total) == (0, "self_draw", 34)
    assert first.payments == (126, -42, -42, -42)
    assert first.picture is not None
    assert first.frame is not None
    for picture in (first.picture, first.frame):
        assert demo.runtime.evidence(picture) is not None
    assert settled.problems == ()
    # a visitor cancels the second win and calls the hand drawn; the players go on with the third
    until(demo, lambda one: one.claim is not None and one.round is not None and one.round.hand_no == 2)
    assert isinstance(demo.runtime.submit(command("cancel_claim")), Accepted)
    assert isinstance(demo.runtime.submit(command("draw_hand")), Accepted)
    seen = until(demo, lambda one: one.phase == "playing" and one.round is not None and one.round.hand_no == 3)
    assert [row.outcome for row in seen.history] == ["win", "draw"]


def test_the_recorded_pictures_are_legal_hands_of_their_dealers() -> None:
    script = load_script()
    assert len(script) == 6
    assert [hand.seat for hand in script] == [0, 3, 1, 2, 1, 0]
    for hand in script:
        assert len(hand.tiles()) in range(14, 22)


def test_missing_pictures_are_named(tmp_path: Path) -> None:
    with pytest.raises(DemoError, match="Install Paiju again"):
        load_script(tmp_path)
    (tmp_path / "truth.json").write_text('{"hands": [{}]}')
    with pytest.raises(DemoError):
        load_script(tmp_path)


def test_lamps_and_scores_of_the_table() -> None:
    def look(desk: Desk) -> Snapshot:
        return snapshot(desk.state, Live(devices=UNKNOWN_DEVICES), open_rulebook("gb", {}))

    def shown(before: Snapshot | None, now: Snapshot) -> list[Any]:
        return list(panel_commands(before, now))

    desk = Desk()
    assert shown(None, look(desk)) == []
    opened = look(desk.open())
    assert shown(None, opened) == [Light(seat=0, mode="blink"), Score(revision=1, points=(0, 0, 0, 0))]
    assert shown(opened, opened) == []
    desk.must("dice", values=[4, 3])
    thrown = look(desk)
    assert shown(opened, thrown) == [Light(seat=0, mode="off"), Light(seat=2, mode="blink")]
    desk.must("dice", values=[4, 3])
    playing = look(desk)
    assert shown(thrown, playing) == [Light(seat=2, mode="off")]
    desk.win(0, **PAIRS)
    assert Score(revision=desk.state.seq, points=(99, -33, -33, -33)) in shown(playing, look(desk))


class Works:
    """A table whose walls and dice do nothing."""

    def show(self, name: str) -> None:
        """The camera's picture."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_args, **_more: None


class Table:
    """A table in memory, as the players see it."""

    def __init__(self) -> None:
        self.desk, self.now = Desk(), 0.0

    def submit(self, sent: Any) -> Any:
        """A command of the players."""
        done = self.desk.do(sent.kind, **sent.model_dump(exclude={"kind", "idem", "actor"}))
        assert isinstance(done, Decision)
        return Accepted(seq=self.desk.state.seq)

    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return snapshot(self.desk.state, Live(), open_rulebook("gb", {}))


def test_the_players_wait_as_long_as_somebody_is_at_a_page() -> None:
    table = Table()
    players = Players(table, Works(), Works(), load_script(), lambda: table.now)
    for _ in range(4):  # somebody says so every few seconds
        players.wait()
        table.now += 2.0
        players.step()
        assert table.desk.entries == []
    table.now += POLITE_S
    players.step()
    assert [entry.event.kind for entry in table.desk.entries] == ["game_opened"]


def test_nobody_stops_the_demonstration_for_ever() -> None:
    table = Table()
    players = Players(table, Works(), Works(), load_script(), lambda: table.now)
    while table.now < PATIENCE_S + 3 * POLITE_S:
        players.wait()
        table.now += 2.0
        players.step()
        assert bool(table.desk.entries) == (table.now > PATIENCE_S + 1.0)
    played = len(table.desk.entries)
    table.now += 2 * POLITE_S  # nobody is at a page: the next visitor is waited for again
    for _ in range(4):
        players.wait()
        players.step()
        table.now += 2.0
    assert len(table.desk.entries) == played
