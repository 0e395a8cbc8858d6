"""The big clock and the public screen; both show only what is published."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any
from zlib import crc32

from starlette.routing import Route

from pipeline.board import Power
from pipeline.desk.event.ending import Roll, announced_end, is_going_on, over_words, rolls_of_round
from pipeline.desk.event.games import Game
from pipeline.desk.event.lots import lots
from pipeline.desk.players import games_with_public_seats, rounds_with_public_seats, sitting_out, standings_are_open
from pipeline.desk.publish import public_record
from pipeline.desk.publish.publish import outcomes_in_words, reading_order
from pipeline.desk.results.results import projected_standings, public_standings, without_result
from pipeline.ledger.claims import Login
from pipeline.ledger.parts import LotRecord
from pipeline.printable import is_whole
from pipeline.problems import stop
from pipeline.scoring.results import format_decimal
from pipeline.scoring.score import Scored
from pipeline.web import public_pages, versions
from pipeline.web.app import Pages, text_of
from pipeline.web.logins import Right, may
from pipeline.web.office import Office, RoomStandings
from pipeline.web.shown import Things
from pipeline.words.speech import ENGLISH, Speech, to_say

LONGEST_S = 24 * 3600
SLIDE_S = 12  # for which a slide stays
ON_CLOCK = ("clock.runs_on", "clock.faster")  # settings whose rules are quoted beside the clock
PARTS = {
    "negotiation": to_say("time for negotiation"),
    "writing": to_say("time for writing"),
    "reading": to_say("time for reading"),
    "retreats": to_say("time for retreats"),
    "adjustments": to_say("time for adjustments"),
}
WORDS = {  # of the screen, and of the clock on it
    "none": to_say("No seats are public yet. They appear here as soon as the director publishes them."),
    "board": to_say("Board {board}"),
    "boards": to_say("Boards"),
    "next": to_say("{phase}, next {next}"),
    "clock": to_say("Clock"),
    "space": to_say("The space key stops it and lets it go on"),
    "other": to_say("Other:"),
    "minutes": to_say("minutes"),
    "time": to_say("time"),
    "sound": to_say("sound at the warnings"),
    "start": to_say("start"),
    "no_time": to_say("no time of its own"),
    "ended": to_say("{phase}; {state}"),
    "map": to_say("map of board {board}"),
    "seats": to_say("Seats of round {round}"),
    "nobody": to_say("nobody"),
    "standings": to_say("Standings"),
    "waiting": to_say("No game over yet"),
    "projected": to_say("If time were called now: not the final result"),
    "out": to_say("Sit this round out"),
    "scores": public_pages.SCORE_CHART,
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
    "look": to_say("bright or dark"),
    "stopped": to_say("stopped"),
    "time_up": to_say("time is up"),
    "counts_on": to_say("{why}; the clock counts on"),
    "lost": to_say("Decisions cannot be written down any more. Tell the director at once."),
}


def clock_routes(pages: Pages) -> list[Route]:
    """The clock's page, the screen, and what they show."""

    def say_language(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
        return {"language": office.event.speech.code}

    return [
        pages.page("/clock", "clock.html", Right.PUBLISH, say_language),
        pages.page("/screen", "screen.html", Right.WATCH, _slide_without_script),
        pages.get("/api/clock", _clock_state, Right.WATCH, shows=_see_clock),
        pages.act("/api/clock/set", _set_clock, Right.PUBLISH, _see_clock),
    ]


def _see_clock(office: Office, login: Login, _: dict[str, Any]) -> Things:
    return versions.of_clock(public_record.big_clock(office.event))


def _clock_state(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """The clock, what may be started, and what is published."""
    may_start = may(login, Right.PUBLISH)
    with office.inside() as live:
        games = live.games.values()
        rounds = sorted(rounds_with_public_seats(office.event, games))
        speech = office.event.speech
        playing = [game for game in games if game.seating.round == rounds[-1]] if rounds else []
        has_begun = any(game.played or game.entered for game in playing)
        return {
            "language": speech.code,
            "words": {name: speech.says(text) for name, text in WORDS.items()},
            "letters": {power: speech.letters(power) for power in Power},
            "clock": office.big_clock(),
            "trouble": speech.says(WORDS["lost"]) if office.event.facts.is_lost else "",
            "plans": _clock_plans(office, _newest(games)) if may_start else [],
            "quotes": _clock_rules(office) if may_start and speech.code == "en" else [],  # rules are quoted in English
            "round": rounds[-1] if rounds else 0,
            "boards": [_last_publication(office, game) for game in playing],
            "out": sitting_out(office.event, playing, rounds[-1]) if rounds and not has_begun else (),
            "notice": office.event.details.notice,
            "dice": [
                _roll_state(roll)
                for number in sorted({game.seating.round for game in _newest(games)})
                for roll in rolls_of_round(office.event, number)
            ],
            "lots": [
                _lot_state(lot)
                for lot in lots(office.event)
                if not rounds or lot.round > rounds[-1] or (lot.round == rounds[-1] and not has_begun)
            ],
            **told_standings(office, speech, is_shown=standings_are_open(office.event)),
        }


def _clock_rules(office: Office) -> list[dict[str, str]]:
    """What the rules say of the clock."""
    return [{"rule": quote.rule, "text": quote.text} for quote in office.event.tournament.quotes(ON_CLOCK)]


def _roll_state(roll: Roll) -> dict[str, Any]:
    """A die that is to be rolled, or was."""
    return {
        "round": roll.round,
        "number": roll.number,
        "hash": roll.hash,
        "seed": roll.seed,
        "word": roll.word,
        "die": roll.die,
        "ends": roll.ends,
    }


def _lot_state(lot: LotRecord) -> dict[str, Any]:
    """A lot that is to be drawn, or was."""
    return {
        "round": lot.round,
        "names": lot.people,
        "hash": lot.hash,
        "seed": lot.seed,
        "word": lot.word,
        "order": lot.order,
    }


def _slide_without_script(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """One slide as it is without script: televisions with an old browser turn to the next by loading the page anew."""
    told = _clock_state(office, login, {})
    slides = [{"board": board} for board in told["boards"]]
    if told["standings"]:
        slides.append({"standings": told["standings"], "small": told["standings_after"]})
    if told["projected"]:
        slides.append({"standings": told["projected"], "small": told["words"]["projected"]})
    wanted = asked.get("slide", "")
    number = int(wanted) % len(slides) if slides and is_whole(wanted) else 0
    slide = slides[number] if slides else {}
    language = told["language"]
    with office.inside():
        clock = public_pages.clock_view(public_record.big_clock(office.event), office.event.speech)
    return {
        "slide": slide,
        "clock": clock,
        "next": number + 1,
        "told": told,
        "language": language,
        "letters": told["letters"],
        "every_s": SLIDE_S,
    }


def _newest(games: Iterable[Game]) -> list[Game]:
    """The boards of the round that was drawn last, public or not: the director starts its clock."""
    last = max((game.seating.round for game in games), default=0)
    return [game for game in games if game.seating.round == last]


def _clock_plans(office: Office, playing: list[Game]) -> list[dict[str, Any]]:
    """What the tournament plans for the phases the boards are in, the earliest first."""
    tournament, speech = office.event.tournament, office.event.speech
    open_now = {game.position.phase for game in playing if is_going_on(office.event, game)}
    planned = [
        public_record.clock_plan(tournament.clock, phase)
        for phase in sorted(open_now, key=lambda phase: phase.sort_key)
    ]
    plans = {}
    for each in planned:
        parts = [[name if speech.code == ENGLISH else speech.says(PARTS[name]), s] for name, s in each.parts]
        plans[each.phase] = {"label": speech.says(each.phase.in_words), "parts": parts, "rule": each.rule}
    return list(plans.values())


def _last_publication(office: Office, game: Game) -> dict[str, Any]:
    """What was published last on a board, in the order in which it was read, and who sits there."""
    is_shown = not (game.is_set_by_hand or game.entered)
    last = game.played[-1] if game.played and is_shown else None  # what everything below shows
    powers = reading_order(office.event, game, last.phase, tuple(game.seating.players)) if last else ()
    over = over_words(office.event, game)
    speech = office.event.speech
    return {
        "board": game.name,
        "pool": office.event.tournament.scoring.describe_pool(game.seating.pool),
        "seats": [[power, speech.power(power), game.seating.players[power]] for power in game.seating.players],
        "ended": game.ending,
        "state": public_pages.game_state(game, speech),
        "over": speech.says(over) if over else None,
        "phase": speech.says(game.position.phase.in_words),
        "counts": [[power, count] for power, count in sorted(game.centres.items(), key=lambda each: -each[1])],
        "chart": len(game.counts_by_year) > 1,
        "map": "" if game.entered else str(last.phase) if last else public_pages.NOW,
        "number": last.fact.number if last else crc32(repr((game.position, game.entered)).encode()),
        "published": speech.says(last.phase.in_words) if last else "",
        "by_hand": public_pages.position_words(game, speech) if game.is_set_by_hand else "",
        "entered": public_pages.counted_words(game, speech) if game.entered else "",  # of such a game there is no map
        "counted": public_pages.counted_words(game, speech),
        "orders": [
            [
                speech.power(power),
                [
                    {"order": order, "good": good, "reason": reason}
                    for order, good, reason in (outcomes_in_words(last, power, speech) if last else ())
                ],
            ]
            for power in powers
        ],
        "next": [
            *public_pages.what_is_next(game, game.position, speech),
            *filter(None, [speech.says(announced_end(office.event, game) or "")]),
        ]
        if is_going_on(office.event, game)
        else [],
    }


def _standings(office: Office) -> RoomStandings:
    """The standings that the room may see; cached until a new fact."""
    if office.standings is None or office.standings.number != office.live.number:
        public = games_with_public_seats(office.event, office.live.games)
        scored, projected = public_standings(office.event, public), projected_standings(office.event, public)
        office.standings = RoomStandings(
            number=office.live.number,
            over=scored,
            waiting=without_result(office.event.players, scored),
            projected=projected,
        )
    return office.standings


def _standings_rows(scored: Scored, speech: Speech) -> list[dict[str, Any]]:
    """The lines of the standings; a bar shows each one's share of the best total."""
    best = max((row.total for row in scored.standings.rows), default=Fraction())
    return [
        {
            "share": round(float(max(row.total, Fraction()) / best), 4) if best > 0 else 0,
            "place": row.place_shown,
            "player": row.player,
            "total": speech.number(format_decimal(row.total, scored.rules.decimals)),
        }
        for row in scored.standings.rows
    ]


def told_standings(office: Office, speech: Speech, *, is_shown: bool = True) -> dict[str, Any]:
    """The standings as a page gets them, under their heading in its language; nothing while they are sealed."""
    if not is_shown:
        return {"standings": None, "standings_after": None, "standings_waiting": (), "projected": []}
    told = _standings(office)
    return {
        "standings": _standings_rows(told.over, speech),
        "standings_after": speech.says(str(told.over.progress)),
        "standings_waiting": told.waiting,
        "projected": _standings_rows(told.projected, speech) if told.projected else [],
    }


def _set_clock(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Start the clock, or stop it where it is."""
    elapsed = body.get("elapsed", 0)
    if type(elapsed) not in (int, float) or not 0 <= elapsed <= LONGEST_S:
        raise stop("expected seconds", "elapsed")
    with office.inside():
        if body.get("do") == "stop":
            public_record.stop_clock(office.event, float(elapsed), login.name)
        else:
            public_record.start_clock(
                office.event, text_of(body, "label")[:80], _read_clock_parts(body), float(elapsed), login.name
            )
            office.big_clock()  # notes the steady time from which its seconds are counted
    return {}


def _read_clock_parts(body: dict[str, Any]) -> public_record.ClockParts:
    parts = body.get("parts")
    if not isinstance(parts, list) or not parts:
        raise stop("expected parts, each a name and its seconds", "parts")
    read = []
    for part in parts:
        match part:
            case [str(name), int(seconds)] if type(seconds) is int and 0 < seconds <= LONGEST_S:
                read.append((name[:40], seconds))
            case _:
                raise stop(f"expected a name and its seconds, found {part!r}", "parts")
    return tuple(read)
