"""The final table and the pools of a round: who sits there, and how the finalists come to their powers."""

from collections.abc import Iterator, Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.draw.field import Lots
from pipeline.ledger.parts import round_and_board
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.scoring.ranking import Placed, rank_before
from pipeline.scoring.rules import ChoosingRule, Final, Pool, ScoringRules
from pipeline.scoring.score import Scored
from pipeline.scoring.tiebreaks import Distance
from pipeline.words.speech import write_count


class FinalTable(Struct, frozen=True, kw_only=True):
    """Who sits at the final table, and how they come to their powers."""

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
                f"the pool {pool.name} has {write_count(seats, 'seat')} instead of {pool.seats}: "
                "no more are there to fill them"
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
        last_seats = "last seat" if left == 1 else f"last {left}"
        of = write_count(seats, "seat")
        text = f"{', '.join(level)} are level for the {last_seats} of the {of} of the pool {pool.name}"
        raise stop(f"{text}; let a lot decide with --final-lot, or name who declines with --declines", "draw.pool")
    return (*sure, *lot(tuple(sorted(level)), left))


def _make_table(final: Final, scored: Scored, players: tuple[str, ...]) -> FinalTable:
    """Put the players at the table, best first."""
    chooses = final.choosing is ChoosingRule.SLOTS
    order = tuple(reversed(players)) if chooses else ()
    table = FinalTable(players=players, chooses=chooses, choosing=order)
    return replace(table, notes=(*_final_table_words(table, scored.rules), *map(str, scored.readings)))


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
        are_level = f"{write_count(len(level), 'player is', 'players are')} level for {write_count(seats, 'seat')}"
        raise stop(f"{are_level}; there is nothing to draw", "--final-lot")
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
    text = f"{len(players)} of {write_count(final.seats, 'seat')} of the final table are filled"
    if missing:
        be = "is" if len(missing) == 1 else "are"
        text += f"; {', '.join(missing)} qualified and {be} absent"
        text += "" if final.moves_up else ", and the rules do not say who moves up"
    if qualified.undecided:
        text += f"; {', '.join(qualified.undecided)} are level for the last seats"
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
        have = write_count(qualified.positive, "player has", "players have")
        text = f"no final table: {have} a strictly positive result, {needed}"
        yield f"{text} ({source.rule})" if source else text
        yield from map(str, scored.readings)


def _final_table_words(table: FinalTable, rules: ScoringRules) -> Iterator[str]:
    """Say who is on the final table, and what it still waits for."""
    yield f"final table: {', '.join(table.players)}"
    if table.chooses:
        source = rules.sources.get("totals.final.choosing")
        text = f"each picks a place in the order of choosing, first {', then '.join(table.choosing)}"
        yield f"{text} ({source.rule})" if source else text
        yield "then powers are chosen in that order; enter them in it, --final NAME=POWER for each of the seven"
    else:
        yield "the rules do not say how the final table comes to its powers; they are drawn like all others"
