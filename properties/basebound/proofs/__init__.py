"""Proofs by CrossHair on small shapes: ``check(target)`` in :mod:`basebound.proofs.check`."""
