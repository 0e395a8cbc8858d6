"""Numbers and dots in front of the names of a list."""

import re
from collections.abc import Sequence
from itertools import pairwise

COUNT = re.compile(
    r"(?:(?:[Nn][ro]?|NO|NR)[.°º] *)?"
    r"[(#\[]?(?:(\d{1,4})(?:(?:st|nd|rd|th)?[.):/\]º°ª、．]* *(?:[-–—] +)?(?<!\d))|"
    r"([ivxIVX]+)[.)]+ *|([a-zA-Z])\) *)(?=\S)"
)
ORDINAL = re.compile(r"\d{1,3}[.)] *[^\W\d]")
BULLET = re.compile(r"(?:[-*•·‣–—▪◦●○■□☐☑✓✔✅→➔➤▶►>]|\[[xX ]?\])(?:[-*•·‣–—▪◦●○■□☐☑✓✔✅→➔➤▶►> ]|\[[xX ]?\])*(?=\S)")
UNTICKED = re.compile(r"[-*• ]*(?:[☐□]|\[ ?\])")
TICKED = re.compile(r"[-*• ]*(?:[☑✓✔✅]|\[[xX]\])")
ROMAN = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")


def _count_in_front(name: str) -> int:
    """The number in front of a name, in digits, as a Roman number or as a letter; -1 if there is none."""
    match = COUNT.match(name)
    if not match:
        return -1
    digits, roman, letter = (each or "" for each in match.groups())
    if roman:
        tens = len(roman) - len(roman.lower().lstrip("x"))
        ones = roman.lower()[tens:]
        return 10 * tens + ROMAN.index(ones) if ones in ROMAN else -1
    return int(digits) if digits else ord(letter.lower()) - ord("a") + 1


def text_behind(mark: re.Pattern[str], text: str) -> str:
    """A text without the mark that it begins with; one that begins otherwise stays, whatever is in it.

    >>> text_behind(BULLET, "- Jean-Luc"), text_behind(BULLET, "Jean-Luc")
    ('Jean-Luc', 'Jean-Luc')
    """
    in_front = mark.match(text)
    return text[in_front.end() :] if in_front else text


def is_counted(text: str) -> bool:
    """Whether a number of a list stands in front of a text, or a dot."""
    return bool(COUNT.match(text) or BULLET.match(text))


def is_dashed_name(text: str) -> bool:
    """Whether a dash or a dot stands in front of what may be a name, and not of a remark: "- bring clocks"."""
    return bool(BULLET.match(text)) and not text_behind(BULLET, text)[:1].islower()


def _behind_dash(text: str) -> str:
    return text_behind(BULLET, text) if is_dashed_name(text) else text


def drop_counts(names: Sequence[str]) -> tuple[list[str], str]:
    """Names without the numbers or dots of a numbered list, and which of both stood there; unchanged if it is none.

    >>> drop_counts(["1. Ada Lund", "2. Bo Ek"]), drop_counts(["- Ada", "- Bo"])[0], drop_counts(["7 Ada", "Bo Ek"])[1]
    ((['Ada Lund', 'Bo Ek'], 'numbers'), ['Ada', 'Bo'], '')
    >>> [drop_counts(names)[0] for names in (["I. Ada Lund", "II. Bo Ek"], ["a) Ada", "b) Bo"], ["A. Ek", "B. Ho"])]
    [['Ada Lund', 'Bo Ek'], ['Ada', 'Bo'], ['A. Ek', 'B. Ho']]

    More than half of the names have one, and more than half of those go on by one. Part of a longer list has all.

    >>> [drop_counts(row.split("/"))[1] for row in ("1. A/2. B/C", "1. A/2. B/C/D", "- A/- B/C", "- A/B")]
    ['numbers', '', 'dots', '']
    >>> [drop_counts(row.split("/"))[1] for row in ("1. A/2. B/3. C/7. D", "1. A/2. B/7. C", "0. A/1. B", "2. A/3. B")]
    ['numbers', '', 'numbers', '']
    >>> drop_counts(["Hi", "here", "1. A", "2. B", "3. C", "so long", "Jo"])[0][2:4]
    ['A', 'B']
    >>> [drop_counts(row.split("/"))[1] for row in ("2. A/3. B/4. C", "2. A/3. B/4. C/D", "2. A/3. B/4. C/6. D")]
    ['numbers', '', '']
    """
    in_front = [_count_in_front(name) for name in names]
    block = [n for n, count in enumerate(in_front) if count >= 0]
    counts = [in_front[n] for n in block]
    steps = [after - before for before, after in pairwise(counts)]
    is_part = len(counts) == len(names) > 2 and steps.count(1) == len(steps)  # of a longer list
    is_block = len(counts) > 2 and counts[0] <= 1 and steps.count(1) == len(steps) == block[-1] - block[0]
    if is_block:  # between lines of a letter
        return [
            text_behind(COUNT, name) if n in block else _behind_dash(name) for n, name in enumerate(names)
        ], "numbers"
    if len(counts) * 2 > len(names) and (counts[0] <= 1 or is_part) and steps.count(1) * 2 > len(steps):
        return [_behind_dash(name) if BULLET.match(name) else text_behind(COUNT, name) for name in names], "numbers"
    dotted = [n for n, name in enumerate(names) if BULLET.match(name)]
    is_block = len(dotted) > 2 and dotted[-1] - dotted[0] == len(dotted) - 1
    if len(dotted) * 2 > len(names) or is_block:
        return [text_behind(BULLET, name) for name in names], "dots"
    return list(names), ""


def find_number_cells(rows: Sequence[Sequence[str]]) -> bool:
    """Whether each row begins with a cell that only numbers it; some may have nothing else.

    >>> find_number_cells([["1.", "Ada Lund"], ["2.", "Bo Ek"], ["3."]]), find_number_cells([["1. Ada Lund", "Owls"]])
    (True, False)
    >>> find_number_cells([["1"], ["2"]])
    False
    """
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    if all(len(row) < 2 for row in cells) or any(text_behind(COUNT, f"{row[0]} x") != "x" for row in cells):
        return False
    return drop_counts([f"{row[0]} x" for row in cells])[1] == "numbers"
