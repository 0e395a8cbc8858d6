"""Who is who: facts name a player by number, and names may change.

The roster is ``event.toml``, which people may edit: a name changed there is a rename. Changes by command or in the
browser override the file, until somebody edits that line of the file: then the file's line counts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import Phase, Power
from pipeline.draw.field import NotSeated
from pipeline.draw.roster import Player, Who, assign_numbers, full_name, nobody_called
from pipeline.ledger import events
from pipeline.ledger.ledger import Ledger, standing
from pipeline.ledger.parts import DrawRecord
from pipeline.problems import Problem, Stopped, Weight
from pipeline.words.names import one_spelling

WITH_NAMES = (events.PlayersNumbered, events.PlayerAdded, events.Seated, events.TeamEntered)
OfPlayers = TypeVar(
    "OfPlayers", events.RollCalled, events.Seated, events.LotSealed, events.LotDrawn, events.TeamEntered
)  # facts that name players by number


class People(Struct, frozen=True, dict=True):
    """Everybody of an event, and every name that anybody ever had."""

    players: tuple[Player, ...]  # each with a number
    number_by_name: Mapping[str, int]  # every present and former name -> the player's number
    before_changes: tuple[Player, ...] = ()  # the players of the file and those whom facts add, before other changes
    # people whom facts name and the roster lacks -> where they are named
    unknown: Mapping[tuple[Who, str], str] = field(default_factory=dict)
    namesakes: tuple[tuple[Player, Player], ...] = ()  # players whose name was another player's before
    unwritten: frozenset[int] = frozenset()  # numbers that neither the file nor a fact `PlayerAdded` states

    @cached_property
    def by_number(self) -> Mapping[int | None, Player]:
        """Everybody by number, worked out once: facts name people all the time."""
        return {player.number: player for player in reversed(self.players)}

    @property
    def roster_problems(self) -> tuple[Problem, ...]:
        """The problems if facts name somebody who is not on the roster, or two people had one name; with the remedy."""
        problems = []
        for (who, name), where in self.unknown.items():
            back = f"with number = {who}" if isinstance(who, int) else "as it was"
            text = (
                f"{name!r} is no longer on the roster; put the entry back into event.toml {back}, or say who it is now"
            )
            mend = f"ordersheets players EVENT --rename {name!r} 'CURRENT NAME'"
            problems.append(Problem(Weight.STOPS, f"{text}: {mend}", where))
        for new, old in self.namesakes:
            called = f"player {new.number} has the former name of player {old.number}, now {old.name!r}"
            problems.append(Problem(Weight.STOPS, f"{called}; add an initial in event.toml", f"event.toml {new.name}"))
        return tuple(problems)

    def check_known(self) -> "People":
        """These people, or stop with the roster's problems: people whom only facts name, names of two people."""
        if self.roster_problems:
            raise Stopped(self.roster_problems)
        return self

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    def name_meant(self, text: str) -> str:
        """The present name of whom a person means, by it, its beginning or a whole former name; else the text."""
        former = {name: player.name for name in self.number_by_name if (player := self.find(name)) is not None}
        return full_name(text, self.names, former)

    def find(self, who: Who) -> Player | None:
        """Find a player by number, or by a name of today or of former days."""
        number = who if isinstance(who, int) else self.number_by_name.get(who)
        return self.by_number.get(number)

    def name_of(self, who: Who) -> str:
        """A player's current name; empty for number 0, which means nobody."""
        player = self.find(who) if who else None
        return player.name if player else str(who or "")

    def number_of(self, name: str, where: str) -> int:
        """The number of somebody of the roster, or stop."""
        player = next((player for player in self.players if player.name == name), None)
        if player is None or player.number is None:
            raise Stopped((nobody_called(name, self.names, where),))
        return player.number

    def table(self, numbers: Iterable[int | None]) -> dict[str, str]:
        """The players' numbers in a fact with their names, for people who read facts; also players of `unwritten`."""
        return {str(number): self.name_of(number) for number in sorted({n for n in numbers if n} | self.unwritten)}


def people_of(roster: Sequence[Player], facts: Ledger) -> People:
    """Put the roster of the file together with what facts say of its people."""
    changes = [fact.said for fact in standing(facts, events.PlayerAdded, events.PlayerRenamed)]
    added = [said.player for said in changes if isinstance(said, events.PlayerAdded)]
    listed = {player.name for player in roster}
    tables = list(tables_of(facts)) if any(player.number is None for player in roster) else []
    called = {name: number for table in tables for name, number in table.items()}
    for said in changes:
        called |= _names_given_in(said)
    known = {player.number for player in roster}
    more = [player for player in added if player.number not in known and player.name not in listed]
    taken = tuple(fact.said.player.number or 0 for fact in facts.select(events.PlayerAdded))  # those undone, too
    own = assign_numbers([*roster, *more], called, taken=taken)
    called |= {player.name: number for player in own if (number := player.number)}
    players = tuple(_with_notes(own, facts))
    twins = tuple(_namesakes(players, facts))
    called |= {player.name: number for player in players if (number := player.number)}
    written = {player.number for player in (*roster, *added)}
    unwritten = frozenset(player.number for player in own if player.number and player.number not in written)
    people = People(_in_teams(_with_names_apart(players, called), called, facts), called, own)
    return replace(people, unknown=_unknown_people(people, facts), namesakes=twins, unwritten=unwritten)


def tables_of(facts: Ledger) -> Iterator[dict[str, int]]:
    """The tables of names and numbers in facts, and the lists of players that forms were printed with."""
    for kind in WITH_NAMES:
        for fact in facts.select(kind):
            yield {name: int(number) for number, name in (_table_in(fact.said) or {}).items()}
    for printed in facts.select(events.FormsPrinted):
        for form in printed.said.forms:
            yield {item.label: int(item.name) for item in form.lists.get("roster", ())}


def _table_in(said: events.LedgerEvent) -> events.Names | None:
    match said:
        case (
            events.PlayersNumbered(names=names)
            | events.PlayerAdded(names=names)
            | events.Seated(names=names)
            | events.TeamEntered(names=names)
        ):
            return names
    return None


def _names_given_in(said: events.LedgerEvent) -> dict[str, int]:
    """The names in a fact that adds or renames a player, with his number."""
    match said:
        case events.PlayerAdded(player=player):
            return {player.name: player.number or 0}
        case events.PlayerRenamed(was=was, name=name, player=number):
            return {was: number, name: number}
    return {}


def _with_notes(players: Iterable[Player], facts: Ledger) -> Iterator[Player]:
    """Apply renames and noted changes of roster fields, unless the file's value was edited since."""
    names = {(f.said.player, f.said.was): f.said.name for f in standing(facts, events.PlayerRenamed)}
    newest = {(f.said.player, f.said.field): f.said for f in standing(facts, events.PlayerNoted)}
    for player in players:
        name = names.get((player.number or 0, player.name), player.name)
        mine = [said for (number, _), said in newest.items() if number == player.number]
        changes = {str(said.field): said.value for said in mine if getattr(player, said.field) == said.was}
        yield replace(player, **{"name": name, **changes})


def _with_names_apart(players: Iterable[Player], called: Mapping[str, int]) -> tuple[Player, ...]:
    """All players, each with the current names of those whom he is kept apart from."""
    players = tuple(players)
    today = {player.number: player.name for player in players}
    return tuple(
        replace(player, keep_apart=tuple(today[called[other]] for other in player.keep_apart))
        if player.keep_apart
        else player
        for player in players
    )


def _in_teams(players: Iterable[Player], called: Mapping[str, int], facts: Ledger) -> tuple[Player, ...]:
    """Put people into the teams that entered on paper; of each form the newest entry counts."""
    entries = {fact.said.form: fact.said for fact in facts.select(events.TeamEntered)}
    teams = {
        member if isinstance(member, int) else called.get(member): str(said.team)
        for said in entries.values()
        for member in said.members
    }
    players = tuple(replace(player, team=teams.get(player.number, player.team)) for player in players)
    spelling = one_spelling(player.team for player in players)
    return tuple(replace(player, team=spelling[player.team]) for player in players)


def _unknown_people(people: People, facts: Ledger) -> dict[tuple[Who, str], str]:
    """Find whom a round's seating or a team's entry names and the roster lacks: the name there, and where it is."""
    rounds = {fact.said.round: fact.said for fact in standing(facts, events.Seated)}
    entries = {fact.said.form: fact.said for fact in facts.select(events.TeamEntered)}
    unknown: dict[tuple[Who, str], str] = {}
    for number, said in rounds.items():
        for who in (who for board in said.boards for who in board.players.values()):
            unknown.setdefault((who, _name_then(said, who)), f"round {number}")
    for entry in entries.values():
        for who in entry.members:
            unknown.setdefault((who, _name_then(entry, who)), f"team {entry.team}")
    return {named: where for named, where in unknown.items() if named[0] and people.find(named[0]) is None}


def _namesakes(players: Sequence[Player], facts: Ledger) -> Iterator[tuple[Player, Player]]:
    """Players whose name was another player's before: an old fact could mean either."""
    before = {fact.said.was: fact.said.player for fact in standing(facts, events.PlayerRenamed)}
    by_number = {player.number: player for player in players}
    for player in players:
        other = by_number.get(before.get(player.name, player.number))
        if other is not None and other is not player:
            yield player, other


def _name_then(said: events.Seated | events.TeamEntered, who: Who) -> str:
    """The name that somebody had when a fact was written."""
    return str((said.names or {}).get(str(who), who))


def with_numbers(said: OfPlayers, people: People, where: str) -> OfPlayers:
    """Replace the names in a fact by players' numbers, and add the table of names; nobody is 0."""
    used: set[int] = set()

    def number(name: Who) -> int:
        if not name:
            return 0
        used.add(number_of_player := people.number_of(str(name), where))
        return number_of_player

    by_number = _with_people(said, number, lambda name: str(number(name)))
    return replace(by_number, names=people.table(used))


def with_names(said: OfPlayers, people: People) -> OfPlayers:
    """Replace players' numbers and former names in a fact by the names of today."""
    return replace(_with_people(said, people.name_of, lambda number: people.name_of(int(number))), names=None)


def _with_people(said: OfPlayers, convert: Callable[[Who], Who], convert_key: Callable[[str], str]) -> OfPlayers:
    """Convert every player in a fact by a function, and every player that is a key by another."""

    def all_of(people: tuple[Who, ...]) -> tuple[Who, ...]:
        return tuple(map(convert, people))

    match said:
        case events.RollCalled():
            return replace(said, here=all_of(said.here), later=all_of(said.later), away=all_of(said.away))
        case events.TeamEntered():
            return replace(said, members=all_of(said.members))
        case events.Seated(boards=boards, draw=draw):
            seated = (replace(b, players={power: convert(who) for power, who in b.players.items()}) for b in boards)
            return replace(said, boards=tuple(seated), draw=draw and _draw_with_people(draw, convert, convert_key))
        case _:
            return replace(said, among=all_of(said.among), order=all_of(said.order))


def _draw_with_people(draw: DrawRecord, convert: Callable[[Who], Who], convert_key: Callable[[str], str]) -> DrawRecord:
    """Replace the players in the record of a draw."""

    def reasons(entries: tuple[NotSeated, ...]) -> tuple[NotSeated, ...]:
        return tuple(replace(each, player=convert(each.player)) for each in entries)

    def all_of(people: tuple[Who, ...]) -> tuple[Who, ...]:
        return tuple(map(convert, people))

    return replace(
        draw,
        aside=reasons(draw.aside),
        sent=reasons(draw.sent),
        out=reasons(draw.out),
        twice=reasons(draw.twice),
        plays=reasons(draw.plays),
        lots=tuple(replace(lot, among=all_of(lot.among), order=all_of(lot.order)) for lot in draw.lots),
        finalists=all_of(draw.finalists),
        choosing=all_of(draw.choosing),
        chose=all_of(draw.chose),
        points={convert_key(who): points for who, points in draw.points.items()},
    )


# One power's turn to write in one phase of one game: what sheets, rows and rulings belong to.


class Turn(Struct, frozen=True):
    """A board, a phase and a power.

    >>> print(Turn("1.2", Phase.read("S1901M"), Power.ITALY))
    1.2 S1901M ITALY
    """

    board: str  # full name: round and board
    phase: Phase
    power: Power

    def __str__(self) -> str:
        return " ".join((self.board, str(self.phase), self.power))

    def at(self, phase: Phase) -> "Turn":
        """The same power's turn in a phase."""
        return self if phase == self.phase else replace(self, phase=phase)

    @classmethod
    def of(cls, said: events.OnTurn) -> "Turn":
        """The turn that a fact is about."""
        return cls(said.board, said.phase, said.power)
