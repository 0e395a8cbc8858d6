"""Results published as final (Weasel XI.4): what was announced is interim until then, and stands from then on."""

from pipeline.desk.event.ending import final_results
from pipeline.desk.event.event import Event
from pipeline.desk.results.results import scored_event
from pipeline.ledger.events import ResultsPublished
from pipeline.ledger.files import local_time
from pipeline.ledger.ledger import Fact
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.scoring.score import Scored
from pipeline.scoring.stakes import Stake, weigh_doubts
from pipeline.scoring.standings_in_words import places_shown

WHERE = "results"


def publish_results(event: Event, *, by: str, why: str = "") -> Fact[ResultsPublished]:
    """Write down that the results are final, with every place; stop while something may still change them.

    Repeating it writes nothing.
    """
    scored, known = scored_event(event), final_results(event)
    if scored.rules.interim is None:
        raise stop("the rules do not speak of interim results: write the table [interim] into your rules", WHERE)
    if not scored.progress.is_over:
        raise stop(f"the event is {scored.progress}; results are final when it is over", WHERE)
    if known is not None and known.said.places == _places(event, scored):
        return known
    if known is not None and not why.strip():
        at = local_time(known.at)
        asked = Problem(Weight.ASKS, f"they were published as final on {at}; to publish others, say why", WHERE)
        raise Stopped((asked,), ExitCode.RULE_FIRST)
    doubts = [each for each in weigh_doubts(scored) if each.stake is not Stake.NOTHING]
    if doubts and not why.strip():
        asks = (
            Problem(Weight.ASKS, f"{each.doubt.text}; to publish them all the same, say why", each.doubt.where)
            for each in doubts
        )
        raise Stopped(asks, ExitCode.RULE_FIRST)
    return event.facts.write(ResultsPublished(places=_places(event, scored), why=why.strip()), by)


def _places(event: Event, scored: Scored) -> tuple[tuple[str, int, str], ...]:
    numbers = {player.name: player.number or 0 for player in event.players}
    return tuple((place, numbers[name], total) for name, (place, total) in places_shown(scored).items())
