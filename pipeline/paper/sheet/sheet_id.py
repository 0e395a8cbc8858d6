"""The name of one printed sheet: what its codes hold and what is printed beside them.

``WM26-0042-V`` is the event's code, a serial that no other sheet of the event has, and a check character.
"""

import re
from dataclasses import dataclass

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LONGEST_EVENT = (
    16  # a version 2 code at level Q holds 29 alphanumerics: event, hyphen, serial of up to 10, hyphen, check
)


@dataclass(frozen=True, slots=True)
class SheetId:
    """One sheet of one event.

    >>> str(SheetId("WM26", 42))
    'WM26-0042-V'
    >>> SheetId.read("WM26-0042-V")
    SheetId(event='WM26', serial=42)
    """

    event: str  # capitals and digits
    serial: int  # 1.., unique in the event

    @classmethod
    def read(cls, text: str) -> "SheetId":
        """Read an id back; a `ValueError` where it is none, or where the check character is wrong."""
        found = re.fullmatch(r"([A-Z0-9]{1,16})-(\d{4,10})-([A-Z0-9])", text)
        if not found:
            raise ValueError(f"{text!r} is not a sheet id; they look like WM26-0042-V")
        sheet = cls(found[1], int(found[2]))
        if str(sheet) != text:
            raise ValueError(f"{text!r} has the check character {found[3]!r}; it should be {str(sheet)[-1]!r}")
        return sheet

    def __str__(self) -> str:
        name = f"{self.event}-{self.serial:04d}"
        return f"{name}-{check_character(name.replace('-', ''))}"


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
