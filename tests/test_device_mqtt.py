"""A table behind a real MQTT broker on loopback: throws, retained ones, last will, a broker that goes and returns."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from random import Random

import pytest

from device.linkstate import LinkState
from device.messages import Button, Dice, Light
from device.mqtt import parse_address

mqtt = pytest.importorskip("paho.mqtt.client", reason="paho-mqtt is not installed (extra hall)")
MOSQUITTO = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
broker_needed = pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed (apt install mosquitto)")


def soon(true, seconds=15.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "not in time"
        time.sleep(0.02)


class Broker:
    """A mosquitto of this test alone."""

    def __init__(self, folder):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._config = folder / "mosquitto.conf"
        self._config.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n", "utf-8")
        self._process = None

    def start(self):
        self._process = subprocess.Popen(
            [MOSQUITTO, "-c", self._config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        soon(self._answers)

    def stop(self):
        if self._process is not None:
            self._process.kill()  # as a power cut: no farewell, no last wills
            self._process.wait(10)
            self._process = None

    def _answers(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


@pytest.fixture
def broker(tmp_path):
    running = Broker(tmp_path)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def boards():
    """Makes boards with a last will, and lets them go in the end."""
    made = []

    def make(port):
        board = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        board.will_set("hall/t1/status", "offline", qos=1, retain=True)
        board.connect("127.0.0.1", port)
        board.loop_start()
        made.append(board)
        return board

    yield make
    for board in made:
        board.disconnect()
        board.loop_stop()


def say(board, topic, text, retain=False):
    board.publish(f"hall/t1/{topic}", text, qos=1, retain=retain).wait_for_publish(10)


def throws(heard):
    return [item.values for item in heard if isinstance(item, Dice)]


@broker_needed
def test_a_table_behind_a_broker(broker, boards):
    from device.mqtt_client import MqttLink

    heard = []
    board = boards(broker.port)
    say(board, "dice", "6 6", retain=True)
    link = MqttLink(parse_address(f"mqtt://127.0.0.1:{broker.port}/hall/t1"), heard.append, Random(1))
    state = lambda: link.status().state  # noqa: E731
    try:
        link.start()
        soon(lambda: state() is LinkState.HANDSHAKE)
        say(board, "status", "online", retain=True)
        soon(lambda: state() is LinkState.LIVE)
        say(board, "dice", "3 4")
        say(board, "button", "2 HU")
        soon(lambda: [item for item in heard if isinstance(item, Button)])
        assert throws(heard) == [(3, 4)]  # the retained 6-6 is an old throw

        board.loop_stop()
        board.socket().close()  # the board loses its power: no farewell, so the broker speaks its last will
        soon(lambda: state() is LinkState.LOST)
        again = boards(broker.port)
        say(again, "status", "online", retain=True)
        soon(lambda: state() is LinkState.LIVE)

        broker.stop()
        soon(lambda: state() is LinkState.STALE)
        assert "out of reach" in link.status().text
        broker.start()
        soon(lambda: state() is LinkState.HANDSHAKE)
        third = boards(broker.port)
        say(third, "dice", "1 2")
        soon(lambda: state() is LinkState.LIVE)
        soon(lambda: len(throws(heard)) == 2)
        assert throws(heard) == [(3, 4), (1, 2)]
        assert link.status().port == f"mqtt://127.0.0.1:{broker.port}"
    finally:
        link.close()


@broker_needed
def test_a_listener_that_fails_does_not_end_the_line(broker, boards):
    from device.mqtt_client import MqttLink

    heard = []

    def listener(item):
        heard.append(item)
        raise RuntimeError("disk full")

    link = MqttLink(parse_address(f"mqtt://127.0.0.1:{broker.port}/hall/t1"), listener, Random(1)).start()
    try:
        soon(lambda: link.status().state is LinkState.HANDSHAKE)
        board = boards(broker.port)
        time.sleep(0.3)  # the subscription
        say(board, "dice", "3 4")
        soon(lambda: throws(heard))
        say(board, "dice", "5 5")
        soon(lambda: throws(heard) == [(3, 4), (5, 5)])
    finally:
        link.close()


def test_it_takes_no_commands_and_says_so():
    from device.mqtt_client import MqttLink

    link = MqttLink(parse_address("mqtt://localhost"), lambda _: None, Random(1))
    assert link.send(Light(0, "on")).result(0).outcome == "not_sent"
    assert link.status().state is LinkState.ABSENT


def test_addresses():
    plain = parse_address("mqtt://hall")
    assert (plain.host, plain.port, plain.topics.dice, plain.user) == ("hall", 1883, "paiju/table/dice", None)
    full = parse_address("mqtt://desk:p%40ss@[::1]:2883/hall/t%201/")
    assert (full.host, full.port, full.user, full.password) == ("::1", 2883, "desk", "p@ss")
    assert full.topics.status == "hall/t 1/status"
    assert "p@ss" not in full.name


def test_only_one_file_imports_paho():
    from pathlib import Path

    found = [
        path.name
        for folder in ("device", "table", "webui", "vision", "rules")
        for path in (Path(__file__).parents[1] / folder).rglob("*.py")
        if any(line.strip().startswith(("import paho", "from paho")) for line in path.read_text("utf-8").splitlines())
    ]
    assert found == ["mqtt_client.py"]
