"""Running a check: units of work in child processes, their events, and what they add up to."""
