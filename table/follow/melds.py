"""What a group of three or four tiles can be, when some of its faces are in doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from table.follow.faces import Faces, meet, run_of
from table.follow.moves import ClaimKind
from table.follow.sighting import Glimpse


@dataclass(frozen=True, slots=True)
class MeldReading:
    """One kind of meld that a group can be: what each tile may then be, and which claimed tile it may hold."""

    kind: ClaimKind
    tiles: tuple[Faces, ...]
    taken: Faces


def claim_readings(group: Sequence[Glimpse], taken: Faces, left: Mapping[str, int]) -> tuple[MeldReading, ...]:
    """The claims this group can be, if it holds a tile that may be `taken` (empty = any tile).

    Args:
        group: three or four tiles.
        taken: what the claimed discard may be.
        left: for each kind of the set, the copies not known to lie elsewhere; the claimed discard is one of them.
    """
    if any(tile.back for tile in group) or len(group) not in (3, 4):
        return ()
    kinds = tuple(kind for kind, copies in left.items() if copies > 0)
    faces: list[Faces] = []
    for tile in group:
        possible = tuple(face for face in tile.faces or kinds if tile.pinned or left.get(face, 0) > 0)
        if not possible:
            return ()
        faces.append(possible)
    alike = tuple(
        face
        for face in taken or kinds
        if left.get(face, 0) >= len(group) and all(face in possible for possible in faces)
    )
    readings: list[MeldReading] = []
    if alike:
        kind: ClaimKind = "peng" if len(group) == 3 else "kong_open"
        readings.append(MeldReading(kind, (alike,) * len(group), alike))
    run = _run(faces, taken) if len(group) == 3 else None
    if run is not None:
        readings.append(run)
    return tuple(readings)


def kong_face(group: Sequence[Glimpse], left: Mapping[str, int]) -> Faces | None:
    """What a concealed kong may be of, empty when all four lie face down; None if the group is none."""
    if len(group) != 4 or not any(tile.back for tile in group):
        return None
    face: Faces = ()
    for tile in group:
        met = face if tile.maybe_back else meet(face, tile.faces)
        if met is None:
            return None
        face = met
    if not face:
        return face
    return tuple(one for one in face if left.get(one, 0) >= 4) or None


def _run(faces: Sequence[Faces], taken: Faces) -> MeldReading | None:
    runs = [
        tiles
        for tiles in product(*faces)
        if len(set(tiles)) == 3 and run_of(tiles) and (not taken or set(taken) & set(tiles))
    ]
    if not runs:
        return None
    each = tuple(tuple(dict.fromkeys(run[place] for run in runs)) for place in range(3))
    holds = tuple(dict.fromkeys(face for run in runs for face in run if not taken or face in taken))
    return MeldReading("chi", each, holds)
