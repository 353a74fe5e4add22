"""How what the camera followed of a win and what people say of it go together: a person's word stays."""

from __future__ import annotations

from typing import Any

from table import events as ev
from table.model import Facts, SeenWin
from table.state import Claim

FLAGS = ("last_tile", "last_of_kind")


def said_of(claim: Claim, event: ev.FactsSet) -> frozenset[str]:
    """The circumstances a person has stated once he has changed these."""
    changed = {name for name in FLAGS if getattr(claim.facts, name) != getattr(event.facts, name)}
    changed |= {name for name, value in event.facts.more.items() if claim.facts.more.get(name) != value}
    if event.source is not None:  # whoever states circumstances has the source before his eyes
        changed.add("source")
    dropped = claim.facts.more.keys() - event.facts.more.keys()
    return (claim.said - dropped) | changed


def filled_in(claim: Claim, seen: SeenWin) -> dict[str, Any]:
    """The fields of a claim once the camera has told how the win came about."""
    more = {name: value for name, value in claim.facts.more.items() if name in claim.said}
    facts = Facts(
        **{name: getattr(claim.facts if name in claim.said else seen, name) or False for name in FLAGS},
        more={**seen.more, **more},
    )
    source = {} if "source" in claim.said else {"source": seen.source, "from_seat": seen.from_seat}
    return {**source, "facts": facts, "seen": seen}


def from_camera(claim: Claim) -> tuple[str, ...]:
    """Which circumstances of a claim are the camera's word and nobody has changed: ``source``, ``last_tile`` ..."""
    seen = claim.seen
    if seen is None:
        return ()
    names = ["source"] if seen.source is not None else []
    names += [name for name in FLAGS if getattr(seen, name) is not None]
    return tuple(name for name in (*names, *seen.more) if name not in claim.said)
