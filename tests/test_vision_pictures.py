"""Picture files as people send them: turned, grey, CMYK, 16-bit, see-through, moving, broken, huge, not pictures."""

from __future__ import annotations

import base64
import os
import struct
import tracemalloc
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.picture_header import PictureHeader, read_header
from vision.pictures import PictureError, load_picture
from vision.quiet import overheard, quiet

RED, GREEN, BLUE, WHITE = (0, 0, 255), (0, 255, 0), (255, 0, 0), (255, 255, 255)

CMYK_JPEG = base64.b85decode(  # 96 x 80, left half magenta and yellow ink (red), right half cyan and yellow (green)
    b"|JeWT01iQ9Z(?NtWB>pF0095n07C#95)>B{5gQj47aklNASgmBC?zE*Q93;^LSR*8WM5TXTWWZjfogG(b6Z`7wT6(MqpPi}XMnuPx~9jOsH>#"
    b"^zyK5o08jv61Va%3O%VWD5dcdO0RO}Q9{>OW1pxs80RaI300000000010s{mE1_uZU3Jd?l0JRVR0s#X90t5pE1q1{D00Dgg0s{a95d{(<F+m0s"
    b"QDFxnaTGFvk)a49Lb1UWQqk}vGh%Xr2?`b$7#SKRCMPH<Dl|1VH#j*uLqtVJM@UIZQ&d$}S6EqEV`OD!XJ~0^b98lfcX)YvgM@{Khlq)al9QB`"
    b"mY0~BnxdnmrKYE-sj9NGw6(UkxVgH*!^FkL$H>Xb($mz{*4NnC+Tr5k<mKk)=;`Y5^7Hid_V@Vt`v2Mh4g^C0O#oQ{O8@{r0O_llu4cMwD58oe"
    b"qKYV@iYTIrD58q<I`qmYqKYV@iYTIrD58oeqKYW5Os_MdiYTIrD58oeqKYV@iYTIr^E&j(D58oeqKYV@iYTIrD58oeuS~BqqKYV@iYTIrD58oe"
    b"qKYV@it{@3$|$0WD58oeqKYV@iYTIrD6dSfGop$pqKYV@iYTIrD58oeqKfl6^vWoriYTIrD58oeqKYV@iYTv4uQQ^GD58oeqKYV@iYTIrD58q<"
    b"I`qmYqKYV@iYTIrD58oeqKYW5Os_MdiYTIrD58oeqKYV@iYTIr^E&j(D58oeqKYV@iYTIrD58oeuS~BqqKYV@iYTIrD58oeqKYV@it{@3$|$0W"
    b"D58oeqKYV@iYTIrD6dSfGop$pqKYV@iYTIrD58oeqKfl6^vWoriYTIrD58oeqKYV@iYTv4uQQ^GD58oeqKYV@iYTIrD58q<I`qmYqKYV@iYTIr"
    b"D58oeqKYW5Os_MdiYTIrD58oeqKYV@iYTIr^E&j(D58oeqKYV@iYTIrD58oeum9N"
)

TURNED_AVIF = base64.b85decode(  # `scene` stored upside left: its `irot` box asks for three quarters counter-clockwise
    b"0000WW^{RQVRmU|00000VRmU|ZE0pPZE0a<O+hh20002>ZDn*}000000000XXk=`10000000000aA{+7000000000000000000004sdC7Z2$lO"
    b"000310016oY;R)#0000)000310RR910RR929RL6TLjV8(C~0YKW&i*H00031000_kZf0cy000000RRADb}%tRZ)|UJ00000bZKyMZ~y=RRB3Qy"
    b"ZvX%Q6lrsCWdHyG00000Pyhe`cmMzZ5O8UDX#fBK00RgJ2mk;83}JRLLxBJc000006Ju{|a&BX6cmM$a4FCp!00009X>xCL0{{R37-?{AVE_OC"
    b"000000RRC70Rn>rg#Z8mOKoIfbP@mx2^blt_h^8IgF-SiM67stUL3;=Fem^B&&nwe+%O>nJMO0C*LXc1jvQv@M&YZmr<4-q>z@c7CjRV!*;Kp0"
)


def scene(width: int = 120, height: int = 80) -> np.ndarray:
    """White with one black corner at the top left."""
    image = np.full((height, width, 3), 255, np.uint8)
    image[: height // 2, : width // 2] = 0
    return image


def encoded(kind: str, image: np.ndarray) -> bytes:
    return cv2.imencode(kind, image)[1].tobytes()


def with_exif(jpeg: bytes, orientation: int) -> bytes:
    tiff = b"MM\x00*\x00\x00\x00\x08" + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
    body = b"Exif\x00\x00" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def png_claiming(width: int, height: int) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = zlib.compress(bytes(width // 8 + 1) * 64)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
        + chunk(b"IDAT", rows)
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp", ".bmp", ".tiff", ".gif", ".avif"])
def test_every_usual_format_opens_in_colour(kind: str) -> None:
    opened = load_picture(encoded(kind, scene()))
    assert opened.shape == (80, 120, 3)
    assert opened[10, 10].max() < 20
    assert opened[70, 110].min() > 235


@pytest.mark.parametrize(
    ("orientation", "shape", "dark_corner"),
    [
        (1, (80, 120), (10, 10)),
        (3, (80, 120), (70, 110)),
        (6, (120, 80), (10, 70)),
        (8, (120, 80), (110, 10)),
        (0, (80, 120), (10, 10)),
        (9, (80, 120), (10, 10)),
        (31000, (80, 120), (10, 10)),
    ],
)
def test_exif_turns_a_photo_upright_and_nonsense_does_not(
    orientation: int, shape: tuple[int, int], dark_corner: tuple[int, int]
) -> None:
    opened = load_picture(with_exif(encoded(".jpg", scene()), orientation))
    assert opened.shape[:2] == shape
    assert opened[dark_corner].max() < 20
    assert opened.mean() > 180  # three quarters stay white


def test_an_avif_that_says_how_it_is_turned_stands_upright() -> None:
    opened = load_picture(TURNED_AVIF)
    assert opened.shape == (80, 120, 3)
    assert opened[10, 10].max() < 20
    assert opened[10, 110].min() > 235
    assert opened[70, 10].min() > 235
    turn = TURNED_AVIF.index(b"irot") + 4
    as_stored = load_picture(TURNED_AVIF[:turn] + b"\0" + TURNED_AVIF[turn + 1 :])
    assert as_stored.shape == (120, 80, 3)
    assert as_stored[110, 10].max() < 20


def test_a_cmyk_jpeg_keeps_its_colours() -> None:
    opened = load_picture(CMYK_JPEG)
    assert opened.shape == (80, 96, 3)
    blue, green, red = (int(level) for level in opened[40, 20])
    assert red > 200
    assert max(blue, green) < 60
    blue, green, red = (int(level) for level in opened[40, 76])
    assert green > 150
    assert max(blue, red) < 90


def test_grey_and_16_bit_and_palette_become_8_bit_colour() -> None:
    grey = load_picture(encoded(".png", scene()[:, :, 0]))
    assert (grey == scene()).all()
    deep = load_picture(encoded(".png", scene().astype(np.uint16) * 257))
    assert (deep == scene()).all()
    deep_tiff = load_picture(encoded(".tiff", scene().astype(np.uint16) * 257))
    assert (deep_tiff == scene()).all()


def test_transparent_parts_become_grey_and_half_transparent_ones_mix() -> None:
    bgra = np.dstack([scene(), np.full((80, 120), 255, np.uint8)])
    bgra[:, :60, 3] = 0
    bgra[60:, 60:, 3] = 128
    for kind in (".png", ".webp"):
        opened = load_picture(encoded(kind, bgra))
        assert opened[10, 10] == pytest.approx([114] * 3, abs=3)
        assert opened[10, 100] == pytest.approx([255] * 3, abs=3)
        assert opened[70, 100] == pytest.approx([185] * 3, abs=3)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_transparent_parts_are_turned_with_their_picture(orientation: int) -> None:
    """EXIF turns the colours in the decoder, never the mask beside them."""
    bgra = np.dstack([scene(), np.full((80, 120), 255, np.uint8)])
    bgra[:, :30, 3] = 0
    tiff = with_exif(b"\xff\xd8", orientation)[12:]
    exif = struct.pack(">I", len(tiff)) + b"eXIf" + tiff + struct.pack(">I", zlib.crc32(b"eXIf" + tiff))
    png = encoded(".png", bgra)
    opened = load_picture(png[:33] + exif + png[33:])
    assert opened.shape == ((80, 120, 3) if orientation < 5 else (120, 80, 3))
    hidden = (opened == 114).all(axis=2)
    assert hidden.mean() == 0.25
    black = (opened == 0).all(axis=2)
    assert black.mean() == pytest.approx(0.125)
    edge = {1: hidden[:, :30], 2: hidden[:, 90:], 3: hidden[:, 90:], 4: hidden[:, :30],
            5: hidden[:30], 6: hidden[:30], 7: hidden[90:], 8: hidden[90:]}[orientation]  # fmt: skip
    assert edge.all()


@pytest.mark.parametrize("depth", [np.uint8, np.uint16])
def test_a_large_transparent_picture_is_mixed_in_little_memory(depth: type) -> None:
    """A few kilobytes on disk were gigabytes in memory; 12 megapixels may take 36 MB beside what the decoder gives."""
    bgra = np.zeros((3000, 4000, 4), np.uint8)
    bgra[1500:] = (40, 80, 120, 255)
    data = encoded(".png", bgra.astype(depth) * (257 if depth is np.uint16 else 1))
    tracemalloc.start()
    try:
        opened = load_picture(data)
        peak_mb = tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()
    assert (opened[:1500] == 114).all()
    assert (opened[1500:] == (40, 80, 120)).all()
    assert peak_mb < 36 + 12 * 4 * np.dtype(depth).itemsize + 40


def test_an_animation_gives_its_first_picture() -> None:
    moving = cv2.Animation()
    moving.frames = [scene(), np.zeros((80, 120, 3), np.uint8)]
    moving.durations = [100, 100]
    ok, data = cv2.imencodeanimation(".webp", moving)
    assert ok
    opened = load_picture(data.tobytes())
    assert opened[70, 110].min() > 200


def test_a_photo_of_50_megapixels_opens(tmp_path: Path) -> None:
    path = tmp_path / "large.jpg"
    cv2.imwrite(str(path), cv2.resize(scene(), (8660, 5774), interpolation=cv2.INTER_NEAREST))
    opened = load_picture(path)
    assert opened.shape == (5774, 8660, 3)
    assert opened[5700, 8600].min() > 235


def test_200_megapixels_are_refused_before_a_pixel_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("decoded a picture that is too large"))
    with pytest.raises(
        PictureError, match=r"20000 x 10000 pixels are 200 megapixels, the limit is 120; save a smaller"
    ):
        load_picture(png_claiming(20000, 10000))


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", r"empty \(0 bytes\); copy or upload it again"),
        (b"hello, this is text", "not a picture that Paiju knows; use JPEG"),
        (b"%PDF-1.7 ...", "not a picture"),
        (b"BMW and Audi drive to the tournament", "not a picture"),
        (b"RIFF\x00\x00\x00\x00WAVEfmt ", "not a picture"),
        (encoded(".jpg", scene())[:-200], "JPEG file is damaged, cut off"),
        (encoded(".png", scene())[:-60], "PNG file is damaged, cut off"),
        (encoded(".png", scene(40, 40)), "40 x 40 pixels are too few"),
        (struct.pack(">I", 24) + b"ftypheic" + bytes(4) + b"mif1heic" + struct.pack(">I", 20) + b"ispe" + bytes(4)
         + struct.pack(">II", 4032, 3024), "HEIC picture, which Paiju cannot decode; save it as JPEG"),
        (struct.pack(">I", 24) + b"ftypheic" + bytes(4) + b"mif1heic" + bytes(99), "HEIC picture, which Paiju cannot"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_in_one_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(PictureError, match=sentence) as caught:
        load_picture(data)
    text = str(caught.value)
    assert "\n" not in text
    assert text.endswith(".")


@pytest.mark.parametrize(
    ("kind", "name", "lengths"),
    [
        (".jpg", "JPEG", (3, 4, 30, 150)),
        (".png", "PNG", (8, 12, 20)),
        (".webp", "WebP", (12, 16, 24)),
        (".bmp", "BMP", (14, 20)),
        (".tiff", "TIFF", (4, 8, 200)),
        (".gif", "GIF", (6, 8)),
        (".avif", "AVIF", (24, 60)),
    ],
)
def test_a_file_cut_inside_its_header_is_called_damaged(kind: str, name: str, lengths: tuple[int, ...]) -> None:
    whole = encoded(kind, scene())
    for length in lengths:
        with pytest.raises(PictureError, match=f"the {name} file is damaged, cut off") as caught:
            load_picture(whole[:length])
        assert caught.value.args[0].key == "damaged"


@pytest.mark.parametrize(("kind", "share"), [("BMP", 0.3), ("PNG", 0.5), ("PNG", 0.95)])
def test_a_cut_off_file_is_said_in_one_sentence_only(
    kind: str, share: float, capfd: pytest.CaptureFixture[str]
) -> None:
    """OpenCV and libpng would write lines of their own to the terminal; afterwards OpenCV may again."""
    level = cv2.utils.logging.getLogLevel()
    noise = np.random.default_rng(5).integers(0, 255, (80, 120, 3)).astype(np.uint8)
    whole = encoded(f".{kind.lower()}", noise)
    with pytest.raises(PictureError, match=f"{kind} file is damaged, cut off or of a rare kind"):
        load_picture(whole[: int(share * len(whole))])
    assert capfd.readouterr().err == ""
    assert cv2.utils.logging.getLogLevel() == level


def damaged(kind: str, *parameters: int) -> bytes:
    """A picture in whose data forty bytes in the middle are others."""
    rng = np.random.default_rng(1)
    cells = rng.integers(0, 255, (12, 16, 3)).astype(np.uint8)
    image = cv2.resize(cells, (640, 480), interpolation=cv2.INTER_CUBIC)
    whole = bytearray(cv2.imencode(kind, image, parameters)[1].tobytes())
    middle = len(whole) // 2
    whole[middle : middle + 40] = rng.integers(0, 255, 40).astype(np.uint8).tobytes()
    return bytes(whole)


LZW = 5
SPOILT = {
    "JPEG": damaged(".jpg"),
    "JPEG without its middle": (whole := encoded(".jpg", scene(640, 480)))[:2000] + whole[2400:],
    "PNG": damaged(".png"),
    "TIFF": damaged(".tiff", cv2.IMWRITE_TIFF_COMPRESSION, LZW),
}


@pytest.mark.parametrize("kind", SPOILT)
def test_a_damaged_picture_that_is_decoded_all_the_same_is_refused_in_one_sentence(
    kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """libjpeg and libtiff fill it up with anything and say so on the terminal alone."""
    with pytest.raises(PictureError, match=f"{kind.split()[0]} file is damaged, cut off or of a rare kind"):
        load_picture(SPOILT[kind])
    assert capfd.readouterr().err == ""


def test_a_few_bytes_too_many_are_no_damage(capfd: pytest.CaptureFixture[str]) -> None:
    """Some cameras leave them before the end of a JPEG; and the end of a PNG has a checksum, but no pixels."""
    jpeg = cv2.imencode(".jpg", scene(), [cv2.IMWRITE_JPEG_RST_INTERVAL, 1])[1].tobytes()
    png = encoded(".png", scene())
    for data in (jpeg[:-2] + b"abc" + jpeg[-2:], png[:-1] + b"?"):
        assert load_picture(data).mean() > 180
    assert capfd.readouterr().err == ""


def test_what_others_write_while_a_picture_is_decoded_comes_a_moment_later(capfd: pytest.CaptureFixture[str]) -> None:
    level = cv2.utils.logging.getLogLevel()
    with overheard() as lines:
        os.write(2, b"the wall is empty\nlibpng warning: IEND: CRC error\n")
        assert capfd.readouterr().err == ""
    assert lines == ["libpng warning: IEND: CRC error"]
    assert capfd.readouterr().err == "the wall is empty\n"
    assert cv2.utils.logging.getLogLevel() == level


def test_two_who_ask_for_quiet_at_once_leave_opencv_as_it_was() -> None:
    """A picture is decoded while a camera is opened: each put back the level that the other had set."""
    level = cv2.utils.logging.getLogLevel()
    assert level > 0
    first, second = quiet(), quiet()
    with first:
        second.__enter__()
    assert cv2.utils.logging.getLogLevel() == 0
    second.__exit__(None, None, None)
    assert cv2.utils.logging.getLogLevel() == level


def test_a_pipe_or_a_device_is_refused_at_once_instead_of_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "hand.jpg"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(PictureError, match=f"{path}: is a pipe or a device, not a file; save the picture as"):
            load_picture(path)


def test_a_path_is_named_in_the_sentence(tmp_path: Path) -> None:
    missing = tmp_path / "hand.jpg"
    with pytest.raises(PictureError, match=r"hand\.jpg: there is no such file"):
        load_picture(missing)
    with pytest.raises(PictureError, match="is a folder; name the picture files"):
        load_picture(str(tmp_path))
    missing.write_bytes(b"")
    with pytest.raises(PictureError, match=r"hand\.jpg: the file is empty"):
        load_picture(missing)


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp", ".bmp", ".tiff", ".gif", ".avif"])
def test_the_header_tells_kind_and_size_without_decoding(kind: str) -> None:
    names = {".jpg": "JPEG", ".png": "PNG", ".webp": "WebP", ".bmp": "BMP", ".tiff": "TIFF", ".gif": "GIF"}
    assert read_header(encoded(kind, scene())) == PictureHeader(names.get(kind, "AVIF"), 120, 80)


STARTS = (b"", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"RIFF", b"GIF8", b"BM", b"II*\x00", b"MM\x00*",
          b"\x00\x00\x00\x18ftypavif")  # fmt: skip


@settings(deadline=None)
@given(st.binary(max_size=200), st.sampled_from(STARTS))
def test_no_bytes_make_the_header_reader_fail(rest: bytes, start: bytes) -> None:
    answer = read_header(start + rest)
    assert answer is None or min(answer.width, answer.height) > 0


@settings(deadline=None)
@given(st.integers(min_value=0))
def test_a_file_cut_anywhere_is_one_sentence(length: int) -> None:
    whole = encoded(".webp", scene())
    with pytest.raises(PictureError, match=r"^this picture: .*[^.]\.$"):
        load_picture(whole[: length % len(whole)])
