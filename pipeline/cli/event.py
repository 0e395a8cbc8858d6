"""``ordersheets new``, ``players``, ``restore``, ``backup`` and ``desk``: events as a whole, and their players."""

import os
import secrets
import sys
import webbrowser
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from pipeline.board import MAPS
from pipeline.cli import common
from pipeline.desk import backups
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event
from pipeline.desk.event.settings import note_if_changed
from pipeline.desk.new_name import check_new_name
from pipeline.desk.players import (
    ListedPlayer,
    add_player,
    leaving_in_words,
    leaving_warning,
    list_players,
    mark_left,
    rename,
)
from pipeline.desk.roster_file import read_roster_file
from pipeline.draw.list_as_read import RosterChoices
from pipeline.draw.list_headings import MEANINGS
from pipeline.draw.roster_list import MOST_ROWS
from pipeline.ledger.copies import Copy, Mended, is_whole
from pipeline.ledger.files import keep_event, kept_name, local_time, now, steady
from pipeline.ledger.restoring import Restored
from pipeline.paper.sheet import PAPER_SIZES
from pipeline.problems import ExitCode, Stopped, stop
from pipeline.words.speech import languages, write_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.web.connections import ListeningSocket


@click.command("new")
@click.argument("event", metavar="EVENT", type=click.Path(path_type=Path))
@click.option(
    "--tournament",
    required=True,
    help="Whose rules: nzdc1999, weaselmoot, edc2023, edc1996, wdc2008, or your own rules file.",
)
@click.option(
    "--roster",
    required=True,
    type=click.Path(path_type=Path),
    help="The players: a list of Excel, LibreOffice or text.",
)
@click.option("--column", "columns", multiple=True, metavar="HEADING=MEANING", help="What a column of the list means.")
@click.option("--merge", "merged", multiple=True, metavar="NAME", help="All entries of this name are one person.")
@click.option("--both", multiple=True, metavar="NAME", help="This name and similar ones are different people.")
@click.option(
    "--row",
    "rows",
    multiple=True,
    metavar="ROW[=NAME]",
    help="Who stands in a row that is asked about; once more for a second player in it.",
)
@click.option("--encoding", default="", help="How a text file was saved, such as cp1250.  [default: found out]")
@click.option("--sheet", "sheets", multiple=True, metavar="TITLE", help="A sheet of the workbook that is to be read.")
@click.option("--name", help="The event's name, printed on every sheet.  [default: the folder's name]")
@click.option(
    "--code",
    help="Four capitals or digits, without I, O, 0 and 1, on every sheet of this event.  [default: drawn by lot]",
)
@click.option("--paper", type=click.Choice(list(PAPER_SIZES), case_sensitive=False), default="A4", show_default=True)
@click.option("--map", "map_name", type=click.Choice(list(MAPS)), help="The map.  [default: the rules']")
@click.option(
    "--language", type=click.Choice(languages()), help="The language of what players see.  [default: the rules']"
)
def new_command(
    event: Path,
    tournament: str,
    roster: Path,
    columns: tuple[str, ...],
    merged: tuple[str, ...],
    both: tuple[str, ...],
    rows: tuple[str, ...],
    encoding: str,
    sheets: tuple[str, ...],
    name: str | None,
    code: str | None,
    paper: str,
    map_name: str | None,
    language: str | None,
) -> None:
    """Make an event: a folder with event.toml, event.db, scans/ and out/."""
    choices = RosterChoices(
        columns=dict(_read_column_choice(text) for text in columns),
        merged=merged,
        both=both,
        rows=_read_row_choices(rows),
        encoding=encoding,
        sheets=sheets,
    )
    listed = read_roster_file(roster, choices)
    wanted = Details(
        tournament=tournament,
        name=name or "",
        code=code or "",
        paper=paper.upper(),
        map_name=map_name or "",
        language=language or "",
    )
    made_code, notes = make_event(event, wanted, listed, now)
    keep_event(event)
    common.print_problems(notes)
    click.echo(
        f"{event}: {write_count(len(listed.players), 'player')} under {tournament}; sheets carry the code {made_code}"
    )


def _read_column_choice(text: str) -> tuple[str, str]:
    """Read 'HEADING=MEANING': which roster column a heading means; without MEANING the data is kept and not used."""
    heading, sign, meaning = text.rpartition("=")
    if not sign or meaning not in ("", *MEANINGS):
        raise stop(f"expected HEADING=MEANING with one of {', '.join(MEANINGS)}, found {text[:60]!r}", "--column")
    return heading.strip(), meaning


def _read_row_choices(texts: Iterable[str]) -> dict[str, str | tuple[str, ...] | None]:
    """Read all that is said of rows; a row with two names or more has so many players."""
    choices: dict[str, str | tuple[str, ...] | None] = {}
    for row, name in (choice for text in texts for choice in _read_row_choice(text)):
        before = choices.get(row)
        both = (*((before,) if isinstance(before, str) else before), name) if before and name else name
        choices[row] = both
    return choices


def _read_row_choice(text: str) -> Iterator[tuple[str, str | None]]:
    """Read 'ROW', 'ROW=NAME' or 'ROW=': who stands in a row, or in each of the rows '4-9'; None as it stands."""
    row, sign, name = (part.strip() for part in text.partition("="))
    first, dash, last = row.partition("-")
    if not dash or not first.isdecimal() or not last.isdecimal():
        yield row, name if sign else None
        return
    if name:
        raise stop(f"one name for several rows: {text[:60]!r}; give each row its own", "--row")
    for number in range(int(first), min(int(last), MOST_ROWS) + 1):
        yield str(number), "" if sign else None


# ``ordersheets players``: list the players; rename one, add one, mark one as gone home or back.


@click.command("players")
@common.on_event
@click.option("--rename", "renamed", nargs=2, metavar="OLD NEW", help="Correct a name.")
@click.option("--add", "added", metavar="NAME", help="Add a late-comer.")
@click.option("--club", default="", help="Of the added player.")
@click.option("--country", default="", help="Of the added player.")
@click.option("--team", default="", help="Of the added player.")
@click.option("--distance", "distance_km", type=click.IntRange(0), help="Kilometres from home, of the added player.")
@click.option("--sure", is_flag=True, help="The added player is called so, although it looks like no name.")
@click.option("--left", "gone", multiple=True, metavar="NAME", help="Has gone home, and is not drawn any more.")
@click.option("--back", "returned", multiple=True, metavar="NAME", help="Is back.")
@common.with_by_option
@click.option("--why", default="", help="Your reason, kept with the decision.")
@common.with_json_option
def players_command(
    event: Path,
    renamed: tuple[str, str] | None,
    added: str | None,
    club: str,
    country: str,
    team: str,
    distance_km: int | None,
    sure: bool,
    gone: tuple[str, ...],
    returned: tuple[str, ...],
    by: str,
    why: str,
    wants_json: bool,
) -> None:
    """List the players with their numbers, or change the list: late-comers, names, who has left."""
    details = {"club": club, "country": country, "team": team, "distance_km": distance_km}
    if sum((bool(renamed), bool(added), bool(gone), bool(returned))) > 1:
        raise stop("one thing at a time: --rename, --add, --left or --back", str(event))
    if not added and any(value not in ("", None) for value in details.values()):
        raise stop("--club, --country, --team and --distance are of a player who is added with --add", str(event))
    with common.open_for_command(event) as the_event:
        if renamed:
            fact = rename(the_event, *renamed, by=by, why=why)
            click.echo(f"{renamed[0]} is now {fact.said.name}, number {fact.number} in the journal")
        elif added:
            if not sure:
                check_new_name(added)
            new = add_player(the_event, added, details, by=by, why=why)
            click.echo(f"{new.said.player.name} is player {new.said.player.number}, number {new.number} in the journal")
        elif gone or returned:
            for said in map(leaving_in_words, mark_left(the_event, gone or returned, left=bool(gone), by=by, why=why)):
                click.echo(said)
            for warning in (leaving_warning(the_event, name) for name in gone):
                click.echo(warning, nl=bool(warning), err=True)
        else:
            _print_players(the_event, wants_json=wants_json)


def _print_players(event: Event, *, wants_json: bool) -> None:
    listed = list_players(event)
    if wants_json:
        common.print_json([each.as_json() for each in listed])
        return
    for each in listed:
        click.echo(_describe_player(each))
    common.print_problems(event.people.roster_problems)


def _describe_player(listed: ListedPlayer) -> str:
    player = listed.player
    more = [player.club, player.country, player.team]
    more += [f"{player.distance_km} km"] if player.distance_km is not None else []
    more += [f"once {' and '.join(listed.former_names)}"] if listed.former_names else []
    more += ["has left"] if player.left else []
    words = "  ".join(word for word in (*more, ", ".join(listed.boards)) if word)
    return f"{player.number:>4}  {player.name:<24}  {words}".rstrip()


# ``ordersheets restore``: make an event again from one of its copies.


@click.command("restore")
@common.on_event
@click.option("--from", "place", type=click.Path(path_type=Path), help="Where the copies are, such as a stick.")
@click.option(
    "--copy", "wanted", metavar="NAME", help=f"Restore this one; '{backups.NEWEST}': the newest. Without: list them."
)
@click.option(
    "--replace", "replaces", is_flag=True, help="Replace the event that is there; the old folder is kept beside it."
)
@click.option("--without-damaged", is_flag=True, help="Restore without the scans that are damaged or missing.")
@common.with_by_option
@common.with_json_option
def restore_command(
    event: Path,
    place: Path | None,
    wanted: str | None,
    replaces: bool,
    without_damaged: bool,
    by: str,
    wants_json: bool,
) -> None:
    """List the copies of EVENT (whose folder may be lost); with --copy restore one into the folder EVENT.

    The scans are restored, too. A folder that holds something is replaced only with --replace, and is then kept beside
    the new one.
    """
    if wanted is None:
        _print_copies(event, place, wants_json)
        return
    copy = backups.choose_copy(event, place, wanted)
    done, first_serial, problems = backups.restore_copy(
        copy, event, by, now, replaces=replaces, without_damaged=without_damaged
    )
    common.print_problems(problems)
    with common.open_for_command(event, makes_files=True):  # at its end a copy is made if one is due
        pass
    if wants_json:
        kept = str(done.kept) if done.kept else None
        more = {"kept": kept, "unknown_scans": list(done.unknown), "first_serial": first_serial, "is_new": done.is_new}
        common.print_json(_copy_json(copy) | more | {"missing_scans": [scan.name for scan in done.missing]})
        return
    _print_restored(event, copy, done, first_serial)


def _print_copies(event: Path, place: Path | None, wants_json: bool) -> None:
    """List the copies; exit code 1 where there is none."""
    copies = backups.list_restorable_copies(event, place)
    common.print_problems(backups.unrestorable_copies(event, place))
    if wants_json:
        common.print_json([_copy_json(copy) | {"is_whole": is_whole(copy)} for copy in copies])
    for copy in () if wants_json else copies:
        at, damaged = local_time(copy.at), "" if is_whole(copy) else "  DAMAGED: take another one"
        entries = write_count(copy.tip.facts, "entry", "entries")
        click.echo(f"{copy.folder.name}  {at}  {entries}  {copy.name}  ({copy.place}){damaged}")
    if not copies:
        click.echo(f"no copy is in {' or '.join(map(str, backups.places_of(event, place)))}", err=True)
        raise SystemExit(ExitCode.WITH_FAULTS)
    if not wants_json:
        newest = f"--copy {backups.NEWEST} from the newest"
        click.echo(f"ordersheets restore {quote(str(event))} --copy NAME makes the event from one of them, {newest}")


def _copy_json(copy: Copy) -> dict[str, object]:
    return {
        "copy": copy.folder.name,
        "event": copy.name,
        "code": copy.code,
        "at": copy.at,
        "facts": copy.tip.facts,
        "place": str(copy.place),
    }


def _print_restored(event: Path, copy: Copy, done: Restored, first_serial: int) -> None:
    """Say what was restored, what is missing, and which sheets the copy does not know."""
    click.echo(
        f"{event}: {copy.name}, {write_count(copy.tip.facts, 'entry', 'entries')} as of {local_time(copy.at)}"
        if done.is_new
        else f"{event}: is restored"
    )
    if done.kept:
        click.echo(f"what was there is kept in {done.kept}")
    if done.missing:
        click.echo(
            f"missing, or not what came in: {write_count(len(done.missing), 'scan')}; "
            "'ordersheets check' names them, too"
        )
        for scan in done.missing:
            click.echo(f"  {scan.came_as}  {event}/scans/{scan.name}")
    if done.unknown:
        click.echo(
            f"came later: {write_count(len(done.unknown), 'scan')} in {event}/scans; to take them in: "
            f"ordersheets scan {quote(str(event))} …"
        )
        for name in done.unknown:
            click.echo(f"  {event}/scans/{name}")
    last = first_serial - 1
    click.echo(
        f"sheets are numbered from {first_serial} on; sheets up to {last} that the other machine printed after "
        "this copy are unknown here: they come in as unidentified, and do not count until their lines are typed"
    )
    click.echo("from now on use this event only: what another machine still writes does not come here")


# ``ordersheets backup``: a copy of the event, now.

LONGEST_S = 600.0  # longest time for a copy: a stick may be slow


@click.command("backup")
@common.on_event
def backup_command(event: Path) -> None:
    """Copy the event beside its folder, and to the second place that event.toml names; exit code 4 if that fails.

    All scans in both places are verified, and damaged ones are copied anew.
    Copies are also made automatically: after each publication or print-out, and every few minutes of decisions.
    """
    with open_event(event, now) as the_event:
        common.print_problems(backups.warn_of_newer_copies(the_event))
        note_if_changed(the_event)  # so that an edit of event.toml and its journal line are in the copy
        problems = backups.back_up(the_event, LONGEST_S, verifies_all=True)
        state = backups.backup_status(the_event)
    common.print_problems(problems)
    if state["copy"] is not None:  # there is one, this one or an earlier one
        click.echo(f"the newest copy, made at {local_time(state['at'])}: {state['place']}/{state['copy']}")
    if state["second"] is not None and state["second"]["at"]:
        click.echo(f"in the second place, made at {local_time(state['second']['at'])}: {state['second']['place']}")
    has_failed = not all(isinstance(problem, Mended) for problem in problems)
    raise SystemExit(ExitCode.MACHINE_LACKS if has_failed else ExitCode.DONE)


# ``ordersheets desk``, and ``ordersheets`` without arguments: the whole event in the browser.

PORT = 8040  # or any that is free, where it is taken


@click.command("desk")
@common.on_event_if_named
@click.option("--port", type=click.IntRange(0, 65535), help="[default: 8040, or any that is free]")
@click.option("--lan", is_flag=True, help="Let other machines in this room log in, each with a PIN.")
@click.option("--tls", is_flag=True, help="With --lan, and an event named: encrypt the pages.")
@click.option("--address", metavar="IP", help="With --lan: the address to show, of several that this machine has.")
@click.option(
    "--desk",
    "helpers",
    multiple=True,
    metavar="NAME:ROLE",
    help="Somebody else who may log in, with a role; see review.",
)
@click.option("--by", help="Your name, kept with decisions.  [default: the name you gave before]")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def desk_command(
    event: Path | None,
    port: int | None,
    lan: bool,
    tls: bool,
    address: str | None,
    helpers: tuple[str, ...],
    by: str | None,
    no_browser: bool,
) -> None:
    """Run the event in the browser: choose one or make one, then a page for each round. Also: ordersheets alone."""
    from pipeline.web.server import serve  # noqa: PLC0415 - loaded where it is used
    from pipeline.web.start_page import open_switcher  # noqa: PLC0415 - loaded where it is used

    network = common.NetworkOptions(PORT if port is None else port, lan, tls, address).check()
    if tls and event is None:
        raise stop("say which event as well: the certificate is kept in its folder", "--tls")
    # the name is asked for in the browser: nobody looks at the terminal
    name = (by or "").strip() or kept_name() or common.account_name()
    addresses, guests = network.addresses(), common.make_guests(name, lan, helpers)
    key = secrets.token_urlsafe(24)
    with (
        closing(_listening(network, may_move=port is None)) as listener,
        open_switcher(
            guests, key, steady, is_lan=lan, folder=event, alerts=common.at_terminal(), pen=_fill_in
        ) as pages,
    ):
        opened = pages.switcher.opened
        certificate = common.certificate_of(opened.office.event, addresses) if tls and opened else None
        link = common.print_log_in_addresses(
            pages.switcher.logins, listener, addresses, certificate, opened.office.event if opened else None
        )
        if not no_browser and _has_screen():
            webbrowser.open(link)
        serve(pages, pages.switcher.logins, listener, certificate)


def _fill_in(event: Event, board: str, folder: Path) -> "Sequence[Path]":
    """The pen of a practice event; the simulation is loaded when somebody practises."""
    from pipeline.rehearsal.practice import fill_in  # noqa: PLC0415

    return fill_in(event, board, folder)


def _listening(network: common.NetworkOptions, *, may_move: bool) -> "ListeningSocket":
    """Take the port, or any that is free where it is taken and nobody asked for it."""
    from pipeline.web.server import listen  # noqa: PLC0415 - help needs no web server

    try:
        return listen(network.port, is_lan=network.is_lan)
    except Stopped as stopped:
        if not may_move or stopped.code is not ExitCode.MACHINE_LACKS:
            raise
        return listen(0, is_lan=network.is_lan)  # another event is open at 8040


def _has_screen() -> bool:
    """Whether a graphical browser can be opened: a browser inside the terminal would hide our output."""
    return sys.platform in ("win32", "darwin") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ))
