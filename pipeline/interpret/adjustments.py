"""Lines of an adjustment phase: builds, disbands and waivers."""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from pipeline.board import Kind, Terrain, Unit
from pipeline.interpret.asked_beside import ask_whole_lines
from pipeline.interpret.decide import apply_notes, decide_line
from pipeline.interpret.doubts import AS_WRITTEN, DIRECTOR_RULES, Because, Doubt, LineDoubt, WinterDue, by_rule
from pipeline.interpret.lines import named_codes
from pipeline.interpret.movement import CodesLeft, MovementReading
from pipeline.interpret.order_words import BareUnit, Builds, Disbands, Reading, Senseless, UnitWords, Waives
from pipeline.interpret.ordered_twice import judge_twice
from pipeline.interpret.readings import Sheet, draft_order, habits_of, why_no_order
from pipeline.interpret.strange_rows import ask_beside_strange_rows
from pipeline.interpret.tokens import tokenize
from pipeline.interpret.verdict import Entry, Interpretation, Line, Status, director_rules, name_alone, with_setting
from pipeline.interpret.winter_counts import (
    ask_about,
    count_short,
    due_of,
    may_be_choice,
    possible_orders,
    shortfalls,
    strike_surplus,
)
from pipeline.interpret.written_words import NO, THE_OTHERS, SignSense, fold_word
from pipeline.judge.adjudicate import why_illegal
from pipeline.judge.legality import Refusal
from pipeline.orders import Build, Disband, Hold, Order, Waive, write
from pipeline.rules.reading_rules import BuildLetter, NoBuild
from pipeline.words.speech import Message


def _as_due(written: Entry, due: int) -> Entry:
    """Read a name alone as what is due: a build if that is above zero, a disbanding if it is below."""
    if not isinstance(written.shape, BareUnit) or written.shape.unit.place is None or due == 0:
        return written
    shape = Builds(written.shape.unit) if due > 0 else Disbands(written.shape.unit)
    return replace(written, shape=shape)


def _weigh_names(sheet: Sheet, entries: Sequence[Entry], lines: Sequence[Line]) -> list[Entry]:
    """A bare unit name orders a build or disband that no other line orders.

    If all that is due is ordered, it means nothing. The director rules where more are named than are left to be done,
    because some sheets have all units printed on them, and where a line above may be a heading of the names: "keep:".
    """
    due = due_of(sheet)
    meant = {
        number: next(reading.order for reading in entry.readings if reading.is_possible)
        for number, entry in enumerate(entries)
        if any(doubt.code is Doubt.BARE_CHANGE for doubt in entry.notes)
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
    is_liked = any(LIKED.search(line.shown) for line in lines)
    is_kept = due < 0 and (is_liked or any(_says_kept(sheet, each) for each in entries))  # so may other names be
    for number, order in meant.items():
        if order in written or (left <= 0 and not waivers):
            done[number] = name_alone(entries[number])
        elif (
            is_kept
            or len(named) > left
            or _counts_units(entries[number], entries)
            or any(line < entries[number].line for line in unclear)
        ):
            done[number] = _one_of_too_many(sheet, entries[number], order, why)
    return done


FIRST_NUMBER = re.compile(r"\W*(\d{1,2})\b")


def _counts_units(entry: Entry, entries: Sequence[Entry]) -> bool:
    """Say whether a number before a name may be how many are meant, "2 A Par": no other line has the one below it."""
    numbers = {int(number[1]) for each in entries if (number := FIRST_NUMBER.match(each.text))}
    own = FIRST_NUMBER.match(entry.text)
    return own is not None and int(own[1]) > 1 and int(own[1]) - 1 not in numbers


KEEPS = frozenset({"ok", "okay", "yes", "safe", "fine"})
LIKED = re.compile(r"[✓✔☑✅★☆♥❤]|[:;=]-?\)|<3|\^\^")  # a unit with such a sign may be one to be kept

UNITS = frozenset({"units", "einheiten", "unites", "board", "status", "positions"})  # above a list of all of them


def _ask_kept(sheet: Sheet, entries: list[Entry]) -> list[Entry]:
    """Ask about a unit that stays where too few go: the rules may take that one."""
    gone = {entry.order for entry in entries if isinstance(entry.order, Disband)}
    if due_of(sheet) + len(gone) >= 0:
        return entries
    setting = sheet.tournament.reading.misspelt_unsettled
    done = list(entries)
    for at, entry in enumerate(entries):
        if entry.status is not Status.INVALID or entry.found is None or not _says_kept(sheet, entry):
            continue
        others = (order for order in possible_orders(sheet) if getattr(order, "unit", None) != entry.unit)
        offered = tuple(Reading(order, (Message.of(Because.POSSIBLE),)) for order in others)
        done[at] = ask_about(sheet, replace(entry, doubts=(), candidates=offered), setting, entry.found)
    return done


def _says_kept(sheet: Sheet, entry: Entry) -> bool:
    """Say whether a line says that a unit stays."""
    words = [fold_word(word) for word in entry.text.split()]
    return any(word in KEEPS or sheet.lexicon.sign_of(word) is SignSense.HOLD for word in words)


def _one_of_too_many(sheet: Sheet, entry: Entry, order: Order, why: Message) -> Entry:
    """Ask about a bare name if more units are named than builds or disbands are due."""
    setting = sheet.tournament.adjustments.bare_unit
    doubt = next(each for each in entry.doubts if each.code is Doubt.BARE_CHANGE)
    return replace(
        entry,
        order=None,
        status=Status.ASK,
        settings=(setting,),
        because=(doubt, why, DIRECTOR_RULES),
        found=doubt,
        candidates=(Reading(order, (Message.of(Because.IF_MEANT),)),),
        situation=sheet.situation(setting, doubt, entry.text),
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
            self.doubts.append(LineDoubt.of(Doubt.BUILD_LETTER, place=self.sheet.name(code)))
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
            self.doubts.append(LineDoubt.of(Doubt.BUILD_COAST, place=self.sheet.name(code)))
            self.others = tuple(Build(Unit(kind, each)) for each in province.coasts)
        return Unit(kind, place or code)

    def sites(self, kind: Kind, code: str) -> tuple[str, ...]:
        """Where a unit of a kind could stand in a province."""
        if code not in self.sheet.board.provinces:
            return ()
        return (code,) if kind is Kind.ARMY else self.sheet.board.places(code)

    def order(self, unit: Unit, codes: CodesLeft) -> Order:
        return Build(unit) if isinstance(self.shape, Builds) else Disband(unit)

    def hindrance(self, order: Order) -> LineDoubt | None:
        """The judge says whether it could be done if it were the only one."""
        is_build, due = isinstance(order, Build), due_of(self.sheet)
        if due == 0 or (due > 0) is not is_build:
            change = WinterDue.BUILD if due > 0 else WinterDue.DISBAND if due < 0 else WinterDue.NONE
            return LineDoubt.of(Doubt.NOT_DUE, change=change, order=write(order))
        if any(line_doubt.code in {Doubt.BUILD_COAST, Doubt.BUILD_LETTER} for line_doubt in self.doubts):
            order = self.others[0] if self.others else order
        no = _judge_refusal(self.sheet, order)
        doubt = Doubt.CANNOT_BUILD if is_build else Doubt.CANNOT_DISBAND
        return LineDoubt.of(doubt, why=no) if no else None


def _judge_refusal(sheet: Sheet, order: Order) -> Refusal | None:
    """The judge says why an order could not be carried out even if it were the only one; nothing if it could."""
    return why_illegal(sheet.board, sheet.position, sheet.power, order, sheet.tournament.rulebook)


def interpret_adjustments(sheet: Sheet, lines: Sequence[Line]) -> Interpretation:
    """Line by line; then the same unit twice; then too many, and too few."""
    drafts = [
        draft_adjustment(sheet, line.number, each).with_notes(line.notes) for line in lines for each in line.orders
    ]
    habits = habits_of(sheet, drafts)
    entries = [
        apply_notes(sheet, _waive_build(sheet, each))
        if isinstance(each.shape, Waives)
        else decide_line(sheet, each, habits)
        for each in drafts
    ]
    entries = _weigh_names(sheet, [_by_place(entry) for entry in entries], lines)
    entries = judge_twice(sheet, [_void_bare_name(sheet, entry) for entry in entries])
    entries = _ask_contradicted(sheet, [_without_hold(sheet, entry) for entry in entries])
    entries = ask_beside_strange_rows(sheet, lines, entries)
    choices = {line.number for line in lines if len(line.orders) > 1 and may_be_choice(sheet, line)}
    entries = _ask_kept(sheet, strike_surplus(sheet, ask_whole_lines(sheet, entries), choices))
    entries = _ask_declined_builds(sheet, entries)
    entries, more = _decline_rest(sheet, entries)
    orders = tuple(order for order in dict.fromkeys(e.order for e in entries) if order is not None)
    waivers = sum(isinstance(entry.order, Waive) for entry in entries) + more
    orders = (*orders, *(Waive() for _ in range(waivers - 1)))
    return Interpretation(tuple(entries), orders, (), () if more else tuple(shortfalls(sheet, entries)))


def draft_adjustment(sheet: Sheet, line: int, written: Entry) -> Entry:
    """An adjustment line is a build, a disbanding or a waiver."""
    if (
        isinstance(written.shape, Senseless)
        and written.shape.unit.place is not None
        and due_of(sheet) < 0
        and sheet.lexicon.signs.get(fold_word(written.shape.words)) is not SignSense.HOLD
    ):
        written = replace(written, other_shapes=(Disbands(written.shape.unit),))  # "F Bot weg": offered, never followed
    meant = _as_due(written, due_of(sheet))
    made = draft_order(sheet, line, meant, _adjustment_fault(meant), AdjustmentReading)
    if meant is written:
        return _with_any_of_its_kind(sheet, made)
    if any(reading.is_possible for reading in made.readings):
        return made.with_notes((LineDoubt.of(Doubt.BARE_CHANGE, text=made.text),))
    is_own = any(sheet.own_at(code) for _, sense in made.senses for code in sense.codes)
    return draft_order(sheet, line, written, _adjustment_fault(written), AdjustmentReading) if is_own else made


def _with_any_of_its_kind(sheet: Sheet, made: Entry) -> Entry:
    """Offer every army or fleet that can be meant where a line names no place: "Disband the fleet"."""
    shape = made.shape
    if not isinstance(shape, Builds | Disbands) or shape.unit.place is not None:
        return made
    kind = Build if isinstance(shape, Builds) else Disband
    meant = (
        each
        for each in possible_orders(sheet)
        if isinstance(each, kind) and shape.unit.letter in {None, each.unit.kind}
    )
    return replace(made, alternatives=tuple(Reading(each) for each in meant))


def _adjustment_fault(written: Entry) -> LineDoubt | None:
    """A line without a unit, or without saying what becomes of it, is no adjustment."""
    match written.shape:
        case Builds(unit) | Disbands(unit):
            return None if unit.place is not None else LineDoubt.of(Doubt.INCOMPLETE, text=written.text)
        case _:
            return why_no_order(written)


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
                setting, doubt = (
                    sheet.tournament.reading.misspelt_unsettled,
                    LineDoubt.of(Doubt.UNDER_HEADING, text=other.text),
                )
                done[at] = ask_about(sheet, entry, setting, doubt)
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


ALL_BUILDS = frozenset({"builds", "aufbauten", "constructions"})  # "no builds" below a build may take it back
DECLINED_FIRST = frozenset({"both", "two", "2", "instead"})  # beside a build, which it may be
ORDINALS = {"first": 1, "1st": 1, "1": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3}  # of a row
ROW_LABEL = re.compile(r"\W*(\d)\s*[.):]")


def _ask_declined_builds(sheet: Sheet, entries: list[Entry]) -> list[Entry]:
    """Ask where a sheet orders a build and declines all: not where others are declined, or those left below it."""
    builds = [at for at, entry in enumerate(entries) if isinstance(entry.order, Build)]
    if not builds:
        return entries
    are_left = count_short(sheet, entries) > 0
    declined = []
    for at, each in enumerate(entries):
        label = ROW_LABEL.match(each.text)
        is_numbered = label is not None and int(label[1]) == at + 1  # "2. waive", of the second row
        words = set(map(fold_word, each.text[label.end() if label and is_numbered else 0 :].split()))
        is_left = are_left and at > builds[-1]
        is_refused = isinstance(each.shape, Waives) and bool(words & NO) and bool(words & ALL_BUILDS)
        is_all = _declines_all(each) and not words & THE_OTHERS and not is_left
        is_of_a_row = any(ORDINALS.get(word, len(builds) + 1) <= len(builds) for word in words)
        is_too_much = isinstance(each.shape, Waives) and (is_of_a_row or bool(words & DECLINED_FIRST))
        if is_too_much or (is_refused and not words & THE_OTHERS) or (is_all and each.status is Status.CLEAR):
            declined.append(each.text)
    if not declined:
        return entries
    setting, doubt = sheet.tournament.reading.misspelt_unsettled, LineDoubt.of(Doubt.EXTRA_WORDS, text=declined[0])
    return [
        ask_about(sheet, entry, setting, doubt)
        if entry.text in declined or isinstance(entry.order, Build | Waive)
        else entry
        for entry in entries
    ]


def _decline_rest(sheet: Sheet, entries: Sequence[Entry]) -> tuple[list[Entry], int]:
    """Decline the builds that are left where lines say so; and say how many more there are than such lines."""
    done = list(entries)
    lines = [at for at, each in enumerate(done) if _declines_all(each) and each.status is Status.CLEAR]
    left = count_short(sheet, done)
    for number, at in enumerate(lines):
        done[at] = replace(done[at], order=Waive()) if number < left else replace(done[at], status=Status.VOID)
    return done, max(0, left - len(lines)) if lines else 0


def _ask_waiver(sheet: Sheet, each: Entry) -> Entry:
    """A line that declines a build and says something else, too, is never followed unasked."""
    setting, doubt = sheet.tournament.reading.misspelt_unsettled, LineDoubt.of(Doubt.EXTRA_WORDS, text=each.rest)
    asked = sheet.situation(setting, doubt, each.text)
    return replace(
        each,
        status=Status.ASK,
        settings=(setting,),
        because=(doubt, director_rules(replace(setting, why=""))),
        doubts=(doubt,),
        candidates=(Reading(Waive(), (AS_WRITTEN,)),),
        situation=asked,
    )


def _by_place(entry: Entry) -> Entry:
    """Two builds in one province are two orders for one unit; the name of an existing unit is only a name.

    A word that is near to one, "alt", stands printed nowhere.
    """
    if isinstance(entry.read, Build):
        return replace(entry, unit=Unit(Kind.ARMY, entry.read.unit.province))
    doubts = {doubt.code for doubt in entry.doubts}
    if Doubt.BARE_UNIT in doubts and Doubt.MISSPELT not in doubts and entry.unit is not None:
        return name_alone(entry)
    return entry


def _void_bare_name(sheet: Sheet, entry: Entry) -> Entry:
    """A place named in winter, and no order beside it, builds nothing (`build_invalid`)."""
    if entry.status is not Status.VOID or not any(doubt.code is Doubt.BARE_UNIT for doubt in entry.doubts):
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
