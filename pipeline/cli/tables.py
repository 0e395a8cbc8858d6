"""Commands at the tables: ``roll``, ``seats``, ``position``, ``end``, ``vote``, ``enter`` and ``explain``."""

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from pipeline.board import Map, Position, Power
from pipeline.cli.common import on_event, open_for_command, print_json, with_by_option, with_json_option
from pipeline.cli.streams import unknown_fields
from pipeline.desk import players
from pipeline.desk.event.ending import end_game, option, overruled_by, undo_end, what_counts
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, check_plays, find_game, games
from pipeline.desk.event.note_values import YES, AskedValue, NoteField
from pipeline.desk.forms import votes
from pipeline.desk.publish.dutchmen import dutchmen, retreats_to_write, set_position, take_units_off
from pipeline.desk.publish.explain import explain_question
from pipeline.desk.results.early_end import describe_early_end
from pipeline.desk.results.note_kinds import KINDS, NoteKind
from pipeline.desk.results.notes import enter_note, entered_in_words, notes_in_force, replaced_since, take_note_back
from pipeline.desk.ruling.rulings import written_in_words
from pipeline.desk.void_sheets import sheets_after_seat_change
from pipeline.ledger.events import EventEndedEarly
from pipeline.ledger.files import keep_file, local_time
from pipeline.orders import read_position, write_position
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules.game_end import Moment
from pipeline.scoring.results import Ending
from pipeline.small_files import read_named

WORDS = {
    players.Called.HERE: "here",
    players.Called.LATER: "comes later",
    players.Called.AWAY: "away",
    players.Called.NOT_YET: "not called yet",
    players.Called.GONE: "has left",
}


@click.command("roll")
@on_event
@click.option("--round", "round_number", type=int, required=True)
@click.option("--here", multiple=True, metavar="NAME", help="Is here, and is drawn. Give it once for each.")
@click.option(
    "--later",
    multiple=True,
    metavar="NAME",
    help="Comes later: is not drawn before --here NAME.",
)
@click.option("--away", multiple=True, metavar="NAME", help="Does not play this round.")
@click.option(
    "--others", type=click.Choice([str(each) for each in players.SAID]), help="For everybody who was not called yet."
)
@with_by_option
@with_json_option
def roll_command(
    event: Path,
    round_number: int,
    here: tuple[str, ...],
    later: tuple[str, ...],
    away: tuple[str, ...],
    others: str | None,
    by: str,
    wants_json: bool,
) -> None:
    """Enter the roll call of a round, or show it; first names are enough where they are unique.

    A draw then seats those who are here. Without a roll call it seats everybody. The last entry for a player counts.
    Add somebody who is not on the list with players --add; mark somebody who goes home with players --left.
    """
    called = {players.Called.HERE: here, players.Called.LATER: later, players.Called.AWAY: away}
    with open_for_command(event) as the_event:
        if others or any(called.values()):
            of_others = players.Called(others) if others else None
            players.enter_roll_call(the_event, round_number, called, by=by, others=of_others)
        roll = players.read_roll_call(the_event, round_number)
        quotes = the_event.tournament.stated_quotes(("conduct.registration", "ending.round_times"))
        out = players.seats_in_games(the_event, games(the_event).values(), round_number).out
    if wants_json:
        print_json(roll.as_json())
    else:
        for state in players.Called:
            if names := roll.those(state):
                click.echo(f"{WORDS[state]:<15} {len(names):>3}  {', '.join(names)}")
        if out:
            click.echo(f"round {round_number} is drawn without a seat for: {', '.join(out)}")
        for name, warning in roll.warnings.items():
            click.echo(f"{name} {warning}")
        for quote in quotes:
            click.echo(str(quote))


# ``ordersheets seats``: who sits where, by board and by player; made public, or as a PDF to hang up.


@click.command("seats")
@on_event
@click.option("--round", "round_number", type=int, help="One round only.  [default: all that are drawn]")
@click.option("--tell", is_flag=True, help="Show the seats of --round on the screen and on telephones from now on.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="A PDF of --round to hang up.")
@with_by_option
@with_json_option
def seats_command(
    event: Path, round_number: int | None, tell: bool, output: Path | None, by: str, wants_json: bool
) -> None:
    """Say who sits where, and which rounds are public; with --tell, make a round public.

    A round's seats become public with its first published phase or entered game at the latest. A new draw must be made
    public again.
    """
    if round_number is None and (tell or output):
        raise stop("say which round", "--round")
    with open_for_command(event) as the_event:
        if round_number is not None:
            seating = players.seats_of(the_event, round_number)
            if output:
                from pipeline.desk.signs import seats_pdf  # noqa: PLC0415 - to show them needs no PDF

                keep_file(output, seats_pdf(the_event, seating))
            if tell:
                players.tell_seats(the_event, round_number, by)
        every = games(the_event)
        public_rounds = players.rounds_with_public_seats(the_event, every.values())
    wanted = [game for game in every.values() if round_number in (None, game.seating.round)]
    _print_seats(wanted, public_rounds, wants_json=wants_json)
    if wants_json:
        return
    if round_number is not None:
        seats = seating.by_player
        wide = max((len(name) for name, _, _ in seats), default=0)
        for name, board, power in seats:
            click.echo(f"{name:<{wide}}  board {board}  {power.title()}")
        if seating.out:
            click.echo(f"sit this round out: {', '.join(seating.out)}")
    if output:
        click.echo(f"{output}: the seats of round {round_number}, by board and by player")


def _print_seats(wanted: Sequence[Game], public_rounds: Container[int], *, wants_json: bool) -> None:
    """Print boards with their seats; ``public_rounds`` are those whose seats everybody may see."""
    if not (wanted or wants_json):
        click.echo("no round is drawn yet: use 'ordersheets draw'")
    for_scripts = []
    for game in wanted:
        number, seats = game.seating.round, {str(power): who for power, who in game.seating.players.items()}
        for_scripts.append({"board": game.name, "round": number, "seats": seats, "told": number in public_rounds})
        if not wants_json:
            click.echo(f"Board {game.name}{'' if number in public_rounds else ', not public yet'}")
            for power, player in game.seating.players.items():
                click.echo(f"  {power.title():8} {player or 'nobody'}")
    if wants_json:
        print_json(for_scripts)


# ``ordersheets position``: show a game, take one over in the middle, or take off what should not be there.


@click.command("position")
@on_event
@click.argument("board")
@click.option("--set", "file", type=click.Path(path_type=Path), help="JSON with phase, units, centers, dislodged.")
@click.option("--off", "units", multiple=True, metavar="UNIT", help="Take a unit off: 'F BRE'. Once for each.")
@with_by_option
@click.option("--why", default="", help="Your reason, needed where phases of a game that is played here are left out.")
@with_json_option
def position_command(
    event: Path, board: str, file: Path | None, units: tuple[str, ...], by: str, why: str, wants_json: bool
) -> None:
    """Show the position of BOARD, or set it by hand: a game taken over in the middle, a unit taken off."""
    if file is not None and units:
        raise stop("give --set or --off, not both", board)
    with open_for_command(event) as the_event:
        game = find_game(the_event, board)
        if file is not None or units:
            position = position_in(file, game.map) if file is not None else take_units_off(game.position, units)
            set_position(the_event, game, position, by, why)
            game = find_game(the_event, game.name)
        problems = list(dutchmen(the_event, game))
        if wants_json:
            listed = [{"where": problem.where, "text": problem.text} for problem in problems]
            print_json(
                {"board": game.name, "ended": game.ending} | write_position(game.position) | {"problems": listed}
            )
        else:
            click.echo(f"board {game.name}\n{game.position}")
            for problem in problems:
                click.echo(str(problem))


KNOWN = frozenset({"phase", "units", "centers", "dislodged", "board", "ended", "problems"})  # as --json writes it


def position_in(file: Path, board: Map) -> Position:
    """Read a position from a file, or stop with all that is wrong with it."""
    try:
        value = json.loads(read_named(file).decode("utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise stop(f"cannot be read as JSON: {error}", str(file)) from error
    if not isinstance(value, dict):
        raise stop("expected an object with phase, units, centers", str(file))
    if problems := unknown_fields(value, KNOWN):
        raise Stopped(problems)
    position = read_position(value, board)
    if problems := [
        Problem(
            Weight.STOPS, f"'retreats': missing; {retreats_to_write(board, position, each)}", f"dislodged[{number}]"
        )
        for number, each in enumerate(position.dislodged)
        if "retreats" not in value["dislodged"][number]
    ]:
        raise Stopped(problems)
    return position


# ``ordersheets end``: a game is over, or goes on after all.

HOW = {option(ending): ending for ending in Ending if ending is not Ending.UNSTATED}


@click.command("end")
@on_event
@click.option("--board", required=True)
@click.option("--how", type=click.Choice(list(HOW)), help="What ended it. If the rules exclude it, it is refused.")
@click.option("--undo", is_flag=True, help="The game is not over: undo its end.")
@with_by_option
@click.option("--why", default="", help="Your reason for overruling; shown with the standings.")
def end_command(event: Path, board: str, how: str | None, undo: bool, by: str, why: str) -> None:
    """Say that BOARD's game is over, and what ended it; or take that back.

    An end that the position, the phase or the rules exclude is refused with the rule (exit code 2); one that a director
    may overrule needs his reason in --why (3).
    """
    if (how is None) is not undo:
        raise stop("say --how it ended, or --undo", board)
    with open_for_command(event) as the_event:
        game = find_game(the_event, board)
        if how is None:
            fact = undo_end(the_event, game, by=by, why=why)
            click.echo(f"{game.name}: goes on with {game.position.phase.in_words}, number {fact.number} in the journal")
            return
        counted = what_counts(the_event, game, HOW[how])
        fact = end_game(the_event, game, HOW[how], by=by, why=why)
    click.echo(f"{game.name}: {HOW[how]}, number {fact.number} in the journal")
    if HOW[how] is not Ending.SOLO:
        click.echo(f"  counted    {counted}")
    for line in overruled_by(fact):
        click.echo(f"  overruled  {line}")


# ``ordersheets vote``: hold a draw vote, from the slips that were scanned or by a count.

SEVEN = click.IntRange(0, 7)


@click.command("vote")
@on_event
@click.option("--board", required=True)
@click.option("--asked-by", type=click.Choice([str(power) for power in Power], case_sensitive=False))
@click.option(
    "--moment",
    type=click.Choice([str(moment) for moment in Moment]),
    help="What the board is doing.  [default: as the open phase says]",
)
@click.option("--yes", type=SEVEN, help="Votes for the draw, where no slips were printed; with --no.")
@click.option("--no", type=SEVEN, help="Votes against it.")
@click.option("--absent", type=SEVEN, default=0, help="Players with a centre who are not there.")
@click.option("--gone", type=SEVEN, default=0, help="Players with a centre who have abandoned the game.")
@click.option(
    "--absent-votes", type=click.Choice(["yes", "no"]), help="How --absent and --gone vote, if the rules do not say."
)
@click.option("--all-agree", is_flag=True, help="Every surviving player agrees to vote, where the rules want that.")
@click.option("--vetoed", is_flag=True, help="Somebody objects openly: it is written down, and no slips are counted.")
@click.option("--stalemate", is_flag=True, help="The position is a stalemate, where the rules want that.")
@click.option("--ruled", is_flag=True, help="Allow the vote where the rules do not say whether it may be held.")
@click.option("--undo", is_flag=True, help="Undo the last vote of the board; a game that it ended goes on.")
@with_by_option
@click.option("--why", default="", help="Your reason, kept with the vote.")
def vote_command(
    event: Path,
    board: str,
    asked_by: str | None,
    moment: str | None,
    yes: int | None,
    no: int | None,
    absent: int,
    gone: int,
    absent_votes: str | None,
    all_agree: bool,
    vetoed: bool,
    stalemate: bool,
    ruled: bool,
    undo: bool,
    by: str,
    why: str,
) -> None:
    """Hold BOARD's draw vote and count it; a vote that is carried ends the game.

    The slips are those printed with 'forms EVENT vote' and scanned; --yes and --no count what was cast without them.
    """
    with open_for_command(event) as the_event:
        game = find_game(the_event, board)
        if undo:
            if yes is not None or no is not None or vetoed:
                raise stop("--undo takes the last vote back; give nothing about another vote with it", game.name)
            _undo_vote(the_event, game, by, why)
            return
        if vetoed and (yes is not None or no is not None):
            raise stop("after an open objection nothing is counted; give --vetoed, or --yes and --no", game.name)
        if asked_by is None:
            raise stop("say --asked-by which power asked for the vote", game.name)
        asking = votes.Asking(
            power=Power(asked_by.upper()),
            moment=Moment(moment) if moment else None,
            all_agree=all_agree,
            vetoed=vetoed,
            stalemate=stalemate,
        )
        check_plays(game, asking.power)
        says = votes.Says(ruled=ruled, for_absent=None if absent_votes is None else absent_votes == "yes", why=why)
        if vetoed:
            fact = votes.record_veto(the_event, game, asking, says, by=by)
        elif yes is not None or no is not None:
            count = votes.Count(yes or 0, no or 0, absent, gone)
            fact = votes.hold_counted(the_event, game, asking, count, says, by=by)
        else:
            fact = votes.vote_by_slips(the_event, game, asking, says, by=by, absent=absent, gone=gone)
    outcome = "carried: the game is over" if fact.said.carried else "not carried: the game goes on"
    if fact.said.vetoed:
        outcome = "objected to openly: the game goes on"
    click.echo(f"{game.name}: {outcome}; number {fact.number} in the journal")


def _undo_vote(event: Event, game: Game, by: str, why: str) -> None:
    fact = votes.undo_vote(event, game, by=by, why=why)
    now = find_game(event, game.name)
    state = f"the game stays over ({now.ending})" if now.ending else "the game goes on"
    click.echo(f"{game.name}: the vote is taken back, {state}; number {fact.number} in the journal")


# ``ordersheets enter``: what no sheet says: penalties, scores by ruling, newcomers, lots, results of other games.

MANY = (AskedValue.PLAYERS, AskedValue.POWERS, AskedValue.ROUNDS)  # these take any number of words
ENTERED_BEFORE = "; this was entered before: if it happened again, give another reason in --why"
LINES = {"years": "--year", "players": "--player"}  # one option a line


@click.group("enter")
@on_event
@click.pass_context
def enter_command(context: click.Context, event: Path) -> None:
    """Enter what no sheet says, such as a penalty; list it; undo it."""
    context.obj = event


def _parameter(field: NoteField) -> click.Parameter:
    """Make a field's argument if it is required, else its option; fields of lines and of yes or no are options."""
    if field.asked is AskedValue.LINES:
        help_ = f"{field.label}, {field.help}; once for each."
        return click.Option([LINES[field.name], field.name], multiple=True, required=field.needed, help=help_)
    if field.words == YES:
        return click.Option(
            [f"--{field.name}"], is_flag=True, help=f"{field.label}{f', {field.help}' * bool(field.help)}."
        )
    if field.needed:
        return click.Argument([field.name], nargs=-1 if field.asked in MANY else 1, required=True)
    return click.Option([f"--{field.name}"], default="", help=field.help or field.label)


def _make_enter_command(kind: NoteKind) -> click.Command:

    def run(by: str, why: str, wants_json: bool, **typed: Any) -> None:
        event = click.get_current_context().obj
        with open_for_command(event) as the_event:
            newest = the_event.facts.last_number()
            fact = enter_note(the_event, kind.word, dict(_as_typed(typed)), by=by, why=why)
            follows = describe_early_end(the_event) if isinstance(fact.said, EventEndedEarly) else ()
            paper = (*sheets_after_seat_change(the_event, fact), *follows)
            entered, replaced = entered_in_words(the_event, fact, newest), replaced_since(the_event, fact.number)
        if wants_json:
            told = {"number": fact.number, "kind": fact.said.KIND, "new": fact.number > newest}
            print_json(told | {"replaces": list(replaced), "paper": list(paper)})
            return
        click.echo(f"{kind.word}: {entered}{ENTERED_BEFORE if fact.number <= newest else ''}")
        for line in paper:
            click.echo(line)

    why_help = "Your reason, shown beside the note." + (" Needed." if kind.needs_why else "")
    needed = [field for field in kind.fields if field.needed]
    made = click.Command(
        kind.word,
        params=[_parameter(field) for field in kind.fields],
        callback=run,
        short_help=kind.title,
        help=f"{kind.title} ({kind.rules}). {' '.join(map(_describe_argument, needed))}",
    )
    return with_by_option(with_json_option(click.option("--why", default="", help=why_help)(made)))


def _as_typed(typed: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The arguments and options as the fields of the page Notes: flags as words, tuples as lists."""
    for name, value in typed.items():
        if isinstance(value, bool):
            yield name, YES[0] if value else ""
        else:
            yield name, list(value) if isinstance(value, tuple) else value


def _describe_argument(field: NoteField) -> str:
    words = f": {', '.join(field.words)}" if field.words else f", {field.help}" if field.help else ""
    return f"{field.name.upper()}: {field.label}{words}." if field.asked is not AskedValue.LINES else ""


for each in KINDS.values():
    enter_command.add_command(_make_enter_command(each))


@enter_command.command("list")
@with_json_option
@click.pass_obj
def list_entries_command(event: Path, wants_json: bool) -> None:
    """List all entries that count; those that a newer one replaced stand in the journal."""
    with open_for_command(event) as the_event:
        entries = notes_in_force(the_event)
    if wants_json:
        print_json([note.as_json() for note in entries])
        return
    for note in entries:
        why = f"  ({note.why})" if note.why else ""
        click.echo(f"{note.fact.number:>4}  {local_time(note.fact.at)}  {note.fact.by}  {note.words}{why}")


@enter_command.command("undo")
@click.argument("number", type=int)
@with_by_option
@click.option("--why", default="", help="Your reason, kept with the decision.")
@click.pass_obj
def undo_entry_command(event: Path, number: int, by: str, why: str) -> None:
    """Undo the entry with this NUMBER; 'list' shows the numbers."""
    with open_for_command(event) as the_event:
        newest = the_event.facts.last_number()
        fact = take_note_back(the_event, number, by=by, why=why)
    click.echo(f"number {number} of the journal is taken back: {written_in_words((fact,), newest)}")


# ``ordersheets explain``: from an outcome back to the ink.


@click.command("explain")
@on_event
@click.argument("question")
def explain_command(event: Path, question: str) -> None:
    """Explain an order or a place in the standings. QUESTION: "1 S1902M A MUN", a name or a cell (Orders!E12)."""
    with open_for_command(event) as the_event:
        for line in explain_question(the_event, question):
            click.echo(line)
