"""``ordersheets rules``: show the switches of a tournament with their rules, check a rules file, or make one."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import Any, TypeVar

import click
from msgspec.structs import replace

from pipeline.ledger.files import keep_file
from pipeline.problems import ExitCode, Stopped, stop
from pipeline.rules import load, new_rules
from pipeline.rules.rules_check import SOLO, TYPICAL, CheckedRules, check_rules, lint, make_board, payments
from pipeline.rules.switches import Switch, write_value
from pipeline.rules.systems import SystemFile
from pipeline.rules.table import describe_fault
from pipeline.rules.tournament import Tournament
from pipeline.scoring.results import decimal
from pipeline.scoring.system import score_board
from pipeline.small_files import decode_text, read_named
from pipeline.words.speech import Choice, write_count

WIDTH = 118  # columns

# ``ordersheets rules --list``: the scoring systems that a rules file can take by their names.

ID = 26  # columns for a system's id


def _show_systems(*, as_json: bool) -> None:
    """Print all scoring systems, with what a board of 12-9-6-4-3-0-0 and a solo would pay."""
    systems = load.load_systems()
    if as_json:
        click.echo(json.dumps([_system_as_object(system) for system in systems.values()], ensure_ascii=False))
        return
    for system in systems.values():
        click.echo(f"{system.id:<{ID}} {system.name}{f' ({system.year})' if system.year else ''}")
        for line in wrap(system.summary, WIDTH - 4):
            click.echo(f"    {line}")
        click.echo(f"    12-9-6-4-3-0-0 pays {'  '.join(typical_payments(system, 2))}; a solo {solo_payment(system)}")
    click.echo(
        f"\n{write_count(len(systems), 'system')}; a rules file takes one by  "
        f'[scoring] system = "{next(iter(systems))}"'
    )


def typical_payments(system: SystemFile, most_decimals: int = 6) -> list[str]:
    return [decimal(game.score, most_decimals) for game in score_board(make_board(TYPICAL), system.system)]


def solo_payment(system: SystemFile) -> str:
    return decimal(max(game.score for game in score_board(make_board(SOLO), system.system)), 2)


def _system_as_object(system: SystemFile) -> dict[str, object]:
    return {
        "id": system.id,
        "name": system.name,
        "also": list(system.also),
        "summary": system.summary,
        "rewards": system.rewards,
        "year": system.year,
        "author": system.author,
        "played": system.played,
        "source": system.source,
        "why": system.why,
        "pays": typical_payments(system),
        "solo": solo_payment(system),
    }


# ``ordersheets rules --check``: every fault of a rules file with its line, and what some boards would pay.

WRONG = 2  # the exit code if the file has faults


def show_check(path: Path, *, as_json: bool) -> int:
    """Print the faults and notes of a rules file, and what some boards would pay; returns 2 if it has faults."""
    file = load.find_rules(path) if str(path) in load.tournament_ids() else path
    try:
        text = decode_text(read_named(file))
    except UnicodeDecodeError as error:
        raise stop(describe_fault(error), str(path)) from None
    except OSError as error:
        raise stop(f"cannot be read: {error.strerror}; check the name", str(path)) from None
    checked = check_rules(text, file)
    if checked.tournament:
        from pipeline.workbook.write import unwritable  # noqa: PLC0415 - only a file that can be read is tried

        checked = replace(checked, faults=(*checked.faults, *unwritable(checked.tournament.scoring)))
    if as_json:
        click.echo(json.dumps(_check_as_object(checked), ensure_ascii=False))
    else:
        _print_check(checked, file.name)
    return WRONG if checked.faults else 0


def _print_check(checked: CheckedRules, name: str) -> None:
    """Print a checked rules file for people: faults first, to standard error."""
    for fault in checked.faults:
        click.echo(f"{name}: {fault}", err=True)
    if checked.tournament is None:
        return
    rules = checked.tournament.scoring
    word = "no fault" if not checked.faults else f"{len(checked.faults)} to mend"
    rounds = write_count(rules.totals.rounds, "round") if rules.totals.rounds else "a league"
    click.echo(f"{checked.tournament.name}: {word}; {rounds} of {rules.system.name}")
    for title, centres, scores in payments(rules):
        widths = [max(len(str(owned)), len(score)) for owned, score in zip(centres, scores, strict=True)]
        for head, numbers in ((title, centres), ("pays", scores)):
            row = "  ".join(f"{number:>{width}}" for number, width in zip(numbers, widths, strict=True))
            click.echo(f"  {head:<16} {row}")
    for note in checked.notes:
        click.echo(f"note: {note}")


def _check_as_object(checked: CheckedRules) -> dict[str, object]:
    rules = checked.tournament.scoring if checked.tournament else None
    return {
        "faults": [{"line": fault.line, "path": fault.path, "text": fault.text} for fault in checked.faults],
        "notes": list(checked.notes),
        "pays": [
            {"board": title, "centers": list(centres), "scores": list(scores)}
            for title, centres, scores in (payments(rules) if rules else ())
        ],
    }


# ``ordersheets rules --new``: ask fifteen questions, write the rules file, and check it.

T = TypeVar("T", bound=Callable[..., Any])

HELP = "?"
MOST_LISTED = 8  # words that are shown beside a question


def _with_question_options(command: T) -> T:
    """Take an option for every question, and ``--yes``."""
    command = click.option("--yes", is_flag=True, help="With --new: ask nothing, take what is offered.")(command)
    for question in reversed(new_rules.rules_questions({}, ())):
        option = f"--{question.key.replace('_', '-')}"
        command = click.option(option, question.key, metavar="ANSWER", help=f"With --new: {question.text}")(command)
    return command


def _make_rules(path: Path, given: Mapping[str, str | bool | None]) -> None:
    """Write a new rules file; an existing file is never overwritten."""
    if path.suffix != ".toml":
        raise stop(f"expected a name that ends in .toml, such as {path.name or 'mine'}.toml", str(path))
    if path.exists():
        raise stop("there is such a file already; give another name, or take it away first", str(path))
    silent = bool(given["yes"])
    answers: dict[str, str] = {}
    for question in new_rules.own_questions():
        is_left_out = question.is_rare and answers.get("rare") != "yes"
        answers[question.key] = _answer(question, given.get(question.key), silent or is_left_out, path)
    text = new_rules.rules_text(new_rules.NewRulesAnswers(**answers), new_rules.own_questions())
    keep_file(path, text.encode(), "name a folder in which it can be written")
    click.echo(f"{path} is written.\n")
    show_check(path, as_json=False)
    click.echo(f"\nNext: ordersheets new EVENT --tournament {path} --roster players.csv")


def _answer(question: new_rules.RulesQuestion, given: str | bool | None, silent: bool, path: Path) -> str:
    """The answer to a question: given by its option, or the one that is offered (``silent``), or typed."""
    words = path.stem.replace("_", " ").replace("-", " ")
    named = {"name": words.title(), "short": words.upper().replace(" ", "")[:8]}
    offered = question.otherwise or named.get(question.key, "")
    if isinstance(given, str):
        return _match_answer(question, given.strip())
    if silent:
        return offered
    few = f" ({', '.join(question.known)})" if 0 < len(question.known) <= MOST_LISTED else ""
    while True:
        answer = click.prompt(f"{question.text}{few}", default=offered or None, type=str)
        typed = _match_answer(question, str(answer).strip())
        if typed == HELP:
            _explain_choices(question)
        elif fault := _answer_fault(question, typed):
            click.echo(f"  {fault}")
        else:
            return typed


def _match_answer(question: new_rules.RulesQuestion, typed: str) -> str:
    """The known word that alone begins with what was typed, in any case, or else that; a system's name gives its id."""
    names = {word.casefold(): word for word in question.known}
    if question.key == "system":
        names |= {
            word.casefold(): system.id
            for system in load.load_systems().values()
            for word in (system.name, *system.also)
        }
    begun = {word for name, word in names.items() if typed and name.startswith(typed.casefold())}
    return names.get(typed.casefold()) or (begun.pop() if len(begun) == 1 else typed)


def _explain_choices(question: new_rules.RulesQuestion) -> None:
    if question.key == "system":
        for system in load.load_systems().values():
            click.echo(f"  {system.id:<26} {system.name}: it rewards {system.rewards}")
        click.echo("  'ordersheets rules --list' tells how each works; docs/generated/scoring-systems.md has pictures")
    else:
        click.echo(f"  {', '.join(question.known) or 'any answer'}")


def _answer_fault(question: new_rules.RulesQuestion, typed: str) -> str:
    """Say what is wrong with the answer to a question; empty if it is valid."""
    valid = {own.key: own.otherwise or "x" for own in new_rules.own_questions()} | {
        "system": next(iter(load.load_systems()))
    }
    if question.key in ("counted", "final"):
        valid["rounds"] = "20"  # enough for any answer; the real number is checked at the end
    try:
        new_rules.rules_text(new_rules.NewRulesAnswers(**(valid | {question.key: typed})), new_rules.own_questions())
    except Stopped as stopped:
        return next((problem.text for problem in stopped.problems if problem.where == question.key), "")
    return ""


NAME, VALUE = 28, 22  # columns for a switch's name and its value


@click.command("rules")
@click.argument("tournament", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for scripts.")
@click.option("--open", "only_open", is_flag=True, help="Show only the switches on which the director will be asked.")
@click.option(
    "--lint",
    "only_lint",
    is_flag=True,
    help="Show only what is odd about its abbreviations; exit code 1 if anything odd is not accepted.",
)
@click.option("--check", "wants_check", is_flag=True, help="List all errors of a file with their lines.")
@click.option("--new", "wants_new", is_flag=True, help="Ask fifteen questions and write a rules file; see below.")
@click.option("--list", "wants_list", is_flag=True, help="List the scoring systems that a rules file can take.")
@_with_question_options
def rules_command(
    tournament: str | None,
    as_json: bool,
    only_open: bool,
    only_lint: bool,
    wants_check: bool,
    wants_new: bool,
    wants_list: bool,
    **given: str | bool | None,
) -> None:
    """Show the rules of a tournament: each switch, its value, and the rule that says so.

    TOURNAMENT is an id, or the path of a rules file; without it the known ids are listed. docs/rules-files.md explains
    how to write a rules file.

    With --new, TOURNAMENT is the file to write. Every question has an option; what is not given is asked (the rarer
    questions only if you want them), or, with --yes, takes the answer that is offered.
    """
    if wants_list:
        _show_systems(as_json=as_json)
    elif wants_new:
        _make_rules(_require_file(tournament, "--new"), given)
    elif wants_check:
        sys.exit(show_check(_require_file(tournament, "--check"), as_json=as_json))
    elif tournament is None:
        for known in load.tournament_ids():
            click.echo(f"{known:<14} {load.load_tournament(known).name}")
    else:
        _show_rules(tournament, as_json=as_json, only_open=only_open, only_lint=only_lint)


def _require_file(tournament: str | None, option: str) -> Path:
    if tournament is None:
        raise stop("name the file, such as mine.toml", option)
    return Path(tournament)


def _show_rules(tournament: str, *, as_json: bool, only_open: bool, only_lint: bool) -> None:
    """Print the switches of one tournament, or what is odd about its words."""
    rules = load.load_tournament(tournament)
    if only_lint:
        sys.exit(_show_lint(rules))
    shown = [switch for switch in rules.switches() if switch.setting.asks or not only_open]
    if as_json:
        click.echo(json.dumps(_rules_as_object(rules, shown), ensure_ascii=False))
    else:
        click.echo("\n".join(_as_lines(rules, shown)))


def _show_lint(rules: Tournament) -> ExitCode:
    """Print the notes on a tournament's table; returns 1 if one is not accepted."""
    notes = lint(rules)
    for note in notes:
        click.echo(str(note))
    unaccepted = [note for note in notes if not note.accepted]
    if not unaccepted:
        click.echo(f"{rules.abbreviations.id}: nothing odd" if not notes else f"{rules.abbreviations.id}: all accepted")
    return ExitCode.WITH_FAULTS if unaccepted else ExitCode.DONE


def _as_lines(rules: Tournament, shown: list[Switch]) -> Iterator[str]:
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
            yield from _lines_of(switch, section)
    asks = sum(switch.setting.asks for switch in shown)
    yield ""
    yield f"{write_count(len(shown), 'switch', 'switches')}; the director is asked on {asks} of them"


def _lines_of(switch: Switch, section: str) -> Iterator[str]:
    """Write one switch: its value and source, then what it is about."""
    name = switch.path.removeprefix(f"{section}.")
    yield f"  {name:<{NAME}} {write_value(switch.setting.value):<{VALUE}} {switch.setting.source}".rstrip()
    about = f"{switch.question}: {switch.meaning}" if switch.meaning else switch.question
    if isinstance(switch.setting.otherwise, Choice):
        about = f"{about}; or, if the rule is read in the other way, {switch.setting.otherwise.meaning}"
    why = f"({switch.setting.why})" if switch.setting.why else ""
    for line in wrap(f"{about} {why}".strip(), WIDTH - 6):
        yield f"      {line}"


def _rules_as_object(rules: Tournament, shown: list[Switch]) -> dict[str, Any]:
    table = rules.abbreviations
    return {
        "id": rules.id,
        "short": rules.short,
        "name": rules.name,
        "source": rules.source,
        "rounds": None if rules.is_league else rules.rounds,
        "switches": [
            {
                "path": switch.path,
                "catalogue": switch.rows,
                "question": switch.question,
                "value": _as_json_value(switch.setting.value),
                "meaning": switch.meaning,
                "rule": switch.setting.rule,
                "why": switch.setting.why,
                "otherwise": _as_json_value(switch.setting.otherwise),
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


def _as_json_value(value: Any) -> Any:
    """Turn a value into what JSON can hold; fractions stay exact, as text."""
    match value:
        case Fraction():
            return int(value) if value.denominator == 1 else str(value)
        case tuple() | list():
            return [_as_json_value(each) for each in value]
        case str():
            return str(value)
        case _:
            return value
