"""`paiju doctor`: is everything here that a table needs, and what to do about what is not."""

from __future__ import annotations

import contextlib
import os
import socket
import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from device.ports import list_ports
from device.transports import OpenError
from models import ModelsError, load_manifest
from table import tls
from table.addresses import is_found_by_name, local_name, own_names
from table.health import LEAST_FREE_MB, free_mb
from table.ledger import LedgerError, read, verify
from table.runtime import LEDGER_NAME

HERE = Path(__file__).resolve().parent.parent
DEVICES = Path("/dev")
OLDEST = datetime(2026, 1, 1, tzinfo=UTC)
"""A clock before this was never set."""

PACKAGES = ("rules", "vision", "device", "models", "table", "webui")

Health = Literal["ok", "advice", "fault"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: how it is, in a sentence that says what to do if it is not well."""

    topic: str
    health: Health
    text: str


def examine(data_dir: Path, port: int, now: datetime) -> Iterator[Finding]:
    """Look at everything, one finding after another; changes nothing and opens no serial port.

    Args:
        data_dir: Where the ledger is or will be.
        port: Where the pages are to be served.
        now: What the clock says, UTC.
    """
    looks: tuple[Callable[[], Finding], ...] = (
        _python,
        _packages,
        _weights,
        lambda: _data(data_dir),
        lambda: _ledger(data_dir / LEDGER_NAME),
        lambda: _clock(data_dir / LEDGER_NAME, now),
        lambda: _web_port(port),
        lambda: _name(port),
        lambda: _certificates(data_dir, now),
        _cameras,
        _serial_ports,
    )
    for look in looks:
        yield look()


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    wal = sqlite3.sqlite_version_info >= (3, 35)
    if sys.version_info < (3, 11) or not wal:
        text = f"Python {version} with SQLite {sqlite3.sqlite_version} is too old: install Python 3.11."
        return Finding("python", "fault", text)
    return Finding("python", "ok", f"Python {version}, SQLite {sqlite3.sqlite_version}")


def _packages() -> Finding:
    for name in PACKAGES:
        spec = find_spec(name)
        place = Path(spec.origin).resolve().parent.parent if spec and spec.origin else None
        if place != HERE:
            where = place or "nowhere"
            return Finding(
                "packages",
                "fault",
                f"The package {name!r} comes from {where}, not from Paiju: another package of that name is installed. "
                "Give Paiju an environment of its own (make run, or sudo ./install.sh).",
            )
    return Finding("packages", "ok", "rules, vision, device, models, table and webui are Paiju's own")


def _weights() -> Finding:
    try:
        manifest = load_manifest()
    except ModelsError as error:
        return Finding("weights", "fault", str(error))
    return Finding("weights", "ok", f"detector and classifier {manifest.version}, unchanged")


def _data(folder: Path) -> Finding:
    there = next((place for place in (folder, *folder.absolute().parents) if place.exists()), Path("/"))
    if not os.access(there, os.W_OK):
        return Finding("data", "fault", f"{there} cannot be written. Choose another folder with --data.")
    free = free_mb(there)
    if free < LEAST_FREE_MB:
        return Finding("data", "advice", f"only {free} MB are free at {there}; a long evening keeps about 200 MB.")
    return Finding("data", "ok", f"{folder}: writable, {free} MB free")


def _ledger(path: Path) -> Finding:
    if not path.exists():
        return Finding("ledger", "ok", "no ledger yet; the first game makes one")
    try:
        audit = verify(path)
    except LedgerError as error:
        return Finding("ledger", "fault", str(error))
    if audit.fault:
        return Finding("ledger", "fault", f"{audit.fault} Restore the last backup: paiju restore.")
    return Finding("ledger", "ok", f"{audit.entries} entries, chain whole")


def _clock(ledger: Path, now: datetime) -> Finding:
    """The order of a game needs no clock, but what is written beside it does."""
    last_ms = 0
    if ledger.exists():
        with contextlib.suppress(LedgerError):  # said by the finding of the ledger
            last_ms = max((entry.at_ms for entry in read(ledger)), default=0)
    last = max(datetime.fromtimestamp(last_ms / 1000, UTC), OLDEST)
    text = f"the clock says {now:%Y-%m-%d %H:%M} UTC"
    if now < last - timedelta(minutes=1):
        return Finding("clock", "advice", f"{text}, before {last:%Y-%m-%d %H:%M}: set it (timedatectl set-time).")
    return Finding("clock", "ok", text)


def _certificates(data_dir: Path, now: datetime) -> Finding:
    folder = data_dir / tls.FOLDER
    if not tls.there(folder):
        make = f"paiju tls init --data {data_dir}"
        text = f"no certificates, so tablets may go dark and do not install the page: {make}"
        return Finding("https", "advice", text)
    try:
        found = tls.load(folder)
        found.context()
    except tls.TlsError as error:
        return Finding("https", "fault", str(error))
    lost = [name for name in (tls.CA_CERT, tls.CA_KEY) if not (folder / name).exists()]
    if lost:
        text = f"{folder / lost[0]} is not there: put it back, or nothing can be renewed when the pages' certificate"
        return Finding("https", "advice", f"{text} ends on {found.ends:%Y-%m-%d} (paiju tls init --new-authority).")
    if found.authority_ends < now + timedelta(days=tls.RENEW_DAYS):
        text = f"the authority ends on {found.authority_ends:%Y-%m-%d}: paiju tls init --new-authority, then /trust"
        return Finding("https", "advice", f"{text} on every device.")
    if found.ends < now + timedelta(days=tls.RENEW_DAYS):
        return Finding("https", "advice", f"the certificate ends on {found.ends:%Y-%m-%d}: start Paiju again.")
    missing = set(tls.local_only(own_names())) - set(found.names)
    if missing:
        text = f"the certificate does not name {', '.join(sorted(missing))}: start Paiju again, it is renewed then."
        return Finding("https", "advice", text)
    return Finding("https", "ok", f"good until {found.ends:%Y-%m-%d} for {', '.join(found.names)}")


def _web_port(port: int) -> Finding:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
        except OSError as error:
            return Finding(
                "pages", "advice", f"port {port}: {error.strerror}. If it is not Paiju itself, run --port {port + 1}."
            )
    return Finding("pages", "ok", f"port {port} is free")


def _name(port: int) -> Finding:
    address = f"http://{local_name()}:{port or 8080}/"
    if is_found_by_name():
        return Finding("name", "ok", f"other devices find {address}")
    text = f"other devices know this PC by its address only; sudo apt install avahi-daemon, then they find {address}"
    return Finding("name", "advice", text)


def _cameras() -> Finding:
    found = sorted(DEVICES.glob("video*"))
    if not found:
        return Finding("camera", "advice", "no camera is plugged in; phone pictures and taps are enough to play.")
    closed = [str(path) for path in found if not os.access(path, os.R_OK | os.W_OK)]
    if closed:
        return _not_allowed("camera", closed)
    return Finding("camera", "ok", f"{', '.join(map(str, found))}: try paiju run --camera {found[0]}")


def _serial_ports() -> Finding:
    try:
        ports = list_ports()
    except OpenError as error:
        return Finding("table", "advice", str(error))
    if not ports:
        return Finding("table", "advice", "no serial port; the tablet's dice buttons do the same, or try --table sim.")
    known = [port for port in ports if port.chip is not None]
    if not known:
        names = ", ".join(port.path for port in ports)
        text = f"{names}: no chip that tables are built with, so probably no table; if yours is there, run --table "
        return Finding("table", "advice", text + ports[0].path)
    closed = [port.path for port in known if not os.access(port.path, os.R_OK | os.W_OK)]
    if closed:
        return _not_allowed("table", closed)
    names = ", ".join(f"{port.path} ({port.chip})" for port in known)
    text = f"{names}: not opened; whether a table answers there paiju run --table {known[0].path} tells"
    return Finding("table", "ok", text)


def _not_allowed(topic: str, paths: list[str]) -> Finding:
    try:
        group = Path(paths[0]).group()
    except (OSError, KeyError):
        group = "video" if topic == "camera" else "dialout"
    text = f"{', '.join(paths)} may not be opened: sudo usermod -aG {group} $USER, then log in anew."
    return Finding(topic, "advice", text)
