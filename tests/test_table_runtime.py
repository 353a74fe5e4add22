"""The living table: camera, line and taps meet in one inbox, and nothing that comes in can stop it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device import messages as mtl
from device.link import LinkConfig, TableLink
from device.linkstate import LinkState, LinkStatus
from device.notices import Notice, NoticeCode
from device.simulator import SimConfig, SimTable
from device.wire import EventId
from table import ledger as books
from table.bridge import Heard, meaning
from table.decision import Accepted, Rejected
from table.events import GameOpened, TileFixed
from table.line_memory import known_line
from table.messages import Ask
from table.model import Actor, Setup
from table.parts import Parts
from table.replay import read_recording, replay
from table.runtime import LEDGER_NAME, Runtime
from table.snapshot import Snapshot
from table.uploads import MOST_PICTURES
from table.watcher import Watcher
from tests.table_kit import NAMES, STRAIGHT, command, row_tiles
from vision.frames import Frame, SourceStatus
from vision.types import Group, Image, PictureReading, TileReading

PLAYER = Actor(role="player")


class HandClock:
    """A clock that tests move: wall time may jump, monotonic time only goes on."""

    def __init__(self) -> None:
        self.wall = 1_700_000_000_000
        self.mono = 100.0

    def wall_ms(self) -> int:
        return self.wall

    def monotonic(self) -> float:
        return self.mono


class TextEyes:
    """Eyes that read what a test wrote: the brightness of a picture says which text."""

    def __init__(self, texts: dict[int, Sequence[str]]) -> None:
        self.texts = texts
        self.reads = 0

    def read(self, image: Image) -> PictureReading:
        self.reads += 1
        rows = self.texts[round(float(image.mean()) / 10) * 10]
        if rows == ("boom",):
            raise RuntimeError("the model exploded")
        tiles: list[TileReading] = []
        groups: list[Group] = []
        for number, row in enumerate(rows):
            names = row_tiles(row)
            for name in names:
                at = 40.0 * len(tiles)
                tiles.append(TileReading(name, 0.98, "sure", (), (at, 100.0 * number, at + 38, 100.0 * number + 52)))
            kind = "hand" if len(names) > 4 else "meld" if len(names) > 2 else "row"
            groups.append(Group(kind, tuple(range(len(tiles) - len(names), len(tiles)))))  # type: ignore[arg-type]
        return PictureReading(640, 480, tuple(tiles), tuple(groups))


def halves(grey: int, number: int) -> Frame:
    """A frame of this mean grey; the next number has its bright half on the other side."""
    image = np.full((240, 320, 3), grey - 40, np.uint8)
    bright = slice(0, 160) if number % 2 else slice(160, 320)
    image[:, bright] = grey + 40
    return Frame(image, float(number), number)


class StillCamera:
    """A camera that shows two halves, bright and dark, grey in the mean; `show` puts something else before it."""

    def __init__(self, grey: int = 60) -> None:
        self.status_now = SourceStatus("live", "", 640, 480, 0.0)
        self.number = 0
        self.looks = 0
        self.show(grey)

    def show(self, grey: int) -> None:
        self.number += 1
        self.frame = halves(grey, self.number)

    def latest(self) -> Frame | None:
        self.looks += 1
        return self.frame

    def looked_at(self) -> None:
        """Wait until the table has looked at the present picture."""
        looks = self.looks
        soon(lambda: self.looks >= looks + 3)

    def status(self) -> SourceStatus:
        return self.status_now

    def close(self) -> None:
        pass


class Wire:
    """A line to a table that tests speak through."""

    def __init__(self) -> None:
        self.state = LinkState.LIVE
        self.text = ""
        self.tell: Callable[[Any], None] = lambda _message: None

    def __call__(self, on_message: Callable[[Any], None]) -> Wire:
        self.tell = on_message
        return self

    def start(self) -> None:
        pass

    def close(self) -> None:
        pass

    def send(self, command: Any) -> None:
        pass

    def status(self) -> LinkStatus:
        return LinkStatus(self.state, self.text, "test", None, 0.1, None)  # type: ignore[arg-type]


EYES = {
    100: ("123456789m23m44z", "4m"),
    120: ("123m456p", "1z3z5z7z"),
    140: ("123456789m23m44z",),
    160: ("boom",),
}


@pytest.fixture
def tables() -> Iterator[Callable[..., Runtime]]:
    """Makes running tables and stops them in the end."""
    running: list[Runtime] = []

    def make(folder: Path, **parts: Any) -> Runtime:
        runtime = Runtime.open(folder, **parts).start()
        running.append(runtime)
        return runtime

    yield make
    for runtime in running:
        runtime.stop()


def until(runtime: Runtime, wanted: Callable[[Snapshot], bool], seconds: float = 8.0) -> Snapshot:
    """Wait for a snapshot."""
    watcher, end = runtime.subscribe(), time.monotonic() + seconds
    while time.monotonic() < end:
        seen = watcher.get(0.5)
        if seen is not None and wanted(seen):
            return seen
    raise AssertionError(f"not within {seconds} s: {runtime.snapshot()}")


def soon(true: Callable[[], bool], seconds: float = 8.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "not in time"
        time.sleep(0.02)


def must(runtime: Runtime, kind: str, **fields: Any) -> Accepted:
    answer = runtime.submit(command(kind, **fields))
    assert isinstance(answer, Accepted), answer
    return answer


def opened(runtime: Runtime, **fields: Any) -> Runtime:
    must(runtime, "open_game", names=list(NAMES), **fields)
    return runtime


def test_a_hand_is_read_once_it_lies_still(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    clock, camera, eyes = HandClock(), StillCamera(60), TextEyes(EYES)
    runtime = opened(tables(tmp_path, camera=camera, reader=lambda: eyes, clock=clock))
    must(runtime, "claim_win", seat=1, source="discard", from_seat=2)
    camera.show(120)  # a table in play: too few tiles for a hand, so nothing is shown
    camera.looked_at()
    clock.mono += 2
    soon(lambda: eyes.reads == 1)
    camera.looked_at()
    assert runtime.snapshot().phase == "claimed"
    camera.show(100)  # the hand is laid down, but only just
    camera.looked_at()
    assert eyes.reads == 1
    clock.mono += 2
    seen = until(runtime, lambda one: one.phase == "judged")
    assert seen.claim is not None
    assert seen.claim.verdict is not None
    assert (seen.claim.how, seen.claim.win_tile, seen.claim.verdict.total) == ("camera", "4m", 24)
    assert seen.claim.picture is not None
    picture = runtime.evidence(seen.claim.picture)
    assert picture is not None
    assert picture[:2] == b"\xff\xd8"
    clock.mono += 2
    time.sleep(0.5)
    assert eyes.reads == 2  # a hand that was read is not read again and again


def test_the_last_picture_of_a_camera_that_is_lost_is_no_hand(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    """It may show the hand before; a phone's picture is read meanwhile, and the camera's own once it is back."""
    clock, camera, eyes = HandClock(), StillCamera(100), TextEyes(EYES)
    runtime = opened(tables(tmp_path, camera=camera, reader=lambda: eyes, clock=clock))
    camera.status_now = SourceStatus("lost", "the camera: no longer answers.", 640, 480, 90.0)
    must(runtime, "claim_win", seat=1, source="discard", from_seat=2)
    asked = runtime.submit(command("hand_photo"))
    assert isinstance(asked, Rejected)
    assert asked.sentence.key == "no_camera"
    clock.mono += 2
    time.sleep(0.5)
    assert eyes.reads == 0
    camera.status_now = SourceStatus("live", "", 640, 480, 0.0)
    camera.show(100)
    camera.looked_at()
    clock.mono += 2
    seen = until(runtime, lambda one: one.phase == "judged")
    assert seen.claim is not None
    assert (seen.claim.how, eyes.reads) == ("camera", 1)


def test_a_phone_picture_is_read_whatever_it_shows(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    eyes = TextEyes(EYES)
    runtime = opened(tables(tmp_path, reader=lambda: eyes))
    jpeg = cv2.imencode(".png", np.full((240, 320, 3), 140, np.uint8))[1].tobytes()
    early = runtime.submit_photo(jpeg, PLAYER, "photo-0")
    assert isinstance(early, Rejected)
    assert early.sentence.key == "no_claim"
    assert not list((tmp_path / "evidence").rglob("*.jpg")), "a picture that nobody asked for takes no room"
    must(runtime, "claim_win", seat=1, source="discard", from_seat=2)
    assert isinstance(runtime.submit_photo(jpeg, PLAYER, "photo-1"), Accepted)
    seen = until(runtime, lambda one: one.phase == "read")
    assert seen.claim is not None
    assert [question.id for question in seen.claim.questions] == ["win_missing"]
    runtime.submit_photo(jpeg, PLAYER, "photo-1")  # the phone sends it twice
    must(runtime, "set_win_tile", tile="4m")
    assert runtime.snapshot().phase == "judged"
    must(runtime, "approve")
    row = runtime.snapshot().history[0]
    assert (row.total, row.payments) == (24, (-8, 48, -32, -8))
    assert row.picture is not None
    assert runtime.evidence(row.picture) is not None


def test_a_player_cannot_fill_the_disk_with_pictures_of_one_hand(
    tmp_path: Path, tables: Callable[..., Runtime]
) -> None:
    runtime = opened(tables(tmp_path))
    must(runtime, "claim_win", seat=1, source="self_draw")
    phone = Actor(role="player", name="phone")

    def send(number: int, actor: Actor = phone) -> Accepted | Rejected:
        jpeg = cv2.imencode(".png", np.full((240, 320, 3), number, np.uint8))[1].tobytes()
        return runtime.submit_photo(jpeg, actor, f"{actor.role}-{number}")

    assert all(isinstance(send(number), Accepted) for number in range(MOST_PICTURES))
    kept = len(list((tmp_path / "evidence").rglob("*.jpg")))
    answer = send(200)
    assert isinstance(answer, Rejected)
    assert answer.sentence.key == "pictures_often"
    assert len(list((tmp_path / "evidence").rglob("*.jpg"))) == kept
    must(runtime, "cancel_claim")
    must(runtime, "claim_win", seat=1, source="self_draw")
    assert isinstance(send(201), Rejected), "raising the claim again is no way round"
    assert isinstance(send(202, Actor(role="referee")), Accepted)
    must(runtime, "claim_win", seat=2, source="self_draw")
    must(runtime, "cancel_claim", seat=1)
    assert isinstance(send(203), Accepted), "each winner has his own"


@pytest.mark.parametrize("data", [b"", b"no picture", b"\xff\xd8\xff" + b"\x00" * 50, b"GIF89a" + b"\xff" * 20])
def test_a_file_that_is_no_picture(tmp_path: Path, tables: Callable[..., Runtime], data: bytes) -> None:
    runtime = opened(tables(tmp_path, reader=lambda: TextEyes(EYES)))
    must(runtime, "claim_win", seat=1, source="self_draw")
    answer = runtime.submit_photo(data, PLAYER, "p")
    assert isinstance(answer, Rejected)
    assert answer.sentence.key in ("eye_empty", "eye_no_picture", "eye_damaged", "eye_too_many_pixels")
    assert len(answer.sentence.text) > 10
    must(runtime, "hand_manual", **STRAIGHT)


def test_eyes_that_break_are_named_and_play_goes_on(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    camera = StillCamera(160)
    runtime = opened(tables(tmp_path, camera=camera, reader=lambda: TextEyes(EYES)))
    must(runtime, "claim_win", seat=1, source="discard", from_seat=2)
    must(runtime, "hand_photo")
    seen = until(runtime, lambda one: bool(one.problems))
    assert seen.problems[0].source == "eyes"
    assert "exploded" in seen.problems[0].text
    camera.show(100)
    must(runtime, "hand_photo")
    assert until(runtime, lambda one: one.phase == "judged").problems == ()


def test_no_eyes_at_all(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    def missing() -> TextEyes:
        raise FileNotFoundError("models/detector.onnx is missing: install Paiju again")

    camera = StillCamera(100)
    runtime = opened(tables(tmp_path, camera=camera, reader=missing))
    seen = until(runtime, lambda one: bool(one.problems))
    assert "detector.onnx is missing" in seen.problems[0].text
    must(runtime, "claim_win", seat=1, source="discard", from_seat=2)
    must(runtime, "hand_manual", **STRAIGHT)
    must(runtime, "approve")


def test_a_photo_without_a_camera(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    runtime = opened(tables(tmp_path, reader=lambda: TextEyes(EYES)))
    must(runtime, "claim_win", seat=1, source="self_draw")
    for picture, key in ((None, "no_camera"), ("a" * 64, "no_picture")):
        answer = runtime.submit(command("hand_photo", picture=picture))
        assert isinstance(answer, Rejected)
        assert answer.sentence.key == key


def event(number: int) -> dict[str, Any]:
    return {"id": EventId("7F3A", number), "t_ms": 1000 * number}


def test_the_table_plays_a_hand(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    wire, camera = Wire(), StillCamera(100)
    runtime = opened(tables(tmp_path, link=wire, camera=camera, reader=lambda: TextEyes(EYES)))
    wire.tell(mtl.Wall(**event(1), walls=(18, 18, 18, 18), tiles=144))
    wire.tell(mtl.Dice(**event(2), roll=1, phase="start"))
    assert runtime.snapshot().dice == ()
    wire.tell(mtl.Dice(**event(3), roll=1, phase="end", values=(4, 3), by_seat=0))
    wire.tell(mtl.Dice(**event(4), roll=2, phase="end", values=None, by_seat=2))
    assert len(runtime.snapshot().dice) == 1
    wire.tell(mtl.Dice(**event(5), roll=3, phase="end", values=(5, 2), by_seat=2))
    view = runtime.snapshot()
    assert view.phase == "playing"
    assert view.wall_break is not None
    assert (view.wall_break.seat, view.wall_break.stack) == (2, 14)
    wire.tell(mtl.Button(**event(6), seat=1, key="HU"))
    wire.tell(mtl.Button(**event(6), seat=1, key="HU"))
    wire.tell(mtl.Button(**event(7), seat=3, key="REF"))
    seen = until(runtime, lambda one: one.phase == "read")
    assert seen.claim is not None
    assert [question.id for question in seen.claim.questions] == ["source"]
    assert [call.seat for call in seen.calls] == [3]
    must(runtime, "set_facts", source="discard", from_seat=2)
    for number, seat in ((8, 0), (9, 2), (10, 3)):
        wire.tell(mtl.Button(**event(number), seat=seat, key="OK"))
    assert runtime.snapshot().phase == "settled"
    assert [seat.total for seat in runtime.snapshot().seats] == [-8, 48, -32, -8]
    wire.tell(mtl.Lift(**event(11), top="DROP"))
    assert runtime.snapshot().phase == "settled"  # a lifted centre is a hint, never the end of a hand


def test_faults_and_notices_are_shown_until_they_are_over(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    clock, wire = HandClock(), Wire()
    runtime = tables(tmp_path, link=wire, clock=clock)
    wire.tell(mtl.Fault(**event(1), code="JAM", side=2, part="lift"))
    problems = until(runtime, lambda one: bool(one.problems)).problems
    assert problems[0].source == "table"
    assert "JAM (lift) before seat 2" in problems[0].text
    assert (problems[0].key, problems[0].params) == ("table_fault_side", {"code": "JAM (lift)", "seat": 2})
    wire.tell(mtl.Fault(**event(2), code="JAM", side=2, on=False))
    assert until(runtime, lambda one: not one.problems).problems == ()
    wire.tell(Notice(NoticeCode.DICE_MISSED, "A throw was missed.", ask=True))
    until(runtime, lambda one: bool(one.problems))
    clock.mono += 61
    until(runtime, lambda one: not one.problems)
    wire.state, wire.text = LinkState.LOST, "The table is gone: check the cable."
    seen = until(runtime, lambda one: one.devices.table.state == "lost")
    assert "check the cable" in seen.problems[0].text


@pytest.mark.parametrize(
    "garbage", [None, "text", 7, mtl.Log("hello"), mtl.Wall(**event(1)), mtl.Button(**event(2), seat=None, key="HU")]
)
def test_what_means_nothing_does_nothing(garbage: object) -> None:
    assert [one for one in meaning(garbage, "today") if not isinstance(one, Heard)] == []


def test_a_button_that_cannot_count_says_why(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    clock, wire = HandClock(), Wire()
    runtime = tables(tmp_path, link=wire, clock=clock)
    wire.tell(mtl.Button(**event(1), seat=1, key="HU"))
    assert [problem.key for problem in runtime.snapshot().problems] == ["no_game"]
    clock.mono += 11
    until(runtime, lambda one: not one.problems)
    opened(runtime)
    wire.tell(mtl.Dice(**event(2), roll=1, phase="end", values=(4, 3), by_seat=1))
    assert [problem.key for problem in runtime.snapshot().problems] == ["dice_wrong_seat"]
    assert len(runtime.snapshot().dice) == 1


def test_garbage_from_the_line_stops_nothing(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    wire = Wire()
    runtime = tables(tmp_path, link=wire)
    for odd in (
        None,
        object(),
        mtl.Wall(**event(1), walls=(1, 2, 3, 4), tiles=144),
        mtl.Dice(**event(2), roll=1, phase="end", values=(4, 3), by_seat=0),
        mtl.Button(**event(3), seat=1, key="OK"),
    ):
        wire.tell(odd)
    opened(runtime)
    assert runtime.snapshot().phase == "seated"


def test_the_simulated_table_end_to_end(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    with SimTable(SimConfig(seed=3, pace=50.0)) as works:
        link = lambda on: TableLink(LinkConfig(ports=[works.address]), on)  # noqa: E731
        runtime = opened(tables(tmp_path, link=link))
        until(runtime, lambda one: one.devices.table.state == "live")
        works.throw_dice(0, (4, 3))
        until(runtime, lambda one: len(one.dice) == 1)
        works.throw_dice(2, (5, 2))
        until(runtime, lambda one: one.phase == "playing")
        works.press(1, "HU")
        seen = until(runtime, lambda one: one.phase == "claimed")
        assert seen.claim is not None
        assert seen.claim.seat == 1


def test_a_command_sent_twice_counts_once(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    runtime = opened(tables(tmp_path))
    call = command("call_referee", seat=1, reason="r")
    with ThreadPoolExecutor(8) as many:
        answers = list(many.map(lambda _number: runtime.submit(call), range(16)))
    assert {answer.seq for answer in answers if isinstance(answer, Accepted)} == {2}
    assert sum(not answer.repeated for answer in answers if isinstance(answer, Accepted)) == 1
    assert len(runtime.snapshot().calls) == 1


def test_many_tablets_at_once(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    runtime = opened(tables(tmp_path))
    with ThreadPoolExecutor(8) as many:
        call = partial(must, runtime, "call_referee", role="referee")
        answers = list(many.map(lambda number: call(seat=number % 4), range(40)))
    assert sorted(answer.seq for answer in answers) == list(range(2, 42))


def test_subscribers_get_the_newest_snapshot_only(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    runtime = opened(tables(tmp_path))
    slow = runtime.subscribe()
    for _ in range(30):
        must(runtime, "call_referee", role="referee", seat=1)
    newest = slow.get(1.0)
    assert newest is not None
    assert len(newest.calls) == 30
    assert slow.get(0.05) is None
    waiting = threading.Thread(target=lambda: slow.get(30.0))
    waiting.start()
    runtime.stop()
    waiting.join(2.0)
    assert not waiting.is_alive()
    assert not slow.open
    answer = runtime.submit(command("start_hand"))
    assert isinstance(answer, Rejected)
    assert answer.sentence.key == "stopped"


def test_a_command_behind_the_end_of_the_inbox_is_refused_at_once(
    tmp_path: Path, tables: Callable[..., Runtime]
) -> None:
    runtime = opened(tables(tmp_path))
    working, go_on, late = threading.Event(), threading.Event(), Ask(command=command("start_hand"))

    def slowly(parts: Parts) -> Parts:
        working.set()
        go_on.wait(10.0)
        return parts

    changing = threading.Thread(target=lambda: runtime.refit(slowly))
    changing.start()
    working.wait(10.0)
    stopping = threading.Thread(target=runtime.stop)
    stopping.start()
    while runtime._inbox.empty():  # until the end stands there
        time.sleep(0.01)
    runtime._inbox.put(late)  # asked before the stop was said, put behind it
    go_on.set()
    answer = late.answer.result(5.0)
    assert isinstance(answer, Rejected)
    assert answer.sentence.key == "stopped"
    for thread in (stopping, changing):
        thread.join(5.0)
        assert not thread.is_alive(), "neither does the change of parts wait"


def test_a_clock_stepped_by_an_hour(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    clock = HandClock()
    runtime = opened(tables(tmp_path, clock=clock))
    for step in (3_600_000, -7_200_000, 0):
        clock.wall += step
        must(runtime, "call_referee", seat=0)
    runtime.stop()
    entries = books.read(tmp_path / LEDGER_NAME)
    assert [entry.seq for entry in entries] == [1, 2, 3, 4]
    assert entries[2].at_ms < entries[1].at_ms
    assert books.verify(tmp_path / LEDGER_NAME).fault == ""
    again = tables(tmp_path)
    assert len(again.snapshot().calls) == 3


def test_a_full_disk_is_said_and_play_goes_on_later(
    tmp_path: Path, tables: Callable[..., Runtime], monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = Wire()
    runtime = opened(tables(tmp_path, link=wire))
    append = books.Ledger.append

    def full(_self: books.Ledger, _batch: books.Batch) -> Any:
        raise books.LedgerFull("The disk is full. Free some space.")

    monkeypatch.setattr(books.Ledger, "append", full)
    answer = runtime.submit(command("start_hand"))
    assert isinstance(answer, Rejected)
    assert "Free some space" in answer.sentence.text
    assert runtime.snapshot().phase == "seated"
    assert runtime.snapshot().problems[0].source == "ledger"
    wire.tell(mtl.Button(**event(1), seat=3, key="REF"))
    assert runtime.snapshot().calls == ()
    monkeypatch.setattr(books.Ledger, "append", append)
    # what the table reported meanwhile is written as soon as there is space again
    seen = until(runtime, lambda one: len(one.calls) == 1 and not one.problems)
    assert seen.calls[0].seat == 3
    must(runtime, "start_hand")


def test_a_second_runtime_on_the_same_folder(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    tables(tmp_path)
    with pytest.raises(books.LedgerBusy):
        Runtime.open(tmp_path)


def test_a_game_of_older_rules_says_so(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    ledger = books.Ledger.open(tmp_path / LEDGER_NAME)
    opening = GameOpened(
        game_id="g1",
        ruleset="gb",
        ruleset_version="0",
        options={},
        mode="friendly",
        names=NAMES,
        rotate_seats=False,
        setup=Setup(hand_no=1, round_wind="E", dealer=0),
    )
    ledger.append(books.Batch(after=0, at_ms=1, actor=PLAYER, idem="old", events=(opening,)))
    ledger.close()
    runtime = tables(tmp_path)
    problem = runtime.snapshot().problems[0]
    assert (problem.source, problem.key) == ("rules", "rules_changed")
    assert "gb 0, judged by 1" in problem.text


def test_a_ledger_that_does_not_add_up(tmp_path: Path) -> None:
    ledger = books.Ledger.open(tmp_path / LEDGER_NAME)
    fixed = TileFixed(seat=1, index=0, tile="1m", was="2m")
    ledger.append(books.Batch(after=0, at_ms=1, actor=PLAYER, idem="odd", events=(fixed,)))
    ledger.close()
    with pytest.raises(books.LedgerCorrupt, match="does not add up"):
        Runtime.open(tmp_path)
    books.Ledger.open(tmp_path / LEDGER_NAME).close()  # and it was given back


def test_a_mistake_in_the_program_is_one_refusal(
    tmp_path: Path, tables: Callable[..., Runtime], monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = opened(tables(tmp_path))

    def broken(*_args: Any) -> Any:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("table.core.decide", broken)
    answer = runtime.submit(command("start_hand"))
    assert isinstance(answer, Rejected)
    assert "ZeroDivisionError" in answer.sentence.text
    monkeypatch.undo()
    must(runtime, "start_hand")


def test_a_recorded_evening_replays_bit_for_bit(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    recording = tmp_path / "evening.jsonl"
    wire, camera = Wire(), StillCamera(100)
    runtime = opened(
        tables(tmp_path / "live", link=wire, camera=camera, reader=lambda: TextEyes(EYES), recording=recording)
    )
    wire.tell(mtl.Dice(**event(1), roll=1, phase="end", values=(4, 3), by_seat=0))
    wire.tell(mtl.Dice(**event(2), roll=2, phase="end", values=(5, 2), by_seat=2))
    must(runtime, "claim_win", seat=1, source="discard", from_seat=2)
    must(runtime, "hand_photo")
    until(runtime, lambda one: one.phase == "judged")
    runtime.submit(command("claim_win", seat=1))  # refused: leaves no trace
    must(runtime, "approve")
    must(runtime, "correct_hand", hand_no=1, reason="seat", from_seat=3)
    must(runtime, "undo_last")
    runtime.stop()
    live = books.verify(tmp_path / "live" / LEDGER_NAME)
    slept: list[float] = []
    shown: list[Snapshot] = []
    done = replay(read_recording(recording), tmp_path / "again.db", speed=10.0, sleep=slept.append, watch=shown.append)
    assert (done.entries, done.head, done.refused) == (live.entries, live.head, ())
    assert shown[-1].history[0].payments == (-8, 48, -32, -8)
    assert all(seconds >= 0 for seconds in slept)
    with pytest.raises(ValueError, match="exists already"):
        replay([], tmp_path / "again.db")


@pytest.mark.parametrize(
    "line",
    ["no json", "[]", "{}", '{"at_ms": 1, "mono_ms": 1}', '{"at_ms": 1, "mono_ms": 1, "command": {"kind": "x"}}'],
)
def test_a_damaged_recording_names_its_line(tmp_path: Path, line: str) -> None:
    good = json.dumps(
        {"at_ms": 1, "mono_ms": 1, "command": {"kind": "start_hand", "idem": "1", "actor": {"role": "tablet"}}}
    )
    (tmp_path / "r.jsonl").write_text(f"{good}\n\n{line}\n")
    with pytest.raises(ValueError, match="Line 3"):
        list(read_recording(tmp_path / "r.jsonl"))


def test_the_watcher_waits_for_a_still_second() -> None:
    watcher, claim = Watcher(), "claim 1"
    before, hand, other = halves(100, 1), halves(100, 2), halves(100, 3)
    assert watcher.look(before, 0.0, claim) is None
    assert watcher.look(before, 0.9, claim) is None
    assert watcher.look(hand, 1.1, claim) is None
    assert watcher.look(hand, 2.0, claim) is None
    assert watcher.look(hand, 2.2, claim) is hand
    assert watcher.look(hand, 9.0, claim) is None
    watcher.sign()
    assert watcher.look(hand, 9.1, claim) is hand  # somebody asks for it once more
    assert watcher.look(hand, 9.2, claim) is None
    assert watcher.look(hand, 9.3, "claim 2") is hand
    watcher.sign()
    assert watcher.look(other, 9.4, "claim 2") is other  # a sign saves the waiting
    assert watcher.look(None, 10.0, "claim 2") is None
    assert watcher.look(before, 20.0, None) is None


def test_the_lamp_and_the_walls_are_shown_where_they_differ(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    clock, wire = HandClock(), Wire()
    runtime = opened(tables(tmp_path, link=wire, clock=clock), ruleset="guangdong")
    wire.tell(mtl.Wall(**event(1), walls=(17, 17, 17, 17), tiles=136))
    wire.tell(mtl.Dice(**event(2), roll=1, phase="end", values=(1, 4), by_seat=0))
    wire.tell(mtl.Deal(**event(3), dealer=0))
    assert runtime.snapshot().problems == ()
    wire.tell(mtl.Deal(**event(4), dealer=2))
    assert [problem.key for problem in runtime.snapshot().problems] == ["lamp_differs"]
    assert runtime.snapshot().round is not None
    assert runtime.snapshot().round.dealer == 0  # type: ignore[union-attr]
    wire.tell(mtl.Deal(**event(5), dealer=0))
    for number, side in enumerate(range(4), start=6):
        wire.tell(mtl.Remaining(**event(number), side=side, stacks=11))
    assert runtime.snapshot().problems == ()  # the tiles are being dealt
    must(runtime, "claim_win", seat=1, source="self_draw")
    assert [problem.key for problem in runtime.snapshot().problems] == ["wall_differs"]  # 88, but 83 after the deal
    assert known_line(tmp_path).last == EventId("7F3A", 9)


def test_a_throw_of_a_plain_board_waits_for_a_tap(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    wire = Wire()
    runtime = opened(tables(tmp_path, link=wire), ruleset="jiaxing")
    wire.tell(mtl.Dice(**event(1), roll=1, phase="end", values=(3, 3), source="text"))
    wire.tell(Notice(NoticeCode.DICE_UNCHECKED, "tap", ask=True, roll=1))
    seen = runtime.snapshot()
    assert seen.dice == ()
    assert seen.problems == ()
    assert seen.dice_ask is not None
    must(runtime, "confirm_dice", roll=seen.dice_ask.roll)
    assert [throw.values for throw in runtime.snapshot().dice] == [(3, 3)]


def test_what_a_wrong_port_says_stays_while_it_is_asked_again(tmp_path: Path, tables: Callable[..., Runtime]) -> None:
    wire = Wire()
    runtime = tables(tmp_path, link=wire)

    def told() -> list[str]:
        return [one.text for one in runtime.snapshot().problems if one.key == "table_trouble"]

    wire.state, wire.text = LinkState.HANDSHAKE, "Asking the table who it is."
    soon(lambda: runtime.snapshot().devices.table.state == "handshake")
    assert told() == []
    wire.state, wire.text = LinkState.WRONG_DEVICE, "Something answers, but it is no Paiju table."
    soon(lambda: told() == ["Table: Something answers, but it is no Paiju table."])
    wire.state, wire.text = LinkState.HANDSHAKE, "Asking the table who it is."
    soon(lambda: runtime.snapshot().devices.table.state == "handshake")
    assert told() == ["Table: Something answers, but it is no Paiju table."]
    wire.state, wire.text = LinkState.LIVE, ""
    soon(lambda: told() == [])
