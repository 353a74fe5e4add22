"""A table behind an MQTT broker, as a source like any other; the only file that imports paho-mqtt (extra ``hall``).

What a publication means is decided in ``mqtt.py``; here are the connection and its state. The broker knows whether the
board is there (its last will), so silence means nothing; only a broker out of reach makes what was said old.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from random import Random
from typing import Any

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from device.codec import DecoderCounts
from device.linkstate import LinkState, LinkStatus
from device.messages import Command, FromTable
from device.mqtt import MqttAddress, MqttTable
from device.notices import Notice, NoticeCode
from device.requests import CommandResult
from device.said import Said
from device.transports import CONNECT_S

KEEPALIVE_S = 3
"""A broker that died without a word is noticed after twice this time at most."""
RETRY_S = (1, 5)
"""First and longest wait before the broker is tried again."""

log = logging.getLogger(__name__)


class MqttLink:
    """Subscribes to a table's topics, for as long as it runs.

    Args:
        address: broker and topics.
        on_message: called in the client's thread with each message and notice.
        rng: makes the numbers of this run's events.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        address: MqttAddress,
        on_message: Callable[[FromTable | Notice], None],
        rng: Random,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._address = address
        self._on_message = on_message
        self._clock = clock
        self._table = MqttTable(rng, address.topics)
        self._shown: tuple[LinkState, str] = (LinkState.ABSENT, Said.of("nothing_yet", port=address.name))
        self._heard_at: float | None = None
        self._publications = self._malformed = 0
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.connect_timeout = CONNECT_S
        self._client.reconnect_delay_set(*RETRY_S)
        if address.user is not None:
            self._client.username_pw_set(address.user, address.password)
        self._client.on_connect = self._connected
        self._client.on_connect_fail = self._unreachable
        self._client.on_disconnect = self._gone
        self._client.on_message = self._published

    def start(self) -> MqttLink:
        """Begin to connect, in a thread of its own; return the link itself."""
        self._client.connect_async(self._address.host, self._address.port, keepalive=KEEPALIVE_S)
        self._client.loop_start()
        return self

    def close(self) -> None:
        """Leave the broker and stop the thread."""
        self._client.disconnect()
        self._client.loop_stop()

    def send(self, command: Command) -> Future[CommandResult]:
        """A table behind MQTT takes no commands; the future says so at once."""
        refused: Future[CommandResult] = Future()
        refused.set_result(CommandResult(0, command, "not_sent", "A table behind MQTT takes no commands."))
        return refused

    def status(self) -> LinkStatus:
        """Return how the line is now; from any thread."""
        state, text = self._shown
        age = None if self._heard_at is None else max(0.0, self._clock() - self._heard_at)
        counts = DecoderCounts(frames=self._publications, malformed=self._malformed)
        return LinkStatus(state, text, self._address.name, None, age, counts)

    # Callbacks of the client, all in its one thread.

    def _connected(
        self, client: Client, _data: Any, _flags: ConnectFlags, reason: ReasonCode, _more: Properties | None
    ) -> None:
        if reason.is_failure:
            text = Said.of("broker_refuses", port=self._address.name, detail=str(reason))
            self._shown = (LinkState.OPENING, text)
            return
        text = Said.of("broker_waiting", topic=self._address.topics.status)
        self._shown = (LinkState.HANDSHAKE, text)
        client.subscribe([(topic, 1) for topic in self._address.topics.topics()])

    def _unreachable(self, _client: Client, _data: Any) -> None:
        if self._shown[0] in (LinkState.ABSENT, LinkState.HANDSHAKE):
            text = Said.of("no_broker", port=self._address.name)
            self._shown = (LinkState.ABSENT, text)

    def _gone(
        self, client: Client, data: Any, _flags: DisconnectFlags, _reason: ReasonCode, _more: Properties | None
    ) -> None:
        state = self._shown[0]
        if state in (LinkState.LIVE, LinkState.LOST):
            text = Said.of("broker_gone", port=self._address.name)
            self._shown = (LinkState.STALE if state is LinkState.LIVE else state, text)
        self._unreachable(client, data)

    def _published(self, _client: Client, _data: Any, said: MQTTMessage) -> None:
        now = self._clock()
        self._publications += 1
        for item in self._table.heard(said.topic, bytes(said.payload), said.retain, now):
            self._heard_at = now
            if item is LinkState.LOST:
                text = Said.of("left_broker")
                self._shown = (LinkState.LOST, text)
                continue
            self._shown = (LinkState.LIVE, "")
            if not isinstance(item, LinkState):
                self._malformed += isinstance(item, Notice) and item.code is NoticeCode.MALFORMED
                self._hand_over(item)

    def _hand_over(self, item: FromTable | Notice) -> None:
        try:
            self._on_message(item)
        except Exception:  # top of the client's thread: one listener's mistake must not end it
            log.exception("a listener failed on %s", item)
