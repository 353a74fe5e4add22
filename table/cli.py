"""The command `paiju`: the one place where the parts are put together."""

from __future__ import annotations

import gc
import logging
import re
import signal
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from table.addresses import is_found_by_name, local_name, own_address, own_names
from table.cli_audit import audit, replay
from table.cli_calibrate import calibrate
from table.cli_device import device, simulate
from table.cli_eyes import enrol
from table.cli_game import backup, doctor, evidence, export, restore, settle
from table.cli_read import read
from table.cli_score import rules, score
from table.cli_tls import tls
from table.cli_tools import fail, refuse_idle, say

if TYPE_CHECKING:
    from table.outfit import Outfit
    from table.runtime import Runtime
    from table.sheet import Words
    from table.tls import Certificates
    from webui import Hall
    from webui.server import Server
    from webui.webhooks import Webhooks


ANY_ADDRESS = ("0.0.0.0", "::")
LONGEST_NAME = 40
HOST_NAME = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="paiju")
@click.pass_context
def main(context: click.Context) -> None:
    """牌局 Paiju: watch a real mahjong table, keep the score honest."""
    context.obj = _words


def _words(language: str) -> Words:
    """The words of the pages, for what is printed on paper."""
    from webui import catalogue

    return catalogue(language)


for command in (
    read, score, rules, simulate, device, calibrate, enrol,
    replay, export, settle, audit, evidence, backup, restore, doctor, tls,
):  # fmt: skip
    main.add_command(command)


def _table_name(_context: click.Context, _option: click.Parameter, given: str) -> str:
    """What a table is called, as pages and paper can show it."""
    if len(given) > LONGEST_NAME or not given.isprintable():
        raise click.BadParameter(f"give at most {LONGEST_NAME} printable characters, e.g. 'Table 7'.")
    return given


def _host_names(_context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Names of hosts, without anything before or behind."""
    wrong = next((one for one in given if not HOST_NAME.fullmatch(one)), None)
    if wrong is not None:
        raise click.BadParameter(f"{wrong!r} is no host name; write it alone, e.g. table7.club.example.")
    return given


@main.command(
    epilog="""\b
Examples:
  paiju run --demo                                    no hardware: simulated table, recorded camera, real detector
  paiju run --demo --follow                           the same, every move followed by the camera
  paiju run                                           no sensors: phone pictures and taps
  paiju run --camera 0 --table /dev/ttyUSB0           a camera over the table and the table's line
  paiju run --table sim                               a simulated table that throws by itself; the hands are yours
  paiju run --table text:/dev/ttyACM0                 a small board that prints DICE 3 4
  paiju run --table replay:evening.jsonl              what `paiju device record` wrote
  paiju run --table /dev/ttyUSB0 --table mqtt://192.168.1.5/hall/table7     two sources; a throw seen twice counts once
"""
)
@click.option("--demo", is_flag=True, help="Play by itself with a simulated table and a recorded camera.")
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), help="Folder of ledger and pictures.  [data]")
@click.option("--camera", help="0, /dev/video0, 0@3840x2160, rtsp://HOST/PATH, video:FILE or folder:DIR.")
@click.option("--table", "table_words", multiple=True, metavar="WHERE",
              help="A port that may be opened: /dev/ttyUSB0, '/dev/ttyUSB*', socket://HOST:PORT; board:PORT, "
              "text:PORT, mqtt://HOST/PREFIX, replay:FILE, or sim. What several saw counts once.")  # fmt: skip
@click.option("--dice-pattern", metavar="REGEX", help="How a text: board words a throw, with groups a and b, "
              r"e.g. 'W(?P<seat>\d): (?P<a>\d)\+(?P<b>\d)'.")  # fmt: skip
@click.option("--host", default="0.0.0.0", show_default=True, help="127.0.0.1 keeps other devices out.")
@click.option("--port", default=8080, show_default=True, type=click.IntRange(1, 65535))
@click.option("--domain", "names", multiple=True, metavar="NAME", callback=_host_names,
              help="A host name of this PC beyond the local network, e.g. table7.club.example; addresses and names "
              "like table7.local need no mention.")  # fmt: skip
@click.option("--https-port", default=8443, show_default=True, type=click.IntRange(1, 65535),
              help="For the secure pages, once `paiju tls init` has made the certificates.")  # fmt: skip
@click.option("--pin", envvar="PAIJU_PIN", help="Referee's PIN for this run, 4 to 12 digits (or set PAIJU_PIN, which "
              "others on this PC cannot see); without any PIN every device may do everything.")  # fmt: skip
@click.option("--threads", default=2, show_default=True, type=click.IntRange(1, 64), help="Threads for the detector.")
@click.option("--turn", default=0, show_default=True, type=click.IntRange(0, 3),
              help="Quarter turns counter-clockwise from the picture's bottom edge to seat A.")  # fmt: skip
@click.option("--follow", is_flag=True, help="Experimental: the camera follows every move (docs/following.md).")
@click.option(
    "--name",
    default="",
    callback=_table_name,
    help="What this table is called, e.g. 'Table 7'; on score sheets and in the hall.",
)
@click.option("--neighbour", "neighbours", multiple=True, metavar="NAME=ADDRESS", help="Another table for the page "
              "/hall, e.g. 'Table 8=http://192.168.1.8:8080'. May be given often.")  # fmt: skip
@click.option("--record", type=click.Path(dir_okay=False, path_type=Path), help="Record for `paiju replay`.")
def run(demo: bool, host: str, port: int, https_port: int, pin: str | None, **given: Any) -> None:
    """Start the table: camera, line, rules and pages in one process."""
    if demo:
        refuse_idle(("camera", "table_words", "dice_pattern", "turn", "record"), "--demo")
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    _require_free(host, port)
    given["data"] = given["data"] or Path("data/demo" if demo else "data")
    certificates = _certificates(given["data"])
    if certificates is not None:
        if port == https_port:
            fail(f"--port and --https-port are both {port}: choose two different ports.")
        _require_free(host, https_port, "--https-port")
    hall = _hall(given)
    table = _demonstration(given) if demo else _table(given)
    try:
        hall.start()
        door = _Door(
            host=host,
            port=port,
            https_port=https_port,
            names=given["names"],
            pin=pin,
            data=given["data"],
            certificates=certificates,
            hall=hall,
        )
        _serve(table, door)
    finally:
        hall.stop()
        table.stop()
        gc.freeze()  # all is closed: Python need not search what is left for cycles, seconds on a small busy PC


@dataclass(frozen=True, slots=True, kw_only=True)
class _Door:
    """Where and how the pages are reached."""

    host: str
    port: int
    https_port: int
    names: tuple[str, ...]
    pin: str | None
    data: Path
    certificates: Certificates | None
    hall: Hall

    @property
    def name(self) -> str:
        """The address that other devices use."""
        host = own_address() if self.host in ANY_ADDRESS else self.host
        return f"[{host}]" if ":" in host else host


@dataclass(frozen=True, slots=True)
class _Running:
    """A started table and how to end it."""

    runtime: Runtime
    stop: Callable[[], None]
    outfit: Outfit | None = None
    wait: Callable[[], None] | None = None


def _hall(given: dict[str, Any]) -> Hall:
    from webui import Hall, neighbour

    try:
        return Hall([neighbour(words) for words in given["neighbours"]], time.monotonic, given["name"])
    except ValueError as error:
        fail(str(error))


def _demonstration(given: dict[str, Any]) -> _Running:
    from table.demonstration import DemoError, Demonstration
    from table.ledger import LedgerError
    from vision.reader import TileReader

    try:
        reader = partial(TileReader.from_models, threads=given["threads"])
        demonstration = Demonstration(given["data"], reader, follow=given["follow"]).start()
    except (DemoError, LedgerError) as error:
        fail(str(error))
    played = demonstration.runtime.snapshot().history
    how = f"It goes on after hand {played[-1].hand_no}." if played else "The first hand begins now."
    say(f"Simulated table at {demonstration.address}, recorded camera, real detector. {how}")
    return _Running(demonstration.runtime, demonstration.stop, wait=demonstration.wait)


def _table(given: dict[str, Any]) -> _Running:
    from device.open import TableWordError
    from table.ledger import LedgerError
    from table.messages import RecordingError
    from table.outfit import Given, Outfit
    from vision.sources import SourceError

    named = Given(
        camera=given["camera"],
        table=given["table_words"],
        dice_pattern=given["dice_pattern"],
        threads=given["threads"],
        turn=given["turn"],
        follow=given["follow"],
        record=given["record"],
    )
    outfit = Outfit(given["data"], named, say)
    try:
        runtime = outfit.open()
    except (LedgerError, RecordingError, SourceError, TableWordError) as error:
        fail(str(error))
    return _Running(runtime, runtime.stop, outfit)


def _certificates(data: Path) -> Certificates | None:
    """The certificates of the pages, renewed if they end soon or the PC has another address; None without any."""
    from table.tls import FOLDER, TlsError, renewed, still_good, there

    if not there(data / FOLDER):
        return None
    now = datetime.now(UTC)
    try:
        return renewed(data / FOLDER, own_names(), now)
    except TlsError as error:
        kept = still_good(data / FOLDER, now)
        what = "No secure pages" if kept is None else f"Secure pages only for {', '.join(kept.names)}"
        say(f"{what}: {error}")
        return kept


def _require_free(host: str, port: int, option: str = "--port") -> None:
    """Stop before anything is started when the pages could not be served."""
    try:
        kind, _, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror:
        fail(f"--host {host} is no address of this computer. Use 0.0.0.0 for all devices, 127.0.0.1 for this PC alone.")
    with socket.socket(kind, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(place)
        except OSError as error:
            fail(_port_in_use(host, port, error, option))


def _port_in_use(host: str, port: int, error: OSError, option: str = "--port") -> str:
    other = port + 1 if port < 65535 else 8080
    make = f", or: make run PORT={other}" if option == "--port" else ""
    return (
        f"Port {port} on {host} cannot be used ({error.strerror}); is Paiju running already? "
        f"Choose another with {option} {other}{make}"
    )


def _server(table: _Running, door: _Door, hooks: Webhooks) -> Server:
    """The pages, bound to their ports.

    Raises:
        ValueError: the PIN or a file of the pages is not usable.
        OSError: a port is in use.
    """
    from table.set_up import SetUp
    from webui import ACCESS_FILE, Authority, create_app, make_server

    found, authority = door.certificates, None
    if found is not None:
        authority = Authority(certificate=found.authority(), fingerprint=found.fingerprint, port=door.https_port)
    app = create_app(
        table.runtime,
        pin=door.pin,
        access_file=door.data / ACCESS_FILE,
        names=door.names,
        address=f"http://{door.name}:{door.port}" if door.host in ANY_ADDRESS else None,
        authority=authority,
        hall=door.hall,
        webhooks=hooks,
        wait=table.wait,
        setup=SetUp(table.outfit) if table.outfit is not None else None,
    )
    server = make_server(app, door.host, door.port)
    if found is not None:
        server.add_tls(found.context(), door.host, door.https_port)
    return server


def _serve(table: _Running, door: _Door) -> None:
    """Answer the tablets until Ctrl-C or SIGTERM."""
    from webui import WEBHOOKS_FILE, Webhooks, deliver

    try:
        hooks = Webhooks(table.runtime, door.data / WEBHOOKS_FILE, deliver)
        server = _server(table, door, hooks)
    except ValueError as error:
        fail(str(error))
    except OSError as error:
        fail(_port_in_use(door.host, door.port, error))
    stopped = threading.Event()

    def stop(_signal: int, _frame: object) -> None:
        stopped.set()

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, stop)
    threading.Thread(target=server.run, name="web", daemon=True).start()
    hooks.start()
    _show_address(door)
    if table.outfit is not None and table.outfit.settings.step != "report":
        say(f"Set up        http://{door.name}:{door.port}/setup        camera, corners, tiles, line, rules")
    stopped.wait()
    say("Stopping; everything confirmed is in the ledger.")
    server.close()
    hooks.stop()


def _show_address(door: _Door) -> None:
    import segno

    address = f"http://{door.name}:{door.port}/"
    qr = segno.make(address, error="m")
    qr.terminal(compact=True, border=2)
    say(f"Tablet        {address}")
    if door.host in ANY_ADDRESS and is_found_by_name():
        say(f"By name       http://{local_name()}:{door.port}/")
    say(f"Referee desk  {address}desk")
    if door.certificates is not None:
        say(f"Secure        https://{door.name}:{door.https_port}/   (install its certificate first: {address}trust)")
    say(f"On this PC    http://localhost:{door.port}/        Ctrl-C ends it")
