"""What several tests of reading need."""

import pytest

from tracelink.model.limits import MiB
from tracelink.read import compression


@pytest.fixture(params=[MiB, 211])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Blocks of any size: no line's fate depends on where a block ends."""
    monkeypatch.setattr(compression, "BLOCK", request.param)
    return int(request.param)
