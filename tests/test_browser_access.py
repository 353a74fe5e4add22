"""Devices, codes and PINs in a real browser."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from table import tls
from table.runtime import Runtime
from tests import browser_rig as ui
from tests import webui_rig as rig
from webui import Server, create_app

pytestmark = pytest.mark.browser


@pytest.fixture
def table(table: Runtime) -> Runtime:
    rig.open_game(table)
    return table


def test_a_phone_is_paired_by_code_and_revoked_while_it_watches(browser: Browser, table: Runtime) -> None:
    with rig.served(table) as address, ui.opened(browser, address + "/devices", language="en") as chief:
        chief.fill("[data-key=chief] [name=pin]", "90001")
        chief.tap("[data-key=chief] button")
        expect(chief.locator("[data-key=chief]")).to_contain_text("has a PIN")
        expect(chief.locator(".log-line").first).to_contain_text("Chief referee")
        chief.select_option("[name=role]", "player")
        chief.select_option("[name=seat]", "2")
        chief.fill("[data-submit=pair] [name=name]", "Wang's phone")
        with chief.expect_response("**/api/v1/pair") as answer:
            chief.tap("[data-submit=pair] .main")
        url = answer.value.json()["url"]
        expect(chief.locator("figure img")).to_be_visible()
        ui.shoot(chief, "devices-code")
        with ui.opened(browser, url, size=ui.PHONE) as phone:
            expect(phone.locator("body")).to_have_attribute("data-own-role", "player")
            expect(phone.locator("body")).to_have_attribute("data-seat", "2")
            assert phone.evaluate("location.hash") == ""
            chief.reload()
            row = chief.locator(".log-line", has_text="Wang's phone")
            row.locator("[data-do=revoke]").tap()
            expect(row).to_have_count(0)
            status = phone.evaluate(
                """() => fetch("/api/v1/command", {method: "POST", headers: {"X-Paiju": "1",
                "Content-Type": "application/json"}, body: '{"kind": "call_referee", "idem": "x", "seat": 2}'})
                .then((answer) => answer.status)"""
            )
            assert status == 403
        with ui.opened(browser, url, size=ui.PHONE, language="en") as again:
            expect(again.get_by_role("alert")).to_contain_text("used already")
            ui.shoot(again, "join-refused")


def test_two_referees_do_not_correct_one_hand_at_a_time(browser: Browser, table: Runtime) -> None:
    rig.win(table)
    with (
        rig.served(table) as address,
        ui.opened(browser, address + "/desk", size=ui.DESKTOP, language="en") as first,
        ui.opened(browser, address + "/desk", size=ui.DESKTOP, language="en") as second,
    ):
        for page in (first, second):
            page.tap(".history-row >> nth=0")
            page.tap("[data-do=correct-open]")
            if page is first:
                expect(page.locator("#sheet-title")).to_have_text("Correct hand 1")
                expect(page.locator("[data-do=correct-open]")).to_have_count(0)
        expect(second.get_by_role("alert")).to_contain_text("127.0.0.1 is correcting hand 1")
        expect(second.locator("[data-do=correct-open]")).to_be_visible()
        ui.shoot(second, "desk-owned")


def test_a_correction_that_is_closed_is_nobodys_at_once(browser: Browser, table: Runtime) -> None:
    rig.win(table)
    with rig.served(table) as address, ui.opened(browser, address + "/desk", size=ui.DESKTOP) as page:
        page.tap(".history-row >> nth=0")
        page.tap("[data-do=correct-open]")
        with page.expect_request(lambda sent: sent.method == "DELETE", timeout=2500):  # before it would be told again
            page.tap("#sheet [data-do=close]")


def test_over_https_the_page_is_secure_and_may_keep_the_screen_awake(
    browser: Browser, table: Runtime, tmp_path: Path
) -> None:
    certificates = tls.make(tmp_path / tls.FOLDER, ["localhost", "127.0.0.1"], datetime.now(UTC))
    server = Server(create_app(table), "127.0.0.1", 0, command_threads=4)
    server.add_tls(certificates.context(), "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    context = browser.new_context(ignore_https_errors=True, service_workers="block")
    page = context.new_page()
    page.goto(f"https://127.0.0.1:{server.secure_port}/")
    expect(page.locator("[data-do=hu], .seat, [data-seat]").first).to_be_visible()
    assert page.evaluate("window.isSecureContext")
    assert page.evaluate("'wakeLock' in navigator")
    expect(page.locator(".insecure")).to_have_count(0)
    context.close()
    server.close()
    thread.join(5)
    assert not thread.is_alive()
