"""What players do to a plain order, each with what may come of it: phrases (`phrases.toml`), and what must be computed."""

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from random import Random

from benchmarks.line_grammar.places import BOARD, COUNTRIES, NATIONS, get_places, plain_letters
from benchmarks.line_grammar.situations import Order, Situation, find_reach
from benchmarks.line_grammar.written import Written, find_others, write_coast, write_order, write_unit
from pipeline.board import Kind, Power, province_of

GOALS = frozenset({"move", "attack", "convoy", "convoyed", "retreat"})
AFTERMATH = frozenset({"retreat", "disband", "build", "remove"})
MOVEMENT = frozenset({"hold", "move", "support", "attack", "convoy", "convoyed"})
ALL = MOVEMENT | AFTERMATH
_PLAYERS = ("Hans", "John", "Marie", "Tom", "Anna", "Björn", "Luca", "Xavier", "Kim")
_SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}


class Property(IntEnum):
    """What may come of a decorated line, the weakest first; of two decorations the strongest counts."""

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
    must: tuple[str, ...] = ()


@dataclass(frozen=True)
class Context:
    """Where an order is written, and the words that a phrase can use. A word that there is none for is empty."""

    written: Written
    situation: Situation
    order: Order
    tournament: str
    rng: Random

    def fill(self, text: str) -> str | None:
        """Put words for what stands in braces."""
        words = {name: getattr(self, name) for name in re.findall(r"{(\w+)}", text)}
        return text.format(**words) if all(words.values()) else None

    def spell(self, place: str) -> str:
        return get_places(self.tournament).write_place(place, self.rng)

    @property
    def sign(self) -> str:
        return self.written.sign

    @property
    def goal(self) -> str:
        return get_places(self.tournament).names[province_of(self.order.to)] if self.order.to else ""

    @property
    def home(self) -> str:
        return get_places(self.tournament).names[province_of(self.order.unit[2:])]

    @property
    def other(self) -> str:
        others = find_others(self.situation, self.order)
        one = self.rng.choice(others) if others else ""
        return one and (write_unit(one, self.tournament, self.rng) if one[1] == " " else self.spell(one))

    @property
    def reach(self) -> str:
        here = {province_of(self.order.to), province_of(self.order.unit[2:])}
        near = [place for place in find_reach(self.order.unit) if province_of(place) not in here]
        return self.spell(self.rng.choice(near)) if near else ""

    @cached_property
    def own_helpers(self) -> list[str]:
        """Own units beside the unit which no part of the order names."""
        near = {province_of(place) for place in find_reach(self.order.unit)} - {province_of(self.order.to)}
        named = {self.order.unit, self.order.of}
        return [unit for unit in self.situation.own if province_of(unit[2:]) in near and unit not in named]

    @property
    def helper(self) -> str:
        return write_unit(self.rng.choice(self.own_helpers), self.tournament, self.rng) if self.own_helpers else ""

    @property
    def helper_place(self) -> str:
        return self.helper[2:]

    @property
    def names_coasts(self) -> bool:
        order = self.order
        return any(
            BOARD.provinces[province_of(place)].coasts for place in (order.unit[2:], order.of[2:], order.to) if place
        )

    @property
    def second(self) -> Order | None:
        """A hold or a move of another own unit."""
        units = [unit for unit in self.situation.own if unit not in {self.order.unit, self.order.of}]
        kinds = [one for kind in ("hold", "move") for one in self.situation.orders.get(kind, ()) if one.unit in units]
        return self.rng.choice(kinds) if kinds else None

    @property
    def power(self) -> str:
        return COUNTRIES[self.situation.power]

    @property
    def nation(self) -> str:
        return NATIONS[self.situation.power]

    @property
    def _enemy(self) -> Power:
        return self.rng.choice([power for power in Power if power is not self.situation.power])

    @property
    def enemy(self) -> str:
        return COUNTRIES[self._enemy]

    @property
    def enemy_nation(self) -> str:
        return NATIONS[self._enemy]

    @property
    def of_nation(self) -> str:
        return NATIONS[self.situation.owner(self.order.of)]

    @property
    def of_wrong_nation(self) -> str:
        right = self.situation.owner(self.order.of)
        return NATIONS[self.rng.choice([power for power in Power if power is not right])]

    @property
    def player(self) -> str:
        return self.rng.choice(_PLAYERS)

    @property
    def season(self) -> str:
        phase = self.situation.phase
        return self.rng.choice([phase[:1] + phase[3:5], f"{_SEASONS[phase[0]]} {phase[1:5]}"])

    @property
    def wrong_season(self) -> str:
        phase = self.situation.phase
        return f"{_SEASONS['F' if phase[0] == 'S' else 'S']} {int(phase[1:5]) + (phase[0] != 'S')}"

    @property
    def sea(self) -> str:
        return self.spell(self.order.sea) if self.order.sea else ""

    @property
    def empty_sea(self) -> str:
        """A sea without a fleet."""
        seas = [
            code
            for code, one in BOARD.provinces.items()
            if one.terrain == "sea" and code not in self.situation.standing
        ]
        return self.spell(self.rng.choice(seas))


Change = Callable[[Written, Context], Made | None]


@dataclass(frozen=True)
class Decoration:
    """One thing that players do. It takes `slots` of the line for itself."""

    name: str
    slots: frozenset[str]
    kinds: frozenset[str]
    change: Change


DECORATIONS: list[Decoration] = []


def _decorate(name: str, slots: str, kinds: frozenset[str] = ALL) -> Callable[[Change], Change]:
    def keep(change: Change) -> Change:
        DECORATIONS.append(Decoration(name, frozenset(slots.split()), kinds, change))
        return change

    return keep


def _read_phrases() -> None:
    """Make a decoration of every row of `phrases.toml`."""
    table = tomllib.loads((Path(__file__).parent / "phrases.toml").read_text(encoding="utf-8"))
    for heading, rows in table.items():
        for name, row in rows.items():
            kinds = ALL if row["kinds"] == "all" else frozenset(row["kinds"].split())
            drops = row.get("drops", "")
            _decorate(name, f"{row['slot']} {drops}", kinds)(_make_change(heading, row))


def _make_change(heading: str, row: dict[str, str]) -> Change:
    slot, drops = row["slot"], row.get("drops", "").split()
    texts = [text.strip() for text in row["texts"].split("¦")]

    def change(written: Written, context: Context) -> Made | None:
        if row.get("of_armies") and context.order.unit[0] != Kind.ARMY:
            return None
        if slot == "middle" and written.sign_first:
            return None
        text = context.fill(context.rng.choice(texts))
        if text is None or (text.split()[0] == "S" and context.names_coasts):  # "F StP S" names the coast
            return None
        given: dict[str, object] = dict.fromkeys((part for part in drops if not part.startswith("sign_")), "")
        given |= {"sign_first": part == "sign_last" for part in drops if part.startswith("sign_")}
        given[slot] = (
            (text, *getattr(written, slot))
            if slot in {"above", "below"}
            else text.replace("{", "{{")
            if slot == "whole"
            else text
        )
        prop = Property[row.get(context.tournament, heading).upper()]
        return Made(replace(written, is_tight=False, **given), prop)  # type: ignore[arg-type]

    return change


_read_phrases()


def _by_tournament(context: Context, default: Property, **others: Property) -> Property:
    return others.get(context.tournament, default)


# ---- words ----------------------------------------------------------------------------------------------------------


@_decorate("unique beginning of the goal", "goal", GOALS)
def _cut_goal(written: Written, context: Context) -> Made | None:
    cuts = get_places(context.tournament).find_beginnings(context.order.to)
    return Made(replace(written, goal=context.rng.choice(cuts)), Property.SAME) if cuts else None


@_decorate("unique beginning of the unit's place", "place")
def _cut_place(written: Written, context: Context) -> Made | None:
    cuts = get_places(context.tournament).find_beginnings(context.order.unit[2:])
    return Made(replace(written, place=context.rng.choice(cuts)), Property.SAME) if cuts else None


@_decorate("first letters of the goal", "goal coast end", GOALS - {"convoyed"})
def _cut_short(written: Written, context: Context) -> Made | None:
    """One to three letters: EDC96 8, WDC08 12.1, EDC23 G fail what could be misunderstood, NZ99 16 asks, WM VI.2.f looks at reach."""
    order = context.order
    cut, codes = get_places(context.tournament).find_short_beginning(order.to, context.rng.randint(1, 3))
    listed = get_places(context.tournament).listed.get(plain_letters(cut), set())
    if "/" in order.to or province_of(order.to) not in codes or cut.lower() in "rdhsctukafbv" or len(listed) == 1:
        return None
    if listed and context.tournament == "edc2023":  # what the list prints for two provinces, G and R15 may settle
        return None
    if len(codes) == 1:
        prop = Property.SAME if len(cut) > 1 else Property.OPEN
    else:
        like = [one for one in context.situation.orders[order.kind] if (one.unit, one.of) == (order.unit, order.of)]
        reached = {province_of(one.to) for one in like} & codes
        prop = _by_tournament(
            context, Property.DOUBTFUL, weaselmoot=Property.FREE if len(reached) == 1 else Property.DOUBTFUL
        )
    return Made(replace(written, goal=cut, coast=""), prop)


@_decorate("letter that is a sign and a place", "goal coast dash end", frozenset({"move", "attack", "retreat"}))
def _cut_to_sign(written: Written, context: Context) -> Made | None:
    """H is hold and Holland, D disband and Denmark. In a support either would change the order; WM VI.2.f may find one meaning."""
    order, letter = context.order, context.goal[:1]
    signs = "DHR" if order.kind == "retreat" else "HSC"
    if "/" in order.to or letter not in signs + ("T" if context.tournament in {"edc2023", "edc1996"} else ""):
        return None
    made = replace(
        written,
        is_tight=False,
        goal=letter,
        coast="",
        dash=context.rng.choice(["-", "->", "to"] if order.kind != "retreat" else ["R", "-", "->"]),
    )
    if order.kind == "attack":
        may_settle = context.tournament == "weaselmoot" and letter != "H"
        return Made(made, Property.FREE if may_settle else Property.DOUBTFUL)
    also = {f"{order.unit} H"} if order.kind == "move" and letter in "HT" else set()
    return Made(made, Property.FREE, frozenset(also))


@_decorate("goal misspelt", "goal", GOALS)
def _misspell_goal(written: Written, context: Context) -> Made | None:
    slip = get_places(context.tournament).misspell(context.order.to, context.rng)
    return Made(replace(written, goal=slip), Property.OPEN) if slip else None


@_decorate("unit's place misspelt", "place")
def _misspell_place(written: Written, context: Context) -> Made | None:
    slip = get_places(context.tournament).misspell(context.order.unit[2:], context.rng)
    return Made(replace(written, place=slip), Property.OPEN) if slip else None


@_decorate("goal with a gap, in quotes or brackets", "goal", GOALS)
def _break_goal(written: Written, context: Context) -> Made | None:
    goal = context.goal
    at = context.rng.randrange(3, max(4, len(goal) - 1))
    broken = [
        f"{goal[:at]} {goal[at:]}",
        " ".join(goal.replace(" ", "").upper()),
        f'"{goal}"',
        f"({goal})",
        f"[{goal}]",
        f"{goal}.",
    ]
    return Made(replace(written, goal=context.rng.choice(broken), is_tight=False), Property.OPEN)


@_decorate("goal goes on below", "goal coast end below", GOALS - {"convoyed"})
def _hyphenate(written: Written, context: Context) -> Made | None:
    goal = context.goal
    if len(goal) < 6 or written.coast:
        return None
    at = context.rng.randrange(3, len(goal) - 2)
    return Made(replace(written, goal=goal[:at] + "-", below=(goal[at:], *written.below)), Property.OPEN)


@_decorate("line goes on below", "dash goal coast end below", GOALS - {"convoyed"})
def _continue_below(written: Written, context: Context) -> Made | None:
    goal = written.goal + written.coast
    cut = replace(written, goal="", coast="", is_tight=False)
    if context.rng.random() < 0.5:
        return Made(replace(cut, below=(goal, *written.below)), Property.OPEN)
    return Made(replace(cut, dash="", below=(f"{written.dash} {goal}", *written.below)), Property.OPEN)


@_decorate("no dash", "dash goal inner end", GOALS - {"convoyed"})
def _drop_dash(written: Written, context: Context) -> Made | None:
    """The missing dash costs nothing more: an exact word is clear, a part of one or a slip may be asked."""
    order, places = context.order, get_places(context.tournament)
    slips = [
        written.goal,
        context.goal,
        *places.find_beginnings(order.to),
        *filter(None, [places.misspell(order.to, context.rng)]),
    ]
    goal = context.rng.choice(slips)
    exact = goal in slips[:2] and order.kind in {"move", "retreat"}
    free = province_of(order.to) in context.situation.standing
    prop = Property.FREE if free else Property.SAME if exact else Property.OPEN
    return Made(replace(written, dash="", goal=goal, is_tight=False), prop)


@_decorate("goal first", "letter place dash goal coast middle front whole", frozenset({"move", "retreat"}))
def _reverse(written: Written, context: Context) -> Made | None:
    form = context.rng.choice(
        [
            "{goal} from {unit}",
            "{goal} <- {unit}",
            "{goal} ← {unit}",
            "from {unit} to {goal}",
            "to {goal}: {unit}",
            "{goal}: {unit}",
            "{goal} < {unit}",
        ]
    )
    text = form.format(goal=written.goal + written.coast, unit=f"{written.letter} {written.place}")
    return Made(
        replace(written, letter="", place="", dash="", goal="", coast="", whole=text + " {}"),
        Property.OPEN if ":" not in form else Property.FREE,
    )


# ---- units ----------------------------------------------------------------------------------------------------------


@_decorate("no letter", "letter", MOVEMENT | {"retreat"})
def _drop_letter(written: Written, _: Context) -> Made:
    return Made(replace(written, letter=""), Property.SAME)


@_decorate("no letter of the unit that is helped", "of_letter", frozenset({"support", "attack", "convoy"}))
def _drop_of_letter(written: Written, _: Context) -> Made:
    return Made(replace(written, of_letter=""), Property.SAME)


@_decorate("wrong letter", "letter", ALL - {"build", "convoy", "convoyed"})
def _swap_letter(written: Written, context: Context) -> Made | None:
    """WM VI.2.c follows it; the others' files say `ask` (NZ99 11, EDC96 7, WDC08 12.2 say nothing of a wrong one)."""
    other = "F" if context.order.unit[0] == "A" else "A"
    return Made(replace(written, letter=other), _by_tournament(context, Property.DOUBTFUL, weaselmoot=Property.SAME))


@_decorate("wrong letter of the unit that is helped", "of_letter", frozenset({"support", "attack", "convoy"}))
def _swap_of_letter(written: Written, context: Context) -> Made | None:
    other = "F" if context.order.of[0] == "A" else "A"
    return Made(replace(written, of_letter=other), _by_tournament(context, Property.FREE, weaselmoot=Property.SAME))


@_decorate("unit in brackets or behind a sign", "letter place", MOVEMENT | {"retreat"})
def _bracket_unit(written: Written, context: Context) -> Made:
    """NZ99 17 itself writes F(GOB) S F(Nwy)."""
    form = context.rng.choice(
        [
            "A({})",
            "A ({})",
            "A: {}",
            "A/{}",
            "A.{}",
            "A. {}",
            "A{}",
            "A [{}]",
            "(A) {}",
            "[A] {}",
            "{} A",
            "{} (A)",
            "AF {}",
            "A {}:",
            "E {}",
            "L {}",
        ]
    )
    prop = (
        Property.FREE
        if form in {"AF {}", "E {}", "L {}"}
        else Property.SAME
        if "({}" in form and context.tournament == "nzdc1999"
        else Property.OPEN
    )
    text = form.replace("A", context.order.unit[0]) if "AF" not in form else form
    return Made(replace(written, letter="", place=text.format(written.place), is_tight=False), prop)


@_decorate("no unit", "letter place middle goal", frozenset({"move"}))
def _drop_unit(written: Written, context: Context) -> Made:
    """WM VI.2.a: a null order. Elsewhere it may have one meaning (NZ99 16, EDC96 7, WDC08 12.4, EDC23 R11), if one unit can go there."""
    letter = context.rng.choice(["", context.order.unit[0]])
    can = [
        one
        for one in context.situation.orders["move"]
        if province_of(one.to) == province_of(context.order.to) and one.unit.startswith(letter)
    ]
    prop = Property.FREE if len({one.unit for one in can}) == 1 else Property.DOUBTFUL
    return Made(
        replace(written, letter=letter, place="", is_tight=False),
        _by_tournament(context, prop, weaselmoot=Property.DOUBTFUL),
    )


@_decorate("unit that is not there, or another power's", "letter place", MOVEMENT - {"convoyed"})
def _move_unit(written: Written, context: Context) -> Made | None:
    kind = Kind(context.order.unit[0])
    there = [code for code in BOARD.provinces if any(BOARD.can_stand(kind, place) for place in BOARD.places(code))]
    own = {province_of(unit[2:]) for unit in context.situation.own}
    place = context.rng.choice([code for code in there if code not in own])
    return Made(replace(written, letter=str(kind), place=context.spell(place)), Property.TURNING)


@_decorate("nothing but the unit", "sign dash goal coast of_front of_letter of_place inner end middle", ALL - {"hold"})
def _bare_unit(written: Written, context: Context) -> Made | None:
    """In winter NZ99 16 and EDC96 7 follow a bare unit, the others ask; elsewhere it says nothing."""
    if context.order.kind == "disband":
        return None
    bare = replace(written, sign="", dash="", goal="", of_letter="", of_place="", sign_first=False, is_tight=False)
    if context.order.kind in {"build", "remove"}:
        return Made(bare, _by_tournament(context, Property.DOUBTFUL, nzdc1999=Property.SAME, edc1996=Property.SAME))
    # EDC23 R11 completes a bare unit from another order of the sheet; there is none.
    return Made(replace(bare, coast=""), Property.TURNING)


@_decorate("two units, one order", "middle", frozenset({"hold", "move"}))
def _join_units(written: Written, context: Context) -> Made | None:
    """'u.' may be 'und' or 'unterstützt', 'con' with, convoys or Constantinople; a plain 'and' may be meant for both units."""
    if not context.own_helpers:
        return None
    other = context.rng.choice(context.own_helpers)
    joint, prop = context.rng.choice(
        [
            ("and", Property.FREE),
            ("&", Property.FREE),
            ("+", Property.FREE),
            ("und", Property.FREE),
            ("et", Property.FREE),
            ("y", Property.FREE),
            ("u.", Property.DOUBTFUL),
            ("con", Property.DOUBTFUL),
            ("e", Property.FREE),
            ("/", Property.DOUBTFUL),
        ]
    )
    same = f"{other} H" if context.order.kind == "hold" else f"{other} - {context.order.to}"
    return Made(
        replace(written, middle=f"{joint} {write_unit(other, context.tournament, context.rng)}", is_tight=False),
        prop,
        frozenset({same}),
    )


# ---- lines ----------------------------------------------------------------------------------------------------------


@_decorate("second order on the line", "end below", frozenset({"hold", "move", "support", "attack", "convoy"}))
def _join_orders(written: Written, context: Context) -> Made | None:
    """Two whole orders. Behind a support, '&' may also join what is supported, so that asking is right there, too."""
    second = context.second
    if second is None:
        return None
    text = write_order(second, context.tournament, "english", context.rng)
    joint = context.rng.choice(["&", "and", ";", ",", "/", "+", "und", "et", "y", "", "u.", ".", "|", "then"])
    prop = (
        Property.OPEN if joint in {"&", "and", ";", ","} and context.order.kind in {"hold", "move"} else Property.FREE
    )
    return Made(
        replace(written, end=f"{joint} {text.line if text else ''}".strip(), is_tight=False), prop, must=(str(second),)
    )


@_decorate("line of another unit", "other", MOVEMENT - {"convoyed"})
def _add_line(written: Written, context: Context) -> Made | None:
    """It stays what it is, and so does the line above it."""
    second = context.second
    text = write_order(second, context.tournament, "english", context.rng) if second else None
    return (
        Made(replace(written, below=(*written.below, text.line)), Property.SAME, must=(str(second),)) if text else None
    )


@_decorate("ditto below", "below", frozenset({"move", "support"}))
def _ditto(written: Written, context: Context) -> Made | None:
    second, order = context.second, context.order
    if second is None:
        return None
    mark = context.rng.choice(['"', "''", "ditto", "idem", "do."])
    sign = "-" if order.kind == "move" else "S"
    may = {f"{second.unit} S {order.of}"}
    if order.kind == "move":
        may = {
            f"{second.unit} - {place}"
            for place in (order.to, *BOARD.places(province_of(order.to)), province_of(order.to))
        }
    line = f"{write_unit(second.unit, context.tournament, context.rng)} {context.rng.choice([sign + ' ', ''])}{mark}"
    return Made(replace(written, below=(line, *written.below)), Property.FREE, frozenset(may))


@_decorate("the same order again", "below", ALL - {"build", "convoyed"})
def _repeat(written: Written, context: Context) -> Made | None:
    """A unit ordered twice to do the same: WM VI.2.g, and no other rule is against it."""
    again = write_order(context.order, context.tournament, "english", context.rng)
    return Made(replace(written, below=(again.line, *written.below)), Property.SAME) if again else None


@_decorate("another order for the same unit", "below", frozenset({"hold", "move", "support", "attack"}))
def _contradict(written: Written, context: Context) -> Made | None:
    """NZ99 16, WM VI.2.g, EDC23 R9, EDC96 7, WDC08 12.4: ordered twice, differently."""
    orders = [
        one
        for kind in ("hold", "move", "support")
        for one in context.situation.orders.get(kind, ())
        if one.unit == context.order.unit
    ]
    second = context.rng.choice([one for one in orders if str(one) != str(context.order)])
    text = write_order(second, context.tournament, "english", context.rng)
    return (
        Made(replace(written, below=(text.line, *written.below)), Property.ANNOUNCED, frozenset({str(second)}))
        if text
        else None
    )


@_decorate("struck signs", "goal dash coast whole", ALL)
def _strike(written: Written, context: Context) -> Made:
    def strike(text: str) -> str:
        return context.rng.choice([f"~~{text}~~", "".join(f"{sign}\u0336" for sign in text)])

    if context.order.kind in GOALS and context.rng.random() < 0.6:
        return Made(replace(written, goal=strike(written.goal), is_tight=False), Property.TURNING)
    line = replace(written, whole="{}").line
    return Made(replace(written, whole=strike(line).replace("{", "{{").replace("}", "}}")), Property.TURNING)


@_decorate("struck goal before the goal", "goal", frozenset({"move", "attack", "retreat"}))
def _correct(written: Written, context: Context) -> Made | None:
    other = context.other
    wrong = "".join(f"{sign}\u0336" for sign in other)
    form = context.rng.choice(
        [
            f"~~{other}~~",
            wrong,
            f"[{other}]",
            f"({other})",
            f"no not {other}",
            f"{other}, sorry,",
            f"{other} I mean",
            f"xx{other}xx",
        ]
    )
    return Made(replace(written, goal=f"{form} {written.goal}", is_tight=False), Property.FREE) if other else None


@_decorate("line in brackets or quotes", "whole", ALL)
def _enclose(written: Written, context: Context) -> Made:
    forms = {"({})": Property.FREE, "[{}]": Property.FREE, "...{}": Property.FREE, "¿{}?": Property.FREE}
    form = context.rng.choice([*forms, '"{}"', "| {} |", "{} |"])
    prop = forms.get(form, Property.OPEN)
    return Made(replace(written, whole=form), prop)


# ---- places ---------------------------------------------------------------------------------------------------------


@_decorate("goal out of reach", "goal coast dash", frozenset({"move", "attack", "retreat"}))
def _send_far(written: Written, context: Context) -> Made:
    """No convoy could carry it: to an inland province, or a fleet."""
    order = context.order
    near = {province_of(place) for one in (order.unit, order.of) if one for place in find_reach(one)}
    far = [
        code
        for code, one in BOARD.provinces.items()
        if code not in near and (order.unit[0] == Kind.FLEET or one.terrain == "land")
    ]
    goal = context.spell(
        context.rng.choice(
            [code for code in far if code not in {province_of(order.unit[2:]), province_of(order.of[2:])}]
        )
    )
    return Made(replace(written, goal=goal, coast=""), Property.TURNING)


@_decorate("goal is where the unit stands", "goal coast", frozenset({"move", "retreat"}))
def _go_nowhere(written: Written, context: Context) -> Made:
    return Made(replace(written, goal=context.home, coast=""), Property.TURNING)


@_decorate("coast", "coast", frozenset({"move", "retreat", "build"}))
def _change_coast(written: Written, context: Context) -> Made | None:
    """A coast must be right where it is written, and be written where both can be meant (NZ99 16: always)."""
    place = context.order.to or context.order.unit[2:]
    if "/" not in place:
        return None
    reach = {one for one in find_reach(context.order.unit) if province_of(one) == province_of(place)}
    both = context.order.kind == "build" or len(reach) == 2
    other = next(one for one in BOARD.provinces[province_of(place)].coasts if one != place)
    right, wrong = write_coast(place, context.rng), write_coast(other, context.rng)
    bad = context.rng.choice(
        [
            f" {place[4:]} or {other[4:]}",
            f" {place[4:]}/{other[4:]}",
            " wc",
            " coast",
            " no coast",
            " (ok)",
            " ok",
            " west coast",
            " either coast",
            " both coasts",
            " (?c)",
        ]
    )
    missing = Property.DOUBTFUL if both or context.tournament == "nzdc1999" else Property.SAME
    french = " c" + place[4].lower()
    prints_french = Property.SAME if context.tournament in {"edc2023", "edc1996"} else Property.OPEN
    forms = [
        ("", missing),
        (bad, Property.DOUBTFUL if both else Property.FREE),
        (french, prints_french),
        (f" [{place[4:].lower()}]", Property.OPEN),
        (right + right, Property.OPEN),
    ]
    forms += [
        (f" {place[4].lower()}", Property.OPEN),
        (f"-{place[4:].lower()}", Property.OPEN),
        (f" on the {right.strip(' ()/')}", Property.OPEN),
    ]
    forms += [] if both else [(wrong, Property.DOUBTFUL)]
    text, prop = context.rng.choice(forms)
    return Made(replace(written, coast=text), prop)


@_decorate("coast of an army", "coast end", frozenset({"move"}))
def _coast_of_army(written: Written, context: Context) -> Made | None:
    """It says nothing: NZ99, WM and EDC23 do not count it, EDC96 7 ('must be correct') and WDC08 leave it open."""
    if context.order.unit[0] != "A" or not BOARD.provinces[context.order.to].coasts:
        return None
    coast = write_coast(context.rng.choice(BOARD.provinces[context.order.to].coasts), context.rng)
    prop = Property.OPEN if context.tournament in {"edc1996", "wdc2008"} else Property.SAME
    return Made(replace(written, coast=coast), prop)


@_decorate("route through the sea", "dash end", frozenset({"convoyed"}))
def _name_route(written: Written, context: Context) -> Made:
    """NZ99 14 and WDC08 12.5 write it so; the others say nothing of how."""
    prop = Property.SAME if context.tournament in {"nzdc1999", "wdc2008"} else Property.OPEN
    dash = context.rng.choice(["-", "->", "–"])
    return Made(replace(written, dash=f"{dash} {context.sea} {dash}", is_tight=False), prop)


@_decorate("build of a unit that cannot be there", "letter place coast", frozenset({"build"}))
def _build_wrong(written: Written, context: Context) -> Made:
    """A fleet inland, or a place that is no own home centre."""
    homes = BOARD.homes[context.situation.power]
    places = [("F", code) for code in homes if BOARD.provinces[code].terrain == "land"]
    places += [("A", code) for code in BOARD.provinces if code not in homes]
    kind, code = context.rng.choice(places[:1] + context.rng.sample(places, 1))
    return Made(replace(written, letter=kind, place=context.spell(code), coast=""), Property.TURNING)


@_decorate("another unit in winter behind a slash", "end", frozenset({"build", "remove"}))
def _slash_units(written: Written, context: Context) -> Made | None:
    """A list or a choice. Of a list of builds one is too many: WM VII.3.d keeps the first, EDC23 R6 the last."""
    others = find_others(context.situation, context.order)
    if not others:
        return None
    other = context.rng.choice(others)
    also = frozenset({f"{other} B"}) if context.order.kind == "build" else frozenset[str]()
    return Made(replace(written, end=f"/ {write_unit(other, context.tournament, context.rng)}"), Property.FREE, also)


@_decorate("removal of a unit that is not there", "letter place", frozenset({"remove", "disband", "retreat"}))
def _remove_wrong(written: Written, context: Context) -> Made:
    own = {province_of(unit[2:]) for unit in (*context.situation.own, context.order.unit)}
    code = context.rng.choice(
        [code for code in BOARD.army_borders if code not in own and not BOARD.provinces[code].coasts]
    )
    return Made(replace(written, letter="A", place=context.spell(code)), Property.TURNING)
