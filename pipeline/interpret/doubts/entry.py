"""One line of a sheet on its way from ink to order, with everything that decided it."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from pipeline.board.position import Unit
from pipeline.interpret.doubts.because import Because
from pipeline.interpret.doubts.doubts import Doubt, Found
from pipeline.orders.notation import write
from pipeline.orders.order import Order
from pipeline.rules.rulings_book import Ruling, Situation
from pipeline.rules.toml.setting import Setting, rules_of
from pipeline.words import Told, sentences


class Status(StrEnum):
    """What the rules made of a line (CONTRACT, ``interpret``)."""

    CLEAR = "clear"  # it has one meaning, and that is followed
    AMBIGUOUS = "ambiguous"  # understood in two ways or more
    ILLEGAL = "illegal"  # understood, and not possible here
    INVALID = "invalid"  # not understood
    VOID = "void"  # no order, for no unit or of no effect
    ASK = "ask"  # the rules are silent, and the director must rule


@dataclass(frozen=True, slots=True)
class Line:
    """One written line, as the transcription or a person gives it."""

    number: int  # 1.., as on the sheet
    text: str
    struck_out: bool = False  # the whole line
    overwritten: bool = False  # a word stands over another


@dataclass(frozen=True, slots=True)
class Candidate:
    """An order that a line may mean, and what speaks for it or against it."""

    order: Order
    because: tuple[Told, ...]

    @property
    def reason(self) -> str:
        """The same in words."""
        return sentences(self.because)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One order as it was written, and what the tournament's rules make of it."""

    line: int
    text: str
    order: Order | None  # what will be adjudicated; None: no unit is ordered by it, or a person must rule
    status: Status
    settings: tuple[Setting[Any], ...]  # of the rules file: what decided the line; none where no rule was needed
    because: tuple[Told, ...]
    found: Found | None = None  # the doubt that keeps the line from being followed, where one does
    doubts: tuple[Found, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    unit: Unit | None = None  # the own unit it is about
    read: Order | None = None  # the one meaning that was read, followed or not
    also: tuple[int, ...] = ()  # the lines that continue the first one
    situation: Situation | None = None  # what the director is asked, where he is
    offered: Ruling | None = None  # what was ruled on it before; offered, never applied unasked
    by_itself: "Entry | None" = None  # what it would be if it did not share its line with a part that is not followed

    @property
    def reason(self) -> str:
        """Why it is taken so, in words."""
        return sentences(self.because)

    @property
    def rule(self) -> str:
        """The rules that decided it, "EDC96 8"; empty where no rule was needed, or the rules are silent."""
        return rules_of(self.settings)

    @property
    def is_implied(self) -> bool:
        """Whether nobody wrote the order: the rules take it from what another line, or this one, says of the unit."""
        return any(found.doubt is Doubt.IMPLIED for found in self.doubts)

    @property
    def is_supplied(self) -> bool:
        """Whether no line is about the unit, and another unit's line says what it is to do."""
        sources = [found for found in self.doubts if found.doubt is Doubt.IMPLIED]
        return any((found["line"], found["text"]) == (self.line, self.text) for found in sources)

    def __str__(self) -> str:
        order = write(self.order) if self.order is not None else "no order"
        rule = f" [{self.rule}]" if self.rule else ""
        return f"{self.text}: {self.status} {order}{rule} {self.reason}"


def with_setting(entry: Entry, setting: Setting[Any]) -> tuple[Setting[Any], ...]:
    """The settings that decided an entry, and one more."""
    return entry.settings if setting in entry.settings else (*entry.settings, setting)


def name_alone(entry: Entry) -> Entry:
    """A unit's name alone orders nothing: names stand printed on some sheets."""
    because = (Told.of(Because.NAME_ALONE),)
    return replace(entry, status=Status.VOID, order=None, settings=(), because=because, candidates=())


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One sheet: every order on it, and what follows for the units of its power."""

    entries: tuple[Entry, ...]
    orders: tuple[Order, ...]  # each once, in the order of the sheet
    unordered: tuple[Unit, ...]  # own units that no line orders
    remarks: tuple[Entry, ...] = ()  # what no single line is about: too few disbands, a missing retreat

    @property
    def needs_director(self) -> tuple[Entry, ...]:
        """The entries on which a person must rule."""
        return tuple(e for e in (*self.entries, *self.remarks) if e.status is Status.ASK)
