"""Pages that are made of the program are what it makes now; the cases of the judge go into the site as they stand."""

from pathlib import Path

import pytest
from judge.pages import cases

from docs.generate import CASES, case_pages, generated_pages

GENERATED = generated_pages()


@pytest.mark.parametrize("page", GENERATED, ids=lambda page: page.name)
def test_a_generated_page_is_fresh(page: Path) -> None:
    assert page.read_text("utf-8") == GENERATED[page], "run python docs/generate.py"


def test_every_case_of_the_judge_is_in_the_site() -> None:
    text = "\n".join(case_pages().values())

    assert {f"{path.stem}.md" for path in CASES.glob("*.case")} < set(case_pages())
    assert [case.number for case in cases() if f"## {case.number} · {case.name}\n" not in text] == []
