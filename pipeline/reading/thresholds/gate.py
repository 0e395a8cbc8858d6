"""The verdict on a row: accepted, accepted and marked, or asked. An absolute test, not a race among admissible lines.

A margin among admissible lines looks superb and lets half of the misspelt and wrong-unit orders through: the best of
the wrong answers is still the best. So the likelihood of the line counts against everything else that can be written.
There are two readers, one after the other: the second looks where the first is not sure, and then both are weighed
together. What each piece of evidence weighs, and how much is enough, stands in gate.toml with the measurement of the
whole that set it.
"""

import hashlib
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.items import Table

from pipeline.ink import Tier
from pipeline.problems import Problem, Stopped, Weight
from pipeline.reading.thresholds.evidence import Evidence, Span
from pipeline.reading.thresholds.joint import Joint

NUMBERS = ("constant", "marked", "accepted")
BOTH = "both"  # the table of the gate for what two readers say

AnyEvidence = Evidence | Joint


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
        return self.constant + sum(self.weights[name] * value for name, value in numbers.items())

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
class Gates:
    """How much is enough: for the first reader, and for both together where the first is not sure."""

    first: Gate
    both: Gate
    enough: float  # odds of the first reader from which the second need not look
    measured: str  # the rows, the writers and the result that set these numbers
    is_alone: bool = False  # there is no second reader here: the first has its own thresholds

    @property
    def front(self) -> Gate:
        """How the first reader judges here: where there is a second one it marks nothing, and what is less is asked."""
        return self.first if self.is_alone else replace(self.first, marked=self.enough, accepted=self.enough)

    def gate_of(self, evidence: AnyEvidence) -> Gate:
        """Who judges what was found."""
        return self.both if isinstance(evidence, Joint) else self.front

    def odds(self, evidence: AnyEvidence) -> float:
        """Weigh the evidence: the log odds that the best line is what was written."""
        return self.gate_of(evidence).odds(evidence)

    def tier(self, evidence: AnyEvidence) -> Tier:
        """Judge a row."""
        return self.gate_of(evidence).tier(evidence)

    def chance(self, evidence: AnyEvidence) -> float:
        """Turn the odds into 0..1, for people."""
        return 1 / (1 + math.exp(-max(-40.0, min(40.0, self.odds(evidence)))))


def read_gates(text: str, where: str) -> Gates:
    """Read gates; all that is wrong with the file at once."""
    table = tomllib.loads(text)
    problems: list[Problem] = []
    first = gate_of_table(table, Evidence.SPAN, where, problems)
    both = table.get(BOTH)
    if not isinstance(both, dict):
        problems.append(Problem(Weight.STOPS, f"expected a table, found {both!r}", f"{where} {BOTH}"))
        both = {}
    together = gate_of_table(both, Joint.SPAN, f"{where} {BOTH}", problems) if both else first
    enough = number(both, "enough", f"{where} {BOTH}", problems) if both else 0.0
    if problems:
        raise Stopped(tuple(problems))
    return Gates(first, together, enough, str(table.get("measured", "")))


def gate_of_table(table: Mapping[str, Any], span: Span, where: str, problems: list[Problem]) -> Gate:
    """Take a gate out of a table."""
    numbers = {key: number(table, key, where, problems) for key in NUMBERS}
    weights = numbers_of(table, "weights", where, problems)
    least = numbers_of(table, "least", where, problems)
    for key in sorted(set(span) ^ set(weights)):
        wrong = "is missing" if key in span else f"is no evidence; there are {', '.join(span)}"
        problems.append(Problem(Weight.STOPS, f"the weight of {key!r} {wrong}", f"{where} weights"))
    for key in sorted(set(least) - set(span)):
        problems.append(Problem(Weight.STOPS, f"{key!r} is no evidence; there are {', '.join(span)}", f"{where} least"))
    for key, weight in weights.items():
        if weight < 0:
            problems.append(Problem(Weight.STOPS, f"{key} weighs {weight}; wanted 0 or more", f"{where} weights"))
    if numbers["accepted"] < numbers["marked"]:
        text = f"accepted is {numbers['accepted']}, below marked, {numbers['marked']}; wanted the other way round"
        problems.append(Problem(Weight.STOPS, text, where))
    return Gate(numbers["constant"], weights, least, numbers["marked"], numbers["accepted"])


def number(table: Mapping[str, Any], key: str, where: str, problems: list[Problem]) -> float:
    """Take a number out of a table."""
    found = table.get(key)
    if isinstance(found, int | float) and not isinstance(found, bool) and math.isfinite(found):
        return float(found)
    problems.append(Problem(Weight.STOPS, f"expected a number, found {found!r}", f"{where} {key}"))
    return 0.0


def numbers_of(table: Mapping[str, Any], key: str, where: str, problems: list[Problem]) -> dict[str, float]:
    """Take a table of numbers out of a table."""
    found = table.get(key)
    if not isinstance(found, dict):
        problems.append(Problem(Weight.STOPS, f"expected a table, found {found!r}", f"{where} {key}"))
        return {}
    return {name: number(found, name, f"{where} {key}", problems) for name in found}


def load_gates(path: Path | None = None) -> Gates:
    """Load the gates of the package, or those that `ordersheets calibrate` fitted."""
    text = path.read_text(encoding="utf-8") if path else (resources.files(__package__) / "gate.toml").read_text("utf-8")
    return read_gates(text, str(path or "gate.toml"))


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
    file.add(BOTH, both)
    return file.as_string()


def add_gate(table: TOMLDocument | Table, gate: Gate) -> None:
    """Write one gate."""
    for name in NUMBERS:
        table.add(name, tomlkit.value(f"{getattr(gate, name):.4f}"))
    for title, values in (("weights", gate.weights), ("least", gate.least)):
        inside = tomlkit.table()
        for name, value in values.items():
            inside.add(name, tomlkit.value(f"{value:.4f}"))
        table.add(title, inside)
