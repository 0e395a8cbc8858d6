"""Draw a round of an event: from its facts, its roster and its standings to seats, and back into a fact."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from pipeline.board.map import Power
from pipeline.desk.drawing_facts import (
    last_draws,
    read_answers,
    records_of,
    said_before,
    standings_before,
    task_of,
    unfinished,
    write_answers,
)
from pipeline.desk.event import Event
from pipeline.desk.finalists import FinalTable, final_table
from pipeline.desk.seating import seat
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.scoring.score import Scored
from pipeline.store.facts import Fact
from pipeline.tournament.draw import draw
from pipeline.tournament.draw_field import Gathering, Reason, Told, Turnout, gather, turnout
from pipeline.tournament.draw_task import Draw, Task
from pipeline.tournament.draw_wishes import Answers, filled
from pipeline.tournament.event_rules import Aim, DrawRules
from pipeline.tournament.load import load_tournament
from pipeline.tournament.reading_rules import YesNo


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the director asks for."""

    round: int
    seed: int
    told: Told = field(default_factory=Told)
    answers: Answers = field(default_factory=Answers)
    like: str | None = None  # a tournament whose rules fill what this one's leave open
    finalists: tuple[str, ...] = ()  # who takes the seats of the final table that the standings leave open
    chosen: tuple[tuple[str, Power], ...] = ()  # the finalists' powers, in the order in which they chose
    again: bool = False  # a binding draw is drawn again


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A round as it was drawn, not yet written down."""

    round: int
    seed: int
    boards: Mapping[str, Mapping[Power, str]]
    notes: tuple[str, ...]
    broken: tuple[str, ...] = ()  # what the rules forbid and no draw was found without
    turnout: Turnout
    final: str | None = None  # the board that is the final table
    table: FinalTable | None = None  # who is on it, and whether powers are still to be chosen
    answers: Answers = field(default_factory=Answers)
    points: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def waits(self) -> bool:
        """Whether the final table is still to be seated: its players have not chosen."""
        return self.table is not None and self.final is None

    def as_json(self) -> dict[str, Any]:
        """Write it for scripts, and for the fact that is kept."""
        table = self.table
        return {
            "round": self.round,
            "seed": self.seed,
            "boards": [
                {"board": name, "final": name == self.final, "players": {str(p): who for p, who in seats.items()}}
                for name, seats in self.boards.items()
            ],
            "aside": [{"player": each.name, "why": each.why} for each in self.turnout.aside],
            "out": [{"player": each.name, "why": each.why} for each in self.turnout.out],
            "twice": [{"player": each.name, "why": each.why} for each in self.turnout.twice],
            "finalists": list(table.players) if table else [],
            "choosing": list(table.choosing) if table else [],
            "waits": self.waits,
            "notes": list(self.notes),
            "broken": list(self.broken),
        }


def draw_round(event: Event, request: Request) -> Drawn:
    """Draw a round, or stop with everything that must be decided first (exit code 3). Nothing is written down."""
    if not 1 <= request.round <= event.tournament.rounds:
        raise stop(f"no round {request.round}; there are {event.tournament.rounds}", "--round")
    rules = event.tournament.draw
    if request.like:
        rules = filled(rules, load_tournament(request.like).draw)
    before = last_draws(event)
    check_binding(rules, request, before)
    scored = standings_before(event, request.round)
    going_on = unfinished(event, request.round)
    gone = {*request.told.absent, *request.told.aside}
    table = final_table(event.tournament.scoring, scored, request.round, going_on, request.finalists, gone)
    if table and request.chosen:
        table = table.with_powers(request.chosen)
        stands = before.get(request.round, {})
        if stands.get("draw", {}).get("waits"):
            return completed(request, table, stands)
    answers = said_before(before, request.round).then(request.answers)
    try:
        seats = field_of(event, request, rules, scored, table)
    except Stopped as stopped:  # every question at once, whoever will play in the end
        here = tuple(p.name for p in event.players if p.name not in gone and not p.director)
        further = questions(event, request.round, rules, answers, Turnout(bodies=here), scored)
        raise Stopped((*stopped.problems, *further), stopped.code) from stopped
    task = task_of(event, request.round, rules, answers, seats, scored)
    drawn = draw(task, request.seed)
    boards = {str(number): seats_ for number, seats_ in enumerate(drawn.boards, start=1)}
    result = Drawn(
        round=request.round,
        seed=request.seed,
        boards=boards,
        notes=(f"drawn with seed {request.seed}", *notes_of(drawn, seats, going_on, request)),
        broken=tuple(str(each) for each in drawn.broken),
        turnout=seats,
        table=table,
        answers=answers,
        points=drawn.points,
    )
    return with_final(result, event, task) if table else result


def seat_drawn(event: Event, drawn: Drawn, *, by: str) -> Fact:
    """Write a drawn round down, with its seed, its notes and what the director decided for it."""
    kept = drawn.as_json()
    kept["decided"] = write_answers(drawn.answers)
    kept["points"] = {name: list(point) for name, point in drawn.points.items()}
    kept["chose"] = [name for name, _ in drawn.table.powers] if drawn.table else []
    for known in ("round", "boards", "notes"):
        del kept[known]
    return seat(event, drawn.round, drawn.boards, by=by, notes=drawn.notes, final=drawn.final, draw=kept)


def check_binding(rules: DrawRules, request: Request, before: Mapping[int, Mapping[str, Any]]) -> None:
    """A published draw is binding where the rules say so (WDC08 10); one that waits for a final is not finished."""
    stands = before.get(request.round)
    if stands is None or request.again or stands.get("draw", {}).get("waits"):
        return
    if rules.binding.value is YesNo.YES:
        text = f"is drawn, and a published draw is binding ({rules.binding.source}); if it was never published, --again"
        raise stop(text, f"round {request.round}", ExitCode.RULE_FIRST)


def field_of(event: Event, request: Request, rules: DrawRules, scored: Scored, table: FinalTable | None) -> Turnout:
    """Find out who plays at the ordinary boards of the round."""
    tournament = event.tournament
    last = request.round >= tournament.rounds  # everybody may play the last round (EDC96)
    most = None if rules.rounds_most.value is None or last else (rules.rounds_most.value, rules.rounds_most.source)
    empty = Gathering(
        players={},
        directors=[],
        records=records_of(event, request.round, scored),
        uneven=rules.uneven,
        size=len(event.board.start),
        rng=Random(f"{request.seed} stand down"),
        once=tournament.scoring.bonuses.withdrawal is not None,  # such rules have both once, one or the other (EDC23 D)
    )
    at_final = set(table.players) if table else set()
    others = [player for player in event.players if player.name not in at_final]
    return turnout(gather(others, without(request.told, at_final), most, empty))


def questions(
    event: Event, number: int, rules: DrawRules, answers: Answers, seats: Turnout, scored: Scored
) -> tuple[Problem, ...]:
    """What the rules leave open for such a field."""
    try:
        task_of(event, number, rules, answers, seats, scored)
    except Stopped as stopped:
        return stopped.problems
    return ()


def without(told: Told, names: set[str]) -> Told:
    """What the director said of the others."""

    def kept(found: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in found if name not in names)

    return Told(absent=kept(told.absent), aside=kept(told.aside), twice=kept(told.twice), plays=kept(told.plays))


def notes_of(drawn: Draw, seats: Turnout, going_on: tuple[str, ...], request: Request) -> Iterator[str]:
    """Say what could not be met, who does not play, and what the draw did not know."""
    yield from drawn.notes
    yield from map(str, drawn.breaches)
    for word, people in (("stands down", seats.aside), ("does not play", seats.out), ("plays two boards", seats.twice)):
        yield from (f"{each.name} {word}: {each.why}" for each in people)
    if going_on:
        yield f"standings as they are without {', '.join(going_on)}, which go on"
    if request.like:
        yield f"what the rules leave open is drawn as in {request.like}, by the director's word"


def with_final(drawn: Drawn, event: Event, task: Task) -> Drawn:
    """Add the final table as the last board: with the powers its players chose, or by lot where nobody chooses."""
    table = drawn.table
    assert table is not None
    if table.chooses and not table.powers:
        return replace(drawn, notes=(*drawn.notes, *table.notes))
    name = str(len(drawn.boards) + 1)
    if table.powers:
        seats: Mapping[Power, str] = {power: who for who, power in table.powers}
    else:
        powers = tuple(w for w in task.wishes.wished if w.aim in (Aim.SAME_POWER_ONCE, Aim.POWER_GROUPS))
        own = replace(task, bodies=table.players, wishes=replace(task.wishes, wished=powers, meetings_most=None))
        own = replace(own, mates=frozenset(), families=frozenset(), together=(), points={}, rounds_after=0)
        found = draw(own, drawn.seed)
        seats = found.boards[0]
        drawn = replace(drawn, notes=(*drawn.notes, *map(str, found.breaches)))
    if missing := [str(power) for power in event.board.start if power not in seats]:
        raise Stopped([Problem(Weight.STOPS, f"nobody chose {', '.join(missing)}", "--final")])
    return replace(drawn, boards={**drawn.boards, name: seats}, final=name, notes=(*drawn.notes, *table.notes))


def completed(request: Request, table: FinalTable, stands: Mapping[str, Any]) -> Drawn:
    """Add the final table to a round that is seated already and perhaps being played."""
    boards = {
        str(board["board"]): {Power(power): str(name) for power, name in board["players"].items()}
        for board in stands["boards"]
    }
    name = str(len(boards) + 1)
    kept = stands["draw"]
    return Drawn(
        round=request.round,
        seed=int(kept["seed"]),
        boards={**boards, name: {power: who for who, power in table.powers}},
        notes=(*stands["notes"], *(note for note in table.notes if note not in stands["notes"])),
        turnout=Turnout(
            bodies=(), aside=reasons(kept["aside"]), out=reasons(kept["out"]), twice=reasons(kept["twice"])
        ),
        final=name,
        table=table,
        answers=read_answers(kept["decided"]),
        points={who: (point[0], point[1]) for who, point in kept["points"].items()},
    )


def reasons(written: list[dict[str, str]]) -> tuple[Reason, ...]:
    """Read who stood down, or played twice, and why."""
    return tuple(Reason(each["player"], each["why"]) for each in written)
