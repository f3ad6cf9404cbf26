"""Takes the pictures of the page that README.md shows: `python -m tests.render.html.pictures` (needs Chromium and its driver)."""

import os
import time
from base64 import b64decode
from collections.abc import Callable
from typing import NamedTuple

import tracelink
from tests.render.html.browser import Browser, started
from tests.render.html.page import made
from tests.story.conftest import ROOT

LAPTOP, PHONE = (1280, 800), (390, 844)


class Picture(NamedTuple):
    """What is opened, at which size and in which theme, and what is done before the picture is taken."""

    name: str
    recording: str
    size: tuple[int, int]
    theme: str
    then: Callable[[Browser], object] = lambda browser: None


def _refused(browser: Browser) -> None:
    browser.find('.finding[data-code="TL105"] .jump').click()
    browser.run("document.getElementById('explore').scrollIntoView()")


def _timeline(browser: Browser) -> None:
    browser.run("document.getElementById('timeline').scrollIntoView()")


PICTURES = (
    Picture("postmortem-laptop-light", "stalled/wrapped.log", LAPTOP, "light"),
    Picture("postmortem-laptop-dark", "stalled/wrapped.log", LAPTOP, "dark", _refused),
    Picture("postmortem-phone-light", "awaiting/wrapped.log", PHONE, "light"),
    Picture("postmortem-phone-dark", "subagents/wrapped.log", PHONE, "dark", _timeline),
)


def main() -> None:
    os.chdir(ROOT)  # places are named as a reader of the README would name them
    with started() as browser:
        tell = browser.driver.execute_cdp_cmd
        tell("Emulation.setScrollbarsHidden", {"hidden": True})
        for one in PICTURES:
            width, height = one.size
            size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": one.size is PHONE}
            tell("Emulation.setDeviceMetricsOverride", size)
            tell("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": one.theme}]})
            browser.open(made(tracelink.report(f"fixtures/{one.recording}")))
            one.then(browser)
            time.sleep(0.3)  # what fades or scrolls has come to rest
            shot = tell("Page.captureScreenshot", {"format": "png"})["data"]
            (ROOT / "docs" / f"{one.name}.png").write_bytes(b64decode(shot))


if __name__ == "__main__":
    main()
