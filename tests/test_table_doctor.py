"""`paiju doctor` says of each thing how it is, and what to do where it is not well."""

from __future__ import annotations

import os
import socket
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from device.ports import PortInfo
from device.transports import OpenError
from models import ModelsError
from table import doctor, tls
from table.addresses import own_names
from table.runtime import LEDGER_NAME
from tests import webui_rig as rig

NOW = datetime(2030, 5, 1, 12, 0, tzinfo=UTC)


def found(folder: Path, topic: str, *, port: int = 0, now: datetime = NOW) -> doctor.Finding:
    return next(one for one in doctor.examine(folder, port, now) if one.topic == topic)


def closed(monkeypatch: pytest.MonkeyPatch, *paths: str) -> None:
    """These may not be opened, as for a user outside the group."""
    may = os.access
    monkeypatch.setattr("table.doctor.os.access", lambda path, mode: str(path) not in paths and may(path, mode))


def test_a_fresh_pc_has_no_fault(tmp_path: Path) -> None:
    findings = list(doctor.examine(tmp_path, 0, NOW))
    assert [one.topic for one in findings] == [
        "python", "packages", "weights", "data", "ledger", "clock", "pages", "name", "https", "camera", "table",
    ]  # fmt: skip
    assert not [one for one in findings if one.health == "fault"]


def test_old_programs_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 22, 0))
    assert "too old" in found(tmp_path, "python").text


def test_missing_weights_say_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ModelsError("detector.onnx is another file than the manifest says. Install Paiju again.")

    monkeypatch.setattr("table.doctor.load_manifest", broken)
    finding = found(tmp_path, "weights")
    assert (finding.health, "Install Paiju again" in finding.text) == ("fault", True)


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed(monkeypatch, str(tmp_path))
    finding = found(tmp_path / "new", "data")
    assert (finding.health, "--data" in finding.text) == ("fault", True)


def test_a_disk_that_is_nearly_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table.doctor.free_mb", lambda _folder: 42)
    finding = found(tmp_path, "data")
    assert (finding.health, "42 MB" in finding.text) == ("advice", True)


def test_a_damaged_ledger_leads_to_the_backup(tmp_path: Path) -> None:
    with rig.open_table(tmp_path) as runtime:
        rig.open_game(runtime)
        rig.win(runtime)
    assert found(tmp_path, "ledger").health == "ok"
    with sqlite3.connect(tmp_path / LEDGER_NAME) as file:
        for trigger in [row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]:
            file.execute(f"DROP TRIGGER {trigger}")
        tables = [row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = {table: [row[1] for row in file.execute(f"PRAGMA table_info({table})")] for table in tables}
        name = next(table for table in tables if "at_ms" in columns[table])
        file.execute(f"UPDATE {name} SET at_ms = at_ms + 1")
    finding = found(tmp_path, "ledger")
    assert (finding.health, "paiju restore" in finding.text) == ("fault", True)


def test_a_clock_that_was_never_set_or_stands_before_the_last_entry(tmp_path: Path) -> None:
    assert found(tmp_path, "clock").health == "ok"
    assert "timedatectl" in found(tmp_path, "clock", now=datetime(1970, 1, 1, tzinfo=UTC)).text
    with rig.open_table(tmp_path) as runtime:
        rig.open_game(runtime)
    today = datetime.now(UTC)
    assert found(tmp_path, "clock", now=today).health == "ok"
    assert "timedatectl" in found(tmp_path, "clock", now=today - timedelta(hours=1)).text


def test_a_port_in_use_names_another(tmp_path: Path) -> None:
    with socket.create_server(("0.0.0.0", 0)) as other:
        port = other.getsockname()[1]
        finding = found(tmp_path, "pages", port=port)
    assert (finding.health, f"--port {port + 1}" in finding.text) == ("advice", True)


def test_a_name_in_the_network_needs_somebody_who_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Table7.club")
    monkeypatch.setattr("table.addresses.NAME_SERVICE", tmp_path / "socket")
    finding = found(tmp_path, "name", port=0)
    assert (finding.health, "apt install avahi-daemon" in finding.text) == ("advice", True)
    (tmp_path / "socket").touch()
    finding = found(tmp_path, "name", port=0)
    assert (finding.health, finding.text) == ("ok", "other devices find http://table7.local:8080/")
    assert own_names()[:2] == ("table7", "table7.local")


def test_certificates_missing_good_ending_strange_and_damaged(tmp_path: Path) -> None:
    assert f"paiju tls init --data {tmp_path}" in found(tmp_path, "https").text
    folder, names = tmp_path / tls.FOLDER, tls.local_only(own_names())
    made = tls.make(folder, names, NOW)
    assert found(tmp_path, "https").health == "ok"
    soon = found(tmp_path, "https", now=made.ends - timedelta(days=10))
    assert (soon.health, "start Paiju again" in soon.text) == ("advice", True)
    assert "--new-authority" in found(tmp_path, "https", now=made.authority_ends - timedelta(days=10)).text
    tls.make(folder, ["localhost"], NOW)
    moved = found(tmp_path, "https")
    assert (moved.health, "does not name" in moved.text) == ("advice", True)
    (folder / tls.CA_KEY).rename(tmp_path / "kept elsewhere")
    lost = found(tmp_path, "https")
    assert (lost.health, f"{tls.CA_KEY} is not there: put it back" in lost.text) == ("advice", True)
    (folder / tls.LEAF_KEY).write_bytes(b"")
    assert (found(tmp_path, "https").health, found(tmp_path, "ledger").health) == ("fault", "ok")


def test_a_camera_that_may_not_be_opened_names_its_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table.doctor.DEVICES", tmp_path)
    assert "phone pictures" in found(tmp_path, "camera").text
    camera = tmp_path / "video0"
    camera.touch()
    assert found(tmp_path, "camera").health == "ok"
    closed(monkeypatch, str(camera))
    finding = found(tmp_path, "camera")
    assert (finding.health, f"usermod -aG {camera.group()}" in finding.text) == ("advice", True)


def unlisted() -> tuple[PortInfo, ...]:
    raise OpenError("failed", "The ports cannot be listed.")


def test_a_serial_port_that_may_not_be_opened_names_its_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    port = tmp_path / "ttyUSB0"
    port.touch()
    ports: tuple[PortInfo, ...] = ()
    monkeypatch.setattr("table.doctor.list_ports", lambda: ports)
    assert "--table sim" in found(tmp_path, "table").text
    ports = (PortInfo(path="/dev/ttyS0", chip=None, description=""),)
    unknown = found(tmp_path, "table")
    assert (unknown.health, "probably no table" in unknown.text, "usermod" in unknown.text) == ("advice", True, False)
    ports = (PortInfo(path=str(port), chip="CH340", description=""), *ports)
    known = found(tmp_path, "table").text
    assert f"paiju run --table {port}" in known
    assert "ttyS0" not in known
    monkeypatch.setattr("table.doctor.list_ports", unlisted)
    assert found(tmp_path, "table").text == "The ports cannot be listed."
    monkeypatch.setattr("table.doctor.list_ports", lambda: ports)
    closed(monkeypatch, str(port))
    finding = found(tmp_path, "table")
    assert (finding.health, f"usermod -aG {port.group()}" in finding.text) == ("advice", True)
