"""Invented players and games: legal orders with some sense in them, and the mistakes that people make."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from pipeline.board.map import Kind, Map, Power
from pipeline.board.position import Position, Step, Unit
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.event.turn import Turn
from pipeline.desk.ruling.rulings import NOTHING, RowDecision
from pipeline.desk.sheets.expected import entitlements, expected_units
from pipeline.interpret.doubts.entry import Entry, Line, Status
from pipeline.interpret.interpret import interpret
from pipeline.judge.legality import legal_orders
from pipeline.orders.notation import read, write
from pipeline.orders.order import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support
from pipeline.pen.slips import Slip
from pipeline.rehearsal.simulation import ScriptedSheet
from pipeline.rehearsal.typist import TypingWay, shorthand_of, unit_of_line, ways_to_type
from pipeline.rules.tournament import Tournament

GIVEN = ("Ada", "Bo", "Cem", "Dag", "Eva", "Finn", "Gil", "Hana", "Ivo", "Jun", "Kai", "Lea", "Mio", "Nils")
FAMILY = ("Adler", "Brandt", "Costa", "Dahl", "Eriksen", "Ferrari", "Gruber", "Hoxha", "Ito", "Jansen", "Kovač")
WANTS = {Move: 12.0, Hold: 0.6, Support: 0.35, Convoy: 0.3}  # how readily each kind is ordered, one by one
MISORDER = 0.05  # of the lines are misorders on purpose
SLIPS = ((Slip.OVERWRITTEN, 0.01), (Slip.STRUCK_OUT, 0.005), (Slip.SCRIBBLE, 0.003))
MISSING = 0.01  # of the sheets


def invented_names(count: int, rng: np.random.Generator) -> list[str]:
    """Names for so many players, no two alike."""
    names = [f"{given} {family}" for family in FAMILY for given in GIVEN]
    extra = [f"{name} {letter}." for letter in "ABCDE" for name in names]
    return [str(name) for name in rng.permutation([*names, *extra][: max(count, len(names))])[:count]]


@dataclass(frozen=True, slots=True)
class InventedScript:
    """A script that makes itself up, phase after phase, from its seed."""

    event: Event
    seed: int
    seasons: int  # movement phases to play
    director: str = "the oracle"
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
            sheet = with_truth(turn, hand, words, {}, game.position, rules, is_missing=False)
            return replace(sheet, typed=typed)
        return with_truth(turn, hand, lines, slips, game.position, rules, is_missing=rng.random() < MISSING)

    def is_typed(self, turn: Turn) -> bool:
        """Whether the director takes a sheet down at the keyboard: one of a board's seven in every phase."""
        return (list(Power).index(turn.power) + turn.phase.season_number + self.seed) % len(Power) == 0

    def typing(
        self, game: Game, turn: Turn, lines: Sequence[str], rng: np.random.Generator
    ) -> tuple[list[str], tuple[TypingWay, ...]]:
        """Each line in words that mean nothing else, and in one of the ways in which it is typed."""
        shorthand = shorthand_of(self.event, game, turn)
        is_behind = turn.phase.step is not Step.ADJUSTMENTS
        orders = [read(line) for line in lines]
        ways = [ways_to_type(order, shorthand, is_behind=is_behind) for order in orders]
        units = [unit_of_line(line) if is_behind else None for line in lines]
        keys = [TypingWay(str(rng.choice(way)), unit) for way, unit in zip(ways, units, strict=True)]
        return [way[0] for way in ways], tuple(keys)

    def orders(self, game: Game, power: Power, rng: np.random.Generator) -> list[Order]:
        """Choose one order for every unit, or as many builds or disbands as are due."""
        legal = legal_orders(game.map, game.position, power)
        if game.position.phase.step is Step.ADJUSTMENTS:
            return adjustments(legal, entitlements(game.map, game.position)[power], rng)
        found: list[Order] = []
        units = dict.fromkeys(unit for order in legal if (unit := unit_of(order)) is not None)
        for unit in units:
            choices = [order for order in legal if unit_of(order) == unit]
            weights = np.array([wanted(order, found) for order in choices])
            found.append(choices[int(rng.choice(len(choices), p=weights / weights.sum()))])
        return found

    def line(self, board: Map, order: Order, rng: np.random.Generator) -> str:
        """Write an order as a player does; now and then another one than was possible."""
        words = write(order).split()
        if rng.random() < MISORDER and len(words[-1]) >= 3:
            words[-1] = str(rng.choice([place for place in board.provinces if place != words[-1][:3]]))
        return " ".join([*words, *self.way(board, words)])

    def way(self, board: Map, words: Sequence[str]) -> Sequence[str]:
        """Name the convoy wherever an army cannot go by land: on rows of targets there is no other way to say it."""
        match words:
            case ("A", start, "-", to) if to not in board.reach(Kind.ARMY, start):
                return ("VIA",)
            case _:
                return ()


def with_truth(
    turn: Turn,
    hand: int,
    lines: Sequence[str],
    slips: dict[int, Slip],
    position: Position,
    tournament: Tournament,
    *,
    is_missing: bool,
) -> ScriptedSheet:
    """Say what must come of the lines: what the rules make of them when nothing is misread.

    Rows that nobody could read, and rows on which the rules ask, are ruled to give no order; a struck row gives none.
    """
    legible = [Line(row, text) for row, text in enumerate(lines, start=1) if slips.get(row) not in NO_ORDER]
    entries = interpret(legible, turn.power, position, tournament).entries
    truth = {row: "" for row in slips if slips[row] in NO_ORDER}
    rulings = {row: RowDecision(order=NOTHING, why=f"{slips[row]}: no order") for row in truth}
    for entry in entries:
        truth[entry.line] = "; ".join(text for text in (truth.get(entry.line, ""), standing(entry)) if text)
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


def standing(entry: Entry) -> str:
    """The order that an entry gives, canonical."""
    return write(entry.order) if entry.order is not None and entry.status is not Status.ASK else ""


def unit_of(order: Order) -> Unit | None:
    """The unit an order is for."""
    match order:
        case Hold(unit) | Move(unit) | Support(unit) | Convoy(unit) | Retreat(unit) | Disband(unit):
            return unit
        case _:
            return None


def wanted(order: Order, before: Sequence[Order]) -> float:
    """How readily an order is chosen: supports and convoys for what was ordered before, moves that do not collide."""
    match order:
        case Support(_, of, to) | Convoy(_, of, to):
            fits = any(isinstance(o, Move) and (o.unit, o.to) == (of, to) for o in before)
            return 15.0 if fits else WANTS[type(order)] / 10
        case Move(_, to, via):
            taken = any(isinstance(o, Move) and o.to[:3] == to[:3] for o in before)
            return WANTS[Move] * (0.02 if taken or via else 1.0)
        case _:
            return WANTS.get(type(order), 1.0)


def adjustments(legal: Sequence[Order], due: int, rng: np.random.Generator) -> list[Order]:
    """Choose builds in different provinces, or disbands of different units."""
    found: dict[str, Order] = {}
    for index in rng.permutation(len(legal)):
        order = legal[int(index)]
        if isinstance(order, Build | Disband) and len(found) < abs(due):
            found.setdefault(order.unit.province, order)
    return list(found.values())
