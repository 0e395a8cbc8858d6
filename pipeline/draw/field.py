"""The field of a round: everybody who is there, with the director's changes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct, field

from pipeline.draw.roster import Player, Who, nobody_called
from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules.conduct import HowOften
from pipeline.rules.switches import Setting
from pipeline.rules.tournament import StandDown
from pipeline.words.speech import to_say, write_count

NAMED = "named"  # `NotSeated.way` of those whom the director named
Lots = Callable[[tuple[str, ...], int], tuple[str, ...]]  # names, how many -> so many of them, drawn by lot


class Record(Struct, frozen=True, kw_only=True):
    """What somebody has done in the earlier rounds."""

    rounds: int = 0  # played
    doubled: int = 0  # rounds played on two boards
    aside: int = 0  # rounds that he sat out voluntarily
    sent: int = 0  # rounds in which he was left out involuntarily
    place: int | None = None  # in the standings; None before the first result

    @property
    def rounds_missed(self) -> int:
        """Rounds in which he was there and did not play."""
        return self.aside + self.sent


class RoundDecisions(Struct, frozen=True, kw_only=True):
    """What the director decided about this round: who is absent, sits out, plays twice, and why."""

    absent: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()  # sit out voluntarily
    sent: tuple[str, ...] = ()  # are left out
    twice: tuple[str, ...] = ()  # play on two boards
    plays: tuple[str, ...] = ()  # directors who play, each once for each board
    six: int = 0  # boards of the six-player variant
    why: str = ""  # a reason, wanted for what the rules do not offer


class NotSeated(Struct, frozen=True):
    """Who sits out, or plays otherwise than others, and why."""

    player: Who
    why: str
    way: str = NAMED  # a word of `StandDown`, "lot", or that the director named him

    @property
    def name(self) -> str:
        """The player's name; in a fact, which names players by number, the number."""
        return str(self.player)


class Turnout(Struct, frozen=True, kw_only=True):
    """The seats of a round to be drawn, and who is not on them."""

    bodies: tuple[str, ...]  # one name for each seat; a player on two boards is named twice
    six: int = 0  # boards of the six-player variant
    aside: tuple[NotSeated, ...] = ()  # present, and sit out voluntarily
    sent: tuple[NotSeated, ...] = ()  # there, and left out
    out: tuple[NotSeated, ...] = ()  # there, and not allowed to play
    twice: tuple[NotSeated, ...] = ()
    plays: tuple[NotSeated, ...] = ()  # directors, each once for each board


class Terms(Struct, frozen=True, kw_only=True):
    """What a tournament says of a field that does not fill its boards."""

    uneven: Setting[tuple[StandDown, ...]]
    director_boards: Setting[int | None]  # on how many boards of a round the director may play
    two_boards: Setting[HowOften]
    rounds_most: Setting[int | None]  # how many of the rounds before the last anybody may play
    is_paid: bool = False  # whether standing down brings points (EDC23 D2)
    size: int = 7  # players at a board
    six: int = 6  # players at a board of the variant; 0: there is none beside this map

    @property
    def once(self) -> bool:
        """Whether standing down and playing twice are for once each, and exclude each other (EDC23 D)."""
        return self.two_boards.value is HowOften.ONCE

    def offers(self, way: StandDown) -> bool:
        """Whether the rules know a way, or leave all of them to the director."""
        return self.uneven.asks or way in self.uneven.value


class Gathering(Struct, kw_only=True):
    """The players of a round while it is decided who sits out or plays twice, so that they fill whole boards."""

    round: int
    terms: Terms
    records: Mapping[str, Record]
    roster: tuple[Player, ...] = ()  # everybody but the finalists, also who is absent
    six: int = 0
    players: dict[str, Player] = field(default_factory=dict)  # who may be seated, directors apart
    directors: list[Player] = field(default_factory=list)
    aside: list[NotSeated] = field(default_factory=list)
    sent: list[NotSeated] = field(default_factory=list)
    out: list[NotSeated] = field(default_factory=list)
    twice: list[NotSeated] = field(default_factory=list)
    plays: list[NotSeated] = field(default_factory=list)

    def record(self, name: str) -> Record:
        """What somebody has done so far."""
        return self.records.get(name, Record())

    @property
    def seated_names(self) -> list[str]:
        return [*self.players, *(each.name for each in (*self.plays, *self.twice))]

    @property
    def over(self) -> int:
        """How many players are too many for full boards; a board of the variant has an empty seat."""
        return (len(self.seated_names) + self.six) % self.terms.size

    @property
    def short(self) -> int:
        """How many seats are still to be taken before boards are full."""
        return -(len(self.seated_names) + self.six) % self.terms.size

    def boards(self, more: int = 0) -> int:
        """How many boards there are when so many further seats are taken, or left empty at a board of the variant."""
        return (len(self.seated_names) + self.six + more) // self.terms.size

    def turnout(self) -> Turnout:
        """The players of the round as they are now, frozen."""
        return Turnout(
            bodies=tuple(self.seated_names),
            six=self.six,
            aside=tuple(self.aside),
            sent=tuple(self.sent),
            out=tuple(self.out),
            twice=tuple(self.twice),
            plays=tuple(self.plays),
        )


def gather_players(players: Sequence[Player], decisions: RoundDecisions, gathering: Gathering) -> Gathering:
    """Put the players who are present and may play into an empty gathering; stop with all unknown names."""
    if faults := [*_unknown_names(players, decisions), *_contradictions(decisions)]:
        raise Stopped(faults)
    because = f"{BY_WORD}{f': {decisions.why}' if decisions.why else ''}"
    most = gathering.terms.rounds_most
    gathering.roster = tuple(players)
    for player in players:
        name = player.name
        if name in decisions.absent:
            continue
        if name in decisions.aside:
            gathering.aside.append(NotSeated(name, because))
        elif name in decisions.sent:
            gathering.sent.append(NotSeated(name, because))
        elif most.value is not None and gathering.record(name).rounds >= most.value:
            gathering.out.append(
                NotSeated(name, f"has played {write_count(most.value, 'round')} already ({most.source})")
            )
        elif player.director:
            gathering.directors.append(player)
        else:
            gathering.players[name] = player
    if faults := [*_players_not_allowed(decisions, gathering.out)]:
        raise Stopped(faults)
    director_names = [player.name for player in gathering.directors]
    gathering.plays += [NotSeated(name, because) for name in decisions.plays if name in director_names]
    gathering.twice += [
        NotSeated(name, because) for name in dict.fromkeys(decisions.twice) if name in gathering.players
    ]
    gathering.six = decisions.six
    return gathering


def _unknown_names(players: Sequence[Player], decisions: RoundDecisions) -> list[Problem]:
    """Report names that are not on the roster, --plays for players who are no directors, and --twice for directors."""
    names = tuple(player.name for player in players)
    director_names = tuple(player.name for player in players if player.director)
    named = {"--absent": decisions.absent, "--aside": decisions.aside, "--out": decisions.sent}
    named |= {"--twice": decisions.twice, "--plays": decisions.plays}
    faults: list[Problem] = [
        nobody_called(name, names, flag)
        for flag, called in named.items()
        for name in dict.fromkeys(called)
        if name not in names
    ]
    faults += [
        Problem(Weight.STOPS, f"{name!r} is no director (column 'director'), and is drawn as others are", "--plays")
        for name in dict.fromkeys(decisions.plays)
        if name in names and name not in director_names
    ]
    faults += [
        Problem(Weight.STOPS, f"{name!r} is a director: to be named among the directors who play", "--twice")
        for name in dict.fromkeys(decisions.twice)
        if name in director_names
    ]
    return faults


def _contradictions(decisions: RoundDecisions) -> list[Problem]:
    """Report everybody who is away and plays, or is named as away twice."""
    gone = (*dict.fromkeys(decisions.absent), *dict.fromkeys(decisions.aside), *dict.fromkeys(decisions.sent))
    faults = [
        Problem(Weight.STOPS, f"{name!r} cannot play: also named as away, as sitting out or as left out", flag)
        for flag, names in (("--twice", decisions.twice), ("--plays", decisions.plays))
        for name in dict.fromkeys(names)
        if name in gone
    ]
    faults += [
        Problem(
            Weight.STOPS, f"{name!r} is away, sits out or is left out already, or named twice; once is enough", "draw"
        )
        for name in dict.fromkeys(gone)
        if gone.count(name) > 1
    ]
    return faults


def _players_not_allowed(decisions: RoundDecisions, out: Sequence[NotSeated]) -> Iterator[Problem]:
    """Report everybody who is named to play on a further board, and is not allowed to play at all."""
    for flag, named in (("--twice", decisions.twice), ("--plays", decisions.plays)):
        for each in out:
            if each.name in named:
                yield Problem(Weight.STOPS, f"{each.name!r} cannot play: {each.why}", flag)


# Who sits out, plays twice or is left out: in the order of the rules, level by level.
#
# People of one level are equal before the rules; where not all of them are concerned, a lot decides.

STANDINGS = {  # the words of the roster's column "standing" for each class (WM III.5)
    StandDown.LOCAL_BOARD: ("board member", "local board member"),
    StandDown.LOCAL_CLUB: ("club member", "local club member", "member"),
    StandDown.LOCAL: ("local", "local non-member", "non-member"),
    StandDown.TRAVELLERS: ("traveller", "traveler", "travellers"),
}
BY_WORD, VOLUNTEERS = to_say("by the director's word"), to_say("volunteers to sit out")
KNOWN = tuple(word for group in STANDINGS.values() for word in group)
RANKED = (StandDown.LOWEST_RANKED, StandDown.NEAREST)
BY_LOT, OF_LOT = "lot", to_say(", by lot")  # the way, and what is said behind the reason
FAR = float("inf")
SHOWN = 5  # so many are named of the people whose data are missing; the others are counted


class Level(Struct, frozen=True, kw_only=True):
    """People who are equal before the rules."""

    names: tuple[str, ...]
    why: str  # what puts them there, in words
    way: str  # the code for `why`: a word of `StandDown`, or "lot"
    is_willing: bool = False  # whether they sit out voluntarily


def choose_by_level(levels: Iterable[Level], count: int, lots: Lots) -> Iterator[tuple[NotSeated, bool]]:
    """Choose so many people, level by level, each with whether he volunteers; a lot decides within the last level."""
    for level in levels:
        if not count:
            return
        names, by = level.names, ""
        if len(names) > count:
            names, by = lots(tuple(sorted(names)), count), OF_LOT
        count -= len(names)
        for name in names:
            yield NotSeated(name, level.why + by, level.way), level.is_willing


def _group_into_levels(
    people: Sequence[Player], key: Callable[[Player], Any], level: Callable[[tuple[str, ...], Any], Level]
) -> Iterator[Level]:
    """Put people into levels by a key, least first; ``level`` makes one of the names and the key."""
    for value, group in groupby(sorted(people, key=key), key=key):
        yield level(tuple(player.name for player in group), value)


def _undecided_players(gathering: Gathering) -> list[Player]:
    """Players with one board and no other arrangement."""
    twice = {each.name for each in gathering.twice}
    return [player for name, player in gathering.players.items() if name not in twice]


def _is_free(gathering: Gathering, name: str) -> bool:
    """Whether somebody may still sit out or play twice, where that is for once only (EDC23 D)."""
    record = gathering.record(name)
    return not gathering.terms.once or record.aside + record.doubled == 0


def doublers(gathering: Gathering) -> tuple[Level, ...]:
    """The volunteers for two boards, those who did so least first."""
    people = [
        player for player in _undecided_players(gathering) if player.two_boards and _is_free(gathering, player.name)
    ]
    why = f"volunteers for two boards ({gathering.terms.uneven.source})"
    return tuple(
        _group_into_levels(
            people,
            lambda player: gathering.record(player.name).doubled,
            lambda names, _: Level(names=names, why=why, way=StandDown.DOUBLE),
        )
    )


def directors(gathering: Gathering, boards: int) -> tuple[Level, ...]:
    """The directors, each once before anybody gets a second board; they decide themselves who plays."""
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
    """The volunteers to sit out: those who did so least first.

    Where it is for once, those who played most rounds first, then the lowest ranked (EDC23 D).
    """
    people = [
        player for player in _undecided_players(gathering) if player.stands_aside and _is_free(gathering, player.name)
    ]
    why = f"{VOLUNTEERS} ({gathering.terms.uneven.source})"

    def key(player: Player) -> tuple[float, ...]:
        record = gathering.record(player.name)
        order = (-record.rounds, -_rank_of(gathering, player)) if gathering.terms.once else ()
        return (record.aside, *order)

    return tuple(
        _group_into_levels(
            people,
            key,
            lambda names, _: Level(names=names, why=why, way=StandDown.VOLUNTEERS, is_willing=True),
        )
    )


def choose_left_out(gathering: Gathering, count: int) -> tuple[tuple[Level, ...], tuple[Problem, ...]]:
    """Who is left out, volunteers first; and which roster data are missing to decide it."""
    willing = volunteers(gathering) if gathering.terms.offers(StandDown.VOLUNTEERS) else ()
    named = {name for level in willing for name in level.names}
    people = [player for player in _undecided_players(gathering) if player.name not in named]
    rest = max(count - len(named), 0)
    ways = [way for way in gathering.terms.uneven.value if rest and (way in STANDINGS or way in RANKED)]
    levels: list[Level] = []
    problems = [*_unknown_standings(people)] if any(way in STANDINGS for way in ways) else []
    for way in ways:
        if way in STANDINGS:
            standing = tuple(_of_standing(gathering, people, way))
        else:
            problems += _unknown_journeys(gathering, people, rest)
            standing = tuple(_of_rank(gathering, people))
        levels += standing
        taken = {name for level in standing for name in level.names}
        people = [player for player in people if player.name not in taken]
        rest = max(rest - len(taken), 0)
    return (*willing, *levels), tuple(problems)


def _of_standing(gathering: Gathering, people: Sequence[Player], way: StandDown) -> Iterator[Level]:
    """The local players of one class (WM III.5); in it, who was left out least comes first."""

    def level(names: tuple[str, ...], missed: int) -> Level:
        return Level(names=names, why=f"{way.meaning} ({gathering.terms.uneven.source})", way=way)

    of_class = [player for player in people if _roster_standing(player) in STANDINGS[way]]
    yield from _group_into_levels(of_class, lambda player: gathering.record(player.name).rounds_missed, level)


def _of_rank(gathering: Gathering, people: Sequence[Player]) -> Iterator[Level]:
    """The lowest ranked first; of equals, and where nobody is ranked yet, who travelled least (EDC23 B)."""
    terms = gathering.terms
    ranks, travels = (way in terms.uneven.value for way in RANKED)
    is_ranked = ranks and any(_rank_of(gathering, player) != FAR for player in people)

    def key(player: Player) -> tuple[float, float]:
        far = FAR if player.distance_km is None else float(player.distance_km)
        return -_rank_of(gathering, player) if ranks else 0.0, far if travels else 0.0

    def level(names: tuple[str, ...], value: tuple[float, float]) -> Level:
        words = (
            ["has no place in the standings" if value[0] == -FAR else f"has place {-value[0]:.0f}"] if is_ranked else []
        )
        words += [f"travelled {value[1]:.0f} km"] if travels and value[1] != FAR else []
        text = ", ".join(words) or "nothing tells them apart"
        return Level(names=names, why=f"{text} ({terms.uneven.source})", way=RANKED[not is_ranked])

    yield from _group_into_levels(people, key, level)


def _rank_of(gathering: Gathering, player: Player) -> float:
    """A place in the standings; players without one come last."""
    place = gathering.record(player.name).place
    return FAR if place is None else place


def by_lot(gathering: Gathering) -> tuple[Level, ...]:
    """The last resort: most rounds played and fewest missed comes first, by lot among equals."""

    def key(player: Player) -> tuple[int, int]:
        record = gathering.record(player.name)
        return -record.rounds, record.rounds_missed

    def level(names: tuple[str, ...], value: tuple[int, int]) -> Level:
        rounds = write_count(-value[0], "round") if value[0] else "no round"
        return Level(names=names, why=f"{rounds} played, {value[1]} missed so far", way=BY_LOT)

    return tuple(_group_into_levels(_undecided_players(gathering), key, level))


def _name_some(names: Sequence[str]) -> str:
    """Name the first five, and count the others."""
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def _roster_standing(player: Player) -> str:
    """The word of the roster's column."""
    return player.standing.strip().lower()


def _unknown_standings(people: Sequence[Player]) -> Iterator[Problem]:
    """A question if a player's class in the column standing is unknown: then nobody can be left out by it."""
    unknown = [player.name for player in people if _roster_standing(player) not in KNOWN]
    if unknown:
        text = f"who is left out goes by the roster's column 'standing' (one of {', '.join(KNOWN)}), and it is missing"
        text += f" or unknown for {_name_some(unknown)}; fill it in, or name who is left out"
        yield Problem(Weight.ASKS, text, "event.toml players")


def _unknown_journeys(gathering: Gathering, people: Sequence[Player], count: int) -> Iterator[Problem]:
    """A question if the distance of an equally ranked player is unknown: then nobody can be left out by distance."""
    ways = gathering.terms.uneven.value
    place = {player.name: _rank_of(gathering, player) if StandDown.LOWEST_RANKED in ways else FAR for player in people}
    line = sorted(people, key=lambda player: -place[player.name])
    if StandDown.NEAREST not in ways or not 0 < count < len(line):
        return
    last = place[line[count - 1].name]
    if last != place[line[count].name]:
        return
    unknown = [player.name for player in line if place[player.name] == last and player.distance_km is None]
    if unknown:
        text = f"who is left out goes by the roster's column 'distance_km', and it is missing for {_name_some(unknown)}"
        yield Problem(Weight.ASKS, f"{text}; fill it in, or name who is left out", "event.toml players")
