"""Reads the words out of a PDF whose fonts are embedded, as a viewer would."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pdf:
    """A PDF file: its objects as bytes, streams unpacked."""

    objects: dict[int, bytes]

    @property
    def pages(self) -> list[str]:
        """The words of every page, in the order in which they were drawn."""
        letters = self._letters()
        found = (body for _, body in sorted(self.objects.items()) if re.search(rb"/Type\s*/Page\b", body))
        return [self._words(body, letters) for body in found]

    @property
    def embedded(self) -> list[int]:
        """The sizes of the font files inside."""
        named = (re.search(rb"/FontFile[23]?\s+(\d+) 0 R", body) for body in self.objects.values())
        return [len(self.objects[int(one.group(1))]) for one in named if one]

    @property
    def unembedded(self) -> list[bytes]:
        """Fonts that a viewer would have to bring."""
        plain = (body for body in self.objects.values() if re.search(rb"/Subtype\s*/(Type1|TrueType)\b", body))
        return [body for body in plain if b"/FontDescriptor" not in body]

    def _letters(self) -> dict[str, str]:
        """From codes to characters, as the ToUnicode maps say."""
        found: dict[str, str] = {}
        for body in self.objects.values():
            if b"beginbfchar" not in body:
                continue
            for code, letter in re.findall(rb"<([0-9A-Fa-f]{4})> <([0-9A-Fa-f]+)>", body.split(b"beginbfchar", 1)[1]):
                found[code.decode().upper()] = bytes.fromhex(letter.decode()).decode("utf-16-be")
        return found

    def _words(self, page: bytes, letters: dict[str, str]) -> str:
        contents = re.search(rb"/Contents (\d+) 0 R", page)
        assert contents is not None
        drawn = self.objects[int(contents.group(1))]
        lines = []
        for text in re.findall(rb"\(((?:\\.|[^\\])*?)\) ?Tj|<([0-9a-fA-F]+)> ?Tj", drawn, re.DOTALL):
            code = text[1].decode() or plain(text[0]).hex()
            lines.append("".join(letters[code[at : at + 4].upper()] for at in range(0, len(code), 4)))
        return "\n".join(lines)


def plain(text: bytes) -> bytes:
    """A literal string of a PDF without its escapes."""
    signs = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
    return re.sub(rb"\\(.)", lambda found: signs.get(found.group(1), found.group(1)), text, flags=re.DOTALL)


def read(data: bytes) -> Pdf:
    """Every object of the file."""
    objects: dict[int, bytes] = {}
    for found in re.finditer(rb"(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj", data, re.DOTALL):
        body = found.group(2)
        packed = re.search(rb"stream\n(.*)\nendstream", body, re.DOTALL)
        if packed and b"/FlateDecode" in body:
            body = body[: packed.start()] + zlib.decompress(packed.group(1))
        objects[int(found.group(1))] = body
    return Pdf(objects)
