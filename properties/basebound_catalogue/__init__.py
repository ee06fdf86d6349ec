"""Faulty engines, one per known kind of fault, and correct ones of many styles: what the suite is measured with."""

from __future__ import annotations

from basebound_catalogue.catalogue import CORRECT, FAULTS, VACUOUS, Correct, Fault, Vacuous

__all__ = ["CORRECT", "FAULTS", "VACUOUS", "Correct", "Fault", "Vacuous"]
