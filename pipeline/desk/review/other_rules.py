"""What would be judged and scored otherwise if an event went by other rules."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from pipeline.desk.event.event import Event, open_same
from pipeline.desk.publish.explain import check_event
from pipeline.desk.review.correcting import PlaceChange, changed_places, standings_of
from pipeline.problems import Weight


class RulesPreview(Struct, frozen=True, kw_only=True):
    places: tuple[PlaceChange, ...]  # that change; of games that go on, as if they ended as they stand
    otherwise: tuple[str, ...]  # published phases, ends and results that do not follow from the facts any more


def foresee_rules(event: Event, wanted: Mapping[str, str]) -> RulesPreview:
    """Score and judge everything by other rules, without changing anything; ``wanted``: settings of ``event.toml``."""
    with open_same(event) as other:
        before = standings_of(other, running=True)
        known = {(each.where, each.text) for each in check_event(other)}
    with open_same(event) as other:  # anew: nothing that was worked out by the rules before is kept
        other.go_by(replace(event.details, **wanted))
        now = standings_of(other, running=True)
        problems = [each for each in check_event(other) if each.weight is not Weight.NOTES]
    otherwise = tuple(f"{each.where}: {each.text}" for each in problems if (each.where, each.text) not in known)
    return RulesPreview(places=tuple(changed_places(before, now)), otherwise=otherwise)
