"""Make an event, from the command and from the page alike."""

import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from pipeline.board import MAPS
from pipeline.desk.event.apart import keep_pairs_apart
from pipeline.desk.event.event import FILE_BACK, MAKER, holds_decisions
from pipeline.desk.event.event_file import (
    CODE,
    CODE_LETTERS,
    CODE_WANTED,
    Details,
    rules_fingerprints,
    settings_in,
    write_event_file,
)
from pipeline.draw.list_as_read import ReadRoster
from pipeline.draw.roster import Player, assign_numbers
from pipeline.ledger.events import PlayersNumbered
from pipeline.ledger.facts import FACTS, Clock
from pipeline.ledger.files import write_refused, write_whole
from pipeline.ledger.ledger import Ledger
from pipeline.paper.sheet import PAPER_SIZES
from pipeline.printable import unprintable
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules.load import load_tournament
from pipeline.rules.rules_check import check_rules
from pipeline.small_files import decode_text, fault_in_file_name, read_named
from pipeline.words.speech import languages


def make_event(folder: Path, wanted: Details, roster: ReadRoster, clock: Clock) -> tuple[str, tuple[Problem, ...]]:
    """Make the event's folder with its first facts, or stop with what is wrong; of own rules with every fault.

    Defaults: the folder's name, a random code, the rules' map. Returns the event's code, and warnings: letters that
    cannot be printed, doubts about the roster.
    """
    if wanted.tournament.endswith(".toml"):
        _check_own_rules(Path(wanted.tournament))
    rules = load_tournament(wanted.tournament)
    details = replace(
        wanted,
        name=wanted.name or folder.resolve().name,
        code=wanted.code or "".join(secrets.choice(CODE_LETTERS) for _ in range(4)),
        map_name=wanted.map_name or rules.map,
    )
    players, apart = keep_pairs_apart(roster.players)
    make_event_folder(folder, details, players, clock)
    from pipeline.paper.lettering import unprintable_names  # noqa: PLC0415 - only here is ReportLab needed

    letters = unprintable_names(player.name for player in roster.players)
    return details.code, (*roster.problems, *apart, *letters)


def _check_own_rules(path: Path) -> None:
    """Stop with every fault that ``rules --check`` finds in a rules file, each with its line."""
    if not path.is_file():
        return  # `load_tournament` reports it
    try:
        text = decode_text(read_named(path))
    except (OSError, UnicodeDecodeError):
        return  # `load_tournament` reports it
    checked = check_rules(text, path)
    faults = checked.faults
    if checked.tournament:
        from pipeline.workbook.write import unwritable  # noqa: PLC0415 - only for rules of one's own

        faults = (*faults, *unwritable(checked.tournament.scoring))
    if faults:
        raise Stopped([Problem(Weight.STOPS, str(fault), path.name) for fault in faults])


def make_event_folder(folder: Path, details: Details, players: Iterable[Player], clock: Clock) -> None:
    """Make the folder of an event; one that is already there is never touched.

    A rules file of the director's own is copied into the folder with the tables beside it, so that the folder is all
    there is. ``event.toml`` is written last: a folder without it and without decisions was left by a killed program,
    and is made anew.
    """
    if (folder / "event.toml").exists():
        raise stop("an event is already here; choose another folder", str(folder))
    if fault := unprintable(details.name):
        raise stop(f"the event's name holds {fault}", "--name")
    if not CODE.fullmatch(details.code):
        raise stop(f"{CODE_WANTED}; found {details.code!r}", "--code")
    for given, known in (
        (details.paper, tuple(PAPER_SIZES)),
        (details.map_name, tuple(MAPS)),
        (details.language, ("", *languages())),
    ):
        if given not in known:
            raise stop(f"expected one of {', '.join(filter(None, known))}, found {given!r}", "a new event")
    if fault := fault_in_file_name(Path(details.tournament).name):
        raise stop(f"the file's name {fault}; give it another", details.tournament)
    load_tournament(details.tournament)  # to report its faults now, not in the middle of the first round
    try:
        for inside in (folder, folder / "scans", folder / "out"):
            inside.mkdir(parents=True, exist_ok=True)
        _remove_begun(folder, clock)
        if details.tournament.endswith(".toml"):
            details = replace(details, tournament=_keep_rules(Path(details.tournament), folder))
        everybody = assign_numbers(tuple(players), {})
        file = write_event_file(details, everybody)
        with Ledger(folder / FACTS, clock) as facts:
            names = {str(player.number): player.name for player in everybody}
            settings = settings_in(file) | rules_fingerprints(folder, details.tournament)
            facts.write(PlayersNumbered(names=names, settings=settings), MAKER)
        write_whole(folder / "event.toml", file.encode())
    except OSError as error:
        mend = "see who may write there, or choose another folder"
        raise write_refused(error, str(folder), "cannot make the event folder", mend) from error


def _remove_begun(folder: Path, clock: Clock) -> None:
    """Delete the facts of an unfinished event; stop if the event was complete."""
    if holds_decisions(folder, clock):
        raise stop(f"{FILE_BACK}, or choose another folder", str(folder))
    for left in folder.glob(f"{FACTS}*"):
        left.unlink()


def _keep_rules(rules: Path, folder: Path) -> str:
    """Copy a rules file and the abbreviation tables beside it, and name the copy relative to the event's folder."""
    kept = folder / "rules"
    kept.mkdir(exist_ok=True)
    if rules.resolve().parent == kept.resolve():
        return f"rules/{rules.name}"  # they are there already
    shutil.copyfile(rules, kept / rules.name)
    tables = rules.parent / "abbreviations"
    if tables.is_dir():
        shutil.copytree(tables, kept / "abbreviations", dirs_exist_ok=True)
    return f"rules/{rules.name}"
