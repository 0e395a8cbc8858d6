"""What the director does at the tables: draw votes, ends of games, the dice of the last years, the sealed standings."""

import secrets
from typing import Any

from starlette.routing import Route

from pipeline.board.map import Power
from pipeline.board.position import Season
from pipeline.desk.dice import commit, reveal, rolls
from pipeline.desk.ending import end_game, solo_winner
from pipeline.desk.games import Game, survivors
from pipeline.desk.votes import VOTE, Asking, against, hold_vote, what_counts
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.scoring.results import Ending
from pipeline.store.claims import Login
from pipeline.store.facts import Fact
from pipeline.tournament.ending import EndedBy, Moment
from pipeline.tournament.reading_rules import YesNo
from pipeline.web.app import Pages
from pipeline.web.clock import standings, standings_are_open
from pipeline.web.doors import Right
from pipeline.web.office import Office

ENDINGS = (Ending.TIME, Ending.SOLO, Ending.ABANDONED)  # a vote ends a game by itself; conceding is allowed nowhere
BALLOTS = {"yes": True, "no": False, "absent": None}


def routes(pages: Pages) -> list[Route]:
    """The page and what it does."""
    return [
        pages.page("/tables", "tables.html", Right.PUBLISH),
        pages.get("/api/tables", show, Right.PUBLISH),
        pages.post("/api/tables/ask", ask, Right.PUBLISH),
        pages.post("/api/tables/vote", vote, Right.PUBLISH),
        pages.post("/api/tables/end", end, Right.PUBLISH),
        pages.post("/api/tables/dice", roll_dice, Right.PUBLISH),
        pages.post("/api/tables/seal", seal, Right.PUBLISH),
    ]


def show(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """All games with who votes and what would count, the dice, and the standings under their seal."""
    with office.inside() as live:
        ending = office.event.tournament.ending
        rounds = sorted({game.seating.round for game in live.games.values()})
        return {
            "games": [game_view(office, game) for game in live.games.values()],
            "moments": list(Moment),
            "endings": list(ENDINGS),
            "secret": ending.vote.secret.value is YesNo.YES,
            "secret_rule": ending.vote.secret.source,
            "dice": bool(ending.dice.added.value),
            "dice_rule": f"{ending.dice.added.value} is added, {ending.dice.ends_at.value} ends it"
            f" ({ending.dice.added.source})",
            "rounds": rounds,
            "rolls": [
                {"round": r.round, "number": r.number, "hash": r.hash, "seed": r.seed, "word": r.word}
                | {"die": r.die, "ends": r.ends}
                for number in rounds
                for r in rolls(office.event, number)
            ],
            "open": standings_are_open(office),
            "sealed_by_rule": office.event.tournament.scoring.is_sealed,
            "standings": standings(office),
        }


def game_view(office: Office, game: Game) -> dict[str, Any]:
    """One game at the tables."""
    solo = solo_winner(office.event, game)
    return {
        "board": game.name,
        "phase": game.position.phase.in_words,
        "ended": game.ended,
        "survivors": [[str(power), power.title(), len(game.position.centres[power])] for power in survivors(game)],
        "solo": solo.title() if solo else None,
        "by_vote": what_counts(office.event, game, EndedBy.VOTE),
        "by_time": what_counts(office.event, game, EndedBy.TIME),
        "in_spring": game.position.phase.season is Season.SPRING,
        "votes": [in_words(fact) for fact in office.event.facts.read(VOTE) if fact.body["board"] == game.name],
    }


def in_words(vote: Fact) -> str:
    """A vote that was held, in a line."""
    body = vote.body
    return f"{body['phase']}: {body['yes']} yes, {body['no']} no, {'' if body['carried'] else 'not '}carried"


def asking_of(body: dict[str, Any]) -> Asking:
    """Read who asks for a vote."""
    try:
        return Asking(
            power=Power(body.get("power", "")),
            moment=Moment(body.get("moment", "")),
            all_agree=body.get("all_agree") is True,
            vetoed=body.get("vetoed") is True,
            stalemate=body.get("stalemate") is True,
        )
    except ValueError as error:
        raise stop(str(error), "vote") from error


def ask(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Say what stands against a vote now."""
    with office.inside():
        game = office.game(login, str(body.get("board", "")))
        found = against(office.event, game, asking_of(body))
        return {"against": [{"text": o.text, "rule": o.rule or "the rules are silent", "asks": o.asks} for o in found]}


def vote(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Count a vote."""
    given = body.get("ballots")
    if not isinstance(given, dict) or not set(given.values()) <= set(BALLOTS) or not set(given) <= set(Power):
        raise Stopped([Problem(Weight.STOPS, "expected a ballot yes, no or absent for each power", "ballots")])
    ballots = {Power(power): BALLOTS[ballot] for power, ballot in given.items()}
    with office.inside():
        game = office.game(login, str(body.get("board", "")))
        ruled = body.get("ruled") is True
        fact = hold_vote(office.event, game, asking_of(body), ballots, ruled=ruled, by=login.name)
        return {"yes": fact.body["yes"], "no": fact.body["no"], "carried": fact.body["carried"]}


def end(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """End a game."""
    how = str(body.get("how", ""))
    if how not in ENDINGS:
        raise stop(f"expected one of {', '.join(ENDINGS)}, found {how!r}", "how")
    with office.inside():
        game = office.game(login, str(body.get("board", "")))
        end_game(office.event, game, Ending(how), by=login.name, why=str(body.get("why", ""))[:200])
    return {}


def roll_dice(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Show the hash of a new seed, or roll with the word that was called."""
    number = body.get("round")
    if not isinstance(number, int):
        raise stop("expected the number of a round", "round")
    with office.inside():
        if body.get("do") == "commit":
            commit(office.event, office.claims, number, secrets.token_hex(16), login.name)
        else:
            reveal(office.event, office.claims, number, str(body.get("word", ""))[:80], login.name)
    return {}


def seal(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Show the standings to everybody, or hide them again."""
    with office.inside():
        office.event.facts.append("standings opened", {"open": body.get("open") is True}, login.name)
    return {}
