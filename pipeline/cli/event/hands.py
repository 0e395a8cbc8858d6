"""``ordersheets hands``: what is known of each player's hand; keep it for another event, or bring it from one."""

from collections import Counter
from pathlib import Path

import click

from pipeline.cli.common import on_event, opened, signed
from pipeline.problems import ExitCode, stop


@click.command("hands")
@on_event
@click.option("--keep", "kept", type=click.Path(path_type=Path), help="Write each hand into this folder.")
@click.option("--bring", "brought", type=click.Path(path_type=Path), help="Bring the hands of this event's players.")
@signed
def command(event: Path, kept: Path | None, brought: Path | None, by: str) -> None:
    """Tell how many rows are known of each hand. Only these options take a hand to another event, or from one."""
    if kept is not None and brought is not None:
        raise stop("give --keep or --bring, not both", "hands")
    from pipeline.desk.hands.kept_hands import bring, keep  # noqa: PLC0415 - it loads numpy
    from pipeline.desk.hands.reader import best_recogniser, reader_for  # noqa: PLC0415 - it loads OpenCV
    from pipeline.desk.hands.writer_adaptation import hands_of  # noqa: PLC0415 - likewise

    with opened(event) as the_event:
        if brought is not None:
            for came in bring(the_event, brought, by):
                click.echo(f"{came.player}: {len(came.texts)} rows brought from {came.event}")
        hands = hands_of(the_event, reader_for(the_event, best_recogniser()))
        if hands is None:
            raise stop(
                "there is no reader here that learns hands; see 'ordersheets doctor'", "hands", ExitCode.MACHINE_LACKS
            )
        if kept is not None:
            found = [hand for player in the_event.players if (hand := hands.to_keep(player.name)) is not None]
            keep(found, kept)
            click.echo(f"{kept}: {len(found)} hands; they are personal, delete them when they are not needed any more")
            return
        for player in the_event.players:
            how = Counter(str(row.how) for row in hands.rows_of(player.name))
            click.echo(f"{player.name}: {', '.join(f'{count} {each}' for each, count in how.items()) or 'nothing yet'}")
