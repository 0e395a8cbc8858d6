"""Typing on the page: completion, live interpretation by the tournament's rules, and writing down what is confirmed.

The page interprets nothing itself: it sends the text, and shows the interpretation that is made here.
"""

from collections.abc import Iterator, Sequence
from typing import Any, assert_never

from msgspec import Struct

from pipeline.board import Kind, Map, Unit, province_of
from pipeline.desk.event.games import Game
from pipeline.desk.event.people import Turn
from pipeline.desk.review import meaning
from pipeline.desk.ruling.rows import Row
from pipeline.desk.ruling.rulings import RowDecision
from pipeline.desk.sheets.printed import lines_due
from pipeline.interpret.verdict import Status
from pipeline.judge.adjudicate import legal_orders
from pipeline.ledger.events import LinesTyped
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import Source
from pipeline.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    NotAnOrder,
    Order,
    Retreat,
    Support,
    Waive,
    read_order,
    units_of,
    write,
)
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.reading.recogniser import Tray
from pipeline.web.office import Office
from pipeline.web.on_pages import texts_on_page

# Orders, sources of rows and trays of pages, in words and signs that are understood at a glance.

COASTS = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}
SIGNS = {  # a sign for every source, because colour alone is not accessible
    Source.READ: "✓",
    Source.MARKED: "◐",
    Source.TYPED: "⌨",
    Source.RULED: "⚖",
    Source.DEFAULT: "∅",
    Source.OPEN: "?",
}


TRAYS = {  # what became of a page
    Tray.FILED: "known and read",
    Tray.DOUBTFUL: "it is not certain which sheet this is",
    Tray.UNIDENTIFIED: "it is not known which sheet this is",
    Tray.FOREIGN: "not a page of this event",
    Tray.BLANK: "an empty page",
    Tray.UNREADABLE: "the file cannot be opened",
}


def _place_in_words(place: str, board: Map) -> str:
    """Name a place.

    >>> from pipeline.board import standard_map
    >>> _place_in_words("STP/NC", standard_map()), _place_in_words("XYZ", standard_map())
    ('St Petersburg (north coast)', 'XYZ')
    """
    code = province_of(place)
    name = board.provinces[code].name if code in board.provinces else code
    return f"{name} ({COASTS.get(place[4:], place[4:])})" if len(place) > 3 else name


def say_order(order: Order, board: Map) -> str:  # noqa: C901 - one line for each of the eight orders
    """Say an order.

    >>> from pipeline.board import standard_map
    >>> from pipeline.orders import read_order
    >>> say_order(read_order("A MUN S F KIE - BER"), standard_map())
    'army Munich supports fleet Kiel to Berlin'
    """

    def unit(each: Unit) -> str:
        return f"{'army' if each.kind is Kind.ARMY else 'fleet'} {_place_in_words(each.place, board)}"

    def to(place: str) -> str:
        return _place_in_words(place, board)

    match order:
        case Hold(actor):
            return f"{unit(actor)} holds"
        case Move(actor, goal, via, route):
            over = f" over {', '.join(map(to, route))}" if route else " by convoy" if via else ""
            return f"{unit(actor)} to {to(goal)}{over}"
        case Support(actor, of, goal):
            return f"{unit(actor)} supports {unit(of)}" + (f" to {to(goal)}" if goal else " to hold")
        case Convoy(actor, of, goal):
            return f"{unit(actor)} convoys {unit(of)} to {to(goal)}"
        case Retreat(actor, goal):
            return f"{unit(actor)} retreats to {to(goal)}"
        case Disband(actor):
            return f"{unit(actor)} is disbanded"
        case Build(actor):
            return f"build {unit(actor)}"
        case Waive():
            return "one build is waived"
        case _:
            assert_never(order)


KEEP = "correct it, or press Enter again if it is meant so"
IN_FULL = "type the order in full, or press T and type what the ink says"
LONGEST = 200  # characters of a line; the longest order in full names has 90
MOST_LINES = 60  # a power has 34 units at most


class Typist(Struct, frozen=True):
    """Somebody who types for a power."""

    office: Office
    turn: Turn

    @property
    def game(self) -> Game:
        """The game of the turn, as it is now."""
        return self.office.live.games[self.turn.board]

    @property
    def units(self) -> tuple[Unit | None, ...]:
        """The units that stand in front of the lines to type; None for a line without one."""
        return lines_due(self.game.map, self.game.position, self.turn.power)

    @property
    def shorthand(self) -> meaning.Shorthand:
        """The shorthand that completes typed lines."""
        return meaning.Shorthand.of(self.turn.power, self.game.position, self.office.event.rules_on(self.game.map_name))

    # a whole sheet

    def offers(self) -> dict[str, Any]:
        """Every legal order with its words and its unit, and a line for each order that is due."""
        board, rules, shorthand = self.game.map, self.office.event.tournament.rulebook, self.shorthand
        orders = legal_orders(board, self.game.position, self.turn.power, rules)
        units = ["" if unit is None else str(unit) for unit in self.units]
        return {
            "orders": [
                {
                    "order": write(order),
                    "words": say_order(order, board),
                    "unit": "" if isinstance(order, Waive) else str(order.unit),
                    "text": shorthand.write_offer(order),
                }
                for order in orders
            ],
            "lines": [[unit, line] for unit, line in self.lines_before(units)],
        }

    def lines_before(self, units: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The lines to type on, each with its unit and what was typed there before, where typed lines count."""
        counted = self.office.live.desk.counted_sheets(self.turn)
        texts = [row.ink for row in counted.rows] if counted.typed else []
        means = meaning.meaning_of(self.office.event, self.game, self.turn.power, texts)
        left = {line.number: line for line in means.lines}
        for unit in units:
            mine = next((a for a in left.values() if unit and [str(entry.unit) for entry in a.entries] == [unit]), None)
            if mine is not None:
                del left[mine.number]
            yield unit, "" if mine is None else self.as_typed(mine.text, unit)
        yield from (("", line.text) for line in left.values())

    def as_typed(self, text: str, unit: str) -> str:
        """Quote a line, so that it is not completed again when it is typed on the line of its unit."""
        return text if self.shorthand.line(text, self.find_unit(unit)).text == text else f'"{text}"'

    def find_unit(self, unit: str) -> Unit | None:
        """The unit of a line, by its name; none for a free line."""
        named = next((each for each in self.units if each is not None and str(each) == unit), None)
        if unit and named is None:
            raise stop("this unit needs no order now; reload the page", f"{self.turn} {unit}")
        return named

    def lines(self, typed: Sequence[str], units: Sequence[str]) -> list[meaning.LineTyped]:
        """The typed lines: those behind a unit completed to whole orders, free ones unchanged."""
        if len(typed) > MOST_LINES or any(len(text) > LONGEST for text in typed):
            raise stop(f"expected {MOST_LINES} lines of {LONGEST} characters at most", str(self.turn))
        shorthand = self.shorthand
        named = [self.find_unit(unit) for unit in units[: len(typed)]]
        named += [None] * (len(typed) - len(named))
        return [
            meaning.LineTyped(text.strip()) if unit is None else shorthand.line(text, unit)
            for text, unit in zip(typed, named, strict=True)
        ]

    def view_lines(self, typed: Sequence[str], units: Sequence[str]) -> dict[str, Any]:
        """What each line means beside the others, and which units have none."""
        lines = self.lines(typed, units)
        of_turn = meaning.meaning_of(self.office.event, self.game, self.turn.power, [line.text for line in lines])
        wrong = _wrong_lines(lines, units, of_turn)
        by_number = {meant.number: meant for meant in of_turn.lines}
        views = [
            self.view(line.text, by_number.get(number), wrong=wrong.get(number, ""))
            for number, line in enumerate(lines, start=1)
        ]
        return {"lines": views, "left": [*map(str, of_turn.unordered), *(remark.reason for remark in of_turn.remarks)]}

    def write(self, typed: Sequence[str], units: Sequence[str], sure: Sequence[str], by: str) -> Fact[LinesTyped]:
        """Write down the lines of a whole sheet; ``sure`` are those confirmed although the rules do not follow them."""
        lines = self.lines(typed, units)
        meant = meaning.meaning_of_turn(self.office.event, self.game, self.turn, [line.text for line in lines])
        if wrong := _wrong_lines(lines, units, meant):
            raise Stopped(Problem(Weight.STOPS, text, f"{self.turn} line {number}") for number, text in wrong.items())
        texts = [line.text for line in lines]
        return meaning.take_typed(self.office.live.desk, self.game, self.turn, texts, KEEP, sure=sure, by=by)

    # one row

    def view_text(self, line: int, text: str) -> dict[str, Any]:
        """What a row means if this is what the ink says."""
        try:
            self.check_length(text)
        except Stopped as stopped:
            return {"lines": [{"text": text, "means": [], "doubt": "", "wrong": _stop_message(stopped)}]}
        of_row = meaning.meaning_on_rows(self.office.live.desk, self.game, self.turn, {line: (text,)})
        doubt = "; ".join(meant.doubt for meant in of_row.doubtful())
        return {"lines": [self.view(m.text, m, doubt=doubt) for m in of_row.lines if m.number == line]}

    def check_length(self, text: str) -> None:
        """Stop if a text is too long; cut off, it would mean something else."""
        if len(text) > LONGEST:
            raise stop(f"expected {LONGEST} characters at most, found {len(text)}", str(self.turn))

    def check_text(self, line: int, text: str) -> None:
        """Stop if the rules do not follow the typed text."""
        meaning.follow_decision(self.office.live.desk, self.game, self.turn, line, RowDecision(text=text), KEEP)

    def view_order(self, row: Row, typed: str) -> dict[str, Any]:
        """What a typed order for a row means, before it is written down."""
        text, doubt = typed.strip(), ""
        try:
            orders = self.orders(row, typed)
        except Stopped as stopped:
            return {"lines": [{"text": text, "means": [], "doubt": "", "wrong": _stop_message(stopped)}]}
        try:
            orders = self.follow(row, orders)
        except meaning.MeansNothing as asked:
            doubt = _stop_message(asked)
        board = self.game.map
        means = [{"order": write(order), "words": say_order(order, board), "good": not doubt} for order in orders]
        return {"lines": [{"text": text, "means": means, "doubt": doubt, "wrong": ""}]}

    def order(self, row: Row, typed: str, *, anyway: bool) -> str:
        """The orders that stand on a row, as they are written down; one that the rules do not follow must be meant."""
        orders = self.orders(row, typed)
        return "; ".join(map(write, orders if anyway else self.follow(row, orders)))

    def follow(self, row: Row, orders: Sequence[Order]) -> tuple[Order, ...]:
        """The orders as the rules follow them on this row; stop where they do not."""
        decision = RowDecision(order="; ".join(map(write, orders)))
        desk = self.office.live.desk
        return meaning.follow_decision(desk, self.game, self.turn, row.line, decision, KEEP).orders or ()

    def orders(self, row: Row, typed: str) -> tuple[Order, ...]:
        """Read orders that are typed: in canonical notation, or in words that can mean only one."""
        self.check_length(typed)
        unit = meaning.unit_of_row(self.office.live.desk, self.game, self.turn, row)
        typed_orders = tuple(order for part in typed.split(";") for order in self.read(part, unit))
        others = units_of(typed_orders) - {unit.province} if unit is not None and row.line == 0 else ()
        if others:
            typed_for = ", ".join(sorted(others))
            raise stop(f"the question is about {unit}, and the typed order is for {typed_for}", str(self.turn))
        return typed_orders

    def read(self, typed: str, unit: Unit | None) -> tuple[Order, ...]:
        """Read one order; refuse what the rules would not follow, except an impossible order."""
        try:
            return (read_order(typed.strip().upper()),)
        except NotAnOrder:
            text = self.shorthand.line(typed, unit).text
        of_text = meaning.meaning_of(self.office.event, self.game, self.turn.power, [text])
        entries = [entry for meant in of_text.lines for entry in meant.entries if not entry.is_implied]
        reads = [entry.read for entry in entries if entry.status in (Status.CLEAR, Status.ILLEGAL) and entry.read]
        if len(reads) < len(entries) or not reads:
            doubt = "; ".join(meant.doubt for meant in of_text.doubtful()) or "nothing is typed"
            raise stop(f"{doubt}; {IN_FULL}", str(self.turn))
        return tuple(reads)

    def view(self, text: str, meant: meaning.MeantLine | None, *, doubt: str = "", wrong: str = "") -> dict[str, Any]:
        """A line as the page shows it."""
        board = self.game.map
        means = [
            {
                "order": write(entry.order) if entry.order else None,
                "words": say_order(entry.order, board) if entry.order else "no order",
                "status": str(entry.status),
                "rule": entry.rule,
                "reason": entry.reason,
                "good": entry.status is Status.CLEAR,
            }
            for entry in (meant.entries if meant else ())
        ]
        return {"text": text, "means": means, "doubt": doubt or (meant.doubt if meant else ""), "wrong": wrong}


def _wrong_lines(
    lines: Sequence[meaning.LineTyped], units: Sequence[str], of_turn: meaning.TypedMeaning
) -> dict[int, str]:
    """What is wrong with lines that order another unit than the one in front of them, by their numbers."""
    others: dict[int, set[str]] = {}
    for number, (line, unit) in enumerate(zip(lines, units, strict=False), start=1):
        if unit and line.of is not None:
            others.setdefault(number, set()).add(str(line.of))
    for meant in of_turn.lines:
        unit = units[meant.number - 1] if meant.number <= len(units) else ""
        ordered = {str(entry.unit) for entry in meant.entries if entry.unit is not None and not entry.is_implied}
        if unit and ordered - {unit}:
            others.setdefault(meant.number, set()).update(ordered - {unit})
    return {
        number: f"{lines[number - 1].text!r} is an order of {' and '.join(sorted(ordered))}, but stands on the line of "
        f"{units[number - 1]}; type it on the line of its own unit, or on a free line"
        for number, ordered in others.items()
    }


def _stop_message(stopped: Stopped) -> str:
    """The texts of all problems, in one line."""
    return "; ".join(texts_on_page(stopped.problems))
