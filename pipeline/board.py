"""The map: provinces, borders, supply centres and their homes; the position: phase, units, and who owns which centre.

A *province* is three capital letters (``STP``). A *place* is where a unit stands: a province, or one coast of a
province that has two (``STP/NC``). Both are plain strings, so that the judge can be quick.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache, cached_property
from importlib.resources import files
from types import MappingProxyType

from msgspec import Struct, field

from pipeline.words.speech import to_say, wording


class Power(StrEnum):
    """The seven great powers, in the order of the conventional read-out."""

    AUSTRIA = "AUSTRIA"
    ENGLAND = "ENGLAND"
    FRANCE = "FRANCE"
    GERMANY = "GERMANY"
    ITALY = "ITALY"
    RUSSIA = "RUSSIA"
    TURKEY = "TURKEY"


class Terrain(StrEnum):
    """What a province is: it says which units may stand there."""

    LAND = "land"  # armies only
    COAST = "coast"  # both
    SEA = "sea"  # fleets only


class Kind(StrEnum):
    """The two kinds of unit."""

    ARMY = "A"
    FLEET = "F"


class Province(Struct, frozen=True):
    """One area of the map."""

    code: str  # "STP"
    name: str  # "St Petersburg"
    terrain: Terrain
    is_centre: bool
    home: Power | None  # whose home supply centre it is
    coasts: tuple[str, ...]  # ("STP/NC", "STP/SC"), empty where there are not two


def province_of(place: str) -> str:
    """Name the province a place is in.

    >>> province_of("STP/NC"), province_of("MUN")
    ('STP', 'MUN')
    """
    return place[:3]


class Map(Struct, frozen=True, eq=False, dict=True, weakref=True):
    """Provinces and borders. Borders are kept both ways.

    Maps are compared by identity, so that a map can be the key of tables made from it.
    """

    provinces: Mapping[str, Province]  # by code, alphabetical by code
    impossible: Mapping[str, str]  # code -> name of what is drawn but never entered (SWI)
    army_borders: Mapping[str, frozenset[str]]  # province -> provinces
    fleet_borders: Mapping[str, frozenset[str]]  # place -> places (coasts apart)
    start: Mapping[Power, tuple[tuple[Kind, str], ...]] = field(default_factory=dict)

    @cached_property
    def centres(self) -> tuple[str, ...]:
        """All supply centres, alphabetical by code."""
        return tuple(p.code for p in self.provinces.values() if p.is_centre)

    @cached_property
    def homes(self) -> Mapping[Power, tuple[str, ...]]:
        """Each power's home supply centres, alphabetical by code."""
        return {
            power: tuple(p.code for p in self.provinces.values() if p.home is power and p.is_centre) for power in Power
        }

    @cached_property
    def neighbours(self) -> Mapping[str, frozenset[str]]:
        """Provinces that touch, by any unit and over any coast (a removal may count its distance so, DATC 4.D.8)."""
        near: dict[str, set[str]] = {code: set(self.army_borders.get(code, ())) for code in self.provinces}
        for place, others in self.fleet_borders.items():
            near[province_of(place)] |= {province_of(other) for other in others}
        return {code: frozenset(codes) for code, codes in near.items()}

    def places(self, province: str) -> tuple[str, ...]:
        """List the coasts of a province that has two, else name the province itself."""
        return self.provinces[province].coasts or (province,)

    def can_stand(self, kind: Kind, place: str) -> bool:
        """Say whether a unit of this kind may be in this place at all."""
        if kind is Kind.ARMY:
            return place in self.army_borders
        return place in self.fleet_borders

    def reach(self, kind: Kind, place: str) -> frozenset[str]:
        """List the places a unit can move to without a convoy; for fleets, coasts are told apart."""
        borders = self.army_borders if kind is Kind.ARMY else self.fleet_borders
        return borders.get(place, frozenset())

    def reaches(self, kind: Kind, place: str, province: str) -> bool:
        """Say whether a unit can move to a province, whichever coast, without a convoy."""
        return any(province_of(other) == province for other in self.reach(kind, place))

    def without(self, power: Power, no_longer_centres: Iterable[str] = ()) -> "Map":
        """Make the map without a power: its home centres become neutral, ``no_longer_centres`` stop being centres.

        This is how the Sandard variant is made (EDC23 B): no Turkey, Rumania without a centre.
        """
        gone = frozenset(no_longer_centres)
        provinces = {
            code: Province(
                p.code,
                p.name,
                p.terrain,
                p.is_centre and code not in gone,
                None if p.home is power else p.home,
                p.coasts,
            )
            for code, p in self.provinces.items()
        }
        start = {who: units for who, units in self.start.items() if who is not power}
        return Map(MappingProxyType(provinces), self.impossible, self.army_borders, self.fleet_borders, start)


# Read the map's text file; `tests/board/test_map.py` checks the maps themselves.


def _read_map(text: str) -> Map:
    """Read the five sections of a map, see ``standard.map``: provinces, impossible, armies, fleets, start."""
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in (raw.split("#")[0].rstrip() for raw in text.splitlines()):
        if line.startswith(" "):
            lines.append(line.strip())
        elif line:
            lines = sections.setdefault(line, [])
    armies, fleets = _read_borders(sections["armies"]), _read_borders(sections["fleets"])
    provinces = {}
    for line in sections["provinces"]:
        words, star, owner = (part.strip() for part in line.partition("*"))
        code, terrain, name = words.split(maxsplit=2)
        coasts = tuple(sorted(place for place in fleets if place.startswith(f"{code}/")))
        provinces[code] = Province(code, name, Terrain(terrain), bool(star), Power(owner) if owner else None, coasts)
    impossible = {code: name.strip() for code, name in map(_split_head, sections["impossible"])}
    start = {Power(power): tuple(_read_units(units)) for power, units in map(_split_head, sections["start"])}
    return Map(
        MappingProxyType(dict(sorted(provinces.items()))),
        MappingProxyType(impossible),
        MappingProxyType(armies),
        MappingProxyType(fleets),
        MappingProxyType(start),
    )


def _read_borders(lines: Iterable[str]) -> dict[str, frozenset[str]]:
    """Read lines of ``place neighbour neighbour …``."""
    return {place: frozenset(others.split()) for place, others in map(_split_head, lines)}


def _split_head(line: str) -> tuple[str, str]:
    """The first word of a line, and the rest."""
    head, _, rest = line.partition(" ")
    return head, rest


def _read_units(text: str) -> Iterator[tuple[Kind, str]]:
    """Read ``A VIE, F TRI``."""
    for unit in text.split(","):
        kind, place = unit.split()
        yield Kind(kind), place


# The standard map, read once from the text file beside this one, and its variant for six players.


@cache
def standard_map() -> Map:
    """The map of the rulebook: 75 provinces, 34 supply centres, seven powers.

    >>> len(standard_map().provinces), len(standard_map().centres)
    (75, 34)
    """
    return _read_map(files("pipeline").joinpath("standard.map").read_text("utf-8"))


@cache
def _sandard_map() -> Map:
    """The six-player variant: Turkey is one neutral centre, Rumania has none; 31 centres in all (EDC23 B).

    The rule says "Turkey represented by a neutral center" and scores a sole win with six survivors 46 = 31 + 6 + 9, so
    two of Turkey's three centres are gone; that Constantinople is the one that stays is our reading.

    >>> len(_sandard_map().centres), _sandard_map().homes[Power.TURKEY]
    (31, ())
    """
    return standard_map().without(Power.TURKEY, ("ANK", "RUM", "SMY"))


MAPS = {"standard": standard_map, "sandard": _sandard_map}
SIX_PLAYERS = {"standard": "sandard"}  # a map, and the one that six play on beside it (EDC23 B)


# The position.


class Season(StrEnum):
    """The three seasons of a game year."""

    SPRING = "S"
    FALL = "F"
    WINTER = "W"


class Step(StrEnum):
    """What a phase asks of the players."""

    MOVEMENT = "M"
    RETREATS = "R"
    ADJUSTMENTS = "A"


IN_WORDS = {
    (Season.SPRING, Step.MOVEMENT): to_say("Spring {year}"),
    (Season.SPRING, Step.RETREATS): to_say("Spring {year} retreats"),
    (Season.FALL, Step.MOVEMENT): to_say("Fall {year}"),
    (Season.FALL, Step.RETREATS): to_say("Fall {year} retreats"),
    (Season.WINTER, Step.ADJUSTMENTS): to_say("Winter {year} adjustments"),
}


class Phase:
    """One phase of a game. Not a struct, because facts store it as ``S1901M``, and a struct has a fixed encoding.

    >>> Phase.read("S1901M")
    Phase(year=1901, season=<Season.SPRING: 'S'>, step=<Step.MOVEMENT: 'M'>)
    >>> str(Phase.read("W1907A")), Phase.read("F1901R").in_words
    ('W1907A', 'Fall 1901 retreats')
    """

    __slots__ = ("season", "step", "year")

    def __init__(self, year: int, season: Season, step: Step) -> None:
        self.year = year
        self.season = season
        self.step = step

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Phase) and (
            self.year == other.year and self.season is other.season and self.step is other.step
        )

    def __hash__(self) -> int:
        return hash((self.year, self.season, self.step))

    def __repr__(self) -> str:
        return f"Phase(year={self.year!r}, season={self.season!r}, step={self.step!r})"

    @classmethod
    def read(cls, text: str) -> "Phase":
        """Read ``S1901M``; anything else is a `ValueError`."""
        match = re.fullmatch(r"([SF])(\d{4})([MR])|W(\d{4})A", text)
        if not match:
            raise ValueError(f"{text!r} is not a phase; phases look like S1901M, S1901R, F1901M, F1901R, W1901A")
        if match[4]:
            return cls(int(match[4]), Season.WINTER, Step.ADJUSTMENTS)
        return cls(int(match[2]), Season(match[1]), Step(match[3]))

    def __str__(self) -> str:
        return self.season + str(self.year) + self.step  # faster than an f-string, which formats each enum

    as_body, of_body = __str__, read  # how facts write and read it

    @property
    def in_words(self) -> str:
        """The phase as people say it."""
        return wording(IN_WORDS[self.season, self.step], year=self.year)

    @property
    def sort_key(self) -> tuple[int, int, int]:
        """Phases in the order in which they are played."""
        return self.year, "SFW".index(self.season), "MRA".index(self.step)

    @property
    def season_number(self) -> int:
        """Movement seasons from the start of the game: Spring 1901 is 1, Fall 1901 is 2 (EDC23 D's n)."""
        return 2 * (self.year - 1901) + (1 if self.season is Season.SPRING else 2)

    @property
    def last_count(self) -> int | None:
        """The last year whose Fall is over, retreats included, when this phase is open; None before the first."""
        year = self.year if self.season is Season.WINTER else self.year - 1
        return year if year >= 1901 else None

    def following(self, *, retreats: bool) -> "Phase":
        """The phase after this one; ``retreats`` says whether a unit was dislodged in it."""
        match self.step, self.season:
            case Step.MOVEMENT, season if retreats:
                return Phase(self.year, season, Step.RETREATS)
            case ((Step.MOVEMENT | Step.RETREATS), Season.SPRING):
                return Phase(self.year, Season.FALL, Step.MOVEMENT)
            case ((Step.MOVEMENT | Step.RETREATS), _):
                return Phase(self.year, Season.WINTER, Step.ADJUSTMENTS)
            case _:
                return Phase(self.year + 1, Season.SPRING, Step.MOVEMENT)


FIRST_PHASE = Phase(1901, Season.SPRING, Step.MOVEMENT)


class Unit(Struct, frozen=True, order=True):
    """An army or a fleet, and the place it stands in: ``A VIE``, ``F STP/SC``."""

    kind: Kind
    place: str

    @property
    def province(self) -> str:
        """The province the unit is in, without its coast."""
        return province_of(self.place)

    def __str__(self) -> str:
        return f"{self.kind} {self.place}"


class Dislodged(Struct, frozen=True):
    """A unit driven out in the movement phase before, and where it may go."""

    power: Power
    unit: Unit
    by: str  # the province the attack came from
    retreats: tuple[str, ...]  # places; empty: it must disband


class Position(Struct, frozen=True, kw_only=True):
    """A game between two phases: everything the next phase depends on."""

    phase: Phase  # the phase to be played next
    units: Mapping[Power, tuple[Unit, ...]]
    centres: Mapping[Power, tuple[str, ...]]  # supply centres owned; unowned ones are in no list
    dislodged: tuple[Dislodged, ...] = field(default=())

    def all_units(self) -> Iterator[tuple[Power, Unit]]:
        """Every unit that is not dislodged, with its power, in a fixed order."""
        for power in sorted(self.units):
            for unit in sorted(self.units[power]):
                yield power, unit

    def at(self, place: str) -> tuple[Power, Unit] | None:
        """Find the unit in the province of a place (dislodged units are not in any)."""
        province = province_of(place)
        return next(((power, unit) for power, unit in self.all_units() if unit.province == province), None)

    def __str__(self) -> str:
        return _draw_map(self)


def starting_position(board: Map) -> Position:
    """The position at the start of Spring 1901.

    >>> from pipeline.board import standard_map
    >>> [str(u) for u in starting_position(standard_map()).units[Power.RUSSIA]]
    ['A MOS', 'A WAR', 'F SEV', 'F STP/SC']
    """
    return Position(
        phase=FIRST_PHASE,
        units={
            power: tuple(sorted(Unit(kind, place) for kind, place in units)) for power, units in board.start.items()
        },
        centres={power: board.homes[power] for power in board.start},
    )


# Draw a position in text, for terminals, tests and bug reports.


def _draw_map(position: Position) -> str:
    r"""Put each unit in front of its province: ``gA/MUN`` is Germany's army Munich, ``gA\MUN`` was dislodged there."""
    marks = {unit.province: f"{power[0].lower()}{unit.kind}/" for power, unit in position.all_units()}
    beside = [f"{d.power[0].lower()}{d.unit.kind}\\{d.unit.place} from {d.by}" for d in position.dislodged]
    coasts = {u.province: u.place[3:].lower() for _, u in position.all_units() if "/" in u.place}

    def place(match: re.Match[str]) -> str:
        code = match["code"]
        return marks.get(code, "   ") + code + coasts.get(code, "")

    drawing = files("pipeline").joinpath("standard.drawing").read_text("utf-8")
    drawn = re.sub(r" {3}(?P<code>[A-Z]{3})", place, drawing)
    return "\n".join([position.phase.in_words, drawn.rstrip("\n"), *(f"dislodged: {d}" for d in beside)])
