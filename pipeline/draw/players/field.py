"""Who plays in a round: everybody who is there, less and more what the director says of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.draw.players.called import not_called
from pipeline.draw.players.roster import Player
from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules.conduct_rules import HowOften
from pipeline.rules.event_rules import StandDown
from pipeline.rules.toml.setting import Setting

NAMED = "named"  # the way of whoever the director named himself
Lots = Callable[[tuple[str, ...], int], tuple[str, ...]]  # so many of these, by lot


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What somebody has done in the earlier rounds."""

    rounds: int = 0  # played
    doubled: int = 0  # rounds played on two boards
    aside: int = 0  # rounds stood down, of his own will
    sent: int = 0  # rounds left out, against his will
    place: int | None = None  # in the standings; None before the first result

    @property
    def missed(self) -> int:
        """Rounds in which he was there and did not play."""
        return self.aside + self.sent


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldReason:
    """What the director says of this round."""

    absent: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()  # stand down, of their own will
    sent: tuple[str, ...] = ()  # are left out
    twice: tuple[str, ...] = ()  # play on two boards
    plays: tuple[str, ...] = ()  # directors who play, each once for each board
    six: int = 0  # boards of the six-player variant
    why: str = ""  # a reason, wanted for what the rules do not offer


@dataclass(frozen=True, slots=True)
class NamedReason:
    """Somebody, and why."""

    name: str
    why: str
    way: str = NAMED  # a word of `StandDown`, or that the director named him


@dataclass(frozen=True, slots=True, kw_only=True)
class Turnout:
    """The seats of a round to be drawn, and who is not on them."""

    bodies: tuple[str, ...]  # a name twice: on two boards
    six: int = 0  # boards of the six-player variant
    aside: tuple[NamedReason, ...] = ()  # there, and stand down of their own will
    sent: tuple[NamedReason, ...] = ()  # there, and left out
    out: tuple[NamedReason, ...] = ()  # there, and not allowed to play
    twice: tuple[NamedReason, ...] = ()
    plays: tuple[NamedReason, ...] = ()  # directors, each once for each board


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
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


@dataclass(slots=True, kw_only=True)
class Gathering:
    """The field while it is made even."""

    round: int
    terms: Terms
    records: Mapping[str, Record]
    roster: tuple[Player, ...] = ()  # who may be in the round, wherever they are
    six: int = 0
    players: dict[str, Player] = field(default_factory=dict)  # who may be seated, directors apart
    directors: list[Player] = field(default_factory=list)
    aside: list[NamedReason] = field(default_factory=list)
    sent: list[NamedReason] = field(default_factory=list)
    out: list[NamedReason] = field(default_factory=list)
    twice: list[NamedReason] = field(default_factory=list)
    plays: list[NamedReason] = field(default_factory=list)

    def record(self, name: str) -> Record:
        """What somebody has done so far."""
        return self.records.get(name, Record())

    @property
    def seated(self) -> list[str]:
        """One name a seat."""
        return [*self.players, *(each.name for each in (*self.plays, *self.twice))]

    @property
    def over(self) -> int:
        """How many seats are taken more than fill boards, an empty one at each board of the variant counted."""
        return (len(self.seated) + self.six) % self.terms.size

    @property
    def short(self) -> int:
        """How many seats are still to be taken before boards are full."""
        return -(len(self.seated) + self.six) % self.terms.size

    def boards(self, more: int = 0) -> int:
        """How many boards there are when so many further seats are taken, or left empty at a board of the variant."""
        return (len(self.seated) + self.six + more) // self.terms.size

    def turnout(self) -> Turnout:
        """The field as it is."""
        return Turnout(
            bodies=tuple(self.seated),
            six=self.six,
            aside=tuple(self.aside),
            sent=tuple(self.sent),
            out=tuple(self.out),
            twice=tuple(self.twice),
            plays=tuple(self.plays),
        )


def gather(players: Sequence[Player], told: ToldReason, empty: Gathering) -> Gathering:
    """Take in who is there and may play; names nobody has stop the work, all at once."""
    if faults := [*unknown(players, told), *contradictions(told)]:
        raise Stopped(faults)
    because = f"by the director's word{f': {told.why}' if told.why else ''}"
    most = empty.terms.rounds_most
    empty.roster = tuple(players)
    for player in players:
        name = player.name
        if name in told.absent:
            continue
        if name in told.aside:
            empty.aside.append(NamedReason(name, because))
        elif name in told.sent:
            empty.sent.append(NamedReason(name, because))
        elif most.value is not None and empty.record(name).rounds >= most.value:
            empty.out.append(NamedReason(name, f"has played {most.value} rounds already ({most.source})"))
        elif player.director:
            empty.directors.append(player)
        else:
            empty.players[name] = player
    directors = [player.name for player in empty.directors]
    empty.plays += [NamedReason(name, because) for name in told.plays if name in directors]
    empty.twice += [NamedReason(name, because) for name in dict.fromkeys(told.twice) if name in empty.players]
    empty.six = told.six
    return empty


def unknown(players: Sequence[Player], told: ToldReason) -> list[Problem]:
    """Names that nobody on the roster has, and directors who are none."""
    names = tuple(player.name for player in players)
    directors = tuple(player.name for player in players if player.director)
    said = {"--absent": told.absent, "--aside": told.aside, "--out": told.sent, "--twice": told.twice}
    faults = [
        Problem(Weight.STOPS, not_called(name, names), flag)
        for flag, found in {**said, "--plays": told.plays}.items()
        for name in dict.fromkeys(found)
        if name not in names
    ]
    faults += [
        Problem(
            Weight.STOPS, f"{name!r} is no director (roster, column 'director') and plays anyway; leave it out", flag
        )
        for flag, found in {"--plays": told.plays}.items()
        for name in dict.fromkeys(found)
        if name in names and name not in directors
    ]
    faults += [
        Problem(Weight.STOPS, f"{name!r} is a director; --plays for each board he plays on", "--twice")
        for name in dict.fromkeys(told.twice)
        if name in directors
    ]
    return faults


def contradictions(told: ToldReason) -> list[Problem]:
    """What cannot both be: somebody is gone and plays, or is gone in two ways; fewer boards than none."""
    gone = (*dict.fromkeys(told.absent), *dict.fromkeys(told.aside), *dict.fromkeys(told.sent))
    faults = [
        Problem(Weight.STOPS, f"{name!r} cannot play: he is also named with --absent, --aside or --out", flag)
        for flag, found in (("--twice", told.twice), ("--plays", told.plays))
        for name in dict.fromkeys(found)
        if name in gone
    ]
    faults += [
        Problem(Weight.STOPS, f"{name!r} is named twice among --absent, --aside and --out; say one of them", "draw")
        for name in dict.fromkeys(gone)
        if gone.count(name) > 1
    ]
    return faults
