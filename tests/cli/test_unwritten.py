"""A command that cannot write its file notes nothing in the event: nothing is called printed that was not written."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from commands import run
from desk.cup import clock, seated
from facts_as_kept import read_facts
from sampled import slow_after

from pipeline.cli import group
from pipeline.desk.event.event import open_event

READ = {"--watch", "--from-xlsx", "--roster", "--set", "--bring", "--from"}  # options that name what is read
WRITING = {  # by command and option, how it is said with everything else that it wants
    "sheets -o": ("sheets", "CUP", "--round", "1", "-o", "FILE.pdf"),
    "sheets --layout": ("sheets", "CUP", "--round", "1", "-o", "sheets.pdf", "--layout", "FILE.json"),
    "review --xlsx": ("review", "CUP", "--xlsx", "FILE.xlsx", "--by", "Tess"),
    "standings -o": ("standings", "CUP", "--final", "--why", "all went home", "--by", "Tess", "-o", "FILE.xlsx"),
    "doctor --report": ("doctor", "CUP", "--report", "FILE.zip"),
    "seats -o": ("seats", "CUP", "--round", "1", "--tell", "--by", "Tess", "-o", "FILE.pdf"),
    "forms -o": ("forms", "CUP", "vote", "-o", "FILE.pdf"),
    "forms --layout": ("forms", "CUP", "vote", "-o", "forms.pdf", "--layout", "FILE.json"),
    "signs -o": ("signs", "CUP", "badges", "-o", "FILE.pdf"),
    "rulings -o": ("rulings", "CUP", "-o", "FILE.html"),
    "hands --keep": ("hands", "CUP", "--keep", "FILE.hands", "--by", "Tess"),
    "export -o": ("export", "CUP", "-o", "FILE.site"),
}


def options_that_write() -> Iterator[str]:
    """Every option of a command on an event by which it writes a file, with its command."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        params = command.params if command else []
        if any(param.name == "event" for param in params):
            for param in params:
                if isinstance(param, click.Option) and isinstance(param.type, click.Path) and param.opts[0] not in READ:
                    yield f"{name} {param.opts[0]}"


def test_every_command_that_writes_a_file_is_tried_here() -> None:
    assert set(options_that_write()) == set(WRITING)


PLACES = ("file/", "none/", "")  # a file where a folder is wanted; no folder; a folder of that name

FOLDERS = ("hands --keep", "export -o")  # these write a folder, which they make


@pytest.mark.parametrize(
    ("what", "place"),
    slow_after(
        len(WRITING),
        [(what, place) for place in PLACES for what in WRITING if place == PLACES[0] or what not in FOLDERS],
    ),
)
def test_what_cannot_be_written_is_noted_nowhere(
    what: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = seated(tmp_path / "cup")
    monkeypatch.chdir(tmp_path)
    if "--final" in WRITING[what]:
        run("end", cup, "--board", "1.1", "--how", "time", "--why", "the hall closes", "--by", "Tess")
        run("enter", cup, "early-end", "--why", "the hall closes", "--by", "Tess")
    before = facts(cup)
    words = [each.replace("CUP", str(cup)) for each in WRITING[what]]
    name = next(each for each in words if each.startswith("FILE"))
    (tmp_path / "file").write_bytes(b"")
    if not place:
        Path(name).mkdir()
    said = CliRunner().invoke(group, [place + each if each == name else each for each in words])
    assert said.exit_code, said.output
    assert facts(cup) == before
    run(*(f"here-{each}" if each == name else each for each in words))  # it was the place alone


def facts(folder: Path) -> list[str]:
    with open_event(folder, clock) as event:
        return [fact.kind for fact in read_facts(event.facts)]
