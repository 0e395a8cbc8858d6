"""Draw votes at the desk: whether one may be held now, how it is counted, and what it ends (RULES 31)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.board.map import Power
from pipeline.board.position import Season
from pipeline.desk.ending import end_game
from pipeline.desk.event import Event
from pipeline.desk.games import Game, survivors
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


@dataclass(frozen=True, slots=True)
class Count:
    """How a vote went that nobody's name is known of."""

    yes: int
    no: int
    absent: int  # players with a centre who are not there


def hold_vote(
    event: Event, game: Game, asking: Asking, ballots: Mapping[Power, bool | None], *, ruled: bool, by: str
) -> Fact:
    """Count a vote and write it down; a draw that is carried ends the game.

    A ballot is yes, no, or None for a player who is not there. ``ruled``: the director holds it where the rules leave
    that to him. Where votes are secret only the count is kept, for whoever may read the facts.
    """
    check_may_vote(event, game, asking, ruled=ruled)
    rules = event.tournament.ending.vote
    voters = survivors(game)
    if missing := [str(power) for power in voters if power not in ballots]:
        raise stop(f"no ballot of {', '.join(missing)}; every power with a centre votes", game.name)
    if any(ballots[power] is None for power in voters):
        check_absent(event, game)
    counted = {power: ballots[power] is not False for power in voters}
    if rules.asker_says_yes.value is YesNo.YES and not counted.get(asking.power, True):
        raise stop(f"who asks for the vote votes for the draw ({rules.asker_says_yes.source})", str(asking.power))
    body = body_of(event, game, asking, sum(counted.values()))
    if rules.secret.value is not YesNo.YES:
        body["ballots"] = {str(power): vote for power, vote in counted.items()}
    return write_down(event, game, body, by)


def hold_counted(event: Event, game: Game, asking: Asking, count: Count, *, ruled: bool, by: str) -> Fact:
    """Hold a vote of which only the count is known; the same rules hold as for `hold_vote`."""
    check_may_vote(event, game, asking, ruled=ruled)
    voters = survivors(game)
    given = count.yes + count.no + count.absent
    if min(count.yes, count.no, count.absent) < 0 or given != len(voters):
        raise stop(f"expected {len(voters)} votes, one of each power with a centre, found {given}", game.name)
    if count.absent:
        check_absent(event, game)
    asker = event.tournament.ending.vote.asker_says_yes
    if asker.value is YesNo.YES and not count.yes and asking.power in voters:
        raise stop(f"who asks for the vote votes for the draw ({asker.source}), and nobody did", str(asking.power))
    return write_down(event, game, body_of(event, game, asking, count.yes + count.absent), by)


def check_may_vote(event: Event, game: Game, asking: Asking, *, ruled: bool) -> None:
    """Stop a vote that the rules forbid, or leave to a director who has not ruled."""
    if game.ended:
        raise stop(f"the game is over: {game.ended}", game.name)
    found = against(event, game, asking)
    if forbidden := [o for o in found if not o.asks or not ruled]:
        raise Stopped(
            Problem(Weight.STOPS, f"{o.text} ({o.rule or 'the rules are silent'})", game.name) for o in forbidden
        )


def check_absent(event: Event, game: Game) -> None:
    """Stop where the rules do not say how somebody votes who is not there."""
    if event.tournament.ending.vote.absent.value is Absent.ASK:
        raise stop("the rules do not say how an absent player votes; enter the vote that you rule for him", game.name)


def body_of(event: Event, game: Game, asking: Asking, yes: int) -> dict[str, Any]:
    """What is written down of a vote; all powers with a centre vote, and all must agree."""
    asked = vote_asked(event, game, asking)
    no = len(survivors(game)) - yes
    return {
        "board": game.name,
        "phase": str(game.position.phase),
        "season": f"{asked.season}{asked.year}",
        "asked_by": str(asking.power),
        "yes": yes,
        "no": no,
        "carried": not no,
    }


def write_down(event: Event, game: Game, body: Mapping[str, Any], by: str) -> Fact:
    """Write a vote down; a draw that is carried ends the game."""
    fact = event.facts.append(VOTE, body, by)
    if body["carried"]:
        end_game(event, game, Ending.VOTE, by=by, why=f"a draw was voted, fact {fact.number}")
    return fact


def what_counts(event: Event, game: Game, ended: EndedBy) -> str:
    """Which count of centres would be the result if the game ended now, with the rule."""
    season = game.position.phase.season
    setting = result_count(ended, season, event.tournament.ending)
    return f"{setting.value.meaning} ({setting.source})"
