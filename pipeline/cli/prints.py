"""``ordersheets sheets`` and ``forms``: print what the players write on; ``signs``: cards, badges and a text."""

import json
from pathlib import Path

import click

from pipeline.board import Phase, Step
from pipeline.cli.common import on_event, open_for_command, print_problems, with_phase_option
from pipeline.desk import signs
from pipeline.desk.forms.form_printing import OF_A_BOARD, Wanted, numbered_player_list, print_wanted
from pipeline.desk.players import seats_of
from pipeline.desk.sheets.printing import PrintWish, print_round, printed_again
from pipeline.ledger.files import check_place, keep_file
from pipeline.paper.form import FormKind
from pipeline.paper.sheet import PAPER_SIZES
from pipeline.paper.sheet_rows import Design
from pipeline.problems import stop
from pipeline.words.speech import write_count

KINDS = tuple(step.name.lower() for step in Step)


@click.command("sheets")
@on_event
@click.option("--round", "round_number", type=int, help="The round; needed unless a board is named.")
@click.option("--board", help="One board only, in full such as 2.5, or alone.  [default: all boards of the round]")
@with_phase_option("Another phase than the one each board is in, such as F1901M.")
@click.option("--spare", type=click.IntRange(0, 20), default=0, help="How many spare sheets for each power.")
@click.option(
    "--design",
    type=click.Choice([str(design) for design in Design]),
    help="A free line a row, or printed units and a box to tick for each thing that they can do."
    "  [default: targets for the phase that is open; line for pads, for a phase to come and with --beginners]",
)
@click.option(
    "--pads", type=click.IntRange(0, 20), default=0, help="Pads for this many seasons; the player ticks which."
)
@click.option(
    "--only", "kinds", multiple=True, type=click.Choice(KINDS), help="Pads of this kind only.  [default: all]"
)
@click.option(
    "--reprint",
    type=int,
    metavar="NUMBER",
    help="Print the print-out with this number of the journal again, with the same ids.",
)
@click.option(
    "--slips/--no-slips",
    default=None,
    help="Retreats and winters on half a page, two on a paper of A4 or Letter, which is cut."
    "  [default: where all sheets of a board fit; with --layout whole pages]",
)
@click.option("--beginners", is_flag=True, help="With examples of every form of order, on fewer rows.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The PDF to write.")
@click.option(
    "--layout", "layout_file", type=click.Path(path_type=Path), help="Also write where everything is, as JSON."
)
def sheets_command(
    event: Path,
    round_number: int | None,
    board: str | None,
    phase: str | None,
    spare: int,
    design: str | None,
    pads: int,
    kinds: tuple[str, ...],
    reprint: int | None,
    slips: bool | None,
    beginners: bool,
    output: Path,
    layout_file: Path | None,
) -> None:
    """Print the order sheets of a round; every sheet has an id of its own.

    With --pads N one print-out serves the whole round: N pads a power for movement, half as many for retreats and for
    adjustments.
    """
    if reprint is not None:
        if any(
            (
                round_number is not None,
                board,
                phase,
                spare,
                design,
                pads,
                kinds,
                slips is not None,
                beginners,
                layout_file,
            )
        ):
            raise stop("it prints the same sheets again; give nothing with it but -o", "--reprint")
        with open_for_command(event) as the_event:
            keep_file(output, printed_again(the_event, reprint))
        click.echo(f"{output}: the sheets of number {reprint} once more")
        return
    try:
        when = Phase.read(phase) if phase else None
    except ValueError as error:
        raise stop(str(error), "--phase") from error
    wish = PrintWish(
        phase=when,
        spare=spare,
        pads=pads,
        kinds=tuple(step for step in Step if step.name.lower() in kinds),
        design=Design(design) if design else None,
        for_beginners=beginners,
        slips=False if slips is None and layout_file else slips,
    )
    _check_places(output, layout_file)
    with open_for_command(event) as the_event:
        printed = print_round(the_event, round_number, board, wish)
    print_problems(printed.notes)
    keep_file(output, printed.pdf)
    if layout_file:
        keep_file(layout_file, json.dumps(printed.layout.as_json(), indent=1).encode())
    slips_said = f", {printed.slips} on half a page: cut them apart" if printed.slips else ""
    click.echo(f"{output}: {write_count(len(printed.layout.pages), 'pad' if pads else 'sheet')}{slips_said}")


def _check_places(*files: Path | None) -> None:
    """Stop where a file cannot be written, before what is in it is noted as printed."""
    for file in files:
        if file is not None:
            check_place(file)


# ``ordersheets forms``: print board sheets, vote slips, ballots, team entries, score sheets and writing samples.

NUMBERS = "numbers"


@click.command("forms")
@on_event
@click.argument("kind", type=click.Choice([*(str(kind) for kind in FormKind), NUMBERS]))
@click.option(
    "--board", default="", help="Only this board, in full such as 2.5, or alone; else all of the round drawn last."
)
@click.option("--copies", type=click.IntRange(1, 50), default=1, help="How many sets.")
@click.option(
    "--paper", type=click.Choice(list(PAPER_SIZES), case_sensitive=False), help="Other paper than the event's."
)
@click.option(
    "--player", "players", multiple=True, help="Writing samples of this player; number or name. Again for more."
)
@click.option("--named", is_flag=True, help="Vote slips with the powers on them, where the rules do not say 'secret'.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The PDF to write.")
@click.option(
    "--layout", "layout_file", type=click.Path(path_type=Path), help="Also write where everything is, as JSON."
)
def forms_command(
    event: Path,
    kind: str,
    board: str,
    copies: int,
    paper: str | None,
    players: tuple[str, ...],
    named: bool,
    output: Path | None,
    layout_file: Path | None,
) -> None:
    """Print forms of a KIND; each has a serial of its own. 'numbers' lists the players' numbers, to hang up."""
    with open_for_command(event) as the_event:
        if kind == NUMBERS:
            if output is not None or layout_file is not None:
                raise stop("the numbers are listed here and in no file; leave -o and --layout out", f"forms {kind}")
            for item in numbered_player_list(the_event):
                click.echo(f"{item.name:>4}  {item.label}")
            return
        if output is None:
            raise stop("say with -o which PDF to write", f"forms {kind}")
        if players and kind != FormKind.SAMPLE:
            raise stop("only writing samples are printed for single players", f"forms {kind} --player")
        if board and kind not in OF_A_BOARD:
            raise stop("this form is about no board", f"forms {kind} --board")
        if named and kind != FormKind.VOTE:
            raise stop("only vote slips can be printed with the powers on them", f"forms {kind} --named")
        wanted = Wanted(
            kind=FormKind(kind),
            board=board,
            copies=copies,
            paper=(paper or "").upper(),
            players=players,
            named=named,
        )
        _check_places(output, layout_file)
        printed = print_wanted(the_event, wanted)
    keep_file(output, printed.pdf)
    if layout_file:
        keep_file(layout_file, json.dumps(printed.as_json(), indent=1).encode())
    cut = f", {len(printed.imposed.places)} on a page: cut them apart" if printed.imposed.is_cut else ""
    count = len(printed.pages)
    click.echo(f"{output}: {count} {'form' if count == 1 else 'forms'}{cut}")


# ``ordersheets signs``: what lies on the tables and hangs on the wall beside the seats and the standings.


@click.command("signs")
@on_event
@click.argument("kind", type=click.Choice(["cards", "badges", "notice"]))
@click.option("--round", "round_number", type=int, help="Whose place cards.")
@click.option("--text", default="", help="The text to hang up.  [default: the one on the public screen]")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The PDF to write.")
def signs_command(event: Path, kind: str, round_number: int | None, text: str, output: Path) -> None:
    """Print place cards for a round, to be folded; badges for everybody, to be cut; or a text, as large as a page."""
    if kind == "cards" and round_number is None:
        raise stop("say which round", "--round")
    with open_for_command(event) as the_event:
        match kind:
            case "cards":
                data = signs.place_cards_pdf(the_event, seats_of(the_event, round_number or 0))
            case "badges":
                data = signs.badges_pdf(the_event)
            case _:
                data = signs.notice_pdf(the_event, text)
        keep_file(output, data)
    click.echo(f"{output}: {len(data) // 1024} kB")
