"""The Final table sheet: who qualified, by which scores and with which weights; then the table itself."""

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from pipeline.scoring.qualification import Qualification
from pipeline.scoring.rules import ChampionBy, Final
from pipeline.scoring.score import Scored
from pipeline.scoring.standings_in_words import OUT, list_weights
from pipeline.scoring.tiebreaks import BestMeeting, SumOfMeetings
from pipeline.words.speech import to_say, wording
from pipeline.workbook import page as xl
from pipeline.workbook.accounts import Person, is_kept, weight_of
from pipeline.workbook.ranking_columns import Ranked
from pipeline.workbook.standings_sheet import BESIDE, FIRST_HEADS, SIGN, begin_line
from pipeline.workbook.workings_sheet import ORDER, Qualifying, WorkingColumns

# The final table as it was played: its players in the order that makes the champion, on the Final table sheet.

FAR = 10**9  # above every key: who was not on the final table
FIRST = (*FIRST_HEADS, to_say("Power"), to_say("SC"))
LAST = (to_say("Final"), to_say("Qualifying"), "Total", "Decided by")


class FinalBlock(Struct):
    """The block while it is being made."""

    page: xl.Page
    scored: Scored
    workings: WorkingColumns
    title: Ranked  # the finalists in the order that makes the champion
    before: tuple[
        xl.BookColumn, Mapping[str, Fraction]
    ]  # totals of the qualifying rounds: where they stand, and the engine's

    def fill(self, row: int, last: int) -> int:
        """Fill it from a row on, its words in the last column; returns the last row."""
        page = self.page
        says = page.speech.says
        page.merge(row, 1, last, says("The final table {far}", far=says(str(self.scored.progress))), xl.SECTION)
        page.row(row + 1, 1, FIRST, xl.HEAD)
        page.row(row + 1, last - len(LAST) + 1, LAST, xl.HEAD)
        for column in range(len(FIRST) + 1, last - len(LAST) + 1):
            page.put(row + 1, column, None, xl.HEAD)
        for column, head in ((3, "Player"), (last, "Decided by")):
            page.put(row + 1, column, head, xl.HEAD_LEFT)
        places = self.title.places
        sitting = [p for p in self.workings.accounts.people if places.get(p.row)]
        for nth, person in enumerate(sorted(sitting, key=lambda p: (places[p.row], p.number)), start=1):
            self.line(row + 1 + nth, nth, person, last)
        first, end = row + 2, row + 1 + max(len(sitting), 1)
        page.mark(f"A{first}:{xl.at(end, last)}", f"$A{first}=1", fill=xl.GOLD)
        return end

    def line(self, row: int, nth: int, person: Person, last: int) -> None:
        page, works, decimals = self.page, self.workings, self.scored.rules.decimals
        there, number = self.title.place.there, f"${xl.at(row, last + 2)}"
        sorted_by = f"({there}=0)*{FAR}+{there}*{ORDER}+ROW({there})-{self.title.place.first - 1}"
        page.put(
            row, last + 2, xl.LiveFormula(f"MOD(SUMPRODUCT(SMALL({sorted_by},{nth})),{ORDER})", person.number), xl.QUIET
        )
        for column in range(len(FIRST) + 1, last - len(LAST) + 1):
            page.put(row, column, None, xl.TEXT)
        game, total = (person.tally.final, person.tally.total) if person.tally else (None, Fraction())
        place = self.title.places[person.row]
        tied = sum(other == place for other in self.title.places.values()) > 1
        index = f"INDEX({works.base.final.there},{number})" if works.base.final else "0"
        games, own = works.steps.games, f"INDEX({there},{number})"
        final = self.scored.rules.final
        bold = xl.points(decimals).but(bold=True, size=12, fill=xl.PALE)
        plain = xl.points(decimals)
        by_table = final is not None and final.champion is ChampionBy.TABLE
        cells: list[tuple[int, str, xl.Content, xl.Look]] = [
            (1, own, place, xl.CENTRED.but(bold=True, size=12)),
            (2, f'IF(COUNTIF({there},{own})>1,"=","")', "=" if tied else "", xl.CENTRED),
            (3, f"INDEX({works.name.there},{number})", person.name, xl.TEXT.but(bold=True, size=12)),
            (4, f"INDEX({games.power.there},{index})", page.speech.power(game.power) if game else "", xl.TEXT),
            (5, f"INDEX({games.centres.there},{index})", game.centres if game else "", xl.WHOLE),
            (last - 3, f"INDEX({games.score.there},{index})", game.score if game else "", bold if by_table else plain),
            (last - 2, f"INDEX({self.before[0].there},{number})", self.before[1].get(person.name, Fraction()), plain),
            (last - 1, f"INDEX({works.total.there},{number})", total, plain if by_table else bold),
            (last, f"INDEX({self.title.decided_by.there},{number})", self.title.words.get(person.row, ""), WORDS),
        ]
        for column, formula, value, look in cells:
            shown = value.value if isinstance(value, xl.LiveFormula) else value
            page.put(row, column, xl.LiveFormula(formula, shown), look)


WORDS = xl.QUIET.but(size=10, align="left", wrap=True, indent=1)


SHEET = "Final table"
HEAD_ROW = 5
SEAT, LEVEL = to_say("plays the final"), to_say("level for a seat")


def is_written(scored: Scored, losses: xl.Losses) -> bool:
    """Whether there is such a sheet: once all qualifying rounds have results, and formulas can say the tie-breaks."""
    if not scored.rules.final or not scored.qualification:
        return False
    if any(isinstance(step, BestMeeting | SumOfMeetings) for step in scored.rules.ties.qualifying):
        losses.note("no formula for a tie for the final table by games together; the sheet is left out", SHEET)
        return False
    return True


class FinalSheet(Struct):
    page: xl.Page
    scored: Scored
    final: Final
    qualified: Qualification
    workings: WorkingColumns
    found: Qualifying

    def fill(self, title: str) -> None:
        qualifying = self.found
        rounds = ", ".join(str(number) for number in self.final.qualifying_rounds)
        page, heads = self.page, self.heads(qualifying)
        page.put(1, 1, to_say("Final table"), xl.TITLE)
        by_scores = (
            to_say("{title}: round {round}, by the scores of rounds {rounds}")
            if self.qualified.is_settled
            else to_say("{title}: round {round}, by the scores of rounds {rounds}, as they stand")
        )
        subtitle = page.speech.says(by_scores, title=title, round=self.final.round, rounds=rounds)
        page.put(2, 1, subtitle, xl.SUBTITLE)
        page.merge(3, 1, len(heads), self.how(), xl.NOTE)
        for column, head in enumerate(heads, start=1):
            page.put(HEAD_ROW, column, head or None, xl.HEAD_LEFT if head in ("Player", "Decided by") else xl.HEAD)
        last = len(heads)
        page.put(HEAD_ROW, last + 2, to_say("No."), xl.HEAD)
        ranking = self.qualified.ranking
        by_name = {person.name: person for person in qualifying.accounts.people}
        for nth, placed in enumerate(ranking, start=1):
            self.line(HEAD_ROW + nth, nth, by_name[placed.contender.name], qualifying, last)
        end = HEAD_ROW + max(len(ranking), 1)
        self.set_up(qualifying, last, end)
        title_of = self.workings.outcome.title
        if self.scored.event.finals and title_of:
            before = {p.name: p.tally.total for p in qualifying.accounts.people if p.tally}
            end = FinalBlock(page, self.scored, self.workings, title_of, (qualifying.total, before)).fill(end + 2, last)
        page.area = f"A1:{xl.at(end, last)}"

    def how(self) -> str:
        """How scores count, and what else decides who is on the table."""
        says, speech = self.page.speech.says, self.page.speech
        weights = list_weights(self.final.qualifying_weights, speech)
        best = to_say("The {seats} best play. From best to worst the scores count {weights}; {out}: not at all.")
        parts = [says(best, seats=self.final.seats, weights=weights, out=says(OUT))]
        if not self.qualified.is_held:
            needed, positive = self.final.at_least_positive, self.qualified.positive
            few = to_say("No final table: {count:player|players} with a positive result, and it takes {needed}.")
            parts = [says(few, count=positive, needed=needed)]
        if self.qualified.choosing:
            first = to_say("First to pick a place in the order of choosing: {names}.")
            parts.append(says(first, names=", ".join(self.qualified.choosing)))
        return " ".join(parts)

    def heads(self, qualifying: Qualifying) -> list[str]:
        """The column headings, from the left."""
        games = [head for slot in qualifying.accounts.visible_slots for head in (slot.name, "×")]
        return [*FIRST_HEADS, *games, "±", "Qualifying", to_say("Seat"), "Decided by"]

    def line(self, row: int, nth: int, person: Person | None, qualifying: Qualifying, last: int) -> None:
        decimals = self.scored.rules.decimals
        number, show = begin_line(self.page, row, last, qualifying.order, nth, person)
        places = qualifying.ranked.place.there
        own = f"INDEX({places},{number})"
        placed = next((p for p in self.qualified.ranking if person and p.contender.name == person.name), None)
        show(1, own, placed.place if placed else "", xl.CENTRED.but(bold=True, size=12))
        show(2, f'IF(COUNTIF({places},{own})>1,"=","")', "=" if placed and placed.is_tied else "", xl.CENTRED)
        name = person.name if person else ""
        show(3, f"INDEX({qualifying.name.there},{number})", name, xl.TEXT.but(bold=True, size=12))
        column = 4
        for slot in qualifying.accounts.visible_slots:
            nth_slot = qualifying.accounts.slots.index(slot)
            blocks = (qualifying.accounts.block(name)[nth_slot].there for name in ("score", "row", "kept", "weight"))
            score, there, kept, weight = (f"INDEX({block},{number})" for block in blocks)
            game = person.slots[slot].seat.game if person and slot in person.slots else None
            counts = weight_of(person, slot) if person and is_kept(person, slot) else Fraction()
            sign: xl.Content = ("" if counts == 1 else counts or wording(OUT)) if game else ""
            show(column, score, game.score if game else "", xl.points(decimals))
            formula = f'IF({there}=0,"",IF(OR({kept}=0,{weight}=0),{self.page.word(OUT)},IF({weight}=1,"",{weight})))'
            show(column + 1, formula, sign, SIGN)
            column += 2
        tally = person.tally if person else None
        show(
            column, f"INDEX({qualifying.extras.there},{number})", tally.exact - tally.weighted if tally else "", BESIDE
        )
        bold = xl.points(decimals).but(bold=True, size=12, fill=xl.PALE)
        show(column + 1, f"INDEX({qualifying.total.there},{number})", tally.total if tally else "", bold)
        show(column + 2, self.seat(places, own, qualifying), self.seat_of(name), xl.CENTRED.but(bold=True))
        words = placed.decision.in_words(self.page.speech) if placed and placed.decision else ""
        show(
            column + 3,
            f"INDEX({qualifying.ranked.decided_by.there},{number})",
            words,
            xl.QUIET.but(size=10, align="left", wrap=True, indent=1),
        )

    def seat(self, places: str, own: str, qualifying: Qualifying) -> str:
        """Whether a player has a seat, or is level for one."""
        level, seats = f"COUNTIF({places},{own})", self.final.seats
        held = f"SUMPRODUCT(({places}>0)*({qualifying.total.there}>0))>={self.final.at_least_positive}"
        sits = f'IF({own}-1+{level}<={seats},{self.page.word(SEAT)},IF({own}<={seats},{self.page.word(LEVEL)},""))'
        return f'IF({held},{sits},"")'

    def seat_of(self, name: str) -> str:
        """What `seat` gives by the engine."""
        if name in self.qualified.finalists:
            return wording(SEAT)
        return wording(LEVEL) if name in self.qualified.undecided else ""

    def set_up(self, qualifying: Qualifying, last: int, end: int) -> None:
        """Widths and colours."""
        page, first = self.page, HEAD_ROW + 1
        games = [size for _ in qualifying.accounts.visible_slots for size in (10.5, 5)]
        page.widths |= dict(enumerate([7, 2.5, 25, *games, 9, 11, 16, 44, 2, 6], start=1))
        lines = 1 + any(slot.nth > 1 for slot in qualifying.accounts.visible_slots)  # "R2 board 2"
        how = -(-len(self.how()) // int(sum(page.widths.values())))
        page.heights |= {3: 16.0 * how, HEAD_ROW: 4 + 16.0 * lines} | dict.fromkeys(range(first, end + 1), 17)
        rows, seat = f"A{first}:{xl.at(end, last)}", f"${xl.at(first, last - 1)}"
        page.mark(rows, f"{seat}={page.word(SEAT)}", fill=xl.GOLD)
        page.mark(rows, f"{seat}={page.word(LEVEL)}", fill=xl.AMBER)
        page.freeze, page.repeat, page.landscape = f"D{first}", f"{HEAD_ROW}:{HEAD_ROW}", True
