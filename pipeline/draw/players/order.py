"""Who comes first when some stand aside, play twice or are left out: in the order of the rules, level by level.

People of one level are equal before the rules; where not all of them are concerned, a lot decides.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pipeline.draw.players.field import Gathering, Lots, NamedReason
from pipeline.draw.players.roster import Player
from pipeline.problems import Problem, Weight
from pipeline.rules.event_rules import StandDown

STANDINGS = {  # the words of the roster's column "standing", and who goes first (WM III.5)
    StandDown.LOCAL_BOARD: ("board member", "local board member"),
    StandDown.LOCAL_CLUB: ("club member", "local club member", "member"),
    StandDown.LOCAL: ("local", "local non-member", "non-member"),
    StandDown.TRAVELLERS: ("traveller", "traveler", "travellers"),
}
KNOWN = tuple(word for group in STANDINGS.values() for word in group)
RANKED = (StandDown.LOWEST_RANKED, StandDown.NEAREST)
BY_LOT = "lot"
FAR = float("inf")
SHOWN = 5  # names of people of whom something is missing


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """People who are equal before the rules."""

    names: tuple[str, ...]
    why: str  # what puts them there, in words
    way: str  # the same as a word: of `StandDown`, or "lot"
    is_willing: bool = False  # whether they stand down of their own will


def chosen(levels: Iterable[Level], count: int, lots: Lots) -> Iterator[tuple[NamedReason, bool]]:
    """So many people, level by level, each with whether he is willing; a lot among a level that is not needed whole."""
    for level in levels:
        if not count:
            return
        names, by = level.names, ""
        if len(names) > count:
            names, by = lots(tuple(sorted(names)), count), ", by lot"
        count -= len(names)
        for name in names:
            yield NamedReason(name, level.why + by, level.way), level.is_willing


def levelled(
    people: Sequence[Player], key: Callable[[Player], Any], level: Callable[[tuple[str, ...], Any], Level]
) -> Iterator[Level]:
    """Put people into levels by a key, least first; ``level`` makes one of the names and the key."""
    for value, group in groupby(sorted(people, key=key), key=key):
        yield level(tuple(player.name for player in group), value)


def unnamed(gathering: Gathering) -> list[Player]:
    """Who plays one board and has not been told anything else."""
    twice = {each.name for each in gathering.twice}
    return [player for name, player in gathering.players.items() if name not in twice]


def is_free(gathering: Gathering, name: str) -> bool:
    """Whether somebody may still stand down or play twice, where that is for once only (EDC23 D)."""
    record = gathering.record(name)
    return not gathering.terms.once or record.aside + record.doubled == 0


def doublers(gathering: Gathering) -> tuple[Level, ...]:
    """Who volunteers for two boards; who has done so least comes first."""
    found = [player for player in unnamed(gathering) if player.two_boards and is_free(gathering, player.name)]
    why = f"volunteers for two boards ({gathering.terms.uneven.source})"
    return tuple(
        levelled(
            found,
            lambda player: gathering.record(player.name).doubled,
            lambda names, _: Level(names=names, why=why, way=StandDown.DOUBLE),
        )
    )


def directors(gathering: Gathering, boards: int) -> tuple[Level, ...]:
    """The directors, each once before anybody sits at a second board; who of them plays is theirs to say."""
    terms, playing = gathering.terms, [each.name for each in gathering.plays]
    most = boards if terms.director_boards.value is None else min(terms.director_boards.value, boards)
    why = f"the director plays to fill a board ({terms.uneven.source})"
    seats = [(playing.count(player.name), player.name) for player in gathering.directors]
    turns = [(turn, name) for had, name in seats for turn in range(had, most)]
    return tuple(
        Level(names=(name,), why=why, way=StandDown.DIRECTOR_PLAYS)
        for _, name in sorted(turns, key=lambda turn: turn[0])
    )


def volunteers(gathering: Gathering) -> tuple[Level, ...]:
    """Who volunteers to stand aside: who did so least; where it is paid, most rounds, then lowest ranked (EDC23 D)."""
    found = [player for player in unnamed(gathering) if player.stands_aside and is_free(gathering, player.name)]
    why = f"volunteers to stand aside ({gathering.terms.uneven.source})"

    def key(player: Player) -> tuple[int, ...]:
        record = gathering.record(player.name)
        order = (-record.rounds, -(record.place or 0)) if gathering.terms.once else ()
        return (record.aside, *order)

    return tuple(
        levelled(
            found,
            key,
            lambda names, _: Level(names=names, why=why, way=StandDown.VOLUNTEERS, is_willing=True),
        )
    )


def left_out(gathering: Gathering, count: int) -> tuple[tuple[Level, ...], tuple[Problem, ...]]:
    """Who is left out, first those who are willing; and what the roster must say before anybody can be."""
    willing = volunteers(gathering) if gathering.terms.offers(StandDown.VOLUNTEERS) else ()
    named = {name for level in willing for name in level.names}
    people = [player for player in unnamed(gathering) if player.name not in named]
    rest = max(count - len(named), 0)
    ways = [way for way in gathering.terms.uneven.value if rest and (way in STANDINGS or way in RANKED)]
    levels: list[Level] = []
    problems = [*unknown_standings(people)] if any(way in STANDINGS for way in ways) else []
    for way in ways:
        if way in STANDINGS:
            found = tuple(of_standing(gathering, people, way))
        else:
            problems += unknown_journeys(gathering, people, rest)
            found = tuple(of_rank(gathering, people))
        levels += found
        taken = {name for level in found for name in level.names}
        people = [player for player in people if player.name not in taken]
        rest = max(rest - len(taken), 0)
    return (*willing, *levels), tuple(problems)


def of_standing(gathering: Gathering, people: Sequence[Player], way: StandDown) -> Iterator[Level]:
    """The local players of one class (WM III.5); in it, who was left out least comes first."""

    def level(names: tuple[str, ...], missed: int) -> Level:
        return Level(names=names, why=f"{way.meaning} ({gathering.terms.uneven.source})", way=way)

    found = [player for player in people if standing_of(player) in STANDINGS[way]]
    yield from levelled(found, lambda player: gathering.record(player.name).missed, level)


def of_rank(gathering: Gathering, people: Sequence[Player]) -> Iterator[Level]:
    """The lowest ranked, and among equals, and before there is a ranking, who travelled least (EDC23 B)."""
    terms = gathering.terms
    ranks, travels = (way in terms.uneven.value for way in RANKED)
    is_ranked = ranks and any(place_of(gathering, player) != FAR for player in people)

    def key(player: Player) -> tuple[float, float]:
        far = FAR if player.distance_km is None else float(player.distance_km)
        return -place_of(gathering, player) if ranks else 0.0, far if travels else 0.0

    def level(names: tuple[str, ...], value: tuple[float, float]) -> Level:
        words = (
            ["has no place in the standings" if value[0] == -FAR else f"has place {-value[0]:.0f}"] if is_ranked else []
        )
        words += [f"travelled {value[1]:.0f} km"] if travels and value[1] != FAR else []
        told = ", ".join(words) or "nothing tells him from the others"
        return Level(names=names, why=f"{told} ({terms.uneven.source})", way=RANKED[not is_ranked])

    yield from levelled(people, key, level)


def place_of(gathering: Gathering, player: Player) -> float:
    """A place in the standings; who has none ranks behind everybody who has one."""
    place = gathering.record(player.name).place
    return FAR if place is None else place


def by_lot(gathering: Gathering) -> tuple[Level, ...]:
    """Where nothing else decides: who has played most rounds and missed least comes first, by lot among equals."""

    def key(player: Player) -> tuple[int, int]:
        record = gathering.record(player.name)
        return -record.rounds, record.missed

    def level(names: tuple[str, ...], value: tuple[int, int]) -> Level:
        rounds = {0: "no round", 1: "1 round"}.get(-value[0], f"{-value[0]} rounds")
        return Level(names=names, why=f"{rounds} played, {value[1]} missed so far", way=BY_LOT)

    return tuple(levelled(unnamed(gathering), key, level))


def some(names: Sequence[str]) -> str:
    """Name the first five, and count the others."""
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} others" if more > 0 else "")


def standing_of(player: Player) -> str:
    """The word of the roster's column."""
    return player.standing.strip().lower()


def unknown_standings(people: Sequence[Player]) -> Iterator[Problem]:
    """Nobody is left out by his standing while somebody's standing is unknown."""
    unknown = [player.name for player in people if standing_of(player) not in KNOWN]
    if unknown:
        text = f"who is left out goes by the roster's column 'standing' (one of {', '.join(KNOWN)}), and it is missing"
        text += f" or unknown for {some(unknown)}; fill it in, or name who is left out"
        yield Problem(Weight.ASKS, text, "event.toml players")


def unknown_journeys(gathering: Gathering, people: Sequence[Player], count: int) -> Iterator[Problem]:
    """Nobody is left out by his journey while the journey of somebody who is ranked like him is unknown."""
    ways = gathering.terms.uneven.value
    place = {player.name: place_of(gathering, player) if StandDown.LOWEST_RANKED in ways else FAR for player in people}
    line = sorted(people, key=lambda player: -place[player.name])
    if StandDown.NEAREST not in ways or not 0 < count < len(line):
        return
    last = place[line[count - 1].name]
    if last != place[line[count].name]:
        return
    unknown = [player.name for player in line if place[player.name] == last and player.distance_km is None]
    if unknown:
        text = f"who is left out goes by the roster's column 'distance_km', and it is missing for {some(unknown)}"
        yield Problem(Weight.ASKS, f"{text}; fill it in, or name who is left out", "event.toml players")
