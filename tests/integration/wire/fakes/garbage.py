"""Answers with bytes that are neither UTF-8 nor JSON."""

import sys

for _ in sys.stdin.buffer:
    sys.stdout.buffer.write(b"\xff\xfe{\x00i\x00d\x00\n")
    sys.stdout.buffer.flush()
