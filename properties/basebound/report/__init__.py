"""Consumers of the verdict: each renders the same counterexamples and evidence in its own form."""
