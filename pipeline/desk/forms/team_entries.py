"""Teams that enter on paper: every member's number, name and signature (NZ99 26)."""

from collections.abc import Iterator

from pipeline.desk.event.event import Event
from pipeline.desk.event.people import with_numbers
from pipeline.desk.forms.form_reasons import FormReason
from pipeline.desk.forms.forms_in import FormDoubt, FormIn
from pipeline.desk.forms.numbered_players import doubts_about, player_in, rows_used
from pipeline.ledger.events import TeamEntered
from pipeline.paper.form.form_layout import named
from pipeline.words.told import Told

MEMBERS = "members"


def rows_of(form: FormIn) -> list[str]:
    """The sections that somebody filled in."""
    return list(rows_used(form, MEMBERS, "number", "name", "signature"))


def doubts(event: Event, form: FormIn) -> Iterator[FormDoubt]:
    """Everything that keeps a team from being entered."""
    yield from form.unread()
    if form.by_name["team"].is_empty:
        yield form.about(FormReason.NO_TEAM_NAME, "team")
    elif doubt := form.by_name["team"].doubt:
        yield doubt
    rows = rows_of(form)
    if not rows:
        yield form.about(FormReason.EMPTY_TEAM)
    for row in rows:
        yield from doubts_about(event, form, row)
        if form.by_name[named(row, "signature")].is_empty:
            yield form.about(FormReason.UNSIGNED, named(row, "signature"))
    if form.rulings.accepted is None:
        yield from in_two_teams(event, form, rows)


def in_two_teams(event: Event, form: FormIn, rows: list[str]) -> Iterator[FormDoubt]:
    """A player belongs to one team (NZ99 26), and is named once."""
    team = form.by_name["team"].value
    teams = {player.name: player.team for player in event.players}
    seen: set[str] = set()
    for row in rows:
        player = player_in(event, form, row)
        if player is None:
            continue
        if player in seen:
            yield form.about(Told.of(FormReason.TWICE_ON_FORM, player=player), named(row, "number"))
        seen.add(player)
        if teams.get(player) and team and teams[player] != team:
            yield form.about(Told.of(FormReason.IN_OTHER_TEAM, player=player, team=teams[player]), named(row, "number"))


def entry_of(event: Event, form: FormIn) -> TeamEntered:
    """The fact that enters a team, where nothing about its form is doubtful."""
    members = tuple(player for row in rows_of(form) if (player := player_in(event, form, row)))
    said = TeamEntered(team=form.by_name["team"].value, members=members, form=form.id)
    return with_numbers(said, event.people, form.id)
