"""Whether a copy has facts that the event lacks: then its folder is outdated, or it was continued in two places."""

import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from pipeline.ledger.copies import (
    PLACE_ENDS,
    UNREADABLE,
    Copy,
    InPlace,
    Spoilt,
    contains_tip,
    facts_to_read,
    is_whole,
    look_in,
    of_event,
)
from pipeline.ledger.events import EventRestored
from pipeline.ledger.facts import FACTS
from pipeline.ledger.ledger import Ledger
from pipeline.ledger.verification import Tip

MOMENT_S = 0.5  # how long a command waits for an answer from a second place


_asked: dict[tuple[Path, str], threading.Thread] = {}  # the last look of each sort at each second place


T = TypeVar("T")


class Unread(Struct, frozen=True):
    """A copy that cannot be read, and may have facts that the event lacks."""

    folder: Path
    fault: str
    after: int  # so many facts were in the event's last copy before it


class Newer(Struct, frozen=True):
    """The copies with facts that the event lacks."""

    copy: Copy | None = None  # that with most facts
    unread: tuple[Unread, ...] = ()

    @property
    def common(self) -> int:
        """How many facts the event had before the copies that cannot be read."""
        return max((each.after for each in self.unread), default=0)


class _CopiesOfPlace(Struct, frozen=True):
    """The copies of an event in one place, compared with its facts."""

    held: tuple[Copy, ...]  # earlier states of it
    others: tuple[Copy, ...]  # oldest first
    spoilt: tuple[Spoilt, ...]  # that are not known to be earlier states of it
    restored: Tip | None  # its last restoration


def newer_copies(facts: Ledger, folder: Path, second: Path | None) -> Newer:
    """The copies in sight with facts that the event lacks, or that cannot be read and may have such facts.

    In sight are the copies beside the event's folder and those in its second place, if that answers within a moment.
    """
    by_place = [_newer_among(_compare(facts, each)) for each in _copies_by_place(folder.resolve().parent)]
    if second is not None:
        there = second.absolute()
        compared = [
            _compare(facts, each) for each in within_a_moment(there, "list", lambda: _copies_by_place(there)) or ()
        ]
        if any(each.others or each.spoilt for each in compared):
            answer = within_a_moment(there, "read", lambda: [_newer_among(each) for each in compared])
            by_place += answer or [_newer_among(each, reads=False) for each in compared]
    copies = [each.copy for each in by_place if each.copy is not None]
    newest = max(copies, key=lambda copy: copy.tip.facts, default=None)
    return Newer(newest, tuple(unread for each in by_place for unread in each.unread))


def _copies_by_place(folder: Path) -> list[InPlace]:
    return [look_in(place) for place in sorted(folder.glob(f"*{PLACE_ENDS}"))]


def within_a_moment(folder: Path, sort: str, look: Callable[[], T]) -> T | None:
    """What a look at a second place finds; None if it does not answer within a moment, or has not answered one yet.

    Looks of another sort are not kept waiting: copies may be listed where reading them takes long.
    """
    answers: list[T] = []

    def work() -> None:
        with suppress(*UNREADABLE):
            answers.append(look())

    before = _asked.get((folder, sort))
    if before is not None and before.is_alive():
        return None
    asking = _asked[folder, sort] = threading.Thread(target=work, daemon=True)
    asking.start()
    asking.join(MOMENT_S)
    return answers[0] if answers else None


def _compare(facts: Ledger, in_place: InPlace) -> _CopiesOfPlace:
    """Compare the copies in a place with an event's facts; only these are read."""
    here, restored = facts.snapshot(), facts.newest(EventRestored)
    identity = here.tip().identity
    mine = of_event(in_place.copies, identity)
    held = tuple(copy for copy in mine if here.has(copy.tip))
    spoilt = tuple(each for each in in_place.spoilt if each.is_of(identity) and not (each.tip and here.has(each.tip)))
    tip = here.tip(restored) if restored else None
    return _CopiesOfPlace(held, tuple(copy for copy in mine if copy not in held), spoilt, tip)


def _newer_among(compared: _CopiesOfPlace, *, reads: bool = True) -> Newer:
    """The newest copy in one place with facts that the event lacks, and those that may have such facts.

    Copies from before the last restoration (`EventRestored`) are left out: their numbers are smaller than that of the
    first copy since, and that restoration is not in them. Without ``reads`` no file of a copy is opened (a slow place).
    """
    restored = compared.restored
    since: int | None = None
    if restored is not None:
        since = min((copy.number for copy in compared.held if copy.tip.facts >= restored.facts), default=None)
    newest, unread = None, []
    for copy in reversed(compared.others):
        if restored is not None and not (
            (since is not None and copy.number > since)
            or (reads and _goes_on_from(copy, restored, unsure=since is None))
        ):
            continue
        if reads and not is_whole(copy):
            unread.append(_unread(compared, copy.folder, copy.number, "its files are not what was copied"))
        elif newest is None:
            newest = copy
    unread += [
        _unread(compared, each.folder, each.number, each.fault)
        for each in compared.spoilt
        if since is None or each.number > since
    ]
    return Newer(newest, tuple(unread))


def _goes_on_from(copy: Copy, tip: Tip, *, unsure: bool) -> bool:
    """Whether a copy contains a fact of the event; ``unsure`` is the answer if it cannot be read."""
    if copy.tip.facts < tip.facts:
        return False
    try:
        with closing(facts_to_read(copy.folder / FACTS)) as connection:
            return contains_tip(connection, tip)
    except UNREADABLE:
        return unsure


def _unread(compared: _CopiesOfPlace, folder: Path, number: int, fault: str) -> Unread:
    """A copy that cannot be read, with how many facts the event had when the copy before it was made."""
    before = [copy.tip.facts for copy in compared.held if copy.number < number]
    beginning = compared.restored.facts if compared.restored else 0
    return Unread(folder, fault, max(before, default=beginning))
