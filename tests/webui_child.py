"""The pages of a table in a process of their own, which a test can kill."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path


def free_port() -> int:
    """A port that nothing uses just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(folder: Path, port: int) -> subprocess.Popen[bytes]:
    """Serve the table kept in a folder; back when it answers."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.webui_rig", str(folder), str(port)], cwd=Path(__file__).parents[1]
    )
    deadline = time.monotonic() + 60  # a bound for a server that hangs, not for speed
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/state", timeout=1).read()
        except OSError:
            time.sleep(0.1)
        else:
            return process
    raise AssertionError("the server did not start")
