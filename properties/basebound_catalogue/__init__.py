"""Faulty engines, one per known kind of fault, and correct ones of many styles: what the suite is measured with."""

from __future__ import annotations

from basebound_catalogue.catalogue import CORRECT, FAULTS, FREE_PASS, Correct, Fault, FreePass

__all__ = ["CORRECT", "FAULTS", "FREE_PASS", "Correct", "Fault", "FreePass"]
