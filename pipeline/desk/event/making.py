"""Make an event, from the command and from the page alike."""

import secrets
from dataclasses import dataclass
from pathlib import Path

from pipeline.desk.event.event import CODE_LETTERS, Details, new_event
from pipeline.draw.players.roster import Player
from pipeline.ledger.facts import Clock
from pipeline.problems import Problem, Weight
from pipeline.rules.load import load_tournament
from pipeline.rules.scoring.fit import misfits
from pipeline.rules.tournament import Tournament

Roster = tuple[tuple[Player, ...], tuple[Problem, ...]]  # the players, and what is worth a note about the list


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedEvent:
    """What the director says of a new event; what he does not say has a default."""

    tournament: str  # a name in templates/rules, or the path of a rules file
    name: str = ""  # the folder's
    code: str = ""  # drawn by lot
    paper: str = "A4"
    map_name: str = ""  # the rules'
    language: str = ""  # of what players see; nothing: the rules'


@dataclass(frozen=True, slots=True)
class Made:
    """An event that was made."""

    details: Details
    notes: tuple[Problem, ...]


def make_event(folder: Path, wanted: WantedEvent, roster: Roster, clock: Clock) -> Made:
    """Make the folder with its first facts, or stop with what stands against it."""
    players, notes = roster
    rules = load_tournament(wanted.tournament)
    details = Details(
        name=wanted.name or folder.resolve().name,
        code=wanted.code or "".join(secrets.choice(CODE_LETTERS) for _ in range(4)),
        tournament=wanted.tournament,
        paper=wanted.paper,
        map_name=wanted.map_name or rules.map,
        language=wanted.language,
    )
    new_event(folder, details, players, clock)
    return Made(details, (*notes, *strange(rules)))


def strange(rules: Tournament) -> tuple[Problem, ...]:
    """What is well written in the rules and cannot work; the event is made all the same."""
    return tuple(Problem(Weight.NOTES, text, f"rules {where}") for where, text in misfits(rules.scoring))
