"""Lines of an adjustment phase: builds, disbands and waivers, too many of them and too few (rows 23 to 26)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pipeline.board.map import Kind, Terrain
from pipeline.board.position import FIRST_PHASE, Unit
from pipeline.interpret.doubts.because import AS_WRITTEN, DIRECTOR_RULES, Because, by_rule
from pipeline.interpret.doubts.doubts import Doubt, Found, ReadingChange
from pipeline.interpret.doubts.entry import Candidate, Entry, Interpretation, Status, name_alone, with_setting
from pipeline.interpret.doubts.verdict import director_rules
from pipeline.interpret.language.written import BareUnit, Builds, Disbands, Senseless, UnitWords, Waives, Written
from pipeline.interpret.lines.decide import ask_whole_lines, decide
from pipeline.interpret.lines.drafts import draft
from pipeline.interpret.lines.evidence import habits_of
from pipeline.interpret.lines.lines import WrittenLine
from pipeline.interpret.lines.reading import Draft, Reading
from pipeline.interpret.lines.sheet import Sheet
from pipeline.interpret.lines.twice import judge_twice
from pipeline.interpret.phases.bare import as_due, noted_as_bare, weigh_names
from pipeline.interpret.phases.movement import Codes, MovementReading
from pipeline.judge.counting import balances
from pipeline.judge.legality import legal_orders, why_illegal
from pipeline.judge.refusal import Refusal
from pipeline.orders.notation import write
from pipeline.orders.order import Build, Disband, Hold, Order, Waive
from pipeline.rules.reading_rules import BuildLetter, NoBuild, Removal, Surplus
from pipeline.rules.toml.setting import Setting
from pipeline.words import Told


class AdjustmentReading(MovementReading):
    """One combination of meanings, made a build or a disbanding."""

    def own_unit(self, words: UnitWords, code: str) -> tuple[Unit | None, Unit]:
        """A unit to be built is not there yet; one to be removed is."""
        if not isinstance(self.shape, Builds):
            return super().own_unit(words, code)
        unit = self.new_unit(words, code)
        return unit, unit

    def new_unit(self, words: UnitWords, code: str) -> Unit:
        """The unit to be built: its letter and its coast may have to be written (rows 13 and 15)."""
        province = self.sheet.board.provinces.get(code)
        rule = self.sheet.tournament.adjustments.build_letter.value
        is_inland = province is None or province.terrain is Terrain.LAND
        if words.letter is None and (rule is not BuildLetter.COAST or not is_inland):
            self.doubts.append(Found.of(Doubt.BUILD_LETTER, place=self.sheet.name(code)))
            kinds = (Kind.ARMY,) if is_inland else (Kind.ARMY, Kind.FLEET)
            self.others = tuple(Build(Unit(kind, p)) for kind in kinds for p in self.sites(kind, code))
        kind = words.letter or Kind.ARMY
        coast = words.place.coast if words.place is not None else ""
        if kind is Kind.ARMY or province is None or not province.coasts:
            if coast and words.place is not None:
                self.needless_coast(words.place)
            return Unit(kind, code)
        place = self.sheet.coast_place(code, coast) if coast else None
        if place is None:
            self.doubts.append(Found.of(Doubt.BUILD_COAST, place=self.sheet.name(code)))
            self.others = tuple(Build(Unit(kind, each)) for each in province.coasts)
        return Unit(kind, place or code)

    def sites(self, kind: Kind, code: str) -> tuple[str, ...]:
        """Where a unit of a kind could stand in a province."""
        if code not in self.sheet.board.provinces:
            return ()
        return (code,) if kind is Kind.ARMY else self.sheet.board.places(code)

    def order(self, unit: Unit, codes: Codes) -> Order:
        """Make the order of its shape."""
        return Build(unit) if isinstance(self.shape, Builds) else Disband(unit)

    def hindrance(self, order: Order) -> Found | None:
        """The judge says whether it could be done if it were the only one."""
        is_build, due = isinstance(order, Build), due_of(self.sheet)
        if due == 0 or (due > 0) is not is_build:
            change = ReadingChange.BUILD if due > 0 else ReadingChange.DISBAND if due < 0 else ReadingChange.NONE
            return Found.of(Doubt.NOT_DUE, change=change, order=write(order))
        if any(found.doubt in {Doubt.BUILD_COAST, Doubt.BUILD_LETTER} for found in self.doubts):
            order = self.others[0] if self.others else order
        no = refusal(self.sheet, order)
        doubt = Doubt.CANNOT_BUILD if is_build else Doubt.CANNOT_DISBAND
        return Found.of(doubt, why=no) if no else None


def refusal(sheet: Sheet, order: Order) -> Refusal | None:
    """The judge says why an order could not be carried out even if it were the only one; nothing if it could."""
    return why_illegal(sheet.board, sheet.position, sheet.power, order, sheet.tournament.rulebook)


def due_of(sheet: Sheet) -> int:
    """Builds above nought, disbands below."""
    return balances(sheet.position).get(sheet.power, 0)


def interpret_adjustments(sheet: Sheet, lines: Sequence[WrittenLine]) -> Interpretation:
    """Line by line; then the same unit twice; then too many, and too few."""
    drafts = [draft_adjustment(sheet, line.number, each).noted(line.notes) for line in lines for each in line.orders]
    habits = habits_of(sheet, drafts)
    entries = [
        waived(sheet, each) if isinstance(each.written.shape, Waives) else decide(sheet, each, habits)
        for each in drafts
    ]
    entries = weigh_names(sheet, drafts, [by_place(entry) for entry in entries], due_of(sheet))
    entries = judge_twice(sheet, [bare(sheet, entry) for entry in entries])
    entries = [without_hold(sheet, entry) for entry in entries]
    entries = strike_surplus(sheet, ask_whole_lines(sheet, entries))
    orders = tuple(order for order in dict.fromkeys(e.order for e in entries) if order is not None)
    waivers = sum(isinstance(entry.order, Waive) for entry in entries)
    orders = (*orders, *(Waive() for _ in range(waivers - 1)))
    return Interpretation(tuple(entries), orders, (), tuple(shortfalls(sheet, entries)))


def draft_adjustment(sheet: Sheet, line: int, written: Written) -> Draft:
    """An adjustment line is a build, a disbanding or a waiver."""
    if isinstance(written.shape, Waives):
        return Draft(line, written)
    meant = as_due(written, due_of(sheet))
    made = draft(sheet, line, meant, fault_of(meant), AdjustmentReading)
    if meant is written:
        return with_any_of_its_kind(sheet, made)
    if any(reading.is_possible for reading in made.readings):
        return noted_as_bare(made)
    is_own = any(sheet.own_at(code) for _, sense in made.senses for code in sense.codes)
    return draft(sheet, line, written, fault_of(written), AdjustmentReading) if is_own else made


def with_any_of_its_kind(sheet: Sheet, made: Draft) -> Draft:
    """Offer every army or fleet that can be meant where a line names no place: "Disband the fleet"."""
    shape = made.written.shape
    if made.fault is None or made.fault.doubt is not Doubt.INCOMPLETE or not isinstance(shape, Builds | Disbands):
        return made
    kind = Build if isinstance(shape, Builds) else Disband
    possible = legal_orders(sheet.board, sheet.position, sheet.power, sheet.tournament.rulebook)
    meant = (each for each in possible if isinstance(each, kind) and shape.unit.letter in {None, each.unit.kind})
    return replace(made, alternatives=tuple(Reading(each, None) for each in meant))


def fault_of(written: Written) -> Found | None:
    """A line without a unit, or without saying what becomes of it, is no adjustment."""
    match written.shape:
        case Builds(unit) | Disbands(unit):
            return None if unit.place is not None else Found.of(Doubt.INCOMPLETE, text=written.text)
        case BareUnit(unit):
            return Found.of(Doubt.BARE_UNIT, unit=str(unit.place or written.text))
        case Senseless(_, words):
            return Found.of(Doubt.SENSELESS, text=words or written.text)
        case _:
            return Found.of(Doubt.WRONG_PHASE, text=written.text)


def waived(sheet: Sheet, each: Draft) -> Entry:
    """A build may be declined, where one is due (DATC 4.D.7)."""
    no = refusal(sheet, Waive())
    return Entry(
        line=each.line,
        text=each.written.text,
        order=None if no else Waive(),
        status=Status.ILLEGAL if no else Status.CLEAR,
        settings=(),
        because=(Told.of(Because.REFUSED, why=no) if no else AS_WRITTEN,),
        read=Waive(),
    )


def by_place(entry: Entry) -> Entry:
    """Two builds in one province are two orders for one unit; the name of a unit that stands there is only a name."""
    if isinstance(entry.read, Build):
        return replace(entry, unit=Unit(Kind.ARMY, entry.read.unit.province))
    if any(found.doubt is Doubt.BARE_UNIT for found in entry.doubts) and entry.unit is not None:
        return name_alone(entry)
    return entry


def bare(sheet: Sheet, entry: Entry) -> Entry:
    """A place named in winter, and no order beside it, builds nothing (row 23)."""
    if entry.status is not Status.VOID or not any(found.doubt is Doubt.BARE_UNIT for found in entry.doubts):
        return entry
    setting = sheet.tournament.adjustments.build_invalid
    return replace(name_alone(entry), settings=(setting,) if entry.rule else ())


def without_hold(sheet: Sheet, entry: Entry) -> Entry:
    """Where a unit would hold in movement, nothing is built, and a disband is as if not written (rows 23 and 25)."""
    if not isinstance(entry.order, Hold):
        return entry
    rules = sheet.tournament.adjustments
    if not isinstance(entry.read, Build) or rules.gains_and_losses in entry.settings:
        return replace(entry, order=None)
    setting = rules.build_invalid
    if setting.value is NoBuild.ASK:
        asked = sheet.situation(setting, entry.found or entry.doubts[0], entry.text)
        return replace(entry, order=None, status=Status.ASK, settings=(setting,), situation=asked)
    return replace(entry, order=None, settings=with_setting(entry, setting))


def strike_surplus(sheet: Sheet, entries: list[Entry]) -> list[Entry]:
    """Of more builds or disbands than are due, some are struck (row 24)."""
    due, rules = due_of(sheet), sheet.tournament.adjustments
    kind: type[Build] | type[Disband] = Build if due > 0 else Disband
    setting: Setting[Surplus] = rules.too_many_builds if due > 0 else rules.too_many_disbands
    doubt = Doubt.OVERBUILD if due > 0 else Doubt.OVERDISBAND
    distinct: list[Order] = list(dict.fromkeys(e.order for e in entries if isinstance(e.order, kind)))
    if len(distinct) <= abs(due):
        return entries
    found = Found.of(doubt, ordered=len(distinct), due=abs(due))
    kept = kept_of(setting.value, distinct, abs(due))
    if kept is None:
        return [
            ask_surplus(sheet, entry, setting, found) if isinstance(entry.order, kind) else entry for entry in entries
        ]
    return [
        strike(entry, setting, found) if isinstance(entry.order, kind) and entry.order not in kept else entry
        for entry in entries
    ]


def kept_of(rule: Surplus, orders: list[Order], limit: int) -> list[Order] | None:
    """The orders that stand; None: the director rules."""
    match rule:
        case Surplus.FIRST | Surplus.BOTTOM_UP:
            return orders[:limit]
        case Surplus.LAST:
            return orders[len(orders) - limit :]
        case Surplus.NONE:
            return []
        case _:
            return None


def strike(entry: Entry, setting: Setting[Surplus], found: Found) -> Entry:
    """One order too many."""
    because = (found, by_rule(setting.value))
    return replace(
        entry,
        order=None,
        status=Status.VOID,
        settings=(setting,),
        because=because,
        found=found,
        doubts=(*entry.doubts, found),
    )


def ask_surplus(sheet: Sheet, entry: Entry, setting: Setting[Surplus], found: Found) -> Entry:
    """One of several of which some must go."""
    struck = strike(entry, setting, found)
    asked = sheet.situation(setting, found, entry.text)
    return replace(
        struck, status=Status.ASK, because=(found, director_rules(replace(setting, why=""))), situation=asked
    )


def shortfalls(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """What follows where fewer builds or disbands are ordered than are due (rows 23 and 25)."""
    due = due_of(sheet)
    done: set[Order | None] = {entry.order for entry in entries if isinstance(entry.order, Build | Disband)}
    waivers = sum(isinstance(entry.order, Waive) for entry in entries)
    asked = sum(entry.status is Status.ASK for entry in entries)  # what the director says of these comes first
    short = abs(due) - len(done) - asked - (waivers if due > 0 else 0)
    if due == 0 or short <= 0:
        return []
    return [short_builds(sheet, short, done)] if due > 0 else [short_disbands(sheet, short, done)]


def short_builds(sheet: Sheet, short: int, done: set[Order | None]) -> Entry:
    """A missing build is not made, but in the first year the referee may impose some (EDC23 R5)."""
    rules = sheet.tournament.adjustments
    found = Found.of(Doubt.SHORT_BUILD, short=short, due=due_of(sheet))
    imposed = rules.first_year_builds
    first = sheet.position.phase.year == FIRST_PHASE.year
    wanted = due_of(sheet) if imposed.value is None else min(due_of(sheet), imposed.value)
    if first and due_of(sheet) - short < wanted:
        because = Told.of(Because.FIRST_YEAR, wanted=wanted)
        return remark(sheet, found, Status.ASK, imposed, because, done)
    setting = rules.build_missing
    if setting.value is NoBuild.ASK:
        return remark(sheet, found, Status.ASK, setting, DIRECTOR_RULES, done)
    return remark(sheet, found, Status.VOID, setting, by_rule(setting.value), done)


def short_disbands(sheet: Sheet, short: int, done: set[Order | None]) -> Entry:
    """A missing disband is carried out by the rules (row 25)."""
    setting = sheet.tournament.adjustments.disband_missing
    found = Found.of(Doubt.SHORT_DISBAND, short=short, due=-due_of(sheet))
    status = Status.ASK if setting.value is Removal.ASK else Status.VOID
    return remark(sheet, found, status, setting, by_rule(setting.value), done)


def remark(
    sheet: Sheet, found: Found, status: Status, setting: Setting[Any], because: Told, done: set[Order | None]
) -> Entry:
    """Something that no single line is about."""
    possible = legal_orders(sheet.board, sheet.position, sheet.power, sheet.tournament.rulebook)
    offered = tuple(Candidate(order, (Told.of(Because.POSSIBLE),)) for order in possible if order not in done)
    return Entry(
        line=0,
        text="",
        order=None,
        status=status,
        settings=(setting,),
        because=(found, because),
        found=found,
        doubts=(found,),
        candidates=offered,
        situation=sheet.situation(setting, found, "") if status is Status.ASK else None,
    )
