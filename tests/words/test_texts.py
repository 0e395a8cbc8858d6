"""Of the texts that people see none has a plural behind a number that may be 1, and none says "he" of anybody."""

import re
from itertools import chain

from languages.catalogues import HOUSE

THINGS = """
    answers ballots boards boxes builds cells centers centres changes characters columns copies decisions digits
    disbands doubts entries events fields files folders forms games hands letters lines members messages minutes names
    pages pairs parts people phases places players points powers questions rooms rounds rows rulings scans scores
    seats seconds sheets slips switches systems teams times units votes weights withdrawals years
    Bretter Einheiten Punkte Runden Stimmen Zeilen Zentren centres lignes parties points tables unités
"""
NUMBER = r"\{(?!(?:\w+\.)?[A-Z_]+\})[^{}\n]*\}"  # the value of a constant is known, and none of them is 1
PLURAL = re.compile(rf"{NUMBER} (?:more |such |weitere )?(?:{'|'.join(THINGS.split())})\b(?! {NUMBER})")
NO_NUMBER = ("{path.name} players", "{player} votes")


# People are players and directors, whoever they are; what players write is read as it is.
PRONOUN = re.compile(r"(?i)\b(?:he|his|him|himself|she|her|hers|herself|Turnierleiter|Spielerliste|directeur)\b")
COMMENT = re.compile(r'"""[\s\S]*?"""|//[^\n]*|(?<!["\'\w&{(])#[^\n]*')
IN_WRITING = ("pipeline/interpret/", "pipeline/draw/listed_names.py")


def plurals_in(text: str) -> list[str]:
    return [found for found in PLURAL.findall(text) if not found.startswith(NO_NUMBER) and "year}" not in found]


def test_the_number_one_has_no_plural_behind_it() -> None:
    """In the program `write_count(n, "row")`, in a page `count(n, "row")`, in a catalogue `{n:row|rows}`."""
    kinds = ("**/*.py", "words/catalogues/*.po", "web/static/*.js", "web/templates/*.html")
    files = sorted(chain.from_iterable((HOUSE / "pipeline").glob(kind) for kind in kinds))
    found = {file.name: plurals for file in files if (plurals := plurals_in(file.read_text("utf-8")))}
    assert found == {}
    assert plurals_in('f"{len(rows)} rows, {n} more lines, {n:row|rows}, {MOST_ROWS} rows"') == [
        "{len(rows)} rows",
        "{n} more lines",
    ]


def test_no_text_says_he_or_she() -> None:
    kinds = (
        "pipeline/**/*.py",
        "pipeline/words/catalogues/*.po",
        "pipeline/web/static/*.js",
        "pipeline/web/templates/*.html",
        "templates/**/*.toml",
    )
    files = sorted(chain.from_iterable(HOUSE.glob(kind) for kind in kinds))
    texts = {str(file.relative_to(HOUSE)): COMMENT.sub("", file.read_text("utf-8")) for file in files}
    found = {name: PRONOUN.findall(text) for name, text in texts.items() if not name.startswith(IN_WRITING)}
    assert {name: words for name, words in found.items() if words} == {}
