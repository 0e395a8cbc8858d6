"""The letters the net knows, and how written text is spelled in them.

Case and spaces carry no meaning in an order line, and every arrow is a dash: what remains is the *spelling* of a text.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct, field

LETTERS = "abcdefghijklmnopqrstuvwxyz-()/0123456789"
STRUCK = "#"  # the symbol for ink that was crossed out or written over
SIGN = "?"  # the symbol for signs that comment on a line (question marks and the like)
SIGNS = "?!*=&%@$^<"
ALONE = '+"'  # signs that are a word by themselves: a build, the same as above
SYMBOLS = LETTERS + STRUCK + SIGN + ALONE
AIR = "()/"  # kept in free readings, ignored when spellings are compared: Spa(sc) equals Spa sc
BLANK = 0  # the class between letters (Graves et al. 2006); letter k of SYMBOLS is class k + 1
CLASSES = len(SYMBOLS) + 1
CLASS_OF = {symbol: number for number, symbol in enumerate(SYMBOLS, start=1)}

DITTO = re.compile("[″〃“”„]|''|’’|´´")
ARROWS = re.compile(r"=*[-–—→➔>‐‑−]+")
ANY_SIGN = re.compile(f"[{re.escape(SIGNS)}]")
UNSPELLABLE = re.compile(r"[^a-z\-()/0-9#?+\"]")

Words = tuple[str, ...]  # the ways to write one part of a line, spelled


def spelling(text: str) -> str:
    """Reduce a text to the letters that the net distinguishes; accents are dropped.

    >>> spelling("A Vie -> Boh."), spelling("F StP (SC) – BOT")
    ('avie-boh', 'fstp(sc)-bot')
    >>> spelling("Égé"), spelling("Sué")
    ('ege', 'sue')
    >>> spelling("A Vie - Gal!"), spelling("+ F Lon"), spelling("〃 Bud - Ser")
    ('avie-gal?', '+flon', '"bud-ser')
    """
    plain = unicodedata.normalize("NFKD", text.lower().replace("ß", "ss"))
    dashed = ARROWS.sub("-", DITTO.sub('"', plain))
    return re.sub("-+", "-", UNSPELLABLE.sub("", ANY_SIGN.sub(SIGN, dashed)))


@lru_cache(maxsize=65536)
def bare(text: str) -> str:
    """Reduce a text to the form in which spellings are compared.

    >>> bare("F Spa(sc) - MAO") == bare("f spa/sc -> mao")
    True
    """
    return "".join(letter for letter in spelling(text) if letter not in AIR)


@lru_cache(maxsize=65536)
def spell_slot(slot: tuple[str, ...]) -> Words:
    """Spell the words of one slot; the empty word stays, for a slot that may be left out.

    >>> spell_slot(("", "A", "Army", "army"))
    ('', 'a', 'army')
    """
    return tuple(sorted({bare(text) for text in slot}))


def accepts(slots: Sequence[Words], text: str) -> bool:
    """Whether a spelled text is one of the spellings of a line."""
    ends = {0}
    for slot in slots:
        ends = behind(slot, text, ends)
        if not ends:
            return False
    return len(text) in ends


def behind(slot: Words, text: str, ends: Iterable[int]) -> set[int]:
    """The positions in a spelled text reachable behind a slot, given those before it.

    >>> behind(("", "vi", "vie"), "avie-boh", {1, 5})
    {1, 3, 4, 5}
    """
    return {end + length for length, words in _by_length(slot) for end in ends if text[end : end + length] in words}


@lru_cache(maxsize=65536)
def _by_length(slot: Words) -> tuple[tuple[int, frozenset[str]], ...]:
    """Group the words of a slot by length, so that a substring is looked up in one set."""
    return tuple((length, frozenset(w for w in slot if len(w) == length)) for length in sorted({*map(len, slot)}))


# A trie of lines, to find all lines that a text may be a spelling of.


class LineTree(Struct):
    """A trie (prefix tree) of lines by their slots.

    >>> tree = LineTree.of([(("a", ""), ("vie",), ("boh", "bohemia")), (("a",), ("vie", "vienna"), ("gal",))])
    >>> [sorted(tree.spelled_by(text)) for text in ("avieboh", "viebohemia", "aviennagal", "avie", "aviebohx")]
    [[0], [0], [1], [], []]
    """

    lines: list[int] = field(default_factory=list)  # indices of the lines that end here
    branches: "dict[Words, LineTree]" = field(default_factory=dict)

    @classmethod
    def of(cls, lines: Iterable[Iterable[Words]]) -> "LineTree":
        """Make the tree of some lines, each the ways to write its slots."""
        root = cls()
        for number, slots in enumerate(lines):
            here = root
            for slot in slots:
                here = here.branches.setdefault(slot, cls())
            here.lines.append(number)
        return root

    def spelled_by(self, text: str) -> set[int]:
        lines: set[int] = set()
        ways = [(self, {0})]  # positions in the text that each branch may have reached
        while ways:
            here, ends = ways.pop()
            if len(text) in ends:
                lines.update(here.lines)
            for slot, branch in here.branches.items():
                after = behind(slot, text, ends)
                if after:
                    ways.append((branch, after))
        return lines
