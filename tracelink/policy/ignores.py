"""Per-file and per-session ignores: globs, each with the selectors of rules that do not count there.

In a glob `*` and `?` stand for anything, `/` too, and `[…]` for one of several characters. A glob without `/` is compared with
the file's own name, one with `/` with its path, as it was given and as seen from the folder of the configuration file; one
that ends in `/` means everything below. A finding's file is that of its first location.
"""

import os.path
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from tracelink.model.finding import Finding
from tracelink.policy.select import codes_of


@dataclass(frozen=True, slots=True)
class Ignores:
    """Globs with codes. folder: that of the configuration file, or None; here: the working directory. Both absolute."""

    files: tuple[tuple[str, frozenset[str]], ...] = ()
    sessions: tuple[tuple[str, frozenset[str]], ...] = ()
    folder: str | None = None
    here: str = "/"

    def __contains__(self, finding: Finding) -> bool:
        if finding.session_id is not None:
            for glob, codes in self.sessions:
                if finding.code in codes and fnmatchcase(finding.session_id, glob):
                    return True
        if not finding.locations:
            return False
        source = finding.locations[0].source
        return any(finding.code in codes and self._fits(source, glob) for glob, codes in self.files)

    def _fits(self, source: str, glob: str) -> bool:
        path = source.replace(os.path.sep, "/")
        if "/" not in glob:
            return fnmatchcase(path.rsplit("/", 1)[-1], glob)
        glob = glob.removeprefix("./")
        glob = f"{glob}*" if glob.endswith("/") else glob
        whole = os.path.normpath(os.path.join(self.here, source))
        names = {path.removeprefix("./"), whole}
        if self.folder is not None:
            names.add(os.path.relpath(whole, self.folder))
        return any(fnmatchcase(name.replace(os.path.sep, "/"), glob) for name in names)


def rows(table: Mapping[str, Sequence[str]]) -> tuple[tuple[str, frozenset[str]], ...]:
    """A table of globs to selectors as `Ignores` takes it. Raises ValueError for an unknown selector."""
    return tuple(
        (glob, frozenset(code for selector in selectors for code in codes_of(selector)[0])) for glob, selectors in table.items()
    )
