"""What a page costs and asks for: little, and nothing from outside."""

from __future__ import annotations

import gzip
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import webui
from table.runtime import Runtime
from tests import webui_rig as rig
from tests.webui_scripts import fetched_later, imports
from webui import create_app
from webui.assets import VERSION

ROOT = Path(webui.__file__).parent
STATIC = ROOT / "static"
LABELS = (ROOT.parent / "models" / "labels.txt").read_text("utf-8").split()
FIRST_LOAD_BYTES, FIRST_LOAD_PACKED = 140_000, 57_000
"""Everything until the score is on the screen, as an old server without compression sends it, and as it travels."""

PAGES = ("/", "/desk", "/snap", "/history", "/hall", "/setup", "/devices")


@pytest.fixture
def client(table: Runtime) -> FlaskClient:
    return create_app(table).test_client()


def asset(name: str) -> str:
    """Where a file of the pages is, as they name it."""
    return f"/static-{VERSION}/{name}"


def first_load(client: FlaskClient, page: str) -> list[str]:
    """Everything a tablet fetches until the score is on the screen."""
    html = client.get(page).text
    named = set(re.findall(r"(?:href|src)=\"(/[^\"]+)\"", html))
    scripts = {STATIC / url.removeprefix(asset("")) for url in named if url.endswith(".js")}
    needed = {path for script in scripts for path in imports(script)}
    named |= {asset(path.relative_to(STATIC).as_posix()) for path in needed}
    if page == "/":  # the others show no tile before a touch
        named |= {asset(f"tiles/{tile}.svg") for tile in rig.STRAIGHT}
    words = re.findall(r"data-page=\"(\w+)\"", html)[0]
    return [page, f"/texts/zh-Hans.json?for={words}", "/api/v1/state", *sorted(named)]


@pytest.mark.parametrize("page", PAGES)
def test_the_first_load_is_small(client: FlaskClient, table: Runtime, page: str) -> None:
    rig.open_game(table)
    rig.win(table)
    urls = first_load(client, page)
    assert any(url.endswith(".js") for url in urls)
    for encoding, limit in (("identity", FIRST_LOAD_BYTES), ("gzip", FIRST_LOAD_PACKED)):
        answers = [client.get(url, headers={"Accept-Encoding": encoding}) for url in urls]
        assert {answer.status_code for answer in answers} == {200}
        assert sum(len(answer.data) for answer in answers) < limit, encoding


def test_compression_is_only_for_those_who_take_it_and_never_for_the_stream(client: FlaskClient) -> None:
    packed = client.get("/static/js/table.js", headers={"Accept-Encoding": "gzip"})
    plain = client.get("/static/js/table.js")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(packed.data) == plain.data
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert client.get("/static/js/table.js", headers={"If-None-Match": plain.headers["ETag"]}).status_code == 304
    stream = client.get("/api/v1/stream", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in stream.headers
    stream.close()


def test_what_a_page_names_is_kept_for_good_and_everything_else_is_asked_for_again(client: FlaskClient) -> None:
    kept = client.get(asset("tiles/1m.svg"))
    assert kept.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    for older in ("/static-0123456789ab/tiles/1m.svg", "/static/tiles/1m.svg"):
        answer = client.get(older)
        assert (answer.data, answer.headers["Cache-Control"]) == (kept.data, "no-cache"), older
        again = client.get(older, headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")
    assert client.get(asset("tiles/../../app.py")).status_code == 404
    for page in PAGES:  # a page that named a file without its version would fetch it with every look
        named = re.findall(r"(?:href|src)=\"(/static[^\"]*)\"", client.get(page).text)
        assert named
        assert all(url.startswith(asset("")) for url in named), page


@pytest.mark.parametrize("path", sorted(path for path in STATIC.rglob("*") if path.suffix in {".js", ".css", ".svg"}),
                         ids=lambda path: path.name)  # fmt: skip
def test_no_file_asks_the_outside_world(path: Path) -> None:
    outside = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+", path.read_text("utf-8")))
    assert outside <= {"http://www.w3.org"}


def test_pages_have_no_inline_script_or_style() -> None:
    for template in (ROOT / "templates").glob("*.html"):
        text = template.read_text("utf-8")
        assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", text), template.name
    for script in (STATIC / "js").rglob("*.js"):
        assert not re.search(r"html`[^`]*\sstyle=\"", script.read_text("utf-8")), script.name


@pytest.mark.parametrize("label", LABELS)
def test_every_label_has_a_tile_face(label: str) -> None:
    root = ElementTree.fromstring((STATIC / "tiles" / f"{label}.svg").read_text("utf-8"))
    assert root.tag.endswith("svg")
    assert root.get("viewBox")


def light(colour: str) -> float:
    """Relative luminance of `#rrggbb` (WCAG 2.1)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_rim_of_what_can_be_tapped_stands_out_in_every_light() -> None:
    """WCAG 1.4.11 asks for 3:1 where a border alone tells where a control is."""
    sheets = "".join(path.read_text("utf-8") for path in (STATIC / "css").glob("*.css"))
    themes = re.findall(r"--card: (#\w+); --card-2: (#\w+);[^}]*--rim: (#\w+)", sheets)
    assert len(themes) == 3  # light, dark, and dark where the device says so
    for *grounds, rim in themes:
        for ground in grounds:
            high, low = sorted((light(rim), light(ground)), reverse=True)
            assert (high + 0.05) / (low + 0.05) >= 3, (rim, ground)
    for control in ("pick", "way", "ring-seat", "meld-kind", "story", "camera-card", "line-choice"):
        rules = re.findall(rf"(?<![-\w])\.{control} \{{([^}}]*)\}}", sheets)
        assert any("var(--rim)" in rule for rule in rules), control
        assert not any("var(--line)" in rule for rule in rules), control


def test_every_import_exists() -> None:
    pages = sorted((STATIC / "js").glob("*.js"))
    assert pages
    for script in pages:
        later = {found for path in fetched_later(script) for found in imports(path)}
        assert all(path.is_file() for path in imports(script) | later)


def test_every_tap_has_an_action() -> None:
    """A `data-do` without a handler would be a dead button."""
    text = "".join(path.read_text("utf-8") for path in (STATIC / "js").rglob("*.js"))
    named = set(re.findall(r"data-(?:do|change|input|submit)=\"([a-z-]+)\"", text))
    named |= set(re.findall(r"(?:action|tileKeyboard\(|two\(|pick\(|toggle\()\s*:?\s*\"([a-z-]+)\"", text))
    handled = set(re.findall(r"^\s+(?:\"([a-z-]+)\"|([a-z]+)):? ?(?:[:(,]|$)", text, re.MULTILINE))
    handlers = {one or other for one, other in handled} | set(re.findall(r"[{,] \"?([a-z-]+)\"?: ", text))
    assert not {name for name in named if name not in handlers and not re.search(rf"\b{name},", text)}


@pytest.mark.parametrize("path", ["/snap", "/trust", "/join", "/nowhere"])
def test_a_page_of_one_card_has_the_cards_style(client: FlaskClient, path: str) -> None:
    assert f'href="{asset("css/snap.css")}"' in client.get(path, headers={"Accept": "text/html"}).text


def test_icons_and_manifest_make_the_page_installable(client: FlaskClient) -> None:
    manifest = client.get("/manifest.webmanifest")
    assert manifest.mimetype == "application/manifest+json"
    for icon in manifest.json["icons"]:
        assert client.get(icon["src"]).status_code == 200, icon["src"]
    worker = client.get("/sw.js")
    assert (worker.status_code, "javascript" in worker.mimetype) == (200, True)


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant", "en"])
@pytest.mark.parametrize("page", PAGES)
def test_the_first_frame_speaks_the_language_of_the_device(client: FlaskClient, page: str, language: str) -> None:
    client.set_cookie("paiju_lang", language)
    assert f'lang="{language}"' in client.get(page).text


def test_broken_cookies_are_ignored(client: FlaskClient) -> None:
    for name in ("lang", "theme", "size", "side"):
        client.set_cookie(f"paiju_{name}", "<script>99")
    text = client.get("/", headers={"Accept-Language": "en"}).text
    assert 'lang="en" data-theme="auto" data-size="2" data-side="0"' in text
    assert client.get("/texts/xx.json").status_code == 404
    assert client.get("/texts/en.json?for=xx").status_code == 404


@pytest.mark.parametrize("script", sorted((STATIC / "js").rglob("*.js")), ids=lambda path: path.name)
def test_scripts_run_on_an_old_tablet(script: Path) -> None:
    """Nothing newer than Chromium 90."""
    newer = (
        r"\.at\(|structuredClone|Object\.hasOwn|\.findLast|\.toSorted|\.toReversed|\.groupBy|\bawait import\b"
        r"|\.replaceChildren|\bscheduler\.|\bstatic \{"
    )
    assert not re.findall(newer, script.read_text("utf-8"))


@pytest.mark.parametrize("sheet", sorted((STATIC / "css").glob("*.css")), ids=lambda path: path.name)
def test_style_sheets_work_on_an_old_tablet(sheet: Path) -> None:
    """Nothing newer than Chromium 90, except where an old browser loses only the refinement."""
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.DOTALL)
    newer = (
        r"color-mix\(|light-dark\(|oklch\(|oklab\(|@container|@layer|@scope|subgrid|text-wrap|animation-timeline|\n\s*&"
    )
    assert not re.findall(newer, text)
    for selectors, block in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
        knows = [":has(" not in one for one in selectors.split(",")]
        assert all(knows) or not any(knows), f"an old browser drops the whole rule: {selectors.strip()}"
        for name, unit in re.findall(r"([\w-]+):[^;]*\d([dsl]v[hw])", block):
            assert re.search(rf"{name}:[^;]*\dv[hw]", block), f"{unit} without an older unit before it"


def test_scripts_import_what_they_use_and_export_what_others_need() -> None:
    texts = {path: path.read_text("utf-8") for path in (STATIC / "js").rglob("*.js")}
    imported: set[str] = set()
    for path, text in texts.items():
        for names in re.findall(r"import \{([^}]*)\} from", text):
            for name in (one.strip() for one in names.split(",")):
                imported.add(name)
                assert len(re.findall(rf"\b{name}\b", text)) > 1, f"{path.name} imports {name} and does not use it"
        for name in re.findall(r"import \* as (\w+) from", text):
            imported |= set(re.findall(rf"\b{name}\.(\w+)", text))
        if fetched_later(path):
            imported.add("start")
        imported |= set(re.findall(r"\b(?:cases|claims|records|part|sheets)\??\.(\w+)\b", text))
    tested = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_browser_*.py"))
    for path, text in texts.items():
        for name in re.findall(r"^export (?:async )?(?:function|const|class) (\w+)", text, re.MULTILINE):
            assert name in imported or f"entry[{name}]" in tested or f".{name}(" in tested, f"{path.name}: {name}"
