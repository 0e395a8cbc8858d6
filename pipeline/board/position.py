"""A position: the phase, the units, and who owns which centre."""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct, field

from pipeline.board.map import Kind, Map, Power, province_of, standard_drawing
from pipeline.words.speech import to_say, wording


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
        found = re.fullmatch(r"([SF])(\d{4})([MR])|W(\d{4})A", text)
        if not found:
            raise ValueError(f"{text!r} is not a phase; phases look like S1901M, S1901R, F1901M, F1901R, W1901A")
        if found[4]:
            return cls(int(found[4]), Season.WINTER, Step.ADJUSTMENTS)
        return cls(int(found[2]), Season(found[1]), Step(found[3]))

    def __str__(self) -> str:
        return self.season + str(self.year) + self.step  # a format would ask each of its enum first

    as_body, of_body = __str__, read  # in a fact

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

    def owner(self, centre: str) -> Power | None:
        """Say who owns a supply centre."""
        return next((power for power, centres in self.centres.items() if centre in centres), None)

    def __str__(self) -> str:

        return _draw_map(self)


def starting_position(board: Map) -> Position:
    """The position at the start of Spring 1901.

    >>> from pipeline.board.map import standard_map
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

    def place(found: re.Match[str]) -> str:
        code = found["code"]
        return marks.get(code, "   ") + code + coasts.get(code, "")

    drawn = re.sub(r" {3}(?P<code>[A-Z]{3})", place, standard_drawing())
    head = f"{position.phase.in_words}"
    return "\n".join([head, drawn.rstrip("\n"), *(f"dislodged: {d}" for d in beside)])
