"""What would be judged and scored otherwise if an event went by other rules."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from pipeline.desk.event.ending import over_words
from pipeline.desk.event.event import Event, open_same
from pipeline.desk.event.games import games
from pipeline.desk.publish.explain import check_event
from pipeline.desk.results.results import scored_event
from pipeline.desk.review.correcting import PlaceChange, changed_places
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.sheets.pads import SheetState
from pipeline.problems import Weight
from pipeline.scoring.standings_in_words import places_shown


class StateChange(Struct, frozen=True):
    """How something stands by the rules, and how it would stand by the other ones, in words."""

    what: str
    was: str
    now: str


class RulesPreview(Struct, frozen=True, kw_only=True):
    states: tuple[StateChange, ...]  # that change: of boards that go on, and of what the rules say of the whole event
    places: tuple[PlaceChange, ...]  # that change; of games that go on, as if they ended as they stand
    otherwise: tuple[str, ...]  # published phases, ends and results that do not follow from the facts any more


def foresee_rules(event: Event, wanted: Mapping[str, str]) -> RulesPreview:
    """Score and judge everything by other rules, without changing anything; ``wanted``: settings of ``event.toml``."""
    with open_same(event) as other:
        before, states = places_shown(scored_event(other, running=True)), _states_of(other)
        known = {(each.where, each.text) for each in check_event(other)}
    with open_same(event) as other:  # anew: nothing that was worked out by the rules before is kept
        other.go_by(replace(event.details, **wanted))
        now, then = places_shown(scored_event(other, running=True)), _states_of(other)
        problems = [each for each in check_event(other) if each.weight is not Weight.NOTES]
    otherwise = tuple(f"{each.where}: {each.text}" for each in problems if (each.where, each.text) not in known)
    changed = tuple(StateChange(what, was, then[what]) for what, was in states.items() if was != then[what])
    return RulesPreview(states=changed, places=tuple(changed_places(before, now)), otherwise=otherwise)


def _states_of(event: Event) -> dict[str, str]:
    """How each board that goes on stands, how many rounds there are, and whether the rules seal the standings."""
    desk, is_sealed = Desk.of(event, offers=False), event.tournament.scoring.is_sealed
    states = {
        "rounds": str(event.tournament.rounds),
        "places and scores on what is pinned up": "sealed" if is_sealed else "shown",
    }
    for game in games(event).values():
        if game.ending:
            continue
        powers = desk.board(game)
        doubts = sum(row.needs_director for power in powers for row in power.rows)
        doubts += sum(
            problem.weight is Weight.ASKS
            for power in powers
            if power.state is not SheetState.MISSING
            for problem in power.problems
        )
        goes_on = f"{game.position.phase.in_words}, {doubts} to settle"
        states[f"board {game.name}"] = over_words(event, game) or goes_on
    return states
