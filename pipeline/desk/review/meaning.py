"""Check what a director types, in browser, command or spreadsheet, before it is written down.

A typing error of the director is not the player's misorder. So text that the rules would not follow is refused with its
effect, and written down only if he confirms it.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Position, Power, Unit
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.event.people import Turn
from pipeline.desk.ruling.desk import Desk, check_going_on, check_orders_due, lines_that_stand
from pipeline.desk.ruling.row_reader import settled_orders
from pipeline.desk.ruling.rows import Row
from pipeline.desk.ruling.rulings import NOTHING, RowDecision, type_lines
from pipeline.desk.sheets.printed import lines_due, unit_in_words
from pipeline.interpret.doubts import Doubt
from pipeline.interpret.interpret import interpret, sheet_of
from pipeline.interpret.lines import read_line
from pipeline.interpret.order_words import BareUnit, Convoys, Disbands, Holds, Moves, Phrase, Shape, Supports, UnitWords
from pipeline.interpret.readings import Sheet, unit_spoken_of
from pipeline.interpret.verdict import Entry, Interpretation, Line, Status
from pipeline.judge.adjudicate import legal_orders, why_illegal
from pipeline.ledger.events import LinesTyped
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import PLACE, Order, read_order, units_of, write
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules.tournament import Tournament

# The own unit that a row is about, whatever is written on it: the unit printed in front of it, or one without an order.


def unit_of_row(desk: Desk, game: Game, turn: Turn, row: Row) -> Unit | None:
    """The unit of a row; None where the row is free for any."""
    if row.line:
        return _unit_printed_in(desk, game, turn, row.line)
    due = lines_due(game.map, game.position, turn.power)
    return next((unit for unit in due if unit is not None and unit.province == row.unit), None)


def _unit_printed_in(desk: Desk, game: Game, turn: Turn, line: int) -> Unit | None:
    """The unit that is printed in a row, found by the row's present number; None if there is none."""
    ground = next((row.ground for row in desk.counted_sheets(turn).rows if row.line == line), None)
    sheets = (sheet for sheet in desk.sheets.get(turn, ()) if ground is not None and sheet.serial == ground.sheet)
    printed = next((sheet.printed.page.form.unit_of(ground.row) for sheet in sheets if ground is not None), "")
    due, words = lines_due(game.map, game.position, turn.power), desk.event.tournament.abbreviations
    return next((unit for unit in due if unit is not None and unit_in_words(unit, words) == printed), None)


NOTHING_READ = "no word of an order can be read in it, so the director is asked"


class MeansNothing(Stopped):
    """The typed text would not be followed; it is written down only if confirmed."""

    def __init__(self, problems: Iterable[Problem], keep: str) -> None:
        super().__init__(Problem(p.weight, f"{p.text}; {keep}", p.where) for p in problems)


class MeantLine(Struct, frozen=True):
    """One line with its meaning by the tournament's rules."""

    number: int
    text: str
    entries: tuple[Entry, ...]

    def about(self, texts: Collection[str]) -> "MeantLine":
        """Only what was written so, without what follows from it for other units."""
        entries = (entry for entry in self.entries if entry.text in texts and not entry.is_supplied)
        return replace(self, entries=tuple(entries))

    @property
    def is_followed(self) -> bool:
        return bool(self.entries) and all(entry.status is Status.CLEAR for entry in self.entries)

    @property
    def is_ordered_twice(self) -> bool:
        """Whether another order for the same unit is why it would not be followed."""
        return any(doubt.code is Doubt.TWICE_DIFF for entry in self.entries for doubt in entry.doubts)

    @property
    def doubt(self) -> str:
        """Why the rules would not follow it, and the result; empty if they would."""
        if not self.entries:
            return f"{self.text!r}: {NOTHING_READ}"
        return "; ".join(_becomes(entry) for entry in self.entries if entry.status is not Status.CLEAR)


class TypedMeaning(Struct, frozen=True):
    """Lines that belong together, and the units that none of them orders."""

    lines: tuple[MeantLine, ...]
    unordered: tuple[Unit, ...] = ()
    remarks: tuple[Entry, ...] = ()  # what no single line is about: a build that is not ordered

    def doubtful(self, sure: Collection[str] = ()) -> tuple[MeantLine, ...]:
        """The lines that would not be followed and were not confirmed."""
        return tuple(line for line in self.lines if not line.is_followed and line.text not in sure)

    def problems(self, turn: Turn, sure: Collection[str] = ()) -> tuple[Problem, ...]:
        """What is doubtful, line by line."""
        doubtful = self.doubtful(sure)
        return tuple(Problem(Weight.ASKS, line.doubt, f"{turn} line {line.number}") for line in doubtful)

    def check(self, turn: Turn, keep: str, sure: Collection[str] = ()) -> None:
        """Stop if a line is doubtful; ``keep`` is the advice how to confirm it."""
        if problems := self.problems(turn, sure):
            raise MeansNothing(problems, keep)


def _becomes(entry: Entry) -> str:
    """Describe an order that would not be followed: why, by which rule, and the result."""
    rule = f" ({entry.rule})" if entry.rule else ""
    stands = f"adjudicated as {write(entry.order)}" if entry.order else "it orders nothing"
    return f"{entry.text!r}: {entry.reason}{rule}" + ("" if entry.status is Status.ASK else f"; {stands}")


def meaning_of_turn(event: Event, game: Game, turn: Turn, lines: Sequence[str]) -> TypedMeaning:
    """Say what lines would mean that are typed instead of a power's sheet; stop where nothing is due or typed."""
    check_going_on(game, turn)
    check_orders_due(game, turn)
    if not any(line.strip() for line in lines):
        raise stop(f"no line is typed; a power without orders is ruled '{SheetDecision.NO_ORDERS}'", str(turn))
    return meaning_of(event, game, turn.power, lines)


def take_typed(
    desk: Desk, game: Game, turn: Turn, lines: Sequence[str], keep: str, *, by: str, sure: Collection[str] = ()
) -> Fact[LinesTyped]:
    """Write down lines typed instead of a sheet, without blank ones, or stop with those that mean nothing.

    ``sure`` are confirmed lines; ``keep`` is the advice how to confirm. Repeating the same lines writes nothing.
    """
    meaning_of_turn(desk.event, game, turn, lines).check(turn, keep, sure)
    texts = [line.strip() for line in lines if line.strip()]
    return lines_that_stand(desk, turn, texts, by) or type_lines(desk.event, turn, texts, by=by)


def meaning_of(event: Event, game: Game, power: Power, lines: Sequence[str]) -> TypedMeaning:
    """Say what lines would mean; they are numbered from 1, and blank ones are skipped."""
    written = [Line(number, text.strip()) for number, text in enumerate(lines, start=1) if text.strip()]
    player = game.seating.player_at(power, game.position.phase)
    meaning = interpret(written, power, game.position, event.rules_on(game.map_name), player=player)
    return TypedMeaning(tuple(_by_line(written, meaning)), meaning.unordered, meaning.remarks)


def meaning_on_rows(
    desk: Desk, game: Game, turn: Turn, said: Mapping[int, Sequence[str]], given: Sequence[Order] = ()
) -> TypedMeaning:
    """Say what rows would mean if this were written on them, and ``given`` were ordered without a row.

    Includes other rows that would not be followed any more, such as when a unit then has two orders.
    """
    counted = desk.counted_sheets(turn)
    reader = desk.reader(game, turn, counted)
    before, after = reader.known_lines(counted.rows), reader.known_lines(counted.rows, said, given)
    followed = {line.number for line in _by_line(before, reader.interpret_lines(before)) if line.is_followed}
    meaning = _by_line(after, reader.interpret_lines(after))
    about = {*said, *((0,) if given else ())}
    return TypedMeaning(
        tuple(each for each in meaning if each.number in about or (each.number in followed and each.doubt))
    )


def _by_line(written: Sequence[Line], interpretation: Interpretation) -> Iterator[MeantLine]:
    """Group entries by line; a continuation line has the entries of the line it continues."""
    texts: dict[int, list[str]] = {}
    for line in written:
        texts.setdefault(line.number, []).append(line.text)
    for number, parts in texts.items():
        entries = tuple(entry for entry in interpretation.entries if number in (entry.line, *entry.also))
        yield MeantLine(number, "; ".join(parts), entries)


def follow_decision(desk: Desk, game: Game, turn: Turn, line: int, decision: RowDecision, keep: str) -> RowDecision:
    """The decision on a row as the rules follow it; stop if they do not, with ``keep``, the advice how to confirm it.

    A typed order means what the same text on the sheet would mean. One that is offered for the row means what it says.
    """
    if decision.text is not None:
        meaning_on_rows(desk, game, turn, {line: (decision.text,)}).check(turn, keep)
        return decision
    orders = decision.orders or ()
    wrong = list(_impossible_orders(desk.event, game, turn.power, orders))
    unit = _unit_printed_in(desk, game, turn, line)
    if unit is not None:
        others = [order for order in orders if units_of([order]) - {unit.province}]
        wrong += [f"{write(order)}: this row is {unit}'s" for order in others]
    if wrong:
        raise MeansNothing((Problem(Weight.ASKS, text, f"{turn} line {line}") for text in wrong), keep)
    return _follow_orders(desk, game, turn, line, decision, keep) if orders else decision


def _follow_orders(desk: Desk, game: Game, turn: Turn, line: int, decision: RowDecision, keep: str) -> RowDecision:
    """As `follow_decision`, for orders that are possible by themselves."""
    rows = [row for row in desk.power(game, turn.power).rows if row.line == line]
    orders, settled = decision.orders or (), settled_orders(rows)
    offered = {*settled, *(order for row in rows for order in row.candidates)}
    if line:
        stand = decision if NOTHING in decision.parts else decision.beside(settled)
        meaning = meaning_on_rows(desk, game, turn, {line: tuple(map(write, stand.orders or ()))})
    else:
        meaning = meaning_on_rows(desk, game, turn, {}, given=orders)
    typed = {write(order) for order in orders if order not in offered}
    meaning = TypedMeaning(tuple(each.about(typed) if each.number == line else each for each in meaning.lines))
    TypedMeaning(tuple(each for each in meaning.lines if each.entries)).check(turn, keep)
    meant = {
        entry.text: write(entry.order) for each in meaning.lines for entry in each.entries if entry.order is not None
    }
    in_notation = (part if part == NOTHING else write(read_order(part)) for part in decision.parts)
    return replace(decision, order="; ".join(meant.get(text, text) for text in in_notation))


def _impossible_orders(event: Event, game: Game, power: Power, orders: Iterable[Order]) -> Iterator[str]:
    """Say of each order that cannot be carried out here why not, taken by itself."""
    for order in orders:
        refusal = why_illegal(game.map, game.position, power, order, event.tournament.rulebook)
        if refusal is not None:
            yield f"{write(order)}: {refusal}"


def orders_not_offered(event: Event, game: Game, power: Power, orders: Iterable[Order]) -> Iterator[str]:
    """Say of each order that is none of the legal ones why not, such as when it names the unit wrongly."""
    legal = legal_orders(game.map, game.position, power, event.tournament.rulebook)
    for order in orders:
        if order not in legal:
            yield next(_impossible_orders(event, game, power, (order,)), f"{write(order)}: not one of the choices")


# Shorthand: what a director types behind the unit printed before a line, completed to a whole line.
#
# Only the form is completed: the unit, and the sign between two adjacent places. The tournament's rules decide what the
# words mean, as if they were on paper. Text in quotes is not completed.

PLACE_WORD = re.compile(rf"\b(?!VIA\b){PLACE}(?![A-Z/])")
QUOTES = "\"'“”„«»‟″"  # whatever a keyboard makes of them


class LineTyped(Struct, frozen=True):
    """A typed line, completed."""

    text: str  # empty where nothing was typed
    of: Unit | None = None  # the unit that it orders, if it is another one of the same power


class Shorthand(Struct, frozen=True):
    """Completes the lines of one power in one phase."""

    sheet: Sheet

    @classmethod
    def of(cls, power: Power, position: Position, tournament: Tournament) -> "Shorthand":
        return cls(sheet_of(power, position, tournament))

    def line(self, typed: str, unit: Unit | None) -> LineTyped:
        """Complete what was typed on the line of a unit; without one, only the sign between unit and place.

        >>> from pipeline.board import starting_position
        >>> from pipeline.board import standard_map
        >>> from pipeline.rules.load import load_tournament
        >>> start = starting_position(standard_map())
        >>> turkey = Shorthand.of(Power.TURKEY, start, load_tournament("edc1996"))
        >>> [turkey.line(f"A SMY {typed}", start.units[Power.TURKEY][1]).text for typed in ("arm", "smy arm", '"arm"')]
        ['A SMY - arm', 'A SMY - arm', 'arm']
        """
        rest = typed.strip() if unit is None else _typed_behind(typed.strip(), str(unit))
        if not rest or rest[0] in QUOTES:
            return LineTyped(_strip_quotes(rest))
        orders = read_line(rest, self.sheet.lexicon, self.sheet.position.phase.step)
        if len(orders) != 1 or orders[0].rest:
            is_whole = unit is None or (len(orders) > 0 and self.may_name(orders[0].shape, unit))
            return LineTyped(rest if unit is None or is_whole else f"{self.plain(unit)} {rest}")
        if unit is None:
            return LineTyped(self.with_sign(orders[0], rest, None))
        return self.of_unit(orders[0], rest, unit)

    def of_unit(self, written: Entry, rest: str, unit: Unit) -> LineTyped:
        """Complete an order that was typed on this unit's line; it may name this unit, another one or none."""
        shape = written.shape
        if _goes_there(shape, rest):
            return LineTyped(f"{self.plain(unit)} {rest}")
        if self.may_name(shape, unit):
            return LineTyped(self.with_sign(written, self.without_unit(shape, rest), unit))
        if _is_place_alone(shape, rest):
            return LineTyped(f"{self.plain(unit)} - {rest}")
        if isinstance(shape, Holds | Moves | Supports | Convoys | Disbands) and shape.unit.is_empty:
            return LineTyped(self.with_sign(written, rest, unit))
        spoken = unit_spoken_of(self.sheet, shape)
        if spoken == unit:  # with the wrong letter: the rules decide about that
            return LineTyped(self.with_sign(written, rest, None))
        if spoken is not None and not isinstance(shape, BareUnit):
            return LineTyped(rest, of=spoken)
        return LineTyped(f"{self.plain(unit)} {rest}")

    def may_name(self, shape: Shape, unit: Unit) -> bool:
        """Whether the first words may mean the unit; a lone word that may mean another place is its destination."""
        words = getattr(shape, "unit", UnitWords())
        if words.place is None or words.letter not in (None, unit.kind):
            return False
        codes = [meaning.code for meaning in self.sheet.lexicon.sense(words.place.folded).meanings]
        return codes == [unit.province] if isinstance(shape, BareUnit) else unit.province in codes

    def plain(self, unit: Unit) -> str:
        """The unit in words that mean no other place in this tournament."""
        return f"{unit.kind} {self.sheet.tournament.abbreviations.plain_word(unit.place)}"

    def write_offer(self, order: Order) -> str:
        """An order in unambiguous words: 'A TUN - MAR' is Morocco to some (EDC23 G)."""
        plain = self.sheet.tournament.abbreviations.plain_word
        return PLACE_WORD.sub(lambda match: plain(match.group()), write(order))

    def without_unit(self, shape: Shape, rest: str) -> str:
        """The part of an order behind its unit; empty if they cannot be separated."""
        place = getattr(shape, "unit", UnitWords()).place
        if place is None or place.coast:
            return ""
        return rest[rest.index(place.text) + len(place.text) :].strip() if place.text in rest else ""

    def with_sign(self, written: Entry, text: str, unit: Unit | None) -> str:
        """Put the sign between two places that stand side by side; ``unit`` is written in front where none is named."""
        own = self.plain(unit) if unit is not None else _join_unit_words(getattr(written.shape, "unit", UnitWords()))
        match written.shape:
            case Moves(_, (to,), has_sign=False, over=()) as move:
                return f"{own} - {to}{_way_in_words(move)}"
            case Supports(_, other, (to,), has_sign=False) as helped:
                return f"{own} S {_join_unit_words(other)} - {to}{_way_in_words(helped)}"
            case Convoys(_, other, (to,), has_sign=False) as helped:
                return f"{own} C {_join_unit_words(other)} - {to}{_way_in_words(helped)}"
            case _:
                return f"{own} {text}" if unit is not None and text else text or written.text


def _way_in_words(shape: Moves | Supports | Convoys) -> str:
    """How an army is said to travel."""
    return " via" if shape.via else " by land" if shape.by_land else ""


def _typed_behind(typed: str, unit: str) -> str:
    """What was typed behind the unit shown before a line, if the unit was not deleted.

    >>> _typed_behind("A SMY arm", "A SMY"), _typed_behind("a smyrna - arm", "A SMY"), _typed_behind("A SMY", "A SMY")
    ('arm', 'a smyrna - arm', '')
    """
    rest = typed[len(unit) :]
    is_there = typed[: len(unit)].casefold() == unit.casefold() and not rest[:1].isalnum()
    return rest.strip() if is_there else typed


def _strip_quotes(text: str) -> str:
    """What stands in quotes; the second one may be missing.

    >>> _strip_quotes('"A Smy arm"'), _strip_quotes("“A Smy arm"), _strip_quotes("")
    ('A Smy arm', 'A Smy arm', '')
    """
    return text[1:-1].strip() if len(text) > 1 and text[-1] in QUOTES else text[1:].strip()


def _is_place_alone(shape: Shape, text: str) -> bool:
    """Whether only a place is named, perhaps with the way to travel: "bul", "bul via"; not "r bul"."""
    match shape:
        case BareUnit(UnitWords(None, None, Phrase() as place)) | Moves(UnitWords(None, None, Phrase() as place), ()):
            return text.startswith(place.text) or (place.coast != "" and text.upper().startswith(place.coast))
        case _:
            return False


def _goes_there(shape: Shape, text: str) -> bool:
    """Whether only a destination is named, behind a sign, perhaps with the way: "- sev via", "to sev by land"."""
    match shape:
        case Moves(UnitWords(None, None, Phrase() as place), ()):
            return not _is_place_alone(shape, text) and place.text in text
        case _:
            return False


def _join_unit_words(words: UnitWords) -> str:
    """Write the words for a unit again.

    >>> from pipeline.board import Kind
    >>> _join_unit_words(UnitWords(None, Kind.FLEET, Phrase("stp", "stp", "SC")))
    'F stp sc'
    """
    parts = (
        words.nation and words.nation.lower(),
        words.letter and str(words.letter),
        words.place and str(words.place),
    )
    return " ".join(part for part in parts if part)
