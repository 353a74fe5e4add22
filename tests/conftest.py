"""Fixtures every test may use."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from table.runtime import Runtime

# A slow or busy computer is no fault of the code: speed is measured in the benchmarks, not in property tests.
settings.register_profile("paiju", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("paiju")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of specifications, worked examples and labelled photographs; it is not part of the product."""
    folder = Path(os.environ.get("PAIJU_SHARED", ROOT.parent / "shared"))
    if not (folder / "rules" / "SCHEMA.md").is_file():
        pytest.skip(f"needs the specification folder {folder.name}/ beside the project (set PAIJU_SHARED)")
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, one for all tests of a run; each page is a device of its own (`browser_rig.opened`)."""
    from tests import browser_rig  # playwright only for the tests that open pages

    with browser_rig.launched() as found:
        yield found


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Runtime]:
    """A running table at which nobody has sat down yet; a file that wants another one has its own of this name."""
    from tests import webui_rig as rig  # OpenCV and the pages only for the tests that run a table

    with rig.open_table(tmp_path) as runtime:
        yield runtime


@pytest.fixture
def address(table: Runtime) -> Iterator[str]:
    """Where the pages of `table` are served, be it this file's or the one above."""
    from tests import webui_rig as rig

    with rig.served(table) as found:
        yield found


class OutsideNetworkError(RuntimeError):
    """A test asked for something outside this machine."""


def _refuse_outside(sock: socket.socket, address: Any) -> None:
    if sock.family not in (socket.AF_INET, socket.AF_INET6) or address[0] in ("localhost", ""):
        return
    if not ipaddress.ip_address(str(address[0]).partition("%")[0]).is_loopback:
        raise OutsideNetworkError(f"a test wanted to talk to {address}: only this machine is allowed")


@pytest.fixture(autouse=True, scope="session")
def no_outside_network() -> Iterator[None]:
    """Paiju never needs the internet, so no test may reach it (the browser has a rule of its own)."""
    connect, connect_ex, sendto = socket.socket.connect, socket.socket.connect_ex, socket.socket.sendto

    def guarded(self: socket.socket, address: Any) -> None:
        if self.type != socket.SOCK_DGRAM:  # a datagram socket that connects sends nothing
            _refuse_outside(self, address)
        connect(self, address)

    def guarded_ex(self: socket.socket, address: Any) -> int:
        _refuse_outside(self, address)
        return connect_ex(self, address)

    def guarded_to(self: socket.socket, *words: Any) -> int:
        _refuse_outside(self, words[-1])
        return sendto(self, *words)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        patch.setattr(socket.socket, "connect_ex", guarded_ex)
        patch.setattr(socket.socket, "sendto", guarded_to)
        yield
