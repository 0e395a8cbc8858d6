"""Parts of facts: their enumerations, and small structs that several facts share."""

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from pipeline.board import Power
from pipeline.draw.field import NotSeated
from pipeline.draw.roster import Who
from pipeline.interpret.doubts import LineDoubt
from pipeline.rules.game_end import EndGround
from pipeline.rules.rulings_book import Situation
from pipeline.words.speech import SentenceCode, to_say

PositionJson = Mapping[str, Any]  # a position as JSON, see `write_position` in `pipeline.orders`


def board_name(round_number: int, board: str) -> str:
    """The full name of a board: its round, and its name there.

    >>> board_name(2, "5"), round_and_board("2.5")
    ('2.5', (2, '5'))
    """
    return f"{round_number}.{board}"


def round_and_board(name: str) -> tuple[int, str]:
    """The round of a board that is named in full, and its name there."""
    number, _, board = name.partition(".")
    return int(number), board


# ---- words ----------------------------------------------------------------------------------------------------------


class Source(StrEnum):
    """Where a published order comes from."""

    READ = "read"  # the ink was accepted and the line is clear
    MARKED = "marked"  # likewise, and marked for a quick look
    TYPED = "typed"  # the director typed the line
    RULED = "ruled"  # the director's word
    DEFAULT = "default"  # there is no order, and the director knows
    OPEN = "open"  # waits for the director


class SheetDecision(StrEnum):
    """What the director decides about a whole sheet."""

    NO_ORDERS = to_say("no orders")  # missing, and nothing will come: the units have no orders
    ACCEPTED = to_say("accepted")  # as it is, whatever was doubtful about it
    ALL_UNSIGNED = to_say("all unsigned")  # accepted, and so is every other sheet that is not signed
    LATE = to_say("late")  # it came after the deadline: the tournament's rule on late sheets applies
    LATE_READING = to_say("late, reading had begun")
    LATE_DEMANDED = to_say("late, and had been demanded")
    FOREIGN = to_say(
        "on other paper"
    )  # not on the supplied sheet; here and below the tournament's rule on such orders applies
    JOINT = to_say("joint orders")  # of several powers, signed by each
    PROXY = to_say("proxy orders")  # for later seasons, or for another player's units
    REFUSED = to_say("refused")  # it does not count: the units have no orders
    CHOSEN = to_say("chosen")  # of the sheets that claim the same rows, this one counts

    @property
    def is_late(self) -> bool:
        return self in (SheetDecision.LATE, SheetDecision.LATE_READING, SheetDecision.LATE_DEMANDED)

    @property
    def may_leave_a_choice(self) -> bool:
        """Whether earlier choices between sheets still count after it."""
        return self not in (SheetDecision.NO_ORDERS, SheetDecision.REFUSED)

    @property
    def leaves_late(self) -> bool:
        """Whether an earlier decision that the orders are late still counts after it."""
        return self is SheetDecision.CHOSEN

    @property
    def settles_unsigned(self) -> bool:
        """Whether sheets without a signature are accepted from now on."""
        return self is SheetDecision.ALL_UNSIGNED

    @property
    def depends_on_lines(self) -> bool:
        """Whether its meaning depends on lines that were typed before."""
        return self not in (SheetDecision.NO_ORDERS, SheetDecision.CHOSEN)


class TickFault(SentenceCode):
    """What is wrong with the ticks of a pad; also part of the situation of a ruling."""

    NONE = "none"  # nothing of a group is ticked
    SEVERAL = "several"
    OVER = "over"  # a phase that is over
    TO_COME = "to come"


class Timing(StrEnum):
    """Why a sheet is not expected now; no value for a sheet of the open phase."""

    AGAIN = "again"  # it had come in before, and could be read
    ENDED = "game over"
    PUBLISHED = "published"  # the phase that it is for
    EARLIER = "earlier"  # its season is over, and was not played here
    WAITS = "waits"  # for a phase that has not come yet
    NOTHING = "nothing due"  # its power has no unit to order, nothing to build and nothing to remove


HEADER_INCOMPLETE, WRONG_SEASON = "HEADER_INCOMPLETE", "WRONG_SEASON"


def missing_tick(missing: tuple[str, ...]) -> str:
    """What is not ticked, as it stands in the situation of a ruling.

    >>> missing_tick(("season", "year"))
    'none: season, year'
    """
    return f"{TickFault.NONE}: {', '.join(missing)}"


class Ballot(StrEnum):
    """What a power with a centre does in a vote."""

    YES = "yes"
    NO = "no"
    ABSENT = "absent"  # is not there
    GONE = "gone"  # has abandoned the game, which differs from being absent (WM VIII.3.c)


class About(StrEnum):
    """What a lot decides."""

    FIELD = "field"  # who sits out, is left out or plays twice in a round
    POOL = "pool"  # who takes the last seats of a pool
    FINAL = "final"  # who takes the last seats of the final table


class Column(StrEnum):
    """The roster columns that a note can change."""

    DISTANCE = "distance_km"
    COUNTRY = "country"
    CLUB = "club"
    LEFT = "left"


# ---- of rulings -----------------------------------------------------------------------------------------------------


class SettingChange(Struct, frozen=True, kw_only=True):
    """One changed setting of ``event.toml`` or rules file; None: it is absent."""

    setting: str  # "event.name", "player 3 club", "rules/mine.toml"
    was: str | None  # as TOML has it; of a file its SHA-256
    now: str | None


class RulingBasis(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What counted when a ruling was made."""

    sheet: int = 0  # serial of the sheet that the row stands on; 0 for a line that was typed, and for no row
    row: int = 0  # as printed on that sheet, or the number of the typed line
    scans: tuple[int, ...] = ()  # for each scan of the sheet that had come in, the fact from which on it counts
    typed: int = 0  # the fact with which lines were typed; 0 where they were not
    counted: tuple[int, ...] = ()  # for a ruling on no row: the serials of the sheets that counted

    @property
    def place(self) -> tuple[int, int, int]:
        """What identifies the row; its number among all rows may change when another sheet comes in."""
        return self.sheet, self.row, self.typed


class Asked(Struct, frozen=True):
    """One order on a row that waits."""

    ink: str  # its piece of the row; for an implied order, the piece that implies it
    unit: str  # the province of the own unit that it is about; empty where none is named

    def is_of(self, ink: str, unit: str) -> bool:
        """Whether this question was about an order; its unit may depend on the other rows.

        >>> Asked("- BEL", "").is_of("- BEL", "YOR"), Asked("A BUD - ROM", "BUD").is_of("A VIE - ROM", "VIE")
        (True, False)
        """
        return self.ink == ink and (self.unit == unit or "" in (self.unit, unit))


class LeftOpen(Struct, frozen=True):
    """The questions that stay open on a row after part of it was ruled on."""

    text: str = ""  # all that is read on the row
    asked: tuple[Asked, ...] = ()

    def settle(self, units: Collection[str], alike: Asked | None = None) -> "LeftOpen":
        """What stays open when the questions about these units are settled, and all that are equal to ``alike``."""
        return LeftOpen(self.text, tuple(each for each in self.asked if each.unit not in units and each != alike))


NOTHING_LEFT = LeftOpen()


class Question(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The question that a ruling answered; the rulings book finds it when the same is asked again."""

    doubt: str
    switch: str
    context: str
    ink: str | None = None  # of a row: what was read there
    found: tuple[LineDoubt, ...] | None = None  # of a row: every doubt
    lacks: LineDoubt | None = None  # for line 0: the unit without an order
    mark: str | None = None  # from a review spreadsheet: the line it was answered on
    answer: str | None = None  # and the text of that line

    @classmethod
    def of(cls, situation: Situation) -> "Question":
        """Ask about a situation."""
        return cls(doubt=situation.doubt, switch=situation.switch, context=situation.context)

    @property
    def situation(self) -> Situation:
        """What was doubtful."""
        return Situation(self.doubt, self.switch, self.context)


# ---- of what was printed and published ------------------------------------------------------------------------------


class OutcomePublished(Struct, frozen=True, kw_only=True):
    """What became of one order, as ``orders --json`` prints it."""

    power: Power
    order: str
    result: str
    reason: str  # in the words of that day
    by: tuple[str, ...]


class RowPublished(Struct, frozen=True, kw_only=True):
    """What one published order rested on."""

    line: int
    ink: str
    order: str | None
    source: Source
    rule: str
    crop: str | None


class OverruledObjection(Struct, frozen=True):
    """A ground on which the rules forbid an end of a game, and which the director overruled."""

    ground: EndGround
    rule: str


# ---- of people and draws --------------------------------------------------------------------------------------------


class BoardSeated(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Who sits at one board of a round, as it is kept."""

    board: str
    map: str | None = None  # None: the event's
    players: Mapping[Power, Who]
    final: bool = False  # whether it is the final table
    by_hand: bool = False  # whether a director set it: no draw of the round touches it
    pool: str = ""  # the pool whose players sit there


class SeatRuling(StrEnum):
    """What a director allows at a seat although the rules leave it open or forbid it."""

    TWO_BOARDS = "two boards"  # somebody plays on two boards of a round
    ELIMINATED = "eliminated"  # somebody who was eliminated comes back to the same game


class SeatChange(Struct, frozen=True, kw_only=True):
    """A seat that somebody else has, from the first order of the game on."""

    board: str
    power: Power
    player: int  # 0: nobody
    before: Who


class LotRecord(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A lot: sealed, and perhaps drawn."""

    number: int  # 1.. in the event
    round: int
    about: About
    among: tuple[Who, ...]
    hash: str  # shown before
    seed: str | None = None  # shown after, as all below
    word: str = ""
    order: tuple[Who, ...] = ()  # the order in which names were drawn

    @property
    def people(self) -> tuple[str, ...]:
        """Among whom, by name (in a fact, by number)."""
        return tuple(sorted(map(str, self.among)))

    @property
    def order_drawn(self) -> tuple[str, ...]:
        """The order, by name (in a fact, by number)."""
        return tuple(map(str, self.order))

    def is_for(self, round_number: int, about: About, names: Iterable[str]) -> bool:
        """Whether it decides this, among these."""
        return (self.round, self.about, self.people) == (round_number, about, tuple(sorted(names)))

    @property
    def in_words(self) -> str:
        """What was drawn, and how anybody can draw it again."""
        lot = (
            f"lot {self.number} of round {self.round}: word {self.word!r}, seed {self.seed} (shown before: {self.hash})"
        )
        return f"{lot}; drawn in this order: {', '.join(self.order_drawn)}"


class DrawDecided(Struct, frozen=True, kw_only=True):
    """What the director decided where the rules leave a draw open."""

    wishes: Mapping[str, str] = field(default_factory=dict)  # what is wished of a draw: how much it counts
    has_limit: bool = False
    meetings_most: int | None = None


class DrawRecord(Struct, frozen=True, kw_only=True):
    """How the seats of a round were drawn."""

    seed: int = 0
    aside: tuple[NotSeated, ...] = ()  # who sat out voluntarily
    sent: tuple[NotSeated, ...] = ()  # who was left out
    out: tuple[NotSeated, ...] = ()  # who may not play
    twice: tuple[NotSeated, ...] = ()  # who played on two boards
    plays: tuple[NotSeated, ...] = ()  # directors who played, once for each board
    six: int = 0  # boards of six players
    why: str = ""
    lots: tuple[LotRecord, ...] = ()
    finalists: tuple[Who, ...] = ()
    choosing: tuple[Who, ...] = ()
    waits: bool = False  # for the final table
    broken: tuple[str, ...] = ()  # breaches of hard rules that no draw could avoid
    decided: DrawDecided = DrawDecided()
    points: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # see `Task.points`; by player
    chose: tuple[Who, ...] = ()  # the finalists in the order in which they chose their powers
