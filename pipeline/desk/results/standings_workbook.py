"""The standings workbook of an event: results, orders and rulings, as the facts have them."""

from collections.abc import Iterator
from dataclasses import replace

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, games
from pipeline.desk.event.turn import Turn
from pipeline.desk.results.noted import noted
from pipeline.desk.results.results import as_board
from pipeline.desk.results.scored import scored_event
from pipeline.ledger.events import Decision, DecisionUndone, LinesTyped, RowRuled, SheetRuled
from pipeline.ledger.parts import Source
from pipeline.ledger.undone import undone_in
from pipeline.problems import Problem, Weight
from pipeline.scoring.results.results import EventResults
from pipeline.workbook.books.write import WrittenWorkbook, write_workbook
from pipeline.workbook.fronts.log_sheets import OrderLine, RulingLine


def write_standings(event: Event, *, running: bool = False, sealed: bool | None = None) -> WrittenWorkbook:
    """Write the workbook; ``sealed`` tells no places until the awards (None: what the rules say)."""
    found = games(event)
    scored, notes = scored_event(event, running=running), noted(event)
    written = write_workbook(
        scored,
        title=event.details.name,
        orders=tuple(line for game in found.values() for line in order_lines(game)),
        rulings=tuple(ruling_lines(event)),
        to_come=tuple(as_board(event, game, notes) for game in found.values() if not game.ended and not running),
        sealed=sealed,
        meetings=event.tournament.draw.meetings_most.value,
    )
    return replace(written, problems=(*written.problems, *ended_by_word(scored.event)))


def ended_by_word(results: EventResults) -> Iterator[Problem]:
    """Every game that ended by the director's word alone, with what he overruled and why."""
    for board in results.boards:
        where = f"round {board.round}, board {board.name}"
        yield from (Problem(Weight.NOTES, f"ended {overruled}", where) for overruled in board.overruled)


def order_lines(game: Game) -> Iterator[OrderLine]:
    """Every order that was published on a board."""
    for played in game.played:
        ruled = {
            (power, row.order)
            for power, rows in played.fact.said.rows.items()
            for row in rows
            if row.source is Source.RULED
        }
        for result in played.fact.said.results:
            yield OrderLine(
                round=game.seating.round,
                board=game.seating.board,
                phase=str(played.phase),
                power=str(result.power),
                order=result.order,
                result=result.result,
                reason=result.reason,
                ruled=(result.power, result.order) in ruled,
            )


def ruling_lines(event: Event) -> Iterator[RulingLine]:
    """Every decision of the director, those that were taken back among them."""
    facts = tuple(event.facts.told(Decision, DecisionUndone))
    undone = undone_in(facts)
    for fact in facts:
        if not isinstance(fact.said, Decision):
            continue
        turn = Turn.of(fact.said)
        number, _, board = turn.board.partition(".")
        line, ruling, why = in_words(fact.said)
        yield RulingLine(
            when=fact.at,
            round=int(number),
            board=board,
            phase=str(turn.phase),
            power=str(turn.power),
            written=line,
            ruling=ruling,
            rule="taken back" if fact.number in undone else "",
            by=fact.by,
            why=why,
        )


def in_words(said: Decision) -> tuple[str, str, str]:
    """What a decision is on, what it says, and why."""
    match said:
        case RowRuled():
            return f"line {said.line}", said.order or said.text or "", said.why
        case SheetRuled():
            return "the sheet", str(said.decision), said.why
        case LinesTyped():
            return "the sheet", "; ".join(said.lines), ""
    raise AssertionError("there are no other decisions")
