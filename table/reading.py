"""From tiles in a picture to a hand that can be judged: rows become the concealed hand, groups apart become melds.

The eyes know where tiles lie and what is on them; this module gives the places their mahjong names. It never guesses: a
tile nobody can read, a fifth copy, a wrong number of tiles become questions, and where the tiles can be understood in
more than one way every way is kept (`Proposal.hands`), for the rules to say whether it makes a difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Literal

from table.model import LaidHand, LaidMeld, MeldKind, Scalar, SeenGroup, SeenTile
from table.snapshot import Choice, Question
from table.state import Claim, MeldPin
from vision.types import PictureReading

TileRole = Literal["concealed", "meld", "win", "flower", "out"]

HAND_TILES = 14
"""Tiles of a complete hand in most rulesets, kongs counted as three."""

MOST_TILES = HAND_TILES + 4 + 8
"""Tiles of the largest hand: four kongs and all flowers."""

_SUITS = "mpszf"
_BACK = "x"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOption:
    """One way to understand the tiles: which hand it is, and where its winning tile lies (None if not in a picture)."""

    laid: LaidHand
    win_index: int | None
    layout: Literal["laid", "closed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What the tiles may be: every possible hand, or the questions that must be answered first."""

    hands: tuple[HandOption, ...] = ()
    questions: tuple[Question, ...] = ()
    roles: Mapping[int, TileRole] = field(default_factory=dict)
    natural: Mapping[int, MeldKind] = field(default_factory=dict)


def seen(reading: PictureReading) -> tuple[tuple[SeenTile, ...], tuple[SeenGroup, ...]]:
    """Turn what vision read into the plain values that events keep."""
    tiles = tuple(
        SeenTile(
            index=index,
            tile=one.tile,
            score=round(float(one.score), 4),
            sure=one.sure,
            also=tuple((name, round(float(score), 4)) for name, score in one.also[:4]),
            box=(
                round(float(one.box_px[0]), 1),
                round(float(one.box_px[1]), 1),
                round(float(one.box_px[2]), 1),
                round(float(one.box_px[3]), 1),
            ),
        )
        for index, one in enumerate(reading.tiles)
    )
    groups = tuple(SeenGroup(kind=one.kind, tiles=tuple(int(i) for i in one.tiles)) for one in reading.groups)
    return tiles, groups


def propose(claim: Claim, hand_tiles: int = HAND_TILES) -> Proposal:
    """Understand the hand of a claim, from its picture with a person's corrections, or as it was typed.

    Args:
        claim: what is known about the hand.
        hand_tiles: tiles of a complete hand under these rules, kongs counted as three.
    """
    if claim.how == "manual":
        return _typed(claim.entered) if claim.entered is not None else Proposal()
    if claim.how == "":
        return Proposal()
    return _pictured(claim, hand_tiles)


def worth_showing(tiles: tuple[SeenTile, ...], groups: tuple[SeenGroup, ...]) -> bool:
    """Whether a picture nobody asked for shows a whole laid hand, perhaps with a tile or two that need a look."""
    parts, flowers, _ = _parts(Claim(seat=0, how="camera", tiles=tiles, groups=groups))
    count = len(flowers) + sum(len(part.tiles) for part in parts)
    return HAND_TILES - 1 <= count <= MOST_TILES


def meld_kind(tiles: Sequence[str]) -> MeldKind | None:
    """What three or four tiles are when they lie together; None if they are no meld.

    Four tiles of which some lie face down are a concealed kong; an open kong may have been claimed or added, which no
    picture can show: it is called `kong_open` here.

    >>> meld_kind(["3m", "1m", "2m"]), meld_kind(["5z", "5z", "5z"]), meld_kind(["x", "9p", "9p", "x"])
    ('chi', 'peng', 'kong_concealed')
    """
    faces = {tile for tile in tiles if tile != _BACK}
    hidden = len(tiles) - sum(tile != _BACK for tile in tiles)
    if len(tiles) == 4 and len(faces) <= 1:
        return "kong_concealed" if hidden else "kong_open"
    if len(tiles) != 3 or hidden:
        return None
    if len(faces) == 1:
        return "peng"
    ranks = sorted(int(tile[0]) for tile in faces)
    one_suit = len({tile[1] for tile in faces}) == 1 and tiles[0][1] in "mps"
    run = len(ranks) == 3 and ranks[2] - ranks[0] == 2
    return "chi" if one_suit and run else None


def tiles_text(tiles: Iterable[str]) -> str:
    """Write single tiles as one text, sorted by suit and rank.

    >>> tiles_text(["5z", "2m", "1m"])
    '12m5z'
    """
    ranks: dict[str, list[str]] = {}
    for tile in sorted(tiles, key=lambda one: (_SUITS.index(one[1]), one[0])):
        ranks.setdefault(tile[1], []).append(tile[0])
    return "".join("".join(digits) + suit for suit, digits in ranks.items())


def split_tiles(text: str) -> tuple[str, ...]:
    """Single tiles of a text that is known to be well formed.

    >>> split_tiles("12m5z")
    ('1m', '2m', '5z')
    """
    tiles: list[str] = []
    digits = ""
    for char in text:
        if char.isdigit():
            digits += char
        else:
            tiles.extend(digit + char for digit in digits)
            digits = ""
    return tuple(tiles)


def _typed(entered: LaidHand) -> Proposal:
    if entered.win_tile:
        return Proposal(hands=(HandOption(laid=entered, win_index=None, layout="laid"),))
    tiles = split_tiles(entered.hand)
    options = []
    for tile in dict.fromkeys(tiles):
        rest = list(tiles)
        rest.remove(tile)
        laid = replace(entered, hand=tiles_text(rest), win_tile=tile)
        options.append(HandOption(laid=laid, win_index=None, layout="laid"))
    return Proposal(hands=tuple(options))


@dataclass(frozen=True, slots=True)
class _Part:
    """A group of the picture that belongs to the hand: its number, its tiles without flowers and removed ones."""

    group: int
    tiles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Layout:
    """One way to share the groups out: these are melds, all other tiles are concealed (with the winning one)."""

    name: Literal["laid", "closed"]
    melds: tuple[_Part, ...]
    rest: tuple[_Part, ...]
    hand_tiles: int

    @property
    def needed(self) -> int:
        """How many tiles the concealed part must have, the winning one among them."""
        return self.hand_tiles - 3 * len(self.melds)

    @property
    def concealed(self) -> tuple[int, ...]:
        return tuple(index for part in self.rest for index in part.tiles)


def _pictured(claim: Claim, hand_tiles: int) -> Proposal:
    parts, flowers, out = _parts(claim)
    natural = {part.group: kind for part in parts if (kind := _kind(claim, part)) is not None}
    layouts = _layouts(claim, parts, natural, hand_tiles)
    roles = _roles(layouts, flowers, out)
    unread = _unread(claim, parts, {index for layout in layouts for part in layout.melds for index in part.tiles})
    questions = unread or _fifths(claim, parts) or _odd_melds(claim, parts) or _counts(claim, layouts)
    if questions:
        return Proposal(questions=questions, roles=roles, natural=natural)
    options = tuple(option for layout in layouts for option in _options(claim, layout, flowers))
    if len({option.win_index for option in options}) == 1 and options[0].win_index is not None:
        roles = {**roles, options[0].win_index: "win"}
    return Proposal(hands=options, roles=roles, natural=natural)


def _parts(claim: Claim) -> tuple[tuple[_Part, ...], tuple[int, ...], tuple[int, ...]]:
    """Sort the picture: the groups of the hand, the flowers, and what lies outside (ponds, walls, removed tiles)."""
    parts: list[_Part] = []
    flowers: list[int] = []
    out: list[int] = []
    for number, group in enumerate(claim.groups):
        present = [index for index in group.tiles if claim.tile_at(index)]
        out.extend(index for index in group.tiles if not claim.tile_at(index))
        backs = sum(claim.tile_at(index) == _BACK for index in present)
        if group.kind == "pond" or (backs == len(present) and len(present) != 4):
            out.extend(present)
            continue
        flowers.extend(index for index in present if claim.tile_at(index)[1:] == "f")
        tiles = tuple(index for index in present if claim.tile_at(index)[1:] != "f")
        if tiles:
            parts.append(_Part(number, tiles))
    return tuple(parts), tuple(flowers), tuple(out)


def _kind(claim: Claim, part: _Part) -> MeldKind | None:
    return meld_kind([claim.tile_at(index) for index in part.tiles])


def _layouts(
    claim: Claim, parts: Sequence[_Part], natural: Mapping[int, MeldKind], hand_tiles: int
) -> tuple[_Layout, ...]:
    """The ways to share out the groups: as they lie, and all closed where no long row tells the hand from the melds."""
    as_laid = tuple(part for part in parts if _is_meld(claim, part, natural))
    rest = tuple(part for part in parts if part not in as_laid)
    layouts = [_Layout("laid", as_laid, rest, hand_tiles)]
    pinned = any(part.group in claim.meld_pins for part in parts)
    open_kongs = any(len(part.tiles) == 4 for part in as_laid)
    if as_laid and not pinned and not open_kongs and not any(len(part.tiles) > 4 for part in rest):
        layouts.append(_Layout("closed", (), tuple(parts), hand_tiles))
    fitting = tuple(layout for layout in layouts if _fits(claim, layout))
    return fitting or (layouts[0],)


def _is_meld(claim: Claim, part: _Part, natural: Mapping[int, MeldKind]) -> bool:
    pin = claim.meld_pins.get(part.group)
    if pin is not None:
        return pin.kind is not None
    return part.group in natural


def _fits(claim: Claim, layout: _Layout) -> bool:
    return len(layout.concealed) + bool(claim.win_named) == layout.needed


def _roles(layouts: Sequence[_Layout], flowers: Iterable[int], out: Iterable[int]) -> dict[int, TileRole]:
    roles: dict[int, TileRole] = dict.fromkeys(out, "out")
    roles.update(dict.fromkeys(flowers, "flower"))
    roles.update(dict.fromkeys(layouts[0].concealed, "concealed"))
    roles.update(dict.fromkeys((index for part in layouts[0].melds for index in part.tiles), "meld"))
    return roles


def _unread(claim: Claim, parts: Sequence[_Part], in_melds: set[int]) -> tuple[Question, ...]:
    """A question for each tile that nobody can read, face-down tiles outside a concealed kong among them."""
    questions: list[Question] = []
    for part in parts:
        names = [claim.tile_at(index) for index in part.tiles]
        kong = len(part.tiles) == 4 and _kind(claim, part) == "kong_concealed"
        if kong and set(names) == {_BACK}:
            questions.append(_ask_tile(claim, part.tiles[1], "ask_face_down"))
            continue
        for index in part.tiles:
            blind = claim.tile_at(index) == _BACK and not (kong and index in in_melds)
            if blind or (claim.tiles[index].sure == "unreadable" and index not in claim.pins and not kong):
                questions.append(_ask_tile(claim, index, "ask_tile"))
    return tuple(questions)


def _ask_tile(claim: Claim, index: int, text_key: str) -> Question:
    tile = claim.tiles[index]
    names = [name for name in (tile.tile, *(name for name, _ in tile.also)) if name != _BACK]
    return Question(
        id=f"tile:{index}",
        text_key=text_key,
        params={},
        choices=tuple(_fix(index, name) for name in dict.fromkeys(names)),
        tiles=(index,),
        pick={"kind": "fix_tile", "index": index},
    )


def _fix(index: int, tile: str) -> Choice:
    return Choice(command={"kind": "fix_tile", "index": index, "tile": tile}, tile=tile, text_key="tile")


def _fifths(claim: Claim, parts: Sequence[_Part]) -> tuple[Question, ...]:
    """A question for each kind that is seen five times: the least certain copy comes first."""
    where: dict[str, list[int]] = {}
    for part in parts:
        for index in part.tiles:
            where.setdefault(claim.tile_at(index), []).append(index)
    questions: list[Question] = []
    for tile, indices in where.items():
        if tile == _BACK or len(indices) <= 4:
            continue
        doubtful = sorted(indices, key=lambda index: (index in claim.pins, claim.tiles[index].score))
        choices = tuple(
            _fix(index, name) for index in doubtful[:2] for name, _ in claim.tiles[index].also[:2] if name != tile
        )
        params: dict[str, Scalar] = {"tile": tile, "count": len(indices)}
        questions.append(
            Question(
                id=f"fifth:{tile}",
                text_key="ask_fifth",
                params=params,
                choices=choices,
                tiles=tuple(doubtful),
                pick={"kind": "fix_tile", "index": doubtful[0]},
            )
        )
    return tuple(questions)


def _odd_melds(claim: Claim, parts: Sequence[_Part]) -> tuple[Question, ...]:
    """A question for each group that lies like a meld beside a long row but is none: a tile in it was misread."""
    if not any(len(part.tiles) > 4 for part in parts):
        return ()
    return tuple(
        _ask_meld(claim, part)
        for part in parts
        if len(part.tiles) in (3, 4) and part.group not in claim.meld_pins and _kind(claim, part) is None
    )


def _ask_meld(claim: Claim, part: _Part) -> Question:
    """Offer every likely reading of one tile that makes the group a meld, and that it belongs to the hand."""
    choices: list[Choice] = []
    for index in part.tiles:
        for name, _ in claim.tiles[index].also:
            names = [name if other == index else claim.tile_at(other) for other in part.tiles]
            if meld_kind(names) is not None:
                choices.append(_fix(index, name))
    no_meld: dict[str, Scalar] = {"kind": "set_meld", "group": part.group, "meld_kind": None}
    choices.append(Choice(command=no_meld, text_key="layout_closed"))
    return Question(
        id=f"meld:{part.group}", text_key="ask_meld", params={}, choices=tuple(choices), tiles=tuple(part.tiles)
    )


def _counts(claim: Claim, layouts: Sequence[_Layout]) -> tuple[Question, ...]:
    """A question if the number of tiles makes no hand; one tile short usually means the winning tile is elsewhere."""
    layout = layouts[0]
    if _fits(claim, layout):
        return ()
    have, need = len(layout.concealed) + bool(claim.win_named), layout.needed
    if have == need - 1:
        pick: dict[str, Scalar] = {"kind": "set_win_tile"}
        seen = _seen_tile(claim)
        choices = (Choice(command={**pick, "tile": seen}, text_key="tile", tile=seen),) if seen else ()
        return (Question(id="win_missing", text_key="ask_win_missing", params={}, choices=choices, pick=pick),)
    count = have + sum(len(part.tiles) for part in layout.melds)
    params: dict[str, Scalar] = {"count": count, "melds": len(layout.melds), "expected": need + 3 * len(layout.melds)}
    return (Question(id="count", text_key="ask_count", params=params),)


def _options(claim: Claim, layout: _Layout, flowers: Sequence[int]) -> Iterable[HandOption]:
    """Every hand this layout can be: each possible winning tile with each kind that a kong may have."""
    concealed = layout.concealed
    winners = _winning(claim, layout)
    kinds = [_meld_kinds(claim, part) for part in layout.melds]
    for win_index, chosen in product(winners, product(*kinds)):
        rest = [claim.tile_at(index) for index in concealed if index != win_index]
        melds = tuple(_meld(claim, part, pin) for part, pin in zip(layout.melds, chosen, strict=True))
        yield HandOption(
            laid=LaidHand(
                hand=tiles_text(rest),
                melds=melds,
                win_tile=claim.win_named if win_index is None else claim.tile_at(win_index),
                flowers=tiles_text(claim.tile_at(index) for index in flowers),
            ),
            win_index=win_index,
            layout=layout.name,
        )


def _winning(claim: Claim, layout: _Layout) -> tuple[int | None, ...]:
    """Indices of the tiles that may have won: the one a person named, the one laid apart, or one of each kind."""
    if claim.win_named:
        return (None,)
    if claim.win_index is not None and claim.win_index in layout.concealed:
        return (claim.win_index,)
    apart = [part.tiles[0] for part in layout.rest if len(part.tiles) == 1]
    if len(apart) == 1:
        return (apart[0],)
    firsts: dict[str, int] = {}
    for index in apart or layout.concealed:
        firsts.setdefault(claim.tile_at(index), index)
    seen = _seen_tile(claim)
    return (firsts[seen],) if seen in firsts else tuple(firsts.values())


def _seen_tile(claim: Claim) -> str:
    """The discard or kong tile that was won, as the camera followed it; empty if drawn, or if people say otherwise."""
    seen = claim.seen
    same = seen is not None and (seen.source, seen.from_seat) == (claim.source, claim.from_seat)
    return seen.tile if seen is not None and same else ""


def _meld_kinds(claim: Claim, part: _Part) -> tuple[MeldPin, ...]:
    """What this group may be; a kong lying open may have been claimed at once or added to a pung."""
    pin = claim.meld_pins.get(part.group)
    if pin is not None and pin.kind is not None:
        return (pin,)
    kind = _kind(claim, part)
    tiles = tiles_text(name for index in part.tiles if (name := claim.tile_at(index)) != _BACK)
    followed = next((meld for meld in claim.seen.melds if meld.tiles == tiles), None) if claim.seen else None
    if followed is not None and kind != "kong_concealed":
        return (MeldPin(kind=followed.kind, from_seat=followed.from_seat),)
    if kind == "kong_open":
        return (MeldPin(kind="kong_open"), MeldPin(kind="kong_added"))
    return (MeldPin(kind=kind),)


def _meld(claim: Claim, part: _Part, pin: MeldPin) -> LaidMeld:
    names = Counter(claim.tile_at(index) for index in part.tiles if claim.tile_at(index) != _BACK)
    tiles = list(names.elements())
    if len(part.tiles) == 4 and len(names) == 1:
        tiles = list(names) * 4
    return LaidMeld(kind=pin.kind or "peng", tiles=tiles_text(tiles), from_seat=pin.from_seat)
