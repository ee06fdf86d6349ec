"""The parts of the HTML report that stand without a script: the summary, the cases and the table of requirements."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias
from xml.etree.ElementTree import Element

from basebound.core.register import Requirement, by_id
from basebound.model import PROFILES
from basebound.report.evidence import phrase
from basebound.report.frames import short
from basebound.run.verdict import FAIL, INCONCLUSIVE, NOT_CLAIMED, PASS, WAIVED

Json: TypeAlias = Mapping[str, Any]

_SEEN = 200
"""Characters of what was seen that the table shows."""
_STORY = 6_000
"""Characters of a counterexample's plain text that are shown."""
SIGNS = {FAIL: "×", INCONCLUSIVE: "?", WAIVED: "~", PASS: "✓", NOT_CLAIMED: "–"}
WORDS = {FAIL: "broken", INCONCLUSIVE: "not exercised", WAIVED: "waived", PASS: "passed", NOT_CLAIMED: "not claimed"}
_VERDICTS = {
    "conformant": (PASS, "conformant"),
    "violations": (FAIL, "violations"),
    "inconclusive": (INCONCLUSIVE, "inconclusive"),
}


def e(tag: str, *children: Element | str, **attributes: str) -> Element:
    """An element; ``class_`` and ``for_`` lose their underscore, other underscores become hyphens."""
    made = Element(tag, {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()})
    for child in children:
        if isinstance(child, Element):
            made.append(child)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + child
        else:
            made.text = (made.text or "") + child
    return made


def headline(report: Json) -> str:
    """The verdict as what comes after the target's name."""
    binding = [row["verdict"] for row in report["requirements"] if row["level"] == "MUST"]
    of = len(binding) - binding.count(NOT_CLAIMED)
    broken, open_, waived = (binding.count(word) for word in (FAIL, INCONCLUSIVE, WAIVED))
    if broken:
        return f"breaks {broken} of {of} MUST requirements it claims"
    if report["waivers"]["complaints"]:
        return "has waivers that must go"
    if report["verdict"] == "inconclusive":
        return f"was not put to {open_} of {of} MUST requirements it claims"
    if waived:
        return f"keeps {of - waived} of {of} MUST requirements it claims, {waived} waived"
    return f"keeps all {of} MUST requirements it claims"


def summary(report: Json) -> Element:
    word, told = _VERDICTS[report["verdict"]]
    return e(
        "section",
        e("p", _sign(word), e("span", told), class_=f"pill {word}"),
        e("h1", e("code", report["target"]["name"]), f" {headline(report)}", id="title"),
        _facts(report),
        _profiles(report),
        *_complaints(report["waivers"]["complaints"]),
        *_notes(report),
        class_="summary",
        aria_labelledby="title",
    )


def cases(report: Json) -> Iterator[Element]:
    """A section for each kind of what broke, a case for each history in it."""
    first = True
    for title, about, rows in _broken(report):
        if not rows:
            continue
        groups = by_history(rows)
        name = title.lower().replace(" ", "-")
        heading = e("h2", title, " ", e("small", str(len(rows)), class_="count"), id=name)
        opened = [_case(report, group, first and at == 0) for at, group in enumerate(groups)]
        yield e("section", heading, e("p", about, class_="lead"), *opened, class_="cases", aria_labelledby=name)
        first = False


def by_history(rows: Sequence[Json]) -> list[list[Json]]:
    """Requirements broken at one step of one history, to be told together."""
    groups: dict[str, list[Json]] = {}
    for row in rows:
        found = row["counterexample"]
        groups.setdefault(json.dumps([found["trace"], found["step"]]), []).append(row)
    return list(groups.values())


def told(report: Json) -> Iterator[list[Json]]:
    """The groups of all cases, in the order of the page."""
    for _, _, rows in _broken(report):
        yield from by_history(rows)


def table(report: Json) -> Element:
    """Every requirement with its verdict and the evidence; the script makes it filterable."""
    rows = [_row(row) for row in report["requirements"]]
    head = e("tr", *[e("th", name, scope="col") for name in ("Verdict", "Requirement", "Evidence")])
    body = e("tbody", *rows)
    listed = e("table", e("caption", "All requirements", class_="aside"), e("thead", head), body, id="table")
    heading = e("h2", "Requirements ", e("small", str(len(rows)), class_="count"), id="requirements")
    about = "Every requirement of the spec, and what stands behind its verdict. What was not exercised has not passed."
    filters = e("div", id="filters", class_="filters", hidden="hidden")
    return e("section", heading, e("p", about, class_="lead"), filters, listed, aria_labelledby="requirements")


def _facts(report: Json) -> Element:
    runs = sum(lens["runs"] for lens in report["lenses"].values())
    steps = sum(lens["steps"] for lens in report["lenses"].values())
    source = report["target"]["source"]
    facts = {
        "spec": report["spec"],
        "effort": report["effort"],
        "seed": str(report["seed"]),
        "histories": f"{runs:,}",
        "steps": f"{steps:,}",
        "time": f"{report['elapsed_s']:.1f} s",
    }
    if source is not None:
        facts["source"] = f"{source['file']}:{source['line']}"
    return e("dl", *[e("div", e("dt", name), e("dd", value)) for name, value in facts.items()], class_="facts")


def _profiles(report: Json) -> Element:
    """For each profile a square a requirement, and the same in words."""
    lines = []
    for profile in PROFILES:
        rows = [row for row in report["requirements"] if row["profile"] == profile]
        if rows:
            lines.append(e("div", e("dt", profile), e("dd", _squares(rows), _counts(rows))))
    return e("dl", *lines, class_="profiles")


def _squares(rows: Sequence[Json]) -> Element:
    drawn = []
    for row in rows:
        place = row["id"] if row["counterexample"] is not None else f"row-{row['id']}"
        title = f"{row['id']}: {WORDS[row['verdict']]}"
        drawn.append(e("a", SIGNS[row["verdict"]], href=f"#{place}", title=title, tabindex="-1", class_=row["verdict"]))
    return e("span", *drawn, class_="squares", aria_hidden="true")


def _counts(rows: Sequence[Json]) -> Element:
    claimed = [row["verdict"] for row in rows if row["verdict"] != NOT_CLAIMED]
    counted = [e("span", f"{claimed.count(v)} {word}", class_=v) for v, word in WORDS.items() if v in claimed]
    told: list[Element | str] = [part for one in counted for part in (one, ", ")][:-1]
    return e("span", *(told or ["not claimed"]), class_="counts" if told else "counts not-claimed")


def _complaints(complaints: Sequence[str]) -> list[Element]:
    if not complaints:
        return []
    listed = e("ul", *[e("li", one) for one in complaints])
    return [e("div", e("h2", "Waivers that must go"), listed, class_="complaints")]


def _notes(report: Json) -> list[Element]:
    notes = [*report["notes"]]
    if not notes:
        return []
    title = f"{len(notes)} note{'s' if len(notes) > 1 else ''} on the run"
    return [e("details", e("summary", title), e("ul", *[e("li", note) for note in notes]), class_="notes")]


def _broken(report: Json) -> list[tuple[str, str, list[Json]]]:
    rows = [row for row in report["requirements"] if row["counterexample"] is not None]
    must = [row for row in rows if row["verdict"] == FAIL and row["level"] == "MUST"]
    waived = [row for row in rows if row["verdict"] == WAIVED]
    advice = [row for row in rows if row["verdict"] == FAIL and row["level"] != "MUST"]
    shortest = "Each with the shortest history that was found to show it."
    return [
        ("What broke", shortest, must),
        ("Waived", "Broken too, and known: each waiver says why, whose it is and until when.", waived),
        ("Advice", "SHOULD requirements: no violation, and worth fixing.", advice),
    ]


def _case(report: Json, rows: Sequence[Json], opened: bool) -> Element:
    first, also = rows[0], rows[1:]
    found, rule = first["counterexample"], by_id().get(first["id"])
    title = e("h3", e("span", first["id"], class_="id"), " ", e("span", first["sentence"], class_="sentence"))
    length = f"{len(found['trace']) - 1} steps"
    parts = [e("summary", e("span", title, class_="what"), e("span", _more(also), length, class_="length"))]
    parts += [e("span", id=row["id"], class_="anchor") for row in also]
    parts += [_also(also)] if also else []
    parts += [e("p", first["note"], class_="waiver")] if first["verdict"] == WAIVED else []
    parts += [_contrast(found), e("div", class_="stepper", hidden="hidden")]
    parts += [e("p", note, class_="note") for note in found.get("notes", [])]
    parts += [_about(rule)] if rule is not None else []
    plain = e("pre", short(found["explanation"], _STORY))
    parts.append(e("details", e("summary", "The same as plain text"), plain, class_="plain"))
    parts.append(_replay(report, first))
    attributes = {"open": "open"} if opened else {}
    return e("details", *parts, id=first["id"], class_="case", **attributes)


def _more(also: Sequence[Json]) -> str:
    return f"+{len(also)} more, " if also else ""


def _also(rows: Sequence[Json]) -> Element:
    listed = [e("li", e("span", row["id"], class_="id"), " ", row["sentence"]) for row in rows]
    return e("div", e("p", "The same step also breaks"), e("ul", *listed), class_="also")


def _contrast(found: Json) -> Element:
    return e(
        "dl",
        e("div", e("dt", "Allowed"), e("dd", short(found["allowed"], _STORY)), class_="allowed"),
        e("div", e("dt", "Seen"), e("dd", short(found["seen"], _STORY)), class_="seen"),
        class_="contrast",
    )


def _about(rule: Requirement) -> Element:
    return e(
        "dl",
        e("div", e("dt", "Why it matters"), e("dd", rule.why)),
        e("div", e("dt", "How it is usually fixed"), e("dd", rule.fix)),
        class_="about",
    )


def _replay(report: Json, row: Json) -> Element:
    command = f"basebound replay {row['id']}.ndjson {report['target']['name']}"
    found = row["counterexample"]
    how = f"Found through {found['lens']} after {found['steps_to_find']:,} steps. Run it again:"
    return e("div", e("p", how), e("p", e("code", command), class_="command"), class_="replay")


def _row(row: Json) -> Element:
    broken = row["counterexample"] is not None
    name = e("a", row["id"], href=f"#{row['id']}") if broken else e("span", row["id"])
    level = e("span", f"{row['level']}, {row['profile']}", class_="level")
    return e(
        "tr",
        e("td", e("span", _sign(row["verdict"]), WORDS[row["verdict"]], class_=f"verdict {row['verdict']}")),
        e("th", e("span", name, class_="id"), level, e("span", row["sentence"], class_="sentence"), scope="row"),
        e("td", *_evidence(row), class_="evidence"),
        id=f"row-{row['id']}",
        data_verdict=row["verdict"],
        data_profile=row["profile"],
    )


def _evidence(row: Json) -> Iterator[Element]:
    if row["note"]:
        yield e("p", row["note"])
    if row["counterexample"] is not None:
        yield e("p", f"Seen: {short(row['counterexample']['seen'], _SEEN)}")
    if row["unreached"]:
        yield e("p", "Never seen:")
        yield e("ul", *[e("li", goal["means"]) for goal in row["unreached"]])
    if row["evidence"]:
        yield e("ul", *[e("li", phrase(entry)) for entry in row["evidence"]], class_="eyes")


def _sign(verdict: str) -> Element:
    return e("span", SIGNS[verdict], class_="sign", aria_hidden="true")
