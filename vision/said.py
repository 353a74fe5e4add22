"""What the eyes say to people about cameras, felts and rows: one place, so that pages can say it in any language.

A `Said` is an English sentence that still knows its key and the values in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Self

Value = str | int

_HOW = "lay the tiles side by side on one straight line, photograph them from above, nothing else beside them."

SAYINGS: Mapping[str, str] = MappingProxyType(
    {
        # cameras
        "waiting": "{name}: waiting for the first picture.",
        "silent": "{name}: no picture for {seconds} s; check its cable and power.",
        "still": "{name}: the picture stands still; take its plug out and put it back.",
        "gone": "{name}: no longer answers; check its cable and power. Looking for it again.",
        "garbled": "{name}: sends pictures that cannot be decoded ({detail}). Opening it again.",
        "hung": "{name}: hung and is being opened again.",
        "played": "{name}: played to its end.",
        "no_video_file": "{name}: there is no such file; check the spelling of video:FILE.",
        "no_video": "{name}: is not a video that can be played; convert it to MP4.",
        "picture_no_video": "{name}: is a picture, not a video; put pictures into a folder and name it: folder:DIR.",
        "black": "{name}: the picture is black; take the cap off the lens, or switch on the lamp over the table.",
        "white": "{name}: the picture is all white; shorten the camera's exposure, or keep the lamp out of its lens.",
        "other_resolution": "{name}: delivers {given} pixels, not the {asked} asked for; ask for a size that it has "
        "(v4l2-ctl --list-formats-ext), and plug it into a fast (blue) USB socket.",
        "no_such_camera": "{name}: there is no such camera; plug it in. Cameras here: {known}.",
        "not_allowed": "{name}: this user may not use the camera; run: sudo usermod -aG video $USER, log in again.",
        "busy": "{name}: cannot be opened; close the program that uses the camera, or name another one.",
        "no_answer": "{name}: does not answer; check address, user and password, and that the camera is on.",
        "not_readable": "{name}: cannot be read ({detail}); give this user the right to read it, or name another one.",
        "no_folder": "{name}: there is no such folder; check the spelling of folder:DIR.",
        "empty_folder": "{name}: holds no picture (JPEG, PNG, WebP, TIFF, BMP, AVIF); name another folder.",
        "no_camera_name": "{name}: no picture of that name in {folder}.",
        "no_camera_word": "{name!r} is no camera; use folder:DIR, video:FILE, /dev/video0, 0, 0@3840x2160 or "
        "rtsp://HOST/PATH.",
        # the felt
        "four_corners": "A felt has four corners, each with x and y; set all four of them.",
        "no_such_felt": "A felt of {width} x {depth} mm does not exist; measure its two sides.",
        "crossed": "The corners are crossed or mirrored; set them in the order far left, far right, near right, "
        "near left.",
        "felt_small": "The felt fills less than a twentieth of the picture; hang the camera lower or zoom in.",
        "other_size": "The camera now delivers {now} pixels instead of {before}; calibrate again.",
        # rows of the table's own tiles
        "row_none": "{name}: no row of tiles found; " + _HOW,
        "row_count": "{name}: {found} tiles found in a row, {row} has {wanted}; " + _HOW,
        "row_any_count": "{name}: {found} tiles found in a row; a guided row has 9 (萬, 筒, 條), 7 (honours) or 8 "
        "(flowers); " + _HOW,
        "row_small": "{name}: the tiles are only {found} pixels wide, {wanted} are needed; go closer.",
        "row_unknown": "{name}: {found} tiles found in a row, but they look like no guided row; photograph the whole "
        "row, or name the pictures in the guided order and say --in-order.",
        "row_other": "{name}: this looks like the row {seen}; now lay out {wanted}.",
        "rows_missing": "Not shown yet: {rows}. Photograph each of these rows too.",
        "twins": "{first} and {second} look the same in these pictures; check that both lie in their places, "
        "photograph more closely, and try again.",
        # pictures
        "damaged": "{name}: the {kind} file is damaged, cut off or of a rare kind and cannot be decoded; copy it "
        "again, or save it as JPEG.",
        "empty": "{name}: the file is empty (0 bytes); copy or upload it again.",
        "no_picture": "{name}: is not a picture that Paiju knows; use JPEG, PNG, WebP, TIFF, BMP, GIF or AVIF.",
        "heic": "{name}: is a HEIC picture, which Paiju cannot decode; save it as JPEG (iPhone: Settings > Camera > "
        "Formats > Most Compatible).",
        "too_many_pixels": "{name}: {width} x {height} pixels are {megapixels} megapixels, the limit is {limit}; save "
        "a smaller copy.",
        "too_few_pixels": "{name}: {width} x {height} pixels are too few to read a tile (at least {least} a side); "
        "send the original photograph.",
    }
)  # fmt: skip


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
