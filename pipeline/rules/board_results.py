"""Read boards: ``{"board", "result": {"centers", "years", "ended"}, "players": {power: name}, "final"}``."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import Annotated, Any

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import Phase, Power
from pipeline.rules.table import Table, did_you_mean
from pipeline.scoring.numbers import Also, Instead, Range
from pipeline.scoring.results import (
    SANDARD_CENTRES,
    STANDARD_CENTRES,
    Between,
    Board,
    Ending,
    ScoreRuling,
    Seat,
    YearNumber,
)
from pipeline.scoring.rules import ScoringRules
from pipeline.words.speech import write_count

# Results that somebody wrote as JSON: the fields of each object, and what is said of keys that nobody reads.

NOBODY = frozenset({"", "gm", "td", "cd", "civil disorder", "nobody", "none"})  # positions no player scores with
INDEX = re.compile(r"\[\d+\]")
SEASON = re.compile(r"[SFPA]\d{2}(\d{2})?M?")  # S1903, F1903M; P03 and A03 as the French write them
NEARLY = 0.8  # likeness of a key that is a misspelt one, and not somebody else's


class UnreadKeys(Struct):
    """Keys that nobody reads: they may stand there for another program, and are told."""

    paths: dict[str, list[str]] = field(default_factory=dict)  # path without row numbers -> paths
    meant: dict[str, str] = field(default_factory=dict)  # path without row numbers -> what was probably meant

    def tell(self) -> tuple[str, ...]:
        """One sentence for each; the same key of many rows is told once."""
        return tuple(
            f"{paths[0]}{f' and {len(paths) - 1} more like it' if len(paths) > 1 else ''}: unknown field, not read"
            + (f"; did you mean {self.meant[kind]!r}?" if kind in self.meant else "")
            for kind, paths in sorted(self.paths.items())
        )


class ResultTable(Table):
    """An object of a document with results: a key that is nearly one of ours is refused, others are told."""

    noun: str = "an object"
    unread: UnreadKeys = field(default_factory=UnreadKeys)
    names: dict[str, None] = field(default_factory=dict)  # everyone on a board or in the roster, in order

    def open_table(self, values: Mapping[str, Any], key: str, *, is_short: bool = False) -> "ResultTable":
        where = self.path(key)
        return ResultTable(values, where, self.problems, is_short=is_short, unread=self.unread, names=self.names)

    def tell_unknown(self, key: str) -> None:
        known, kind = tuple(self.asked), INDEX.sub("[]", self.path(key))
        if near := get_close_matches(key, known, cutoff=NEARLY):
            self.fault(key, f"unknown field; did you mean {near[0]!r}?")
        self.unread.paths.setdefault(kind, []).append(self.path(key))
        if near := get_close_matches(key, known):
            self.unread.meant[kind] = near[0]

    def check_known(self, key: str, name: str) -> str:
        """A name must be that of somebody who plays or is registered."""
        if name and name not in self.names:
            known = tuple(self.names)
            self.fault(key, f"{name!r} is on no board and not among the players{did_you_mean(name, known)}")
        return str(name)


class Name(str):
    """A name as somebody wrote it, without blanks around it; a number may be one."""

    @classmethod
    def read(cls, value: object) -> "Name":
        if not isinstance(value, str | int) or isinstance(value, bool) or not str(value).strip():
            raise ValueError(f"expected a name, found {value!r}")
        return cls(str(value).strip())


class SeasonNumber(int):
    """A season by its number, or as ``S1903``, ``F1903``, ``P03``, ``A03`` (EDC23 D: P01 is 1, A01 is 2)."""

    @classmethod
    def read(cls, value: object) -> "SeasonNumber":
        number, text = value, str(value).strip().upper()
        if SEASON.fullmatch(text):
            year = text[1:].rstrip("M")
            letter = {"P": "S", "A": "F"}.get(text[0], text[0])
            number = Phase.read(f"{letter}{year if len(year) == 4 else '19' + year}M").season_number
        if type(number) is not int or not 1 <= number < 10**3:
            raise ValueError(f"expected a season from Spring 1901 on, such as 5, S1903 or A02; found {value!r}")
        return cls(number)


CountOfCentres = Annotated[int, Range(0)]
PowerCounts = Mapping[Power, CountOfCentres]


class SeatFields(Struct):
    """Who sits at a power: a name, nobody, or ``{"player", "instead_of", "arrived"}``."""

    player: Annotated[Name | None, Also(("name",)), Instead("")] = None
    instead_of: Name | None = None
    arrived: Annotated[SeasonNumber | None, Also(("season",))] = None

    @staticmethod
    def spell_out(value: object) -> object:
        return value if isinstance(value, Mapping) else {"player": value.strip() if isinstance(value, str) else value}


class ReplacementFields(Struct):
    power: Power
    player: Name
    season: Annotated[SeasonNumber | None, Also(("arrived",))] = None


class RulingFields(Struct):
    power: Power
    score: Fraction
    why: str = ""


class ResultFields(Struct):
    """The counts of a board, and how its game ended."""

    centers: PowerCounts | None = None
    years: Mapping[YearNumber, PowerCounts] = field(default_factory=dict)
    ended: str | None = None
    draw: tuple[Power, ...] | None = None
    unowned: CountOfCentres | None = None
    variant: Annotated[str | None, Also(("map",))] = None


class BoardFields(Struct):
    board: str | int | None = None
    result: ResultFields | None = None
    players: Mapping[Power, SeatFields] = field(default_factory=dict)
    final: bool = False
    pool: str = ""
    variant: Annotated[str | None, Also(("map",))] = None
    chose: tuple[Name, ...] = ()
    replacements: tuple[ReplacementFields, ...] = ()
    rulings: tuple[RulingFields, ...] = ()
    going_on: bool = False


class RoundFields(Struct):
    boards: tuple[BoardFields, ...]
    number: Annotated[int, Range(1)] | None = None
    withdrawn: tuple[Name, ...] = ()


ENDINGS = {  # by how the word begins
    "solo": Ending.SOLO,
    "time": Ending.TIME,
    "last year": Ending.LAST_YEAR,
    "dice": Ending.DICE,
    "stagnation": Ending.STAGNATION,
    "call": Ending.TIME,
    "vote": Ending.VOTE,
    "draw": Ending.VOTE,
    "agree": Ending.VOTE,
    "conced": Ending.CONCEDED,
    "concession": Ending.CONCEDED,
    "abandon": Ending.ABANDONED,
}
CONSEQUENTIAL = ("solo", "conceded", "concession", "abandoned")  # endings that change what a game is worth


def read_boards(
    table: ResultTable, rounds: tuple[RoundFields, ...], rules: ScoringRules
) -> Iterator[tuple[Board, bool, bool]]:
    """Each board, whether it goes on, and whether it has a result: one that is still played may have counts or not."""
    spots: set[tuple[int, str]] = set()
    for number, row in enumerate(rounds, start=1):
        for index, each in enumerate(row.boards, start=1):
            where = f"rounds[{number - 1}].boards[{index - 1}]"
            if each.result is None and not each.going_on:
                table.fault(f"{where}.result", "missing; a board needs its result with the centers at the end")
            name = str(each.board if each.board is not None else index)
            read = _make_board(table.open_table({}, where), each, row.number or number, name, rules)
            if read.spot in spots:
                text = f"a second board {read.name!r} in round {read.round}; give each its own name"
                table.fault(f"{where}.board", text)
            spots.add(read.spot)
            yield read, each.going_on, each.result is not None


def _make_board(table: ResultTable, each: BoardFields, number: int, name: str, rules: ScoringRules) -> Board:
    result = each.result or ResultFields()
    seats = _seats_of(table, each)
    centres = result.centers
    if centres is None:
        centres = result.years[max(result.years)] if result.years else {}
        if each.result is not None and not result.years:
            table.fault("result.centers", "missing; give every power's centers at the end")
    variant = each.variant or result.variant
    if each.variant and result.variant and each.variant != result.variant:
        table.fault("variant", "the result says otherwise; leave one of them out")
    if variant is None and rules.system.has_sandard and _looks_sandard(seats, centres):
        variant = "sandard"
    powers, total = _powers_in(table, variant, {*seats, *centres})
    board = Board(
        round=number,
        name=name,
        seats={power: seats.get(power, Seat(player=None)) for power in powers},
        centres={power: centres.get(power, 0) for power in powers},
        years={
            year: {power: counts.get(power, 0) for power in powers} for year, counts in sorted(result.years.items())
        },
        ended=_ending_in(table, result.ended),
        is_final=each.final,
        pool=each.pool,
        total=total,
        unowned=result.unowned,
        chose=tuple(map(str, each.chose)),
        left_out=_left_out_of(table, result.draw, centres),
        says_draw=result.draw is not None,
    )
    _check_board(table, board, total - sum(centres.values()), rules)
    return board


def _left_out_of(table: ResultTable, draw: tuple[Power, ...] | None, centres: Mapping[Power, int]) -> frozenset[Power]:
    """Who survived and is not in the draw, where a vote left somebody out of it."""
    if draw is None:
        return frozenset()
    for power in sorted(set(draw)):
        if not centres.get(power):
            table.fault("result.draw", f"{power} has no centre at the end; only survivors are in a draw")
    if not draw:
        table.fault_if_first("result.draw", "nobody is named; leave it out where every survivor is in the draw")
    return frozenset(power for power, owned in centres.items() if owned and power not in draw)


def _seats_of(table: ResultTable, each: BoardFields) -> dict[Power, Seat]:
    """Who sits where, who replaced whom, and the director's rulings."""
    seats = {power: _seat_of(table, seat) for power, seat in each.players.items()}
    # every seat as it was taken: the power, who took it of whom, and where that is written
    came = [(power, seat.player, seat.instead_of, f"players.{power}") for power, seat in seats.items()]
    for number, row in enumerate(each.replacements):
        before, where = seats.get(row.power, Seat(player=None)), f"replacements[{number}]"
        if row.season is not None and before.arrived is not None and row.season < before.arrived:
            text = f"{before.player} came to {row.power} in season {before.arrived}; whoever follows comes later"
            table.fault(f"{where}.season", text)
        seats[row.power] = _taken_over(before, str(row.player), row.season)
        came.append((row.power, row.player, before.player, where))
    for number, ruled in enumerate(each.rulings):
        before = seats.get(ruled.power, Seat(player=None))
        if before.ruling:
            table.fault(f"rulings[{number}].power", f"{ruled.power} stands twice; leave one of them out")
        else:
            seats[ruled.power] = replace(before, ruling=ScoreRuling(ruled.score, ruled.why))
    plays = {seat.player: power for power, seat in seats.items() if seat.player}
    for power, player, left, where in came:
        if left is not None and left == player:
            table.fault(where, f"{left} played {power} already, and cannot take it over")
        elif left is not None and plays.get(left, power) is not power:
            text = f"{left} cannot have left {power} and play {plays[left]}; a player has one seat on a board"
            table.fault(where, text)
    return seats


def _taken_over(seat: Seat, newcomer: str, season: int | None) -> Seat:
    """A seat that somebody takes over during the game; who had taken it over before is one of several."""
    if seat.instead_of is None or seat.player is None or seat.arrived == 1:
        return replace(seat, player=newcomer, instead_of=seat.player, arrived=season)
    between = (*seat.between, Between(seat.player, seat.arrived or 0))
    return replace(seat, player=newcomer, between=between, arrived=season)


def _seat_of(table: ResultTable, each: SeatFields) -> Seat:
    """One seat; a word for nobody is no player, unless the roster has somebody of that name."""
    name = each.player
    is_empty = name is None or (name.casefold() in NOBODY and name not in table.names)
    return Seat(
        is_arrival_noted=each.instead_of is None,
        player=None if is_empty else str(name),
        instead_of=None if each.instead_of is None else str(each.instead_of),
        arrived=each.arrived,
    )


def _ending_in(table: ResultTable, word: str | None) -> Ending:
    """How a game ended. An unknown word is no ending; one that is nearly a word of CONSEQUENTIAL is refused."""
    text = (word or "").strip().casefold()
    for start, ending in ENDINGS.items():
        if text.startswith(start):
            return ending
    if near := get_close_matches(text, CONSEQUENTIAL, cutoff=NEARLY):
        table.fault("result.ended", f"unknown ending {word!r}; did you mean {near[0]!r}?")
    return Ending.UNSTATED


def _looks_sandard(seats: Mapping[Power, Seat], centres: Mapping[Power, int]) -> bool:
    """Turkey, alone of all powers, is nowhere on the board, and the centres fit the six-player game (EDC23 B)."""
    six = set(Power) - {Power.TURKEY}
    owned = sum(centres.values())
    return {*seats, *centres} == six and owned <= SANDARD_CENTRES and (len(seats) == 6 or owned == SANDARD_CENTRES)


def _powers_in(table: ResultTable, variant: str | None, named: Collection[Power]) -> tuple[tuple[Power, ...], int]:
    """Which powers are in the game and how many centres there are (EDC23 B)."""
    if variant not in (None, "standard", "sandard"):
        table.fault("variant", f"unknown variant {variant!r}; expected standard or sandard")
    if variant != "sandard":
        return tuple(Power), STANDARD_CENTRES
    if Power.TURKEY in named:
        table.fault("variant", "there is no Turkey in the Sandard variant")
    return tuple(power for power in Power if power is not Power.TURKEY), SANDARD_CENTRES


def _check_board(table: ResultTable, board: Board, left: int, rules: ScoringRules) -> None:
    """What cannot be true of one board: too many centres, a player twice, a solo that nobody won."""
    for label, counts in (("centers", board.centres), *((f"years.{y}", c) for y, c in board.years.items())):
        if sum(counts.values()) > board.total:
            table.fault(
                f"result.{label}", f"{write_count(sum(counts.values()), 'center')}, but the board has {board.total}"
            )
    if board.unowned is not None and 0 <= left < board.unowned:
        table.fault("result.unowned", f"{write_count(board.unowned, 'center')}, but only {left} left")
    sitting = Counter(seat.player for seat in board.seats.values() if seat.player)
    for name, seats in sitting.items():
        if seats > 1:
            powers = " and ".join(power for power, seat in board.seats.items() if seat.player == name)
            table.fault("players", f"{name} plays {powers}; a player has one seat on a board")
    if board.ended is Ending.SOLO and not (solo := rules.system_of(board).solo).soloist(board):
        needed = solo.centres_needed(board.total)
        table.fault("result.ended", f"a solo, but no power has {write_count(needed, 'center')}")
    for name, often in Counter(board.chose).items():
        if name not in sitting:
            table.fault("chose", f"{name!r} is not on this board")
        elif often > 1:
            table.fault("chose", f"{name!r} is named {write_count(often, 'time')}; a player chooses one power")
