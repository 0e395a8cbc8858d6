"""``ordersheets status``, ``journal``, ``check``, ``hands`` and ``doctor``: the state of an event and this machine."""

import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from importlib.metadata import distributions
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import click
from msgspec import to_builtins

from pipeline.board import Phase, Power
from pipeline.cli.common import (
    on_event,
    on_event_if_named,
    open_for_command,
    print_json,
    print_problems,
    with_by_option,
    with_json_option,
)
from pipeline.desk.backups import check_copies, warn_of_newer_copies
from pipeline.desk.doctor import Finding, examine
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import correct_command, games
from pipeline.desk.review.orders_shown import status
from pipeline.desk.sheets.pads import SheetState
from pipeline.journal.lines import JournalLine, journal, phase_to_correct
from pipeline.journal.undo_codes import UndoState
from pipeline.ledger.events import Decision, PhasePublished
from pipeline.ledger.files import keep_file, local_time, now
from pipeline.logs import LOG_FILE, OLDER
from pipeline.problems import ExitCode, Stopped, stop
from pipeline.words.speech import sentence, write_count


@click.command("status")
@on_event
@with_json_option
def status_command(event: Path, wants_json: bool) -> None:
    """Say who is in, what is missing, and what waits for the director."""
    with open_for_command(event) as the_event:
        shown = status(the_event)
    if wants_json:
        print_json(shown)
        return
    click.echo(f"{shown['event']}  ({shown['tournament']}, {write_count(shown['players'], 'player')})")
    for board in shown["boards"]:
        variant = "" if board["map"] == "standard" else f"  {board['map']}"
        click.echo(f"board {board['board']}  {board['phase']}  {_state_of(board)}{variant}")
        for power, state in board["powers"].items():
            waits = _rows_wait(state["open"]) if state["open"] else ""
            rows = "row " if state["rows"] == 1 else "rows"
            click.echo(f"  {power:<8} {state['sheet']:<11} {state['rows']:>2} {rows}  {waits}")
            for problem in state["problems"]:
                click.echo(f"           {problem}")
    for form in shown["forms"]:
        click.echo(f"form {form['form']}  {form['kind']}  {form['about']}  {form['state']}")
        for doubt in form["doubts"]:
            click.echo(f"           {doubt['field']}: {doubt['text']}  ({doubt['picture']})".replace(" : ", " "))
    for line in _backup_lines(shown["backup"]):
        click.echo(line)
    for problem in shown["problems"]:
        click.echo(f"{problem['where']}: {problem['text']}", err=True)


def _state_of(board: dict[str, Any]) -> str:
    if board["to_end"]:
        return f"to be ended: {board['to_end']['text']}"
    if board["ended"]:
        return f"over: {board['ended']}"
    return "ready to adjudicate" if board["ready"] else _sheets_in_words(board)


def _sheets_in_words(board: dict[str, Any]) -> str:
    """How many sheets of a board are in, and how many rows wait for the director."""
    powers = board["powers"].values()
    rows = sum(power["open"] for power in powers)
    sheets = sum(power["sheet"] != SheetState.MISSING for power in powers)
    return f"{sheets} of {len(powers)} in" + (f", {_rows_wait(rows)}" if rows else "")


def _rows_wait(count: int) -> str:
    return f"{write_count(count, 'row')} {'waits' if count == 1 else 'wait'}"


def _backup_lines(backup: dict[str, Any]) -> Iterator[str]:
    """Say how old the newest copies are, and what is wrong with them."""
    yield f"backup  {_copy_in_words(backup)}{_damaged_in_words(backup)}  ({backup['place']})"
    if (second := backup["second"]) is not None:
        trouble = f"none: {second['trouble']}" if second["trouble"] else _copy_in_words(second)
        same = "; it is on the same disk as the event, and would be lost with it" if second["same_disk"] else ""
        lacks = f"; not in it: {second['lacks']}" if second["lacks"] else ""
        slow = (
            "; slow to read, and not verified now: 'ordersheets check' reads it" if second["verified"] is False else ""
        )
        yield f"second  {trouble}{_damaged_in_words(second)}{slow}{lacks}{same}  ({second['place']})"


def _damaged_in_words(backup: dict[str, Any]) -> str:
    """Which newer copies are damaged."""
    names = backup["damaged"]
    return f"; damaged: {', '.join(names)}; 'ordersheets backup' makes a new copy" if names else ""


def _copy_in_words(backup: dict[str, Any]) -> str:
    if backup["at"] is None:
        return "none yet"
    at = local_time(backup["at"])
    age = (
        "the clock was set back since"
        if backup["minutes"] is None
        else f"{write_count(backup['minutes'], 'minute')} ago"
    )
    since = backup["facts_since"]
    lacks = f"it lacks {write_count(since, 'decision')}" if since else "everything is in it"
    return f"{at}, {age}, {lacks}"


# ``ordersheets journal``: everything that was written down about an event, a line each.


@click.command("journal")
@on_event
@click.option("--since", default=0, type=click.IntRange(0), help="Only lines with a higher number.")
@click.option("--board", default="", help="Only lines about a board, by its full name: 2.5.")
@click.option("--who", default="", help="Only this person's decisions.")
@with_json_option
def journal_command(event: Path, since: int, board: str, who: str, wants_json: bool) -> None:
    """Show the journal: when, who, what, what followed, and what of it 'undo' takes back."""
    with open_for_command(event) as the_event:
        lines = journal(the_event, since=since, board=board, by=who)
        if wants_json:
            print_json([line.as_json() for line in lines])
            return
        boards = games(the_event)
        for line in lines:
            _print_line(event, line, phase_to_correct(boards, line))


def _print_line(folder: Path, line: JournalLine, published: tuple[str, Phase, Power | None] | None) -> None:
    can_be_undone = "  [can be undone]" * (line.standing is UndoState.OPEN)
    state = f"  [taken back: number {line.back}]" if line.back else can_be_undone
    at = local_time(line.fact.at)
    click.echo(f"{line.fact.number:>5}  {at}  {line.who:<14}  {sentence(line.what)}{state}")
    if published and isinstance(line.fact.said, Decision | PhasePublished):
        board, phase, _ = published
        correct = correct_command(folder, board, phase)
        click.echo(f"{'':>9}published; to correct it, rule with --phase {phase}, then {correct} --apply")
    if line.why:
        click.echo(f"{'':>9}why: {line.why}")
    for consequence in line.followed:
        click.echo(f"{'':>9}{sentence(consequence)}")


# ``ordersheets check``: work everything out again and print any difference.


@click.command("check")
@on_event
@with_json_option
def check_command(event: Path, wants_json: bool) -> None:
    """Compute the whole event again; exit code 1 if anything differs from what was published.

    Its newest copies are verified, too, with all scans beside them.
    """
    from pipeline.desk.publish.explain import check_event  # noqa: PLC0415 - `status`, in the same module, must start fast

    with open_for_command(event) as the_event:
        problems = [*check_event(the_event), *check_copies(the_event)]
    if wants_json:
        print_json([{"where": p.where, "text": p.text} for p in problems])
    else:
        for problem in problems:
            click.echo(f"{problem.where}: {problem.text}")
        click.echo(write_count(len(problems), "difference") if problems else "everything is in order")
    raise SystemExit(ExitCode.WITH_FAULTS if problems else ExitCode.DONE)


# ``ordersheets hands``: what is known of each player's hand; keep it for another event, or bring it from one.


@click.command("hands")
@on_event
@click.option(
    "--keep", "kept", type=click.Path(path_type=Path), help="Keep each hand in this folder, for another event."
)
@click.option(
    "--bring", "brought", type=click.Path(path_type=Path), help="Use the hands that were kept in this folder."
)
@with_by_option
def hands_command(event: Path, kept: Path | None, brought: Path | None, by: str) -> None:
    """Show how many rows are known of each hand. Only these options take a hand to another event, or from one."""
    if kept is not None and brought is not None:
        raise stop("give --keep or --bring, not both", "hands")
    from pipeline.desk.hands.kept_hands import bring_hands, keep_hands  # noqa: PLC0415 - it loads OpenCV
    from pipeline.desk.hands.reader import best_recogniser, hands_of, reader_for  # noqa: PLC0415 - it loads OpenCV

    with open_for_command(event) as the_event:
        if brought is not None:
            for brought_hand in bring_hands(the_event, brought, by):
                rows = write_count(len(brought_hand.texts), "row")
                click.echo(f"{brought_hand.player}: {rows} brought from {brought_hand.event}")
        hands = hands_of(the_event, reader_for(the_event, best_recogniser()))
        if hands is None:
            raise stop(
                "this machine has no reader that learns handwriting; see 'ordersheets doctor'",
                "hands",
                ExitCode.MACHINE_LACKS,
            )
        if kept is not None:
            kept_hands = [hand for player in the_event.players if (hand := hands.to_keep(player.name)) is not None]
            keep_hands(kept_hands, kept)
            click.echo(
                f"{kept}: {write_count(len(kept_hands), 'hand')}; delete this personal file "
                "when it is not needed any more"
            )
            return
        for player in the_event.players:
            how = Counter(str(row.how) for row in hands.rows_of(player.name))
            click.echo(f"{player.name}: {', '.join(f'{count} {each}' for each, count in how.items()) or 'nothing yet'}")


# ``ordersheets doctor``: what is installed, what is missing, how to get it.


@click.command("doctor")
@on_event_if_named
@with_json_option
@click.option(
    "--report",
    "output",
    type=click.Path(path_type=Path),
    help="Write a ZIP file to attach to a report: the log, versions, and what 'check' says.",
)
def doctor_command(event: Path | None, wants_json: bool, output: Path | None) -> None:
    """Say what is missing on this machine, and how to get it. Exit code 4 if something is missing."""
    folder = event or Path.cwd()
    findings = examine(folder)
    if output is not None:
        _write_report(folder, output, findings)
        return
    if wants_json:
        print_json([to_builtins(finding) for finding in findings])
    else:
        parts = [finding for finding in findings if finding.is_part]
        for finding in findings:
            if not (finding.is_part and finding.is_well):
                click.echo(f"{'ok      ' if finding.is_well else 'MISSING '} {finding.what:<18} {finding.text}")
        if all(part.is_well for part in parts):
            click.echo(f"ok       {'the program itself':<18} complete, with all of {write_count(len(parts), 'part')}")
    if (folder / "event.toml").is_file():
        with suppress(Stopped), open_event(folder, now) as the_event:  # what stops it is among the findings
            print_problems((*warn_of_newer_copies(the_event), *the_event.facts.verify()))
    raise SystemExit(ExitCode.DONE if all(finding.is_well for finding in findings) else ExitCode.MACHINE_LACKS)


def _write_report(folder: Path, output: Path, findings: Iterable[Finding]) -> None:
    """Pack what helps to find a fault of the program into one file, and say what is in it."""
    parts = {
        "machine.txt": ("this machine", [f"{each.is_well} {each.what}: {each.text}" for each in findings]),
        "versions.txt": ("versions of all packages", sorted(f"{d.name} {d.version}" for d in distributions())),
        "check.txt": ("what 'check' says: boards and orders, players by number", _check_in_words(folder)),
    }
    for name in (OLDER, LOG_FILE):
        if (folder / name).is_file():
            lines = (folder / name).read_text("utf-8", errors="replace").splitlines()
            parts[name] = ("failures of the program, without names and orders", lines)
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, (_, lines) in parts.items():
            archive.writestr(ZipInfo(name), "\n".join((*lines, "")), ZIP_DEFLATED)
    keep_file(output, out.getvalue())
    click.echo(f"{output}, to attach to a report; look into it before you send it. In it are:")
    for name, (words, lines) in parts.items():
        click.echo(f"  {name:<18} {words} ({len(lines)} {'line' if len(lines) == 1 else 'lines'})")


def _check_in_words(folder: Path) -> list[str]:
    """What `check` says of an event, or why it cannot be opened; players by their numbers."""
    from pipeline.desk.publish.explain import check_event  # noqa: PLC0415 - as in `check_command`

    names: Mapping[str, int] = {}
    try:
        with open_event(folder, now) as event:
            names = event.people.number_by_name
            problems = (*check_event(event), *check_copies(event))
    except Stopped as stopped:
        problems = stopped.problems
    text = "\n".join(f"{each.where}: {each.text}" for each in problems) or "everything is in order"
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, f"player {names[name]}")
    return text.splitlines()
