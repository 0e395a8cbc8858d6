"""From the lines that came in to rows with orders, under this tournament's rules and the director's rulings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.board.map import Power
from pipeline.board.position import Position, Step
from pipeline.desk.event import Event
from pipeline.desk.expected import entitlements, units_to_order
from pipeline.desk.rows import Row, Source, Written
from pipeline.desk.rulings import RowRuling, RulingsOf
from pipeline.ink import Tier
from pipeline.interpret.entry import Entry, Line, Status
from pipeline.interpret.interpret import interpret
from pipeline.orders.notation import write
from pipeline.orders.order import Build, Disband, Order, Waive

OFFERED = 4  # readings of an unread row that are interpreted, to offer their orders


@dataclass(frozen=True, slots=True)
class RowReader:
    """Reads the lines of one power in one phase."""

    event: Event
    position: Position
    power: Power
    rulings: RulingsOf

    def rows(self, lines: Sequence[Written], *, nothing_will_come: bool) -> tuple[Row, ...]:
        """All rows: those with ink, then the units that no row orders.

        The units without an order are listed only when every row is settled: until then a row may still name them.
        """
        inked = [line for line in lines if line.tier is not Tier.BLANK]
        rows = [*self.inked_rows(inked)]
        if not any(row.needs_director for row in rows):
            rows += self.rows_without_ink(rows, nothing_will_come=nothing_will_come)
        return tuple(rows)

    def inked_rows(self, lines: Sequence[Written]) -> Iterator[Row]:
        """Interpret all lines together, each as it was accepted or ruled, and tell what each rests on."""
        texts = [Line(line.line, text) for line in lines for text in self.texts(line)]
        entries: dict[int, list[Entry]] = {}
        for entry in self.interpreted(texts):
            entries.setdefault(entry.line, []).append(entry)
        for line in lines:
            ruling = self.rulings.on(line.line)
            if ruling is not None and ruling.decision.orders is not None:
                yield from self.ruled_rows(line, ruling)
            elif ruling is None and line.tier is Tier.ASKED:
                yield self.unread_row(line)
            else:
                for entry in entries.get(line.line, []):
                    yield self.read_row(line, entry, ruling)

    def texts(self, line: Written) -> tuple[str, ...]:
        """What a line says, for the lines around it to be understood: ruled or accepted; nothing while unread."""
        ruling = self.rulings.on(line.line)
        if ruling is not None and ruling.decision.orders is not None:
            return tuple(write(order) for order in ruling.decision.orders)
        if ruling is not None and ruling.decision.text is not None:
            return (ruling.decision.text,)
        return () if line.tier is Tier.ASKED else (line.text,)

    def interpreted(self, lines: Sequence[Line]) -> tuple[Entry, ...]:
        """Ask what the lines mean here."""
        return interpret(lines, self.power, self.position, self.event.tournament).entries

    def ruled_rows(self, line: Written, ruling: RowRuling) -> Iterator[Row]:
        """The director's word stands, whatever the line says."""
        for order in ruling.decision.orders or (None,):
            yield Row(
                line=line.line,
                ink=line.text,
                readings=line.readings,
                order=order,
                status="clear" if order else "void",
                reason=words_of(ruling),
                source=Source.RULED,
                crop=line.crop,
                ruling=ruling,
            )

    def unread_row(self, line: Written) -> Row:
        """The reader did not dare: a person reads; what the likeliest readings would mean is offered."""
        offered: dict[Order, str] = {}
        for reading in line.readings[:OFFERED]:
            for entry in self.interpreted([Line(line.line, reading.text)]):
                if entry.order is not None and entry.status is Status.CLEAR:
                    offered.setdefault(entry.order, f"if {reading.text!r} is written")
        return Row(
            line=line.line,
            ink=line.text,
            readings=line.readings,
            order=None,
            status="unread",
            flags=("DOUBTFUL_READING" if line.readings else "UNREADABLE", *note_flags(line)),
            reason="; ".join(line.notes) or "the reader is not sure what is written here",
            candidates=tuple(offered),
            whys=tuple(offered.values()),
            source=Source.OPEN,
            crop=line.crop,
        )

    def read_row(self, line: Written, entry: Entry, ruling: RowRuling | None) -> Row:
        """A line whose text is certain, and what the rules make of it.

        A line read by the machine that is anything but clear waits for a person, though the rules may have decided:
        it might have been misread. A line that a person read or typed waits only where the rules ask.
        """
        by_person = ruling is not None or line.is_typed
        if entry.status is Status.ASK or (entry.status is not Status.CLEAR and not by_person):
            source = Source.OPEN
        elif ruling is not None:
            source = Source.RULED
        elif line.is_typed:
            source = Source.TYPED
        else:
            source = Source.MARKED if line.tier is Tier.MARKED else Source.READ
        return Row(
            line=line.line,
            ink=entry.text,
            readings=line.readings,
            order=entry.order,
            status=str(entry.status),
            flags=(*(str(found.doubt) for found in entry.doubts), *note_flags(line)),
            rule=entry.rule,
            reason=entry.reason,
            candidates=tuple(candidate.order for candidate in entry.candidates),
            whys=tuple(candidate.reason for candidate in entry.candidates),
            situation=entry.situation,
            source=source,
            crop=line.crop,
            ruling=ruling,
        )

    def rows_without_ink(self, rows: Sequence[Row], *, nothing_will_come: bool) -> Iterator[Row]:
        """What no row orders: units that get no order, builds and disbands that are due and not written."""
        given = [row.order for row in rows if row.order is not None]
        known: set[str] = set()
        for ruling in (ruling for ruling in self.rulings.rows if ruling.line == 0):
            known.update(ruling.decision.without)
            for order in ruling.decision.orders or ():
                given.append(order)
                yield self.row_zero(order, Source.RULED, words_of(ruling), ruling)
        for what, default in self.due(given):
            settled = nothing_will_come or what in known
            source = Source.DEFAULT if settled else Source.OPEN
            yield self.row_zero(None, source, f"{what}: {default}", None)

    def due(self, given: Sequence[Order]) -> Iterator[tuple[str, str]]:
        """What is due and not given, with what happens then."""
        if self.position.phase.step is Step.ADJUSTMENTS:
            count = entitlements(self.event.board, self.position).get(self.power, 0)
            made = sum(isinstance(order, Disband if count < 0 else Build | Waive) for order in given)
            if made < abs(count):
                what, default = ("build", "none is made") if count > 0 else ("disband", "units are removed by the rule")
                yield f"{abs(count) - made} {what} not ordered", default
            return
        ordered = {order.unit.province for order in given if not isinstance(order, Waive)}
        default = "it is disbanded" if self.position.phase.step is Step.RETREATS else "it holds"
        for unit in units_to_order(self.position, self.power):
            if unit.province not in ordered:
                yield f"{unit} has no order", default

    def row_zero(self, order: Order | None, source: Source, reason: str, ruling: RowRuling | None) -> Row:
        """A row that is not on the sheet."""
        rule = self.event.tournament.reading.not_ordered.source
        return Row(
            line=0,
            ink="",
            order=order,
            status="clear" if order else "unordered",
            flags=() if order else ("NO_ORDER",),
            rule=rule,
            reason=reason,
            source=source,
            ruling=ruling,
        )


def words_of(ruling: RowRuling) -> str:
    """Say who ruled, and why."""
    return f"ruled by {ruling.by}" + (f": {ruling.decision.why}" if ruling.decision.why else "")


def note_flags(line: Written) -> tuple[str, ...]:
    """What was seen on the paper, as codes: "struck out" becomes STRUCK_OUT."""
    return tuple(note.upper().replace(" ", "_") for note in line.notes if len(note.split()) <= 3)
