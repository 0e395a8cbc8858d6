"""One tournament as data: everything its rules file and its abbreviation table say, typed.

This is what every other module imports; the switches themselves stand in ``reading_rules``, ``conduct_rules`` and
``event_rules``, the words in ``abbreviations``.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from pipeline.judge.rulebook.rulebook import Rulebook
from pipeline.rules.conduct_rules import ConductRules
from pipeline.rules.event_rules import ClockRules, DrawRules, EndingRules, JudgeRules
from pipeline.rules.judging import ABOUT, OTHERWISE
from pipeline.rules.reading_rules import AdjustmentRules, ReadingRules
from pipeline.rules.toml.setting import Quote, Setting, Switch, switches
from pipeline.rules.words.abbreviations import Abbreviations
from pipeline.scoring.totals.rules import ScoringRules
from pipeline.words.speech import ENGLISH, Speech

SECTIONS = ("reading", "adjustments", "conduct", "ending", "clock", "draw")
POINTS = ("scoring", "totals", "ties", "teams", "awards")  # tables that the scoring modules read


@dataclass(frozen=True, kw_only=True, eq=False)  # one object for each file that is loaded
class Tournament:
    """The rules that one tournament plays under."""

    id: str  # "edc1996"
    short: str  # "EDC96", as in "EDC96 8"
    name: str
    source: str  # the document the rules were taken from
    map: str  # a key of `pipeline.board.standard.MAPS`
    language: str  # of what players see: a key of `pipeline.words.speech.languages`
    judge: JudgeRules  # what the file says
    rulebook: Rulebook  # what the judge is given
    reading: ReadingRules
    adjustments: AdjustmentRules
    conduct: ConductRules
    ending: EndingRules
    clock: ClockRules
    draw: DrawRules
    abbreviations: Abbreviations
    scoring: ScoringRules
    points: Mapping[str, Mapping[str, Any]]  # the tables of POINTS, as they stand in the file

    @property
    def rounds(self) -> int:
        """How many rounds are played."""
        return self.scoring.totals.rounds

    @property
    def teams_apart_rounds(self) -> tuple[int, ...]:
        """The rounds in which team mates play apart, where they do: those the rules name, else the team rounds."""
        teams = self.scoring.teams
        return (teams.apart or teams.rounds) if teams else ()

    def in_language(self, code: str) -> "Tournament":
        """The same rules for players of some language; its own words are printed where the table is in it."""
        speaks = code != ENGLISH and self.abbreviations.language == code
        if (code, speaks) == (self.language, self.abbreviations.prints_own):
            return self  # the same object: tables are kept under it
        return replace(self, language=code, abbreviations=replace(self.abbreviations, prints_own=speaks))

    @cached_property
    def speech(self) -> Speech:
        """The language of what players see, with the words of the table where that is in it."""
        table = self.abbreviations
        return Speech(self.language, table.places_in_print() if table.prints_own else {})

    def switches(self) -> Iterator[Switch]:
        """Walk every switch with its source, in the order of the file."""
        table = Setting(self.abbreviations.id, self.abbreviations.source, path="tournament.abbreviations")
        yield Switch("11, 33", "which abbreviations and signs are accepted?", table)
        yield Switch("12, 16-25", "which edition of the rulebook?", self.judge.edition)
        for name, setting in self.judge.choices.items():
            yield Switch(*ABOUT.get(name, OTHERWISE), setting)
        for section in SECTIONS:
            yield from switches(getattr(self, section))
            if section == "clock":
                yield self.seasons_of_the_clock()
        yield from written(self.points, "")

    def seasons_of_the_clock(self) -> Switch:
        """The tables ``[[clock.years]]`` as one switch."""
        seasons = "; ".join(map(str, self.clock.years))
        rules = ", ".join(dict.fromkeys(span.rule for span in self.clock.years))
        setting = Setting(seasons, rules, left_open=not seasons, path="clock.years")
        return Switch("clock", "minutes of negotiation, writing and reading, by first year", setting)

    @cached_property
    def said(self) -> Mapping[str, Quote]:
        """What the rules say of each situation, by the path of its setting."""
        return {switch.path: switch.quote for switch in self.switches() if switch.question}

    def quotes(self, paths: Iterable[str]) -> tuple[Quote, ...]:
        """What the rules say under these settings; nothing where none is named: a doubt of the reader is no rule's."""
        return tuple(self.said[path] for path in dict.fromkeys(paths))

    def stated(self, paths: Iterable[str]) -> tuple[Quote, ...]:
        """What the rules say under these settings, without those on which they are silent or say that there is none."""
        known = {switch.path: switch.setting for switch in self.switches()}
        return self.quotes(path for path in paths if not known[path].asks and known[path].value)

    @cached_property
    def otherwise(self) -> tuple[tuple[Setting[Any], "Tournament"], ...]:
        """The settings on lines whose rule can be read in another way, each with the tournament that reads it so."""
        found = []
        for name in ("reading", "adjustments"):
            section = getattr(self, name)
            for each in fields(section):
                setting: Setting[Any] = getattr(section, each.name)
                if setting.otherwise is not None:
                    read = replace(setting, value=setting.otherwise, otherwise=None)
                    found.append((setting, replace(self, **{name: replace(section, **{each.name: read})})))
        return tuple(found)

    def unsettled(self) -> tuple[Switch, ...]:
        """List the switches on which the director will be asked."""
        return tuple(each for each in self.switches() if each.setting.asks)


def written(found: Any, path: str) -> Iterator[Switch]:
    """Walk scoring tables as they stand in the file: what has a rule, or is no table, is one switch.

    >>> [(each.path, each.setting.value) for each in written({"totals": {"rounds": {"value": 3, "rule": "X 1"}}}, "")]
    [('totals.rounds', 3)]
    """
    if isinstance(found, list) and any(isinstance(each, dict) for each in found):
        for place, each in enumerate(found):
            yield from written(each, f"{path}[{place}]")
    elif isinstance(found, dict) and found.keys().isdisjoint(("value", "rule")):
        for key, each in found.items():
            yield from written(each, f"{path}.{key}" if path else key)
    elif isinstance(found, dict):
        rest = {key: value for key, value in found.items() if key not in ("rule", "why", "otherwise")}
        value = rest["value"] if list(rest) == ["value"] else rest
        value = f"{value}; else {found['otherwise']}" if "otherwise" in found else value
        yield Switch("", "", Setting(value, found.get("rule", ""), found.get("why", ""), path=path))
    else:
        yield Switch("", "", Setting(found, path=path))


__all__ = ["POINTS", "SECTIONS", "Setting", "Switch", "Tournament"]
