"""docs/device-protocol.md says what the code does: messages, notices, golden frames, numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from device import board, checks, codec, conversation, delivery, ports, requests
from device.catalogue import FROM_TABLE, TO_TABLE, slots_of
from device.codec import PacketDecoder
from device.messages import CAPABILITIES, FAULTS
from device.notices import NoticeCode

DOC = (Path(__file__).parent.parent / "docs" / "device-protocol.md").read_text(encoding="utf-8")


def rows(heading, header):
    """Return the cells of the table that follows ``heading`` and begins with ``header``."""
    table = DOC.split(heading, 1)[1].split(header, 1)[1]
    lines = re.match(r"[^\n]*\n\|[-|]+\|\n((?:\|.*\n)+)", table)[1].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.parametrize(("heading", "catalogue"), [("### From the table", FROM_TABLE), ("### From Paiju", TO_TABLE)])
def test_message_tables_are_the_code(heading, catalogue):
    written = [
        (kind, key.strip("`"), must == "must", value)
        for kind, key, must, value, _ in rows(heading, "| type | key | must | value | meaning |")
    ]
    expected = []
    for name, cls in catalogue.items():
        slots = slots_of(cls)
        expected += [
            (name, slot.key.name, slot.required, slot.key.kind.says.replace("|", " · ")) for slot in slots
        ] or [(name, "–", False, "")]
    assert written == expected


def test_notice_table_is_the_code():
    assert [row[0].strip("`") for row in rows("## What Paiju doubts", "| notice | when | |")] == list(NoticeCode)


def test_golden_frames_are_intact():
    frames = [row[0].strip("`") for row in rows("Check your code", "| golden frame | |")]
    assert len(frames) >= 7
    decoder = PacketDecoder()
    found = decoder.feed("".join(frame + "\n" for frame in frames).encode("ascii"))
    assert ["@" + packet.body() for packet in found] == [frame.rpartition("*")[0] for frame in frames]


@pytest.mark.parametrize(
    "sentence",
    [
        f"At most {codec.MAX_FRAME} bytes",
        f"keeps {codec.MAX_LINE} bytes",
        f"silent for {conversation.DRAIN_S * 1000:.0f} ms",
        f"`HELLO` each {conversation.ASK_EVERY_S * 1000:.0f} ms, for {conversation.BOOT_S:.0f} s at most",
        f"After {conversation.STALE_S:.0f} s without a word",
        f"after {conversation.SILENT_S:.0f} s it closes the port",
        f"first after {ports.FIRST_WAIT_S} s",
        f"every {ports.LONGEST_WAIT_S:.0f} s",
        f"Keep events ({board.RING} at least)",
        f"Each {board.RESEND_S * 1000:.0f} ms",
        f"at most {board.RESEND_MOST}, in order",
        f"ignored for {delivery.RETIRED_S:.0f} s",
        f"More than {conversation.LOOP_BOOTS} restarts in a minute",
        f"waits {conversation.HOLD_OFF_S:.0f} s",
        f"within {requests.TIMEOUT_S * 1000:.0f} ms",
        f"Remember the last {board.ANSWERS} answers",
        f"did not end within {checks.THROW_S:.0f} s",
        f"in {checks.STORM_S:.0f} s are held back",
    ],
)
def test_numbers_in_the_text_are_the_codes(sentence):
    assert sentence in DOC


def test_every_ability_and_fault_is_explained():
    for name in (*CAPABILITIES, *FAULTS):
        assert re.search(rf"\b{name}\b", DOC.split("### Abilities")[1].split("## What Paiju doubts")[0]), name


def test_every_link_inside_the_document_leads_somewhere():
    anchors = set(re.findall(r'<a id="([a-z-]+)"></a>', DOC))
    assert set(re.findall(r"\]\(#([a-z-]+)\)", DOC)) <= anchors
    folder = Path(__file__).parent.parent
    for module in (folder / "device").glob("*.py"):
        for anchor in re.findall(r"docs/device-protocol\.md#([a-z-]+)", module.read_text(encoding="utf-8")):
            assert anchor in anchors, f"{module.name} points to #{anchor}"
