"""Headless Chromium on pages from disk: driven as a person drives it, with what it logged and asked for."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
DRIVER = shutil.which("chromedriver")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1280,800",
)


class Browser:
    def __init__(self, driver: Any, folder: Path) -> None:
        self.driver, self.folder = driver, folder

    def open(self, data: bytes, name: str = "page") -> None:
        """Writes the page and opens it from disk; what was logged before is forgotten."""
        path = self.folder / f"{name}.html"
        path.write_bytes(data)
        self.driver.get("about:blank")
        self.complaints(), self.requests()
        self.driver.get(path.as_uri())

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def find(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def all(self, selector: str) -> list[Any]:
        found: list[Any] = self.driver.find_elements("css selector", selector)
        return found

    def keys(self, *keys: str) -> None:
        """Typed at whatever has the focus."""
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def focused(self, attribute: str) -> str:
        return str(self.run("return document.activeElement.getAttribute(arguments[0]) ?? ''", attribute))

    def said(self) -> str:
        return str(self.run("return document.getElementById('said').textContent"))

    def details(self) -> str:
        return str(self.run("const panel = document.getElementById('details'); return panel.hidden ? '' : panel.innerText"))

    def complaints(self) -> list[str]:
        """What the console holds since last asked: errors of scripts, violations of the policy, failed requests."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """The addresses asked for since last asked."""
        found = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [one["params"]["request"]["url"] for one in found if one["method"] == "Network.requestWillBeSent"]


@contextmanager
def started() -> Iterator[Browser]:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        options = Options()
        options.binary_location = str(CHROMIUM)
        for flag in (*FLAGS, f"--user-data-dir={folder}/profile"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        try:
            driver.set_page_load_timeout(60)
            yield Browser(driver, Path(folder))
        finally:
            driver.quit()
