"""The page on paper: nothing to press, everything unfolded, black on white, and no part torn from what explains it."""

from collections.abc import Iterator

import pytest

from tests.render.html import sessions
from tests.render.html.browser import CHROMIUM, DRIVER, Browser, started
from tests.render.html.page import made, of
from tests.rules.cases import call, told, waiting
from tests.story.conftest import report

pytestmark = pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason="Chromium and its driver are not installed")

SEEN = "return [...document.querySelectorAll(arguments[0])].filter((one) => one.getClientRects().length > 0).length"
STYLE = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
PRESSED = (".top nav", "#theme", "#tools", ".buttons button", ".jump", ".copy", "button.fold", ".node .more", ".handling")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with started() as browser:
        yield browser


@pytest.fixture
def paper(chromium: Browser) -> Iterator[Browser]:
    """Set to paper once a page is open; the screen comes back afterwards."""
    yield chromium
    media(chromium, "")
    assert chromium.complaints() == []


def media(browser: Browser, kind: str, scheme: str = "light") -> None:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": kind, "features": features})


def test_nothing_to_press_is_printed(paper: Browser) -> None:
    paper.open(made(report("stalled/wrapped.log")))
    assert all(paper.run(SEEN, selector) for selector in PRESSED)
    media(paper, "print")
    assert [selector for selector in PRESSED if paper.run(SEEN, selector)] == []
    assert paper.run(SEEN, "#answer h1, #body-1, .moment, .finding, .bar, .node, #rows tr") > 25


@pytest.mark.parametrize("theme", ["auto", "dark", "light"])
def test_paper_is_white(paper: Browser, theme: str) -> None:
    paper.open(made(report("stalled/wrapped.log")))
    media(paper, "print", "dark")
    while theme not in paper.find("#theme").get_attribute("aria-label").replace("as the system", "auto"):
        paper.run("document.getElementById('theme').click()")
    assert paper.run(STYLE, "body", "backgroundColor") == "rgb(255, 255, 255)"
    assert paper.run(STYLE, "body", "color") == "rgb(0, 0, 0)"
    assert paper.run(STYLE, ".send", "color") == "rgb(0, 0, 0)"


def test_what_is_folded_is_printed_and_folded_again(paper: Browser) -> None:
    paper.open(made(told(*waiting(*(call(f"call_e{n}") for n in range(4))))))
    folds = "return [...document.querySelectorAll('details.rest')].map((one) => one.open)"
    assert paper.run(folds) == [False] * 3
    paper.run("document.querySelector('details.rest').open = true")
    paper.run("dispatchEvent(new Event('beforeprint'))")
    media(paper, "print")
    assert paper.run(folds) == [True] * 3
    assert paper.run(SEEN, "#body-1, #body-2, #body-3, #body-4") == 4
    paper.run("dispatchEvent(new Event('afterprint'))")
    assert paper.run(folds) == [True, False, False]


def test_the_whole_graph_is_printed_and_not_only_what_was_in_sight(paper: Browser) -> None:
    paper.open(of(sessions.long(30, 30)))
    paper.run("document.querySelectorAll('[data-group]').forEach((one) => one.click())")
    count = "return document.querySelectorAll('.node').length"
    before = paper.run(count)
    paper.run("dispatchEvent(new Event('beforeprint'))")
    whole = paper.run(count)
    assert whole > before
    assert paper.run("return document.querySelector('#canvas svg').getAttribute('aria-label')").startswith("Graph of")
    paper.run("dispatchEvent(new Event('afterprint'))")
    assert paper.run(count) == before


def test_breaks_fall_where_they_hurt_least(paper: Browser) -> None:
    paper.open(made(report("stalled/wrapped.log")))
    media(paper, "print")
    assert {
        one: paper.run(STYLE, one, "breakInside") for one in ("#timeline", "#graph", ".moment", ".finding", ".body", ".line")
    } == (dict.fromkeys(("#timeline", "#graph", ".moment", ".finding", ".body", ".line"), "avoid"))
    assert paper.run(STYLE, "#answer", "breakInside") == "auto"  # else the first sheet stays empty
    assert paper.run(STYLE, "#happened h2", "breakAfter") == "avoid"
    assert {paper.run(STYLE, one, "maxHeight") for one in ("#lanes", "#canvas", "#body-1", ".quoted", ".untold ul")} == {"none"}
