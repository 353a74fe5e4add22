"""Who may do what: one table (`access.csv`), and what is not in it is forbidden.

A row is a command of the table (``command agree``) or a page or route (``GET /desk``); a column is a role. ``yes`` and
``no`` mean what they say, ``seat`` = only for the own seat, ``claim`` = only while the own claim is looked at,
``friendly`` = only in a friendly game, and of an earlier one only if that was friendly.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal, cast, get_args

from table.model import Role

Right = Literal["yes", "no", "seat", "claim", "friendly"]

TABLE = Path(__file__).with_name("access.csv")

BELOW: Mapping[Role, tuple[Role, ...]] = MappingProxyType(
    {
        "viewer": ("viewer",),
        "player": ("viewer", "player"),
        "tablet": ("viewer", "player", "tablet"),
        "scorekeeper": ("viewer", "player", "tablet", "scorekeeper"),
        "referee": ("viewer", "player", "tablet", "scorekeeper", "referee"),
        "organiser": ("viewer", "player", "tablet", "scorekeeper", "referee", "organiser"),
        "chief": ("viewer", "player", "tablet", "scorekeeper", "referee", "organiser", "chief"),
    }
)
"""What somebody of a role may make a device: himself and those below. The order of the keys is the order of rank."""

ROLES: tuple[Role, ...] = tuple(BELOW)
WITH_PIN: tuple[Role, ...] = ("tablet", "scorekeeper", "referee", "organiser", "chief")
"""The roles that can have a PIN; a viewer needs none, and a seat is paired by code."""


@cache
def rights() -> Mapping[str, Mapping[Role, Right]]:
    """The whole table: what may be done, and by whom.

    Raises:
        ValueError: a cell of the file is none of the known words.
    """
    found: dict[str, Mapping[Role, Right]] = {}
    with TABLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            what = row.pop("what")
            wrong = {role: word for role, word in row.items() if role not in ROLES or word not in get_args(Right)}
            if wrong or what in found:
                raise ValueError(f"{TABLE.name}: the row {what!r} is there twice or not understood: {wrong}.")
            found[what] = cast("Mapping[Role, Right]", MappingProxyType(row))
    return MappingProxyType(found)


def right(role: Role, what: str) -> Right:
    """What a role may do of it; ``no`` for whatever the table does not name.

    >>> right("player", "command agree"), right("viewer", "command agree"), right("chief", "command fly")
    ('seat', 'no', 'no')
    """
    return rights().get(what, {}).get(role, "no")
