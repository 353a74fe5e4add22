"""A result in words: why each fan counts, what it includes, and why the others do not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.fan_names import fan_name
from rules.model import FanLine, HandResult, Reading, Verdict
from rules.question import Question
from rules.tiles import tile_text, tiles_text

if TYPE_CHECKING:
    from rules.ruleset import Ruleset


def explain(rules: Ruleset, question: Question, result: HandResult, language: str = "zh-Hans") -> str:
    """The whole result as text, one line per fact."""
    lines: list[str] = []
    for verdict in result.winners:
        lines += explain_verdict(rules, verdict, language)
    for transfer in result.transfers:
        lines.append(f"seat {transfer.payer} pays seat {transfer.payee} {transfer.amount} ({transfer.reason})")
    lines.append(f"payments {list(result.payments)}")
    lines += [f"{name}: {value}" for name, value in result.extras]
    lines += result.notes
    return "\n".join([f"{rules.title[0]} ({rules.name}), {question.kind}", *lines])


def explain_verdict(rules: Ruleset, verdict: Verdict, language: str = "zh-Hans") -> list[str]:
    """One winner: verdict, reading, counted fans, fans included in others, and every remaining fan's condition."""
    numbers = " ".join(f"{name} {value}" for name, value in verdict.numbers)
    head = "win" if verdict.valid else f"no win, {verdict.reason}: {verdict.detail}"
    lines = [f"seat {verdict.seat}: {head}{' · ' * bool(numbers)}{numbers}"]
    if verdict.reading is not None:
        lines.append(f"  read as {reading_text(verdict.reading)}")
    lines += [f"  + {_line(rules, line, language)}" for line in verdict.fans]
    lines += [f"  - {name}: {why}" for name, why in why_not(rules, verdict, language)]
    lines += [f"  note: {note}" for note in verdict.notes]
    return lines


def _line(rules: Ruleset, line: FanLine, language: str) -> str:
    meaning = next((fan.meaning for fan in rules.fans if fan.name == line.name), "")
    times = f" × {line.count}" if line.count > 1 else ""
    return f"{fan_name(line.name, language)} {line.value}{times}: {meaning}"


def why_not(rules: Ruleset, verdict: Verdict, language: str = "zh-Hans") -> list[tuple[str, str]]:
    """Every fan that does not count in this verdict, and why: included in another, or its condition is not met.

    A fan that counts only alone, and other fans count, says so.
    """
    counted = {line.name for line in verdict.fans}
    covered = {one.name: one for one in verdict.not_counted}
    reasons: list[tuple[str, str]] = []
    for one in verdict.not_counted:
        times = f"{one.count} of it are " if one.name in counted else ""
        reasons.append((fan_name(one.name, language), f"{times}included in {fan_name(one.by, language)}"))
    for fan in rules.fans:
        if fan.name in counted or fan.name in covered:
            continue
        reason = "counts only when nothing else does" if fan.alone and counted else f"not met: {fan.meaning}"
        reasons.append((fan_name(fan.name, language), reason))
    return reasons


def reading_text(reading: Reading) -> str:
    """A reading as players lay it out: `123m 456m 555z 99p`.

    >>> reading_text(Reading("standard", chows=(0,), pungs=(31,), pair=17))
    '123m 555z 99p'
    """
    if reading.form == "seven_pairs":
        return " ".join(tiles_text((pair, pair)) for pair in reading.pairs)
    parts = [tiles_text((low, low + 1, low + 2)) for low in reading.chows]
    parts += [tiles_text((tile,) * 3) for tile in reading.pungs]
    if reading.pair is not None:
        parts.append(tiles_text((reading.pair,) * 2))
    if reading.form == "knitted_straight":
        parts.insert(0, tiles_text(reading.pairs))
    text = " ".join(parts) if reading.form in ("standard", "knitted_straight") else reading.form
    if reading.wilds_as:
        text += f" (wildcards as {' '.join(tile_text(tile) for tile in reading.wilds_as)})"
    return text
