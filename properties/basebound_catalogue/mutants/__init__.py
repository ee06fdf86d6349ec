"""Faulty engines, one per known kind of fault."""
