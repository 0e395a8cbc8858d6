"""Objects in, answers out: what is no object is refused in its place, and whatever follows it is answered."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pipeline.cli import group
from pipeline.cli.score import score_command
from pipeline.cli.streams import answer_each
from pipeline.problems import Stopped

ENDLESS = Path("/dev/zero")
GOOD = {"id": "good", "boards": [{"name": "A", "of": [1, 2]}, {"name": "}]"}]}
LINE, SPREAD, FLAT = (json.dumps(GOOD, indent=indent) for indent in (None, 2, 0))
BAD = {
    "cut off": LINE[:30],
    "cut off after a comma": '{"id": 1,',
    "one bracket too many": '{"id": [}',
    "one bracket too few": '{"id": {"a": 1}',
    "an open bracket": "[",
    "spread, with a word that is none": SPREAD.replace('"A"', "A"),
    "spread and cut off": SPREAD[:-3],
    "spread, its last line missing": SPREAD.rpartition("\n")[0],
    "words": "hello",
    "a quote that is not closed": '{"id": "a}',
    "a number that is none": '{"id": NaN}',
    "a key twice": '{"id": 1, "id": 2}',
    "a list": "[1, 2]",
    "bytes that are no text": '{"id": "\udcff"}',
}


def answers(text: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    answer_each(io.StringIO(text), lambda value: value, out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("good", [LINE, SPREAD, FLAT], ids=["in a line", "spread", "spread at the edge"])
@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_what_follows_a_bad_object_is_answered(bad: str, good: str) -> None:
    for text in (f"{bad}\n{good}\n{good}", f"{good}\n{bad}\n{good}"):
        found = answers(text)
        assert [one for one in found if "error" not in one] == [GOOD, GOOD]
        [refused] = [one for one in found if "error" in one]
        assert refused["where"] == f"object {found.index(refused) + 1}"


def test_objects_may_be_spread_over_lines_or_not_in_one_file() -> None:
    assert answers("\n".join([SPREAD, LINE, FLAT, "", LINE, SPREAD])) == [GOOD] * 5
    assert answers(f"\ufeff{SPREAD}\n{LINE}") == [GOOD] * 2, "as a Windows editor saves it"


def test_an_object_may_hold_others_that_begin_at_the_edge() -> None:
    text = '{"boards": [\n{"name": "A"},\n{"name": "B"}\n]}\n{"id": 2}'
    assert answers(text) == [{"boards": [{"name": "A"}, {"name": "B"}]}, {"id": 2}]


def test_a_file_that_is_not_all_utf_8_is_answered_but_for_the_object_with_the_byte() -> None:
    ran = CliRunner().invoke(score_command, ["-"], input=b'{"id": "\xff"}\n{"id": 2}\n')
    replies = [json.loads(line) for line in ran.output.splitlines()]
    assert ran.exit_code == 1
    assert [reply.get("id") for reply in replies] == [None, 2]
    assert "0xFF" in replies[0]["error"]
    assert "tournament" in replies[1]["where"]


@pytest.mark.skipif(not ENDLESS.exists(), reason="no device without end on this system")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("new", "cup", "--tournament", "weaselmoot", "--roster"), "this is no roster: it is larger than 20 MB"),
        (("rules", "--check"), "it is larger than 33 MB"),
        (("score",), "a line of more than 64 MB"),
    ],
)
def test_a_device_without_end_is_refused_before_it_fills_the_memory(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(group, [*words, str(ENDLESS)])
    assert isinstance(done.exception, Stopped | SystemExit)
    assert said in done.output + str(done.exception)
