"""What was decided at a table, what had been seen then, and what that leaves of the papers on it."""

from collections.abc import Iterator
from typing import Any

from facts_as_kept import KeptFact
from msgspec import Struct

from desk.papers import BLANK, Paper, Shown
from pipeline.desk.event.people import Turn
from pipeline.desk.ruling.desk import SECOND


class Decided(Struct, frozen=True):
    """A decision on a sheet, typed lines or a ruling on a row, and what was known when it was made."""

    fact: KeptFact
    turn: Turn
    seen: dict[int, Shown]  # the sheets that were in, by serial
    about: object = None  # of a ruling on a row: the row, and what stands there
    told: str = ""  # what the desk asked about the sheets


class Stands(Struct, frozen=True):
    """What counts for a turn, as the truth has it."""

    papers: tuple[Paper, ...] = ()
    typed: Decided | None = None
    asks: str = ""  # why the desk must ask about the sheets


def shows_news(paper: Paper, decided: Decided) -> bool:
    """Whether a paper shows what nobody had seen when a decision was made."""
    return paper.shown != decided.seen.get(paper.serial, BLANK)


def news(papers: list[Paper], decided: Decided, counting: Any) -> Iterator[str]:
    """What nobody had seen when a decision was made."""
    for paper in papers:
        if paper.serial not in decided.seen:
            if paper.shown != BLANK:
                yield f"{paper.sheet} came since"
        elif paper not in counting and shows_news(paper, decided):
            yield f"{paper.sheet} shows other ink since"


def has_news(papers: list[Paper], choices: list[Decided], accepted: Decided) -> bool:
    """Whether what was accepted was more than the choices had left: something came, or was written outside the rows."""
    then, now = choices[0].seen, accepted.seen
    left = left_by(choices, [paper for paper in papers if paper.serial in now])
    outside = any(now[p.serial].outside and not then.get(p.serial, BLANK).outside for p in left)
    others = [p.serial for p in papers if p not in left and p.serial in now]
    came = any(now[serial] != BLANK for serial in now if serial not in then)
    return outside or came or not left or any(now[serial] != then[serial] for serial in others if serial in then)


def left_by(choices: list[Decided], papers: list[Paper]) -> list[Paper]:
    """What claims a row of a sheet that he chose is laid aside; by an earlier choice, if he had seen it then."""
    picked: list[Paper] = []
    left = list(papers)
    for each in choices:
        one = next((paper for paper in papers if paper.serial == each.fact.body["serial"]), None)
        if one is None:
            return [paper for paper in papers if paper in picked]
        if any(one.claims_rows_of(paper) for paper in picked):
            continue
        picked.append(one)
        left = [
            paper
            for paper in left
            if paper is one or not paper.claims_rows_of(one) or (each is not choices[0] and shows_news(paper, each))
        ]
    return left


def numbered(stands: Stands) -> Iterator[tuple[int, int, int, str]]:
    """Every row that counts: the number rulings know it by, its sheet's serial, its row there, and its ink."""
    if stands.typed:
        for number, text in enumerate(stands.typed.fact.body["lines"], start=1):
            yield number, 0, number, text
    parts: list[int] = []
    for paper in stands.papers:
        offset = SECOND * parts.count(paper.part)
        parts.append(paper.part)
        for row, ink in enumerate(paper.shown.rows if paper.shown else (), start=paper.first):
            yield row + offset, paper.serial, row, ink
