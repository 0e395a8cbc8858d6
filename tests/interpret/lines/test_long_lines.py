"""How often parts of a line are read grows with the line, and is never multiplied with each further sign."""

from itertools import count
from typing import Any

import pytest

from pipeline.board import Power, standard_map, starting_position
from pipeline.interpret.grammar import read_tokens
from pipeline.interpret.interpret import interpret, sheet_of
from pipeline.interpret.line_reader import LineReader
from pipeline.interpret.tokens import tokenize
from pipeline.interpret.verdict import Line
from pipeline.rules.load import load_tournament, tournament_ids

SIGNS = 60


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize("part", ["A.", "A ", "F S ", "F.S.", "A C ", "Par A ", "to A ", "- A ", "A (", "A, "])
def test_a_long_line_of_one_sign_is_read_a_few_times_for_each_sign(
    monkeypatch: pytest.MonkeyPatch, name: str, part: str
) -> None:
    readers, begin = count(1), LineReader.__init__
    most = 6 * SIGNS * SIGNS

    def counted(self: LineReader, *words: Any, **options: Any) -> None:
        assert next(readers) < most
        begin(self, *words, **options)

    monkeypatch.setattr(LineReader, "__init__", counted)
    sheet = sheet_of(Power.FRANCE, starting_position(standard_map()), load_tournament(name))
    line = part * SIGNS
    read_tokens(tokenize(line), line, sheet.lexicon, sheet.position.phase.step)


@pytest.mark.parametrize(("goals", "is_whole"), [(4, False), (5, True)])  # "Nor" may mean five seas and lands
def test_a_line_with_more_than_a_thousand_meanings_is_asked_about_as_a_whole(goals: int, is_whole: bool) -> None:
    text = "A Par" + " - Nor" * goals
    start, rules = starting_position(standard_map()), load_tournament("edc1996")
    (entry, *_) = interpret([Line(1, text)], Power.FRANCE, start, rules).entries
    assert (f"part of '{text}' cannot be read" in map(str, entry.doubts)) is is_whole
