"""The rulings book: what the director has ruled where the rules are silent, who, why, and when; offered the next time.

A situation is the doubt, the switch that left it open, and its context in normal form: the same question comes back
with another board and another power, and is the same situation. The rulings themselves are facts of the event.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import escape
from itertools import groupby

from msgspec import Struct
from msgspec.structs import force_setattr

INK = "ink"  # instead of a switch: the reader was not sure, and no rule is about that
CONTEXTS = 10_000  # that are kept in memory in normal form: the same case comes again and again
BLANKS = re.compile(r"\s+")
DASHES = re.compile(r"(?:(?<!\s)\s+)?(?:->|→|–|—|-)\s*")


@lru_cache(maxsize=CONTEXTS)
def _normal(context: str) -> str:
    """Bring a context into normal form: capitals, blanks and dashes do not make another situation of it.

    >>> _normal("  A fin–Nor "), _normal("A FIN -> nor")
    ('a fin - nor', 'a fin - nor')
    """
    return BLANKS.sub(" ", DASHES.sub(" - ", context.casefold())).strip()


class Situation(Struct, frozen=True, order=True):
    """What was doubtful, independent of board, power and season."""

    doubt: str  # "UNIT_LETTER"
    switch: str  # "reading.letter_wrong": the switch whose value was `ask`
    context: str = ""  # what makes it this case: "A written for F"; empty: it holds for all of them

    def __post_init__(self) -> None:
        force_setattr(self, "context", _normal(self.context))

    def __str__(self) -> str:
        return f"{self.doubt} ({self.switch}){f': {self.context}' if self.context else ''}"


class Ruling(Struct, frozen=True, kw_only=True):
    """One decision of a director."""

    situation: Situation
    decision: str  # a value of the switch ("followed"), or an order in canonical notation
    by: str
    asked: str = ""  # the doubt in words, as the director saw it: "'A Lon-Nth', but a fleet stands in London"
    why: str = ""
    when: str  # date and time in ISO 8601, so that the newest sorts last
    case: str = ""  # where it came up: "board 3, S1902M, line 4"; never a player's name


class RulingsBook(Struct, frozen=True):
    """All rulings of one event, in the order in which they were made."""

    rulings: tuple[Ruling, ...] = ()

    def on(self, situation: Situation) -> tuple[Ruling, ...]:
        """List what was ruled on a situation before, the newest first; a ruling without context is about every case."""
        whole = Situation(situation.doubt, situation.switch)
        rulings = [ruling for ruling in reversed(self.rulings) if ruling.situation in (situation, whole)]
        return tuple(sorted(rulings, key=lambda ruling: (ruling.situation == situation, ruling.when), reverse=True))

    def like(self, situation: Situation) -> tuple[Ruling, ...]:
        """List what was ruled in other cases of the same doubt, the newest first."""
        same, holding = (situation.doubt, situation.switch), self.on(situation)
        alike = [each for each in reversed(self.rulings) if (each.situation.doubt, each.situation.switch) == same]
        others = dict.fromkeys(each for each in alike if each not in holding)
        return tuple(sorted(others, key=lambda ruling: ruling.when, reverse=True))

    def offer(self, situation: Situation) -> Ruling | None:
        """Offer the ruling that holds for a situation: the newest for just this case, else the newest for all."""
        return next(iter(self.on(situation)), None)


def _by_situation(rulings: Iterable[Ruling]) -> Iterator[tuple[Situation, tuple[Ruling, ...]]]:
    """Group rulings by situation, each group oldest first."""
    ordered = sorted(rulings, key=lambda ruling: (ruling.situation, ruling.when))
    for situation, group in groupby(ordered, key=lambda ruling: ruling.situation):
        yield situation, tuple(group)


def write_rulings_book(book: RulingsBook, title: str) -> str:
    """Write the book as plain text, to be read aloud or sent."""
    lines = [title, "=" * len(title), ""]
    if not book.rulings:
        lines.append("No rulings yet.")
    for situation, rulings in _by_situation(book.rulings):
        lines.append(_name_situation(situation, rulings))
        lines += [f"  {_write_ruling(ruling)}" for ruling in rulings]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _name_situation(situation: Situation, rulings: tuple[Ruling, ...]) -> str:
    """Name a situation as the director saw it last, with its code."""
    asked = next((ruling.asked for ruling in reversed(rulings) if ruling.asked), "")
    return f"{asked} [{situation}]" if asked else str(situation)


def _write_ruling(ruling: Ruling) -> str:
    because = f", because {ruling.why}" if ruling.why else ""
    case = f" [{ruling.case}]" if ruling.case else ""
    return f"{ruling.when.replace('T', ' ')}  {ruling.decision}: {ruling.by}{because}{case}"


def as_html(book: RulingsBook, title: str) -> str:
    """Write the book as a page to print and hang up, complete in itself."""
    rows = []
    for situation, rulings in _by_situation(book.rulings):
        for place, ruling in enumerate(rulings):
            first = (
                f'<th scope="rowgroup" rowspan="{len(rulings)}">{escape(_name_situation(situation, rulings))}</th>'
                if place == 0
                else ""
            )
            cells = (ruling.decision, ruling.why, ruling.by, ruling.when.replace("T", " "), ruling.case)
            rows.append(f"<tr>{first}{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>")
    body = "\n".join(rows) or '<tr><td colspan="6">No rulings yet.</td></tr>'
    return PAGE.format(title=escape(title), rows=body)


PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
@page {{ margin: 15mm }}
body {{ font: 12pt/1.4 sans-serif; color: #000 }}
table {{ border-collapse: collapse; width: 100% }}
th, td {{ border: 0.3mm solid #777; padding: 1.5mm 2mm; text-align: left; vertical-align: top }}
thead th {{ background: #eee }}
tr {{ break-inside: avoid }}
</style>
</head>
<body>
<h1>{title}</h1>
<table>
<thead><tr><th>Situation</th><th>Ruling</th><th>Why</th><th>By</th><th>When</th><th>Came up</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
</body>
</html>
"""
