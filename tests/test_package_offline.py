"""The tests themselves prove that nothing is asked from outside: the network beyond this machine is shut."""

from __future__ import annotations

import socket
import urllib.request

import pytest

from table.addresses import own_address


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("10.0.0.1", 8080), ("2001:db8::1", 80)])
def test_no_test_reaches_another_machine(address: tuple[str, int]) -> None:
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe, pytest.raises(RuntimeError, match="only this machine"):
        probe.connect(address)
    with socket.socket(family, socket.SOCK_DGRAM) as probe, pytest.raises(RuntimeError, match="only this machine"):
        probe.sendto(b"x", address)
    with pytest.raises(RuntimeError, match="only this machine"):
        urllib.request.urlopen("http://192.0.2.1/", timeout=1)


def test_this_machine_is_reached_and_may_ask_for_its_own_address() -> None:
    assert own_address()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        socket.create_connection(listener.getsockname(), timeout=1).close()
