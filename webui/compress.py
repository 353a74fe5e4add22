"""Sends texts compressed, so that the pages open quickly on an old tablet over a weak Wi-Fi."""

from __future__ import annotations

import gzip

from flask import Flask, Response, request

COMPRESSIBLE = (
    "text/html",
    "text/css",
    "text/javascript",
    "application/json",
    "application/manifest+json",
    "image/svg+xml",
)
SMALLEST = 600
"""Below this many bytes the header costs more than it saves."""


def install(app: Flask) -> None:
    """Compress what is text, unless it is a live stream or the device does not take it."""

    @app.after_request
    def compress(response: Response) -> Response:
        if response.mimetype not in COMPRESSIBLE or response.status_code != 200:
            return response
        response.vary.add("Accept-Encoding")
        if request.accept_encodings.quality("gzip") <= 0:
            return response
        response.direct_passthrough = False
        body = response.get_data()
        if len(body) >= SMALLEST:
            response.set_data(gzip.compress(body, compresslevel=6, mtime=0))
            response.headers["Content-Encoding"] = "gzip"
        return response
