"""From the lines that came in to rows with orders, under this tournament's rules and the director's rulings."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Position, Power, Step, Unit
from pipeline.desk.ruling.rows import Row, RowReason, RowStatus
from pipeline.desk.ruling.rulings import RowRuling, RulingsOf
from pipeline.desk.sheets.printed import unit_in_words
from pipeline.ink import Note, Tier
from pipeline.interpret.doubts import Doubt, LineDoubt, by_rule
from pipeline.interpret.interpret import interpret
from pipeline.interpret.verdict import Entry, Interpretation, Line, Status, director_rules
from pipeline.judge.winter import balances
from pipeline.ledger.parts import NOTHING_LEFT, LeftOpen, RulingBasis, Source
from pipeline.orders import Build, Disband, Hold, Order, Waive, units_of, write
from pipeline.rules.rulings_book import RulingsBook
from pipeline.rules.switches import Setting, rules_of
from pipeline.rules.tournament import Tournament
from pipeline.words.speech import Message

NOTHING_RULED = RulingsBook()
AS_READ: Mapping[int, Sequence[str]] = MappingProxyType({})  # no text is replaced
FLAGS = (Note.STRUCK_OUT, Note.FAINT_INK)
OFFERED = 4  # readings of an unread row whose orders are offered


class RowReader(Struct, frozen=True):
    """Reads the lines of one power in one phase."""

    tournament: Tournament  # its rules on this board's map
    position: Position
    power: Power
    rulings: RulingsOf
    ground: RulingBasis  # what counts now, for a ruling on a unit without a row
    book: RulingsBook = NOTHING_RULED  # earlier rulings on situations like those of these lines
    offers: bool = True  # whether unread rows list what their readings would mean
    player: str = ""  # whose name beside the orders is a signature

    def rows(self, lines: Sequence[Row], *, nothing_will_come: bool) -> tuple[Row, ...]:
        """All rows: those with ink, those ruled without a row, then what no row orders.

        What has no order is listed only when every row is settled: until then a row may still name it.
        """
        inked = self.inked_lines(lines)
        interpreted = self.interpret_lines(self.known_lines(lines))
        rows = [*self.inked_rows(inked, interpreted), *(self.ruled_without_row(*ruled) for ruled in self.without_row)]
        rows += self.implied_without_row(interpreted) if not any(map(self.is_unread, inked)) else ()
        rows = list(_add_other_orders(tuple(self.ask_ruled_surplus(tuple(_ask_double_rulings(rows))))))
        if any(row.needs_director for row in rows):
            rows = list(self.add_what_they_leave(rows, lines))
        else:
            stands = self.unordered_units_hold(rows)
            rows += self.rows_without_order(
                lines, interpreted, rows, stands=stands, nothing_will_come=nothing_will_come
            )
        return tuple(rows)

    def ask_ruled_surplus(self, rows: Sequence[Row]) -> Iterator[Row]:
        """Ask again if rulings make more builds or disbands than are due, and the rules do not say which of them count.

        A ruling on one row does not look at the others.
        """
        due = balances(self.position).get(self.power, 0) if self.position.phase.step is Step.ADJUSTMENTS else 0
        rules = self.tournament.adjustments
        kind, setting, doubt = (
            (Build, rules.too_many_builds, Doubt.OVERBUILD)
            if due > 0
            else (Disband, rules.too_many_disbands, Doubt.OVERDISBAND)
        )
        orders = [row.order for row in rows if row.order and not row.needs_director]
        given = len({order for order in orders if isinstance(order, kind)})
        given += sum(isinstance(order, Waive) for order in orders) if due > 0 and given else 0
        because = (LineDoubt.of(doubt, ordered=given, due=abs(due)), director_rules(replace(setting, why="")))
        for row in rows:
            is_ruled = row.line and row.source is Source.RULED and isinstance(row.order, kind)
            if is_ruled and due and given > abs(due) and setting.asks:
                asked = replace(row, source=Source.OPEN, status=RowStatus.ASK, because=because, rule=setting.rule)
                yield replace(asked, settings=(setting.path,), flags=(str(doubt),), situation=None)
            else:
                yield row

    def unordered_units_hold(self, rows: Sequence[Row]) -> bool:
        """Whether units get a hold because their power wrote something: it is not in civil disorder (NZ99 9)."""
        written = any(row.ink for row in rows) and all(row.order is None for row in rows)
        return written and not self.tournament.rulebook.disorder_retreats

    def inked_lines(self, lines: Sequence[Row]) -> list[Row]:
        """The lines with ink, or with a person's reading."""
        return [line for line in lines if line.tier is not Tier.BLANK or self.rulings.on(line.line) is not None]

    @property
    def without_row(self) -> list[tuple[RowRuling, Order]]:
        return _newest_of_each([ruling for ruling in self.rulings.rows if ruling.line == 0])

    @property
    def has_emptied_a_row(self) -> bool:
        """Whether some row was ruled to be empty: then implied orders are asked, lest they restore what was struck."""
        return any(ruling.line and ruling.decision.orders == () for ruling in self.rulings.rows)

    def known_lines(
        self, lines: Sequence[Row], instead: Mapping[int, Sequence[str]] = AS_READ, given: Sequence[Order] = ()
    ) -> list[Line]:
        """All lines to interpret, and the orders without a line.

        To try a decision, ``instead`` replaces the texts of some lines, and ``given`` the orders without a line for the
        same units.
        """
        texts = {line.line: self.texts(line) for line in self.inked_lines(lines)} | dict(instead)
        written = [Line(line.line, text) for line in lines for text in texts.get(line.line, ())]
        others = [order for _, order in self.without_row if units_of([order]).isdisjoint(units_of(given))]
        return [*written, *(Line(0, write(order)) for order in (*others, *given))]

    def inked_rows(self, lines: Sequence[Row], interpretation: Interpretation) -> Iterator[Row]:
        """A row for every line with ink: as accepted or ruled, with its reasons.

        An order that a line implies for another unit is asked only when all lines are read: an unread one may order it.
        """
        is_all_read = not any(map(self.is_unread, lines))
        for line in lines:
            ruling = self.rulings.on(line.line)
            entries = [entry for entry in interpretation.entries if line.line in (entry.line, *entry.also)]
            if ruling is not None and ruling.decision.orders is not None:
                yield from self.ruled_rows(line, ruling)
                yield from self.rows_left_open(line, ruling, entries)
                if is_all_read and not ruling.decision.left.asked:
                    implied = (self.read_row(line, entry, ruling) for entry in entries if entry.is_supplied)
                    yield from (row for row in implied if row.lacks not in ruling.decision.without)
            elif entries:
                asked = (entry for entry in entries if is_all_read or not entry.is_supplied)
                yield from (self.read_row(line, entry, ruling) for entry in asked)
            else:
                yield self.unread_row(line)

    def implied_without_row(self, interpretation: Interpretation) -> Iterator[Row]:
        """Rows for what orders without a row imply for other units."""
        newest = next((each.decision.without for each in reversed(self.rulings.rows) if each.line == 0), ())
        for entry in interpretation.entries:
            if entry.line == 0 and entry.is_supplied:
                line = Row(line=0, ink=entry.text, source=Source.TYPED, ground=self.ground)
                row = self.read_row(line, entry, None)
                if row.lacks not in newest:
                    yield row

    def is_unread(self, line: Row) -> bool:
        """Whether a line was neither accepted by the handwriting reader nor read by a person."""
        return line.tier is Tier.ASKED and self.rulings.on(line.line) is None

    def texts(self, line: Row) -> tuple[str, ...]:
        """The text of a line as context for the lines around it: ruled or accepted; empty while unread.

        A line with an open question keeps the text it had when it was asked.
        """
        ruling = self.rulings.on(line.line)
        if ruling is not None and ruling.decision.orders is not None and not ruling.decision.left.asked:
            return tuple(write(order) for order in ruling.decision.orders)
        return () if self.is_unread(line) else (_text_read(line, ruling),)

    def interpret_lines(self, lines: Sequence[Line]) -> Interpretation:
        return interpret(lines, self.power, self.position, self.tournament, self.book, self.player)

    def ruled_rows(self, line: Row, ruling: RowRuling) -> Iterator[Row]:
        """Make the rows that the director ruled on, whatever the line says."""
        for order in ruling.decision.orders or (None,):
            yield replace(
                line,
                order=order,
                status=RowStatus.CLEAR if order else RowStatus.VOID,
                because=(_ruled_by(ruling),),
                source=Source.RULED,
                ruling=ruling,
                scans=(),
            )

    def rows_left_open(self, line: Row, ruling: RowRuling, entries: Sequence[Entry]) -> Iterator[Row]:
        """Rows that a ruling on the same line left open are asked as they were then, whatever is read there now."""
        left = ruling.decision.left
        for asked in left.asked:
            entry = next((each for each in entries if asked.is_of(each.text, _province_of(each))), None)
            if entry is not None:
                yield replace(self.read_row(line, entry, ruling), source=Source.OPEN, ruling=None)
            else:
                because = (Message.of(RowReason.ASKED_BEFORE),)
                row = replace(self.unread_row(line), status=RowStatus.ASK, flags=(), because=because)
                yield replace(row, ink=asked.ink, unit=asked.unit, text=left.text, candidates=(), whys=())

    def unread_row(self, line: Row) -> Row:
        """A row for an unread line: a person must read it; what the likeliest readings would mean is offered."""
        offered: dict[Order, tuple[Message, ...]] = {}
        for reading in line.readings[:OFFERED] if self.offers else ():
            for entry in self.interpret_lines([Line(line.line, reading.text)]).entries:
                if entry.order is not None and entry.status is Status.CLEAR:
                    offered.setdefault(entry.order, (Message.of(RowReason.IF_WRITTEN, text=reading.text),))
        return replace(
            line,
            source=Source.OPEN,
            flags=("DOUBTFUL_READING" if line.readings else "UNREADABLE", *_note_flags(line)),
            because=tuple(note if isinstance(note, Message) else Message.of(note) for note in line.notes)
            or (Message.of(RowReason.NOT_SURE),),
            candidates=tuple(offered),
            whys=tuple(offered.values()),
        )

    def read_row(self, line: Row, entry: Entry, ruling: RowRuling | None) -> Row:
        """A line whose text is certain, and what the rules make of it.

        An order that is asked only because of another one on its line is settled with that one: a ruling is on the
        whole line.
        A line read by the machine that is anything but clear waits for a person, though the rules may have decided:
        it might have been misread. So does an order that another line implies, because nobody wrote it. A line that a
        person read or typed waits only if the rules ask, if two readings of a rule differ here, or if it implies an
        order and some row was ruled to give none.
        """
        entry = entry.by_itself or entry
        is_typed = line.source is Source.TYPED
        by_person = ruling is not None or is_typed
        doubts = {doubt.code for doubt in entry.doubts}
        as_written = entry.status is Status.CLEAR and Doubt.IMPLIED not in doubts
        is_asked = entry.status is Status.ASK or Doubt.READ_OTHERWISE in doubts
        is_asked |= Doubt.IMPLIED in doubts and self.has_emptied_a_row
        if is_asked or (not as_written and not by_person):
            source = Source.OPEN
        elif ruling is not None:
            source = Source.RULED
        elif is_typed:
            source = Source.TYPED
        else:
            source = Source.MARKED if line.tier is Tier.MARKED else Source.READ
        return replace(
            line,
            ink=entry.text,
            order=entry.order,
            status=RowStatus(entry.status),
            flags=(*(str(doubt.code) for doubt in entry.doubts), *_note_flags(line)),
            rule=entry.rule,
            settings=tuple(setting.path for setting in entry.settings),
            because=entry.because,
            candidates=tuple(candidate.order for candidate in entry.candidates),
            whys=tuple(candidate.because for candidate in entry.candidates),
            situation=entry.situation,
            source=source,
            ruling=ruling,
            unit=_province_of(entry),
            text=_text_read(line, ruling),
            scans=(),
            is_supplied=entry.is_supplied,
            lacks=LineDoubt.of(Doubt.NO_ORDER, unit=str(entry.unit)) if entry.is_supplied else None,
        )

    def rows_without_order(
        self,
        lines: Sequence[Row],
        interpretation: Interpretation,
        settled_rows: Sequence[Row] = (),
        *,
        stands: bool,
        nothing_will_come: bool,
    ) -> Iterator[Row]:
        """Rows for units that no row orders, and for builds and disbands that are due and not written.

        They wait, unless a ruling covers them, a person read the unit's name without an order, or no orders will come
        and the rules decide. Each shows the row in which its order would stand.
        """
        known = {what for ruling in self.rulings.rows for what in ruling.decision.without}
        by_person = [row for row in settled_rows if row.ruling is not None or row.source is Source.TYPED]
        named = {row.unit for row in by_person if row.line} - {""}
        setting = self.tournament.reading.not_ordered
        for unit in interpretation.unordered if self.position.phase.step is Step.MOVEMENT else ():
            lacks = LineDoubt.of(Doubt.NO_ORDER, unit=str(unit))
            is_answered = nothing_will_come or unit.province in named
            settled = lacks in known or (is_answered and not setting.asks)
            order, because = Hold(unit) if stands else None, (lacks, by_rule(setting.value))
            row = self.row_zero(order, lacks, because, (setting,), settled=settled)
            yield replace(row, unit=unit.province, crop=self.place_for(unit, lines))
        for remark in interpretation.remarks:
            lacks = remark.doubts[0]
            is_answered = nothing_will_come or _province_of(remark) in named
            settled = lacks in known or (is_answered and remark.status is not Status.ASK)
            row = self.row_zero(remark.order, lacks, remark.because, remark.settings, settled=settled)
            yield replace(row, unit=_province_of(remark), crop=self.place_for(remark.unit, lines))

    def add_what_they_leave(self, rows: Sequence[Row], lines: Sequence[Row]) -> Iterator[Row]:
        """Add to each row that waits what is without an order if the row gives none, and no other row may order it.

        It is settled together with the row where the rules decide it. In a winter the last row that waits leaves all
        builds or disbands that are missing then.
        """
        waiting = [row for row in rows if row.line and row.needs_director]
        without = self.interpret_lines(self.known_lines(lines, {row.line: () for row in waiting}))
        alone = [
            row
            for row in self.rows_without_order(lines, without, stands=False, nothing_will_come=True)
            if not row.needs_director
        ]
        if self.position.phase.step is Step.ADJUSTMENTS:
            is_last = len(waiting) == 1 and not waiting[0].beside
            yield from (replace(row, leaves=tuple(alone)) if is_last and row is waiting[0] else row for row in rows)
            return
        names = [self.units_named(row) if row.line and row.needs_director else set() for row in rows]
        for row, named in zip(rows, names, strict=True):
            is_shared = sum(not named.isdisjoint(each) for each in names) > 1
            left = [each for each in alone if named == {each.unit}]
            yield replace(row, leaves=tuple(left)) if left and not is_shared else row

    def units_named(self, row: Row) -> set[str]:
        """The provinces of the own units that a row may be about: printed in it, or read there."""
        if row.printed:
            units = self.position.units.get(self.power, ())
            return {
                unit.province for unit in units if unit_in_words(unit, self.tournament.abbreviations) == row.printed
            }
        if row.unit or row.status is not RowStatus.UNREAD:
            return {row.unit} - {""}
        texts = [[Line(row.line, reading.text)] for reading in row.readings[:OFFERED]]
        return {_province_of(entry) for text in texts for entry in self.interpret_lines(text).entries} - {""}

    def place_for(self, unit: Unit | None, lines: Sequence[Row]) -> str | None:
        """The picture of the row where an order would stand: the unit's own, or else the first one that is free."""
        name = "" if unit is None else unit_in_words(unit, self.tournament.abbreviations)
        own = (line for line in lines if line.printed and line.printed == name)
        free = (line for line in lines if line.tier is Tier.BLANK and not line.printed)
        return next((line.crop for line in (*own, *free)), None)

    def row_zero(
        self,
        order: Order | None,
        lacks: LineDoubt,
        because: tuple[Message, ...],
        settings: tuple[Setting[Any], ...],
        *,
        settled: bool,
    ) -> Row:
        """A row that is not on the sheet, for what has no order."""
        return Row(
            line=0,
            ink="",
            order=order,
            status=RowStatus.UNORDERED,
            flags=("NO_ORDER",),
            rule=rules_of(settings),
            settings=tuple(setting.path for setting in settings),
            because=because,
            source=Source.DEFAULT if settled else Source.OPEN,
            lacks=lacks,
            ground=self.ground,
        )

    def ruled_without_row(self, ruling: RowRuling, order: Order) -> Row:
        """An order that the director gave where no row does."""
        return Row(
            line=0,
            ink="",
            order=order,
            status=RowStatus.CLEAR,
            because=(_ruled_by(ruling),),
            source=Source.RULED,
            ruling=ruling,
            ground=self.ground,
        )


def _newest_of_each(rulings: Sequence[RowRuling]) -> list[tuple[RowRuling, Order]]:
    """The orders by rulings on units without a row; the newest ruling counts for each unit."""
    given = [(ruling, order) for ruling in rulings for order in ruling.decision.orders or ()]
    newest = {order.unit.province: ruling for ruling, order in given if not isinstance(order, Waive)}
    return [
        (ruling, order) for ruling, order in given if isinstance(order, Waive) or newest[order.unit.province] is ruling
    ]


def _ask_double_rulings(rows: Sequence[Row]) -> Iterator[Row]:
    """Ask again if a unit has two different orders and one is by ruling, because only one can be meant.

    A unit that is ordered twice holds under many rules. That a ruling orders the hold does not settle what the other
    row says.
    """
    given: dict[str, dict[Order, int]] = {}  # by place, each order with the fact that gave it
    ordered: set[str] = set()  # the places of units that a ruling gives an order, not only a reading
    for row in rows:
        if row.source is Source.RULED and row.ruling is not None and row.order and not isinstance(row.order, Waive):
            given.setdefault(row.order.unit.province, {}).setdefault(row.order, row.ruling.fact.number)
            ordered |= {row.order.unit.province} if _is_ruled(row) else set()
    for row in rows:
        place = row.unit if row.order is None else "" if isinstance(row.order, Waive) else row.order.unit.province
        orders = given.get(place, {})
        is_doubled = place in ordered and str(Doubt.TWICE_DIFF) in row.flags
        if row.source is Source.RULED and len(set(orders.values())) > 1:
            why = Message.of(RowReason.RULINGS_DIFFER, orders=tuple(map(write, orders)))
            yield replace(_at_odds(row, why), candidates=tuple(orders))
        elif not row.needs_director and orders and (is_doubled or (row.order and row.order not in orders)):
            why = Message.of(RowReason.RULED_OTHERWISE, orders=tuple(map(write, orders)))
            offered = dict.fromkeys(order for order in (*orders, row.order, *row.candidates) if order)
            yield replace(_at_odds(row, why), candidates=tuple(offered))
        else:
            yield row


def _at_odds(row: Row, why: Message) -> Row:
    """A row asked because rulings contradict each other; no rule of the tournament decides that."""
    return replace(
        row, source=Source.OPEN, status=RowStatus.ASK, because=(why,), rule="", settings=(), situation=None, whys=()
    )


def _add_other_orders(rows: Sequence[Row]) -> Iterator[Row]:
    """Add to each row of a line with several orders which of the others are settled and which wait."""
    by_line: dict[int, list[Row]] = {}
    for row in rows:
        if row.line:
            by_line.setdefault(row.line, []).append(row)
    for row in rows:
        others = [other for other in by_line.get(row.line, ()) if other is not row]
        yield replace(row, beside=settled_orders(others), left=left_open(others))


def settled_orders(rows: Sequence[Row]) -> tuple[Order, ...]:
    """The settled orders: nobody is asked about them, or only because another ruling contradicts them.

    Without what other orders imply: that stands no longer than they do.
    """
    written = [row for row in rows if not row.is_supplied]
    return tuple(row.order for row in written if row.order is not None and (_is_ruled(row) or not row.needs_director))


def _is_ruled(row: Row) -> bool:
    """Whether the order itself was ruled; a text that was ruled may still mean what the director is asked about."""
    return row.ruling is not None and row.ruling.decision.order is not None


def left_open(rows: Sequence[Row]) -> LeftOpen:
    """What still waits on one line and was not ruled."""
    waiting = [row for row in rows if row.needs_director and (row.order is None or not _is_ruled(row))]
    asked = tuple(dict.fromkeys(row.asked_order for row in waiting))
    return LeftOpen(waiting[0].text, asked) if asked else NOTHING_LEFT


def _text_read(line: Row, ruling: RowRuling | None) -> str:
    """All that is read on a line: by a person, or by the machine."""
    if ruling is None:
        return line.ink
    return ruling.decision.text if ruling.decision.text is not None else ruling.decision.left.text


def _province_of(entry: Entry) -> str:
    """The province of the own unit that an order is about; empty where none is named."""
    return entry.unit.province if entry.unit is not None else ""


def _ruled_by(ruling: RowRuling) -> Message:
    return Message.of(RowReason.RULED, by=ruling.by, why=(ruling.decision.why,) if ruling.decision.why else ())


def _note_flags(line: Row) -> tuple[str, ...]:
    """Codes of what was seen on the paper of a line; notes on single words are in its reason."""
    return tuple(dict.fromkeys(str(note) for note in line.notes if note in FLAGS))
