"""Draw votes at the desk: whether one may be held now, how it is counted, and what it ends (RULES 31)."""

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.board.map import Power
from pipeline.board.position import Season
from pipeline.desk.ending import end_game
from pipeline.desk.event import Event
from pipeline.desk.games import Game
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.scoring.results import Ending
from pipeline.store.facts import Fact
from pipeline.tournament.ending import EndedBy, Moment, Objection, VoteAsked, objections, result_count
from pipeline.tournament.event_rules import Absent
from pipeline.tournament.reading_rules import YesNo

VOTE = "vote held"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Who asks for a vote, and what the director sees at the board."""

    power: Power
    moment: Moment
    all_agree: bool = False  # every survivor agrees to hold it
    vetoed: bool = False  # somebody objects openly
    stalemate: bool = False


def survivors(game: Game) -> tuple[Power, ...]:
    """The powers that have a centre: they vote."""
    return tuple(power for power in Power if game.position.centres.get(power))


def vote_asked(event: Event, game: Game, asking: Asking) -> VoteAsked:
    """Put a request into the terms of the rules."""
    ending = event.tournament.ending
    held = [fact for fact in event.facts.read(VOTE) if fact.body["board"] == game.name]
    phase = game.position.phase
    season = Season.FALL if phase.season is Season.WINTER else phase.season
    last = ending.last_year_top_board if game.seating.is_final else ending.last_year
    return VoteAsked(
        year=phase.year,
        season=season,
        moment=asking.moment,
        is_last_year=last.value == phase.year,
        votes_this_season=sum(fact.body["season"] == f"{season}{phase.year}" for fact in held),
        asked_before=sum(fact.body["asked_by"] == str(asking.power) for fact in held),
        all_agree_to_vote=asking.all_agree,
        vetoed_openly=asking.vetoed,
        is_stalemate=asking.stalemate,
    )


def against(event: Event, game: Game, asking: Asking) -> tuple[Objection, ...]:
    """Everything that stands against holding a vote now; what ``asks`` is the director's to decide."""
    return objections(vote_asked(event, game, asking), event.tournament.ending)


def hold_vote(
    event: Event, game: Game, asking: Asking, ballots: Mapping[Power, bool | None], *, ruled: bool, by: str
) -> Fact:
    """Count a vote and write it down; a draw that is carried ends the game.

    A ballot is yes, no, or None for a player who is not there. ``ruled``: the director holds it where the rules leave
    that to him. Where votes are secret only the count is kept, for whoever may read the facts.
    """
    if game.ended:
        raise stop(f"the game is over: {game.ended}", game.name)
    rules = event.tournament.ending.vote
    found = against(event, game, asking)
    if forbidden := [o for o in found if not o.asks or not ruled]:
        raise Stopped(
            Problem(Weight.STOPS, f"{o.text} ({o.rule or 'the rules are silent'})", game.name) for o in forbidden
        )
    voters = survivors(game)
    if missing := [str(power) for power in voters if power not in ballots]:
        raise stop(f"no ballot of {', '.join(missing)}; every power with a centre votes", game.name)
    if any(ballots[power] is None for power in voters) and rules.absent.value is Absent.ASK:
        raise stop("the rules do not say how an absent player votes; enter the vote that you rule for him", game.name)
    counted = {power: ballots[power] is not False for power in voters}
    if rules.asker_says_yes.value is YesNo.YES and not counted.get(asking.power, True):
        raise stop(f"who asks for the vote votes for the draw ({rules.asker_says_yes.source})", str(asking.power))
    asked = vote_asked(event, game, asking)
    carried = all(counted.values())
    body = {
        "board": game.name,
        "phase": str(game.position.phase),
        "season": f"{asked.season}{asked.year}",
        "asked_by": str(asking.power),
        "yes": sum(counted.values()),
        "no": len(voters) - sum(counted.values()),
        "carried": carried,
    }
    if rules.secret.value is not YesNo.YES:
        body["ballots"] = {str(power): vote for power, vote in counted.items()}
    fact = event.facts.append(VOTE, body, by)
    if carried:
        end_game(event, game, Ending.VOTE, by=by, why=f"a draw was voted, fact {fact.number}")
    return fact


def what_counts(event: Event, game: Game, ended: EndedBy) -> str:
    """Which count of centres would be the result if the game ended now, with the rule."""
    season = game.position.phase.season
    setting = result_count(ended, season, event.tournament.ending)
    return f"{setting.value.meaning} ({setting.source})"
