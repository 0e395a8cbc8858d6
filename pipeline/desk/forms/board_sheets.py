"""Board sheets: what the players wrote down of their game, beside what the judge makes of the orders (WDC08 11.3)."""

from collections.abc import Iterator, Mapping

from pipeline.board.map import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.forms.form_reasons import FormReason
from pipeline.desk.forms.forms_in import FormDoubt, FormIn
from pipeline.desk.forms.printed_forms import NOBODY
from pipeline.desk.forms.typed_results import leaps, result_of_counts
from pipeline.ledger.events import ResultEntered
from pipeline.paper.form.form_layout import named
from pipeline.problems import stop
from pipeline.scoring.results.results import Ending
from pipeline.words.told import Told

Counts = dict[str, int | None]  # owner -> centres; None where a person must read them


def doubts(event: Event, game: Game, form: FormIn) -> Iterator[FormDoubt]:
    """Everything on a board sheet that a person must say: what was not read, what cannot be, what the judge denies."""
    yield from form.unread()
    derived = game.years
    written = years_of(form)
    for year, counts in written.items():
        yield from impossible(game, form, year, counts)
        if game.played and form.rulings.accepted is None:
            yield from differing(form, year, counts, derived)
    if form.rulings.accepted is None and not game.played and written and game.entered is None:
        yield from not_final(form, written)
        yield from too_many(game, form, written)


def years_of(form: FormIn) -> dict[int, Counts]:
    """The rows that something is written in; an empty box is nought beside others that are not."""
    found: dict[int, Counts] = {}
    owners = [item.name for item in form.printed.request.lists["owners"]]
    for item in form.printed.request.lists["years"]:
        cells = {owner: form.by_name[named(item.name, owner)] for owner in owners}
        if any(not cell.is_empty for cell in cells.values()):
            found[int(item.name)] = {
                owner: None if cell.value is None else int(cell.value or 0) for owner, cell in cells.items()
            }
    return found


def impossible(game: Game, form: FormIn, year: int, counts: Counts) -> Iterator[FormDoubt]:
    """A row that was read must add up to all centres of the board, those of nobody among them."""
    total = len(game.map.centres)
    known = [number for number in counts.values() if number is not None]
    if len(known) == len(counts) and sum(known) != total:
        reason = Told.of(FormReason.WRONG_SUM, year=year, sum=sum(known), centres=total)
        yield form.about(reason, first_written(form, year, counts))


def first_written(form: FormIn, year: int, counts: Counts) -> str:
    """The first field of a row that something is written in: its picture shows the row."""
    return next(name for owner in counts if not form.by_name[name := named(str(year), owner)].is_empty)


def differing(
    form: FormIn, year: int, counts: Counts, derived: Mapping[int, Mapping[Power, int]]
) -> Iterator[FormDoubt]:
    """Where the players wrote something else than the judge makes of their orders."""
    if year not in derived:
        reason = Told.of(FormReason.NOT_PLAYED_YET, year=year)
        yield form.about(reason, first_written(form, year, counts), may_stand=True)
        return
    for power, centres in derived[year].items():
        here = counts.get(str(power))
        if here is not None and here != centres:
            reason = Told.of(FormReason.COUNT_DIFFERS, power=str(power), here=here, centres=centres, year=year)
            yield form.about(reason, named(str(year), power), may_stand=True)


def too_many(game: Game, form: FormIn, written: Mapping[int, Counts]) -> Iterator[FormDoubt]:
    """Counts that no power can reach from those of the year before: they stand only where a person says why."""
    known = {
        year: {Power(owner): number for owner, number in row.items() if owner != NOBODY and number is not None}
        for year, row in written.items()
    }
    for leap in leaps(game.map, known):
        yield form.about(leap, named(str(leap["year"]), str(leap["power"])), may_stand=True)


def not_final(form: FormIn, written: Mapping[int, Counts]) -> Iterator[FormDoubt]:
    """What is missing before a sheet can be the result of a game that was played without the program."""
    if form.by_name["ended"].is_empty:
        yield form.about(FormReason.NO_ENDING, "ended")
    last = written[max(written)]
    for item in form.printed.request.lists["seats"]:
        field = named(item.name, "signature")
        if form.by_name[field].is_empty and last.get(item.name) != 0:
            yield form.about(Told.of(FormReason.POWER_UNSIGNED, power=item.name), field, may_stand=True)


def agreement(game: Game, form: FormIn) -> str:
    """What the sheet says beside the position, in words."""
    written = years_of(form)
    if not written:
        return "nothing is written on it yet"
    if not game.played:
        entered = "entered as the result" if game.entered else "the game is not played here; accept it as the result"
        return f"to {max(written)}: {entered}"
    derived = game.years
    differ = any(any(differing(form, year, counts, derived)) for year, counts in written.items())
    return f"{'differs from' if differ else 'agrees with'} the position, to {max(written)}"


def result_of(event: Event, game: Game, form: FormIn, why: str) -> ResultEntered | None:
    """The result that an accepted sheet enters; nothing for a game that is played here: its orders say the result."""
    if game.played:
        return None
    written = years_of(form)
    if not written:
        raise stop("nothing is written on the sheet", form.id)
    ended = form.by_name["ended"].value
    if not ended:
        raise stop("say how the game ended: rule on the field 'ended'", form.id)
    years = {
        year: {Power(owner): number or 0 for owner, number in row.items() if owner != NOBODY}
        for year, row in written.items()
    }
    return result_of_counts(event, game, form.id, Ending(ended), years, why)


def withdrawal_of(game: Game, form: str) -> tuple[ResultEntered, ...]:
    """What takes a result back whose sheet is set aside, by its id; nothing where the sheet entered none."""
    if game.entered is None or game.entered.form != form:
        return ()
    return (ResultEntered(board=game.name, form=form, ended=None, years={}),)
