"""A value of another kind is refused where it stands, however many there are: none is taken in silence."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from msgspec import json
from rules.test_mangled_files import changed, paths_in
from rules.test_results_read_again import as_read, document_of
from workbook.events import invent
from workbook.tournaments import rules_of, wishes_for

from pipeline.board import Power
from pipeline.problems import Stopped
from pipeline.rules.load import find_rules, read_tournament
from pipeline.rules.noted_results import read_results
from pipeline.rules.tournament import SECTIONS

WORD, NUMBER = "xyzzy", 7
OTHERS: Mapping[type, tuple[Any, ...]] = {  # what is never meant where a value of a kind stands
    bool: (NUMBER, WORD, [], {}),
    int: (WORD, [], {}),
    float: (WORD, [], {}),
    str: (NUMBER, [], {}),
    list: (NUMBER, WORD, {}),
    dict: (NUMBER, WORD, []),
}
AT_ONCE = 20


def spelt(path: tuple[Any, ...]) -> str:
    """A path as faults have it."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")


def shape(path: tuple[Any, ...]) -> str:
    """A path without which of several it is."""
    return re.sub(rf"\[\d+\]|\b({'|'.join(Power)})\b|\b19\d\d\b", "#", spelt(path))


def not_told(
    document: dict[str, Any], wrong: list[tuple[tuple[Any, ...], Any]], read: Callable[[dict[str, Any]], object]
) -> list[tuple[str, Any]]:
    """Which wrong values are not told where they stand, with several in a document at once."""
    missed = []
    for batch in batches(wrong):
        spoilt = deepcopy(document)
        for path, other in batch:
            at(spoilt, path[:-1])[path[-1]] = other
        with pytest.raises(Stopped) as stopped:
            read(spoilt)
        told = [problem.where.rpartition(" ")[2] for problem in stopped.value.problems]
        missed += [(spelt(path), other) for path, other in batch if not is_told(path, told)]
    return missed


def at(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        document = document[key]
    return document


def wrong_values(document: Any, skipped: Mapping[str, tuple[Any, ...]]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Each kind of place of a document with each value of another kind, but those that may stand there too."""
    for path in {shape(path): path for path in paths_in(document) if path}.values():
        for other in OTHERS.get(type(at(document, path)), ()):
            if other not in skipped.get(shape(path), ()):
                yield path, other


def batches(wrong: list[tuple[tuple[Any, ...], Any]]) -> Iterator[list[tuple[tuple[Any, ...], Any]]]:
    """Several at once, none inside another."""
    while wrong:
        batch: list[tuple[tuple[Any, ...], Any]] = []
        rest: list[tuple[tuple[Any, ...], Any]] = []
        for path, other in wrong:
            is_apart = all(path[: len(one)] != one[: len(path)] for one, _ in batch)
            (batch if is_apart and len(batch) < AT_ONCE else rest).append((path, other))
        yield batch
        wrong = rest


def is_told(path: tuple[Any, ...], told: list[str]) -> bool:
    """Whether a fault stands at a path or below it; ``value`` need not be said."""
    here = spelt(path).replace(".value", "")
    return any(re.match(rf"{re.escape(here)}($|[.\[])", each.replace(".value", "")) for each in told)


ALLOWED: dict[str, tuple[Any, ...]] = {  # who is called by a number, what may be short, and what is told one step above
    "players#": (NUMBER, WORD),
    "players#.name": (NUMBER,),
    "rounds#.boards#.board": (NUMBER,),
    "rounds#.boards#.players.#": (NUMBER, WORD),
    "rounds#.boards#.players.#.player": (NUMBER,),
    "rounds#.boards#.rulings#.score": (NUMBER,),
    "rounds#.boards#.chose#": (NUMBER,),
    "penalties#.points": (NUMBER,),
    "withdrawals#.player": (NUMBER,),
    "teams": ({},),
    "teams#.team": (NUMBER,),
    "awards#.award": (NUMBER,),
    "lots#": (NUMBER, WORD, {}),
    "board_games#.places#": (NUMBER, WORD),
    "board_games#.places##": (NUMBER, [], {}),
    "votes#.negotiation": ([],),
    "votes#.tactics": ([],),
    "draw.director_boards.value": (NUMBER,),
    "draw.uneven.value": ([],),
    "judge.removal_list.value": ([],),
}


@pytest.mark.parametrize("tournament", ["edc2023", "nzdc1999", "edc1996"])
def test_a_value_of_another_kind_is_refused_in_results(tournament: str) -> None:
    event = as_read(invent(1, wishes_for(tournament, 1)), tournament)
    document = json.decode(json.encode(document_of(event), enc_hook=str))
    wrong = list(wrong_values(document, ALLOWED))
    assert not_told(document, wrong, lambda spoilt: read_results(spoilt, rules_of(tournament))) == []


@pytest.mark.parametrize("tournament", ["edc2023", "wdc2008"])
def test_a_value_of_another_kind_is_refused_in_rules(tournament: str) -> None:
    file = find_rules(tournament)
    document = tomllib.loads(file.read_text("utf-8"))
    wrong = [
        (path, other)
        for path, other in wrong_values(document, ALLOWED)
        if path[0] in ("tournament", "judge", *SECTIONS)  # the others are refused below, and in `tests/scoring`
        and at(document, path) != "none"
        and not (isinstance(at(document, path), dict) and "value" in at(document, path))  # it may be written short
    ]
    assert not_told(document, wrong, lambda spoilt: read_tournament(spoilt, file)) == []


REFUSED: list[tuple[str, tuple[Any, ...], Any, str]] = [  # of which tournament, what becomes what, and the one fault
    ("wdc2008", ("scoring",), {"system": "tribut"}, "scoring.system: no system 'tribut'; did you mean 'tribute'?"),
    ("wdc2008", ("totals", "for_the_best"), 5, "totals.for_the_best: expected a list"),
    ("edc2023", ("draw", "pools"), {"nobodys": {}}, "draw.pools.nobodys: there is no pool 'nobodys'"),
    ("wdc2008", ("ties", "final"), ["best bord"], "ties.final[0]: 'best bord' is no tie-break"),
    ("wdc2008", ("ties", "final"), ["power order"], "ties.final[0]: 'power order' needs the setting 'power_order'"),
    ("wdc2008", ("ties", "power_order"), ["ITALY"] * 2, "ties.power_order: ITALY stands twice; write each once"),
    ("edc2023", ("totals", "penalties"), [{"kind": "x", "points": 1}] * 2, "totals.penalties[1].kind: 'x' has a price"),
    ("wdc2008", ("totals", "final", "scoring"), {"system": "tribute", "sandard": True},
     "totals.final.scoring.sandard: holds for all boards of the event"),
    ("wdc2008", ("scoring", "solo"), 5, "scoring.solo: expected a table, found 5"),
    ("wdc2008", ("tournament", "map"), "standart", "tournament.map: 'standart' is not one of"),
    ("wdc2008", ("tournament", "abbreviations"), "edc203", "abbreviations: no table 'edc203'; did you mean 'edc2023'?"),
    ("wdc2008", ("ending", "last_year", "value"), 1900, "ending.last_year.value: expected "),
]  # fmt: skip


def faults_of(document: dict[str, Any], file: Path) -> set[str]:
    """The faults of a rules file, each with where it stands."""
    with pytest.raises(Stopped) as stopped:
        read_tournament(document, file)
    return {f"{problem.where.rpartition(' ')[2]}: {problem.text}" for problem in stopped.value.problems}


def test_each_contradiction_is_refused_alone_and_beside_each_other() -> None:
    """What is told of two faults is what is told of each: neither hides the other."""
    alone: dict[tuple[str, int], set[str]] = {}
    documents = {name: tomllib.loads(find_rules(name).read_text("utf-8")) for name in ("wdc2008", "edc2023")}
    for number, (name, path, value, said) in enumerate(REFUSED):
        alone[name, number] = faults_of(with_value(documents[name], path, value), find_rules(name))
        [fault] = alone[name, number]
        assert fault.startswith(said)
    own = [(number, path, value) for number, (name, path, value, _) in enumerate(REFUSED) if name == "wdc2008"]
    for (one, path, value), (other, second, also) in combinations(own, 2):
        if path[0] != second[0] or path == ("scoring",):
            both = with_value(with_value(documents["wdc2008"], path, value), second, also)
            told = alone["wdc2008", one] | alone["wdc2008", other]
            assert faults_of(both, find_rules("wdc2008")) >= told, (path, second)


def with_value(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    return changed(document, path, value, gone=False)
