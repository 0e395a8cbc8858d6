"""Which of many lines a text may be a spelling of: all are asked at once, and what they begin with alike only once."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pipeline.reading.net.alphabet import Words, behind


@dataclass(slots=True)
class LineTree:
    """Lines by their slots: those that begin alike stand on one branch.

    >>> tree = LineTree.of([(("a", ""), ("vie",), ("boh", "bohemia")), (("a",), ("vie", "vienna"), ("gal",))])
    >>> [sorted(tree.spelled_by(text)) for text in ("avieboh", "viebohemia", "aviennagal", "avie", "aviebohx")]
    [[0], [0], [1], [], []]
    """

    lines: list[int] = field(default_factory=list)  # that end here, by their place among the given ones
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
        """The lines that a spelled text is one of the spellings of."""
        found: set[int] = set()
        ways = [(self, {0})]  # how far along the text one may have come on each branch
        while ways:
            here, ends = ways.pop()
            if len(text) in ends:
                found.update(here.lines)
            for slot, branch in here.branches.items():
                after = behind(slot, text, ends)
                if after:
                    ways.append((branch, after))
        return found
