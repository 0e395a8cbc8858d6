"""The final table of an event: who sits at it, and how they come to their powers."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from pipeline.board.map import Power
from pipeline.draw.players.field import Lots
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.scoring.places.score import Scored
from pipeline.scoring.totals.rules import ChoosingRule, Final, ScoringRules
from pipeline.scoring.totals.tiebreaks import Distance


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalTable:
    """Who plays the final table."""

    players: tuple[str, ...]  # best first
    chooses: bool  # whether they choose their powers (EDC23 B); else powers are drawn
    choosing: tuple[str, ...] = ()  # who picks a place in the order of choosing, first to last
    powers: tuple[tuple[str, Power], ...] = ()  # as they chose, in that order
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


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalSeatsAsked:
    """What the director says of the seats of the final table."""

    named: tuple[str, ...] = ()  # who takes a seat that the standings leave open
    gone: frozenset[str] = frozenset()  # who is not there
    lot: Lots | None = None  # draws among those who are level for the last seats
    seated: tuple[str, ...] = ()  # whom an earlier draw of the round, which waits for their powers, has put there


def final_table(
    rules: ScoringRules, scored: Scored, round_number: int, going_on: Sequence[str], asked: FinalSeatsAsked
) -> FinalTable | None:
    """Find the finalists (EDC23 B; EDC96; WDC08 4); None in another round, without a final, or with too few players."""
    final = rules.final
    if not final or final.round != round_number:
        if asked.named or asked.lot:
            raise stop(f"round {round_number} has no final table", "--finalist" if asked.named else "--final-lot")
        return None
    waiting = [name for name in going_on if int(name.split(".")[0]) in final.qualifying_rounds]
    if waiting:
        raise stop(
            f"the final table is made from the standings, and these go on: {', '.join(waiting)}",
            "draw",
            ExitCode.RULE_FIRST,
        )
    qualified = scored.qualification
    if qualified is None:
        raise stop(
            "no final table without results of the rounds before it; play and end them first",
            "draw",
            ExitCode.RULE_FIRST,
        )
    if not qualified.is_held:
        return None
    if asked.seated and not asked.named:
        return table_of(final, scored, asked.seated)
    sure = tuple(name for name in qualified.finalists if name not in asked.gone)
    players = (*sure, *asked.named, *by_lot(rules, scored, asked, len(sure) + len(asked.named)))
    try:
        check_players(rules, scored, players, asked.gone)
    except Stopped as stopped:
        further = (Problem(Weight.ASKS, str(each), "draw.final") for each in scored.readings)
        raise Stopped((*stopped.problems, *further), stopped.code) from stopped
    return table_of(final, scored, players)


def table_of(final: Final, scored: Scored, players: tuple[str, ...]) -> FinalTable:
    """Put the players at the table, best first."""
    chooses = final.choosing is ChoosingRule.SLOTS
    order = tuple(reversed(players)) if chooses else ()
    table = FinalTable(players=players, chooses=chooses, choosing=order)
    return replace(table, notes=(*words_on(table), *map(str, scored.readings)))


def by_lot(rules: ScoringRules, scored: Scored, asked: FinalSeatsAsked, filled: int) -> tuple[str, ...]:
    """Who of those who are level takes the last seats, where a lot decides it (EDC23 B; EDC96, readings)."""
    qualified, final = scored.qualification, rules.final
    if asked.lot is None or qualified is None or final is None or filled >= final.seats:
        return ()
    if unknown := journeys_unknown(rules, scored):
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


def journeys_unknown(rules: ScoringRules, scored: Scored) -> tuple[str, ...]:
    """Who of those who are level for the last seats has not said how far he came, where that decides before a lot."""
    level = scored.qualification.undecided if scored.qualification else ()
    asks = any(isinstance(each, Distance) for each in rules.ties.qualifying)
    return tuple(name for name in level if asks and scored.event.players[name].distance_km is None)


def check_players(rules: ScoringRules, scored: Scored, players: Sequence[str], gone: Set[str]) -> None:
    """Every seat has one player who qualified or whom the director named."""
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
    if unknown := journeys_unknown(rules, scored):
        text += f"; the longer journey would decide, and it is not known of {', '.join(unknown)} (column 'distance_km')"
    elif qualified.undecided:
        text += "; or let a lot decide among those who are level with --final-lot"
    raise stop(text, "draw.final", ExitCode.RULE_FIRST)


def no_table(rules: ScoringRules, scored: Scored, round_number: int) -> Iterator[str]:
    """Say why the round of the final table has none (EDC23 B)."""
    final, qualified = rules.final, scored.qualification
    if final and final.round == round_number and qualified and not qualified.is_held:
        source = rules.sources.get("totals.final.at_least_positive")
        needed = f"{final.at_least_positive} are needed"
        text = f"no final table: {qualified.positive} have a strictly positive result, {needed}"
        yield f"{text} ({source.rule})" if source else text
        yield from map(str, scored.readings)


def words_on(table: FinalTable) -> Iterator[str]:
    """Say who is on the final table, and what it still waits for."""
    yield f"final table: {', '.join(table.players)}"
    if table.chooses:
        yield f"each picks a place in the order of choosing, first {', then '.join(table.choosing)} (EDC23 B)"
        yield "then powers are chosen in that order; enter them in it, --final NAME=POWER for each of the seven"
    else:
        yield "the rules do not say how the final table comes to its powers; they are drawn like all others"
