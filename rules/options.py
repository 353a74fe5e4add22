"""Options of a ruleset: named house rules with a default, the values they take, and where they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rules.errors import UnknownOption, did_you_mean, nearest
from rules.model import Plain
from rules.tiles import KINDS, parse_tile

Check = Callable[[object], bool]


@dataclass(frozen=True, slots=True)
class Option:
    """One house rule.

    Either `values` lists what it may be, or `check` decides and `takes` says it in words.
    `mark` is where the default comes from: "seed" (the customer's text), "public" (common practice) or "choice".
    """

    default: Plain
    values: tuple[Plain, ...] | None = None
    takes: str = ""
    check: Check | None = None
    mark: str = "choice"
    note: str = ""

    def accepts(self, value: object) -> bool:
        """Whether this value is allowed; True and 1 are different values."""
        if self.values is not None:
            return any(value == one and type(value) is type(one) for one in self.values)
        return self.check is None or self.check(value)

    def allowed(self) -> str:
        """The allowed values in words."""
        if self.values is None:
            return self.takes or "any value"
        return ", ".join("null" if value is None else str(value).lower() for value in self.values)


def choice(default: Plain, *others: Plain, mark: str = "choice", note: str = "") -> Option:
    """An option with a fixed list of values, the default first."""
    return Option(default, (default, *others), mark=mark, note=note)


def switch(default: bool, mark: str = "choice", note: str = "") -> Option:
    """A yes/no option."""
    return Option(default, (True, False), mark=mark, note=note)


LARGEST = 1_000_000
"""No stake and no limit is larger; it keeps payments printable."""


def is_whole(value: object, least: int | None = None, most: int = LARGEST) -> bool:
    """Whether this is a whole number between these, true and false being none."""
    return type(value) is int and (-LARGEST if least is None else least) <= value <= most


def whole(
    default: int | None, least: int | None = None, mark: str = "choice", note: str = "", *, most: int = LARGEST
) -> Option:
    """A whole number, at least `least` and at most `most`; null is allowed where it is the default."""
    words = "a whole number" if least is None else f"a whole number of at least {least}"
    if most != LARGEST:
        words = f"a whole number from {least} to {most}"

    def check(value: object) -> bool:
        return default is None if value is None else is_whole(value, least, most)

    return Option(default, takes=words + ", or null" * (default is None), check=check, mark=mark, note=note)


def tile_or_null(mark: str = "seed", note: str = "") -> Option:
    """A playing tile such as 7z, or null."""

    def check(value: object) -> bool:
        if value is None:
            return True
        try:
            return isinstance(value, str) and parse_tile(value) < KINDS
        except ValueError:
            return False

    return Option(None, takes="a tile such as 7z, or null", check=check, mark=mark, note=note)


def number(options: Mapping[str, Plain], name: str) -> int:
    """An option that is a whole number.

    Raises:
        TypeError: It is another kind of option.
    """
    value = options[name]
    if not isinstance(value, int):
        raise TypeError(f"the option {name} is {value!r}, no whole number")
    return value


def number_or_none(options: Mapping[str, Plain], name: str) -> int | None:
    """An option that is a whole number or null (no limit)."""
    return None if options[name] is None else number(options, name)


def choose(ruleset: str, known: Mapping[str, Option], given: Mapping[str, object]) -> dict[str, Plain]:
    """The options of a table: the defaults with the given ones in their place.

    Raises:
        UnknownOption: A name or a value that the ruleset does not have, with the nearest one that it has.
    """
    chosen: dict[str, Plain] = {name: option.default for name, option in known.items()}
    for name, value in given.items():
        if name not in known:
            raise UnknownOption(f'{ruleset} has no option "{name}"; {did_you_mean(name, known)}')
        option = known[name]
        if not option.accepts(value):
            takes = option.allowed()
            if option.values and (near := nearest(value, option.values)):
                takes += f'; did you mean "{near}"?'
            if type(value) is int and abs(value) > LARGEST:
                takes += f"; numbers go up to {LARGEST}"
            raise UnknownOption(f"{ruleset}: the option {name} cannot be {value!r}; it takes {takes}")
        chosen[name] = value  # type: ignore[assignment]  # accepted values are plain JSON values
    return chosen
