"""What goes to the table when a phase is published: the read-out card, the map, and what comes next.

They follow from the facts and can be made again at any time.
"""

from pathlib import Path

from pipeline.board.map import Map
from pipeline.board.position import Position, Step
from pipeline.desk.event import Event
from pipeline.desk.expected import entitlements
from pipeline.desk.games import Game, Played
from pipeline.desk.reading_order import read_at, words_on
from pipeline.judge.outcome import Word
from pipeline.orders.notation import write
from pipeline.picture import Caption, as_pdf, draw_resolution
from pipeline.sheets.card import Card, CardLine, print_card

GOOD = (Word.SUCCEEDS, Word.GIVEN, Word.STANDS, Word.AVAILABLE)


def write_card(event: Event, game: Game, played: Played) -> Path:
    """Make the read-out card of a phase."""
    after = played.resolution.after
    sections = []
    for power in read_at(event, game, played.phase, tuple(game.seating.players)):
        lines = tuple(
            CardLine(write(r.order), r.reason, good=r.outcome.result in GOOD)
            for r in played.resolution.results
            if r.power is power
        )
        if lines:
            sections.append((f"{power}   {game.seating.player_at(power, played.phase)}".rstrip(), lines))
    card = Card(
        title=event.details.name,
        board=game.name,
        phase=played.phase.in_words,
        sections=tuple(sections),
        notes=(*words_on(event, game, played.phase), *what_comes(game.map, after)),
        foot=f"published by {played.fact.by}, {played.fact.at}, fact {played.fact.number}",
    )
    path = event.out / f"{game.name}-{played.phase}-card.pdf"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(print_card(card))
    return path


def write_map(event: Event, game: Game, played: Played) -> Path:
    """Draw a phase: the units as they stood, every order, and what became of it."""
    after = played.resolution.after
    notes = what_comes(game.map, after) if after.phase.step is Step.ADJUSTMENTS else ()  # it tells retreats itself
    caption = Caption(title=f"Board {game.name}", subtitle=event.details.name, notes=notes)
    drawing = draw_resolution(game.map, played.before, played.resolution, caption)
    path = event.out / f"{game.name}-{played.phase}-map.pdf"
    path.write_bytes(as_pdf(drawing))
    return path


def what_comes(board: Map, position: Position) -> tuple[str, ...]:
    """Say what the next phase asks for: retreats with where they may go, or builds and disbands."""
    if position.phase.step is Step.RETREATS:
        return tuple(
            f"{d.power} {d.unit} dislodged from {d.by}: "
            + (f"may retreat to {', '.join(d.retreats)}" if d.retreats else "must disband")
            for d in position.dislodged
        )
    if position.phase.step is Step.ADJUSTMENTS:
        words = {True: "builds", False: "disbands"}
        return tuple(
            f"{power} {words[count > 0]} {abs(count)}"
            for power, count in entitlements(board, position).items()
            if count
        )
    return ()
