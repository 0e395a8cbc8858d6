"""The big clock and the public screen: nothing here that is not published."""

from collections.abc import Iterable
from typing import Any

from starlette.routing import Route

from pipeline.desk.draw.told import standings_are_open, told_games, told_rounds
from pipeline.desk.event.dice import rolls
from pipeline.desk.event.ending import announced_end, goes_on, over_words
from pipeline.desk.event.games import Game
from pipeline.desk.event.lots import lots
from pipeline.desk.publish.big_clock import Parts, plan, start_clock, stop_clock
from pipeline.desk.publish.read_out import outcomes_told, what_comes
from pipeline.desk.publish.reading_order import read_at
from pipeline.desk.results.scored import scored_event
from pipeline.ledger.files.claims import Login
from pipeline.problems import stop
from pipeline.scoring.results.exact import shown
from pipeline.web.office.app import Pages
from pipeline.web.office.auth import Right, may
from pipeline.web.office.office import Office
from pipeline.web.public.public_pages import NOW, state
from pipeline.words.speech import ENGLISH, to_say

LONGEST_S = 24 * 3600
ON_CLOCK = ("clock.runs_on", "clock.faster")  # what the rules say of it is shown beside it
PARTS = {
    "negotiation": to_say("time for negotiation"),
    "writing": to_say("time for writing"),
    "reading": to_say("time for reading"),
    "retreats": to_say("time for retreats"),
    "adjustments": to_say("time for adjustments"),
}
WORDS = {  # of the screen, and of the clock on it
    "board": to_say("Board {board}"),
    "next": to_say("{phase}, next {next}"),
    "map": to_say("map of board {board}"),
    "seats": to_say("Seats of round {round}"),
    "nobody": to_say("nobody"),
    "standings": to_say("Standings"),
    "die": to_say("Die {number} of round {round}: "),
    "last": to_say("{die}, the last year is over"),
    "goes_on": to_say("{die}, play goes on"),
    "sealed": to_say("sealed "),
    "word": to_say("word “{word}”"),
    "lot": to_say("Lot of round {round} among {names}: "),
    "drawn": to_say("Lots and dice"),
    "turn": to_say("Board {board}: {state}"),
    "code": to_say("code for telephones"),
    "find": to_say("seats, maps, results"),
    "stopped": to_say("stopped"),
    "time_up": to_say("time is up"),
    "counts_on": to_say("{why}; the clock counts on"),
}


def routes(pages: Pages) -> list[Route]:
    """The clock's page, the screen, and what they show."""
    return [
        pages.page("/clock", "clock.html", Right.PUBLISH),
        pages.page("/screen", "screen.html", Right.WATCH),
        pages.get("/api/clock", tell, Right.WATCH),
        pages.post("/api/clock/set", set_clock, Right.PUBLISH),
    ]


def tell(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """The clock, what may be started, and what is published."""
    with office.inside() as live:
        games = live.games.values()
        rounds = sorted(told_rounds(office.event, games))
        speech = office.event.speech
        playing = [game for game in games if game.seating.round == rounds[-1]] if rounds else []
        has_begun = any(game.played for game in playing)
        return {
            "language": speech.code,
            "words": {name: speech.says(text) for name, text in WORDS.items()},
            "clock": office.big_clock(),
            "plans": plans(office, newest(games)) if may(login, Right.PUBLISH) else [],
            "quotes": [{"rule": quote.rule, "text": quote.text} for quote in office.event.tournament.quotes(ON_CLOCK)]
            if may(login, Right.PUBLISH)
            else [],
            "round": rounds[-1] if rounds else 0,
            "boards": [published(office, game) for game in playing],
            "dice": [
                {
                    "round": roll.round,
                    "number": roll.number,
                    "hash": roll.hash,
                    "seed": roll.seed,
                    "word": roll.word,
                    "die": roll.die,
                    "ends": roll.ends,
                }
                for number in sorted({game.seating.round for game in newest(games)})
                for roll in rolls(office.event, number)
            ],
            "lots": [
                {"round": lot.round, "names": lot.names, "hash": lot.hash, "seed": lot.seed, "word": lot.word}
                | {"order": lot.order}
                for lot in lots(office.event)
                if not rounds or lot.round > rounds[-1] or (lot.round == rounds[-1] and not has_begun)
            ],
            **told_standings(office, is_shown=standings_are_open(office.event)),
        }


def newest(games: Iterable[Game]) -> list[Game]:
    """The boards of the round that was drawn last, told or not: the director starts its clock."""
    last = max((game.seating.round for game in games), default=0)
    return [game for game in games if game.seating.round == last]


def plans(office: Office, playing: list[Game]) -> list[dict[str, Any]]:
    """What the tournament plans for the phases the boards are in, the earliest first."""
    tournament, speech = office.event.tournament, office.event.speech
    open_now = {game.position.phase for game in playing if goes_on(office.event, game)}
    planned = [plan(tournament.clock, phase) for phase in sorted(open_now, key=lambda phase: phase.sort_key)]
    found = {}
    for each in planned:
        parts = [[name if speech.code == ENGLISH else speech.says(PARTS[name]), s] for name, s in each.parts]
        found[each.phase] = {"label": speech.says(each.phase.in_words), "parts": parts, "rule": each.rule}
    return list(found.values())


def published(office: Office, game: Game) -> dict[str, Any]:
    """What was published last on a board, in the order in which it was read, and who sits there."""
    last = game.played[-1] if game.played else None
    powers = read_at(office.event, game, last.phase, tuple(game.seating.players)) if last else ()
    over = over_words(office.event, game)
    speech = office.event.speech
    return {
        "board": game.name,
        "seats": [[power, speech.power(power), game.seating.players[power]] for power in game.seating.players],
        "ended": game.ended,
        "state": speech.says(state(game)),
        "over": speech.says(over) if over else None,
        "phase": speech.says(game.position.phase.in_words),
        "map": str(last.phase) if last else NOW,
        "number": last.fact.number if last else 0,
        "published": speech.says(last.phase.in_words) if last else "",
        "orders": [
            [
                speech.power(power),
                [
                    {"order": order, "good": good, "reason": reason}
                    for order, good, reason in (outcomes_told(last, power, speech) if last else ())
                ],
            ]
            for power in powers
        ],
        "next": [
            speech.says(line)
            for line in (*what_comes(game.map, game.position), announced_end(office.event, game))
            if line
        ]
        if goes_on(office.event, game)
        else [],
    }


def standings(office: Office) -> tuple[str, list[dict[str, Any]]]:
    """The standings that the room may see, and after which round; worked out once for each newest fact."""
    if office.standings[0] != office.live.number:
        scored = scored_event(office.event, public=told_games(office.event, office.live.games))
        rows = [
            {
                "place": f"{row.place}{'=' if row.is_tied else ''}",
                "player": row.player,
                "total": office.event.speech.number(shown(row.total, office.event.tournament.scoring.decimals)),
            }
            for row in scored.standings.rows
        ]
        office.standings = (office.live.number, office.event.speech.says(str(scored.progress)), rows)
    return office.standings[1:]


def told_standings(office: Office, *, is_shown: bool) -> dict[str, Any]:
    """The standings as a page gets them, under their heading; nothing while they are sealed."""
    after, rows = standings(office) if is_shown else (None, None)
    return {"standings": rows, "standings_after": after}


def set_clock(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Start the clock, or stop it where it is."""
    elapsed = body.get("elapsed", 0)
    if not isinstance(elapsed, int | float) or not 0 <= elapsed <= LONGEST_S:
        raise stop("expected seconds", "elapsed")
    with office.inside():
        if body.get("do") == "stop":
            stop_clock(office.event, float(elapsed), login.name)
        else:
            start_clock(office.event, str(body.get("label", ""))[:80], read_parts(body), float(elapsed), login.name)
            office.big_clock()  # it is counted from now on
    return {}


def read_parts(body: dict[str, Any]) -> Parts:
    """Read the parts of a phase."""
    parts = body.get("parts")
    if not isinstance(parts, list) or not parts:
        raise stop("expected parts, each a name and its seconds", "parts")
    found = []
    for part in parts:
        match part:
            case [str(name), int(seconds)] if 0 < seconds <= LONGEST_S:
                found.append((name[:40], seconds))
            case _:
                raise stop(f"expected a name and its seconds, found {part!r}", "parts")
    return tuple(found)
