"""The methods of dataclasses are compiled once and kept; without what is kept everything is the same, only later."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, replace
from importlib.util import MAGIC_NUMBER
from pathlib import Path

import pytest

from pipeline.kept_methods import DIGEST, KeptMethods, _sum_of

TOLD = """
import builtins, dataclasses
compiled = []
real = compile
def noted(text, name, *more, **named):
    compiled.append(text) if name == "<string>" else None
    return real(text, name, *more, **named)
import pipeline.kept_methods as kept
kept.compile = noted
from pipeline.orders import Move
print(len(compiled), dataclasses.exec.__self__.path)
"""
TEXT = "def __create_fn__():\n def f(): return 7\n return f"


def told(tmp_path: Path, **more: str) -> tuple[int, Path]:
    """How many texts a program compiles that keeps what it compiles in a folder of its own, and where it does."""
    environment = os.environ | {"PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": ""} | more
    done = subprocess.run([sys.executable, "-c", TOLD], env=environment, capture_output=True, text=True, check=True)
    count, path = done.stdout.split(maxsplit=1)
    assert done.stderr == ""
    return int(count), Path(path.strip())


def seven(kept: KeptMethods) -> int:
    """What the text makes."""
    found: dict[str, Callable[[], Callable[[], int]]] = {}
    kept.run(TEXT, {}, found)
    return found["__create_fn__"]()()


def test_a_second_start_compiles_nothing(tmp_path: Path) -> None:
    first, path = told(tmp_path)
    assert first > 10
    assert path.is_file()
    assert told(tmp_path) == (0, path)


def test_where_python_is_told_to_keep_nothing_nothing_is_kept(tmp_path: Path) -> None:
    first, path = told(tmp_path, PYTHONDONTWRITEBYTECODE="1")
    assert first > 10
    assert not path.exists()


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def changed(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:-9] + b"\0" + whole[-8:])


def of_another_python(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:DIGEST] + bytes(len(MAGIC_NUMBER)) + whole[DIGEST + len(MAGIC_NUMBER) :])


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("spoil", [Path.unlink, emptied, cut, changed, of_another_python, a_folder])
def test_a_file_that_is_not_as_it_was_written_is_as_good_as_none(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    first, path = told(tmp_path)
    spoil(path)
    assert told(tmp_path) == (first, path)
    assert told(tmp_path)[0] == (first if path.is_dir() else 0)


def test_what_is_kept_is_what_was_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "new" / "kept"
    first = KeptMethods(path)
    assert seven(first) == 7
    first.keep()
    again = KeptMethods(path)
    assert seven(again) == 7
    assert not again.new
    assert path.read_bytes()[:DIGEST] == _sum_of(path.read_bytes()[DIGEST + len(MAGIC_NUMBER) :])


def test_a_dataclass_is_as_it_always_was() -> None:
    @dataclass(frozen=True, slots=True, order=True)
    class Pair:
        left: int
        right: str = "r"

    one = Pair(1)
    assert (repr(one).rpartition(".")[2], one == Pair(1, "r"), hash(one) == hash(Pair(1)), one < Pair(2)) == (
        "Pair(left=1, right='r')",
        True,
        True,
        True,
    )
    assert replace(one, right="s").right == "s"
    with pytest.raises(FrozenInstanceError):
        one.left = 2  # type: ignore[misc]
