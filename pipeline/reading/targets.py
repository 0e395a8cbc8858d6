"""A row of targets as a line: which place is ticked, beside which sign, and what is written."""

from collections.abc import Iterator, Mapping

from pipeline.reading.picture import Grey
from pipeline.reading.recogniser import Inked, Sure
from pipeline.reading.spoils import NO_SIGN, TOO_LITTLE, TOO_MUCH, TWO_TICKS
from pipeline.tournament.target_rows import TargetBox

HELPS = frozenset({"S", "C"})
Part = Sure | Inked


def parts_of(
    unit: str, signs: frozenset[str], targets: tuple[TargetBox, ...], written: Mapping[str, Grey]
) -> Iterator[Part]:
    """Put what is filled together in the order of the line; where it is no order, all of it, one after the other.

    A coast in the name of a box that is ticked is said of who goes there: not of an army, nor of who is to hold.
    """
    yield Sure(unit)
    helps = signs & HELPS
    if helps:
        yield from map(Sure, sorted(helps))
        yield from (Inked(written[name]) for name in ("of",) if name in written)
    no_coast = "C" in signs or ("S" in signs and "of" not in written)
    going: list[Part] = [Sure(box.province if no_coast else box.text) for box in targets]
    going += [Inked(written[name]) for name in ("of", "to") if name in written and not (helps and name == "of")]
    if going and (not helps or "of" in written):
        yield Sure(targets[0].goes if targets else "-")
    yield from going
    yield from (Sure("VIA" if sign == "via" else sign) for sign in sorted(signs - HELPS))


def doubts_of(signs: frozenset[str], targets: tuple[TargetBox, ...], written: frozenset[str]) -> tuple[str, ...]:
    """Find all that keeps a row of targets from being one order."""
    if not signs and not targets:
        return (NO_SIGN,)
    if len(signs) > 1 or len(targets) > 1:
        return (TWO_TICKS,)
    sign = next(iter(signs), "")
    goes = bool(targets) + ("to" in written)
    match sign:
        case "H" | "D":
            return (TOO_MUCH,) if goes or written else ()
        case "S" | "C":
            least = "of" in written if sign == "C" or not targets else True
            return (TOO_MUCH,) if goes > 1 else () if least and (goes or sign == "S") else (TOO_LITTLE,)
        case "via":
            return (TOO_MUCH,) if goes > 1 or "of" in written else () if goes else (TOO_LITTLE,)
        case _:
            return (TOO_MUCH,) if written else ()
