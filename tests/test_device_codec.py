"""The codec: golden vectors, any chunking, any noise, no wrong frame."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.catalogue import COMMANDS, EVENTS, FROM_TABLE, TO_TABLE, from_packet, request_from_packet, slots_of
from device.codec import MAX_FRAME, MAX_LINE, PacketDecoder, encode, frame
from device.messages import (
    Ack,
    Button,
    Caps,
    Dice,
    Heartbeat,
    HostHello,
    Malformed,
    Request,
    Roll,
    Score,
    ShowText,
    Snapshot,
    Stick,
    Sync,
    Unknown,
    Wall,
)
from device.wire import EventId, WireError, escape, unescape

DICE = Dice(EventId("7F3A", 12), 9876543, 57, "end", 2, (3, 4), 0, "elec")
GOLDEN = [
    (b"@ACK id=7F3A.12*FFF9\n", Ack(EventId("7F3A", 12))),
    (
        b"@HB b=7F3A t=9877000 n=12 floor=12 deck=WASH top=UP q=1 bad=0*E50A\n",
        Heartbeat("7F3A", 9877000, 12, 12, "WASH", "UP", 1),
    ),
    (b"@DICE id=7F3A.12 t=9876543 roll=57 ph=end n=2 v=3,4 by=1 src=elec*8E45\n", DICE),
]


def read_one(line: bytes) -> object:
    """Decode the only frame of ``line`` as a board and as a host, whichever knows its type."""
    (packet,) = PacketDecoder().feed(line)
    to_table = packet.get("h") is not None or packet.type not in FROM_TABLE
    read = request_from_packet if to_table and packet.type in TO_TABLE else from_packet
    return read(packet)


@pytest.mark.parametrize(("line", "message"), GOLDEN, ids=["ACK", "HB", "DICE"])
def test_golden_vectors_of_the_specification(line, message):
    assert encode(message) == line
    assert read_one(line) == message


def test_longest_dice_is_94_bytes_or_less_and_snapshot_parts_fit():
    longest = Dice(EventId("7F3A", 2**32 - 1), 2**32 - 1, 2**32 - 1, "start", 2, (6, 6), 3, "sense", 100)
    assert len(encode(longest)) <= 120
    part = Snapshot((1, 2), "7F3A", 2**32 - 1, 2**32 - 1, 2**32 - 1, True, "LOADING", "DEALING", "SLEEP", 144, 144)
    assert len(encode(part)) <= MAX_FRAME


@pytest.mark.parametrize("crc", ["8e45", "8E45"])
def test_crc_is_read_in_either_case(crc):
    assert read_one(GOLDEN[2][0].replace(b"8E45", crc.encode())) == DICE


@pytest.mark.parametrize("crc", [b"+E45", b" E45", b"8E4", b"8E455", b"0x8E", b"8_45", b""])
def test_check_sum_that_is_not_four_hex_digits_is_refused(crc):
    decoder = PacketDecoder()
    assert decoder.feed(GOLDEN[2][0].replace(b"8E45", crc)) == []
    assert decoder.counts().bad_crc == 1


def test_last_at_sign_wins_so_a_lost_line_feed_costs_one_frame():
    lost = GOLDEN[0][0].removesuffix(b"\n") + GOLDEN[1][0]
    assert [packet.type for packet in PacketDecoder().feed(lost)] == ["HB"]


def test_carriage_return_is_ignored_and_console_text_kept():
    decoder = PacketDecoder()
    packets = decoder.feed(b"ets Jul 29 2019 12:21:46\r\nrst:0x1 " + GOLDEN[0][0].replace(b"\n", b"\r\n"))
    assert [packet.type for packet in packets] == ["ACK"]
    assert decoder.console() == ("ets Jul 29 2019 12:21:46", "rst:0x1")
    assert decoder.counts().console == 2


def test_console_keeps_the_last_hundred_lines_only():
    decoder = PacketDecoder()
    decoder.feed(b"".join(b"line %d\n" % index for index in range(250)))
    assert len(decoder.console()) == 100
    assert decoder.console()[-1] == "line 249"
    assert decoder.counts().console == 250


def test_line_never_ended_is_cut_at_192_bytes_and_counted_once():
    decoder = PacketDecoder()
    for _ in range(500):
        decoder.feed(b"x" * 1000)
        assert len(decoder._rest) <= MAX_LINE
    assert decoder.counts().overlong == 1
    assert [packet.type for packet in decoder.feed(GOLDEN[0][0])] == ["ACK"]


def test_unknown_type_and_unknown_keys_are_not_errors():
    assert read_one(frame("FUTURE a=1 b=2")) == Unknown("FUTURE")
    assert read_one(frame("BTN id=7F3A.1 t=5 seat=2 key=HU act=down glow=7")) == Button(EventId("7F3A", 1), 5, 1, "HU")
    assert read_one(frame("HB b=7F3A t=1 n=0 deck=DANCING")).deck == "UNKNOWN"


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("DICE id=7F3A.1 t=5 roll=1 ph=end n=2 v=0,4 by=1", "0 is outside 1 to 6"),
        ("DICE id=7F3A.1 t=5 roll=1 ph=end n=2 v=3,7 by=1", "7 is outside 1 to 6"),
        ("DICE id=7F3A.1 t=5 roll=1 ph=end n=3 v=1,2,3 by=1", "3 is outside 1 to 2"),
        ("DICE id=7F3A.1 t=5 roll=1 ph=end n=2 v=1,2,3 by=1", "3 dice where 1 or 2"),
        ("DICE id=7F3A.1 t=5 roll=1 ph=end n=2 v=3 by=1", "2 dice and shows 1"),
        ("DICE id=7F3A.1 t=5 roll=1 n=2 v=3,3 by=1", "without ph="),
        ("DICE id=7F3A.1 t=5 roll=1 ph=end by=5 v=3,3", "5 is outside 0 to 4"),
        ("BTN id=7F3A.1 t=5 seat=2 key=RIICHI", "'RIICHI' is not one of"),
        ("WALL id=7F3A.1 t=5 w=17,17,17", "3 numbers where 4 belong"),
        ("STICK id=7F3A.1 t=5 seat=1 pts=5 d=100:1,100:2", "different stick values"),
        ("REM id=7F3A.1 t=5 side=0 st=4", "0 is outside 1 to 4"),
    ],
)
def test_impossible_value_is_named_and_keeps_its_event_id(body, word):
    refused = read_one(frame(body))
    assert isinstance(refused, Malformed)
    assert word in refused.reason
    assert refused.id == EventId("7F3A", 1)


def test_dice_value_unknown_is_a_message_of_its_own():
    read = read_one(frame("DICE id=7F3A.1 t=5 roll=1 ph=end n=2 v=? by=0"))
    assert (read.values, read.by_seat) == (None, None)


def test_doubled_key_is_malformed():
    decoder = PacketDecoder()
    assert decoder.feed(frame("HB b=7F3A t=1 n=0 n=5")) == []
    assert decoder.counts().malformed == 1


def test_what_is_too_long_or_out_of_range_cannot_be_sent():
    with pytest.raises(WireError, match="longer than 160"):
        encode(ShowText("牌" * 40))
    with pytest.raises(WireError, match="SCORE pts: 3 numbers"):
        encode(Score(1, (1, 2, 3)))
    with pytest.raises(WireError, match="ROLL allow"):
        encode(Roll((0, 0)))


def test_requests_carry_session_and_number():
    request = Request("BEEF", 7, Roll((0, 2), 2, "BREAK1"))
    assert encode(request) == frame("ROLL h=BEEF c=7 allow=1,3 dice=2 why=BREAK1")
    assert read_one(encode(request)) == request
    assert isinstance(read_one(frame("ROLL allow=1")), Malformed)


@given(st.text(max_size=40))
def test_any_text_survives_the_wire(text):
    clean = text.encode("utf-8", "replace").decode()
    assert unescape(escape(clean)) == clean
    assert not set(escape(clean)) & set(" @*,\n\r")


seats = st.integers(0, 3)
ids = st.builds(EventId, st.sampled_from(["0001", "7F3A", "FFFF"]), st.integers(1, 2**32 - 1))
times = st.integers(0, 2**32 - 1)
pips = st.integers(1, 6)
MESSAGES = st.one_of(
    st.builds(
        lambda i, t, r, p, v, s: Dice(i, t, r, p, len(v) if v else 2, v, s),
        *(ids, times, times, st.sampled_from(["start", "end", "void"])),
        *(st.one_of(st.none(), st.tuples(pips), st.tuples(pips, pips)), st.one_of(st.none(), seats)),
    ),
    st.builds(Wall, ids, times, st.one_of(st.none(), st.tuples(*[st.integers(0, 20)] * 4)), st.integers(0, 144)),
    st.builds(Stick, ids, times, seats, st.integers(0, 99999), st.just(((1000, 3), (100, 0)))),
    st.builds(
        Caps, st.just("7F3A"), st.lists(st.sampled_from(["dice2", "lift"]), max_size=9).map(tuple), st.just((136, 144))
    ),
    st.builds(HostHello, st.just("BEEF"), app=st.text("abc de@*%", max_size=12)),
    st.builds(Sync, st.one_of(st.none(), ids)),
    st.builds(ShowText, st.text(max_size=6), st.one_of(st.none(), seats)).map(lambda c: Request("BEEF", 1, c)),
    st.builds(Score, times, st.tuples(*[st.integers(-9999, 9999)] * 4)).map(lambda c: Request("BEEF", 2, c)),
)


@given(MESSAGES)
def test_every_message_reads_back_as_it_was(message):
    line = encode(message)
    assert len(line) <= MAX_FRAME
    assert read_one(line) == message


@given(st.lists(MESSAGES, min_size=1, max_size=6), st.binary(max_size=80), st.data())
def test_any_chunking_and_any_junk_before_finds_every_frame(messages, junk, data):
    stream = junk.replace(b"\n", b" ") + b"\n" + b"".join(map(encode, messages))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    decoder = PacketDecoder()
    found = []
    for start, stop in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        found += decoder.feed(stream[start:stop])
    assert [packet.body() for packet in found] == [encode(m)[1:-6].decode() for m in messages]


@given(st.lists(st.binary(max_size=300), max_size=8))
def test_no_bytes_ever_raise(chunks):
    decoder = PacketDecoder()
    for chunk in chunks:
        for packet in decoder.feed(chunk):
            from_packet(packet)
            request_from_packet(packet)
    assert decoder.counts().frames <= sum(chunk.count(b"\n") for chunk in chunks)


@given(st.sampled_from([line for line, _ in GOLDEN]), st.data())
def test_one_flipped_bit_never_makes_a_wrong_frame(line, data):
    at = data.draw(st.integers(0, len(line) * 8 - 1))
    hurt = bytearray(line)
    hurt[at // 8] ^= 1 << at % 8
    decoder = PacketDecoder()
    found = decoder.feed(b"\n" + bytes(hurt) + GOLDEN[0][0] + b"\n")
    assert {packet.body().encode() for packet in found} <= {line[1:-6], GOLDEN[0][0][1:-6]}


def test_every_type_has_slots_and_events_start_with_their_id():
    for cls in (*FROM_TABLE.values(), *TO_TABLE.values()):
        assert slots_of(cls) or cls in COMMANDS
    assert all(slots_of(cls)[0].key.name == "id" for cls in EVENTS)
