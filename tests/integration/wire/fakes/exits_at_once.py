"""Ends before it has read anything, with a reason on stderr."""

import sys

sys.exit("ImportError: no module named 'engine'")
