"""The letters the net knows, and how written text is spelled in them.

Case and spaces carry no meaning in an order line, and every arrow is a dash: what remains is the *spelling* of a text.
"""

import re
import unicodedata

LETTERS = "abcdefghijklmnopqrstuvwxyz-()/0123456789"
STRUCK = "#"  # ink that was crossed out or written over: nothing a word can be spelled with
SYMBOLS = LETTERS + STRUCK
AIR = "()/"  # seen, and kept in free readings; where spellings are compared, silent as a full stop: Spa(sc) is Spa sc
BLANK = 0  # the class between letters (Graves et al. 2006); letter k of SYMBOLS is class k + 1
CLASSES = len(SYMBOLS) + 1
CLASS_OF = {symbol: number for number, symbol in enumerate(SYMBOLS, start=1)}

ARROWS = re.compile(r"[-–—→➔>‐‑−]+")
UNSPELLABLE = re.compile(r"[^a-z\-()/0-9#]")


def spelling(text: str) -> str:
    """Reduce a text to what the net can tell apart; accents are air to it.

    >>> spelling("A Vie -> Boh."), spelling("F StP (SC) – BOT")
    ('avie-boh', 'fstp(sc)-bot')
    >>> spelling("Égé"), spelling("Sué")
    ('ege', 'sue')
    """
    plain = unicodedata.normalize("NFKD", text.lower().replace("ß", "ss"))
    dashed = ARROWS.sub("-", plain)
    return re.sub("-+", "-", UNSPELLABLE.sub("", dashed))


def bare(text: str) -> str:
    """Reduce a text to what spellings are compared by.

    >>> bare("F Spa(sc) - MAO") == bare("f spa/sc -> mao")
    True
    """
    return "".join(letter for letter in spelling(text) if letter not in AIR)
