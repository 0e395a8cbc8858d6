"""Background work, each kind in its own thread: a failure is reported, and the work goes on."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress

from pipeline.logs import log_failure
from pipeline.problems import Stopped
from pipeline.words.speech import write_count

AGAIN_S = 2.0  # pause after a failed round
PATIENCE_S = 900.0  # without a heartbeat the thread counts as hanging: the slowest stick may take ten minutes


class Background:
    """A thread that repeats some work until the office closes; no exception ends it."""

    def __init__(self, name: str, work: Callable[[], None], every_s: float, on_change: Callable[[], None]) -> None:
        self.name = name
        self.work = work
        self.every_s = every_s
        self.on_change = on_change  # called when the trouble changes or is over
        self.trouble = ""  # why the last round failed, or that this one hangs; nothing: neither
        self.sign = time.monotonic()  # when it gave its last sign of life
        self.is_over = threading.Event()
        self.thread = self.new_thread()

    def new_thread(self) -> threading.Thread:
        """Make a thread; it is not begun."""
        return threading.Thread(target=self.run, name=self.name, daemon=True)

    def start(self) -> None:
        self.thread.start()

    def beat(self) -> None:
        """Heartbeat: a round begins, or a long one continues."""
        self.sign = time.monotonic()

    def lives(self) -> bool:
        """Whether the thread is alive and does not hang; a dead one is restarted, a hanging one reported."""
        if self.is_over.is_set():
            return True
        if self.thread.is_alive():
            silent = time.monotonic() - self.sign
            if silent > PATIENCE_S:
                self.tell(
                    f"no sign of life for {write_count(int(silent) // 60, 'minute')}; close the desk and open it again"
                )
            return silent <= PATIENCE_S
        self.thread = self.new_thread()
        self.beat()
        self.start()
        return False

    def run(self) -> None:
        """Do one round after the other, until the office closes."""
        while not self.is_over.wait(AGAIN_S if self.trouble else self.every_s):
            self.do_round()

    def do_round(self) -> None:
        """Do one round; whatever it is that fails, the next one is done as well."""
        self.beat()
        try:
            self.work()
            now = ""
        except Stopped as stopped:
            now = "; ".join(f"{each.where}: {each.text}" for each in stopped.problems)
        except BaseException as error:  # unexpected: it must not end the thread
            now = f"{type(error).__name__}: {error}; it is tried again"
            if now != self.trouble:
                log_failure(error, "work in the background was being done")
        self.beat()
        self.tell(now)

    def tell(self, now: str) -> None:
        """Report a new trouble, or that the last one is over; nothing if it is the same as before."""
        if now != self.trouble:
            self.trouble = now
            with suppress(Exception):  # the terminal may be closed
                self.on_change()
