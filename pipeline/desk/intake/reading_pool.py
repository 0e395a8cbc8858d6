"""Pages read by several processes at once, and written down by one, in the order in which they came.

The process that writes the facts reads the first pages itself, because helpers take time to start. From then on pages
go to helpers; it reads one while each helper has two, and the page of a helper that died or did not answer. The number
of pages in memory is limited.
"""

import pickle
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec import Struct

from pipeline.desk.intake.watching import MOST_HELPERS, cores
from pipeline.logs import log_failure
from pipeline.problems import Stopped
from pipeline.processes import start_process
from pipeline.reading.pages import BadPage, PageImage
from pipeline.reading.recogniser import NotOpened, PageOutcome
from pipeline.reading.transcribe import SheetReader, failure_in_words

PAGES_BEFORE_HELPER = 4  # pages that are read before a helper is started: starting one takes as long as reading them
LARGE_BATCH = 8  # with so many pages announced, a helper is started at the second page
PAGES_PER_HELPER = 2  # pages handed to each helper, the one it reads and the next
MOST_LOST = 3  # helpers; when one more is lost, everything is read here
ANSWERS_WITHIN_S = 120.0  # a page takes half a second; a helper that takes this long hangs
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")  # the reader's matrices are small: threads wait for each other


Sha256 = str
PageTask = tuple[PageImage, Sha256, int]  # a page, its file, and the newest fact that the reading rests on


class LostHelper(Exception):
    """A helper that gave no answer."""


class Helpers:
    """The other processes that read for one event, started when there is enough to do. Use it with ``with``."""

    def __init__(self, folder: Path, count: int | None = None) -> None:
        self.folder = folder
        self.count = min(MOST_HELPERS, cores() - 1) if count is None else count
        self.seen = 0  # pages
        self.alone = PAGES_BEFORE_HELPER  # pages that are read before a helper is started
        self.lost = 0  # helpers
        self.closed = False
        self.pending: set[Future[PageOutcome]] = set()
        self.own = threading.local()  # each thread talks to one process
        self.processes: list[subprocess.Popen[bytes]] = []
        self.threads = ThreadPoolExecutor(max(1, self.count), "reading")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closed = True
        self.threads.shutdown(wait=False, cancel_futures=True)
        for process in self.processes:
            process.kill()  # it writes no facts, and its result is not needed any more
        self.threads.shutdown()
        for process in self.processes:
            process.communicate()

    def expect(self, pages: int) -> None:
        """Announce how many pages will come."""
        self.alone = 1 if pages >= LARGE_BATCH else PAGES_BEFORE_HELPER

    def submit(self, task: PageTask) -> Future[PageOutcome] | None:
        """Give a page to a helper; None if it should be read in this process."""
        self.seen += 1
        self.pending = {future for future in self.pending if not future.done()}
        if self.seen <= self.alone or self.lost > MOST_LOST or len(self.pending) >= PAGES_PER_HELPER * self.count:
            return None
        future = self.threads.submit(self.exchange, task)
        self.pending.add(future)
        return future

    def exchange(self, task: PageTask) -> PageOutcome:
        """Give the task to this thread's process and wait for its answer."""
        process: subprocess.Popen[bytes] | None = getattr(self.own, "process", None)
        if process is None:
            try:
                process = self.own.process = self.start()
            except OSError as error:  # no memory, no more processes allowed
                self.lost += 1
                raise LostHelper from error
        if self.closed:  # started while the others were ended
            process.kill()
        assert process.stdin is not None
        assert process.stdout is not None
        watch = threading.Timer(ANSWERS_WITHIN_S, process.kill)
        watch.start()
        try:
            pickle.dump(task, process.stdin, pickle.HIGHEST_PROTOCOL)
            process.stdin.flush()
            answer: PageOutcome = pickle.load(process.stdout)
        except (OSError, ValueError, EOFError, pickle.UnpicklingError) as error:
            process.kill()
            self.own.process = None
            self.lost += 1
            raise LostHelper from error
        finally:
            watch.cancel()
        return answer

    def start(self) -> subprocess.Popen[bytes]:
        settings = dict.fromkeys(ONE_THREAD, "1")
        process = start_process("pipeline.desk.intake.reading_helper", str(self.folder), environment=settings)
        self.processes.append(process)
        return process


class PendingPage(Struct, frozen=True):
    """A page that a helper reads."""

    page: PageImage
    answer: Future[PageOutcome]

    def outcome(self, reader: SheetReader) -> PageOutcome:
        """Wait for the result; if the helper failed, the page is read here."""
        try:
            return self.answer.result()
        except LostHelper:
            return read_here(self.page, reader)


PageStream = Iterable[tuple[Sha256, PageImage | BadPage | None]]  # None: all pages of a file came
ReaderOf = Callable[[Sha256], SheetReader]


def read_pages(
    coming: PageStream, reader_of: ReaderOf, helpers: Helpers | None, as_of: int
) -> Iterator[tuple[Sha256, PageOutcome | None]]:
    """Read the pages of many files, each as soon as it is decoded; results come in the pages' order.

    After the last page of a file comes None.
    """
    waiting: deque[tuple[Sha256, PendingPage | PageOutcome | None]] = deque()
    most = 2 * PAGES_PER_HELPER * helpers.count if helpers else 0  # the most results that may wait for an earlier page
    for sha256, page in coming:
        waiting.append((sha256, _start_reading(page, reader_of(sha256), helpers, as_of)))
        while waiting and (len(waiting) > most or not _is_pending(waiting[0][1])):
            yield _finish_reading(*waiting.popleft(), reader_of)
    for each in waiting:
        yield _finish_reading(*each, reader_of)


def _start_reading(
    page: PageImage | BadPage | None, reader: SheetReader, helpers: Helpers | None, as_of: int
) -> PendingPage | PageOutcome | None:
    match page:
        case None:
            return None
        case BadPage():
            return NotOpened(page=page.number or 0, text=page.problem.text)
        case _:
            answer = helpers.submit((page, reader.sha256, as_of)) if helpers else None
            return read_here(page, reader) if answer is None else PendingPage(page, answer)


def read_here(page: PageImage, reader: SheetReader) -> PageOutcome:
    """Read a page in this process. If the reader fails, the page is reported as unreadable and the others go on."""
    try:
        return reader.every_sheet(page)
    except Stopped:  # a full disk stops the whole work
        raise
    except Exception as error:
        log_failure(error, "a page was being read")
        return NotOpened(page=page.number, text=failure_in_words(error))


def _is_pending(each: PendingPage | PageOutcome | None) -> bool:
    """Whether a helper is still reading the page."""
    return isinstance(each, PendingPage) and not each.answer.done()


def _finish_reading(
    sha256: Sha256, each: PendingPage | PageOutcome | None, reader_of: ReaderOf
) -> tuple[Sha256, PageOutcome | None]:
    return sha256, each.outcome(reader_of(sha256)) if isinstance(each, PendingPage) else each
