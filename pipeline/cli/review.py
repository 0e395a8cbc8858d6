"""``ordersheets review``: settle what waits for the director."""

from pathlib import Path

import click

from pipeline.cli.browsers import LanWish, at_terminal, certificate_of, seats_for, tell_door
from pipeline.cli.common import keep_copies, on_event, opened, signed
from pipeline.cli.review_sheet import with_sheets
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import games
from pipeline.desk.review.meaning import MeansNothing, check_decision
from pipeline.desk.review.queue import ReviewItem, queue, settle, take_the_rule
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rulings import NOTHING, RowDecision, undo_ruling
from pipeline.ledger.events import Decision
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import SheetDecision
from pipeline.problems import Stopped
from pipeline.rules.toml.plain_text import is_whole

HELP = (
    "1-9 choose   Enter take the rule   T text: what the ink says   E order: what stands   "
    "0 nothing stands   N no orders (sheet)   A accept (sheet)   R refuse (sheet)   S later   U undo   Q quit"
)
TYPED = ("T", "E")  # keys behind which something is typed
KEEP = "Enter once more if it is meant so, anything else drops it"
ROLES = "Somebody else who comes in: director, assistant, upload or screen; may be given several times."


@click.command("review")
@on_event
@click.option("--board", help="One board only, in full such as 2.5, or alone (with --tty or --xlsx).")
@click.option("--tty", is_flag=True, help="In the terminal, with the same queue and keys.")
@click.option("--port", type=click.IntRange(0, 65535), default=8040, show_default=True, help="0: any that is free.")
@click.option("--lan", is_flag=True, help="Let other machines in this room come in, each with a PIN.")
@click.option("--tls", is_flag=True, help="With --lan: nobody on the network can read along. A certificate is made.")
@click.option("--address", metavar="IP", help="With --lan: the address to show, of several that this machine has.")
@click.option("--desk", "desks", multiple=True, metavar="NAME:ROLE", help=ROLES)
@signed
@with_sheets
def command(
    event: Path,
    board: str | None,
    tty: bool,
    port: int,
    lan: bool,
    tls: bool,
    address: str | None,
    desks: tuple[str, ...],
    by: str,
) -> None:
    """Go through everything that waits for the director: in the browser, the terminal or a spreadsheet."""
    if tty:
        with opened(event) as the_event:
            left = Terminal(the_event, board, by).run()
        click.echo(f"{left} left" if left else "nothing waits any more")
    else:
        serve_desks(event, desks, by, LanWish(port, lan, tls, address).checked())


def serve_desks(folder: Path, desks: tuple[str, ...], by: str, wish: LanWish) -> None:
    """Serve the review page until Ctrl-C; say where it is, and who comes in with which PIN."""
    from pipeline.web.server import listen, open_office, serve  # noqa: PLC0415 - the terminal needs no web server

    there, seats = wish.addresses(), seats_for(by, wish.is_lan, desks)
    with open_office(folder, seats, is_lan=wish.is_lan, tells=at_terminal()) as office:
        certificate = certificate_of(office.office.event, there) if wish.is_tls else None
        ear = listen(wish.port, is_lan=wish.is_lan)
        tell_door(office.door, ear, there, certificate, office.office.event)
        serve(office.app, ear, certificate)


class Terminal:
    """One director going through the queue in a terminal."""

    def __init__(self, event: Event, board: str | None, by: str) -> None:
        self.event = event
        self.board = board
        self.by = by
        self.later: list[ReviewItem] = []
        self.done: list[Fact[Decision]] = []

    def run(self) -> int:
        """Show one doubt after the other until none is left or the director quits; give back how many are left."""
        click.echo(HELP)
        while (doubt := self.next()) is not None:
            self.show(doubt)
            key = click.prompt("", default="", show_default=False, prompt_suffix="> ").strip()
            if key.upper() == "Q":
                break
            try:
                self.press(doubt, key)
            except Stopped as stopped:
                self.tell(stopped)
            if self.event.facts.has_written:
                keep_copies(self.event)
        return sum(1 for _ in queue(self.event, self.board))

    def next(self) -> ReviewItem | None:
        """The next doubt that was not put off; then those that were."""
        waiting = list(queue(self.event, self.board))
        put_off = [self.name(doubt) for doubt in self.later]
        return next((d for d in waiting if self.name(d) not in put_off), None)

    def name(self, doubt: ReviewItem) -> tuple[object, ...]:
        """Tell doubts apart from one look at the queue to the next."""
        row = doubt.row
        return (doubt.turn, row.line, row.lacks, row.because) if row else (doubt.turn,)

    def show(self, doubt: ReviewItem) -> None:
        """Show what is written, what it may mean, and the rule that applies."""
        click.echo(f"\n{doubt.turn}")
        quotes = [f"  {quote}" for quote in self.event.tournament.quotes(doubt.settings)]
        if doubt.row is None:
            click.echo("\n".join([f"  {doubt.problem.text if doubt.problem else ''}", *quotes]))
            return
        row = doubt.row
        if row.crop:
            click.echo(f"  picture: {self.event.folder / row.crop}")
        click.echo(f"  line {row.line}: {row.ink!r}   {' '.join(row.flags)}")
        click.echo("\n".join([f"  {row.reason}", *quotes]))
        for number, choice in enumerate(doubt.choices, start=1):
            click.echo(f"  {number}  {choice}")
        if doubt.by_rule:
            click.echo(f"  Enter  {doubt.by_rule}   by the rule")

    def press(self, doubt: ReviewItem, key: str) -> None:
        """Do what a key stands for; anything else explains the keys."""
        letter, _, rest = key.partition(" ")
        if letter.upper() == "U":
            self.undo()
        elif letter.upper() == "S":
            self.later.append(doubt)
        elif (decision := self.decision(doubt, letter.upper(), rest.strip())) is None:
            click.echo(HELP)
        elif letter.upper() not in TYPED or self.is_meant(doubt, decision):
            self.done.append(settle(self.event, doubt, decision, self.by))

    def is_meant(self, doubt: ReviewItem, decision: RowDecision | SheetDecision) -> bool:
        """Whether what was typed is followed as it is typed, or is meant so all the same: a second Enter says that."""
        if not isinstance(decision, RowDecision) or doubt.row is None or decision.faults(doubt.row.line):
            return True  # what is wrong with it is said where it is written down
        game = games(self.event)[doubt.turn.board]
        try:
            check_decision(Desk.of(self.event), game, doubt.turn, doubt.row.line, decision, KEEP)
        except MeansNothing as stopped:
            self.tell(stopped)
            return not click.prompt("", default="", show_default=False, prompt_suffix="again> ").strip()
        return True

    def tell(self, stopped: Stopped) -> None:
        """Say what stands against a key."""
        for problem in stopped.problems:
            click.echo(f"  {problem.text}")

    def decision(self, doubt: ReviewItem, letter: str, rest: str) -> RowDecision | SheetDecision | None:
        """Read a key as a decision on this doubt."""
        if doubt.row is None:
            return {
                "N": SheetDecision.NO_ORDERS,
                "A": SheetDecision.ACCEPTED,
                "R": SheetDecision.REFUSED,
            }.get(letter)
        match letter:
            case "":
                return take_the_rule(doubt)
            case "0":
                without = doubt.row.without
                return RowDecision(order=NOTHING, without=without)
            case "T" if rest:
                return RowDecision(text=rest)
            case "E" if rest:
                return RowDecision(order=rest.upper())
            case digit if is_whole(digit) and 1 <= int(digit) <= len(doubt.choices):
                return RowDecision(order=doubt.choices[int(digit) - 1])
            case _:
                return None

    def undo(self) -> None:
        """Take the last ruling of this sitting back."""
        if self.done:
            fact = self.done.pop()
            undo_ruling(self.event, fact, self.by)
            click.echo(f"  fact {fact.number} no longer counts")
