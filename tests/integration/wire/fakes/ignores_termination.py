"""Stays after ``shutdown`` and takes no notice of SIGTERM."""

import signal
import time

from correct import serve

signal.signal(signal.SIGTERM, signal.SIG_IGN)
serve()
while True:
    time.sleep(60)
