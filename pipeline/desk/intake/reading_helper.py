"""A separate process that reads pages for the process that keeps the facts.

``python -m pipeline.desk.intake.reading_helper`` is given the event's folder.

Pages come in on standard input and what the ink says goes out on standard output, one pickle each. It writes no facts
and ends with its input; the caller reads the pages that were not answered.
"""

import os
import pickle
import signal
import sys
from pathlib import Path
from typing import BinaryIO

import cv2

from pipeline.desk.event.event import open_event
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.intake.ingest import ScanReader
from pipeline.desk.intake.reading_pool import PageTask
from pipeline.ledger.files import now
from pipeline.logs import logging_into
from pipeline.processes import serve_until_end


def _answer_tasks(folder: Path, tasks: BinaryIO, answers: BinaryIO) -> None:
    cv2.setNumThreads(1)
    with logging_into(folder), open_event(folder, now) as event:
        engine = best_recogniser()
        reader, as_of = None, -1  # ``as_of``: the newest fact that the reader knows; it must be the caller's
        while True:
            try:
                task: PageTask = pickle.load(tasks)
                page, sha256, newest = task
            except EOFError:
                return
            if reader is None or as_of != newest:
                reader, as_of = ScanReader.of(event, engine), newest
            answer = reader.sheet_reader(sha256).every_sheet(page)
            pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()


def main() -> None:
    """Serve the process that started this one; Ctrl-C is meant for that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints must not end up among the answers
    serve_until_end(lambda: _answer_tasks(Path(sys.argv[1]), sys.stdin.buffer, answers))


if __name__ == "__main__":
    main()
