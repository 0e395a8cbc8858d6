"""The verdict on a row: accepted, accepted and marked, or asked. An absolute test, not a race among admissible lines.

A margin among admissible lines looks superb and lets half of the misspelt and wrong-unit orders through: the best of
the wrong answers is still the best. So the likelihood of the line counts against everything else that can be written.
What each piece of evidence weighs, and how much is enough, stands in gate.toml with the measurement that set it.
"""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import tomlkit

from pipeline.ink import Tier
from pipeline.problems import Problem, Stopped, Weight
from pipeline.reading.net.evidence import Evidence

SPAN: Mapping[str, tuple[float, float]] = {  # beyond these the evidence is as good, or as bad, as it gets
    "to_next": (0.0, 12.0),
    "to_others": (-15.0, 12.0),
    "to_slips": (-15.0, 10.0),
    "to_free": (-20.0, 1.0),
}


def shown(evidence: Evidence) -> dict[str, float]:
    """Take the evidence as numbers, each within its span."""
    return {name: min(max(float(getattr(evidence, name)), low), high) for name, (low, high) in SPAN.items()}


@dataclass(frozen=True, slots=True)
class Gate:
    """How much evidence is enough."""

    constant: float
    weights: Mapping[str, float]  # of each piece of evidence; never negative: more evidence never hurts
    least: Mapping[str, float]  # what each piece must reach by itself, whatever the others say
    marked: float  # odds (log) from which a row passes
    accepted: float  # odds from which it is not even worth a glance
    measured: str  # the rows, the writers and the result that set these numbers

    def odds(self, evidence: Evidence) -> float:
        """Weigh the evidence: the log odds that the best line is what was written."""
        numbers = shown(evidence)
        return self.constant + sum(self.weights[name] * value for name, value in numbers.items())

    def tier(self, evidence: Evidence) -> Tier:
        """Judge a row."""
        numbers = shown(evidence)
        if evidence.struck or any(numbers[name] < least for name, least in self.least.items()):
            return Tier.ASKED
        odds = self.odds(evidence)
        if odds < self.marked:
            return Tier.ASKED
        return Tier.ACCEPTED if odds >= self.accepted else Tier.MARKED

    def chance(self, evidence: Evidence) -> float:
        """Turn the odds into 0..1, for people."""
        return 1 / (1 + math.exp(-max(-40.0, min(40.0, self.odds(evidence)))))


def read_gate(text: str, where: str) -> Gate:
    """Read a gate; all that is wrong with the file at once."""
    table = tomllib.loads(text)
    problems: list[Problem] = []
    numbers = {key: number(table, key, where, problems) for key in ("constant", "marked", "accepted")}
    weights = numbers_of(table, "weights", where, problems)
    least = numbers_of(table, "least", where, problems)
    for key in sorted(set(SPAN) ^ set(weights)):
        wrong = "is missing" if key in SPAN else f"is no evidence; there are {', '.join(SPAN)}"
        problems.append(Problem(Weight.STOPS, f"the weight of {key!r} {wrong}", f"{where} weights"))
    for key in sorted(set(least) - set(SPAN)):
        problems.append(Problem(Weight.STOPS, f"{key!r} is no evidence; there are {', '.join(SPAN)}", f"{where} least"))
    for key, weight in weights.items():
        if weight < 0:
            problems.append(Problem(Weight.STOPS, f"{key} weighs {weight}; wanted 0 or more", f"{where} weights"))
    if numbers["accepted"] < numbers["marked"]:
        text = f"accepted is {numbers['accepted']}, below marked, {numbers['marked']}; wanted the other way round"
        problems.append(Problem(Weight.STOPS, text, where))
    if problems:
        raise Stopped(tuple(problems))
    return Gate(
        numbers["constant"], weights, least, numbers["marked"], numbers["accepted"], str(table.get("measured", ""))
    )


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


def load_gate(path: Path | None = None) -> Gate:
    """Load the gate of the package, or one that `ordersheets calibrate` fitted."""
    text = path.read_text(encoding="utf-8") if path else (resources.files(__package__) / "gate.toml").read_text("utf-8")
    return read_gate(text, str(path or "gate.toml"))


def write_gate(gate: Gate) -> str:
    """Write a gate as TOML."""
    about = "Evidence that is enough to take a row as read (pipeline/reading/net/gate.py); what set it stands below."
    file = tomlkit.document()
    file.add(tomlkit.comment(about))
    file.add(tomlkit.nl())
    file.add("measured", tomlkit.string(gate.measured, literal="'''" not in gate.measured, multiline=True))
    file.add(tomlkit.nl())
    for name in ("constant", "marked", "accepted"):
        file.add(name, tomlkit.value(f"{getattr(gate, name):.4f}"))
    for title, values in (("weights", gate.weights), ("least", gate.least)):
        table = tomlkit.table()
        for name, value in values.items():
            table.add(name, tomlkit.value(f"{value:.4f}"))
        file.add(title, table)
    return file.as_string()
