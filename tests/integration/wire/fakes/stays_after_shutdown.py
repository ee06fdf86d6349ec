"""Answers ``shutdown`` and stays."""

import time

from correct import serve

serve()
while True:
    time.sleep(60)
