"""``ordersheets rules``: every switch of a tournament, with the rule it comes from."""

import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import Any

import click

from pipeline.cli.rules.rules_check import show_check
from pipeline.cli.rules.rules_gallery import gallery_page
from pipeline.cli.rules.rules_list import show_systems
from pipeline.cli.rules.rules_new import answered, make_rules
from pipeline.cli.rules.rules_table import page
from pipeline.cli.rules.rules_words import words_page
from pipeline.problems import ExitCode, stop
from pipeline.rules.lint import lint
from pipeline.rules.load import load_tournament, tournament_ids
from pipeline.rules.toml.setting import Choice, Switch, in_words
from pipeline.rules.tournament import Tournament

IN_ORDER = ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")  # as in docs/five-tournaments.md
WIDTH = 118  # columns
NAME, VALUE = 28, 22  # columns for a switch's name and its value


@click.command("rules")
@click.argument("tournament", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for scripts.")
@click.option("--open", "only_open", is_flag=True, help="Show only the switches on which the director will be asked.")
@click.option("--lint", "only_lint", is_flag=True, help="Show only what is odd about its words; exit 1 if anything is.")
@click.option("--check", "wants_check", is_flag=True, help="Tell all faults of a file with their lines.")
@click.option("--new", "wants_new", is_flag=True, help="Ask a dozen questions and write a rules file; see below.")
@click.option("--list", "wants_list", is_flag=True, help="List the scoring systems that a rules file can take.")
@click.option("--table", "as_table", is_flag=True, help="Print all known tournaments side by side, in Markdown.")
@click.option("--words", "wants_words", is_flag=True, help="Print every key and word that is accepted, in Markdown.")
@click.option("--gallery", "wants_gallery", is_flag=True, help="Print the gallery of scoring systems, in Markdown.")
@answered
def command(
    tournament: str | None,
    as_json: bool,
    only_open: bool,
    only_lint: bool,
    wants_check: bool,
    wants_new: bool,
    wants_list: bool,
    as_table: bool,
    wants_words: bool,
    wants_gallery: bool,
    **given: str | bool | None,
) -> None:
    """Show the rules of a tournament: each switch, its value, and the rule that says so.

    TOURNAMENT is an id, or the path of a rules file; without it the known ids are listed. docs/rules-files.md explains
    how to write a rules file.

    With --new, TOURNAMENT is the file to write. Every question has an option; what is not given is asked, or, with
    --yes, takes the answer that is offered.
    """
    if wants_list:
        show_systems(as_json=as_json)
    elif wants_words:
        click.echo(words_page(), nl=False)
    elif wants_gallery:
        click.echo(gallery_page(), nl=False)
    elif wants_new:
        make_rules(needed(tournament, "--new"), given)
    elif wants_check:
        sys.exit(show_check(needed(tournament, "--check"), as_json=as_json))
    elif as_table:
        click.echo(page([load_tournament(known) for known in ([tournament] if tournament else IN_ORDER)]))
    elif tournament is None:
        for known in tournament_ids():
            click.echo(f"{known:<14} {load_tournament(known).name}")
    else:
        show_rules(tournament, as_json=as_json, only_open=only_open, only_lint=only_lint)


def needed(tournament: str | None, option: str) -> Path:
    """The file that an option is about."""
    if tournament is None:
        raise stop("name the file, such as mine.toml", option)
    return Path(tournament)


def show_rules(tournament: str, *, as_json: bool, only_open: bool, only_lint: bool) -> None:
    """Print the switches of one tournament, or what is odd about its words."""
    rules = load_tournament(tournament)
    if only_lint:
        sys.exit(show_lint(rules))
    shown = [switch for switch in rules.switches() if switch.setting.asks or not only_open]
    if as_json:
        click.echo(json.dumps(as_object(rules, shown), ensure_ascii=False))
    else:
        click.echo("\n".join(as_lines(rules, shown)))


def show_lint(rules: Tournament) -> ExitCode:
    """Print the notes on a tournament's table; 1 if there is one that nobody has accepted."""
    notes = lint(rules)
    for note in notes:
        click.echo(str(note))
    unread = [note for note in notes if not note.accepted]
    if not unread:
        click.echo(f"{rules.abbreviations.id}: nothing odd" if not notes else f"{rules.abbreviations.id}: all accepted")
    return ExitCode.WITH_FAULTS if unread else ExitCode.DONE


def as_lines(rules: Tournament, shown: list[Switch]) -> Iterator[str]:
    """Write switches for people, section by section."""
    yield f"{rules.name} ({rules.id}), quoted as {rules.short}"
    yield f"source: {rules.source}"
    yield f"abbreviations: {rules.abbreviations.name} ({rules.abbreviations.source})"
    initials = ", ".join(f"{word.upper()} {'/'.join(codes)}" for word, codes in rules.abbreviations.initials.items())
    yield from wrap(f"initials: {initials}", WIDTH, subsequent_indent="  ")
    for section, inside in groupby(shown, key=lambda switch: switch.path.split(".")[0]):
        yield ""
        yield f"[{section}]"
        for switch in inside:
            yield from lines_of(switch, section)
    asks = sum(switch.setting.asks for switch in shown)
    yield ""
    yield f"{len(shown)} switches; the director is asked on {asks} of them"


def lines_of(switch: Switch, section: str) -> Iterator[str]:
    """Write one switch: its value and source, then what it is about."""
    name = switch.path.removeprefix(f"{section}.")
    yield f"  {name:<{NAME}} {in_words(switch.setting.value):<{VALUE}} {switch.setting.source}".rstrip()
    about = f"{switch.question}: {switch.meaning}" if switch.meaning else switch.question
    if isinstance(switch.setting.otherwise, Choice):
        about = f"{about}; or, if the rule is read in the other way, {switch.setting.otherwise.meaning}"
    why = f"({switch.setting.why})" if switch.setting.why else ""
    for line in wrap(f"{about} {why}".strip(), WIDTH - 6):
        yield f"      {line}"


def as_object(rules: Tournament, shown: list[Switch]) -> dict[str, Any]:
    """Make the object that scripts get."""
    table = rules.abbreviations
    return {
        "id": rules.id,
        "short": rules.short,
        "name": rules.name,
        "source": rules.source,
        "rounds": rules.rounds,
        "switches": [
            {
                "path": switch.path,
                "catalogue": switch.rows,
                "question": switch.question,
                "value": plain(switch.setting.value),
                "meaning": switch.meaning,
                "rule": switch.setting.rule,
                "why": switch.setting.why,
                "otherwise": plain(switch.setting.otherwise),
                "asks": switch.setting.asks,
            }
            for switch in shown
        ],
        "abbreviations": {
            "id": table.id,
            "source": table.source,
            "words": {code: list(row.accepted) for code, row in table.rows.items()},
            "ambiguous": {word: list(codes) for word, codes in table.words.items() if len(codes) > 1},
            "initials": {word: list(codes) for word, codes in table.initials.items()},
        },
        "lint": [{"word": note.word, "text": note.text, "accepted": note.accepted} for note in lint(rules)],
    }


def plain(value: Any) -> Any:
    """Turn a value into what JSON can hold; fractions stay exact, as text."""
    match value:
        case Fraction():
            return int(value) if value.denominator == 1 else str(value)
        case tuple() | list():
            return [plain(each) for each in value]
        case str():
            return str(value)
        case _:
            return value
