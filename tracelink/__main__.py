"""`python -m tracelink`."""

import sys

from tracelink.cli import main

sys.exit(main())
