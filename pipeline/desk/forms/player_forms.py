"""Ballots, score sheets and team entries: a player is known by his number, confirmed by the name beside it."""

from collections import Counter
from collections.abc import Iterator, Mapping

from pipeline.board import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Seating, seatings
from pipeline.desk.event.people import with_numbers
from pipeline.desk.forms.forms_in import (
    BEFORE_NAME,
    OTHERS,
    ROSTER,
    FormDoubt,
    FormIn,
    FormReason,
    PrintedForm,
    forms_in,
)
from pipeline.desk.sheets.sheets_in import fold_text
from pipeline.ledger.events import TeamEntered
from pipeline.paper.form import FormKind, name_answer
from pipeline.reading.recogniser import Vocabulary, VocabularyLine
from pipeline.scoring.results import BoardGame, RatingBallot
from pipeline.words.speech import Message


def names_on(printed: PrintedForm) -> Vocabulary:
    """The names of the roster, as the vocabulary of a field in which a name is written."""
    names = [item.label for item in printed.request.lists.get(ROSTER, ())]
    return Vocabulary(tuple(VocabularyLine(tuple((word,) for word in name.split())) for name in names))


def _players_on(form: FormIn) -> dict[str, str]:
    """The numbers that the form was printed with, each with its player by the name of that day."""
    return {item.name: item.label for item in form.printed.request.lists[ROSTER]}


def _rows_used(form: FormIn, rows: str, *fields: str) -> Iterator[str]:
    """The rows in which anything is written."""
    for item in form.printed.request.lists[rows]:
        if any(not form.by_name[name_answer(item.name, field)].is_empty for field in fields):
            yield item.name


def _player_in(event: Event, form: FormIn, row: str) -> str | None:
    """The player of a row, by the name of today; None where a person must say.

    A name or number by the director is accepted. A read number counts only if the name beside it is that player's.
    """
    name, number = form.by_name[name_answer(row, "name")], form.by_name[name_answer(row, "number")]
    if name.ruling is not None and name.value:
        return event.people.name_of(name.value)
    player = _players_on(form).get(number.value or "")
    if player is None or (number.ruling is None and _name_beside(form, row) != player):
        return None
    return event.people.name_of(player)


def _name_beside(form: FormIn, row: str) -> str:
    """The player whose name is written beside a number; empty if it matches nobody."""
    names = {fold_text(label): label for label in _players_on(form).values()}
    readings = form.by_name[name_answer(row, "name")].line.readings
    return next((names[fold_text(reading.text)] for reading in readings if fold_text(reading.text) in names), "")


def _doubts_about(event: Event, form: FormIn, row: str) -> Iterator[FormDoubt]:
    """Why a row's player is not known."""
    name, number = name_answer(row, "name"), name_answer(row, "number")
    typed, field = form.by_name[name], form.by_name[number]
    if typed.ruling is not None and typed.value:
        if event.people.find(typed.value) is None:
            yield form.make_doubt(Message.of(FormReason.NOT_ON_ROSTER, name=typed.value), name)
        return
    if field.value is None:
        return  # it is among the fields that were not read
    player, beside = _players_on(form).get(field.value), _name_beside(form, row)
    if field.is_empty:
        yield form.make_doubt(FormReason.NO_NUMBER, name)
    elif player is None:
        yield form.make_doubt(Message.of(FormReason.NOBODYS_NUMBER, number=field.value), number)
    elif field.ruling is None and beside != player:
        numbered = {"number": field.value, "player": player}
        other, none = FormReason.OTHER_NAME, FormReason.NO_NAME_BESIDE
        reason = Message.of(other, beside=beside, **numbered) if beside else Message.of(none, **numbered)
        yield form.make_doubt(reason, name)


# What players think of each other, from their ballots: how often everybody got each grade (EDC96, Best Negotiator).

Voter = tuple[str, str]  # board and power


def rating_doubts(event: Event, form: FormIn, ballots: Mapping[Voter, tuple[FormIn, ...]]) -> Iterator[FormDoubt]:
    """Doubts of a ballot: unread fields, a second ballot of the same player, and grades beside a former player's name.

    An empty group is simply no vote.
    """
    yield from form.unread()
    others = tuple(other.id for other in ballots[_voter_of(form)] if other.id != form.id)
    if others:
        yield form.make_doubt(Message.of(FormReason.SECOND_BALLOT, others=others))
    yield from _grades_of_former_players(event, form)


def _grades_of_former_players(event: Event, form: FormIn) -> Iterator[FormDoubt]:
    """Grades beside the name of somebody who has not the seat any more: a person says whether they count."""
    rules, seats = event.tournament.scoring.votes, seatings(event)[form.printed.request.board].last_players
    for item in form.printed.request.lists[OTHERS]:
        named = event.people.name_of(item.label.partition(BEFORE_NAME)[2])
        now = seats.get(Power(item.name), "")
        for skill in rules.titles if rules and named not in ("", now) else ():
            field = name_answer(item.name, skill)
            if form.by_name[field].value and form.by_name[field].ruling is None:
                reason = Message.of(FormReason.FORMER_PLAYER, power=item.name, named=named, now=now)
                yield form.make_doubt(reason, field)


def _voter_of(form: FormIn) -> Voter:
    return form.printed.request.board, form.printed.request.power


def ballots_by_voter(forms: Mapping[str, FormIn]) -> dict[Voter, tuple[FormIn, ...]]:
    """The rating ballots that were not set aside, by voter."""
    by_voter: dict[Voter, list[FormIn]] = {}
    for form in forms.values():
        if form.kind is FormKind.RATINGS and form.is_counted:
            by_voter.setdefault(_voter_of(form), []).append(form)
    return {who: tuple(given) for who, given in by_voter.items()}


def count_ratings(event: Event) -> tuple[RatingBallot, ...]:
    """All votes of ballots without a doubt, by player and skill."""
    rules = event.tournament.scoring.votes
    if rules is None:
        return ()
    seated = seatings(event)
    ballots = ballots_by_voter(forms_in(event))
    received: dict[tuple[str, str], Counter[str]] = {}
    for (board, _), given in ballots.items():
        for form in given if board in seated else ():  # a round that is drawn again may have fewer boards
            if not list(rating_doubts(event, form, ballots)):
                for player, skill, grade in _votes_on(form, tuple(rules.titles), seated):
                    received.setdefault((player, skill), Counter()).update([grade])
    return tuple(
        RatingBallot(player=player, skill=skill, grades=dict(sorted(grades.items())))
        for (player, skill), grades in sorted(received.items())
    )


def _votes_on(form: FormIn, skills: tuple[str, ...], seated: Mapping[str, Seating]) -> Iterator[tuple[str, str, str]]:
    """The votes on one ballot: player, skill, grade."""
    board = seated[form.printed.request.board]
    for item in form.printed.request.lists[OTHERS]:
        for skill in skills:
            grade, player = form.by_name[name_answer(item.name, skill)].value, board.last_players[Power(item.name)]
            if grade and player:
                yield player, skill, grade


# Score sheets of the board-games competition: which game, who came where, and whether everybody signed (NZ99 27).

PLAYERS = "players"


def _score_sheet_rows(form: FormIn) -> list[str]:
    """The rows that somebody filled in."""
    return list(_rows_used(form, PLAYERS, "number", "name", "place", "signature"))


def score_sheet_doubts(event: Event, form: FormIn) -> Iterator[FormDoubt]:
    """Everything that keeps a game from being counted; a signature that is missing keeps it out by the rules."""
    yield from form.unread()
    if form.by_name["game"].is_empty:
        yield form.make_doubt(FormReason.NO_GAME, "game")
    rows = _score_sheet_rows(form)
    for row in rows:
        yield from _doubts_about(event, form, row)
        if form.by_name[name_answer(row, "place")].is_empty:
            yield form.make_doubt(FormReason.NO_PLACE, name_answer(row, "place"))
    names = [player for row in rows if (player := _player_in(event, form, row))]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield form.make_doubt(Message.of(FormReason.TWICE_ON_SHEET, player=name))
    yield from _wrong_places(event, form, rows)


def _wrong_places(event: Event, form: FormIn, rows: list[str]) -> Iterator[FormDoubt]:
    """Impossible places, such as two players at place 1 and one at place 2; and numbers of players without points."""
    rules = event.tournament.scoring.board_games
    if rules is not None and len(rows) not in rules.points:
        yield form.make_doubt(Message.of(FormReason.NO_POINTS, players=len(rows), known=tuple(rules.points)))
    places = [int(value) for row in rows if (value := form.by_name[name_answer(row, "place")].value)]
    if len(places) == len(rows) and any(1 + sum(other < place for other in places) != place for place in places):
        yield form.make_doubt(Message.of(FormReason.WRONG_PLACES, places=tuple(sorted(places))))


def board_game(event: Event, form: FormIn) -> BoardGame:
    """The game on a sheet without a doubt."""
    rows = _score_sheet_rows(form)
    levels: dict[int, list[str]] = {}
    for row in rows:
        place, player = form.by_name[name_answer(row, "place")].value, _player_in(event, form, row)
        if place and player:
            levels.setdefault(int(place), []).append(player)
    return BoardGame(
        game=form.by_name["game"].value or "",
        places=tuple(tuple(levels[place]) for place in sorted(levels)),
        is_signed=all(not form.by_name[name_answer(row, "signature")].is_empty for row in rows),
    )


def board_games_of(event: Event) -> tuple[BoardGame, ...]:
    """Every game whose sheet has come in, counts, and has no doubt."""
    if event.tournament.scoring.board_games is None:
        return ()
    return tuple(
        board_game(event, form)
        for form in forms_in(event).values()
        if form.kind is FormKind.GAME and form.is_counted and not list(score_sheet_doubts(event, form))
    )


# Teams that enter on paper: every member's number, name and signature (NZ99 26).

MEMBERS = "members"


def _team_rows(form: FormIn) -> list[str]:
    """The sections that somebody filled in."""
    return list(_rows_used(form, MEMBERS, "number", "name", "signature"))


def team_entry_doubts(event: Event, form: FormIn) -> Iterator[FormDoubt]:
    """Everything that keeps a team from being entered."""
    yield from form.unread()
    if form.by_name["team"].is_empty:
        yield form.make_doubt(FormReason.NO_TEAM_NAME, "team")
    elif doubt := form.by_name["team"].doubt:
        yield doubt
    rows = _team_rows(form)
    if not rows:
        yield form.make_doubt(FormReason.EMPTY_TEAM)
    for row in rows:
        yield from _doubts_about(event, form, row)
        if form.by_name[name_answer(row, "signature")].is_empty:
            yield form.make_doubt(FormReason.UNSIGNED, name_answer(row, "signature"))
    yield from _in_two_teams(event, form, rows)


def _in_two_teams(event: Event, form: FormIn, rows: list[str]) -> Iterator[FormDoubt]:
    """A player belongs to one team (NZ99 26), and is named once; those whom this form has entered may stay."""
    team = form.by_name["team"].value
    entries = [fact.said for fact in event.facts.select(TeamEntered) if fact.said.form == form.id]
    entered = {event.people.name_of(member) for said in entries[-1:] for member in said.members}
    teams = {player.name: player.team for player in event.players if player.name not in entered}
    seen: set[str] = set()
    for row in rows:
        player = _player_in(event, form, row)
        if player is None:
            continue
        if player in seen:
            yield form.make_doubt(Message.of(FormReason.TWICE_ON_FORM, player=player), name_answer(row, "number"))
        seen.add(player)
        if teams.get(player) and team and teams[player] != team:
            yield form.make_doubt(
                Message.of(FormReason.IN_OTHER_TEAM, player=player, team=teams[player]), name_answer(row, "number")
            )


def entry_of(event: Event, form: FormIn) -> TeamEntered:
    """The fact that enters a team, where nothing about its form is doubtful."""
    members = tuple(player for row in _team_rows(form) if (player := _player_in(event, form, row)))
    said = TeamEntered(team=form.by_name["team"].value, members=members, form=form.id)
    return with_numbers(said, event.people, form.id)
