"""Where a plain order is written, and the words that the rows of `phrases.toml` may have in braces there."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from random import Random

from benchmarks.line_grammar.places import NATIONS, get_other_names, get_places, plain_letters
from benchmarks.line_grammar.situations import BOARD, Order, Situation, find_reach
from benchmarks.line_grammar.written import Written, write_coast, write_order
from pipeline.board import Kind, Power, province_of

_SEAS = [province.code for province in BOARD.provinces.values() if province.terrain == "sea"]
_SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}


@dataclass(frozen=True)
class Context:
    """Where an order is written: what the words of a phrase, and the conditions for it, are taken from."""

    written: Written
    situation: Situation
    order: Order
    tournament: str
    rng: Random

    def fill(self, text: str) -> str | None:
        """Put words for what stands in braces; None where there is no such word here."""
        words = {name: WORDS[name](self) for name in re.findall(r"{(\w+)}", text)}
        return text.format(**words).replace("\\n", "\n") if all(words.values()) else None

    def spell(self, place: str) -> str:
        """Spell a place, or a unit with its letter."""
        is_unit = place[1:2] == " "
        word = place and get_places(self.tournament).write_place(place[2:] if is_unit else place, self.rng)
        return f"{place[0]} {word}" if is_unit else word

    def choose(self, places: list[str]) -> str:
        return self.rng.choice(places) if places else ""

    def write(self, order: Order | None) -> str:
        text = write_order(order, self.tournament, "english", self.rng) if order else None
        return text.line if text else ""

    @property
    def place(self) -> str:
        """Where the unit goes, or is built."""
        return self.order.to or self.order.unit[2:]

    @property
    def name(self) -> str:
        return get_places(self.tournament).names[province_of(self.place)]

    def list_plain(self, *kinds: str) -> list[Order]:
        """Other plain orders of these kinds."""
        orders = [order for kind in kinds for order in self.situation.plain.get(kind, ())]
        return [order for order in orders if order != self.order]

    @cached_property
    def others(self) -> list[str]:
        """What else the same order could name: goals, units to build, units to remove."""
        order, alike = self.order, self.list_plain(self.order.kind)
        if order.to:
            places = [one.to for one in alike if (one.unit, one.of) == (order.unit, order.of)]
            return [place for place in places if province_of(place) != province_of(order.to)]
        return [one.unit for one in alike if province_of(one.unit[2:]) != province_of(order.unit[2:])]

    @property
    def other_name(self) -> str:
        return get_places(self.tournament).names[province_of(self.rng.choice(self.others))] if self.others else ""

    @cached_property
    def near(self) -> list[str]:
        """Where else the unit could go."""
        here = {province_of(self.order.to), province_of(self.order.unit[2:])}
        return [place for place in find_reach(self.order.unit) if province_of(place) not in here]

    @cached_property
    def helper(self) -> str:
        """An own unit beside this one which no part of the order names."""
        near = {province_of(place) for place in self.near}
        named = {self.order.unit, self.order.of}
        return self.choose([unit for unit in self.situation.own if province_of(unit[2:]) in near and unit not in named])

    @cached_property
    def second(self) -> Order | None:
        """A hold or a move of another own unit."""
        some = [one for one in self.list_plain("hold", "move") if one.unit not in {self.order.unit, self.order.of}]
        return self.rng.choice(some) if some else None

    @property
    def second_rest(self) -> str:
        """The other order without its letter, if that is the letter of this order."""
        is_same = self.second is not None and self.second.unit[0] == self.order.unit[0]
        return self.write(self.second).partition(" ")[2] if is_same else ""

    @cached_property
    def contradiction(self) -> Order | None:
        """Another order for the same unit."""
        some = [one for one in self.list_plain("hold", "move", "support") if one.unit == self.order.unit]
        return self.rng.choice(some) if some else None

    def choose_power(self, owner: Power) -> Power:
        return self.rng.choice([power for power in Power if power is not owner])

    def find_absent(self, unit: str, taken: Iterable[str]) -> str:
        """A unit of this kind in none of these provinces."""
        kind, here = Kind(unit[0]), {province_of(self.order.unit[2:]), *taken}
        free = [code for code in BOARD.provinces if BOARD.can_stand(kind, code) and code not in here]
        return f"{kind} {self.choose(free)}"

    @cached_property
    def far(self) -> str:
        """A province that the unit and the unit it helps cannot reach, by no convoy either."""
        units = [unit for unit in (self.order.unit, self.order.of) if unit]
        near = {province_of(place) for unit in units for place in (*find_reach(unit), unit[2:])}
        far = [one for one in BOARD.provinces.values() if one.code not in near]
        return self.choose([one.code for one in far if self.order.unit[0] == Kind.FLEET or one.terrain == "land"])

    @cached_property
    def wrong_build(self) -> str:
        """An army in no home centre, or a fleet inland."""
        homes = BOARD.homes[self.situation.power]
        inland = [f"F {code}" for code in homes if BOARD.provinces[code].terrain == "land"]
        abroad = [f"A {code}" for code in BOARD.army_borders if code not in homes]
        return self.choose(inland + self.rng.sample(abroad, 2))

    def cut(self, length: int, *, shared: bool, reached: int = 0) -> str:
        """The first letters of the goal: of its name alone, or shared (1 of the names is in reach, 2: more are)."""
        places, to = get_places(self.tournament), province_of(self.order.to)
        cut, codes = places.find_short_beginning(self.order.to, length)
        listed = places.listed.get(plain_letters(cut), set())
        # One letter may be a sign; a listed word is no beginning; EDC23 G and R15 may settle one that is listed twice.
        is_other = cut.lower() in "rdhsctukafbv" or len(listed) == 1 or (listed and self.tournament == "edc2023")
        can = {province_of(place) for place in (*self.others, to)} & codes
        fits = (len(codes) > 1) == shared and (not shared or min(len(can), 2) == reached)
        fits = fits and (shared or places.find_slips(cut) <= {to})
        return cut if to in codes and fits and not is_other and "/" not in self.order.to else ""

    def find_word(self, *, shared: bool) -> str:
        """A word of the goal's name that stands in no other name, or in others, too."""
        word = self.rng.choice([word for word in self.name.split() if word != "of"]) if " " in self.name else ""
        places = get_places(self.tournament)
        codes = {code for code, name in places.names.items() if word in name.split()}
        letters = plain_letters(word)
        codes |= {code for other, its in places.listed.items() if letters and other.startswith(letters) for code in its}
        return word if (len(codes) > 1) == shared and not self.is_listed(word) else ""

    def cut_words(self, *, shared: bool) -> str:
        """The beginnings of all words of the goal's name, which begin no other name, or others, too."""
        cuts = [word[: self.rng.randint(1, 4)] for word in self.name.split()]
        names = [name.split() for name in get_places(self.tournament).names.values()]
        fitting = [words for words in names if len(words) == len(cuts) and all(map(str.startswith, words, cuts))]
        text = self.rng.choice((" ", ". ")).join(cuts)
        return text if len(cuts) > 1 and (len(fitting) > 1) == shared and not self.is_listed(text) else ""

    def choose_name(self, heading: str) -> str:
        """What else is said for the goal, unless the tournament lists it."""
        names = get_other_names(heading).get(province_of(self.place), [])
        return self.choose([name for name in names if not self.is_listed(name)])

    def is_listed(self, word: str) -> bool:
        return plain_letters(word) in get_places(self.tournament).listed

    def sign_letter(self, signs: str) -> str:
        """The first letter of the goal, if it is one of these signs."""
        return self.name[0] if self.name[0] in signs and "/" not in self.order.to else ""

    @property
    def able(self) -> set[str]:
        """Own units that could make the same move."""
        return {one.unit for one in self.situation.plain["move"] if one.to == self.order.to}

    @cached_property
    def other_coast(self) -> str:
        coasts = BOARD.provinces[province_of(self.place)].coasts
        return next((one for one in coasts if one != self.place), "") if "/" in self.place else ""

    @property
    def is_inland(self) -> bool:
        return BOARD.provinces[province_of(self.order.unit[2:])].terrain == "land"

    @property
    def can_choose_coast(self) -> bool:
        return self.order.kind == "build" or self.other_coast in find_reach(self.order.unit)


_DIGITS = str.maketrans("oOliSBg", "0011589")
_LOOKALIKES = str.maketrans("aeopcxi", "\u0430\u0435\u043e\u0440\u0441\u0445\u0456")  # Cyrillic


def _replace_one(pattern: str, by: str, text: str, rng: Random, alike: dict[int, int] = _DIGITS) -> str:
    """Replace one of the places that fit, any of them; by nothing means by the sign that looks alike."""
    found = list(re.finditer(pattern, text))
    at = rng.choice(found) if found else None
    return text[: at.start()] + (by or at[0].translate(alike)) + text[at.end() :] if at else ""


def _blend(name: str, other: str) -> str:
    """The first half of a name and the last half of another."""
    return name[: len(name) // 2] + other[len(other) // 2 :] if other else ""


def _strike(text: str) -> str:
    return "".join(f"{sign}\u0336" for sign in text)


def _gap(name: str, rng: Random) -> str:
    at = rng.randrange(3, max(4, len(name) - 1))
    return f"{name[:at]} {name[at:]}" if rng.random() < 0.5 else " ".join(name.replace(" ", "").upper())


def _write_wrong_season(phase: str) -> str:
    return f"{_SEASONS['F' if phase[0] == 'S' else 'S']} {int(phase[1:5]) + (phase[0] != 'S')}"


# Every word that can stand in braces, and what a row asks for with `if`; an empty one rules the phrase out.
WORDS: dict[str, Callable[[Context], str | bool]] = {
    "line": lambda c: c.written.line,
    "letter": lambda c: c.order.unit[0],
    "wrong_letter": lambda c: "FA"[c.order.unit[0] == "F"],
    "wrong_of_letter": lambda c: "FA"[c.order.of[0] == "F"],
    "place": lambda c: c.written.place,
    "unit": lambda c: f"{c.order.unit[0]} {c.written.place}",
    "sign": lambda c: c.written.sign,
    "dash": lambda c: c.written.dash,
    "written_goal": lambda c: c.written.goal + c.written.coast,
    "struck_goal": lambda c: _strike(c.written.goal),
    "struck_line": lambda c: _strike(c.written.line),
    "goal": lambda c: c.name if c.order.to else "",
    "goal_beginning": lambda c: c.choose(get_places(c.tournament).find_beginnings(c.order.to)),
    "goal_slip": lambda c: get_places(c.tournament).misspell(c.order.to, c.rng),
    "goal_with_gap": lambda c: _gap(c.name, c.rng),
    "goal_in_two": lambda c: "" if len(c.name) < 6 or c.written.coast else f"{c.name[:4]}-\n{c.name[4:]}",
    "home": lambda c: get_places(c.tournament).names[province_of(c.order.unit[2:])],
    "home_beginning": lambda c: c.choose(get_places(c.tournament).find_beginnings(c.order.unit[2:])),
    "home_slip": lambda c: get_places(c.tournament).misspell(c.order.unit[2:], c.rng),
    "letters_alone": lambda c: c.cut(c.rng.choice((2, 3)), shared=False),
    "letter_alone": lambda c: c.cut(1, shared=False),
    "letters_of_one_in_reach": lambda c: c.cut(c.rng.randint(1, 3), shared=True, reached=1),
    "letters_of_several": lambda c: c.cut(c.rng.randint(1, 3), shared=True, reached=2),
    "hold_letter": lambda c: c.sign_letter("HT" if c.tournament in {"edc2023", "edc1996"} else "H"),
    "support_letter": lambda c: c.sign_letter("SC"),
    "retreat_letter": lambda c: c.sign_letter("DHR"),
    "other": lambda c: c.spell(c.choose(c.others)),
    "struck_other": lambda c: _strike(c.spell(c.choose(c.others))),
    "reach": lambda c: c.spell(c.choose(c.near)),
    "far": lambda c: c.spell(c.far),
    "absent": lambda c: c.spell(c.find_absent(c.order.unit, [province_of(unit[2:]) for unit in c.situation.own])),
    "wrong_build": lambda c: c.spell(c.wrong_build),
    "helper": lambda c: c.spell(c.helper),
    "helper_place": lambda c: c.spell(c.helper[2:]),
    "again": lambda c: c.write(c.order),
    "second": lambda c: c.write(c.second),
    "second_unit": lambda c: c.spell(c.second.unit) if c.second else "",
    "contradiction": lambda c: c.write(c.contradiction),
    "coast": lambda c: c.place[4:].lower(),
    "coast_letter": lambda c: c.place[4:5].lower(),
    "coast_word": lambda c: write_coast(c.place, c.rng).strip(" ()/"),
    "other_coast": lambda c: c.other_coast[4:].lower(),
    "army_coast": lambda c: c.rng.choice(["nc", "sc"]) if BOARD.provinces[province_of(c.order.to)].coasts else "",
    "sea": lambda c: c.spell(c.order.sea),
    "empty_sea": lambda c: c.spell(c.choose([sea for sea in _SEAS if sea not in c.situation.standing])),
    "power": lambda c: c.situation.power.title(),
    "nation": lambda c: NATIONS[c.situation.power],
    "enemy": lambda c: c.choose_power(c.situation.power).title(),
    "enemy_nation": lambda c: NATIONS[c.choose_power(c.situation.power)],
    "of_power": lambda c: c.situation.get_owner(c.order.of).title(),
    "of_nation": lambda c: NATIONS[c.situation.get_owner(c.order.of)],
    "of_wrong_nation": lambda c: NATIONS[c.choose_power(c.situation.get_owner(c.order.of))],
    "player": lambda c: c.rng.choice(["Hans", "John", "Marie", "Tom", "Anna", "Björn", "Luca", "Xavier", "Kim"]),
    "season": lambda c: f"{_SEASONS[c.situation.phase[0]]} {c.situation.phase[1:5]}",
    "short_season": lambda c: c.situation.phase[0] + c.situation.phase[3:5],
    "wrong_season": lambda c: _write_wrong_season(c.situation.phase),
    "of_unit": lambda c: f"{c.written.of_letter} {c.written.of_place}".strip(),
    "of_place": lambda c: c.written.of_place,
    "of_move": lambda c: f"{c.written.of_letter} {c.written.of_place} - {c.written.goal}" if c.order.to else "",
    "of_absent": lambda c: c.spell(c.find_absent(c.order.of, c.situation.standing)),
    "foreign": lambda c: c.spell(c.choose(sorted(set(c.situation.standing.values()) - {*c.situation.own, c.order.of}))),
    "came_from": lambda c: c.spell(c.situation.position.dislodged[0].by) if c.situation.position.dislodged else "",
    "within": lambda c: c.choose_name("within"),
    "foreign_goal": lambda c: c.choose_name("other_names"),
    "broken_line": lambda c: _replace_one(" ", "\n", c.written.line, c.rng),
    "goal_with_sign": lambda c: _replace_one("[a-z]", "?", c.name, c.rng),
    "goal_with_digit": lambda c: _replace_one("[oOliSBg]", "", c.name, c.rng),
    "goal_without_vowels": lambda c: c.name[0] + re.sub("[aeiou]", "", c.name[1:]),
    "word_alone": lambda c: c.find_word(shared=False),
    "word_of_several": lambda c: c.find_word(shared=True),
    "cut_words_alone": lambda c: c.cut_words(shared=False),
    "cut_words_of_several": lambda c: c.cut_words(shared=True),
    "line_spread": lambda c: "  " + c.written.line.replace(" ", "   ") + " ",
    "line_in_capitals": lambda c: c.written.line.upper(),
    "line_glued": lambda c: c.written.line.replace(" ", ""),
    "goal_in_letters": lambda c: " ".join(c.written.goal),
    "goal_with_lookalike": lambda c: _replace_one("[aeopcxi]", "", c.name, c.rng, _LOOKALIKES),
    "kind": lambda c: "army" if c.order.unit[0] == "A" else "fleet",
    "of_kind": lambda c: "army" if c.order.of[0] == "A" else "fleet",
    "blend": lambda c: _blend(c.name, c.other_name),
    "of_name": lambda c: get_places(c.tournament).names[province_of(c.order.of[2:])],
    "second_rest": lambda c: c.second_rest,
    "is_army": lambda c: c.order.unit[0] == Kind.ARMY,
    "is_goal_empty": lambda c: province_of(c.order.to) not in c.situation.standing,
    "is_goal_occupied": lambda c: province_of(c.order.to) in c.situation.standing,
    "is_helped_own": lambda c: c.order.of in c.situation.own,
    "is_inland": lambda c: c.is_inland,
    "can_be_either_kind": lambda c: not c.is_inland,
    "one_unit_can": lambda c: len(c.able) == 1,
    "several_units_can": lambda c: len(c.able) > 1,
    "is_one_coast": lambda c: bool(c.other_coast) and not c.can_choose_coast,
    "are_both_coasts": lambda c: bool(c.other_coast) and c.can_choose_coast,
}  # fmt: skip

# Orders that a row with `may` may give as well.
ALSO: dict[str, Callable[[Context], set[str]]] = {
    "hold": lambda c: {f"{c.order.unit} H"},
    "contradiction": lambda c: {str(c.contradiction)},
    "helper": lambda c: {f"{c.helper} H", f"{c.helper} - {c.order.to}"},
    "others": lambda c: {f"{unit} B" for unit in c.others if c.order.kind == "build"},
    "no build": lambda c: {"WAIVE"},
    "second": lambda c: {str(c.second)},
    "holds": lambda c: {f"{unit} H" for unit in c.situation.own},
    "helped move": lambda c: {f"{c.order.of}{way} - {c.order.to}" for way in ("", f" - {c.order.unit[2:]}")},
    "help of the helper": lambda c: {c.helper + c.order.text.removeprefix(c.order.unit)},
    "helped place": lambda c: {f"{c.order.unit} - {c.order.of[2:]}"},
    "convoy": lambda c: {f"{c.order} VIA"},
    "ditto": lambda c: _find_dittos(c) if c.second else set(),
}  # fmt: skip


def _find_dittos(context: Context) -> set[str]:
    """What a ditto mark may mean behind the second unit."""
    unit, goal = context.second.unit if context.second else "", province_of(context.order.to)
    places = [goal, *BOARD.places(goal)] if goal else []
    return {f"{unit} S {context.order.of}", *(f"{unit} - {place}" for place in places)}
