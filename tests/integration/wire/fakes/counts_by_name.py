"""Legal: has the suite count, under ids of its own that are strings."""

from itertools import count

from counting import Counting

Counting(f"count {n}" for n in count()).run()
