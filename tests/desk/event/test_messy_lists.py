"""Lists as people send them: letters, mails, chats' lists, columns of blanks, states and numbers behind names."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from commands import run

from pipeline.desk import roster_file, text_columns
from pipeline.desk.roster_file import check_roster, read_roster_text
from pipeline.draw import (
    behind_names,
    letter_lines,
    list_numbers,
    list_words,
    listed_names,
    listed_players,
    name_doubts,
    one_name,
    roster_list,
)
from pipeline.draw.list_as_read import ReadRoster, RosterChoices
from pipeline.draw.roster import split_names
from pipeline.problems import Stopped, Weight

FOUR = ["Ada Lund", "Bo Ek", "Cy Dee", "Dov Hart"]
LISTED = "\n".join(FOUR)
CLUBS = "Ada Lund (Owls)\nBo Ek (Bats)\nCy Dee (Owls)\nDov Hart (Bats)\n"


def asked_in(read: ReadRoster) -> list[str]:
    return [doubt.text for doubt in read.doubtful]


# What stands around the four names is asked about, is not proposed as a player, and no name is.
AROUND = {
    "a letter": (f"Hi Bob,\n\nhere are the players:\n\n{LISTED}\n\nCheers, Ann\n", 3),
    "a letter to all": (f"Dear all,\nthe players are below.\n{LISTED}\nKind regards\nCy\n", 4),
    "a letter with a name below a gap": (f"Hello Bob\n{LISTED}\n\nAnn Moss\n", 2),
    "a German letter": (f"Liebe Hanna,\nhier die Liste:\n{LISTED}\nLG Ben\n", 3),
    "a French letter": (f"Salut Léa,\nvoici la liste :\n{LISTED}\nÀ bientôt\nBen\n", 4),
    "a letter with dots": (f"Hi Bob,\n- {LISTED.replace(chr(10), chr(10) + '- ')}\nBest,\nAnn\n", 3),
    "a signature of a club": (
        "Hello Bob!\n\n1. Ada Lund\n2. Bo Ek\n3. Cy Dee\n4. Dov Hart\n\nSee you on Saturday,\nAnn\n--\nAnn Moss\n"
        "Owl Club, Oslo\nhttps://owls.example\n+47 22 33 44 55\n",
        7,
    ),
    "a mail": (f"From: Ann <a@x.example>\nTo: Bob <b@x.example>\nSubject: players\n\n{LISTED}\nCheers\nAnn\n", 5),
    "a mail sent on": (f"-- Ursprüngliche Nachricht --\nVon: Ada\nGesendet: heute\n\n{LISTED}\n", 3),
    "a quoted mail": (f"Ann wrote:\n> {LISTED.replace(chr(10), chr(10) + '> ')}\n>\n> Cheers\n> Ann\n", 3),
    "from a telephone": (f"{LISTED}\nP.S. Jo may come later\nSent from my phone\n", 2),
    "boards": ("Board 1\nAda Lund\nBo Ek\nBoard 2\nCy Dee\nDov Hart\n", 2),
    "people who may come": (f"Confirmed:\n{LISTED}\n\nMaybe:\nEli Moss\n\nCan't make it:\nFay Voss\n", 5),
    "a count below": ("Participants,Sat\n" + "".join(f"{name},OK\n" for name in FOUR) + "Count,4\n", 1),
    "a spectator": ("name,ticket\n" + "".join(f"{name},player\n" for name in FOUR) + "Eli Moss,Spectator\n", 1),
    "an answer to a form": (
        "What is your full name?,Will you come?\n" + "".join(f"{name},Yes\n" for name in FOUR) + "Eli Moss,No\n",
        1,
    ),
    "somebody crossed out": ("".join(f"✅ {name}\n" for name in FOUR) + "❌ Eli Moss\n", 1),
    "who waits behind a dash": ("".join(f"{name} - paid\n" for name in FOUR) + "Eli Moss - waiting list\n", 1),
}


@pytest.mark.parametrize(("text", "count"), AROUND.values(), ids=AROUND.keys())
def test_what_stands_around_a_list_is_asked_about_and_proposed_as_nobody(text: str, count: int) -> None:
    read = read_roster_text(text, "list")
    assert [player.name for player in read.players] == FOUR
    assert {problem.weight for problem in read.problems} <= {Weight.NOTES, Weight.ASKS}
    assert (len(read.doubtful), [doubt.text for doubt in read.doubtful if doubt.is_likely]) == (count, [])


# Letters that are no list: their own lines are more than the names.
LETTERS = (
    "Dear all,\nthe players are below.\nAda Lund\nBo Ek\nKind regards\nCy\n",
    "From: Ann\nSubject: cup\n\nHi Bob,\nI would like to come.\nMay I bring Bo Ek?\n\nBest\nAda Lund\n",
    "Liebe Hanna,\nich komme gern, und Bo Ek kommt auch.\nViele Grüße\nAda Lund\n",
)


@pytest.mark.parametrize("text", LETTERS)
def test_a_letter_with_fewer_names_than_other_lines_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(Stopped) as stopped:
        check_roster(read_roster_text(text, "mail.txt"), "mail.txt")
    assert [problem.text for problem in stopped.value.problems] == [
        "this is a letter or a mail, and no list of players; save the list as .xlsx or .csv"
    ]


# The four names, and what is told; nothing is asked.
TAKEN = {
    "a heading above clubs": (f"Players\n{CLUBS}", "a heading, and left out: Players"),
    "a heading with a count": (f"Players (4):\n{CLUBS}", "a heading, and left out: Players (4):"),
    "a heading of names alone": (f"Players (4)\n{LISTED}\n", ""),
    "a German heading": (f"Teilnehmer:\n{CLUBS}", "a heading, and left out: Teilnehmer:"),
    "a heading above dashes": (
        f"Joueurs :\n{CLUBS.replace('(', '– ').replace(')', '')}",
        "a heading, and left out: Joueurs :",
    ),
    "columns of blanks": (
        "Name        Club     Country\nAda Lund    Owls     Norway\nBo Ek                Sweden\n"
        "Cy Dee      Owls\nDov Hart    Bats     Israel\n",
        "columns with blanks between them",
    ),
    "columns without headings": (
        "Ada Lund        Owls\nBo Ek           Bats\nCy Dee          Owls\nDov Hart        Bats\n",
        "the club behind a name: Owls, Bats",
    ),
    "numbers behind": ("Ada Lund 12\nBo Ek 14\nCy Dee 3\nDov Hart 7\n", "the column 'number behind the name' is kept"),
    "ratings": (
        "1. Ada Lund (1850)\n2. Bo Ek (1720)\n3. Cy Dee (900)\n4. Dov Hart (70)\n",
        "the numbers in front of the names are left out",
    ),
    "ages": ("Ada Lund, 34\nBo Ek, 27\nCy Dee, 34\nDov Hart, 8\n", "the column 'number behind the name' is kept"),
    "places that are free": (
        "1. Ada Lund\n2. Bo Ek\n3. Cy Dee\n4. Dov Hart\n5.\n6.\n7.\n",
        "numbers without a name, left out: row 5, 6, 7",
    ),
    "mail addresses": (
        'Ada Lund <a@x.example>, Bo Ek <b@x.example>; "Dee, Cy" <c@x.example>, Dov Hart <d@x.example>',
        "the names of a list of mail addresses; the row is their number in it",
    ),
    "marks of direction": ("\n".join(f"\u202a\u200e{name}\u200e\u202c" for name in FOUR), "signs that nobody sees"),
    "two blanks": (LISTED.replace(" ", "  "), ""),
    "forms of address": ("Mr Ada Lund\nFrau Bo Ek\nMme Cy Dee\nSr. Dov Hart\n", "quotes around names, Mr and the like"),
    "families in front, places behind": (
        "Lund, Ada (Oslo)\nEk, Bo (Bergen)\nDee, Cy (Oslo)\nHart, Dov (Molde)\n",
        "the club behind a name: Oslo, Bergen, Molde",
    ),
    "flags": ("🇳🇴 Ada Lund\nBo Ek 🇸🇪\nCy Dee\nDov Hart\n", "the country behind a name: NO, SE"),
    "countries": ("Ada Lund UK\nBo Ek FR\nCy Dee DE\nDov Hart UK\n", "the country behind a name: UK, FR, DE"),
    "towns in quotes": (
        '"Lund, Ada";"Oslo"\n"Ek, Bo";"Bergen"\n"Dee, Cy";"Oslo"\n"Hart, Dov";"Molde"\n',
        "the club behind a name: Oslo, Bergen, Molde",
    ),
    "several dashes": (
        "".join(f"{name} - x@y.example - Oslo - paid\n" for name in FOUR),
        "no row names the columns; the names are taken from column 1",
    ),
    "telephones behind commas": (
        "Ada Lund\nBo Ek, 0701234567\nCy Dee, cy@x.example\nDov Hart +47 22 33 44 55\n",
        "addresses and telephone numbers behind the names, left out: row 2, 3",
    ),
    "amounts": ("".join(f"{name} - paid £{n}\n" for n, name in enumerate(FOUR)), ""),
    "arrows and boxes": ("→ Ada Lund\n[x] Bo Ek\n[X] Cy Dee\n☑ Dov Hart\n", "the dots in front"),
    "family name and first name in two languages": (
        "Surname/Nom;First name/Prénom\nLund;Ada\nEk;Bo\nDee;Cy\nHart;Dov\n",
        "",
    ),
    "a heading of both": ("Nazwisko i imię;Klub\nAda Lund;\nBo Ek;Owls\nCy Dee;\nDov Hart;\n", ""),
    "how people are spoken of": ("Ada Lund (er)\nBo Ek (she/her)\nCy Dee (they/them)\nDov Hart (he/him)\n", ""),
    "two dashes": ("".join(f"{name} -- paid\n" for name in FOUR), ""),
    "Chinese numbers": (
        "1、Ada Lund\n2、Bo Ek\n3、Cy Dee\n4、Dov Hart\n",
        "the numbers in front of the names are left out",
    ),
    "headings in two languages": ("Name / Nom;Verein/Club\n" + "".join(f"{name};Owls\n" for name in FOUR), ""),
    "a table of a text editor": (
        "| Name | Club |\n|:--|--:|\n" + "".join(f"| **{name}** | x |\n" for name in FOUR),
        "lines of signs without a letter",
    ),
}


@pytest.mark.parametrize(("text", "told"), TAKEN.values(), ids=TAKEN.keys())
def test_a_list_that_is_plain_is_taken_without_a_question(text: str, told: str) -> None:
    read = read_roster_text(text, "list")
    assert ([player.name for player in read.players], read.doubtful) == (FOUR, ())
    assert {problem.weight for problem in read.problems} <= {Weight.NOTES}
    assert any(problem.text.startswith(told) for problem in read.problems) or not told


TITLES = (
    "Dr. Ada Lund",
    "Dr. med. Cy Dee",
    "Prof. Dr. Bo Ek",
    "Ludwig von und zu Stein",
    "Vincent van der Berg",
    "Sir Ian Moss OBE",
)


def test_titles_are_part_of_names() -> None:
    read = read_roster_text("\n".join((*TITLES, "Ing. Jan Novák, CSc.")), "list")
    assert ([player.name for player in read.players], read.doubtful) == ([*TITLES, "Ing. Jan Novák, CSc."], ())


def test_a_family_name_that_ends_letters_is_one_in_a_list_of_family_names() -> None:
    read = read_roster_text('name\n"Best, George"\n"Lund, Ada"\n"Love, Bo"\n"Ek, Cy"\n', "list")
    assert ([player.name for player in read.players], read.doubtful) == (
        ["George Best", "Ada Lund", "Bo Love", "Cy Ek"],
        (),
    )


def test_two_blanks_below_each_other_in_names_are_no_columns() -> None:
    read = read_roster_text("Ada  Lund\nBob  Ek\nCyd  Dee\n", "list")
    assert ([player.name for player in read.players], read.doubtful) == (["Ada Lund", "Bob Ek", "Cyd Dee"], ())


def test_signs_of_direction_around_a_name_are_no_part_of_it() -> None:
    read = read_roster_text("\u200fמשה לוי\u200f\n\u202bדוד כהן\u202c\n", "list")
    assert [player.name for player in read.players] == ["משה לוי", "דוד כהן"]


def test_a_name_of_a_script_without_blanks_is_no_single_word() -> None:
    read = read_roster_text(f"name,club\n{''.join(f'{name},Owls{chr(10)}' for name in FOUR)}김민수,\nBo Łó,\n", "list")
    assert ([player.name for player in read.players], read.doubtful) == ([*FOUR, "김민수", "Bo Łó"], ())


def test_a_state_behind_a_name_is_no_club() -> None:
    read = read_roster_text("".join(f"{name} - paid\n" for name in FOUR), "list")
    assert [(player.name, player.club, dict(player.more)) for player in read.players] == [
        (name, "", {"status": "paid"}) for name in FOUR
    ]


def test_a_telephone_number_behind_a_name_is_no_club() -> None:
    text = "Ada Lund - 0170 1234567\nBo Ek - 0171 1234567\nCy Dee - 0170 1234567\n"
    rows = {str(line): name for line, name in enumerate(FOUR[:3], start=1)}
    read = read_roster_text(text, "list", RosterChoices(rows=rows))
    assert [(player.name, player.club) for player in read.players] == [(name, "") for name in FOUR[:3]]


def test_an_arrow_between_names_is_no_likely_player() -> None:
    read = read_roster_text("Ada Lund -> Bo Ek\nCy Dee\nDov Hart\n", "list")
    assert [(doubt.text, doubt.is_likely) for doubt in read.doubtful] == [("Ada Lund -> Bo Ek", False)]


def test_clubs_are_told_of_those_who_are_players() -> None:
    text = "Ada Lund (Owls)\nBo Ek (Owls)\nCy Dee (Bats)\nDov Hart (Bats)\nEli Moss (Foxes)\nFay Voss (Foxes)\n"

    def clubs_told(choices: RosterChoices) -> list[str]:
        notes = (problem.text for problem in read_roster_text(text, "list", choices).problems)
        return [note for note in notes if note.startswith("the club")]

    assert clubs_told(RosterChoices()) == ["the club behind a name: Owls, Bats, Foxes"]
    left_out = RosterChoices(rows={"5": "", "6": ""})
    assert clubs_told(left_out) == ["the club behind a name: Owls, Bats"]


def test_text_that_is_mostly_no_list_has_no_player_who_is_not_asked_about() -> None:
    digest = (
        "-----\n\nMessage: 1\nDate: Sat, 28 Nov 2026\nFrom: Ada Lund <a@x.example>\nTo: d@x.example\n\nMe too.\n\nAda\n"
        "-----\nMessage: 2\nDate: Sat, 28 Nov 2026\nFrom: Bo Ek <b@x.example>\nSubject: Re: I come\n\nIn!\n"
    )
    assert read_roster_text(digest, "list").players == ()


def test_the_command_proposes_no_player_that_is_none_and_loses_none(tmp_path: Path) -> None:
    rows = "Reserve 1\nFay Voss & Gil Ho\nGarcía Márquez, José - Sevilla\n"
    (tmp_path / "list.csv").write_text(f"name\n{LISTED}\n{rows}", "utf-8")
    told = run("new", tmp_path / "cup", "--tournament", "edc2023", "--roster", tmp_path / "list.csv", code=2)
    assert "would take them: --row 6= --row '7=Fay Voss' --row '7=Gil Ho' --row 8=" in told


def test_the_command_proposes_what_it_asks_about_and_follows_its_own_proposal(tmp_path: Path) -> None:
    more = "Eli O’Moss (late)\nFay Voss\nGil Ho\nAda Lund\n"
    (tmp_path / "mail.txt").write_text(f"Hi Bob,\n{LISTED}\n{more}\nCheers, Ann\n", "utf-8")
    new = ["new", str(tmp_path / "cup"), "--tournament", "edc2023", "--roster", str(tmp_path / "mail.txt")]
    told = run(*new, code=2)
    assert "as the program would take them: --row 1= --row '6=Eli O’Moss' --row 11=" in told
    assert "of a name that stands twice: --merge NAME" in told
    made = run(*new, "--row", "1=", "--row", "6=Eli O’Moss", "--row", "11=", "--merge", "Ada Lund")
    assert "7 players" in made


# What stands behind a name may be a country or a club of the list: it is asked about, and goes into its column.
PLACES = {
    "Emily Clarke UK": ("Emily Clarke", True, "UK"),
    "Lund, Emily - NO": ("Emily Lund", True, "NO"),
    "de Wit, Marieke - NL": ("Marieke de Wit", True, "NL"),
    "Bo Ek New Zealand": ("Bo Ek", True, "New Zealand"),
    "Bo Ek (SWE)": ("Bo Ek", True, "SWE"),
    "Jenny Lee Jordan": ("Jenny Lee", False, "Jordan"),
    "EMILY CLARKE UK": ("EMILY CLARKE", False, "UK"),
    "Wei Ming LI": ("Wei Ming", False, "LI"),
}


@pytest.mark.parametrize(("text", "taken"), PLACES.items())
@pytest.mark.parametrize("heading", ["name\n", "name;club\n", ""])
def test_a_country_behind_a_name_is_asked_about(text: str, taken: tuple[str, bool, str], heading: str) -> None:
    name, is_likely, country = taken
    listed = f"{heading}{LISTED}\n{text}\n"
    if ";" in heading:
        listed = listed.replace("\n", ";\n").replace("club;", "club")
    row = listed.count("\n")
    read = read_roster_text(listed, "list")
    assert [(doubt.line, doubt.name, doubt.is_likely) for doubt in read.doubtful] == [(row, name, is_likely)]
    answered = read_roster_text(listed, "list", RosterChoices(rows={str(row): name})).players[-1]
    assert (answered.name, answered.country, answered.club) == (name, country, "")


def test_a_club_of_the_list_behind_a_name_is_asked_about_and_a_name_that_only_looks_so_is_not() -> None:
    listed = "name;club\nAda Lund;Owls\nBo Ek Owls;\nAna de GB;\nMichael Jordan;\nIda Moss MD;\nLee Ek Jr;\n"
    assert [doubt.name for doubt in read_roster_text(listed, "list").doubtful] == ["Bo Ek"]
    answered = read_roster_text(listed, "list", RosterChoices(rows={"3": "Bo Ek"}))
    assert [player.club for player in answered.players][:3] == ["Owls", "Owls", ""]


def test_countries_behind_names_are_no_clubs_and_no_state() -> None:
    read = read_roster_text("Ada Lund - NO\nde Wit, Marieke - NL\nBo Ek - SE\n", "list")
    assert {doubt.name: doubt.is_likely for doubt in read.doubtful}.get("Marieke de Wit") is not False
    rows = {str(doubt.line): doubt.name for doubt in read.doubtful}
    answered = read_roster_text("Ada Lund - NO\nde Wit, Marieke - NL\nBo Ek - SE\n", "list", RosterChoices(rows=rows))
    assert [(each.name, each.country, each.club) for each in answered.players] == [
        ("Ada Lund", "NO", ""), ("Marieke de Wit", "NL", ""), ("Bo Ek", "SE", ""),
    ]  # fmt: skip


def test_of_a_family_name_in_two_words_no_false_club_is_proposed() -> None:
    read = read_roster_text("Lund, Ada - NO\nGarcia Marquez, Ana - ES\nEk, Bo - SE\n", "list")
    assert [doubt.is_likely for doubt in read.doubtful if doubt.line == 2] == [False]


def test_of_two_players_in_a_row_two_are_made(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text(f"name;club\n{LISTED}\nAda and Ben Moss;Owls\n", "utf-8")
    new = ["new", str(tmp_path / "cup"), "--tournament", "edc2023", "--roster", str(tmp_path / "list.txt")]
    told = run(*new, code=2)
    assert "to make 2 players of row 6: --row '6=Ada Moss' --row '6=Ben Moss'" in told
    assert "6 players" in run(*new, "--row", "6=Ada Moss", "--row", "6=Ben Moss")
    assert run("players", str(tmp_path / "cup")).count("Owls") == 2


def test_a_cell_of_many_slashes_is_looked_at_once() -> None:
    class Counted(dict[str, int]):
        looked = 0

        def __contains__(self, name: object) -> bool:
            Counted.looked += 1
            return super().__contains__(name)

    assert [*split_names("/ " * 1000, Counted({"Cy/Day": 1}))] == []
    assert Counted.looked < 5_000


# Lists of which what is proposed once was wrong: whom the ticks make, with club and country.
WELL_PROPOSED = {
    "remarks in brackets": ("Ada Lund (late Fri)\nBo Ek (probably)\nCy Dee\nDov Ho\n", "Ada Lund|, Cy Dee|, Dov Ho|"),
    "a comma in brackets": ("Ada Lund (Oslo, NOR)\nBo Ek (Bergen, NOR)\n", "Ada Lund|Oslo, Bo Ek|Bergen"),
    "words in a chat": ("Ada Lund: me too!\nBo Ek: yes\nCy Dee: sorry can't\nDov Ho\n", "Ada Lund|, Bo Ek|, Dov Ho|"),
    "the sender": ("Me (Eli Moss)\nAda Lund\nBo Ek\nCy Dee\n", "Ada Lund|, Bo Ek|, Cy Dee|"),
    "who has not confirmed": ("Nombre,Confirmado\nAda Lund,sí\nBo Ek,no\nCy Dee,sí\n", "Ada Lund|, Cy Dee|"),
    "an office": ("Ada Lund (TD)\nBo Ek\nCy Dee\n", "Ada Lund|, Bo Ek|, Cy Dee|"),
    "two columns of names": ("Ada Lund\tEli Moss\nBo Ek\tFay Voss\nCy Dee\tGil Poe\n", ""),
    "those who may come": ("Ada Lund\nBo Ek\nCy Dee\n\nMaybes:\nDov Ho\n", "Ada Lund|, Bo Ek|, Cy Dee|"),
    "two blanks": ("Name  Age  Club\nAda Lund  34  Owls\nBo Ek  4  Bats\n", "Ada Lund|Owls, Bo Ek|Bats"),
    "a thought": ("✅ Ada Lund\n✅ Bo Ek\n🤔 Cy Dee\n❌ Dov Ho\n", "Ada Lund|, Bo Ek|"),
    "a flag in front": ("🇳🇴 Ada Lund\nBo Ek\nCy Dee\n", "Ada Lund|, Bo Ek|, Cy Dee|"),
    "remarks among words": ("Ada Lund (Vegan)\nBo Ek (late)\nCy Dee (Helfer)\n", "Ada Lund|Vegan, Bo Ek|"),
    "boxes": ("☑ Ada Lund\n☐ Bo Ek\n☑ Cy Dee\n", "Ada Lund|, Cy Dee|"),
    "no club": ("name;club\nAda Lund;none\nBo Ek;-\nCy Dee;Owls\n", "Ada Lund|, Bo Ek|, Cy Dee|Owls"),
    "a title": ("Herbst Turnier\n\n1. Ada Lund (Oslo)\n2. Bo Ek (Molde)\n", "Ada Lund|Oslo, Bo Ek|Molde"),
    "a title without numbers": ("Spielerliste Ulm\nAda Lund\nBo Ek\nCy Dee\n", "Ada Lund|, Bo Ek|, Cy Dee|"),
    "places in words": ("Ada Lund of Oslo\nBo Ek from Ulm\nCy Dee aus Kiel\n", "Ada Lund|, Bo Ek|, Cy Dee|"),
    "signs for women and men": ("Ada Lund (F)\nBo Ek (M)\nCy Dee (F)\n", "Ada Lund|, Bo Ek|, Cy Dee|"),
    "numbers and a word": ("Ada Lund (1850)\nBo Ek (unrated)\nCy Dee (90)\n", "Ada Lund|, Bo Ek|, Cy Dee|"),
    "a club to come": ("name;club\nAda Lund;TBD\nBo Ek;Owls\nCy Dee;?\n", "Ada Lund|, Bo Ek|Owls, Cy Dee|"),
    "who waits below clubs": ("Ada Lund, Owls\nBo Ek, Owls\nReserver:\nCy Dee, Owls\n", "Ada Lund|Owls, Bo Ek|Owls"),
    "who is not confirmed": ("Confirmed (2)\nAda Lund\nBo Ek\n\nNot confirmed yet (1)\nCy Dee\n", "Ada Lund|, Bo Ek|"),
    "helpers": ("Spieler:\nAda Lund\nBo Ek\n\nHelfer:\nCy Dee\n", "Ada Lund|, Bo Ek|"),
    "a Swedish letter": ("Hej! Listan:\n* Ada Lund\n* Bo Ek\nMvh Cy\n", "Ada Lund|, Bo Ek|"),
    "questions": ('Wie heißt du?,Bist du dabei?\nAda Lund,"Ja, gern"\nBo Ek,"Nein, krank"\n', "Ada Lund|"),
    "forms of address behind": ("Lund, Ada (Mrs)\nEk, Bo (Mr)\nDee, Cy (Dr)\n", "Ada Lund|, Bo Ek|, Cy Dee|"),
    "who sent word": ("Namn;Ort;Anm\nAda Lund;X;\nBo Ek;X;återbud\nCy Dee;X;sent\n", "Ada Lund|, Cy Dee|"),
    "Japanese brackets": ("山田太郎（東京）\n佐藤花子（大阪）\n", "佐藤花子|大阪, 山田太郎|東京"),
    "somebody's guest": ("Ada Lund\nBo Ek\nGuest of Bo\nBo's friend\n", "Ada Lund|, Bo Ek|"),
    "accounts": ("ada.lund\nBo Ek\nCy Dee\nDov Ho\n", "Ada Lund|, Bo Ek|, Cy Dee|, Dov Ho|"),
    "a champion above": ("Champion: Ada Lund\n2. Bo Ek\n3. Cy Dee\n", "Bo Ek|, Cy Dee|"),
}


@pytest.mark.parametrize(("text", "players"), WELL_PROPOSED.values(), ids=WELL_PROPOSED.keys())
def test_what_is_proposed_makes_no_false_player_and_no_false_club(text: str, players: str) -> None:
    read = read_roster_text(text, "list")
    rows = {str(doubt.line): doubt.name if doubt.is_likely else "" for doubt in read.doubtful}
    answered = read_roster_text(text, "list", RosterChoices(rows=rows)).players
    assert ", ".join(sorted(f"{player.name}|{player.club}" for player in answered)) == players


@pytest.mark.parametrize("listed", ["Surname;Called{}\nLund;Ada\nEk;Bo\n", "Rufname;Sippe{}\nAda;Lund\nBo;Ek\n"])
def test_of_a_list_that_has_half_of_each_name_in_a_known_column_nobody_is_made(listed: str) -> None:
    read = read_roster_text(listed.format("!"), "list")
    assert "is half of the names" in next(problem.text for problem in read.problems if problem.weight is Weight.STOPS)
    first = listed.split(";", maxsplit=1)[0]
    whole = read_roster_text(listed.format("!"), "list", RosterChoices(columns={first: "name"}))
    assert not [problem for problem in whole.problems if problem.weight is Weight.STOPS]


# How long it takes does not grow with the square of what one cell holds.


class CountedPattern:
    """A regular expression that notes the longest text that it was given."""

    longest = 0

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.pattern, name)
        if name not in ("match", "fullmatch", "search", "sub", "findall", "split"):
            return method

        def call(*given: Any) -> Any:
            CountedPattern.longest = max(CountedPattern.longest, len(given[-1]))
            return method(*given)

        return call


LONG_CELLS: Sequence[str] = ("Ada{} Lund", "{}", "Ada Lund{}(Owls", "Ada Lund{}x@", "- {}", "Ada, {}Lund", "1.{}")
READERS = (
    roster_file,
    text_columns,
    letter_lines,
    list_words,
    list_numbers,
    one_name,
    name_doubts,
    behind_names,
    listed_names,
    listed_players,
    roster_list,
)
LINEAR = {
    "SEPARATOR", "ENTITY", "WIDE_GAP", "GAP", "DRAWN_LINE", "BETWEEN_ADDRESSES", "QUOTE_MARKS", "BARE_NUMBER", "COUNT",
    "BULLET", "NOT_PLAYING", "SUFFIX", "GAPS", "ORDINAL", "LAST_AND", "QUOTED", "FLAG", "TICKED", "UNTICKED",
}  # fmt: skip  # patterns that try each letter once, whatever the text is


@pytest.mark.parametrize("cell", LONG_CELLS)
@pytest.mark.parametrize("filled", [" ", "\u00a0", "a", "1", "-", "(", ". ", "> "])
def test_no_pattern_is_given_a_text_that_grows_with_the_cell(
    monkeypatch: pytest.MonkeyPatch, cell: str, filled: str
) -> None:
    for module in READERS:
        for name, pattern in vars(module).copy().items():
            if isinstance(pattern, re.Pattern) and name not in LINEAR:
                monkeypatch.setattr(module, name, CountedPattern(pattern))
    longest = []
    for size in (3_000, 9_000):
        monkeypatch.setattr(CountedPattern, "longest", 0)
        read_roster_text(f"{LISTED}\n{cell.format(filled * size)}\n", "list")
        longest.append(CountedPattern.longest)
    assert longest[0] == longest[1]
