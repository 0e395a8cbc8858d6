"""The people of an event at the desk: who there is, who is called otherwise now, who came, who has gone home."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import games, seatings
from pipeline.desk.event.people import People, tables_of
from pipeline.desk.event.seating import abandoned_seats
from pipeline.draw.players.called import full_name, not_called
from pipeline.draw.players.roster import Player
from pipeline.ledger.events import PlayerAdded, PlayerNoted, PlayerRenamed, Seated, TeamEntered
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import Column, Newcomer, Who
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules.conduct_rules import Leaver
from pipeline.rules.toml.plain_text import BLANKS, unprintable


@dataclass(frozen=True, slots=True)
class Listed:
    """One player as the list shows him."""

    player: Player
    once: tuple[str, ...]  # names of former days
    boards: tuple[str, ...]  # where he plays or played, such as "1.2 ITALY"

    def as_json(self) -> dict[str, Any]:
        """Write it for scripts."""
        more = {"more": dict(self.player.more), "once": list(self.once), "boards": list(self.boards)}
        return asdict(self.player) | more


def listed(event: Event) -> tuple[Listed, ...]:
    """Everybody, by number; where facts name somebody whom nobody knows, without the boards."""
    people = event.people
    sat: dict[str, list[str]] = {}
    for seating in seatings(event).values() if not people.strangers else ():
        for power, name in (*seating.players.items(), *((each.power, each.player) for each in seating.earlier)):
            sat.setdefault(name, []).append(f"{seating.name} {power}")
    return tuple(
        Listed(player, former_names(people, player), tuple(sat.get(player.name, ())))
        for player in sorted(people.players, key=lambda player: player.number or 0)
    )


def former_names(people: People, player: Player) -> tuple[str, ...]:
    """What somebody was called before."""
    return tuple(name for name, number in people.called.items() if number == player.number and name != player.name)


def add_player(event: Event, name: str, details: dict[str, Any], *, by: str, why: str = "") -> Fact[PlayerAdded]:
    """Take somebody in who came later; his number is one that nobody ever had."""
    new = free_name(event, name)
    numbers = {number for table in tables_of(event.facts) for number in table.values()}
    numbers |= {player.number or 0 for player in event.people.players} | set(event.people.called.values())
    numbers |= {fact.said.player.number for fact in event.facts.told(PlayerAdded)}  # taken back, it is nobody else's
    given = {key: value for key, value in details.items() if value not in ("", None)}
    faults = [(key, fault) for key, value in given.items() if (fault := unprintable(str(value)))]
    if faults:
        raise Stopped(Problem(Weight.STOPS, f"it holds {fault}", f"players {key}") for key, fault in faults)
    player = Newcomer(name=new, number=1 + max(numbers, default=0), **given)
    return event.facts.write(PlayerAdded(player=player, names=event.people.table(()), why=why), by)


def rename(event: Event, old: str, new: str, *, by: str, why: str = "") -> Fact[PlayerRenamed]:
    """Give somebody another name; all that he did stays his.

    ``old`` may also be a name that only facts know any more: then ``new`` is who he is on the roster.
    """
    people = event.people
    old = old if old in {name for name, _ in lost_names(people)} else full_name(old, people.names)
    player = next((player for player in people.players if player.name == old), None)
    if player is not None:
        name = free_name(event, new, but=player.number)
        filed = next(p for p in people.filed if p.number == player.number)
        said = PlayerRenamed(player=player.number or 0, name=name, was=filed.name, why=why)
    else:
        said = PlayerRenamed(player=bound(event, old, new), name=new, was=old, why=why)
    return event.facts.write(said, by)


def bound(event: Event, old: str, new: str) -> int:
    """The number of somebody of the roster who is he whom facts call otherwise, or stop."""
    people = event.people
    lost = dict(lost_names(people))
    if old not in lost:
        raise stop(not_called(old, (*people.names, *lost)), "--rename")
    number = people.number_of(new, "--rename")
    who = lost[old]
    if not isinstance(who, int):  # an old fact, which says the name
        return number
    filed = next(player for player in event.roster if player.name == new)
    if filed.number is not None or number in used_numbers(event):
        text = f"{new!r} is player {number}, and {old!r} was player {who}; if they are one and the same,"
        raise stop(f"{text} write number = {who} into the entry of {new!r} in event.toml", "--rename")
    return who


def lost_names(people: People) -> tuple[tuple[str, Who], ...]:
    """The names that facts have and the roster has no more."""
    return tuple((name, who) for who, name in people.lost)


def used_numbers(event: Event) -> set[int]:
    """The numbers under which somebody was seated or entered in a team."""
    tables = [fact.said.names for fact in event.facts.told(Seated)]
    tables += [fact.said.names for fact in event.facts.told(TeamEntered)]
    return {int(number) for names in tables for number in names or ()}


def free_name(event: Event, name: str, but: int | None = None) -> str:
    """A name that nobody has or ever had here, or stop: results could not be told apart."""
    if fault := unprintable(name.strip(BLANKS)):
        raise stop(f"the name {name[:60]!r} holds {fault}", "players")
    new = " ".join(name.split())
    taken = {called.casefold(): number for called, number in event.people.called.items()}
    taken |= {name.casefold(): 0 for _, name in event.people.lost}
    if not new:
        raise stop("a player needs a name", "players")
    if taken.get(new.casefold(), but) != but:
        raise stop(f"{new!r} is, or was, the name of somebody here; add an initial", "players")
    return new


def mark_left(
    event: Event, names: Iterable[str], *, left: bool, by: str, why: str = ""
) -> tuple[Fact[PlayerNoted], ...]:
    """Write down that people have gone home, or are back: no draw seats who has gone."""
    people, problems, facts = event.people, [], []
    for text in names:
        name = full_name(text, people.names)
        player = next((player for player in people.players if player.name == name), None)
        if player is None:
            problems.append(not_called(text, people.names))
        elif player.left is left:
            problems.append(f"{name!r} {'has left already' if left else 'has not left'}")
        else:
            filed = next(p for p in people.filed if p.number == player.number)
            facts.append(noted(player, Column.LEFT, left, filed.left, why))
    if problems:
        raise Stopped(Problem(Weight.STOPS, text, "players") for text in problems)
    return event.facts.write_all(facts, by)


def noted(player: Player, field: Column, value: object, was: object, why: str) -> PlayerNoted:
    """What is written down of one line of the roster: it holds while the file says what it said then."""
    return PlayerNoted(player=player.number or 0, name=player.name, field=field, value=value, was=was, why=why)


def leaving(event: Event, name: str) -> str:
    """What the rules say of somebody who leaves a game that goes on, and of his seat; nothing where he leaves none."""
    rule = event.tournament.conduct.leaver
    going_on = [game for game in games(event).values() if not game.ended]
    name = full_name(name, event.people.names)
    playing = [game.name for game in going_on if name in game.seating.players.values()]
    told = [
        f"board {game.name}, {power}: {question}"
        for game in going_on
        for power, question in abandoned_seats(event, game).items()
        if game.seating.players[power] == name
    ]
    if playing and rule.value is Leaver.EXCLUDED:
        told.insert(0, f"{name} sits on {', '.join(playing)}; who leaves a game: {rule.value.meaning} ({rule.source})")
    return "; ".join(told)
