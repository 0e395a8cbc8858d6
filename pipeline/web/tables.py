"""What the director does at the tables: draw votes, ends of games, the dice of the last years, the sealed standings."""

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from starlette.routing import Route

from pipeline.board import Power, Step
from pipeline.desk.event import ending
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, find_game, survivors
from pipeline.desk.event.note_values import read_phase
from pipeline.desk.forms import votes
from pipeline.desk.players import rounds_with_public_seats, standings_are_open, tell_seats
from pipeline.desk.publish.dutchmen import dutchmen, set_position
from pipeline.desk.results.early_end import rounds_left_out
from pipeline.desk.results.final_results import publish_results
from pipeline.desk.results.note_kinds import KINDS
from pipeline.desk.results.results import scored_event
from pipeline.ledger.claims import Login
from pipeline.ledger.events import StandingsOpened, VoteHeld
from pipeline.ledger.files import local_time
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import Ballot
from pipeline.orders import read_position, write_position
from pipeline.problems import stop
from pipeline.rules.game_end import Moment, knows_veto
from pipeline.rules.reading_rules import YesNo
from pipeline.rules.switches import write_value as setting_words
from pipeline.rules.tournament import Absent, DiceRules, Proposal
from pipeline.scoring import doubts
from pipeline.scoring.results import Ending, Spot
from pipeline.scoring.rules import Until
from pipeline.scoring.stakes import Stake, WeighedDoubt, doubts_in_short, level_so_far_in_short, weigh_doubts
from pipeline.web import versions
from pipeline.web.app import Pages, text_of
from pipeline.web.logins import Right
from pipeline.web.office import Office
from pipeline.web.on_pages import texts_on_page
from pipeline.web.screen import told_standings
from pipeline.web.shown import Things
from pipeline.words.speech import IN_ENGLISH, write_count

ENDINGS = {  # in the order of a tournament day; a carried vote ends a game by itself, and is refused here
    Ending.LAST_YEAR: "the last year is over",
    Ending.TIME: "time was called",
    Ending.DICE: "the dice ended the round",
    Ending.SOLO: "solo",
    Ending.STAGNATION: "nothing changes hands any more",
    Ending.VOTE: "a draw was voted",
    Ending.CONCEDED: "the game was conceded",
    Ending.ABANDONED: "the game was abandoned",
}
LONGEST_WHY = 1000  # letters
TICKED = (True, "on")  # a box, as a script and as an address has it


def routes(pages: Pages) -> list[Route]:
    return [
        *pages.written_page("/tables", "tables.html", Right.PUBLISH, _tables_view, _see_tables),
        *pages.written_page("/tables/doubts", "doubts.html", Right.PUBLISH, _show_doubts),
        *pages.written_page("/tables/ask", "vote.html", Right.PUBLISH, _list_objections, _see_board),
        pages.act("/api/tables/vote", _vote, Right.PUBLISH, _see_board),
        pages.act("/api/tables/veto", _veto, Right.PUBLISH, _see_board),
        *pages.written_page("/tables/position", "position.html", Right.PUBLISH, _show_position, _see_board),
        pages.act("/api/tables/position", _set_position, Right.PUBLISH, _see_board),
        *pages.written_page("/tables/may-end", "end.html", Right.PUBLISH, _may_end, _see_tables),
        pages.act("/api/tables/end", _end, Right.PUBLISH, _see_board),
        pages.act("/api/tables/end-all", _end_all, Right.PUBLISH, _see_boards),
        pages.act("/api/tables/undo", _undo_end_or_vote, Right.PUBLISH, _see_board),
        pages.act(
            "/api/tables/dice", _roll_dice, Right.PUBLISH, lambda o, _, b: versions.of_dice(o.event, _round_in(b))
        ),
        pages.act("/api/tables/seal", _seal, Right.PUBLISH, lambda o, *_: versions.of_standings(o.event)),
        pages.act("/api/tables/final", _publish_results, Right.PUBLISH, _see_final),
        pages.act("/api/tables/tell", _tell_seats, Right.PUBLISH, _see_seats),
    ]


def _see_board(office: Office, login: Login, body: dict[str, Any]) -> Things:
    return versions.of_board(office.event, office.game(login, str(body.get("board", ""))))


def _see_boards(office: Office, login: Login, body: dict[str, Any]) -> Things:
    seen: Things = {}
    for name in _boards_in(body):
        seen |= versions.of_board(office.event, office.game(login, name))
    return seen


def _boards_in(body: dict[str, Any]) -> list[str]:
    """The names of some boards, each once."""
    boards = body.get("boards")
    if not isinstance(boards, list) or not boards or not all(isinstance(name, str) for name in boards):
        raise stop("expected the names of boards", "boards")
    return list(dict.fromkeys(boards))


def _see_final(office: Office, login: Login, _: dict[str, Any]) -> Things:
    """The results as they are, and whether they were published as final."""
    return versions.of_final_results(office.event)


def _see_seats(office: Office, login: Login, body: dict[str, Any]) -> Things:
    return versions.of_seats(office.event, office.live.games.values(), _round_in(body))


def _see_tables(office: Office, login: Login, _: dict[str, Any]) -> Things:
    """All boards, dice and seats, whether the standings are public, and final."""
    event, games = office.event, office.live.games
    seen = {**versions.of_standings(event), **versions.of_final_results(event)}
    for game in games.values():
        seen |= versions.of_board(event, game)
    for number in {game.seating.round for game in games.values()}:
        seen |= versions.of_dice(event, number) | versions.of_seats(event, games.values(), number)
    return seen


def _tables_view(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """All games with who votes and what would count, the dice, and the standings under their seal."""
    with office.inside() as live:
        ending_rules = office.event.tournament.ending
        progress = scored_event(office.event).progress
        rounds = sorted({game.seating.round for game in live.games.values()})
        first = str(asked.get("board", ""))
        return {
            "games": [
                _game_view(office, game, is_own=office.plays_on(login, game.name))
                | {"is_other": first in live.games and game.name != first}
                for game in live.games.values()
            ],
            "ways": [] if first else _ways_to_end_all(office.event, live.games.values()),
            "all_ended": not first and bool(live.games) and all(game.ending for game in live.games.values()),
            "show": asked.get("show", ""),
            "agreeing_counts": ending_rules.vote.proposal.value in (Proposal.ASK, Proposal.ALL_AGREE),
            "stalemate_counts": ending_rules.vote.stalemate.value in (YesNo.ASK, YesNo.YES),
            "dice": bool(ending_rules.dice.added.value),
            "dice_rule": _dice_words(ending_rules.dice),
            "rounds": rounds,
            "told": sorted(rounds_with_public_seats(office.event, live.games.values())),
            "rolls": [
                {"round": r.round, "number": r.number, "hash": r.hash, "seed": r.seed, "word": r.word}
                | {"die": r.die, "ends": r.ends}
                for number in rounds
                for r in ending.rolls_of_round(office.event, number)
            ],
            "open": standings_are_open(office.event),
            "sealed_by_rule": office.event.tournament.scoring.is_sealed,
            "final": _final_view(office),
            "over": progress.is_over,
            "left_out": [] if progress.ended_early else rounds_left_out(office.event),
            **told_standings(office, IN_ENGLISH),
        }


def _show_doubts(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """What the director must still say before standings are final, with the note that says it.

    Finding out what each doubt decides may take seconds; the event is not locked meanwhile.
    """
    with office.inside():
        scored = scored_event(office.event)
    weighed = tuple(weigh_doubts(scored))
    views = zip(_doubt_views(weighed), weighed, strict=True)
    return {
        "doubts": [view | {"later": each.is_level_so_far} for view, each in views],
        "in_short": doubts_in_short(weighed),
        "level_so_far": level_so_far_in_short(weighed),
    }


EACH = "each"  # in a note: the people of whom one thing is entered, one a line


def _doubt_views(weighed: Sequence[WeighedDoubt]) -> list[dict[str, Any]]:
    """The doubts as the page shows them; the distances for which any of them waits are entered together."""
    notes = [note for each in weighed if (note := _note_for(each.doubt)) and EACH in note]
    unknown = dict.fromkeys(name for note in notes for name in note[EACH].splitlines())
    return [_doubt_view(each, tuple(unknown)) for each in weighed]


def _doubt_view(weighed: WeighedDoubt, unknown: Sequence[str] = ()) -> dict[str, Any]:
    """A doubt in words, what it decides, and the page that settles it, with what is known filled in.

    ``unknown``: those whose distance from home some doubt waits for.
    """
    doubt = weighed.doubt
    decides = "" if weighed.stake is Stake.NOTHING else f"decides {weighed.stake}:"
    titles = f" ({', '.join(weighed.titles)})" if weighed.titles else ""
    note = _note_for(doubt)
    page, button = _page_for(doubt)
    if note and EACH in note and unknown:
        note = note | {EACH: "\n".join(unknown)}
    return {
        "where": re.sub(r"^round (\d+), ([^,]+)", r"board \1.\2", doubt.where),
        "text": f"{doubt.text}{titles}",
        "decides": decides,
        "settle": _address_of(note) if note else page,
        "button": f"enter: {KINDS[note['what']].title.lower()}" if note else button,
    }


def _address_of(note: Mapping[str, str]) -> str:
    """The address of the form for a note; each line of a value stands alone, as an address holds no line breaks."""
    return f"/notes?{urlencode([(key, line) for key, value in note.items() for line in value.splitlines()])}"


def _page_for(doubt: doubts.ScoringDoubt) -> tuple[str, str]:
    """Where a doubt is settled that no note settles, and the words of its button."""
    match doubt:
        case doubts.TeamMet() | doubts.OfBoard():
            number = doubt.spot[0]
        case doubts.SeveralFinals(spots=spots):
            number = spots[-1][0]
        case doubts.FinalNotMarked(round=number):
            pass
        case doubts.OfTeam() | doubts.TooManyTeams() | doubts.TeamsUnknown() | doubts.SheetNotSigned():
            return "/forms", "look at the forms that came in"
        case doubts.LastSeatsOpen():
            return "/desk", "settle it at the draw of the final"
        case _:
            return "/journal", "look at what was decided"
    return f"/desk?round={number}", f"look at the draw of round {number}"


def _note_for(doubt: doubts.ScoringDoubt) -> dict[str, str] | None:
    """The kind of note that settles a doubt, with what is known of its fields."""
    match doubt:
        case doubts.LateShareOpen(spot=spot, power=power):
            return {"what": "late-start", "board": _board_at(spot), "power": str(power)}
        case doubts.SeatReplaced(spot=spot, power=power):
            return {"what": "score", "board": _board_at(spot), "power": str(power)}
        case doubts.EndingUnknown() | doubts.DrawOfSome():
            return {"what": "result", "board": _board_at(doubt.spot)}
        case (
            doubts.GameAbandoned()
            | doubts.SoloUnfounded()
            | doubts.SoloDenied()
            | doubts.SoloShared()
            | doubts.ScoreGuessed()
        ):
            return {"what": "score", "board": _board_at(doubt.spot)}
        case doubts.YearsUnrecorded() | doubts.YearsContradict() | doubts.CentresMissing() | doubts.YearMissing():
            return {"what": "result", "board": _board_at(doubt.spot)}
        case doubts.BoardNotChosen(player=player, round=number, board=board):
            return {"what": "counts", "player": player, "board": _board_at((number, board))}
        case (
            doubts.TwoBoardsUnpriced(player=player)
            | doubts.TooManyGames(player=player)
            | doubts.TwoBoardsAgain(player=player)
            | doubts.TwoBoardsAndWithdrew(player=player)
        ):
            return {"what": "counts", "player": player}
        case (
            doubts.PlaceLevel(want=want)
            | doubts.FinalLevel(want=want)
            | doubts.PowerLevel(want=want)
            | doubts.TitleLevel(want=want)
        ):
            return _note_wanted(want)
        case doubts.LastSeatsOpen(want=doubts.Want() as want):
            return _note_wanted(want)
    return None


def _board_at(spot: Spot) -> str:
    """A board's name, such as 2.1."""
    return f"{spot[0]}.{spot[1]}"


def _note_wanted(want: doubts.Want) -> dict[str, str] | None:
    """The kind of note that supplies what a tie-break misses."""
    match want.fact:
        case doubts.NotedFact.DISTANCE:
            return {"what": "distance", EACH: "\n".join(want.missing)}
        case doubts.NotedFact.LOT:
            return {"what": "lot", "players": "\n".join(want.missing)}
    return None


def _game_view(office: Office, game: Game, *, is_own: bool) -> dict[str, Any]:
    event, phase = office.event, game.position.phase
    return {
        "board": game.name,
        "own": is_own,
        "phase": phase.in_words,
        "ended": game.ending,
        "ended_words": ended_in_words(game),
        "end": _end_view(event, game),
        "over": ending.over_words(event, game),
        "survivors": _voters(game),
        "moments": [moment for moment in Moment if moment.fits(phase.step)],
        "moment": Moment.of(phase.step),
        "by_vote": ending.what_counts(event, game, Ending.VOTE),
        "endings": [] if game.ending else [_ending_view(event, game, how) for how in ENDINGS],
        "votes": [_vote_in_words(fact) for fact in ending.votes_held(event, game.name)],
    }


def ended_in_words(game: Game) -> str:
    """How a game ended, with who has won; nothing where it goes on."""
    if not game.ending:
        return ""
    how = Ending(game.ending)
    words = ENDINGS.get(how, "over")
    if how is not Ending.SOLO:
        return words
    power = max(game.centres, key=lambda each: game.centres[each])
    return f"{words} of {game.seating.last_players.get(power) or 'nobody'} ({power.title()})"


def _dice_words(dice: DiceRules) -> str:
    """What is added to each roll, and which sum ends the game."""
    added, ends_at = (setting_words(setting.value) for setting in (dice.added, dice.ends_at))
    return f"{added} is added to the rolls, one after another; a sum of {ends_at} ends the game ({dice.added.source})"


def _ending_view(event: Event, game: Game, how: Ending) -> dict[str, Any]:
    """One way to end a game, with its firm objections."""
    firm = [str(bar) for bar in ending.bars_against_end(event, game, how) if bar.is_firm]
    return {"how": how, "words": ENDINGS[how], "refused": "; ".join(firm)}


def _end_view(event: Event, game: Game) -> dict[str, Any] | None:
    """How a game ended, what was overruled, and what depends on its end."""
    if not game.ending or game.end is None:
        return None
    return {
        "by": game.end.fact.by,
        "why": str(game.end.fact.said.why or ""),
        "overruled": [str(each) for each in ending.overruled_by(game.end.fact)],
        "entered": game.entered is not None,
        "rests": list(ending.rests_on(event, game)),
    }


def _vote_in_words(held: Fact[VoteHeld]) -> str:
    said = held.said
    if said.vetoed:
        return f"{said.phase}: asked for by {said.asked_by.title()}, objected to openly"
    return f"{said.phase}: {said.yes} yes, {said.no} no, {'' if said.carried else 'not '}carried"


def _asking_of(body: dict[str, Any]) -> votes.Asking:
    try:
        return votes.Asking(
            power=Power(body.get("power", "")),
            moment=Moment(body["moment"]) if body.get("moment") else None,
            all_agree=body.get("all_agree") in TICKED,
            vetoed=body.get("vetoed") is True,
            stalemate=body.get("stalemate") in TICKED,
        )
    except ValueError as error:
        raise stop(str(error), "vote") from error


def _list_objections(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """What speaks against a vote, and what is needed to hold it."""
    asking, rules = _asking_of(asked), office.event.tournament.ending.vote
    with office.inside():
        game = office.game(login, str(asked.get("board", "")))
        objections = votes.objections_to_vote(office.event, game, asking)
        return {
            "asked": {"board": game.name, "power": asking.power, "moment": asking.moment or ""}
            | {"all_agree": asking.all_agree, "stalemate": asking.stalemate, "ruled": bool(objections)},
            "against": [{"text": o.text, "rule": o.rule or "the rules are silent", "asks": o.asks} for o in objections],
            "survivors": _voters(game),
            "absent_asks": Absent.ASK in (rules.absent.value, rules.abandoned.value),
            "knows_veto": knows_veto(rules),
            "secret": rules.secret.value is YesNo.YES,
            "secret_rule": rules.secret.source,
        }


def _voters(game: Game) -> list[tuple[str, str, int]]:
    """Each power that votes, its name, and its centres."""
    return [(str(power), power.title(), len(game.position.centres[power])) for power in survivors(game)]


def _says_of(body: dict[str, Any]) -> votes.Says:
    """Read what the director says where the rules leave it to him."""
    absent = {"yes": True, "no": False}.get(str(body.get("for_absent", "")))
    return votes.Says(ruled=body.get("ruled") is True, for_absent=absent, why=why_of(body))


def why_of(body: dict[str, Any]) -> str:
    """The reason for a decision; stopped where it is longer than any is shown: nothing of it is cut off."""
    why = text_of(body, "why")
    if len(why) > LONGEST_WHY:
        raise stop(f"expected {LONGEST_WHY} letters at most, found {len(why)}; say it in fewer", "why")
    return why


def _show_position(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """The position of a board as it is set by hand: a power's units and centres in a line each."""
    with office.inside():
        game = office.game(login, str(asked.get("board", "")))
        position = write_position(game.position)
    units, centres = position["units"], position["centers"]
    powers = [
        {"power": power, "units": ", ".join(units.get(power, ())), "centres": " ".join(centres.get(power, ()))}
        for power in game.seating.players
    ]
    return {"board": game.name, "phase": position["phase"], "powers": powers}


def _set_position(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Set a board by hand: a game that is taken over, a unit that should not be there."""
    powers = body.get("powers")
    if not isinstance(powers, dict) or not all(isinstance(each, dict) for each in powers.values()):
        raise stop("expected the units and centres of each power", "powers")
    units = {power: str(said.get("units", "")).upper().split(",") for power, said in powers.items()}
    wanted: dict[str, Any] = {
        "phase": _phase_said(str(body.get("phase", ""))),
        "units": {power: [text.strip() for text in texts if text.strip()] for power, texts in units.items()},
        "centers": {power: str(said.get("centres", "")).upper().split() for power, said in powers.items()},
    }
    with office.inside():
        game = office.game(login, str(body.get("board", "")))
        if missing := [str(power) for power in game.seating.players if power not in powers]:
            raise stop(f"the units and centres of {', '.join(missing)} are missing", "powers")
        if wanted["phase"] == str(game.position.phase):  # who is dislodged stays so
            wanted["dislodged"] = write_position(game.position)["dislodged"]
        position = read_position(wanted, game.map)
        set_position(office.event, game, position, login.name, why_of(body))
        problems = texts_on_page(dutchmen(office.event, find_game(office.event, game.name)))
        return {"said": "; ".join([f"board {game.name} stands as you set it", *problems])}


def _phase_said(text: str) -> str:
    """The code of a phase that is typed in code or in words."""
    try:
        return str(read_phase(text))
    except ValueError:
        return text.strip().upper()


def _vote(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Count a vote by its ballots, or take the count that was made by hand."""
    if isinstance(counted := body.get("counted"), dict) and body.get("by") != "ballots":
        with office.inside():
            game = office.game(login, str(body.get("board", "")))
            asking, says = _asking_of(body), _says_of(body)
            numbers = [counted.get(name, 0) for name in ("yes", "no", "absent", "gone")]
            if not all(type(number) is int for number in numbers):
                raise stop("expected whole numbers of votes", "counted")
            fact = votes.hold_counted(office.event, game, asking, votes.Count(*numbers), says, by=login.name)
            return _vote_held(fact)
    given = body.get("ballots")
    ways, powers = tuple(Ballot), tuple(Power)
    if not isinstance(given, dict) or not all(power in powers and given[power] in ways for power in given):
        text = f"expected a ballot, {' or '.join(Ballot)}, for each power"
        raise stop(text, "ballots")
    ballots = {Power(power): Ballot(ballot) for power, ballot in given.items()}
    with office.inside():
        game = office.game(login, str(body.get("board", "")))
        fact = votes.hold_vote(office.event, game, _asking_of(body), ballots, _says_of(body), by=login.name)
        return _vote_held(fact)


def _vote_held(held: Fact[VoteHeld]) -> dict[str, Any]:
    said = held.said
    became = "the draw is carried, the game is over" if said.carried else "not carried, play goes on"
    words = f"board {said.board}: {said.yes} yes, {said.no} no; {became}"
    return {"yes": said.yes, "no": said.no, "carried": said.carried, "said": words}


def _veto(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Write down that somebody objected openly."""
    with office.inside():
        game = office.game(login, str(body.get("board", "")))
        votes.record_veto(office.event, game, _asking_of(body), _says_of(body), by=login.name)
    return {"said": f"board {game.name}: the objection is written down"}


def _how_of(body: dict[str, Any]) -> Ending:
    how = str(body.get("how", ""))
    if how not in ENDINGS:
        raise stop(f"expected one of {', '.join(ENDINGS)}, found {how!r}", "how")
    return Ending(how)


def _may_end(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """Describe ending a game, or all that go on, in this way now: which count is the result, and objections."""
    how, named = _how_of(asked), str(asked.get("board", ""))
    with office.inside() as live:
        over_now = [office.game(login, named)] if named else [game for game in live.games.values() if not game.ending]
        own = [game.name for game in over_now if office.plays_on(login, game.name)]
        boards = [
            {
                "board": game.name,
                "words": list(_end_in_words(office.event, game, how)),
                "against": [
                    {"text": bar.text, "rule": bar.rule, "firm": bar.is_firm}
                    for bar in ending.bars_against_end(office.event, game, how)
                ],
            }
            for game in over_now
            if game.name not in own
        ]
    return {"how": how, "way": ENDINGS[how], "boards": boards, "own": own, "is_one": bool(named)}


def _ways_to_end_all(event: Event, boards: Iterable[Game]) -> list[dict[str, Any]]:
    """The ways in which all games that go on may be ended at once, if there are several."""
    running = [game for game in boards if not game.ending]
    views = [[_ending_view(event, game, how) for game in running] for how in ENDINGS if how is not Ending.SOLO]
    return [each[0] for each in views if len(running) > 1 and not any(view["refused"] for view in each)]


def _end_in_words(event: Event, game: Game, how: Ending) -> Iterator[str]:
    """Describe the result of a game that ends in this way now."""
    phase = game.position.phase
    yield f"End board {game.name}: {ENDINGS[how]}?"
    counts = ", ".join(f"{power.title()} {len(game.position.centres.get(power, ()))}" for power in game.seating.players)
    when = f"after Fall {phase.last_count}" if phase.last_count else "at the start"
    yield f"Its result would be the count {when}: {counts}."
    if how is not Ending.SOLO:
        yield f"Which count it is: {ending.what_counts(event, game, how)}."
    if phase.step is not Step.ADJUSTMENTS:
        yield f"{phase.in_words} is not played; orders that came in for it do not count."


def _end(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    how = _how_of(body)
    with office.inside():
        game = office.game(login, str(body.get("board", "")))
        ending.end_game(office.event, game, how, by=login.name, why=why_of(body))
    return {"said": f"board {game.name} is over"}


def _end_all(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """End several games for one reason, all or none; the numbers are taken back together."""
    how = _how_of(body)
    with office.inside():
        over_now = [office.game(login, name) for name in _boards_in(body)]
        done = ending.end_games(office.event, over_now, how, by=login.name, why=why_of(body))
    return {"numbers": [fact.number for fact in done], "said": f"{write_count(len(done), 'board')} ended"}


def _undo_end_or_vote(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Let a game go on that was not over, or take its last vote back."""
    with office.inside():
        game = office.game(login, str(body.get("board", "")))
        take_back = votes.undo_vote if body.get("what") == "vote" else ending.undo_end
        take_back(office.event, game, by=login.name, why=why_of(body))
    return {"said": "taken back"}


def _roll_dice(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Show the hash of a new seed, or roll with the word that was called."""
    number = _round_in(body)
    with office.inside():
        if body.get("do") == "commit":
            ending.commit_roll(office.event, office.claims, number, secrets.token_hex(16), login.name)
            return {"said": f"a seed for round {number} is sealed"}
        ending.reveal_roll(office.event, office.claims, number, str(body.get("word", ""))[:80], login.name)
    return {"said": f"the die of round {number} is rolled"}


def _round_in(body: dict[str, Any]) -> int:
    """The number of a round; `Stopped` for anything else, also for ``True``, which no fact may hold."""
    number = body.get("round")
    if type(number) is not int:
        raise stop("expected the number of a round", "round")
    return number


def _seal(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Show the standings to everybody, or hide them again."""
    is_open = body.get("open") is True
    with office.inside():
        office.event.facts.write(StandingsOpened(open=is_open), login.name)
    return {"said": "the players see the standings" if is_open else "the standings are hidden from the players"}


def _final_view(office: Office) -> dict[str, Any] | None:
    """Until when results are interim, and since when they are final; None where the rules do not speak of it."""
    interim = office.event.tournament.scoring.interim
    if interim is None or interim.until is not Until.PUBLISHED:
        return None
    fact = ending.final_results(office.event)
    return {"at": local_time(fact.at) if fact else "", "words": interim.until.meaning}


def _publish_results(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Publish the results as final: what is found later does not amend them."""
    with office.inside():
        publish_results(office.event, by=login.name, why=why_of(body))
    return {"said": "the results are final"}


def _tell_seats(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Tell everybody who sits where in a round: telephones and the screen show it from now on."""
    number = _round_in(body)
    with office.inside():
        tell_seats(office.event, number, login.name)
    return {"said": f"the seats of round {number} are public"}
