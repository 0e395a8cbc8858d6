"""Open a roster file: CSV in whatever encoding people save it, or a workbook."""

from pathlib import Path

from pipeline.draw.roster import Player, read_roster_csv
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
    if path.suffix.lower() in (".xlsx", ".xlsm"):
        from pipeline.workbook.inputs.roster_list import read_roster  # noqa: PLC0415 - a CSV file needs no openpyxl

        players, problems = read_roster(content, path.name)
    else:
        players, problems = read_roster_csv(decoded(content), path.name)
    if stops := tuple(p for p in problems if p.weight is Weight.STOPS):
        raise Stopped(stops)
    if not players:
        raise stop("the roster names nobody; give one player a row", str(path))
    return players, problems


def decoded(content: bytes) -> str:
    """Decode as UTF-8, or as the Windows encoding that older spreadsheet programs still write."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")
