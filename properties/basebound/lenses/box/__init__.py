"""Lens ``box``: every case of a small world."""
