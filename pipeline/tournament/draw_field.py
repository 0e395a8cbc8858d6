"""Who plays in a round: everybody who is there, made a multiple of the seats by the tournament's own list of ways."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.tournament.event_rules import StandDown
from pipeline.tournament.roster import Player
from pipeline.tournament.setting import Setting
from pipeline.tournament.table import did_you_mean

BOARDS_OF_DIRECTOR = 2  # "may play on one or two boards himself" (WM III.5)
STANDINGS = {  # the words of the roster's column "standing", and who goes first (WM III.5)
    StandDown.LOCAL_BOARD: ("board member", "local board member"),
    StandDown.LOCAL_CLUB: ("club member", "local club member", "member"),
    StandDown.LOCAL: ("local", "local non-member", "non-member"),
    StandDown.TRAVELLERS: ("traveller", "traveler", "travellers"),
}
KNOWN = tuple(word for group in STANDINGS.values() for word in group)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What somebody has done in the earlier rounds."""

    rounds: int = 0  # played
    doubled: int = 0  # rounds played on two boards
    aside: int = 0  # rounds stood down on request
    place: int | None = None  # in the standings; None before the first result


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the director says of this round."""

    absent: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()  # stand down
    twice: tuple[str, ...] = ()  # play on two boards
    plays: tuple[str, ...] = ()  # directors who play like everybody


@dataclass(frozen=True, slots=True)
class Reason:
    """Somebody, and why."""

    name: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turnout:
    """The seats of a round to be drawn, and who is not on them."""

    bodies: tuple[str, ...]  # a name twice: on two boards
    aside: tuple[Reason, ...] = ()  # there, and asked to stand down
    out: tuple[Reason, ...] = ()  # there, and not allowed to play
    twice: tuple[Reason, ...] = ()


@dataclass(slots=True, kw_only=True)
class Gathering:
    """The field while it is made even."""

    players: dict[str, Player]  # who may be seated, directors apart
    directors: list[Player]
    records: Mapping[str, Record]
    uneven: Setting[tuple[StandDown, ...]]
    size: int
    rng: Random
    once: bool  # whether standing down and playing twice are for once, and exclude each other (EDC23 D)
    aside: list[Reason] = field(default_factory=list)
    out: list[Reason] = field(default_factory=list)
    twice: list[Reason] = field(default_factory=list)
    more: list[Reason] = field(default_factory=list)  # seats that could be filled besides
    fewer: list[Reason] = field(default_factory=list)  # players who could stand down

    def record(self, name: str) -> Record:
        """What somebody has done so far."""
        return self.records.get(name, Record())

    @property
    def seated(self) -> list[str]:
        """One name a seat."""
        return [*self.players, *(each.name for each in self.twice)]

    def by_lot(self, players: Sequence[Player], key: Callable[[Player], tuple[int, ...]]) -> list[Player]:
        """Order people by a key, and by lot among equals."""
        mixed = self.rng.sample(players, len(players))
        return sorted(mixed, key=key)


def turnout(gathering: Gathering) -> Turnout:
    """Make the field even by the first way of the rules that suffices, or stop and ask (exit code 3)."""
    over = len(gathering.seated) % gathering.size
    if over:
        make_even(gathering, over, gathering.size - over)
    if not gathering.seated:
        raise stop(f"nobody to seat; {gathering.size} make a board", "draw", ExitCode.RULE_FIRST)
    players = [*gathering.players, *(each.name for each in gathering.twice)]
    return Turnout(
        bodies=tuple(players),
        aside=tuple(gathering.aside),
        out=tuple(gathering.out),
        twice=tuple(gathering.twice),
    )


def gather(players: Sequence[Player], told: Told, rounds_most: tuple[int, str] | None, empty: Gathering) -> Gathering:
    """Take in who is there and may play; names nobody has stop the work, all at once."""
    names = tuple(player.name for player in players)
    said = {"--absent": told.absent, "--aside": told.aside, "--twice": told.twice, "--plays": told.plays}
    faults = [
        Problem(Weight.STOPS, f"nobody on the roster is called {name!r}{did_you_mean(name, names)}", flag)
        for flag, found in said.items()
        for name in found
        if name not in names
    ]
    gone = {*told.absent, *told.aside}
    faults += [
        Problem(Weight.STOPS, f"{name!r} cannot play: he is also named as absent or aside", "--twice")
        for name in (*told.twice, *told.plays)
        if name in gone and name in names
    ]
    if faults:
        raise Stopped(faults)
    for player in players:
        name = player.name
        if name in told.absent:
            continue
        if name in told.aside:
            empty.aside.append(Reason(name, "by the director's word"))
        elif rounds_most and empty.record(name).rounds >= rounds_most[0]:
            empty.out.append(Reason(name, f"has played {rounds_most[0]} rounds already ({rounds_most[1]})"))
        elif player.director and name not in (*told.plays, *told.twice):
            empty.directors.append(player)
        else:
            empty.players[name] = player
    for name in dict.fromkeys(told.twice):
        if name in empty.players:
            empty.twice.append(Reason(name, "by the director's word"))
    return empty


def make_even(gathering: Gathering, over: int, short: int) -> None:
    """Go down the list of the rules until so many stand down, or so many seats are filled besides."""
    may_shrink = len(gathering.seated) > gathering.size
    ways = () if gathering.uneven.asks else gathering.uneven.value
    for way in ways:
        offer(gathering, way, over)
        if len(gathering.more) >= short:
            for extra in gathering.more[:short]:
                fill(gathering, extra)
            return
        if may_shrink and len(gathering.fewer) >= over:
            for each in gathering.fewer[:over]:
                stand_down(gathering, each)
            return
    raise Stopped([cannot(gathering, over, short, may_shrink=may_shrink)], ExitCode.RULE_FIRST)


def fill(gathering: Gathering, extra: Reason) -> None:
    """Seat a director, or somebody a second time."""
    director = next((each for each in gathering.directors if each.name == extra.name), None)
    if director and extra.name not in gathering.players:
        gathering.players[extra.name] = director
        return
    gathering.twice.append(extra)


def stand_down(gathering: Gathering, each: Reason) -> None:
    """Take somebody out of the field; whoever plays two boards is never asked to."""
    gathering.players.pop(each.name, None)
    gathering.aside.append(each)


def offer(gathering: Gathering, way: StandDown, over: int) -> None:
    """Add what one way offers to the seats that could be filled, or to the players who could stand down."""
    rule = gathering.uneven.source
    match way:
        case StandDown.DOUBLE:
            gathering.more += [Reason(p.name, f"volunteers for two boards ({rule})") for p in doublers(gathering)]
        case StandDown.DIRECTOR_PLAYS:
            seats = gathering.directors * BOARDS_OF_DIRECTOR  # each once, before anybody sits twice
            gathering.more += [Reason(p.name, f"the director plays to fill a board ({rule})") for p in seats]
        case StandDown.VOLUNTEERS:
            gathering.fewer += [Reason(p.name, f"volunteers to stand aside ({rule})") for p in volunteers(gathering)]
        case StandDown.LOWEST_RANKED | StandDown.NEAREST:
            gathering.fewer += last_in_line(gathering, way, over - len(gathering.fewer))
        case StandDown.VARIANT | StandDown.ASK:
            pass  # a variant is another map, and so another event
        case _:
            named = [p for p in unoffered(gathering) if p.standing.strip().lower() in STANDINGS[way]]
            named = gathering.by_lot(named, lambda p: (gathering.record(p.name).aside,))
            gathering.fewer += [Reason(p.name, f"{way.meaning} ({rule}), by lot among them") for p in named]
            check_standings(gathering, over)


def unoffered(gathering: Gathering) -> list[Player]:
    """Who could still be asked to stand down: whoever plays one board and has not been named."""
    named = {each.name for each in (*gathering.fewer, *gathering.twice)}
    return [player for name, player in gathering.players.items() if name not in named]


def doublers(gathering: Gathering) -> list[Player]:
    """Who volunteers for two boards; who has done so least comes first."""
    playing = {each.name for each in gathering.twice}
    found = [p for p in gathering.players.values() if p.two_boards and p.name not in playing and free(gathering, p)]
    return gathering.by_lot(found, lambda p: (gathering.record(p.name).doubled,))


def volunteers(gathering: Gathering) -> list[Player]:
    """Who volunteers to stand aside: who did so least, then who has played most, then the lowest ranked (EDC23 D)."""
    found = [p for p in unoffered(gathering) if p.stands_aside and free(gathering, p)]

    def key(player: Player) -> tuple[int, ...]:
        record = gathering.record(player.name)
        return (record.aside, -record.rounds, -(record.place or 0))

    return gathering.by_lot(found, key)


def free(gathering: Gathering, player: Player) -> bool:
    """Whether somebody may still stand down or play twice, where that is for once only."""
    record = gathering.record(player.name)
    return not gathering.once or record.aside + record.doubled == 0


def last_in_line(gathering: Gathering, way: StandDown, count: int) -> list[Reason]:
    """The lowest ranked stand down; among equals, and before there is a ranking, who travelled least (EDC23 B).

    Whom the way cannot tell apart it leaves to the next one.
    """
    ranks = way is StandDown.LOWEST_RANKED or StandDown.LOWEST_RANKED in gathering.uneven.value
    travels = way is StandDown.NEAREST
    people = unoffered(gathering)

    def key(player: Player) -> tuple[float, float]:
        place = gathering.record(player.name).place
        behind = -(place if place is not None else float("inf")) if ranks else 0.0
        if not travels:
            return behind, 0.0
        return behind, float("inf") if player.distance_km is None else player.distance_km

    line = sorted(gathering.rng.sample(people, len(people)), key=key)
    if travels:
        check_distances(gathering, [p for p in line if key(p)[0] == key(line[min(count, len(line)) - 1])[0]])
    sure = [p for p in line[:count] if count >= len(line) or key(p) != key(line[count])]
    if len(sure) < count and not travels:
        return []
    text = "the lowest ranked" if ranks and not travels else "ranked lowest, then travelled least"
    return [Reason(p.name, f"{text} ({gathering.uneven.source})") for p in sure]


def check_distances(gathering: Gathering, level: Sequence[Player]) -> None:
    """Nobody is left out by his journey while somebody's journey is unknown."""
    unknown = [p.name for p in level if p.distance_km is None]
    if unknown and len(level) > 1:
        text = f"who stands down goes by the roster's column 'distance_km', and it is missing for {some(unknown)}"
        raise stop(
            f"{text}; fill it in, or name who stands down with --aside", "event.toml players", ExitCode.RULE_FIRST
        )


def some(names: Sequence[str]) -> str:
    """Name the first five."""
    return ", ".join(names[:5]) + (" and others" if len(names) > 5 else "")


def check_standings(gathering: Gathering, over: int) -> None:
    """Nobody is left out by his standing while somebody's standing is unknown."""
    unknown = [p.name for p in unoffered(gathering) if p.standing.strip().lower() not in KNOWN]
    if unknown and len(gathering.fewer) >= over:
        text = f"who stands down goes by the roster's column 'standing' (one of {', '.join(KNOWN)}), and it is missing"
        text += f" or unknown for {some(unknown)}"
        raise stop(
            f"{text}; fill it in, or name who stands down with --aside", "event.toml players", ExitCode.RULE_FIRST
        )


def cannot(gathering: Gathering, over: int, short: int, *, may_shrink: bool) -> Problem:
    """Say what must be decided, and how."""
    count, size = len(gathering.seated), gathering.size
    ways = (
        "the rules are silent" if gathering.uneven.asks else f"what {gathering.uneven.source} offers does not suffice"
    )
    flags = [f"--twice for {short} who play on two boards"]
    if may_shrink:
        flags.insert(0, f"--aside for {over} who stand down")
    if gathering.directors:
        flags.append(f"--plays for a director ({', '.join(p.name for p in gathering.directors)})")
    text = f"{count} seats taken, {size} make a board: {over} too many or {short} too few, and {ways}; name them with "
    text += ", or ".join(flags)
    sixes = next((six for six in range(1, count // 6 + 1) if (count - 6 * six) % size == 0 and size == 7), None)
    if not gathering.uneven.asks and StandDown.VARIANT in gathering.uneven.value and sixes:
        text += f"; or seat {6 * sixes} of them at {sixes} boards of six in an event of its own (new --map sandard)"
    return Problem(Weight.ASKS, text, "draw.uneven")
