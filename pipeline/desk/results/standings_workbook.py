"""The standings workbook of an event: results, orders and rulings, as the facts have them."""

from collections.abc import Iterator

from msgspec.structs import replace

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, games
from pipeline.desk.event.people import Turn
from pipeline.desk.results.results import as_board, read_notes, scored_event, without_places_before_play, without_result
from pipeline.desk.results.wall import results_pages, sealed_pages
from pipeline.ledger.events import Decision, DecisionUndone, LinesTyped, RowRuled, SheetRuled
from pipeline.ledger.ledger import undone_in
from pipeline.ledger.parts import Source, round_and_board
from pipeline.problems import Problem, Weight, stop
from pipeline.scoring.rules import StandingsMoment
from pipeline.scoring.standings_in_words import amended_places
from pipeline.words.speech import Speech, wording
from pipeline.workbook.board_games_sheet import ORDERS, OrderLine, RulingLine
from pipeline.workbook.input_sheets import SHEET as RESULTS
from pipeline.workbook.package import row_of
from pipeline.workbook.standings_sheet import SHEET as STANDINGS
from pipeline.workbook.wall_book import write_wall_book
from pipeline.workbook.write import WrittenWorkbook, write_workbook


def write_standings(
    event: Event, *, running: bool = False, sealed: bool | None = None, moment: StandingsMoment | None = None
) -> WrittenWorkbook:
    """Write the workbook; ``sealed`` hides the places until the awards (None: as the rules say).

    ``moment`` is when the standings are of; None: now.
    """
    all_games = games(event)
    scored, notes = scored_event(event, running=running, moment=moment), read_notes(event)
    counted = {board.spot for board in scored.event.boards}
    written = write_workbook(
        scored,
        title=event.details.name,
        orders=tuple(line for game in all_games.values() for line in _published_orders(game, event.speech)),
        rulings=tuple(_ruling_lines(event)),
        to_come=tuple(
            as_board(game, notes)
            for game in all_games.values()
            if not game.ending and game.spot not in counted and (moment is None or game.seating.round <= moment.round)
        ),
        sealed=sealed,
        meetings=event.tournament.draw.meetings_most.value,
        speech=event.speech,
    )
    overruled = (  # games that the director ended against the rules
        Problem(Weight.NOTES, f"ended {each}", f"round {board.round}, board {board.name}")
        for board in scored.event.boards
        for each in board.overruled
    )
    amended = (Problem(Weight.NOTES, text, "results") for text in amended_places(scored))
    written = written.with_waiting(without_result(event.people.players, without_places_before_play(scored)))
    return replace(written, problems=(*written.problems, *overruled, *amended), paper=event.details.paper)


def write_wall(
    event: Event,
    *,
    as_pdf: bool,
    running: bool = False,
    sealed: bool | None = None,
    moment: StandingsMoment | None = None,
) -> bytes:
    """Write the pages to hang up, as a PDF or as a workbook, on the event's paper and in its language.

    ``running`` counts every game as it stands; ``sealed`` leaves out all places and points, None does what the rules
    say. ``moment`` is when the standings are of; None: now.
    """
    details, scored = event.details, scored_event(event, running=running, moment=moment)
    if scored.rules.is_sealed if sealed is None else sealed:
        pages = tuple(sealed_pages(event, scored))
    else:
        pages = results_pages(scored, details.name, event.speech, event.people.players, is_projected=running)
    if not as_pdf:
        return write_wall_book(pages, details.name, details.paper)
    from pipeline.paper.printed_list import print_wall  # noqa: PLC0415 - only here is ReportLab needed

    return print_wall(pages, details.paper, details.name, event.speech)


def _published_orders(game: Game, speech: Speech) -> Iterator[OrderLine]:
    for played in game.played:
        ruled = {
            (power, row.order)
            for power, rows in played.fact.said.rows.items()
            for row in rows
            if row.source is Source.RULED
        }
        reasons = {
            str(result.reason): result.reason for result in played.resolution.results
        }  # these know their patterns
        for result in played.fact.said.results:
            yield OrderLine(
                round=game.seating.round,
                board=game.seating.board,
                phase=str(played.phase),
                power=str(result.power),
                order=result.order,
                result=result.result,
                reason=speech.says(reasons.get(result.reason, result.reason)),
                ruled=(result.power, result.order) in ruled,
            )


def _ruling_lines(event: Event) -> Iterator[RulingLine]:
    """List every decision of the director, undone ones included."""
    facts = tuple(event.facts.select(Decision, DecisionUndone))
    undone = undone_in(facts)
    for fact in facts:
        if not isinstance(fact.said, Decision):
            continue
        turn = Turn.of(fact.said)
        number, board = round_and_board(turn.board)
        line, ruling, why = _ruling_in_words(fact.said)
        yield RulingLine(
            when=fact.at,
            round=number,
            board=board,
            phase=str(turn.phase),
            power=str(turn.power),
            written=line,
            ruling=ruling,
            rule=wording("taken back") if fact.number in undone else "",
            by=fact.by,
            why=why,
        )


def _ruling_in_words(said: Decision) -> tuple[str, str, str]:
    """Describe a decision: the line or sheet it is about, the ruling, and the reason."""
    match said:
        case RowRuled():
            return wording("line {line}", line=said.line), said.order or said.text or "", said.why
        case SheetRuled():
            return wording("the sheet"), wording(said.decision), said.why
        case LinesTyped():
            return wording("the sheet"), "; ".join(said.lines), ""
    raise AssertionError("there are no other decisions")


# Find the order or the player that a cell of the workbook is about.


def describe_cell(event: Event, reference: str) -> tuple[str, str]:
    """Read a cell of the workbook as it is written now.

    Its sheet may be named in English or in the event's language. Returns the cell with the values of its row, and what
    to explain instead: an order, or a player's name.
    """
    written = write_standings(event, sealed=False)
    tabs = {page.title: page.name for page in written.pages}
    sheet, row = row_of(written.data, reference, tabs, ORDERS)
    if sheet == ORDERS and len(row) > 4 and row[2] and row[4]:
        number, board, phase, _, order, *_ = row
        return f"{reference}: {order}", f"{number}.{board} {phase} {' '.join(order.split()[:2])}"
    names = {player.name for player in event.players}
    player = next((value for value in row if value in names), None)
    if player is None:
        others = ", ".join(tabs[title] for title in (ORDERS, STANDINGS, RESULTS))
        raise stop(f"this row is about no order and no player; try one of {others}", reference)
    return f"{reference}: {' | '.join(value for value in row if value)}", player
