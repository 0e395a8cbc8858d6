"""Make an event, from the command and from the page alike."""

import secrets
from pathlib import Path

from msgspec.structs import replace

from pipeline.desk.event.apart import keep_pairs_apart
from pipeline.desk.event.event import CODE_LETTERS, Details, new_event
from pipeline.draw.list_as_read import ReadRoster
from pipeline.ledger.facts import Clock
from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules.load import load_tournament
from pipeline.rules.rules_check import check_rules
from pipeline.rules.table import decode_text, read_named


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
    new_event(folder, details, players, clock)
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
