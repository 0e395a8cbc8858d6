"""Work beside the pages, each kind in a thread of its own: where a round of it fails this is told, and it goes on."""

import threading
from collections.abc import Callable
from contextlib import suppress

from pipeline.problems import Stopped

AGAIN_S = 2.0  # after a round that failed


class Background:
    """A thread that does rounds of some work until the office closes; nothing that happens in one ends it."""

    def __init__(self, name: str, work: Callable[[], None], every_s: float, on_change: Callable[[], None]) -> None:
        self.name = name
        self.work = work
        self.every_s = every_s
        self.on_change = on_change  # the trouble is another, or over
        self.trouble = ""  # why the last round failed; nothing: it did not
        self.is_over = threading.Event()
        self.thread = self.new_thread()

    def new_thread(self) -> threading.Thread:
        """Make a thread; it is not begun."""
        return threading.Thread(target=self.run, name=self.name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self.thread.start()

    def lives(self) -> bool:
        """Whether the thread was alive; one that was not is begun again."""
        if self.thread.is_alive() or self.is_over.is_set():
            return True
        self.thread = self.new_thread()
        self.start()
        return False

    def run(self) -> None:
        """Do one round after the other, until the office closes."""
        while not self.is_over.wait(AGAIN_S if self.trouble else self.every_s):
            self.do_round()

    def do_round(self) -> None:
        """Do one round; whatever it is that fails, the next one is done as well."""
        try:
            self.work()
            now = ""
        except Stopped as stopped:
            now = "; ".join(f"{each.where}: {each.text}" for each in stopped.problems)
        except Exception as error:  # nobody thought of it: the thread must not go with it
            now = f"{type(error).__name__}: {error}; it is tried again"
        if now != self.trouble:
            self.trouble = now
            with suppress(Exception):  # a terminal that is gone hears nothing
                self.on_change()
