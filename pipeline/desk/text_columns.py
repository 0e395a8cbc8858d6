"""Texts that hold a list of players without a sign between columns: in columns of blanks, quoted, as mail addresses."""

import re
from email.utils import getaddresses
from itertools import pairwise

GAP = re.compile(r"\S {2,}\S")
GAPS = re.compile(r"(?<! ) {2,}")
FEWEST_COLUMNS = 3  # that need not stand below each other
QUOTE_MARKS = re.compile(r"[ >]*>[ >]*")
BETWEEN_ADDRESSES = re.compile(r">[ \r\n]*[,;]")
FEWEST_LINES = 3  # with columns of blanks


def without_quote_marks(text: str) -> str:
    r"""A text without the ``>`` in front of its lines, where half of them or more are quoted.

    >>> without_quote_marks("Ann wrote:\n> Ada Lund\n>> Bo Ek\n>\n> Cy Dee"), without_quote_marks("a > b\n> c\nd")
    ('Ann wrote:\nAda Lund\nBo Ek\n\nCy Dee', 'a > b\n> c\nd')
    """
    lines = text.split("\n")
    quoted = sum(line.startswith(">") for line in lines)
    if not quoted or quoted * 2 < sum(bool(line.strip()) for line in lines):
        return text
    return "\n".join(line[mark.end() :] if (mark := QUOTE_MARKS.match(line)) else line for line in lines)


def names_of_addresses(text: str) -> list[str]:
    """The names in a list of mail addresses with commas between, as a mail has those to whom it goes; or nothing.

    >>> names_of_addresses('Ada Lund <ada@x.example>, "Ek, Bo" <bo@x.example>, cy@x.example')
    ['Ada Lund', 'Ek, Bo', 'cy@x.example']
    >>> names_of_addresses("Bo Ek, Cy Dee")
    []
    """
    if not BETWEEN_ADDRESSES.search(text) or any("@" not in line for line in text.splitlines() if line.strip()):
        return []
    entries = getaddresses([" ".join(text.replace(";", ",").split())])
    if any("@" not in address for _, address in entries):
        return []
    return [name or address for name, address in entries]


def part_at_gaps(text: str) -> list[list[str]]:
    r"""The rows of a text whose columns stand below each other with blanks between; nothing if it has none.

    >>> part_at_gaps("Name      Club  Land\nAda Lund  Owls  N\nBo Ek           S\nCy Dee    Bats")
    [['Name', 'Club', 'Land'], ['Ada Lund', 'Owls', 'N'], ['Bo Ek', '', 'S'], ['Cy Dee', 'Bats', '']]
    """
    lines = [line.rstrip() for line in text.split("\n")]
    parts = [GAPS.split(line.strip()) for line in lines if line]
    if len(parts) >= FEWEST_LINES and len({*map(len, parts)}) == 1 and len(parts[0]) >= FEWEST_COLUMNS:
        return [GAPS.split(line.strip()) if line else [""] for line in lines]
    wide = [line for line in lines if GAP.search(line)]
    if len(wide) < FEWEST_LINES or 2 * len(wide) < sum(map(bool, lines)):
        return []
    length = max(map(len, wide))
    is_blank = [all(line[n : n + 1] in ("", " ") for line in wide) for n in range(length)]
    starts = [n for n in range(2, length) if not is_blank[n] and is_blank[n - 1] and is_blank[n - 2]]
    if not starts or not any(is_blank[: starts[0]]):
        return []
    bounds = [0, *starts, length]
    return [
        [line[begin:end].strip() for begin, end in pairwise(bounds)] if _is_in_columns(line, starts) else [line.strip()]
        for line in lines
    ]


def _is_in_columns(line: str, starts: list[int]) -> bool:
    """Whether a blank stands in a line before each column that it reaches."""
    return all(line[start - 1] == " " for start in starts if start < len(line))
