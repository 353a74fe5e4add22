"""A file that must survive a power cut: on the disk before it takes its place, and its place on the disk after."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NoReturn

import pytest

from table.durable import keep, move_in


@pytest.fixture
def order(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What reached the disk, in order."""
    told: list[str] = []
    sync, replace = os.fsync, Path.replace

    def fsync(handle: int) -> None:
        told.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        sync(handle)

    def moved(self: Path, target: Path) -> Path:
        told.append("moved")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", moved)
    return told


def test_the_contents_reach_the_disk_before_the_name_and_the_name_before_it_returns(
    tmp_path: Path, order: list[str]
) -> None:
    path = tmp_path / "new" / "settings.json"
    keep(path, b"one", 0o600)
    assert order == ["file", "moved", "folder"]
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"one", 0o600)
    keep(path, b"two")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"two", 0o644)
    assert [one.name for one in path.parent.iterdir()] == ["settings.json"]


def test_an_archive_written_elsewhere_is_moved_in_the_same_way(tmp_path: Path, order: list[str]) -> None:
    (tmp_path / "evening.tar.part").write_bytes(b"all of it")
    move_in(tmp_path / "evening.tar.part", tmp_path / "evening.tar")
    assert order == ["file", "moved", "folder"]
    assert [one.name for one in tmp_path.iterdir()] == ["evening.tar"]


def test_a_disk_that_refuses_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "access.json"
    keep(path, b"as it was")

    def full(_handle: int) -> NoReturn:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        keep(path, b"half")
    assert path.read_bytes() == b"as it was"
    assert [one.name for one in tmp_path.iterdir()] == ["access.json"]


def test_a_file_system_without_folders_to_sync_is_good_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sync = os.fsync

    def picky(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(22, "Invalid argument")
        sync(handle)

    monkeypatch.setattr(os, "fsync", picky)
    keep(tmp_path / "a", b"whole")
    assert (tmp_path / "a").read_bytes() == b"whole"
