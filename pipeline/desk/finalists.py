"""The final table of an event: who sits at it, and how they come to their powers."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from pipeline.board.map import Power
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.scoring.qualifying import Qualification
from pipeline.scoring.rules import Choosing, Final, ScoringRules
from pipeline.scoring.score import Scored


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


def final_table(
    rules: ScoringRules,
    scored: Scored,
    round_number: int,
    going_on: Sequence[str],
    named: Sequence[str],
    gone: Set[str],
) -> FinalTable | None:
    """Find the finalists (EDC23 B; EDC96; WDC08 4); None in another round, without a final, or with too few players."""
    final = rules.final
    if not final or final.round != round_number:
        if named:
            raise stop(f"round {round_number} has no final table", "--finalist")
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
    players = (*(name for name in qualified.finalists if name not in gone), *named)
    check_players(qualified, final, players, gone)
    chooses = final.choosing is Choosing.SLOTS
    order = tuple(reversed(players)) if chooses else ()
    table = FinalTable(players=players, chooses=chooses, choosing=order)
    return replace(table, notes=tuple(words_on(table)))


def check_players(qualified: Qualification, final: Final, players: Sequence[str], gone: Set[str]) -> None:
    """Every seat has one player who qualified or whom the director named."""
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
    raise stop(text, "draw.final", ExitCode.RULE_FIRST)


def words_on(table: FinalTable) -> Iterator[str]:
    """Say who is on the final table, and what it still waits for."""
    yield f"final table: {', '.join(table.players)}"
    if table.chooses:
        yield f"each picks a place in the order of choosing, first {', then '.join(table.choosing)} (EDC23 B)"
        yield "then powers are chosen in that order; enter them in it, --final NAME=POWER for each of the seven"
    else:
        yield "the rules do not say how the final table comes to its powers; they are drawn like all others"
