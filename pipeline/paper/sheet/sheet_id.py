"""The name of one printed sheet: what its codes hold and what is printed beside them.

``WM26-0042-7KQ3F-Q`` is the event's code, a serial that no other sheet of the event has, the token of its print-out,
and a check character. Two folders that went on from the same facts print the same serials for other sheets: the token,
which is random, tells them apart.
"""

import re
from dataclasses import dataclass
from random import Random

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
TOKEN_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # no 0, 1, I, O: tokens are typed by hand
TOKEN_LENGTH = 5  # 33,554,432 tokens
LONGEST_EVENT = 16  # letters
LONGEST = 29  # letters of an id: what a version 2 code at level Q holds
WORDED = re.compile(
    rf"([A-Z0-9]{{1,{LONGEST_EVENT}}})-(\d{{4,10}})-(?:([{TOKEN_LETTERS}]{{{TOKEN_LENGTH}}})-)?([A-Z0-9])"
)


@dataclass(frozen=True, slots=True)
class SheetId:
    """One sheet of one event.

    >>> str(SheetId("WM26", 42, "7KQ3F"))
    'WM26-0042-7KQ3F-Q'
    >>> SheetId.read("WM26-0042-7KQ3F-Q")
    SheetId(event='WM26', serial=42, token='7KQ3F')
    """

    event: str  # capitals and digits
    serial: int  # 1.., unique in the event
    token: str = ""  # of the print-out; nothing on the test deck, and on sheets of before there were tokens

    @classmethod
    def read(cls, text: str) -> "SheetId":
        """Read an id back; a `ValueError` where it is none, or where the check character is wrong."""
        found = WORDED.fullmatch(text)
        if not found or len(text) > LONGEST:
            raise ValueError(f"{text!r} is not a sheet id; they look like WM26-0042-7KQ3F-Q")
        sheet = cls(found[1], int(found[2]), found[3] or "")
        if str(sheet) != text:
            raise ValueError(f"{text!r} has the check character {found[4]!r}; it should be {str(sheet)[-1]!r}")
        return sheet

    def __str__(self) -> str:
        name = "-".join(filter(None, (self.event, f"{self.serial:04d}", self.token)))
        return f"{name}-{check_character(name.replace('-', ''))}"


def new_token(random: Random) -> str:
    """Draw the token of a print-out.

    >>> len(new_token(Random(1)))
    5
    """
    return "".join(random.choices(TOKEN_LETTERS, k=TOKEN_LENGTH))


def check_character(text: str) -> str:
    """Work out the check character of ISO 7064 MOD 37,36: it shows every single wrong character and every swap.

    >>> check_character("A12425GABC1234002")
    'M'
    """
    total = 36
    for character in text:
        total = (total + ALPHABET.index(character)) % 36 or 36
        total = total * 2 % 37
    return ALPHABET[(37 - total) % 36]
