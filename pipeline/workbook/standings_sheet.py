"""The Standings sheet, the front: places, names, scores round by round, totals, and in words what decided a tie."""

from dataclasses import dataclass

from pipeline.scoring.score import Scored
from pipeline.scoring.standings import Row
from pipeline.workbook.accounts import Person, Slot
from pipeline.workbook.address import Column, at, fixed
from pipeline.workbook.look import (
    AMBER,
    CENTRED,
    DARK_GREEN,
    DARK_RED,
    GOLD,
    GREEN,
    HEAD,
    HEAD_LEFT,
    PALE,
    QUIET,
    RED,
    SUBTITLE,
    TEXT,
    TITLE,
    VERDICT,
    points,
)
from pipeline.workbook.page import Content, Live, Page
from pipeline.workbook.places import ORDER
from pipeline.workbook.seal import Seal
from pipeline.workbook.workings_sheet import WorkingColumns

SHEET = "Standings"
HEAD_ROW = 5
WON = '"won the final table"'  # in a formula
SEALED_WORDS = "Sealed until the awards: players by name, without places or points."


@dataclass(slots=True)
class StandingsSheet:
    """The sheet while it is being made."""

    page: Page
    scored: Scored
    workings: WorkingColumns
    teams: Column | None  # each player's team, where there is a team competition
    seal: Seal
    verdict: Live  # the sentence of the Checks sheet

    def fill(self, title: str) -> None:
        """Fill it."""
        page, people = self.page, self.in_order()
        rounds = sorted({slot.round for slot in self.workings.accounts.slots})
        heads = [
            "Place",
            "",
            "Player",
            *(["Team"] if self.teams else []),
            *(f"R{n}" for n in rounds),
            "Total",
            "Decided by",
        ]
        last = len(heads)
        page.put(1, 1, title, TITLE)
        shown = Live(
            f'IF(Sealed="yes","{SEALED_WORDS}","Standings")', SEALED_WORDS if self.seal.is_sealed else "Standings"
        )
        page.put(2, 1, self.scored.rules.name, SUBTITLE)
        page.put(3, 1, shown, SUBTITLE.but(italic=False, bold=True))
        page.merge(3, last, last, self.verdict, VERDICT)
        for column, head in enumerate(heads, start=1):
            page.put(HEAD_ROW, column, head or None, HEAD_LEFT if head in ("Player", "Team", "Decided by") else HEAD)
        page.put(HEAD_ROW, last + 2, "No", HEAD)
        for index in range(len(self.workings.accounts.people)):
            self.line(HEAD_ROW + 1 + index, index + 1, people[index] if index < len(people) else None, rounds, last)
        self.set_up(last, len(rounds))

    def in_order(self) -> list[Person]:
        """Who is listed, by place and then by name; by name alone while it is sealed."""
        people = self.workings.accounts.people
        taking = [person for person in people if person.tally]
        if self.seal.is_sealed:
            return taking
        places = {row.player: row.place for row in self.scored.standings.rows}
        return sorted(taking, key=lambda person: (places.get(person.name, ORDER), person.number))

    def line(self, row: int, nth: int, person: Person | None, rounds: list[int], last: int) -> None:
        """One line of the list."""
        page, outcome, works = self.page, self.workings.outcome, self.workings
        order, by_name = outcome.order.there, outcome.by_name.there
        ranked = f"MOD(SMALL({order},{nth}),{ORDER})"
        sorted_by = f'IF(Sealed="yes",SMALL({by_name},{nth}),{ranked})'
        number = f"${at(row, last + 2)}"
        page.put(
            row, last + 2, Live(f'IF(COUNT({order})<{nth},"",{sorted_by})', person.number if person else ""), QUIET
        )

        def show(column: int, formula: str, value: Content, look: object, *, sealed: bool = True) -> None:
            content = Live(f'IF({number}="","",{formula})', value if not isinstance(value, Live) else value.value)
            page.put(row, column, self.seal.wrap(content) if sealed else content, look)  # type: ignore[arg-type]

        found = next((r for r in self.scored.standings.rows if person and r.player == person.name), None)
        own = f"INDEX({outcome.place.there},{number})"
        place: Content = found.place if found else ("–" if person else "")
        show(1, f'IF({own}=0,"–",{own})', place, CENTRED.but(bold=True, size=12))
        tied = "=" if found and found.is_tied else ""
        show(2, f'IF(AND({own}>0,COUNTIF({outcome.place.there},{own})>1),"=","")', tied, CENTRED)
        name = person.name if person else ""
        show(3, f"INDEX({works.name.there},{number})", name, TEXT.but(bold=True, size=12), sealed=False)
        column = 4
        if self.teams:
            team = f"INDEX({self.teams.there},{number})"
            show(column, f'IF({team}="","",{team})', self.team_of(person), TEXT, sealed=False)
            column += 1
        for number_of_round in rounds:
            formula, value = self.round_score(number_of_round, number, person)
            show(column, formula, value, points(self.scored.rules.decimals))
            column += 1
        total = found.tally.total if found else person.tally.total if person and person.tally else ""
        bold = points(self.scored.rules.decimals).but(bold=True, size=12, fill=PALE)
        show(column, f"INDEX({works.total.there},{number})", total, bold)
        show(column + 1, *self.decided(number, own, person, found), QUIET.but(size=10, align="left", indent=1))

    def decided(self, number: str, place: str, person: Person | None, found: Row | None) -> tuple[str, Content]:
        """What put the player there, where it was not the total alone."""
        outcome = self.workings.outcome
        words = f"INDEX({outcome.decided_by.there},{number})"
        formula, value = words, str(found.decision) if found and found.decision else ""
        if outcome.champion:
            title = f'{WON}&IF({words}="","","; "&{words})'
            formula = f"IF(INDEX({outcome.champion.there},{number})=1,{title},{words})"
            if found and found.is_champion:
                value = WON.strip('"') + (f"; {value}" if value else "")
        if person and not found:
            value = "not ranked"
        return f'IF({place}=0,"not ranked",{formula})', value

    def team_of(self, person: Person | None) -> str:
        """The player's team."""
        if person is None:
            return ""
        return next((team.name for team in self.scored.event.teams if person.name in team.members), "")

    def round_score(self, number: int, player: str, person: Person | None) -> tuple[str, Content]:
        """The score of a round: of two boards the sum of those that are kept; nothing for who sat out."""
        accounts = self.workings.accounts
        slots = accounts.of_round(number)
        scores = [f"INDEX({accounts.block('all')[accounts.slots.index(slot)].there},{player})" for slot in slots]
        values = [self.kept_score(person, slot) for slot in slots]
        present = [value for value in values if value != ""]
        total = sum((value for value in present if not isinstance(value, str | Live | None)), 0)
        added = "+".join(f"N({score})" for score in scores)
        return f'IF(COUNT({",".join(scores)})=0,"",{added})', total if present else ""

    def kept_score(self, person: Person | None, slot: Slot) -> Content:
        """The engine's score in a slot that is kept."""
        placed = person.slots.get(slot) if person else None
        if not placed or not placed.seat.game or not placed.counted or placed.counted.is_dropped:
            return ""
        return placed.seat.game.score

    def set_up(self, last: int, rounds: int) -> None:
        """Widths, colours and print."""
        page, first = self.page, HEAD_ROW + 1
        end = HEAD_ROW + max(len(self.workings.accounts.people), 1)
        team = [20] if self.teams else []
        widths = [8, 2.5, 28, *team, *[9] * rounds, 11, 46, 2, 6]
        page.widths |= dict(enumerate(widths, start=1))
        page.heights |= {1: 28, HEAD_ROW: 20} | dict.fromkeys(range(first, end + 1), 17)
        rows = f"A{first}:{at(end, last)}"
        page.mark(rows, f"AND(ISNUMBER($A{first}),$A{first}=1)", fill=GOLD)
        page.mark(rows, f"AND(ISNUMBER($A{first}),$A{first}<=3)", fill=AMBER)
        cell = fixed(3, last)
        page.mark(at(3, last), f'LEFT({cell},3)="All"', fill=GREEN, colour=DARK_GREEN)
        page.mark(at(3, last), f'LEFT({cell},3)<>"All"', fill=RED, colour=DARK_RED)
        page.freeze, page.repeat = f"D{first}", f"{HEAD_ROW}:{HEAD_ROW}"
        page.area = f"A1:{at(end, last)}"
        page.landscape = rounds > 3 or self.teams is not None
