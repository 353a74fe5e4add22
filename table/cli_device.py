"""`paiju simulate` and `paiju device ...`: the table's line without the game."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import click

from table.cli_tools import fail, say


@click.command(
    epilog="""\b
Examples:
  paiju simulate                                  a quiet table to steer by typing (help lists the orders)
  paiju simulate --play --pace 20                 an endless evening, twenty times as fast
  paiju simulate --listen 127.0.0.1:7777          the same over TCP: paiju run --table socket://127.0.0.1:7777
  paiju simulate --play --fault lose=0.1 --fault flip=0.01
"""
)
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same evening.")
@click.option("--pace", default=1.0, show_default=True, type=click.FloatRange(0.1, 1000), help="How much faster.")
@click.option("--listen", default="pty", show_default=True, help="pty or HOST:PORT.")
@click.option("--link", type=click.Path(path_type=Path), help="A fixed name for the pseudo-terminal.")
@click.option("--play", is_flag=True, help="Play hands by itself.")
@click.option("--fault", "faults", multiple=True, metavar="NAME=RATE", help="e.g. lose=0.3, garbage_per_s=1000.")
def simulate(seed: int, pace: float, listen: str, link: Path | None, play: bool, faults: tuple[str, ...]) -> None:
    """Be a whole automatic table: dice, walls, buttons, faults."""
    from device.evening import EveningPlan
    from device.simconsole import parse_faults, run_simulator, typed_lines
    from device.simulator import SimConfig

    try:
        bad_line = parse_faults(faults)
    except ValueError as error:
        fail(f"--fault: {error}.")
    config = SimConfig(
        seed=seed,
        pace=pace,
        listen=listen,
        link=link,
        faults=bad_line,
        plan=EveningPlan() if play else None,
    )
    try:
        run_simulator(config, typed_lines(sys.stdin), say)
    except OSError as error:
        fail(f"The simulated table cannot listen at {listen}: {error.strerror}. Choose another --listen or --link.")


@click.group()
def device() -> None:
    """The table's line: list ports, record it, play a recording back."""


@device.command(epilog="\b\nExample:\n  paiju device list")
def list() -> None:  # noqa: A001 - the word people type
    """List this computer's serial ports; opens none."""
    from device.ports import list_ports
    from device.tools import port_lines
    from device.transports import OpenError

    try:
        ports = list_ports()
    except OpenError as error:
        fail(str(error))
    for line in port_lines(ports):
        say(line)


@device.command(epilog="\b\nExample:\n  paiju device record /dev/ttyUSB0 evening.jsonl      (Ctrl-C ends it)")
@click.argument("port")
@click.argument("file", type=click.Path(path_type=Path))
def record(port: str, file: Path) -> None:
    """Record everything that PORT says into FILE (JSONL, chunk borders kept)."""
    from device.link import LinkConfig
    from device.record import RecordingError
    from device.tools import record_table

    stop = threading.Event()
    try:
        heard = record_table(LinkConfig(ports=(port,)), file, say, stop)
    except KeyboardInterrupt:
        stop.set()
        say(f"Recorded into {file}.")
    except RecordingError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{file}: {error.strerror}. A recording never overwrites another file; choose a new name.")
    else:
        say(f"{heard} messages recorded into {file}.")


@device.command(name="replay", epilog="\b\nExample:\n  paiju device replay evening.jsonl")
@click.argument("file", type=click.Path(path_type=Path))
def replay_recording(file: Path) -> None:
    """Show the messages of a recording, with their times."""
    from device.record import RecordingError
    from device.tools import replay_lines

    try:
        for line in replay_lines(file):
            say(line)
    except RecordingError as error:
        fail(str(error))
    except BrokenPipeError:  # the reader has enough, as in `paiju device replay FILE | head`
        raise
    except OSError as error:
        fail(f"{file}: cannot be read ({error.strerror}).")
