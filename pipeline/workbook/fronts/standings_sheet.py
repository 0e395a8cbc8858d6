"""The Standings sheet, the front: places, names, every score with what it counts, totals, and what decided a tie."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pipeline.scoring.places.score import Scored
from pipeline.scoring.places.stakes import WeighedDoubt
from pipeline.scoring.places.standings import StandingsRow
from pipeline.scoring.places.words import decided_by, how_it_counts, overruled_ends
from pipeline.workbook.fronts.doubts_sheet import foremost
from pipeline.workbook.workings.accounts import Person, Slot, is_kept, shown_slots, weight_of
from pipeline.workbook.workings.places import ORDER
from pipeline.workbook.workings.workings_sheet import WorkingColumns
from pipeline.workbook.xlsx.address import BookColumn, at, fixed
from pipeline.workbook.xlsx.page import Content, LiveFormula, Page
from pipeline.workbook.xlsx.styles import (
    AMBER,
    CENTRED,
    DARK_GREEN,
    DARK_RED,
    GOLD,
    GREEN,
    GREY,
    HEAD,
    HEAD_LEFT,
    NOTE,
    PALE,
    QUIET,
    RED,
    SUBTITLE,
    TEXT,
    TITLE,
    VERDICT,
    Look,
    points,
)

SHEET = "Standings"
HEAD_ROW = 5
OUT = "out"  # stands beside a score that does not count
SIGN = CENTRED.but(size=9, colour=GREY, form='"×"General')
BESIDE = points(2).but(form="+0.00;-0.00;", colour="595959")  # bonuses less penalties; nothing where there are none


@dataclass(slots=True)
class StandingsSheet:
    """The sheet while it is being made."""

    page: Page
    scored: Scored
    workings: WorkingColumns
    teams: BookColumn | None  # each player's team, where there is a team competition
    verdict: LiveFormula  # of the checks and doubts
    title: LiveFormula  # who has the first title, or leads for it
    doubts: Sequence[WeighedDoubt]

    def fill(self, title: str) -> None:
        """Fill it."""
        page, people, heads = self.page, self.in_order(), self.heads()
        last = len(heads)
        page.put(1, 1, title, TITLE)
        page.put(2, 1, self.scored.rules.name, SUBTITLE)
        page.put(3, 1, f"Standings {self.scored.progress}", SUBTITLE.but(italic=False, bold=True))
        page.put(4, 1, self.title, TEXT.but(bold=True, size=12, line=""))
        page.merge(3, last, last, self.verdict, VERDICT)
        for column, head in enumerate(heads, start=1):
            page.put(HEAD_ROW, column, head or None, HEAD_LEFT if head in ("Player", "Team", "Decided by") else HEAD)
        page.put(HEAD_ROW, last + 2, "No", HEAD)
        for index in range(len(self.workings.accounts.people)):
            self.line(HEAD_ROW + 1 + index, index + 1, people[index] if index < len(people) else None, last)
        self.set_up(last)

    @property
    def slots(self) -> Sequence[Slot]:
        """The games that have a column."""
        return shown_slots(self.workings.accounts.people, self.workings.accounts.slots)

    def heads(self) -> list[str]:
        """The heads, from the left."""
        team = ["Team"] if self.teams else []
        games = [head for slot in self.slots for head in (slot.name, "×")]
        return ["Place", "", "Player", *team, *games, "±", "Total", "Decided by"]

    def in_order(self) -> list[Person]:
        """Who is listed, by place and then by name."""
        taking = [person for person in self.workings.accounts.people if person.tally]
        places = {row.player: row.place for row in self.scored.standings.rows}
        return sorted(taking, key=lambda person: (places.get(person.name, ORDER), person.number))

    def line(self, row: int, nth: int, person: Person | None, last: int) -> None:
        """One line of the list."""
        page, outcome, works = self.page, self.workings.outcome, self.workings
        order = outcome.order.there
        number = f"${at(row, last + 2)}"
        found_by = f'IF(COUNT({order})<{nth},"",MOD(SMALL({order},{nth}),{ORDER}))'
        page.put(row, last + 2, LiveFormula(found_by, person.number if person else ""), QUIET)

        def show(column: int, formula: str, value: Content, look: Look) -> None:
            shown = value.value if isinstance(value, LiveFormula) else value
            page.put(row, column, LiveFormula(f'IF({number}="","",{formula})', shown), look)

        found = next((r for r in self.scored.standings.rows if person and r.player == person.name), None)
        own = f"INDEX({outcome.place.there},{number})"
        place: Content = found.place if found else ("–" if person else "")
        show(1, f'IF({own}=0,"–",{own})', place, CENTRED.but(bold=True, size=12))
        tied = "=" if found and found.is_tied else ""
        show(2, f'IF(AND({own}>0,COUNTIF({outcome.place.there},{own})>1),"=","")', tied, CENTRED)
        name = person.name if person else ""
        show(3, f"INDEX({works.name.there},{number})", name, TEXT.but(bold=True, size=12))
        column = 4
        if self.teams:
            team = f"INDEX({self.teams.there},{number})"
            show(column, f'IF({team}="","",{team})', self.team_of(person), TEXT)
            column += 1
        for slot in self.slots:
            (score, value), (sign, counts) = self.score(slot, number, person), self.sign(slot, number, person)
            show(column, score, value, points(self.scored.rules.decimals))
            show(column + 1, sign, counts, SIGN)
            column += 2
        beside = person.tally.exact - person.tally.weighted if person and person.tally else ""
        show(column, f"INDEX({works.beside.there},{number})", beside, BESIDE)
        total = person.tally.total if person and person.tally else ""
        bold = points(self.scored.rules.decimals).but(bold=True, size=12, fill=PALE)
        show(column + 1, f"INDEX({works.total.there},{number})", total, bold)
        show(
            column + 2, *self.decided(number, own, person, found), QUIET.but(size=10, align="left", wrap=True, indent=1)
        )

    def decided(
        self, number: str, place: str, person: Person | None, found: StandingsRow | None
    ) -> tuple[str, Content]:
        """What put the player there, where it was not the total alone."""
        words = f"INDEX({self.workings.outcome.decided_by.there},{number})"
        value = decided_by(found, self.scored) if found else "not ranked" if person else ""
        return f'IF({place}=0,"not ranked",{words})', value

    def team_of(self, person: Person | None) -> str:
        """The player's team."""
        if person is None:
            return ""
        return next((team.name for team in self.scored.event.teams if person.name in team.members), "")

    def score(self, slot: Slot, player: str, person: Person | None) -> tuple[str, Content]:
        """The score of a game, whether it counts or not; nothing for who sat out."""
        accounts = self.workings.accounts
        placed = person.slots.get(slot) if person else None
        game = placed.seat.game if placed else None
        there = accounts.block("score")[accounts.slots.index(slot)].there
        return f"INDEX({there},{player})", game.score if game else ""

    def sign(self, slot: Slot, player: str, person: Person | None) -> tuple[str, Content]:
        """What a score is multiplied with; nothing where it counts in full."""
        accounts = self.workings.accounts
        index = accounts.slots.index(slot)
        row, kept, weight = (f"INDEX({accounts.block(b)[index].there},{player})" for b in ("row", "kept", "weight"))
        formula = f'IF({row}=0,"",IF(OR({kept}=0,{weight}=0),"{OUT}",IF({weight}=1,"",{weight})))'
        if person is None or slot not in person.slots:
            return formula, ""
        counts = weight_of(person, slot) if is_kept(person, slot) else Fraction()
        return formula, "" if counts == 1 else counts or OUT

    def set_up(self, last: int) -> None:
        """Widths, colours and print."""
        page, first = self.page, HEAD_ROW + 1
        end = HEAD_ROW + max(len(self.workings.accounts.people), 1)
        team = [18] if self.teams else []
        games = [size for _ in self.slots for size in (8.5, 4.5)]
        widths = [7, 2.5, 25, *team, *games, 9, 10, 44, 2, 6]
        page.widths |= dict(enumerate(widths, start=1))
        lines = 1 + any(slot.nth > 1 for slot in self.slots)  # "R2 board 2"
        page.heights |= {1: 28, HEAD_ROW: 4 + 16.0 * lines} | dict.fromkeys(range(first, end + 1), 17)
        rows = f"A{first}:{at(end, last)}"
        page.mark(rows, f"AND(ISNUMBER($A{first}),$A{first}=1)", fill=GOLD)
        page.mark(rows, f"AND(ISNUMBER($A{first}),$A{first}<=3)", fill=AMBER)
        for index in range(len(self.slots)):
            column = 4 + len(team) + 2 * index
            sign = f"${at(first, column + 1)}"
            cells = f"{at(first, column)}:{at(end, column)}"
            page.mark(cells, f'{sign}="{OUT}"', colour="A6A6A6")
        cell = fixed(3, last)
        page.mark(at(3, last), f'LEFT({cell},3)="All"', fill=GREEN, colour=DARK_GREEN)
        page.mark(at(3, last), f'LEFT({cell},3)<>"All"', fill=RED, colour=DARK_RED)
        open_now = [*foremost(self.doubts), *overruled_ends(self.scored.event)]
        foot = [*open_now, *how_it_counts(self.scored.rules)]
        for row, words in enumerate(foot, start=end + 2):
            page.merge(row, 1, last, words, NOTE.but(colour="000000") if row < end + 2 + len(open_now) else NOTE)
            page.heights[row] = 15.0 * -(-len(words) // int(sum(widths) * 1.1))
        page.freeze, page.repeat = f"D{first}", f"{HEAD_ROW}:{HEAD_ROW}"
        page.area = f"A1:{at(end + 1 + len(foot), last)}"
        page.landscape = True
