"""What a draw must know of the event, the final table, the drawn round before it is written down, and void sheets."""

import itertools
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from itertools import combinations
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import MAPS, SIX_PLAYERS, Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Seating, seated_rounds, seatings
from pipeline.desk.event.seating import boards_by_hand
from pipeline.desk.results.results import event_results
from pipeline.desk.sheets.printed import OldSeats, printed_sheets
from pipeline.draw.field import Lots, NotSeated, Record, Turnout
from pipeline.draw.roster import Player
from pipeline.draw.task import HISTORY, Answers, Pair, PastBoard, Task, Wishes, matter_within, wishes_of
from pipeline.ledger.events import LateStartEntered, LedgerEvent, PlayerReplaced, ScoreRuled, Seated, SeatsChanged
from pipeline.ledger.ledger import Fact, body_of, standing
from pipeline.ledger.parts import BoardSeated, DrawDecided, DrawRecord, LotRecord, board_name, round_and_board
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.tournament import Aim, DrawRules, Wish
from pipeline.scoring.ranking import Placed, rank_before
from pipeline.scoring.rules import ChoosingRule, Final, Pool, ScoringRules
from pipeline.scoring.score import Scored, score
from pipeline.scoring.tiebreaks import Distance

# What the draw of a round must know of the event: who met whom, who did what, what was decided, who is best.


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
    return frozenset(frozenset(pair) for team in teams.values() for pair in combinations(team, 2))


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


# The final table of an event: who sits at it, and how they come to their powers.


class FinalTable(Struct, frozen=True, kw_only=True):
    players: tuple[str, ...]  # best first
    chooses: bool  # whether they choose their powers (EDC23 B); else powers are drawn
    choosing: tuple[str, ...] = ()  # who picks a place in the order of choosing, first to last
    powers: tuple[tuple[str, Power], ...] = ()  # as they chose, in that order
    stays_at: tuple[str, ...] = ()  # the boards at which some of them stay
    notes: tuple[str, ...] = ()

    def with_powers(self, chosen: Sequence[tuple[str, Power]]) -> "FinalTable":
        """Take the powers they chose, or stop with everything that does not fit."""
        names, powers = [name for name, _ in chosen], [power for _, power in chosen]
        faults = [f"{name!r} is not on the final table" for name in dict.fromkeys(names) if name not in self.players]
        faults += [f"{name!r} has no power" for name in self.players if name not in names]
        faults += [f"{name!r} has two powers" for name in dict.fromkeys(names) if names.count(name) > 1]
        faults += [f"{power} is taken twice" for power in dict.fromkeys(powers) if powers.count(power) > 1]
        if faults:
            raise Stopped([Problem(Weight.STOPS, fault, "--final") for fault in faults])
        order = ", then ".join(f"{name} ({power.title()})" for name, power in chosen)
        return replace(self, powers=tuple(chosen), notes=(f"the final table chose: {order}",))


class FinalDecisions(Struct, frozen=True, kw_only=True):
    """What the director says of the seats of the final table."""

    named: tuple[str, ...] = ()  # who takes a seat that the standings leave open
    gone: frozenset[str] = frozenset()  # who is not there
    lot: Lots | None = None  # draws among those who are level for the last seats
    seated: tuple[str, ...] = ()  # players whom an unfinished draw of the round has put there


def final_table(
    rules: ScoringRules, scored: Scored, round_number: int, going_on: Sequence[str], asked: FinalDecisions
) -> FinalTable | None:
    """Find the finalists (EDC23 B; EDC96; WDC08 4). None in another round, or with too few positive results."""
    final = rules.final
    if not final or final.round != round_number:
        if asked.named or asked.lot:
            raise stop(f"round {round_number} has no final table", "--finalist" if asked.named else "--final-lot")
        return None
    waiting = [name for name in going_on if round_and_board(name)[0] in final.qualifying_rounds]
    if waiting:
        raise stop(
            f"the final table is made from the standings, and these go on: {', '.join(waiting)}",
            "draw",
            ExitCode.RULE_FIRST,
        )
    qualified = scored.qualification
    if qualified is None:
        empty = ", ".join(str(number) for number in final.qualifying_rounds if number not in scored.progress.over)
        raise stop(
            f"the final table is made from the rounds before it, and these have no board: {empty}; play them first, or "
            "give the event rules without them (docs/how-to/make-your-rules.md)",
            "draw",
            ExitCode.RULE_FIRST,
        )
    if not qualified.is_held:
        return None
    if asked.seated and not asked.named:
        return _make_table(final, scored, asked.seated)
    sure = tuple(name for name in qualified.finalists if name not in asked.gone)
    players = (*sure, *asked.named, *_by_lot(rules, scored, asked, len(sure) + len(asked.named)))
    if final.moves_up and not qualified.undecided:
        here = [one.contender.name for one in qualified.ranking if one.contender.name not in {*asked.gone, *players}]
        players = (*players, *here[: final.seats - len(players)])
    try:
        _check_players(rules, scored, players, asked.gone)
    except Stopped as stopped:
        further = (Problem(Weight.ASKS, str(each), "draw.final") for each in scored.readings)
        raise Stopped((*stopped.problems, *further), stopped.code) from stopped
    return _make_table(final, scored, players)


class PoolSeats(Struct, frozen=True):
    """Who plays in a pool."""

    name: str
    players: tuple[str, ...]  # best first
    notes: tuple[str, ...]


class PoolDecisions(Struct, frozen=True, kw_only=True):
    """What the director says of the pools of a round."""

    declined: tuple[str, ...] = ()  # who plays, and not in a pool
    lot: Lots | None = None  # draws among those who are level for the last seats


def seat_pools(
    scored: Scored, round_number: int, going_on: Sequence[str], playing: Sequence[str], asked: PoolDecisions, size: int
) -> tuple[PoolSeats, ...]:
    """Find who plays in which pool of a round: the best who play and do not decline, in whole boards.

    ``playing`` are the seats of all boards but the final table. A pool that cannot be filled has fewer boards.
    """
    pool_seats: list[PoolSeats] = []
    pools = [pool for pool in scored.rules.totals.pools if pool.round == round_number]
    for pool in pools:
        if waiting := [name for name in going_on if round_and_board(name)[0] in pool.after]:
            text = f"the pool {pool.name} is made from the standings, and these go on: {', '.join(waiting)}"
            raise stop(text, "draw.pool", ExitCode.RULE_FIRST)
        ranking = rank_before(scored.event, scored.games, scored.rules, pool)
        taken = {name for other in pool_seats for name in other.players}
        may_sit = set(playing) - taken
        order = [one for one in ranking if one.contender.name in may_sit and one.contender.name not in asked.declined]
        seats = min(pool.seats, len(order)) // size * size
        if not seats:
            text = (
                f"no pool {pool.name} without the results of round {', '.join(map(str, pool.after))}; play them first"
            )
            raise stop(text, "draw.pool", ExitCode.RULE_FIRST)
        players = _best_of_pool(pool, order, seats, asked.lot)
        notes = [f"pool {pool.name}: {', '.join(players)}"]
        last = max(one.place for one in order if one.contender.name in players)
        before = [one.contender.name for one in ranking if one.place < last and one.contender.name not in taken]
        notes += [
            f"{name} would play in the pool {pool.name}, and {'declines' if name in asked.declined else 'is not there'}"
            for name in before
            if name not in players and (name in asked.declined or name not in playing)
        ]
        if seats < pool.seats:
            notes.append(
                f"the pool {pool.name} has {seats} seats instead of {pool.seats}: no more are there to fill them"
            )
        pool_seats.append(PoolSeats(pool.name, players, tuple(notes)))
    return tuple(pool_seats)


def _best_of_pool(pool: Pool, order: Sequence[Placed], seats: int, lot: Lots | None) -> tuple[str, ...]:
    """The first of a ranking; where players are level for the last seats, a lot decides."""
    last = order[seats - 1].place
    sure = [one.contender.name for one in order if one.place < last]
    level = [one.contender.name for one in order if one.place == last]
    left = seats - len(sure)
    if len(level) == left:
        return (*sure, *level)
    if lot is None:
        text = f"{', '.join(level)} are level for the last {left} of the {seats} seats of the pool {pool.name}"
        raise stop(f"{text}; let a lot decide with --final-lot, or name who declines with --declines", "draw.pool")
    return (*sure, *lot(tuple(sorted(level)), left))


def _make_table(final: Final, scored: Scored, players: tuple[str, ...]) -> FinalTable:
    """Put the players at the table, best first."""
    chooses = final.choosing is ChoosingRule.SLOTS
    order = tuple(reversed(players)) if chooses else ()
    table = FinalTable(players=players, chooses=chooses, choosing=order)
    return replace(table, notes=(*_final_table_words(table), *map(str, scored.readings)))


def _by_lot(rules: ScoringRules, scored: Scored, asked: FinalDecisions, filled: int) -> tuple[str, ...]:
    """The tied players who get the last seats of the final table, where a lot decides it (EDC23 B; EDC96)."""
    qualified, final = scored.qualification, rules.final
    if asked.lot is None or qualified is None or final is None or filled >= final.seats:
        return ()
    if unknown := _journeys_unknown(rules, scored):
        text = f"the longer journey goes before the lot, and it is not known of {', '.join(unknown)}"
        raise stop(
            f"{text}; fill in the roster's column 'distance_km', or name who plays with --finalist",
            "draw.final",
            ExitCode.RULE_FIRST,
        )
    level = tuple(sorted(name for name in qualified.undecided if name not in {*asked.gone, *asked.named}))
    seats = final.seats - filled
    if len(level) < seats:
        raise stop(f"{len(level)} are level for {seats} seats; there is nothing to draw", "--final-lot")
    return level if len(level) == seats else asked.lot(level, seats)


def _journeys_unknown(rules: ScoringRules, scored: Scored) -> tuple[str, ...]:
    """The tied players without a travel distance, where the distance decides before a lot."""
    level = scored.qualification.undecided if scored.qualification else ()
    asks = any(isinstance(each, Distance) for each in rules.ties.qualifying)
    return tuple(name for name in level if asks and scored.event.players[name].distance_km is None)


def _check_players(rules: ScoringRules, scored: Scored, players: Sequence[str], gone: Set[str]) -> None:
    """Stop unless every seat has one player, who qualified or was named by the director."""
    qualified, final = scored.qualification, rules.final
    assert qualified is not None
    assert final is not None
    ranked = [one.contender.name for one in qualified.ranking]
    faults = [f"{name!r} has no place in the standings" for name in players if name not in ranked]
    faults += [f"{name!r} is named twice" for name in dict.fromkeys(players) if list(players).count(name) > 1]
    faults += [f"{name!r} is absent" for name in players if name in gone]
    if faults:
        raise Stopped([Problem(Weight.STOPS, fault, "--finalist") for fault in faults])
    if len(players) == final.seats:
        return
    missing = [name for name in qualified.finalists if name in gone]
    open_seats = final.seats - len(players)
    text = f"{len(players)} of {final.seats} seats of the final table are filled"
    if missing:
        text += f"; {', '.join(missing)} qualified and is absent, and the rules do not say who moves up"
    if qualified.undecided:
        text += f"; {', '.join(qualified.undecided)} are level for the last"
    if open_seats < 0:
        raise stop(f"{text}: {-open_seats} named too many", "--finalist")
    following = [name for name in ranked if name not in players and name not in gone]
    text += f"; name {open_seats} with --finalist, best first (next in the standings: {', '.join(following[:4])})"
    if unknown := _journeys_unknown(rules, scored):
        text += f"; the longer journey would decide, and it is not known of {', '.join(unknown)} (column 'distance_km')"
    elif qualified.undecided:
        text += "; or let a lot decide among those who are level with --final-lot"
    raise stop(text, "draw.final", ExitCode.RULE_FIRST)


def why_no_final_table(rules: ScoringRules, scored: Scored, round_number: int) -> Iterator[str]:
    """Say why the final table is not held in its round (EDC23 B)."""
    final, qualified = rules.final, scored.qualification
    if final and final.round == round_number and qualified and not qualified.is_held:
        source = rules.sources.get("totals.final.at_least_positive")
        needed = f"{final.at_least_positive} are needed"
        text = f"no final table: {qualified.positive} have a strictly positive result, {needed}"
        yield f"{text} ({source.rule})" if source else text
        yield from map(str, scored.readings)


def _final_table_words(table: FinalTable) -> Iterator[str]:
    """Say who is on the final table, and what it still waits for."""
    yield f"final table: {', '.join(table.players)}"
    if table.chooses:
        yield f"each picks a place in the order of choosing, first {', then '.join(table.choosing)} (EDC23 B)"
        yield "then powers are chosen in that order; enter them in it, --final NAME=POWER for each of the seven"
    else:
        yield "the rules do not say how the final table comes to its powers; they are drawn like all others"


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


def final_board(table: FinalTable, taken: Container[str]) -> str:
    """The name of the final table: that of a board at which a finalist stays, or the next number.

    >>> final_board(FinalTable(players=("Ann",), chooses=False, stays_at=("7",)), {"1", "2"})
    '7'
    """
    return next((name for name in table.stays_at if name not in taken), None) or next(_free_names(taken))


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


# Which printed sheets are void since a new draw or a change of seats: their powers have other players, or none.

MEND = "collect them and print new ones; a void sheet that comes in counts only if you say so"
RoundSeat = tuple[str, Power]  # a board of the round, and a power on it


def void_note(event: Event, drawn: Drawn) -> Iterator[str]:
    """Name the void sheets: the boards all of whose sheets are void, and else each sheet."""
    fixed = boards_by_hand(event, drawn.round)  # which stay as they are
    boards = drawn.boards
    sheets = {each: who for each, who in _sheets_by_seat(event, drawn).items() if each[1][0] not in fixed}
    now = {(board, power): name for board, players in boards.items() for power, name in players.items()}
    void = {each for each, player in sheets.items() if player not in (None, now.get(each[1], ""))}
    if not void:
        return
    good = {board for _, (board, _) in sheets.keys() - void}
    whole = dict.fromkeys(board for _, (board, _) in sheets if board not in good)
    void_sheets = [f"every sheet of {', '.join(board_name(drawn.round, board) for board in whole)}"] if whole else []
    void_sheets += [
        f"{sheet} ({power} on {board_name(drawn.round, board)})"
        for sheet, (board, power) in sheets
        if (sheet, (board, power)) in void and board not in whole
    ]
    yield f"void by this draw are sheets that are printed already: {', '.join(void_sheets)}; {MEND}"


def sheets_after_seat_change(event: Event, fact: Fact[LedgerEvent]) -> Iterator[str]:
    """Say which printed sheets and notes are void after a fact that changed seats; empty for other facts.

    A sheet names the board and the power. It stays good for the seat's new player, unless the old one still plays in
    the round and may have written on it.
    """
    if isinstance(fact.said, PlayerReplaced) and fact.said.player:
        yield from _notes_on_former_player(event, fact.said)
    if not isinstance(fact.said, SeatsChanged):
        return
    seats, old = set(fact.said.seats), OldSeats.of(event)
    mine = {
        name: sheet for name, sheet in printed_sheets(event).items() if (sheet.turn.board, sheet.turn.power) in seats
    }
    void = [name for name, sheet in mine.items() if old.is_of_old(sheet)]
    good = [
        name
        for name, sheet in mine.items()
        if name not in void and old.is_old(sheet.turn.board, sheet.turn.power, sheet.fact)
    ]
    if void:
        names = ", ".join(f"{name} ({mine[name].turn.power} on {mine[name].turn.board})" for name in void)
        yield f"print again and collect what is printed: {names}; if one comes in, you are asked; all others are good"
    if good:
        names = ", ".join(f"{name} ({mine[name].turn.power} on {mine[name].turn.board})" for name in good)
        yield f"good as they are, with the earlier name on them: {names}"


def _notes_on_former_player(event: Event, said: PlayerReplaced) -> Iterator[str]:
    """Name the notes on a seat's score that were about the player who left it, and count for the newcomer no more."""
    notes: list[Fact[ScoreRuled] | Fact[LateStartEntered]] = [*standing(event.facts, ScoreRuled)]
    notes += standing(event.facts, LateStartEntered)
    for note in notes:
        if (note.said.board, note.said.power) == (said.board, said.power) and note.said.player == said.before:
            what = "a score was ruled" if isinstance(note.said, ScoreRuled) else "a late start was entered"
            former = event.people.name_of(said.before)
            yield f"{what} for {former} (number {note.number}); it does not count for the newcomer: enter his own"


def _sheets_by_seat(event: Event, drawn: Drawn) -> dict[tuple[str, RoundSeat], str | None]:
    """The sheets that are printed for a round, each with its seat and who sat there when it was printed."""
    seats = OldSeats.of(event)
    return {
        (name, (sheet.request.board, sheet.request.power)): seats.player_at(
            (sheet.turn.board, sheet.turn.power), sheet.fact
        )
        for name, sheet in printed_sheets(event).items()
        if sheet.request.round == drawn.round
    }
