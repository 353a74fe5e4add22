"""OpenCV keeps quiet where Paiju says itself, in a sentence, what is wrong."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import cv2

_log = cv2.utils.logging
_lock = threading.Lock()
_levels: list[int] = []
"""One for each thread inside `quiet`; the first is how loud OpenCV was before, for the last one to put back."""


@contextmanager
def quiet() -> Iterator[None]:
    """Nothing of OpenCV's own is written meanwhile. Its level is one for all threads, and several may be here."""
    with _lock:
        _levels.append(_log.setLogLevel(_log.LOG_LEVEL_SILENT))
    try:
        yield
    finally:
        with _lock:
            loud = _levels[0]
            _levels.pop()
            if not _levels:
                _log.setLogLevel(loud)
