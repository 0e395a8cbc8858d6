"""Sheets that came in for a phase in which nobody asks for them: too late, too early, or for nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pipeline.board.position import Phase
from pipeline.desk.event.ending import goes_on
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.event.turn import Turn
from pipeline.desk.sheets.expected import expected_units
from pipeline.desk.sheets.sheets_in import SheetIn
from pipeline.ledger.events import GameEnded, PageIdentified, PageRead, PageSetAside, PhasePublished, PositionSet
from pipeline.ledger.undone import standing
from pipeline.problems import Problem, Weight


@dataclass(frozen=True, slots=True)
class LateArrival:
    """A sheet for which no phase is open, and that was not put aside."""

    turn: Turn
    sheet: str  # its id
    pages: tuple[tuple[str, int], ...]  # that show it: the SHA-256 of the scan, and the page
    problem: Problem
    waits: bool  # for its own phase, which has not come yet: nothing is to be done


def late_sheets(
    event: Event, boards: Mapping[str, Game], sheets_of: Mapping[Turn, tuple[SheetIn, ...]]
) -> Iterator[LateArrival]:
    """Every sheet that came in for a phase in which nobody asks for it, and was not put aside."""
    aside = {fact.said.place for fact in standing(event.facts, PageSetAside)}
    came, closed = arrivals(event), Closed.of(event)
    for turn, sheets in sheets_of.items():
        game = boards.get(turn.board)
        if game is None or (not game.ended and not goes_on(event, game)):
            continue
        for sheet in sheets:
            pages = tuple(dict.fromkeys((scan.scan_sha256, scan.page) for scan in sheet.scans))
            since = min(came[page] for page in pages)
            if game.ended:
                text = "the game is over; put it aside" if since > closed.ended.get(turn.board, since) else ""
            else:
                text = out_of_turn(event, game, turn, is_late=closed.before(since, turn))
            if text and not all(page in aside for page in pages):
                request = sheet.printed.request
                where = f"{request.id} {turn.board} {turn.power}"
                problem = Problem(Weight.ASKS, f"{request.occasion}: {text}", where)
                waits = turn.phase.sort_key > game.position.phase.sort_key
                yield LateArrival(turn, str(request.id), pages, problem, waits)


def out_of_turn(event: Event, game: Game, turn: Turn, *, is_late: bool) -> str:
    """Say why nobody asks for a sheet; nothing where somebody does, or did. ``is_late``: the phase was closed."""
    words, opened = turn.phase.in_words, game.position.phase
    if turn.phase == opened:
        is_due = turn.power in expected_units(game.map, game.position)
        return "" if is_due else f"{turn.power} has nothing to write in {words}"
    if turn.phase.sort_key > opened.sort_key:
        return f"it waits for {words}; {opened.in_words} is open"
    if not is_late:
        return ""
    if all(played.phase != turn.phase for played in game.played):
        return f"it came in for {words}, which was not played"
    return f"{words} is published, {opened.in_words} is open; see what 'correct' says to it, then put it aside"


@dataclass(frozen=True, slots=True)
class Closed:
    """From which fact on a sheet of an earlier phase comes too late, or for nothing."""

    published: Mapping[tuple[str, Phase], int]  # board and phase -> the fact that first published it
    ended: Mapping[str, int]  # board -> the fact that ended its game
    left: Mapping[str, int]  # board -> the fact that set its position by hand: what came before it needs nothing more

    @classmethod
    def of(cls, event: Event) -> "Closed":
        """Read the facts."""
        left = {fact.said.board: fact.number for fact in standing(event.facts, PositionSet)}
        ended = {fact.said.board: fact.number for fact in standing(event.facts, GameEnded)}
        published: dict[tuple[str, Phase], int] = {}
        for fact in standing(event.facts, PhasePublished):
            if fact.number > left.get(fact.said.board, 0):
                published.setdefault((fact.said.board, fact.said.phase), fact.number)
        return cls(published, ended, left)

    def before(self, came: int, turn: Turn) -> bool:
        """Whether the turn was closed before fact ``came``; one that was never published, from the start."""
        return came > max(self.published.get((turn.board, turn.phase), 0), self.left.get(turn.board, 0))


def arrivals(event: Event) -> dict[tuple[str, int], int]:
    """The fact from which on each page counted: its first reading, or a person's word which sheet it is."""
    found: dict[tuple[str, int], int] = {}
    for read in standing(event.facts, PageRead):
        found.setdefault(read.said.place, read.number)
    for named in standing(event.facts, PageIdentified):
        found[named.said.place] = named.number
    return found
