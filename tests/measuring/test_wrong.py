"""One definition of wrong: another order, or a slip that can mean nothing else, counted apart."""

import pytest
from msgspec.structs import replace

from pipeline.board import Dislodged, Phase, Position, Power, standard_map, starting_position
from pipeline.desk.hands.vocabulary import LineRules, others_of, words_of
from pipeline.interpret.interpret import sheet_of
from pipeline.orders import read_order, read_unit
from pipeline.reading.recogniser import Taken
from pipeline.rules.load import load_tournament
from pipeline.rules.reading_rules import Implied, Misspelt
from pipeline.rules.tournament import Tournament
from training.wrong import Wrong, Yardstick

START: Position = starting_position(standard_map())


def with_misspelt(value: Misspelt) -> Tournament:
    """Weasel Moot, with another answer to misspelt words."""
    found = load_tournament("weaselmoot")
    setting = replace(found.reading.misspelt, value=value)
    return replace(found, reading=replace(found.reading, misspelt=setting))


FOLLOWS, ASKS = with_misspelt(Misspelt.FOLLOWED), with_misspelt(Misspelt.ASK)


@pytest.fixture(scope="module")
def austria() -> Yardstick:
    return Yardstick.of(Power.AUSTRIA, START, FOLLOWS)


@pytest.fixture(scope="module")
def asking() -> Yardstick:
    return Yardstick.of(Power.AUSTRIA, START, ASKS)


@pytest.mark.parametrize(
    ("written", "stands", "wrong"),
    [
        ("A Vie - Boh", "A VIE - BOH", Wrong.NOT),
        ("army vienna to bohemia", "A VIE - BOH", Wrong.NOT),
        ("A Vienna - Bohemja", "A VIE - BOH", Wrong.NOT),  # the rules follow a long word with one meaning
        ("A Vie - Gal", "A VIE - BOH", Wrong.OTHER),
        ("A Vie - Tyi", "A VIE - TYR", Wrong.OTHER),  # Tri is as near
        ("A Vie - Bul", "A VIE - BUD", Wrong.OTHER),  # another place, be it out of reach
        ("A Vie H", "A VIE - BOH", Wrong.OTHER),
        ("pass the salt", "A VIE - BOH", Wrong.OTHER),
    ],
)
def test_what_stands_is_what_the_rules_make_of_the_text_or_another_order(
    austria: Yardstick, written: str, stands: str, wrong: Wrong
) -> None:
    assert austria.wrong(written, read_order(stands)) is wrong


@pytest.mark.parametrize(
    ("written", "stands", "wrong"),
    [
        ("A Vie - Boh", "A VIE - BOH", Wrong.NOT),
        ("A Vienna - Bohemja", "A VIE - BOH", Wrong.SLIP),
        ("A Vie - Boq", "A VIE - BOH", Wrong.SLIP),
        ("A Vei - Boh", "A VIE - BOH", Wrong.SLIP),
        ("A Vie - Bqh", "A VIE - GAL", Wrong.OTHER),  # it is no slip of this order
        ("A Vie - Bqx", "A VIE - BOH", Wrong.OTHER),  # two letters amiss are no slip
        ("A Vie - Tyi", "A VIE - TYR", Wrong.OTHER),  # nor is what two orders are one letter away from
        ("A Vie - Bul", "A VIE - BUD", Wrong.OTHER),
    ],
)
def test_where_the_rules_ask_a_slip_of_one_order_alone_is_forgiven(
    asking: Yardstick, written: str, stands: str, wrong: Wrong
) -> None:
    assert asking.wrong(written, read_order(stands)) is wrong


@pytest.mark.parametrize(
    ("written", "stands", "wrong"),
    [
        ("A Vi eS A Bud - Tri", "A VIE S A BUD - TRI", Wrong.OTHER),  # asked, and no letter is wrong
        ("A Vie  SA Bud - Tri", "A VIE S A BUD - TRI", Wrong.NOT),  # the rules follow what is joined there
        ("A Bud  SVie - Tri", "A BUD S A VIE - TRI", Wrong.NOT),
        ("AVie S ABud-Tri", "A VIE S A BUD - TRI", Wrong.NOT),
    ],
)
def test_gaps_that_part_no_words_make_another_order_where_the_rules_do_not_follow_them(
    asking: Yardstick, written: str, stands: str, wrong: Wrong
) -> None:
    assert asking.is_spelled(written, read_order(stands))
    assert asking.wrong(written, read_order(stands)) is wrong


@pytest.mark.parametrize(
    ("misspelt", "taken"), [(Misspelt.FOLLOWED, Taken.SAME), (Misspelt.ASK, Taken.ASKED), (Misspelt.FAILS, Taken.OTHER)]
)
def test_the_reader_is_told_what_the_rules_make_of_a_misspelt_word(misspelt: Misspelt, taken: Taken) -> None:
    """The lines of a winter are so short that less of them is let through where misspelt words are followed."""
    vocabulary, _ = words_of(Power.AUSTRIA, START, with_misspelt(misspelt), {})
    assert vocabulary.misspelt is taken
    winter, _ = words_of(Power.AUSTRIA, replace(START, phase=Phase.read("W1901A")), with_misspelt(misspelt), {})
    assert winter.misspelt is (Taken.ASKED if taken is Taken.SAME else taken)


def test_where_a_misspelt_word_is_held_a_slip_is_another_order() -> None:
    strict = Yardstick.of(Power.AUSTRIA, START, with_misspelt(Misspelt.FAILS))
    assert strict.wrong("A Vie - Boq", read_order("A VIE - BOH")) is Wrong.OTHER
    assert strict.wrong("A Vie - Boh", read_order("A VIE - BOH")) is Wrong.NOT


@pytest.mark.parametrize(
    ("misspelt", "text", "taken"),
    [
        (Misspelt.FOLLOWED, "A VIE - BOHEMJA", Taken.SAME),
        (Misspelt.ASK, "A VIE - BOHEMJA", Taken.ASKED),
        (Misspelt.FAILS, "A VIE - BOHEMJA", Taken.OTHER),
        (Misspelt.FOLLOWED, "A VIE - TYROLIQ", Taken.OTHER),
        (Misspelt.FOLLOWED, "A VIE - LON", Taken.OTHER),
    ],
)
def test_the_reader_is_told_what_the_rules_make_of_a_text_and_no_more(
    misspelt: Misspelt, text: str, taken: Taken
) -> None:
    rules = LineRules(sheet_of(Power.AUSTRIA, START, with_misspelt(misspelt)))
    assert rules.judge_text(text, read_order("A VIE - BOH")) is taken


@pytest.mark.parametrize(
    ("text", "order", "taken"),
    [
        ("A BUD S A VIE - GAL", "A BUD S A VIE - GAL", Taken.SAME),
        ("A BUDAPEZT S A VIE - GAL", "A BUD S A VIE - GAL", Taken.SAME),
        ("A BUD S A VIE - GALLICIA", "A BUD S A VIE - GAL", Taken.SAME),
        ("A BUD S A VIE - TRI", "A BUD S A VIE - GAL", Taken.OTHER),
        ("A BUD S A VIE - GAL", "A VIE - GAL", Taken.OTHER),  # it says so of Vienna, and orders Budapest
        ("A BUD S A VIE - GAL, A VIE", "A BUD S A VIE - GAL", Taken.OTHER),  # more is written than the support
    ],
)
def test_what_a_line_implies_for_another_unit_is_no_matter_of_how_it_is_spelled(
    text: str, order: str, taken: Taken
) -> None:
    tournament = load_tournament("edc2023")  # an own support says what a unit without orders does (EDC23 R11)
    assert tournament.reading.implied.value is Implied.YES
    assert LineRules(sheet_of(Power.AUSTRIA, START, tournament)).judge_text(text, read_order(order)) is taken


@pytest.mark.parametrize(
    ("phase", "text", "line", "taken"),
    [
        ("W1901A", "A VIE B", "A VIE B", Taken.SAME),
        ("W1901A", "BUILD A VIENA", "A VIE B", Taken.SAME),
        ("W1901A", "A VIE H", "A VIE B", Taken.ASKED),
        ("W1901A", "A VIE BULLDS", "A VIE B", Taken.SAME),
        ("W1901A", "BULLDS A VIE", "A VIE B", Taken.SAME),
        ("W1901A", "A VIE BVLLDS", "A VIE B", Taken.ASKED),
        ("W1901A", "BVLLDS A VIE", "A VIE B", Taken.ASKED),  # the rules ask about the word, and about what is behind it
        ("W1901A", "A PAR, A VIE B", "A VIE B", Taken.OTHER),
        ("W1901A", "F VIE B", "A VIE B", Taken.OTHER),
        ("W1901A", "A PAR B", "A VIE B", Taken.OTHER),
        ("S1901R", "A SER R ALB", "A SER R ALB", Taken.SAME),
        ("S1901R", "A SER - GRE", "A SER R ALB", Taken.OTHER),
        ("S1901R", "A SER - ALBANA", "A SER R ALB", Taken.SAME),
    ],
)
def test_what_the_rules_make_of_a_line_is_known_in_every_phase(phase: str, text: str, line: str, taken: Taken) -> None:
    fleeing = Dislodged(Power.AUSTRIA, read_unit("A SER"), "BUL", ("ALB", "GRE"))
    position = replace(
        START,
        phase=Phase.read(phase),
        units={Power.AUSTRIA: (read_unit("A BUD"), read_unit("F TRI"))},
        dislodged=(fleeing,) if phase.endswith("R") else (),
    )
    rules = with_misspelt(Misspelt.FOLLOWED)
    vocabulary, orders = words_of(Power.AUSTRIA, position, rules, others_of(rules))
    assert vocabulary.others
    assert vocabulary.taken is not None
    assert vocabulary.taken(text, orders.index(read_order(line))) is taken
