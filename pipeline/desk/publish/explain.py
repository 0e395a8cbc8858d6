"""Tell why an order did what it did, from the outcome back to the ink."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pipeline.board.map import province_of
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, at_phase, find_game, games_named
from pipeline.desk.event.played import Played
from pipeline.desk.event.turn import Turn
from pipeline.desk.publish.published import as_row
from pipeline.desk.results.explain_standing import explain_standing
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rows import Row
from pipeline.desk.ruling.rulings import RulingsOf
from pipeline.desk.sheets.sheets_in import SheetIn
from pipeline.ink import page_in_words
from pipeline.judge.outcome.outcome import Result
from pipeline.ledger.events import ScanReceived
from pipeline.ledger.parts import RowPublished, Source
from pipeline.orders.notation import NotAnOrder, read_unit, write
from pipeline.orders.order import Waive
from pipeline.problems import stop
from pipeline.rules.toml.table import did_you_mean
from pipeline.workbook.xlsx.address import is_reference

FORM = "give a board, a phase and a unit, such as '1 S1902M A MUN', a player's name, or a cell, such as Orders!E12"


def explain(event: Event, question: str) -> Iterator[str]:
    """The whole story of one order or of a player's place, last thing first, a line at a time."""
    asked = question.strip().casefold()
    if named := next((name for name in event.people.checked().called if name.casefold() == asked), None):
        yield from explain_standing(event, event.people.name_of(named))
        return
    if is_reference(question):
        from pipeline.desk.publish.explain_cell import about  # noqa: PLC0415 - only a cell needs the workbook

        cell = about(event, question)
        yield cell.told
        yield from explain(event, cell.question)
        return
    words = question.split()
    if len(words) != 4:
        raise stop(FORM, question)
    board, phase, *rest = words
    unit = " ".join(rest)
    game = find_game(event, board)
    played = next((p for p in game.played if str(p.phase) == phase), None)
    others = [each for each in games_named(event, board) if each != game]
    if played is None:
        raise stop(not_published(game, phase, unit, others), question)
    result = find_result(played, unit, question)
    yield f"board {game.name}  {played.phase.in_words}  {result.power}"
    yield f"{write(result.order)}: {result.outcome.result}, {result.reason}"
    for order in result.by:
        yield f"  decided by  {write(order)}"
    yield f"  published   {played.fact.at} by {played.fact.by}, fact {played.fact.number}"
    yield from origin(event, game, played, result)
    for other in others:
        if any(str(each.phase) == phase for each in other.played):
            yield f"  board {board} is {game.name} here; for {other.name} ask '{other.name} {phase} {unit}'"


def not_published(game: Game, phase: str, unit: str, others: Sequence[Game]) -> str:
    """Say that a phase is not published on a board, and on which others of its name it is."""
    there = [other.name for other in others if any(str(played.phase) == phase for played in other.played)]
    if there:
        may_be = " or ".join(f"'{name} {phase} {unit}'" for name in there)
        return f"phase {phase!r} is not published on board {game.name}, and is on {' and '.join(there)}; ask {may_be}"
    known = tuple(str(p.phase) for p in game.played)
    hint = did_you_mean(phase, known) or f"; published are {', '.join(known) or 'none'}"
    more = f"; boards of this name are {', '.join(each.name for each in (game, *others))}" if others else ""
    return f"phase {phase!r} is not published on board {game.name}{hint}{more}"


def find_result(played: Played, unit: str, question: str) -> Result:
    """Find what became of the unit that a person names."""
    try:
        wanted = read_unit(unit.upper())
    except NotAnOrder as error:
        raise stop(f"{error}; {FORM}", question) from error
    for result in played.resolution.results:
        if not isinstance(result.order, Waive) and result.order.unit.province == province_of(wanted.place):
            return result
    raise stop(f"no order of {unit} was published in {played.phase}", question)


def origin(event: Event, game: Game, played: Played, result: Result) -> Iterator[str]:
    """Where an order comes from: the row it rested on when it was published, the reading, the rule, the ruling."""
    kept = find_kept(played, result)
    if kept is None:
        yield "  no row      nobody wrote an order for it; the rules did"
        return
    desk = Desk.of(event)
    rows = desk.power(at_phase(game, str(played.phase)), result.power).rows
    row = next((row for row in rows if says_the_same(as_row(row), kept)), None)
    yield from as_published(kept, rows) if row is None else as_it_stands(row)
    turn = Turn(game.name, played.phase, result.power)
    typed = desk.rulings.get(turn, RulingsOf()).typed
    if kept.source is Source.TYPED and typed is not None:
        yield f"  typed       by {typed.fact.by}, {typed.fact.at}, fact {typed.fact.number}"
    for sheet in desk.sheets.get(turn, ()):
        yield from scans_of(event, sheet, played)
    if kept.crop:
        yield f"  picture     {event.folder / kept.crop}"


def find_kept(played: Played, result: Result) -> RowPublished | None:
    """Find the row that an order stood in when it was published, as the fact has it."""
    rows = played.fact.said.rows.get(result.power, ())
    return next((row for row in rows if row.order == write(result.order)), None)


def says_the_same(now: RowPublished, kept: RowPublished) -> bool:
    """Whether a row is what was published; which scan of it is shown does not count."""
    return replace(now, crop=None) == replace(kept, crop=None)


def as_it_stands(row: Row) -> Iterator[str]:
    """A row that is now what it was when it was published."""
    yield f"  row         line {row.line}, {row.source}" if row.line else f"  no row      {row.reason}"
    if row.readings:
        yield f"  read        {', '.join(f'{r.text!r} {r.confidence:.0%}' for r in row.readings[:3])}"
    if row.ink:
        yield f"  ink         {row.ink!r}: {row.status}" + (f", {row.rule}" if row.rule else "")
        yield f"  meaning     {row.reason}" if row.reason else "  meaning     as it is written"
    if row.ruling is not None:
        fact = row.ruling.fact
        yield f"  ruling      {fact.by}, {fact.at}, fact {fact.number}: {row.ruling.decision.why or 'no reason given'}"


def as_published(kept: RowPublished, rows: Iterable[Row]) -> Iterator[str]:
    """A row that is another now: what was published, and what stands there since."""
    line = kept.line
    yield f"  row         line {line}, {kept.source}" if line else f"  no row      {kept.source}"
    if kept.ink:
        yield f"  ink         {kept.ink!r}" + (f": {kept.rule}" if kept.rule else "")
    now = [
        f"{row.ink!r}, {write(row.order) if row.order else 'no order'}, {row.source}"
        for row in rows
        if row.line == line
    ]
    yield f"  since then  it has changed, and is now: {'; '.join(now) or 'not there'}; see 'check'"


def scans_of(event: Event, sheet: SheetIn, played: Played) -> Iterator[str]:
    """The scans of a sheet, with the file each came in; one that came too late for what was published says so."""
    if sheet.pad is not None:
        yield f"  pad         {sheet.pad.sheet} is ticked {sheet.pad.ticked.in_words}"
    received = {fact.said.sha256: fact for fact in event.facts.told(ScanReceived)}
    for scan in sheet.scans:
        fact = received.get(scan.scan_sha256)
        name = fact.said.name if fact else "unknown file"
        at = fact.at if fact else ""
        page = page_in_words(scan.page)
        late = ", after it was published" if fact and fact.number > played.fact.number else ""
        yield f"  sheet       {scan.sheet_id} in {name} {page}, {at}{late}, {scan.scan_sha256[:16]}, {scan.reader}"
