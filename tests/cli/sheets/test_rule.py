"""``rule``: what means nothing is told with what it would do, and is written down only where it is meant."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import run
from desk.cup import NAMES, clock, hand_in, hand_in_all, inked, seated, spring
from facts_as_kept import KeptFact, read_facts

from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.seating import seat_round
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.ink import Tier
from pipeline.paper.sheet_rows import Design
from pipeline.rules.load import tournament_ids

FINLAND = {
    "phase": "S1903M",
    "units": {"RUSSIA": ["A FIN", "F BAR"]},
    "centers": {"RUSSIA": ["STP", "SEV"]},
    "dislodged": [],
}


@pytest.fixture
def cup(tmp_path: Path) -> str:
    """An event that is seated; nothing has come in."""
    return str(seated(tmp_path / "cup", tournament="nzdc1999"))


def facts(cup: str, kind: str) -> list[KeptFact]:
    with open_event(Path(cup), clock) as event:
        return list(read_facts(event.facts, kind))


def rule(cup: str, power: str, *arguments: str, code: int = 0) -> str:
    return run("rule", cup, "--board", "1", "--power", power, "--by", "Tess", *arguments, code=code)


def typed(*lines: str) -> list[str]:
    return [part for line in lines for part in ("--type", line)]


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "line",
    [
        "F bel s f eng - hol",  # no such unit
        "A War - spa",  # impossible
        "A War S A Mos - Ber",  # a support of what cannot be done
        "A Vie - Tri",  # another power's unit
        "A War - xyzzy",  # no word that is known
        "hello",
        "A War",  # a unit and no order
        "A War - sil, A War - gal",  # ordered twice
        "A War - sil, - gal",  # an alternative
        "don't move A War - sil",
        ";",
    ],
)
def test_a_line_that_means_nothing_is_told_and_wants_a_word_more(tmp_path: Path, tournament: str, line: str) -> None:
    cup = str(seated(tmp_path / "cup", tournament=tournament))
    told = rule(cup, "RUSSIA", *typed("F Sev - Bla", line), code=2)
    assert told.startswith("1.1 S1901M RUSSIA line 2: ")
    assert "--anyway" in told
    assert not facts(cup, "lines typed")
    rule(cup, "RUSSIA", *typed("F Sev - Bla", line), "--anyway")
    assert [fact.body["lines"] for fact in facts(cup, "lines typed")] == [["F Sev - Bla", line]]


@pytest.mark.parametrize("tournament", tournament_ids())
def test_what_the_rules_settle_is_no_slip_and_what_they_do_not_is_told(tmp_path: Path, tournament: str) -> None:
    """'A Fin - nor' is refused without ``--anyway`` just where the tournament's rules would not follow it."""
    cup = str(seated(tmp_path / "cup", tournament=tournament))
    file = tmp_path / "p.json"
    file.write_text(json.dumps(FINLAND))
    run("position", cup, "1", "--set", str(file))
    line = json.dumps(
        {
            "tournament": tournament,
            "power": "RUSSIA",
            "phase": "S1903M",
            "units": {"RUSSIA": ["A FIN", "F BAR"]},
            "lines": ["A Fin - nor"],
        }
    )
    (entry,) = json.loads(run("interpret", "-", typed=line))["entries"]
    told = rule(cup, "RUSSIA", *typed("A Fin - nor"), code=0 if entry["status"] == "clear" else 2)
    assert (entry["status"] == "clear") == bool(facts(cup, "lines typed"))
    assert entry["rule"] in told or entry["status"] == "clear"


def test_what_it_will_do_under_the_rules_is_said(cup: str) -> None:
    told = rule(cup, "RUSSIA", *typed("A War - spa"), code=2)
    assert "no convoy goes from WAR to SPA" in told
    assert "may not be supported to hold (NZ99 16); adjudicated as A WAR - SPA" in told


def test_all_lines_that_mean_nothing_are_told_at_once(cup: str) -> None:
    told = rule(cup, "ITALY", *typed("A Ven - Spa", "A Rom - Ven", "F Nap H", "A Ven - Tri"), code=2)
    assert [line.split(":")[0] for line in told.splitlines()] == [f"1.1 S1901M ITALY line {n}" for n in (1, 4)]


def test_what_was_typed_is_told_line_by_line_with_what_is_left(cup: str) -> None:
    told = rule(cup, "ITALY", *typed("A Ven - Tyr", "A Rom - Ven"))
    assert "1  'A Ven - Tyr' = A VEN - TYR" in told
    assert "F NAP has no order" in told


def test_a_sheet_that_typed_lines_lay_aside_is_named(cup: str) -> None:
    with open_event(Path(cup), clock) as event:
        print_round(event, 1)
        hand_in(event, spring(Power.ITALY), [inked(1, "A VEN H")])
    told = rule(cup, "ITALY", *typed("A Ven - Tyr", "A Rom H", "F Nap H"))
    assert "does not count: Tess typed lines" in told


@pytest.mark.parametrize("lines", [[], [""], ["  ", ""]])
def test_a_power_without_a_line_is_not_typed(cup: str, lines: list[str]) -> None:
    assert rule(cup, "ITALY", *typed(*lines), code=2)
    assert not facts(cup, "lines typed")


def test_who_owes_no_orders_is_not_typed_for(cup: str, tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    file.write_text(json.dumps(FINLAND))
    run("position", cup, "1", "--set", str(file))
    told = rule(cup, "ITALY", *typed("A Ven - Tyr"), code=2)
    assert "ITALY has no orders to write now; orders are due from RUSSIA" in told


def test_a_game_that_is_over_is_not_typed_for_and_its_published_phases_are(cup: str) -> None:
    for power in Power:
        rule(cup, power, "--sheet", "no orders")
    run("adjudicate", cup, "--board", "1")
    run("end", cup, "--board", "1", "--how", "abandoned", "--why", "everybody left")
    assert "the game is over" in rule(cup, "ITALY", *typed("A Ven - Tyr"), code=2)
    assert not facts(cup, "lines typed")
    told = rule(cup, "ITALY", "--phase", "S1901M", *typed("A Ven - Tyr"))
    assert "1  'A Ven - Tyr' = A VEN - TYR" in told
    assert f"'ordersheets correct {cup} --board 1.1 --phase S1901M' shows what changes" in told


@pytest.mark.parametrize("undoes", [True, False])
def test_a_published_phase_of_a_player_who_was_not_late_before_after_all_is_named(cup: str, undoes: bool) -> None:
    """NZ99 9: only the first late sheet of the whole tournament is accepted."""
    with open_event(Path(cup), clock) as event:
        seat_round(event, 2, {"1": NAMES}, by="Tess")
    for board in ("1.1", "2.1"):
        rule(cup, "ITALY", "--board", board, *typed("A Ven - Tri", "A Rom H", "F Nap H"))
        late = rule(cup, "ITALY", "--board", board, "--sheet", "late")
    assert "late again: they are refused" in late
    for power in set(Power) - {Power.ITALY}:
        rule(cup, power, "--sheet", "no orders")
    run("adjudicate", cup, "--board", "2.1")
    first = facts(cup, "sheet ruling")[0].number
    accepted = ["rule", cup, "--board", "1.1", "--power", "ITALY", "--sheet", "accepted"]
    said = run(*(["undo", cup, str(first)] if undoes else accepted), "--by", "Tess")
    told = f"its late orders count otherwise now; 'ordersheets correct {cup} --board 2.1 --phase S1901M' shows"
    assert told in said
    assert told in run("status", cup)
    assert "ITALY orders: A ROM H, A VEN - TRI, F NAP H, too" in run(
        "correct", cup, "--board", "2.1", "--phase", "S1901M"
    )


@pytest.fixture
def rows(cup: str) -> Iterator[Event]:
    """Austria's sheet is in: one row is unread, and one is read."""
    with open_event(Path(cup), clock) as event:
        print_round(event, 1)
        lines = [inked(1, "A Vie - Ga?", Tier.ASKED), inked(2, "F TRI - ALB"), inked(3, "A BUD - SER", Tier.ASKED)]
        hand_in(event, spring(Power.AUSTRIA), lines)
        yield event


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--line", "1", "--text", "A Vie - Lon"], "no convoy goes from VIE to LON"),
        (["--line", "1", "--text", "hello"], "'hello' is no order (NZ99 16); it orders nothing"),
        (["--line", "1", "--text", "F Tri - Ven"], "F TRI is ordered twice, differently"),
        (["--line", "1", "--order", "A VIE - LON"], "A VIE - LON: no convoy goes from VIE to LON"),
        (["--line", "1", "--order", "A LON - VIE"], "A LON - VIE: the unit in LON belongs to England"),
        (["--line", "0", "--order", "A VEN H"], "A VEN H: the unit in VEN belongs to Italy"),
    ],
)
def test_a_ruling_on_a_row_that_means_nothing_wants_a_word_more(
    cup: str, rows: Event, arguments: list[str], said: str
) -> None:
    told = rule(cup, "AUSTRIA", *arguments, code=2)
    assert said in told
    assert "--anyway" in told
    assert not facts(cup, "ruling")
    rule(cup, "AUSTRIA", *arguments, "--anyway")
    assert len(facts(cup, "ruling")) == 1


def test_a_second_row_for_a_unit_is_told_beside_the_first(cup: str, rows: Event) -> None:
    rule(cup, "AUSTRIA", "--line", "1", "--text", "A Vie - Gal")
    told = rule(cup, "AUSTRIA", "--line", "3", "--text", "A Vie - Tyr", code=2)
    assert "A VIE is ordered twice, differently" in told


def test_nothing_where_no_unit_waits_is_refused_and_says_what_waits_first(cup: str, rows: Event) -> None:
    told = rule(cup, "AUSTRIA", "--line", "0", "--order", "nothing", code=2)
    assert "nothing would be ruled: no unit without a row waits here; settle first what waits: line 1, 3" in told
    rule(cup, "AUSTRIA", "--line", "1", "--text", "A Vie - Gal")
    rule(cup, "AUSTRIA", "--line", "3", "--order", "nothing")
    told = rule(cup, "AUSTRIA", "--line", "0", "--order", "nothing")
    assert "no order  A BUD has no order" in told
    assert "waits" not in told
    before = len(facts(cup, "ruling"))
    assert "it is in force already" in rule(cup, "AUSTRIA", "--line", "0", "--order", "nothing")
    assert len(facts(cup, "ruling")) == before


def test_nothing_for_several_units_is_a_ruling_for_each(cup: str) -> None:
    rule(cup, "AUSTRIA", *typed("A Vie - Gal"))
    rule(cup, "AUSTRIA", "--line", "0", "--order", "nothing", "--why", "asked him")
    bodies = [fact.body for fact in facts(cup, "ruling")]
    assert [body["without"] for body in bodies] == [[{"code": "NO_ORDER", "unit": unit}] for unit in ("A BUD", "F TRI")]
    assert {body["why"] for body in bodies} == {"asked him"}
    assert "waits" not in run("orders", cup, "--board", "1").split("AUSTRIA")[1].split("ENGLAND")[0]


@pytest.mark.parametrize("order", ["A BUD H; nothing", "nothing; A BUD H"])
def test_nothing_beside_an_order_says_of_no_unit_that_it_has_none(cup: str, order: str) -> None:
    rule(cup, "AUSTRIA", *typed("A Vie - Gal"))
    assert "names no unit" in rule(cup, "AUSTRIA", "--line", "0", "--order", order, code=2)
    assert not facts(cup, "ruling")


@pytest.mark.parametrize("line", ["0", "1"])
def test_two_different_orders_for_one_unit_are_no_ruling(cup: str, line: str) -> None:
    rule(cup, "AUSTRIA", *typed("A Vie - Gal"))
    told = rule(cup, "AUSTRIA", "--line", line, "--order", "A VIE - GAL; A BUD - RUM; A VIE - BOH", code=2)
    assert "the unit in VIE is given different orders (A VIE - BOH, A VIE - GAL); give the one that stands" in told
    rule(cup, "AUSTRIA", "--line", line, "--order", "A VIE - GAL; A VIE - GAL")
    assert len(facts(cup, "ruling")) == 1


def test_the_players_of_the_cup_are_on_no_line(cup: str) -> None:
    assert not set(NAMES.values()) & set(rule(cup, "ITALY", *typed("A Ven - Tyr")).split())


def test_an_order_for_a_unit_that_another_line_orders_is_told_beside_that_line(cup: str) -> None:
    rule(cup, "AUSTRIA", *typed("A Vie - Gal", "A Bud - Ser"))
    told = rule(cup, "AUSTRIA", "--line", "1", "--order", "A BUD H", code=2)
    assert "line 2: 'A Bud - Ser': A BUD is ordered twice, differently" in told
    assert not facts(cup, "ruling")


@pytest.mark.parametrize("tournament", tournament_ids())
def test_an_order_that_is_meant_so_makes_no_hold_of_another_line_unasked(tmp_path: Path, tournament: str) -> None:
    cup = str(seated(tmp_path / "cup", tournament=tournament))
    rule(cup, "AUSTRIA", *typed("A Vie - Gal", "A Bud - Ser"))
    told = rule(cup, "AUSTRIA", "--line", "1", "--order", "A BUD H", "--anyway")
    assert "A BUD H" in told
    orders = json.loads(run("orders", cup, "--board", "1", "--json"))["powers"]["AUSTRIA"]["rows"]
    assert [row["line"] for row in orders if row["needs_director"]] == [2]


@pytest.mark.parametrize("is_published", [False, True])
@pytest.mark.parametrize("tournament", tournament_ids())
def test_an_order_is_what_it_is_in_a_text_also_of_a_phase_that_is_published(
    tmp_path: Path, tournament: str, is_published: bool
) -> None:
    cup = str(seated(tmp_path / "cup", tournament=tournament))
    rule(cup, "AUSTRIA", *typed("A Vie - Boh", "A Bud - Ser", "F Tri - Alb"))
    if is_published:
        for power in set(Power) - {Power.AUSTRIA}:
            rule(cup, power, "--sheet", "no orders")
        run("adjudicate", cup, "--board", "1")
    line = ["--phase", "S1901M", "--line", "1", "--order"]
    for order in ("F BUR D", "A TRI - VEN", "A BUD H"):  # no such unit here, the fleet's, and another line's
        assert "--anyway" in rule(cup, "AUSTRIA", *line, order, code=2)
    if tournament == "weaselmoot":  # VI.2.c: a wrong letter is followed, as the army's order
        assert "A VIE - GAL" in rule(cup, "AUSTRIA", *line, "F VIE - GAL")
        assert [fact.body["order"] for fact in facts(cup, "ruling")] == ["A VIE - GAL"]
    else:
        assert "--anyway" in rule(cup, "AUSTRIA", *line, "F VIE - GAL", code=2)
        assert not facts(cup, "ruling")


def test_who_has_nothing_to_order_is_never_late(tmp_path: Path) -> None:
    """EDC23 D4: each late sheet costs a point."""
    cup = str(seated(tmp_path / "cup", tournament="edc2023"))
    position = {"phase": "S1905M", "units": {"ITALY": ["A ROM"]}, "centers": {"ITALY": ["ROM"]}}
    (tmp_path / "position.json").write_text(json.dumps(position))
    run("position", cup, "1", "--set", str(tmp_path / "position.json"))
    told = "TURKEY has no orders to write now; orders are due from ITALY"
    assert told in rule(cup, "TURKEY", "--sheet", "late", code=2)
    assert "no sheet is in" in rule(cup, "ITALY", "--sheet", "late")


def test_a_ruling_on_what_is_published_is_told_by_status_until_it_is_applied(cup: str) -> None:
    with open_event(Path(cup), clock) as event:
        print_round(event, 1, wish=PrintWish(design=Design.LINE))
        hand_in_all(event)
    run("adjudicate", cup, "--board", "1", "--by", "Tess")
    rule(cup, "AUSTRIA", "--phase", "S1901M", "--line", "1", "--order", "A VIE - GAL")
    assert "not applied" not in run("status", cup), "it is the order that was published"
    rule(cup, "AUSTRIA", "--phase", "S1901M", "--line", "1", "--order", "A VIE H")
    again = f"'ordersheets correct {cup} --board 1.1 --phase S1901M' shows what changes"
    told = f"1.1 S1901M AUSTRIA: ruled on since it was published, and not applied: {again}"
    assert told in run("status", cup)
    run("undo", cup, str(facts(cup, "ruling")[-1].number), "--by", "Tess")
    assert "not applied" not in run("status", cup)
    rule(cup, "AUSTRIA", "--phase", "S1901M", "--line", "1", "--order", "A VIE H")
    run("correct", cup, "--board", "1", "--phase", "S1901M", "--apply", "--by", "Tess")
    assert "not applied" not in run("status", cup)


def test_a_ruling_before_a_position_that_was_set_by_hand_is_not_told(cup: str, tmp_path: Path) -> None:
    with open_event(Path(cup), clock) as event:
        print_round(event, 1, wish=PrintWish(design=Design.LINE))
        hand_in_all(event)
    run("adjudicate", cup, "--board", "1", "--by", "Tess")
    rule(cup, "AUSTRIA", "--phase", "S1901M", "--line", "1", "--order", "A VIE H")
    assert "not applied" in run("status", cup)
    file = tmp_path / "position.json"
    file.write_text(run("position", cup, "1", "--json"))
    run("position", cup, "1", "--set", str(file), "--why", "played on without us")
    assert "set by hand" in run("correct", cup, "--board", "1", "--phase", "S1901M", code=2)
    assert "not applied" not in run("status", cup)


def test_a_decision_on_a_sheet_says_which_rows_it_leaves_open_and_what_settles_them(cup: str) -> None:
    rule(cup, "AUSTRIA", *typed("A Vie - Gal"))
    told = rule(cup, "AUSTRIA", "--sheet", "accepted").splitlines()[-1]
    assert told.strip() == (
        "2 rows still wait, for 'accepted' is about the sheet: rule on each with --line;"
        " missing orders: '--line 0 --order nothing' leaves them to the rule"
    )
    rule(cup, "AUSTRIA", "--line", "0", "--order", "nothing")
    assert "still wait" not in rule(cup, "AUSTRIA", "--sheet", "accepted")


@pytest.mark.parametrize("decision", ["accepted", "all unsigned"])
def test_no_sheet_is_accepted_where_none_is_in(cup: str, decision: str) -> None:
    said = rule(cup, "ITALY", "--sheet", decision, code=2)
    assert "no sheet is in that could be accepted; scan it, type its lines ('rule --type'), or rule 'no orders'" in said
    rule(cup, "ITALY", *typed("A Ven H"))
    rule(cup, "ITALY", "--sheet", decision)


def test_a_unit_of_which_no_orders_will_come_is_named(cup: str) -> None:
    rule(cup, "ITALY", "--sheet", "no orders")
    rows = run("orders", cup, "--board", "1").partition("ITALY")[2].partition("RUSSIA")[0]
    assert all(f"{unit} has no order" in rows for unit in ("F NAP", "A ROM", "A VEN"))
