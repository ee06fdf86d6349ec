"""Proofs by CrossHair on small shapes: ``check(target)`` in :mod:`basebound.lenses.proofs.proving`."""
