"""From the JSON form of a question to its values, each field checked where it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from rules.errors import RulesInputError, did_you_mean
from rules.model import (
    MELD_KINDS,
    SOURCES,
    KongPaid,
    Liability,
    Meld,
    MeldKind,
    PlayerFacts,
    Seat,
    Source,
    TableFacts,
    Winner,
)
from rules.question import Event
from rules.tiles import BAMBOOS, CHARACTERS, DOTS, WIND_LETTERS, Kinds, Tile, parse_tile, parse_tiles, tiles_text

T = TypeVar("T")
Readers: TypeAlias = Mapping[str, Callable[[object, str], object]]
"""How each field of an object is read; the second argument says where it stands, for messages."""

MOST_POINTS = 10**12
SUIT_LETTERS: dict[str, Kinds] = {"m": CHARACTERS, "p": DOTS, "s": BAMBOOS}


def winners_of(value: object) -> tuple[Winner, ...]:
    """The `winners` of a question."""
    return tuple(_winner(one, f"winners[{place}]") for place, one in enumerate(_list(value, "winners")))


def facts_of(value: object) -> TableFacts:
    """The `state` of a question."""
    return TableFacts(**_fields(value, "state", _STATE))


def events_of(value: object) -> tuple[Event, ...]:
    """The `events` of a question."""
    events = [_object(one, f"events[{place}]") for place, one in enumerate(_list(value, "events"))]
    return tuple(Event(dict(one), number) for number, one in enumerate(events, start=1))  # type: ignore[arg-type]


def parse_melds(text: str) -> tuple[Meld, ...]:
    """Melds as they are typed on a command line: `chi:123m,peng:555p,kong_concealed:9999s`, in the order made.

    A source seat may follow: `peng:555p@2`.

    Raises:
        RulesInputError: A piece is not `kind:tiles`, or the kind does not exist.
    """
    melds = []
    for piece in filter(None, (piece.strip() for piece in text.split(","))):
        kind, colon, rest = piece.partition(":")
        tiles, at, seat = rest.partition("@")
        if not colon:
            raise RulesInputError(f'melds "{text}": "{piece}" is not of the form kind:tiles, e.g. peng:555p')
        if at and seat not in ("0", "1", "2", "3"):
            raise RulesInputError(f'melds "{text}": "@{seat}" names no seat; a source is @0 to @3, e.g. peng:555p@2')
        source = int(seat) if at else None
        melds.append(Meld(_meld_kind(kind, f'melds "{text}"'), parse_tiles(tiles), source))
    return tuple(melds)


def meld_json(meld: Meld) -> dict[str, object]:
    """A meld in its JSON form."""
    return {"type": meld.kind, "tiles": tiles_text(meld.tiles), "from": meld.source_seat}


# ---------------------------------------------------------------- single fields


def _object(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise RulesInputError(f"{where} must be an object, found {value!r}")
    return value


def _fields(value: object, where: str, readers: Readers, *required: str) -> dict[str, Any]:
    """The fields of an object, each read by its own reader; one that is null keeps its default."""
    given = _object(value, where)
    for name in given:
        if name not in readers:
            raise RulesInputError(f'{where}: there is no field "{name}"; {did_you_mean(name, readers)}')
    found = {name: readers[name](raw, f"{where}.{name}") for name, raw in given.items() if raw is not None}
    for name in required:
        if name not in found:
            raise RulesInputError(f'{where}: the field "{name}" is missing')
    return found


def _list(value: object, where: str) -> Sequence[object]:
    if not isinstance(value, (list, tuple)):
        raise RulesInputError(f"{where} must be a list, found {value!r}")
    return value


def _whole(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise RulesInputError(f"{where} must be a whole number, found {value!r}")
    if abs(value) > MOST_POINTS:
        raise RulesInputError(f"{where}: nobody holds more than {MOST_POINTS} points")
    return value


def _between(most: int, least: int = 0) -> Callable[[object, str], int]:
    def read(value: object, where: str) -> int:
        number = _whole(value, where)
        if not least <= number <= most:
            raise RulesInputError(f"{where} must be {least}-{most}, found {number}")
        return number

    return read


_count = _between(9999)
_of_four = _between(4)
_die = _between(6, least=1)


def _flag(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise RulesInputError(f"{where} must be true or false, found {value!r}")
    return value


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise RulesInputError(f"{where} must be a text, found {value!r}")
    return value


def _seat(value: object, where: str) -> Seat:
    seat = _whole(value, where)
    if not 0 <= seat <= 3:
        raise RulesInputError(f"{where} must be a seat 0-3, found {seat}")
    return seat


def _seat_or_none(value: object, where: str) -> Seat | None:
    return None if value is None else _seat(value, where)


def _wind(value: object, where: str) -> int:
    if not isinstance(value, str) or value not in tuple(WIND_LETTERS):
        raise RulesInputError(f"{where} must be one of E, S, W, N, found {value!r}")
    return WIND_LETTERS.index(value)


def _tile(value: object, where: str) -> Tile:
    return parse_tile(_text(value, where))


def _tiles(value: object, where: str) -> tuple[Tile, ...]:
    if isinstance(value, str):
        return parse_tiles(value)
    return tuple(_tile(one, where) for one in _list(value, where))


def _flowers(value: object, where: str) -> tuple[Tile, ...]:
    if not isinstance(value, str):
        raise RulesInputError(f'{where} must name the flower tiles, e.g. "123f", found {value!r}')
    return parse_tiles(value)


def _meld_kind(value: object, where: str) -> MeldKind:
    for kind in MELD_KINDS:
        if kind == value:
            return kind
    raise RulesInputError(f"{where}: there is no meld {value!r}; {did_you_mean(value, MELD_KINDS)}")


def _kong(value: object, where: str) -> MeldKind:
    kind = _meld_kind(value, where)
    if not kind.startswith("kong"):
        raise RulesInputError(f"{where}: {kind} is no kong; it is kong_open, kong_added or kong_concealed")
    return kind


def _source(value: object, where: str) -> Source:
    for source in SOURCES:
        if source == value:
            return source
    raise RulesInputError(f"{where}: there is no source {value!r}; {did_you_mean(value, SOURCES)}")


def _list_of(read: Callable[[object, str], T]) -> Callable[[object, str], tuple[T, ...]]:
    def read_all(value: object, where: str) -> tuple[T, ...]:
        return tuple(read(one, f"{where}[{place}]") for place, one in enumerate(_list(value, where)))

    return read_all


def _by_seat(read: Callable[[object, str], T]) -> Callable[[object, str], tuple[tuple[Seat, T], ...]]:
    def read_all(value: object, where: str) -> tuple[tuple[Seat, T], ...]:
        pairs = _object(value, where)
        bad = [seat for seat in pairs if seat not in ("0", "1", "2", "3")]
        if bad:
            raise RulesInputError(f'{where}: "{bad[0]}" is no seat; seats are "0" to "3"')
        return tuple((int(seat), read(pairs[seat], f"{where}.{seat}")) for seat in sorted(pairs))

    return read_all


_MELD: Readers = {"type": _meld_kind, "tiles": _tiles, "from": _seat_or_none}


def _meld(value: object, where: str) -> Meld:
    given = _fields(value, where, _MELD, "type", "tiles")
    return Meld(given["type"], given["tiles"], given.get("from"))


_melds = _list_of(_meld)

_WINNER: Readers = {
    "seat": _seat,
    "hand": _tiles,
    "melds": _melds,
    "win_tile": lambda value, where: None if value in ("", None) else _tile(value, where),
    "source": _source,
    "from_seat": _seat_or_none,
    "flowers": _flowers,
    "discards_before": _count,
    "first_turn": _flag,
    "claims_before": _flag,
    "kong_feeder": _seat_or_none,
    "after_kong": _flag,
    "ready_before": _flag,
    "discarder_ready": _flag,
    "hz_kongs": _of_four,
    "lz_kongs": _of_four,
    "last_of_kind": _flag,
}


def _winner(value: object, where: str) -> Winner:
    return Winner(**{"win_tile": None, **_fields(value, where, _WINNER, "seat", "hand", "source")})


def _player(value: object, where: str) -> PlayerFacts:
    return PlayerFacts(**_fields(value, where, _PLAYER))


def _suit(value: object, where: str) -> Kinds:
    if not isinstance(value, str) or value not in SUIT_LETTERS:
        raise RulesInputError(f"{where} must be one of m, p, s, found {value!r}")
    return SUIT_LETTERS[value]


_PLAYER: Readers = {
    "hand": _tiles,
    "melds": _melds,
    "kongs": _list_of(_kong),
    "opened": _flag,
    "ready": _flag,
    "hz_kongs": _of_four,
    "lz_kongs": _of_four,
    "void": _suit,
}


def _contract(value: object, where: str) -> tuple[Seat, Seat]:
    pair = _list(value, where)
    if len(pair) != 2:
        raise RulesInputError(f"{where} must be [claimer, source], found {value!r}")
    return _seat(pair[0], where), _seat(pair[1], where)


_LIABILITY: Readers = {"for": _seat, "by": _seat, "kind": _text}
_KONG_PAID: Readers = {"by": _seat, "type": _kong, "paid": _by_seat(_count)}


def _liability(value: object, where: str) -> Liability:
    given = _fields(value, where, _LIABILITY, "for", "by", "kind")
    return Liability(given["for"], given["by"], given["kind"])


def _kong_paid(value: object, where: str) -> KongPaid:
    given = _fields(value, where, _KONG_PAID, "by", "type")
    return KongPaid(given["by"], given["type"], given.get("paid", ()))


_STATE: Readers = {
    "round_wind": _wind,
    "dealer": _seat,
    "first_dealer": _seat,
    "wild": _tile,
    "flip": _tile,
    "last_tile": _flag,
    "wall_left": _count,
    "drawn": _count,
    "dice": _list_of(_die),
    "streak": _count,
    "carry_in": _list_of(_text),
    "prev_wild": _tile,
    "contracts": _list_of(_contract),
    "quit": _list_of(_seat),
    "liability": _list_of(_liability),
    "passed": _by_seat(_tiles),
    "out": _list_of(_seat),
    "birds": _tiles,
    "players": _by_seat(_player),
    "flowers": _list_of(_count),
    "open_hand": _list_of(_flag),
    "doubled": _list_of(_flag),
    "kong_ledger": _list_of(_kong_paid),
    "balances": _list_of(_whole),
    "flips": _list_of(_tile),
    "turn": _seat,
    "tail_stacks": _list_of(_tiles),
}
