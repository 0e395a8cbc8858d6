"""The pages of PDFs, drawn by a process of their own: a page on which that one ends is a page that cannot be read."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader, BufferedWriter
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

import numpy as np

from pipeline.problems import ExitCode, stop
from pipeline.reading.files.limits import Unreadable
from pipeline.reading.files.own_process import started
from pipeline.reading.files.picture import Grey, shrunk

ANSWERS_WITHIN_S = 60.0  # a scanner's page takes a tenth of a second, A4 at 1200 dpi in colour some seconds
MEMORY = 2 << 30  # bytes; A4 at 1200 dpi in colour takes 0.5 GB
MOST_IN_A_ROW = 10  # pages that cannot be read, before the rest of a file is given up: it may say that it has a million
MEND = "print the file again to PDF, or scan it to TIFF or PNG"
TOO_MUCH = f"takes too much time or memory, or ends the program that draws it; {MEND}"


@dataclass(frozen=True, slots=True)
class PdfPage:
    """One page of a PDF."""

    grey: Grey
    stated_mm: tuple[float, float]  # width and height as the file states them


class Opener:
    """The process that opens PDFs for this one, started with the first. Use it with ``with``, and from one thread."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.opened: Path | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def pages(self, path: Path) -> Iterator[PdfPage | Unreadable]:
        """Read the pages of a PDF one by one; `Unreadable` is raised where that is all there is to say of the file."""
        bad = 0
        for number in range(1, self.open(path) + 1):
            page = self.page(path, number)
            bad = bad + 1 if isinstance(page, Unreadable) else 0
            if bad > MOST_IN_A_ROW:
                text = f"page {number} and the {MOST_IN_A_ROW} before it cannot be read, and the rest was not tried"
                raise Unreadable(f"{text}; {MEND}")
            yield page

    def open(self, path: Path) -> int:
        """Open a file, and say how many pages it has."""
        self.opened = None
        answer = self.ask({"file": str(path)})
        if answer is None:
            raise Unreadable(f"opening the file {TOO_MUCH}")
        if "unreadable" in answer:
            raise Unreadable(answer["unreadable"])
        self.opened = path
        return int(answer["pages"])

    def page(self, path: Path, number: int) -> PdfPage | Unreadable:
        """Draw a page, 1..; the file is opened anew where the process ended on an earlier one."""
        if self.opened != path:
            self.open(path)
        answer = self.ask({"page": number})
        if answer is None:
            self.opened = None
            return Unreadable(f"the page {TOO_MUCH}")
        if "unreadable" in answer:
            return Unreadable(answer["unreadable"])
        width, height = answer["stated_mm"]
        return PdfPage(shrunk(answer["grey"]), (width, height))

    def ask(self, question: dict[str, Any]) -> dict[str, Any] | None:
        """Ask the process, which is started if there is none; None where it ends before it has answered."""
        if self.process is None:
            self.process = started_opener()
        questions, answers = cast(BufferedWriter, self.process.stdin), cast(BufferedReader, self.process.stdout)
        try:
            questions.write(json.dumps(question).encode() + b"\n")
            questions.flush()
            answer: dict[str, Any] = json.loads(answers.readline())
            if "stride" in answer:
                raw = np.empty((answer["height"], answer["stride"]), np.uint8)
                if answers.readinto(raw.data) < raw.nbytes:
                    raise EOFError
                answer["grey"] = to_grey(raw, answer["width"], answer["channels"])
        except (OSError, EOFError, ValueError):
            self.end()
            return None
        return answer

    def end(self) -> None:
        """End the process: it keeps nothing."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def started_opener() -> "subprocess.Popen[bytes]":
    """Start the process; without one no PDF is opened, but it is kept."""
    try:
        return started("pipeline.reading.files.pdf_opener", str(ANSWERS_WITHIN_S), str(MEMORY))
    except OSError as error:
        text = f"no process can be started to open PDFs: {error.strerror or error}; end other programs, then 'scan'"
        raise stop(text, "pdf", ExitCode.MACHINE_LACKS) from error


def to_grey(raw: Grey, width: int, channels: int) -> Grey:
    """Bring a bitmap of any of PDFium's formats to grey; its rows may be longer than the picture is wide."""
    rows = raw[:, : width * channels]
    if channels == 1:
        return rows
    blue, green, red = (rows[:, channel::channels].astype(np.uint16) for channel in range(3))
    grey: Grey = ((29 * blue + 150 * green + 77 * red) >> 8).astype(np.uint8)
    return grey
