"""What somebody types into a note, on the page or on the command line: read strictly, with all faults at once."""

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from pipeline.board import Phase, Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, find_game
from pipeline.draw.roster import nobody_called
from pipeline.printable import is_whole, unprintable_in
from pipeline.problems import ExitCode, Problem, Stopped, Weight
from pipeline.rules.table import did_you_mean
from pipeline.scoring.results import decimal, exact

NOBODY = "nobody"
START = "start"
YES = ("yes",)  # a field that is present or absent takes this word
LINE_END = re.compile(r"\r\n?|\n")
CODE = re.compile(r"[SFW]\d{4}[MRA]?", re.IGNORECASE)
SEASON = re.compile(r"[SF]\d{4}")  # a phase is named by its season alone, where that is enough


class AskedValue(StrEnum):
    """What kind of thing a field asks for; the page makes its input of it."""

    PLAYER = "player"
    PLAYER_OR_NOBODY = "newcomer"
    PLAYERS = "players"  # several, in an order
    BOARD = "board"
    NEW_BOARD = "room"  # a board that need not be drawn: round and board
    POWER = "power"
    POWERS = "powers"  # several, in no order
    ROUND = "round"
    ROUNDS = "rounds"
    PHASE = "phase"
    ARRIVAL = "arrival"  # a phase, or the start
    POINTS = "points"
    COUNT = "count"
    WORD = "word"  # one of a list, or where the list is open any other
    TEXT = "text"
    LINES = "lines"  # one a line


class NoteField(Struct, frozen=True, kw_only=True):
    name: str
    label: str  # as the page asks for it
    asked: AskedValue
    needed: bool = True
    help: str = ""
    words: tuple[str, ...] = ()  # that a WORD may be
    is_open: bool = False  # whether any other word will do


class Values(Struct):
    """What was typed, read field by field."""

    event: Event
    typed: Mapping[str, Any]
    where: str
    problems: list[Problem] = field(default_factory=list)

    def fault(self, name: str, text: str) -> None:
        self.problems.append(Problem(Weight.STOPS, text, f"{self.where} {name}"))

    def allow(self, read: Mapping[str, Any], question: str) -> bool:
        """Whether the director allows what the rules leave to him or forbid; without his word, ask."""
        if question and not read.get("ruled"):
            how = "; you may allow it with --ruled, or with 'allowed by the director' on the page"
            self.problems.append(Problem(Weight.ASKS, f"{question}{how}", f"{self.where} ruled"))
        return bool(question and read.get("ruled"))

    def finish(self) -> None:
        """Stop with everything that is wrong, or must be decided first."""
        if self.problems:
            asks_only = all(problem.weight is Weight.ASKS for problem in self.problems)
            raise Stopped(self.problems, ExitCode.RULE_FIRST if asks_only else ExitCode.WRONG_INPUT)

    def text(self, name: str) -> str:
        """What stands in a field, without the blanks around it."""
        value = self.typed.get(name, "")
        return " ".join(value.split()) if isinstance(value, str) else ""

    def lines(self, name: str) -> list[str]:
        value = self.typed.get(name, "")
        texts = LINE_END.split(value) if isinstance(value, str) else [str(each) for each in value]
        return [" ".join(line.split()) for line in texts if line.strip()]

    def read(self, fields: Sequence[NoteField]) -> dict[str, Any]:
        """Read every field; an optional field that was left out is None."""
        for name, fault in unprintable_in(self.typed):
            self.fault(name, f"it holds {fault}")
        return {each.name: self.read_field(each) for each in fields}

    def read_field(self, asked: NoteField) -> Any:
        is_list = asked.asked in (AskedValue.PLAYERS, AskedValue.POWERS, AskedValue.ROUNDS, AskedValue.LINES)
        if not (self.lines(asked.name) if is_list else self.text(asked.name)):
            if asked.needed:
                self.fault(asked.name, f"missing; {asked.help or asked.label}")
            return None
        return READ[asked.asked](self, asked)

    def find_player(self, name: str, text: str) -> int | None:
        """Find a player by name, or by number where nobody has such a name."""
        players = self.event.players
        names = tuple(player.name for player in players)
        player_meant = self.event.people.name_meant(text)
        for player in players:
            if player.name == player_meant:
                return player.number
        if is_whole(text) and any(player.number == int(text) for player in players):
            return int(text)
        self.problems.append(nobody_called(text, names, f"{self.where} {name}"))
        return None

    def power(self, name: str, text: str) -> Power | None:
        """Find a power by its name or its letter."""
        for power in self.event.board.start:
            if text.upper() in (power, power[0]):
                return power
        powers = tuple(str(power) for power in self.event.board.start)
        hint = did_you_mean(text.upper(), powers) or "; one of " + ", ".join(powers)
        self.fault(name, f"unknown power {text.upper()!r}{hint}")
        return None


def _read_players_field(values: Values, asked: NoteField) -> list[int]:
    """Read several players, each once."""
    numbers = [number for text in values.lines(asked.name) if (number := values.find_player(asked.name, text))]
    if len(numbers) < 2 and not values.problems:
        values.fault(asked.name, "give two or more names, in the order in which they were drawn")
    if len(set(numbers)) < len(numbers):
        values.fault(asked.name, "a player is named twice")
    return numbers


def _read_board_field(values: Values, asked: NoteField) -> Game | None:
    try:
        return find_game(values.event, values.text(asked.name))
    except Stopped as stopped:
        values.fault(asked.name, stopped.problems[0].text)
        return None


def _read_new_board(values: Values, asked: NoteField) -> tuple[int, str] | None:
    """Read the round and the name of a board that need not be drawn."""
    number, _, board = values.text(asked.name).partition(".")
    if is_whole(number) and 1 <= int(number) <= values.event.tournament.rounds and board.isalnum():
        return int(number), board
    rounds = values.event.tournament.rounds
    values.fault(asked.name, f"expected round and board, such as 2.3, round 1 to {rounds}")
    return None


def _read_powers(values: Values, asked: NoteField) -> list[Power]:
    """Read several powers, in the order of the game."""
    words = [word for line in values.lines(asked.name) for word in re.split(r"[\s,]+", line) if word]
    powers = {power for word in words if (power := values.power(asked.name, word))}
    return [power for power in Power if power in powers]


def _read_whole(values: Values, name: str, text: str, least: int, most: int) -> int | None:
    if is_whole(text) and least <= int(text) <= most:
        return int(text)
    values.fault(name, f"expected a whole number from {least} to {most}, found {text!r}")
    return None


def _read_rounds_field(values: Values, asked: NoteField) -> list[int]:
    texts = re.split(r"[\s,]+", " ".join(values.lines(asked.name)).strip(", "))
    numbers = [_read_whole(values, asked.name, text, 1, values.event.tournament.rounds) for text in texts]
    return sorted({number for number in numbers if number})


PHASE_IN_WORDS = re.compile(
    r"\b(SPRING|FALL|AUTUMN|WINTER)\s*(\d{4})(?:\s*(RETREATS?|ADJUSTMENTS?|MOVEMENT))?\b", re.IGNORECASE
)


def with_phase_codes(text: str) -> str:
    """A text with the code of each phase that is written in words.

    >>> with_phase_codes("1 Spring 1901 A VIE"), with_phase_codes("fall 1902 retreats"), with_phase_codes("Winter 1901")
    ('1 S1901M A VIE', 'F1902R', 'W1901A')
    """

    def code(match: re.Match[str]) -> str:
        season, step = match[1].upper().replace("AUTUMN", "FALL")[0], (match[3] or "m")[0].upper()
        return f"{season}{match[2]}{'A' if season == 'W' else step}"

    return PHASE_IN_WORDS.sub(code, text)


def phase_code(text: str) -> str:
    """The code of a phase that is written in code or in words; a season is the whole of it, from its movement on.

    What is neither is given back as it is.

    >>> phase_code("Spring 1901"), phase_code("s1903"), phase_code("F1901R"), phase_code("Spring")
    ('S1901M', 'S1903M', 'F1901R', 'Spring')
    """
    code = with_phase_codes(" ".join(text.split()))
    if not CODE.fullmatch(code):
        return text
    code = code.upper()
    return f"{code}M" if SEASON.fullmatch(code) else code


def read_phase(text: str) -> Phase:
    """Read a phase in code or in words. Else a `ValueError`."""
    return Phase.read(phase_code(text))


def _read_phase(values: Values, asked: NoteField) -> Phase | None:
    text = values.text(asked.name)
    try:
        return read_phase(text)
    except ValueError:
        values.fault(asked.name, f"expected a season or phase such as F1903, S1904R or W1904A, found {text!r}")
        return None


def _read_points(values: Values, asked: NoteField) -> str | None:
    """Read points, and write them as a decimal if that is exact, else as a fraction."""
    try:
        points = exact(values.text(asked.name))
    except ValueError as error:
        values.fault(asked.name, str(error))
        return None
    return decimal(points) if exact(decimal(points)) == points else str(points)


def _read_word(values: Values, asked: NoteField) -> str | None:
    """Find one of the words; a hyphen for the blank is how options of commands write it, such as last-year."""
    text = values.text(asked.name)
    for word in asked.words:
        if text.casefold().replace("-", " ") == word.casefold().replace("-", " "):
            return word
    if asked.is_open:
        return text
    hint = did_you_mean(text, asked.words) or f"; one of {', '.join(asked.words)}"
    values.fault(asked.name, f"{text!r} is not known{hint}")
    return None


READ: Mapping[AskedValue, Callable[[Values, NoteField], Any]] = {
    AskedValue.PLAYER: lambda values, asked: values.find_player(asked.name, values.text(asked.name)),
    AskedValue.PLAYER_OR_NOBODY: lambda values, asked: (
        0 if values.text(asked.name).casefold() == NOBODY else values.find_player(asked.name, values.text(asked.name))
    ),
    AskedValue.PLAYERS: _read_players_field,
    AskedValue.BOARD: _read_board_field,
    AskedValue.NEW_BOARD: _read_new_board,
    AskedValue.POWER: lambda values, asked: values.power(asked.name, values.text(asked.name)),
    AskedValue.POWERS: _read_powers,
    AskedValue.ROUND: lambda values, asked: _read_whole(
        values, asked.name, values.text(asked.name), 1, values.event.tournament.rounds
    ),
    AskedValue.ROUNDS: _read_rounds_field,
    AskedValue.PHASE: _read_phase,
    AskedValue.ARRIVAL: lambda values, asked: (
        START if values.text(asked.name).casefold() == START else _read_phase(values, asked)
    ),
    AskedValue.POINTS: _read_points,
    AskedValue.COUNT: lambda values, asked: _read_whole(values, asked.name, values.text(asked.name), 0, 99_999),
    AskedValue.WORD: _read_word,
    AskedValue.TEXT: lambda values, asked: values.text(asked.name),
    AskedValue.LINES: lambda values, asked: values.lines(asked.name),
}
