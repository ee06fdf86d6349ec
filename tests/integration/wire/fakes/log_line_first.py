"""Prints a line of its log to stdout when it starts; all else is correct."""

from correct import serve

print("[engine] ready, 0 lines loaded", flush=True)
serve()
