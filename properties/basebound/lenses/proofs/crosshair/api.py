"""Every name of CrossHair that the suite uses, in one module.

Of CrossHair's Python API only a few names are public: those by which a plugin registers what stands in for a function.
All others are private, and a new release may change them. Where one goes away, importing this module fails and the
proofs are unavailable; where one means something else, the canaries fail (:mod:`.canary`).

CrossHair changes the process it is imported into: only a child process imports this module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import BoundArguments, Signature
from types import CodeType, FrameType
from typing import Any, Final

import crosshair.core_and_libs  # noqa: F401  # first: it registers CrossHair's own stand-ins
from crosshair import core, opcode_intercept, statespace, tracers, util
from crosshair.auditwall import engage_auditwall
from crosshair.libimpl import builtinslib
from crosshair.options import DEFAULT_OPTIONS, AnalysisKind, AnalysisOptionSet
from crosshair.statespace import RootNode, VerificationStatus

_opcodes: Any = opcode_intercept

# ------------------------------------------------------------------------------------- open values

realize, deep_realize = core.realize, core.deep_realize
"""Fix an open value, or a whole structure, to concrete values."""
python_type = core.python_type
CrossHairValue: Any = util.CrossHairValue
"""The type of every open value."""
_SymbolicText: Any = builtinslib.LazyIntSymbolicStr
_SymbolicBytes: Any = builtinslib.SymbolicBytes


class OpenText(_SymbolicText):  # type: ignore[misc]  # CrossHair is not typed
    """An open text of which only its code points are known, and these only when they are asked for."""

    def code_points(self) -> Any:
        raise NotImplementedError

    @property
    def _codepoints(self) -> Any:
        return self.code_points()


class OpenBytes(_SymbolicBytes):  # type: ignore[misc]  # CrossHair is not typed
    """Open bytes of which only their values are known, and these only when they are asked for."""

    def byte_values(self) -> Any:
        raise NotImplementedError

    @property
    def inner(self) -> Any:
        return self.byte_values()


def code_points(text: Any) -> Any:
    """The code points of a text, open or not."""
    return _SymbolicText._force_into_codepoints(text)


def text_of(points: Any) -> Any:
    """The text of open code points."""
    return _SymbolicText(points)


def byte_values(data: Any) -> Any:
    """The values of open bytes."""
    return data.inner


# ----------------------------------------------------------------------------------------- tracing

NoTracing: Any = tracers.NoTracing
"""Inside, Python runs as it always does, and open values are not followed."""
ResumedTracing: Any = tracers.ResumedTracing
"""Inside, open values are followed again; only within :data:`NoTracing`."""
is_tracing: Any = tracers.is_tracing
IgnoreAttempt: Any = util.IgnoreAttempt
"""Raised on a path that does not count."""
NotDeterministic = util.NotDeterministic
"""Raised where the same decisions led to another path than before."""


def of_this_path(kind: type[Any]) -> Any:
    """The one ``kind`` of the path under way; each path has a new one."""
    return statespace.context_statespace().extra(kind)


# ---------------------------------------------------------------------------------------- stand-ins


def replace_in_analyses(function: Any, stand_in: Any) -> Any:
    """Let analyses call ``stand_in`` for ``function``, and return what CrossHair itself would have called.

    The public ``register_patch`` refuses a function that CrossHair has a stand-in for, as it has for most that
    matter here: so that one is taken out first.
    """
    before = core._PATCH_REGISTRATIONS.pop(function, function)
    core.register_patch(function, stand_in)
    return before


Instead = Callable[..., Any]
"""Given the operands, what to put in the place of the first; ``None`` leaves it."""
_REMAINDER: Final = 6
_SUBSCRIPT: Final = 26
"""Operands of ``BINARY_OP``: for ``%``, and for a subscript where a Python has that."""


def before_remainder(instead: Instead) -> None:
    """Let ``instead(left)`` stand for the left operand of every ``%`` of an analysis."""

    def act(frame: FrameType, operation: int) -> None:
        if _opcodes.frame_op_arg(frame) == _REMAINDER:
            _substitute(frame, instead, -2)

    _before(_opcodes.ModuloInterceptor, act)


def before_subscript(instead: Instead) -> None:
    """Let ``instead(container, key)`` stand for the container of every subscript of an analysis."""

    def act(frame: FrameType, operation: int) -> None:
        if operation != _opcodes.BINARY_OP or _opcodes.frame_op_arg(frame) == _SUBSCRIPT:
            _substitute(frame, instead, -2, -1)

    _before(_opcodes.SymbolicSubscriptInterceptor, act)


def before_slice(instead: Instead) -> None:
    """Let ``instead(container, start, stop)`` stand for the container of every slice, where slices have an operation
    of their own (from Python 3.12 on)."""
    _before(_opcodes.SymbolicSliceInterceptor, lambda frame, operation: _substitute(frame, instead, -3, -2, -1))


def _before(interceptor: Any, act: Callable[[FrameType, int], None]) -> None:
    class Before(interceptor):  # type: ignore[misc]  # a class of its own: CrossHair takes only one of each
        def trace_op(self, frame: FrameType, codeobj: CodeType, codenum: int) -> None:
            act(frame, codenum)

    core.register_opcode_patch(Before())


def _substitute(frame: FrameType, instead: Instead, *places: int) -> None:
    made = instead(*[_opcodes.frame_stack_read(frame, place) for place in places])
    if made is not None:
        _opcodes.frame_stack_write(frame, places[0], made)


# ----------------------------------------------------------------------------------------- analyses


@dataclass
class PathEnd:
    """How one path ended: ``answer`` was returned, or ``raised``, for open ``arguments``."""

    arguments: Mapping[str, Any]
    answer: Any
    raised: BaseException | None
    space: Any

    def concrete(self) -> tuple[dict[str, Any], Any]:
        """The arguments and the answer with what is open fixed to one value; nothing is followed from here on."""
        self.space.detach_path()
        return deep_realize(dict(self.arguments)), deep_realize(self.answer)


def follow_paths(
    call: Callable[[Mapping[str, Any]], Any],
    signature: Signature,
    at_the_end: Callable[[PathEnd], bool],
    seconds: float,
    most: int | None = None,
) -> bool:
    """Run ``call`` on open arguments once for each path; says whether all were followed to their ends.

    ``at_the_end`` of a path, with its values still open, says whether to stop. It ends after about ``seconds`` of CPU
    time and at ``most`` so many paths. Raises :data:`NotDeterministic`.
    """

    def ended(
        space: Any, given: BoundArguments, _: object, answer: Any, raised: BaseException | None, *rest: object
    ) -> bool:
        return at_the_end(PathEnd(given.arguments, answer, raised, space))

    root = RootNode()
    core.explore_paths(lambda given: call(given.arguments), signature, _options(seconds, most), root, ended)
    status = root.child.get_result().verification_status
    return status is VerificationStatus.CONFIRMED and bool(root.child.is_exhausted())


def _options(seconds: float, most: int | None) -> Any:
    # Contracts in the target's own docstrings are not ours: only plain asserts are read, and there are none.
    bounds: dict[str, Any] = {"per_condition_timeout": seconds, "analysis_kind": (AnalysisKind.asserts,)}
    if most is not None:
        bounds["max_iterations"] = most
    return DEFAULT_OPTIONS.overlay(AnalysisOptionSet(**bounds))


__all__ = [
    "CrossHairValue",
    "IgnoreAttempt",
    "NoTracing",
    "NotDeterministic",
    "OpenBytes",
    "OpenText",
    "PathEnd",
    "ResumedTracing",
    "before_remainder",
    "before_slice",
    "before_subscript",
    "byte_values",
    "code_points",
    "deep_realize",
    "engage_auditwall",
    "follow_paths",
    "is_tracing",
    "of_this_path",
    "python_type",
    "realize",
    "replace_in_analyses",
    "text_of",
]
