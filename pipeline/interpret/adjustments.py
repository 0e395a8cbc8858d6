"""Lines of an adjustment phase: builds, disbands and waivers, too many of them and too few."""

from collections.abc import Sequence, Set
from itertools import combinations, pairwise
from typing import Any

from msgspec.structs import replace

from pipeline.board import FIRST_PHASE, Kind, Terrain, Unit, province_of
from pipeline.interpret.decide import (
    apply_notes,
    ask_because_of,
    ask_whole_lines,
    decide_line,
    judge_twice,
    named_codes,
)
from pipeline.interpret.doubts import AS_WRITTEN, DIRECTOR_RULES, NOBODYS, Because, Doubt, Found, ReadingChange, by_rule
from pipeline.interpret.movement import CodesLeft, MovementReading
from pipeline.interpret.places import (
    BareUnit,
    Builds,
    Disbands,
    Moves,
    Phrase,
    Reading,
    Senseless,
    UnitWords,
    Waives,
)
from pipeline.interpret.readings import Sheet, draft_order, habits_of
from pipeline.interpret.tokens import SHORT_COASTS, THE_OTHERS, Mark, SignSense, fold_word, tokenize
from pipeline.interpret.verdict import (
    NOTHING_WRITTEN,
    Entry,
    Interpretation,
    Line,
    Status,
    director_rules,
    name_alone,
    with_setting,
)
from pipeline.judge.adjudicate import legal_orders, why_illegal
from pipeline.judge.legality import Refusal
from pipeline.judge.winter import balances
from pipeline.orders import Build, Disband, Hold, Order, Retreat, Waive, write
from pipeline.rules.reading_rules import BuildLetter, LostRetreat, NoBuild, Removal, Surplus, Unitless
from pipeline.rules.reading_rules import RetreatsWritten as MustBeWritten
from pipeline.rules.table import Setting
from pipeline.words.speech import Message

# Units that are named in winter with nothing else: what is due says what can only be meant.


def _as_due(written: Entry, due: int) -> Entry:
    """Read a name alone as what is due: a build if that is above zero, a disbanding if it is below."""
    if not isinstance(written.shape, BareUnit) or written.shape.unit.place is None or due == 0:
        return written
    shape = Builds(written.shape.unit) if due > 0 else Disbands(written.shape.unit)
    return replace(written, shape=shape)


def _weigh_names(sheet: Sheet, entries: Sequence[Entry], due: int) -> list[Entry]:
    """A bare unit name orders a build or disband that no other line orders.

    If all that is due is ordered, it means nothing. The director rules where more are named than are left to be done,
    because some sheets have all units printed on them, and where a line above may be a heading of the names: "keep:".
    """
    meant = {
        number: next(reading.order for reading in entry.readings if reading.is_possible)
        for number, entry in enumerate(entries)
        if any(found.doubt is Doubt.BARE_CHANGE for found in entry.notes)
    }
    written = {
        e.order for number, e in enumerate(entries) if number not in meant and isinstance(e.order, Build | Disband)
    }
    waivers = sum(isinstance(entry.order, Waive) for entry in entries) if due > 0 else 0
    left = abs(due) - len(written) - waivers
    named = set(meant.values()) - written
    done = list(entries)
    why = Message.of(Because.NAMED_AND_DUE, named=len(named), due=left)
    unclear = [each.line for each in entries if each.status is Status.ASK and not (each.unit or each.candidates)]
    unclear += [each.line for each in entries if due < 0 and not UNITS.isdisjoint(map(fold_word, each.text.split()))]
    is_kept = due < 0 and any(_says_kept(sheet, each) for each in entries)  # then other names may be kept, too
    for number, order in meant.items():
        if left <= 0 or order in written:
            done[number] = name_alone(entries[number])
        elif is_kept or len(named) > left or any(line < entries[number].line for line in unclear):
            done[number] = _one_of_too_many(sheet, entries[number], order, why)
    return done


KEEPS = frozenset({"ok", "okay", "yes", "safe", "fine"})
UNITS = frozenset({"units", "einheiten", "unites", "board", "status", "positions"})  # above a list of all of them


def _says_kept(sheet: Sheet, entry: Entry) -> bool:
    """Say whether a line says that a unit stays."""
    words = [fold_word(word) for word in entry.text.split()]
    return any(word in KEEPS or sheet.lexicon.sign_of(word) is SignSense.HOLD for word in words)


def _one_of_too_many(sheet: Sheet, entry: Entry, order: Order, why: Message) -> Entry:
    """Ask about a bare name if more units are named than builds or disbands are due."""
    setting = sheet.tournament.adjustments.bare_unit
    found = next(each for each in entry.doubts if each.doubt is Doubt.BARE_CHANGE)
    return replace(
        entry,
        order=None,
        status=Status.ASK,
        settings=(setting,),
        because=(found, why, DIRECTOR_RULES),
        found=found,
        candidates=(Reading(order, (Message.of(Because.IF_MEANT),)),),
        situation=sheet.situation(setting, found, entry.text),
    )


class AdjustmentReading(MovementReading):
    """Makes a build or a disband of one combination of word meanings."""

    def own_unit(self, words: UnitWords, code: str) -> tuple[Unit | None, Unit]:
        """A unit to be built is not there yet; one to be removed is."""
        if not isinstance(self.shape, Builds):
            return super().own_unit(words, code)
        unit = self.new_unit(words, code)
        return unit, unit

    def new_unit(self, words: UnitWords, code: str) -> Unit:
        """The unit to be built: its letter and its coast may have to be written."""
        self.check_nation(words, self.sheet.power, Unit(self.sheet.kind_for(code, words.letter), code))
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
            if words.place is not None:
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

    def order(self, unit: Unit, codes: CodesLeft) -> Order:
        return Build(unit) if isinstance(self.shape, Builds) else Disband(unit)

    def hindrance(self, order: Order) -> Found | None:
        """The judge says whether it could be done if it were the only one."""
        is_build, due = isinstance(order, Build), _due_of(self.sheet)
        if due == 0 or (due > 0) is not is_build:
            change = ReadingChange.BUILD if due > 0 else ReadingChange.DISBAND if due < 0 else ReadingChange.NONE
            return Found.of(Doubt.NOT_DUE, change=change, order=write(order))
        if any(found.doubt in {Doubt.BUILD_COAST, Doubt.BUILD_LETTER} for found in self.doubts):
            order = self.others[0] if self.others else order
        no = _judge_refusal(self.sheet, order)
        doubt = Doubt.CANNOT_BUILD if is_build else Doubt.CANNOT_DISBAND
        return Found.of(doubt, why=no) if no else None


def _judge_refusal(sheet: Sheet, order: Order) -> Refusal | None:
    """The judge says why an order could not be carried out even if it were the only one; nothing if it could."""
    return why_illegal(sheet.board, sheet.position, sheet.power, order, sheet.tournament.rulebook)


def _due_of(sheet: Sheet) -> int:
    """Builds above zero, disbands below."""
    return balances(sheet.position).get(sheet.power, 0)


def interpret_adjustments(sheet: Sheet, lines: Sequence[Line]) -> Interpretation:
    """Line by line; then the same unit twice; then too many, and too few."""
    drafts = [
        _draft_adjustment(sheet, line.number, each).with_notes(line.notes) for line in lines for each in line.orders
    ]
    habits = habits_of(sheet, drafts)
    entries = [
        apply_notes(sheet, _waive_build(sheet, each))
        if isinstance(each.shape, Waives)
        else decide_line(sheet, each, habits)
        for each in drafts
    ]
    entries = _weigh_names(sheet, [_by_place(entry) for entry in entries], _due_of(sheet))
    entries = judge_twice(sheet, [_void_bare_name(sheet, entry) for entry in entries])
    entries = _ask_contradicted(sheet, [_without_hold(sheet, entry) for entry in entries])
    choices = {line.number for line in lines if len(line.orders) > 1 and _may_be_choice(sheet, line)}
    entries = _strike_surplus(sheet, ask_whole_lines(sheet, entries), choices)
    entries = _ask_declined_builds(sheet, entries)
    entries, more = _decline_rest(sheet, entries)
    orders = tuple(order for order in dict.fromkeys(e.order for e in entries) if order is not None)
    waivers = sum(isinstance(entry.order, Waive) for entry in entries) + more
    orders = (*orders, *(Waive() for _ in range(waivers - 1)))
    return Interpretation(tuple(entries), orders, (), () if more else tuple(_shortfalls(sheet, entries)))


def _draft_adjustment(sheet: Sheet, line: int, written: Entry) -> Entry:
    """An adjustment line is a build, a disbanding or a waiver."""
    if (
        isinstance(written.shape, Senseless)
        and written.shape.unit.place is not None
        and _due_of(sheet) < 0
        and sheet.lexicon.signs.get(fold_word(written.shape.words)) is not SignSense.HOLD
    ):
        written = replace(written, other_shapes=(Disbands(written.shape.unit),))  # "F Bot weg": offered, never followed
    meant = _as_due(written, _due_of(sheet))
    made = draft_order(sheet, line, meant, _adjustment_fault(meant), AdjustmentReading)
    if meant is written:
        return _with_any_of_its_kind(sheet, made)
    if any(reading.is_possible for reading in made.readings):
        return made.with_notes((Found.of(Doubt.BARE_CHANGE, text=made.text),))
    is_own = any(sheet.own_at(code) for _, sense in made.senses for code in sense.codes)
    return draft_order(sheet, line, written, _adjustment_fault(written), AdjustmentReading) if is_own else made


def _possible(sheet: Sheet) -> tuple[Order, ...]:
    """Every order that the power could give in this phase."""
    return legal_orders(sheet.board, sheet.position, sheet.power, sheet.tournament.rulebook)


def _with_any_of_its_kind(sheet: Sheet, made: Entry) -> Entry:
    """Offer every army or fleet that can be meant where a line names no place: "Disband the fleet"."""
    shape = made.shape
    if not isinstance(shape, Builds | Disbands) or shape.unit.place is not None:
        return made
    kind = Build if isinstance(shape, Builds) else Disband
    meant = (
        each for each in _possible(sheet) if isinstance(each, kind) and shape.unit.letter in {None, each.unit.kind}
    )
    return replace(made, alternatives=tuple(Reading(each) for each in meant))


def _adjustment_fault(written: Entry) -> Found | None:
    """A line without a unit, or without saying what becomes of it, is no adjustment."""
    match written.shape:
        case Builds(unit) | Disbands(unit):
            return None if unit.place is not None else Found.of(Doubt.INCOMPLETE, text=written.text)
        case _:
            return _why_no_order(written)


def _why_no_order(written: Entry) -> Found:
    """Why a line orders nothing in this phase: a unit alone, words without sense, or an order of another phase."""
    match written.shape:
        case BareUnit(unit):
            return Found.of(Doubt.BARE_UNIT, unit=str(unit.place or written.text))
        case Senseless(_, words):
            return Found.of(Doubt.SENSELESS, text=words or written.text)
        case _:
            return Found.of(Doubt.WRONG_PHASE, text=written.text)


def _ask_contradicted(sheet: Sheet, entries: list[Entry]) -> list[Entry]:
    """Ask about a build or disbanding whose place another line names, and does not say the same: "waive Par", "A Bre".

    A name alone says the same, where no other letter stands before it: names stand printed on some sheets.
    """
    done = list(entries)
    for at, entry in enumerate(entries):
        if entry.status is not Status.CLEAR or not isinstance(entry.order, Build | Disband):
            continue
        unit = entry.order.unit
        for other in entries:
            if other.line == entry.line or other.order == entry.order:
                continue
            words = [token.folded for token in tokenize(other.text)]
            is_bare = isinstance(other.shape, BareUnit) and other.shape.unit.letter in {None, unit.kind}
            named = {code for word in words if len(word) > 1 for code in named_codes(sheet, word)}
            is_other = other.order is not None and unit.province != getattr(other.order, "unit", unit).province
            if unit.province in named and not is_other and not (is_bare and not other.rest):
                setting, found = (
                    sheet.tournament.reading.misspelt_unsettled,
                    Found.of(Doubt.UNDER_HEADING, text=other.text),
                )
                done[at] = _ask_about(sheet, entry, setting, found)
    return done


def _waive_build(sheet: Sheet, each: Entry) -> Entry:
    """A build may be declined, where one is due (DATC 4.D.7)."""
    no = _judge_refusal(sheet, Waive())
    if each.rest and no is None:
        return _ask_waiver(sheet, each)
    return replace(
        each,
        order=None if no or _declines_all(each) else Waive(),
        status=Status.ILLEGAL if no else Status.CLEAR,
        settings=(),
        because=(Message.of(Because.REFUSED, why=no) if no else AS_WRITTEN,),
        candidates=() if no else (Reading(Waive(), (AS_WRITTEN,)),),
        read=Waive(),
    )


def _declines_all(each: Entry) -> bool:
    """Say whether a line declines all builds that are left."""
    return isinstance(each.shape, Waives) and each.shape.are_all


DECLINED_FIRST = frozenset({"first", "both", "two", "2", "instead"})  # beside a build, which it may be


def _ask_declined_builds(sheet: Sheet, entries: list[Entry]) -> list[Entry]:
    """Ask where a sheet orders a build and declines all: not where others are declined, or those left below it."""
    builds = [at for at, entry in enumerate(entries) if isinstance(entry.order, Build)]
    if not builds:
        return entries
    are_left = _count_short(sheet, entries) > 0
    declined = []
    for at, each in enumerate(entries):
        words = set(map(fold_word, each.text.split()))
        is_left = are_left and at > builds[-1]
        is_all = _declines_all(each) and not words & THE_OTHERS and not is_left
        is_too_much = isinstance(each.shape, Waives) and bool(words & DECLINED_FIRST)
        if is_too_much or (is_all and each.status is Status.CLEAR):
            declined.append(each.text)
    if not declined:
        return entries
    setting, found = sheet.tournament.reading.misspelt_unsettled, Found.of(Doubt.EXTRA_WORDS, text=declined[0])
    return [
        _ask_about(sheet, entry, setting, found)
        if entry.text in declined or isinstance(entry.order, Build | Waive)
        else entry
        for entry in entries
    ]


def _decline_rest(sheet: Sheet, entries: Sequence[Entry]) -> tuple[list[Entry], int]:
    """Decline the builds that are left where lines say so; and say how many more there are than such lines."""
    done = list(entries)
    lines = [at for at, each in enumerate(done) if _declines_all(each) and each.status is Status.CLEAR]
    left = _count_short(sheet, done)
    for number, at in enumerate(lines):
        done[at] = replace(done[at], order=Waive()) if number < left else replace(done[at], status=Status.VOID)
    return done, max(0, left - len(lines)) if lines else 0


def _ask_waiver(sheet: Sheet, each: Entry) -> Entry:
    """A line that declines a build and says something else, too, is never followed unasked."""
    setting, found = sheet.tournament.reading.misspelt_unsettled, Found.of(Doubt.EXTRA_WORDS, text=each.rest)
    asked = sheet.situation(setting, found, each.text)
    return replace(
        each,
        status=Status.ASK,
        settings=(setting,),
        because=(found, director_rules(replace(setting, why=""))),
        doubts=(found,),
        candidates=(Reading(Waive(), (AS_WRITTEN,)),),
        situation=asked,
    )


def _by_place(entry: Entry) -> Entry:
    """Two builds in one province are two orders for one unit; the name of an existing unit is only a name.

    A word that is near to one, "alt", stands printed nowhere.
    """
    if isinstance(entry.read, Build):
        return replace(entry, unit=Unit(Kind.ARMY, entry.read.unit.province))
    doubts = {found.doubt for found in entry.doubts}
    if Doubt.BARE_UNIT in doubts and Doubt.MISSPELT not in doubts and entry.unit is not None:
        return name_alone(entry)
    return entry


def _void_bare_name(sheet: Sheet, entry: Entry) -> Entry:
    """A place named in winter, and no order beside it, builds nothing (`build_invalid`)."""
    if entry.status is not Status.VOID or not any(found.doubt is Doubt.BARE_UNIT for found in entry.doubts):
        return entry
    setting = sheet.tournament.adjustments.build_invalid
    return replace(name_alone(entry), settings=(setting,) if entry.rule else ())


def _without_hold(sheet: Sheet, entry: Entry) -> Entry:
    """Where a unit would hold in movement, nothing is built, and a disband is as if not written."""
    if not isinstance(entry.order, Hold):
        return entry
    because = tuple(each for each in entry.because if str(dict(each.data).get("value")) != "hold")
    entry = replace(entry, because=because)
    rules = sheet.tournament.adjustments
    if not isinstance(entry.read, Build) or rules.gains_and_losses in entry.settings:
        return replace(entry, order=None)
    setting = rules.build_invalid
    assert entry.found is not None  # it stopped the line
    if setting.value is NoBuild.ASK:
        asked = sheet.situation(setting, entry.found, entry.text)
        return replace(entry, order=None, status=Status.ASK, settings=(setting,), situation=asked)
    settings = with_setting(entry, setting)
    return replace(entry, order=None, settings=settings, because=(*because, by_rule(setting.value)))


def _may_be_choice(sheet: Sheet, line: Line) -> bool:
    """Say whether a stroke on a line may leave a choice, "Build A Bud / A Vie"; before a coast it does not."""
    tokens = tokenize(line.shown)
    coasts = sheet.lexicon.coasts.keys() | SHORT_COASTS.keys()
    return any(
        (each.mark is Mark.SLASH or each.text == "//") and after.folded not in coasts
        for each, after in pairwise(tokens)
    )


def _strike_surplus(sheet: Sheet, entries: list[Entry], choices: Set[int]) -> list[Entry]:
    """Of more builds or disbands than are due, some are struck, a waiver among them (`too_many_builds`).

    ``choices``: the numbers of the lines with a stroke; which of theirs stands, the director rules.
    """
    due, rules = _due_of(sheet), sheet.tournament.adjustments
    kind: type[Build] | type[Disband] = Build if due > 0 else Disband
    setting: Setting[Any] = rules.too_many_builds if due > 0 else rules.too_many_disbands
    doubt = Doubt.OVERBUILD if due > 0 else Doubt.OVERDISBAND
    distinct: list[Order] = list(dict.fromkeys(e.order for e in entries if isinstance(e.order, kind)))
    waivers = sum(isinstance(entry.order, Waive) for entry in entries) if due > 0 and distinct else 0
    if len(distinct) + waivers <= abs(due):
        return entries
    found = Found.of(doubt, ordered=len(distinct) + waivers, due=abs(due))
    kept = _kept_of(setting.value, distinct, abs(due))
    if any(entry.line in choices and isinstance(entry.order, kind) for entry in entries):
        setting, kept = sheet.tournament.reading.misspelt_unsettled, None
    if kept is None:
        counted = (kind, Waive) if waivers else kind
        return [
            _ask_about(sheet, entry, setting, found) if isinstance(entry.order, counted) else entry for entry in entries
        ]
    if len(distinct) <= abs(due):
        kept = distinct  # the rules rank builds: only a waiver is too much
    room = abs(due) - len(kept)  # for waivers
    struck = []
    for entry in entries:
        is_over = isinstance(entry.order, kind) and entry.order not in kept
        if isinstance(entry.order, Waive):
            is_over, room = room <= 0, room - 1
        struck.append(_strike(entry, setting, found) if is_over else entry)
    return struck


def _kept_of(rule: Surplus, orders: list[Order], limit: int) -> list[Order] | None:
    """The orders that are kept; None: the director rules."""
    match rule:
        case Surplus.FIRST | Surplus.BOTTOM_UP:
            return orders[:limit]
        case Surplus.LAST:
            return orders[len(orders) - limit :]
        case Surplus.NONE:
            return []
        case _:
            return None


def _strike(entry: Entry, setting: Setting[Any], found: Found) -> Entry:
    """Strike an order that is one too many."""
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


def _ask_about(sheet: Sheet, entry: Entry, setting: Setting[Any], found: Found) -> Entry:
    """Ask about one of too many builds or disbands, or of those that contradict one another."""
    struck = _strike(entry, setting, found)
    asked = sheet.situation(setting, found, entry.text)
    return replace(
        struck, status=Status.ASK, because=(found, director_rules(replace(setting, why=""))), situation=asked
    )


def _shortfalls(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """What follows where fewer builds or disbands are ordered than are due, and possible."""
    done = _done_in(entries)
    short, due = _count_short(sheet, entries), _due_of(sheet)
    if short <= 0:
        return []
    if due < 0:
        return [_short_disbands(sheet, short, done)]
    homes = len({order.unit.province for order in _possible(sheet) if isinstance(order, Build)})
    short -= max(0, due - homes)
    return [_short_builds(sheet, short, min(due, homes), done)] if short > 0 else []


def _done_in(entries: Sequence[Entry]) -> set[Order | None]:
    """The builds and disbands that are ordered."""
    return {entry.order for entry in entries if isinstance(entry.order, Build | Disband)}


def _count_short(sheet: Sheet, entries: Sequence[Entry]) -> int:
    """Count the builds or disbands due that no line orders; a line that is asked about may still order one each."""
    due = _due_of(sheet)
    waivers = sum(isinstance(entry.order, Waive) for entry in entries) if due > 0 else 0
    asked = sum(entry.status is Status.ASK for entry in entries)  # what the director says of these comes first
    return abs(due) - len(_done_in(entries)) - asked - waivers


def _short_builds(sheet: Sheet, short: int, due: int, done: set[Order | None]) -> Entry:
    """A missing build is not made, but in the first year the referee may impose some (EDC23 R5).

    ``due``: how many there are centres and free home centres for.
    """
    rules = sheet.tournament.adjustments
    found = Found.of(Doubt.SHORT_BUILD, short=short, due=due)
    imposed = rules.first_year_builds
    first = sheet.position.phase.year == FIRST_PHASE.year
    wanted = due if imposed.value is None else min(due, imposed.value)
    if first and due - short < wanted:
        because = Message.of(Because.FIRST_YEAR, wanted=wanted)
        return _remark(sheet, found, Status.ASK, imposed, because, done)
    setting = rules.build_missing
    if setting.value is NoBuild.ASK:
        return _remark(sheet, found, Status.ASK, setting, DIRECTOR_RULES, done)
    return _remark(sheet, found, Status.VOID, setting, by_rule(setting.value), done)


def _short_disbands(sheet: Sheet, short: int, done: set[Order | None]) -> Entry:
    """A missing disband is carried out by the rules (`disband_missing`)."""
    setting = sheet.tournament.adjustments.disband_missing
    found = Found.of(Doubt.SHORT_DISBAND, short=short, due=-_due_of(sheet))
    status = Status.ASK if setting.value is Removal.ASK else Status.VOID
    return _remark(sheet, found, status, setting, by_rule(setting.value), done)


def _remark(
    sheet: Sheet, found: Found, status: Status, setting: Setting[Any], because: Message, done: set[Order | None]
) -> Entry:
    """An entry that belongs to no single line, such as a missing build."""
    offered = tuple(Reading(order, (Message.of(Because.POSSIBLE),)) for order in _possible(sheet) if order not in done)
    return Entry(
        NOTHING_WRITTEN,
        "",
        status=status,
        settings=(setting,),
        because=(found, because),
        found=found,
        doubts=(found,),
        candidates=offered,
        situation=sheet.situation(setting, found, "") if status is Status.ASK else None,
    )


# Lines of a retreat phase: dislodged units retreat or disband, and what is not written well is lost.


class RetreatReading(MovementReading):
    """Makes a retreat or a disband of one combination of word meanings."""

    absent = Doubt.NOT_DISLODGED

    def order(self, unit: Unit, codes: CodesLeft) -> Order:
        if isinstance(self.shape, Moves):
            *_, to = codes
            phrase = self.shape.steps[-1]
            if unit.kind is Kind.ARMY or self.own is None:
                self.needless_coast(phrase)
                return Retreat(unit, to)
            place = self.landing(unit, to, phrase)
            if place == to:
                self.others = tuple(Retreat(unit, each) for each in self.reachable_coasts(unit, to))
            return Retreat(unit, place)
        return Disband(unit)

    def reachable_coasts(self, unit: Unit, to: str) -> tuple[str, ...]:
        """The places in a province that are open to a dislodged unit."""
        return tuple(place for place in _open_to(self.sheet, unit) if province_of(place) == to)

    def hindrance(self, order: Order) -> Found | None:
        """A unit retreats to a place that is open to it."""
        if not isinstance(order, Retreat) or order.to in _open_to(self.sheet, order.unit):
            return None
        open_places = _open_to(self.sheet, order.unit)
        return Found.of(Doubt.NO_RETREAT, unit=str(order.unit), to=order.to, open=open_places)


def _open_to(sheet: Sheet, unit: Unit) -> tuple[str, ...]:
    """List the places that a dislodged unit may go to."""
    return next((each.retreats for each in sheet.position.dislodged if each.unit == unit), ())


def interpret_retreats(sheet: Sheet, lines: Sequence[Line]) -> Interpretation:
    """Line by line; then units ordered twice; then units without an order."""
    drafts = [_draft_retreat(sheet, line.number, each).with_notes(line.notes) for line in lines for each in line.orders]
    habits = habits_of(sheet, drafts)
    decided = [
        None if each.fault is not None and each.fault.doubt is Doubt.BLANK_UNIT else decide_line(sheet, each, habits)
        for each in drafts
    ]
    known = [entry for entry in decided if entry is not None]
    entries = [
        entry if entry is not None else apply_notes(sheet, _without_unit(sheet, each, known))
        for each, entry in zip(drafts, decided, strict=True)
    ]
    entries = [_lose_unit(sheet, entry) for entry in judge_twice(sheet, [_void_unit_name(entry) for entry in entries])]
    entries = _ask_told_otherwise(sheet, ask_whole_lines(sheet, entries))
    spoken_for = {e.unit for e in entries if e.unit is not None and e.status is not Status.VOID}
    unordered = tuple(unit for unit in sheet.own if unit not in spoken_for)
    orders = tuple(dict.fromkeys(entry.order for entry in entries if entry.order is not None))
    return Interpretation(tuple(entries), orders, unordered, tuple(_missing_retreat(sheet, unit) for unit in unordered))


def _draft_retreat(sheet: Sheet, line: int, written: Entry) -> Entry:
    """A retreat line is a retreat or a disbanding; two places to go to are two meanings."""
    shape = written.shape
    if isinstance(shape, Moves) and len(shape.steps) > 1:
        first, *_, last = (replace(shape, steps=(step,)) for step in shape.steps)
        others = (*written.other_shapes, last)
        rest = " ".join(filter(None, (str(shape.steps[-1]), written.rest)))
        goals = [sheet.lexicon.sense(step.folded).codes for step in shape.steps]
        are_two = sheet.lexicon.may_be_place(shape.steps[-1].folded) and goals[0] != goals[-1]  # "Gas (= Gascony)"
        written = replace(written, shape=first, rest=rest, is_spoilt=are_two, other_shapes=others)
    elif isinstance(shape, Moves) and shape.via:  # nobody retreats by convoy (DATC 6.H.13)
        rest = " ".join(filter(None, (*map(str, shape.over), "" if shape.over else "via", written.rest)))
        written = replace(written, rest=rest)
    possible = tuple(other for other in written.other_shapes if _retreat_fault(replace(written, shape=other)) is None)
    return draft_order(sheet, line, replace(written, other_shapes=possible), _retreat_fault(written), RetreatReading)


def _retreat_fault(written: Entry) -> Found | None:
    """A line without a unit, without an order, or with an order of another phase, is no retreat."""
    match written.shape:
        case Moves(unit, steps):
            if unit.place is None:
                return Found.of(Doubt.BLANK_UNIT, text=written.text)
            return None if steps else Found.of(Doubt.INCOMPLETE, text=written.text)
        case Disbands(unit):
            return None if unit.place is not None else Found.of(Doubt.BLANK_UNIT, text=written.text)
        case _:
            return _why_no_order(written)


def _void_unit_name(entry: Entry) -> Entry:
    """A unit's name alone is no order: names stand printed on some sheets."""
    is_name = entry.found is not None and entry.found.doubt is Doubt.BARE_UNIT
    return name_alone(entry) if is_name and entry.unit is not None else entry


def _lose_unit(sheet: Sheet, entry: Entry) -> Entry:
    """A dislodged unit cannot hold: without a good order it is lost, or the director rules (`retreat_invalid`).

    Nor does it go to where the order, as it is written, is not followed: "F Aeg - Bul nc" names no coast of Bulgaria.
    """
    if entry.status is Status.CLEAR or not isinstance(entry.order, Hold | Retreat):
        return entry
    setting = sheet.tournament.reading.retreat_invalid
    assert entry.found is not None  # it stopped the line
    if setting.value is LostRetreat.ASK:
        asked = sheet.situation(setting, entry.found, entry.text)
        return replace(entry, order=None, status=Status.ASK, settings=(setting,), situation=asked)
    because = (entry.found, by_rule(setting.value))
    return replace(entry, order=Disband(entry.order.unit), settings=with_setting(entry, setting), because=because)


def _without_unit(sheet: Sheet, each: Entry, entries: Sequence[Entry]) -> Entry:
    """A retreat that names no unit is for the one dislodged unit that it can mean, where the rules allow that."""
    setting = sheet.tournament.reading.unitless
    busy = {entry.unit for entry in entries if entry.status is not Status.VOID}
    idle = [unit for unit in sheet.own if unit not in busy]
    readings = [reading for unit in idle for reading in _possible_for(sheet, each, unit)]
    written = readings or [reading for unit in sheet.own for reading in _possible_for(sheet, each, unit)]
    found = Found.of(Doubt.BLANK_UNIT, text=each.text)
    is_about_another = any(  # "Scrap" above "A Xyz R Gal"
        (e.found is not None and e.found.doubt in NOBODYS) or (e.status is Status.ASK and e.unit is None)
        for e in entries
    )
    signs = {sheet.lexicon.sign_of(fold_word(word)) for word in each.text.split()}
    is_move = isinstance(each.shape, Disbands) and SignSense.TO in signs  # "moves" is no dash
    is_whole = not (each.rest or getattr(each.shape, "to_unit", False) or is_about_another or is_move)
    one = setting.value is Unitless.ONE_MEANING and len(readings) == 1 and is_whole
    if one:
        status = Status.CLEAR
    elif setting.value is Unitless.VOID:
        status = Status.INVALID
    elif setting.value is Unitless.ONE_MEANING and len(readings) > 1:
        status = Status.AMBIGUOUS
    else:
        status = Status.ASK
    return replace(
        each,
        order=readings[0] if one else None,
        status=status,
        settings=(setting,),
        because=(found, by_rule(setting.value)),
        doubts=(found,),
        candidates=tuple(Reading(order, (Message.of(Because.IDLE_DISLODGED),)) for order in written),
        unit=readings[0].unit if one and isinstance(readings[0], Retreat | Disband) else None,
        read=readings[0] if one else None,
        situation=sheet.situation(setting, found, each.text) if status is Status.ASK else None,
    )


def _ask_told_otherwise(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """Ask about an order beside a line of no unit that may tell its unit otherwise: "Disband" above "F Pru R Lvn"."""
    done = [*entries]
    for told in entries:
        if told.status is not Status.ASK or told.fault is None or told.fault.doubt is not Doubt.BLANK_UNIT:
            continue
        orders = {candidate.order for candidate in told.candidates}
        units = {getattr(order, "unit", None) for order in orders}
        found = Found.of(Doubt.UNDER_HEADING, text=told.text)
        done = [
            ask_because_of(sheet, each, found)
            if each.status is Status.CLEAR and each.unit in units and each.order not in orders
            else each
            for each in done
        ]
    return done


def _possible_for(sheet: Sheet, each: Entry, unit: Unit) -> list[Order]:
    """Read a retreat without a unit as if this unit were named, and keep it if the place is open to the unit."""
    shape = each.shape
    if not isinstance(shape, Moves | Disbands) or shape.unit.letter not in {None, unit.kind}:
        return []
    words = UnitWords(shape.unit.nation, unit.kind, Phrase(unit.province, unit.province.lower()))
    tried = _draft_retreat(sheet, each.line, replace(each, shape=replace(shape, unit=words)))
    return [r.order for r in tried.readings if r.is_possible] if tried.is_plain else []


def _missing_retreat(sheet: Sheet, unit: Unit) -> Entry:
    """A dislodged unit without an order is lost; where retreats need not be written, the director is asked."""
    rules = sheet.tournament.reading
    found = Found.of(Doubt.RETREAT_MISSING, unit=str(unit))
    places = _open_to(sheet, unit)
    offered: tuple[Order, ...] = (*(Retreat(unit, place) for place in places), Disband(unit))
    candidates = tuple(Reading(order, (Message.of(Because.OPEN_TO_IT),)) for order in offered)
    entry = Entry(
        NOTHING_WRITTEN,
        "",
        order=Disband(unit),
        status=Status.VOID,
        settings=(rules.retreat_missing,),
        because=(found, by_rule(rules.retreat_missing.value)),
        doubts=(found,),
        candidates=candidates,
        unit=unit,
    )
    if not places:
        return replace(entry, settings=(), because=(found, Message.of(Because.NOTHING_OPEN)))
    if not _must_be_written(sheet, rules.retreat_written.value):
        because = (found, Message.of(Because.NEED_NOT_BE_WRITTEN, value=rules.retreat_written.value))
        asked = sheet.situation(rules.retreat_written, found, "")
        settings = (rules.retreat_written,)
        return replace(entry, order=None, status=Status.ASK, settings=settings, because=because, situation=asked)
    if rules.retreat_missing.value is LostRetreat.ASK:
        asked = sheet.situation(rules.retreat_missing, found, "")
        return replace(entry, order=None, status=Status.ASK, situation=asked)
    return entry


def _must_be_written(sheet: Sheet, rule: MustBeWritten) -> bool:
    """Say whether retreats must be written in this phase (EDC96 5, WM VI.5.a)."""
    dislodged = sheet.position.dislodged
    match rule:
        case MustBeWritten.TWO_POWERS:
            return len({each.power for each in dislodged if each.retreats}) > 1
        case MustBeWritten.COULD_MEET:
            return any(
                {province_of(place) for place in a.retreats} & {province_of(place) for place in b.retreats}
                for a, b in combinations(dislodged, 2)
            )
        case MustBeWritten.ASK:
            return False
        case MustBeWritten.ALWAYS:
            return True
