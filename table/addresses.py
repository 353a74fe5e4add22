"""Under which names and addresses other devices reach this PC."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct
from pathlib import Path

ASK_ADDRESS = 0x8915
"""SIOCGIFADDR of Linux: the IPv4 address of a network card."""

IPV6_CARDS = Path("/proc/net/if_inet6")
NAME_SERVICE = Path("/run/avahi-daemon/socket")
"""Here Debian's Avahi can be asked; while it runs, it answers in the network for this PC's name (mDNS)."""


def own_address() -> str:
    """This PC's address in the local network (nothing is sent); `localhost` without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "localhost"
        return str(probe.getsockname()[0])


def local_name() -> str:
    """This PC's name in a network without a name server, such as ``table7.local``; see `is_found_by_name`."""
    host = socket.gethostname().lower().partition(".")[0] or "paiju"
    return f"{host}.local"


def is_found_by_name() -> bool:
    """Whether something on this PC answers other devices that ask for `local_name`."""
    return NAME_SERVICE.exists()


def own_names() -> tuple[str, ...]:
    """Host name, the same with ``.local``, ``paiju.local``, localhost, and every address of every network card."""
    local = local_name()
    names = [local.removesuffix(".local"), local, "paiju.local", "localhost", "127.0.0.1", "::1"]
    own = own_address()
    addresses = sorted({*_ipv4(), *_ipv6(), *([] if own == "localhost" else [own])} - set(names))
    return tuple(dict.fromkeys([*names, *addresses]))


def _ipv4() -> set[str]:
    try:
        from fcntl import ioctl  # not on Windows
    except ImportError:
        return {str(found[4][0]) for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    found = set()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, card in socket.if_nameindex():
            with contextlib.suppress(OSError):  # a card without an address
                answer = ioctl(probe, ASK_ADDRESS, struct.pack("256s", card[:15].encode()))
                found.add(socket.inet_ntoa(answer[20:24]))
    return found


def _ipv6() -> set[str]:
    """Addresses of the local network; those of a single cable (``fe80::``) cannot be typed into a browser."""
    try:
        lines = IPV6_CARDS.read_text("ascii").splitlines()
    except OSError:
        return set()
    addresses = (ipaddress.IPv6Address(bytes.fromhex(line.split()[0])) for line in lines)
    return {str(one) for one in addresses if not one.is_link_local}
