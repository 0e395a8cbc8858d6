"""A roster is read as people save it, and all its faults are told at once."""

from pipeline.draw.roster import read_roster_csv


def test_a_roster_is_read_with_semicolons_a_byte_order_mark_and_blank_lines() -> None:
    text = "\ufeffName;Team;Distance km;Preregistered\n\nJosé  Núñez;Owls;1200;yes\nÅsa Öberg;;;no\n"

    players, problems = read_roster_csv(text, "players.csv")

    assert problems == ()
    assert [(p.name, p.team, p.distance_km, p.preregistered) for p in players] == [
        ("José Núñez", "Owls", 1200, True),
        ("Åsa Öberg", "", None, False),
    ]


def test_every_fault_of_a_roster_is_told_with_its_row() -> None:
    text = "name,tem,distance_km,keep_apart\nAna,x,far,\n=1+1,,,\nana,,,Bob\n,y,,\n"

    _, problems = read_roster_csv(text, "players.csv")

    assert [str(p) for p in problems] == [
        "notes  players.csv row 1: the column 'tem' is kept, and the program makes no use of it; did you mean 'team'?",
        "stops  players.csv row 2: distance_km: expected a whole number, found 'far'",
        "notes  players.csv row 3: the name '=1+1' begins like a formula; it is kept as text and never computed",
        "stops  players.csv row 5: a player without a name",
        "stops  players.csv row 4: 'ana' stands twice, also in row 2; add an initial to one of them",
        "stops  players.csv ana: keep_apart: nobody is called 'Bob'; write whole names with ; or / or a comma between",
    ]


def test_several_to_be_kept_apart_from_stand_with_any_of_three_signs_between() -> None:
    text = 'name;keep apart\nAna;"Bo; Cy Day"\nBo;Ana/Cy Day\nCy Day;"Ana, Bo, Dee, E."\n"Dee, E.";\n'

    players, problems = read_roster_csv(text, "players.csv")

    assert problems == ()
    assert [p.keep_apart for p in players] == [("Bo", "Cy Day"), ("Ana", "Cy Day"), ("Ana", "Bo", "Dee, E."), ()]


def test_an_empty_roster_and_one_without_names_say_what_is_wanted() -> None:
    assert [p.text for p in read_roster_csv("\n\n", "a.csv")[1]] == [
        "the roster is empty; give one player a row under a heading 'name'"
    ]
    assert "no column 'name'" in read_roster_csv("player\nAna\n", "a.csv")[1][-1].text


def test_columns_that_the_program_does_not_know_are_kept_as_they_are_and_named() -> None:
    players, problems = read_roster_csv('Name,E-Mail,Club,\nAna,a@b.pt,Owls,"two\nlines"\nBo,,,\n', "players.csv")

    assert [(p.name, p.club, p.more) for p in players] == [
        ("Ana", "Owls", (("E-Mail", "a@b.pt"), ("column 4", "two\nlines"))),
        ("Bo", "", ()),
    ]
    assert [(str(p.weight), p.text.split("'")[1]) for p in problems] == [("notes", "E-Mail"), ("notes", "column 4")]


def test_a_list_of_nothing_but_names_needs_no_heading() -> None:
    players, problems = read_roster_csv("Ana Silva\n\nBo Ek\n", "the list")

    assert ([p.name for p in players], problems) == (["Ana Silva", "Bo Ek"], ())


def test_a_heading_that_may_be_a_misspelt_one_is_nobodys_name() -> None:
    for heading in ("Nmae", "Players", "full name"):
        assert "no column 'name'" in read_roster_csv(f"{heading}\nAna\n", "a.csv")[1][-1].text


def test_a_column_that_stands_twice_and_a_row_with_too_many_cells_are_told_with_all_other_faults() -> None:
    _, problems = read_roster_csv("name,Club,club\nSilva, Ana, Owls, x\n,,\n\nana,y,\n", "players.csv")

    assert [(p.where, p.text.split(";")[0]) for p in problems] == [
        ("players.csv row 1", "the column 'club' stands twice"),
        ("players.csv row 2", "4 cells in 3 columns"),
    ]
