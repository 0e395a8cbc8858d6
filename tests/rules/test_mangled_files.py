"""However a rules file or a table is mangled, it is loaded or refused with its faults: never a crash, never a guess."""

import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.problems import Problem, Stopped
from pipeline.rules.abbreviations import fold, read_abbreviations
from pipeline.rules.load import find_rules, load_abbreviations, load_tournament, read_tournament
from pipeline.rules.tournament import SECTIONS
from pipeline.small_files import data_folder

WDC = find_rules("wdc2008")
WHOLE = tomllib.loads(WDC.read_text("utf-8"))
ODD: st.SearchStrategy[Any] = st.one_of(
    st.integers(-3, 3000),
    st.booleans(),
    st.floats(allow_nan=False),
    st.text(max_size=6),
    st.just([]),
    st.just({}),
    st.just([{}]),
    st.just({"value": "ask"}),
    st.just({"value": [["ENGLAND"]], "rule": 3}),
    st.sampled_from(["ask", "none", "hold", "1/0", "yes"]),
)


def paths_in(found: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """List the paths of everything in a document."""
    inside = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
    return [path, *(deeper for key, each in inside for deeper in paths_in(each, (*path, key)))]


PATHS = [path for path in paths_in(WHOLE) if path]
WORDS = tomllib.loads((data_folder("abbreviations") / "edc2023.toml").read_text("utf-8"))
WORD_PATHS = [path for path in paths_in(WORDS) if path]
FRENCH = load_abbreviations("edc1996", Path(), [])


def changed(whole: dict[str, Any], path: tuple[Any, ...], value: Any, *, gone: bool) -> dict[str, Any]:
    """Change or take out what stands at a path."""
    copy = deepcopy(whole)
    inside: Any = copy
    for key in path[:-1]:
        inside = inside[key]
    if gone:
        del inside[path[-1]]
    else:
        inside[path[-1]] = value
    return copy


@settings(max_examples=30, deadline=None)
@given(path=st.sampled_from(PATHS), value=ODD, gone=st.booleans())
def test_a_mangled_rules_file_is_loaded_or_refused(path: tuple[Any, ...], value: Any, *, gone: bool) -> None:
    try:
        found = read_tournament(changed(WHOLE, path, value, gone=gone), WDC)
    except Stopped as stopped:
        assert all(problem.text and problem.where for problem in stopped.problems)
    else:
        own = [switch for switch in found.switches() if switch.path.split(".")[0] in ("judge", *SECTIONS)]
        assert [switch.path for switch in own if not (switch.setting.asks or switch.setting.rule)] == []


@settings(max_examples=30, deadline=None)
@given(path=st.sampled_from(WORD_PATHS), value=ODD, gone=st.booleans())
def test_a_mangled_table_is_read_or_refused(path: tuple[Any, ...], value: Any, *, gone: bool) -> None:
    problems: list[Problem] = []
    bases = {
        name: tomllib.loads((data_folder("abbreviations") / f"{name}.toml").read_text("utf-8"))
        for name in ("english", "signs", "signs_french")
    }

    found = read_abbreviations("edc2023", {**bases, "edc2023": changed(WORDS, path, value, gone=gone)}, problems)

    assert problems or len(found.rows) >= 75


@given(st.data())
def test_how_a_word_is_written_makes_no_difference(data: st.DataObject) -> None:
    word = data.draw(st.sampled_from(sorted(FRENCH.places)))
    spoilt = "".join(
        data.draw(st.sampled_from((letter, letter.upper(), f" {letter}", f"{letter}."))) for letter in word
    )

    assert FRENCH.places_listed(spoilt) == FRENCH.places[word]
    assert fold(fold(spoilt)) == fold(spoilt) == word


@pytest.mark.parametrize("section", ["reading", "adjustments", "conduct", "ending", "clock", "draw", "judge"])
def test_a_file_without_a_section_asks_about_all_of_it(section: str) -> None:
    found = read_tournament({key: value for key, value in WHOLE.items() if key != section}, WDC)

    inside = [switch for switch in found.switches() if switch.path.startswith(f"{section}.")]
    assert inside
    assert all(switch.setting.asks for switch in inside)
    assert len(found.open_switches()) > len(load_tournament("wdc2008").open_switches())
