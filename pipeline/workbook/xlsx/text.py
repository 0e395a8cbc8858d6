"""Text that is safe in a cell: no character XML forbids, nothing that a spreadsheet program takes for a formula."""

import re
from dataclasses import dataclass, field

from pipeline.problems import Problem, Weight

FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, production 2
LONGEST = 32767  # characters in a cell, Excel's own limit


@dataclass(slots=True)
class Losses:
    """What could not be written as it was given: collected while the sheets are made, shown at the end."""

    found: list[Problem] = field(default_factory=list)

    def clean(self, text: str, where: str) -> str:
        r"""Leave out what a cell cannot hold, and say so.

        >>> losses = Losses()
        >>> losses.clean("Bob\x07", "Players!B4")
        'Bob'
        >>> print(*losses.found)
        notes  Players!B4: 'Bob\x07' holds 1 character that no workbook can; it is left out (U+0007)
        """
        text = text.replace("\r\n", "\n").replace("\r", "\n")  # XML 1.0, 2.11: what reads it knows one end of a line
        bad = FORBIDDEN.findall(text)
        if bad:
            named = ", ".join(f"U+{ord(c):04X}" for c in sorted(set(bad)))
            many = (
                "1 character that no workbook can; it is"
                if len(bad) == 1
                else f"{len(bad)} that no workbook can; they are"
            )
            self.note(f"{text[:40]!r} holds {many} left out ({named})", where)
            text = FORBIDDEN.sub("", text)
        if len(text) > LONGEST:
            self.note(f"{len(text)} characters, a cell holds {LONGEST}; the rest is left out", where)
            text = text[:LONGEST]
        return text

    def note(self, text: str, where: str) -> None:
        """Note one loss."""
        self.found.append(Problem(Weight.NOTES, text, where))


def looks_like_a_formula(text: str) -> bool:
    """Say whether a spreadsheet program would take typed text for a formula: such cells get a quote prefix.

    >>> [looks_like_a_formula(name) for name in ("=1+1", "-Bob", "@SUM", "Bob", "+1-555", "'tis")]
    [True, True, True, False, True, True]
    """
    return text[:1] in tuple("=+-@'\t\r\n")
