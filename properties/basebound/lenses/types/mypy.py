"""mypy, in a process of its own, says what of a target does not fit the protocols, and where in its author's file."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from basebound.errors import TargetError
from basebound.lenses.types.places import Place, definition, enclosing, file_of, method, spans
from basebound.lenses.types.probe import METHODS, REQUIRED, TOGETHER, Question, probe
from basebound.lenses.types.pure import EXPECTED, Given, asking, given
from basebound.targets.loading import REFERENCE
from basebound.targets.process import Child, ours, python

SECONDS: Final = 60.0
_OF_AN_ANSWER: Final = ("return-value", "return", "override", "arg-type", "call-arg", "misc")
"""mypy's codes for what a method answers, and for what its answer is made of."""
_OF_A_RESULT: Final = ("return-value", "return")
_PARAMETER: Final = re.compile(r"(?:\(|, )\*{0,2}(\w+): ((?:[^,\[\]()]|\[[^\]]*\])+)")
"""A parameter's name and type in what mypy reveals of a function."""
FITS, MISMATCHES, INCONCLUSIVE = "fits", "mismatches", "inconclusive"


@dataclass(frozen=True)
class Mismatch:
    """Something that does not fit: in ``file`` at ``line``, mypy's ``code``, and which ``method`` it is about."""

    file: str
    line: int
    code: str
    message: str
    method: str


@dataclass(frozen=True)
class TypeReport:
    """``verdict`` is ``fits``, ``mismatches`` or ``inconclusive``; ``why`` and ``fix`` go with the last.

    ``typed``: methods whose annotations were compared. ``untyped``: methods that have none, or only in part.
    """

    target: str
    verdict: str
    mismatches: tuple[Mismatch, ...] = ()
    typed: tuple[str, ...] = ()
    untyped: tuple[str, ...] = ()
    why: str = ""
    fix: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class _Told:
    """One line of mypy's."""

    file: str
    line: int
    column: int
    code: str
    message: str
    severity: str


@dataclass(frozen=True)
class _Source:
    """The author's module, the name in it, and the file where it stands."""

    module: str
    name: str
    file: Path


def check_types(target: str, *, seconds: float = SECONDS, cache: Path | None = None) -> TypeReport:
    """Type ``target`` against the protocols of :mod:`basebound.model`.

    ``target``: ``package.module:name``, ``path/to/file.py:name`` or ``reference``; the name may be a class, a function
    or a ``functools.partial``; of ``apply_function`` and ``gate_function`` it is the functions they are given that are
    typed. ``seconds`` bounds mypy's run; ``cache`` is its cache directory. Raises
    :class:`TargetError` if there is no such file or name.
    """
    began = time.monotonic()
    source = _source(REFERENCE if target == "reference" else target)
    text, questions = probe(source.module, source.name)
    pure = given(source.file, source.name)
    copies = {file: asking(file) for file in dict.fromkeys(one.file for one in pure)}
    try:
        told = _mypy(text, source, {file: copy for file, (copy, _) in copies.items()}, cache or _cache(), seconds)
    except _NoAnswer as problem:
        return TypeReport(target, INCONCLUSIVE, why=problem.why, fix=problem.fix, seconds=time.monotonic() - began)
    reading = _Reading(target, source, questions, told)
    asked = {file: by_place for file, (_, by_place) in copies.items()}
    report = reading.report_of(pure, asked) if pure else reading.report()
    return TypeReport(**{**vars(report), "seconds": time.monotonic() - began})


def _source(target: str) -> _Source:
    place, colon, name = target.rpartition(":")
    if not colon or not place or not name:
        raise TargetError(
            "unknown-target", f"{target!r} does not name a target", "write package.module:name or path/to/file.py:name"
        )
    if place.endswith(".py"):
        file: Path | None = Path(place).resolve()
        module = Path(place).stem
    else:
        if os.getcwd() not in sys.path:
            sys.path.insert(0, os.getcwd())
        file, module = file_of(place), place
    if file is None or not file.is_file():
        raise TargetError(
            "no-such-module", f"there is no source file for {place}", f"it is looked for from {Path.cwd()}"
        )
    return _Source(module, name, file)


def _cache() -> Path:
    """The user's own cache folder, so that the next run takes a fraction of a second."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "basebound" / "mypy"


class _NoAnswer(Exception):
    def __init__(self, why: str, fix: str) -> None:
        self.why, self.fix = why, fix
        super().__init__(why)


def _mypy(text: str, source: _Source, copies: dict[Path, str], cache: Path, seconds: float) -> list[_Told]:
    """What mypy says of ``text`` and of the author's file; ``copies`` are read in place of the files they are of."""
    with tempfile.TemporaryDirectory(prefix="basebound-types-") as folder:
        file = Path(folder) / "basebound_probe.py"
        file.write_text(text, encoding="utf-8")
        command = python("mypy", "--config-file=", "--output=json", "--no-error-summary")
        command += ["--follow-imports=silent", "--ignore-missing-imports", "--check-untyped-defs"]
        command += [f"--cache-dir={cache}", "--explicit-package-bases", "--namespace-packages", str(file)]
        command += _asked_of(source, copies, Path(folder))
        path = [source.file.parent if source.module == source.file.stem else None, *map(Path, filter(None, sys.path))]
        said, complaint = Path(folder) / "said", Path(folder) / "complaint"
        with said.open("wb") as out, complaint.open("wb") as err:
            variables = ours(MYPYPATH=os.pathsep.join(_once(path)), NO_COLOR="1")
            ending = Child(command, variables, stdout=out, stderr=err, folder=Path(folder)).finish(seconds)
        lines = said.read_text(encoding="utf-8").splitlines()
        if ending.late:
            raise _NoAnswer(
                ending.of("mypy"), "allow it more time with --timeout SECONDS, or keep its cache between runs"
            )
        if ending.status not in (0, 1):
            last = (complaint.read_text(encoding="utf-8").splitlines() or lines or ["nothing printed"])[-1]
            fix = "install a version that works with this Python: pip install --upgrade mypy"
            raise _NoAnswer(f"{ending.of('mypy')}: {last}", fix)
        told = [_told(json.loads(line)) for line in lines if line.startswith("{")]
        originals = {_stands_in(original, Path(folder)).name: str(original) for original in copies}
        return [replace(line, file=originals.get(Path(line.file).name, line.file)) for line in told]


def _asked_of(source: _Source, copies: dict[Path, str], folder: Path) -> list[str]:
    """The files that mypy is asked about beside the probe, the copies written down.

    It reads a copy in place of its file, under the file's own name. An installed file may not be named; there the copy
    is a module of its own.
    """
    files = [] if _installed(source.file) or source.file in copies else [str(source.file)]
    shadows: list[str] = []
    for original, copy in copies.items():
        stand_in = _stands_in(original, folder)
        stand_in.write_text(copy, encoding="utf-8", newline="")
        files.append(str(stand_in if _installed(original) else original))
        shadows += [] if _installed(original) else ["--shadow-file", str(original), str(stand_in)]
    return [*files, *shadows]  # files all together, or mypy does not know them


def _stands_in(original: Path, folder: Path) -> Path:
    return folder / f"asking_{hashlib.sha256(str(original).encode()).hexdigest()[:16]}.py"


def _installed(file: Path) -> bool:
    return "site-packages" in file.parts


def _once(paths: Iterable[Path | None]) -> list[str]:
    """Directories in order, without what mypy finds by itself and refuses to be told."""
    chosen = dict.fromkeys(str(path) for path in paths if path is not None and path.is_dir())
    return [path for path in chosen if "site-packages" not in path and not path.startswith(sys.base_prefix)]


def _told(row: dict[str, Any]) -> _Told:
    hint = f" ({row['hint']})" if row.get("hint") else ""
    place = (row["file"], row["line"], row["column"] + 1)
    return _Told(*place, row.get("code") or "", row["message"] + hint, row["severity"])


class _Reading:
    """mypy's answers to the probe's questions."""

    def __init__(self, target: str, source: _Source, questions: dict[int, Question], told: Sequence[_Told]) -> None:
        self.target, self.source = target, source
        self.probe = [line for line in told if Path(line.file).name == "basebound_probe.py"]
        self.own = [line for line in told if Path(line.file).name != "basebound_probe.py"]
        self.errors: dict[tuple[str, str], list[_Told]] = {}
        self.notes: dict[tuple[str, str], str] = {}
        for line in self.probe:
            question = questions.get(line.line)
            key = (question.what, question.method) if question else ("head", "")
            if line.severity == "error":
                self.errors.setdefault(key, []).append(line)
            elif line.message.startswith("Revealed type is"):
                self.notes[key] = line.message.partition('"')[2].rstrip('"')

    def report(self) -> TypeReport:
        if broken := self.errors.get(("head", "")):
            return self._unresolved(broken[0])
        engine = self.notes.get(("engine", ""), "Any")
        mismatches = [*self._factory(), *self._own(engine)]
        if engine in ("Any", "object") or "Never" in engine:
            return self._result(mismatches, (), ("factory",), "the factory's result has no type")
        present = [name for name in METHODS if ("has", name) not in self.errors]
        wanted = set(REQUIRED) | (set(TOGETHER) if set(TOGETHER) & set(present) else set())
        mismatches += [self._missing(name, engine) for name in METHODS if name in wanted and name not in present]
        untyped = tuple(name for name in present if _has_any(self.notes.get(("type", name), "Any")))
        typed = tuple(name for name in present if name not in untyped)
        mismatches += [found for name in present for found in self._unfit(name, engine)]
        why = f"{', '.join(untyped)}: some types are not annotated, or only as Any" if untyped else ""
        return self._result(mismatches, typed, untyped, why)

    def report_of(
        self, functions: Sequence[Given], asked: dict[Path, dict[tuple[int, int], tuple[int, int]]]
    ) -> TypeReport:
        """What mypy says of the functions given to a pure target; ``asked`` is as :func:`asking` gives it, by file."""
        if broken := self.errors.get(("head", "")):
            return self._unresolved(broken[0])
        types: dict[Given, str] = {}
        unfit: dict[Given, str] = {}
        for line in self.own:
            file = Path(line.file).resolve()
            start = asked.get(file, {}).get((line.line, line.column))
            for one in functions:
                if (one.file, one.start) == (file, start) and line.severity == "note":
                    types[one] = line.message.partition('"')[2].rstrip('"')
                elif (one.file, one.start) == (file, start) and line.code == "arg-type":
                    unfit[one] = line.code
        misgiven = [_misgiven(one, types.get(one, ""), code) for one, code in unfit.items()]
        mismatches = [*self._factory(), *misgiven, *self._wrong_within(functions)]
        untyped = [one for one in functions if not _is_annotated(types.get(one, ""))]
        typed = tuple(dict.fromkeys(one.role for one in functions if one not in untyped))
        names = tuple(dict.fromkeys(one.role for one in untyped))
        if mismatches:
            return TypeReport(self.target, MISMATCHES, tuple(mismatches), typed, names)
        if untyped:
            why = f"the {' and the '.join(names)}: some types are not annotated, or only as Any"
            fix = "; ".join(_annotate(one, types.get(one, "")) for one in untyped)
            return TypeReport(self.target, INCONCLUSIVE, (), typed, names, why, fix)
        return TypeReport(self.target, FITS, (), typed)

    def _wrong_within(self, functions: Sequence[Given]) -> list[Mismatch]:
        """What mypy finds by itself of what the functions return; the rest of their bodies is their author's."""
        return [
            Mismatch(line.file, line.line, line.code, line.message, one.role)
            for one in functions
            for line in self.own
            if line.code in _OF_A_RESULT
            and Path(line.file).resolve() == one.place.file
            and line.line >= one.place.line
            and enclosing(one.place.file, line.line) == one.name.rpartition(".")[2]
        ]

    def _result(
        self, mismatches: Sequence[Mismatch], typed: tuple[str, ...], untyped: tuple[str, ...], why: str
    ) -> TypeReport:
        protocol = {(row.file, row.line) for row in mismatches if row.code == "assignment"}
        found = tuple(row for row in mismatches if row.code != "override" or (row.file, row.line) not in protocol)
        if found:
            return TypeReport(self.target, MISMATCHES, found, typed, untyped)
        if why:
            fix = "annotate parameters and results as the protocols of basebound.model do"
            return TypeReport(self.target, INCONCLUSIVE, (), typed, untyped, why, fix)
        return TypeReport(self.target, FITS, (), typed)

    def _unresolved(self, error: _Told) -> TypeReport:
        if error.code == "attr-defined":
            raise TargetError(
                "no-such-attribute", f"{self.source.file} has no {self.source.name!r}", "name what the file defines"
            )
        return TypeReport(self.target, INCONCLUSIVE, why=error.message, fix="make the module importable for mypy")

    def _factory(self) -> list[Mismatch]:
        place = definition(self.source.file, self.source.name) or Place(self.source.file, 1)
        asked = "called with a Config, as every factory is"
        return [
            Mismatch(str(place.file), place.line, error.code, f"{asked}: {error.message}", "factory")
            for error in self.errors.get(("call", ""), [])
        ]

    def _own(self, engine: str) -> list[Mismatch]:
        """What mypy finds by itself in the factory and in the methods of the protocols; the rest is their author's."""
        file, class_name = self._class(engine)
        theirs = spans(self.source.file, self.source.name)
        theirs += spans(file, class_name) if file == self.source.file else []
        asked = {*METHODS, "__init__", self.source.name.rpartition(".")[2]}
        found = [
            Mismatch(line.file, line.line, line.code, line.message, enclosing(self.source.file, line.line))
            for line in self.own
            if line.severity == "error"
            and Path(line.file).resolve() == self.source.file
            and any(line.line in span for span in theirs)
        ]
        return [row for row in found if row.method in asked and row.code in _OF_AN_ANSWER]

    def _missing(self, name: str, engine: str) -> Mismatch:
        place = self._class_place(engine)
        together = " (profile budget has emit and end_turn)" if name in TOGETHER else ""
        return Mismatch(str(place.file), place.line, "attr-defined", f"{engine} has no method {name!r}{together}", name)

    def _unfit(self, name: str, engine: str) -> list[Mismatch]:
        if ("plain", name) not in self.errors or ("async", name) not in self.errors:
            return []
        place = self._method_place(engine, name)
        parameters, result = METHODS[name]
        got = self.notes.get(("type", name), "")
        message = f"expected def {name}{parameters} -> {result}, plain or async; got {_short(got)}"
        code = self.errors[("plain", name)][0].code
        return [Mismatch(str(place.file), place.line, code, message, name)]

    def _class(self, engine: str) -> tuple[Path, str]:
        """The file and qualified name of the engine's class; its module is the longest prefix that is a module."""
        parts = engine.partition("[")[0].split(".")
        for cut in range(len(parts) - 1, 0, -1):
            module = ".".join(parts[:cut])
            file = self.source.file if module == self.source.module else file_of(module)
            if file is not None:
                return file, ".".join(parts[cut:])
        return self.source.file, self.source.name

    def _class_place(self, engine: str) -> Place:
        file, name = self._class(engine)
        return definition(file, name) or Place(file, 1)

    def _method_place(self, engine: str, name: str) -> Place:
        file, class_name = self._class(engine)
        return method(file, class_name, name) or self._class_place(engine)


def _has_any(revealed: str) -> bool:
    """Whether a part of the type is not known; what an ``async def`` yields and takes back does not count."""
    return re.search(r"\bAny\b", revealed.replace("Coroutine[Any, Any, ", "Awaitable[")) is not None


def _short(revealed: str) -> str:
    """mypy's type with the last part of each dotted name."""
    return re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", revealed)


def _misgiven(one: Given, revealed: str, code: str) -> Mismatch:
    message = f"expected {one.role}{EXPECTED[one.role]}; got {_short(revealed)}"
    return Mismatch(str(one.place.file), one.place.line, code, message, one.role)


def _is_annotated(revealed: str) -> bool:
    """Whether mypy knows all of a function's types; of an object that is called, its type does not say so."""
    return revealed.startswith(("def ", "Overload(")) and not _has_any(revealed)


def _annotate(one: Given, revealed: str) -> str:
    """What to annotate of a function that is given, by the names of its own parameters."""
    where = f"{os.path.relpath(one.place.file)}:{one.place.line}"
    contract = f"{one.role}{EXPECTED[one.role]}"
    parameters, _, result = revealed.rpartition(") -> ")
    named = [name for name, kind in _PARAMETER.findall(parameters or revealed) if _has_any(kind)]
    missing = [", ".join(named)] * bool(named) + ["the result"] * (result == "Any")
    if not missing or not all(part.isidentifier() for part in one.name.split(".")):
        return f"give a `def` with annotations as the {one.role} ({where}): {contract}"
    return f"annotate {' and '.join(missing)} of {one.name} ({where}) as in {contract}"
