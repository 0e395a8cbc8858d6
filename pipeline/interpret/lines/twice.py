"""A unit with more than one order: the same again, or differently (row 6)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pipeline.board.position import Unit
from pipeline.interpret.doubts.because import by_rule
from pipeline.interpret.doubts.doubts import Doubt, Found
from pipeline.interpret.doubts.entry import Candidate, Entry, Status
from pipeline.interpret.lines.decide import NOT_FOLLOWED
from pipeline.interpret.lines.sheet import Sheet
from pipeline.orders.order import Hold
from pipeline.rules.toml.setting import Setting

NOT_POSSIBLE = frozenset({Status.ILLEGAL, Status.INVALID})


def judge_twice(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """Every unit that several lines order is judged by the rule for that; void lines are no orders."""
    done = list(entries)
    for unit in dict.fromkeys(entry.unit for entry in entries if entry.unit is not None):
        places = [i for i, e in enumerate(done) if e.unit == unit and not is_no_order(e)]
        if len(places) > 1:
            for place, entry in zip(places, judge_one(sheet, unit, [done[i] for i in places]), strict=True):
                done[place] = entry
    return done


def is_no_order(entry: Entry) -> bool:
    """A void line is no order; whether one that is struck out is, is asked by itself, whatever is written anew."""
    is_struck = entry.found is not None and entry.found.doubt is Doubt.STRUCK_OUT
    return entry.status is Status.VOID or (is_struck and entry.status is Status.ASK)


def judge_one(sheet: Sheet, unit: Unit, entries: list[Entry]) -> list[Entry]:
    """Judge the orders of one unit."""
    rules = sheet.tournament.reading
    reads = {entry.read for entry in entries}
    standing = {entry.order for entry in entries if entry.order is not None}  # a line may be held by itself
    if len(reads) == 1 and None not in reads and len(standing) < 2:
        return apply(sheet, rules.twice_same, unit, entries, Found.of(Doubt.TWICE_SAME, unit=str(unit)))
    found = Found.of(Doubt.TWICE_DIFF, unit=str(unit))
    if is_asked_what(entries):
        return ask(sheet, rules.twice_different, unit, entries, found)
    possible = [entry for entry in entries if entry.status not in NOT_POSSIBLE]
    if len({entry.read for entry in possible}) == 1 and len(possible) < len(entries):
        return apply(sheet, rules.twice_one_invalid, unit, entries, found)
    return apply(sheet, rules.twice_different, unit, entries, found)


def is_asked_what(entries: list[Entry]) -> bool:
    """Say whether the director's answer to one line may leave one order: it may be the other's, or none by itself."""
    asked = [entry for entry in entries if entry.status is Status.ASK]
    others = {entry.read for entry in entries if entry.status is not Status.ASK}
    if any(entry.found is not None and entry.found.doubt is Doubt.OVERWRITTEN for entry in asked):
        return True
    if asked and len({entry.line for entry in entries}) == 1:
        return True
    return bool(asked) and len(others) == 1 and all(others <= {c.order for c in e.candidates} for e in asked)


def ask(sheet: Sheet, setting: Setting[Any], unit: Unit, entries: list[Entry], found: Found) -> list[Entry]:
    """Leave it to the director which of the orders stand."""
    everything = {c.order: c for entry in entries for c in entry.candidates}
    if (otherwise := sheet.without_order(unit)) is not None:
        everything.setdefault(otherwise, Candidate(otherwise, NOT_FOLLOWED))
    asked = sheet.situation(setting, found, " / ".join(entry.text for entry in entries))
    return [
        replace(
            entry,
            status=Status.ASK,
            order=None,
            doubts=(*entry.doubts, found),
            settings=(setting,),
            because=(found, by_rule(setting.value)),
            found=found,
            candidates=tuple(everything.values()),
            situation=asked,
        )
        for entry in entries
    ]


def apply(sheet: Sheet, setting: Setting[Any], unit: Unit, entries: list[Entry], found: Found) -> list[Entry]:
    """Let the setting's value decide which of the orders stand."""
    because = (found, by_rule(setting.value))
    marked = [
        replace(e, doubts=(*e.doubts, found), settings=(setting,), because=because, found=found, situation=None)
        for e in entries
    ]
    match str(setting.value):
        case "once":
            return [
                replace(e, doubts=(*e.doubts, found), settings=(*e.settings, setting), because=(*e.because, *because))
                for e in entries
            ]
        case "hold":
            return [replace(e, status=Status.AMBIGUOUS, order=Hold(unit)) for e in marked]
        case "first":
            return [entries[0], *(replace(e, status=Status.VOID, order=None) for e in marked[1:])]
        case "last":
            return [*(replace(e, status=Status.VOID, order=None) for e in marked[:-1]), entries[-1]]
        case "possible":
            return [
                replace(m, status=Status.VOID, order=None) if e.status in NOT_POSSIBLE else e
                for m, e in zip(marked, entries, strict=True)
            ]
        case _:
            return ask(sheet, setting, unit, entries, found)
