"""install.sh: a version beside the one in use, taken when it works, and the way back. Python and pip are played."""

from __future__ import annotations

import fcntl
import os
import subprocess
from pathlib import Path

import pytest

from table.runtime import LEDGER_NAME

ROOT = Path(__file__).resolve().parent.parent

PYTHON = """#!/bin/sh
# plays python3 -m venv, and in the new environment pip; $SAYS is what fails
case "$*" in
  "-m venv "*)
    mkdir -p "$3/bin"
    cp "$0" "$3/bin/python"
    cp "$(dirname "$0")/paiju" "$3/bin/paiju"
    echo "$VERSION" > "$3/version" ;;
  *"$SAYS"*) exit 1 ;;
esac
echo "$*" >> "$CALLS"
"""
PAIJU = """#!/bin/sh
# plays the installed program; it fails at $SAYS
here=$(dirname "$(dirname "$(readlink -f "$0")")")
echo "$(cat "$here/version"): $*" >> "$CALLS"
case "$*" in
  *"$SAYS"*) exit 1 ;;
  --version) cat "$here/version" ;;
  backup*) : > "$2" ;;
esac
"""


class Place:
    """A folder to install into, a table's data, and what was called."""

    def __init__(self, folder: Path) -> None:
        self.prefix, self.data, self.calls = folder / "opt", folder / "var" / "data", folder / "calls"
        self.data.mkdir(parents=True)
        for name, text in (("python3", PYTHON), ("paiju", PAIJU)):
            (folder / name).write_text(text)
            (folder / name).chmod(0o755)
        self._folder = folder

    def install(self, *words: str, version: str = "1", fails_at: str = "nothing") -> subprocess.CompletedProcess[str]:
        self.calls.write_text("")
        own = {"PREFIX": self.prefix, "DATA": self.data, "PYTHON": self._folder / "python3", "CALLS": self.calls}
        return subprocess.run(
            [ROOT / "install.sh", *words],
            env={**os.environ, **{name: str(path) for name, path in own.items()}, "VERSION": version, "SAYS": fails_at},
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )

    @property
    def version(self) -> str:
        return (self.prefix / "current" / "version").read_text().strip()

    @property
    def folders(self) -> list[str]:
        return sorted(path.name for path in self.prefix.glob("version-*"))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def update(place: Place, *versions: str) -> None:
    for version in versions:
        assert place.install(version=version).returncode == 0


def test_only_what_the_lock_file_names_is_installed(place: Place) -> None:
    done = place.install()
    assert done.returncode == 0, done.stderr
    pip = [line for line in place.calls.read_text().splitlines() if "pip install" in line]
    assert "--require-hashes -r requirements.lock" in pip[0]
    assert pip[1].endswith("--no-deps --no-build-isolation .")
    assert len(pip) == 2
    assert (place.prefix / "bin" / "paiju").resolve() == place.prefix / place.folders[0] / "bin" / "paiju"
    assert f"Installed 1: {place.prefix}/bin/paiju" in done.stdout


def test_an_update_backs_up_with_the_old_version_and_checks_with_the_new(place: Place) -> None:
    update(place, "1")
    (place.data / LEDGER_NAME).touch()
    done = place.install(version="2")
    assert done.returncode == 0, done.stderr
    backup = place.data.with_name("data.before-update.tar")
    assert backup.is_file()
    used = [line for line in place.calls.read_text().splitlines() if "--data" in line]
    assert used == [f"1: backup {backup}.new --data {place.data}", f"2: audit verify --data {place.data}"]
    assert place.version == "2"


@pytest.mark.parametrize("fails_at", ["requirements.lock", "--no-deps", "score", "backup", "audit"])
def test_an_update_that_fails_changes_nothing(place: Place, fails_at: str) -> None:
    update(place, "1")
    (place.data / LEDGER_NAME).touch()
    folders = place.folders
    failed = place.install(version="2", fails_at=fails_at)
    assert (failed.returncode, place.version, place.folders) == (1, "1", folders)
    assert "the version in use was not changed" in failed.stderr


def test_the_way_back_and_forth_and_two_versions_are_kept(place: Place) -> None:
    update(place, "1")
    lonely = place.install("back")
    assert (lonely.returncode, "there is no version before" in lonely.stderr) == (1, True)
    update(place, "2", "3")
    assert (place.version, len(place.folders)) == ("3", 2)
    (place.data / LEDGER_NAME).touch()
    refused = place.install("back", fails_at="audit")
    assert (refused.returncode, place.version) == (0, "2")
    assert f"paiju restore {place.data}.before-update.tar" in refused.stdout
    assert place.install("back").returncode == 0
    assert place.version == "3"


@pytest.mark.parametrize("words", [(), ("back",)])
def test_nothing_is_changed_while_the_table_is_played(place: Place, words: tuple[str, ...]) -> None:
    update(place, "1", "2")
    lock = place.data / f"{LEDGER_NAME}.lock"
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        busy = place.install(*words, version="3")
    assert (busy.returncode, place.version, place.calls.read_text()) == (1, "2", "")
    assert "Paiju is running on" in busy.stderr


def test_a_wrong_word_and_a_foreign_folder_are_refused(place: Place) -> None:
    assert "not 'forward'" in place.install("forward").stderr
    (place.prefix / "bin").mkdir(parents=True)
    assert "holds something else" in place.install().stderr
