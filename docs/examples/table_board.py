"""A table's board for MTL/1, in MicroPython: keys, dice shaker and lift of a table tapped through opto-couplers.

Copy it to an ESP32 or Pico as main.py, set the pins at the end, and try it with `paiju device record`. Everything
above `main` is plain Python and is tested with the driver on a computer. It is a class 2 board: it knows that and
by whom the dice were thrown, and (unless your dice are electronic) not what they show: v=?.
Never tap mains voltage. See docs/device-protocol.md.
"""

RING = 64  # events kept until they are confirmed
CAPS = "dice2,by,lift,btn,light,lock"


def crc16(data):
    """CRC-16/CCITT-FALSE, the check sum of every frame."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def frame(body):
    """Wrap a body as one line."""
    raw = body.encode()
    return b"@" + raw + f"*{crc16(raw):04X}\n".encode()


def read_line(line):
    """Return (type, {key: value}) of an intact frame, or None. Anything else on the line is ignored."""
    line = line[line.rfind(b"@") + 1 :].rstrip(b"\r") if b"@" in line else b""
    star = line.rfind(b"*")
    if star < 0 or len(line) - star != 5:
        return None
    try:
        if int(line[star + 1 :], 16) != crc16(line[:star]):
            return None
        words = line[:star].decode().split(" ")
    except ValueError:
        return None
    return words[0], dict(word.split("=", 1) for word in words[1:] if "=" in word)


class Board:
    """The protocol: events are kept and repeated until confirmed, commands are done once, the heart beats.

    write(bytes) sends; uid is 4 to 32 hex digits that stay the same for ever; boot is 4 hex digits that are new at
    each start; roll is the last throw's number from storage and save(roll) stores it; obey(type, keys) carries out
    ROLL and LIGHT and returns None or an error code.
    """

    def __init__(self, write, uid, boot, reset="pwr", roll=0, save=None, obey=None):
        self.write, self.uid, self.boot, self.reset = write, uid, boot, reset
        self.roll, self.save, self.obey = roll, save, obey
        self.deck, self.top, self.phase = "UNKNOWN", "UNKNOWN", "IDLE"
        self.n = self.t = self.bad = 0
        self.ring = []  # (n, frame), oldest first
        self.answers = []  # ((h, c), frame), the last 16
        self.rest = b""
        self.beat = self.resend = 0
        self.lock_left = 0  # ms until a LOCK ends by itself
        self.hello()

    # --- what happens at the table ---

    def event(self, kind, keys):
        """Number an event, keep it, send it."""
        self.n += 1
        line = frame(f"{kind} id={self.boot}.{self.n} t={self.t & 0xFFFFFFFF} {keys}")
        self.ring.append((self.n, line))
        if len(self.ring) > RING:
            self.ring.pop(0)  # the oldest is lost; floor= tells Paiju
        self.write(line)

    def key(self, seat, name):
        """A seat (1 to 4) pressed a key; return True if the key may act (it may not while locked)."""
        self.event("BTN", f"seat={seat} key={name} act=down")
        return self.lock_left <= 0

    def dice_start(self, by):
        """The shaker started; by is the seat 1 to 4, or 0."""
        self.roll += 1
        if self.save:
            self.save(self.roll)
        self.phase = "ROLLING"
        self.event("DICE", f"roll={self.roll} ph=start n=2 v=? by={by} src=sense")

    def dice_end(self, by, values=None):
        """The dice lie still; values is (3, 4) if the board can know."""
        self.phase = "SETTLED"
        shown = ",".join(str(value) for value in values) if values else "?"
        self.event("DICE", f"roll={self.roll} ph=end n=2 v={shown} by={by} src=sense")

    def lifted(self, top):
        """The walls or the centre moved: UP, DROP or LIFTING."""
        self.top = top
        self.event("LIFT", f"top={top} deck={self.deck} by=0")

    # --- the line ---

    def poll(self, elapsed_ms):
        """Call often, with the milliseconds since the last call."""
        self.t += elapsed_ms
        self.lock_left -= elapsed_ms
        if self.t - self.beat >= 1000:
            self.beat = self.t
            state = f"floor={self.floor()} deck={self.deck} top={self.top} q={len(self.ring)} bad={self.bad}"
            self.write(frame(f"HB b={self.boot} t={self.t & 0xFFFFFFFF} n={self.n} {state}"))
        if self.t - self.resend >= 400:
            self.resend = self.t
            self.send_kept()

    def feed(self, data):
        """Take bytes from the line, in whatever pieces."""
        lines = (self.rest + data).split(b"\n")
        self.rest = lines.pop()[-192:]
        for line in lines:
            heard = read_line(line)
            if heard:
                self.hear(heard[0], heard[1])
            elif b"@" in line:
                self.bad += 1

    def hear(self, kind, keys):
        if kind == "HELLO" and "h" in keys:
            self.hello()
        elif kind == "ACK":
            self.confirm(keys.get("id", ""))
        elif kind == "SYNC":
            since = keys.get("since", "0")
            self.confirm(since)
            self.send_kept()
            self.snapshot(since)
        elif "h" in keys and "c" in keys:
            self.answer(kind, keys)

    def answer(self, kind, keys):
        """Do a command once; a repeated one gets the same answer and nothing is done again."""
        ticket = (keys["h"], keys["c"])
        for known, line in self.answers:
            if known == ticket:
                self.write(line)
                return
        code = self.carry_out(kind, keys)
        tail = f" code={code}" if code else f" t={self.t & 0xFFFFFFFF}" if kind == "PING" else ""
        word = "ERR" if code else "OK"
        line = frame(f"{word} h={ticket[0]} c={ticket[1]}{tail}")
        self.answers = self.answers[-15:] + [(ticket, line)]  # noqa: RUF005 - MicroPython knows no [*x, y]
        self.write(line)

    def carry_out(self, kind, keys):
        if kind == "PING":
            return None
        if kind == "LOCK":
            try:
                seconds = int(keys.get("ttl", "0"))
            except ValueError:
                return "ARG"
            self.lock_left = min(seconds, 60) * 1000 if keys.get("on") == "1" else 0
            return None
        if kind in ("ROLL", "LIGHT"):
            return self.obey(kind, keys) if self.obey else None
        return "CAP"

    def hello(self):
        who = f"uid={self.uid} b={self.boot} hw=example fw=1 rst={self.reset} cls=2"
        self.write(frame("HELLO proto=1.0 " + who))
        self.write(frame(f"CAPS b={self.boot} c={CAPS}"))

    def snapshot(self, since):
        gap = 0
        if since != "0":
            boot, _, number = since.partition(".")
            gap = int(boot != self.boot or self.floor() > int(number) + 1)
        now = f"b={self.boot} t={self.t & 0xFFFFFFFF} n={self.n} floor={self.floor()} gap={gap}"
        state = f"deck={self.deck} top={self.top} mode=RUN roll={self.roll} v=? ph={self.phase}"
        self.write(frame(f"SNAP p=1/1 {now} {state}"))

    def confirm(self, event_id):
        boot, _, number = event_id.partition(".")
        while boot == self.boot and number.isdigit() and self.ring and self.ring[0][0] <= int(number):
            self.ring.pop(0)

    def send_kept(self):
        for _, line in self.ring[:8]:
            self.write(line)

    def floor(self):
        return self.ring[0][0] if self.ring else self.n + 1


def main():
    """The wiring: four dice keys and four HU keys to ground, shaker and lift from the panel through opto-couplers."""
    import os
    import time

    import machine

    uart = machine.UART(1, 115200, tx=17, rx=18)
    pins = {("DICE", 1): 4, ("DICE", 2): 5, ("DICE", 3): 6, ("DICE", 4): 7}
    pins.update({("HU", 1): 8, ("HU", 2): 9, ("HU", 3): 10, ("HU", 4): 11})
    keys = [
        [name, seat, machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP), 1, 0] for (name, seat), pin in pins.items()
    ]
    shaker = machine.Pin(12, machine.Pin.IN, machine.Pin.PULL_UP)  # low while the dice are shaken
    lift = machine.Pin(13, machine.Pin.IN, machine.Pin.PULL_UP)  # low while the walls are up
    enable = [machine.Pin(pin, machine.Pin.OUT, value=1) for pin in (14, 15, 16, 21)]  # opto in series with a dice key

    def load():
        try:
            with open("roll.txt") as file:
                return int(file.read())
        except (OSError, ValueError):
            return 0

    def save(roll):
        with open("roll.txt", "w") as file:
            file.write(str(roll))

    def obey(kind, values):
        if kind == "ROLL":  # lets these seats' dice keys through; it cannot throw
            for seat in range(4):
                enable[seat].value(1 if str(seat + 1) in values.get("allow", "0").split(",") else 0)

    uid = "".join(f"{byte:02X}" for byte in machine.unique_id())
    high, low = os.urandom(2)
    boot = f"{high:02X}{low:02X}"
    board = Board(uart.write, uid, boot, "pwr", load(), save, obey)
    shaking, up, by, settle, last = False, not lift.value(), 0, 0, time.ticks_ms()
    while True:
        time.sleep_ms(5)
        now = time.ticks_ms()
        elapsed, last = time.ticks_diff(now, last), now
        for key in keys:  # 30 ms of the same level make a press
            key[4] = key[4] + elapsed if key[2].value() != key[3] else 0
            if key[4] >= 30:
                key[3], key[4] = key[2].value(), 0
                if key[3] == 0:
                    board.key(key[1], key[0])
                    by = key[1] if key[0] == "DICE" else by
        if not shaker.value() and not shaking:
            shaking = True
            board.dice_start(by)
        settle = settle + elapsed if shaking and shaker.value() else 0
        if settle >= 1500:
            shaking, settle = False, 0
            board.dice_end(by)
            by = 0
        if up != (not lift.value()):
            up = not up
            board.lifted("UP" if up else "DROP")
        board.poll(elapsed)
        board.feed(uart.read() or b"")


if __name__ == "__main__":
    main()
