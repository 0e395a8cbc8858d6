"""A plain order as it is written: its parts, in one of many notations and languages."""

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from benchmarks.line_grammar.places import LANGUAGES, get_foreign_names, get_places
from benchmarks.line_grammar.situations import Order
from pipeline.board import province_of


@dataclass(frozen=True)
class Written:
    """One order on paper. Decorations fill what is empty and replace what is not."""

    letter: str  # "A", "Army"
    place: str  # "Vie"
    sign: str = ""  # "S", "holds", "R"; empty for a plain move
    of_front: str = ""  # the nation of the unit that is helped
    of_letter: str = ""
    of_place: str = ""
    dash: str = ""  # "-", "to"
    goal: str = ""
    coast: str = ""  # as it is joined to the goal, or to the unit that is built: " (nc)"
    is_tight: bool = False  # "A Vie-Gal"
    sign_first: bool = False  # "D A Bur"
    front: str = ""
    middle: str = ""  # after the unit
    inner: str = ""  # after the unit that is helped
    end: str = ""
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    whole: str = ""  # what stands in place of all that
    flag: str = ""  # "struck_out" or "overwritten", as whoever typed the line told

    @property
    def line(self) -> str:
        """The line itself, without the lines above and below it."""
        unit = _join(self.letter, self.place) + (self.coast if not self.goal else "")
        goal = self.goal + (self.coast if self.goal else "")
        before = [self.sign, unit] if self.sign_first else [unit, self.middle, self.sign]
        text = _join(self.front, *before, self.of_front, self.of_letter, self.of_place, self.inner)
        if self.dash and self.is_tight:
            return self.whole or _join(text + self.dash + goal, self.end)
        return self.whole or _join(text, self.dash, goal, self.end)

    @property
    def lines(self) -> list[Any]:
        """All lines, as they stand on the sheet; what is flagged is an object."""
        before, own, after = (
            "\n".join(some).split("\n") if some else [] for some in (self.above, [self.line], self.below)
        )
        flagged = [{"line": number, "text": text, self.flag: True} for number, text in enumerate(own, 1 + len(before))]
        return [*before, *(flagged if self.flag else own), *after]


def _join(*parts: str) -> str:
    return " ".join(part for part in parts if part)


_COASTS = (
    " ({n}c)",
    "/{n}c",
    " {n}c",
    " {N}C",
    "({n}c)",
    " {north} coast",
    " {n}.c.",
    " ({north} coast)",
    " {N}.C.",
    "({N}C)",
)


def write_coast(place: str, rng: Random) -> str:
    """Spell the coast of a place, as it is joined to the province."""
    letter = place[4:5].lower()
    word = {"n": "north", "s": "south", "e": "east"}.get(letter, "")
    return rng.choice(_COASTS).format(n=letter, N=letter.upper(), north=word) if word else ""


def write_order(order: Order, tournament: str, language: str, rng: Random) -> Written | None:
    """Spell an order, or None where the language has no names for its places here."""
    names = get_foreign_names(language) if language != "english" else {}
    places = get_places(tournament)

    def spell(place: str) -> str:
        code = province_of(place)
        return names[code] if names else places.write_place(code, rng)

    def pick(kind: str) -> str:
        return str(rng.choice(LANGUAGES[language]["words"][kind].split("|")))

    needed = {province_of(one) for one in (order.unit[2:], order.to, order.of[2:]) if one}
    if names and not all(one in names and places.is_clear(names[one], one) for one in needed):
        return None
    letters = {"A": "army", "F": "fleet"}
    plain = Written(pick(letters[order.unit[0]]), spell(order.unit[2:]))
    if order.of:
        plain = replace(plain, of_letter=pick(letters[order.of[0]]), of_place=spell(order.of[2:]))
    if order.to:
        dash = pick("retreat" if order.kind == "retreat" else "move")
        tight = dash in "-–->→" and rng.random() < 0.3
        plain = replace(plain, dash=dash, goal=spell(order.to), coast=write_coast(order.to, rng), is_tight=tight)
    if order.kind in {"hold", "support", "attack", "convoy"}:
        return replace(plain, sign=pick({"attack": "support"}.get(order.kind, order.kind)))
    if order.kind in {"disband", "remove", "build"}:
        is_first = rng.random() < 0.4
        sign = pick(("build" if order.kind == "build" else "disband") + ("_first" if is_first else ""))
        coast = write_coast(order.unit[2:], rng) if order.kind == "build" else ""
        return replace(plain, sign=sign, sign_first=is_first, coast=coast)
    return plain
