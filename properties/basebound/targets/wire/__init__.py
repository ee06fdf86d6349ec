"""Engines in another process, in any language: JSON-RPC 2.0 on stdin and stdout, as WIRE.md says.

``WireTarget`` is the target, ``Client`` the suite's end of the wire, ``climb`` the ladder of an author's first steps.
"""

from basebound.targets.wire.client import Answer, Client
from basebound.targets.wire.engine import WireEngine, WireTarget
from basebound.targets.wire.faults import ErrorAnswer, WireFault
from basebound.targets.wire.ladder import Rung, climb

__all__ = ["Answer", "Client", "ErrorAnswer", "Rung", "WireEngine", "WireFault", "WireTarget", "climb"]
