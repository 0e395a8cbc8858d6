"""What is asked about in a list for its text alone, and what for how many rows are like it."""

from collections.abc import Callable

import pytest

from pipeline.draw.list_numbers import _count_in_front
from pipeline.draw.name_doubts import ListRow, _is_section, find_doubts
from pipeline.draw.one_name import SEVERAL, STAND_IN, doubt_name

REMARK, BRACKETS = "written like a remark", "a remark in brackets"
ALPHABET = "letters of another alphabet, it seems, saved wrongly"
TEXTS: dict[str, tuple[str, str, bool]] = {  # what is asked, which name is proposed, and whether that is likely
    "1 2": ("no letter in it", "", False),
    "N. N.": (STAND_IN, "", False),
    "a friend of Ada": (STAND_IN, "", False),
    "ada.lund": ("an account, it seems", "Ada Lund", True),
    "A.": ("one letter", "", True),
    "李": ("", "", False),
    "WWW.owls.example": ("an address of the web", "", False),
    "see http://x": ("an address of the web", "", False),
    "Ada Lund   Owls": ("a wide gap in it: two cells, it seems", "", False),
    "Ada Lund  Owls": ("", "", False),
    "Ada Lund +1": ("with a guest, it seems", "Ada Lund", True),
    "Ada Lund und Bo Ek": (SEVERAL, "", False),
    "Karl von und zu Stein": ("", "", False),
    "Ada Lund y Bo Ek": (SEVERAL, "", False),
    "José Ortega y Gasset": ("", "", False),
    'Ada "Lund': ("a quote that is not closed", "", False),
    'Ada "Owl" Lund': ("", "", False),
    "Ada Lund of Oslo": ("a place behind the name, it seems", "Ada Lund", True),
    "Table 3": ("a heading, it seems", "", False),
    "Ada Lund (late)": (BRACKETS, "Ada Lund", True),
    "Ada Lund (withdrawn)": (BRACKETS, "Ada Lund", False),
    "Me (Ada Lund)": (BRACKETS, "Me", False),
    "Ada (Owl) Lund": (BRACKETS, "Ada Lund", True),
    "(Ada Lund)": (BRACKETS, "", False),
    "Total (4)": (BRACKETS, "Total", False),
    "Ada £ (4)": (BRACKETS, "Ada £", False),
    "Ada Lund 🦉": ("'🦉' is part of no name", "Ada Lund", True),
    "Ada Lund €20": ("'€' is part of no name", "Ada Lund", True),
    "Ada Lund 10:30": ("':' is part of no name", "Ada Lund", True),
    "✅ - Ada Lund": ("'✅' is part of no name", "Ada Lund", True),
    "❌ Ada Lund": ("'❌' is part of no name", "Ada Lund", False),
    "Ada Lund?": ("'?' is part of no name", "Ada Lund", False),
    "@ada": ("'@' is part of no name", "ada", False),
    "@Ada#1234": ("'@' is part of no name", "Ada", True),
    "@Ada": ("'@' is part of no name", "Ada", True),
    "Ada: yes": ("':' is part of no name", "", False),
    "Italy: Ada Lund": ("':' is part of no name", "Ada Lund", True),
    "Ada Lund:": ("':' is part of no name", "", False),
    "£ Ada 3 Lund": ("'£' is part of no name", "", False),
    "Hi Ada": ("'hi' is part of no name", "", False),
    "Ada Hi": ("", "", False),
    "Ada 3 4": ("several numbers in it", "", False),
    "3. Ada Lund": ("a number in front of it", "Ada Lund", True),
    "Reserve 1": ("digits in it", "Reserve 1", False),
    "Owl_77": ("digits in it", "Owl_77", True),
    "Ada Lund!": ("'!' is part of no name", "Ada Lund", True),
    "Ada Lund,": (REMARK, "", False),
    **{f"{sign}Ada Lund": (REMARK, "", False) for sign in "-.,"},
    "Ada Lund comes.": (REMARK, "", False),
    "Ada Lund Jr.": ("", "", False),
    "Ada Lund - late": (REMARK, "", False),
    "Ada with Lund": ("'with' between names", "", False),
    "Ïåòðîâ Ada": (ALPHABET, "", False),
    "Adа Lund": ("letters of two alphabets in one word", "", True),
}


@pytest.mark.parametrize(("text", "expected"), TEXTS.items(), ids=repr)
def test_what_a_text_alone_is_asked_about(text: str, expected: tuple[str, str, bool]) -> None:
    doubt = doubt_name(text)
    assert (doubt.why, doubt.name, doubt.is_likely) == expected if doubt else expected == ("", "", False)


def a_row(line: int, written: str, *, beside: str = "", is_alone: bool = True, is_below_gap: bool = False) -> ListRow:
    return ListRow(
        line=line,
        written=written,
        name=written,
        text=written,
        is_alone=is_alone,
        beside={"Status": beside} if beside else {},
        is_below_gap=is_below_gap,
    )


# Rows of one kind among plain names: what is asked, and whether it is where so many of so many rows are of the kind.
KINDS: dict[str, tuple[Callable[[int, str], ListRow], str, Callable[[int, int], bool]]] = {
    "nicknames": (
        lambda n, sign: a_row(n, f"Owl{sign} 7"), "digits in it", lambda k, n: k < n and (k < 4 or 2 * k < n),
    ),
    "small letters": (lambda n, sign: a_row(n, f"ann l{sign}"), "words in small letters", lambda k, n: 2 * k <= n),
    "pairs": (lambda n, sign: a_row(n, f"Ada Lund, Bo {sign.title()}o"), SEVERAL, lambda k, n: 5 * k <= 4 * n),
    "single words": (
        lambda n, sign: a_row(n, f"Lu{sign}"), "one word, where others have two names",
        lambda k, n: 2 * k <= n - k or (k <= n - k and n - k >= 3),
    ),
    "states": (
        lambda n, sign: a_row(n, f"Eva M{sign}", beside="vegan"), "Status: vegan", lambda k, n: 2 * k <= n,
    ),
    "days": (lambda n, sign: a_row(n, f"Eva M{sign} Sat"), "a day behind the name", lambda k, n: k > 1),
    "below the table": (
        lambda n, sign: a_row(n, f"Eva M{sign}", is_below_gap=True), "alone below the table",
        lambda k, n: 5 * (n - k) >= 2 * n,
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_what_so_many_rows_are_like_is_asked_about_only_where_it_is_not_what_the_list_is_like(kind: str) -> None:
    make, why, is_asked = KINDS[kind]
    for n in range(1, 11):
        for k in range(1, n + 1):
            rows = [
                a_row(line, f"Ann L{sign}", beside="paid" * (kind == "states"), is_alone=kind != "below the table")
                for line, sign in enumerate("abcdefghij"[: n - k], 1)
            ]
            rows += [make(line, sign) for line, sign in enumerate("klmnopqrst"[:k], n - k + 1)]
            doubts, habits = find_doubts(rows)
            asked = [line for line, doubt in doubts.items() if doubt.why == why]
            assert asked == (list(range(n - k + 1, n + 1)) if is_asked(k, n) else []), (k, n)
            assert {doubt.why for doubt in doubts.values()} <= {why}, (k, n, doubts)
            assert habits == ((why,) if kind == "nicknames" and not is_asked(k, n) else ())


@pytest.mark.parametrize(
    ("written", "is_below_gap", "is_section"),
    [
        ("Our waiting list:", False, True),
        ("Our waiting list", True, True),
        ("Our waiting list", False, False),
        ("Waiting list Sat", False, True),
        ("Maybe (2)", False, True),
        ("Our helpers", False, True),
        ("Kind regards", False, True),
        ("Ada Lund", True, False),
    ],
)
def test_what_heads_those_who_do_not_play(written: str, is_below_gap: bool, is_section: bool) -> None:
    assert _is_section(a_row(1, written, is_below_gap=is_below_gap)) is is_section


def test_numbers_in_front_are_counted_as_people_count() -> None:
    ones = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
    for number in range(1, 40):
        roman = "X" * (number // 10) + ones[number % 10]
        for mark in (roman, roman.lower()):
            assert _count_in_front(f"{mark}. Ada Lund") == number
        for form in ("{}. ", "{}) ", "({}) ", "#{} ", "Nr. {}: ", "{}.", "{}th "):
            assert _count_in_front(f"{form.format(number)}Ada Lund") == number
    assert [_count_in_front(f"{letter}) Ada") for letter in "aBz"] == [1, 2, 26]
    assert [_count_in_front(name) for name in ("IIX. Ada", "Ada Lund", "- Ada", "a. Ada")] == [-1] * 4
