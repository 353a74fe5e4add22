"""Setting a table up through the program interface: camera, corners, own tiles, line, and where one was."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
import tty
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from device.board import Identity
from device.simulator import SimConfig, SimTable
from table.demonstration import FOLDER as DEMO
from table.eye_files import ENROLLED
from table.outfit import Given, Outfit
from table.port_ear import ListedPort, PortEar
from table.set_up import SetUp
from table.settings import Settings, SettingsError, load_settings, save_settings
from tests import webui_rig as rig
from vision.calibration_file import load_calibration
from vision.pictures import load_picture
from webui import create_app

ROWS = Path(__file__).parent / "pictures" / "enrolment"
GUARD = {"X-Paiju": "1"}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A table's folder in which a recorded table can play the camera."""
    folder = tmp_path / "recordings" / "over the table"
    folder.mkdir(parents=True)
    shutil.copy(DEMO / "hand1_play.jpg", folder)
    return tmp_path


@pytest.fixture
def outfit(data: Path) -> Iterator[Outfit]:
    made = Outfit(data, Given(threads=1), print)
    made.open()
    yield made
    made.runtime.stop()


@pytest.fixture
def client(outfit: Outfit) -> FlaskClient:
    return create_app(outfit.runtime, setup=SetUp(outfit)).test_client()


def post(client: FlaskClient, path: str, **body: Any) -> Any:
    return client.post(f"/api/v1/setup{path}", json=body, headers=GUARD)


def soon(true: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "not in time"
        time.sleep(0.05)


def test_a_new_table_begins_with_the_language(client: FlaskClient) -> None:
    state = client.get("/api/v1/setup").json
    assert (state["step"], state["place"], state["camera"]["id"], state["corners"]) == ("language", "home", None, None)


def test_where_one_was_is_kept_on_the_server_and_over_a_restart(client: FlaskClient, data: Path) -> None:
    assert post(client, "", place="club", step="corners", skip="table").status_code == 200
    kept = load_settings(data)
    assert (kept.place, kept.step, kept.skipped) == ("club", "corners", ("table",))


def test_devices_that_set_up_at_once_lose_nothing_of_each_other(client: FlaskClient, data: Path) -> None:
    wishes = [{"place": "club"}, {"sound": True}, *({"skip": step} for step in ("camera", "light", "corners", "tiles"))]
    with ThreadPoolExecutor(len(wishes)) as devices:
        answers = list(devices.map(lambda wish: post(client.application.test_client(), "", **wish), wishes * 3))
    assert {answer.status_code for answer in answers} == {200}
    kept = load_settings(data)
    assert (kept.place, kept.sound, set(kept.skipped)) == ("club", True, {"camera", "light", "corners", "tiles"})


def test_a_recording_is_found_seen_chosen_and_used_at_the_next_start(
    client: FlaskClient, outfit: Outfit, data: Path
) -> None:
    found = client.get("/api/v1/setup/cameras").json["cameras"]
    assert ("recording/over the table", "recording") in [(one["id"], one["kind"]) for one in found]
    assert str(data) not in json.dumps(found)
    small = client.get("/api/v1/setup/thumbnail", query_string={"camera": "recording/over the table"})
    assert small.mimetype == "image/jpeg"
    assert max(load_picture(small.data).shape[:2]) == 320
    chosen = post(client, "/camera", camera="recording/over the table").json
    assert chosen["camera"]["name"] == "over the table"
    assert client.get("/api/v1/state").json["devices"]["camera"]["state"] == "live"
    used = outfit.runtime.parts.camera
    assert post(client, "/camera", camera="recording/over the table").status_code == 200
    assert outfit.runtime.parts.camera is used, "a camera that is in use would be busy for a second opening"
    later = Outfit(data, Given(), print)
    assert later.settings.camera is not None
    assert later._first_camera().latest() is not None  # type: ignore[union-attr]


def test_own_tiles_that_cannot_be_used_are_told_on_the_pages_until_they_are_mended(data: Path) -> None:
    told: list[str] = []
    (data / ENROLLED).write_bytes(b"no enrolment")
    outfit = Outfit(data, Given(threads=1), told.append)
    runtime = outfit.open()
    try:
        soon(lambda: [one.key for one in runtime.snapshot().problems if one.source == "eyes"] == ["own_tiles_unused"])
        assert len(told) == 1
        assert ENROLLED in told[0]
        (data / ENROLLED).unlink()
        assert outfit.read_anew() is None
        soon(lambda: not [one for one in runtime.snapshot().problems if one.source == "eyes"])
    finally:
        runtime.stop()


def test_no_file_of_the_computer_can_be_named_as_a_camera_or_line(client: FlaskClient) -> None:
    for name in ("folder:/", "video:/etc/passwd", "/etc/passwd", "recording/../../x"):
        answer = post(client, "/camera", camera=name)
        assert (answer.status_code, answer.json["key"]) == (409, "eye_no_camera_word")
    look = client.get("/api/v1/setup/thumbnail", query_string={"camera": "http://192.168.1.1/admin"})
    assert (look.status_code, look.json["key"]) == (409, "eye_no_camera_word")
    for word in ("/etc/passwd", "replay:/etc/passwd", "replay:../line.json", "text:/dev/null"):
        answer = post(client, "/line", words=[word])
        assert (answer.status_code, answer.json["key"]) == (409, "no_line_word")
    for word in ("socket://", "socket://192.168.1.20", "text:socket://192.168.1.20:x"):
        answer = post(client, "/line", words=[word])
        assert (answer.status_code, answer.json["key"]) == (409, "line_no_address")


def test_two_devices_that_listen_at_once_open_each_port_once() -> None:
    before = threading.active_count()
    ear = PortEar()
    with ThreadPoolExecutor(8) as pool:
        for _ in range(8):
            pool.submit(ear.start, [("/dev/none1", "/dev/none1"), ("/dev/none2", "/dev/none2")])
    assert threading.active_count() == before + 3, "two links and the timer"
    ear.stop()
    assert threading.active_count() <= before + 1, "the timer may still be ending"


def test_the_password_of_a_network_camera_comes_back_to_no_page(client: FlaskClient, outfit: Outfit) -> None:
    outfit.keep(Settings(camera="rtsp://owner:secret@192.168.1.30/stream"))
    told = client.get("/api/v1/setup").text
    assert "secret" not in told
    assert json.loads(told)["camera"] == {
        "given": False, "id": "network", "kind": "network", "name": "192.168.1.30/stream",
    }  # fmt: skip


def test_corners_are_found_checked_shown_and_kept(client: FlaskClient, outfit: Outfit, data: Path) -> None:
    assert client.get("/api/v1/setup/corners").json["key"] == "no_camera"
    post(client, "/camera", camera="recording/over the table")
    found = client.get("/api/v1/setup/corners").json
    assert found["quality"] > 0.9
    flat = ",".join(f"{side:.4f}" for point in found["points"] for side in point)
    seen = client.get("/api/v1/setup/preview", query_string={"points": flat, "seat": "1"})
    assert load_picture(seen.data).shape[:2] == (480, 480)
    assert client.get("/api/v1/setup/corners/check", query_string={"points": flat}).json["words"] == ["tiles_well"]
    assert post(client, "/corners", points=found["points"], seat=1).status_code == 200
    kept = load_calibration(data / "calibration.json")
    picture = np.array([found["points"][place] for place in (3, 0, 1, 2)]) * (1600, 1200)
    assert kept.corners_px == pytest.approx(picture, abs=0.01)  # seat A sits at the right edge
    assert outfit.runtime.parts.felt is not None
    shown = client.get("/api/v1/setup").json["corners"]
    assert shown["seat"] == 1
    assert np.array(shown["points"]) == pytest.approx(np.array(found["points"]), abs=1e-4)


def test_crossed_corners_are_refused_in_words(client: FlaskClient) -> None:
    post(client, "/camera", camera="recording/over the table")
    answer = client.get("/api/v1/setup/corners/check", query_string={"points": "0.1,0.1,0.9,0.9,0.9,0.1,0.1,0.9"})
    assert (answer.status_code, answer.json["key"]) == (409, "eye_crossed")
    assert post(client, "/corners", points=[[0.1, 0.1]]).status_code == 400
    assert post(client, "/corners", points=[[10**400, 0], [1, 0], [1, 1], [0, 1]]).status_code == 400
    assert client.get("/api/v1/setup/corners/check", query_string={"points": "0.1,x,inf"}).status_code == 400


def test_light_and_tiles_are_judged_live(client: FlaskClient) -> None:
    post(client, "/camera", camera="recording/over the table")
    scene = client.get("/api/v1/setup/scene").json
    assert len(scene["reading"]["tiles"]) > 30
    assert {tile["sure"] for tile in scene["reading"]["tiles"]} <= {"sure", "check", "unreadable"}
    assert scene["tile_px"] > 28
    assert scene["remarks"] == [], "half of the tiles lie face down: a back has no ink, and no lens is at fault"


def test_sensors_stay_while_a_hand_is_open(client: FlaskClient, outfit: Outfit) -> None:
    rig.open_game(outfit.runtime)
    rig.do(outfit.runtime, "start_hand")
    for answer in (post(client, "/camera", camera="demo"), post(client, "/line", words=["sim"])):
        assert (answer.status_code, answer.json["key"]) == (423, "hand_open_sure")
    rig.do(outfit.runtime, "draw_hand", void=True)
    assert post(client, "/camera", camera="demo").status_code == 200


def test_what_the_command_line_names_stays(data: Path) -> None:
    outfit = Outfit(data, Given(camera=f"folder:{DEMO}", threads=1), print)
    runtime = outfit.open()
    try:
        client = create_app(runtime, setup=SetUp(outfit)).test_client()
        assert client.get("/api/v1/setup").json["camera"]["given"]
        assert post(client, "/camera", camera=None).json["key"] == "camera_given"
    finally:
        runtime.stop()


def test_a_set_is_learnt_row_by_row_and_forgotten(client: FlaskClient, data: Path) -> None:
    def row(key: str, picture: str, **more: str) -> Any:
        with (ROWS / f"row_{picture}.jpg").open("rb") as file:
            form = {"row": key, "picture": (file, "row.jpg", "image/jpeg"), **more}
            return client.post("/api/v1/setup/tiles/row", data=form, headers=GUARD)

    wrong = row("characters", "honours")
    assert (wrong.status_code, wrong.json["key"]) == (409, "eye_row_count")
    assert row("characters", "dots").json["key"] == "eye_row_other"
    assert post(client, "/tiles/keep").json["key"] == "eye_rows_missing"
    for key in ("characters", "dots", "bamboos", "honours"):
        assert row(key, key).json["taken"], key
    assert client.get("/api/v1/setup/tiles").json["complete"]
    kept = post(client, "/tiles/keep").json
    assert (kept["own_tiles"]["tiles"], kept["own_tiles"]["usable"]) == (34, True)
    assert (data / "enrolled.npz").is_file()
    assert post(client, "/tiles/forget").json["own_tiles"] is None
    assert not (data / "enrolled.npz").exists()


def test_the_dice_button_finds_the_port(outfit: Outfit, tmp_path: Path) -> None:
    with SimTable(SimConfig(link=tmp_path / "table", identity=Identity())) as board:
        ports = (ListedPort(path=str(tmp_path / "table"), word=str(tmp_path / "table"), chip="CH340", description=""),)
        setup = SetUp(outfit, lambda: ports)
        client = create_app(outfit.runtime, setup=setup).test_client()
        assert client.get("/api/v1/setup/ports").json["ports"][0]["chip"] == "CH340"
        assert post(client, "/ports/listen").status_code == 200
        soon(lambda: client.get("/api/v1/setup/ports").json["heard"][0]["state"] == "live")
        board.throw_dice(0, (3, 4))
        soon(lambda: client.get("/api/v1/setup/ports").json["heard"][0]["dice"] == [3, 4], 20)
        word = client.get("/api/v1/setup/ports").json["heard"][0]["word"]
        assert post(client, "/line", words=[word]).json["line"]["words"] == [word]
        soon(lambda: client.get("/api/v1/state").json["devices"]["table"]["state"] == "live")


def test_a_board_that_prints_plain_text_is_found_too(outfit: Outfit) -> None:
    far, near = os.openpty()
    tty.setraw(near)
    path = os.ttyname(near)
    try:
        setup = SetUp(outfit, lambda: (ListedPort(path=path, word=path, chip=None, description=""),))
        assert setup.listen() is None

        def dice_heard() -> bool:
            os.write(far, b"DICE 2 6\n")
            return any(port.dice == (2, 6) for port in setup.ear.heard())

        soon(dice_heard)
        assert setup.ear.heard()[0].word == f"text:{path}"
        assert not setup.ear.listening
        assert setup.choose_line((f"text:{path}",)) is None
    finally:
        outfit.use_line(())
        os.close(far)
        os.close(near)


def test_devices_that_only_watch_stay_out(outfit: Outfit) -> None:
    client = create_app(outfit.runtime, pin="4711", setup=SetUp(outfit)).test_client()
    assert client.get("/api/v1/setup").status_code == 403
    assert client.get("/api/v1/setup/picture").status_code == 403
    assert post(client, "/camera", camera="demo").status_code == 403


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is damaged"), ("[]", "is damaged"), ("null", "is damaged"), ('{"format": "2"}', "is damaged"),
        ('{"format": 1, "camera": 5}', "is damaged"), ("\x00", "is damaged"), ('{"format": 2}', "of a newer Paiju"),
    ],
)  # fmt: skip
def test_damaged_settings_are_said_and_do_not_keep_the_table_from_starting(data: Path, text: str, says: str) -> None:
    save_settings(data, Settings(place="club"))
    (data / "settings.json").write_text(text, "utf-8")
    with pytest.raises(SettingsError, match=says):
        load_settings(data)
    said: list[str] = []
    assert Outfit(data, Given(), said.append).settings == Settings()
    assert len(said) == 1


@pytest.mark.parametrize(
    ("address", "trust", "level", "hints"),
    [
        ("https://192.168.4.1", "yes", "good", []),
        ("http://localhost:8080", "here", "open", ["report.secure_here"]),
        ("http://[::1]:8080", "here", "open", ["report.secure_here"]),
        ("http://192.168.4.1:8080", "no", "open", ["report.secure_hint"]),
    ],
)
def test_the_report_says_of_waking_screens_what_the_page_of_the_tablet_says(
    client: FlaskClient, address: str, trust: str, level: str, hints: list[str]
) -> None:
    assert f'data-trust="{trust}"' in client.get("/setup", base_url=address).text
    lines = client.get("/api/v1/setup/report", base_url=address).json["lines"]
    assert {"key": "secure", "level": level, "hints": hints} in lines
    assert ('class="insecure"' in client.get("/", base_url=address).text) == (trust == "no")


def test_the_page_knows_whether_there_is_anything_to_set_up(client: FlaskClient, outfit: Outfit) -> None:
    assert 'data-set-up="yes"' in client.get("/setup").text
    demonstration = create_app(outfit.runtime).test_client()
    assert 'data-set-up="no"' in demonstration.get("/setup").text, "so it asks for nothing that is refused"
