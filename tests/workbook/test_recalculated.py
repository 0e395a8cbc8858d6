"""Every formula, computed by a real spreadsheet program, comes to what our engine says; also after inputs are changed.

Set ORDERSHEETS_EVENTS to compare more events of each tournament (300 take about an hour): the events are made by
number, so a difference can be found again.
"""

import os
import random
from collections.abc import Sequence
from functools import cache
from itertools import zip_longest
from pathlib import Path

import pytest
from msgspec.structs import replace
from scoring.played import board, event, ruled, scored

from pipeline.board import Power
from pipeline.scoring.interim import at_moment
from pipeline.scoring.results import Entrant, EventResults, Seat
from pipeline.scoring.rules import InterimRules, StandingsMoment, Until
from pipeline.scoring.score import score
from pipeline.words.speech import speech_of
from pipeline.workbook.write import write_workbook
from workbook.events import invent, leave_unfinished
from workbook.office import LOCALES, differences, formulas, in_gnumeric, recalculate
from workbook.tournaments import TOURNAMENTS, rules_of, wishes_for

EVENTS = int(os.environ.get("ORDERSHEETS_EVENTS", "1"))  # of each tournament, each in one of the locales
FIRST = int(os.environ.get("ORDERSHEETS_FIRST_EVENT", "1"))
OF_SEVEN = 10  # the first event of seven players: every kind of formula stands in it, and few of each
A_RUN = 3  # events of every tournament given to the program at once
LANGUAGES = ("en", "de", "fr")
LEAST = 2000  # formulas in the smallest workbook


@cache
def workbook(name: str, seed: int) -> bytes:
    """Invent an event, of which some boards are not over, and write its workbook.

    Of the first events three have a board that stands as it is for now, and two one without any counts.
    """
    parts = len(TOURNAMENTS) * 2 * seed + TOURNAMENTS.index(name)
    event, waiting = leave_unfinished(parts, invent(seed, wishes_for(name, seed)), 0.5)
    scored, speech = score(event, rules_of(name)), speech_of(LANGUAGES[seed % 3])
    return write_workbook(scored, title=f"Event {seed}", sealed=False, to_come=waiting, speech=speech).data


@pytest.mark.slow
@pytest.mark.parametrize("locale", LOCALES[:EVENTS])
def test_every_value_is_the_engines_on_every_computer(locale: str, tmp_path: Path) -> None:
    found = {}
    seeds = range(FIRST + LOCALES.index(locale), FIRST + EVENTS, len(LOCALES))
    for start in range(0, len(seeds), A_RUN):
        here = [(name, seed) for seed in seeds[start : start + A_RUN] for name in TOURNAMENTS]
        written = {f"{name}{seed}": workbook(name, seed) for name, seed in here}
        computed = recalculate(written, tmp_path / str(start), locale)
        for book, data in written.items():
            assert len(formulas(data)) > LEAST
            if lines := differences(data, computed[book]):
                found[book] = lines[:5]
    assert found == {}


def unplayed() -> dict[str, bytes]:
    """Before the first result, and of names that files write otherwise."""
    names = ("A_x000D_B", "=1+1", "x" * 300, "Bob", "bob")
    ready = EventResults(boards=(), players={name: Entrant(name=name) for name in names})
    empty = board((5, 5, 5, 5, 5, 5, 4))
    one = event(replace(empty, seats=seats_of(names)))
    events = {f"{name}-registered": (name, ready) for name in TOURNAMENTS} | {
        f"{name}-one": (name, one) for name in TOURNAMENTS
    }
    return {
        book: write_workbook(score(each, rules_of(name)), title="_x0041_", sealed=False).data
        for book, (name, each) in ({"nobody": ("edc1996", event(empty))} | events).items()
    }


def seats_of(names: Sequence[str]) -> dict[Power, Seat]:
    """Seats for fewer players than powers."""
    return {power: Seat(player=name) for power, name in zip_longest(Power, names)}


@pytest.mark.slow
@pytest.mark.parametrize("name", TOURNAMENTS)
def test_every_value_is_the_engines_in_a_second_program(name: str, tmp_path: Path) -> None:
    data = workbook(name, OF_SEVEN)
    assert differences(data, in_gnumeric(data, tmp_path))[:5] == []


def of_final_tables() -> dict[str, bytes]:
    """Workbooks in which two are level on the final table, and in which one has won it."""
    qualifying = [
        ruled(number, {name: 40 - place for place, name in enumerate("abcdefg")}, name="top") for number in (1, 2, 3)
    ]
    level, won = (
        replace(board(counts, number=4, players="abcdefg", name="top"), is_final=True)
        for counts in ((10, 10, 7, 3, 2, 1, 1), (11, 9, 7, 3, 2, 1, 1))
    )
    ends = {"level": level, "won": won}
    scores = {name: scored("edc2023", *qualifying, end) for name, end in ends.items()}
    assert {name: one.standings.champions for name, one in scores.items()} == {"level": ("a", "b"), "won": ("a",)}
    return {name: write_workbook(one, title=name, sealed=False).data for name, one in scores.items()}


def at_moments() -> dict[str, bytes]:
    """Workbooks of invented events as they were after a round, or after a Fall within it."""
    written = {}
    for seed in range(FIRST, FIRST + EVENTS):
        name, dice = TOURNAMENTS[seed % len(TOURNAMENTS)], random.Random(seed)
        rules = replace(rules_of(name), interim=InterimRules(until=dice.choice(list(Until))))
        whole, waiting = leave_unfinished(seed, invent(seed, wishes_for(name, seed)), 0.3)
        moment = StandingsMoment(dice.choice(whole.rounds), dice.choice((None, 1901, 1903, 1904, 1906)))
        then = at_moment(whole, moment)
        to_come = tuple(one for one in waiting if one.round <= moment.round)
        found = score(then, rules)
        assert str(found.progress).endswith(("interim", "final"))
        written[f"{name}-at-{seed}"] = write_workbook(found, title="then", sealed=False, to_come=to_come).data
    return written


@pytest.mark.slow
def test_every_value_is_the_engines_in_events_out_of_the_ordinary(tmp_path: Path) -> None:
    """In one run of the program, whose start takes as long as five workbooks (EDC23 D3: one champion has the bonus)."""
    books = unplayed() | of_final_tables() | at_moments()
    computed = recalculate(books, tmp_path)
    found = {name: differences(data, computed[name])[:5] for name, data in books.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}
