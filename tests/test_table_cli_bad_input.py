"""What nobody should type or pipe in: every line is answered, no output is lost in silence, no traceback is shown."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from table.model import SeenTile
from table.photo_score import NAMED_PLACES, _sentence
from table.snapshot import Question

GOOD = {
    "ruleset": "gb",
    "kind": "hand",
    "state": {"round_wind": "E", "dealer": 0},
    "winners": [{"seat": 0, "hand": "123m456m789m12p55z", "win_tile": "3p", "source": "self_draw"}],
}


def paiju(*words: str, shell: str = "") -> subprocess.CompletedProcess[str]:
    """The command as a person runs it, in a process of its own; `shell` redirects it."""
    called = [sys.executable, "-c", "from table.cli import main; main(prog_name='paiju')", *words]
    if shell:
        called = ["bash", "-c", f'exec "$@" {shell}', "bash", *called]
    return subprocess.run(called, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("[" * 100_000, "this line is no JSON: it is nested too deeply"),
        ('{"a":' * 50_000, "this line is no JSON: it is nested too deeply"),
        ('{"ruleset": ' + "9" * 5000 + "}", "this line is no JSON: a number in it has thousands of digits"),
        ('{"id": "\\ud800", "ruleset": "\\ud800"}', "this line is no JSON: a text in it holds half a character"),
        ('{"id": 1e999, "ruleset": "gb"}', "this line is no JSON: a number in it is too large"),
        ('{"id": NaN, "ruleset": "gb"}', "this line is no JSON: a number in it is too large, or none at all"),
    ],
    ids=["lists", "objects", "digits", "half a character", "too large", "no number"],
)
def test_a_hostile_line_is_answered_and_the_next_one_too(tmp_path: Path, line: str, sentence: str) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(f"{line}\n{json.dumps(GOOD)}\n")
    done = paiju("score", "--batch", str(cases))
    assert done.stderr == ""
    first, second = map(json.loads, done.stdout.splitlines())
    assert sentence in first["error"]
    assert second["valid"]
    assert done.returncode == 1


def test_a_hostile_question_is_one_sentence(tmp_path: Path) -> None:
    question = tmp_path / "question.json"
    question.write_text("[" * 100_000)
    done = paiju("score", str(question))
    assert done.stderr.startswith(f"Error: {question}: this is no JSON (it is nested too deeply).")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("shell", "sentence"),
    [
        ("> /dev/full", "Error: The output cannot be written (No space left on device): make room on its disk"),
        ("<&-", "Error: Standard input is closed: name a file instead of -"),
    ],
)
def test_a_full_disk_and_a_closed_input_are_one_sentence(shell: str, sentence: str) -> None:
    words = ["rules"] if "full" in shell else ["score", "--batch", "-"]
    done = paiju(*words, shell=shell)
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1
    assert done.returncode == 1


def test_a_reader_that_has_enough_ends_the_command_quietly() -> None:
    done = paiju("rules", "gb", shell="| head -1")
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_a_question_about_hundreds_of_tiles_names_the_first_few() -> None:
    tiles = [
        SeenTile(
            index=index, tile="7z", score=0.9, sure="sure", also=(), box=(10.0 * index, 0.0, 10.0 * index + 8, 9.0)
        )
        for index in range(200)
    ]
    text = _sentence(
        Question(id="fifth", text_key="ask_fifth", tiles=tuple(range(200)), params={"tile": "7z", "count": "200"}),
        tiles,
    )
    assert text.count("7z at") == NAMED_PLACES
    assert text.endswith(f"and {200 - NAMED_PLACES} more)")


LINES_OF_THE_TABLE = Path(__file__).parent / "golden_device" / "evening.jsonl"


def test_whoever_has_read_enough_of_a_recording_is_told_nothing() -> None:
    done = paiju("device", "replay", str(LINES_OF_THE_TABLE), shell="| head -1")
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""


def test_a_file_of_another_kind_leaves_no_ledger_behind(tmp_path: Path) -> None:
    done = paiju("replay", str(LINES_OF_THE_TABLE), "--into", str(tmp_path / "new.sqlite3"))
    assert done.returncode == 1
    assert done.stderr == f"Error: Line 1 of {LINES_OF_THE_TABLE} is no recorded message: it has no at_ms.\n"
    assert not list(tmp_path.iterdir())
