"""What people type: every command, its answers, and its sentences when something is wrong."""

from __future__ import annotations

import errno
import io
import json
import socket
import sqlite3
import sys
import tarfile
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from models import LABELS, Thresholds
from table.cli import main
from table.decision import Accepted
from table.runtime import LEDGER_NAME, Runtime
from tests.table_kit import NAMES, STRAIGHT, command
from vision.classifier import ScriptedClassifier
from vision.detector import ScriptedDetector
from vision.reader import TileReader

PICTURES = Path(__file__).parent / "pictures"


def paiju(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def commands() -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for name, one in main.commands.items():
        if isinstance(one, click.Group):
            found += [(name, below) for below in one.commands]
        else:
            found.append((name,))
    return found


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_has_help_with_an_example(words: tuple[str, ...]) -> None:
    result = paiju(*words, "--help")
    assert result.exit_code == 0
    assert f"paiju {' '.join(words)}" in result.output.split("Example", 1)[1]


# ---------------------------------------------------------------- score


def test_a_hand_from_flags_is_priced() -> None:
    # 123m 456m 789m (清龙 16), 123p, 55z, self-drawn and concealed: 不求人 4, 喜相逢 1, 缺一门 1, 边张 1
    result = paiju("score", "--rules", "gb", "--hand", "123m456m789m12p55z", "--win", "3p", "--self-draw")
    assert result.exit_code == 0
    assert "共 23 番" in result.output
    assert "payments: 0: +93  1: -31  2: -31  3: -31" in result.output


def test_the_discarder_and_the_seat_wind_are_as_given() -> None:
    result = paiju(
        "score", "--hand", "222z567m44s789p99m", "--win", "9m", "--seat", "S", "--round", "S", "--from", "3", "--json"
    )  # fmt: skip
    answer = json.loads(result.output)
    fans = dict(answer["winners"][0]["fans"])
    assert fans["圈风刻"] == fans["门风刻"] == 2
    assert answer["reason"] == "below_minimum"


@pytest.mark.parametrize(
    ("language", "named"), [("en", "Pure Straight 16"), ("zh-Hant", "清龍 16"), ("zh-Hans", "清龙 16")]
)
def test_scoring_names_the_fans_in_the_language_asked_for(language: str, named: str) -> None:
    hand = ("--hand", "123456789m12p55z", "--win", "3p", "--self-draw")
    assert f"  {named}\n" in paiju("score", *hand, "--language", language).output


def test_explaining_names_fans_that_are_not_counted() -> None:
    result = paiju("score", "--hand", "123456789m12p55z", "--win", "3p", "--self-draw", "--explain")
    assert "清龙" in result.output
    assert "大四喜" in result.output


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--hand", "123m", "--win", "5m"), "seat 0"),
        (("--hand", "11111m234p567s55z", "--win", "5z"), "1m"),
        (("--rules", "bg", "--hand", "123m456m789m12p55z", "--win", "3p"), "there is no ruleset"),
        (("--option", "profil=gb1998", "--hand", "123m456m789m12p55z", "--win", "3p"), "profile"),
        (("--option", "profile", "--hand", "123m456m789m12p55z", "--win", "3p"), "NAME=VALUE"),
        (("--hand", "123m456m789m12p55z"), "winning tile"),
        (("--hand", "12k", "--win", "3p"), "k"),
        (("--hand", "1m", "--melds", "pong:555p", "--win", "1m"), "pong"),
        (("--self-draw", "--rob-kong", "--hand", "123m456m789m12p55z", "--win", "3p"), "not both"),
    ],
)
def test_wrong_input_is_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    result = paiju("score", *words)
    assert result.exit_code == 1
    assert sentence in result.output
    assert "Traceback" not in result.output


def test_a_batch_goes_on_after_bad_lines_and_says_so_with_its_exit_code(tmp_path: Path) -> None:
    good = {
        "id": "good",
        "ruleset": "gb",
        "state": {},
        "winners": [{"seat": 0, "hand": "123456789m12p55z", "melds": [], "win_tile": "3p", "source": "self_draw"}],
    }
    cases = tmp_path / "cases.jsonl"
    cases.write_text(
        "\n".join([json.dumps(good), "{oops", "[]", json.dumps(good | {"ruleset": "gx"}), json.dumps(good)])
    )
    result = paiju("score", "--batch", cases)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert ["error" in answer for answer in answers] == [False, True, True, True, False]
    assert answers[0]["payments"] == answers[4]["payments"] == [93, -31, -31, -31]


def test_a_question_file_is_answered(tmp_path: Path) -> None:
    file = tmp_path / "q.json"
    file.write_text(json.dumps({"ruleset": "gb", "kind": "hand", "winners": []}))
    assert "at least one" in json.loads(paiju("score", file).output)["error"]
    assert "cannot be read" in paiju("score", tmp_path / "none.json").output


def test_one_ruleset_is_shown_and_an_unknown_one_is_named() -> None:
    assert "gb" in paiju("rules").output
    assert "Full Flush" in paiju("rules", "gb", "--language", "en").output
    assert "直杠倍数 (zhigang_units)" in paiju("rules", "sichuan").output
    assert "血战到底 (blood)" in paiju("rules", "sichuan").output
    assert paiju("rules", "gbb").exit_code == 1


# ---------------------------------------------------------------- read


def test_pictures_are_read_and_a_bad_one_does_not_stop_the_rest(tmp_path: Path) -> None:
    bad = tmp_path / "letter.jpg"
    bad.write_text("Dear Sir")
    result = paiju("read", "--json", bad, PICTURES / "hand_row.jpg")
    first, second = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert first["image"] == str(bad)
    assert "letter.jpg" in first["error"]
    assert len(second["tiles"]) >= 13
    assert set(second) == {"image", "width", "height", "tiles", "groups"}
    assert set(second["tiles"][0]) >= {"tile", "score", "sure", "also", "box"}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("form", [(), ("--json",)])
@pytest.mark.parametrize(
    ("stdout", "pictures", "watched"), [(io.StringIO, 3, True), (Terminal, 3, False), (io.StringIO, 1, False)]
)
def test_many_pictures_whose_answers_go_elsewhere_show_how_far_they_are(
    form: tuple[str, ...], stdout: type[io.StringIO], pictures: int, watched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers that appear one after the other on the same terminal say it themselves."""
    nothing = TileReader(ScriptedDetector([]), ScriptedClassifier(LABELS, []), Thresholds(sure=0.9, check=0.5))
    monkeypatch.setattr(TileReader, "from_models", lambda **_: nothing)
    answers, terminal = stdout(), Terminal()
    monkeypatch.setattr(sys, "stdout", answers)
    monkeypatch.setattr(sys, "stderr", terminal)
    with pytest.raises(SystemExit) as ended:
        main(["read", *form, *[str(PICTURES / "hand_row.jpg")] * pictures], standalone_mode=False)
    assert ended.value.code == 0
    assert answers.getvalue().count("hand_row.jpg") == pictures
    assert ("Reading" in terminal.getvalue()) == watched
    assert ("100%" in terminal.getvalue()) == watched


@pytest.mark.parametrize(
    ("picture", "words", "hand", "total"),
    [
        ("hand_row.jpg", ("--win-tile", "5z"), "read: 123456789m11p55z win 5z", 23),  # 清龙 不求人 箭刻 缺一门
        ("hand_rotated.jpg", (), "read: 55566m345p678s11z win 1z", 10),  # 不求人 圈风刻 门风刻 双暗刻
        ("hand_and_melds.jpg", (), "read: 6p223344s peng:777z kong_concealed:9999m win 6p", 8),
    ],
)
def test_a_photographed_hand_is_scored(picture: str, words: tuple[str, ...], hand: str, total: int) -> None:
    result = paiju("score", "--photo", PICTURES / picture, "--rules", "gb", "--self-draw", *words)
    assert result.exit_code == 0, result.output
    assert hand in result.output
    assert f"共 {total} 番" in result.output


def test_a_photograph_without_its_winning_tile_asks_for_it() -> None:
    result = paiju("score", "--photo", PICTURES / "hand_row.jpg", "--rules", "gb", "--self-draw")
    assert result.exit_code == 1
    assert "Which tile won? Name it with --win." in result.output


# ---------------------------------------------------------------- files of a game


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """The folder of a table on which one hand was won."""
    folder = tmp_path / "data"
    runtime = Runtime.open(folder).start()
    for step in (
        command("open_game", ruleset="gb", names=NAMES),
        command("start_hand"),
        command("claim_win", seat=1, source="self_draw"),
        command("hand_manual", **STRAIGHT),
        command("approve"),
    ):
        assert isinstance(runtime.submit(step), Accepted)
    runtime.stop()
    return folder


def test_a_backup_comes_back_whole(played: Path, tmp_path: Path) -> None:
    file, back = tmp_path / "evening.tar", tmp_path / "back"
    made = paiju("backup", file, "--data", played)
    assert made.exit_code == 0, made.output
    assert paiju("restore", file, "--data", back).exit_code == 0
    before, after = (paiju("audit", "verify", "--data", one).output for one in (played, back))
    assert before == after
    assert "chain whole" in after
    assert "exists already" in paiju("backup", file, "--data", played).output
    assert "not empty" in paiju("restore", file, "--data", back).output


@pytest.mark.parametrize(
    "slipped", ["access.json", "settings.json", "webhooks.json", "tls/ca.key", "../access.json", "/tmp/access.json"]
)
def test_a_backup_brings_back_the_ledger_and_pictures_and_nothing_else(
    played: Path, tmp_path: Path, slipped: str
) -> None:
    assert paiju("backup", "--data", played, tmp_path / "evening.tar").exit_code == 0
    member = tarfile.TarInfo(slipped)
    member.size = 2
    with tarfile.open(tmp_path / "evening.tar", "a") as archive:
        archive.addfile(member, io.BytesIO(b"{}"))
    result = paiju("restore", tmp_path / "evening.tar", "--data", tmp_path / "again")
    assert (result.exit_code, f"holds '{slipped}'" in result.output) == (1, True), result.output
    assert not (tmp_path / "again").exists()


def test_an_empty_backup_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "evening.tar").touch()
    result = paiju("restore", tmp_path / "evening.tar", "--data", tmp_path / "again")
    assert (result.exit_code, result.output.strip().count("\n")) == (1, 0)


def test_a_cut_off_backup_changes_nothing(played: Path, tmp_path: Path) -> None:
    file, back = tmp_path / "evening.tar", tmp_path / "back"
    paiju("backup", file, "--data", played)
    file.write_bytes(file.read_bytes()[:3000])
    result = paiju("restore", file, "--data", back)
    assert result.exit_code == 1
    assert not back.exists()
    assert sorted(tmp_path.iterdir()) == sorted([played, file])


def test_a_changed_entry_is_found(played: Path) -> None:
    db = sqlite3.connect(played / LEDGER_NAME)
    with db:
        db.execute("DROP TRIGGER entry_keeps")
        changed = db.execute(
            "UPDATE entry SET event = replace(event, 'Anna', 'Anne') WHERE event LIKE '%Anna%'"
        ).rowcount
    db.close()
    assert changed == 1
    result = paiju("audit", "verify", "--data", played)
    assert result.exit_code == 1
    assert "0 entries hold" in result.output


@pytest.mark.parametrize(
    "words",
    [
        ("export", "--format", "yolo", "--consent", "--game", "g1"),
        ("export", "--format", "csv", "--sheet", "blank"),
        ("export", "--format", "pdf", "--hand", "3"),
        ("export", "--language", "en"),
        ("run", "--demo", "--camera", "0"),
    ],
    ids=" ".join,
)
def test_an_option_that_means_nothing_is_refused(words: tuple[str, ...]) -> None:
    result = paiju(*words)
    assert (result.exit_code, f"{words[-2]} means nothing with" in result.output) == (1, True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--name", "\udcff"), "printable characters"),
        (("--name", "a\x1b[31m"), "printable characters"),
        (("--name", "W" * 41), "at most 40"),
        (("--domain", "http://table7.club.example"), "no host name"),
        (("--domain", "table7.club.example:8080"), "no host name"),
        (("--domain", ""), "no host name"),
    ],
)
def test_names_of_the_table_that_no_page_can_show_are_refused(words: tuple[str, str], says: str) -> None:
    result = paiju("run", *words)
    assert (result.exit_code, says in result.output) == (2, True), result.output


def test_two_servers_need_two_ports(tmp_path: Path) -> None:
    assert paiju("tls", "init", "--data", tmp_path).exit_code == 0
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    result = paiju("run", "--data", tmp_path, "--host", "127.0.0.1", "--port", port, "--https-port", port)
    assert (result.exit_code, "choose two different ports" in result.output) == (1, True), result.output


@pytest.mark.parametrize("form", ["pdf", "csv"])
def test_a_full_disk_leaves_the_older_export_whole(
    played: Path, tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / f"evening.{form}"
    out.write_bytes(b"older")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("table.durable.os.fsync", full)
    result = paiju("export", "--data", played, "--format", form, "--out", out)
    assert (result.exit_code, "No space left" in result.output) == (1, True)
    assert out.read_bytes() == b"older"
    assert [one.name for one in tmp_path.glob("evening*")] == [out.name]


def test_an_export_has_the_hand(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.json"
    assert paiju("export", "--data", played, "--out", out).exit_code == 0
    assert json.loads(out.read_text(encoding="utf-8"))
    assert "total" in paiju("export", "--data", played, "--format", "csv").output
    assert paiju("export", "--data", tmp_path / "nowhere").exit_code == 1


def test_the_evening_is_settled_with_the_fewest_transfers(played: Path) -> None:
    result = paiju("settle", "--data", played, "--unit", "50")
    assert result.exit_code == 0, result.output
    # Ben won 26 self-drawn: 8 + 26 from each of three
    assert [line for line in result.output.splitlines() if "pays" in line] == [
        f"{name} pays Ben 1700 (34 points)" for name in ("Anna", "Chen", "Dora")
    ]


def test_a_settlement_uses_what_the_players_agreed_a_point_is_worth(tmp_path: Path) -> None:
    runtime = Runtime.open(tmp_path).start()
    names = ["Anna", "Chen"]
    told = [
        command("open_game", ruleset="two_player", names=names, house={"unit": 50}),
        command("penalise", seat=2, code="false_win"),
        command("penalise", seat=0, points=3, reason="late"),
    ]
    assert all(isinstance(runtime.submit(one), Accepted) for one in told)
    runtime.stop()
    assert paiju("settle", "--data", tmp_path).output.splitlines() == [
        "Anna         +10, 3 of penalties taken off",
        "Chen         -10",
        "Chen pays Anna 500 (10 points)",
        "The game is not over; this is how it stands, hands finished: 0.",
    ]
    runtime = Runtime.open(tmp_path).start()
    assert isinstance(runtime.submit(command("close_game")), Accepted)
    runtime.stop()
    assert "not over" not in paiju("settle", "--data", tmp_path).output


def test_the_settlement_tells_the_shares_of_substitutes(played: Path) -> None:
    runtime = Runtime.open(played).start()
    assert isinstance(runtime.submit(command("substitute", seat=1, name="Eva")), Accepted)
    runtime.stop()
    lines = paiju("settle", "--data", played).output.splitlines()
    assert lines[1].split() == ["Eva", "+102"]
    assert "  Ben: hands 1 to 1: +102" in lines
    assert "  Eva: hands 2 on: +0" in lines
    assert not any(line.startswith("  Anna") for line in lines)


def test_the_doctor_finds_a_package_that_took_our_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    healthy = paiju("doctor", "--data", tmp_path, "--json")
    findings = {one["topic"]: one["health"] for one in map(json.loads, healthy.output.splitlines())}
    assert findings["packages"] == findings["weights"] == findings["data"] == "ok"
    other = tmp_path / "rules"
    other.mkdir()
    (other / "__init__.py").write_text("")
    monkeypatch.setattr("table.doctor.HERE", tmp_path)
    sick = paiju("doctor", "--data", tmp_path)
    assert sick.exit_code == 1
    assert "FAULT  packages" in sick.output


def test_a_port_in_use_is_said_before_anything_starts(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = paiju("run", "--demo", "--host", "127.0.0.1", "--port", str(port), "--data", tmp_path / "data")
    assert result.exit_code == 1
    assert f"--port {port + 1}" in result.output
    assert "hand begins" not in result.output
    assert not (tmp_path / "data").exists()


def test_a_host_that_is_no_address_of_this_computer_is_named() -> None:
    result = paiju("run", "--host", "nosuch.invalid")
    assert result.exit_code == 1
    assert "127.0.0.1" in result.output


@pytest.mark.parametrize(
    ("photo", "win", "hand", "total"),
    [
        # 111p 444s 666z 777z and a single 5z, self-drawn: 小三元 64 四暗刻 64 幺九刻 缺一门 单钓将 自摸
        ("test_hand_003_jpg.jpg", "5z", "111p444s5666777z", 132),
        # 111p 234p 456p 567p 99p, self-drawn 3p: 清一色 24 不求人 4 连六 幺九刻 坎张
        ("valid_hand_012_jpg.jpg", "3p", "1112445566799p", 31),
    ],
)
def test_a_real_photograph_is_scored(shared: Path, photo: str, win: str, hand: str, total: int) -> None:
    picture = shared / "photos" / "val" / "images" / photo
    result = paiju("score", "--photo", picture, "--rules", "gb", "--win-tile", win, "--self-draw")
    assert result.exit_code == 0, result.output
    assert f"read: {hand} win {win}" in result.output
    assert f"共 {total} 番" in result.output
