"""The recording keeps step with the ledger: over a killed process, a full disk, and a key that is used twice."""

from __future__ import annotations

import json
from io import FileIO
from pathlib import Path

import pytest

from table.core import TableCore
from table.decision import Accepted, Rejected
from table.ledger import Ledger
from table.messages import RecordingError
from table.recorder import Recorder
from table.replay import read_recording
from tests.table_kit import NAMES, PAIRS, command


def all_known(_idem: str) -> bool:
    return True


def keys(path: Path) -> list[str]:
    return [one.message.idem for one in read_recording(path)]


def test_what_did_nothing_is_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    recorder = Recorder.open(path, 0, all_known)
    recorder.command(command("start_hand", idem="one"), 1, 1)
    recorder.command(command("start_hand", idem="two"), 2, 2)
    recorder.take_back()
    recorder.command(command("start_hand", idem="three"), 3, 3)
    recorder.close()
    assert keys(path) == ["one", "three"]


@pytest.mark.parametrize(
    ("tail", "left"),
    [
        ("", ["one", "two"]),
        ('{"at_ms": 1, "mo', ["one", "two"]),
        (
            '{"at_ms": 3, "mono_ms": 3, "command": {"kind": "approve", "idem": "lost", "actor": {"role": "tablet"}}}\n',
            2,
        ),
    ],
)
def test_a_start_after_a_kill_removes_what_never_happened(tmp_path: Path, tail: str, left: object) -> None:
    path = tmp_path / "r.jsonl"
    recorder = Recorder.open(path, 0, all_known)
    for name in ("one", "two"):
        recorder.command(command("start_hand", idem=name), 1, 1)
    recorder.close()
    with path.open("a") as file:
        file.write(tail)
    Recorder.open(path, 2, lambda idem: idem != "lost").close()
    assert keys(path) == (left if left != 2 else ["one", "two"])
    assert path.read_bytes().endswith(b"\n")


def test_a_damaged_line_is_left_for_the_replay_to_name(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text("no message\n")
    Recorder.open(path, 1, lambda _idem: False).close()
    with pytest.raises(RecordingError, match="Line 1"):
        keys(path)


class SmallDisk(FileIO):
    """A file on a disk with so many bytes left."""

    left = 200

    def write(self, data: bytes) -> int:  # type: ignore[override]
        """Write what there is room for."""
        if self.left == 0:
            raise OSError(28, "No space left on device")
        written = super().write(data[: self.left])
        self.left -= written
        return written


def test_a_full_disk_keeps_messages_waiting_in_order(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    disk = SmallDisk(path, "a+")
    recorder = Recorder(disk)
    for name in ("one", "two", "three"):
        recorder.command(command("start_hand", idem=name), 1, 1)
    assert recorder.trouble == "No space left on device"
    assert keys(path) == ["one"]  # no half line
    recorder.take_back()  # three did nothing
    disk.left = 10_000
    recorder.command(command("start_hand", idem="four"), 1, 1)
    assert recorder.trouble == ""
    recorder.close()
    assert keys(path) == ["one", "two", "four"]
    assert all(json.loads(line) for line in path.read_text().splitlines())


def test_a_key_is_good_for_one_request_only(tmp_path: Path) -> None:
    def carry_out(core: TableCore, kind: str, **fields: object) -> Accepted | Rejected:
        return core.carry_out(command(kind, **fields), 1)  # type: ignore[arg-type]

    ledger = Ledger.open(tmp_path / "l.db")
    core = TableCore(ledger)
    carry_out(core, "open_game", names=list(NAMES), idem="open")
    carry_out(core, "claim_win", seat=1, source="self_draw", idem="hu")
    carry_out(core, "hand_manual", **PAIRS, idem="typed")
    for again in (core, None):
        if again is None:  # after a restart too
            ledger.close()
            ledger = Ledger.open(tmp_path / "l.db")
            again = TableCore(ledger)
        same = carry_out(again, "claim_win", seat=1, source="self_draw", idem="hu", role="referee")
        assert isinstance(same, Accepted)
        assert same.repeated
        for kind, fields in (
            ("claim_win", {"seat": 2, "source": "self_draw"}),
            ("claim_win", {"seat": 1}),
            ("approve", {}),
        ):
            other = carry_out(again, kind, idem="hu", **fields)
            assert isinstance(other, Rejected)
            assert other.sentence.key == "key_used"
    assert core.state.claims[0].seat == 1
    assert len(core.state.claims) == 1
    ledger.close()
