"""Whether the name of somebody who is added looks like the name of one player."""

from pipeline.desk.review.meaning import MeansNothing
from pipeline.draw.roster_list import read_roster_list
from pipeline.problems import Problem, Weight


def check_new_name(name: str) -> None:
    """Ask about a name that looks like none, or like a name with more, as a list of players is asked about."""
    doubt = next(iter(read_roster_list([["name"], [name]], "players").doubtful), None)
    if doubt is None:
        return
    text = f"{name[:60]!r}: {doubt.why}"
    if doubt.names:
        text += f"; add each of them alone: {', '.join(doubt.names)}"
    elif doubt.is_likely and doubt.name != name:
        text += f"; is the name {doubt.name!r}?"
    raise MeansNothing((Problem(Weight.ASKS, text, "players"),), "--sure takes it as it stands")
