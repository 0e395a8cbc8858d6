"""``ordersheets forms``: print board sheets, vote slips, ballots, team entries, score sheets and writing samples."""

import json
from pathlib import Path

import click

from pipeline.cli.common import on_event, opened
from pipeline.desk.forms.form_printing import Wanted, numbered, print_wanted
from pipeline.ledger.files.disk import keep_file
from pipeline.paper.form.form import FormKind
from pipeline.paper.form.form_paper import PAPERS
from pipeline.problems import stop

NUMBERS = "numbers"


@click.command("forms")
@on_event
@click.argument("kind", type=click.Choice([*(str(kind) for kind in FormKind), NUMBERS]))
@click.option(
    "--board", default="", help="Only this board, in full such as 2.5, or alone; else all of the round drawn last."
)
@click.option("--copies", type=click.IntRange(1, 50), default=1, help="So many sets.")
@click.option("--paper", type=click.Choice(list(PAPERS), case_sensitive=False), help="Other paper than the event's.")
@click.option("--player", "players", multiple=True, help="Writing samples: only his; number or name. Again for more.")
@click.option("--named", is_flag=True, help="Vote slips with the powers on them, where the rules do not say 'secret'.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The PDF to write.")
@click.option(
    "--layout", "layout_file", type=click.Path(path_type=Path), help="Also write where everything is, as JSON."
)
def command(
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
    with opened(event) as the_event:
        if kind == NUMBERS:
            for item in numbered(the_event):
                click.echo(f"{item.name:>4}  {item.label}")
            return
        if output is None:
            raise stop("say with -o which PDF to write", f"forms {kind}")
        if players and kind != FormKind.SAMPLE:
            raise stop("only writing samples are printed for single players", f"forms {kind} --player")
        wanted = Wanted(
            kind=FormKind(kind),
            board=board,
            copies=copies,
            paper=(paper or "").upper(),
            players=players,
            named=named,
        )
        printed = print_wanted(the_event, wanted)
    keep_file(output, printed.pdf)
    if layout_file:
        keep_file(layout_file, json.dumps(printed.as_json(), indent=1).encode())
    cut = f", {len(printed.imposed.places)} on a page: cut them apart" if printed.imposed.is_cut else ""
    count = len(printed.pages)
    click.echo(f"{output}: {count} {'form' if count == 1 else 'forms'}{cut}")
