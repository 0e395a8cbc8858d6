"""One tournament as data: everything its rules file and its abbreviation table say, typed.

This is what every other module imports; the switches themselves stand in ``reading_rules``, ``conduct_rules`` and
``event_rules``, the words in ``abbreviations``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.judge.rulebook import Rulebook
from pipeline.tournament.abbreviations import Abbreviations
from pipeline.tournament.conduct_rules import ConductRules
from pipeline.tournament.event_rules import ClockRules, DrawRules, EndingRules, JudgeRules
from pipeline.tournament.reading_rules import AdjustmentRules, ReadingRules
from pipeline.tournament.setting import Setting, Switch, switches

SECTIONS = ("reading", "adjustments", "conduct", "ending", "clock", "draw")
POINTS = ("scoring", "totals", "ties", "teams", "awards")  # tables that the scoring modules read


@dataclass(frozen=True, kw_only=True)
class Tournament:
    """The rules that one tournament plays under."""

    id: str  # "edc1996"
    short: str  # "EDC96", as in "EDC96 8"
    name: str
    source: str  # the document the rules were taken from
    map: str  # a key of `pipeline.board.standard.MAPS`
    rounds: int
    judge: JudgeRules  # what the file says
    rulebook: Rulebook  # what the judge is given
    reading: ReadingRules
    adjustments: AdjustmentRules
    conduct: ConductRules
    ending: EndingRules
    clock: ClockRules
    draw: DrawRules
    abbreviations: Abbreviations
    points: Mapping[str, Mapping[str, Any]]  # the tables of POINTS, as they stand in the file

    def switches(self) -> Iterator[Switch]:
        """Walk every switch with its source, in the order of the file."""
        yield Switch("judge.edition", "12, 16-25", "which edition of the rulebook?", self.judge.edition)
        for name, setting in self.judge.choices.items():
            yield Switch(f"judge.{name}", "12, 16-25", "where does this tournament differ from it?", setting)
        for section in SECTIONS:
            yield from switches(getattr(self, section), section)

    def unsettled(self) -> tuple[Switch, ...]:
        """List the switches on which the director will be asked."""
        return tuple(each for each in self.switches() if each.setting.asks)


__all__ = ["POINTS", "SECTIONS", "Setting", "Switch", "Tournament"]
