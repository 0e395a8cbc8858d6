"""What goes to the table when a phase is published: the read-out card, the map, and what comes next.

They follow from the facts and can be made again at any time.
"""

import glob
import re
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path

from pipeline.board.map import Map, Power
from pipeline.board.position import Position, Step
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.event.played import Played
from pipeline.desk.publish.reading_order import read_at, words_on
from pipeline.desk.sheets.expected import entitlements
from pipeline.judge.outcome.outcome import Word
from pipeline.ledger.files.disk import make_again, refused
from pipeline.orders.notation import write
from pipeline.orders.order import units_of
from pipeline.paper.pdf.card import Card, CardLine, print_card
from pipeline.picture import Caption, as_pdf, draw_resolution
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.toml.table import did_you_mean
from pipeline.words.speech import Speech, to_say
from pipeline.words.wording import wording

GOOD = (Word.SUCCEEDS, Word.GIVEN, Word.STANDS, Word.AVAILABLE)


MAY_RETREAT = to_say("{power} {unit} dislodged from {place}: may retreat to {places}")
GONE = to_say("{power} {unit}, dislodged from {place}: no retreat, it is gone")
NO_ORDER = to_say("no order: {reason}")
BUILDS, DISBANDS = to_say("{power} builds {count}"), to_say("{power} disbands {count}")
MADE = re.compile(r"(?P<board>.+)-(?P<phase>[SFW][0-9]+[MRA])-(card|map)\.pdf")  # the names of cards and maps


@dataclass(frozen=True, slots=True)
class CardsMade:
    """What was made of a board, and what was taken away because its phase is not played any more."""

    made: tuple[Path, ...]
    removed: tuple[Path, ...]


def write_cards(event: Event, game: Game, phase: str | None = None) -> CardsMade:
    """Make the card and the map of every published phase of a board again, or of one; older ones are replaced."""
    phases = {str(played.phase): played for played in game.played}
    if phase is not None and phase not in phases:
        raise stop(f"not published on board {game.name}{did_you_mean(phase, tuple(phases))}", phase)
    wanted = [played for name, played in phases.items() if phase in (None, name)]
    made = tuple(path for played in wanted for path in write_both(event, game, played))
    return CardsMade(made, remove_stale(event, game))


def remove_stale(event: Event, game: Game) -> tuple[Path, ...]:
    """Take the cards and maps away of phases that a board has not played, or not any more."""
    phases = {str(played.phase) for played in game.played}
    stale = [path for path in event.out.glob(f"{glob.escape(game.name)}-*.pdf") if is_stale(path, game.name, phases)]
    for path in stale:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            text = "what was decided stands; this phase is not played any more, and its file cannot be taken away"
            raise refused(error, str(path), text, "take it away yourself") from error
    return tuple(stale)


def is_stale(path: Path, board: str, phases: Container[str]) -> bool:
    """Whether a file is the card or the map of a phase that a board has not played, or not any more."""
    found = MADE.fullmatch(path.name)
    return found is not None and found["board"] == board and found["phase"] not in phases


def write_both(event: Event, game: Game, played: Played) -> tuple[Path, Path]:
    """Make the card and the map of a phase; where that cannot be, what was published stands all the same."""
    faults, code = list[Problem](), ExitCode.DONE
    for make in (write_card, write_map):
        try:
            make(event, game, played)
        except Stopped as stopped:
            faults += stopped.problems
            code = stopped.code
    if faults:
        again = f"ordersheets cards {event.folder} --board {game.name} --phase {played.phase}"
        text = (
            f"this phase is published, and stands; only what is handed out of it is missing, and is made by '{again}'"
        )
        said = Problem(Weight.STOPS, text, f"{game.name} {played.phase}")
        raise Stopped((said, *faults), code)
    return place_of(event, game, played, "card"), place_of(event, game, played, "map")


def place_of(event: Event, game: Game, played: Played, what: str) -> Path:
    """Where the card or the map of a phase lies."""
    return event.out / f"{game.name}-{played.phase}-{what}.pdf"


def write_card(event: Event, game: Game, played: Played) -> None:
    """Make the read-out card of a phase."""
    after, speech = played.after, event.speech
    sections = []
    for power in read_at(event, game, played.phase, tuple(game.seating.players)):
        told = outcomes_told(played, power, speech)
        lines = tuple(CardLine(order, reason, good=good) for order, good, reason in told)
        if lines:
            sections.append(
                (f"{speech.power(power).upper()}   {game.seating.player_at(power, played.phase)}".rstrip(), lines)
            )
    card = Card(
        title=event.details.name,
        board=game.name,
        phase=speech.says(played.phase.in_words),
        sections=tuple(sections),
        notes=tuple(map(speech.says, (*words_on(event, game, played.phase), *what_comes(game.map, after)))),
        foot=speech.says(
            "published by {by}, {at}, fact {number}", by=played.fact.by, at=played.fact.at, number=played.fact.number
        ),
        speech=speech,
    )
    make_again(place_of(event, game, played, "card"), print_card(card))


def write_map(event: Event, game: Game, played: Played) -> None:
    """Draw a phase: the units as they stood, every order, and what became of it."""
    after = played.after
    notes = adjustments_due(game.map, after)  # it tells retreats itself
    title = event.speech.says("Board {board}", board=game.name)
    caption = Caption(title=title, subtitle=event.details.name, notes=notes, speech=event.speech)
    drawing = draw_resolution(game.map, played.before, played.resolution, caption)
    make_again(place_of(event, game, played, "map"), as_pdf(drawing))


def outcomes_told(played: Played, power: Power, speech: Speech) -> list[tuple[str, bool, str]]:
    """A power's orders with what became of them: order, whether it came through, the reason.

    A hold that nobody wrote is told as such: it looks like no other.
    """
    ordered = units_of(played.orders.get(power, ()))
    return [
        (
            speech.order(write(r.order)),
            r.outcome.result in GOOD,
            speech.says(r.reason if units_of([r.order]) <= ordered else wording(NO_ORDER, reason=r.reason)),
        )
        for r in played.resolution.results
        if r.power is power
    ]


def what_comes(board: Map, position: Position) -> tuple[str, ...]:
    """Say what is gone, and what the next phase asks for: retreats with where they may go, or builds and disbands."""
    gone = tuple(
        wording(MAY_RETREAT if d.retreats else GONE, power=d.power, unit=d.unit, place=d.by, places=d.retreats)
        for d in position.dislodged
    )
    return (*gone, *adjustments_due(board, position))


def adjustments_due(board: Map, position: Position) -> tuple[str, ...]:
    """The builds and disbands that a winter asks for."""
    if position.phase.step is not Step.ADJUSTMENTS:
        return ()
    return tuple(
        wording(BUILDS if count > 0 else DISBANDS, power=power, count=abs(count))
        for power, count in entitlements(board, position).items()
        if count
    )
