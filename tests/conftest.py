"""For all tests: the secret scanner may keep its compiled patterns, in a folder of the test run's own."""

import os
import tempfile

os.environ.setdefault("KF_RULE_CACHE_DIR", os.path.join(tempfile.gettempdir(), f"tracelink-test-rules-{os.getuid()}"))
os.makedirs(os.environ["KF_RULE_CACHE_DIR"], mode=0o700, exist_ok=True)
