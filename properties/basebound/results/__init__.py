"""The types that all rooms speak of: what a call came to, what it broke, and what is said of a target in the end."""
