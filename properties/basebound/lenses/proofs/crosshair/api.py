"""Every name of CrossHair that is used here, in one place.

Its Python API is not documented. These names are the same in every version this package supports; where one
goes away, importing this module fails, and the proofs say that they are unavailable. Only a child process
imports this module: CrossHair changes the process it is imported into.
"""

from __future__ import annotations

from typing import Any

import crosshair.core_and_libs  # noqa: F401  # first: it registers CrossHair's own stand-ins
from crosshair import core, opcode_intercept, statespace, tracers, util
from crosshair.auditwall import engage_auditwall
from crosshair.libimpl import builtinslib
from crosshair.options import DEFAULT_OPTIONS, AnalysisKind, AnalysisOptionSet
from crosshair.statespace import RootNode, StateSpace, VerificationStatus

explore_paths = core.explore_paths
"""Runs a function once for each path, and calls back at the end of each."""
realize, deep_realize = core.realize, core.deep_realize
"""Fix an open value, or a whole structure, to concrete values."""
python_type = core.python_type
context_statespace: Any = statespace.context_statespace
NoTracing: Any = tracers.NoTracing
"""Inside, Python runs as it always does, and open values are not followed."""
IgnoreAttempt: Any = util.IgnoreAttempt
"""Raised on a path that does not count."""
NotDeterministic = util.NotDeterministic
ResumedTracing: Any = tracers.ResumedTracing
"""Inside, open values are followed again; only within :data:`NoTracing`."""
is_tracing: Any = tracers.is_tracing
CrossHairValue: Any = util.CrossHairValue
"""The type of every open value."""
SymbolicStr: Any = builtinslib.LazyIntSymbolicStr
SymbolicBytes: Any = builtinslib.SymbolicBytes
"""Open text, whose code points are ``_codepoints``, and open bytes, whose values are ``inner``."""

register_opcode_patch: Any = core.register_opcode_patch
_opcodes: Any = opcode_intercept
ModuloInterceptor = _opcodes.ModuloInterceptor
SymbolicSubscriptInterceptor = _opcodes.SymbolicSubscriptInterceptor
SymbolicSliceInterceptor = _opcodes.SymbolicSliceInterceptor
"""Each sees its operation before it is worked out: ``%``, a subscript, a slice."""
BINARY_OP = _opcodes.BINARY_OP
frame_op_arg = _opcodes.frame_op_arg
frame_stack_read, frame_stack_write = _opcodes.frame_stack_read, _opcodes.frame_stack_write


def replace_in_analyses(function: Any, stand_in: Any) -> Any:
    """Let analyses call ``stand_in`` for ``function``, and return what CrossHair itself would have called."""
    before = core._PATCH_REGISTRATIONS.pop(function, function)
    core.register_patch(function, stand_in)
    return before


__all__ = [
    "BINARY_OP",
    "DEFAULT_OPTIONS",
    "AnalysisKind",
    "AnalysisOptionSet",
    "CrossHairValue",
    "IgnoreAttempt",
    "ModuloInterceptor",
    "NoTracing",
    "NotDeterministic",
    "ResumedTracing",
    "RootNode",
    "StateSpace",
    "SymbolicBytes",
    "SymbolicSliceInterceptor",
    "SymbolicStr",
    "SymbolicSubscriptInterceptor",
    "VerificationStatus",
    "context_statespace",
    "deep_realize",
    "engage_auditwall",
    "explore_paths",
    "frame_op_arg",
    "frame_stack_read",
    "frame_stack_write",
    "is_tracing",
    "python_type",
    "realize",
    "register_opcode_patch",
    "replace_in_analyses",
]
