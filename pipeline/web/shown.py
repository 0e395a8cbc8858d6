"""What a page showed, and whether it is still so: nothing is decided from a stale page without a word.

The data of a page say what it shows, each thing by its name with a mark of how it is. An act brings back what its page
showed, and declares what it rests on; both are compared under the lock, and once more inside the transaction. If a
thing has changed since, the act is refused with both versions.
"""

import hashlib
import threading
from collections import OrderedDict

from msgspec import Struct, field

from pipeline.problems import ExitCode, Problem, Stopped, Weight

MOST_KEPT = 20_000  # versions that are remembered, to be shown beside the newer one: some 200 bytes each


class Version(Struct, frozen=True):
    """How a thing is now."""

    lines: tuple[str, ...]  # for people; none: there is no such thing
    beside: str = ""  # what tells it from another version that reads the same

    @property
    def mark(self) -> str:
        """A fingerprint of it; of a thing that is not there, the empty text."""
        if not self.lines and not self.beside:
            return ""
        return hashlib.blake2b(repr((self.lines, self.beside)).encode(), digest_size=8).hexdigest()


ABSENT = Version(())
Things = dict[str, Version]  # by names that people understand, such as "board 1.1"


class Changed(Struct, frozen=True):
    """A thing that is not as its page showed it."""

    what: str
    was: tuple[str, ...]  # as the page showed it; none where that is not known any more
    now: tuple[str, ...]
    mark: str  # of how it is now: who has seen both versions may decide


class StalePage(Stopped):
    """An act that rests on something that has changed since its page was shown; nothing was decided."""

    def __init__(self, changed: tuple[Changed, ...]) -> None:
        text = "this has changed since it was shown; nothing was decided. Look at it as it is now, and decide again"
        super().__init__((Problem(Weight.STOPS, text, each.what) for each in changed), ExitCode.STALE)
        self.changed = changed


class ShownVersions(Struct):
    """The versions that pages have shown, by their marks; the least recently shown are forgotten first."""

    kept: OrderedDict[str, tuple[str, ...]] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def marks_of(self, things: Things) -> dict[str, str]:
        """The mark of each thing, as a page takes it along; remembers the versions."""
        marks = {what: version.mark for what, version in things.items() if version != ABSENT}
        with self.lock:
            for what, mark in marks.items():
                self.kept[mark] = tuple(map(str, things[what].lines))
                self.kept.move_to_end(mark)
            while len(self.kept) > MOST_KEPT:
                self.kept.popitem(last=False)
        return marks

    def check(self, things: Things, brought: object) -> None:
        """Compare things as they are now with what a page says that it showed; raises `StalePage`."""
        marks = brought if isinstance(brought, dict) else {}
        changed = [(what, version) for what, version in things.items() if marks.get(what, "") != version.mark]
        if changed:
            self.marks_of(dict(changed))
            known = [str(marks.get(what, "")) for what, _ in changed]
            raise StalePage(
                tuple(
                    Changed(what, self.kept.get(mark, ()), tuple(map(str, version.lines)), version.mark)
                    for (what, version), mark in zip(changed, known, strict=True)
                )
            )
