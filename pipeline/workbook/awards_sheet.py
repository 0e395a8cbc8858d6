"""The Awards sheet: what is read out at the ceremony, in that order, kept up by formulas."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pipeline.board.map import Power
from pipeline.scoring.exact import shown
from pipeline.scoring.score import Scored
from pipeline.workbook.address import Column, at
from pipeline.workbook.look import ENTRY, GOLD, HEAD_LEFT, QUIET, SECTION, SUBTITLE, TEXT, TITLE
from pipeline.workbook.page import Live, Page
from pipeline.workbook.ranking_columns import Ranked
from pipeline.workbook.seal import Seal
from pipeline.workbook.workings_sheet import WorkingColumns

SHEET = "Awards"
HEAD_ROW = 4
SHOWN = 3  # winners named when several share an award
FAR = 100000  # above every row of a list
SPARE_ROWS = 4  # for awards the director thinks of


@dataclass(frozen=True, slots=True)
class Won:
    """A ranking whose first place is an award: a team's, a title's."""

    title: str
    names: Column
    total: Column
    ranked: Ranked
    winners: tuple[str, ...]  # the engine's
    points: Fraction
    decision: str
    decimals: int


@dataclass(slots=True)
class AwardsSheet:
    """The sheet while it is being made."""

    page: Page
    scored: Scored
    workings: WorkingColumns
    seal: Seal
    powers: Sequence[int] = ()  # rows of the Best powers sheet, in the order of the powers
    others: list[Won] = field(default_factory=list)
    row: int = HEAD_ROW + 1

    def fill(self, title: str) -> None:
        """Fill it."""
        page = self.page
        page.put(1, 1, "Awards", TITLE)
        page.put(2, 1, title, SUBTITLE)
        page.row(HEAD_ROW, 1, ("Award", "Who", "Why"), HEAD_LEFT)
        self.places()
        if self.powers:
            self.section("Powers")
            for number, power in zip(self.powers, Power, strict=True):
                self.power(number, power)
        if self.others:
            self.section("Titles")
        for won in self.others:
            self.line(won.title, *self.winners(won))
        self.section("Special awards")
        for honour in self.scored.event.honours:
            self.entry(honour.award, honour.player, honour.why)
        for _ in range(SPARE_ROWS):
            self.entry(None, None, None)
        page.widths |= {1: 34, 2: 44, 3: 60}
        page.landscape, page.repeat = True, f"{HEAD_ROW}:{HEAD_ROW}"
        page.area = f"A1:{at(self.row - 1, 3)}"

    def section(self, title: str) -> None:
        """Begin a group."""
        self.page.row(self.row, 1, (title, None, None), SECTION)
        self.row += 1

    def line(self, title: str, who: Live, why: Live) -> None:
        """One award."""
        page = self.page
        page.put(self.row, 1, title, TEXT)
        page.put(self.row, 2, self.seal.wrap(who), TEXT.but(bold=True, size=12, wrap=True))
        page.put(self.row, 3, self.seal.wrap(why), QUIET.but(wrap=True))
        page.heights[self.row] = 22
        self.row += 1

    def entry(self, *contents: str | None) -> None:
        """An award that the director writes down."""
        self.page.row(self.row, 1, contents, ENTRY)
        self.row += 1

    def places(self) -> None:
        """The first places, those with a title and those that are only named."""
        self.section("Places")
        rules, outcome = self.scored.rules, self.workings.outcome
        last = max(len(rules.awards.places), rules.awards.named)
        for place in range(1, last + 1):
            level = [row for row in self.scored.standings.rows if row.place == place]
            titled = place <= len(rules.awards.places)
            title = rules.awards.places[place - 1] if titled else f"named for place {place}"
            who = Live(shared(self.workings.name, outcome.place, place), listed([row.player for row in level]))
            first = f"MATCH({place},{outcome.place.there},0)"
            decided = f"INDEX({outcome.decided_by.there},{first})"
            champion = f"INDEX({outcome.champion.there},{first})=1" if outcome.champion else "FALSE"
            points = in_words(f"INDEX({self.workings.total.there},{first})", rules.decimals)
            words = f'IF({champion},"winner of the final table, ","")&{points}&IF({decided}="","","; "&{decided})'
            value = ""
            if level:
                won = "winner of the final table, " if level[0].is_champion else ""
                value = f"{won}{shown(level[0].total, rules.decimals)} points"
                value += f"; {level[0].decision}" if level[0].decision else ""
            self.line(title, who, Live(f'IFERROR({words},"")', value))
        self.page.mark(f"A{HEAD_ROW + 2}:C{HEAD_ROW + 2}", "TRUE", fill=GOLD)

    def power(self, row: int, power: Power) -> None:
        """The award for one power, from its sheet."""
        rules = self.scored.rules
        one = next((one for one in self.scored.powers if one.power is power), None)
        sheet = "'Best powers'!"
        names = listed(list(one.players)) if one else ""
        score, decided = f"{sheet}$C${row}", f"{sheet}$G${row}"
        place = f'"round "&{sheet}$E${row}&" board "&{sheet}$F${row}'
        words = f'{in_words(score, rules.decimals)}&", "&{place}&IF({decided}="","","; "&{decided})'
        value = ""
        if one:
            game = one.games[0]
            value = f"{shown(one.score, rules.decimals)} points, round {game.round} board {game.board.name}"
            value += f"; {one.decision}" if one.decision else ""
        who = Live(f"{sheet}$B${row}", "" if self.seal.is_sealed else names)
        title = rules.awards.power.format(power=power.capitalize())
        self.line(title, who, Live(f'IF({score}="","",{words})', value))

    def winners(self, won: Won) -> tuple[Live, Live]:
        """First place of a ranking."""
        first = f"MATCH(1,{won.ranked.place.there},0)"
        decided = f"INDEX({won.ranked.decided_by.there},{first})"
        words = f'{in_words(f"INDEX({won.total.there},{first})", won.decimals)}&IF({decided}="","","; "&{decided})'
        value = f"{shown(won.points, won.decimals)} points" + (f"; {won.decision}" if won.decision else "")
        why = Live(f'IFERROR({words},"")', value if won.winners else "")
        return Live(shared(won.names, won.ranked.place, 1), listed(list(won.winners))), why


def in_words(number: str, decimals: int) -> str:
    """Write points with their decimals."""
    form = "0." + "0" * decimals if decimals else "0"
    return f'TEXT(ROUND({number},{decimals}),"{form}")&" points"'


def shared(names: Column, places: Column, place: int) -> str:
    """The names on one place, with commas between; the first three and how many more."""
    level = f"({places.there}={place})"
    rows = f"(ROW({places.there})-{places.first - 1})"
    count = f"COUNTIF({places.there},{place})"
    parts = []
    for nth in range(1, SHOWN + 1):
        found = f"SUMPRODUCT(SMALL({level}*{rows}+(1-{level})*{FAR},{nth}))"
        comma = "" if nth == 1 else '", "&'
        parts.append(f'IF({count}<{nth},"",{comma}INDEX({names.there},{found}))')
    return "&".join(parts) + f'&IF({count}>{SHOWN}," and "&({count}-{SHOWN})&" more","")'


def listed(names: Sequence[str]) -> str:
    """The same words, by the engine.

    >>> listed(["Ana", "Bo", "Cy", "Di"])
    'Ana, Bo, Cy and 1 more'
    """
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
