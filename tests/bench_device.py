"""What the table's line can bear, measured: ``python tests/bench_device.py [--quick]``.

Prints one line for each number: what, measured, bar. Exit code 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from device.catalogue import from_packet
from device.codec import PacketDecoder, encode
from device.faults import DAMAGES, Faults, damage
from device.link import LinkConfig, TableLink
from device.linkstate import LinkState
from device.messages import Button, Dice, Heartbeat
from device.notices import Notice
from device.simulator import SimConfig, SimTable
from device.wire import EventId
from tests.device_rig import Rig


@dataclass(frozen=True)
class Row:
    """One measured number beside its bar."""

    what: str
    measured: str
    bar: str
    good: bool

    def __str__(self) -> str:
        return f"{'ok  ' if self.good else 'MISS'} {self.what:<58} {self.measured:<44} bar: {self.bar}"


def progress(what: str, part: float) -> None:
    """Show how far a long measurement is, where someone watches."""
    if sys.stderr.isatty():
        print(f"\r{what} {part:4.0%}", end="\r" if part < 1 else "\n", file=sys.stderr, flush=True)


def corrupted(hits: int) -> Row:
    """Wrong frames accepted and exceptions, over all seven kinds of damage."""
    rng = Random(20)
    wrong = dict.fromkeys(DAMAGES, 0)
    found = sent = 0
    began = time.perf_counter()
    per_kind = hits // len(DAMAGES)
    for kind in DAMAGES:
        done = 0
        while done < per_kind:
            lines = [
                encode(Dice(EventId("7F3A", n), rng.randrange(1 << 32), n, "end", 2, (rng.randint(1, 6),) * 2, n % 4))
                for n in range(1, 201)
            ]
            known = {line[1:-6].decode() for line in lines}
            for _ in range(20):  # the same frames are hurt anew; making them costs more than hurting them
                stream = bytearray(b"".join(lines))
                for _ in range(80):
                    damage(rng, stream, kind)
                packets = PacketDecoder().feed(bytes(stream) + b"\n")
                strange = [packet for packet in packets if packet.body() not in known]
                for packet in strange:
                    from_packet(packet)
                wrong[kind] += len(strange)
                found += len(packets)
                sent += len(lines)
                done += 80
            progress("corrupted frames", (list(DAMAGES).index(kind) + done / per_kind) / len(DAMAGES))
    total = sum(wrong.values())
    limit = hits / 65_536
    detail = ", ".join(f"{kind} {count}" for kind, count in wrong.items() if count) or "none of any kind"
    return Row(
        f"{hits:,} corruptions: exceptions 0, wrong frames",
        f"{total} ({detail}); {found / sent:.0%} found, {time.perf_counter() - began:.0f} s",
        f"<= {limit:.1f} (CRC-16: 1 in 65,536)",
        total <= max(1, limit),
    )


def between_garbage(frames: int) -> Row:
    """Good frames found between kilobytes of garbage."""
    rng = Random(21)
    decoder = PacketDecoder()
    found = []
    for n in range(1, frames + 1):
        found += decoder.feed(rng.randbytes(1024) + encode(Button(EventId("7F3A", n), n, 1, "HU")))
    good = [from_packet(packet).id.n for packet in found] == list(range(1, frames + 1))
    return Row(f"{frames:,} frames between 1 kB of garbage", f"{len(found):,} found, 0 wrong", f"{frames:,}", good)


def lossy(events: int) -> Row:
    """Loss of 30 % in both directions: nothing missing, nothing double, in order; and how late."""
    rig = Rig(seed=22, faults=Faults(lose=0.3))
    rig.plug()
    rig.run(6)
    made, late = {}, []

    def stamp() -> None:
        for event in rig.events[len(late) :]:
            late.append(rig.now - made[event.id])

    for index in range(events):
        made[rig.press(index % 4)] = rig.now
        rig.run(0.25, stamp)
        if not rig.plugged:
            rig.plug()
        if index % 200 == 0:
            progress("30 % loss", index / events)
    rig.run(30, stamp)
    good = [event.id for event in rig.events] == list(made)
    return Row(
        f"30 % loss each way, {events:,} events",
        f"{len(rig.events):,} in order, p99 {sorted(late)[int(len(late) * 0.99)]:.2f} s late",
        f"{events:,}, 0 lost, 0 double",
        good,
    )


def unplugs(cycles: int) -> Row:
    """Cable out in mid-traffic, again and again, on a real pseudo-terminal."""
    heard: list[EventId] = []
    notices: list[Notice] = []
    live = threading.Event()
    lost = threading.Event()

    def hear(item: object) -> None:
        if isinstance(item, Button):
            heard.append(item.id)
        if isinstance(item, Notice):
            notices.append(item)

    def see(state: LinkState) -> None:
        (live.set if state is LinkState.LIVE else live.clear)()
        (lost.set if state is LinkState.LOST else lost.clear)()

    back: list[float] = []
    made: list[EventId] = []
    with tempfile.TemporaryDirectory() as folder, SimTable(SimConfig(link=Path(folder) / "table")) as table:
        link = TableLink(LinkConfig([table.address]), hear, see).start()
        live.wait(5)
        for cycle in range(cycles):
            for seat in range(4):
                made.append(table._do(lambda seat=seat: table.board.emit(Button, table.works.now, seat=seat, key="HU")))
            time.sleep(0.005 * (cycle % 7))
            table.unplug(mid_frame=cycle % 2 == 0)
            lost.wait(5)
            began = time.monotonic()
            table.plug_in()
            live.wait(5)
            back.append(time.monotonic() - began)
            progress("unplug cycles", (cycle + 1) / cycles)
        deadline = time.monotonic() + 10
        while len(heard) < len(made) and time.monotonic() < deadline:
            time.sleep(0.05)
        link.close()
    good = heard == made and max(back) < 2 and not notices
    return Row(
        f"{cycles} unplug cycles, {len(made)} events",
        f"{len(made) - len(set(heard))} lost, {len(heard) - len(set(heard))} double, back in p50 "
        f"{statistics.median(back):.2f} max {max(back):.2f} s",
        "0, 0, max 2 s",
        good,
    )


def resident_bytes() -> int:
    """Memory of this process now."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def many_frames(frames: int) -> Row:
    """Many frames through one decoder: flat memory."""
    decoder = PacketDecoder()
    line = encode(Heartbeat("7F3A", 9_877_000, 12, 12, "WASH", "UP", 1))
    block = line * 500 + b"console noise\n"
    decoder.feed(block)
    gc.collect()
    before = resident_bytes()
    began = time.process_time()
    for index in range(frames // 500):
        decoder.feed(block)
        if index % 400 == 0:
            progress("frames", index * 500 / frames)
    used = time.process_time() - began
    grown = (resident_bytes() - before) / 1e6
    return Row(
        f"{frames:,} frames decoded",
        f"{frames / used / 1e6:.2f} M frames per CPU second, memory +{grown:.1f} MB",
        "< 5 MB",
        grown < 5,
    )


def long_evening(hours: int) -> Row:
    """Hours of table time, the board's clock wrapping and the board restarting: nothing lost, flat memory."""
    rig = Rig(seed=23)
    rig.board.start(rig.now, "pwr", clock_ms=(1 << 32) - 1_800_000)  # wraps after half an hour
    rig.plug()
    made, seen = 0, 0
    rig.run(60)
    gc.collect()
    before = resident_bytes()
    for minute in range(hours * 60):
        if minute % 60 == 59:
            rig.board.start(rig.now, "wdt", clock_ms=(1 << 32) - 1_800_000)
        if not rig.plugged:
            rig.plug()
        for _ in range(6):
            rig.press(minute % 4)
            made += 1
            rig.run(10)
        seen += sum(isinstance(item, Button) for item in rig.heard)
        rig.heard.clear()
        progress("24 hours", minute / (hours * 60))
    grown = (resident_bytes() - before) / 1e6
    return Row(
        f"{hours} simulated hours, t wraps, {hours} restarts",
        f"{seen:,} of {made:,} events, memory +{grown:.1f} MB",
        "all, < 5 MB",
        seen == made and grown < 5,
    )


def thread_share(seconds: float, garbage_per_s: int) -> float:
    """Part of a core that the link's thread uses, measured in that thread."""
    with SimTable(SimConfig(faults=Faults(garbage_per_s=garbage_per_s))) as table:
        clocks: list[float] = []
        link = TableLink(LinkConfig([table.address]), lambda _item: clocks.append(time.thread_time()))
        began_at = time.monotonic()
        link.start()
        time.sleep(1.5)
        first, first_at = clocks[-1] if clocks else 0.0, time.monotonic()
        time.sleep(seconds)
        link.close()
        assert began_at < first_at
        return (clocks[-1] - first) / seconds


def idle_share(seconds: float) -> Row:
    """CPU of the link's thread while only the heart beats."""
    share = thread_share(seconds, 0)
    return Row("idle, heartbeats only", f"{share:.2%} of a core", "< 1 %", share < 0.01)


def garbage_share(seconds: float) -> Row:
    """CPU of the link's thread under 100 kB/s of garbage."""
    share = thread_share(seconds, 100_000)
    return Row("100 kB/s of garbage", f"{share:.2%} of a core", "< 5 %", share < 0.05)


def latency(throws: int) -> Row:
    """From the dice lying still at the (simulated) table to the listener, through a pseudo-terminal and the thread."""
    took: list[float] = []
    arrived = threading.Event()
    sent_at = [0.0]

    def hear(item: object) -> None:
        if isinstance(item, Button):
            took.append(time.perf_counter() - sent_at[0])
            arrived.set()

    with SimTable(SimConfig()) as table:
        link = TableLink(LinkConfig([table.address]), hear).start()
        while link.status().state is not LinkState.LIVE:
            time.sleep(0.05)
        for index in range(throws):
            arrived.clear()
            sent_at[0] = time.perf_counter()
            table.press(index % 4, "OK")
            arrived.wait(2)
        link.close()
    took.sort()
    p99 = took[int(len(took) * 0.99)] * 1000
    return Row(
        f"{throws} events, table to listener",
        f"p50 {took[len(took) // 2] * 1000:.1f} ms, p99 {p99:.1f} ms",
        "p99 < 100 ms (to the tablet)",
        p99 < 100,
    )


def speed(rounds: int) -> Row:
    """Encoding, decoding and understanding of dice frames, one at a time."""
    dice = Dice(EventId("7F3A", 12), 9876543, 57, "end", 2, (3, 4), 0, "elec")
    line = encode(dice)
    decoder = PacketDecoder()
    began = time.process_time()
    for _ in range(rounds):
        encode(dice)
    encoded = rounds / (time.process_time() - began)
    began = time.process_time()
    for _ in range(rounds):
        from_packet(decoder.feed(line)[0])
    decoded = rounds / (time.process_time() - began)
    return Row(
        "dice frames: encode; decode and understand",
        f"{encoded:,.0f}; {decoded:,.0f} per CPU second",
        "> 10,000 (a full line carries 160)",
        decoded > 10_000,
    )


def measures(part: int) -> list[Callable[[], Row]]:
    """Return every measurement, ``part`` times smaller than the full one."""
    return [
        partial(speed, 50_000 // part),
        partial(between_garbage, 2_000 // part),
        partial(lossy, 5_000 // part),
        partial(corrupted, 1_000_000 // part),
        partial(unplugs, 100 // part),
        partial(many_frames, 10_000_000 // part),
        partial(long_evening, 24 // part),
        partial(idle_share, 20 / part),
        partial(garbage_share, 20 / part),
        partial(latency, 1_000 // part),
    ]


def main() -> int:
    """Run everything; return 1 where a bar was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    missed = 0
    for measure in measures(10 if parser.parse_args().quick else 1):
        row = measure()
        missed += not row.good
        print(row, flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
