"""A result in words: why each fan counts, what it includes, and why the others do not count."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING

from rules.combinations import RELATIONS
from rules.fan_names import fan_name
from rules.fans import Count, Fan
from rules.model import FanLine, HandResult, Reading, Verdict
from rules.patterns import sets
from rules.question import Question
from rules.tiles import Tile, tile_text, tiles_text
from rules.wording import LANGUAGES, in_words

if TYPE_CHECKING:
    from rules.ruleset import Ruleset


def explain(rules: Ruleset, question: Question, result: HandResult, language: str = "zh-Hans") -> str:
    """The whole result as text in `zh-Hans`, `zh-Hant` or `en`, one line per fact."""
    lines = [f"{rules.title[LANGUAGES.index(language)]} ({rules.name}), {question.kind}"]
    for verdict in result.winners:
        lines += explain_verdict(rules, verdict, language, question.kind)
    for one in result.transfers:
        reason = fan_name(in_words(one.reason, language), language)
        lines.append(
            in_words("seat {payer} pays seat {payee} {amount} ({reason})", language).format(
                payer=one.payer, payee=one.payee, amount=one.amount, reason=reason
            )
        )
    lines.append(in_words("payments {payments}", language).format(payments=list(result.payments)))
    lines += [f"{name}: {value}" for name, value in result.extras]
    lines += [in_words(note, language) for note in result.notes]
    return "\n".join(lines)


NUMBERS = {
    "total": "{value} points in all",
    "value": "{value} points in all",
    "fan": "{value} fan",
    "tai": "{value} tai",
    "unit": "{value} points",
    "core": "{value} points",
    "mult": "times {value}",
    "flowers": "{value} flowers",
}
"""What each number of a verdict counts: 國標, 二人 and 二五八 add up fan, a unit or core is in points."""


def numbers_in_words(verdict: Verdict, language: str) -> str:
    """The numbers of a verdict, each with what it counts.

    >>> from rules.model import Win
    >>> numbers_in_words(Win(0, (), (("fan", 4), ("unit", 8))), "zh-Hans")
    '4 番  8 分'
    """
    return "  ".join(in_words(NUMBERS[name], language).format(value=value) for name, value in verdict.numbers)


def explain_verdict(rules: Ruleset, verdict: Verdict, language: str = "zh-Hans", kind: str = "hand") -> list[str]:
    """One winner: verdict, reading, counted fans, fans included in others, and every other fan's condition."""
    numbers = numbers_in_words(verdict, language)
    name = in_words("seat {seat}", language).format(seat=verdict.seat)
    if verdict.valid:
        head = in_words("{name}: win", language).format(name=name)
    else:
        detail = in_words(verdict.detail, language)
        pattern = in_words("{name}: no win, {reason}: {detail}", language)
        head = pattern.format(name=name, reason=verdict.reason, detail=detail)
    lines = [f"{head} · {numbers}" if numbers else head]
    if verdict.reading is not None:
        text = reading_text(verdict.reading, language)
        lines.append("  " + in_words("read as {reading}", language).format(reading=text))
    lines += [f"  + {_line(rules, line, language)}" for line in verdict.fans]
    lines += [f"  - {fan}: {why}" for fan, why in why_not(rules, verdict, language, kind)]
    lines += ["  " + in_words("note: {note}", language).format(note=in_words(note, language)) for note in verdict.notes]
    return lines


def _line(rules: Ruleset, line: FanLine, language: str) -> str:
    meaning = next((in_words(fan.meaning, language) for fan in rules.fans if fan.name == line.name), "")
    times = f" × {line.count}" if line.count > 1 else ""
    return f"{fan_name(line.name, language, rules.name)} {line.value}{times}: {meaning}"


def rows_of(rules: Ruleset, kind: str) -> list[Fan]:
    """The rows that a question of this kind is about; a layer named after a question (起手胡) belongs to it alone."""
    own = kind if any(fan.layer == kind for fan in rules.fans) else None
    return [fan for fan in rules.fans if (fan.layer == own if own else fan.layer not in rules.answers)]


def why_not(rules: Ruleset, verdict: Verdict, language: str = "zh-Hans", kind: str = "hand") -> list[tuple[str, str]]:
    """Every fan that does not count in this verdict, and why: included in another, or its condition is not met.

    A fan that counts only alone, and other fans count, says so.
    """
    counted = {line.name for line in verdict.fans}
    covered = {one.name for one in verdict.not_counted}
    reasons: list[tuple[str, str]] = []
    for one in verdict.not_counted:
        pattern = "{count} of it included in {fan}" if one.name in counted else "included in {fan}"
        why = in_words(pattern, language).format(count=one.count, fan=fan_name(one.by, language, rules.name))
        reasons.append((fan_name(one.name, language, rules.name), why))
    for fan in rows_of(rules, kind):
        if fan.name in counted or fan.name in covered:
            continue
        if fan.alone and counted:
            why = in_words("counts only when nothing else does", language)
        elif holder := _tied_by(rules, verdict, fan):
            why = in_words("included in {fan}", language).format(fan=fan_name(holder, language, rules.name))
        else:
            why = in_words("not met: {meaning}", language).format(meaning=in_words(fan.meaning, language))
        reasons.append((fan_name(fan.name, language, rules.name), why))
    return reasons


_SHOWN_BY_TWO: dict[Count, Callable[[Tile, Tile], bool]] = dict(
    zip(
        (sets.pure_double_chow, sets.mixed_double_chow, sets.short_straight, sets.two_terminal_chows),
        RELATIONS,
        strict=True,
    )
)
"""Fans that two chows make together, with the relation of the two."""


def _tied_by(rules: Ruleset, verdict: Verdict, fan: Fan) -> str | None:
    """The counted fan that includes a fan of two chows which the reading shows, but which was tied up in that one."""
    related = _SHOWN_BY_TWO.get(fan.count)
    chows = () if verdict.reading is None else sorted(verdict.reading.chows)
    if related is None or not any(related(one, other) for one, other in combinations(chows, 2)):
        return None
    counted = {line.name for line in verdict.fans}
    including = (row for row in rules.fans if row.name in counted and fan.name in row.includes)
    return next((row.name for row in including), None)


def reading_text(reading: Reading, language: str = "en") -> str:
    """A reading as players lay it out: `123m 456m 555z 99p`.

    >>> reading_text(Reading("standard", chows=(0,), pungs=(31,), pair=17))
    '123m 555z 99p'
    """
    if reading.form == "seven_pairs":
        text = " ".join(tiles_text((pair, pair)) for pair in reading.pairs)
    elif reading.form in ("standard", "knitted_straight"):
        parts = [tiles_text(reading.pairs)] if reading.form == "knitted_straight" else []
        parts += [tiles_text((low, low + 1, low + 2)) for low in reading.chows]
        parts += [tiles_text((tile,) * 3) for tile in reading.pungs]
        parts += [] if reading.pair is None else [tiles_text((reading.pair,) * 2)]
        text = " ".join(parts)
    else:
        text = in_words(reading.form, language)
    if not reading.wilds_as:
        return text
    faces = " ".join(tile_text(tile) for tile in reading.wilds_as)
    return f"{text} ({in_words('wildcards as {faces}', language).format(faces=faces)})"
