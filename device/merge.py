"""Two witnesses of one throw, such as the table and a dice camera: one throw counts, and a disagreement asks.

Nothing is averaged and nobody is outvoted. Source: ``docs/device-protocol.md#two-sources``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from device.messages import Dice
from device.notices import Notice, NoticeCode
from device.wire import EventId

RANK = ("elec", "sense", "cam", "text", "other")
"""Whose dice are proposed first where two sources disagree."""
UNCHECKED = "text"
"""What comes from a line without a check sum."""
SAME_THROW_S = 3.0
"""Reports of different sources this close together are about one throw: each source numbers rolls by itself."""


@dataclass(frozen=True, slots=True)
class _Witness:
    source: str
    dice: Dice
    at: float


class ThrowMerger:
    """Lets each throw through once, whichever source saw it first."""

    def __init__(self) -> None:
        self._last: _Witness | None = None

    def look(self, source: str, dice: Dice, now: float) -> list[Dice | Notice]:
        """Return what counts of a throw reported by ``source`` (its name, such as ``table`` or ``camera``).

        Args:
            source: which source saw it.
            dice: what it saw.
            now: monotonic seconds.
        """
        last = self._last
        if dice.phase != "end":
            if dice.phase == "void":
                self._last = None
            return [dice]
        if last is None or last.source == source or now - last.at > SAME_THROW_S:
            self._last = _Witness(source, dice, now)
            return [dice]
        better, other = sorted((last.dice, dice), key=lambda seen: RANK.index(seen.source))
        if dice.values is None:
            return []
        if dice.values == last.dice.values:
            return self._seconded(last, dice)
        if last.dice.values is None:
            self._last = replace(last, dice=dice)
            return [dice]
        text = f"{_said(better)}, but {_said(other)}: say which is right."
        notice = Notice(
            NoticeCode.DICE_DISAGREE, text, ask=True, event=better.id, seat=better.by_seat, roll=better.roll
        )
        return [notice]

    def _seconded(self, last: _Witness, dice: Dice) -> list[Dice | Notice]:
        """An unchecked throw that a source with a check sum saw too needs no tap any more.

        It keeps its roll, so that it cannot count twice if somebody tapped already; the negative number is one that
        no source gives.
        """
        if last.dice.source != UNCHECKED or dice.source == UNCHECKED:
            return []
        seconded = replace(dice, id=EventId(last.dice.id.boot, -last.dice.id.n), roll=last.dice.roll)
        self._last = replace(last, dice=seconded)
        return [seconded]


def _said(dice: Dice) -> str:
    names = {"elec": "the dice's own electronics say", "sense": "the dice sensors say", "cam": "the dice camera sees"}
    shown = "?" if dice.values is None else "-".join(map(str, dice.values))
    return f"{names.get(dice.source, 'the text line says')} {shown}"
