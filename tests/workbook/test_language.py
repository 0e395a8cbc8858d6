"""In an event in another language nothing in a workbook is English but names, and what people and rules files wrote."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, cycle
from unittest.mock import patch

import pytest
from msgspec.structs import replace
from pseudo import narrow_words, spoken
from sampled import slow_after

from pipeline.judge.outcome import Word
from pipeline.ledger.parts import SheetDecision
from pipeline.rules.game_end import EndGround
from pipeline.rules.scoring import read_scoring
from pipeline.scoring import extras
from pipeline.scoring.results import EventResults, Overruled
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.score import score
from pipeline.scoring.system import every_part
from pipeline.words.speech import speech_of, wording
from pipeline.workbook import league_book
from pipeline.workbook import page as xl
from pipeline.workbook.board_games_sheet import OrderLine, RulingLine
from pipeline.workbook.league_book import write_league
from pipeline.workbook.package import Tabs
from pipeline.workbook.write import write_workbook
from workbook.events import invent, leave_unfinished
from workbook.leagues import invent_league
from workbook.telling import TELLING, covering, system_rules, telling_event
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
            yield from (key for key, _, what in part.numbers() if key == what)


def narrow_in(pages: Iterable[xl.Page], names: Iterable[str]) -> list[tuple[str, str]]:
    """The texts on some pages that no catalogue has, each with its sheet; names are left out."""
    known = sorted(set(names), key=len, reverse=True)
    a_name = re.compile("|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in known if each))
    texts = {(page.title, text) for page in pages for text in texts_of(page)}
    return sorted(where for where in texts if narrow_words(a_name.sub("", where[1])))


@pytest.mark.parametrize("name", slow_after(2, TOURNAMENTS))
def test_every_text_but_names_is_in_the_events_language(name: str) -> None:
    rules = rules_of(name)
    for seed in SEEDS:
        event, waiting = leave_unfinished(seed, invent(seed, wishes_for(name, seed)), 0.5)
        with spoken() as speech:
            book = write_workbook(score(event, rules), title="", sealed=False, to_come=waiting, speech=speech)
            assert narrow_in(book.pages, {*names_in(event), *said_by(rules), *book.names}) == []


@pytest.mark.parametrize("sealed", [False, True])
def test_orders_rulings_and_ends_that_were_overruled_are_in_it_also_where_places_are_sealed(sealed: bool) -> None:
    rules = rules_of("edc2023")
    event = invent(SEEDS[0], wishes_for("edc2023", SEEDS[0]))
    ended = zip(event.boards, cycle(EndGround))
    boards = [replace(board, overruled=(Overruled(g.in_words, "B", "storm", "Tess"),)) for board, g in ended]
    event = replace(event, boards=tuple(boards))
    orders = [
        OrderLine(
            round=1, board="A", phase="S1901M", power="AUSTRIA", order="A VIE - GAL", result=result,
            reason=wording("cut by {order}", order="A VIE - GAL"), ruled=True,
        )
        for result in Word
    ]  # fmt: skip
    rulings = [
        RulingLine(
            when="10:14", round=1, board="A", phase="S1901M", power="RUSSIA", written=wording("line {line}", line=1),
            ruling=wording(decision), rule=wording("taken back"), by="Tess", why="storm",
        )
        for decision in SheetDecision
    ]  # fmt: skip
    with spoken() as speech:
        book = write_workbook(
            score(event, rules), title="", sealed=sealed, orders=orders, rulings=rulings, speech=speech
        )
        names = {*names_in(event), *said_by(rules), *book.names, "VIE", "GAL", "Tess", "storm"}
        assert narrow_in(book.pages, names) == []


@pytest.mark.parametrize("by", ["difference", "quotient", "places"])
def test_what_is_guessed_about_scores_is_in_it(by: str) -> None:
    compared = {"by": by} | ({"bonuses": [3, 1]} if by == "places" else {})
    given = {"parts": [{"give": "centres"}], "compared": compared}
    rules = read_scoring({"scoring": given, "totals": {"rounds": 1}}, "compared")
    event = telling_event(3, TELLING[:2])
    scored = score(event, rules)
    assert {doubt.code for doubt in scored.doubts} >= {"comparison guessed"}
    with spoken() as speech:
        said = [doubt.in_words(speech) for doubt in scored.doubts]
    names = re.compile(r"difference|quotient|places|Super Pastis|Hurst mean|country scoring|rule|scoring\.compared")
    assert [text for text in said if narrow_words(names.sub("", text))] == []


@pytest.mark.parametrize("name", covering())
def test_the_blocks_of_every_system_are_in_it(name: str) -> None:
    rules, event = system_rules(name), telling_event(3, TELLING[:1])
    with spoken() as speech:
        book = write_workbook(score(event, rules), title="", sealed=False, speech=speech)
        guessed = {guess.why for system in rules.systems for guess in system.guesses}
        assert narrow_in(book.pages, {*names_in(event), *said_by(rules), *book.names, *guessed, "Player"}) == []


def test_a_league_is_in_its_language() -> None:
    leagues = [invent_league(seed) for seed in range(1, 9)]
    with spoken() as speech, patch.object(league_book, "speech_of", lambda _: speech):
        for league in leagues:
            book = write_league(league)
            names = {name for event in league.events for each in event.results for name in (each.name, event.name)}
            names |= {league.person(name) for name in names} | {league.name, league.source, *league.points}
            assert narrow_in(book.pages, {*names, *said_by(league.rules), *book.names}) == []


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
