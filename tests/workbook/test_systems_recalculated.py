"""The workbook computes the scoring systems with live formulas, and a spreadsheet program finds the engine's numbers.

Here are few systems that have every building block and setting, and few boards that tell their formulas apart;
``benchmarks/workbook_values.py`` compares every system on 200 boards.
"""

from pathlib import Path
from random import Random

import pytest

from workbook.office import LOCALES, differences, recalculate
from workbook.telling import book_of, covering, telling_event


@pytest.mark.slow
def test_systems_are_computed_by_the_spreadsheet_as_by_the_engine(tmp_path: Path) -> None:
    seed = Random().randrange(10**6)  # the boards are the same, who sits where and what the years were differs
    books = {name: book_of(name, telling_event(seed + number)) for number, name in enumerate(covering())}
    computed = recalculate(books, tmp_path, Random(seed).choice(LOCALES))

    assert {(name, seed): found[:5] for name in books if (found := differences(books[name], computed[name]))} == {}
