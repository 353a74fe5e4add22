"""`paiju score` and `paiju rules`: the rules core on the command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from table.cli_tools import fail, say
from table.json_text import parse_json

if TYPE_CHECKING:
    from table.cli_game import WordsOf

LANGUAGE = click.Choice(["zh-Hans", "zh-Hant", "en"])
WINDS = click.Choice(["E", "S", "W", "N"], case_sensitive=False)


@click.command(
    epilog="""\b
Examples:
  paiju score --rules gb --hand 123m456m789m12p55z --win 3p --self-draw --explain
  paiju score --rules gb --hand 5p5p6s --melds chi:123m,peng:777z,kong_concealed:9999s --win 6s --from 2
  paiju score --photo hand.jpg --rules gb --win 5m --self-draw
  paiju score question.json
  paiju score --batch cases.jsonl > answers.jsonl
"""
)
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--batch", type=click.Path(dir_okay=False, path_type=Path, allow_dash=True), help="One question a line.")
@click.option("--rules", "ruleset", default="gb", show_default=True, help="Ruleset; `paiju rules` lists them.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A house rule, e.g. profile=gb1998.")
@click.option("--hand", help="Concealed tiles without the winning tile, e.g. 123m456p77z.")
@click.option("--photo", type=click.Path(dir_okay=False, path_type=Path), help="Read the hand from this picture.")
@click.option("--melds", default="", help="e.g. chi:123m,peng:555p@2,kong_concealed:9999s (@ = from which seat).")
@click.option("--flowers", default="", help="e.g. 123f.")
@click.option("--win", "--win-tile", "win", help="The winning tile, e.g. 5m.")
@click.option("--self-draw", is_flag=True, help="Drawn from the wall; otherwise won on a discard.")
@click.option("--replacement", is_flag=True, help="Drawn as a kong's replacement.")
@click.option("--rob-kong", is_flag=True, help="Robbed from an added kong.")
@click.option("--last-tile", is_flag=True, help="The last tile of the wall, or its discard.")
@click.option("--last-of-kind", is_flag=True, help="The three other copies lie open (和絕張).")
@click.option("--round", "round_wind", type=WINDS, default="E", show_default=True, help="Round wind.")
@click.option("--seat", "seat_wind", type=WINDS, default="E", show_default=True, help="The winner's seat wind.")
@click.option("--from", "from_steps", type=click.IntRange(1, 3), default=1, show_default=True,
              help="Discarder: 1 next player, 2 opposite, 3 previous.")  # fmt: skip
@click.option("--explain", is_flag=True, help="Why each fan counts and which others do not.")
@click.option("--language", type=LANGUAGE, default="zh-Hans", show_default=True, help="Of fans and --explain.")
@click.option("--json", is_flag=True, help="Answer as one JSON line.")
def score(file: Path | None, batch: Path | None, **flags: Any) -> None:
    """Say whether a hand wins, which fans it has, and who pays what."""
    shown = _Shown(flags["explain"], flags["language"], flags["json"])
    if batch is not None:
        sys.exit(_batch(batch, shown.explained))
    if file is not None:
        sys.exit(_print_answer(_read_question(file), _Shown(shown.explained, shown.language, as_json=True)))
    if flags["photo"] is not None:
        question = _flag_question(flags)
        sys.exit(_score_photo(flags["photo"], question, flags["win"] or "", shown))
    if not flags["hand"] or not flags["win"]:
        fail("Give a hand and its winning tile, e.g. --hand 123m456m789m12p55z --win 3p; or FILE, --batch, --photo.")
    sys.exit(_print_answer(_flag_question(flags), shown))


@dataclass(frozen=True, slots=True)
class _Shown:
    """How an answer is shown."""

    explained: bool
    language: str
    as_json: bool


def _score_photo(photo: Path, question: dict[str, object], win: str, shown: _Shown) -> int:
    """Read the hand in a picture, say what deserves a look, and score it."""
    from models import ModelsError
    from table.photo_score import PhotoError, read_hand, with_hand
    from table.rulebook import UnknownRules, open_rulebook
    from vision.pictures import PictureError
    from vision.reader import TileReader

    try:
        book = open_rulebook(str(question["ruleset"]), cast("Mapping[str, Any]", question["options"]))
        found = read_hand(photo, TileReader.from_models(), win, book.hand_tiles)
    except (ModelsError, PictureError, PhotoError, UnknownRules) as error:
        fail(str(error))
    for tile in found.doubtful:
        also = ", ".join(f"{name} {share:.0%}" for name, share in tile.also[:3])
        click.echo(f"look at: {tile.tile} ({tile.sure}, {tile.score:.0%}){'; or ' + also if also else ''}", err=True)
    values = {laid: _value(with_hand(question, laid)) for laid in found.hands}
    if len(set(values.values())) > 1:
        ways = ", ".join(f"{laid.win_tile}: {value}" for laid, value in values.items())
        fail(f"{photo}: which tile won? It makes a difference ({ways}). Name it with --win.")
    laid = found.hands[0]
    melds = "".join(f" {meld.kind}:{meld.tiles}" for meld in laid.melds)
    flowers = f" flowers {laid.flowers}" if laid.flowers else ""
    click.echo(f"read: {laid.hand}{melds} win {laid.win_tile}{flowers}", err=True)
    return _print_answer(with_hand(question, laid), shown)


def _value(question: Mapping[str, object]) -> str:
    """What a hand is worth, in the words of the answer that decide whether to ask."""
    from rules.questions import answer_line

    reply = answer_line(question)
    if "error" in reply:
        return str(reply["error"])
    winner = cast("Mapping[str, object]", cast("list[object]", reply["winners"])[0])
    numbers = " ".join(f"{name} {value}" for name, value in winner.items() if name not in ("seat", "valid", "fans"))
    return f"{'win' if reply['valid'] else 'no win'} {numbers}"


def _read_question(file: Path) -> Mapping[str, object]:
    try:
        question = parse_json(file.read_text(encoding="utf-8"))
    except OSError as error:
        fail(f"{file}: cannot be read ({error.strerror}).")
    except ValueError as error:
        fail(f"{file}: this is no JSON ({error}). A question is one JSON object; see `paiju score --help`.")
    if not isinstance(question, dict):
        fail(f"{file}: a question is one JSON object; for one question a line use --batch {file}.")
    return cast("Mapping[str, object]", question)


def _batch(file: Path, explained: bool) -> int:
    """Answer one question a line, in order, never stopping at a bad one; 1 if any was bad."""
    from rules.questions import answer_line

    bad = False
    for line in _lines(file):
        if not line.strip():
            continue
        reply: Mapping[str, object]
        try:
            question = parse_json(line)
        except ValueError as error:
            reply = {"id": None, "error": f"this line is no JSON: {error}"}
        else:
            if isinstance(question, dict):
                reply = answer_line(question, explained=explained)
            else:
                reply = {"id": None, "error": "a question is a JSON object"}
        bad = bad or "error" in reply
        say(json.dumps(reply, ensure_ascii=False))
    return int(bad)


def _lines(file: Path) -> Iterator[str]:
    if str(file) == "-" and sys.stdin is None:
        fail("Standard input is closed: name a file instead of -, e.g. paiju score --batch cases.jsonl")
    try:
        with click.open_file(str(file), encoding="utf-8", errors="replace") as stream:
            yield from stream
    except OSError as error:
        fail(f"{file}: cannot be read ({error.strerror}).")


def _flag_question(flags: Mapping[str, Any]) -> dict[str, object]:
    """The flags as a question of the rules core; the winner sits at seat 0."""
    from rules.errors import RulesInputError
    from rules.reading_json import meld_json, parse_melds

    try:
        melds = [meld_json(meld) for meld in parse_melds(flags["melds"])]
    except RulesInputError as error:
        fail(str(error))
    drawn = flags["self_draw"] or flags["replacement"]
    winner: dict[str, object] = {
        "seat": 0,
        "hand": flags["hand"] or "",
        "melds": melds,
        "win_tile": flags["win"],
        "source": _source(flags),
        "from_seat": None if drawn else flags["from_steps"],
        "last_of_kind": flags["last_of_kind"],
    }
    if flags["flowers"]:
        winner["flowers"] = flags["flowers"]
    return {
        "ruleset": flags["ruleset"],
        "kind": "hand",
        "options": dict(_option(text) for text in flags["options"]),
        "state": {
            "round_wind": flags["round_wind"].upper(),
            "dealer": -"ESWN".index(flags["seat_wind"].upper()) % 4,
            "last_tile": flags["last_tile"],
        },
        "winners": [winner],
    }


def _source(flags: Mapping[str, Any]) -> str:
    ways = {"self_draw": "self_draw", "replacement": "kong_replacement", "rob_kong": "rob_kong"}
    chosen = [source for flag, source in ways.items() if flags[flag]]
    if len(chosen) > 1 and set(chosen) != {"self_draw", "kong_replacement"}:
        fail("A tile is drawn or robbed, not both: choose one of --self-draw, --replacement, --rob-kong.")
    return chosen[-1] if chosen else "discard"


def _option(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not equals:
        fail(f"--option {text}: write NAME=VALUE, e.g. profile=gb1998.")
    try:
        return name, parse_json(value)
    except ValueError:
        return name, value


def _print_answer(question: Mapping[str, object], shown: _Shown) -> int:
    from rules.errors import RulesInputError
    from rules.explain import explain, numbers_in_words
    from rules.fan_names import fan_name
    from rules.questions import answer_line, parse, solve

    if shown.as_json:
        reply = answer_line(question, explained=shown.explained)
        say(json.dumps(reply, ensure_ascii=False))
        return int("error" in reply)
    try:
        rules, parsed = parse(question)
        result = solve(rules, parsed)
    except RulesInputError as error:
        fail(str(error))
    if shown.explained:
        say(explain(rules, parsed, result, shown.language))
        return 0
    for verdict in result.winners:
        numbers = numbers_in_words(verdict, shown.language)
        say(f"{'和 win' if verdict.valid else f'no win ({verdict.reason}): {verdict.detail}'}  {numbers}".rstrip())
        for line in verdict.fans:
            times = f" × {line.count}" if line.count > 1 else ""
            say(f"  {fan_name(line.name, shown.language, rules.name)} {line.value}{times}")
    say("payments: " + "  ".join(f"{seat}: {paid:+d}" for seat, paid in enumerate(result.payments)))
    for note in result.notes:
        say(f"note: {note}")
    return 0


@click.command(
    epilog="""\b
Examples:
  paiju rules
  paiju rules gb --language zh-Hant
"""
)
@click.argument("name", required=False)
@click.option("--language", type=LANGUAGE, default="zh-Hans", show_default=True)
@click.pass_obj
def rules(words: WordsOf, /, name: str | None, language: str) -> None:
    """List the rulesets, or show one as a table: fans, options, sources."""
    from rules.errors import RulesInputError
    from rules.registry import RULESETS, ruleset
    from rules.tables import describe

    if name is None:
        for one in RULESETS:
            say(f"{one.name:<12} {'  '.join(one.title)}")
        return
    try:
        say(describe(ruleset(name), language, words(language).texts, keys=True))
    except RulesInputError as error:
        fail(str(error))
