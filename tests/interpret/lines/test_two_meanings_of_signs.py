"""Signs and words beside an order: what may change it is asked about in every tournament, what cannot is left out."""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from interpret.drawing import BOARD, read, tournament, tournaments
from pipeline.board import Kind, Phase, Position, Power, Terrain, Unit
from pipeline.interpret.verdict import Status
from pipeline.interpret.written_words import GRAMMAR_WORDS
from pipeline.judge.legality import ground_of
from pipeline.orders import Convoy, Hold, Move
from pipeline.rules.load import tournament_ids

GROUND = ground_of(BOARD)
LAND = sorted(code for code, province in BOARD.provinces.items() if province.terrain is not Terrain.SEA)
INLAND = [code for code in LAND if code not in GROUND.coastal and code in GROUND.walks]
WALKS = [(start, to) for start in INLAND for to in sorted(GROUND.walks[start]) if "/" not in to]
QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def stand(*units: str, power: Power = Power.FRANCE, **others: tuple[str, ...]) -> Position:
    """A position in the spring of 1902: own units, and those of other powers by their names."""
    of = {power: units, **{Power(name): listed for name, listed in others.items()}}
    read_units = {name: tuple(Unit(Kind(text[0]), text[2:]) for text in listed) for name, listed in of.items()}
    return Position(phase=Phase.read("S1902M"), units=read_units, centres={each: BOARD.homes[each] for each in Power})


@QUICK
@given(tournaments, st.sampled_from(WALKS), st.sampled_from(["C", "via", "via convoy", "VC", "by sea", "(C)"]))
def test_a_convoy_for_an_inland_neighbour_is_asked_and_the_walk_offered(
    name: str, walk: tuple[str, str], sign: str
) -> None:
    start, to = walk
    [entry] = read(name, stand(f"A {start}"), f"A {start} - {to} {sign}").entries
    assert entry.status is Status.ASK
    assert Move(Unit(Kind.ARMY, start), to) in {each.order for each in entry.candidates}


@QUICK
@given(tournaments, st.data(), st.sampled_from(["=>", "→", "⇒", "->"]))
def test_an_arrow_behind_a_goal_may_correct_it(name: str, data: st.DataObject, arrow: str) -> None:
    start, to = data.draw(st.sampled_from(WALKS))
    other = data.draw(st.sampled_from(sorted(GROUND.walks[start])))
    assume(other != to)
    [entry] = read(name, stand(f"A {start}"), f"A {start} - {to} {arrow} {other}").entries
    assert entry.status is Status.ASK
    offered = {each.order for each in entry.candidates}
    assert {Move(Unit(Kind.ARMY, start), goal) for goal in (to, other)} <= offered


@QUICK
@given(tournaments, st.sampled_from(WALKS), st.sampled_from([1, 2]))
def test_a_gap_inside_the_name_of_a_unit_never_holds_it_in_silence(name: str, walk: tuple[str, str], cut: int) -> None:
    start, to = walk
    written = f"A {start[:cut]} {start[cut:].lower()} - {to.title()}"  # "A M os - Ukr", "A RU h - Bel"
    entries = read(name, stand(f"A {start}"), written).entries
    assert {entry.order for entry in entries} == {Move(Unit(Kind.ARMY, start), to)} or Status.ASK in {
        entry.status for entry in entries
    }


PHRASES = ("Good luck!", "thanks", "Merci!", "bonne chance", "Viel Glück!", "Have fun", "Best wishes", "cheers")


@QUICK
@given(tournaments, st.sampled_from(PHRASES), st.sampled_from([". {}", " ({})", "! {}", ", {}", "; {}", " [{}]"]))
def test_a_greeting_behind_an_order_changes_nothing(name: str, phrase: str, way: str) -> None:
    lines = ("A Par - Bur", "A Mar S A Par - Bur", "F Bre H")
    position = stand("A PAR", "A MAR", "F BRE")
    greeted = read(name, position, *(line + way.format(phrase) for line in lines))
    assert {each.order for each in greeted.entries} == {each.order for each in read(name, position, *lines).entries}
    assert {each.status for each in greeted.entries} == {Status.CLEAR}


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize("words", ["Good luck with Pic", "Thanks to Mar", "No thanks", "Not good luck", "(thanks, no)"])
def test_words_that_say_more_than_a_greeting_are_asked(name: str, words: str) -> None:
    [entry] = read(name, stand("A PAR"), f"A Par - Bur. {words}").entries
    assert entry.status is Status.ASK


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize("line", ["Par-Bur (merci)", "Par-Bur. Thanks!", "Par→Bur, thanks Bob", "Par'Bur merci"])
def test_a_move_beside_thanks_is_nobodys_double_name(name: str, line: str) -> None:
    entries = read(name, stand("A PAR"), line).entries
    assert all(entry.status is Status.ASK or entry.order == Move(Unit(Kind.ARMY, "PAR"), "BUR") for entry in entries)


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize("between", [", ", "; ", " / ", ", A "])
def test_of_two_armies_behind_one_fleet_neither_is_followed_unasked(name: str, between: str) -> None:
    position = stand("A YOR", "A EDI", "F NTH", power=Power.ENGLAND)
    line = f"F NTH C A Edi - Nwy{between}Yor - Bel"
    for below in ([], ["A Edi - Nwy", "A Yor - Bel"]):
        entries = read(name, position, line, *below, power=Power.ENGLAND).entries
        orders = {entry.order for entry in entries if entry.line == 1 and not entry.is_supplied}
        assert orders == {None}


@pytest.mark.parametrize("name", tournament_ids())
def test_an_army_behind_a_convoy_that_another_fleet_carries_is_its_own_order(name: str) -> None:
    position = stand("A LON", "A EDI", "F NTH", "F ENG", power=Power.ENGLAND)
    lines = ("F NTH C A Edi - Nwy, A Lon - Bre", "F ENG C A Lon - Bre", "A Edi - Nwy")
    orders = read(name, position, *lines, power=Power.ENGLAND).orders
    assert Convoy(Unit(Kind.FLEET, "NTH"), Unit(Kind.ARMY, "EDI"), "NWY") in orders
    assert Move(Unit(Kind.ARMY, "LON"), "BRE") in orders


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize("said", ["Italy to Adr", "Italian - Adr", "Italian fleet to Adr"])
def test_a_supported_unit_of_which_no_more_than_its_power_is_said_is_asked(name: str, said: str) -> None:
    position = stand("F TRI", "A VIE", power=Power.AUSTRIA, ITALY=("F VEN", "A ROM"))
    [entry] = read(name, position, f"F Tri S {said}", power=Power.AUSTRIA).entries
    assert entry.status is Status.ASK


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize(
    ("label", "is_now"),
    [
        *((label, True) for label in ("S02:", "Spring 1902:", "Spring:", "S1902 :", "Spring 1902")),
        *((label, False) for label in ("F02:", "S03:", "Fall:", "Spring 1903:", "Next:", "Fall 1902")),
    ],
)
def test_a_season_before_an_order_is_harmless_where_it_is_the_present_one(name: str, label: str, is_now: bool) -> None:
    [entry] = read(name, stand("A PAR"), f"{label} A Par - Bur").entries
    assert entry.status is (Status.CLEAR if is_now else Status.ASK)


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize("line", ["- 2 -", "Page 1", "*** end ***"])
def test_a_pages_number_alone_is_one_entry(name: str, line: str) -> None:
    assert [each.status for each in read(name, stand("A PAR"), line).entries] == [Status.VOID]


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize(
    "lines", [["A Par H", "- 2 -"], ["- 1 -", "A Par H"], ["A Par H", "*** end ***"], ["Page 1", "A Par H"]]
)
def test_a_pages_number_and_its_end_say_nothing(name: str, lines: list[str]) -> None:
    entries = read(name, stand("A PAR"), *lines).entries
    assert [each.status for each in entries if each.unit is not None] == [Status.CLEAR]
    assert [each.order for each in entries if each.order is not None] == [Hold(Unit(Kind.ARMY, "PAR"))]
    assert Status.ASK not in {each.status for each in entries}


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize("sign", ["?", "//", "/", "0", "??"])
def test_a_lone_sign_below_an_order_is_asked(name: str, sign: str) -> None:
    entries = read(name, stand("A PAR", "A MAR"), "A Par - Bur", sign).entries
    assert [each.status for each in entries if each.line == 2] == [Status.ASK]


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize("line", ["F NTH - Norse", "F ADR - Vence", "2/1 A Par - Bur", "½ A Par - Bur"])
def test_another_word_that_is_near_a_name_and_a_fraction_are_asked(name: str, line: str) -> None:
    [entry] = read(name, stand("A PAR", "F NTH", "F ADR"), line).entries
    assert entry.status is Status.ASK


@pytest.mark.parametrize("name", tournament_ids())
def test_a_number_of_as_many_is_a_rows(name: str) -> None:
    [entry] = read(name, stand("A PAR"), "1/3 A Par - Bur").entries
    assert entry.order == Move(Unit(Kind.ARMY, "PAR"), "BUR")


@QUICK
@given(tournaments, st.data())
def test_a_unit_without_a_space_that_spells_a_word_of_remarks_is_that_unit_before_a_sign(
    name: str, data: st.DataObject
) -> None:
    table = tournament(name).abbreviations.words.items()
    spelled = [
        (kind, word, codes) for kind in Kind for word, codes in table if f"{kind}{word}".lower() in GRAMMAR_WORDS
    ]
    kind, word, (code, *_) = data.draw(st.sampled_from(spelled))  # ABer, FRom
    to = data.draw(st.sampled_from(sorted(BOARD.reach(kind, code))))
    behind = data.draw(st.sampled_from([f"-{to}", f" - {to}", f"-> {to}", f" to {to}", " H", f" S A {to}"]))
    position = stand(f"{kind} {code}", f"A {to}", "A SPA") if to in LAND else stand(f"{kind} {code}", "A SPA")
    glued, apart = (read(name, position, f"{kind}{gap}{word.title()}{behind}", "ASpa-Por") for gap in ("", " "))
    assert [(each.status, each.order) for each in glued.entries] == [
        (each.status, each.order) for each in apart.entries
    ]


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize("remark", [", aber A Ber H", " aber - Boh", "\naber - Boh", "\nAber H", "\naber A Ber - Pru"])
def test_a_german_but_in_small_letters_is_no_army_in_berlin(name: str, remark: str) -> None:
    position = stand("A MUN", "A BER", power=Power.GERMANY)
    found = read(name, position, *f"A Mun - Sil{remark}".split("\n"), power=Power.GERMANY)
    assert found.entries[0].status in {Status.ASK, Status.AMBIGUOUS}


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize("line", ["A Mos - U A Sil - War", "A Mos -> U. A Sil - War", "F BAL - K A Sil - War"])
def test_a_place_of_one_letter_that_is_a_german_sign_for_help_is_asked_before_another_unit(
    name: str, line: str
) -> None:
    position = stand("A MOS", "A SIL", "F BAL", power=Power.RUSSIA)
    assert all(each.status is Status.ASK for each in read(name, position, line, power=Power.RUSSIA).entries[:2])


@pytest.mark.parametrize("name", tournament_ids())
def test_it_is_that_place_behind_which_a_comma_stands(name: str) -> None:
    found = read(name, stand("A MOS", "A SIL", power=Power.RUSSIA), "A Mos - U, A Sil - War", power=Power.RUSSIA)
    moved = [("MOS", "UKR"), ("SIL", "WAR")]
    assert [each.order for each in found.entries] == [Move(Unit(Kind.ARMY, start), to) for start, to in moved]
