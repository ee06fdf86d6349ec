"""The ground: traces, the register of requirements, hunks, meters."""
