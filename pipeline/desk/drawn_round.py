"""What the draw of a round must know of the event, and the drawn round before it is written down."""

import itertools
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import MAPS, SIX_PLAYERS, Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Seating, seated_rounds, seatings
from pipeline.desk.final_table import FinalTable
from pipeline.desk.results.results import event_results
from pipeline.draw.field import NotSeated, Record, Turnout
from pipeline.draw.roster import Player
from pipeline.draw.task import HISTORY, Answers, Pair, PastBoard, Task, Wishes, matter_within, wishes_of
from pipeline.ledger.events import Seated
from pipeline.ledger.ledger import body_of
from pipeline.ledger.parts import BoardSeated, DrawDecided, DrawRecord, LotRecord, board_name
from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules.tournament import Aim, DrawRules, Wish
from pipeline.scoring.score import Scored, score


def last_draws(event: Event) -> dict[int, Seated]:
    """The last seating of each round, with everybody's name of today."""
    return {number: fact.said for number, fact in seated_rounds(event).items()}


def earlier_decisions(before: Mapping[int, Seated], round_number: int) -> Answers:
    """The director's decisions for earlier rounds; a later one replaces an earlier one."""
    answers = Answers()
    for number in sorted(n for n in before if n < round_number):
        answers = answers.with_later(_read_answers((before[number].draw or DrawRecord()).decided))
    return answers


def _read_answers(decided: DrawDecided) -> Answers:
    aims, wishes = {str(aim): aim for aim in Aim}, {str(wish): wish for wish in Wish}
    return Answers(
        wishes={aims[aim]: wishes[wish] for aim, wish in decided.wishes.items()},
        has_limit=decided.has_limit,
        meetings_most=decided.meetings_most,
    )


def standings_before(event: Event, round_number: int) -> Scored:
    """Score the games of the earlier rounds that are over."""
    results = event_results(event)
    earlier = tuple(board for board in results.boards if board.round < round_number)
    return score(replace(results, boards=earlier), event.tournament.scoring)


def records_of(event: Event, round_number: int, scored: Scored) -> dict[str, Record]:
    places = {row.player: row.place for row in scored.standings.rows}
    seats = Counter(
        (name, board.round)
        for board in seatings(event).values()
        if board.round < round_number
        for name in board.everybody
    )
    draws = {number: said.draw for number, said in last_draws(event).items() if number < round_number and said.draw}
    gone = [(each.player, number) for number, draw in draws.items() for each in draw.aside]
    asides = Counter(name for name, number in gone if (name, number) not in seats)  # some sit down after all
    sent = Counter(each.player for draw in draws.values() for each in draw.sent)
    rounds = Counter(name for name, _ in seats)
    doubled = Counter(name for (name, _), count in seats.items() if count > 1)
    return {
        player.name: Record(
            rounds=rounds[player.name],
            doubled=doubled[player.name],
            aside=asides[player.name],
            sent=sent[player.name],
            place=places.get(player.name),
        )
        for player in event.players
    }


def _who_left(board: Seating) -> tuple[tuple[Power, str], ...]:
    """Who gave a seat up during the game, and did not come back to it."""
    seats = {(each.power, each.player) for each in board.earlier if each.player}
    return tuple(sorted(seats.difference(board.last_players.items())))


def task_of(event: Event, number: int, rules: DrawRules, answers: Answers, seats: Turnout, scored: Scored) -> Task:
    """Put together what the draw must know."""
    tournament = event.tournament
    past = tuple(
        PastBoard(round=board.round, players=board.last_players, left=_who_left(board))
        for board in seatings(event).values()
        if board.round < number
    )
    playing = set(seats.bodies)
    tables = _tables_of(event.players, playing, seats.bodies)
    after = () if tournament.is_league else tuple(range(number + 1, tournament.rounds + 1))
    mates = {n: _mates_in(event, n, playing) for n in (number, *after)}
    families = _pairs_apart(event.players, playing)
    together = tuple(_best_of_last(event, number, scored, playing))
    matters = set(HISTORY) if past else set(matter_within(rules, answers, seats.bodies))
    if not rules.power_groups.value:
        matters.discard(Aim.POWER_GROUPS)
    if mates[number] or (any(mates.values()) and not rules.teams_apart.asks):
        matters.add(Aim.TEAMS_APART)
    matters |= {Aim.FAMILIES_APART} if families else set()
    matters |= {Aim.BEST_TOGETHER} if together else set()
    variant = MAPS[SIX_PLAYERS[event.details.map_name]]().start if seats.six else event.board.start
    before = last_draws(event).get(number - 1)
    previous = before.draw if before and before.draw else DrawRecord()
    return Task(
        powers=tuple(event.board.start),
        bodies=seats.bodies,
        empty=tuple(power for power in event.board.start if power not in variant) * seats.six,
        wishes=wishes_of(rules, answers, matters) if matters else Wishes(),
        past=past,
        mates=mates[number],
        families=families,
        tables=tables,
        recorders=frozenset(player.name for player in event.players if player.recorder and player.name in playing),
        together=together,
        rounds_after=len(after),
        mates_after=tuple(mates[n] for n in after),
        points={str(who): point for who, point in previous.points.items()},
    )


def _tables_of(players: Sequence[Player], playing: Set[str], seats: Sequence[str]) -> dict[str, str]:
    """Who stays at which board, of those who play; or stop where two stay at one, or somebody plays on two."""
    tables = {player.name: player.stays_at for player in players if player.stays_at and player.name in playing}
    faults = []
    for table in dict.fromkeys(tables.values()):
        if len(who := [name for name, at in tables.items() if at == table]) > 1:
            text = f"{' and '.join(who)} stay at board {table}, and would meet in every round; give one another board"
            faults.append(Problem(Weight.STOPS, text, "stays_at"))
    for name, table in tables.items():
        if seats.count(name) > 1:
            text = f"{name} stays at board {table} and cannot play on a second one"
            faults.append(Problem(Weight.STOPS, text, "stays_at"))
    if faults:
        raise Stopped(faults)
    return tables


def name_boards(
    boards: Sequence[Mapping[Power, str]], tables: Mapping[str, str], taken: Container[str]
) -> dict[str, Mapping[Power, str]]:
    """Number the boards; where somebody stays at a table, his board has its name. ``taken``: names of other boards.

    >>> list(name_boards([{Power.FRANCE: "Bo"}, {Power.FRANCE: "Ann"}], {"Bo": "4"}, {"1"}))
    ['2', '4']
    """
    free = (name for name in _free_names(taken) if name not in tables.values())
    named: dict[str, Mapping[Power, str]] = {}
    for board in boards:
        own = next((tables[name] for name in board.values() if name in tables), None)
        named[next(free) if own is None or own in taken else own] = board
    if not tables:
        return named
    return dict(sorted(named.items(), key=lambda each: (not each[0].isdecimal(), each[0].zfill(4))))


def _mates_in(event: Event, number: int, playing: set[str]) -> frozenset[Pair]:
    """The team mates who play apart in a round."""
    if number not in event.tournament.teams_apart_rounds:
        return frozenset()
    teams: dict[str, list[str]] = {}
    for player in event.players:
        if player.team and player.name in playing:
            teams.setdefault(player.team, []).append(player.name)
    return frozenset(frozenset(pair) for team in teams.values() for pair in itertools.combinations(team, 2))


def _pairs_apart(players: tuple[Player, ...], playing: set[str]) -> frozenset[Pair]:
    """Who is to be kept apart from whom, family and the like; one of the two need say so."""
    return frozenset(
        frozenset((player.name, other))
        for player in players
        for other in player.keep_apart
        if {player.name, other} <= playing and player.name != other
    )


def _best_of_last(event: Event, number: int, scored: Scored, playing: set[str]) -> Iterator[tuple[str, ...]]:
    """The best of each game of the round before, best first, as many at a time as a board seats (EDC23 E)."""
    size = len(event.board.start)
    last = [game for game in scored.games if game.round == number - 1 and game.player in playing]
    best = [game for game in last if game.score == max(game.scores.values())]
    best.sort(key=lambda game: (-game.score, str(game.player)))
    names = list(dict.fromkeys(str(game.player) for game in best))
    for start in range(0, len(names), size):
        yield tuple(names[start : start + size])


class Drawn(Struct, frozen=True, kw_only=True):
    """A round as it was drawn, not yet written down."""

    round: int
    seed: int
    boards: Mapping[str, Mapping[Power, str]]
    maps: Mapping[str, str] = field(default_factory=dict)  # board -> its map, where it is not the event's
    pools: Mapping[str, str] = field(default_factory=dict)  # board -> the pool that plays there
    notes: tuple[str, ...]
    broken: tuple[str, ...] = ()  # breaches of hard rules that no draw could avoid
    turnout: Turnout
    why: str = ""  # the director's reason for what the rules do not offer
    lots: tuple[LotRecord, ...] = ()  # that decided who plays
    final: str | None = None  # the board that is the final table
    table: FinalTable | None = None  # who is on it, and whether powers are still to be chosen
    answers: Answers = field(default_factory=Answers)
    points: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    as_of: int = 0  # the newest fact when it was drawn

    @property
    def waits(self) -> bool:
        """Whether the final table is still to be seated: its players have not chosen."""
        return self.table is not None and self.final is None

    @property
    def as_fact(self) -> DrawRecord:
        """How the seats were drawn, as it is written down with them."""
        table, seats = self.table, self.turnout
        return DrawRecord(
            seed=self.seed,
            aside=seats.aside,
            sent=seats.sent,
            out=seats.out,
            twice=seats.twice,
            plays=seats.plays,
            six=seats.six,
            why=self.why,
            lots=self.lots,
            finalists=table.players if table else (),
            choosing=table.choosing if table else (),
            waits=self.waits,
            broken=self.broken,
            decided=DrawDecided(
                wishes={str(aim): str(wish) for aim, wish in self.answers.wishes.items()},
                has_limit=self.answers.has_limit,
                meetings_most=self.answers.meetings_most,
            ),
            points=dict(self.points.items()),
            chose=tuple(name for name, _ in table.powers) if table else (),
        )

    def as_json(self) -> dict[str, Any]:
        table, seats = self.table, self.turnout
        return {
            "round": self.round,
            "seed": self.seed,
            "boards": [
                {"board": name, "final": name == self.final, "players": {str(p): who for p, who in players.items()}}
                | ({"map": self.maps[name]} if name in self.maps else {})
                | ({"pool": self.pools[name]} if name in self.pools else {})
                for name, players in self.boards.items()
            ],
            "aside": _as_rows(seats.aside),
            "sent": _as_rows(seats.sent),
            "out": _as_rows(seats.out),
            "twice": _as_rows(seats.twice),
            "plays": _as_rows(seats.plays),
            "six": seats.six,
            "why": self.why,
            "lots": list(map(body_of, self.lots)),
            "finalists": list(table.players) if table else [],
            "choosing": list(table.choosing) if table else [],
            "waits": self.waits,
            "notes": list(self.notes),
            "broken": list(self.broken),
        }


def _as_rows(reasons: tuple[NotSeated, ...]) -> list[dict[str, str]]:
    """Write who sits out, or plays twice, and why."""
    return [{"player": each.name, "why": each.why, "way": each.way} for each in reasons]


def _free_names(taken: Container[str]) -> Iterator[str]:
    """The numbers that no board of a round has for its name."""
    return (str(number) for number in itertools.count(1) if str(number) not in taken)


def add_fixed_boards(fixed: Mapping[str, BoardSeated], places: Mapping[str, int], drawn: Drawn) -> Drawn:
    """The boards that the director has set, at the places that they have, and the drawn ones around them."""
    boards: dict[str, Mapping[Power, str]] = {}
    left = dict(drawn.boards)
    for name in sorted(fixed, key=lambda each: places[each]):
        while left and len(boards) < places[name]:
            first = next(iter(left))
            boards[first] = left.pop(first)
        boards[name] = {power: str(who) for power, who in fixed[name].players.items()}
    stays = tuple(f"board {board_name(drawn.round, name)} was set by hand and stays as it is" for name in fixed)
    maps = {name: board.map for name, board in fixed.items() if board.map is not None}
    return replace(drawn, boards={**boards, **left}, maps={**drawn.maps, **maps}, notes=(*drawn.notes, *stays))


def with_table(round_number: int, table: FinalTable, stands: Seated) -> Drawn:
    """Add the final table to a round whose other boards are seated, and may be in play."""
    boards = {board.board: {power: str(name) for power, name in board.players.items()} for board in stands.boards}
    name = final_board(table, boards)
    kept = stands.draw or DrawRecord()
    return Drawn(
        round=round_number,
        seed=kept.seed,
        boards={**boards, name: {power: who for who, power in table.powers}},
        maps={board.board: board.map for board in stands.boards if board.map is not None},
        pools={board.board: board.pool for board in stands.boards if board.pool},
        notes=(*stands.notes, *(note for note in table.notes if note not in stands.notes)),
        turnout=Turnout(
            bodies=(),
            six=kept.six,
            aside=kept.aside,
            sent=kept.sent,
            out=kept.out,
            twice=kept.twice,
            plays=kept.plays,
        ),
        why=kept.why,
        lots=kept.lots,
        final=name,
        table=table,
        answers=_read_answers(kept.decided),
        points={str(who): point for who, point in kept.points.items()},
    )


def final_board(table: FinalTable, taken: Container[str]) -> str:
    """The name of the final table: that of a board at which a finalist stays, or the next number.

    >>> final_board(FinalTable(players=("Ann",), chooses=False, stays_at=("7",)), {"1", "2"})
    '7'
    """
    return next((name for name in table.stays_at if name not in taken), None) or next(_free_names(taken))
