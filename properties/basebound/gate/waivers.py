"""Waivers: broken requirements a team knows of, each with a reason, an owner and a day on which that ends.

The file is TOML, a table ``[[waiver]]`` for each, with ``id``, ``reason``, ``owner``, ``expires`` (a TOML date) and,
where chance has a part in finding the break again, ``trace``: its history in the form of ``trace/1``, a line a
string. A file that does not read so is an error of usage. A waiver that has expired, or that matches nothing any
more, is a complaint, and makes the run one with violations.
"""

from __future__ import annotations

import getpass
import json
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from basebound.core.register import requirement
from basebound.core.trace import Trace, loads, ndjson
from basebound.errors import UsageError
from basebound.results.verdict import FAIL, INCONCLUSIVE, NOT_CLAIMED, PASS, WAIVED, Judged, Verdict
from basebound.results.waiver import Waiver

DAYS = 30
"""How long a waiver of a started file lasts."""
_NEEDED = ("id", "reason", "owner", "expires")
_ALLOWED = (*_NEEDED, "trace")
_FORM = '[[waiver]] with id = "BASE-...", reason = "...", owner = "..." and expires = 2030-01-31'
_CERTAIN = ("scenarios",)
"""Lenses that find the same breaks in every run, so that no history has to be kept."""
_HEAD = """\
# Requirements of basebound that are known to be broken. `basebound check TARGET --waivers {name}` gates on all others.
# A waiver ends the run with exit code 1 once it has expired, and once its requirement passes: then remove it.
# Say in `reason` why the break can be lived with, and what will fix it.
"""


def load(path: Path) -> tuple[Waiver, ...]:
    """The waivers of a file; raises ``UsageError`` naming the one that is malformed, why, and how to fix it."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        fix = "name a TOML file, or start one with --write-waivers"
        raise UsageError("waivers-unreadable", f"the waivers {path} cannot be read: {error}", fix) from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError("waivers-not-toml", f"the waivers {path} are not TOML: {error}", f"write {_FORM}") from None
    rows = table.pop("waiver", [])
    if table or not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        what = f"{path} holds {', '.join(map(repr, table))}" if table else f"waiver in {path} is not an array of tables"
        raise UsageError("waivers-unknown-content", what, f"it holds nothing but {_FORM}")
    found = tuple(_waiver(row, f"waiver {number} of {path}") for number, row in enumerate(rows, start=1))
    _check_unique(found, path)
    return found


def _waiver(row: dict[str, Any], where: str) -> Waiver:
    missing = [name for name in _NEEDED if name not in row]
    unknown = [name for name in row if name not in _ALLOWED]
    if missing:
        raise UsageError("waiver-missing-field", f"{where} has no {' and no '.join(missing)}", f"write {_FORM}")
    if unknown:
        raise UsageError(
            "waiver-unknown-field", f"{where} has a field {unknown[0]!r}", f"its fields are {', '.join(_ALLOWED)}"
        )
    for name in ("id", "reason", "owner"):
        if not isinstance(row[name], str) or not row[name].strip():
            raise UsageError(
                "waiver-wrong-type", f"{name} of {where} is {row[name]!r}", f"it is text, and says something: {_FORM}"
            )
    if type(row["expires"]) is not date:  # a TOML date and time is a date too
        raise UsageError(
            "waiver-wrong-type", f"expires of {where} is not a date", "write it without quotes, as expires = 2030-01-31"
        )
    try:
        known = requirement(row["id"])
    except UsageError as error:
        raise UsageError(error.code, f"{where}: {error.what}", error.fix) from None
    return Waiver(known.id, row["reason"], row["owner"], row["expires"], _trace(row.get("trace"), where))


def _trace(lines: object, where: str) -> Trace | None:
    if lines is None:
        return None
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise UsageError(
            "waiver-wrong-type",
            f"trace of {where} is not an array of strings",
            "write a line of the trace file a string",
        )
    return loads("\n".join(lines), f"trace of {where}")


def _check_unique(waivers: Sequence[Waiver], path: Path) -> None:
    seen: set[str] = set()
    for waiver in waivers:
        if waiver.id in seen:
            raise UsageError("waiver-twice", f"{path} waives {waiver.id} twice", "keep one of the two")
        seen.add(waiver.id)


def waive(verdict: Verdict, waivers: Sequence[Waiver], today: date) -> Verdict:
    """``verdict`` with the failures that ``waivers`` name waived, and a complaint for each that must go."""
    by_id = {waiver.id: waiver for waiver in waivers}
    rows = tuple(_waived(row, by_id.get(row.requirement.id), today) for row in verdict.judged)
    complaints = tuple(
        complaint
        for row in verdict.judged
        if (waiver := by_id.get(row.requirement.id)) is not None
        and (complaint := _complaint(row, waiver, verdict, today))
    )
    return replace(verdict, judged=rows, complaints=(*verdict.complaints, *complaints))


def _waived(row: Judged, waiver: Waiver | None, today: date) -> Judged:
    if waiver is None or row.verdict != FAIL or waiver.expires < today:
        return row
    return replace(row, verdict=WAIVED, note=str(waiver), waiver=waiver)


def _complaint(row: Judged, waiver: Waiver, verdict: Verdict, today: date) -> str:
    """What is wrong with a waiver, or nothing."""
    name, profile = row.requirement.id, row.requirement.profile
    if row.verdict == PASS:
        return f"the waiver of {name} matches nothing any more, the requirement passes: remove it"
    if row.verdict == NOT_CLAIMED and (profile in verdict.profiles or profile not in verdict.target.profiles):
        return f"the waiver of {name} matches nothing, {row.note}: remove it"
    if row.verdict in (FAIL, INCONCLUSIVE) and waiver.expires < today:
        fix = "fix the engine, or agree on a new date"
        return f"the waiver of {name} expired on {waiver.expires} (owner {waiver.owner}): {fix}"
    return ""


def check_new(path: Path) -> None:
    """Raises ``UsageError`` where a file of waivers cannot be started."""
    if path.exists():
        fix = "remove it, or name another file; what it waives is renewed by hand, with a reason"
        raise UsageError("file-exists", f"the file {path} is there already, and waivers are not overwritten", fix)
    if not path.absolute().parent.is_dir():
        raise UsageError(
            "no-such-folder", f"there is no folder {path.absolute().parent} to write {path.name} in", "make it first"
        )


def start(verdict: Verdict, path: Path, today: date) -> tuple[str, ...]:
    """Write a file that waives today's violations for ``DAYS`` days; gives the ids it waives."""
    failed = [row for row in verdict.judged if row.verdict == FAIL and row.requirement.level == "MUST"]
    person, expires = owner(), today + timedelta(days=DAYS)
    parts = [_HEAD.format(name=path), *("\n".join(_entry(row, person, today, expires)) for row in failed)]
    path.write_text("\n".join(parts).rstrip("\n") + "\n", encoding="utf-8")
    return tuple(row.requirement.id for row in failed)


def _entry(row: Judged, person: str, today: date, expires: date) -> Iterator[str]:
    found = row.counterexample
    seen = f": allowed is {found.finding.allowed}, seen was {found.finding.seen}" if found is not None else ""
    yield "[[waiver]]"
    yield f"id = {_string(row.requirement.id)}"
    yield f"reason = {_string(f'broken on {today}{seen}')}"
    yield f"owner = {_string(person)}"
    yield f"expires = {expires}"
    if found is not None and found.lens not in _CERTAIN and found.repeats == "always":
        rows = (
            found.rows()[:1] if found.concurrent is not None else found.rows()
        )  # a schedule says it all in its first line
        yield "trace = ["
        yield from (f"  {_string(line)}," for line in ndjson(rows).split("\n") if line)
        yield "]"
    yield ""


def _string(text: str) -> str:
    """``text`` as a TOML string: literal where it can be, so that JSON in it stays readable."""
    if "'" not in text and text.isprintable():
        return f'"{text}"' if '"' not in text and "\\" not in text else f"'{text}'"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def owner() -> str:
    """Who starts the file: git's ``user.email``, its ``user.name``, or the name of this account."""
    for key in ("user.email", "user.name"):
        try:
            done = subprocess.run(["git", "config", key], capture_output=True, text=True, check=False)
        except OSError:
            break
        if done.stdout.strip():
            return done.stdout.strip()
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"
