"""Typed behind its unit, an order is that order, however short; and what another word means is left to the rules."""

from collections.abc import Iterator
from functools import cache

import pytest

from pipeline.board import Phase, Position, Power, Unit, standard_map, starting_position
from pipeline.desk.review.meaning import LineTyped, Shorthand
from pipeline.interpret.interpret import interpret
from pipeline.interpret.verdict import Entry, Line, Status
from pipeline.judge.adjudicate import legal_orders
from pipeline.orders import Order, Support, Waive, read_order, read_position, read_unit, write
from pipeline.rules.load import load_tournament, tournament_ids

START = starting_position(standard_map())
MIDDLE = read_position(
    {
        "phase": "F1905M",
        "units": {
            "ENGLAND": ["F NWG", "F NTH", "A NWY", "A YOR", "F STP/NC"],
            "ITALY": ["A TUN", "F TYS", "F LYO", "A TYR", "F SPA/SC"],
            "TURKEY": ["A BUL", "F GRE", "A ARM", "F CON", "F SEV"],
        },
        "centers": {"ENGLAND": ["LON"], "ITALY": ["ROM"], "TURKEY": ["CON"]},
        "dislodged": [],
    },
    standard_map(),
)
RETREATS = read_position(
    {
        "phase": "F1901R",
        "units": {"ITALY": ["A VIE"], "AUSTRIA": ["A BUD"]},
        "centers": {"ITALY": ["ROM"], "AUSTRIA": ["BUD"]},
        "dislodged": [
            {"power": "AUSTRIA", "unit": "A VIE", "from": "TYR", "retreats": ["BOH", "GAL", "TRI"]},
            {"power": "AUSTRIA", "unit": "F POR", "from": "MAO", "retreats": ["SPA/NC", "SPA/SC"]},
        ],
    },
    standard_map(),
)


rules_of = cache(load_tournament)


def ways(order: Order) -> Iterator[str]:
    """Place alone; unit and place; the whole with its signs, without them, glued; and the whole without the letter."""
    assert not isinstance(order, Waive)
    whole = write(order)
    rest = whole.removeprefix(str(order.unit)).strip()
    place = rest.removeprefix("- ")
    yield from (place, f"{order.unit.place} {place}", whole, whole.replace(" - ", " "), whole.replace(" - ", "-"))
    yield f"{order.unit.place} {rest}"


def meant(power: Power, position: Position, tournament: str, line: LineTyped) -> tuple[Entry, ...]:
    return interpret([Line(1, line.text)], power, position, rules_of(tournament)).entries


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("position", [START, MIDDLE, RETREATS], ids=["spring 1901", "fall 1905", "retreats"])
def test_every_order_of_a_unit_typed_in_every_way_behind_it_is_that_order(tournament: str, position: Position) -> None:
    rules = rules_of(tournament)
    powers = {each.power for each in position.dislodged} or set(position.units)
    for power in powers:
        shorthand = Shorthand.of(power, position, rules)
        orders = legal_orders(standard_map(), position, power, rules.rulebook)
        for order in orders[:: 1 + len(orders) // 7]:
            assert not isinstance(order, Waive)
            wanted, *_ = meant(power, position, tournament, LineTyped(write(order)))
            for way in ways(order):
                for typed in (way, f"{order.unit} {way.lower()}"):
                    line = shorthand.line(typed, order.unit)
                    first, *others = meant(power, position, tournament, line)
                    assert (first.order, first.status) == (wanted.order, wanted.status), (typed, line, first)
                    assert line.of is None
                    assert all(other.unit != first.unit for other in others), "but what EDC23 R11 implies"


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("position", [START, MIDDLE, RETREATS], ids=["spring 1901", "fall 1905", "retreats"])
def test_an_order_that_is_offered_is_written_so_that_it_means_that_order(tournament: str, position: Position) -> None:
    rules = rules_of(tournament)
    for power in {each.power for each in position.dislodged} or set(position.units):
        shorthand = Shorthand.of(power, position, rules)
        for order in legal_orders(standard_map(), position, power, rules.rulebook):
            if isinstance(order, Support) and order.to in ("SPA", "STP", "BUL"):
                continue  # which coast is left out is the rules' matter, typed or written
            first, *_ = meant(power, position, tournament, LineTyped(shorthand.write_offer(order)))
            assert (first.order, first.status) == (order, Status.CLEAR), shorthand.write_offer(order)


def test_an_offer_says_marseilles_where_three_letters_may_mean_morocco() -> None:
    shorthand = Shorthand.of(Power.ITALY, MIDDLE, rules_of("edc2023"))
    assert shorthand.write_offer(read_order("A TUN - MAR VIA")) == "A TUN - MARS VIA"
    assert shorthand.write_offer(read_order("A TYR S F TYS - ROM")) == "A TYROL S F TYS - ROM"


@pytest.mark.parametrize("tournament", tournament_ids())
def test_what_was_typed_on_the_line_of_a_unit_is_never_an_order_of_another(tournament: str) -> None:
    rules = rules_of(tournament)
    for position in (START, MIDDLE):
        for power, units in position.units.items():
            shorthand = Shorthand.of(power, position, rules)
            words = [order for other in position.units for order in legal_orders(standard_map(), position, other)]
            for unit in units:
                for order in words[:: 1 + len(words) // 3]:
                    for way in list(ways(order))[:3]:
                        line = shorthand.line(f"{unit} {way.lower()}", unit)
                        found = () if line.of else meant(power, position, tournament, line)
                        assert {entry.unit for entry in found if not entry.is_implied} <= {unit, None}, (way, line)


TURKEY = Shorthand.of(Power.TURKEY, START, rules_of("edc1996"))
A_CON, A_SMY, F_ANK = START.units[Power.TURKEY]


@pytest.mark.parametrize(
    ("typed", "unit", "line"),
    [
        ("A SMY smy arm", A_SMY, "A SMY - arm"),  # the prefilled unit stays where it is
        ("A SMY arm", A_SMY, "A SMY - arm"),
        ("A SMY Armenia", A_SMY, "A SMY - Armenia"),
        ("A SMY s con bul", A_SMY, "A SMY S con - bul"),
        ("A SMY s A Con", A_SMY, "A SMY s A Con"),
        ("A SMY h", A_SMY, "A SMY h"),
        ("A SMY to arm", A_SMY, "A SMY to arm"),
        ("A SMY", A_SMY, ""),
        ("A SMY  ", A_SMY, ""),
        ("", A_SMY, ""),
        ("F ANK black sea", F_ANK, "F ANK - black sea"),
        ("A SMYRNA - ARM", A_SMY, "A SMY - ARM"),
        ("A SMY hello", A_SMY, "A SMY - hello"),  # no place that is known; the rules say what becomes of it
        ("A SMY con, bul", A_SMY, "A SMY con, bul"),
        ("A SMY smy arm, con", A_SMY, "smy arm, con"),  # what names its unit already is left as it is
        ("A SMY smy - arm gladly", A_SMY, "smy - arm gladly"),
        ("A SMY con bul, smy arm", A_SMY, "A SMY con bul, smy arm"),
        ("smy arm, con", None, "smy arm, con"),
        ('A SMY "A Smy arm"', A_SMY, "A Smy arm"),  # as the player wrote it
        ('"A Con Bul', A_CON, "A Con Bul"),
        ("A SMY f smy arm", A_SMY, "F smy - arm"),  # the wrong letter is the rules' matter
        ("A SMY r arm", A_SMY, "A SMY r arm"),
        ("smy arm", None, "smy - arm"),
        ("A SMY - arm", None, "A SMY - arm"),
        ("gal", None, "gal"),
    ],
)
def test_only_the_form_is_completed(typed: str, unit: Unit | None, line: str) -> None:
    assert TURKEY.line(typed, unit) == LineTyped(line)


@pytest.mark.parametrize("typed", ["A CON smy arm", "A CON A SMY - arm", "A CON smy h", "smyrna holds"])
def test_an_order_of_another_own_unit_says_whose_it_is(typed: str) -> None:
    assert TURKEY.line(typed, A_CON).of == A_SMY


def test_umlauts_are_letters() -> None:
    germany = Shorthand.of(Power.GERMANY, START, rules_of("wdc2008"))
    (entry,) = meant(Power.GERMANY, START, "wdc2008", germany.line("A BER MÜN", read_unit("A BER")))
    assert entry.order is not None
    assert write(entry.order) == "A BER - MUN"


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_word_that_may_mean_two_places_is_as_doubtful_as_on_paper(tournament: str) -> None:
    """Whether 'nor' is settled, fails or is asked is the tournament's; typing makes it no better and no worse."""
    position = Position(phase=Phase.read("S1903M"), units={Power.RUSSIA: (read_unit("A FIN"),)}, centres={})
    shorthand = Shorthand.of(Power.RUSSIA, position, rules_of(tournament))
    line = shorthand.line("A FIN nor", read_unit("A FIN"))
    assert line.text == "A FIN - nor"
    (typed,) = meant(Power.RUSSIA, position, tournament, line)
    (written,) = meant(Power.RUSSIA, position, tournament, LineTyped("A Fin - nor"))
    assert (typed.order, typed.status, typed.rule) == (written.order, written.status, written.rule)


@pytest.mark.parametrize(
    "typed", ["- sev via", "A CON - sev via", "to sev via", "- sev by convoy", "a con - sev via", "sev via"]
)
def test_a_convoy_to_where_an_own_army_stands_is_an_order_of_the_unit_in_front(typed: str) -> None:
    there = {
        "phase": "F1904M",
        "units": {"TURKEY": ["A CON", "A SEV", "F BLA"]},
        "centers": {"TURKEY": ["CON"]},
        "dislodged": [],
    }
    position = read_position(there, standard_map())
    line = Shorthand.of(Power.TURKEY, position, rules_of("weaselmoot")).line(typed, read_unit("A CON"))
    (entry,) = meant(Power.TURKEY, position, "weaselmoot", line)
    assert (line.of, entry.order) == (None, read_order("A CON - SEV VIA"))


def test_how_an_army_travels_is_kept_where_the_sign_is_put_in() -> None:
    shorthand = Shorthand.of(Power.ENGLAND, MIDDLE, rules_of("wdc2008"))
    ways = ("s yor nwy via", "s yor nwy by land", "s yor nwy")

    typed = [shorthand.line(way, read_unit("F NTH")).text for way in ways]

    assert typed == ["F NTH S yor - nwy via", "F NTH S yor - nwy by land", "F NTH S yor - nwy"]
