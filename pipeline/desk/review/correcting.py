"""Correct what was published: change the sheets of an earlier phase, see what follows, and publish it again.

What is changed and what is published again are written down together, or not at all.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from pipeline.board import Phase, Power
from pipeline.desk.event.ending import is_going_on, rests_on
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, at_phase, find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.publish.publish import ProposedCorrection, propose_correction, record_correction, write_cards
from pipeline.desk.results.results import scored_event
from pipeline.desk.review.sheet_changes import PaperChange, write_change
from pipeline.desk.ruling.desk import (
    Desk,
    late_effects,
    published_otherwise,
)
from pipeline.desk.ruling.rows import PowerRows
from pipeline.desk.sheets.printed import is_of_other_position, printed_sheets
from pipeline.problems import Problem, Weight, stop
from pipeline.scoring.standings_in_words import places_shown


class PlaceChange(Struct, frozen=True):
    """What a player's place and total were and are, as they are shown; None: not in the standings."""

    player: str
    was: tuple[str, str] | None
    now: tuple[str, str] | None


class RereadRow(Struct, frozen=True, kw_only=True):
    """A row of a later phase that gives another order, because the phase begins from another position then."""

    turn: Turn
    line: int
    ink: str
    was: str  # empty: no order
    now: str


class Consequences(Struct, frozen=True, kw_only=True):
    """All that follows from a correction."""

    proposal: ProposedCorrection
    rows: tuple[PowerRows, ...]  # of the corrected phase, as they count then
    notes: tuple[
        Problem, ...
    ]  # what the rules say of its sheets then and not now, such as points that a late one costs
    opened: Phase | None  # the phase that the board is in then; None: its game is over
    places: tuple[PlaceChange, ...]  # that change
    as_they_stand: bool  # whether the game goes on, so that these places are as if all games ended as they stand
    collect: tuple[str, ...]  # what is printed and not right any more, in words
    resting: tuple[str, ...]  # what rests on the end of its game
    reread: tuple[RereadRow, ...]  # nothing of them waits: somebody should look whether they are meant so
    otherwise: tuple[Turn, ...]  # late sheets of other phases that count otherwise, and are published already


class WantedCorrection(Struct, frozen=True, kw_only=True):
    """What is to be corrected in a published phase."""

    board: str
    phase: str
    changes: tuple[PaperChange, ...] = ()  # beside what was ruled, or came in, since it was published
    deadline_passed: bool | None = None  # the next one, when the error was found; None: nobody said


def foresee_correction(event: Event, wanted: WantedCorrection, *, by: str, keep: str) -> Consequences:
    """Work out what a correction would change; nothing is written down.

    Stops where a change cannot be made, or something in the corrected phase waits for the director.
    """
    game, late = find_game(event, wanted.board), late_effects(event)
    said = [problem for power in Desk.of(event).board(at_phase(game, wanted.phase)) for problem in power.problems]
    with event.facts.trial():
        for change in wanted.changes:
            write_change(event, at_phase(game, wanted.phase), change, by=by, why="", keep=keep)
        otherwise = published_otherwise(event, late)
        proposal = propose_correction(event, game, wanted.phase, deadline_passed=wanted.deadline_passed)
        rows = Desk.of(event).board(at_phase(game, wanted.phase))
        if proposal.changes_anything:
            record_correction(event, proposal, by=by, why="to see what follows")
        after = find_game(event, game.name)
        is_running = not (game.ending and after.ending)
        then, goes_on = places_shown(scored_event(event, running=is_running)), is_going_on(event, after)
        collect = tuple(_to_collect(event, game, after, proposal)) if proposal.changes_anything else ()
    here = Phase.read(wanted.phase)
    return Consequences(
        proposal=proposal,
        rows=rows,
        notes=tuple(
            problem
            for power in rows
            for problem in power.problems
            if problem.weight is Weight.NOTES and problem not in said
        ),
        opened=after.position.phase if goes_on else None,
        places=tuple(changed_places(places_shown(scored_event(event, running=is_running)), then)),
        as_they_stand=is_running,
        collect=collect,
        resting=tuple(rests_on(event, game)) if game.ending and proposal.changes_anything else (),
        reread=tuple(_rows_reread(game, proposal)),
        otherwise=tuple(turn for turn in otherwise if (turn.board, turn.phase) != (game.name, here)),
    )


def _rows_reread(game: Game, proposal: ProposedCorrection) -> Iterator[RereadRow]:
    """The rows of later phases in which something is written that gives another order, phase by phase."""
    published = {str(played.phase): played.fact.said.rows for played in game.played}
    for again, _ in proposal.phases[1:]:
        for power, rows in again.rows.items():
            before = {row.line: row.order or "" for row in published[str(again.phase)].get(power, ())}
            for row in rows:
                was, now = before.get(row.line, ""), row.order or ""
                if row.ink and was != now:
                    yield RereadRow(
                        turn=Turn(game.name, again.phase, power), line=row.line, ink=row.ink, was=was, now=now
                    )


def make_correction(
    event: Event, wanted: WantedCorrection, *, by: str, why: str, keep: str
) -> tuple[tuple[int, ...], tuple[Path, ...]]:
    """Change sheets of a published phase, and publish again what follows, in one transaction.

    Changes that lead to the same results are written down alone. Returns the numbers in the journal, and the cards and
    maps that were made again.
    """
    with event.facts.transaction():
        game, newest = find_game(event, wanted.board), event.facts.last_number()
        for change in wanted.changes:
            write_change(event, at_phase(game, wanted.phase), change, by=by, why=why, keep=keep)
        proposal = propose_correction(event, game, wanted.phase, deadline_passed=wanted.deadline_passed)
        is_published = proposal.changes_anything or not wanted.changes
        if proposal.changes_anything and proposal.deadline_assumed:
            raise stop("say first whether the error was found before or after the next deadline", wanted.board)
        if is_published:
            record_correction(event, proposal, by=by, why=why)
        numbers = tuple(range(newest + 1, event.facts.last_number() + 1))
    return numbers, write_cards(event, find_game(event, game.name))[0] if is_published else ()


PlacesShown = Mapping[str, tuple[str, str]]  # of every player, as `places_shown` gives them


def changed_places(was: PlacesShown, now: PlacesShown) -> Iterator[PlaceChange]:
    for player in dict.fromkeys([*now, *was]):
        if was.get(player) != now.get(player):
            yield PlaceChange(player, was.get(player), now.get(player))


# What is printed and not right any more.


def _to_collect(event: Event, before: Game, after: Game, proposal: ProposedCorrection) -> Iterator[str]:
    """Cards and maps that hang, and sheets on which units stand that are elsewhere then."""
    for again, changes in proposal.phases:
        if changes:
            yield f"card and map of {again.phase.in_words}: new ones are made; collect the old ones"
    for dropped in proposal.dropped:
        yield f"card and map of {Phase.read(dropped).in_words}: they are deleted; take down what hangs"
    first = proposal.phases[0][0].phase.sort_key
    wrong: dict[Phase, dict[Power, None]] = {}
    for sheet in printed_sheets(event).values():
        turn = sheet.turn
        if turn.board != before.name or sheet.request.is_pad or turn.phase.sort_key <= first:
            continue
        now = _game_in(after, turn.phase)
        if is_of_other_position(event, now, sheet) if now else _game_in(before, turn.phase):
            wrong.setdefault(turn.phase, {})[turn.power] = None
    for phase in sorted(wrong, key=lambda each: each.sort_key):
        powers = ", ".join(power.title() for power in Power if power in wrong[phase])
        yield f"sheets of {phase.in_words} of {powers}: collect them; what they must order is something else then"


def _game_in(game: Game, phase: Phase) -> Game | None:
    """The game as it was when a phase was about to be played; None if it has not come so far, or without that phase."""
    is_known = phase == game.position.phase or any(played.phase == phase for played in game.played)
    return at_phase(game, str(phase)) if is_known else None
