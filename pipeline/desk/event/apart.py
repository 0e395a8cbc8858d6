"""Who is kept apart at every event: a file of this machine's user, which every new event and every new player reads."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pipeline.draw.roster import Player, split_names
from pipeline.ledger.files import pairs_apart_file
from pipeline.problems import Problem, Weight
from pipeline.small_files import decode_text, read_named
from pipeline.words.names import fold_name


def keep_pairs_apart(players: Sequence[Player]) -> tuple[tuple[Player, ...], tuple[Problem, ...]]:
    """Add to a roster whom each player is kept apart from at every event, and say so; nobody without such a file.

    Names are compared without accents and capitals, and whole; who is not on the roster is passed over.
    """
    path = pairs_apart_file()
    if path is None:
        return tuple(players), ()
    try:
        text = decode_text(read_named(path))
    except (OSError, UnicodeDecodeError) as error:
        mend = "save it as text in UTF-8, or enter the pairs as 'keep_apart'"
        return tuple(players), (Problem(Weight.NOTES, f"cannot be read: {error}; {mend}", str(path)),)
    whole = {fold_name(player.name): player.name for player in players}
    apart: dict[str, list[str]] = {}
    notes = []
    for line, names in _groups_in(text, [player.name for player in players]):
        here = list(dict.fromkeys(whole[name] for name in map(fold_name, names) if name in whole))
        for name in here:
            apart.setdefault(name, []).extend(other for other in here if other != name)
        if len(here) > 1:
            notes.append(Problem(Weight.NOTES, f"kept apart at every event: {', '.join(here)}", f"{path} line {line}"))
    kept = tuple(
        replace(player, keep_apart=tuple(dict.fromkeys((*player.keep_apart, *apart.get(player.name, ())))))
        for player in players
    )
    return kept, tuple(notes)


def _groups_in(text: str, known: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The lines that name people, each with its number; what follows a # is a remark."""
    for line, words in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if names := tuple(split_names(words.partition("#")[0], known)):
            yield line, names
