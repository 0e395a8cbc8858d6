"""Read boards: ``{"board", "result": {"centers", "years", "ended"}, "players": {power: name}, "final"}``."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import Phase, Power
from pipeline.problems import Problem, Weight
from pipeline.rules.table import MOST, did_you_mean, is_counted, write_shortly
from pipeline.scoring.results import SANDARD_CENTRES, STANDARD_CENTRES, Board, Ending, ScoreRuling, Seat, exact
from pipeline.scoring.rules import ScoringRules

# Reading results that somebody wrote as JSON: every fault at once, each with its path and how to mend it.

POWERS = tuple(str(power) for power in Power)
NOBODY = frozenset({"", "gm", "td", "cd", "civil disorder", "nobody", "none"})  # positions no player scores with


class Facts(Struct):
    """The faults found so far, and the names that are known."""

    problems: list[Problem] = field(default_factory=list)
    names: dict[str, None] = field(default_factory=dict)  # everyone on a board or in the roster, in order
    unknown: dict[str, list[str]] = field(default_factory=dict)  # unread fields: path without row numbers -> paths
    hints: dict[str, str] = field(default_factory=dict)  # path without row numbers -> what was probably meant

    def fault(self, where: str, text: str) -> None:
        self.problems.append(Problem(Weight.STOPS, text, where))

    def table(self, value: object, where: str) -> Mapping[str, Any]:
        """Take an object; nothing where there is none."""
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self.fault(where, f"expected an object, found {value!r}")
            return {}
        return value

    def rows(self, value: object, where: str) -> Iterator[tuple[str, Any]]:
        """Walk a list with the path of each element."""
        if value is not None and not isinstance(value, list):
            self.fault(where, f"expected a list, found {value!r}")
            return
        for number, inside in enumerate(value or []):
            yield f"{where}[{number}]", inside

    def misspelt(
        self, table: Mapping[str, Any], known: tuple[str, ...], where: str, also: Collection[str] = ()
    ) -> None:
        """Refuse a key that is nearly one we know; others may stand there for somebody else, and are noted as unread.

        ``also`` are further keys that are read, such as other names of the known ones.
        """
        for key in table:
            if key in known or key in also:
                continue
            if near := get_close_matches(key, known, n=1, cutoff=0.8):
                self.fault(f"{where}.{key}".lstrip("."), f"unknown field; did you mean {near[0]!r}?")
        self.not_read(table, known, where, also)

    def not_read(
        self, table: Mapping[str, Any], known: Collection[str], where: str, also: Collection[str] = ()
    ) -> None:
        """Note the keys that nobody reads."""
        for key in table:
            if key in known or key in also:
                continue
            path = f"{where}.{key}".lstrip(".")
            kind = INDEX.sub("[]", path)
            found = self.unknown.setdefault(kind, [])
            if path not in found:
                found.append(path)
            if near := get_close_matches(key, known, n=1):
                self.hints[kind] = near[0]

    def unread(self) -> tuple[str, ...]:
        """One sentence for each unknown field; the same field of many rows is reported once."""
        return tuple(
            f"{paths[0]}{f' and {len(paths) - 1} more like it' if len(paths) > 1 else ''}: unknown field, not read"
            + (f"; did you mean {self.hints[kind]!r}?" if kind in self.hints else "")
            for kind, paths in self.unknown.items()
        )

    def first_of(self, table: Mapping[str, Any], where: str, *keys: str) -> Any:
        """Take a field that has several names; by two of them it may not say two things."""
        given = [key for key in keys if table.get(key) is not None]
        for other in given[1:]:
            if table[other] != table[given[0]]:
                self.fault(f"{where}.{other}", f"'{given[0]}' says otherwise; leave one of them out")
        return table[given[0]] if given else None

    def power(self, word: object, where: str) -> Power | None:
        name = str(word).strip().upper()
        if name in POWERS:
            return Power(name)
        self.fault(where, f"unknown power {word!r}; expected one of {', '.join(POWERS)}{did_you_mean(name, POWERS)}")
        return None

    def powers(self, table: Mapping[str, Any], where: str) -> Iterator[tuple[Power, str, Any]]:
        """Walk a table by power, each once, however its name is written; with the path of each."""
        found: set[Power] = set()
        for word, value in table.items():
            power = self.power(word, f"{where}.{word}")
            if power in found:
                self.fault(f"{where}.{word}", f"{power} stands twice; leave one of them out")
            elif power:
                found.add(power)
                yield power, f"{where}.{word}", value

    def count(self, value: object, where: str, least: int = 0) -> int:
        if type(value) is not int:
            self.fault(where, f"expected a whole number, found {value!r}")
            return least
        if value < least:
            self.fault(where, f"expected {least} or more, found {write_shortly(value)}")
            return least
        if not is_counted(value):
            self.fault(where, f"expected a number up to {MOST:,}, found {write_shortly(value)}")
            return least
        return value

    def points(self, value: object, where: str) -> Fraction:
        try:
            return exact(value)
        except ValueError as error:
            self.fault(where, str(error))
            return Fraction()

    def truth(self, value: object, where: str) -> bool:
        """Read yes or no; nothing is no."""
        if value is not None and not isinstance(value, bool):
            self.fault(where, f"expected true or false, found {value!r}")
        return value is True

    def name(self, value: object, where: str) -> str:
        """Read the name of somebody who must be known."""
        name = self.new_name(value, where)
        if name and name not in self.names:
            known = tuple(self.names)
            self.fault(where, f"{name!r} is on no board and not among the players{did_you_mean(name, known)}")
        return name

    def new_name(self, value: object, where: str) -> str:
        if not isinstance(value, str | int) or isinstance(value, bool) or not str(value).strip():
            self.fault(where, f"expected a name, found {value!r}")
            return ""
        return str(value).strip()


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
BOARD_KEYS = ("board", "result", "players", "final", "variant", "chose", "replacements", "rulings", "going_on")
RESULT_KEYS = ("centers", "years", "ended", "draw", "unowned")
ANY_VARIANT = ("variant", "map")  # read on a board and in its result
INDEX = re.compile(r"\[\d+\]")
SEASON = re.compile(r"[SFPA]\d{2}(\d{2})?M?")  # S1903, F1903M; P03 and A03 as the French write them


def read_boards(facts: Facts, rounds: object, rules: ScoringRules) -> Iterator[tuple[Board, bool, bool]]:
    """Each board, whether it goes on, and whether it has a result: one that is still played may have counts or not."""
    spots: set[tuple[int, str]] = set()
    for number, (where, value) in enumerate(facts.rows(rounds, "rounds"), start=1):
        row = facts.table(value, where)
        facts.misspelt(row, ("number", "boards", "withdrawn"), where)
        this = facts.count(row.get("number", number), f"{where}.number", least=1)
        if "boards" not in row:
            facts.fault(f"{where}.boards", "missing; a round needs its boards")
        for index, (inside, board) in enumerate(facts.rows(row.get("boards"), f"{where}.boards"), start=1):
            table = facts.table(board, inside)
            goes_on = facts.truth(table.get("going_on"), f"{inside}.going_on")
            if table.get("result") is None and not goes_on:
                facts.fault(f"{inside}.result", "missing; a board needs its result with the centers at the end")
            read = _read_board_result(facts, table, inside, this, str(index), rules)
            if read.spot in spots:
                facts.fault(f"{inside}.board", f"a second board {read.name!r} in round {this}; give each its own name")
            spots.add(read.spot)
            yield read, goes_on, table.get("result") is not None


def _read_board_result(
    facts: Facts, table: Mapping[str, Any], where: str, number: int, otherwise: str, rules: ScoringRules
) -> Board:
    facts.misspelt(table, BOARD_KEYS, where, ANY_VARIANT)
    result = facts.table(table.get("result"), f"{where}.result")
    facts.misspelt(result, RESULT_KEYS, f"{where}.result", ANY_VARIANT)
    seats = _read_seats(facts, table, where)
    years = _read_years_counts(facts, result.get("years"), f"{where}.result.years")
    centres = _read_power_counts(facts, result.get("centers"), f"{where}.result.centers")
    if result.get("centers") is None and result:
        centres = years[max(years)] if years else {}
        if not years:
            facts.fault(f"{where}.result.centers", "missing; give every power's centers at the end")
    variant = facts.first_of(table, where, "variant", "map")
    variant = variant or facts.first_of(result, f"{where}.result", "variant", "map")
    if variant is None and rules.system.has_sandard and _looks_sandard(seats, centres):
        variant = "sandard"
    powers, total = _read_variant(facts, variant, where, {*seats, *centres})
    left_out = _read_left_out(facts, result.get("draw"), centres, f"{where}.result.draw")
    board = Board(
        round=number,
        name=str(table.get("board", otherwise)),
        seats={power: seats.get(power, Seat(player=None)) for power in powers},
        centres={power: centres.get(power, 0) for power in powers},
        years={year: {power: years[year].get(power, 0) for power in powers} for year in sorted(years)},
        ended=_read_ending(facts, result.get("ended"), f"{where}.result.ended"),
        is_final=facts.truth(table.get("final"), f"{where}.final"),
        total=total,
        unowned=_read_unowned(facts, result.get("unowned"), f"{where}.result.unowned", total - sum(centres.values())),
        chose=tuple(facts.new_name(name, path) for path, name in facts.rows(table.get("chose"), f"{where}.chose")),
        left_out=left_out,
        says_draw=result.get("draw") is not None,
    )
    _check_board(facts, board, where, rules)
    return board


def _read_left_out(facts: Facts, draw: object, centres: Mapping[Power, int], where: str) -> frozenset[Power]:
    """Read who is in the draw, where a vote left survivors out of it; gives those that it left out."""
    if draw is None:
        return frozenset()
    named = {power for path, word in facts.rows(draw, where) if (power := facts.power(word, path))}
    for power in sorted(named):
        if not centres.get(power):
            facts.fault(where, f"{power} has no centre at the end; only survivors are in a draw")
    if not named:
        facts.fault(where, "nobody is named; leave it out where every survivor is in the draw")
    return frozenset(power for power, owned in centres.items() if owned and power not in named)


def _read_unowned(facts: Facts, value: object, where: str, left: int) -> int | None:
    """Read how many centres nobody owns, as they were counted."""
    if value is None:
        return None
    count = facts.count(value, where)
    if 0 <= left < count:
        facts.fault(where, f"{count} centers, but only {left} are left")
    return count


def _read_power_counts(facts: Facts, value: object, where: str) -> dict[Power, int]:
    return {power: facts.count(count, path) for power, path, count in facts.powers(facts.table(value, where), where)}


def _read_years_counts(facts: Facts, value: object, where: str) -> dict[int, dict[Power, int]]:
    """Read the centres after each year."""
    found = {}
    for word, counts in facts.table(value, where).items():
        if not re.fullmatch(r"19\d\d", str(word)) or int(word) < 1901:
            facts.fault(f"{where}.{word}", f"expected a year from 1901 on, found {word!r}")
        else:
            found[int(word)] = _read_power_counts(facts, counts, f"{where}.{word}")
    return found


def _read_seats(facts: Facts, table: Mapping[str, Any], where: str) -> dict[Power, Seat]:
    """Read who sits where, who replaced whom, and the director's rulings."""
    seats: dict[Power, Seat] = {}
    came: list[tuple[Power, Seat, str]] = []  # every seat as it was taken, and the path of who took it
    for played, path, value in facts.powers(facts.table(table.get("players"), f"{where}.players"), f"{where}.players"):
        seats[played] = _read_seat(facts, value, path)
        came.append((played, seats[played], path))
    for path, value in facts.rows(table.get("replacements"), f"{where}.replacements"):
        row = facts.table(value, path)
        facts.not_read(row, ("power", "player", "season", "arrived"), path)
        power = facts.power(row.get("power"), f"{path}.power")
        newcomer = facts.new_name(row.get("player"), f"{path}.player")
        if power:
            before = seats.get(power, Seat(player=None))
            arrived = _read_season(facts, facts.first_of(row, path, "season", "arrived"), f"{path}.season")
            if arrived is not None and before.arrived is not None and arrived < before.arrived:
                text = f"{before.player} came to {power} in season {before.arrived}; whoever follows him comes later"
                facts.fault(f"{path}.season", text)
            seats[power] = replace(before, player=newcomer, instead_of=before.player, arrived=arrived)
            came.append((power, seats[power], path))
    for path, value in facts.rows(table.get("rulings"), f"{where}.rulings"):
        row = facts.table(value, path)
        facts.not_read(row, ("power", "score", "why"), path)
        power = facts.power(row.get("power"), f"{path}.power")
        ruling = ScoreRuling(facts.points(row.get("score"), f"{path}.score"), str(row.get("why", "")))
        if power and power in seats and seats[power].ruling:
            facts.fault(f"{path}.power", f"{power} stands twice; leave one of them out")
        elif power:
            seats[power] = replace(seats.get(power, Seat(player=None)), ruling=ruling)
    _check_newcomers(facts, seats, came)
    return seats


def _check_newcomers(facts: Facts, seats: Mapping[Power, Seat], came: Sequence[tuple[Power, Seat, str]]) -> None:
    """Nobody takes over from himself, or from somebody who plays another power of the board."""
    plays = {seat.player: power for power, seat in seats.items() if seat.player}
    for power, seat, where in came:
        before = seat.instead_of
        if before is not None and before == seat.player:
            facts.fault(where, f"{before} cannot take over {power} from himself")
        elif before is not None and plays.get(before, power) is not power:
            text = f"{before} cannot have left {power} and play {plays[before]}; a player has one seat on a board"
            facts.fault(where, text)


def _read_seat(facts: Facts, value: object, where: str) -> Seat:
    """Read one seat: a name, nobody, or ``{"player", "instead_of", "arrived"}``."""
    if isinstance(value, Mapping):
        row = facts.table(value, where)
        facts.not_read(row, ("player", "name", "instead_of", "arrived", "season"), where)
        sits = _read_seat(facts, facts.first_of(row, where, "player", "name"), where)
        before = row.get("instead_of")
        return Seat(
            is_arrival_noted=before is None,
            player=sits.player,
            instead_of=facts.new_name(before, f"{where}.instead_of") if before is not None else None,
            arrived=_read_season(facts, facts.first_of(row, where, "arrived", "season"), f"{where}.arrived"),
        )
    word = value.strip() if isinstance(value, str) else value
    if word is None or (isinstance(word, str) and word.casefold() in NOBODY and word not in facts.names):
        return Seat(player=None)  # nobody, unless the roster has somebody of that name
    return Seat(player=facts.new_name(value, where) or None)


def _read_season(facts: Facts, value: object, where: str) -> int | None:
    """Read a season: its number, or ``S1903``, ``F1903``, ``P03``, ``A03`` (EDC23 D: P01 is 1, A01 is 2)."""
    if value is None or type(value) is int:
        return None if value is None else facts.count(value, where, least=1)
    text = str(value).strip().upper()
    if not SEASON.fullmatch(text):
        facts.fault(where, f"expected a season such as 5, S1903 or A02, found {value!r}")
        return None
    season = {"P": "S", "A": "F"}.get(text[0], text[0])
    year = text[1:].rstrip("M")
    number = Phase.read(f"{season}{year if len(year) == 4 else '19' + year}M").season_number
    if number < 1:
        facts.fault(where, f"expected a season from Spring 1901 on, found {value!r}")
        return None
    return number


def _read_ending(facts: Facts, value: object, where: str) -> Ending:
    """Read how a game ended. An unknown word is no ending; one that is nearly a word of CONSEQUENTIAL is refused."""
    if value is None:
        return Ending.UNSTATED
    if not isinstance(value, str):
        facts.fault(where, f"expected a word such as {', '.join(Ending)}, found {value!r}")
        return Ending.UNSTATED
    text = value.strip().casefold()
    for start, ending in ENDINGS.items():
        if text.startswith(start):
            return ending
    if near := get_close_matches(text, CONSEQUENTIAL, n=1, cutoff=0.8):
        facts.fault(where, f"unknown ending {value!r}; did you mean {near[0]!r}?")
    return Ending.UNSTATED


def _looks_sandard(seats: Mapping[Power, Seat], centres: Mapping[Power, int]) -> bool:
    """Turkey, alone of all powers, is nowhere on the board, and the centres fit the six-player game (EDC23 B)."""
    six = set(Power) - {Power.TURKEY}
    owned = sum(centres.values())
    return {*seats, *centres} == six and owned <= SANDARD_CENTRES and (len(seats) == 6 or owned == SANDARD_CENTRES)


def _read_variant(facts: Facts, variant: object, where: str, named: Collection[Power]) -> tuple[tuple[Power, ...], int]:
    """Say which powers are in the game and how many centres there are (EDC23 B)."""
    if variant not in (None, "standard", "sandard"):
        facts.fault(f"{where}.variant", f"unknown variant {variant!r}; expected standard or sandard")
    if variant != "sandard":
        return tuple(Power), STANDARD_CENTRES
    if Power.TURKEY in named:
        facts.fault(f"{where}.variant", "there is no Turkey in the Sandard variant")
    return tuple(power for power in Power if power is not Power.TURKEY), SANDARD_CENTRES


def _check_board(facts: Facts, board: Board, where: str, rules: ScoringRules) -> None:
    """What cannot be true of one board: too many centres, a player twice, a solo that nobody won."""
    for label, counts in (("centers", board.centres), *((f"years.{y}", c) for y, c in board.years.items())):
        if sum(counts.values()) > board.total:
            text = f"{sum(counts.values())} centers, but the board has {board.total}"
            facts.fault(f"{where}.result.{label}", text)
    sitting = Counter(seat.player for seat in board.seats.values() if seat.player)
    for name, seats in sitting.items():
        if seats > 1:
            powers = " and ".join(power for power, seat in board.seats.items() if seat.player == name)
            facts.fault(f"{where}.players", f"{name} plays {powers}; a player has one seat on a board")
    if board.ended is Ending.SOLO and not rules.system.solo.soloist(board):
        needed = rules.system.solo.centres_needed(board.total)
        facts.fault(f"{where}.result.ended", f"a solo, but no power has {needed} centers")
    for name in board.chose:
        if name not in sitting:
            facts.fault(f"{where}.chose", f"{name!r} is not on this board")
    for name, often in Counter(board.chose).items():
        if often > 1:
            facts.fault(f"{where}.chose", f"{name!r} is named {often} times; a player chooses one power")
