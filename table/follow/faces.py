"""What a tile may be: one face, several, or any.

Faces are tile texts, likeliest first; one face is certain, the empty tuple says that nobody has seen it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeAlias

Faces: TypeAlias = tuple[str, ...]

ANY: Faces = ()
BACK = "x"


def meet(first: Faces, second: Faces) -> Faces | None:
    """What a tile may be by two looks at it; None if the looks exclude each other.

    >>> meet(("7s", "8s"), ("8s",)), meet((), ("1z",)), meet(("1m",), ("2m",))
    (('8s',), ('1z',), None)
    """
    if not first or not second:
        return first or second
    return tuple(face for face in first if face in second) or None


def join(first: Faces, second: Faces) -> Faces:
    """What a tile may be if either look may be right.

    >>> join(("7s",), ("8s", "7s")), join((), ("7s",))
    (('7s', '8s'), ())
    """
    if not first or not second:
        return ANY
    return tuple(dict.fromkeys((*first, *second)))


def without(faces: Faces, gone: Collection[str]) -> Faces | None:
    """The faces that are still possible when all copies of some kinds are accounted for; None if none is left.

    >>> without(("7s", "8s"), {"7s"}), without(("7s",), {"7s"})
    (('8s',), None)
    """
    if not faces:
        return faces
    return tuple(face for face in faces if face not in gone) or None


def certain(faces: Faces) -> bool:
    """Whether the face is settled."""
    return len(faces) == 1


def is_flower(tile: str) -> bool:
    """Whether this tile text is a flower or a season."""
    return tile[1:] == "f"


def run_of(tiles: Iterable[str]) -> bool:
    """Whether three tiles make a chow.

    >>> run_of(["3p", "5p", "4p"]), run_of(["8p", "9p", "1p"]), run_of(["1z", "2z", "3z"])
    (True, False, False)
    """
    one, two, three = sorted(tiles)
    suited = one[1] == two[1] == three[1] and one[1] in "mps"
    return suited and int(one[0]) + 2 == int(two[0]) + 1 == int(three[0])
