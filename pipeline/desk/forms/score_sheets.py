"""Score sheets of the board-games competition: which game, who came where, and whether everybody signed (NZ99 27)."""

from collections.abc import Iterator

from pipeline.desk.event.event import Event
from pipeline.desk.forms.form_reasons import FormReason
from pipeline.desk.forms.forms_in import FormDoubt, FormIn, forms_in
from pipeline.desk.forms.numbered_players import doubts_about, player_in, rows_used
from pipeline.paper.form.form import FormKind
from pipeline.paper.form.form_layout import named
from pipeline.scoring.results.results import BoardGame
from pipeline.words.told import Told

PLAYERS = "players"


def rows_of(form: FormIn) -> list[str]:
    """The rows that somebody filled in."""
    return list(rows_used(form, PLAYERS, "number", "name", "place", "signature"))


def doubts(event: Event, form: FormIn) -> Iterator[FormDoubt]:
    """Everything that keeps a game from being counted; a signature that is missing keeps it out by the rules."""
    yield from form.unread()
    if form.by_name["game"].is_empty:
        yield form.about(FormReason.NO_GAME, "game")
    rows = rows_of(form)
    for row in rows:
        yield from doubts_about(event, form, row)
        if form.by_name[named(row, "place")].is_empty:
            yield form.about(FormReason.NO_PLACE, named(row, "place"))
    names = [player for row in rows if (player := player_in(event, form, row))]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield form.about(Told.of(FormReason.TWICE_ON_SHEET, player=name))
    yield from wrong_places(event, form, rows)


def wrong_places(event: Event, form: FormIn, rows: list[str]) -> Iterator[FormDoubt]:
    """Places that cannot be: second is who has one player before him; and there must be points for so many."""
    rules = event.tournament.scoring.board_games
    if rules is not None and rows and len(rows) not in rules.points:
        yield form.about(Told.of(FormReason.NO_POINTS, players=len(rows), known=tuple(rules.points)))
    places = [int(value) for row in rows if (value := form.by_name[named(row, "place")].value)]
    if len(places) == len(rows) and any(1 + sum(other < place for other in places) != place for place in places):
        yield form.about(Told.of(FormReason.WRONG_PLACES, places=tuple(sorted(places))))


def board_game(event: Event, form: FormIn) -> BoardGame:
    """The game on a sheet that nobody doubts."""
    rows = rows_of(form)
    levels: dict[int, list[str]] = {}
    for row in rows:
        place, player = form.by_name[named(row, "place")].value, player_in(event, form, row)
        if place and player:
            levels.setdefault(int(place), []).append(player)
    return BoardGame(
        game=form.by_name["game"].value or "",
        places=tuple(tuple(levels[place]) for place in sorted(levels)),
        is_signed=all(not form.by_name[named(row, "signature")].is_empty for row in rows),
    )


def board_games_of(event: Event) -> tuple[BoardGame, ...]:
    """Every game whose sheet is in, counts, and waits for nobody."""
    if event.tournament.scoring.board_games is None:
        return ()
    return tuple(
        board_game(event, form)
        for form in forms_in(event).values()
        if form.kind is FormKind.GAME and form.counts and not list(doubts(event, form))
    )
