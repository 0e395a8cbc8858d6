"""What is true of every line: clear only what is written, never silently another order, never a crash."""

import re
from collections.abc import Iterable
from functools import cache

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from interpret.drawing import BOARD, STANDING, positions, read, retreats, tournament, tournaments, winters
from pipeline.board import Position, Power, Unit, starting_position
from pipeline.interpret.doubts import Doubt
from pipeline.interpret.interpret import _lexicon_of
from pipeline.interpret.lexicon import SHORTEST_BEGINNING
from pipeline.interpret.tokens import AROUND, blank_harmless
from pipeline.interpret.verdict import Entry, Status
from pipeline.interpret.written_words import fold_word
from pipeline.judge.adjudicate import legal_orders
from pipeline.orders import Hold, Order, Waive, write

LETTERS = "abcdefghijklmnopqrstuvwxyz"
FROM_ELSEWHERE = {Doubt.IMPLIED, Doubt.BLANK_UNIT}  # words of another line, or of the board, by a rule that says so
phases = st.one_of(positions(), retreats(), winters())
quick = settings(max_examples=30, deadline=None)


def any_legal_order(data: st.DataObject, name: str, position: Position) -> Order:
    """Draw one of the orders that France may give."""
    possible = legal_orders(BOARD, position, Power.FRANCE, tournament(name).rulebook)
    assume(possible)
    return data.draw(st.sampled_from(possible))


def codes_in(text: str) -> set[str]:
    """List the provinces of an order in canonical notation."""
    return {code for code in re.findall(r"\b[A-Z]{3}\b", text) if code in BOARD.provinces}


def excused(name: str, entry: Entry) -> bool:
    """A code that the table lists for two provinces, and a support without the coast that this tournament wants."""
    doubts = {found.code for found in entry.doubts}
    if Doubt.TWO_PLACES in doubts:
        return name == "edc2023" and bool({"MAR", "TYR"} & codes_in(entry.text))
    return doubts == {Doubt.COAST_NEEDED} and " S F " in entry.text


@quick
@given(st.data(), tournaments, phases)
def test_canonical_notation_of_a_legal_order_is_that_order(data: st.DataObject, name: str, position: Position) -> None:
    order = any_legal_order(data, name, position)

    entry = read(name, position, write(order)).entries[0]

    if entry.status is Status.CLEAR:
        assert entry.order == order
    else:
        assert excused(name, entry), str(entry)


@pytest.mark.parametrize("name", ["weaselmoot in german", "nzdc1999 in french"])
@pytest.mark.parametrize("unit", [unit for unit in STANDING if "/" in unit.place], ids=str)
def test_a_unit_on_a_coast_holds_in_every_language_as_the_program_writes_it(name: str, unit: Unit) -> None:
    """A coast and the letter behind it may be a name: "sc h" is the Schwarzes Meer, *Sch*."""
    position = replace(starting_position(BOARD), units={Power.FRANCE: (unit,)})
    entry = read(name, position, f"{unit} H").entries[0]
    assert (entry.status, entry.order) == (Status.CLEAR, Hold(unit)), str(entry)


@quick
@given(st.data(), tournaments, phases)
def test_lower_case_says_the_same(data: st.DataObject, name: str, position: Position) -> None:
    order = any_legal_order(data, name, position)

    upper, lower = (read(name, position, text).entries[0] for text in (write(order), write(order).lower()))

    assert (upper.status, upper.order) == (lower.status, lower.order)


@quick
@example("nzdc1999", starting_position(BOARD), "<>")
@example("edc1996", starting_position(BOARD), "A Par S A <> - Bur")
@given(tournaments, phases, st.text(max_size=40))
def test_random_text_is_never_a_clear_order(name: str, position: Position, text: str) -> None:
    found = read(name, position, text)

    assert all(entry.status is not Status.CLEAR or entry.order == Waive() for entry in found.entries)  # "NIL"
    assert found.orders == tuple(e.order for e in found.entries if e.order is not None)


@pytest.mark.parametrize(("left", "right"), [*AROUND, ("", "")])
@pytest.mark.parametrize("before", ["", "  ", "✓ ", "⑤ "])
@pytest.mark.parametrize("behind", ["", " ", " ☑"])
def test_what_is_left_of_a_line_stands_where_it_stood(left: str, right: str, before: str, behind: str) -> None:
    order = "A Vie - Gal"
    found = blank_harmless(f"{before}{left}{order}{right}{behind}")

    assert found.strip() == order
    assert found.index(order) == len(before + left)


@st.composite
def gibberish(draw: st.DrawFn) -> str:
    """Signs, marks, letters and places in any order."""
    places = [word for unit in STANDING for word in (unit.place, unit.place[:3].title())]
    pieces = st.sampled_from(
        ["A", "F", "S", "C", "H", "-", "->", "B", "D", "R", "via", "convoy", "nc", "?", ",", ";", '"']
    )
    return " ".join(draw(st.lists(st.one_of(pieces, st.sampled_from(places)), max_size=9)))


@settings(max_examples=30, deadline=None)
@given(tournaments, phases, st.lists(gibberish(), max_size=3))
def test_clear_orders_are_made_of_the_words_of_their_line(name: str, position: Position, lines: list[str]) -> None:
    lexicon = _lexicon_of(tournament(name))

    for entry in read(name, position, *lines).entries:
        if entry.status is not Status.CLEAR or FROM_ELSEWHERE & {found.code for found in entry.doubts}:
            continue
        assert entry.order is not None
        words = re.findall(r"[\w/?]+", " ".join(lines) if any('"' in line for line in lines) else entry.text)
        meant = {meaning.code for word in words for meaning in lexicon.sense(fold_word(word.split("/")[0])).meanings}
        assert codes_in(write(entry.order)) <= meant


@cache
def spellings(name: str) -> dict[str, list[str]]:
    """List what the table of a tournament accepts for each province."""
    rows = tournament(name).abbreviations.rows
    return {code: [word for word in (row.name, *row.accepted) if word.isalpha()] for code, row in rows.items()}


def spelled(data: st.DataObject, name: str, text: str) -> str:
    """Write an order with words of the table instead of codes."""
    return re.sub(
        r"\b[A-Z]{3}\b",
        lambda found: data.draw(st.sampled_from(spellings(name).get(found.group(), [found.group()]))),
        text,
    )


def slip(data: st.DataObject, text: str) -> tuple[str, str]:
    """Delete or change one letter of one place; give back the new line and the new word."""
    words = list(re.finditer(r"[^\W\d_]{3,}", text))
    assume(words)
    word = data.draw(st.sampled_from(words))
    at = data.draw(st.integers(word.start(), word.end() - 1))
    instead = data.draw(st.sampled_from(["", *LETTERS]))
    changed = text[:at] + instead + text[at + 1 :]
    return changed, text[word.start() : at] + instead + text[at + 1 : word.end()]


@settings(max_examples=40, deadline=None)
@given(st.data(), tournaments, phases)
def test_one_wrong_letter_never_makes_another_clear_order(data: st.DataObject, name: str, position: Position) -> None:
    order = any_legal_order(data, name, position)
    line, word = slip(data, spelled(data, name, write(order)))
    lexicon = _lexicon_of(tournament(name))
    folded = fold_word(word)
    assume(not lexicon.is_known(folded))  # then it is not a slip: it is what is written

    for entry in read(name, position, line).entries:
        implied = any(found.code is Doubt.IMPLIED for found in entry.doubts)  # the whole order implies it too
        if entry.status is Status.CLEAR and not implied:
            assert entry.order == order, f"{line!r} became {entry}"


@settings(max_examples=30, deadline=None)
@given(st.data(), tournaments, positions())
def test_a_lost_sign_never_makes_another_clear_order(data: st.DataObject, name: str, position: Position) -> None:
    order = any_legal_order(data, name, position)
    text = write(order)
    signs = [found.start() for found in re.finditer(r"(?<= )[SC-](?= )", text)]
    assume(signs)
    at = data.draw(st.sampled_from(signs))

    for entry in read(name, position, f"{text[:at]}{text[at + 1 :]}").entries:
        implied = any(found.code is Doubt.IMPLIED for found in entry.doubts)  # the whole order implies it too
        assert entry.status is not Status.CLEAR or entry.order == order or implied


@settings(max_examples=40, deadline=None)
@given(st.data(), tournaments, phases, st.sampled_from(["and", "&", "//", "did"]))
def test_a_joint_inside_an_order_leaves_it_open(data: st.DataObject, name: str, position: Position, joint: str) -> None:
    """What stands at it may be missing, or past: "A Vie and - Gal", "A Vie - // Gal", "A Vie did - Gal"."""
    order = any_legal_order(data, name, position)
    gaps = [found.start() for found in re.finditer(" (?!VIA)", write(order))]
    assume(gaps)
    at = data.draw(st.sampled_from(gaps))

    found = read(name, position, f"{write(order)[:at]} {joint}{write(order)[at:]}")

    assert all(entry.status is not Status.CLEAR for entry in found.entries)


@quick
@given(tournaments, positions())
def test_names_alone_are_no_orders(name: str, position: Position) -> None:
    own = position.units[Power.FRANCE]

    found = read(name, position, *(str(unit) for unit in own))

    assert all(entry.status in {Status.VOID, Status.ASK, Status.AMBIGUOUS} for entry in found.entries)
    assert all(write(order).endswith(" H") for order in found.orders)


@quick
@given(tournaments, winters())
def test_names_alone_change_nothing_in_winter(name: str, position: Position) -> None:
    found = read(name, position, *(str(unit) for unit in position.units[Power.FRANCE]))

    assert found.orders == ()


@quick
@given(st.data(), tournaments, phases)
def test_the_order_of_lines_for_different_units_does_not_matter(
    data: st.DataObject, name: str, position: Position
) -> None:
    possible = legal_orders(BOARD, position, Power.FRANCE, tournament(name).rulebook)
    drawn = [write(order) for order in data.draw(st.permutations(possible))[:6] if not isinstance(order, Waive)]
    first = {text.split(" ")[1][:3]: text for text in drawn}
    lines = list(first.values())

    def found(texts: Iterable[str]) -> set[tuple[str, Status, Order | None]]:
        """What is found; a unit whose order two lines imply is asked about once, at the first of them."""
        entries = read(name, position, *texts).entries
        return {("" if is_asked_once(entry) else entry.text, entry.status, entry.order) for entry in entries}

    def is_asked_once(entry: Entry) -> bool:
        return entry.status is Status.ASK and entry.is_implied

    one, other = found(lines), found(reversed(lines))

    if position.phase.step != "A":  # too many builds are struck from one end
        assert one == other


@pytest.mark.parametrize("word", ["Tr", "Ti", "Ga", "Be", "Vn", "ie", "ar"])
def test_two_letters_are_no_beginning(word: str) -> None:
    assert len(word) < SHORTEST_BEGINNING
    for name in ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008"):
        sense = _lexicon_of(tournament(name)).sense(word.lower())
        assert not sense.is_firm or len(word) == len(sense.meanings[0].spelling)
