"""The cells of one seat, and what formulas ask of them: its place in an order, the years it lived, the draw."""

from typing import assert_never

from msgspec import Struct

from pipeline.scoring.results import StandBy

IN_DRAW, EACH_YEAR = 1000, 1000  # a key above every count of centres; years are divided by it, to weigh below a centre


class SeatCells(Struct, frozen=True):
    """The cells a seat's score is computed from, as the Games sheet names them."""

    centres: str  # own, at the end
    board: str  # the centres of the whole board
    total: str  # supply centres in play
    above: str  # powers with strictly more
    equal: str  # powers with as many
    years: tuple[tuple[int, str, str], ...]  # each year: the own cell, and the cells of the whole board
    powers: int  # how many the game has
    needed: str  # the centres that win outright
    left_out: tuple[str, str]  # what says that a survivor is not in the draw: the own cell, and those of the board
    everyone_survived: bool = False  # the eliminated count as survivors

    def later(self, year: int) -> tuple[str, str] | None:
        """The own cells and the board's cells of the years after one; they stand side by side."""
        after = [(own, board) for y, own, board in self.years if y > year]
        if not after:
            return None
        first, last = after[0], after[-1]
        return _span(first[0], last[0]), _span(first[1], last[1])

    @property
    def all_years(self) -> tuple[str, str] | None:
        """The own cells and the board's cells of all years."""
        return self.later(0)

    def after_year(self, year: int) -> str:
        """The own centres after a year; those at the end where that year is not recorded."""
        for each, own, board in self.years:
            if each == year:
                return f"IF(COUNT({board})>0,N({own}),{self.centres})"
        return self.centres

    @property
    def last_year(self) -> str:
        """The last year that is recorded; 0 where none is."""
        if self.all_years is None:
            return "0"
        years = "{" + ",".join(str(year) for year, _, _ in self.years) + "}"
        return f'SUMPRODUCT(MAX(({self.all_years[1]}<>"")*{years}))'

    @property
    def years_lived(self) -> str:
        """Whole years lived: those ended with a centre, but for the game's last."""
        years = f'COUNTIF({self.all_years[0]},">0")' if self.all_years else "0"
        return f"MAX({years}-IF({self.centres}>0,1,0),0)"

    @property
    def in_draw(self) -> str:
        """Whether the power shares the draw."""
        return f'AND({self.top}<{self.needed},{self.centres}>0,{self.left_out[0]}="")'

    @property
    def sharing(self) -> str:
        """How many share the draw, where somebody does."""
        return f'SUMPRODUCT(({self.board}>0)*({self.left_out[1]}=""))'

    @property
    def top(self) -> str:
        """The highest count."""
        return f"MAX({self.board})"

    @property
    def survivors(self) -> str:
        """How many powers are alive, or count as alive."""
        return str(self.powers) if self.everyone_survived else f'COUNTIF({self.board},">0")'

    def places(self, order: StandBy) -> tuple[str, str]:
        """The powers that stand above in an order, and those that are level, the own one included."""
        match order:
            case StandBy.CENTRES:
                return self.above, self.equal
            case StandBy.ELIMINATION:
                own, others = self.by_elimination(self.centres), self.by_elimination(self.board)
            case StandBy.DRAW:
                own, others = self.by_draw(self.centres, self.left_out[0]), self.by_draw(self.board, self.left_out[1])
            case StandBy.EARLIER_YEARS:
                own, others = "0", self.compared_by_years
            case _:
                assert_never(order)
        return f"SUMPRODUCT(({others}>{own})*1)", f"SUMPRODUCT(({others}={own})*1)"

    def by_elimination(self, centres: str) -> str:
        """A key that is higher for more centres, and among the eliminated for more years; of one seat or of all."""
        return f"(ROUND({centres}+({centres}=0)*{self.years_with_centre(centres)}/{EACH_YEAR},6))"

    def by_draw(self, centres: str, left_out: str) -> str:
        """The same key, with all who are in the draw level at the top."""
        shares = f'({self.top}<{self.needed})*({centres}>0)*({left_out}="")'
        return f"(({shares})*{IN_DRAW}+(1-{shares})*{self.by_elimination(centres)})"

    def years_with_centre(self, centres: str) -> str:
        """How many years ended with a centre: a number for one seat, a column of them for the board."""
        if self.all_years is None:
            return "0"
        own, board = self.all_years
        if centres == self.centres:
            return f'COUNTIF({own},">0")'
        return f"MMULT(({board}>0)*1,{_column([1] * len(self.years))})"

    @property
    def compared_by_years(self) -> str:
        """For each power of the board a number above 0 where it stands higher: the last year that differs decides."""
        at_end = f"SIGN({self.board}-{self.centres})"
        if self.all_years is None:
            return at_end
        own, board = self.all_years
        weights = _column([2**n for n in range(len(self.years))])
        return f"({at_end}*{2 ** len(self.years)}+MMULT(SIGN({board}-{own}),{weights}))"


def _column(numbers: list[int]) -> str:
    """Write numbers below one another.

    >>> _column([1, 2, 4])
    '{1;2;4}'
    """
    return "{" + ";".join(map(str, numbers)) + "}"


def _span(first: str, last: str) -> str:
    """Join two areas into the one that reaches from the first to the last.

    >>> _span("Results!$G5:$G11", "Results!$N5:$N11"), _span("$G5", "$N5")
    ('Results!$G5:$N11', '$G5:$N5')
    """
    return f"{first.partition(':')[0]}:{last.rpartition(':')[2].rpartition('!')[2]}"
