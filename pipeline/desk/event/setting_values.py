"""The settings of an event's file, a value each, so that two of its states can be compared."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.rules.toml.table import read_toml_text

OF_EVENT = "event."  # the settings; what else there is are players
KEPT_ONLY = ("number", "more")  # who a player is; and columns that nothing makes use of, such as telephone numbers
Settings = Mapping[str, str]  # "event.name", "player 3 club" -> the value as TOML has it


def settings_in(text: str) -> dict[str, str]:
    r"""What a file says, a value each; comments and the order of its lines are nobody's business.

    >>> settings_in('[event]\nname = "Cup"\n[[players]]\nname = "Ana"\nnumber = 1\nclub = "X"\n')
    {'event.name': '"Cup"', 'player 1 name': '"Ana"', 'player 1 club': '"X"'}
    """
    values = read_toml_text(text)
    event, players = values.get("event"), values.get("players")
    found = {f"{OF_EVENT}{key}": as_toml(value) for key, value in event.items()} if isinstance(event, dict) else {}
    for player in players if isinstance(players, list) else []:
        if isinstance(player, dict):
            found |= of_player(player)
    return found


def of_player(player: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What a file says of a player, under the number, or the name of one who was written in without a number."""
    who = player.get("number", player.get("name", ""))
    for key, value in player.items():
        if key not in KEPT_ONLY:
            yield f"player {who} {key}", as_toml(value)


def as_toml(value: object) -> str:
    """A value as TOML has it; what is no text, number or list is of no use to the program."""
    return json.dumps(value, ensure_ascii=False, default=str)
