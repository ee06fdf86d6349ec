"""``python bound_to_parent.py CMD ARG``: becomes CMD, which the kernel ends with our parent."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from contextlib import suppress

_SET_DEATH_SIGNAL = 1

if __name__ == "__main__":
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
    try:
        os.execvp(sys.argv[1], sys.argv[1:])
    except OSError as error:
        sys.exit(f"{sys.argv[1]}: {error.strerror}")
