"""What the page of a round shows."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pipeline.board import Power, Step
from pipeline.desk import drawing, players
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, Played, ended_early, games
from pipeline.desk.event.lots import lots
from pipeline.desk.forms.forms_in import forms_in
from pipeline.desk.intake.ingest import waiting_scans
from pipeline.desk.publish.hanging import find_outdated
from pipeline.desk.review.orders_shown import is_waiting
from pipeline.desk.review.queue import Check, QueueItem, Ready, UnwrittenPhase, board_of_item, is_awaited
from pipeline.desk.sheets.pads import SheetState
from pipeline.desk.sheets.printed import PrintedSheet, is_of_other_position
from pipeline.ledger.claims import Login
from pipeline.ledger.events import PageRead, ScanReceived, Seated, SheetsPrinted
from pipeline.ledger.files import kept_watched
from pipeline.ledger.ledger import Fact, UpToNow, standing
from pipeline.paper.sheet import PAPER_SIZES
from pipeline.rules.tournament import Wish
from pipeline.web.office import Office
from pipeline.web.on_pages import say_on_page
from pipeline.web.round_steps import Today, steps
from pipeline.web.tables import ended_in_words
from pipeline.web.upload import UploadReader
from pipeline.web.views import board_view
from pipeline.words.names import name_order
from pipeline.words.speech import Speech, write_count

FORMS_WAITING: UpToNow[int] = UpToNow()
SHOWN_WAITING = 5  # files, each with a button to pass it over
PrintAnew = tuple[list[str], list[str]]  # powers whose seat has changed since, and whose units are others
NONE_ANEW: PrintAnew = ([], [])
KEYED = {Step.RETREATS: "retreats", Step.ADJUSTMENTS: "builds and disbands", Step.MOVEMENT: ""}
# that a director may want to change in the middle of a day
SETTINGS = ("name", "paper", "schedule", "notice", "live_address", "backup")


def _rounds_shown(office: Office, number: int) -> int:
    """How many rounds can be chosen; of a league, those that were drawn and the next."""
    rounds = office.event.tournament.rounds
    if early := ended_early(office.event):
        return max(number, early.said.after)
    if not office.event.tournament.is_league:
        return rounds
    drawn = max((game.seating.round for game in office.live.games.values()), default=0)
    return min(rounds, max(number, drawn + 1))


def _round_over_before(every_game: Iterable[Game], number: int) -> int:
    """The round before a round that is not drawn yet, if all its games are over; 0 if there is none."""
    rounds = {game.seating.round for game in every_game}
    before = [game for game in every_game if game.seating.round == number - 1]
    return number - 1 if number not in rounds and before and all(game.ending for game in before) else 0


def round_view(office: Office, login: Login, reading: UploadReader, number: int) -> dict[str, Any]:
    """Everything that the page of a round shows."""
    event, live = office.event, office.live
    round_games = [game for game in live.games.values() if game.seating.round == number]
    roll = players.read_roll_call(event, number)
    prints = [fact for fact in event.facts.select(SheetsPrinted) if any(s.round == number for s in fact.said.sheets)]
    items = office.items(login)
    settle = office.to_settle(items)
    prints_now = printed_now(office, round_games)
    printed = frozenset(board for board, anew in prints_now.items() if not any(anew))
    boards = _board_views(office, login, round_games, items, prints_now)
    scan = _scan_view(office, reading)
    waiting = [lot for lot in lots(event) if lot.round == number and lot.seed is None]
    is_told = number in players.rounds_with_public_seats(event, round_games)
    today = Today(
        roll=roll,
        drawn=len(round_games),
        has_lot=bool(waiting),
        is_told=is_told,
        boards=tuple(boards),
        printed=printed,
        unread=scan["unread"],
        strays=settle[None],
        forms=FORMS_WAITING.of(event.facts, lambda: _count_waiting_forms(office)),
    )
    early = ended_early(event)
    return {
        "number": live.number,
        "round": number,
        "round_over": early.said.after if early else _round_over_before(live.games.values(), number),
        "ended_early": early is not None,
        "rounds": _rounds_shown(office, number),
        "tournament": event.tournament.id,
        "steps": [each.as_json() for each in steps(today)],
        "roll": _roll_view(office, roll),
        "quotes": [
            str(quote) for quote in event.tournament.stated_quotes(("conduct.registration", "ending.round_times"))
        ],
        "seats": players.seats_in_games(event, round_games, number).as_json(),
        "told": is_told,
        "lots": [{"hash": lot.hash, "names": list(lot.people)} for lot in waiting],
        "notes": _drawn_notes(office, number),
        "prints": [_print_view(fact, number) for fact in prints],
        "boards": boards,
        "scan": scan,
        "trouble": office.trouble,
        "forms": today.forms,
        "strays": settle[None],
        "not_applied": office.to_correct(login),
        "size": len(event.board.start),
        "apart": _apart_in_words(event),
        "in_play": drawing.boards_in_play(event, number, live.games.values()),
        "sealed_by_rule": event.tournament.scoring.is_sealed,
        "open": players.standings_are_open(event),
        "settings": {name: getattr(event.details, name) for name in SETTINGS},
        "papers": list(PAPER_SIZES),
        "rules": {
            "tournament": event.details.tournament,
            "name": event.tournament.name,
            "code": event.details.code,
            "language": event.speech.code,
        },
    }


def _board_views(
    office: Office,
    login: Login,
    round_games: Iterable[Game],
    items: Iterable[tuple[str, QueueItem]],
    printed: Mapping[str, PrintAnew],
) -> list[dict[str, Any]]:
    """The boards of a round, each with its doubts and spot checks, and whether its sheets are printed.

    ``place`` is that of a board in the order in which the review asks; ``first`` is the board and phase of what is to
    be settled first there, which is an earlier phase where only a late sheet waits.
    """
    live, settle = office.live, office.to_settle(items)
    checks = Counter(item.turn.board for _, item in items if isinstance(item, Check))
    keyed = {item.board for _, item in items if isinstance(item, UnwrittenPhase)}
    asked = [
        (board_of_item(item), name, item)
        for name, item in items
        if not isinstance(item, Check) and not is_awaited(live, item)
    ]
    order = list(dict.fromkeys(board for board, _, _ in asked if board is not None))
    first = {board: " ".join(name.split()[:2]) for board, name, item in reversed(asked) if not isinstance(item, Ready)}
    return [
        _with_names(game, board_view(office, game, is_own=office.plays_on(login, game.name)))
        | {
            "on_paper": _name_on_paper(office.event.speech, game),
            "settle": settle[game.name],
            "first": first.get(game.name, game.name),
            "place": order.index(game.name) if game.name in order else None,
            "checks": checks[game.name],
            "printed": game.name in printed and not any(printed[game.name]),
            "anew": printed.get(game.name, NONE_ANEW)[0],
            "moved": printed.get(game.name, NONE_ANEW)[1],
            "files": _files_of(office, game, game.played[-1:]),
            **what_hangs_wrongly(office, game),
            "played": bool(game.played),
            "keyed": KEYED[game.position.phase.step] if game.name in keyed else "",
        }
        for game in round_games
    ]


def _name_on_paper(speech: Speech, game: Game) -> str:
    """What the sheets call a board, in the event's language."""
    name = speech.says("Round {round}  ·  Board {board}", round=game.seating.round, board=game.seating.board)
    return " ".join(name.split())


def _with_names(game: Game, board: dict[str, Any]) -> dict[str, Any]:
    """A board as its director sees it: who is missing, by name, and how it ended."""
    missing = set(board["missing"])
    absent = [
        each | {"player": game.seating.players[Power(each["power"].upper())]}
        for each in board["powers"]
        if each["power"] in missing
    ]
    return board | {"absent": absent, "ended": ended_in_words(game)}


def _roll_view(office: Office, roll: players.RollCall) -> dict[str, Any]:
    """The roster of a round, with each player's state in the roll call, and where he plays now."""
    going_on = [game for game in office.live.games.values() if not game.ending]
    sits: dict[str, list[list[str]]] = {}
    for game in going_on:
        for power, name in game.seating.players.items():
            sits.setdefault(name, []).append([game.name, str(power), str(game.position.phase)])
    more = {each.player.name: each.player for each in players.list_players(office.event)}
    said = office.say_here.get(roll.round, {})
    waiting = {
        name: said[name].device
        for name, called in sorted(roll.called.items(), key=lambda each: name_order(each[0]))
        if name in said and not said[name].is_refused and called not in (players.Called.HERE, players.Called.GONE)
    }
    going = {
        name
        for name, each in office.say_going.items()
        if not each.is_refused and roll.called.get(name, players.Called.GONE) is not players.Called.GONE
    }
    devices = Counter(each.device for each in said.values())
    return {
        "begun": roll.is_begun,
        "devices": [
            {"count": count, "names": [name for name in waiting if waiting[name] == device]}
            for device, count in devices.most_common()
            if count > 1 and device in waiting.values()
        ],
        "counts": {str(called): len(roll.those(called)) for called in players.Called},
        "players": [
            {
                "name": name,
                "called": str(called),
                "says_here": name in waiting,
                "says_going": name in going,
                "leaves": players.describe_leaving(office.event, name) if name in going else "",
                "left": more[name].left,
                "director": more[name].director,
                "club": more[name].club,
                "country": more[name].country,
                "told": ", ".join(
                    each for each in (more[name].club, more[name].country, roll.warnings.get(name, "")) if each
                ),
                "sits": sits.get(name, []),
            }
            for name, called in sorted(roll.called.items(), key=lambda each: name_order(each[0]))
        ],
    }


def _count_waiting_forms(office: Office) -> int:
    """How many forms wait for the director: to be looked at, or to be accepted."""
    forms, boards = forms_in(office.event), games(office.event)
    return sum(is_waiting(office.event, form, forms, boards) for form in forms.values())


def _drawn_notes(office: Office, number: int) -> list[str]:
    draws = [fact.said for fact in standing(office.event.facts, Seated) if fact.said.round == number]
    return [say_on_page(note) for note in draws[-1].notes] if draws else []


def _print_view(fact: Fact[SheetsPrinted], number: int) -> dict[str, Any]:
    sheets = [sheet for sheet in fact.said.sheets if sheet.round == number]
    phases = sorted({sheet.phase for sheet in sheets}, key=lambda phase: phase.sort_key)
    return {
        "url": f"/print/sheets/{fact.number}.pdf",
        "number": fact.number,
        "sheets": len(sheets),
        "boards": sorted({f"{number}.{sheet.board}" for sheet in sheets}),
        "phases": [] if fact.said.pads else [phase.in_words for phase in phases],
        "pads": bool(fact.said.pads),
        "at": fact.at,
    }


def printed_now(office: Office, round_games: Iterable[Game]) -> dict[str, PrintAnew]:
    """The boards whose sheets for their phase, or pads, are printed; with the powers that need new ones."""
    papers, event = office.live.papers, office.event
    sheets: dict[str, dict[Power, list[PrintedSheet]]] = {}
    open_games = {game.name: game for game in round_games}
    for sheet in papers.printed.values():
        turn, game = sheet.turn, open_games.get(sheet.turn.board)
        if game and (sheet.request.is_pad or turn.phase == game.position.phase):
            sheets.setdefault(turn.board, {}).setdefault(turn.power, []).append(sheet)
    to_print_anew = {}
    for board, of_power in sheets.items():
        game, seats, units = open_games[board], list[str](), list[str]()
        absent = {power.power for power in office.live.board(game) if power.state is SheetState.MISSING}
        for power in Power:
            good = [sheet for sheet in of_power.get(power, ()) if not papers.seats.is_of_old(sheet)]
            if power in of_power and not good:
                seats.append(power.title())
            elif power in absent and all(is_of_other_position(event, game, each) for each in good):
                units.append(power.title())
        to_print_anew[board] = (seats, units)
    return to_print_anew


def what_hangs_wrongly(office: Office, game: Game) -> dict[str, Any]:
    """The cards and maps of a board that are to be hung up instead of those that hang, and the phases that are gone."""
    outdated = find_outdated(office.event, game.name)
    phases = {*outdated.anew, *outdated.back}
    back = [phase.in_words for phase in outdated.back]
    files = _files_of(office, game, [played for played in game.played if played.phase in phases])
    return {
        "corrected": [each | {"back": each["phase"] in back} for each in files],
        "gone": [phase.in_words for phase in outdated.gone],
    }


def _apart_in_words(event: Event) -> str:
    """Whom the draw keeps apart under the event's rules; that two are of one club is no reason by itself."""
    wish = event.tournament.draw.families_apart
    named = sum(bool(player.keep_apart) for player in event.players)
    if wish.value is Wish.NO or not named:
        return f"Members of one club may meet; nobody is kept apart ({wish.source})."
    who = f"{write_count(named, 'player')} {'is' if named == 1 else 'are'}"
    rule = f"{wish.value.meaning}, {wish.source}" if wish.value is not Wish.ASK else "the draw asks you"
    return f"Members of one club may meet; {who} marked in the list as kept apart from somebody ({rule})."


def _files_of(office: Office, game: Game, phases: Iterable[Played]) -> list[dict[str, str]]:
    """Where the card and the map of each phase are; an empty address where one is missing."""
    files = []
    for played in phases:
        names = {what: f"{game.name}-{played.phase}-{what}.pdf" for what in ("card", "map")}
        there = {what: f"/out/{name}" if (office.event.out / name).is_file() else "" for what, name in names.items()}
        files.append({"phase": played.phase.in_words} | there)
    return files


def _scan_view(office: Office, reading: UploadReader) -> dict[str, Any]:
    """What came in and what of it is read, in files; and the folder that is watched."""
    facts = office.event.facts
    came = {fact.said.sha256 for fact in facts.select(ScanReceived)}
    unread = waiting_scans(office.event)
    waiting, shas = [fact.said.name for fact in unread], {fact.said.sha256 for fact in unread}
    watched = reading.watched
    return {
        "came": len(came),
        "unread": len(waiting),
        "pages": sum(fact.said.sha256 in shas for fact in facts.select(PageRead)) if waiting else 0,
        "waiting": waiting[:SHOWN_WAITING],
        "watching": str(watched.folder) if watched else "",
        "before": "" if watched else kept_watched(office.event.folder.resolve()),
        "folders": watched.folders() if watched else 0,
        "gone": watched.fault if watched else "",
        "failed": reading.failed,
        "told": list(reading.latest),
    }
