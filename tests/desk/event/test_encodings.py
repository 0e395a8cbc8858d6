"""A list that does not say how it was saved is read as names are spelt, or the director is asked."""

import pytest

from pipeline.desk.encodings import ENCODINGS, _count_odd_runs, decode_in_every_way
from pipeline.desk.roster_file import read_roster_bytes
from pipeline.draw.list_as_read import RosterChoices
from pipeline.problems import Stopped, Weight

LISTS = {
    "Polish": (
        ["Łukasz Żak", "Małgorzata Wiśniewska", "Paweł Dąbrowski"],
        ["cp1250", "cp852", "iso8859_2", "mac_latin2"],
    ),
    "Czech": (["Šárka Čech", "Jiří Dvořák", "Zdeněk Kovář"], ["cp1250", "cp852", "iso8859_2", "mac_latin2"]),
    "Russian": (
        ["Иван Петров", "Ольга Ким", "Сергей Щербаков"],
        ["cp1251", "koi8_u", "cp866", "iso8859_5", "mac_cyrillic"],
    ),
    "Greek": (["Γιώργος Παπαδόπουλος", "Ελένη Νικολάου", "Άννα Ξένου"], ["cp1253", "iso8859_7", "cp737", "mac_greek"]),
    "Turkish": (["Şeyma Gül", "Oğuz Yıldız", "İbrahim Çelik"], ["cp1254", "cp857", "mac_turkish"]),
    "French": (["Hélène Lefèvre", "François Noël", "Benoît Curé"], ["cp1252", "mac_roman", "cp850"]),
    "German": (["Jürgen Müller", "Björn Groß", "Änne Köhler"], ["cp1252", "mac_roman", "cp850"]),
    "Spanish": (["José Muñoz", "Begoña Núñez", "Íñigo López"], ["cp1252", "mac_roman", "cp850"]),
    "Nordic": (["Søren Kjær", "Åse Ødegård", "Bjørn Sæther"], ["cp1252", "mac_roman", "cp850"]),
    "of many countries": (["José Muñoz", "Jürgen Müller", "Søren Kjær", "Bo Ek"], ["cp1252", "mac_roman", "cp850"]),
    "Lithuanian": (["Jonas Žukauskas", "Rūta Šimkutė", "Gintarė Ąžuolaitė"], ["cp1257"]),
    "Hebrew": (["משה לוי", "רות כהן"], ["cp1255"]),
    "Arabic": (["محمد علي", "فاطمة حسن"], ["cp1256"]),
    "Japanese": (["山田太郎", "佐藤 花子", "さくら 井上"], ["cp932", "euc_jp"]),
    "Chinese": (["王小明", "陳美玲", "張偉"], ["big5", "gb18030"]),
    "Korean": (["김철수", "이영희"], ["cp949"]),
}
CASES = [(country, encoding) for country, (_, encodings) in LISTS.items() for encoding in encodings]


@pytest.mark.parametrize(("country", "encoding"), CASES)
def test_names_are_spelt_right_or_the_right_way_is_among_those_that_are_offered(country: str, encoding: str) -> None:
    names = LISTS[country][0]
    content = ("name;club\n" + "".join(f"{name};Owls\n" for name in names)).encode(encoding)

    read = read_roster_bytes(content, "list.csv")

    told = read.problems[0]
    right = [guess for guess in read.encodings if set(guess.samples) <= set(names)]
    assert told.text.startswith("not saved as UTF-8")
    if told.weight is Weight.NOTES:
        assert [player.name for player in read.players] == names
        assert all(sample in told.text for sample in read.encodings[0].samples)
    else:
        assert told.weight is Weight.ASKS
        assert any(all(sample in told.text for sample in guess.samples) for guess in right)
    chosen = read_roster_bytes(content, "list.csv", RosterChoices(encoding=encoding))
    assert [player.name for player in chosen.players] == names
    assert chosen.encodings == ()


def test_few_of_these_lists_are_asked_about() -> None:
    asked = []
    for country, encoding in CASES:
        content = "\n".join(["name", *LISTS[country][0]]).encode(encoding)
        if read_roster_bytes(content, "list.csv").problems[0].weight is Weight.ASKS:
            asked.append((country, encoding))
    assert len(asked) * 5 <= len(CASES), asked


def test_one_letter_that_may_be_two_is_asked_about_with_both_names() -> None:
    [asked] = read_roster_bytes("name\nMuñoz\nAda Lund\n".encode("cp1252"), "list.csv").problems
    assert asked.weight is Weight.ASKS
    assert "cp1252 (Windows, Western Europe): Muñoz; cp1250 (Windows, Central Europe): Muńoz" in asked.text


def test_an_encoding_that_is_none_or_cannot_be_the_one_is_refused() -> None:
    for encoding in ("klingon", "utf-8", "rot13"):
        with pytest.raises(Stopped, match=rf"no text in the encoding '{encoding}'; known are utf-8, cp1252"):
            read_roster_bytes("name\nMuñoz\n".encode("cp1252"), "list.csv", RosterChoices(encoding=encoding))


def test_every_encoding_that_is_offered_is_one() -> None:
    for encoding in ENCODINGS:
        assert "Ada".encode(encoding) == b"Ada"
    assert decode_in_every_way(b"\xff\xfe\xfd")


def test_a_list_of_which_one_row_is_not_in_utf_8_is_read_with_all_its_names() -> None:
    content = "name;club\nZoë Müller;Owls\n".encode() + "José Ruiz;Owls\n".encode("cp1252")
    assert [player.name for player in read_roster_bytes(content, "list.csv").players] == ["Zoë Müller", "José Ruiz"]


def test_japanese_as_mails_have_it_is_read() -> None:
    content = "name\n山田 太郎\n佐藤 花子\n".encode("iso2022_jp")
    assert [player.name for player in read_roster_bytes(content, "list.csv").players] == ["山田 太郎", "佐藤 花子"]


@pytest.mark.parametrize(("word", "odd"), [("křen", 0), ("žwan", 0), ("ołśa", 1), ("břž", 1), ("oueă", 1)])
def test_two_letters_together_that_are_not_of_ascii_are_odd_and_one_beside_a_plain_one_is_not(
    word: str, odd: int
) -> None:
    assert _count_odd_runs(word) == odd
