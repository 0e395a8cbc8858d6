"""``ordersheets adjudicate``, ``cards``, ``correct`` and ``undo``: publish a phase, and mend what was published."""

import re
from collections.abc import Iterator
from pathlib import Path

import click

from pipeline.cli.common import (
    on_event,
    open_for_command,
    print_json,
    print_published_otherwise,
    with_by_option,
    with_json_option,
    with_phase_option,
)
from pipeline.desk.event.ending import rests_on
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import find_game, games
from pipeline.desk.publish.publish import (
    ProposedCorrection,
    apply_correction,
    next_phase_in_words,
    propose_correction,
    publish,
    reason_in_print,
    write_cards,
)
from pipeline.desk.ruling.desk import late_effects, published_otherwise
from pipeline.journal.acts import undo_all
from pipeline.journal.lines import journal
from pipeline.journal.undo_codes import UndoState
from pipeline.ledger.events import TakesBack
from pipeline.ledger.ledger import body_of
from pipeline.orders import write, write_position
from pipeline.problems import stop


@click.command("adjudicate")
@on_event
@click.option("--board", required=True)
@with_by_option
@with_json_option
def adjudicate_command(event: Path, board: str, by: str, wants_json: bool) -> None:
    """Adjudicate BOARD's phase, write the read-out card and the map; refuses (exit code 3) while anything is open."""
    with open_for_command(event) as the_event:
        published = publish(the_event, board, by)
        said, after = published.played.fact.said, published.played.resolution.after
        if wants_json:
            print_json(
                dict(body_of(said))
                | {"card": str(published.card), "map": str(published.map), "next_phase": str(after.phase)}
                | write_position(after)
            )
            return
        click.echo(f"board {said.board}  {published.played.phase.in_words}")
        for result in published.played.resolution.results:
            click.echo(f"  {result.power:<8} {write(result.order):<28} {reason_in_print(result)}")
        for line in next_phase_in_words(find_game(the_event, said.board).map, after):
            click.echo(line)
        click.echo(f"card: {published.card}\nmap:  {published.map}\nnext: {after.phase.in_words}")


# ``ordersheets cards``: make the read-out cards and the maps again.


@click.command("cards")
@on_event
@click.option("--board", help="One board only, in full such as 2.5, or alone.  [default: all]")
@with_phase_option("One published phase only, such as F1901M.  [default: all]")
def cards_command(event: Path, board: str | None, phase: str | None) -> None:
    """Make the read-out cards and maps of published phases again.

    Cards of phases that a correction has removed are deleted.
    """
    if phase and not board:
        raise stop("name the board with --board", "--phase")
    with open_for_command(event, makes_files=True) as the_event:
        chosen = [find_game(the_event, board)] if board else [g for g in games(the_event).values() if g.played]
        for game in chosen:
            made, removed = write_cards(the_event, game, phase)
            for path in made:
                click.echo(path)
            for path in removed:
                click.echo(f"{path.name}: deleted; a correction removed its phase", err=True)
    if not chosen:
        click.echo("nothing is published yet")


# ``ordersheets correct``: an error found after the read-out.


@click.command("correct")
@on_event
@click.option("--board", required=True)
@with_phase_option("The published phase in which the error is.", required=True)
@click.option("--deadline-passed", is_flag=True, help="The error was found after the next deadline.")
@click.option("--apply", "applies", is_flag=True, help="Publish the corrected phases.  [default: only show]")
@with_by_option
@click.option("--why", default="", help="Your reason; needed if the rules let the error stand or leave it to you.")
def correct_command(
    event: Path, board: str, phase: str, deadline_passed: bool, applies: bool, by: str, why: str
) -> None:
    """Show what changes if BOARD is played again from PHASE on with the present rulings, and what the rules say."""
    with open_for_command(event) as the_event:
        proposal = propose_correction(
            the_event, find_game(the_event, board), phase, deadline_passed=deadline_passed or None
        )
        for line in _what_changes(the_event, proposal):
            click.echo(line)
        if not applies:
            click.echo("nothing was changed; --apply publishes the corrected phases")
        else:
            made, removed = apply_correction(the_event, proposal, by=by, why=why)
            click.echo("published again; these cards and maps were made again:")
            for path in made:
                click.echo(f"  {path}")
            for path in removed:
                click.echo(f"  deleted, the correction removed its phase: {path.name}")


def _what_changes(event: Event, proposal: ProposedCorrection) -> Iterator[str]:
    """What a correction changes and leaves to do, and what the rules say of it."""
    game = proposal.game
    for again, changes in proposal.phases:
        yield f"{game.name} {again.phase}"
        for change in changes or ("as it was published",):
            yield f"  {change}"
    for dropped in proposal.dropped:
        yield f"{game.name} {dropped}\n  not published any more: the board is played anew from there"
    if proposal.goes_on is not None:
        goes_on = f"goes on with {proposal.goes_on.in_words}; end it anew when it is over"
        yield f"the game (over: {game.ending}) {goes_on}"
        if proposal.without_vote:
            yield f"without a vote on its end: {', '.join(proposal.without_vote)}"
    if proposal.solo:
        yield proposal.solo
    if game.ending and proposal.changes_anything:
        yield from rests_on(event, game)
    for problem in proposal.waits:
        yield f"waits: {problem}"
    if proposal.deadline_assumed:
        yield "assumed: the error was found before the next deadline; if it was not, say --deadline-passed"
    yield f"rule: {proposal.verdict}; {proposal.reason} ({proposal.rule})"


# ``ordersheets undo``: undo decisions by their numbers in the journal.

RANGE = re.compile(r"([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?")
NOT_UNDONE = (UndoState.STAYS, UndoState.TAKEN_BACK)  # a range skips these


@click.command("undo")
@on_event
@click.argument("numbers", metavar="NUMBER...", nargs=-1, required=True)
@with_by_option
@click.option("--why", default="", help="Your reason, where one is needed.")
def undo_command(event: Path, numbers: tuple[str, ...], by: str, why: str) -> None:
    """Undo the decisions with these NUMBERs of the journal; they stay listed there, and do not count any more.

    Several are undone together, all or none. 12-20 means all between that can be undone: print-outs, scans, lots and
    dice never can. If something depends on one of them, the command names it (exit code 3) and changes nothing.
    """
    with open_for_command(event, makes_files=True) as the_event:
        wanted = sorted({each for text in numbers for each in _read_range(the_event, text)})
        late, begun = late_effects(the_event), the_event.facts.last_number()
        undo_all(the_event, wanted, by=by, why=why)
        otherwise = published_otherwise(the_event, late)
        undone = [fact for fact in the_event.facts.select(TakesBack) if fact.number > begun]  # some go with others
    written = ", ".join(str(fact.number) for fact in undone)
    gone = ", ".join(str(number) for number in sorted(fact.said.fact for fact in undone))
    words = f"number {gone} is" if len(undone) == 1 else f"numbers {gone} are"
    click.echo(f"{words} taken back, number {written} in the journal")
    print_published_otherwise(event, otherwise)


def _read_range(event: Event, text: str) -> list[int]:
    """Read one number, or the numbers of a range that can be undone."""
    match = RANGE.fullmatch(text)
    if match is None:
        raise stop("expected a number of the journal, or a range such as 12-20", text)
    first, last = (int(number) for number in (match[1], match[2] or match[1]))
    if match[2] is None:
        return [first]
    lines = journal(event, since=first - 1, before=last + 1)
    wanted = [line.fact.number for line in lines if line.standing not in NOT_UNDONE]
    for line in lines:
        if line.standing is UndoState.STAYS:
            click.echo(f"number {line.fact.number} stays: {line.why_not}", err=True)
    if not wanted:
        raise stop("nothing between these numbers can be taken back", text)
    return wanted
