"""The Rounds sheet: for each player, by name, where he sat in each round and what it brought."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.scoring.places.score import Scored
from pipeline.workbook.games.games_sheet import GameColumns
from pipeline.workbook.inputs.results_sheet import ResultColumns
from pipeline.workbook.workings.accounts import Person, Slot, shown_slots
from pipeline.workbook.workings.workings_sheet import WorkingColumns
from pipeline.workbook.xlsx.address import BookColumn, at
from pipeline.workbook.xlsx.page import LiveFormula, Page
from pipeline.workbook.xlsx.styles import HEAD, HEAD_LEFT, PALE, SUBTITLE, TEXT, TITLE, points

SHEET = "Rounds"
HEAD_ROW = 5
EACH = 2  # columns a game: where, with power and centres; score


@dataclass(slots=True)
class RoundsSheet:
    """The sheet while it is being made."""

    page: Page
    scored: Scored
    workings: WorkingColumns
    games: GameColumns
    results: ResultColumns

    def fill(self, title: str) -> None:
        """Fill it."""
        page, people, slots = self.page, self.workings.accounts.people, self.slots
        page.put(1, 1, "Rounds", TITLE)
        page.put(2, 1, f"{title}: every player's games, by name: board, power and centres, points.", SUBTITLE)
        page.put(HEAD_ROW, 1, "Player", HEAD_LEFT)
        page.widths[1] = 26
        total = 2 + EACH * len(slots)
        for index, slot in enumerate(slots):
            first = 2 + EACH * index
            name = f"Round {slot.round}" + ("" if slot.nth == 1 else f", board {slot.nth}")
            page.merge(HEAD_ROW - 1, first, first + EACH - 1, name, HEAD)
            page.row(HEAD_ROW, first, ("Board", "Points"), HEAD)
            page.widths |= dict(zip(range(first, first + EACH), (16, 9), strict=True))
            for person in people:
                self.game(person, slot, HEAD_ROW + person.number, first)
        page.put(HEAD_ROW, total, "Total", HEAD)
        page.widths[total] = 11
        look = points(self.scored.rules.decimals).but(bold=True, fill=PALE)
        for person in people:
            row = HEAD_ROW + person.number
            page.put(row, 1, LiveFormula(self.workings.name.far(person.row), person.name), TEXT.but(bold=True))
            points_in_all = person.tally.total if person.tally else ""
            rounds = self.workings.base.rounds.far(person.row)
            shown = LiveFormula(
                f'IF({rounds}=0,"",{self.workings.total.far(person.row)})', points_in_all if person.slots else ""
            )
            page.put(row, total, shown, look)
        self.set_up(total)

    @property
    def slots(self) -> Sequence[Slot]:
        """The games that have columns."""
        return shown_slots(self.workings.accounts.people, self.workings.accounts.slots)

    def game(self, person: Person, slot: Slot, row: int, column: int) -> None:
        """One game of one player."""
        accounts, page = self.workings.accounts, self.page
        index = accounts.slots.index(slot)
        found = accounts.block("row")[index].far(person.row)
        placed = person.slots.get(slot)
        game = placed.seat.game if placed else None

        def look_up(there: BookColumn) -> str:
            return f"INDEX({there.there},{found})"

        board, words = "", ""
        if game:
            board, words = game.board.name, f" {game.power.capitalize()} {game.centres}"
        seat = f'{look_up(self.results.column(2))}&" "&{look_up(self.games.power)}&" "&{look_up(self.games.centres)}'
        page.put(
            row,
            column,
            LiveFormula(f'IF({found}=0,"",{seat})', f"{board}{words}"),
            TEXT.but(line="lh", align="left", indent=1),
        )
        score = LiveFormula(
            f'IF({found}=0,"",{accounts.block("score")[index].far(person.row)})', game.score if game else ""
        )
        page.put(row, column + 1, score, points(self.scored.rules.decimals))

    def set_up(self, total: int) -> None:
        """Set up the print."""
        page, first = self.page, HEAD_ROW + 1
        last = HEAD_ROW + max(len(self.workings.accounts.people), 1)
        page.freeze, page.repeat, page.landscape = f"B{first}", f"{HEAD_ROW - 1}:{HEAD_ROW}", True
        page.area = f"A1:{at(last, total)}"
