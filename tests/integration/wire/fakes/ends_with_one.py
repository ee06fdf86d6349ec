"""Ends on ``shutdown`` as it should, but with exit code 1."""

import sys

from correct import serve

serve()
sys.exit(1)
