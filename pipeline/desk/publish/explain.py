"""Tell why an order did what it did, from the outcome back to the ink."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from shlex import quote
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Phase, Power, Step, province_of
from pipeline.desk.event.ending import bars_against_end, over, to_end, vote_that_ended
from pipeline.desk.event.event import Event
from pipeline.desk.event.event_file import gate_name
from pipeline.desk.event.games import Game, Played, at_phase, correct_command, find_game, games
from pipeline.desk.event.note_values import phase_code, with_phase_codes
from pipeline.desk.event.people import Turn
from pipeline.desk.forms.forms_in import forms_in
from pipeline.desk.forms.results_in import years_of
from pipeline.desk.results.results import explain_standing
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rows import Row
from pipeline.desk.ruling.rulings import RulingsOf
from pipeline.desk.sheets.sheets_in import SheetIn
from pipeline.ink import page_in_words
from pipeline.judge.outcome import Resolution, Result
from pipeline.ledger.copies import OWN_GATES
from pipeline.ledger.events import PhasePublished, ScanReceived
from pipeline.ledger.files import hash_file, local_time
from pipeline.ledger.parts import OutcomePublished, RowPublished, Source
from pipeline.orders import NotAnOrder, Order, Waive, read_unit, write, write_position
from pipeline.problems import Problem, Weight, stop
from pipeline.rules.table import did_you_mean
from pipeline.scoring.results import Ending
from pipeline.small_files import read_small
from pipeline.words.speech import write_count

# What is written down of a phase that is published: its orders, their results, and what each order rested on.


def as_published(
    board: str,
    orders: Mapping[Power, tuple[Order, ...]],
    resolution: Resolution,
    rows: Mapping[Power, tuple[RowPublished, ...]],
) -> PhasePublished:
    """Make the fact of a judged phase."""
    return PhasePublished(
        board=board,
        phase=resolution.phase,
        orders={power: tuple(map(write, given)) for power, given in orders.items()},
        results=tuple(map(_as_result, resolution.results)),
        rows=rows,
        after=write_position(resolution.after),
    )


def _as_result(result: Result) -> OutcomePublished:
    return OutcomePublished(
        power=result.power,
        order=write(result.order),
        result=str(result.outcome.result),
        reason=result.reason,
        by=tuple(map(write, result.by)),
    )


def as_row(row: Row) -> RowPublished:
    return RowPublished(
        line=row.line,
        ink=row.ink,
        order=write(row.order) if row.order else None,
        source=row.source,
        rule=row.rule,
        crop=row.crop,
    )


FORM = "give a board, a phase and a unit, such as '1 S1902M A MUN', a player's name, or a cell, such as Orders!E12"


class AccountLine(Struct, frozen=True):
    """One line of an account: what it is about, in a word or two, and what is said of that."""

    text: str
    about: str = ""

    def __str__(self) -> str:
        return f"  {self.about:<11} {self.text}" if self.about else self.text


def explain_question(event: Event, question: str) -> Iterator[str]:
    """Explain one order, or a player's place, in lines: first the result, then what it rests on, back to the ink.

    An order's last line says how this very order is corrected.
    """
    people = event.people.check_known()
    if (meant := people.name_meant(question)) in people.names:
        yield from explain_standing(event, meant)
        return
    if "!" in question:  # a cell of the workbook: Orders!E12
        from pipeline.desk.results.standings_workbook import describe_cell  # noqa: PLC0415 - only a cell needs the workbook

        cell, asked_instead = describe_cell(event, question)
        yield cell
        yield from explain_question(event, asked_instead)
        return
    yield from map(str, explain_order(event, question))


IDS = "exactly"  # the line that names the scans' hashes and the reader's nets
PICTURE = "picture"
TO_CORRECT = "to correct"


def explain_order(event: Event, question: str) -> Iterator[AccountLine]:
    """Explain one order, as `explain_question`: two lines with the order and its result, then what they rest on."""
    words = with_phase_codes(question).split()
    if len(words) != 4:
        raise stop(FORM, question)
    board, phase, *rest = words
    phase = phase_code(phase)
    unit = " ".join(rest)
    game = find_game(event, board)
    played = next((p for p in game.played if str(p.phase) == phase), None)
    others = [each for each in games(event).values() if board in (each.name, each.seating.board) and each != game]
    if played is None:
        raise stop(_not_published(game, phase, unit, others), question)
    result = _find_result(played, unit, question)
    yield AccountLine(f"board {game.name}  {played.phase.in_words}  {result.power}")
    word, why = str(result.outcome.result), result.reason
    yield AccountLine(f"{write(result.order)}: {why if why.startswith(word) else f'{word}, {why}'}")
    for order in result.by:
        yield AccountLine(write(order), "decided by")
    yield AccountLine(f"{local_time(played.fact.at)} by {played.fact.by}, number {played.fact.number}", "published")
    yield from _origin(event, game, played, result)
    if played in game.played_since_set:
        yield _how_to_correct(event, game, played, result)
    for other in others:
        if any(str(each.phase) == phase for each in other.played):
            yield AccountLine(
                f"board {board} is {game.name} here; for {other.name} ask '{other.name} {phase} {unit}'", "which"
            )


def _how_to_correct(event: Event, game: Game, played: Played, result: Result) -> AccountLine:
    """Say with which command, and at which address of the desk, one published order is corrected."""
    row = _row_of(played, result)
    at = f"{quote(str(event.folder))} --board {game.name} --phase {played.phase}"
    rule = f"ordersheets rule {at} --power {result.power} --line {row.line if row else 0} --order ORDER"
    correct = f"{correct_command(event.folder, game.name, played.phase)} --apply --why REASON"
    page = correct_address(game.name, played.phase, result.power)
    return AccountLine(
        f"{rule}, then {correct} (without --apply it shows what changes); in the browser {page}", TO_CORRECT
    )


def correct_address(board: str, phase: Phase, power: Power | None = None) -> str:
    """The address, on the desk, of the page that corrects a published phase."""
    return f"/correct?{urlencode({'board': board, 'phase': str(phase)} | ({'power': str(power)} if power else {}))}"


def _not_published(game: Game, phase: str, unit: str, others: Sequence[Game]) -> str:
    """The error that a phase is not published on a board, naming boards of the same name on which it is."""
    there = [other.name for other in others if any(str(played.phase) == phase for played in other.played)]
    if there:
        may_be = " or ".join(f"'{name} {phase} {unit}'" for name in there)
        return f"phase {phase!r} is not published on board {game.name}, and is on {' and '.join(there)}; ask {may_be}"
    known = tuple(str(p.phase) for p in game.played)
    hint = did_you_mean(phase, known) or f"; published are {', '.join(known) or 'none'}"
    more = f"; boards of this name are {', '.join(each.name for each in (game, *others))}" if others else ""
    return f"phase {phase!r} is not published on board {game.name}{hint}{more}"


def _find_result(played: Played, unit: str, question: str) -> Result:
    """Find what became of the unit that a person names."""
    try:
        wanted = read_unit(unit.upper())
    except NotAnOrder as error:
        raise stop(f"{error}; {FORM}", question) from error
    for result in played.resolution.results:
        if not isinstance(result.order, Waive) and result.order.unit.province == province_of(wanted.place):
            return result
    raise stop(f"no order of {unit} was published in {played.phase}", question)


def _row_of(played: Played, result: Result) -> RowPublished | None:
    """The row that gave an order when it was published; None where nobody wrote one."""
    published = played.fact.said.rows.get(result.power, ())
    return next((row for row in published if row.order == write(result.order)), None)


def _origin(event: Event, game: Game, played: Played, result: Result) -> Iterator[AccountLine]:
    """Where an order comes from: the row it rested on when it was published, the reading, the rule, the ruling."""
    published = played.fact.said.rows.get(result.power, ())
    kept = _row_of(played, result)
    if kept is None:
        void = [f"line {row.line} {row.ink!r}" for row in published if row.ink and row.order is None]
        yield AccountLine(
            f"{'no order for it counted' if void else 'nobody wrote an order for it'}; the rules did", "no row"
        )
        if void:
            yield AccountLine(", ".join(void), "no order")
        return
    desk = Desk.of(event)
    rows = desk.power(at_phase(game, str(played.phase)), result.power).rows
    row = next((row for row in rows if (replace(as_row(row), crop=None) == replace(kept, crop=None))), None)
    yield from _describe_published(kept, rows) if row is None else _describe_unchanged(row)
    turn = Turn(game.name, played.phase, result.power)
    typed = desk.rulings.get(turn, RulingsOf()).typed
    if kept.source is Source.TYPED and typed is not None:
        yield AccountLine(f"by {typed.fact.by}, {local_time(typed.fact.at)}, number {typed.fact.number}", "typed")
    sheets = desk.sheets.get(turn, ())
    for sheet in sheets:
        yield from _scans_of(event, sheet, played)
    if kept.crop:
        yield AccountLine(f"{event.folder / kept.crop}", PICTURE)
    for scan in (scan for sheet in sheets for scan in sheet.scans):
        yield AccountLine(f"scan {scan.scan_sha256[:16]}, read by {scan.reader}", IDS)


def _describe_unchanged(row: Row) -> Iterator[AccountLine]:
    """Describe a row that is unchanged since it was published."""
    yield AccountLine(f"line {row.line}, {row.source}", "row") if row.line else AccountLine(row.reason, "no row")
    if row.readings:
        yield AccountLine(", ".join(f"{r.text!r} {r.confidence:.0%}" for r in row.readings[:3]), "read")
    if row.ink:
        yield AccountLine(f"{row.ink!r}: {row.status}" + (f", {row.rule}" if row.rule else ""), "ink")
        yield AccountLine(row.reason or "as it is written", "meaning")
    if row.ruling is not None:
        fact = row.ruling.fact
        why = row.ruling.decision.why or "no reason"
        yield AccountLine(f"{fact.by}, {local_time(fact.at)}, number {fact.number}: {why}", "ruling")


def _describe_published(kept: RowPublished, rows: Iterable[Row]) -> Iterator[AccountLine]:
    """Describe a row that changed since: what was published, and what counts now."""
    line = kept.line
    yield AccountLine(f"line {line}, {kept.source}", "row") if line else AccountLine(str(kept.source), "no row")
    if kept.ink:
        yield AccountLine(f"{kept.ink!r}" + (f": {kept.rule}" if kept.rule else ""), "ink")
    now = [
        f"{row.ink!r}, {write(row.order) if row.order else 'no order'}, {row.source}"
        for row in rows
        if row.line == line
    ]
    yield AccountLine(f"it has changed, and is now: {'; '.join(now) or 'not there'}; see 'check'", "since then")


def _scans_of(event: Event, sheet: SheetIn, played: Played) -> Iterator[AccountLine]:
    """The scans of a sheet, with the file each came in; one that came too late for what was published says so."""
    if sheet.pad is not None:
        yield AccountLine(f"{sheet.pad.sheet} is ticked {sheet.pad.ticked.in_words}", "pad")
    received = {fact.said.sha256: fact for fact in event.facts.select(ScanReceived)}
    for scan in sheet.scans:
        fact = received.get(scan.scan_sha256)
        name = fact.said.name if fact else "unknown file"
        at = local_time(fact.at) if fact else ""
        page = page_in_words(scan.page)
        late = ", after it was published" if fact and fact.number > played.fact.number else ""
        yield AccountLine(f"{scan.sheet_id} in {name} {page}, {at}{late}", "sheet")


# Work the whole event out again from its facts, and name every difference from what was published.
#
# A difference is not always a fault: a ruling corrected after the read-out changes what would be published now. What
# becomes of it is the tournament's rule on late errors.


def check_event(event: Event) -> Iterator[Problem]:
    """Check an event: every published result that does not follow from the facts.

    If the facts are damaged, only that is reported.
    """
    if damage := event.facts.verify():
        yield from damage
        return
    yield from _check_scans(event)
    yield from _check_gates(event)
    yield from _check_results(event)
    yield from _check_ends(event)
    desk = Desk.of(event)
    for game in games(event).values():
        for played in game.played:
            yield from _check_published(desk, game, played)


def _check_scans(event: Event) -> Iterator[Problem]:
    """Report the scans that are gone, or not byte for byte what came in."""
    for scan in (fact.said for fact in event.facts.select(ScanReceived)):
        path = event.scans / scan.path
        where = f"{scan.name} ({scan.sha256[:8]})"
        if not path.is_file():
            yield Problem(Weight.STOPS, f"the scan is gone from {path}; copy it back from another copy", where)
        elif hash_file(path) != scan.sha256:
            yield Problem(Weight.STOPS, f"the file {path} is no longer what came in; copy it back", where)


def _check_gates(event: Event) -> Iterator[Problem]:
    """Report files of thresholds that are not what 'calibrate' wrote."""
    for path in sorted(event.folder.glob(OWN_GATES)):
        try:
            is_same = path.name == gate_name(read_small(path))
        except OSError:
            is_same = False
        if not is_same:
            yield Problem(Weight.STOPS, "these are not the thresholds that were written; copy the file back", str(path))


def _check_results(event: Event) -> Iterator[Problem]:
    """Report entered results that are not what their board sheet says now."""
    forms = forms_in(event)
    for game in games(event).values():
        if game.entered is None or not game.entered.form:
            continue  # a typed result has no sheet
        now = years_of(forms[game.entered.form])
        for year, counts in game.entered.years.items():
            for power, entered in counts.items():
                stands = now.get(year, {}).get(str(power))
                if stands != entered:
                    says = "nothing" if stands is None else stands
                    text = (
                        f"{power} was entered with {write_count(entered, 'centre')} in {year}, "
                        f"and its sheet says {says} now"
                    )
                    yield Problem(Weight.STOPS, f"{text}; accept {game.entered.form} again", game.name)


def _check_ends(event: Event) -> Iterator[Problem]:
    """Check that every game ended as the rules say, or by the director's recorded word.

    A solo without an end means that the rules were changed since.
    """
    for game in games(event).values():
        why = over(event, game)
        if why is not None and why.how is Ending.SOLO:
            yield Problem(Weight.STOPS, to_end(why), game.name)
        if not game.ending or game.end is None or game.entered is not None:
            continue
        overruled = {each.ground for each in game.end.fact.said.overruled or ()}
        has_voted = vote_that_ended(event, game) is not None
        for bar in bars_against_end(event, replace(game, end=None), game.end.how, has_voted=has_voted):
            if bar.ground not in overruled:
                yield Problem(Weight.STOPS, f"ended as {game.ending}, and {bar}", game.name)


def _check_published(desk: Desk, game: Game, played: Played) -> Iterator[Problem]:
    """Check one published phase: derive its orders from ink and rulings, and adjudicate them again."""
    said = played.fact.said
    where = f"{game.name} {played.phase}"
    for rows in desk.board(at_phase(game, str(played.phase))):
        now = sorted(write(order) for order in rows.orders)
        then = sorted(said.orders.get(rows.power, ()))
        if rows.is_open:
            what = "a row is open" if any(row.needs_director for row in rows.rows) else "its sheets are asked about"
            yield Problem(Weight.ASKS, f"{what} again since it was published", f"{where} {rows.power}")
        elif now != then:
            yield Problem(Weight.STOPS, _orders_otherwise(then, now), f"{where} {rows.power}")
    now_played = as_published(game.name, played.orders, played.resolution, said.rows)
    for power, change in differences(said, now_played):
        yield Problem(Weight.STOPS, change, f"{where} {power}")


def differences(then: PhasePublished, now: PhasePublished) -> Iterator[tuple[Power, str]]:
    """List what differs between two publications of a phase: orders, their outcomes, units and centres after it."""
    results = [{(result.power, result.order): result for result in said.results} for said in (then, now)]
    for power in Power:
        if (was := sorted(then.orders.get(power, ()))) != (is_now := sorted(now.orders.get(power, ()))):
            yield power, _orders_otherwise(was, is_now)
        for owner, order in dict.fromkeys((*results[1], *results[0])):
            before, after = (outcomes.get((owner, order)) for outcomes in results)
            if owner is not power or (was != is_now and not (before and after)):
                continue  # a result that is gone or new with its order
            if _published_outcome(before) != _published_outcome(after):
                yield power, f"{order}: was {_quote_reason(before)}, is {_quote_reason(after)}"
        for key, what in (("units", "units"), ("centers", "centres")):
            was, is_now = (sorted(said.after[key].get(str(power), [])) for said in (then, now))
            if was != is_now and key == "centers" and _is_counted(then) != _is_counted(now):
                when = "after it, not after the retreats" if _is_counted(now) else "after the retreats, not after it"
                yield power, f"centres are counted {when}: {', '.join(is_now) or 'none'}"
            elif was != is_now:
                yield power, f"{what} after it: {_gained_and_lost(was, is_now)}"


def _is_counted(said: PhasePublished) -> bool:
    """Whether the centres after a phase are those of its year: no retreats come before the count."""
    return Phase.read(said.after["phase"]).step is Step.ADJUSTMENTS


def _published_outcome(result: OutcomePublished | None) -> tuple[str, tuple[str, ...]] | None:
    """What became of an order: the word for it, and the orders that decided it; the sentence may be worded anew."""
    return None if result is None else (result.result, result.by)


def _quote_reason(result: OutcomePublished | None) -> str:
    return repr(result.reason) if result else "nothing"


def _gained_and_lost(then: list[str], now: list[str]) -> str:
    lists = {"loses": set(then) - set(now), "gains": set(now) - set(then), "keeps": set(then) & set(now)}
    return "; ".join(
        f"{word} {', '.join(sorted(each)) or 'none'}" for word, each in lists.items() if each or word == "keeps"
    )


def _orders_otherwise(then: list[str], now: list[str]) -> str:
    gone, come = sorted(set(then) - set(now)), sorted(set(now) - set(then))
    if gone and come:
        return f"orders: published {', '.join(gone)}; now {', '.join(come)}"
    return f"orders: no more {', '.join(gone)}" if gone else f"orders: {', '.join(come)}, too"
