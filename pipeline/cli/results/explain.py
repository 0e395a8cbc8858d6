"""``ordersheets explain``: from an outcome back to the ink."""

from pathlib import Path

import click

from pipeline.cli.common import on_event, opened
from pipeline.desk.publish.explain import explain


@click.command("explain")
@on_event
@click.argument("question")
def command(event: Path, question: str) -> None:
    """Tell the story of one order or place: QUESTION is like "1 S1902M A MUN", a player, or a cell (Orders!E12)."""
    with opened(event) as the_event:
        for line in explain(the_event, question):
            click.echo(line)
