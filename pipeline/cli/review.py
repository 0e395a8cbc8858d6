"""``ordersheets review``: settle what waits for the director."""

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from pipeline.cli import common
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import games
from pipeline.desk.review.meaning import MeansNothing, follow_decision
from pipeline.desk.review.queue import (
    AnswerCard,
    ReviewItem,
    cards_of,
    name_scan,
    queue,
    settle_doubt,
    take_scan,
    take_the_rule,
)
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rulings import NOTHING, RowDecision, undo_ruling
from pipeline.desk.sheets.pads import SheetState
from pipeline.ledger.events import Decision
from pipeline.ledger.files import keep_file, local_time
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import SheetDecision
from pipeline.problems import ExitCode, Stopped, stop
from pipeline.rules.table import read_named

# ``ordersheets review --xlsx`` and ``--from-xlsx``: settle what waits in a spreadsheet.

A_FILE = click.Path(path_type=Path, dir_okay=False)


def _with_spreadsheet_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add ``--xlsx`` and ``--from-xlsx``; without them the command runs as usual."""

    @click.option("--xlsx", type=A_FILE, metavar="FILE", help="Write what waits as a spreadsheet, to be filled in.")
    @click.option("--from-xlsx", type=A_FILE, metavar="FILE", help="Read a spreadsheet that was filled in.")
    @click.option(
        "--anyway", is_flag=True, help="With --from-xlsx: confirm all typed text, even if the rules do not follow it."
    )
    @wraps(command)
    def review(xlsx: Path | None, from_xlsx: Path | None, anyway: bool, **rest: Any) -> None:
        if xlsx and from_xlsx:
            raise stop("write a sheet or read one, not both at once", "--xlsx, --from-xlsx")
        if anyway and not from_xlsx:
            raise stop("it confirms what is typed in a spreadsheet; give it with --from-xlsx", "--anyway")
        if xlsx:
            _write_file(rest["event"], rest["board"], xlsx)
        elif from_xlsx:
            _take_file(rest["event"], from_xlsx, rest["by"], anyway=anyway)
        else:
            command(**rest)

    return review


def _write_file(folder: Path, board: str | None, path: Path) -> None:
    """Write the queue; a file with decisions that were not read in yet is never overwritten."""
    from pipeline.desk.review.review_sheet import count_open_lines, write_review_sheet  # noqa: PLC0415 - loaded where it is used

    how = f"When it is filled in: ordersheets review {folder} --from-xlsx {path.name} --by YOUR-NAME"
    with common.open_for_command(folder) as event:
        if path.exists() and (many := count_open_lines(event, _read_bytes(path), path.name)):
            raise stop(
                f"{many} decisions in it were not read in yet; use --from-xlsx first, or another name", str(path)
            )
        data, lines, losses = write_review_sheet(event, board, how)
    keep_file(path, data, "close it, or use another name")
    common.print_problems(losses)
    click.echo(f"{path}: {lines} wait" if lines else f"{path}: nothing waits")


def _take_file(folder: Path, path: Path, by: str, *, anyway: bool) -> None:
    """Read a filled-in spreadsheet: good lines are written down, the others are listed with their cells."""
    from pipeline.desk.review.review_sheet import take_sheet_back  # noqa: PLC0415 - likewise

    with common.open_for_command(folder) as event:
        taken = take_sheet_back(event, _read_bytes(path), path.name, by, anyway=anyway)
    common.print_problems(taken.refused)
    parts = [f"{len(taken.facts)} taken" if taken.facts else "nothing changed"]
    parts += [f"{taken.taken_before} taken before"] if taken.taken_before else []
    parts += [f"{len(taken.refused)} refused"] if taken.refused else []
    click.echo(f"{', '.join(parts)}; {taken.left or 'nothing'} {'wait' if taken.left > 1 else 'waits'} now")
    if taken.refused:
        sys.exit(ExitCode.WITH_FAULTS)


def _read_bytes(path: Path) -> bytes:
    try:
        return read_named(path)
    except OSError as error:
        raise stop(f"cannot read it: {error.strerror or error}", str(path)) from error


ON_SHEET = {
    "N": (SheetDecision.NO_ORDERS, "no orders, and nothing will come"),
    "A": (SheetDecision.ACCEPTED, "accept it as it is"),
    "R": (SheetDecision.REFUSED, "refuse it"),
}
TYPED = {"T": "what is written", "E": "the order that stands"}  # keys that are followed by typed text
ENDS = ("\x03", "\x04")  # Ctrl-C and Ctrl-D, where single keys are read
KEEP = "Enter once more if it is meant so, anything else drops it"
ROLES = "Somebody else who may log in: director, assistant, upload or screen; once for each."


@click.command("review")
@common.on_event
@click.option("--board", help="One board only, in full such as 2.5, or alone (with --tty or --xlsx).")
@click.option("--tty", is_flag=True, help="In the terminal, with the same queue.")
@click.option("--port", type=click.IntRange(0, 65535), default=8040, show_default=True, help="0: any that is free.")
@click.option("--lan", is_flag=True, help="Let other machines in this room log in, each with a PIN.")
@click.option("--tls", is_flag=True, help="With --lan: encrypt the pages, with a certificate that is made.")
@click.option("--address", metavar="IP", help="With --lan: the address to show, of several that this machine has.")
@click.option("--desk", "helpers", multiple=True, metavar="NAME:ROLE", help=ROLES)
@common.with_by_option
@_with_spreadsheet_options
def review_command(
    event: Path,
    board: str | None,
    tty: bool,
    port: int,
    lan: bool,
    tls: bool,
    address: str | None,
    helpers: tuple[str, ...],
    by: str,
) -> None:
    """Go through everything that waits for the director: in the browser, the terminal or a spreadsheet."""
    if tty:
        with common.open_for_command(event) as the_event:
            left = Terminal(the_event, board, by).run()
        click.echo(f"{left} left" if left else "nothing waits any more")
    else:
        _serve(event, helpers, by, common.NetworkOptions(port, lan, tls, address).check())


def _serve(folder: Path, helpers: tuple[str, ...], by: str, network: common.NetworkOptions) -> None:
    """Serve the review page until Ctrl-C; print its addresses, and everybody's PIN."""
    from pipeline.web.server import listen, open_office, serve  # noqa: PLC0415 - the terminal needs no web server

    addresses, guests = network.addresses(), common.make_guests(by, network.is_lan, helpers)
    with open_office(folder, guests, is_lan=network.is_lan, alerts=common.at_terminal()) as office:
        certificate = common.certificate_of(office.office.event, addresses) if network.is_tls else None
        listener = listen(network.port, is_lan=network.is_lan)
        common.print_log_in_addresses(office.logins, listener, addresses, certificate, office.office.event)
        serve(office.app, office.logins, listener, certificate)


class Terminal:
    """One director going through the queue in a terminal."""

    def __init__(self, event: Event, board: str | None, by: str) -> None:
        self.event = event
        self.board = board
        self.by = by
        self.later: list[ReviewItem] = []
        self.done: list[Fact[Decision]] = []

    def run(self) -> int:
        """Show one doubt after the other until none is left or the director quits; return how many are left."""
        while (doubt := self.next()) is not None:
            self.show(doubt)
            click.echo(f"  {self.keys(doubt)}")
            key = self.ask_key()
            if key.upper() == "Q":
                break
            try:
                self.press(doubt, key)
            except Stopped as stopped:
                self.tell(stopped)
            if self.event.facts.has_written:
                common.keep_copies(self.event)
        return sum(1 for _ in queue(self.event, self.board))

    def ask_key(self) -> str:
        """The next key: at a terminal it counts at once, from a pipe or a file it is a line."""
        if not sys.stdin.isatty():
            return click.prompt("", default="", show_default=False, prompt_suffix="> ").strip()
        click.echo("> ", nl=False)
        key = click.getchar()
        if key in ENDS:
            raise click.Abort
        letter = key.strip().upper()
        click.echo(letter)
        if letter not in TYPED:
            return letter
        return f"{letter} {click.prompt(f'  {TYPED[letter]}', default='', show_default=False)}".strip()

    def keys(self, doubt: ReviewItem) -> str:
        """The keys that do something now."""
        found = [f"{key} {words}" for key, (_, words) in ON_SHEET.items() if self.takes(doubt, key)]
        if doubt.row is not None:
            count = sum(card.key != "0" for card in self.cards(doubt))
            found = [f"{f'1-{count}' if count > 1 else '1'} choose"] if count else []
            found += ["Enter take the rule"] if doubt.by_rule else []
            found += [f"{key} {words}" for key, words in TYPED.items() if key != "T" or doubt.row.line > 0]
            found += ["0 no order"]
        return "   ".join([*found, "S later", *(["U undo"] if self.done else []), "Q quit"])

    def takes(self, doubt: ReviewItem, key: str) -> bool:
        """Whether a key decides on the whole sheet; a missing sheet can only be ruled 'no orders'."""
        if doubt.row is not None:
            return False
        power = Desk.of(self.event).power(games(self.event)[doubt.turn.board], doubt.turn.power)
        return (power.state is SheetState.MISSING) == (key == "N")

    def cards(self, doubt: ReviewItem) -> tuple[AnswerCard, ...]:
        """The choices by their digits, the likeliest first; of a struck-out row, no order first."""
        if doubt.row is None:
            return ()
        return cards_of(self.event, games(self.event)[doubt.turn.board], doubt.turn, doubt.row)

    def next(self) -> ReviewItem | None:
        """The next doubt that was not postponed; None when only postponed ones are left."""
        waiting = list(queue(self.event, self.board))
        put_off = [self.key_of(doubt) for doubt in self.later]
        return next((d for d in waiting if self.key_of(d) not in put_off), None)

    def key_of(self, doubt: ReviewItem) -> tuple[object, ...]:
        """A key that identifies a doubt when the queue is built again."""
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
        for number, scan in enumerate(row.scans, start=1):
            click.echo(f"  {name_scan(number)}, {local_time(scan.at)}: {self.event.folder / scan.crop}")
        if row.crop and not row.scans:
            click.echo(f"  picture: {self.event.folder / row.crop}")
        click.echo(f"  line {row.line}: {row.ink!r}   {' '.join(row.flags)}")
        click.echo("\n".join([f"  {row.reason}", *quotes]))
        if doubt.by_rule:
            click.echo(f"  Enter  {doubt.by_rule}   by the rule")
        for card in self.cards(doubt):
            click.echo(f"  {card.key}  {card.title}{f'   {card.remark}' if card.remark else ''}")

    def press(self, doubt: ReviewItem, key: str) -> None:
        """Do what a key stands for; for any other key, say that it does nothing."""
        letter, _, rest = key.partition(" ")
        if letter.upper() == "U":
            self.undo()
        elif letter.upper() == "S":
            self.later.append(doubt)
        elif scan := next((card.scan for card in self.cards(doubt) if card.key == letter), 0):
            game = games(self.event)[doubt.turn.board]
            self.done += take_scan(Desk.of(self.event), game, doubt, scan, by=self.by)
        elif (decision := self.decision(doubt, letter.upper(), rest.strip())) is None:
            click.echo("  that key does nothing here")
        elif letter.upper() not in TYPED or (decision := self.follow(doubt, decision)) is not None:
            self.done.append(settle_doubt(self.event, doubt, decision, self.by))

    def follow(self, doubt: ReviewItem, decision: RowDecision | SheetDecision) -> RowDecision | SheetDecision | None:
        """What was typed, as the rules follow it, or as the director confirmed it by a second Enter; else None."""
        if not isinstance(decision, RowDecision) or doubt.row is None or decision.faults(doubt.row.line):
            return decision  # `settle_doubt` refuses it and says why
        game = games(self.event)[doubt.turn.board]
        try:
            return follow_decision(Desk.of(self.event), game, doubt.turn, doubt.row.line, decision, KEEP)
        except MeansNothing as stopped:
            self.tell(stopped)
            dropped = click.prompt("", default="", show_default=False, prompt_suffix="again> ").strip()
            return None if dropped else decision

    def tell(self, stopped: Stopped) -> None:
        """Say why a key was refused."""
        for problem in stopped.problems:
            click.echo(f"  {problem.text}")

    def decision(self, doubt: ReviewItem, letter: str, rest: str) -> RowDecision | SheetDecision | None:
        """Read a key as a decision on this doubt."""
        if doubt.row is None:
            return ON_SHEET[letter][0] if letter in ON_SHEET and self.takes(doubt, letter) else None
        match letter:
            case "":
                return take_the_rule(doubt)
            case "0":
                return RowDecision(order=NOTHING, without=doubt.row.without)
            case "T" if rest:
                return RowDecision(text=rest)
            case "E" if rest:
                is_nothing = rest.casefold() == NOTHING
                return self.decision(doubt, "0", "") if is_nothing else RowDecision(order=rest.upper())
            case _:
                return next((card.decision for card in self.cards(doubt) if card.key == letter), None)

    def undo(self) -> None:
        """Undo the last ruling of this session."""
        if self.done:
            fact = self.done.pop()
            undo_ruling(self.event, fact, self.by)
            click.echo(f"  number {fact.number} of the journal no longer counts")
