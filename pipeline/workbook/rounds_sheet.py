"""The Rounds sheet: for each player, by name, where he sat in each round and what it brought."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.scoring.score import Scored
from pipeline.workbook.accounts import Person, Slot, weight_of
from pipeline.workbook.address import Column, at
from pipeline.workbook.games_sheet import GameColumns
from pipeline.workbook.look import (
    CENTRED,
    GREY,
    HEAD,
    HEAD_LEFT,
    PALE,
    SUBTITLE,
    TEXT,
    TITLE,
    points,
)
from pipeline.workbook.page import Live, Page
from pipeline.workbook.results_sheet import ResultColumns
from pipeline.workbook.seal import Seal
from pipeline.workbook.workings_sheet import WorkingColumns

SHEET = "Rounds"
HEAD_ROW = 5
BOARD, WEIGHT = CENTRED.but(line="lh"), CENTRED.but(size=9, colour=GREY)
EACH = 4  # columns a game: board, power and centres, score, weight


@dataclass(slots=True)
class RoundsSheet:
    """The sheet while it is being made."""

    page: Page
    scored: Scored
    workings: WorkingColumns
    games: GameColumns
    results: ResultColumns
    seal: Seal

    def fill(self, title: str) -> None:
        """Fill it."""
        page, people, slots = self.page, self.workings.accounts.people, self.shown_slots()
        page.put(1, 1, "Rounds", TITLE)
        page.put(2, 1, f"{title}: every player's games, by name. Grey scores do not count in full.", SUBTITLE)
        page.put(HEAD_ROW, 1, "Player", HEAD_LEFT)
        page.widths[1] = 26
        total = 2 + EACH * len(slots)
        for index, slot in enumerate(slots):
            first = 2 + EACH * index
            name = f"Round {slot.round}" + ("" if slot.nth == 1 else f", board {slot.nth}")
            page.merge(HEAD_ROW - 1, first, first + EACH - 1, name, HEAD)
            page.row(HEAD_ROW, first, ("Board", "Power", "Points", "×"), HEAD)
            page.widths |= dict(zip(range(first, first + EACH), (7, 13, 9, 5), strict=True))
            for person in people:
                self.game(person, slot, HEAD_ROW + person.number, first)
        page.put(HEAD_ROW, total, "Total", HEAD)
        page.widths[total] = 11
        look = points(self.scored.rules.decimals).but(bold=True, fill=PALE)
        for person in people:
            row = HEAD_ROW + person.number
            page.put(row, 1, Live(self.workings.name.far(person.row), person.name), TEXT.but(bold=True))
            points_in_all = person.tally.total if person.tally else ""
            rounds = self.workings.base.rounds.far(person.row)
            shown = Live(
                f'IF({rounds}=0,"",{self.workings.total.far(person.row)})', points_in_all if person.slots else ""
            )
            page.put(row, total, self.seal.wrap(shown), look)
        self.set_up(slots, total)

    def shown_slots(self) -> Sequence[Slot]:
        """The first board of every round, and further ones where somebody played them."""
        accounts = self.workings.accounts
        used = {slot for person in accounts.people for slot in person.slots}
        return [slot for slot in accounts.slots if slot.nth == 1 or slot in used]

    def game(self, person: Person, slot: Slot, row: int, column: int) -> None:
        """One game of one player."""
        accounts, page = self.workings.accounts, self.page
        index = accounts.slots.index(slot)
        found = accounts.block("row")[index].far(person.row)
        placed = person.slots.get(slot)
        game = placed.seat.game if placed else None

        def look_up(there: Column) -> str:
            return f"INDEX({there.there},{found})"

        board = Live(f'IF({found}=0,"",{look_up(self.results.column(2))})', game.board.name if game else "")
        words = f"{game.power.capitalize()} {game.centres}" if game else ""
        power = Live(f'IF({found}=0,"",{look_up(self.games.power)}&" "&{look_up(self.games.centres)})', words)
        page.put(row, column, board, BOARD)
        page.put(row, column + 1, power, TEXT)
        score = Live(f'IF({found}=0,"",{accounts.block("score")[index].far(person.row)})', game.score if game else "")
        page.put(row, column + 2, self.seal.wrap(score), points(self.scored.rules.decimals))
        weight = accounts.block("weight")[index].far(person.row)
        value = weight_of(person, slot) if game else ""
        page.put(row, column + 3, self.seal.wrap(Live(f'IF({found}=0,"",{weight})', value)), WEIGHT)

    def set_up(self, slots: Sequence[Slot], total: int) -> None:
        """Colours and print."""
        page, first = self.page, HEAD_ROW + 1
        last = HEAD_ROW + max(len(self.workings.accounts.people), 1)
        for index in range(len(slots)):
            column = 2 + EACH * index
            weight = f"${at(first, column + 3)}"
            cells = f"{at(first, column + 2)}:{at(last, column + 2)}"
            page.mark(cells, f"AND(ISNUMBER({weight}),{weight}<1)", colour="999999")
        page.freeze, page.repeat, page.landscape = f"B{first}", f"{HEAD_ROW - 1}:{HEAD_ROW}", True
        page.area = f"A1:{at(last, total)}"
