"""OpenCV and the decoders in it keep quiet where Paiju says itself, in a sentence, what is wrong."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import cv2

_log = cv2.utils.logging
_lock = threading.Lock()
_levels: list[int] = []
"""One for each thread inside `_loud`; the first is how loud OpenCV was before, for the last one to put back."""
_one_listens = threading.Lock()

TERMINAL = 2
"""The file descriptor that decoders write to."""
DECODERS = ("Corrupt JPEG", "Premature end of JPEG", "libpng ", "[ERROR:")
"""What lines of decoders begin with; the last one is OpenCV's own."""


@contextmanager
def quiet() -> Iterator[None]:
    """Nothing of OpenCV's own is written meanwhile. Its level is one for all threads, and several may be here."""
    with _loud(_log.LOG_LEVEL_SILENT):
        yield


@contextmanager
def overheard() -> Iterator[list[str]]:
    """What decoders say of a picture, line by line, there when this ends; none of it reaches the terminal.

    They say it nowhere else: libjpeg and libtiff go on over damaged data and hand back a whole picture. The terminal is
    one for all threads, so one thread listens at a time, and what another one writes meanwhile comes a moment later.
    """
    lines: list[str] = []
    if sys.__stderr__ is None:  # started without a terminal: the number may be that of any file by now
        yield lines
        return
    with _one_listens, _loud(_log.LOG_LEVEL_ERROR):
        heard, terminal = os.memfd_create("heard"), os.dup(TERMINAL)
        os.dup2(heard, TERMINAL)
        try:
            yield lines
        finally:
            os.dup2(terminal, TERMINAL)
            os.close(terminal)
            with os.fdopen(heard, encoding="utf-8", errors="replace") as file:
                file.seek(0)
                said = file.readlines()
            lines += [line.strip() for line in said if line.startswith(DECODERS)]
            others = "".join(line for line in said if line.strip() and not line.startswith(DECODERS))
            if others:
                os.write(TERMINAL, others.encode())


@contextmanager
def _loud(level: int) -> Iterator[None]:
    with _lock:
        _levels.append(_log.setLogLevel(level))
    try:
        yield
    finally:
        with _lock:
            loud = _levels[0]
            _levels.pop()
            if not _levels:
                _log.setLogLevel(loud)
