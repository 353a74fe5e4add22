"""Every event survives the ledger, and what cannot be read is named in one sentence."""

from __future__ import annotations

import json
import re
import typing
from dataclasses import fields, is_dataclass
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from table import events as ev
from table.commands import Command, CommandError, command_document, parse_command
from table.sentences import SENTENCES, say
from tests.table_kit import command

MEMBERS = typing.get_args(ev.TableEvent)


@cache
def strategy(kind: type) -> st.SearchStrategy[object]:
    """Values of a type as the ledger may hold them; built from the type hints, so that no field is forgotten."""
    if kind is typing.Any:
        return st.recursive(
            st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
            lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
            max_leaves=4,
        )
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return _annotated(args)
    if origin is typing.Literal:
        return st.sampled_from(args)
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            return st.lists(strategy(args[0]), max_size=3).map(tuple)
        return st.tuples(*(strategy(one) for one in args))
    if origin is not None and hasattr(origin, "__mro__") and "Mapping" in str(origin):
        return st.dictionaries(st.text(max_size=5), strategy(args[1]), max_size=2)
    if args:
        return st.one_of(*(strategy(one) for one in args))
    if is_dataclass(kind):
        hints = typing.get_type_hints(kind, include_extras=True)
        built = {one.name: strategy(hints[one.name]) for one in fields(kind) if one.init}
        return st.builds(kind, **built)
    simple: dict[object, st.SearchStrategy[object]] = {
        str: st.text(max_size=8),
        int: st.integers(0, 10**6),
        bool: st.booleans(),
        float: st.floats(0, 1000, allow_nan=False),
        type(None): st.none(),
    }
    return simple[kind]


def _annotated(args: tuple[typing.Any, ...]) -> st.SearchStrategy[object]:
    limits = {
        name: getattr(meta, name)
        for field in args[1:]
        for meta in getattr(field, "metadata", ())
        for name in ("ge", "le")
        if hasattr(meta, name)
    }
    if args[0] is int:
        return st.integers(limits.get("ge", 0), limits.get("le", 1000))
    return strategy(args[0])


@pytest.mark.parametrize("member", MEMBERS, ids=lambda member: member.__name__)
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None)
@given(data=st.data())
def test_every_event_survives_json(member: type, data: st.DataObject) -> None:
    event = data.draw(strategy(member))
    text = json.dumps(ev.encode(event))  # type: ignore[arg-type]
    assert ev.decode(json.loads(text)) == event


def test_every_kind_is_known_and_named_once() -> None:
    assert len(ev.KINDS) == len(MEMBERS)
    assert {"hand_settled", "hand_corrected", "decision_undone"} <= ev.KINDS


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({"v": 1, "kind": "moon_landed"}, "moon_landed"),
        ({"v": 2, "kind": "win_claimed", "seat": 1}, "Upgrade"),
        ({"kind": "win_claimed", "seat": 1}, "format None"),
        ({"v": 1, "kind": "win_claimed", "seat": 7}, "seat"),
        ({"v": 1, "kind": "win_claimed"}, "seat"),
    ],
)
def test_what_cannot_be_read_is_named(document: dict[str, object], says: str) -> None:
    with pytest.raises(ev.EventError, match=says):
        ev.decode(document)


@pytest.mark.parametrize(
    ("document", "says"),
    [
        (["not", "an", "object"], "JSON object"),
        ({"kind": "agree", "actor": {"role": "tablet"}, "seat": 1}, "idem"),
        ({"kind": "agree", "idem": "1", "actor": {"role": "king"}, "seat": 1}, "role"),
        ({"kind": "agree", "idem": "1", "actor": {"role": "tablet"}, "seat": 4}, "seat"),
        ({"kind": "agree", "idem": "1", "actor": {"role": "tablet"}, "seat": 1, "extra": 1}, "extra"),
        ({"kind": "dice", "idem": "1", "actor": {"role": "tablet"}, "values": [0, 7]}, "values"),
        ({"kind": "fix_tile", "idem": "1", "actor": {"role": "tablet"}, "index": 1, "tile": "9z"}, "tile"),
        ({"kind": "open_game", "idem": "1", "actor": {"role": "tablet"}, "names": ["a", "b", "c"]}, "names"),
        ({"kind": "hand_photo", "idem": "1", "actor": {"role": "tablet"}, "picture": "../../etc/passwd"}, "picture"),
        ({"kind": "launch", "idem": "1", "actor": {"role": "tablet"}}, "launch"),
    ],
)
def test_bad_commands_are_named(document: object, says: str) -> None:
    with pytest.raises(CommandError, match=says):
        parse_command(document)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"kind": "agree", "seat": 4}, "seat takes a whole number from 0 to 3."),
        ({"kind": "agree", "seat": "one"}, "seat takes a whole number from 0 to 3."),
        ({"kind": "agree"}, "The command agree needs the field seat."),
        ({"kind": "agree", "seat": 1, "loud": True}, "The command agree has no field loud."),
        ({"kind": "rest", "minutes": 500}, "minutes takes a whole number from 0 to 120."),
        ({"kind": "substitute", "seat": 1, "name": ""}, "name takes a text of 1 to 40 characters."),
        ({"kind": "open_game", "names": ["a", "b", "c"]}, "names takes a list of 4 entries or a list of 2 entries."),
        ({"kind": "open_game", "names": ["a", "b"], "mode": "x"}, "mode takes “friendly” or “competition”."),
        ({"kind": "open_game", "names": ["a", "b"], "house": {"x": 1}}, "The command open_game has no field house.x."),
        ({"kind": "turn_tile", "tile": "9z"}, "tile takes a tile such as 5p, 7z or 3f."),
        ({"kind": "draw_hand", "players": {"7": {}}}, "players takes keys that are each “0” or “1” or “2” or “3”."),
        ({"kind": "hand_facts", "facts": {"\ud800": 1}}, "facts takes keys that are each a text."),
        ({"kind": "draw_hand", "players": {"1": {"hand": 5}}}, "players.1.hand takes a text of 0 to 80 characters."),
        ({"kind": "set_facts", "more": {"a": []}}, "more.a takes a text or a whole number or true or false or null."),
        (
            {"kind": "start_hand", "idem": "a\u202eb"},
            "idem holds the invisible control character U+202E. Leave it out.",
        ),
        ({"kind": "lunch"}, 'There is no command "lunch".'),
    ],
)
def test_a_malformed_command_is_told_which_field_takes_what(fields: dict[str, object], says: str) -> None:
    with pytest.raises(CommandError) as refused:
        parse_command({"idem": "1", "actor": {"role": "tablet"}, **fields})
    assert refused.value.sentence.key == "bad_command"
    assert refused.value.sentence.text.startswith(says)


def why_not(document: dict[str, object]) -> str:
    """Why this is no command; nothing if it is one."""
    try:
        parse_command(document)
    except CommandError as refused:
        return str(refused)
    return ""


def test_no_malformed_command_is_told_internals() -> None:
    """Every field of every command with a value of each kind: a sentence, and nothing of the library that checks."""
    internals = re.compile(r"\[|Input|String|constrained|Tuple|dict|pydantic|\^")
    wrong = [None, True, "x" * 300, 10**12, 1.5, "abc", [[]], {"a": 1}, {"9": {}}]
    for kind in typing.get_args(Command):
        plain = {"idem": "1", "actor": {"role": "tablet"}, "kind": kind.model_fields["kind"].default}
        for name in set(kind.model_fields) - {"kind"}:
            told = [why_not({**plain, name: value}) for value in wrong]
            assert any(told), f"{plain['kind']} takes anything as {name}"
            assert [one for one in told if internals.search(one)] == []


def test_a_command_survives_a_recording() -> None:
    sent = command("hand_manual", hand="123m", melds=[{"kind": "peng", "tiles": "555z"}], win_tile="1m")
    assert parse_command(json.loads(json.dumps(command_document(sent)))) == sent


def test_every_sentence_can_be_said() -> None:
    """Each sentence in the catalogue is well formed: it fits its own placeholders."""
    import string

    for key, text in SENTENCES.items():
        names = {name for _, name, _, _ in string.Formatter().parse(text) if name}
        assert "{" not in say(key, **dict.fromkeys(names, "x")).text
    with pytest.raises(KeyError):
        say("no such key")


def test_the_english_of_a_sentence_says_that_a_number_is_a_seat() -> None:
    """Pages put the player's name there; a program gets the number, which alone read "1 would have 5 kongs"."""
    for key, text in SENTENCES.items():
        named = {"seat", "by", "from_seat", "dealer"} & set(re.findall(r"\{(\w+)", text))
        others = dict.fromkeys(set(re.findall(r"\{(\w+)", text)) - named, "x")
        said = say(key, **others, **dict.fromkeys(named, 7007)).text
        assert not re.search(r"(?<![Ss]eat )7007", said), said
    assert say("kongs_too_many", seat=1, count=5, most=4).text.startswith("Seat 1 would have 5 kongs")
