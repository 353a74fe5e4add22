"""Three languages, complete: no key missing, none left over, nothing said outside the catalogues."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest

import webui
from device.linkstate import LinkState
from rules.fan_names import FAN_NAMES
from rules.registry import RULESETS, ruleset
from table.events import KINDS
from table.model import MeldKind, Mode
from table.sentences import SENTENCES
from table.snapshot import Phase
from tests.webui_scripts import imports, whole
from vision.frames import State
from webui.texts import FANS_FOR, LANGUAGES, ONLY_FOR, PARTS, catalogue, preferred, words_for

ROOT = Path(webui.__file__).parent
LABELS = (ROOT.parent / "models" / "labels.txt").read_text("utf-8").split()
SCRIPTS = sorted((ROOT / "static" / "js").rglob("*.js"))
TEMPLATES = sorted((ROOT / "templates").glob("*.html"))
ANY_SENTENCE = re.compile(re.escape("say.") + r"[\w.-]+")
"""What the table says by its key; which of it a page needs is tested by itself."""

TYPED = ("names", "name", "reason", "points", "each", "minutes", "house.stake", "house.unit", "house.session_min",
         "house.walls_108")  # fmt: skip
"""Fields of commands that people type into."""

CHINESE = re.compile(r"[\u3400-\u9fff]")


WORTH = {"zh-Hans": "番|分|值", "zh-Hant": "番|分|值", "en": "value|points|worth"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_question_tells_that_its_answers_are_worth_different_amounts(language: str) -> None:
    """Everybody reads it, in a competition too."""
    asked = {key: text for key, text in catalogue(language).texts.items() if key.startswith("say.ask_")}
    assert asked
    assert [key for key, text in asked.items() if re.search(WORTH[language], text)] == []
    assert [text for key, text in SENTENCES.items() if key.startswith("ask_") and re.search(WORTH["en"], text)] == []


def without_comments(script: str) -> str:
    script = re.sub(r"/\*.*?\*/", "", script, flags=re.DOTALL)
    return re.sub(r"(?m)(^|\s)//.*$", "", script)


def source(path: Path) -> str:
    text = path.read_text("utf-8")
    return without_comments(text) if path.suffix == ".js" else text


def keys_said() -> set[str]:
    """Keys written out between quotes as the argument of `t(...)`, or of `words(...)` and `say(...)` in Python."""
    said: set[str] = set()
    for path in [*SCRIPTS, *TEMPLATES, ROOT / "pages.py", ROOT.parent / "table" / "sheet.py"]:
        said |= set(re.findall(r"\b(?:t|words|say)\(\s*\"([a-z_]+(?:\.[\w-]+)+)\"", source(path)))
    return said


def possible_keys(scripts: Iterable[Path] = SCRIPTS) -> Iterator[re.Pattern[str]]:
    """Every string or template in the scripts that may be a key, as a pattern; `${...}` stands for any words."""
    for path in scripts:
        for template in re.findall(r"[\"`]([a-z_]+\.(?:[\w.-]|\$\{[^`}]*\})+)[\"`]", source(path)):
            parts = re.split(r"\$\{[^}]*\}", template)
            yield re.compile(r"[\w.-]+".join(re.escape(part) for part in parts))


def needed() -> set[str]:
    """Keys that are put together from what the table, the rules and the devices can say."""
    keys = {f"tile.{label}" for label in LABELS}
    keys |= {f"say.{key}" for key in SENTENCES}
    keys |= {f"undo.{kind}" for kind in KINDS}
    keys |= {f"say.why.field.{name}" for name in TYPED}
    keys |= {f"phase.{phase}" for phase in get_args(Phase)}
    keys |= {f"say.{choice}" for choice in ("tile", "other", "layout_melds", "layout_closed", *get_args(MeldKind))}
    keys |= {f"say.{source}" for source in ("self_draw", "discard", "rob_kong", "kong_replacement")}
    keys |= {f"meld.{kind}" for kind in get_args(MeldKind)}
    keys |= {f"mode.{mode}{more}" for mode in get_args(Mode) for more in ("", ".hint")}
    keys |= {f"device.state.{state.value.lower()}" for state in LinkState}
    keys |= {f"device.state.{state}" for state in get_args(State)}
    keys |= {f"device.{source}" for source in ("camera", "table", "eyes", "ledger", "rules", "disk", "demo")}
    keys |= {f"ruleset.{rules.name}" for rules in RULESETS}
    for name, option in ruleset("gb").options.items():  # other rulesets fall back to the option's own name
        keys |= {f"option.{name}"} | {
            f"option.{name}.{value}" for value in option.values or () if isinstance(value, str)
        }
    keys |= {f"wind.{wind}.{form}" for wind in "ESWN" for form in ("sign", "name")}
    keys |= {f"round.{wind}" for wind in "ESWN"}
    return keys


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_missing(language: str) -> None:
    missing = sorted((keys_said() | needed()) - set(catalogue(language).texts))
    assert not missing


def test_no_key_is_left_over() -> None:
    patterns = list(possible_keys())
    known = keys_said() | needed()
    unused = [key for key in catalogue("en").texts
              if key not in known and not any(pattern.fullmatch(key) for pattern in patterns)]  # fmt: skip
    assert not unused


def test_the_languages_have_the_same_keys_and_places() -> None:
    for one, other in pairwise(LANGUAGES):
        first, second = catalogue(one).texts, catalogue(other).texts
        assert set(first) == set(second)
        for key in first:
            assert set(re.findall(r"\{\w+\}", first[key])) == set(re.findall(r"\{\w+\}", second[key])), key


def test_every_text_says_something() -> None:
    for language in LANGUAGES:
        assert not [key for key, text in catalogue(language).texts.items() if not text.strip()]


def test_sentences_of_the_table_keep_their_values() -> None:
    for key, english in SENTENCES.items():
        places = set(re.findall(r"\{(\w+)", english))
        assert set(re.findall(r"\{(\w+)", catalogue("zh-Hans").texts[f"say.{key}"])) <= places, key


def test_english_is_english_and_chinese_is_chinese() -> None:
    chinese_allowed = {"app.sign", "language.zh-Hans", "language.zh-Hant"}
    english = catalogue("en").texts
    assert {key for key, text in english.items() if CHINESE.search(text)} == chinese_allowed
    untranslated = [key for key, text in catalogue("zh-Hant").texts.items()
                    if text == english[key] and re.search(r"[A-Za-z]{4,}", text) and key != "language.en"]  # fmt: skip
    assert not untranslated


def test_simplified_and_traditional_differ() -> None:
    only_simplified = re.compile("[东风龙门杠这请错认记张庄连开关设备读写]")
    assert not [key for key, text in catalogue("zh-Hant").texts.items()
                if only_simplified.search(text) and key != "language.zh-Hans"]  # fmt: skip


def test_fans_have_names_in_every_language() -> None:
    for language in LANGUAGES:
        assert set(catalogue(language).fans) == set(FAN_NAMES)
    assert catalogue("en").fans["清龙"] == "Pure Straight"
    assert catalogue("zh-Hant").fans["清龙"] == "清龍"


def drop_holes(text: str) -> str:
    """Markup without its `${...}` and `{{ ... }}` places, which hold texts from the catalogues."""
    out, depth, i = [], 0, 0
    while i < len(text):
        if text.startswith("${", i):
            depth, i = depth + 1, i + 2
        elif depth and text[i] in "{}":
            depth, i = depth + (1 if text[i] == "{" else -1), i + 1
        else:
            out.append("" if depth else text[i])
            i += 1
    return re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", "".join(out))


@pytest.mark.parametrize("path", [*SCRIPTS, *TEMPLATES], ids=lambda path: path.name)
def test_nothing_is_said_outside_the_catalogues(path: Path) -> None:
    text = source(path)
    assert not CHINESE.findall(text)
    markup = "\n".join(re.findall(r"html`(.*?)`[;,)\s]", text, re.DOTALL)) if path.suffix == ".js" else text
    bare = drop_holes(markup)
    assert not re.findall(r">\s*([^<>=;]*[A-Za-z]{2,}[^<>=;]*)<", bare)
    assert not re.findall(r"(?:aria-label|placeholder|title|alt)=\"([^\"<>]*[A-Za-z]{2,}[^\"<>]*)\"", bare)


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("zh-CN,zh;q=0.9", "zh-Hans"),
        ("zh-TW,zh;q=0.9,en;q=0.8", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("de-DE,en;q=0.7,zh;q=0.3", "en"),
        ("de-DE,zh;q=0.7,en;q=0.3", "zh-Hans"),
        ("", "zh-Hans"),
        ("en;q=x,,;", "en"),
    ],
)
def test_the_language_of_the_device_is_found(header: str, language: str) -> None:
    assert preferred(header) == language


def scripts_of(part: str) -> set[Path]:
    """The scripts that speak with the words of a part: what table, phone and desk fetch later has parts of its own."""
    folder = ROOT / "static" / "js"
    if part == "play":
        return whole(folder / "table.js") | whole(folder / "snap.js")
    if part == "case":
        return whole(folder / "desk.js")
    script = folder / f"{part}.js"
    return imports(script) if part in ("table", "snap", "desk") else whole(script)


@pytest.mark.parametrize("part", PARTS)
def test_every_page_has_the_words_it_may_say(part: str) -> None:
    patterns = [one for one in possible_keys(scripts_of(part)) if one != ANY_SENTENCE]
    said = {key for key in catalogue("en").texts if any(pattern.fullmatch(key) for pattern in patterns)}
    assert len(said) > 5
    assert not said - set(words_for("en", part).texts)


def test_a_page_that_only_shows_goes_without_the_sentences_of_those_that_act() -> None:
    everything = {f"say.{key}" for key in SENTENCES if not key.startswith("why.")}
    for part in ("play", "desk", "case", "hall", "setup", "devices"):
        assert everything <= set(words_for("zh-Hans", part).texts), part
    for part in ("snap", "history", "overlay", "join"):
        assert len(everything & set(words_for("zh-Hans", part).texts)) <= 1, part
    board = {key for key in words_for("zh-Hans", "table").texts if key.startswith("say.")}
    assert {"say.camera_moved", "say.disk_low", "say.line_silent", "say.eye_gone", "say.notice_gap"} <= board
    usual = {f"say.{key}" for key in SENTENCES if key.startswith(("eye_", "line_", "notice_", "table_", "wall_"))}
    assert usual <= board
    assert not {"say.no_feeder", "say.ask_tile", "say.must_win"} & board


def test_no_page_has_words_that_only_others_say() -> None:
    for start, parts in ONLY_FOR.items():
        assert any(key.startswith(f"{start}.") for key in catalogue("en").texts), start
        for part in parts:
            spoken = "say." if start.startswith("say.") else f"{start}."  # what the table says comes as a key of `say`
            assert any(spoken in source(path) for path in scripts_of(part)), (start, part)


def test_names_of_fans_come_where_hands_are_shown() -> None:
    assert {part for part in PARTS if words_for("en", part).fans} == set(FANS_FOR)
    named = re.compile(r"import \{[^}]*\bfanName\b")
    for part in set(PARTS) - set(FANS_FOR):
        assert not [path.name for path in scripts_of(part) if named.search(source(path))], part


def test_one_thing_has_one_word() -> None:
    assert not [key for key, text in catalogue("zh-Hant").texts.items() if "設備" in text]
    # who fed the win is 放铳, the camera 相机; 長沙 pays for 起手胡 and 扎鸟, as its players say
    others = re.compile("[点點放]炮|放[槍枪]|起手和|抓[鸟鳥]|摄像头|攝像頭|攝影機")
    for language in LANGUAGES:
        assert not [key for key, text in catalogue(language).texts.items() if others.search(text)], language
    of_rules = re.compile(others.pattern + "|[诈詐]和|[这這上]一?局|的一局|每局")  # 错和; 局 is a game, 盘 a hand
    worded = {
        path.name: of_rules.findall(path.read_text("utf-8")) for path in (ROOT.parent / "rules").glob("wording*.py")
    }
    assert len(worded) > 3
    assert not {name: found for name, found in worded.items() if found}


def test_english_headings_begin_with_a_capital() -> None:
    place = r"(?:<(?:h[1-4]|summary|caption|th|legend)[^>]*>|\btitle: )"
    heading = re.compile(place + r"(?:\$\{icon\([^)]*\)\}|\s|\$\{)*t\(\"([\w.]+)\"")
    heads = {key for path in SCRIPTS for key in heading.findall(source(path))}
    english = catalogue("en").texts
    assert "plays.paid" in heads
    assert not {key: english[key] for key in heads if english[key][:1].islower()}


def test_what_undo_takes_back_is_said_with_one_colon() -> None:
    for language in LANGUAGES:
        texts = catalogue(language).texts
        inside = [key for key in texts if key.startswith("undo.") and key != "undo.what"]
        inside += ["plays.kong_line", "plays.kong_from", "plays.start_line", "plays.leave_line"]
        assert not [key for key in inside if re.search("[:：]", texts[key])], language
