"""The verdict on a row: accepted, accepted and marked, or asked. An absolute test, not a race among admissible lines.

A margin among admissible lines looks superb and lets half of the misspelt and wrong-unit orders through: the best of
the wrong answers is still the best. So the likelihood of the line counts against everything else that can be written.
There are readers one after the other: the second looks where the first is not sure, and then both are weighed
together; the third where both are not, and then all are. What each piece of evidence weighs, and how much is enough,
stands in gate.toml, with the measurement that set these numbers.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path

import tomlkit
from msgspec import Struct, field
from msgspec.structs import replace
from tomlkit import TOMLDocument
from tomlkit.items import Table as WrittenTable

from pipeline.ink import Tier
from pipeline.problems import Stopped, stop
from pipeline.reading.evidence import Bounds, Evidence, Joint
from pipeline.reading.recogniser import Taken
from pipeline.rules.table import Table, read_toml_text

NUMBERS = ("constant", "marked", "accepted")
BOTH = "both"  # the table of the gate for what two readers say
THREE = "three"  # and for what three do
ALONE_LEAST = "alone_least"  # a table in the table of two readers: the least that the first reader needs alone
STRICTER = "stricter"  # the table of minimum values where the rules follow no misspelt word
WHERE = {Taken.ASKED: "asked", Taken.OTHER: "held"}  # its tables, by what the rules do instead

LIMITED = {"alone": Evidence.SPAN, BOTH: Joint.SPAN, THREE: Joint.SPAN}  # by the names of limits
ADDED = ("to_asked", "likelihood")  # evidence that older gate files lack

AnyEvidence = Evidence | Joint


def readers_of(evidence: AnyEvidence) -> int:
    """The number of readers behind some evidence."""
    return evidence.readers if isinstance(evidence, Joint) else 1


def evidence_numbers(evidence: AnyEvidence) -> dict[str, float]:
    """Take the evidence as numbers, each within its span."""
    return {name: min(max(float(getattr(evidence, name)), low), high) for name, (low, high) in evidence.SPAN.items()}


class Gate(Struct, frozen=True):
    """How much evidence of one kind is enough."""

    constant: float
    weights: Mapping[str, float]  # of each piece of evidence; never negative: more evidence never hurts
    least: Mapping[str, float]  # the minimum of each piece of evidence by itself
    marked: float  # odds (log) from which a row passes
    accepted: float  # odds from which a row is accepted without a mark

    def odds(self, evidence: AnyEvidence) -> float:
        """Weigh the evidence: the log odds that the best line is what was written."""
        numbers = evidence_numbers(evidence)
        return self.constant + sum(self.weights.get(name, 0.0) * value for name, value in numbers.items())

    def tier(self, evidence: AnyEvidence) -> Tier:
        """Judge a row by the confidence thresholds: accepted, marked, or asked of a person."""
        numbers = evidence_numbers(evidence)
        if evidence.struck or any(numbers[name] < least for name, least in self.least.items()):
            return Tier.ASKED
        odds = self.odds(evidence)
        if odds < self.marked:
            return Tier.ASKED
        return Tier.ACCEPTED if odds >= self.accepted else Tier.MARKED


class Limits(Struct, frozen=True):
    """The minimum of each piece of evidence, in addition to the gates."""

    alone: Mapping[str, float] = field(default_factory=dict)  # if the first reader decides alone
    both: Mapping[str, float] = field(default_factory=dict)
    three: Mapping[str, float] = field(default_factory=dict)


class Gates(Struct, frozen=True):
    """The thresholds: for the first reader, for two together if it is not sure, and for three.

    The first marks nothing if another follows: doubtful rows go to the next reader.
    """

    first: Gate
    both: Gate
    enough: float  # odds of the first reader from which the second is not used
    measured: str  # the rows, the writers and the result that set these numbers
    is_alone: bool = False  # there is no second reader here: the first has its own thresholds
    # minimum of each piece of evidence for the first reader alone
    alone_least: Mapping[str, float] = field(default_factory=dict)
    three: Gate | None = None  # None: there is no third reader, two decide
    stricter: Mapping[Taken, Limits] = field(default_factory=dict)  # by what is made of a misspelt word

    @property
    def front(self) -> Gate:
        """The first reader's gate: if there is a second reader it marks nothing."""
        if self.is_alone:
            return self.first
        least = {**self.first.least, **self.alone_least}
        return replace(self.first, least=least, marked=self.enough, accepted=self.enough)

    @property
    def last(self) -> Gate:
        """The gate of the last reader, whose verdict stands."""
        return self.first if self.is_alone else self.three or self.both

    def for_misspelt(self, misspelt: Taken) -> "Gates":
        """The gates for what the tournament's rules make of a misspelt word: stricter if they do not follow it."""
        limits = self.stricter.get(misspelt)
        if limits is None:
            return self
        three = self.three and replace(self.three, least=_higher_limits(self.three.least, limits.three))
        return replace(
            self,
            alone_least=_higher_limits(self.alone_least, limits.alone),
            both=replace(self.both, least=_higher_limits(self.both.least, limits.both)),
            three=three,
        )

    def without_third(self) -> "Gates":
        return replace(self, three=None)

    def gate_of(self, evidence: AnyEvidence) -> Gate:
        """The gate that judges this piece of evidence."""
        match readers_of(evidence):
            case 1:
                return self.front
            case 3 if self.three is not None:
                return self.three
            case _:
                return self.both

    @property
    def most_readers(self) -> int:
        """How many readers there are gates for."""
        return 2 if self.three is None else 3

    def odds(self, evidence: AnyEvidence) -> float:
        """Weigh the evidence: the log odds that the best line is what was written."""
        return self.gate_of(evidence).odds(evidence)

    def tier(self, evidence: AnyEvidence) -> Tier:
        """Judge a row."""
        return self.gate_of(evidence).tier(evidence)

    def chance(self, evidence: AnyEvidence) -> float:
        """Turn the odds into 0..1, for people."""
        return 1 / (1 + math.exp(-max(-40.0, min(40.0, self.odds(evidence)))))


def _higher_limits(least: Mapping[str, float], limits: Mapping[str, float]) -> dict[str, float]:
    """The higher of two limits, for each piece of evidence."""
    return {name: max(least.get(name, -math.inf), limits.get(name, -math.inf)) for name in {**least, **limits}}


def _read_gates(text: str, where: str) -> Gates:
    """Read gates; all that is wrong with the file at once."""
    table = Table(read_toml_text(text), where, between=" ")
    first = _gate_of_table(table, Evidence.SPAN)
    inside = table.need_table(BOTH)
    together = _gate_of_table(inside, Joint.SPAN)
    enough = inside.need("enough", float, 0.0)
    least = _numbers_of(inside.table(ALONE_LEAST), Evidence.SPAN, some=True)
    gates = Gates(first, together, enough, table.get("measured", str, ""), alone_least=least)
    if (three := table.table(THREE)).values:
        gates = replace(gates, three=_gate_of_table(three, Joint.SPAN))
        three.finish()
    inside.finish()
    stricter = table.table(STRICTER)
    limits = {taken: _limits_of(stricter.table(name)) for taken, name in WHERE.items() if name in stricter.values}
    stricter.finish()
    gates = replace(gates, stricter=limits)
    if problems := table.finish():
        raise Stopped(problems)
    return gates


def _gate_of_table(table: Table, span: Bounds) -> Gate:
    constant, marked, accepted = (table.need(key, float, 0.0) for key in NUMBERS)
    weights, least = (
        _numbers_of(table.need_table("weights"), span),
        _numbers_of(table.need_table("least"), span, some=True),
    )
    for key, weight in weights.items():
        if weight < 0:
            table.fault("weights", f"{key} weighs {weight}; wanted 0 or more")
    if accepted < marked:
        table.fault("accepted", f"{accepted} is below marked, {marked}; wanted the other way round")
    return Gate(constant, weights, least, marked, accepted)


def _limits_of(table: Table) -> Limits:
    limits = Limits(*(_numbers_of(table.table(key), span, some=True) for key, span in LIMITED.items()))
    table.finish()
    return limits


def _numbers_of(table: Table, span: Bounds, *, some: bool = False) -> dict[str, float]:
    """Take a number for each kind of evidence, or for some, in the order of the file."""
    there = [key for key in table.values if key in span]
    wanted = there if some else [*there, *(key for key in span if key not in there and key not in ADDED)]
    numbers = {key: table.need(key, float, 0.0) for key in wanted}
    table.asked.update(span)
    table.finish()
    return numbers


def load_gates(path: Path | None = None) -> Gates:
    """Load the gates of the package, or those that `ordersheets calibrate` fitted."""
    file = path or resources.files(__package__) / "gate.toml"
    try:
        return _read_gates(file.read_text("utf-8"), str(path or "gate.toml"))
    except (OSError, ValueError) as error:
        raise stop(f"it cannot be read: {error}", str(file)) from error


def digest(gates: Gates) -> str:
    """The digest by which facts name gates: of their text, whose head names the file that judged when it was set up."""
    return hashlib.sha256(write_gates(gates, "pipeline/reading/net/gate.py").encode()).hexdigest()[:8]


def write_gates(gates: Gates, judge: str = "pipeline/reading/gate.py") -> str:
    file = tomlkit.document()
    file.add(tomlkit.comment(f"Evidence that is enough to take a row as read ({judge}); what set it stands below."))
    file.add(tomlkit.nl())
    file.add("measured", tomlkit.string(gates.measured, literal="'''" not in gates.measured, multiline=True))
    file.add(tomlkit.nl())
    _add_gate(file, gates.first)
    both = tomlkit.table()
    both.add("enough", tomlkit.value(f"{gates.enough:.4f}"))
    _add_gate(both, gates.both)
    if gates.alone_least:
        _add_numbers(both, ALONE_LEAST, gates.alone_least)
    file.add(BOTH, both)
    if gates.three is not None:
        three = tomlkit.table()
        _add_gate(three, gates.three)
        file.add(THREE, three)
    if gates.stricter:
        file.add(STRICTER, _table_of(gates.stricter))
    return file.as_string()


def _table_of(stricter: Mapping[Taken, Limits]) -> WrittenTable:
    """Write the minimums that are added where the rules follow no misspelt word."""
    outer = tomlkit.table(is_super_table=True)
    for taken, limits in stricter.items():
        inside = tomlkit.table(is_super_table=True)
        for name in LIMITED:
            if values := getattr(limits, name):
                _add_numbers(inside, name, values)
        outer.add(WHERE[taken], inside)
    return outer


def _add_gate(table: TOMLDocument | WrittenTable, gate: Gate) -> None:
    for name in NUMBERS:
        table.add(name, tomlkit.value(f"{getattr(gate, name):.4f}"))
    for title, values in (("weights", gate.weights), ("least", gate.least)):
        _add_numbers(table, title, values)


def _add_numbers(table: TOMLDocument | WrittenTable, title: str, values: Mapping[str, float]) -> None:
    """Write a number for each kind of evidence."""
    inside = tomlkit.table()
    for name, value in values.items():
        inside.add(name, tomlkit.value(f"{value:.4f}"))
    table.add(title, inside)


# A director's own scans, whose truth he has confirmed, move the thresholds of a gate; its weights stay as they ship
# (`training/fit_gate.py`).

ENOUGH_TO_LOWER = 3000  # rows without a silent error bound it to 1 in 1000 with 95 % confidence: 3 / n


class Judged(Struct, frozen=True):
    """The evidence of one row, and whether its best line was what is written."""

    evidence: AnyEvidence
    right: bool
    weight: float = 1.0  # how many rows at a table it stands for: misorders are rarer there than where a gate is fitted
    is_slip: bool = False  # of a row that is not right: a misspelling that can mean nothing else, counted apart


def passing(rows: Sequence[Judged], gate: Gate) -> list[Judged]:
    """Leave out the rows that are asked whatever their odds."""
    always = replace(gate, marked=-1e9, accepted=1e9)
    return [row for row in rows if always.tier(row.evidence) is not Tier.ASKED]


def _with_thresholds(gate: Gate, near: Sequence[Judged], room: float) -> Gate:
    """Put the threshold above every wrong row."""
    highest = max((gate.odds(row.evidence) for row in near if not row.right), default=0.0)
    return replace(gate, marked=highest + room, accepted=highest + 2 * room)


def fit_thresholds(gate: Gate, rows: Sequence[Judged], room: float) -> Gate:
    """Fit only the thresholds of a gate, on a director's own rows: up at once, down only when there are rows enough."""
    near = passing(rows, gate)
    own = _with_thresholds(gate, near, room)
    has_wrong = any(not row.right for row in near)
    if has_wrong and (own.marked > gate.marked or len(rows) >= ENOUGH_TO_LOWER):
        return own
    return gate
