"""CrossHair as the proofs use it: its names, what stands in for parts of Python while it runs, and its canaries."""
