"""A page made from a recording, and what a reader of HTML finds in it."""

import json
from collections import Counter
from html.parser import HTMLParser
from typing import Any

import tracelink
from tracelink.model.run import Report
from tracelink.render import html
from tracelink.story import chart, pick_session, tell

_TAGS = (
    "html head meta title style body a header p nav button main section h1 h2 h3 ul ol li dl div dt dd b br pre span code mark blockquote "
    "footer details summary aside script noscript form label input table caption thead tr th tbody i"
)
_ATTRIBUTES = (
    "lang charset http-equiv content name class href id type hidden role tabindex for autocomplete autocapitalize spellcheck placeholder "
    "scope data-row data-code data-copy data-note data-zoom data-size data-page"
)
TAGS, ATTRIBUTES = frozenset(_TAGS.split()), frozenset(_ATTRIBUTES.split())


def made(report: Report, turn: str | None = None) -> bytes:
    """The page of the session that a post-mortem would choose."""
    at = pick_session(report.sessions)
    assert at is not None
    session = report.sessions[at]
    return html.render(report, session, tell(session, turn, report.findings), chart(session))


def of(recording: bytes) -> bytes:
    return made(tracelink.report(recording))


class Page(HTMLParser):
    """Attributes: tags and attributes counted, ids, texts outside of script and style, what stands in each script and style."""

    def __init__(self, data: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: Counter[str] = Counter()
        self.attributes: Counter[str] = Counter()
        self.ids: Counter[str] = Counter()
        self.links: set[str] = set()
        self.policy = ""
        self.text: list[str] = []
        self.inner: dict[str, list[str]] = {"script": [], "style": []}
        self.scripts: list[str | None] = []
        self.within = ""
        self.feed(data.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        found = dict(attrs)
        self.attributes.update(name for name, _ in attrs)
        if found.get("id") is not None:
            self.ids[str(found["id"])] += 1
        if "href" in found:
            self.links.add(str(found["href"]))
        if found.get("http-equiv") == "Content-Security-Policy":
            self.policy = str(found["content"])
        if tag in self.inner:
            self.within = tag
            self.inner[tag].append("")
            if tag == "script":
                self.scripts.append(found.get("type"))

    def handle_endtag(self, tag: str) -> None:
        if tag == self.within:
            self.within = ""

    def handle_data(self, data: str) -> None:
        if self.within:
            self.inner[self.within][-1] += data
        else:
            self.text.append(data)

    @property
    def data(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self.inner["script"][0])
        return loaded

    def hold(self) -> None:
        """What is true of every page: our elements and attributes only, one script, links within the page, ids once."""
        assert set(self.tags) <= TAGS, set(self.tags) - TAGS
        unknown = {name for name in self.attributes if name not in ATTRIBUTES and not name.startswith("aria-")}
        assert not unknown, unknown
        assert self.scripts == ["application/json", None]
        assert self.tags["style"] == self.tags["form"] == self.tags["title"] == 1
        assert all(link.startswith("#") for link in self.links), self.links
        assert all(link[1:] in self.ids for link in self.links), self.links
        assert set(self.ids.values()) == {1}
