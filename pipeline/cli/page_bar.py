"""A bar that shows how many pages are read."""

import sys
from types import TracebackType
from typing import Self, TextIO

import click

CLEAR_LINE = "\r\x1b[K"  # ANSI: to the beginning of the line, which is emptied


class PageBar:
    """A progress bar on a terminal, with the time left; lines stand above it. Elsewhere there are only the lines."""

    def __init__(self, terminal: TextIO | None = None) -> None:
        self.terminal = terminal or sys.stderr
        self.bar = click.progressbar(length=0, hidden=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def begin(self, pages: int) -> None:
        """Begin, with so many pages to read; those that another bar still waits for are among the new one's."""
        if not self.bar.hidden:
            pages += (self.bar.length or 0) - self.bar.pos
        is_hidden, label = not self.terminal.isatty(), "pages read"
        self.bar = click.progressbar(length=pages, label=label, hidden=is_hidden, show_pos=True, file=self.terminal)
        self.bar.render_progress()

    def advance(self) -> None:
        """One more page is read."""
        self.bar.update(1)
        if self.bar.finished:
            self._end()

    def echo(self, line: str, file: TextIO | None = None) -> None:
        """Print a line above the bar, which is drawn again with the next page."""
        if not self.bar.hidden:
            click.echo(CLEAR_LINE, file=self.terminal, nl=False)
        click.echo(line, file=file)

    def _end(self) -> None:
        self.bar.render_finish()
        self.bar.hidden = True
