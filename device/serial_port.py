"""Serial ports through pyserial: the only file that imports it, so that its traps are caught in one place.

Measured: after an unplug ``read`` raises SerialException, ``in_waiting`` a bare OSError, ``flush`` a termios.error
and a closed port a TypeError. All of them become `TransportError` here. The library's own reader thread, which
dies silently, is not used.
"""

from __future__ import annotations

import contextlib
import errno
import termios
from dataclasses import dataclass

import serial
from serial.tools import list_ports

from device.said import Said
from device.transports import OpenError, TransportError, open_error

BAUD = 115_200
_BREAKS = (serial.SerialException, OSError, termios.error, TypeError, ValueError)


class SerialTransport:
    """A serial port at 115200 8N1, for this process alone."""

    def __init__(self, name: str, port: serial.Serial) -> None:
        self.name = name
        self._port = port

    def read(self, timeout_s: float) -> bytes:
        """Return what has arrived, or nothing after ``timeout_s``."""
        try:
            if self._port.timeout != timeout_s:
                self._port.timeout = timeout_s
            data: bytes = self._port.read(self._port.in_waiting or 1)
        except _BREAKS as error:
            raise TransportError(Said.of("port_gone", port=self.name, detail=str(error))) from error
        return data

    def write(self, data: bytes, timeout_s: float = 1.0) -> None:
        """Send everything within ``timeout_s``."""
        try:
            if self._port.write_timeout != timeout_s:
                self._port.write_timeout = timeout_s
            self._port.write(data)
        except _BREAKS as error:
            raise TransportError(Said.of("port_gone", port=self.name, detail=str(error))) from error

    def close(self) -> None:
        """Let the port go."""
        with contextlib.suppress(*_BREAKS):
            self._port.close()


def open_serial(path: str) -> SerialTransport:
    """Open a serial port with DTR and RTS low, so that opening it does not reset the board.

    Raises:
        OpenError: it does not exist, is held by another program, may not be opened, or is no serial port.
    """
    port = serial.Serial(baudrate=BAUD, exclusive=True, timeout=0.05, write_timeout=1.0)
    port.dtr = False
    port.rts = False
    port.port = path
    try:
        port.open()
    except serial.SerialException as error:
        reason = _cause(error)
        if reason is None and "lock" in str(error):
            raise open_error(path, OSError(errno.EBUSY, "locked")) from error
        raise open_error(path, reason or error) from error
    except (OSError, termios.error, ValueError) as error:
        raise open_error(path, error) from error
    return SerialTransport(path, port)


def _cause(error: serial.SerialException) -> OSError | None:
    if error.errno is not None:
        return OSError(error.errno, str(error))
    inner = error.__context__
    if isinstance(inner, termios.error):
        return OSError(*inner.args)
    return inner if isinstance(inner, OSError) else None


@dataclass(frozen=True, slots=True)
class ListedPort:
    """A serial port of this computer: its path, USB vendor and product, and what it calls itself."""

    path: str
    usb: tuple[int, int] | None
    description: str


def _described(text: str | None) -> str:
    """What a port calls itself; pyserial writes "n/a" for one that says nothing."""
    return "" if text is None or text == "n/a" else text


def listed_ports() -> tuple[ListedPort, ...]:
    """Return the serial ports of this computer, without opening any."""
    try:
        found = list_ports.comports()
    except OSError as error:
        raise OpenError("failed", f"The serial ports of this computer cannot be listed ({error}).") from error
    return tuple(
        ListedPort(item.device, (item.vid, item.pid) if item.vid is not None else None, _described(item.description))
        for item in sorted(found, key=lambda item: item.device)
    )
