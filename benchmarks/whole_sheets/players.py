"""What one player writes on one sheet: one habit, the words of the tournament's own table, and now and then no order.

Nobody corrects himself into a legal order here. What is written is the truth, and what it means the rules say.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from string import ascii_lowercase, ascii_uppercase

from msgspec import Struct, field
from msgspec.structs import replace

from benchmarks.whole_sheets.boxes import (
    Boxes,
    NameOf,
    boxes_of,
    letter,
    line_of,
    misspelt,
    senseless,
    target_boxes_of,
    target_line_of,
)
from benchmarks.whole_sheets.people import own_letters, writable
from pipeline.board import Step, Unit
from pipeline.desk.sheets.printed import entitlements
from pipeline.judge.adjudicate import legal_orders, why_illegal
from pipeline.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive, write
from pipeline.rules.tournament import Tournament
from training import beside, texts
from training.cases import BESIDE, KINDS, spoilt, written_by
from training.orders import BOARD, Seat

LEGAL = "legal"
STRUCK, REWRITTEN, OVERWRITTEN = "struck out", "rewritten", "overwritten letter"
ACCIDENTS = (STRUCK, REWRITTEN, OVERWRITTEN)  # counted apart
MISORDERS = 0.05  # share of rows
STRIKES = 0.01
OVERWRITES = 0.01
WAIVES = 0.1  # share of the sheets with builds
OTHER_WORD = 0.12  # of the places a player names, how many he names by another word of the table this once
MOST_TRIES = 40
IN_BOXES = tuple(kind for kind in KINDS if kind != BESIDE)
IN_THE_BOXES = {"misspelling": misspelt, "free text": senseless}  # what is done to a row of boxes

GIVEN = {"move": 61, "support": 29, "hold": 8, "convoy": 1, "convoyed": 1}  # percent of the orders of real games

Written = Hold | Move | Support | Convoy  # the orders of a movement phase


class WrittenRow(Struct, frozen=True):
    """One row as it is written."""

    line: int
    text: str
    kind: str  # "legal", one of KINDS, one of ACCIDENTS
    boxes: tuple[tuple[str, str], ...] = ()  # a row of boxes: what is in each, nothing where it is ticked
    mark: str = ""  # what is drawn on its letters or above them (`beside.MARKS`)

    @property
    def counts(self) -> bool:
        """Whether the line stands: what was struck out is no line."""
        return self.kind != STRUCK


class PrintedRow(Struct, frozen=True):
    """What stands in a row of boxes before anybody writes: nothing, a unit, or a unit and where it can go and help."""

    unit: str = ""
    named: Mapping[str, str] = field(default_factory=dict)  # the box of each place and unit, and what stands over it

    def boxes_of(self, order: Order, name_of: NameOf) -> Boxes:
        """Fill the row."""
        if self.named or isinstance(order, Disband | Waive):
            return target_boxes_of(order, name_of, self.named)
        return boxes_of(order, name_of, unit_printed=bool(self.unit))

    def line_of(self, boxes: Boxes) -> str:
        """Say what is filled."""
        return target_line_of(boxes, self.unit, self.named) if self.named else line_of(boxes, self.unit)


class Player:
    """One habit of writing under one tournament."""

    def __init__(self, tournament: Tournament, writer: str, rng: random.Random) -> None:
        self.tournament, self.writer, self.rng = tournament, writer, rng
        self.way = replace(written_by(rng), case=case_of(writer, rng))
        self.words: dict[str, str] = {}  # the word this player uses for a place
        habit = random.Random(writer)  # of its own, so that movement sheets stay what they were
        self.between = habit.choice(("", "", "", " R ", " ret "))  # of a retreat
        self.builds = habit.choice(("B", "Build", "build", "builds"))
        self.removes = habit.choice(("D", "Disband", "Remove", "remove"))
        self.sign_first = habit.random() < 0.5

    def name_of(self, place: str) -> str:
        """Name a place by a word of the tournament's own table, nearly always by the same."""
        rng, row = self.rng, self.tournament.abbreviations.rows[place[:3]]
        words = [word for word in (row.code, *row.accepted) if writable(self.writer, self.way(word))] or [row.code]
        if place[:3] not in self.words:
            named = rng.random() < self.way.prefers_names and writable(self.writer, self.way(row.name))
            usual = words[1] if len(words) > 1 and rng.random() < 0.3 else words[0]
            self.words[place[:3]] = row.name if named else usual
        word = rng.choice(words) if rng.random() < OTHER_WORD else self.words[place[:3]]
        coast = rng.choice(("({})", "/{}", " {}")).format(place[4:].lower()) if len(place) > 3 else ""
        return self.way(word) + (coast.upper() if self.way.case is str.upper else coast)

    def text_of(self, order: Order) -> str:
        """Write an order of a movement phase."""
        way = self.way

        def unit(of: Unit, *, letter: bool = True) -> str:
            return (of.kind.value + way.after_unit if letter else "") + self.name_of(of.place)

        def verb(*forms: str) -> str:
            return way(self.rng.choices(forms, (8, *(1 for _ in forms[1:])))[0])

        letter = way.after_unit != ""
        match order:
            case Hold(me):
                return f"{unit(me)} {verb('H', 'Hold', 'Holds')}"
            case Move(me, to, via):
                return unit(me) + way.dash + self.name_of(to) + (way(" via convoy") if via else "")
            case Support(me, of, to):
                verbed = f"{unit(me)} {verb('S', 'Sup', 'Supports')} {unit(of, letter=letter)}"
                return verbed + (way.dash + self.name_of(to) if to else "")
            case Convoy(me, of, to):
                verbed = f"{unit(me)} {verb('C', 'Conv', 'Convoys')} {unit(of, letter=letter)}"
                return verbed + way.dash + self.name_of(to)
            case Retreat(me, to):
                return unit(me) + (self.between or way.dash) + self.name_of(to)
            case Build(me) | Disband(me):
                sign = way(self.builds if isinstance(order, Build) else self.removes)
                return f"{sign} {unit(me)}" if self.sign_first else f"{unit(me)} {sign}"
            case Waive():
                return way("Waive")

    def row(self, seat: Seat, order: Order) -> tuple[str, str, str] | None:
        """Write one row, rightly or not: its text, its kind and its mark; None where this hand lacks letters for it."""
        kind = self.rng.choice(KINDS) if self.rng.random() < MISORDERS else LEGAL
        for _ in range(MOST_TRIES):
            if kind == BESIDE:
                marked = beside.marked(self.text_of(order), self.rng)
                able = writable(self.writer, marked.text)
                if able:
                    return able, kind, marked.mark
                continue
            text = self.text_of(order) if kind == LEGAL else self.misorder(seat, order, kind)
            able = text and writable(self.writer, text)
            if able:
                return able, kind, ""
        return None

    def misorder(self, seat: Seat, order: Order, kind: str) -> str | None:
        """Write what is not admissible here, or admissible and not so spelled."""
        if kind == "free text":
            return self.rng.choice((texts.prose, texts.nonsense))(self.rng)
        if kind == "misspelling":
            text = self.text_of(order)
            slipped = texts.slipped(text, self.rng)
            return None if slipped == text else slipped
        other = self.spoilt(seat, order, kind)
        return None if other is None else self.text_of(other)

    def spoilt(self, seat: Seat, order: Order, kind: str) -> Order | None:
        """Make one thing of an order wrong, so that it is not admissible."""
        other = spoilt(order, seat, kind, self.rng)
        return None if other is None or why_illegal(BOARD, seat.position, seat.power, other) is None else other

    def boxed_sheet(self, seat: Seat, printed: Mapping[int, PrintedRow]) -> list[WrittenRow]:
        """Fill rows of boxes, by number, each with what stands in it already. Nobody strikes such a row out here."""
        word = self.tournament.abbreviations.plain_word
        orders: dict[str, Order] = {}
        for number, order in enumerate(all_orders_of(seat, self.rng)):
            match order:
                case Waive():
                    orders[f"waive {number}"] = order
                case Build(unit):
                    orders[word(unit.province)] = order
                case _:
                    orders[f"{letter(order.unit)} {word(order.unit.place)}"] = order
        waiting = [unit for unit in orders if unit not in {row.unit for row in printed.values()}]
        found = []
        for line, here in sorted(printed.items()):
            wanted = orders.get(here.unit) if here.unit else orders[waiting.pop(0)] if waiting else None
            row = self.boxed_row(seat, line, wanted, here) if wanted is not None else None
            found += [row] if row is not None else []
        return found

    def boxed_row(self, seat: Seat, line: int, order: Order, printed: PrintedRow) -> WrittenRow | None:
        """Fill one row of boxes, rightly or not; None where this hand lacks letters for it."""
        kind = self.rng.choice(IN_BOXES) if self.rng.random() < MISORDERS else LEGAL
        for _ in range(MOST_TRIES):
            boxes = self.filled(seat, order, kind, printed)
            able = {name: writable(self.writer, self.way(text)) for name, text in boxes.items()} if boxes else {}
            if able and None not in able.values():
                full = {name: text or "" for name, text in able.items()}
                if kind == LEGAL and any(full.values()) and self.rng.random() < OVERWRITES:
                    kind = OVERWRITTEN
                return WrittenRow(line, printed.line_of(full), kind, tuple(full.items()))
        return None

    def filled(self, seat: Seat, order: Order, kind: str, printed: PrintedRow) -> Boxes | None:
        """Fill the boxes; None where nothing came of it: a slip may change nothing, a hold may have no place."""
        if kind in (LEGAL, *IN_THE_BOXES):
            right = printed.boxes_of(order, self.name_of)
            boxes = IN_THE_BOXES[kind](right, self.rng) if kind in IN_THE_BOXES else right
            return boxes if kind == LEGAL or boxes != right else None
        other = self.spoilt(seat, order, kind)
        return None if other is None else printed.boxes_of(other, self.name_of)

    def sheet(self, seat: Seat, rows: int) -> list[WrittenRow]:
        """Write an order for every unit as the real player gave it, in the order of the units, and what goes wrong."""
        units = all_orders_of(seat, self.rng)[:rows]
        written: list[WrittenRow] = []
        free = len(units) + 1
        for line, order in enumerate(units, start=1):
            found = self.row(seat, order)
            if found is None:
                continue
            text, kind, mark = found
            if kind == LEGAL and self.rng.random() < STRIKES and free <= rows:
                first = self.row(seat, self.rng.choice(units))
                if first is not None:
                    written += [WrittenRow(line, first[0], STRUCK), WrittenRow(free, text, REWRITTEN)]
                    free += 1
                    continue
            if kind == LEGAL and self.rng.random() < OVERWRITES:
                kind = OVERWRITTEN
            written.append(WrittenRow(line, text, kind, mark=mark))
        return written


def case_of(writer: str, rng: random.Random) -> Callable[[str], str]:
    """Draw the case a player writes in: one that this hand has letters for."""
    capitals, small = own_letters(writer, ascii_uppercase), own_letters(writer, ascii_lowercase)
    weights = [42 * capitals**4, 40 * (0.15 * capitals + 0.85 * small) ** 4, 18 * small**4]
    return rng.choices((str.upper, str.title, str.lower), weights)[0]


def orders_of(seat: Seat, rng: random.Random) -> list[Written]:
    """What each unit was really ordered; where that is not known, a legal order of a kind drawn as people order."""
    possible = [
        o for o in legal_orders(BOARD, seat.position, seat.power) if isinstance(o, Hold | Move | Support | Convoy)
    ]
    by_unit: dict[Unit, list[Written]] = {}
    for order in possible:
        by_unit.setdefault(order.unit, []).append(order)
    given = {order.unit: order for order in possible if as_given(order) in seat.ordered}
    return [given.get(unit) or some_order(orders, rng) for unit, orders in by_unit.items()]


def all_orders_of(seat: Seat, rng: random.Random) -> Sequence[Order]:
    """What a player writes in any phase: what he really ordered, as far as it is legal and due, and else what he may.

    In winter as many builds or disbandings as are due; a build more is waived.
    """
    match seat.position.phase.step:
        case Step.MOVEMENT:
            return orders_of(seat, rng)
        case Step.RETREATS:
            possible: dict[Unit | None, list[Order]] = {}
            for order in legal_orders(BOARD, seat.position, seat.power):
                possible.setdefault(None if isinstance(order, Waive) else order.unit, []).append(order)
            open_to = [some for some in possible.values() if len(some) > 1]
            return [next((o for o in some if write(o) in seat.ordered), rng.choice(some)) for some in open_to]
        case Step.ADJUSTMENTS:
            able = [o for o in legal_orders(BOARD, seat.position, seat.power) if isinstance(o, Build | Disband)]
            rng.shuffle(able)
            able.sort(key=lambda order: write(order) not in seat.ordered)
            due, taken, found = entitlements(BOARD, seat.position).get(seat.power, 0), set[str](), list[Order]()
            for order in able:
                if len(found) < abs(due) and order.unit.province not in taken:
                    taken.add(order.unit.province)
                    found.append(order)
            if due > 0 and found and rng.random() < WAIVES:
                found[-1] = Waive()
            return found


def some_order(orders: Sequence[Written], rng: random.Random) -> Written:
    """Draw one of a unit's legal orders: first its kind, then which."""
    kinds: dict[str, list[Written]] = {}
    for order in orders:
        kinds.setdefault(kind_of(order), []).append(order)
    names = sorted(kinds)
    return rng.choice(kinds[rng.choices(names, [GIVEN[name] for name in names])[0]])


def as_given(order: Written) -> str:
    """An order as the games have it: a move that needs a convoy always says so."""
    return write(replace(order, via=True) if isinstance(order, Move) and kind_of(order) == "convoyed" else order)


def kind_of(order: Written) -> str:
    """The kind of an order; a move that needs a convoy is one of its own."""
    if isinstance(order, Move) and order.to not in BOARD.reach(order.unit.kind, order.unit.place):
        return "convoyed"
    return type(order).__name__.lower()
