"""What players think of each other, from their ballots: how often everybody got each grade (EDC96, Best Negotiator)."""

from collections import Counter
from collections.abc import Iterator, Mapping

from pipeline.board.map import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Seating, seatings
from pipeline.desk.forms.form_reasons import FormReason
from pipeline.desk.forms.forms_in import FormDoubt, FormIn, forms_in
from pipeline.paper.form.form import FormKind
from pipeline.paper.form.form_layout import named
from pipeline.scoring.results.results import RatingBallot
from pipeline.words.told import Told

Voter = tuple[str, str]  # board and power


def doubts(form: FormIn, twins: Mapping[Voter, tuple[FormIn, ...]]) -> Iterator[FormDoubt]:
    """What was not read, and a second ballot of the same player; a group left empty is no vote, and no doubt."""
    yield from form.unread()
    others = tuple(other.id for other in twins[voter(form)] if other.id != form.id)
    if others:
        yield form.about(Told.of(FormReason.SECOND_BALLOT, others=others))


def voter(form: FormIn) -> Voter:
    """Whose ballot it is."""
    return form.printed.request.board, form.printed.request.power


def ballots_in(forms: Mapping[str, FormIn]) -> dict[Voter, tuple[FormIn, ...]]:
    """The ballots that count and are not empty, by who gave them."""
    found: dict[Voter, list[FormIn]] = {}
    for form in forms.values():
        if form.kind is FormKind.RATINGS and form.counts:
            found.setdefault(voter(form), []).append(form)
    return {who: tuple(given) for who, given in found.items()}


def ballots_of(event: Event) -> tuple[RatingBallot, ...]:
    """All votes that nobody doubts, by player and skill; a ballot with a doubt waits as a whole."""
    rules = event.tournament.scoring.votes
    if rules is None:
        return ()
    seated = seatings(event)
    twins = ballots_in(forms_in(event))
    received: dict[tuple[str, str], Counter[str]] = {}
    for given in twins.values():
        for form in given:
            if not list(doubts(form, twins)):
                for player, skill, grade in votes_on(form, tuple(rules.titles), seated):
                    received.setdefault((player, skill), Counter()).update([grade])
    return tuple(
        RatingBallot(player=player, skill=skill, grades=dict(sorted(grades.items())))
        for (player, skill), grades in sorted(received.items())
    )


def votes_on(form: FormIn, skills: tuple[str, ...], seated: Mapping[str, Seating]) -> Iterator[tuple[str, str, str]]:
    """The votes on one ballot: player, skill, grade."""
    board = seated[form.printed.request.board]
    for item in form.printed.request.lists["others"]:
        for skill in skills:
            grade, player = form.by_name[named(item.name, skill)].value, board.last_players[Power(item.name)]
            if grade and player:
                yield player, skill, grade
