"""Legal: has the suite count, under ids of its own that are numbers and the same as the suite's."""

from itertools import count

from counting import Counting

Counting(count(1)).run()
