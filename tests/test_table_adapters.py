"""A living table on the other ways in: a plain text board and a recording, from the bytes to the scoreboard."""

from __future__ import annotations

import os
import tty
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from device.codec import DecoderCounts
from device.link import TableLink
from device.linkstate import LinkState, LinkStatus
from device.messages import Command, Dice
from device.open import TableChoice, table_source
from device.requests import CommandResult
from device.several import SeveralSources
from device.wire import EventId
from table.cli import main
from table.decision import Accepted
from table.line_memory import LineMemory, known_line
from table.outfit import Given, Outfit
from table.runtime import Runtime
from table.snapshot import Snapshot
from tests.table_kit import NAMES, command

GOLDEN = Path(__file__).parent / "golden_device" / "evening.jsonl"


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., Runtime]]:
    """Makes a running table with a game, from the words after --table."""
    running: list[Runtime] = []

    def make(*words: str) -> Runtime:
        link = table_source(TableChoice(words=words, rng=Random(1)))
        runtime = Runtime.open(tmp_path, link=link).start()
        running.append(runtime)
        assert isinstance(runtime.submit(command("open_game", names=list(NAMES))), Accepted)
        return runtime

    yield make
    for runtime in running:
        runtime.stop()


def until(runtime: Runtime, wanted: Callable[[Snapshot], bool], tries: int = 40) -> Snapshot:
    watcher = runtime.subscribe()
    for _ in range(tries):
        seen = watcher.get(0.5)
        if seen is not None and wanted(seen):
            return seen
    raise AssertionError(runtime.snapshot())


@pytest.fixture
def board() -> Iterator[tuple[int, str]]:
    """What a board writes to, and its port's path."""
    far, near = os.openpty()
    tty.setraw(near)
    yield far, os.ttyname(near)
    os.close(near)
    os.close(far)


def test_a_plain_text_board_waits_for_a_tap(
    tmp_path: Path, play: Callable[..., Runtime], board: tuple[int, str]
) -> None:
    far, path = board
    runtime = play(f"text:{path}")
    until(runtime, lambda one: one.devices.table.state == "live")
    os.write(far, b"boot ok\nDICE 3 4\r\nDICE 3 4\r\n")
    asked = until(runtime, lambda one: one.dice_ask is not None).dice_ask
    assert asked is not None
    assert asked.values == (3, 4)
    assert runtime.snapshot().dice == ()
    assert isinstance(runtime.submit(command("confirm_dice", roll=asked.roll)), Accepted)
    seen = until(runtime, lambda one: len(one.dice) == 1)
    assert seen.dice_ask is None
    assert seen.dice[0].values == (3, 4)
    assert known_line(tmp_path).last is None  # nothing to go on after: such a board keeps no events


def test_a_recording_is_played_into_the_game(tmp_path: Path, play: Callable[..., Runtime]) -> None:
    LineMemory(tmp_path).note(uid="A1B2C3D4")
    runtime = play(f"replay:{GOLDEN}")
    assert until(runtime, lambda one: len(one.dice) == 1).dice[0].values == (6, 2)
    until(runtime, lambda one: any("is over" in problem.text for problem in one.problems))
    assert len(runtime.snapshot().dice) == 1
    assert known_line(tmp_path).uid == "A1B2C3D4"  # a recording is never taken for the table


def test_the_table_and_a_text_board_are_one_throw(
    play: Callable[..., Runtime], board: tuple[int, str], tmp_path: Path
) -> None:
    far, path = board
    runtime = play(f"replay:{GOLDEN}", f"text:{path}")
    until(runtime, lambda one: len(one.dice) == 1)
    os.write(far, b"DICE 6 2\n")
    until(runtime, lambda one: any("is over" in problem.text for problem in one.problems))
    seen = runtime.snapshot()
    assert (len(seen.dice), seen.dice_ask) == (1, None)
    assert known_line(tmp_path).last is None


def test_the_line_goes_on_after_the_event_that_was_handled_last(tmp_path: Path) -> None:
    assert Outfit(tmp_path, Given(), print).first_line() is None
    LineMemory(tmp_path).note(uid="A1B2C3D4", last=EventId("7F3A", 12))
    make = Outfit(tmp_path, Given(table=("/dev/ttyUSB*",)), print).first_line()
    assert make is not None
    link = make(lambda _message: None)
    assert isinstance(link, TableLink)
    assert (link._config.uid, link._config.resume_after) == ("A1B2C3D4", EventId("7F3A", 12))


class Witness:
    """A source that tests speak through."""

    def __init__(self, on_message: Callable[[Any], None]) -> None:
        self.tell = on_message

    def start(self) -> None:
        pass

    def close(self) -> None:
        pass

    def send(self, command: Command) -> Future[CommandResult]:
        done: Future[CommandResult] = Future()
        done.set_result(CommandResult(0, command, "not_sent", ""))
        return done

    def status(self) -> LinkStatus:
        return LinkStatus(LinkState.LIVE, "", "test", None, 0.0, DecoderCounts())


@pytest.mark.parametrize("tapped", [False, True])
def test_an_unchecked_throw_that_the_table_saw_too_counts_once(tmp_path: Path, tapped: bool) -> None:
    found: dict[str, Witness] = {}

    def maker(name: str) -> Callable[[Any], Witness]:
        return lambda on: found.setdefault(name, Witness(on))

    def dice(boot: str, roll: int, source: str) -> Dice:
        return Dice(EventId(boot, 3), 0, roll, "end", 2, (3, 4), 0, source)

    runtime = Runtime.open(
        tmp_path, link=lambda on: SeveralSources({"table": maker("table"), "text": maker("text")}, on)
    ).start()
    try:
        assert isinstance(runtime.submit(command("open_game", names=list(NAMES))), Accepted)
        found["text"].tell(dice("~0000ABCD", 1, "text"))
        asked = runtime.snapshot().dice_ask
        assert asked is not None
        if tapped:
            assert isinstance(runtime.submit(command("confirm_dice", roll=asked.roll)), Accepted)
        found["table"].tell(dice("7F3A", 58, "elec"))
        seen = until(runtime, lambda one: one.dice_ask is None)
        assert [one.values for one in seen.dice] == [(3, 4)]
    finally:
        runtime.stop()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--table", "http://x"), "is no way to a table"),
        (("--table", "replay:none.jsonl"), "cannot be read"),
        (("--dice-pattern", "x"), "needs a board that speaks plain text"),
        (("--table", "text:/dev/ttyACM0", "--dice-pattern", "("), "is no pattern"),
    ],
)
def test_a_wrong_way_to_a_table_is_one_sentence(tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    result = CliRunner().invoke(main, ["run", "--data", str(tmp_path / "data"), *words])
    assert result.exit_code != 0
    assert sentence in result.output
    assert "Traceback" not in result.output
