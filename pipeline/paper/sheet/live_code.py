"""The code on a sheet that a telephone opens: the address of the public pages, and which sheet it is.

It is in capitals: so a QR code holds half as much again, and neither the scheme nor a host minds. It is no code of the
sheet: a reader that sees it knows nothing more than before, and so must not take it for a stranger's.
"""

import re

from pipeline.ink import Box
from pipeline.paper.sheet.sheet_id import SheetId

PATH = "/LIVE/"
LONGEST = 60  # letters of an address; with a sheet's id a code of 14 mm has squares of 0.4 mm then
ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?")
ON_A_SHEET = re.compile(r"https?://[A-Z0-9.-]+(?::[0-9]{1,5})?/LIVE/([A-Z0-9-]+)", re.IGNORECASE)


def address_fault(text: str) -> str:
    """Say what is wrong with an address of the public pages; nothing: it is one.

    >>> address_fault("http://192.168.1.20:8040"), address_fault("https://moot.example.org")
    ('', '')
    >>> address_fault("192.168.1.20")
    "expected an address such as 'http://192.168.1.20:8040', without a path, found '192.168.1.20'"
    """
    if not ADDRESS.fullmatch(text):
        return f"expected an address such as 'http://192.168.1.20:8040', without a path, found {text[:LONGEST]!r}"
    return f"expected at most {LONGEST} letters" if len(text) > LONGEST else ""


def live_text(address: str, sheet: SheetId) -> str:
    """What the code on a sheet says.

    >>> live_text("http://192.168.1.20:8040", SheetId("WM26", 42))
    'HTTP://192.168.1.20:8040/LIVE/WM26-0042-V'
    """
    return f"{address}{PATH}{sheet}".upper()


def is_live(text: str) -> bool:
    """Whether a code that was read is one for telephones.

    >>> is_live("HTTP://192.168.1.20:8040/LIVE/WM26-0042-V"), is_live("WM26-0042-V"), is_live("https://a.org/LIVE/X")
    (True, False, False)
    """
    found = ON_A_SHEET.fullmatch(text)
    try:
        return found is not None and bool(SheetId.read(found[1].upper()))
    except ValueError:
        return False


def live_box(width: float, height: float, *, marker: float, margin: float, gap: float, side: float) -> Box:
    """Where the code is: beside the marker at the bottom right, as large as the sheet's own code at the bottom left."""
    left = width - margin - marker - gap - side
    return Box(round(left, 3), round(height - margin - side, 3), side, side)
