"""Random questions to the judge, as its command takes them: crowded corners of the map, and orders that meet.

Moves aim at the same few provinces, supports and convoys mostly fit a move that is ordered, attacks go for fleets that
carry an army and for units that support. A few orders are nonsense, for other people's units, or for none.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

from pipeline.board import Kind, Map, Power, Terrain

Question = dict[str, Any]
POWERS = [str(power) for power in Power]
SLIPS = 0.06  # the share of orders with something wrong
CHOICES: Mapping[str, tuple[object, ...]] = {
    "routes": ("all-broken", "any-broken"),
    "paradox": ("szykman", "1971", "1982", "2000", "all-hold", "verheijden", "pandin"),
    "paradox_backup": ("szykman", "all-hold", "pandin"),
    "adjacent_convoy": ("own-fleet", "opposed", "intent", "tagged", "any"),
    "land_fallback": ("never", "unordered", "always"),
    "attack_from": ("start", "last-fleet"),
    "retreat_to_convoyed_attacker": (True, False),
    "named_route": ("ignored", "binding", "required"),
    "convoy_against_own": (True, False),
    "own_fleets_first": (False, True),
    "dislodged_still_bounces": (True, False),
    "missing_coast": ("fails", "default"),
    "only_coast_omitted": ("ignored", "illegal"),
    "impossible_coast": ("illegal", "ignored"),
    "support_coast": ("any", "own-only", "illegal"),
    "wrong_unit_coast": ("ignored", "illegal"),
    "irrelevant_coast": ("ignored", "illegal"),
    "wrong_letter": ("ignored", "illegal"),
    "inland_fleet_is_army": (False, True),
    "several_orders": ("first", "last", "none"),
    "too_many_builds": ("first", "last", "bottom-up", "none"),
    "two_builds_in_one_place": ("first", "last", "none"),
    "too_many_removals": ("first", "last", "none"),
    "waiving": (True, False),
    "removal_far_from": ("owned", "home", "country"),
    "removal_steps": ("regions", "moves"),
    "removal_spares_centres": (False, True),
    "unconvoyed_army_holds": (False, True),
    "disorder_supported": (True, False),
    "disorder_retreats": (True, False),
    "impossible_orders": ("ignored", "hold", "move", "unsupported"),
    "superfluous_convoy_is_illegal": (True, False),
    "missing_fleet": ("illegal", "move"),
    "imposed_builds": (0, 2),
}
RULES = ("datc", "1971", "1982", "2000", "2023", "nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")
EDITIONS = RULES[:5]
_COASTS_AND_LETTERS = (
    "missing_coast", "only_coast_omitted", "impossible_coast", "irrelevant_coast", "wrong_unit_coast", "wrong_letter",
)  # fmt: skip
ASKED_IN: Mapping[str, tuple[str, ...]] = {  # which choices the phases without battles look at
    "R": (*_COASTS_AND_LETTERS, "several_orders", "impossible_orders"),
    "A": (
        *_COASTS_AND_LETTERS, "inland_fleet_is_army", "too_many_builds", "two_builds_in_one_place", "too_many_removals",
        "waiving", "removal_far_from", "removal_steps", "removal_spares_centres", "imposed_builds",
    ),
}  # fmt: skip


def random_rules(random: Random, step: str = "M") -> str | dict[str, object]:
    """A tournament's rules, an edition's, or those of an edition with some choices that matter in the phase."""
    if random.random() < 0.4:
        return random.choice(RULES)
    names = sorted(ASKED_IN.get(step, CHOICES))
    changed = random.sample(names, random.choice((1, 1, 2, 4) if step == "M" else (1, len(names) // 2, len(names))))
    return {"base": random.choice(EDITIONS), **{name: random.choice(CHOICES[name]) for name in changed}}


class Corner:
    """A crowded part of the map, and the orders written so far.

    Most corners begin with a plan: a convoy, and an attack on it supported from where it goes; a ring; or a swap.
    """

    def __init__(self, random: Random, board: Map, *, most_units: int = 16) -> None:
        self.random, self.board = random, board
        self.seas = {p.code for p in board.provinces.values() if p.terrain is Terrain.SEA}
        self.powers = random.sample(POWERS, random.choice((1, 2, 2, 3, 3, 4, 5)))
        self.units: dict[str, tuple[str, str, str]] = {}  # province -> power, letter, place
        self.moves: dict[str, str] = {}  # province -> the province it goes to
        self.sailing: dict[str, str] = {}  # those of them that need a convoy
        self.orders: dict[str, list[str]] = {}
        self.planned: set[str] = set()  # the provinces whose units have their order
        plans = (
            (),
            (self.plan_ring,),
            (self.plan_swap,),
            (self.plan_convoy,),
            (self.plan_convoy,) * 2,
            (self.plan_convoy,) * 3,
        )
        for plan in random.choice(plans):
            plan()
        self.fill(most_units)
        self.popular = random.sample(sorted(self.units), min(3, len(self.units)))

    def fill(self, most_units: int) -> None:
        """Crowd the neighbourhood of what is planned, or of any province."""
        near = {*self.units} or {
            self.random.choice(sorted(self.seas if self.random.random() < 0.7 else self.board.provinces))
        }
        for _ in range(1 if self.units else self.random.choice((1, 2))):
            near |= {other for code in near for other in self.board.neighbours[code]}
        self.provinces = sorted(near)
        free = sorted(near - self.units.keys())
        for code in self.random.sample(
            free, min(len(free), self.random.randint(0, max(0, most_units - len(self.units))))
        ):
            self.place(code)
        if not self.units:
            self.place(self.random.choice(free))

    def place(self, code: str, letter: str = "", power: str = "") -> bool:
        """Put a unit there, of a kind if one is wanted, unless one stands there that has been planned."""
        kinds = [str(k) for k in Kind if any(self.board.can_stand(k, p) for p in (code, *self.board.places(code)))]
        if code in self.units or (letter and letter not in kinds):
            return False
        kind = letter or self.random.choice(kinds)
        place = self.random.choice(self.board.places(code)) if kind == "F" else code
        self.units[code] = (power or self.random.choice(self.powers), kind, place)
        return True

    def plan_convoy(self) -> None:
        """A convoy to where somebody stands who has a say in whether its fleets are lost."""
        random, near = self.random, self.board.neighbours
        own, foe = random.choice(self.powers), random.choice(self.powers)
        coasts = {p.code for p in self.board.provinces.values() if p.terrain is Terrain.COAST}
        some = sorted((self.seas & {n for code in self.units for n in near[code]} or self.seas) - self.units.keys())
        route = [random.choice(some or sorted(self.seas))]
        while random.random() < 0.35:
            route.append(random.choice(sorted(near[route[-1]] & self.seas - {*route}) or [route[0]]))
        start = random.choice(sorted(near[route[0]] & coasts))
        supporters = [c for c in sorted(near[route[-1]] & coasts - {start}) if c in self.units]
        ends = sorted(near[route[-1]] & coasts - {start})
        end = random.choice(supporters or [e for e in ends if near[e] & {*route[:-1]}] or ends)
        if not self.place(start, "A", own) or len({*route}) < len(route):
            return
        self.set_move(start, end, sails=True)
        for sea in route:
            if self.place(sea, "F", own if random.random() < 0.8 else ""):
                self.planned.add(sea)
                self.write(sea, f"C {self.named(*self.units[start][1:])} - {end}")
        attacked = random.choice(route)
        attacker = random.choice(sorted(near[attacked] - {start, end}))
        if self.place(attacker, "F", foe):
            self.set_move(attacker, attacked)
        self.place(end, "F" if random.random() < 0.8 else "", foe if random.random() < 0.7 else "")
        helper = end if end in near[attacked] and random.random() < 0.8 else random.choice(sorted(near[attacked]))
        self.place(helper, "F", foe)
        if helper in self.planned:
            return
        self.planned.add(helper)
        mover = next((m for m, to in self.moves.items() if to == attacked), None)
        if mover and random.random() < 0.75:
            self.write(helper, f"S {self.named(*self.units[mover][1:])} - {attacked}")
        elif attacked in self.units:
            self.write(helper, f"S {self.named(*self.units[attacked][1:])}")

    def plan_ring(self) -> None:
        """Three to five neighbours that follow one another."""
        ring = [self.random.choice(sorted(self.board.provinces))]
        for _ in range(self.random.choice((2, 2, 3, 4))):
            ring.append(self.random.choice(sorted(self.board.neighbours[ring[-1]] - {*ring}) or ring))
        if len({*ring}) == len(ring) and ring[0] in self.board.neighbours[ring[-1]]:
            for code, to in zip(ring, [*ring[1:], ring[0]], strict=True):
                self.place(code, "F" if {code, to} & self.seas else "")
                self.set_move(code, to)

    def plan_swap(self) -> None:
        """Two neighbours that change places, perhaps one of them by convoy, and somebody who wants in."""
        one = self.random.choice(sorted(self.board.army_borders))
        other = self.random.choice(sorted(self.board.army_borders[one]))
        for code, to in ((one, other), (other, one)):
            self.place(code)
            self.set_move(code, to)
        for sea in sorted(self.board.neighbours[one] & self.board.neighbours[other] & self.seas):
            if self.random.random() < 0.6 and self.place(sea, "F"):
                self.planned.add(sea)
                self.write(sea, f"C {self.named(*self.units[one][1:])} - {other}")

    def set_move(self, code: str, to: str, *, sails: bool = False) -> None:
        self.planned.add(code)
        self.moves[code] = to
        if sails:
            self.sailing[code] = to
        via = " VIA" * (self.units[code][1] == "A" and self.random.random() < (0.2 if sails else 0.05))
        self.write(code, f"- {self.destination(code, to)}{via}")

    def write(self, code: str, text: str) -> None:
        power, letter, place = self.units[code]
        self.orders.setdefault(power, []).append(f"{self.named(letter, place)} {text}")

    def named(self, letter: str, place: str) -> str:
        """The unit as it is written: now and then with a wrong letter, a wrong coast, or none."""
        slip = self.random.random()
        if slip < SLIPS / 4:
            letter = "F" if letter == "A" else "A"
        elif slip < SLIPS:
            place = place[:3] + self.random.choice(("", "/NC", "/SC", "/EC"))
        return f"{letter} {place}"

    def near(self, code: str) -> list[str]:
        _, letter, place = self.units[code]
        return sorted({p[:3] for p in self.board.reach(Kind(letter), place)})

    def destination(self, code: str, to: str) -> str:
        """A province, with the coast that a fleet reaches mostly written, and sometimes another."""
        _, letter, place = self.units[code]
        coasts = self.board.provinces[to].coasts
        if self.random.random() < SLIPS:
            return to + self.random.choice(("/NC", "/SC", "/EC"))
        if letter == "F" and coasts and self.random.random() < 0.8:
            reached = sorted(p for p in self.board.reach(Kind.FLEET, place) if p[:3] == to)
            return self.random.choice(reached or [to])
        return to

    def order_all(self) -> Question:
        codes = [code for code in self.units if code not in self.planned]
        self.random.shuffle(codes)
        movers = codes[: round(len(codes) * self.random.uniform(0.3, 0.7))]
        for code in movers:
            self.move(code)
        for code in codes[len(movers) :]:
            self.help(code)
        for _ in range(self.random.choice((0, 0, 0, 1, 2))):
            self.write_nonsense(list(self.units))
        if self.orders and self.random.random() < 0.1:
            self.orders.pop(self.random.choice(sorted(self.orders)))
        for texts in self.orders.values():
            self.random.shuffle(texts)
        return self.question(self.random.choice(("S1901M", "F1902M")))

    def question(self, phase: str) -> Question:
        units: dict[str, list[str]] = {}
        for power, letter, place in self.units.values():
            units.setdefault(power, []).append(f"{letter} {place}")
        centres = [c for c in self.board.centres if self.random.random() < 0.5]
        owned: dict[str, list[str]] = {}
        for centre in centres:
            owned.setdefault(self.random.choice(self.powers), []).append(centre)
        return {"phase": phase, "units": units, "centers": owned, "orders": self.orders}

    def move(self, code: str) -> None:
        letter = self.units[code][1]
        near = self.near(code)
        across = sorted(
            {
                shore
                for sea in self.board.neighbours[code] & self.units.keys()
                for shore in self.board.neighbours[sea]
                if self.board.provinces[shore].terrain is Terrain.COAST
            }
            - {code}
        )
        if letter == "A" and across and self.random.random() < 0.6:
            near = across
        liked = [to for to in near if to in self.popular or to in self.units]
        to = self.random.choice(liked if liked and self.random.random() < 0.75 else near or [code])
        self.moves[code] = to
        text = f"- {self.destination(code, to)}"
        if letter == "A":
            seas = sorted(self.board.neighbours[code] & self.board.neighbours[to] & self.units.keys())
            if to not in self.near(code) or self.random.random() < 0.3:
                self.sailing[code] = to
                if self.random.random() < 0.4:
                    text += " VIA"
            if seas and self.random.random() < 0.06:
                text = f"- {self.random.choice(seas)} - {to}"
        self.write(code, text)

    def help(self, code: str) -> None:
        """Convoy an army, support a move or a unit, or attack somebody."""
        _, letter, _ = self.units[code]
        at_sea = self.board.provinces[code].terrain is Terrain.SEA
        armies = sorted(a for a in self.sailing if self.board.neighbours[code] & {a, self.sailing[a]})
        if letter == "F" and at_sea and armies and self.random.random() < 0.7:
            army = self.random.choice(armies)
            self.write(code, f"C {self.named(*self.units[army][1:])} - {self.sailing[army]}")
            return
        near = self.near(code)
        moves = sorted(m for m, to in self.moves.items() if to in near)
        standing = sorted(set(near) & self.units.keys() - self.moves.keys())
        draw = self.random.random()
        if moves and draw < 0.6:
            mover = self.random.choice(moves)
            self.write(code, f"S {self.named(*self.units[mover][1:])} - {self.destination(mover, self.moves[mover])}")
        elif standing and draw < 0.8:
            self.write(code, f"S {self.named(*self.units[self.random.choice(standing)][1:])}")
        elif draw < 0.95:
            self.move(code)
        elif draw < 0.98:
            self.write(code, "H")

    def write_nonsense(self, codes: list[str]) -> None:
        random = self.random
        places = [*self.provinces, *self.board.fleet_borders, "SWI"]
        unit = f"{random.choice('AF')} {random.choice(places)}"
        if random.random() < 0.6:
            _, letter, place = self.units[random.choice(codes)]
            unit = self.named(letter, place)
        other = f"{random.choice('AF')} {random.choice(self.provinces)}"
        texts = (
            f"{unit} H",
            f"{unit} - {random.choice(places)}",
            f"{unit} S {other}",
            f"{unit} S {other} - {random.choice(places)}",
            f"{unit} C {other} - {random.choice(places)}",
            *random.choice([*self.orders.values(), [f"{unit} H"]]),
        )
        self.orders.setdefault(random.choice(self.powers), []).append(random.choice(texts))


def random_movement(random: Random, board: Map, *, most_units: int = 16) -> Question:
    return Corner(random, board, most_units=most_units).order_all()


def random_retreats(random: Random, board: Map, after: Mapping[str, Any], phase: str) -> Question:
    """Retreats from an answer to a movement question: good ones, bad ones, double ones, and none."""
    orders: dict[str, list[str]] = {}
    for each in after["dislodged"]:
        texts = []
        for _ in range(random.choice((0, 1, 1, 1, 1, 2))):
            near = sorted(board.reach(Kind(each["unit"][0]), each["unit"][2:]))
            to = random.choice(each["retreats"] if each["retreats"] and random.random() < 0.8 else near)
            to = to if random.random() < 0.8 else to[:3] + random.choice(("", "/NC", "/SC", "/EC"))
            unit = (
                each["unit"] if random.random() > SLIPS else ("A" if each["unit"][0] == "F" else "F") + each["unit"][1:]
            )
            texts.append(f"{unit} R {to}" if random.random() < 0.9 else f"{unit} D")
        power = each["power"] if random.random() > SLIPS else random.choice(POWERS)
        orders.setdefault(power, []).extend(texts)
    question = {"phase": phase, "units": after["units"], "dislodged": after["dislodged"], "orders": orders}
    return question | ({"centers": after["centers"]} if "centers" in after else {})


def random_winter(random: Random, board: Map) -> Question:
    """An adjustment phase in which a few powers have too many or too few units."""
    powers = random.sample(POWERS, random.choice((1, 2, 3)))
    if "RUSSIA" not in powers and random.random() < 0.5:
        powers[0] = "RUSSIA"  # alone has a home centre with two coasts
    places = [
        (kind, place)
        for kind in Kind
        for place in [*board.army_borders, *board.fleet_borders]
        if board.can_stand(kind, place)
    ]
    units: dict[str, list[str]] = {power: [] for power in powers}
    filled = set()
    for kind, place in random.sample(places, random.randint(0, 8 * len(powers))):
        if place[:3] not in filled and not (
            kind is Kind.FLEET and place in board.provinces and board.provinces[place].coasts
        ):
            filled.add(place[:3])
            units[random.choice(powers)].append(f"{kind} {place}")
    centres: dict[str, list[str]] = {power: [] for power in powers}
    for centre in board.centres:
        home = board.provinces[centre].home
        if home in powers and random.random() < 0.7:
            centres[str(home)].append(centre)
        elif random.random() < 0.3:
            centres[random.choice(powers)].append(centre)
    orders: dict[str, list[str]] = {}
    for power in powers:
        homes = [
            place for c in (*board.homes[Power(power)], random.choice(board.centres)) for place in (c, *board.places(c))
        ]
        builds = [
            f"{random.choice('AF')} {random.choice(homes)}{random.choice(('', '', '', '', '/NC'))} B" for _ in range(3)
        ]
        builds = [text if text.count("/") < 2 else text.replace("/NC B", " B") for text in builds]
        removals = [f"{unit} D" for unit in random.sample(units[power], min(3, len(units[power])))]
        due = len(centres[power]) - len(units[power])
        texts = [
            *(builds if due > 0 or random.random() < 0.1 else []),
            *(removals if due < 0 or random.random() < 0.1 else []),
        ]
        texts += ["WAIVE"] * random.choice((0, 0, 0, 1, 2)) + [text for text in texts if random.random() < 0.1]
        random.shuffle(texts)
        orders[power] = texts[: random.randint(0, len(texts))]
    gone = {
        "power": random.choice(POWERS),
        "unit": "A BOH",
        "from": "MUN",
        "retreats": [],
    }  # by now it is off the board
    question = {"phase": random.choice(("W1901A", "W1903A")), "units": units, "centers": centres, "orders": orders}
    return question | ({"dislodged": [gone]} if random.random() < 0.2 else {})
