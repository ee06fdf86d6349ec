"""What decides over a verdict and keeps it: waivers, known counterexamples, records, their verification, statements."""
