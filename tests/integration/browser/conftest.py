"""The verdicts that the pages are made of."""

from handmade_verdicts import complained, conformant, hostile, real, sixty, verdict  # noqa: F401  (fixtures)
