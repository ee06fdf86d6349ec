"""Lines the suite writes into lists it has handed over or been handed, to see whether they are shared.

No history holds them otherwise, so that one in the buffer proves who kept whose list.
"""

from __future__ import annotations

from typing import Final

BY_CALLER: Final = "<changed by the caller after the call>"
BY_READER: Final = "<changed by the reader of the snapshot>"
