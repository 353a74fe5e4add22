"""What only a person can tell about the hand in a picture: each unclear thing is a question with choices to tap."""

from __future__ import annotations

from collections.abc import Sequence

from table.layout import Layout, Part, kind_of, seen_tile
from table.model import Scalar
from table.snapshot import Choice, Question
from table.state import Claim
from table.tile_text import BACK, meld_kind


def hand_questions(claim: Claim, parts: Sequence[Part], layouts: Sequence[Layout]) -> tuple[Question, ...]:
    """What must be answered before this hand can be judged: the most basic doubts first, empty if there are none."""
    in_melds = {index for layout in layouts for part in layout.melds for index in part.tiles}
    return (
        _unread(claim, parts, in_melds) or _fifths(claim, parts) or _odd_melds(claim, parts) or _counts(claim, layouts)
    )


def _unread(claim: Claim, parts: Sequence[Part], in_melds: set[int]) -> tuple[Question, ...]:
    """A question for each tile that nobody can read, face-down tiles outside a concealed kong among them."""
    questions: list[Question] = []
    for part in parts:
        names = [claim.tile_at(index) for index in part.tiles]
        kong = len(part.tiles) == 4 and kind_of(claim, part) == "kong_concealed"
        if kong and set(names) == {BACK}:
            questions.append(_ask_tile(claim, part.tiles[1], "ask_face_down"))
            continue
        for index in part.tiles:
            blind = claim.tile_at(index) == BACK and not (kong and index in in_melds)
            if blind or (claim.tiles[index].sure == "unreadable" and index not in claim.pins and not kong):
                questions.append(_ask_tile(claim, index, "ask_tile"))
    return tuple(questions)


def _ask_tile(claim: Claim, index: int, text_key: str) -> Question:
    tile = claim.tiles[index]
    names = [name for name in (tile.tile, *(name for name, _ in tile.also)) if name != BACK]
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


def _fifths(claim: Claim, parts: Sequence[Part]) -> tuple[Question, ...]:
    """A question for each kind that is seen five times: the least certain copy comes first."""
    where: dict[str, list[int]] = {}
    for part in parts:
        for index in part.tiles:
            where.setdefault(claim.tile_at(index), []).append(index)
    questions: list[Question] = []
    for tile, indices in where.items():
        if tile == BACK or len(indices) <= 4:
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


def _odd_melds(claim: Claim, parts: Sequence[Part]) -> tuple[Question, ...]:
    """A question for each group that lies like a meld beside a long row but is none: a tile in it was misread."""
    if not any(len(part.tiles) > 4 for part in parts):
        return ()
    return tuple(
        _ask_meld(claim, part)
        for part in parts
        if len(part.tiles) in (3, 4) and part.group not in claim.meld_pins and kind_of(claim, part) is None
    )


def _ask_meld(claim: Claim, part: Part) -> Question:
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


def _counts(claim: Claim, layouts: Sequence[Layout]) -> tuple[Question, ...]:
    """A question if the number of tiles makes no hand; one tile short usually means the winning tile is elsewhere."""
    layout = layouts[0]
    if layout.fits(claim):
        return ()
    have, need = len(layout.concealed) + bool(claim.win_named), layout.needed
    if have == need - 1:
        pick: dict[str, Scalar] = {"kind": "set_win_tile"}
        seen = seen_tile(claim)
        choices = (Choice(command={**pick, "tile": seen}, text_key="tile", tile=seen),) if seen else ()
        return (Question(id="win_missing", text_key="ask_win_missing", params={}, choices=choices, pick=pick),)
    count = have + sum(len(part.tiles) for part in layout.melds)
    params: dict[str, Scalar] = {"count": count, "melds": len(layout.melds), "expected": need + 3 * len(layout.melds)}
    return (Question(id="count", text_key="ask_count", params=params),)
