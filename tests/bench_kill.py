"""Two hundred deaths: `python -m tests.bench kill`.

A process that plays is killed (SIGKILL) at a random moment, 200 times each: on a good disk, on a full one (a real file
system of 24 MB where the machine lets us mount one, otherwise a limit on file sizes), and with a wall
clock that is set by an hour again and again. Counted are confirmations that the ledger does not have, entries it has
twice, and whether the recording still replays to the same ledger.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.kill_rig import Found, Trouble, lives

LIVES, TOGETHER = 200, 25
"""Lives of each kind; so many of them in one folder."""


@contextmanager
def small_disk() -> Iterator[tuple[Path, bool]]:
    """A folder on a file system of 24 MB, and whether there is one."""
    with tempfile.TemporaryDirectory() as name:
        mounted = not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", name], check=False, capture_output=True
        ).returncode
        try:
            yield Path(name), mounted
        finally:
            if mounted:
                subprocess.run(["umount", name], check=True)


def many(trouble: Trouble) -> tuple[list[Found], bool]:
    """All lives of one kind; whether the disk was really full."""
    found, real = list[Found](), False
    for number in range(LIVES // TOGETHER):
        if trouble == "full disk":
            with small_disk() as (folder, real):
                found.append(lives(folder, number, TOGETHER, trouble, real=real))
        else:
            with tempfile.TemporaryDirectory() as name:
                found.append(lives(Path(name), number, TOGETHER, trouble))
    return found, real


def main() -> int:
    """Print the table; 1 if anything was lost or doubled."""
    heads = ("lives", "confirmed", "lost", "doubled", "refused", "clock back", "replays", "s")
    print(f"{'kill -9 and':<34}" + "".join(f"{head:>11}" for head in heads))
    bad, sentences = 0, set[str]()
    kinds: tuple[tuple[Trouble, str], ...] = (
        ("", "nothing else"),
        ("full disk", "a full disk"),
        ("clock", "a clock set by an hour"),
    )
    for trouble, label in kinds:
        start = time.monotonic()
        found, real = many(trouble)
        lost, doubled = sum(len(one.lost) for one in found), sum(len(one.doubled) for one in found)
        replays = [one.replays for one in found if one.replays is not None]
        bad += lost + doubled + replays.count(False)
        sentences |= {sentence for one in found for sentence in one.sentences if "disk" in sentence}
        cells = (
            sum(one.lives for one in found),
            sum(len(one.confirmed) for one in found),
            lost,
            doubled,
            sum(one.refused["ledger_trouble"] for one in found),
            sum(one.set_back for one in found),
            f"{replays.count(True)}/{len(replays)}" if replays else "-",
            f"{time.monotonic() - start:.0f}",
        )
        name = label + (" (tmpfs)" if real else " (file size)" if trouble == "full disk" else "")
        print(f"{name:<34}" + "".join(f"{cell:>11}" for cell in cells))
    for sentence in sorted({sentence.split(" is full")[-1] for sentence in sentences}):
        print(f"said: The disk of ... is full{sentence}")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
