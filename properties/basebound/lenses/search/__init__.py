"""Lens ``search``: long mixed histories by a Hypothesis state machine."""
