"""The rulings book offers what was ruled before, says who and why, and makes a page to hang up."""

from msgspec.structs import replace

from pipeline.rules.rulings_book import Ruling, RulingsBook, Situation, as_html, write_rulings_book

LETTER = Situation("UNIT_LETTER", "reading.letter_wrong", "A written for F")
STRUCK = Situation("STRUCK_OUT", "reading.struck_out")


def ruling(situation: Situation, decision: str, when: str, why: str = "") -> Ruling:
    return Ruling(situation=situation, decision=decision, by="Ada", why=why, when=when, case="board 3, S1902M, line 4")


def test_a_situation_comes_back_however_it_is_written() -> None:
    again = Situation("UNIT_LETTER", "reading.letter_wrong", "  a WRITTEN  for f ")
    book = RulingsBook((ruling(LETTER, "followed", "2031-05-01T10:00"),))

    assert again == LETTER
    assert book.offer(again) == book.rulings[0]
    assert Situation("NO_ROUTE", "reading.impossible", "A Mos->Par") == Situation(
        "NO_ROUTE", "reading.impossible", "a mos – par"
    )


def test_a_situation_that_was_never_ruled_on_is_offered_nothing() -> None:
    assert RulingsBook().offer(LETTER) is None
    assert RulingsBook((ruling(STRUCK, "fails", "2031-05-01T10:00"),)).offer(LETTER) is None


def test_the_newest_ruling_is_offered_first_and_one_for_just_this_case_before_one_for_all() -> None:
    for_all = Situation("UNIT_LETTER", "reading.letter_wrong")
    book = RulingsBook(
        (
            ruling(LETTER, "followed", "2031-05-01T10:00"),
            ruling(LETTER, "fails", "2031-05-01T12:00"),
            ruling(for_all, "followed", "2031-05-01T14:00"),
        )
    )
    other = Situation("UNIT_LETTER", "reading.letter_wrong", "F written for A")

    assert [each.when[-5:] for each in book.on(LETTER)] == ["12:00", "10:00", "14:00"]
    assert book.offer(other) == book.rulings[2]
    assert [each.when[-5:] for each in book.like(other)] == ["12:00", "10:00"]


def test_of_two_rulings_in_the_same_second_the_later_one_is_offered() -> None:
    at = "2031-05-01T10:00:00"
    book = RulingsBook((ruling(LETTER, "followed", at), ruling(LETTER, "fails", at)))
    other = Situation("UNIT_LETTER", "reading.letter_wrong", "F written for A")

    assert book.offer(LETTER) == book.rulings[1]
    assert [each.decision for each in book.like(other)] == ["fails", "followed"]


def test_the_book_as_text() -> None:
    book = RulingsBook((ruling(LETTER, "followed", "2031-05-01T10:00", "there is only one unit in London"),))

    assert write_rulings_book(book, "Rulings of the Highland Open") == (
        "Rulings of the Highland Open\n"
        "============================\n"
        "\n"
        "UNIT_LETTER (reading.letter_wrong): a written for f\n"
        "  2031-05-01 10:00  followed: Ada, because there is only one unit in London [board 3, S1902M, line 4]\n"
    )
    assert write_rulings_book(RulingsBook(), "Rulings").endswith("No rulings yet.\n")


def test_a_situation_is_shown_as_the_director_saw_it_last() -> None:
    first = ruling(LETTER, "followed", "2031-05-01T10:00")
    seen = replace(first, when="2031-05-01T11:00", asked="'A Lon-Nth', but a fleet stands in London")

    shown = "'A Lon-Nth', but a fleet stands in London [UNIT_LETTER (reading.letter_wrong): a written for f]"

    assert write_rulings_book(RulingsBook((first, seen)), "Rulings").splitlines()[3] == shown
    assert "&#x27;A Lon-Nth&#x27;, but a fleet" in as_html(RulingsBook((first, seen)), "Rulings")


def test_the_book_as_a_page_is_complete_in_itself_and_lets_no_markup_through() -> None:
    nasty = Situation("TWO_PLACES", "reading.word_unsettled", "<b>Nor</b>")
    book = RulingsBook(
        (
            ruling(LETTER, "followed", "2031-05-01T10:00"),
            ruling(LETTER, "fails", "2031-05-01T12:00", "<script>alert(1)</script>"),
            ruling(nasty, "A FIN - NWY", "2031-05-01T13:00"),
        )
    )

    page = as_html(book, "Rulings & more")

    assert "<script" not in page
    assert "&lt;b&gt;nor&lt;/b&gt;" in page
    assert "Rulings &amp; more" in page
    assert page.count("<tr>") == 4
    assert 'rowspan="2"' in page
    assert "http" not in page  # nothing is fetched from anywhere
    assert "No rulings yet." in as_html(RulingsBook(), "Rulings")
