"""Why a JSON document is no command: which field, and what its schema expects there, in one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from table.sentences import Sentence, because, say

Schema = Mapping[str, Any]
"""A JSON schema, or a part of one."""

_KNOWN = frozenset(get_args(ErrorType))
"""What the schema itself refuses; all else a check of ours has said in its own words."""
_OWN = {"text": "why.field_invisible", "walls": "why.field_walls"}
"""Our own checks of what people type."""
_ANY_TEXT = {"type": "string"}
"""What keys are where the schema says nothing of them."""
_TYPES = {"boolean": "true or false", "null": "null", "object": "an object", "string": "a text"}
_FORMS = {"tile": "a tile such as 5p, 7z or 3f", "picture": "the id of a kept picture"}
"""What a text of a certain form is, by the name of its field: a pattern is no sentence."""


def not_understood(error: ValidationError, kind: str, schema: Schema) -> Sentence:
    """Say what is wrong with a command of this kind, and what its field takes.

    Args:
        error: what its validation found; the first finding is said.
        kind: the command.
        schema: the JSON schema of all commands: ``$defs``, and the kinds in the mapping of its ``discriminator``.
    """
    return because("bad_command", _fault(error.errors(include_url=False)[0], kind, schema))


def _fault(first: ErrorDetails, kind: str, schema: Schema) -> Sentence:
    whole, what = {"$ref": schema["discriminator"]["mapping"][kind]}, first["type"]
    path = [part for part in first["loc"][1:] if isinstance(part, int) or "[" not in part]  # not which shape of several
    if what in _OWN:
        return say(_OWN[what], field=_name(path), **first.get("ctx", {}))
    if what not in _KNOWN:
        return say("why.field_said", field=_name(path) or kind, said=first["msg"])
    if what in ("extra_forbidden", "unexpected_keyword_argument"):
        return say("why.field_unknown", field=_name(path), kind=kind)
    if what == "missing" and not isinstance(path[-1], int):
        return say("why.field_missing", field=_name(path), kind=kind)
    of_key = first["loc"][-1] == "[key]"
    if what == "missing" or of_key:
        path = path[:-1]  # the list is too short, or the object has a key that it may not have
    while not (shapes := _at(schema, whole, path)):
        path = path[:-1]  # which of several simple types was tried last
    if of_key:
        keys = " or ".join(_words("", part.get("propertyNames", _ANY_TEXT)) for part in shapes)
        return say("why.field_wrong", field=_name(path), expected=f"keys that are each {keys}")
    return _wrong(_name(path), shapes)


def _name(path: Sequence[int | str]) -> str:
    """The field as a document writes it, and the place in a list, from 0."""
    return ".".join(str(part) for part in path)


def _at(schema: Schema, whole: Schema, path: Sequence[int | str]) -> list[Schema]:
    """The shapes that may stand at this path."""
    shapes = list(_shapes(schema, whole))
    for step in path:
        found = (one for shape in shapes for inner in _inside(shape, step) for one in _shapes(schema, inner))
        shapes = [shape for shape, _ in groupby(found)]
    return shapes


def _shapes(schema: Schema, part: Schema) -> Iterator[Schema]:
    """The alternatives of a part, looked up where they are defined."""
    if "$ref" in part:
        yield from _shapes(schema, schema["$defs"][part["$ref"].rpartition("/")[2]])
    elif "anyOf" in part:
        for one in part["anyOf"]:
            yield from _shapes(schema, one)
    else:
        yield part


def _inside(shape: Schema, step: int | str) -> Iterator[Schema]:
    if isinstance(step, int):
        inside = shape.get("prefixItems", ())
        found = inside[step] if step < len(inside) else shape.get("items")
    else:
        found = shape.get("properties", {}).get(step, shape.get("additionalProperties"))
    if isinstance(found, Mapping):
        yield found


def _wrong(field: str, shapes: Sequence[Schema]) -> Sentence:
    """What the field takes; texts and numbers, which people type, have sentences of their own."""
    typed = [shape for shape in shapes if shape.get("type") != "null"]
    if len(typed) == 1 and "enum" not in typed[0] and "pattern" not in typed[0]:
        (shape,) = typed
        if shape.get("type") == "integer" and "minimum" in shape and "maximum" in shape:
            return say("why.field_number", field=field, least=shape["minimum"], most=shape["maximum"])
        if shape.get("type") == "string" and "maxLength" in shape:
            return say("why.field_text", field=field, least=shape.get("minLength", 0), most=shape["maxLength"])
    return say(
        "why.field_wrong", field=field, expected=" or ".join(dict.fromkeys(_words(field, one) for one in shapes))
    )


def _words(field: str, shape: Schema) -> str:
    """What a shape takes, in words."""
    if "enum" in shape or "const" in shape:
        return " or ".join(f"“{value}”" for value in shape.get("enum", [shape.get("const")]))
    if shape.get("type") == "integer":
        return "a whole number" + _bounds(shape.get("minimum"), shape.get("maximum"), " ")
    if shape.get("type") == "array":
        return "a list" + _bounds(shape.get("minItems"), shape.get("maxItems"), " of ", " entries")
    if "pattern" in shape:
        return _FORMS.get(field.rstrip(".0123456789").rpartition(".")[2], "a text of the form in the API description")
    return _TYPES.get(shape.get("type", ""), "what the API description says")


def _bounds(least: int | None, most: int | None, before: str, after: str = "") -> str:
    if least is None and most is None:
        return ""
    if least == most:
        return f"{before}{least}{after}"
    if most is None:
        return f"{before}{least} or more{after}"
    return f"{before}{least or 0} to {most}{after}"
