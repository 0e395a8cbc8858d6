"""A whole event alone: invented players and games, printed, written, scanned, read, ruled, judged, scored, compared.

Every difference from what was written is named with the stage in which it arose.
"""

import json
import shutil
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import Kind, Map, Phase, Position, Power, Step, Unit, province_of
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import Game, games
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import SeatsByBoard, seat_round
from pipeline.desk.results.notes import enter_note
from pipeline.desk.results.results import event_results, scored_event
from pipeline.desk.results.standings_workbook import write_standings
from pipeline.desk.roster_file import read_roster_file
from pipeline.desk.ruling.rulings import NOTHING, RowDecision
from pipeline.desk.sheets.printed import entitlements, expected_units
from pipeline.desk.sheets.sheets_in import fold_text
from pipeline.draw.roster import Player
from pipeline.interpret.interpret import interpret
from pipeline.interpret.verdict import Line, Status
from pipeline.judge.adjudicate import legal_orders
from pipeline.ledger.files import keep_file, now
from pipeline.ledger.parts import round_and_board
from pipeline.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, read_order, write
from pipeline.paper.sheet_rows import Design
from pipeline.pen.writing import Slip
from pipeline.problems import stop
from pipeline.reading.recogniser import Recogniser
from pipeline.rehearsal.simulated_scans import PadStacks, TypingWay, shorthand_of, unit_of_line, ways_to_type
from pipeline.rehearsal.simulation import Listener, ReadingTally, ScriptedSheet, Simulation, rehearse_ends
from pipeline.rules.tournament import Tournament
from pipeline.scoring.results import Ending
from pipeline.small_files import data_folder

# Invented players and games: legal orders with some sense in them, and the mistakes that people make.

GIVEN = ("Ada", "Bo", "Cem", "Dag", "Eva", "Finn", "Gil", "Hana", "Ivo", "Jun", "Kai", "Lea", "Mio", "Nils")
FAMILY = ("Adler", "Brandt", "Costa", "Dahl", "Eriksen", "Ferrari", "Gruber", "Hoxha", "Ito", "Jansen", "Kovač")
WANTS = {Move: 12.0, Hold: 0.6, Support: 0.35, Convoy: 0.3}  # how readily each kind is ordered, one by one
MISORDER = 0.05  # of the lines are misorders on purpose
SLIPS = ((Slip.OVERWRITTEN, 0.01), (Slip.STRUCK_OUT, 0.005), (Slip.SCRIBBLE, 0.003))
MISSING = 0.01  # of the sheets


def _invented_names(count: int, rng: np.random.Generator) -> list[str]:
    """Names for so many players, no two alike."""
    names = [f"{given} {family}" for family in FAMILY for given in GIVEN]
    extra = [f"{name} {letter}." for letter in "ABCDE" for name in names]
    return [str(name) for name in rng.permutation([*names, *extra][: max(count, len(names))])[:count]]


class InventedScript(Struct, frozen=True):
    """A script that makes itself up, phase after phase, from its seed."""

    event: Event
    seed: int
    seasons: int  # movement phases to play
    director: str = "the oracle"
    types: bool = True  # whether the director takes some sheets down at the keyboard
    made: dict[Turn, ScriptedSheet | None] = field(default_factory=dict)

    def sheet(self, game: Game, power: Power) -> ScriptedSheet | None:
        """What a power writes: the same each time it is asked."""
        turn = Turn(game.name, game.position.phase, power)
        if turn not in self.made:
            self.made[turn] = self.invent(game, turn)
        return self.made[turn]

    def invent(self, game: Game, turn: Turn) -> ScriptedSheet | None:
        """Make a sheet up, or nothing where the game is over for the script or the power has nothing to write."""
        over = turn.phase.season_number > self.seasons or turn.phase.year > 1901 + (self.seasons - 1) // 2
        if over or turn.power not in expected_units(game.map, game.position):
            return None
        rng = np.random.default_rng([self.seed, *str(turn).encode()])
        orders = self.orders(game, turn.power, rng)
        lines = [self.line(game.map, order, rng) for order in orders]
        hand = int(np.random.default_rng([self.seed, *game.seating.players[turn.power].encode()]).integers(10_000))
        slips = {row: slip for row in range(1, len(lines) + 1) for slip, share in SLIPS if rng.random() < share}
        rules = self.event.rules_on(game.map_name)
        if self.is_typed(turn):
            words, typed = self.typing(game, turn, lines, rng)
            sheet = _with_truth(turn, hand, words, {}, game.position, rules, is_missing=False)
            return replace(sheet, typed=typed)
        return _with_truth(turn, hand, lines, slips, game.position, rules, is_missing=rng.random() < MISSING)

    def is_typed(self, turn: Turn) -> bool:
        """Whether the director takes a sheet down at the keyboard: one of a board's seven in every phase."""
        number = list(Power).index(turn.power) + turn.phase.season_number + self.seed
        return self.types and number % len(Power) == 0

    def typing(
        self, game: Game, turn: Turn, lines: Sequence[str], rng: np.random.Generator
    ) -> tuple[list[str], tuple[TypingWay, ...]]:
        """Each line in words that mean nothing else, and in one of the ways in which it is typed."""
        shorthand = shorthand_of(self.event, game, turn)
        is_behind = turn.phase.step is not Step.ADJUSTMENTS
        orders = [read_order(line) for line in lines]
        ways = [ways_to_type(order, shorthand, is_behind=is_behind) for order in orders]
        units = [unit_of_line(line) if is_behind else None for line in lines]
        keys = [TypingWay(str(rng.choice(way)), unit) for way, unit in zip(ways, units, strict=True)]
        return [way[0] for way in ways], tuple(keys)

    def orders(self, game: Game, power: Power, rng: np.random.Generator) -> list[Order]:
        """Choose one order for every unit, or as many builds or disbands as are due."""
        legal = legal_orders(game.map, game.position, power)
        if game.position.phase.step is Step.ADJUSTMENTS:
            return _choose_adjustments(legal, entitlements(game.map, game.position)[power], rng)
        orders: list[Order] = []
        units = dict.fromkeys(unit for order in legal if (unit := _unit_ordered(order)) is not None)
        for unit in units:
            choices = [order for order in legal if _unit_ordered(order) == unit]
            weights = np.array([_order_weight(order, orders) for order in choices])
            orders.append(choices[int(rng.choice(len(choices), p=weights / weights.sum()))])
        return orders

    def line(self, board: Map, order: Order, rng: np.random.Generator) -> str:
        """Write an order as a player does; now and then another one than was possible."""
        words = write(order).split()
        goal = -2 if words[-1] == "VIA" else -1
        if rng.random() < MISORDER and len(words[goal]) >= 3:
            words[goal] = str(rng.choice([place for place in board.provinces if place != province_of(words[goal])]))
        return " ".join([*words, *self.way(board, words)])

    def way(self, board: Map, words: Sequence[str]) -> Sequence[str]:
        """Name the convoy wherever an army cannot go by land: on rows of targets there is no other way to say it."""
        match words:
            case ("A", start, "-", to) if to not in board.reach(Kind.ARMY, start):
                return ("VIA",)
            case _:
                return ()


def _with_truth(
    turn: Turn,
    hand: int,
    lines: Sequence[str],
    slips: dict[int, Slip],
    position: Position,
    tournament: Tournament,
    *,
    is_missing: bool,
) -> ScriptedSheet:
    """The expected orders of the lines: the rules' interpretation without misreadings.

    Rows that nobody could read, and rows on which the rules ask, are ruled to give no order; a struck row gives none.
    """
    legible = [Line(row, text) for row, text in enumerate(lines, start=1) if slips.get(row) not in NO_ORDER]
    entries = interpret(legible, turn.power, position, tournament).entries
    truth = {row: "" for row in slips if slips[row] in NO_ORDER}
    rulings = {row: RowDecision(order=NOTHING, why=f"{slips[row]}: no order") for row in truth}
    for entry in entries:
        given = write(entry.order) if entry.order is not None and entry.status is not Status.ASK else ""
        truth[entry.line] = "; ".join(text for text in (truth.get(entry.line, ""), given) if text)
        if entry.status is Status.ASK:
            rulings[entry.line] = RowDecision(order=NOTHING, why="the oracle takes nothing that the rules leave open")
    return ScriptedSheet(
        turn=turn,
        hand=hand,
        lines=tuple(lines),
        truth=truth,
        rulings=rulings,
        slips=slips,
        is_missing=is_missing,
    )


NO_ORDER = (Slip.STRUCK_OUT, Slip.SCRIBBLE)


def _unit_ordered(order: Order) -> Unit | None:
    match order:
        case Hold(unit) | Move(unit) | Support(unit) | Convoy(unit) | Retreat(unit) | Disband(unit):
            return unit
        case _:
            return None


def _order_weight(order: Order, before: Sequence[Order]) -> float:
    """How readily an order is chosen: supports and convoys for what was ordered before, moves that do not collide."""
    match order:
        case Support(_, of, to) | Convoy(_, of, to):
            fits = any(isinstance(o, Move) and (o.unit, o.to) == (of, to) for o in before)
            return 15.0 if fits else WANTS[type(order)] / 10
        case Move(_, to, via):
            taken = any(isinstance(o, Move) and province_of(o.to) == province_of(to) for o in before)
            return WANTS[Move] * (0.02 if taken or via else 1.0)
        case _:
            return WANTS.get(type(order), 1.0)


def _choose_adjustments(legal: Sequence[Order], due: int, rng: np.random.Generator) -> list[Order]:
    """Choose builds in different provinces, or disbands of different units."""
    orders: dict[str, Order] = {}
    for index in rng.permutation(len(legal)):
        order = legal[int(index)]
        if isinstance(order, Build | Disband) and len(orders) < abs(due):
            orders.setdefault(order.unit.province, order)
    return list(orders.values())


SEAT = Power.ITALY  # of the first board: its player goes, and a reserve comes


class Plan(Struct, frozen=True, kw_only=True):
    tournament: str = "weaselmoot"
    boards: int = 2
    seasons: int = 4
    seed: int = 1
    on_pads: bool = False  # one print-out for the round; now and then the wrong season is ticked
    design: Design | None = None  # None: the default of `sheets`


def rehearse(plan: Plan, out: Path, engine: Recogniser, listener: Listener) -> dict[str, Any]:
    """Run an invented event in a new folder and return how it went."""
    folder = out / "event"
    if folder.exists():
        raise stop("an event is here already; choose another --out", str(folder))
    out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(plan.seed)
    *names, reserve = _invented_names(7 * plan.boards + 1, rng)
    details = Details(name=f"Rehearsal {plan.seed}", code="REHE", tournament=plan.tournament)
    make_event_folder(folder, details, [Player(name=name) for name in (*names, reserve)], now)
    with open_event(folder, now, Random(plan.seed)) as event:
        seats = {str(n + 1): dict(zip(Power, names[7 * n : 7 * n + 7], strict=True)) for n in range(plan.boards)}
        seat_round(event, 1, seats, by="the oracle", notes=["invented"])
        script = InventedScript(event, plan.seed, plan.seasons)
        simulation = Simulation(event, script, out, engine, listener, plan.design)
        if plan.on_pads:
            simulation = replace(simulation, stacks=PadStacks(event, plan.seasons, plan.seed))
        if simulation.play_next_phase():
            game = next(iter(games(event).values()))  # from now on the sheets of the seat are in another hand
            typed = {"board": game.name, "power": str(SEAT), "player": reserve, "phase": str(game.position.phase)}
            enter_note(event, "substitute", typed, by="the oracle", why="the rehearsal tries it")
        while simulation.play_next_phase():
            pass
        wrong = [*_finish(event, out, seats, reserve), *rehearse_ends(plan.tournament, out / "ends")]
    return _report(plan, simulation.tally, engine, wrong)


def _finish(event: Event, out: Path, seats: SeatsByBoard, reserve: str) -> Iterator[dict[str, str]]:
    """End the games, score them, and report each seat that the results give to another player than the script."""
    for game in games(event).values():
        if not game.ending:
            end_game(event, game, Ending.TIME, by="the oracle", why="the rehearsal is over")
    first = next(iter(seats))
    for board in event_results(event).boards:
        for power, given in seats[board.name].items():
            is_taken_over = (board.name, power) == (first, SEAT)
            sits, wanted = board.seats[power], (reserve, given) if is_taken_over else (given, None)
            if (sits.player, sits.instead_of) != wanted:
                yield {"end": f"{board.name} {power}", "found": f"{sits.player} for {sits.instead_of}, not {wanted}"}
    keep_file(out / "standings.xlsx", write_standings(event).data)


def _report(plan: Plan, tally: ReadingTally, engine: Recogniser, ends: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """How the rehearsal went; every difference with its stage."""
    born = Counter(_stage_of(row) for row in (*tally.wrong, *tally.ruled_wrong))
    return {
        "tournament": plan.tournament,
        "boards": plan.boards,
        "seasons": plan.seasons,
        "seed": plan.seed,
        "design": str(plan.design or "default"),
        "on_pads": plan.on_pads,
        "reader": engine.name,
        "pages": dict(tally.trays),
        "rows": tally.rows,
        "read_alone": tally.alone,
        "typed": tally.typed,
        "told_when_typed": tally.warned,
        "asked": {str(status): count for status, count in tally.asked.items()},
        "season_slips": tally.season_slips,
        "season_slips_unasked": tally.season_unseen,
        "wrong_unasked": len(tally.wrong),
        "differs_after_ruling": len(tally.ruled_wrong),
        "ends_wrong": len(ends),
        "born_in": dict(born),
        "differences": [*tally.wrong, *tally.ruled_wrong, *ends],
    }


def _stage_of(row: dict[str, str]) -> str:
    """The stage in which a difference arose: the row was lost, misread, or misinterpreted."""
    if not row["read"]:
        return "rows"
    return "interpretation" if fold_text(row["read"]) == fold_text(row["written"]) else "reading"


# The sample event: a whole small tournament round with the truth beside it, read from its folder.

ROUND = 1
DIRECTOR = "the sample's director"


class Sample(Struct, frozen=True, kw_only=True):
    """The whole event, as the script of a simulation."""

    name: str
    code: str
    tournament: str
    seed: int
    roster: Path
    boards: Mapping[str, Mapping[Power, str]]
    sheets: Mapping[Turn, ScriptedSheet]
    replaced: Mapping[Turn, str]  # from which turn on who has the seat of somebody who left
    director: str = DIRECTOR

    def sheet(self, game: Game, power: Power) -> ScriptedSheet | None:
        return self.sheets.get(Turn(game.name, game.position.phase, power))


def read_sample() -> Sample:
    """Read the sample event; it is not checked, because it comes with the program."""
    folder = data_folder("samples") / "moot"
    values = tomllib.loads((folder / "event.toml").read_text("utf-8"))
    sheets = [_read_sheet(value) for value in values["sheets"]]
    return Sample(
        name=values["name"],
        code=values["code"],
        tournament=values["tournament"],
        seed=values["seed"],
        roster=folder / "players.csv",
        boards={
            board: {Power(power): name for power, name in seats.items()} for board, seats in values["boards"].items()
        },
        sheets={sheet.turn: sheet for sheet in sheets},
        replaced={_read_turn(value): value["player"] for value in values["replaced"]},
    )


def _read_sheet(value: Mapping[str, Any]) -> ScriptedSheet:
    turn, lines = _read_turn(value), tuple(value["lines"])
    return ScriptedSheet(
        turn=turn,
        hand=value["hand"],
        lines=lines,
        truth={int(row): order for row, order in value.get("truth", {}).items()},
        rulings={
            int(row): RowDecision(order=ruling["order"], why=ruling["why"])
            for row, ruling in value.get("rulings", {}).items()
        },
        slips={int(row): Slip(slip) for row, slip in value.get("slips", {}).items()},
        is_missing=value.get("missing", False),
        comes_twice=value.get("twice", False),
        typed=tuple(
            TypingWay(text, unit_of_line(line)) for text, line in zip(value.get("typed", ()), lines, strict=False)
        ),
    )


def _read_turn(value: Mapping[str, Any]) -> Turn:
    return Turn(f"{ROUND}.{value['board']}", Phase.read(value["phase"]), Power(value["power"]))


# The main job on the sample event, start to finish: print, write, scan, read, rule, adjudicate, and the standings.
#
# The players and the scanner are simulated (`pipeline.pen`); everything else is what an event runs. At the end every
# order that nobody asked the director about is compared with what the player wrote.


def run_demo(out: Path, engine: Recogniser, listener: Listener) -> dict[str, Any]:
    """Run the sample event in a folder and return the summary, which is also written there."""
    sample = read_sample()
    folder = _fresh_folder(out, sample)
    players = read_roster_file(sample.roster).players
    listener.step("a new event, its roster, and the seats of round 1")
    make_event_folder(folder, Details(name=sample.name, code=sample.code, tournament=sample.tournament), players, now)
    with open_event(folder, now, Random(sample.seed)) as event:
        seat_round(event, ROUND, sample.boards, by=DIRECTOR, notes=["seated by hand, as the sample says"])
        simulation = Simulation(event, sample, out, engine, listener)
        simulation.play_next_phase()
        for turn, player in sample.replaced.items():
            typed = {"board": turn.board, "power": str(turn.power), "player": player, "phase": str(turn.phase)}
            enter_note(event, "substitute", typed, by=DIRECTOR, why="called home")
        while simulation.play_next_phase():
            pass
        for game in games(event).values():
            end_game(event, game, Ending.TIME, by=DIRECTOR, why="the sample ends after its first year")
        _rule_scores(event, sample)
        listener.step("the standings")
        keep_file(out / "standings.xlsx", write_standings(event).data)
    listener.step("beside it, a game ended in every way that the rules know")
    summary = _summarise(sample, simulation.tally, engine, rehearse_ends(sample.tournament, out / "ends"))
    keep_file(out / "summary.json", json.dumps(summary, indent=1).encode())
    return summary


def _rule_scores(event: Event, sample: Sample) -> None:
    """Rule that the score of a seat that changed hands goes to the newcomer, unchanged (WM III.8)."""
    scores = {(game.board.name, game.power): game.score for game in scored_event(event).games}
    for turn in sample.replaced:
        score = scores[round_and_board(turn.board)[1], turn.power]
        typed = {"board": turn.board, "power": str(turn.power), "score": str(score)}
        enter_note(event, "score", typed, by=DIRECTOR, why="the newcomer gets a separate score (WM III.8)")


def _fresh_folder(out: Path, sample: Sample) -> Path:
    """Make room for the event; only an earlier demo's event is cleared away."""
    folder = out / "event"
    if folder.exists():
        toml = folder / "event.toml"
        if not toml.is_file() or f'code = "{sample.code}"' not in toml.read_text("utf-8"):
            raise stop("something else is here; choose another --out", str(folder))
        shutil.rmtree(folder)
        shutil.rmtree(out / "scans", ignore_errors=True)
        shutil.rmtree(out / "ends", ignore_errors=True)
        (out / "flagged-row.png").unlink(missing_ok=True)
    out.mkdir(parents=True, exist_ok=True)
    return folder


def _summarise(
    sample: Sample, tally: ReadingTally, engine: Recogniser, ends: Sequence[Mapping[str, str]]
) -> dict[str, Any]:
    """Put the tally into the words of ``summary.json``."""
    return {
        "event": sample.name,
        "reader": engine.name,
        "pages": dict(tally.trays),
        "rows_written": sum(len(sheet.lines) for sheet in sample.sheets.values()),
        "rows_compared": tally.rows,
        "read_alone": tally.alone,
        "typed": tally.typed,
        "asked": {str(status): count for status, count in tally.asked.items()},
        "wrong_unasked": len(tally.wrong),
        "wrong_unasked_rows": tally.wrong,
        "differs_after_ruling": tally.ruled_wrong,
        "ends_wrong": list(ends),
    }
