"""The verdicts that the reports are made of."""

from handmade_verdicts import (  # noqa: F401  (fixtures)
    complained,
    conformant,
    hostile,
    real,
    sixty,
    verdict,
    written,
)
