"""The verdict on a row: accepted, accepted and marked, or asked. An absolute test, not a race among admissible lines.

A margin among admissible lines looks superb and lets half of the misspelt and wrong-unit orders through: the best of
the wrong answers is still the best. So the likelihood of the line counts against everything else that can be written.
There are readers one after the other: the second looks where the first is not sure, and then both are weighed
together; the third where both are not, and then all are. What each piece of evidence weighs, and how much is enough,
stands in gate.toml with the measurement of the whole that set it.
"""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.items import Table as WrittenTable

from pipeline.ink import Tier
from pipeline.problems import Stopped, stop
from pipeline.reading.rows.recogniser import Taken
from pipeline.reading.thresholds.evidence import Evidence, Span
from pipeline.reading.thresholds.joint import Joint
from pipeline.rules.toml.table import Table, read_toml_text

NUMBERS = ("constant", "marked", "accepted")
BOTH = "both"  # the table of the gate for what two readers say
THREE = "three"  # and for what three do
ALONE_LEAST = "alone_least"  # a table in that one
STRICTER = "stricter"  # the table of what must be reached, too, where the rules follow no misspelt word ...
WHERE = {Taken.ASKED: "asked", Taken.OTHER: "held"}  # ... with a table for each thing that they do instead

LIMITED = {"alone": Evidence.SPAN, BOTH: Joint.SPAN, THREE: Joint.SPAN}  # by the names of limits
ADDED = ("to_asked", "likelihood")  # evidence that gates of before do not weigh

AnyEvidence = Evidence | Joint


def readers_of(evidence: AnyEvidence) -> int:
    """How many readers evidence is of."""
    return evidence.readers if isinstance(evidence, Joint) else 1


def shown(evidence: AnyEvidence) -> dict[str, float]:
    """Take the evidence as numbers, each within its span."""
    return {name: min(max(float(getattr(evidence, name)), low), high) for name, (low, high) in evidence.SPAN.items()}


@dataclass(frozen=True, slots=True)
class Gate:
    """How much evidence of one kind is enough."""

    constant: float
    weights: Mapping[str, float]  # of each piece of evidence; never negative: more evidence never hurts
    least: Mapping[str, float]  # what each piece must reach by itself, whatever the others say
    marked: float  # odds (log) from which a row passes
    accepted: float  # odds from which it is not even worth a glance

    def odds(self, evidence: AnyEvidence) -> float:
        """Weigh the evidence: the log odds that the best line is what was written."""
        numbers = shown(evidence)
        return self.constant + sum(self.weights.get(name, 0.0) * value for name, value in numbers.items())

    def tier(self, evidence: AnyEvidence) -> Tier:
        """Judge a row."""
        numbers = shown(evidence)
        if evidence.struck or any(numbers[name] < least for name, least in self.least.items()):
            return Tier.ASKED
        odds = self.odds(evidence)
        if odds < self.marked:
            return Tier.ASKED
        return Tier.ACCEPTED if odds >= self.accepted else Tier.MARKED


@dataclass(frozen=True, slots=True)
class Limits:
    """What each piece of evidence must reach by itself, beside what the gates say."""

    alone: Mapping[str, float] = field(default_factory=dict)  # where the first reader is to be enough
    both: Mapping[str, float] = field(default_factory=dict)
    three: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Gates:
    """How much is enough: for the first reader, for two together where it is not sure, for three where those are not.

    The first marks nothing where another follows: what is not enough for him is looked at once more.
    """

    first: Gate
    both: Gate
    enough: float  # odds of the first reader from which the second need not look
    measured: str  # the rows, the writers and the result that set these numbers
    is_alone: bool = False  # there is no second reader here: the first has its own thresholds
    alone_least: Mapping[str, float] = field(default_factory=dict)  # what each piece must reach, too, to be enough
    three: Gate | None = None  # None: there is no third reader here, and two say the last word
    stricter: Mapping[Taken, Limits] = field(default_factory=dict)  # by what is made of a misspelt word

    @property
    def front(self) -> Gate:
        """How the first reader judges here: where there is a second one it marks nothing, and what is less is asked."""
        if self.is_alone:
            return self.first
        least = {**self.first.least, **self.alone_least}
        return replace(self.first, least=least, marked=self.enough, accepted=self.enough)

    @property
    def last(self) -> Gate:
        """Who says the last word."""
        return self.first if self.is_alone else self.three or self.both

    def where(self, misspelt: Taken) -> "Gates":
        """The gates under rules that make this of a misspelt word: where they do not follow it, less is let through."""
        limits = self.stricter.get(misspelt)
        if limits is None:
            return self
        three = self.three and replace(self.three, least=raised(self.three.least, limits.three))
        return replace(
            self,
            alone_least=raised(self.alone_least, limits.alone),
            both=replace(self.both, least=raised(self.both.least, limits.both)),
            three=three,
        )

    def without_third(self) -> "Gates":
        """The gates where there is no third reader."""
        return replace(self, three=None)

    def gate_of(self, evidence: AnyEvidence) -> Gate:
        """Who judges what was found."""
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


def raised(least: Mapping[str, float], limits: Mapping[str, float]) -> dict[str, float]:
    """The higher of two limits, for each piece of evidence."""
    return {name: max(least.get(name, -math.inf), limits.get(name, -math.inf)) for name in {**least, **limits}}


def read_gates(text: str, where: str) -> Gates:
    """Read gates; all that is wrong with the file at once."""
    table = Table(read_toml_text(text), where, between=" ")
    first = gate_of_table(table, Evidence.SPAN)
    inside = table.need_table(BOTH)
    together = gate_of_table(inside, Joint.SPAN)
    enough = inside.need("enough", float, 0.0)
    least = numbers_of(inside.table(ALONE_LEAST), Evidence.SPAN, some=True)
    gates = Gates(first, together, enough, table.get("measured", str, ""), alone_least=least)
    if (three := table.table(THREE)).values:
        gates = replace(gates, three=gate_of_table(three, Joint.SPAN))
        three.finish()
    inside.finish()
    stricter = table.table(STRICTER)
    limits = {taken: limits_of(stricter.table(name)) for taken, name in WHERE.items() if name in stricter.values}
    stricter.finish()
    gates = replace(gates, stricter=limits)
    if problems := table.finish():
        raise Stopped(problems)
    return gates


def gate_of_table(table: Table, span: Span) -> Gate:
    """Take a gate out of a table."""
    constant, marked, accepted = (table.need(key, float, 0.0) for key in NUMBERS)
    weights, least = (
        numbers_of(table.need_table("weights"), span),
        numbers_of(table.need_table("least"), span, some=True),
    )
    for key, weight in weights.items():
        if weight < 0:
            table.fault("weights", f"{key} weighs {weight}; wanted 0 or more")
    if accepted < marked:
        table.fault("accepted", f"{accepted} is below marked, {marked}; wanted the other way round")
    return Gate(constant, weights, least, marked, accepted)


def limits_of(table: Table) -> Limits:
    """Take limits out of a table."""
    found = Limits(*(numbers_of(table.table(key), span, some=True) for key, span in LIMITED.items()))
    table.finish()
    return found


def numbers_of(table: Table, span: Span, *, some: bool = False) -> dict[str, float]:
    """Take a number for each kind of evidence, or for some, in the order in which they stand there."""
    there = [key for key in table.values if key in span]
    wanted = there if some else [*there, *(key for key in span if key not in there and key not in ADDED)]
    found = {key: table.need(key, float, 0.0) for key in wanted}
    table.asked.update(span)
    table.finish()
    return found


def load_gates(path: Path | None = None) -> Gates:
    """Load the gates of the package, or those that `ordersheets calibrate` fitted."""
    file = path or resources.files(__package__) / "gate.toml"
    try:
        return read_gates(file.read_text("utf-8"), str(path or "gate.toml"))
    except (OSError, ValueError) as error:
        raise stop(f"it cannot be read: {error}", str(file)) from error


def digest(gates: Gates) -> str:
    """Name gates as facts do: by their text, under the first line that it had when facts began to name them."""
    return hashlib.sha256(write_gates(gates, "pipeline/reading/net/gate.py").encode()).hexdigest()[:8]


def write_gates(gates: Gates, judge: str = "pipeline/reading/thresholds/gate.py") -> str:
    """Write gates as TOML."""
    file = tomlkit.document()
    file.add(tomlkit.comment(f"Evidence that is enough to take a row as read ({judge}); what set it stands below."))
    file.add(tomlkit.nl())
    file.add("measured", tomlkit.string(gates.measured, literal="'''" not in gates.measured, multiline=True))
    file.add(tomlkit.nl())
    add_gate(file, gates.first)
    both = tomlkit.table()
    both.add("enough", tomlkit.value(f"{gates.enough:.4f}"))
    add_gate(both, gates.both)
    if gates.alone_least:
        add_numbers(both, ALONE_LEAST, gates.alone_least)
    file.add(BOTH, both)
    if gates.three is not None:
        three = tomlkit.table()
        add_gate(three, gates.three)
        file.add(THREE, three)
    if gates.stricter:
        file.add(STRICTER, table_of(gates.stricter))
    return file.as_string()


def table_of(stricter: Mapping[Taken, Limits]) -> WrittenTable:
    """Write what must be reached, too, where the rules follow no misspelt word."""
    outer = tomlkit.table(is_super_table=True)
    for taken, limits in stricter.items():
        inside = tomlkit.table(is_super_table=True)
        for name in LIMITED:
            if values := getattr(limits, name):
                add_numbers(inside, name, values)
        outer.add(WHERE[taken], inside)
    return outer


def add_gate(table: TOMLDocument | WrittenTable, gate: Gate) -> None:
    """Write one gate."""
    for name in NUMBERS:
        table.add(name, tomlkit.value(f"{getattr(gate, name):.4f}"))
    for title, values in (("weights", gate.weights), ("least", gate.least)):
        add_numbers(table, title, values)


def add_numbers(table: TOMLDocument | WrittenTable, title: str, values: Mapping[str, float]) -> None:
    """Write a number for each kind of evidence."""
    inside = tomlkit.table()
    for name, value in values.items():
        inside.add(name, tomlkit.value(f"{value:.4f}"))
    table.add(title, inside)
