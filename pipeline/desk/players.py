"""The players of an event, late-comers, new names, who has left; the roll call; seats, and what of them is public."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from pipeline.board import Power
from pipeline.desk.event.apart import keep_pairs_apart
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, games, seated_rounds, seated_since, seatings
from pipeline.desk.event.people import People, tables_of, with_names, with_numbers
from pipeline.desk.event.seating import abandoned_seats
from pipeline.desk.results.leaving import Leaving, readmit
from pipeline.desk.results.results import read_notes
from pipeline.draw.listed_names import turn_name
from pipeline.draw.roster import Player, Who, name_look, nobody_called
from pipeline.draw.same_names import name_key
from pipeline.ledger import events
from pipeline.ledger.ledger import Fact, standing
from pipeline.ledger.parts import Column
from pipeline.printable import BLANKS, unprintable
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.conduct import Leaver
from pipeline.rules.table import did_you_mean
from pipeline.words.names import name_order
from pipeline.words.speech import write_count


class ListedPlayer(Struct, frozen=True):
    """One player as the list shows him."""

    player: Player
    former_names: tuple[str, ...]
    boards: tuple[str, ...]  # where he plays or played, such as "1.2 ITALY"

    def as_json(self) -> dict[str, Any]:
        more = {"more": dict(self.player.more), "once": list(self.former_names), "boards": list(self.boards)}
        return asdict(self.player) | more


def list_players(event: Event) -> tuple[ListedPlayer, ...]:
    """All players, by number; without their boards if facts name somebody whom the roster lacks."""
    people = event.people
    sat: dict[str, list[str]] = {}
    for seating in seatings(event).values() if not people.roster_problems else ():
        for power, name in (*seating.players.items(), *((each.power, each.player) for each in seating.earlier)):
            sat.setdefault(name, []).append(f"{seating.name} {power}")
    listed_players = []
    for player in sorted(people.players, key=lambda player: player.number or 0):
        once = (who for who, n in people.number_by_name.items() if n == player.number and who != player.name)
        listed_players.append(ListedPlayer(player, tuple(once), tuple(sat.get(player.name, ()))))
    return tuple(listed_players)


def add_player(event: Event, name: str, details: dict[str, Any], *, by: str, why: str = "") -> Fact[events.PlayerAdded]:
    """Add a late-comer; his number was never used before."""
    given = {key: value for key, value in details.items() if value not in ("", None)}
    faults = [(key, fault) for key, value in given.items() if (fault := unprintable(str(value)))]
    if faults:
        raise Stopped(Problem(Weight.STOPS, f"it holds {fault}", f"players {key}") for key, fault in faults)
    with event.facts.transaction():  # nobody else takes this name or this number meanwhile
        new = _free_name(event, name)
        numbers = {number for table in tables_of(event.facts) for number in table.values()}
        numbers |= {player.number or 0 for player in event.people.players} | set(event.people.number_by_name.values())
        numbers |= {fact.said.player.number or 0 for fact in event.facts.select(events.PlayerAdded)}  # taken back, too
        family = turn_name(" ".join(name.split()))[1]
        player = Player(name=new, family_name=family, number=1 + max(numbers, default=0), **given)
        *_, player = keep_pairs_apart((*event.players, player))[0]
        return event.facts.write(events.PlayerAdded(player=player, names=event.people.table(()), why=why), by)


def rename(event: Event, old: str, new: str, *, by: str, why: str = "") -> Fact[events.PlayerRenamed]:
    """Give a player another name; his games and results stay his.

    ``old`` may be a name that only facts contain: then ``new`` is his name on the roster.
    """
    with event.facts.transaction():  # nobody else takes this name meanwhile
        people = event.people
        old = old if old in {name for name, _ in _lost_names(people)} else people.name_meant(old)
        player = next((player for player in people.players if player.name == old), None)
        if player is not None:
            name = _free_name(event, new, but=player.number)
            filed = next(p for p in people.before_changes if p.number == player.number)
            said = events.PlayerRenamed(player=player.number or 0, name=name, was=filed.name, why=why)
        else:
            said = events.PlayerRenamed(player=_number_for_unknown_name(event, old, new), name=new, was=old, why=why)
        return event.facts.write(said, by)


def _number_for_unknown_name(event: Event, old: str, new: str) -> int:
    """The number of the roster's player who is meant by a name that only facts contain, or stop."""
    people = event.people
    lost = dict(_lost_names(people))
    if old not in lost:
        raise Stopped((nobody_called(old, (*people.names, *lost), "--rename"),))
    number = people.number_of(new, "--rename")
    who = lost[old]
    if not isinstance(who, int):  # an old fact, which says the name
        return number
    filed = next(player for player in event.roster if player.name == new)
    tables = [fact.said.names for fact in event.facts.select(events.Seated)]
    tables += [fact.said.names for fact in event.facts.select(events.TeamEntered)]
    if filed.number is not None or str(number) in {used for names in tables for used in names or ()}:
        text = f"{new!r} is player {number}, and {old!r} was player {who}; if they are one and the same,"
        raise stop(f"{text} write number = {who} into the entry of {new!r} in event.toml", "--rename")
    return who


def _lost_names(people: People) -> tuple[tuple[str, Who], ...]:
    """The names that facts contain and the roster lacks."""
    return tuple((name, who) for who, name in people.unknown)


def _free_name(event: Event, name: str, but: int | None = None) -> str:
    """A name that nobody has or ever had here, however it is written, or stop: results could not be told apart.

    As in a list of players, the first name comes first: 'Lund, Ada' becomes 'Ada Lund'.
    """
    if fault := unprintable(name.strip(BLANKS)):
        raise stop(f"the name {name[:60]!r} holds {fault}", "players")
    new = unicodedata.normalize("NFC", turn_name(" ".join(name.split()))[0])
    if not new:
        raise stop("a player needs a name", "players")
    people, key = event.people, name_look(name_key(new))
    if any(name_look(name_key(lost)) == key for _, lost in people.unknown):
        raise stop(f"{new!r} is, or was, the name of somebody here; add an initial", "players")
    for called, number in people.number_by_name.items():
        if number == but or name_look(name_key(called)) != key:
            continue
        now = people.name_of(number)
        who = f"is that {now}, who is on the list{'' if now == called else f' and was called {called} before'}?"
        raise stop(f"{who} for another person, add an initial that tells the two apart", f"players {new}")
    return new


def mark_left(
    event: Event, names: Iterable[str], *, left: bool, by: str, why: str = ""
) -> tuple[Fact[events.LedgerEvent], ...]:
    """Write down that people have gone home, or are back: no draw seats who has gone.

    Where the rules exclude who leaves a game before its end (EDC96 12), he is excluded with it, until he is back.
    """
    people, facts = event.people, list[Leaving]()
    problems: list[Problem] = []
    for text in names:
        name = people.name_meant(text)
        player = next((player for player in people.players if player.name == name), None)
        if player is None:
            problems.append(nobody_called(text, people.names, "players"))
        elif player.left is left:
            already = f"{name!r} {'has left already' if left else 'has not left'}"
            problems.append(Problem(Weight.STOPS, already, "players"))
        else:
            filed = next(p for p in people.before_changes if p.number == player.number)
            number, name = player.number or 0, player.name
            facts.append(
                events.PlayerNoted(player=number, name=name, field=Column.LEFT, value=left, was=filed.left, why=why)
            )
            facts += _exclude_leaver(event, number, name) if left else readmit(event, number, why)
    if problems:
        raise Stopped(problems)
    return event.facts.write_all(facts, by)


def _exclude_leaver(event: Event, number: int, name: str) -> Iterator[events.PlayerExcluded]:
    """The exclusion of a player who leaves a game before it ends for him, where the rules say so."""
    rule, excluded = (
        event.tournament.conduct.leaver,
        {f.said.player for f in standing(event.facts, events.PlayerExcluded)},
    )
    boards = _boards_left(event, name)
    if boards and rule.value is Leaver.EXCLUDED and number not in excluded:
        yield events.PlayerExcluded(player=number, why=f"left board {', '.join(boards)} before its end ({rule.source})")


def _boards_left(event: Event, name: str) -> list[str]:
    """The boards that go on, and on which a player has a unit or a centre."""
    return [
        game.name
        for game in games(event).values()
        for power, sits in game.seating.players.items()
        if sits == name and not game.ending and (game.position.units.get(power) or game.position.centres.get(power))
    ]


def leaving_in_words(fact: Fact[events.LedgerEvent]) -> str:
    """Say what was written down of somebody who has left or is back."""
    match fact.said:
        case events.PlayerNoted(name=name, value=left):
            words = f"{name} {'has left' if left else 'is back'}"
        case events.PlayerExcluded(why=why):
            words = (
                f"and is excluded: {why}; 'enter EVENT undo {fact.number}' if it was not voluntary;"
                " '--back' takes both back"
            )
        case _:
            words = "and the exclusion for leaving is taken back"
    return f"{words}, number {fact.number} in the journal"


def describe_leaving(event: Event, name: str) -> str:
    """What it means that a player goes now: the boards that he leaves, and the exclusion by the rules; else nothing."""
    boards, rule = _boards_left(event, name), event.tournament.conduct.leaver
    if not boards:
        return ""
    excluded = f", which means exclusion ({rule.source})" if rule.value is Leaver.EXCLUDED else ""
    return f"leaves board {', '.join(boards)} before its end{excluded}"


def leaving_warning(event: Event, name: str) -> str:
    """What is to be decided about the seats of a player who has left; empty if he plays on no board."""
    going_on = [game for game in games(event).values() if not game.ending]
    name = event.people.name_meant(name)
    questions = [
        f"board {game.name}, {power}: {question}"
        for game in going_on
        for power, question in abandoned_seats(event, game).items()
        if game.seating.players[power] == name
    ]
    return "; ".join(questions)


# The roll call of a round: who is here, who comes later, who is away. The last call counts.
#
# Without a roll call everybody on the roster is drawn. Once a roll call has begun, a draw takes those who are here, and
# stops while somebody was not called: nobody is drawn or left out by oversight.


class Called(StrEnum):
    """A player's state in the roll call."""

    HERE = "here"
    LATER = "later"  # is expected, and is not drawn before he is here
    AWAY = "away"
    NOT_YET = "not yet"  # was not called
    GONE = "gone"  # has left the tournament, or is excluded; nobody calls him


SAID = (Called.HERE, Called.LATER, Called.AWAY)


class RollCall(Struct, frozen=True):
    """The roll call of a round: the state of every player."""

    round: int
    called: Mapping[str, Called]  # by name, in the order of the roster
    is_begun: bool
    warnings: Mapping[str, str]  # by name: that somebody has played all the rounds that he may

    def those(self, *which: Called) -> tuple[str, ...]:
        """Everybody who has this state in the roll call."""
        return tuple(name for name, called in self.called.items() if called in which)

    def as_json(self) -> dict[str, Any]:
        values = {"round": self.round, "begun": self.is_begun, "players": {n: str(c) for n, c in self.called.items()}}
        return values | ({"warnings": dict(self.warnings)} if self.warnings else {})


def _rolls_called(event: Event, round_number: int) -> list[Fact[events.RollCalled]]:
    """What was said in the roll call of a round and stands, oldest first."""
    return [fact for fact in standing(event.facts, events.RollCalled) if fact.said.round == round_number]


def read_roll_call(event: Event, round_number: int) -> RollCall:
    excluded = read_notes(event).excluded
    called = {player.name: Called.NOT_YET for player in event.players}
    facts = _rolls_called(event, round_number)
    for fact in facts:
        roll = with_names(fact.said, event.people)
        for state, names in ((Called.HERE, roll.here), (Called.LATER, roll.later), (Called.AWAY, roll.away)):
            called |= {str(name): state for name in names if name in called}
    gone = {player.name for player in event.players if player.left or player.name in excluded}
    return RollCall(
        round_number,
        {name: Called.GONE if name in gone else said for name, said in called.items()},
        bool(facts),
        {name: text for name, text in _rounds_played_out(event, round_number).items() if name not in gone},
    )


def _rounds_played_out(event: Event, round_number: int) -> dict[str, str]:
    """By name, that somebody has played as many rounds as the draw, or the account of his games, allows (EDC96)."""
    before = [
        (board.round, {*board.players.values(), *(each.player for each in board.earlier)})
        for board in seatings(event).values()
        if board.round < round_number
    ]
    reasons: dict[str | None, str] = {}
    scoring, most = event.tournament.scoring, event.tournament.draw.rounds_most
    limit, source = scoring.totals.most_games, scoring.sources.get("totals.most_games")
    if limit is not None and round_number in limit.rounds:
        played = Counter(name for number, names in before if number in limit.rounds for name in names)
        where, rule = ", ".join(map(str, limit.rounds)), f" ({source.rule})" if source and source.rule else ""
        for name, games_played in played.items():
            if games_played >= limit.games:
                reasons[name] = (
                    f"has played {games_played} of at most {write_count(limit.games, 'game')} in rounds {where}{rule}"
                )
    if most.value is not None and round_number < event.tournament.rounds:  # everybody may play the last round
        played = Counter(name for _, name in {(number, name) for number, names in before for name in names})
        for name, rounds_played in played.items():
            if rounds_played >= most.value:
                reasons[name] = (
                    f"has played {write_count(most.value, 'round')} already ({most.source}), and is not drawn again"
                )
    return {player.name: reasons[player.name] for player in event.players if player.name in reasons}


def enter_roll_call(
    event: Event,
    round_number: int,
    said: Mapping[Called, Iterable[str]],
    *,
    by: str,
    others: Called | None = None,
) -> Fact[events.RollCalled]:
    """Write down who is here, comes later or is away; ``others`` is the state of all not called yet.

    Where all of it stands so already, nothing new is written.
    """
    if not 1 <= round_number <= event.tournament.rounds:
        raise stop(f"no round {round_number}; there are {event.tournament.rounds}", "--round")
    before = read_roll_call(event, round_number)
    lists = {called: tuple(event.people.name_meant(text) for text in said.get(called, ())) for called in SAID}
    if faults := tuple(_faults_in(before, lists)):
        raise Stopped(faults)
    if others is not None:
        just_said = {name for each in lists.values() for name in each}
        rest = tuple(name for name in before.those(Called.NOT_YET) if name not in just_said)
        lists[others] = (*lists[others], *rest)
    is_said = all(before.called[name] is called for called, names in lists.items() for name in names)
    if before.is_begun and is_said and (others or any(lists.values())):
        return _rolls_called(event, round_number)[-1]
    if not any(lists.values()):
        raise stop("name who is here, who comes later or who is away", f"round {round_number}")
    here, later, away = (tuple(dict.fromkeys(lists[called])) for called in SAID)
    roll = events.RollCalled(round=round_number, here=here, later=later, away=away)
    return event.facts.write(with_numbers(roll, event.people, f"round {round_number}"), by)


def _faults_in(before: RollCall, called: Mapping[Called, tuple[str, ...]]) -> Iterable[Problem]:
    """Report unknown names, people who have left, and people who are given two states."""
    every = [name for names in called.values() for name in dict.fromkeys(names)]
    for name in dict.fromkeys(every):
        if name not in before.called:
            yield nobody_called(name, tuple(before.called), f"round {before.round}")
            continue
        if before.called[name] is Called.GONE:
            text = f"{name!r} has left or is excluded; enter the return first"
        elif every.count(name) > 1:
            text = f"{name!r} is named under two of --here, --later and --away; once is enough"
        else:
            continue
        yield Problem(Weight.STOPS, text, f"round {before.round}")


def read_called(text: str) -> Called:
    """How the roll call has it of all others, as a page says it."""
    if text not in SAID:
        raise stop(f"expected {', '.join(SAID)}{did_you_mean(text, SAID)}, found {text!r}", "others")
    return Called(text)


def not_drawn(event: Event, round_number: int, decided: Iterable[str]) -> tuple[str, ...]:
    """The players whom the roll call keeps out of the draw; stops while somebody is neither called nor ``decided``."""
    roll = read_roll_call(event, round_number)
    if not roll.is_begun:
        return ()
    decided = set(decided)
    if waiting := tuple(name for name in roll.those(Called.NOT_YET) if name not in decided):
        names = ", ".join(waiting)
        text = f"the roll call is not finished: not called yet are {names}; call them, or say that all others are away"
        raise stop(text, f"round {round_number}", ExitCode.RULE_FIRST)
    return roll.those(Called.LATER, Called.AWAY)


# What the director has made public: the seats of a round, and the standings.
#
# Seats become public by hand, or when their round begins: with its first published phase or entered game. Until then
# a draw can be repeated. Standings are sealed until they are opened (NZ99 23).


def tell_seats(event: Event, round_number: int, by: str) -> Fact[events.SeatsTold]:
    """Publish who sits where in a round.

    A new draw must be published again; a changed seat or an added board is public at once.
    """
    drawn = seated_rounds(event)
    if round_number not in drawn:
        known = f"; drawn are {', '.join(map(str, drawn))}" if drawn else "; draw it first"
        raise stop(f"this round is not drawn{known}", f"round {round_number}")
    said = _last_seats_told(event).get(round_number)
    if said is not None and said.number > seated_since(event)[round_number]:
        return said  # the command was repeated: nothing new is written
    return event.facts.write(events.SeatsTold(round=round_number), by)


def _last_seats_told(event: Event) -> dict[int, Fact[events.SeatsTold]]:
    """When each round's seats were published last."""
    return {fact.said.round: fact for fact in standing(event.facts, events.SeatsTold)}


def rounds_with_public_seats(event: Event, all_games: Iterable[Game]) -> frozenset[int]:
    """The rounds whose seats are public: those published since their last draw, and those that have begun."""
    last_told = _last_seats_told(event)
    by_hand = {n for n, since in seated_since(event).items() if n in last_told and last_told[n].number > since}
    begun = {game.seating.round for game in all_games if game.played or game.entered or game.ending}
    return frozenset(by_hand | begun)


def games_with_public_seats(event: Event, all_games: Mapping[str, Game]) -> dict[str, Game]:
    """The boards of the rounds whose seats everybody may see, by their full names."""
    public_rounds = rounds_with_public_seats(event, all_games.values())
    return {name: game for name, game in all_games.items() if game.seating.round in public_rounds}


def standings_are_open(event: Event) -> bool:
    """Whether everybody may see the standings: only after the director has opened them (NZ99 23)."""
    last = max(standing(event.facts, events.StandingsOpened), key=lambda fact: fact.number, default=None)
    return last is not None and last.said.open


# The seats of a round, by board and by player: for the screen, for phones, and to hang up.


class Seats(Struct, frozen=True):
    """Who sits where in a round."""

    round: int
    boards: tuple[tuple[str, tuple[tuple[Power, str], ...]], ...]  # name of the board, powers with who sits there
    out: tuple[str, ...] = ()  # who is there and has no seat, by name
    pools: Mapping[str, str] = {}  # name of a board -> the pool that plays there, with its times

    @property
    def by_player(self) -> tuple[tuple[str, str, Power], ...]:
        """Name, board and power, by name; a player with two boards is listed twice."""
        rows = [(name, board, power) for board, seats in self.boards for power, name in seats if name]
        return tuple(sorted(rows, key=lambda row: (name_order(row[0]), row[1])))

    def as_json(self) -> dict[str, Any]:
        return {
            "round": self.round,
            "boards": [
                {"board": board, "seats": [{"power": str(power), "player": name} for power, name in seats]}
                | ({"pool": self.pools[board]} if board in self.pools else {})
                for board, seats in self.boards
            ],
            "players": [{"player": name, "board": board, "power": str(power)} for name, board, power in self.by_player],
            "out": list(self.out),
        }


def seats_of(event: Event, round_number: int) -> Seats:
    """The seats of a round that is drawn, as they are now: who took a seat over sits there."""
    seats = seats_in_games(event, games(event).values(), round_number)
    if not seats.boards:
        raise stop("is not drawn yet; draw it first", f"round {round_number}")
    return seats


def seats_in_games(event: Event, every: Iterable[Game], round_number: int) -> Seats:
    """As `seats_of`, from games that were read already; without boards if the round is not drawn."""
    mine = [game for game in every if game.seating.round == round_number]
    boards = tuple((game.name, tuple(game.seating.players.items())) for game in mine)
    describe = event.tournament.scoring.describe_pool
    pools = {game.name: describe(game.seating.pool) for game in mine if game.seating.pool}
    return Seats(round_number, boards, sitting_out(event, mine, round_number), pools)


def sitting_out(event: Event, playing: Iterable[Game], round_number: int) -> tuple[str, ...]:
    """Who has no seat in a round that is drawn: those whom the draw left out, and who else was called and is here."""
    seated = {name for game in playing for name in game.seating.players.values()}
    if not seated:
        return ()
    roll = read_roll_call(event, round_number)
    draws = seated_rounds(event)
    drawn = draws[round_number].said.draw if round_number in draws else None
    left_out = {str(each.player) for each in (*drawn.aside, *drawn.sent)} if drawn else set()
    gone = {name for name, called in roll.called.items() if called in (Called.GONE, Called.AWAY)}
    here = left_out | set(roll.those(Called.HERE))
    return tuple(sorted(here - seated - gone, key=name_order))
