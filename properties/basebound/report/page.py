"""The parts of the HTML report that stand without a script: the summary, the cases and the table of requirements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from basebound.core.register import Requirement, spec_version
from basebound.report.evidence import phrase
from basebound.report.stepper import short
from basebound.report.story import text
from basebound.report.summary import WORDS, by_history, by_profile, expired, failed, headline, totals
from basebound.results.counterexample import Counterexample
from basebound.results.verdict import FAIL, INCONCLUSIVE, NOT_CLAIMED, PASS, WAIVED, Judged, Verdict

_SEEN = 200
"""Characters of what was seen that the table shows."""
_STORY = 6_000
"""Characters of a counterexample's plain text that are shown."""
SIGNS = {FAIL: "×", INCONCLUSIVE: "?", WAIVED: "~", PASS: "✓", NOT_CLAIMED: "–"}
_SIGNED_AS = {"conformant": PASS, "violations": FAIL, "inconclusive": INCONCLUSIVE}
"""The verdict on a requirement whose sign and colour the verdict on the target has."""


@dataclass(frozen=True)
class Section:
    """Broken requirements of one kind, those of one history together."""

    title: str
    about: str
    groups: list[list[Judged]]


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


def summary(verdict: Verdict) -> Element:
    word = _SIGNED_AS[verdict.name]
    name = verdict.target.name
    return e(
        "section",
        e("p", _sign(word), e("span", verdict.name), class_=f"pill {word}"),
        e("h1", e("code", name), headline("", verdict), id="title"),
        _facts(verdict),
        _profiles(verdict),
        *_complaints(verdict.complaints),
        *_notes(verdict.notes),
        class_="summary",
        aria_labelledby="title",
    )


def sections(verdict: Verdict) -> list[Section]:
    """What broke: violations, what is waived, and advice; those that are empty are left out."""
    listed = (
        ("What broke", "Each with the shortest history that was found to show it.", failed(verdict, "MUST")),
        ("Waived", "Broken too, and known: each waiver says why, whose it is and until when.", verdict.waived),
        (
            "Advice",
            "SHOULD requirements that are not met. They do not change the exit code.",
            failed(verdict, "SHOULD"),
        ),
    )
    made = [Section(title, about, by_history(rows)) for title, about, rows in listed]
    return [section for section in made if section.groups]


def cases(verdict: Verdict) -> Iterator[Element]:
    """A section for each kind of what broke, a case for each history in it; the first is open."""
    for number, section in enumerate(sections(verdict)):
        name = section.title.lower().replace(" ", "-")
        count = sum(map(len, section.groups))
        heading = e("h2", section.title, " ", e("small", str(count), class_="count"), id=name)
        made = [_case(verdict, group, number == at == 0) for at, group in enumerate(section.groups)]
        yield e("section", heading, e("p", section.about, class_="lead"), *made, class_="cases", aria_labelledby=name)


def table(verdict: Verdict) -> Element:
    """Every requirement with its verdict and the evidence; the script makes it filterable."""
    rows = [_row(row) for row in verdict.judged]
    head = e("tr", *[e("th", name, scope="col") for name in ("Verdict", "Requirement", "Evidence")])
    body = e("tbody", *rows)
    listed = e("table", e("caption", "All requirements", class_="aside"), e("thead", head), body, id="table")
    heading = e("h2", "Requirements ", e("small", str(len(rows)), class_="count"), id="requirements")
    about = "Every requirement of the spec, and the evidence for its verdict. What was not exercised has not passed."
    filters = e("div", id="filters", class_="filters", hidden="hidden")
    return e("section", heading, e("p", about, class_="lead"), filters, listed, aria_labelledby="requirements")


def _facts(verdict: Verdict) -> Element:
    runs, steps = totals(verdict)
    facts = {
        "spec": spec_version(),
        "effort": verdict.effort,
        "seed": str(verdict.seed),
        "histories": f"{runs:,}",
        "steps": f"{steps:,}",
        "time": f"{verdict.elapsed:.1f} s",
    }
    if verdict.target.source is not None:
        file, line = verdict.target.source
        facts["source"] = f"{file}:{line}"
    return e("dl", *[e("div", e("dt", name), e("dd", value)) for name, value in facts.items()], class_="facts")


def _profiles(verdict: Verdict) -> Element:
    """For each profile a square a requirement, and the same in words."""
    lines = [
        e("div", e("dt", profile), e("dd", _squares(rows), _counts(rows)))
        for profile, rows in by_profile(verdict.judged)
    ]
    return e("dl", *lines, class_="profiles")


def _squares(rows: Sequence[Judged]) -> Element:
    drawn = []
    for row in rows:
        name = row.requirement.id
        place = name if row.counterexample is not None else f"row-{name}"
        title = f"{name}: {WORDS[row.verdict]}"
        drawn.append(e("a", SIGNS[row.verdict], href=f"#{place}", title=title, tabindex="-1", class_=row.verdict))
    return e("span", *drawn, class_="squares", aria_hidden="true")


def _counts(rows: Sequence[Judged]) -> Element:
    claimed = [row.verdict for row in rows if row.verdict != NOT_CLAIMED]
    counted = [e("span", f"{claimed.count(v)} {word}", class_=v) for v, word in WORDS.items() if v in claimed]
    parts: list[Element | str] = [part for one in counted for part in (one, ", ")][:-1]
    return e("span", *(parts or ["not claimed"]), class_="counts" if parts else "counts not-claimed")


def _complaints(complaints: Sequence[str]) -> list[Element]:
    if not complaints:
        return []
    listed = e("ul", *[e("li", one) for one in complaints])
    return [e("div", e("h2", f"{expired(len(complaints))}: remove or renew"), listed, class_="complaints")]


def _notes(notes: Sequence[str]) -> list[Element]:
    if not notes:
        return []
    title = f"{len(notes)} note{'s' if len(notes) > 1 else ''} on the run"
    return [e("details", e("summary", title), e("ul", *[e("li", note) for note in notes]), class_="notes")]


def _case(verdict: Verdict, rows: Sequence[Judged], opened: bool) -> Element:
    first, also = rows[0], rows[1:]
    found, rule = first.counterexample, first.requirement
    assert found is not None
    title = e("h3", e("span", rule.id, class_="id"), " ", e("span", rule.sentence, class_="sentence"))
    length = f"{len(found.rows()) - 1} steps"
    parts = [e("summary", e("span", title, class_="what"), e("span", _more(also), length, class_="length"))]
    parts += [e("span", id=row.requirement.id, class_="anchor") for row in also]
    parts += [_also(also)] if also else []
    parts += [e("p", first.note, class_="waiver")] if first.verdict == WAIVED else []
    parts += [_contrast(found), e("div", class_="stepper", hidden="hidden")]
    parts += [e("p", note, class_="note") for note in found.notes]
    parts += [_about(rule)]
    plain = e("pre", short(text(found), _STORY))
    parts.append(e("details", e("summary", "The same as plain text"), plain, class_="plain"))
    parts.append(_replay(verdict.target.name, found))
    attributes = {"open": "open"} if opened else {}
    return e("details", *parts, id=rule.id, class_="case", **attributes)


def _more(also: Sequence[Judged]) -> str:
    return f"+{len(also)} more, " if also else ""


def _also(rows: Sequence[Judged]) -> Element:
    rules = [row.requirement for row in rows]
    listed = [e("li", e("span", rule.id, class_="id"), " ", rule.sentence) for rule in rules]
    return e("div", e("p", "The same step also breaks"), e("ul", *listed), class_="also")


def _contrast(found: Counterexample) -> Element:
    finding = found.finding
    return e(
        "dl",
        e("div", e("dt", "Allowed"), e("dd", short(finding.allowed, _STORY)), class_="allowed"),
        e("div", e("dt", "Seen"), e("dd", short(finding.seen, _STORY)), class_="seen"),
        class_="contrast",
    )


def _about(rule: Requirement) -> Element:
    return e(
        "dl",
        e("div", e("dt", "Why it matters"), e("dd", rule.why)),
        e("div", e("dt", "How it is usually fixed"), e("dd", rule.fix)),
        class_="about",
    )


def _replay(target: str, found: Counterexample) -> Element:
    command = f"basebound replay {found.requirement}.ndjson {target}"
    how = f"Found by the {found.lens} lens after {found.steps_to_find:,} steps. To run it again:"
    return e("div", e("p", how), e("p", e("code", command), class_="command"), class_="replay")


def _row(row: Judged) -> Element:
    rule = row.requirement
    name = e("a", rule.id, href=f"#{rule.id}") if row.counterexample is not None else e("span", rule.id)
    level = e("span", f"{rule.level}, {rule.profile}", class_="level")
    return e(
        "tr",
        e("td", e("span", _sign(row.verdict), WORDS[row.verdict], class_=f"verdict {row.verdict}")),
        e("th", e("span", name, class_="id"), level, e("span", rule.sentence, class_="sentence"), scope="row"),
        e("td", *_evidence(row), class_="evidence"),
        id=f"row-{rule.id}",
        data_verdict=row.verdict,
        data_profile=rule.profile,
    )


def _evidence(row: Judged) -> Iterator[Element]:
    if row.note:
        yield e("p", row.note)
    if row.counterexample is not None:
        yield e("p", f"Seen: {short(row.counterexample.finding.seen, _SEEN)}")
    if row.unreached:
        yield e("p", "Never seen:")
        yield e("ul", *[e("li", goal.means) for goal in row.unreached])
    if row.evidence:
        yield e("ul", *[e("li", phrase(entry)) for entry in row.evidence], class_="lenses")


def _sign(verdict: str) -> Element:
    return e("span", SIGNS[verdict], class_="sign", aria_hidden="true")
