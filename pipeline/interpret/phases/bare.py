"""Units that are named in winter with nothing else: what is due says what can only be meant (row 34)."""

from collections.abc import Sequence
from dataclasses import replace

from pipeline.interpret.doubts.because import DIRECTOR_RULES, Because
from pipeline.interpret.doubts.doubts import Doubt, Found
from pipeline.interpret.doubts.entry import Candidate, Entry, Status, name_alone
from pipeline.interpret.language.written import BareUnit, Builds, Disbands, Written
from pipeline.interpret.lines.reading import Draft, Reading
from pipeline.interpret.lines.sheet import Sheet
from pipeline.orders.order import Build, Disband, Order, Waive
from pipeline.words import Told


def as_due(written: Written, due: int) -> Written:
    """Read a name alone as what is due: a build above nought, a disbanding below."""
    if not isinstance(written.shape, BareUnit) or written.shape.unit.place is None or due == 0:
        return written
    shape = Builds(written.shape.unit) if due > 0 else Disbands(written.shape.unit)
    return replace(written, shape=shape)


def noted_as_bare(draft: Draft) -> Draft:
    """Put down that nobody wrote what becomes of the unit."""
    return draft.noted((Found.of(Doubt.BARE_CHANGE, text=draft.written.text),))


def weigh_names(sheet: Sheet, drafts: Sequence[Draft], entries: Sequence[Entry], due: int) -> list[Entry]:
    """A name is an order for what no other line orders; where all that is due is written, it is only a name.

    Where more are named than are left to be done the director rules: some sheets have all units printed on them.
    """
    meant = {number: only_reading(draft).order for number, draft in enumerate(drafts) if is_name(draft)}
    written = {e.order for number, e in enumerate(entries) if number not in meant and is_change(e.order)}
    waivers = sum(isinstance(entry.order, Waive) for entry in entries) if due > 0 else 0
    left = abs(due) - len(written) - waivers
    named = set(meant.values()) - written
    done = list(entries)
    why = Told.of(Because.NAMED_AND_DUE, named=len(named), due=left)
    for number, order in meant.items():
        if left <= 0 or order in written:
            done[number] = name_alone(entries[number])
        elif len(named) > left:
            done[number] = one_of_too_many(sheet, entries[number], order, why)
    return done


def only_reading(draft: Draft) -> Reading:
    """What a name can be meant for, the first of several."""
    return next(reading for reading in draft.readings if reading.is_possible)


def is_name(draft: Draft) -> bool:
    """Say whether a line is the name of a unit and nothing else."""
    return any(found.doubt is Doubt.BARE_CHANGE for found in draft.notes)


def is_change(order: Order | None) -> bool:
    """Say whether an order builds or disbands."""
    return isinstance(order, Build | Disband)


def one_of_too_many(sheet: Sheet, entry: Entry, order: Order, why: Told) -> Entry:
    """More units are named than there is anything to do with."""
    setting = sheet.tournament.adjustments.bare_unit
    found = next(each for each in entry.doubts if each.doubt is Doubt.BARE_CHANGE)
    return replace(
        entry,
        order=None,
        status=Status.ASK,
        settings=(setting,),
        because=(found, why, DIRECTOR_RULES),
        found=found,
        candidates=(Candidate(order, (Told.of(Because.IF_MEANT),)),),
        situation=sheet.situation(setting, found, entry.text),
    )
