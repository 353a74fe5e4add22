"""A board, a bad line and a conversation in virtual time: no thread, no sleeping, any fault."""

from __future__ import annotations

from random import Random

from device.actions import Deliver, Finished, HangUp, Write
from device.board import Board, Identity
from device.conversation import Conversation
from device.faults import Faults, FaultyLine
from device.linkstate import LinkState
from device.messages import Button, Dice
from device.notices import Notice

STEP_S = 0.02


class Rig:
    """Runs both ends against each other; ``heard`` is what Paiju got, in order."""

    def __init__(self, seed=1, faults=None, identity=None, host="BEEF", **talk):
        self.rng = Random(seed)
        self.now = 100.0
        self.board = Board(identity or Identity(), self.rng)
        self.talk = Conversation(host, **talk)
        self.to_host = FaultyLine(faults or Faults(), self.rng)
        self.to_board = FaultyLine(faults or Faults(), self.rng)
        self.heard = []
        self.results = []
        self.hang_ups = []
        self.plugged = False
        self.silent = False
        self.board.start(self.now)

    def plug(self):
        self.plugged = True
        self._do(self.talk.connected("port", self.now))

    def unplug(self):
        self.plugged = False
        self.to_host.clear()
        self.to_board.clear()
        self._do(self.talk.disconnected("unplugged"))

    def run(self, seconds, each=None):
        end = self.now + seconds
        while self.now < end - 1e-9:
            self.step()
            if each is not None:
                each()
        return self

    def step(self):
        self.now += STEP_S
        sent = self.tick()
        if not self.plugged:
            return
        if not self.silent:
            self.to_host.send(sent, self.now)
        self.board.feed(self.to_board.receive(self.now), self.now)
        self.to_host.send(self.tick() if not self.silent else b"", self.now)
        data = self.to_host.receive(self.now)
        if data:
            self._do(self.talk.received(data, self.now))
        self._do(self.talk.tick(self.now))

    def tick(self):
        """Let time pass at the table; the bytes that its board sends."""
        return self.board.tick(self.now)

    def say(self, raw):
        """Let the board's side of the line carry ``raw`` now."""
        self._do(self.talk.received(raw, self.now))

    def live(self):
        self.plug()
        self.run(1)
        assert self.state is LinkState.LIVE
        return self

    def send(self, command):
        number, actions = self.talk.send(command, self.now)
        self._do(actions)
        return number

    def throw(self, seat=0, values=(3, 4), roll=None):
        """A whole throw at the table: start and end."""
        state = self.board.state
        state.roll = roll or state.roll + 1
        state.values, state.dice_phase = values, "SETTLED"
        count = len(values) if values else 2
        self.board.emit(Dice, self.now, roll=state.roll, phase="start", count=count, by_seat=seat, source="elec")
        return self.board.emit(
            Dice, self.now, roll=state.roll, phase="end", count=count, values=values, by_seat=seat, source="elec"
        )

    def press(self, seat=0, key="HU"):
        return self.board.emit(Button, self.now, seat=seat, key=key)

    @property
    def state(self):
        return self.talk.state(self.now)

    @property
    def events(self):
        return [item for item in self.heard if hasattr(item, "id")]

    @property
    def notices(self):
        return [item for item in self.heard if isinstance(item, Notice)]

    def codes(self):
        return [notice.code.value for notice in self.notices]

    def _do(self, actions):
        for action in actions:
            if isinstance(action, Deliver):
                self.heard.append(action.item)
            elif isinstance(action, Finished):
                self.results.append(action.result)
            elif isinstance(action, HangUp):
                self.hang_ups.append(action)
                self.plugged = False
                self.to_host.clear()
                self.to_board.clear()
            elif isinstance(action, Write) and self.plugged:
                self.to_board.send(action.data, self.now)
