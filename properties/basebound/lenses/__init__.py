"""Ways of looking at a target. Each runs histories through a ``Session`` and yields the same events."""
