"""Print board sheets, slips, ballots and entries; the facts `FormsPrinted` say what was printed."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, find_game, games, survivors
from pipeline.desk.forms.forms_in import BEFORE_NAME, NOBODY, OTHERS, ROSTER, WRITER
from pipeline.desk.sheets.printed import next_serial
from pipeline.draw.roster import Player
from pipeline.ledger.events import FormsPrinted
from pipeline.paper.form import FormKind, FormRequest, FormTemplate, Imposed, Item, Lists, impose, place_form
from pipeline.paper.load_form import read_form
from pipeline.paper.load_sheet import translate_template
from pipeline.paper.places_to_write import LETTERS, places_to_write
from pipeline.paper.printed_form import print_forms
from pipeline.paper.sheet import draw_token
from pipeline.paper.sheet_layout import PageLayout
from pipeline.printable import is_whole
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules.reading_rules import YesNo
from pipeline.small_files import data_folder

FIRST_YEAR = 1901
OF_A_BOARD = frozenset({FormKind.BOARD, FormKind.VOTE, FormKind.RATINGS})


class Wanted(Struct, frozen=True, kw_only=True):
    """What the director wants printed."""

    kind: FormKind
    board: str = ""  # for forms that are about a board
    copies: int = 1
    paper: str = ""  # nothing: the event's own
    players: tuple[str, ...] = ()  # writing samples of these alone, by number or name; nothing: of everybody
    named: bool = False  # vote slips with the power on them, where the rules are silent about secrecy


class PrintedForms(Struct, frozen=True):
    """A PDF of forms, and where everything is on it."""

    pdf: bytes
    pages: tuple[PageLayout, ...]  # one for each form
    imposed: Imposed

    def as_json(self) -> dict[str, Any]:
        """The layout as ``--layout`` writes it: fields from the form's own corner, which lies ``at_mm`` on the page."""
        return {
            "paper_mm": [self.imposed.width, self.imposed.height],
            "pages": [
                page.as_json() | {"at_mm": list(self.imposed.places[number % len(self.imposed.places)])}
                for number, page in enumerate(self.pages)
            ],
        }


def print_wanted(event: Event, wanted: Wanted) -> PrintedForms:
    """Print forms; their serials are written down before the paper exists."""
    name = f"{wanted.kind}.toml"
    text = translate_template((data_folder("templates/sheets/forms") / name).read_text("utf-8"), event.speech)
    template = read_form(text, name)
    imposed = impose(template, wanted.paper or event.details.paper)
    with event.facts.transaction():  # nobody else prints these serials meanwhile
        first, ask = next_serial(event), REQUESTS[wanted.kind]
        blanks = tuple(blank for game in _games_for(event, wanted) for blank in ask(event, game, wanted))
        requests = tuple(
            _check_list_fits(
                replace(blank, event=event.details.code, serial=serial, token=draw_token(event.random)), template
            )
            for serial, blank in enumerate(blanks * wanted.copies, start=first)
        )
        forms = tuple(replace(request, event="") for request in requests)
        event.facts.write(FormsPrinted(template=text, forms=forms), "printing")
    pages = tuple(
        place_form(request, template, 1 + number // len(imposed.places)) for number, request in enumerate(requests)
    )
    return PrintedForms(print_forms(requests, template, imposed), pages, imposed)


def _games_for(event: Event, wanted: Wanted) -> tuple[Game | None, ...]:
    """The games that forms are wanted for: one, all of the latest round, or none where a form is of no board."""
    if wanted.kind not in OF_A_BOARD:
        return (None,)
    if wanted.board:
        return (find_game(event, wanted.board),)
    all_games = games(event).values()
    latest = max((game.seating.round for game in all_games), default=0)
    return tuple(game for game in all_games if game.seating.round == latest) or (find_game(event, ""),)


def _check_list_fits(request: FormRequest, template: FormTemplate) -> FormRequest:
    """Refuse a list that the form has no room for."""
    for name, most in template.lists.items():
        length = len(request.lists[name])
        if length > most:
            text = f"the form has room for {most} {name}, and there are {length}; give it more room in its template"
            raise stop(text, f"form {request.kind} lists.{name}")
    return request


def _blank_request(event: Event, kind: FormKind, about: str, lists: Lists) -> FormRequest:
    """A form that has no serial yet."""
    return FormRequest(serial=0, kind=kind, title=event.details.name, about=about, lists=lists)


def _board_words(event: Event, game: Game) -> str:
    where = game.seating
    return event.speech.says("Round {round}  ·  Board {board}", round=where.round, board=where.board)


def _seat_items(event: Event, game: Game) -> tuple[Item, ...]:
    """The powers of a board, with who plays them."""
    players = game.seating.players
    return tuple(
        Item(str(power), f"{_heading_of(event, power)}{BEFORE_NAME}{players[power]}")
        for power in Power
        if power in players
    )


def _heading_of(event: Event, power: str) -> str:
    return event.speech.power(power).upper()


def _board_sheets(event: Event, game: Game | None, wanted: Wanted) -> tuple[FormRequest, ...]:
    """The board sheet of a board: a row for every year until its last, ten at most."""
    seated = _require_game(game)
    setting = event.tournament.last_year(is_final=seated.seating.is_final, pool=seated.seating.pool)
    last = setting.value or FIRST_YEAR + 9
    owners = [Item(str(power), event.speech.power(power)) for power in Power if power in seated.seating.players]
    lists = {
        "years": tuple(Item(str(year), str(year)) for year in range(FIRST_YEAR, min(last, FIRST_YEAR + 9) + 1)),
        "owners": (*owners, Item(NOBODY, event.speech.says("nobody"))),
        "seats": _seat_items(event, seated),
    }
    form = _blank_request(event, wanted.kind, _board_words(event, seated), lists)
    return (replace(form, board=seated.name),)


def _vote_slips(event: Event, game: Game | None, wanted: Wanted) -> tuple[FormRequest, ...]:
    """A slip for everybody who votes; nobody's name is on it where votes are secret."""
    seated = _require_game(game)
    secret = event.tournament.ending.vote.secret
    if wanted.named and secret.value is YesNo.YES:
        raise stop(f"votes are secret ({secret.source}); print the slips without --named", seated.name)
    phase = seated.position.phase
    form = _blank_request(
        event, wanted.kind, f"{_board_words(event, seated)}  ·  {event.speech.says(phase.in_words)}", {}
    )
    form = replace(form, board=seated.name, phase=str(phase))
    if wanted.named or secret.value is YesNo.NO:
        return tuple(
            replace(form, power=str(power), about=f"{form.about}  ·  {_heading_of(event, power)}")
            for power in survivors(seated)
        )
    return tuple(form for _ in survivors(seated))


def _ballot_requests(event: Event, game: Game | None, wanted: Wanted) -> tuple[FormRequest, ...]:
    """A ballot for every player, with everybody else on it."""
    seated = _require_game(game)
    if event.tournament.scoring.votes is None:
        raise stop("in this tournament players do not rate each other", event.tournament.id)
    seats = _seat_items(event, seated)
    return tuple(
        replace(
            _blank_request(
                event,
                wanted.kind,
                event.speech.says("{board}  ·  by {player}", board=_board_words(event, seated), player=seat.label),
                {OTHERS: tuple(other for other in seats if other != seat)},
            ),
            board=seated.name,
            power=seat.name,
        )
        for seat in seats
    )


def is_used(event: Event, kind: FormKind) -> bool:
    """Whether this tournament's rules know what a form is for; the others are refused when they are to be printed."""
    scoring = event.tournament.scoring
    wanted = {FormKind.RATINGS: scoring.votes, FormKind.TEAM: scoring.teams, FormKind.GAME: scoring.board_games}
    return kind not in wanted or wanted[kind] is not None


def _team_entries(event: Event, game: Game | None, wanted: Wanted) -> tuple[FormRequest, ...]:
    """A form for one team, with as many sections as a team has members."""
    rules = event.tournament.scoring.teams
    if rules is None:
        raise stop("this tournament has no teams", event.tournament.id)
    members = tuple(Item(str(number), f"{number}.") for number in range(1, rules.size + 1))
    return (
        _blank_request(
            event,
            wanted.kind,
            event.speech.says("Team tournament"),
            {"members": members, ROSTER: numbered_player_list(event)},
        ),
    )


def _score_sheets(event: Event, game: Game | None, wanted: Wanted) -> tuple[FormRequest, ...]:
    rules = event.tournament.scoring.board_games
    if rules is None:
        raise stop("this tournament has no board-games competition", event.tournament.id)
    lists = {
        "games": tuple(Item(game, game) for game in rules.weights),
        "players": tuple(Item(str(number), f"{number}.") for number in range(1, max(rules.points) + 1)),
        ROSTER: numbered_player_list(event),
    }
    return (_blank_request(event, wanted.kind, event.speech.says("Board games"), lists),)


def _writing_samples(event: Event, game: Game | None, wanted: Wanted) -> tuple[FormRequest, ...]:
    """A writing sample for every player, or for some: the letters, and places of this tournament's own table."""
    given = [event.people.find(int(who) if is_whole(who) else who) for who in wanted.players]
    if unknown := [who for who, player in zip(wanted.players, given, strict=True) if player is None]:
        text = "nobody of the roster is called so, or has this number"
        raise Stopped([Problem(Weight.STOPS, text, who) for who in unknown])
    chosen = [player for player in given if player is not None] if wanted.players else event.players
    places = places_to_write(event.tournament.abbreviations)
    lists = {
        "letters": tuple(Item(f"{letters[0]}-{letters[-1]}", letters) for letters in LETTERS),
        "places": tuple(Item(place, place) for place in places),
    }
    return tuple(
        _blank_request(event, wanted.kind, f"{player.number}  {player.name}", lists | {WRITER: (_item_of(player),)})
        for player in chosen
    )


REQUESTS: Mapping[FormKind, Callable[[Event, Game | None, Wanted], tuple[FormRequest, ...]]] = {
    FormKind.BOARD: _board_sheets,
    FormKind.VOTE: _vote_slips,
    FormKind.RATINGS: _ballot_requests,
    FormKind.TEAM: _team_entries,
    FormKind.GAME: _score_sheets,
    FormKind.SAMPLE: _writing_samples,
}


def _require_game(game: Game | None) -> Game:
    """Return the game that a form is about; a form of a board always has one, named or of the last round."""
    if game is None:
        raise stop("name the board that the form is about", "--board")
    return game


def numbered_player_list(event: Event) -> tuple[Item, ...]:
    """The players with their numbers, as the roster has them: the list to hang up, by which the forms are read, too."""
    return tuple(map(_item_of, event.players))


def _item_of(player: Player) -> Item:
    """A player as an item of a list: his number and his name."""
    return Item(str(player.number), player.name)
