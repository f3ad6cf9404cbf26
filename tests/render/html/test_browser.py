"""The page in a browser: found, clicked, filtered, walked by keyboard; nothing recorded runs, nothing is asked for, nothing is logged."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import tracelink
from tests.render.html import hostile, sessions
from tests.render.html.browser import CHROMIUM, DRIVER, Browser, started
from tests.render.html.page import made, of
from tests.story.conftest import STALLED, report

pytestmark = pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason="Chromium and its driver are not installed")
ENTER, ESCAPE, DOWN, RIGHT, LEFT, TAB = "\ue007", "\ue00c", "\ue015", "\ue014", "\ue012", "\ue004"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with started() as browser:
        yield browser


@pytest.fixture
def stalled(chromium: Browser) -> Iterator[Browser]:
    """On the page of the stalled session; whatever was done there, nothing was logged and nothing asked for but the page."""
    chromium.open(made(report("stalled/wrapped.log")))
    yield chromium
    assert chromium.complaints() == []
    assert [url for url in chromium.requests() if not url.startswith("file:")] == []


def test_the_watchers_would_notice(chromium: Browser) -> None:
    page = made(report("stalled/wrapped.log"))
    chromium.open(
        page.replace(b"<footer>", b"<img src=https://evil.invalid/x.png><p onclick=1>x</p><script>1</script><footer>")
    )
    chromium.run("document.querySelector('p[onclick]').click()")  # some browsers look at a handler only when it is to act
    complaints = chromium.complaints()
    assert {word for one in complaints for word in ("image", "event handler", "inline script") if word in one.lower()} == {
        "image",
        "event handler",
        "inline script",
    }, complaints
    assert any(url.startswith("file:") for url in chromium.requests())


def test_a_call_lies_on_its_line(stalled: Browser) -> None:
    middle = "const box = document.querySelector(arguments[0]).getBoundingClientRect(); return (box.top + box.bottom) / 2"
    bar, track = (stalled.run(middle, one) for one in (".track:has(.bar.call) .bar.call", ".track:has(.bar.call)"))
    assert abs(bar - track) <= 1


def test_a_body_with_a_gap_is_copied_with_a_warning(chromium: Browser) -> None:
    chromium.open(made(report("awaiting/wrapped.log")))
    chromium.find("[data-copy]").click()
    deadline = time.monotonic() + 5
    while chromium.said() == "" and time.monotonic() < deadline:
        time.sleep(0.05)
    assert chromium.said() == "Copied. It is not ready: fill in what is marked before you post it."
    assert chromium.find("#body-1 mark").text == '"<output of hold_fare as text>"'
    assert json.loads(chromium.find("#body-1").text)["events"][0]["output"] == "<output of hold_fare as text>"
    chromium.find('.finding[data-code="TL501"] a').click()
    assert chromium.run("return document.getElementById('send').getBoundingClientRect().top") >= 0
    assert chromium.complaints() == []


@pytest.mark.parametrize("name", ["awaiting/stream.jsonl", "awaiting/mcp_approval.jsonl", "subagents/bundle.json", "hostile"])
def test_nothing_is_wider_than_a_phone(chromium: Browser, name: str) -> None:
    page = of(hostile.recording(hostile.everything())) if name == "hostile" else made(report(name))
    tell = chromium.driver.execute_cdp_cmd
    tell("Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True})
    try:
        chromium.open(page)
        assert chromium.run("return document.documentElement.scrollWidth") == 390
    finally:
        tell("Emulation.clearDeviceMetricsOverride", {})


def test_a_long_file_name_leaves_room_on_a_phone(chromium: Browser, tmp_path: Path) -> None:
    path = tmp_path / f"{'long-name-of-a-recording-' * 3}.log"
    path.write_bytes(STALLED.read_bytes())
    tell = chromium.driver.execute_cdp_cmd
    tell("Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True})
    try:
        chromium.open(made(tracelink.report(path)))
        assert chromium.run("return document.documentElement.scrollWidth") == 390
        assert chromium.run("return Math.max(...[...document.querySelectorAll('.time')].map((one) => one.offsetHeight))") < 30
        assert chromium.run("return document.querySelector('td:nth-child(2)').offsetWidth") > 120
    finally:
        tell("Emulation.clearDeviceMetricsOverride", {})


def test_the_answer_fits_one_screen_and_its_body_can_be_copied(stalled: Browser) -> None:
    assert stalled.run("return document.querySelector('#answer').getBoundingClientRect().bottom") <= 800
    stalled.find("[data-copy]").click()
    deadline = time.monotonic() + 5
    while stalled.said() == "" and time.monotonic() < deadline:
        time.sleep(0.05)
    assert stalled.said() == "Copied"
    body = json.loads(stalled.find("#body-1").text)
    assert body["events"][0]["call_id"] == "call_q7Hd0vTn2XsB"


def test_search_finds_an_id_and_puts_the_focus_on_it(stalled: Browser) -> None:
    stalled.run("document.body.focus()")
    stalled.find("body").send_keys("/")
    assert stalled.focused("id") == "search"
    stalled.keys("q7HdO")
    assert [one.text for one in stalled.all("#hits [role=option]")] != []
    stalled.keys("vTn2XsB", ENTER)
    assert stalled.focused("role") == "treeitem"
    assert "call_q7H" in stalled.focused("aria-label")
    assert "wrapped.log:" in stalled.details()
    stalled.find("#search").clear()
    stalled.find("#search").send_keys("no such thing")
    assert stalled.said() == "nothing found"


def test_a_click_on_a_node_tells_source_and_line(stalled: Browser) -> None:
    node = stalled.find(".node.kind-function_call")
    stalled.run("arguments[0].scrollIntoView({block: 'center'})", node)
    node.click()
    told = stalled.details()
    assert "fixtures/stalled/wrapped.log:14" in told
    assert '{"sku": "BX-214", "units": 40, "warehouse": "Halle"}' in told
    assert "answered by" in told.lower()
    stalled.find("[data-act=close]").click()
    assert stalled.details() == ""


def test_a_finding_jumps_to_its_node(stalled: Browser) -> None:
    stalled.find('.finding[data-code="TL105"] .jump').click()
    assert stalled.focused("aria-label").startswith("result for call_q7HdOvTn2XsB")
    assert "wrapped.log:22" in stalled.details()
    box, sight = (stalled.run("return arguments[0].getBoundingClientRect().toJSON()", one) for one in (
        stalled.find(".node.selected"), stalled.find("#canvas")))  # fmt: skip
    assert sight["top"] <= box["top"] <= sight["bottom"]


def test_filters_narrow_timeline_graph_table_and_findings(stalled: Browser) -> None:
    assert len(stalled.all("#rows tr")) == 8
    stalled.find('[data-sort="state"] summary').click()
    stalled.find('input[name="state"][value="required"]').click()
    assert len(stalled.all("#rows tr")) == 2
    assert len(stalled.all(".lane .line")) == 2  # the call and, above it, its turn
    assert [one.get_attribute("aria-label") for one in stalled.all(".node.kind-tool_result")] == []
    assert "2 rows of 8" in stalled.said()
    stalled.find("[data-act=clear]").click()
    stalled.find('[data-sort="code"] summary').click()
    stalled.find('input[name="code"][value="TL105"]').click()
    assert [one.get_attribute("data-code") for one in stalled.all(".finding") if one.is_displayed()] == ["TL105"]
    stalled.find("[data-act=clear]").click()
    assert len(stalled.all("#rows tr")) == 8


def test_all_of_it_by_keyboard(stalled: Browser) -> None:
    seen = set()
    for _ in range(60):
        stalled.keys(TAB)
        seen.add(
            stalled.run(
                "const at = document.activeElement; return at.id || at.getAttribute('role') || at.className || at.tagName"
            )
        )
        if stalled.focused("role") == "treeitem":
            break
    assert {"search", "theme", "row", "jump scripted", "copy scripted", "treeitem"} <= seen
    assert stalled.run("return document.querySelectorAll('#canvas [tabindex=\"0\"]').length") == 1
    stalled.keys("\ue011", DOWN)  # Home
    assert stalled.focused("aria-label").startswith("turn turn_c5Hn2bReserve")
    stalled.keys(RIGHT)
    assert stalled.focused("aria-label").startswith("function call reserve_stock")
    assert stalled.focused("aria-expanded") == "true"
    stalled.keys(LEFT)
    assert stalled.focused("aria-expanded") == "false"
    stalled.keys(LEFT)
    assert stalled.focused("aria-label").startswith("turn turn_c5Hn2bReserve")
    stalled.keys(RIGHT, DOWN)
    assert stalled.focused("aria-label").startswith("function call book_courier")
    stalled.keys(ENTER)
    assert stalled.focused("id") == "details-title"
    stalled.keys(ESCAPE)
    assert stalled.details() == ""
    assert stalled.focused("role") == "treeitem"
    unnamed = """
        return [...document.querySelectorAll('button, input, a, [role], summary')].filter((one) => one.checkVisibility()
            && !(one.textContent.trim() || one.getAttribute('aria-label') || one.getAttribute('aria-labelledby') || one.labels?.length))
            .map((one) => one.outerHTML)"""
    assert stalled.run(unnamed) == []


def test_a_phone_in_the_dark(stalled: Browser) -> None:
    stalled.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    )
    try:
        stalled.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
        )
        assert stalled.run("return document.documentElement.scrollWidth") == 390
        dark = "return getComputedStyle(document.body).backgroundColor"
        assert stalled.run(dark) == "rgb(15, 20, 25)"
        stalled.find("#theme").click()
        stalled.find("#theme").click()
        assert stalled.run(dark) == "rgb(246, 247, 249)"
    finally:
        stalled.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        stalled.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.parametrize("how", ["all in each field", "one a field", "one a field, moved on"])
def test_hostile_recordings_are_text(chromium: Browser, how: str) -> None:
    text = hostile.everything() if how.startswith("all") else hostile.cycling(11 if "moved" in how else 0)
    chromium.open(of(hostile.recording(text)))
    shown = chromium.run(
        """
        const elements = (all) => all.filter((one) => ["IMG", "IFRAME", "LINK", "BASE", "OBJECT", "EMBED", "MATH", "VIDEO"].includes(one.tagName));
        let texts = document.body.innerText;
        for (const button of [...document.querySelectorAll("[data-row], [data-list]")]) {
          if (!button.isConnected) continue;
          button.dispatchEvent(new MouseEvent("click", { bubbles: true }));
          button.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
          texts += document.getElementById("details").innerText;
        }
        const search = document.getElementById("search");
        search.value = "window.ran"; search.dispatchEvent(new Event("input"));
        texts += document.getElementById("hits").innerText;
        const all = [...document.querySelectorAll("*")];
        return {
          ran: window.ran ?? null, texts, strangers: elements(all).map((one) => one.outerHTML), scripts: document.scripts.length,
          handlers: all.filter((one) => [...one.attributes].some((a) => a.name.startsWith("on") || /^\\s*javascript:/i.test(a.value) && a.name === "href")).length,
        };"""
    )
    assert (shown["ran"], shown["strangers"], shown["scripts"], shown["handlers"]) == (None, [], 2, 0)
    assert sum(vector in shown["texts"] for vector in hostile.VECTORS) >= (
        len(hostile.VECTORS) - 6 if how.startswith("all") else 8
    )
    assert not set("\u202e\u200b\u2028\x1b\x00\x07") & set(shown["texts"])
    assert chromium.complaints() == []
    assert [url for url in chromium.requests() if not url.startswith("file:")] == []


def test_five_thousand_calls_are_folded_and_quick(chromium: Browser) -> None:
    chromium.open(of(sessions.long(5000)), "long")
    spent = chromium.run("const at = performance.getEntriesByType('navigation')[0]; return at.loadEventEnd - at.startTime")
    assert spent < 20_000  # a second or two; the bound is for a machine that does much else
    assert chromium.run("return document.querySelectorAll('*').length") < 4000
    assert "994 turns: completed" in chromium.find("#lanes").text
    chromium.find("#search").send_keys("call_0000500x0003", ENTER)
    assert chromium.focused("aria-label").startswith("function call count_stock call_0000500x0003")
    assert "SKU-500-3" in chromium.details()
    chromium.run("document.querySelector('[data-sort=kind]').open = true")
    began = time.monotonic()
    chromium.find('input[name="kind"][value="tool result"]').click()
    assert time.monotonic() - began < 10
    assert chromium.run("return document.querySelectorAll('*').length") < 6000
    assert chromium.complaints() == []
