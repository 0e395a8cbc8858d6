"""The final table as it was played: its players in the order that makes the champion, on the Final table sheet."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from pipeline.scoring.places.score import Scored
from pipeline.scoring.totals.rules import ChampionBy
from pipeline.workbook.workings.accounts import Person
from pipeline.workbook.workings.places import ORDER
from pipeline.workbook.workings.ranking_columns import Ranked
from pipeline.workbook.workings.workings_sheet import WorkingColumns
from pipeline.workbook.xlsx.address import BookColumn, at
from pipeline.workbook.xlsx.page import Content, LiveFormula, Page
from pipeline.workbook.xlsx.styles import (
    CENTRED,
    GOLD,
    HEAD,
    HEAD_LEFT,
    PALE,
    QUIET,
    SECTION,
    TEXT,
    WHOLE,
    Look,
    points,
)

FAR = 10**9  # above every key: who was not on the final table
FIRST, LAST = ("Place", "", "Player", "Power", "SC"), ("Final", "Qualifying", "Total", "Decided by")


@dataclass(slots=True)
class FinalBlock:
    """The block while it is being made."""

    page: Page
    scored: Scored
    workings: WorkingColumns
    title: Ranked  # the finalists in the order that makes the champion
    before: tuple[
        BookColumn, Mapping[str, Fraction]
    ]  # totals of the qualifying rounds: where they stand, and the engine's

    def fill(self, row: int, last: int) -> int:
        """Fill it from a row on, its words in the last column; gives the last row."""
        page = self.page
        page.merge(row, 1, last, f"The final table {self.scored.progress}", SECTION)
        page.row(row + 1, 1, FIRST, HEAD)
        page.row(row + 1, last - len(LAST) + 1, LAST, HEAD)
        for column in range(len(FIRST) + 1, last - len(LAST) + 1):
            page.put(row + 1, column, None, HEAD)
        for column, head in ((3, "Player"), (last, "Decided by")):
            page.put(row + 1, column, head, HEAD_LEFT)
        places = self.title.places
        sitting = [p for p in self.workings.accounts.people if places.get(p.row)]
        for nth, person in enumerate(sorted(sitting, key=lambda p: (places[p.row], p.number)), start=1):
            self.line(row + 1 + nth, nth, person, last)
        first, end = row + 2, row + 1 + len(sitting)
        page.mark(f"A{first}:{at(end, last)}", f"$A{first}=1", fill=GOLD)
        return end

    def line(self, row: int, nth: int, person: Person, last: int) -> None:
        """One finalist."""
        page, works, decimals = self.page, self.workings, self.scored.rules.decimals
        there, number = self.title.place.there, f"${at(row, last + 2)}"
        sorted_by = f"({there}=0)*{FAR}+{there}*{ORDER}+ROW({there})-{self.title.place.first - 1}"
        page.put(row, last + 2, LiveFormula(f"MOD(SUMPRODUCT(SMALL({sorted_by},{nth})),{ORDER})", person.number), QUIET)
        for column in range(len(FIRST) + 1, last - len(LAST) + 1):
            page.put(row, column, None, TEXT)
        game = person.tally.final if person.tally else None
        place = self.title.places[person.row]
        tied = sum(other == place for other in self.title.places.values()) > 1
        index = f"INDEX({works.base.final.there},{number})" if works.base.final else "0"
        games, own = works.steps.games, f"INDEX({there},{number})"
        final = self.scored.rules.final
        bold = points(decimals).but(bold=True, size=12, fill=PALE)
        plain = points(decimals)
        by_table = final is not None and final.champion is ChampionBy.TABLE
        cells: list[tuple[int, str, Content, Look]] = [
            (1, own, place, CENTRED.but(bold=True, size=12)),
            (2, f'IF(COUNTIF({there},{own})>1,"=","")', "=" if tied else "", CENTRED),
            (3, f"INDEX({works.name.there},{number})", person.name, TEXT.but(bold=True, size=12)),
            (4, f"INDEX({games.power.there},{index})", game.power.capitalize() if game else "", TEXT),
            (5, f"INDEX({games.centres.there},{index})", game.centres if game else "", WHOLE),
            (last - 3, f"INDEX({games.score.there},{index})", game.score if game else "", bold if by_table else plain),
            (last - 2, f"INDEX({self.before[0].there},{number})", self.before[1].get(person.name, Fraction()), plain),
            (last - 1, f"INDEX({works.total.there},{number})", total_of(person), plain if by_table else bold),
            (last, f"INDEX({self.title.decided_by.there},{number})", self.title.words.get(person.row, ""), WORDS),
        ]
        for column, formula, value, look in cells:
            shown = value.value if isinstance(value, LiveFormula) else value
            page.put(row, column, LiveFormula(formula, shown), look)


WORDS = QUIET.but(size=10, align="left", wrap=True, indent=1)


def total_of(person: Person) -> Fraction:
    """The engine's total."""
    return person.tally.total if person.tally else Fraction()
