"""The steps of a round, each with its state in a word: what is done, what is to be done now, what comes later."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from pipeline.desk import players
from pipeline.words.speech import write_count


class State(StrEnum):
    DONE = "done"
    NOW = "now"
    LATER = "later"


class DayStep(Struct, frozen=True):
    name: str
    state: State
    word: str  # its state, for people

    def as_json(self) -> dict[str, str]:
        return {"step": self.name, "state": str(self.state), "word": self.word}


class Today(Struct, frozen=True):
    """What is known of a round."""

    roll: players.RollCall
    drawn: int  # boards
    has_lot: bool  # one is sealed, and a word must be called
    is_told: bool  # everybody may see the seats
    boards: tuple[Mapping[str, Any], ...]  # as the pages show them
    printed: frozenset[str]  # boards whose sheets are printed for the phase they are in
    unread: int  # files that came and are not read yet
    strays: int  # pages whose board is not known
    forms: int  # that wait for the director


def steps(today: Today) -> Iterator[DayStep]:
    """All steps, in the order of a round."""
    playing = [board for board in today.boards if not board["ended"] and not board["over"]]
    yield _roll_step(today)
    drawn = "a lot waits for a word" if today.has_lot else f"{write_count(today.drawn, 'board')} drawn"
    waits = today.has_lot or not today.drawn
    yield DayStep("draw", State.NOW if waits else State.DONE, drawn if today.drawn or today.has_lot else "not drawn")
    yield _seats_step(today)
    yield from _at_the_boards(today, playing)
    yield DayStep(*_end_step(today))
    is_over = bool(today.boards) and all(board["ended"] for board in today.boards)
    yield DayStep("standings", State.NOW if is_over else State.LATER, "ready" if is_over else "after the games")


def _seats_step(today: Today) -> DayStep:
    """The step of the seats: whether they are public."""
    if not today.drawn:
        return DayStep("seats", State.LATER, "after the draw")
    return DayStep("seats", State.DONE, "public") if today.is_told else DayStep("seats", State.NOW, "not public yet")


def _roll_step(today: Today) -> DayStep:
    roll = today.roll
    waiting, here = len(roll.those(players.Called.NOT_YET)), len(roll.those(players.Called.HERE))
    if not roll.is_begun:
        if today.drawn:
            return DayStep("roll", State.DONE, "nobody was called")
        return DayStep("roll", State.NOW, "not begun: everybody is drawn")
    if waiting:
        return DayStep("roll", State.DONE if today.drawn else State.NOW, f"{here} here, {waiting} not called yet")
    late = len(roll.those(players.Called.LATER))
    return DayStep("roll", State.DONE, f"{here} here" + (f", {late} later" if late else ""))


def _at_the_boards(today: Today, playing: list[Mapping[str, Any]]) -> Iterator[DayStep]:
    """The steps that repeat with every phase: print, scan, settle, publish."""
    if not today.drawn:
        yield from (DayStep(name, State.LATER, "after the draw") for name in ("print", "scan", "doubts", "publish"))
    elif playing:
        yield _print_step(today, playing)
        yield _scan_step(today, playing)
        yield _doubts_step(today, playing)
        ready = sum(board["ready"] for board in playing)
        yield DayStep("publish", State.NOW if ready else State.LATER, f"{ready} ready" if ready else "none ready")
    else:
        yield from (DayStep(name, State.DONE, "done") for name in ("print", "scan"))
        yield _waits_step(today, today.strays) or DayStep("doubts", State.DONE, "done")
        yield DayStep("publish", State.DONE, "done")


def _boards_to_print(today: Today, playing: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The boards that wait for sheets which are not printed yet."""
    waiting = [board for board in playing if board["missing"] or board["anew"]]
    return [board for board in waiting if board["board"] not in today.printed]


def _print_step(today: Today, playing: list[Mapping[str, Any]]) -> DayStep:
    unprinted = _boards_to_print(today, playing)
    word = f"{write_count(len(unprinted), 'board')} to print" if unprinted else "printed"
    return DayStep("print", State.NOW if unprinted else State.DONE, word)


def _scan_step(today: Today, playing: list[Mapping[str, Any]]) -> DayStep:
    came, expected = (sum(board[key] for board in playing) for key in ("in", "of"))
    reading = f", {write_count(today.unread, 'file')} being read" if today.unread else ""
    nothing_printed = not came and len(_boards_to_print(today, playing)) == len(playing)
    state = State.DONE if came == expected else State.LATER if nothing_printed else State.NOW
    return DayStep("scan", state, f"{came} of {expected} in{reading}")


def _doubts_step(today: Today, playing: list[Mapping[str, Any]]) -> DayStep:
    if waits := _waits_step(today, sum(board["settle"] for board in playing) + today.strays):
        return waits
    if not any(board["in"] for board in playing) and any(board["missing"] for board in playing):
        return DayStep("doubts", State.LATER, "after a scan")
    return DayStep("doubts", State.DONE, "none")


def _waits_step(today: Today, doubts: int) -> DayStep | None:
    """What waits for a decision: doubts about sheets, and forms."""
    words = [f"{doubts} to settle"] if doubts else []
    words += [f"{write_count(today.forms, 'form')} to look at"] if today.forms else []
    return DayStep("doubts", State.NOW, ", ".join(words)) if words else None


def _end_step(today: Today) -> tuple[str, State, str]:
    over = sum(bool(board["over"]) for board in today.boards)
    ended = sum(bool(board["ended"]) for board in today.boards)
    if today.boards and ended == len(today.boards):
        return "end", State.DONE, "all games are over"
    word = (
        f"{write_count(over, 'board')} to end" if over else f"{ended} of {write_count(len(today.boards), 'board')} over"
    )
    return "end", State.NOW if over else State.LATER, word if today.boards else "after the games"
