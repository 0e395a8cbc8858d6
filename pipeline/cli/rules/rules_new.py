"""``ordersheets rules --new``: ask a dozen questions, write the rules file, and look it through."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from pipeline.cli.rules.rules_check import show_check
from pipeline.ledger.files.disk import keep_file
from pipeline.problems import Stopped, stop
from pipeline.rules.load import load_systems, own_questions
from pipeline.rules.new_rules import NewRulesAnswers, RulesQuestion, questions, rules_text

Command = TypeVar("Command", bound=Callable[..., Any])
HELP = "?"
MOST_LISTED = 8  # words that are shown beside a question


def answered(command: Command) -> Command:
    """Take an option for every question, and ``--yes``."""
    command = click.option("--yes", is_flag=True, help="With --new: ask nothing, take what is offered.")(command)
    for question in reversed(questions({}, ())):
        option = f"--{question.key.replace('_', '-')}"
        command = click.option(option, question.key, metavar="ANSWER", help=f"With --new: {question.text}")(command)
    return command


def make_rules(path: Path, given: Mapping[str, str | bool | None]) -> None:
    """Write a new rules file; nothing that is there is written over."""
    if path.suffix != ".toml":
        raise stop(f"expected a name that ends in .toml, such as {path.name or 'mine'}.toml", str(path))
    if path.exists():
        raise stop("there is such a file already; give another name, or take it away first", str(path))
    silent = bool(given["yes"])
    answers = {question.key: answer(question, given.get(question.key), silent, path) for question in own_questions()}
    text = rules_text(NewRulesAnswers(**answers), own_questions())
    keep_file(path, text.encode(), "give a place where it can")
    click.echo(f"{path} is written.\n")
    show_check(path, as_json=False)
    click.echo(f"\nNext: ordersheets new EVENT --tournament {path} --roster players.csv")


def answer(question: RulesQuestion, given: str | bool | None, silent: bool, path: Path) -> str:
    """The answer to one question: the option's, the one that is offered, or what is typed."""
    offered = question.otherwise or offered_for(question.key, path)
    if isinstance(given, str):
        return meant(question, given.strip())
    if silent:
        return offered
    while True:
        typed = meant(question, str(click.prompt(prompt_of(question), default=offered or None, type=str)).strip())
        if typed == HELP:
            explain(question)
        elif fault := fault_of(question, typed):
            click.echo(f"  {fault}")
        else:
            return typed


def meant(question: RulesQuestion, typed: str) -> str:
    """The word for what was typed in another case, or begun; a system may be called by its name."""
    names = {word.casefold(): word for word in question.known}
    if question.key == "system":
        names |= {
            word.casefold(): system.id for system in load_systems().values() for word in (system.name, *system.also)
        }
    begun = {word for name, word in names.items() if typed and name.startswith(typed.casefold())}
    return names.get(typed.casefold()) or (begun.pop() if len(begun) == 1 else typed)


def offered_for(key: str, path: Path) -> str:
    """What is offered where it depends on the file: its name."""
    words = path.stem.replace("_", " ").replace("-", " ")
    return {"name": words.title(), "short": words.upper().replace(" ", "")[:8]}.get(key, "")


def prompt_of(question: RulesQuestion) -> str:
    """The question, with the words to choose from where they are few."""
    few = f" ({', '.join(question.known)})" if 0 < len(question.known) <= MOST_LISTED else ""
    return f"{question.text}{few}"


def explain(question: RulesQuestion) -> None:
    """Show what there is to choose from."""
    if question.key == "system":
        for system in load_systems().values():
            click.echo(f"  {system.id:<26} {system.name}: it rewards {system.rewards}")
        click.echo("  'ordersheets rules --list' tells how each works; docs/scoring-systems.md has pictures")
    else:
        click.echo(f"  {', '.join(question.known) or 'any answer'}")


def fault_of(question: RulesQuestion, typed: str) -> str:
    """What is wrong with a typed answer to one question, as it will be told at the end; nothing where it is good."""
    others = {each.key: each.otherwise or "x" for each in own_questions()} | {"system": next(iter(load_systems()))}
    if question.key in ("counted", "final"):
        others["rounds"] = "20"  # how many there are is asked at the end, of all answers
    try:
        rules_text(NewRulesAnswers(**(others | {question.key: typed})), own_questions())
    except Stopped as stopped:
        return next((problem.text for problem in stopped.problems if problem.where == question.key), "")
    return ""
