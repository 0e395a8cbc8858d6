"""``review --tty`` at a real terminal: a key counts at once, and only keys that do something are named."""

import os
import pty
import re
import select
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from desk.cup import clock, hand_in, inked, seated, spring

from cli.sheets.test_terminal import cup, ruled
from cli.test_day import run
from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.sheets.printing import print_round
from pipeline.ink import Tier
from pipeline.paper.sheet_rows import Design

__all__ = ["cup"]


class AtTerminal:
    """The command with a keyboard and a screen of its own."""

    def __init__(self, folder: Path) -> None:
        self.mine, its = pty.openpty()
        command = [sys.executable, "-m", "pipeline", "review", str(folder), "--tty", "--by", "Tess"]
        self.process = subprocess.Popen(command, stdin=its, stdout=its, stderr=its)
        os.close(its)
        self.said = ""

    def until(self, wanted: str) -> None:
        """Read until this is on the screen."""
        while wanted not in self.said:
            assert select.select([self.mine], [], [], 60)[0], self.said
            self.said += os.read(self.mine, 4096).decode()

    def press(self, keys: str) -> None:
        """Press keys when the program waits for one, and not for a line."""
        while termios.tcgetattr(self.mine)[3] & termios.ICANON:
            assert self.process.poll() is None, self.said
        self.type(keys)

    def type(self, keys: str) -> None:
        """Type."""
        os.write(self.mine, keys.encode())


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
def test_a_key_counts_at_once_and_the_ink_is_typed_behind_t(cup: Path) -> None:
    at = AtTerminal(cup)
    at.until("Q quit")
    at.press("t")
    at.until("what is written:")
    at.type("A Vie - Gal\r")
    at.until("nothing waits any more")
    assert at.process.wait(60) == 0
    os.close(at.mine)
    assert ruled(cup) == ["A Vie - Gal"]


def test_only_keys_that_do_something_are_named(cup: Path) -> None:
    told = run(["review", str(cup), "--tty"], typed="q\n")
    named = re.findall(r"^  (.*Q quit)$", told, re.MULTILINE)
    assert len(named) == 1
    assert not re.search(r"\bEnter\b|\bN no orders\b|\bU undo\b", named[0]), "no rule, no sheet, nothing to undo"
    assert "T what is written" in named[0]


def test_a_digit_takes_the_ink_where_no_order_fits_it(tmp_path: Path) -> None:
    with open_event(seated(tmp_path / "cup"), clock) as event:
        print_round(event, 1, None, None, 0, Design.LINE)
        hand_in(event, spring(Power.AUSTRIA), [inked(1, "A War - Gal", Tier.ASKED)])
    told = run(["review", str(tmp_path / "cup"), "--tty"], typed="1\nq\n")
    assert "1  “A War - Gal”" in told
    assert ruled(tmp_path / "cup") == ["A War - Gal"], "what is written is ruled, and no order"


def test_before_anything_is_in_the_status_says_so(tmp_path: Path) -> None:
    assert re.search(r"board 1.1 .* 0 of 7 in$", run(["status", str(seated(tmp_path / "new"))]), re.MULTILINE)
