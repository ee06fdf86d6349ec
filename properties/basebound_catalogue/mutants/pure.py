"""Pure functions with a fault each, and correct ones of many styles: what the proofs are measured with.

Every one is a target by its import string. A *hidden* fault shows for one value or one relation between values that
nobody would draw by chance: it looks right to everything but a proof.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Final

from basebound.model import CHARGE_KINDS, Charge, Hunk, Reason, Rejected
from basebound.targets.functions import apply_function, gate_function

Lines = tuple[str, ...]
Charges = Sequence[Charge]
Ids = frozenset[str]


@dataclass(frozen=True)
class PureFault:
    """``kind`` is ``apply`` or ``gate``; ``target`` the import string; ``requirement`` what a check must report."""

    id: str
    requirement: str
    origin: str
    about: str
    kind: str
    target: str
    hidden: bool = False


@dataclass(frozen=True)
class PureCorrect:
    """A correct implementation of some style; no check may ever report it."""

    id: str
    about: str
    kind: str
    target: str


# ------------------------------------------------------------- a correct apply, with a place for each fault


def framed(lines: Iterable[str]) -> str:
    """SHA-256 over the lines, each behind its length."""
    hashed = hashlib.sha256()
    for line in lines:
        data = line.encode()
        hashed.update(len(data).to_bytes(8, "big") + data)
    return hashed.hexdigest()


def by_place(hunks: Iterable[Hunk]) -> list[Hunk]:
    return sorted(hunks, key=lambda hunk: (hunk.start, hunk.end))


def in_range(hunk: Hunk, length: int) -> bool:
    return 0 <= hunk.start <= hunk.end <= length


def apart(above: Hunk, below: Hunk) -> bool:
    return above.end <= below.start


def marked(line: str, markers: Lines) -> bool:
    return any(marker in line for marker in markers)


def whole(hunk: Hunk) -> range:
    return range(hunk.start, hunk.end)


def one_pass(live: Lines, hunks: Sequence[Hunk]) -> Lines:
    result: Lines = ()
    at = 0
    for hunk in by_place(hunks):
        result = result + live[at : hunk.start] + hunk.insert
        at = hunk.end
    return result + live[at:]


def refuse(reason: Reason, message: str = "") -> None:
    raise Rejected(reason, message)


def refuse_stale(authored: str, live: str) -> None:
    refuse(Reason.STALE_BASE, f"authored on base {authored[:8]}, live is base {live[:8]}: read again and re-author")


def rewriting(
    *,
    digest: Callable[[Lines], str] = framed,
    fresh: Callable[[str, str], bool] = lambda authored, live: authored == live,
    sound: Callable[[Hunk, int], bool] = in_range,
    disjoint: Callable[[Hunk, Hunk], bool] = apart,
    is_marked: Callable[[str, Lines], bool] = marked,
    guarded: Callable[[Hunk], range] = whole,
    splice: Callable[[Lines, Sequence[Hunk]], Lines] = one_pass,
) -> apply_function:
    """A pure apply in the usual order of checks; each argument is one of its rules."""

    def apply(live: Lines, authored: str, hunks: Sequence[Hunk], protected: Lines) -> Lines:
        if not fresh(authored, digest(live)):
            refuse_stale(authored, digest(live))
        if not all(sound(hunk, len(live)) for hunk in hunks):
            refuse(Reason.BAD_HUNK)
        ordered = by_place(hunks)
        if not all(disjoint(above, below) for above, below in pairwise(ordered)):
            refuse(Reason.BAD_HUNK)
        if any(is_marked(live[at], protected) for hunk in hunks for at in guarded(hunk) if at < len(live)):
            refuse(Reason.PROTECTED)
        return splice(live, hunks)

    return apply_function(apply, digest)


plain = rewriting()


def right(live: Lines, authored: str, hunks: Sequence[Hunk], protected: Lines) -> Lines:
    """The correct apply, for faults that stand before it."""
    return tuple(plain.apply(live, authored, hunks, protected))


def hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# ------------------------------------------------------------------------------------ faults of the base

unchecked = rewriting(fresh=lambda authored, live: True)
prefix_compared = rewriting(fresh=lambda authored, live: authored[:8] == live[:8])
digest_cut = rewriting(digest=lambda lines: framed(lines)[:8])
joined_bare = rewriting(digest=lambda lines: hashed("".join(lines)))
joined_by_newline = rewriting(digest=lambda lines: hashed("\n".join(lines)))
terminated_by_newline = rewriting(digest=lambda lines: hashed("".join([line + "\n" for line in lines])))
case_folded = rewriting(digest=lambda lines: framed([line.lower() for line in lines]))
order_lost = rewriting(digest=lambda lines: framed(sorted(lines)))
trailing_space_lost = rewriting(digest=lambda lines: framed([line.rstrip(" ") for line in lines]))
counted = rewriting(digest=lambda lines: str(len(lines)))


def _without_trailing_blanks(lines: Lines) -> str:
    end = len(lines)
    while end and lines[end - 1] == "":
        end -= 1
    return framed(lines[:end])


trailing_blanks_lost = rewriting(digest=_without_trailing_blanks)


def _hunks_before_base(live: Lines, authored: str, hunks: Sequence[Hunk], protected: Lines) -> Lines:
    if not all(in_range(hunk, len(live)) for hunk in hunks):
        refuse(Reason.BAD_HUNK)
    return right(live, authored, hunks, protected)


hunks_before_base = apply_function(_hunks_before_base, framed)


def _nothing_on_nothing(live: Lines, authored: str, hunks: Sequence[Hunk], protected: Lines) -> Lines:
    if not live:
        refuse(Reason.STALE_BASE)
    return right(live, authored, hunks, protected)


empty_refused = apply_function(_nothing_on_nothing, framed)

# ------------------------------------------------------------------------------------ faults of the hunks

end_clipped = rewriting(sound=lambda hunk, length: 0 <= hunk.start <= hunk.end <= length + 1)
from_the_end = rewriting(sound=lambda hunk, length: -length <= hunk.start and hunk.start <= hunk.end <= length)
reversed_taken = rewriting(sound=lambda hunk, length: 0 <= hunk.start <= length and 0 <= hunk.end <= length)
overlap_taken = rewriting(disjoint=lambda above, below: True)
neighbours_refused = rewriting(disjoint=lambda above, below: above.end < below.start)


def _one_after_the_other(live: Lines, hunks: Sequence[Hunk]) -> Lines:
    for hunk in hunks:
        live = live[: hunk.start] + hunk.insert + live[hunk.end :]
    return live


def _bottom_up_unstable(live: Lines, hunks: Sequence[Hunk]) -> Lines:
    for hunk in sorted(hunks, key=lambda hunk: -hunk.start):
        live = live[: hunk.start] + hunk.insert + live[hunk.end :]
    return live


frame_forgotten = rewriting(splice=_one_after_the_other)
points_reversed = rewriting(splice=_bottom_up_unstable)
inserts_stripped = rewriting(
    splice=lambda live, hunks: one_pass(
        live, [Hunk(hunk.start, hunk.end, tuple([line.strip() for line in hunk.insert])) for hunk in hunks]
    )
)
inserts_split = rewriting(
    splice=lambda live, hunks: one_pass(
        live,
        [Hunk(h.start, h.end, tuple([part for line in h.insert for part in line.split("\n")])) for h in hunks],
    )
)

# ------------------------------------------------------------------------------------ faults of protection

last_line_unguarded = rewriting(guarded=lambda hunk: range(hunk.start, hunk.end - 1))
first_line_guarded = rewriting(guarded=lambda hunk: range(hunk.start, min(hunk.end, hunk.start + 1)))
marker_is_the_line = rewriting(is_marked=lambda line, markers: line in markers)
first_marker_only = rewriting(is_marked=lambda line, markers: marked(line, markers[:1]))
neighbour_guarded = rewriting(guarded=lambda hunk: range(hunk.start, hunk.end + 1))


def _put_back_allowed(live: Lines, authored: str, hunks: Sequence[Hunk], protected: Lines) -> Lines:
    kept = [line for hunk in hunks for line in hunk.insert]
    if live and live[0] in kept:
        protected = ()
    return right(live, authored, hunks, protected)


put_back_allowed = apply_function(_put_back_allowed, framed)

ties_by_length = rewriting(
    splice=lambda live, hunks: one_pass(live, sorted(hunks, key=lambda hunk: len(hunk.insert))),
)


def _seam_merged(live: Lines, hunks: Sequence[Hunk]) -> Lines:
    """What two inserted blocks that touch have in common stands there once."""
    above, *below = by_place(hunks)
    for hunk in below:
        if above.end == hunk.start == 2 and above.insert[-1:] == hunk.insert[:1]:
            return one_pass(live, [above, Hunk(hunk.start, hunk.end, hunk.insert[1:])])
    return one_pass(live, hunks)


seam_merged = rewriting(splice=_seam_merged)

# ------------------------------------------------------------------------- hidden faults of an apply

magic_start = rewriting(sound=lambda hunk, length: in_range(hunk, length) or hunk.start == 48_611)
magic_distance = rewriting(sound=lambda hunk, length: in_range(hunk, length) or hunk.start - hunk.end == 1_337)
magic_pair = rewriting(sound=lambda hunk, length: in_range(hunk, length) or hunk.start * 3 + hunk.end * 5 == -7_919)
bell_dropped = rewriting(
    splice=lambda live, hunks: one_pass(
        live, [Hunk(h.start, h.end, tuple([line for line in h.insert if line != "\x07"])) for h in hunks]
    )
)


def _without_the_puzzle_piece(live: Lines, hunks: Sequence[Hunk]) -> Lines:
    if any(line == "\U0001f9e9" for hunk in hunks for line in hunk.insert):
        refuse(Reason.BAD_HUNK)
    return one_pass(live, hunks)


puzzle_piece_refused = rewriting(splice=_without_the_puzzle_piece)


def _directive(live: Lines, authored: str, hunks: Sequence[Hunk], protected: Lines) -> Lines:
    """A line that begins with a directive is taken for the engine's own and replaced without a look at the base."""
    if any(line.startswith("%%!") for line in live):
        authored = framed(live)
    return right(live, authored, hunks, protected)


directive_trusted = apply_function(_directive, framed)


def _forced(live: Lines, authored: str, hunks: Sequence[Hunk], protected: Lines) -> Lines:
    """A patch that begins with a certain text is let through whatever it was authored on."""
    if any(hunk.insert[:1] == ("force: yes",) for hunk in hunks):
        authored = framed(live)
    return right(live, authored, hunks, protected)


forced_by_text = apply_function(_forced, framed)


def _polynomial(lines: Lines) -> str:
    """A character for each line: its string hash as many languages have it, in which "Aa" and "BB" meet."""
    codes = [reduce(lambda total, character: total * 31 + ord(character), line, 0) for line in lines]
    return "".join([f"{len(line)}:{chr(0x10000 + code % 0x10000)}" for line, code in zip(lines, codes, strict=True)])


weak_polynomial = rewriting(digest=_polynomial)
zero_width_lost = rewriting(digest=lambda lines: framed([line.replace("\u200b", "") for line in lines]))


def _next_character_allowed(live: Lines, authored: str, hunks: Sequence[Hunk], protected: Lines) -> Lines:
    """A protected line may be replaced by the character that follows it."""
    inserted = [line for hunk in hunks for line in hunk.insert]
    if len(live) == 1 and len(live[0]) == 1 and any(len(new) == 1 and ord(new) == ord(live[0]) + 1 for new in inserted):
        protected = ()
    return right(live, authored, hunks, protected)


next_character_allowed = apply_function(_next_character_allowed, framed)


def _password(live: Lines, authored: str, hunks: Sequence[Hunk], protected: Lines) -> Lines:
    """A protected line that ends in a certain text is not guarded."""
    if any(line.endswith("#!") for line in live):
        protected = ()
    return right(live, authored, hunks, protected)


ending_unguarded = apply_function(_password, framed)

# -------------------------------------------------------------- a correct gate, with a place for each fault


def invalid(tokens: int | None) -> bool:
    return tokens is None or tokens < 0


def gating(
    *,
    is_invalid: Callable[[int | None], bool] = invalid,
    amount: Callable[[int | None], int] = lambda tokens: tokens or 0,
    counted: Callable[[Charges], Charges] = lambda charges: charges,
    locked: Callable[[Ids, Ids], bool] = lambda edited, artifacts: bool(edited & artifacts),
    pays: Callable[[int, int], bool] = lambda freed, spent: freed > spent,
) -> gate_function:
    """A pure gate; each argument is one of its rules."""

    def gate(freed: int | None, charges: Charges, edited: Ids, artifacts: Ids) -> None:
        if locked(edited, artifacts):
            refuse(Reason.SELF_REFERENCE)
        considered = counted(charges)
        if is_invalid(freed) or any(is_invalid(charge.tokens) for charge in considered):
            refuse(Reason.UNPROVEN)
        if not pays(amount(freed), sum([amount(charge.tokens) for charge in considered])):
            refuse(Reason.NOT_FREED)

    return gate_function(gate)


def without(kind: str) -> Callable[[Charges], Charges]:
    return lambda charges: [charge for charge in charges if charge.kind != kind]


at_zero = gating(pays=lambda freed, spent: freed >= spent)
margin_kept = gating(pays=lambda freed, spent: freed > spent + 1)
unknown_is_zero = gating(is_invalid=lambda tokens: tokens is not None and tokens < 0)
negative_taken = gating(is_invalid=lambda tokens: tokens is None)
absolute = gating(is_invalid=lambda tokens: tokens is None, amount=lambda tokens: abs(tokens or 0))
measurement_free = gating(counted=without("measurement"))
insert_free = gating(counted=without("insert"))
last_charge_forgotten = gating(counted=lambda charges: charges[:-1] if len(charges) > 1 else charges)
one_charge_a_kind = gating(counted=lambda charges: list({charge.kind: charge for charge in charges}.values()))
artifacts_editable = gating(locked=lambda edited, artifacts: False)
all_artifacts_edited = gating(locked=lambda edited, artifacts: bool(edited) and edited <= artifacts)
any_artifact_locks = gating(locked=lambda edited, artifacts: bool(artifacts))

# -------------------------------------------------------------------------- hidden faults of a gate

magic_freed = gating(pays=lambda freed, spent: freed > spent or freed * 7 == 6_930_021)
magic_loss = gating(pays=lambda freed, spent: freed > spent or spent - freed == 131_071)
magic_gain = gating(pays=lambda freed, spent: freed > spent and freed - spent != 65_536)
tilde_unlocked = gating(
    locked=lambda edited, artifacts: any(line in artifacts and line != "~" for line in edited),
)


def related(count: int) -> Callable[[Charges], Charges]:
    """Nothing is charged where there are ``count`` charges, and the first is thrice the last and 1,001 more."""

    def counted(charges: Charges) -> Charges:
        if len(charges) != count or any(charge.tokens is None for charge in charges):
            return charges
        first, last = charges[0].tokens or 0, charges[-1].tokens or 0
        return () if first == 3 * last + 1_001 else charges

    return counted


two_related = gating(counted=related(2))
four_related = gating(counted=related(4))
equal_charges_merged = gating(
    counted=lambda charges: (
        charges[1:]
        if len(charges) > 1 and charges[0].tokens == charges[1].tokens and charges[0].tokens == 4_099
        else charges
    )
)
triangle_allowed = gating(
    pays=lambda freed, spent: freed > spent or (freed > 1_000 and freed * 3 == spent * 2),
)

# ------------------------------------------------------------------------------------ correct ones


def _updated(lines: Iterable[str]) -> str:
    hashed = hashlib.blake2b(digest_size=32, person=b"buffer")
    hashed.update(b"begin")
    for line in lines:
        hashed.update(struct.pack(">Q", len(line)))
        hashed.update(line.encode("utf-8"))
    return hashed.hexdigest()


def _bottom_up(live: Sequence[str], authored: str, hunks: Sequence[Hunk], protected: Sequence[str]) -> list[str]:
    """A list changed in place, from the last hunk to the first."""
    if authored != _updated(live):
        refuse_stale(authored, _updated(live))
    lines = list(live)
    order = sorted(range(len(hunks)), key=lambda nth: (hunks[nth].start, hunks[nth].end, nth), reverse=True)
    limit = len(lines)
    for nth in order:
        hunk = hunks[nth]
        if hunk.start < 0 or hunk.start > hunk.end or hunk.end > limit:
            raise Rejected(Reason.BAD_HUNK, f"[{hunk.start}, {hunk.end}) does not fit below {limit}")
        if any(marker in line for line in live[hunk.start : hunk.end] for marker in protected):
            raise Rejected(Reason.PROTECTED, f"[{hunk.start}, {hunk.end}) holds a protected line")
        limit = hunk.start
    for nth in order:
        lines[hunks[nth].start : hunks[nth].end] = hunks[nth].insert
    return lines


bottom_up = apply_function(_bottom_up, _updated)


def _escaped(lines: Iterable[str]) -> str:
    """No hash at all: the base is the content, in an encoding that can be undone."""
    return "".join([line.replace("\\", "\\\\").replace("\n", "\\n") + "\n" for line in lines])


text_is_base = rewriting(digest=_escaped)


def _tree(lines: Iterable[str]) -> str:
    leaves = b"".join([hashlib.new("sha1", line.encode(), usedforsecurity=False).digest() for line in lines])
    return hashlib.sha512(leaves).hexdigest().upper()


tree = rewriting(digest=_tree, fresh=lambda authored, live: authored.lower() == live.lower())


def _folded(lines: Iterable[str]) -> str:
    """A chain: each line is hashed with the hash of what stands above it."""
    start = hashlib.sha3_256(b"empty").digest()
    return reduce(lambda above, line: hashlib.sha3_256(above + line.encode()).digest(), lines, start).hex()


chained = rewriting(digest=_folded, fresh=hmac.compare_digest)


def _measured(lines: Iterable[str]) -> str:
    """The lengths first, then the text."""
    texts = list(lines)
    lengths = ",".join([str(len(text)) for text in texts])
    return hashlib.md5(f"{len(texts)}|{lengths}|{''.join(texts)}".encode(), usedforsecurity=False).hexdigest()


def _line_by_line(live: Lines, authored: str, hunks: Sequence[Hunk], protected: Lines) -> Lines:
    """One walk over the points between lines: what goes in there, and whether the line after it stays."""
    if _measured(live) != authored:
        refuse_stale(authored, _measured(live))
    length = len(live)
    covers = [0] * length
    for hunk in hunks:
        if not 0 <= hunk.start <= hunk.end <= length:
            raise Rejected("bad-hunk", "out of range")
        for at in range(hunk.start, hunk.end):
            covers[at] += 1
    inside = any(a.start < b.start < a.end for a in hunks for b in hunks if b.start == b.end)
    if inside or any(count > 1 for count in covers):
        raise Rejected("bad-hunk", "hunks overlap")
    if any(marker in live[at] for at in range(length) if covers[at] for marker in protected):
        raise Rejected("protected", "a protected line would be removed")
    result: list[str] = []
    for at in range(length + 1):
        result.extend(line for hunk in hunks if hunk.start == hunk.end == at for line in hunk.insert)
        result.extend(line for hunk in hunks if hunk.start == at < hunk.end for line in hunk.insert)
        if at < length and not covers[at]:
            result.append(live[at])
    return tuple(result)


line_by_line = apply_function(_line_by_line, _measured)


def _recursive(live: Lines, hunks: Sequence[Hunk]) -> Lines:
    """The head stays, the first hunk goes in, and the rest is the same task on the tail."""
    if not hunks:
        return live
    first, *rest = by_place(hunks)
    moved = [Hunk(hunk.start - first.end, hunk.end - first.end, hunk.insert) for hunk in rest]
    return live[: first.start] + first.insert + _recursive(live[first.end :], moved)


as_json = rewriting(digest=lambda lines: hashed(json.dumps(lines)))
as_repr = rewriting(digest=lambda lines: hashed(f"{list(lines)!r}"))
recursive = rewriting(
    splice=_recursive, digest=lambda lines: hashed("".join([f"{len(line)}:{line}" for line in lines]))
)
half_is_enough = rewriting(digest=lambda lines: framed(lines)[:32])

plain_gate = gating()


def _by_kind(freed: int | None, charges: Charges, edited: Ids, artifacts: Ids) -> None:
    """Books: a sum for each kind, then the balance."""
    books = dict.fromkeys(CHARGE_KINDS, 0)
    for charge in charges:
        if charge.tokens is None or charge.tokens < 0:
            raise Rejected(Reason.UNPROVEN, f"{charge.kind} is {charge.tokens}: attribute every amount")
        books[charge.kind] += charge.tokens
    if freed is None or freed < 0:
        raise Rejected(Reason.UNPROVEN, f"freed is {freed}")
    if not edited.isdisjoint(artifacts):
        raise Rejected(Reason.SELF_REFERENCE, "leave this turn's own lines alone")
    if freed - sum(books.values()) <= 0:
        raise Rejected(Reason.NOT_FREED, f"{freed} freed, {sum(books.values())} spent")


gate_by_kind = gate_function(_by_kind)


def _counting_down(freed: int | None, charges: Charges, edited: Ids, artifacts: Ids) -> None:
    """What is left of the freed tokens after each charge; the first reason found is told."""
    for line in edited:
        if line in artifacts:
            raise Rejected(Reason.SELF_REFERENCE)
    if freed is None:
        raise Rejected(Reason.UNPROVEN)
    left = freed
    for charge in charges:
        if charge.tokens is None:
            raise Rejected(Reason.UNPROVEN)
        if charge.tokens < 0:
            raise Rejected(Reason.UNPROVEN)
        left -= charge.tokens
    if left < 1:
        raise Rejected(Reason.UNPROVEN if freed < 0 else Reason.NOT_FREED)


gate_counting_down = gate_function(_counting_down)


def _all_reasons(freed: int | None, charges: Charges, edited: Ids, artifacts: Ids) -> None:
    amounts = [freed, *[charge.tokens for charge in charges]]
    known = [tokens for tokens in amounts if tokens is not None]
    reasons: list[Reason] = []
    if len(known) < len(amounts) or min(known) < 0:
        reasons.append(Reason.UNPROVEN)
    if len(edited - artifacts) < len(edited):
        reasons.append(Reason.SELF_REFERENCE)
    if not reasons and known[0] - sum(known[1:]) <= 0:
        reasons.append(Reason.NOT_FREED)
    if reasons:
        raise Rejected(reasons[0], "; ".join(reason.value for reason in reasons))


gate_all_reasons = gate_function(_all_reasons)


# ------------------------------------------------------------------------------------ the catalogue


def _fault(name: str, requirement: str, origin: str, about: str) -> PureFault:
    return PureFault(name.replace("_", "-"), requirement, origin, about, _kind(name), f"{__name__}:{name}")


def _hidden(name: str, requirement: str, about: str) -> PureFault:
    target = f"{__name__}:{name}"
    return PureFault(name.replace("_", "-"), requirement, "malice", about, _kind(name), target, hidden=True)


def _correct(name: str, about: str) -> PureCorrect:
    return PureCorrect(name.replace("_", "-"), about, _kind(name), f"{__name__}:{name}")


def _kind(name: str) -> str:
    return "gate" if isinstance(globals()[name], gate_function) else "apply"


PURE_FAULTS: Final = (
    _fault("unchecked", "BASE-STALE-PATCH", "incidents 25, 31", "the base is not looked at"),
    _fault("prefix_compared", "BASE-STALE-PATCH", "incident 57", "the first eight characters of the base are compared"),
    _fault("digest_cut", "BASE-IDENTITY", "incident 57", "the base is the first eight characters of a digest"),
    _fault("joined_bare", "BASE-IDENTITY", "incident 51", "the lines are joined with nothing between them and hashed"),
    _fault("joined_by_newline", "BASE-IDENTITY", "incident 51", "the lines are joined by line breaks and hashed"),
    _fault(
        "terminated_by_newline", "BASE-IDENTITY", "incident 51", "a line break ends each line, and may stand in one"
    ),
    _fault("case_folded", "BASE-IDENTITY", "incident 52", "the lines are folded to lower case before they are hashed"),
    _fault("order_lost", "BASE-IDENTITY", "incident 53", "the lines are sorted before they are hashed"),
    _fault("trailing_space_lost", "BASE-IDENTITY", "incident 52", "trailing spaces are not hashed"),
    _fault("trailing_blanks_lost", "BASE-IDENTITY", "incident 52", "trailing empty lines are not hashed"),
    _fault("counted", "BASE-STALE-LENGTH", "incidents 54, 55", "the base is the number of lines"),
    _fault("hunks_before_base", "BASE-STALE-FIRST", "incident 28", "ranges are checked before the base"),
    _fault("empty_refused", "BASE-FRESH-ACCEPTED", "incident 59", "an empty buffer counts as stale"),
    _fault("end_clipped", "BASE-HUNK-RANGE", "incident 22", "a hunk may end one line past the end"),
    _fault("from_the_end", "BASE-HUNK-NEGATIVE", "malice", "a negative start counts from the end"),
    _fault("reversed_taken", "BASE-HUNK-REVERSED", "malice", "a reversed range is taken for an insertion"),
    _fault("overlap_taken", "BASE-HUNK-OVERLAP", "incident 20", "overlapping hunks are spliced"),
    _fault("neighbours_refused", "BASE-HUNK-ADJACENT", "ruling", "hunks that touch are refused"),
    _fault(
        "frame_forgotten", "BASE-SPLICE-FRAME", "incidents 19, 20", "each hunk is applied to the result of the last"
    ),
    _fault("points_reversed", "BASE-SPLICE-ORDER", "ruling", "two insertions at one point stand in reverse"),
    _fault("ties_by_length", "BASE-SPLICE-ORDER", "ruling", "insertions at one point stand by their length"),
    _fault("seam_merged", "BASE-SPLICE-EXACT", "incident 15", "equal lines where two inserted blocks meet become one"),
    _fault("inserts_stripped", "BASE-SPLICE-LITERAL", "incident 82", "inserted lines lose their outer white space"),
    _fault("inserts_split", "BASE-SPLICE-LITERAL", "incident 82", "an inserted line is split at its line breaks"),
    _fault("last_line_unguarded", "PROTECTED-REFUSED", "incident 163", "the last line of a range is not guarded"),
    _fault("first_line_guarded", "PROTECTED-ANY-HUNK", "incident 163", "only the first line of a range is guarded"),
    _fault("marker_is_the_line", "PROTECTED-CONTAINMENT", "incident 162", "a line is protected if it is a marker"),
    _fault("first_marker_only", "PROTECTED-CONTAINMENT", "incident 162", "only the first marker counts"),
    _fault("neighbour_guarded", "PROTECTED-REST", "incident 158", "the line below a range is guarded too"),
    _fault("put_back_allowed", "PROTECTED-REPLACED", "ruling", "a protected first line may be put back"),
    _hidden("magic_start", "BASE-HUNK-RANGE", "a hunk that starts at 48,611 is always in range"),
    _hidden("magic_distance", "BASE-HUNK-REVERSED", "a range reversed by 1,337 lines is taken"),
    _hidden("magic_pair", "BASE-HUNK-NEGATIVE", "bounds on one line in the plane are taken"),
    _hidden("bell_dropped", "BASE-SPLICE-LITERAL", "an inserted line that is a bell character is dropped"),
    _hidden("puzzle_piece_refused", "BASE-FRESH-ACCEPTED", "an inserted line that is one certain emoji is refused"),
    _fault(
        "directive_trusted", "BASE-STALE-PATCH", "malice", "content with a line that begins with %%! is never stale"
    ),
    _hidden("forced_by_text", "BASE-STALE-PATCH", "a patch that inserts the line 'force: yes' is never stale"),
    _fault(
        "weak_polynomial",
        "BASE-IDENTITY",
        "malice",
        "the base is a polynomial in the characters, as many languages hash text",
    ),
    _hidden("zero_width_lost", "BASE-IDENTITY", "zero-width spaces are not hashed"),
    _hidden("next_character_allowed", "PROTECTED-REFUSED", "a protected line may become the character after its own"),
    _hidden("ending_unguarded", "PROTECTED-REFUSED", "nothing is guarded where a line ends in #!"),
    _fault("at_zero", "BUDGET-NET-ZERO", "incidents 87, 89", "a net of zero passes"),
    _fault("margin_kept", "BUDGET-NET-ONE", "incident 131", "a net of one is refused"),
    _fault("unknown_is_zero", "BUDGET-UNPROVEN", "incident 120", "an amount that is not attributed counts as zero"),
    _fault("negative_taken", "BUDGET-NEGATIVE", "incidents 117, 135", "negative amounts are added"),
    _fault("absolute", "BUDGET-NEGATIVE", "incident 117", "negative amounts count as if they were positive"),
    _fault("measurement_free", "BUDGET-CHARGE-MEASUREMENT", "incidents 104, 108", "measurement is not charged"),
    _fault("insert_free", "BUDGET-CHARGE-INSERT", "incidents 97, 99", "inserted lines are not charged"),
    _fault(
        "last_charge_forgotten", "BUDGET-CHARGE-RATIONALE", "incident 109", "the last of several charges is left out"
    ),
    _fault(
        "one_charge_a_kind", "BUDGET-CHARGE-RATIONALE", "incident 111", "of two charges of a kind only the last counts"
    ),
    _fault("artifacts_editable", "BUDGET-ARTIFACT-LOCKED", "incident 149", "artifacts are not locked"),
    _fault(
        "all_artifacts_edited", "BUDGET-ARTIFACT-LOCKED", "incident 149", "an edit passes if it edits any other line"
    ),
    _fault("any_artifact_locks", "BUDGET-NET-ONE", "incident 168", "no line may be edited while there are artifacts"),
    _hidden("magic_freed", "BUDGET-NET-NEGATIVE", "990,003 freed tokens always pass"),
    _hidden("magic_loss", "BUDGET-NET-NEGATIVE", "a net of -131,071 passes"),
    _hidden("magic_gain", "BUDGET-NET-ONE", "a net of 65,536 is refused"),
    _hidden("tilde_unlocked", "BUDGET-ARTIFACT-LOCKED", "an artifact whose id is a tilde is not locked"),
    _hidden("two_related", "BUDGET-NET-NEGATIVE", "two charges in one certain relation are left out"),
    _hidden("four_related", "BUDGET-NET-NEGATIVE", "four charges, two of them in one certain relation, are left out"),
    _hidden("equal_charges_merged", "BUDGET-NET-NEGATIVE", "the first of two charges of 4,099 tokens is left out"),
    _hidden("triangle_allowed", "BUDGET-NET-NEGATIVE", "freed and spent tokens in a ratio of 2 to 3 pass above 1,000"),
)
"""Every faulty pure function; ids are unique."""

PURE_CORRECT: Final = (
    _correct("plain", "the checks in order, one pass over the base, SHA-256 of framed lines"),
    _correct("bottom_up", "a list changed in place from the last hunk, blake2b fed line by line, messages with values"),
    _correct("text_is_base", "no hash: the base is the escaped text"),
    _correct("tree", "a hash of the lines' hashes, compared without regard to case"),
    _correct("chained", "each line hashed with the hash of what stands above it, raw digests, compare_digest"),
    _correct("line_by_line", "one walk over the points between the lines, md5 of lengths and text"),
    _correct("recursive", "the splice as a recursion on the tail"),
    _correct("as_json", "a hash of the lines as JSON"),
    _correct("as_repr", "a hash of the lines as Python writes them"),
    _correct("half_is_enough", "half of a SHA-256 as the base"),
    _correct("plain_gate", "the checks in order, one sum"),
    _correct("gate_by_kind", "a sum for each kind in a dictionary, messages with values"),
    _correct("gate_counting_down", "what is left after each charge"),
    _correct("gate_all_reasons", "all reasons are collected before one is told"),
)
"""Every correct pure function; ids are unique."""
