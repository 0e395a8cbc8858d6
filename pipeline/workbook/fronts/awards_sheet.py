"""The Awards sheet: what is read out at the ceremony, in that order, kept up by formulas."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction

from pipeline.board.map import Power
from pipeline.scoring.places.awards import Held
from pipeline.scoring.places.score import Scored
from pipeline.scoring.places.words import reason
from pipeline.scoring.results.exact import shown
from pipeline.workbook.fronts.doubts_sheet import SHEET as DOUBTS
from pipeline.workbook.workings.ranking_columns import Ranked
from pipeline.workbook.workings.workings_sheet import WorkingColumns
from pipeline.workbook.xlsx.address import BookColumn, at
from pipeline.workbook.xlsx.formula import as_shown, said
from pipeline.workbook.xlsx.page import LiveFormula, Page
from pipeline.workbook.xlsx.styles import ENTRY, GOLD, HEAD_LEFT, QUIET, SECTION, SUBTITLE, TEXT, TITLE

SHEET = "Awards"
HEAD_ROW = 4
SHOWN = 3  # winners named when several share an award
FAR = 100000  # above every row of a list
SPARE_ROWS = 4  # for awards the director thinks of
IN_DOUBT = f"in doubt, see {DOUBTS}: "


@dataclass(frozen=True, slots=True)
class WonAward:
    """A ranking whose first place is an award: a team's, a title's."""

    title: str
    names: BookColumn
    total: BookColumn
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
    doubted: Set[str]  # titles that hang on a doubt
    powers: Sequence[int] = ()  # rows of the Best powers sheet, in the order of the powers
    others: list[WonAward] = field(default_factory=list)
    row: int = HEAD_ROW + 1

    def fill(self, title: str) -> None:
        """Fill it."""
        page = self.page
        page.put(1, 1, "Awards", TITLE)
        page.put(2, 1, f"{title}, {self.scored.progress}. Who is named under Who has the award.", SUBTITLE)
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
        last = max(self.row - 1, HEAD_ROW + 1)
        for _ in range(SPARE_ROWS):
            self.entry(None, None, None)
        page.widths |= {1: 34, 2: 40, 3: 70}
        page.landscape, page.repeat = True, f"{HEAD_ROW}:{HEAD_ROW}"
        page.area = f"A1:{at(last, 3)}"

    def held(self, title: str) -> Held:
        """How somebody has a title: as the engine says, and by the progress where nobody has it."""
        found = next((award.held for award in self.scored.awards if award.title == title), None)
        return found or (Held.GIVEN if self.scored.progress.is_over else Held.LEADS)

    def section(self, title: str) -> None:
        """Begin a group."""
        self.page.row(self.row, 1, (title, None, None), SECTION)
        self.row += 1

    def line(self, title: str, who: LiveFormula, why: LiveFormula) -> None:
        """One award: who has it is named, who only leads for it stands in the reasons."""
        page, held, value = self.page, self.held(title), why.value
        before = IN_DOUBT if title in self.doubted and held is Held.GIVEN else ""
        page.put(self.row, 1, title, TEXT)
        if held is Held.GIVEN:
            page.put(self.row, 2, who, TEXT.but(bold=True, size=12, wrap=True))
            why = LiveFormula(
                f'IF({why.formula}="","",{said(before)}&{why.formula})', f"{before}{value}" if value else ""
            )
        else:
            page.put(self.row, 2, None, TEXT)
            begins = self.not_given(held)
            words = f'{said(begins)}&{who.formula}&", "&{why.formula}'
            why = LiveFormula(f'IF({why.formula}="","",{words})', f"{begins}{who.value}, {value}" if value else "")
        page.put(self.row, 3, why, QUIET.but(wrap=True))
        lines = -(-len(str(why.value)) // 68)
        page.heights[self.row] = max(22, 16.0 * lines)
        self.row += 1

    def not_given(self, held: Held) -> str:
        """Say before a name that its bearer does not have the title."""
        return f"level, see {DOUBTS}: " if held is Held.LEVEL else f"{self.scored.progress}: "

    def first_title(self) -> LiveFormula:
        """Who has the first title of all, or leads for it."""
        title = self.scored.rules.awards.places[0] if self.scored.rules.awards.places else "first"
        names = listed([row.player for row in self.scored.standings.rows if row.place == 1])
        who, held = shared(self.workings.name, self.workings.outcome.place, 1), self.held(title)
        before = f"{title}: "
        if held is not Held.GIVEN:
            leads = "leads " if held is Held.LEADS else ""
            before = f"{leads}{self.not_given(held)}"
            before = f"{before[:1].upper()}{before[1:]}"
        after = f" ({IN_DOUBT.removesuffix(': ')})" if title in self.doubted and held is Held.GIVEN else ""
        formula = f'IF(COUNTIF({self.workings.outcome.place.there},1)=0,"",{said(before)}&{who}&{said(after)})'
        return LiveFormula(formula, f"{before}{names}{after}" if names else "")

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
            who = LiveFormula(shared(self.workings.name, outcome.place, place), listed([row.player for row in level]))
            first = f"MATCH({place},{outcome.place.there},0)"
            decided = f"INDEX({outcome.decided_by.there},{first})"
            points = in_words(f"INDEX({self.workings.total.there},{first})", rules.decimals)
            words = f'{points}&IF({decided}="","","; "&{decided})'
            award = next((a for a in self.scored.awards if level and a.row is level[0]), None)
            value = reason(award, self.scored) if award else ""
            self.line(title, who, LiveFormula(f'IFERROR({words},"")', value))
        if self.held(rules.awards.places[0] if rules.awards.places else "") is Held.GIVEN:
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
        who = LiveFormula(f"{sheet}$B${row}", names)
        title = rules.awards.power.format(power=power.capitalize())
        self.line(title, who, LiveFormula(f'IF({score}="","",{words})', value))

    def winners(self, won: WonAward) -> tuple[LiveFormula, LiveFormula]:
        """First place of a ranking."""
        first = f"MATCH(1,{won.ranked.place.there},0)"
        decided = f"INDEX({won.ranked.decided_by.there},{first})"
        words = f'{in_words(f"INDEX({won.total.there},{first})", won.decimals)}&IF({decided}="","","; "&{decided})'
        value = f"{shown(won.points, won.decimals)} points" + (f"; {won.decision}" if won.decision else "")
        why = LiveFormula(f'IFERROR({words},"")', value if won.winners else "")
        return LiveFormula(shared(won.names, won.ranked.place, 1), listed(list(won.winners))), why


def in_words(number: str, decimals: int) -> str:
    """Write points with their decimals."""
    return f'{as_shown(number, decimals)}&" points"'


def shared(names: BookColumn, places: BookColumn, place: int) -> str:
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
