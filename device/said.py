"""What the line says to people about ports and tables: one place, so that pages can say it in any language.

A `Said` is an English sentence that still knows its key and the values in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Self

Value = str | int

SAYINGS: Mapping[str, str] = MappingProxyType(
    {
        # ports
        "no_port": "No table: {port} does not exist. Plug it in and switch it on.",
        "port_absent": "{port} does not exist: is the table plugged in and switched on?",
        "port_denied": "No permission to open {port}: {detail}",
        "port_busy": "Another program is using {port}: close it, then Paiju goes on by itself.",
        "port_failed": "{port} cannot be opened ({detail}): is it a serial port?",
        "port_gone": "{port} is gone ({detail})",
        "port_closed": "{port} was closed by the other side",
        "no_address": "{port} is no address: write socket://HOST:PORT, such as socket://192.168.1.20:7101.",
        "no_socket": "Nothing answers at {port} ({detail}): is the table switched on?",
        # the table at the other end
        "asking": "Asking the table who it is.",
        "stale": "The table has not been heard for 3 s; what it said last may be old. Manual entry is open.",
        "newer": "The table speaks a newer protocol and is only listened to: update Paiju.",
        "no_table": "Something answers at {port}, but it is no Paiju table: choose another port.",
        "no_answer": "Nothing answers at {port}: is the table switched on?",
        "half_answer": "The table at {port} said its name and then nothing more: switch it off and on.",
        "silent": "The table has said nothing for {seconds} s; the line is opened anew.",
        "other_table": "The table at {port} is another one ({found}, not {wanted}): choose its own port.",
        "failed": "Something went wrong on the table's line ({detail}); it is opened anew.",
        "not_stored": "What the table said could not be stored; it is asked to say it again.",
        # words and addresses
        "no_word": "--table {word!r} is no way to a table: write a port such as /dev/ttyUSB0, socket://HOST:PORT, "
        "board:PORT, text:PORT, mqtt://HOST/PREFIX, replay:FILE or sim.",
        "bad_recording": "{word}",
        "recording_over": "The recording {port} is over.",
        "bad_broker": "{word}",
        "hall_wanted": "mqtt:// needs one more library: pip install 'paiju[hall]'.",
        # a broker
        "broker_refuses": "The broker {port} refuses ({detail}): give the right ones: mqtt://USER:PASSWORD@HOST/PREFIX.",
        "nothing_yet": "Nothing was heard from {port} yet.",
        "broker_waiting": "Waiting for {topic} to say online, or for the first throw.",
        "no_broker": "Nothing answers at {port}: is the broker running, and is the address right?",
        "broker_gone": "The broker {port} is out of reach; what the table said last may be old. Manual entry is open.",
        "left_broker": "The table left the broker: is it switched on? It comes back by itself.",
    }
)


class Said(str):
    """A sentence for people that knows its key in `SAYINGS` and the values put in."""

    key: str
    values: Mapping[str, Value]

    @classmethod
    def of(cls, key: str, **values: Value) -> Self:
        """The sentence of a key.

        Raises:
            KeyError: the key is unknown, or a value is missing (a mistake in the program).
        """
        sentence = cls(SAYINGS[key].format(**values))
        sentence.key, sentence.values = key, MappingProxyType(values)
        return sentence


def said(error: Exception) -> str:
    """The sentence of an error; a `Said` where the error was raised with one."""
    return error.args[0] if error.args and isinstance(error.args[0], Said) else str(error)
