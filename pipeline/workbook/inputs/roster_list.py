"""A roster out of a workbook, as people fill it in: all faults at once, each with its sheet and cell."""

from pipeline.draw.players.roster import Player, read_roster_rows
from pipeline.problems import Problem, Weight
from pipeline.workbook.xlsx.lists import SheetList, open_book

OURS = {"td plays": "director", "distance (km)": "distance_km"}  # heads of our Players sheet -> columns of a roster
ONLY_OURS = ("no", "excluded", "lot drawn")  # heads that a roster has no column for


def read_roster(data: bytes, where: str) -> tuple[tuple[Player, ...], tuple[Problem, ...]]:
    """Read a roster: our Players sheet, or the first sheet that has a column "name". Formulas are refused."""
    book = open_book(data, where)
    sheets = sorted(book.worksheets, key=lambda sheet: sheet.title != "Players")
    found = next((one for sheet in sheets if (one := SheetList.find(sheet, ["name"]))), None)
    if found is None:
        text = "no sheet has a column 'name'; name the columns in the first row of the list"
        return (), (Problem(Weight.STOPS, text, where),)
    announced = [head for head in found.columns if head.startswith("announced r")]
    heads = [head for head in found.columns if head not in (*ONLY_OURS, *announced)]
    rows = [[OURS.get(head, head) for head in heads] + (["preregistered"] if announced else [])]
    for row in found.rows(*heads):
        cells = [found.text(row, head) for head in heads]
        every = [found.yes(row, head) for head in announced]
        rows.append(cells + (["yes" if all(every) else ""] if announced else []))
    players, problems = read_roster_rows(rows, f"{where} {found.sheet.title}")
    return players, (*found.problems, *problems)
