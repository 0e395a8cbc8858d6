"""Lists composed of known players in many ways, as programs and people write them: they are read as those players."""

import csv
from io import BytesIO, StringIO
from itertools import product
from random import Random
from typing import Any

import pytest
from openpyxl import Workbook

from pipeline.desk.roster_file import read_roster_bytes
from pipeline.draw.list_as_read import RosterChoices
from pipeline.draw.list_headings import FAMILY_OR_NAME, FIRST, WORDS, guess_columns
from pipeline.draw.roster import COLUMNS
from pipeline.draw.roster_list import TOTALS, read_roster_list
from pipeline.problems import Weight
from pipeline.words.names import fold_name

FIRSTS = ("Ada", "Bo", "Cem", "Dag", "Eva", "Finn", "Gil", "Hal", "Ida", "Jon", "Kai", "Lea", "Mia", "Nils", "Ola")
FAMILIES = (
    "Lund",
    "Ek",
    "Dee",
    "Hart",
    "Moss",
    "Voss",
    "Orr",
    "Kay",
    "Day",
    "Ives",
    "Fox",
    "Ray",
    "Berg",
    "Holm",
    "Vik",
)
ANNOUNCED = ("announced R1", "announced R2")
CLUBS, LANDS = ("Owls", "Bats", "Red Hats"), ("Norway", "France", "Chile")
OF = {meaning: [word for word, known in WORDS.items() if known == meaning] for meaning in (*COLUMNS, FIRST)}
Entry = dict[str, str]


def players(dice: Random) -> list[Entry]:
    """From five to twelve players, of some of whom more is known."""
    count = dice.randrange(5, 13)
    found: list[Entry] = []
    for first, family in zip(dice.sample(FIRSTS, count), dice.sample(FAMILIES, count), strict=True):
        more = {"club": dice.choice(CLUBS), "country": dice.choice(LANDS), "team": dice.choice("XY")}
        more |= {"distance_km": str(dice.randrange(9999)), "E-Mail": f"{first.lower()}@x.example"}
        more |= dict.fromkeys(ANNOUNCED, "yes")
        kept = {key: value if dice.random() < 0.8 else "" for key, value in more.items()}
        found.append({FIRST: first, "family_name": family, "name": f"{first} {family}", **kept})
    return found


def table(dice: Random, entries: list[Entry]) -> tuple[list[list[str]], list[str]]:
    """A table with headings of any language; titles above, totals below, the headings once more in the middle."""
    two = dice.random() < 0.5
    columns = [
        *([FIRST, "family_name"] if two else ["name"]),
        *dice.sample(("club", "country", "team"), dice.randrange(4)),
    ]
    columns += dice.sample(("distance_km", "E-Mail", *ANNOUNCED), dice.randrange(5))
    distance = dice.choice((str, "{} km".format, "ca. {}".format))
    dice.shuffle(columns)
    headings = {
        key: dice.choice(
            [word for word in (key, *OF.get(key, ())) if word == key or fold_name(word) not in FAMILY_OR_NAME]
        )
        for key in columns
    }
    is_turned = not two and dice.random() < 0.3
    below = [
        [
            f"{entry['family_name']}, {entry[FIRST]}"
            if is_turned and key == "name"
            else distance(entry[key])
            if key == "distance_km" and entry[key]
            else entry[key]
            for key in columns
        ]
        for entry in entries
    ]
    head = [dice.choice((str.title, str.upper, str))(headings[key].replace("_", " ")) for key in columns]
    blank = [""] * len(columns)
    rows = [head, *below]
    if dice.random() < 0.3 and len(columns) > 1:
        place = dice.randrange(2, len(rows) - 1)
        again = dice.choice(([head], [blank, head], [blank, ["Second day", *blank[1:]], head]))
        rows = [*rows[:place], *again, *rows[place:]]
    if dice.random() < 0.4 and len(columns) > 1:
        rows.append([dice.choice(sorted(TOTALS)).title(), *blank[1:-1], str(len(entries))])
    if dice.random() < 0.5 and len(columns) > 1:
        titles = [["The Owl Cup", *blank[1:]], ["14 and 15 May", *blank[1:]]][: dice.choice((1, 2))]
        rows = [*titles, *([blank] if dice.random() < 0.5 else []), *rows]
    return rows, columns


@pytest.mark.parametrize("seed", range(150))
def test_a_table_is_read_as_the_players_of_whom_it_was_made(seed: int) -> None:
    dice = Random(seed)
    entries = players(dice)
    rows, columns = table(dice, entries)
    read = read_roster_list(rows, "list")
    assert [str(each) for each in read.problems if each.weight is not Weight.NOTES] == []
    assert read.doubtful == ()
    assert [told(each, columns) for each in read.players] == [wanted(entry, columns) for entry in entries]
    meanings = [column.meaning for column in read.columns]
    assert meanings == [key if key != "E-Mail" else "" for key in columns if key not in ANNOUNCED]
    assert [column.sample for column in read.columns if column.meaning in ("club", "country", "team")] == [
        next((entry[key] for entry in entries if entry[key]), "")
        for key in columns
        if key in ("club", "country", "team")
    ]


def wanted(entry: Entry, columns: list[str]) -> Entry:
    """What is to be read of an entry under these columns: who announced himself for all rounds is preregistered."""
    announced = [entry[key] for key in columns if key in ANNOUNCED]
    kept = {key: entry[key] for key in columns if key not in ("name", FIRST, *ANNOUNCED)}
    return {"name": entry["name"], **({"preregistered": str(all(announced))} if announced else {}), **kept}


def told(player: Any, columns: list[str]) -> Entry:
    """What was read of a player under these columns."""
    found = {"name": player.name}
    if any(key in ANNOUNCED for key in columns):
        found["preregistered"] = str(player.preregistered)
    for key in columns:
        if key in ANNOUNCED:
            continue
        if key == "E-Mail":
            found[key] = dict(player.more).get(next((head for head, _ in player.more), ""), "")
        elif key not in ("name", FIRST):
            value = getattr(player, key)
            found[key] = "" if value is None else str(value)
    return found


# Lists of names, a line each: what stands around the names and behind them.

MARKS = ("", "- ", "* ", "• ", "{n}. ", "{n}) ", "({n}) ", "#{n} ")
BEHIND = ("", " ({club})", " - {club}", " [{club}]", " {number}", " ({number})")


@pytest.mark.parametrize("total", sorted(TOTALS))
@pytest.mark.parametrize("above", [[], [["Owl Cup"]]], ids=["list", "title and list"])
def test_a_row_of_totals_is_left_out_below_players_and_never_all_there_is(total: str, above: list[list[str]]) -> None:
    for players in ([], [["Ada Lund", "Owls"]]):
        read = read_roster_list([*above, ["Name", "Club"], *players, [total, "2"]], "x")
        assert any("a row of totals" in problem.text for problem in read.problems) == bool(players)


@pytest.mark.parametrize("places", [*product(("Norway", "Jordan", "Owls", ""), repeat=2)], ids=" ".join)
def test_countries_go_off_names_unasked_only_behind_all_and_where_nobody_is_called_so(places: tuple[str, str]) -> None:
    names = [f"{name} {place}".strip() for name, place in zip(("Ada Lund", "Bo Ek"), places, strict=True)]
    read = read_roster_list([["Name", "Club"], *([name, "Owls"] for name in names)], "x")
    are_countries = set(places) == {"Norway"}
    assert [each.country for each in read.players if each.country] == ["Norway"] * 2 * are_countries
    asked = [problem.where for problem in read.problems if problem.weight is Weight.ASKS]
    assert asked == [f"x row {row}" for row, place in enumerate(places, 2) if place and not are_countries]


@pytest.mark.parametrize("seed", range(150))
def test_a_list_of_names_is_read_as_those_names_with_what_stands_behind_them(seed: int) -> None:
    dice = Random(seed)
    entries = players(dice)
    mark, behind = dice.choice(MARKS), dice.choice(BEHIND)
    clubs = dice.sample([*CLUBS[:2]] * 6, len(entries))  # each of them several times, or it is asked about
    numbers = [str(dice.randrange(1, 999)) for _ in entries]
    lines = [
        mark.format(n=place) + entry["name"] + behind.format(club=club, number=number)
        for place, (entry, club, number) in enumerate(zip(entries, clubs, numbers, strict=True), start=1)
    ]
    heading = [dice.choice(("Players", "Name", "Spieler", "Joueurs"))] if dice.random() < 0.4 else []
    read = read_roster_list([[line] for line in [*heading, *lines]], "list")
    assert [player.name for player in read.players] == [entry["name"] for entry in entries], lines
    assert read.doubtful == ()
    if "club" in behind:
        assert [player.club for player in read.players] == clubs
    assert not [each for each in read.problems if each.weight is not Weight.NOTES]


# The same table in any file.

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252")


def as_text(rows: list[list[str]], dice: Random) -> bytes:
    """A table as programs save it as text: with one of four signs between the cells, in one of five encodings."""
    written, sign = StringIO(), dice.choice(",;\t|")
    csv.writer(written, delimiter=sign, lineterminator=dice.choice(("\n", "\r\n"))).writerows(rows)
    said = dice.choice(("", "", f"sep={sign}\n"))
    text = said + written.getvalue()
    return text.encode(dice.choice(ENCODINGS if max(text) < "\xff" else ENCODINGS[:-1]))


def as_workbook(rows: list[list[str]], dice: Random) -> bytes:
    """A table as a workbook, perhaps beside a sheet of something else; numbers are numbers there."""
    book, data = Workbook(), BytesIO()
    sheet = book.active
    assert sheet is not None
    if dice.random() < 0.5:
        sheet.append(["Hotels", "Price"])
        sheet.append(["Grand", 120])
        sheet = book.create_sheet("Players")
    for row in rows:
        sheet.append([int(cell) if cell.isdecimal() else cell or None for cell in row])
    book.save(data)
    return data.getvalue()


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_same_table_in_any_file_is_the_same_list(seed: int, kind: str) -> None:
    dice = Random(seed)
    rows, columns = table(dice, players(dice))
    if len(columns) == 1:
        return
    data = as_text(rows, dice) if kind == "csv" else as_workbook(rows, dice)
    read, plain = read_roster_bytes(data, f"list.{kind}"), read_roster_list(rows, "list")
    assert read.players == plain.players
    assert read.columns == plain.columns
    assert (read.doubtful, read.alike, read.same) == (plain.doubtful, plain.alike, plain.same)


@pytest.mark.parametrize(
    ("headings", "meanings"),
    [
        (("Nom",), ("name",)),
        (("Name", "Nom"), ("name", "name")),  # which of them is asked
        (("Prénom", "Nom"), (FIRST, "family_name")),
        (("Nom", "Nom de famille"), (FIRST, "family_name")),
        (("Prénom", "Nom", "Nom de famille"), (FIRST, "name", "family_name")),
        (("Prénom", "Nom", "Nazwisko"), (FIRST, "family_name", "name")),
    ],
)
def test_a_word_for_a_name_or_a_family_name_means_what_the_other_columns_leave(
    headings: tuple[str, ...], meanings: tuple[str, ...]
) -> None:
    assert tuple(guess_columns(headings, RosterChoices())) == meanings


REPAIRS = {
    "letters put right that were saved twice": lambda first, family: f"{first}Ã« {family}",
    "signs that nobody sees between two words": lambda first, family: f"{first}ë\u200b{family}",
    "signs that nobody sees, left out": lambda first, family: f"{first}ë\u200e {family}",
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("note", REPAIRS)
def test_what_is_put_right_in_a_name_is_told_of_its_row_alone(note: str, seed: int) -> None:
    row = Random(seed).randrange(len(FIRSTS))
    names = [f"{first}ë {family}" for first, family in zip(FIRSTS, FAMILIES, strict=True)]
    written = [*names[:row], REPAIRS[note](FIRSTS[row], FAMILIES[row]), *names[row + 1 :]]
    lists = [read_roster_list([["name"], *([name] for name in rows)], "x.csv") for rows in (names, written)]
    (clean, told), (mended, more) = ((each.players, [one.text for one in each.problems]) for each in lists)
    assert [player.name for player in mended] == [player.name for player in clean] == names
    (added,) = (text for text in more if text not in told)
    assert note in added
    assert (f"row {row + 2}" in added) or names[row] in added


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("heading", [[], [["name"]]])
def test_an_empty_cell_in_front_of_a_name_changes_nothing(heading: list[list[str]], seed: int) -> None:
    names = [f"{first} {family}" for first, family in zip(FIRSTS, FAMILIES, strict=True)]
    plain = [*heading, *([name] for name in names)]
    all_in, some_in = (
        [["", *row] for row in plain],
        [[*[""] * Random(seed + n).randrange(2), *row] for n, row in enumerate(plain)],
    )
    for rows in (plain, all_in, *([some_in] if not heading else [])):
        read = read_roster_list(rows, "x.csv")
        assert ([player.name for player in read.players], read.problems) == (names, ())
