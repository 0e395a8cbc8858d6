"""PDFs are opened by a thread of the tests themselves, so that it is seen which tests come to which of its lines."""

import os
from threading import Thread

import pytest

from pipeline.reading import pages
from pipeline.reading.pdf_opener import _serve


class OpenedHere:
    """Answers as the process that opens PDFs does."""

    def __init__(self) -> None:
        (asked, ask), (answered, answer) = os.pipe(), os.pipe()
        self.stdin, self.stdout = os.fdopen(ask, "wb"), os.fdopen(answered, "rb")
        self.thread = Thread(target=self.serve, args=(asked, answer), daemon=True)
        self.thread.start()

    @staticmethod
    def serve(asked: int, answer: int) -> None:
        with os.fdopen(asked, "rb") as questions, os.fdopen(answer, "wb") as answers:
            _serve(questions, answers, pages.ANSWERS_WITHIN_S)

    def kill(self) -> None:
        self.stdin.close()

    def communicate(self) -> None:
        self.thread.join()
        self.stdout.close()


@pytest.fixture(autouse=True)
def opened_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "_started_opener", OpenedHere)
    monkeypatch.setattr(pages, "RESTS_BELOW", 1 << 40)  # bytes: the tests hold more
