"""What players do to a plain order: the rows of `phrases.toml`."""

import tomllib
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from pathlib import Path

from benchmarks.line_grammar.contexts import ALSO, WORDS, Context
from benchmarks.line_grammar.situations import BOARD
from benchmarks.line_grammar.written import Written
from pipeline.board import province_of

_MOVEMENT = frozenset(("hold", "move", "support", "attack", "convoy", "convoyed"))
_KINDS = {"all": _MOVEMENT | {"retreat", "disband", "build", "remove"}, "movement": _MOVEMENT}
# A row that writes the whole line anew leaves no room for these.
_REWRITTEN = {"front", "letter", "middle", "inner", "end", "of_front", "dash", "sign"}


class Property(IntEnum):
    """What may come of a line, as `phrases.toml` explains; of two decorations the strongest counts, the last here."""

    SAME = 0
    OPEN = 1
    FREE = 2
    ANNOUNCED = 3
    DOUBTFUL = 4
    TURNING = 5


@dataclass(frozen=True)
class Made:
    """A decorated order: what may come of it, which other orders it may also give, and which it must give besides."""

    written: Written
    property: Property
    also: frozenset[str] = frozenset()
    must: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Decoration:
    """One thing that players do: a row of `phrases.toml`."""

    name: str
    heading: str  # its property where a tournament has none of its own
    row: dict[str, str]

    @cached_property
    def slots(self) -> frozenset[str]:
        """The parts of the line that it takes for itself; a line can be followed by several others."""
        taken = frozenset(" ".join(self.row.get(key, "") for key in ("slot", "drops", "claims")).split())
        if taken >= {"whole"} and "line" not in self.row["texts"]:
            taken |= _REWRITTEN
        return taken - {"below"} | {"second"} if "gives" in self.row else taken

    @cached_property
    def kinds(self) -> frozenset[str]:
        return _KINDS.get(self.row["kinds"]) or frozenset(self.row["kinds"].split())

    def change(self, context: Context) -> Made | None:
        """Decorate what is written, or None where that cannot be."""
        row, written = self.row, context.written
        if ("if" in row and not WORDS[row["if"]](context)) or (row["slot"] == "middle" and written.sign_first):
            return None
        text = context.fill(context.rng.choice([one.strip() for one in row["texts"].split("¦")]))
        places = [place for place in (context.order.unit[2:], context.order.of[2:], context.order.to) if place]
        names_coast = any(BOARD.provinces[province_of(place)].coasts for place in places)
        if text is None or (text.split()[:1] == ["S"] and names_coast):  # "F StP S" names the coast
            return None
        given: dict[str, object] = dict.fromkeys(row.get("drops", "").split(), "")
        if row["slot"] == "sign":
            given["sign_first"] = row.get("first") == "yes"
        if row["slot"] in {"above", "below"}:
            around = getattr(written, row["slot"])
            given[row["slot"]] = (*around, text) if "gives" in row else (text, *around)
        else:
            given[row["slot"]] = f" {text}" if row["slot"] == "coast" and text else text
        prop = Property[row.get(context.tournament, self.heading).upper()]
        also = frozenset(ALSO[row["may"]](context) if "may" in row else ())
        must = frozenset({str(context.second)} if "gives" in row else ())
        return Made(replace(written, is_tight=False, **given), prop, also, must)  # type: ignore[arg-type]


def _read_decorations() -> list[Decoration]:
    table = tomllib.loads((Path(__file__).parent / "phrases.toml").read_text(encoding="utf-8"))
    return [Decoration(name, heading, row) for heading, rows in table.items() for name, row in rows.items()]


DECORATIONS = _read_decorations()
