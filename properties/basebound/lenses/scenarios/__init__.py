"""Lens ``scenarios``: the fixed traces of the spec."""
