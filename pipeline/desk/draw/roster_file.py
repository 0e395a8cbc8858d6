"""Open a roster file: CSV in whatever encoding people save it, or a workbook."""

from pathlib import Path

from pipeline.draw.players.roster import Player, read_roster_csv
from pipeline.problems import Problem, Stopped, Weight, stop

LARGEST = 20_000_000  # bytes; the roster of 200 players has some ten thousand


def read_roster_file(path: Path) -> tuple[tuple[Player, ...], tuple[Problem, ...]]:
    """Read a roster, or stop with all its faults; what is only worth a note comes back beside the players."""
    try:
        if path.stat().st_size > LARGEST:
            raise stop("this is no roster: it is larger than 20 MB", str(path))
        content = path.read_bytes()
    except OSError as error:
        raise stop(f"cannot read the roster: {error.strerror or error}", str(path)) from error
    return read_roster_bytes(content, path.name)


def read_roster_bytes(content: bytes, name: str) -> tuple[tuple[Player, ...], tuple[Problem, ...]]:
    """The same, of a file that is here already: its ending says whether it is a workbook."""
    if name.lower().endswith((".xlsx", ".xlsm")):
        from pipeline.workbook.inputs.roster_list import read_roster  # noqa: PLC0415 - a CSV file needs no openpyxl

        return whole(*read_roster(content, name), name)
    return read_roster_text(decoded(content), name)


def read_roster_text(text: str, name: str) -> tuple[tuple[Player, ...], tuple[Problem, ...]]:
    """The same, of a list that is pasted or typed: rows out of a spreadsheet, or a name a line."""
    return whole(*read_roster_csv(text, name), name)


def whole(
    players: tuple[Player, ...], problems: tuple[Problem, ...], name: str
) -> tuple[tuple[Player, ...], tuple[Problem, ...]]:
    """Stop with all the faults of a roster, or where it names nobody."""
    if stops := tuple(p for p in problems if p.weight is Weight.STOPS):
        raise Stopped(stops)
    if not players:
        raise stop("the roster names nobody; give one player a row", name)
    return players, problems


def decoded(content: bytes) -> str:
    """Decode as UTF-8, or as the Windows encoding that older spreadsheet programs still write."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")
