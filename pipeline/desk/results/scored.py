"""The scores of an event, as the facts have them."""

from collections.abc import Mapping

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.results.results import event_results
from pipeline.problems import Problem, Weight
from pipeline.scoring.places.score import Scored, score


def scored_event(event: Event, *, running: bool = False, public: Mapping[str, Game] | None = None) -> Scored:
    """Score every game that is over; with ``running`` also those that go on, as they stand.

    ``public`` are the games that everybody may see (see `event_results`); None: the director's standings.
    """
    return score(event_results(event, running=running, public=public), event.tournament.scoring)


def told_twice(event: Event, *, running: bool = False) -> tuple[Problem, ...]:
    """Where two readings of a rule would make another final table, for the director to know."""
    scored = scored_event(event, running=running)
    return tuple(Problem(Weight.ASKS, str(each), "final table") for each in scored.readings)
