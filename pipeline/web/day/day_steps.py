"""The steps of a round, each with its state in a word: what is done, what is to be done now, what comes later."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pipeline.desk.draw.roll_call import Called, RollCall


class State(StrEnum):
    """Where a step is."""

    DONE = "done"
    NOW = "now"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class DayStep:
    """One step of a round."""

    name: str
    state: State
    word: str  # its state, for people

    def as_json(self) -> dict[str, str]:
        """Write it for the page."""
        return {"step": self.name, "state": str(self.state), "word": self.word}


@dataclass(frozen=True, slots=True)
class Today:
    """What is known of a round."""

    roll: RollCall
    drawn: int  # boards
    has_lot: bool  # one is sealed, and a word must be called
    is_told: bool  # everybody may see the seats
    boards: tuple[Mapping[str, Any], ...]  # as the pages show them
    printed: frozenset[str]  # boards whose sheets are printed for the phase they are in
    unread: int  # files that came and are not read yet


def steps(today: Today) -> Iterator[DayStep]:
    """All steps, in the order of a round."""
    playing = [board for board in today.boards if not board["ended"] and not board["over"]]
    yield roll_step(today)
    drawn = "a lot waits for a word" if today.has_lot else f"{counted(today.drawn, 'board')} drawn"
    waits = today.has_lot or not today.drawn
    yield DayStep("draw", State.NOW if waits else State.DONE, drawn if today.drawn or today.has_lot else "not drawn")
    yield seats_step(today)
    yield from at_the_boards(today, playing)
    yield DayStep(*end_step(today))
    is_over = bool(today.boards) and all(board["ended"] for board in today.boards)
    yield DayStep("standings", State.NOW if is_over else State.LATER, "ready" if is_over else "after the games")


def seats_step(today: Today) -> DayStep:
    """The seats: whether they are told."""
    if not today.drawn:
        return DayStep("seats", State.LATER, "after the draw")
    return DayStep("seats", State.DONE, "told") if today.is_told else DayStep("seats", State.NOW, "not told yet")


def roll_step(today: Today) -> DayStep:
    """The roll call."""
    roll = today.roll
    waiting, here = len(roll.those(Called.NOT_YET)), len(roll.those(Called.HERE))
    if not roll.is_begun:
        return DayStep("roll", State.DONE if today.drawn else State.NOW, "not begun: everybody is drawn")
    if waiting:
        return DayStep("roll", State.DONE if today.drawn else State.NOW, f"{here} here, {waiting} not called yet")
    late = len(roll.those(Called.LATER))
    return DayStep("roll", State.DONE, f"{here} here" + (f", {late} later" if late else ""))


def at_the_boards(today: Today, playing: list[Mapping[str, Any]]) -> Iterator[DayStep]:
    """What comes round with every phase: print, scan, settle, publish."""
    if not today.drawn:
        for name in ("print", "scan", "doubts", "publish"):
            yield DayStep(name, State.LATER, "after the draw")
        return
    if not playing:
        for name in ("print", "scan", "doubts", "publish"):
            yield DayStep(name, State.DONE, "done")
        return
    unprinted = [board for board in playing if board["board"] not in today.printed and board["of"]]
    word = f"{counted(len(unprinted), 'board')} to print" if unprinted else "printed"
    yield DayStep("print", State.NOW if unprinted else State.DONE, word)
    came, expected = (sum(board[key] for board in playing) for key in ("in", "of"))
    reading = f", {counted(today.unread, 'file')} being read" if today.unread else ""
    yield DayStep("scan", State.DONE if came == expected else State.NOW, f"{came} of {expected} in{reading}")
    doubts = sum(board["open"] + board["pages"] for board in playing)
    yield DayStep("doubts", State.NOW if doubts else State.DONE, f"{doubts} to settle" if doubts else "none")
    ready = sum(board["ready"] for board in playing)
    yield DayStep("publish", State.NOW if ready else State.LATER, f"{ready} ready" if ready else "none ready")


def end_step(today: Today) -> tuple[str, State, str]:
    """The ends of the games."""
    over = sum(bool(board["over"]) for board in today.boards)
    ended = sum(bool(board["ended"]) for board in today.boards)
    if today.boards and ended == len(today.boards):
        return "end", State.DONE, "all games are over"
    word = f"{counted(over, 'board')} to end" if over else f"{ended} of {counted(len(today.boards), 'board')} over"
    return "end", State.NOW if over else State.LATER, word if today.boards else "after the games"


def counted(number: int, word: str) -> str:
    """Write a number with its word."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
