"""Measurements of the suite itself: what it catches, how soon, and what it costs."""
