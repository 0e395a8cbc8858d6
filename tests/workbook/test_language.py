"""In an event in another language nothing in a workbook is English but names, and what people and rules files wrote."""

import re
from collections.abc import Iterator
from itertools import chain

import pytest
from pseudo import narrow_words, spoken

from pipeline.scoring import extras
from pipeline.scoring.results import EventResults
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.score import score
from pipeline.scoring.system import every_part
from pipeline.words.speech import speech_of
from pipeline.workbook import page as xl
from pipeline.workbook.package import Tabs
from pipeline.workbook.write import write_workbook
from workbook.events import invent, leave_unfinished
from workbook.test_contents import scored_of
from workbook.tournaments import TOURNAMENTS, rules_of, wishes_for

SEEDS = (5, 10)  # 28 players and 7, with notes of every kind
KINDS = (extras.PARTICIPATION, extras.PREREGISTRATION, extras.FINAL_TABLE, extras.FINAL_VICTORY, extras.WITHDRAWAL)
QUOTED = re.compile(r'"((?:[^"]|"")*)"')


def texts_of(page: xl.Page) -> Iterator[str]:
    """Everything on a page that somebody reads, and what formulas compare with it."""
    yield page.name
    for content, _ in chain.from_iterable(row.values() for row in page.cells.values()):
        shown = content.value if isinstance(content, xl.LiveFormula) else content
        yield from QUOTED.findall(content.formula) if isinstance(content, xl.LiveFormula) else ()
        yield shown if isinstance(shown, str) else ""
    for _, mark in page.marks:
        yield from QUOTED.findall(mark.formula[0])
    for rule in page.validations:
        yield from (rule.error or "", rule.errorTitle or "", *QUOTED.findall(rule.formula1 or ""))
    for chart, _ in page.charts:
        yield from (part.t for line in chart.title.tx.rich.p for part in line.r)  # type: ignore[union-attr]


def names_in(event: EventResults) -> Iterator[str]:
    """What is somebody's or something's name in an event, and what its director wrote."""
    yield from event.players
    yield from (team.name for team in event.teams)
    yield from ("Somebody Else", "invented")
    yield from (bonus.kind for bonus in event.bonuses)
    yield from (penalty.kind for penalty in event.penalties)


def said_by(rules: ScoringRules) -> Iterator[str]:
    """What a rules file calls something: titles and games by their names; paragraphs, kinds and blocks as keys."""
    yield from (rules.name, *rules.awards.places, *(title.title for title in rules.awards.titles))
    yield from (source.rule for source in rules.sources.values())
    yield from (*KINDS, *(rule.kind for rule in rules.penalties))
    yield from chain.from_iterable(rule.keeps for rule in rules.penalties)
    yield from (rules.votes.titles if rules.votes else ())
    yield from (rules.board_games.weights if rules.board_games else ())
    for system in rules.systems:
        yield system.name
        for part in every_part(system):
            yield from (part.name, part.name.capitalize(), *(f"{part.name}, {key}" for key, _, _ in part.numbers()))


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_every_text_but_names_is_in_the_events_language(name: str) -> None:
    rules = rules_of(name)
    for seed in SEEDS:
        event, waiting = leave_unfinished(seed, invent(seed, wishes_for(name, seed)), 0.5)
        with spoken() as speech:
            book = write_workbook(score(event, rules), title="", sealed=False, to_come=waiting, speech=speech)
            texts = {(page.title, text) for page in book.pages for text in texts_of(page)}
        known = sorted({*names_in(event), *said_by(rules), *book.names}, key=len, reverse=True)
        a_name = re.compile("|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in known if each))
        assert sorted(where for where in texts if narrow_words(a_name.sub("", where[1]))) == []


@pytest.mark.parametrize("code", ["de", "fr"])
def test_every_sheet_has_a_name_that_a_workbook_can_have(code: str) -> None:
    book = write_workbook(scored_of("wdc2008"), title="x", sealed=False, speech=speech_of(code))
    names = [page.name for page in book.pages]
    assert len({name.lower() for name in names}) == len(names)
    assert not [name for name in names if len(name) > 31 or re.search(r"[\[\]:*?/\\']", name)]


def test_what_stands_in_quotes_names_no_sheet() -> None:
    tabs = Tabs({"Results": "Résultats"})
    assert tabs.write('IF(Results!$A1="Results!B",Results!C2,Games!D3)') == (
        "IF('Résultats'!$A1=\"Results!B\",'Résultats'!C2,Games!D3)"
    )
