"""What a director's words would mean here, and what of them means nothing: every door asks before it writes them down.

A director's slip of the finger is no player's misorder. So what is not followed as it is typed is said first, with
what would become of it under this tournament's rules, and is written down only if he says so a second time.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.board.map import Power
from pipeline.board.position import Unit
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.event.turn import Turn
from pipeline.desk.review.unit_of_row import printed_unit
from pipeline.desk.ruling.desk import Desk, lines_that_stand
from pipeline.desk.ruling.rulings import RowDecision, type_lines
from pipeline.desk.sheets.expected import expected_units
from pipeline.interpret.doubts.entry import Entry, Interpretation, Line, Status
from pipeline.interpret.interpret import interpret
from pipeline.judge.legality import why_illegal
from pipeline.ledger.events import LinesTyped
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import SheetDecision
from pipeline.orders.notation import write
from pipeline.orders.order import Order, units_of
from pipeline.problems import Problem, Stopped, Weight, stop

NOTHING_READ = "no word of an order can be read in it; it is asked"


class MeansNothing(Stopped):
    """What was typed is not followed as it is typed; it is written down where that is said a second time."""

    def __init__(self, problems: Iterable[Problem], keep: str) -> None:
        super().__init__(Problem(p.weight, f"{p.text}; {keep}", p.where) for p in problems)


@dataclass(frozen=True, slots=True)
class MeantLine:
    """One line, and what the tournament's rules make of it."""

    number: int
    text: str
    entries: tuple[Entry, ...]

    @property
    def is_followed(self) -> bool:
        """Whether everything on it is followed as it is written."""
        return bool(self.entries) and all(entry.status is Status.CLEAR for entry in self.entries)

    @property
    def doubt(self) -> str:
        """What would become of it, in words; empty where it is followed as it is written."""
        if not self.entries:
            return f"{self.text!r}: {NOTHING_READ}"
        return "; ".join(becomes(entry) for entry in self.entries if entry.status is not Status.CLEAR)


@dataclass(frozen=True, slots=True)
class TypedMeaning:
    """Lines that belong together, and the units that none of them orders."""

    lines: tuple[MeantLine, ...]
    unordered: tuple[Unit, ...] = ()
    remarks: tuple[Entry, ...] = ()  # what no single line is about: a build that is not ordered

    def doubtful(self, sure: Collection[str] = ()) -> tuple[MeantLine, ...]:
        """The lines that are not followed as they are typed, and of which nobody said that they are meant so."""
        return tuple(line for line in self.lines if not line.is_followed and line.text not in sure)

    def problems(self, turn: Turn, sure: Collection[str] = ()) -> tuple[Problem, ...]:
        """What is doubtful, line by line."""
        doubtful = self.doubtful(sure)
        return tuple(Problem(Weight.ASKS, line.doubt, f"{turn} line {line.number}") for line in doubtful)

    def check(self, turn: Turn, keep: str, sure: Collection[str] = ()) -> None:
        """Stop where a line is doubtful; ``keep`` says how to keep it all the same."""
        if problems := self.problems(turn, sure):
            raise MeansNothing(problems, keep)


def becomes(entry: Entry) -> str:
    """What becomes of an order that is not followed: why, under which rule, and what stands in its place."""
    rule = f" ({entry.rule})" if entry.rule else ""
    stands = f"adjudicated as {write(entry.order)}" if entry.order else "it orders nothing"
    return f"{entry.text!r}: {entry.reason}{rule}" + ("" if entry.status is Status.ASK else f"; {stands}")


def meaning_of_turn(event: Event, game: Game, turn: Turn, lines: Sequence[str]) -> TypedMeaning:
    """Say what lines would mean that are typed instead of a power's sheet; stop where nothing is due or typed."""
    due = expected_units(game.map, game.position)
    if game.ended:
        raise stop(f"the game is over ({game.ended}); a phase that is published is corrected by its name", str(turn))
    if turn.power not in due:
        others = f"; to be written are those of {', '.join(due)}" if due else ""
        raise stop(f"{turn.power} owes no orders now{others}", str(turn))
    if not any(line.strip() for line in lines):
        raise stop(f"no line is typed; a power without orders is ruled '{SheetDecision.NO_ORDERS}'", str(turn))
    return meaning_of(event, game, turn.power, lines)


def take_typed(
    desk: Desk, game: Game, turn: Turn, lines: Sequence[str], keep: str, *, by: str, sure: Collection[str] = ()
) -> Fact[LinesTyped]:
    """Write lines down that are typed instead of a sheet, blank ones left out, or stop with what means nothing.

    ``sure`` are those that are meant as they are, followed or not; ``keep`` says how to say so. Typed again they are
    not written again.
    """
    meaning_of_turn(desk.event, game, turn, lines).check(turn, keep, sure)
    texts = [line.strip() for line in lines if line.strip()]
    return lines_that_stand(desk, turn, texts, by) or type_lines(desk.event, turn, texts, by=by)


def meaning_of(event: Event, game: Game, power: Power, lines: Sequence[str]) -> TypedMeaning:
    """Say what lines would mean; they are numbered from 1, blank ones are none."""
    written = [Line(number, text.strip()) for number, text in enumerate(lines, start=1) if text.strip()]
    found = interpret(written, power, game.position, event.rules_on(game.map_name))
    return TypedMeaning(tuple(by_line(written, found)), found.unordered, found.remarks)


def meaning_on_rows(desk: Desk, game: Game, turn: Turn, said: Mapping[int, str]) -> TypedMeaning:
    """Say what rows would mean if this were written on them, beside what is known of the others.

    With them are told the other rows that were followed and would not be any more: a unit may have two orders then.
    """
    counted = desk.counted(turn)
    reader = desk.reader(game, turn, counted)
    before, after = (reader.known(counted.lines, texts) for texts in ({}, said))
    followed = {line.number for line in by_line(before, reader.interpreted(before)) if line.is_followed}
    found = by_line(after, reader.interpreted(after))
    return TypedMeaning(
        tuple(each for each in found if each.number in said or (each.number in followed and each.doubt))
    )


def by_line(written: Sequence[Line], found: Interpretation) -> Iterator[MeantLine]:
    """Sort what was found by the lines it stands on; a line that continues another one says what that says."""
    for line in written:
        entries = tuple(entry for entry in found.entries if line.number in (entry.line, *entry.also))
        yield MeantLine(line.number, line.text, entries)


def check_decision(desk: Desk, game: Game, turn: Turn, line: int, decision: RowDecision, keep: str) -> None:
    """Stop where a decision on a row is not followed as it is typed; ``keep`` says how to make it all the same."""
    if decision.text is not None:
        meaning_on_rows(desk, game, turn, {line: decision.text}).check(turn, keep)
        return
    wrong = list(impossible(desk.event, game, turn.power, decision.orders or ()))
    unit = printed_unit(desk, game, turn, line)
    if unit is not None:
        others = [order for order in decision.orders or () if units_of([order]) - {unit.province}]
        wrong += [f"{write(order)}: this row is {unit}'s" for order in others]
    if wrong:
        raise MeansNothing((Problem(Weight.ASKS, text, f"{turn} line {line}") for text in wrong), keep)


def impossible(event: Event, game: Game, power: Power, orders: Iterable[Order]) -> Iterator[str]:
    """Say of each order that cannot be carried out here why not, taken by itself."""
    for order in orders:
        refusal = why_illegal(game.map, game.position, power, order, event.tournament.rulebook)
        if refusal is not None:
            yield f"{write(order)}: {refusal}"
