"""The documents promise only what is there: tests, commands, files, and numbers that add up."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from rules.questions import answer_line
from rules.registry import names
from table.cli import main
from vision.scene_check import WELL_PX

ROOT = Path(__file__).resolve().parent.parent
DOCS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FEATURES = ROOT / "docs" / "features.md"
HARDWARE = ROOT / "docs" / "hardware.md"
LINK = re.compile(r"\]\(([^)\s]+)\)")
TEST = re.compile(r"`(test_\w+)::(test_\w+)`")
WORDS = re.compile(r"(?:^|[\s`/])paiju ((?:[a-z][a-z-]*\s?)+|--?[a-z]\S*)")

MUST = {*range(1, 5), *range(6, 12), *range(13, 20), 21, 22, *range(24, 34), 35, 41, 49, 51, 53, 55}
"""Rows of the product's list that a first version must have, without tournaments and the hall."""

SHOULD = {5, 12, 20, 23, 34, 44, 45, 46, 48, 50, 52, 54}

TILE_MM = 26.0


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def code(text: str) -> Iterator[str]:
    """What a reader would type: text between backticks and indented lines."""
    yield from re.findall(r"`([^`\n]+)`", text)
    yield from re.findall(r"^ {4,}(.+)$", text, re.MULTILINE)


def rows(path: Path, columns: int) -> Iterator[list[str]]:
    """The rows of all tables with this number of columns, without heads."""
    for line in read(path).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("|") and len(cells) == columns and "---" not in line:
            yield cells


def anchors(text: str) -> set[str]:
    """What a link can point to: the headings, and places with a name of their own."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    named = re.findall(r'<a id="([\w-]+)"></a>', text)
    return {*named, *(re.sub(r"[^\w\- ]", "", one.strip().lower()).replace(" ", "-") for one in headings)}


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_every_link_leads_to_a_file_and_a_heading(path: Path) -> None:
    for link in LINK.findall(read(path)):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        assert target.exists(), f"{path.name}: {link} leads nowhere"
        if anchor:
            assert anchor in anchors(read(target)), f"{path.name}: {link} names no heading"


def test_every_test_that_is_named_exists() -> None:
    named = TEST.findall(read(FEATURES))
    assert len(named) > 60
    for module, test in named:
        source = read(ROOT / "tests" / f"{module}.py")
        assert re.search(rf"^def {test}\(", source, re.MULTILINE), f"{module} has no {test}"


def test_every_row_of_the_list_is_answered() -> None:
    seen = {}
    for number, _, state, where, shown in rows(FEATURES, 5):
        if number.isdecimal():
            assert int(number) not in seen, f"{number} twice"
            assert state in ("done", "partly", "missing"), number
            assert where, number
            assert state == "missing" or shown.strip(" |"), f"{number} names neither test nor reason"
            assert state != "done" or TEST.search(shown), f"{number} is done but no test shows it"
            seen[int(number)] = state
    assert set(seen) == MUST | SHOULD


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_every_command_exists(path: Path) -> None:
    for line in code(read(path)):
        for typed in WORDS.findall(line.split("#")[0]):
            words, command = typed.split(), main
            while words and isinstance(command, click.Group) and not words[0].startswith("-"):
                assert words[0] in command.commands, f"{path.name}: paiju {typed.strip()}"
                command = command.commands[words.pop(0)]


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_every_option_exists(path: Path) -> None:
    for line in code(read(path)):
        found = re.search(r"(?:^|[\s/$])paiju ((?:[a-z]+ )+)(.*)", line.split("#")[0].split("&&")[0])
        if not found:
            continue
        command: click.Command = main
        for word in found[1].split():
            command = command.commands.get(word, command) if isinstance(command, click.Group) else command
        known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)} | {"--help"}
        typed = re.findall(r"(?<!\S)--[a-z][a-z-]*", found[2])
        assert set(typed) <= known, f"{path.name}: {line}"


def trained_and_measured() -> Iterator[tuple[str, str]]:
    """Every command of training and measuring in the documents: its document's name and what a reader would type."""
    for path in (ROOT / "models" / "CARD.md", *DOCS):
        yield from ((path.name, line) for line in code(read(path)) if "python -m " in line)


@pytest.mark.parametrize(("where", "line"), list(trained_and_measured()))
def test_every_figure_names_a_command_that_is_there(where: str, line: str) -> None:
    """Read as text, for most of them need the training tools: the module, its step and every option stand in it."""
    module, *typed = line.split("python -m ")[1].split("#")[0].split()
    if module.split(".")[0] not in ("models", "tests"):
        return
    found = ROOT.joinpath(*module.split("."))
    source = read(found / "__main__.py" if found.is_dir() else found.with_suffix(".py"))
    steps = typed[:1] if found.is_dir() else []
    options = {word.split("=")[0] for word in typed if word.startswith("--")} - {"--help"}
    for word in (*steps, *options):
        assert f'"{word}"' in source, f"{where}: {line}"


@pytest.mark.parametrize("name", names())
def test_every_ruleset_has_its_page(name: str) -> None:
    assert read(ROOT / "docs" / "rules" / f"{name}.md").startswith("# ")


def test_questions_and_answers_are_as_printed() -> None:
    text = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
    printed = [json.loads(line) for line in text.splitlines() if line.startswith('    {"id"')]
    assert len(printed) == 6
    for question, said in zip(printed[::2], printed[1::2], strict=True):
        assert answer_line(question) == said


def test_a_service_that_may_write_nowhere_has_a_tmp_of_its_own() -> None:
    """Large uploads, such as a phone's photograph, are kept in a temporary file while they arrive."""
    unit = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert ("ProtectSystem=strict" in unit) == ("PrivateTmp=true" in unit)


def test_pixels_per_tile_are_those_of_the_picture() -> None:
    found = 0
    for picture, lines, *shown in rows(HARDWARE, 4):
        if not re.match(r"\d+ x \d+$", picture):
            continue
        short = min(map(int, picture.split(" x ")))
        assert int(lines) == short
        for millimetres, cell in zip((1000, 1100), shown, strict=True):
            assert float(cell) == pytest.approx(TILE_MM * short / millimetres, abs=0.05)
        found += 1
    assert found == 4


def test_pixels_per_tile_are_those_of_the_lens() -> None:
    found = 0
    for height, angle, short, hd, uhd, verdict in rows(HARDWARE, 6):
        if not angle.isdecimal():
            continue
        width = 2 * float(height) * 1000 * math.tan(math.radians(float(angle)) / 2)
        assert int(short) == round(width * 9 / 16)
        assert float(hd) == pytest.approx(TILE_MM * 1920 / width, abs=0.05)
        assert float(uhd) == pytest.approx(TILE_MM * 3840 / width, abs=0.05)
        near, small = int(short) < 1000, float(uhd) < WELL_PX
        assert verdict == ("too near" if near else "too small" if small else "4K")
        found += 1
    assert found == 11


def test_a_lens_fits_between_two_heights() -> None:
    found = 0
    for angle, lowest, *highest in rows(HARDWARE, 5):
        if not angle.isdecimal():
            continue
        wide = 2 * math.tan(math.radians(float(angle)) / 2)
        assert float(lowest) == pytest.approx(1.0 * 16 / 9 / wide, abs=0.006)
        for (face_px, lines), height in zip(((28, 1080), (28, 1440), (40, 2160)), highest, strict=True):
            assert float(height) == pytest.approx(TILE_MM * lines / face_px / 1000 * 16 / 9 / wide, abs=0.006)
        found += 1
    assert found == 5
