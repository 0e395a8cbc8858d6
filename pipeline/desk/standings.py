"""The standings workbook of an event: results, orders and rulings, as the facts have them."""

from collections.abc import Iterator

from pipeline.desk.event import Event
from pipeline.desk.games import Game, games
from pipeline.desk.results import as_board, event_results
from pipeline.desk.rulings import KINDS
from pipeline.desk.turn import Turn
from pipeline.scoring.score import Scored, score
from pipeline.workbook.log_sheets import OrderLine, RulingLine
from pipeline.workbook.write import Written, write_workbook


def scored_event(event: Event, *, running: bool = False) -> Scored:
    """Score every game that is over; with ``running`` also those that go on, as they stand."""
    return score(event_results(event, running=running), event.tournament.scoring)


def write_standings(event: Event, *, running: bool = False, sealed: bool | None = None) -> Written:
    """Write the workbook; ``sealed`` tells no places until the awards (None: what the rules say)."""
    found = games(event)
    return write_workbook(
        scored_event(event, running=running),
        title=event.details.name,
        orders=tuple(line for game in found.values() for line in order_lines(game)),
        rulings=tuple(ruling_lines(event)),
        to_come=tuple(as_board(event, game) for game in found.values() if not game.ended and not running),
        sealed=sealed,
        meetings=event.tournament.draw.meetings_most.value,
    )


def order_lines(game: Game) -> Iterator[OrderLine]:
    """Every order that was published on a board."""
    for played in game.played:
        ruled = {
            (power, row["order"])
            for power, rows in played.fact.body["rows"].items()
            for row in rows
            if row["source"] == "ruled"
        }
        for result in played.fact.body["results"]:
            yield OrderLine(
                round=game.seating.round,
                board=game.seating.board,
                phase=str(played.phase),
                power=result["power"],
                order=result["order"],
                result=result["result"],
                reason=result["reason"],
                ruled=(result["power"], result["order"]) in ruled,
            )


def ruling_lines(event: Event) -> Iterator[RulingLine]:
    """Every decision of the director, those that were taken back among them."""
    facts = [fact for fact in event.facts.read() if fact.kind in KINDS]
    undone = {fact.body["fact"] for fact in facts if fact.kind == "ruling undone"}
    for fact in facts:
        if fact.kind == "ruling undone":
            continue
        turn = Turn.of_body(fact.body)
        number, _, board = turn.board.partition(".")
        line = f"line {fact.body['line']}" if "line" in fact.body else "the sheet"
        decided = fact.body.get("order") or fact.body.get("text") or fact.body.get("decision")
        yield RulingLine(
            when=fact.at,
            round=int(number),
            board=board,
            phase=str(turn.phase),
            power=str(turn.power),
            written=line,
            ruling=decided or "; ".join(fact.body.get("lines", ())),
            rule="taken back" if fact.number in undone else "",
            by=fact.by,
            why=fact.body.get("why", ""),
        )
