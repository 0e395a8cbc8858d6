"""Orders that are possible by themselves or not, one by one: what stands, what is written, and what the judge says."""

import pytest

from pipeline.board import Phase, Position, Power, standard_map
from pipeline.judge.adjudicate import adjudicate, why_illegal
from pipeline.judge.legality import field_of, ground_of, landing
from pipeline.judge.outcome import Result, Word
from pipeline.judge.rulebook import Rulebook, rulebook
from pipeline.orders import Move, Order, read_order, read_unit

ATLANTIC = "F NTH, F ENG, F IRI, F MAO, A NWY"  # the Irish Sea lies beside the way from Norway to Portugal
LOOSE = "superfluous_convoy_is_illegal false"
OF_4_B_6 = "4.B.6 a"


def rules_of(text: str) -> Rulebook:
    """Read ``4.B.5 a, 4.B.6 b``: some choices beside those of the test cases."""
    settings = dict(part.split() for part in text.split(", ")) if text else {}
    return rulebook({key: value if value != "false" else False for key, value in settings.items()})


def said_of(own: str, foreign: str, order: Order, rules: str) -> str:
    """Say why an order of England is refused; nothing if it is not."""
    units = {Power.ENGLAND: own, Power.FRANCE: foreign}
    position = Position(
        phase=Phase.read("S1901M"),
        units={power: tuple(map(read_unit, text.split(", "))) for power, text in units.items() if text},
        centres={},
    )
    why = why_illegal(standard_map(), position, Power.ENGLAND, order, rules_of(rules))
    return "" if why is None else Result(Power.ENGLAND, order, why).reason


@pytest.mark.parametrize(
    ("units", "order", "rules", "said"),
    [
        # moves of armies
        ("A VIE", "A VIE - VEN", "", "no convoy goes from VIE to VEN (DATC 6.A.1)"),
        ("A VEN", "A VEN - VIE", "", "no convoy goes from VEN to VIE (DATC 6.A.1)"),
        ("A VEN", "A VEN - VIE", "missing_fleet move", "no convoy goes from VEN to VIE (DATC 6.A.1)"),
        ("A LON", "A LON - BEL", "", "no fleets lie on the way from LON to BEL (DATC 6.D.32)"),
        ("A LON", "A LON - WAL VIA", "", "no fleets lie on the way from LON to WAL (DATC 6.D.32)"),
        ("A LON", "A LON - WAL VIA", "4.A.3 c+fallback", ""),
        ("A LON", "A LON - BEL VIA", "4.A.3 c+fallback", "no fleets lie on the way from LON to BEL (DATC 6.D.32)"),
        ("A LON", "A LON - WAL", OF_4_B_6, ""),
        ("A LON, F NTH", "A LON - NTH", "", "NTH is a sea, and A LON an army (DATC 6.A.2)"),
        # a named route
        ("A LON, F NTH", "A LON - IRI - BEL", "", ""),  # 4.A.6 a: routes are not looked at
        ("A LON, F IRI", "A LON - IRI - BEL", "4.A.6 b", "IRI does not follow LON on a convoy route (DATC 4.A.6)"),
        ("A LON, F NTH", "A LON - ENG - BEL", "4.A.6 b", "there is no fleet in ENG (DATC 6.D.32)"),
        ("A LON, F NTH", "A LON - NTH - BRE", "4.A.6 b", "BRE does not follow NTH on a convoy route (DATC 4.A.6)"),
        ("A LON, F NTH, F ENG", "A LON - NTH - ENG - BRE", "4.A.6 b", ""),
        ("A LON, F NTH, F MAO", "A LON - NTH - MAO - BRE", "4.A.6 b",
         "MAO does not follow NTH on a convoy route (DATC 4.A.6)"),
        # moves of fleets
        ("F TRI", "F TRI - ADR VIA", "", "only armies are convoyed (DATC 6.A.7)"),
        ("F TRI, F ADR", "F TRI - ADR - VEN", "", "only armies are convoyed (DATC 6.A.7)"),
        ("F TRI", "F TRI - VIE", "", "VIE is inland, and F TRI a fleet (DATC 6.A.3)"),
        ("F TRI", "F TRI - ROM", "", "TRI does not border ROM by sea (DATC 6.A.1)"),
        ("F TRI", "F TRI - TYS", "", "TRI does not border TYS by sea (DATC 6.A.1)"),
        ("F BRE", "F BRE - PIC/NC", "", ""),
        ("F BRE", "F BRE - PIC/NC", OF_4_B_6, "there is no PIC/NC (DATC 4.B.6)"),
        ("F BRE", "F BRE - PIC/NC", "4.B.2 b", ""),  # Picardy has no coasts of which one could be missing
        ("F GAS", "F GAS - SPA", OF_4_B_6, ""),  # no coast named is none that is not there
        # supports
        ("A VEN", "A VEN S A XYZ", "", "'XYZ' is not a province of this map"),
        ("A VEN, A TYR", "A VEN S A TYR - XYZ", "", "'XYZ' is not a province of this map"),
        ("A VEN, A TYR", "A VEN S A TYR - SWI", "", "Switzerland can never be entered"),
        ("A BOH, A VIE", "A BOH S A VIE - VIE", "", "VIE is where A VIE stands (DATC 6.A.5)"),
        ("A BUD, A VEN", "A BUD S A VEN - VIE", "", "A VEN cannot go to VIE (DATC 6.D.24)"),
        ("F ADR, A BUD", "F ADR S A BUD - VEN", "", "A BUD cannot go to VEN (DATC 6.D.24)"),
        ("F NTH, A LON", "F NTH S A LON - BEL", "",
         "A LON cannot go to BEL without this fleet, or at all (DATC 6.D.31)"),
        ("F NTH, A LON, F ENG", "F NTH S A LON - BEL", "", ""),
        ("F ADR, F NAP", "F ADR S F NAP - VEN", "", "F NAP cannot go to VEN (DATC 6.D.22)"),
        ("F WES, F GAS", "F WES S F GAS - SPA/SC", "", "F GAS cannot go to SPA/SC (DATC 6.D.23)"),
        ("F WES, F GAS", "F WES S F GAS - SPA/SC", "4.B.3 a", ""),
        ("F WES, F GAS", "F WES S F GAS - SPA", OF_4_B_6, ""),
        ("A GAS, A MAR", "A GAS S A MAR - SPA", OF_4_B_6, ""),
        ("A GAS, A MAR", "A GAS S A MAR - SPA/NC", "", ""),
        ("A GAS, A MAR", "A GAS S A MAR - SPA/NC", OF_4_B_6, "an army has no coast: SPA/NC (DATC 4.B.6)"),
        ("F WES, F GAS", "F WES S F GAS - SPA", "4.B.2 b", "the coast of SPA is missing (DATC 4.B.2)"),
        ("F ENG, F BRE", "F ENG S F BRE - PIC/NC", "4.B.2 b", ""),
        ("F WES, F POR", "F WES S F POR - SPA", "4.B.4 a", "the coast of SPA is missing (DATC 4.B.4)"),
        ("F WES, F POR", "F WES S F POR - SPA", "4.B.4 b", ""),  # its own fleet
        ("F WES", "F WES S F POR - SPA", "4.B.4 b", "the coast of SPA is missing (DATC 4.B.4)"),
        ("F WES", "F WES S F POR - SPA", "4.B.4 c", ""),
        # convoys
        ("F BRE, A LON", "F BRE C A LON - BEL", "", "F BRE is not a fleet at sea (DATC 6.F.1)"),
        ("F NTH, F LON", "F NTH C F LON - BEL", "", "only armies are convoyed, and the unit is F LON (DATC 6.A.7)"),
        ("F NTH, A LON", "F NTH C A LON - LON", "", "LON is where the army stands (DATC 6.A.5)"),
        ("F NTH, A LON", "F NTH C A LON - NWG", "", "NTH is on no convoy route from LON to NWG (DATC 6.F.12)"),
        ("F NTH, A LON", "F NTH C A LON - XYZ", "", "'XYZ' is not a province of this map"),
        ("F NTH", "F NTH C A LON - NWY", "", "there is no unit in LON"),
        ("F NTH", "F NTH C F NTH - NWY", "", "only armies are convoyed, and the unit is F NTH (DATC 6.A.7)"),
        ("F NTH, A LON", "F NTH C A LON - NWY", OF_4_B_6, ""),
        ("F NTH, A LON", "F NTH C A LON - NWY/NC", "", ""),
        ("F NTH, A LON", "F NTH C A LON - NWY/NC", OF_4_B_6, "an army has no coast: NWY/NC (DATC 4.B.6)"),
        ("F ADR, A VIE", "F ADR C A VIE - VEN", "", "ADR is on no convoy route from VIE to VEN (DATC 6.F.12)"),
        ("F ADR, A VEN", "F ADR C A VEN - VIE", "", "ADR is on no convoy route from VEN to VIE (DATC 6.F.12)"),
        (ATLANTIC, "F IRI C A NWY - POR", "", "IRI is on no convoy route from NWY to POR (DATC 6.F.12)"),
        (ATLANTIC, "F ENG C A NWY - POR", "", ""),
        (ATLANTIC, "F IRI C A NWY - POR", LOOSE, ""),
        (f"{ATLANTIC}, F HEL", "F HEL C A NWY - POR", LOOSE, "HEL is on no convoy route from NWY to POR (DATC 6.F.12)"),
        (f"{ATLANTIC}, F BAL", "F BAL C A NWY - POR", LOOSE, "BAL is on no convoy route from NWY to POR (DATC 6.F.12)"),
        (ATLANTIC, "F IRI C A NWY - POR", "4.A.6 b", ""),  # the army may name a route over it
    ],
)  # fmt: skip
def test_an_order_is_possible_by_itself_or_it_is_said_why_not(units: str, order: str, rules: str, said: str) -> None:
    foreign = "" if "POR" in units or "MAO" in units else "F POR"
    assert said_of(units, foreign, read_order(order), rules) == said


@pytest.mark.parametrize(
    ("army", "result"),
    [
        ("A NWY - NTH - ENG - IRI - MAO - POR", Word.AVAILABLE),
        ("A NWY - NTH - ENG - MAO - POR", Word.ILLEGAL),
        ("A NWY - POR", Word.ILLEGAL),
    ],
)
def test_a_detour_is_a_route_if_the_army_names_it(army: str, result: Word) -> None:
    orders = [read_order(army), read_order("F IRI C A NWY - POR")]
    units = {Power.ENGLAND: tuple(map(read_unit, ATLANTIC.split(", ")))}
    position = Position(phase=Phase.read("S1901M"), units=units, centres={})
    judged = adjudicate(standard_map(), position, {Power.ENGLAND: orders}, rulebook({"4.A.6": "b"}))
    assert judged.results[1].outcome.result is result


def test_a_route_asks_for_a_convoy_even_if_nothing_else_says_so() -> None:
    order = Move(read_unit("F TRI"), "VEN", via=False, route=("ADR",))
    assert said_of("F TRI, F ADR", "", order, "") == "only armies are convoyed (DATC 6.A.7)"


@pytest.mark.parametrize(
    ("stands", "named", "to", "rules", "said"),
    [
        ("A STP", "F STP/NC", "MOS", "4.B.5 a, 4.B.6 b", ""),  # an army lies on no coast: its letter is wrong, no more
        ("A STP", "F STP/NC", "MOS", "4.B.5 b, 4.B.6 a", "the unit is A STP (DATC 4.B.6)"),
        ("A STP", "F STP/NC", "MOS", "4.C.2 a", "the unit is A STP (DATC 4.C.2)"),
        ("F STP/NC", "F STP", "BAR", "4.B.5 a, 4.B.6 a", ""),  # no coast is no wrong coast
        ("F SPA/NC", "F SPA/SC", "LYO", "", "the fleet lies in SPA/NC, which does not border LYO (DATC 6.B.11)"),
        ("F SPA/NC", "F SPA/SC", "NTH", "", "SPA/NC does not border NTH by sea (DATC 6.A.1)"),  # nor does the other
    ],
)
def test_a_unit_that_is_named_otherwise_than_it_stands(stands: str, named: str, to: str, rules: str, said: str) -> None:
    assert said_of(stands, "", read_order(f"{named} - {to}"), rules) == said


@pytest.mark.parametrize(
    ("unit", "to", "rules", "lands"),
    [
        ("F GAS", "SPA", "", "SPA/NC"),  # the only coast in reach
        ("F GAS", "SPA/SC", "4.B.3 a", "SPA/NC"),
        ("F BRE", "PIC/NC", "", "PIC"),
        ("F POR", "SPA", "4.B.1 default-coast", "SPA/NC"),
        ("F CON", "BUL", "4.B.1 default-coast", "BUL/EC"),
        ("F CON", "BUL/SC", "4.B.1 default-coast", "BUL/SC"),
    ],
)
def test_a_fleet_comes_to_the_coast_that_is_meant(unit: str, to: str, rules: str, lands: str) -> None:
    fleet = read_unit(unit)
    position = Position(phase=Phase.read("S1901M"), units={Power.ENGLAND: (fleet,)}, centres={})
    field = field_of(ground_of(standard_map()), position, rules_of(rules))
    assert landing(field, 0, Move(fleet, to)) == lands
