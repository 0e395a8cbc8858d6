"""``ordersheets judge``: what the contract promises, and what it does with bad input."""

import io
import json
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from click.testing import CliRunner

from pipeline.board import standard_map, starting_position
from pipeline.cli.judge import judge, judge_command
from pipeline.cli.streams import answer_each
from pipeline.judge.adjudicate import legal_orders
from pipeline.judge.outcome import Word
from pipeline.orders import read_position, write, write_position

START = {**write_position(starting_position(standard_map())), "id": "start", "rules": "datc"}
START.pop("dislodged")
START["orders"] = {"ITALY": ["A VEN - TRI", "F NAP - ION"], "FRANCE": ["A PAR S A MAR - BUR", "A MAR - BUR"]}
FIGHT: dict[str, Any] = {
    "id": "fight",
    "rules": "datc",
    "phase": "S1901M",
    "units": {"AUSTRIA": ["F ADR", "A TRI"], "ITALY": ["A VEN", "A TYR"], "GERMANY": ["A MUN"]},
    "orders": {
        "AUSTRIA": ["F ADR S A TRI - VEN", "A TRI - VEN"],
        "ITALY": ["A VEN H", "A TYR S A VEN"],
        "GERMANY": ["A MUN - TYR"],
    },
}
WINTER = {
    "rules": "datc",
    "phase": "W1901A",
    "units": {"ENGLAND": ["A LVP"], "TURKEY": ["A TYR", "A CON"]},
    "centers": {"ENGLAND": ["LON", "LVP"], "TURKEY": ["CON"]},
    "orders": {"ENGLAND": ["BUILD F LON"], "TURKEY": ["REMOVE A TYR"]},
}
RETREAT = {
    "rules": "datc",
    "phase": "S1902R",
    "units": {"AUSTRIA": ["A VEN"]},
    "dislodged": [{"power": "ITALY", "unit": "A VEN", "from": "TRI", "retreats": ["APU", "ROM"]}],
    "orders": {"ITALY": ["A VEN R ROM"]},
}


def changed(value: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**json.loads(json.dumps(value)), **changes}


def stream(*lines: object) -> tuple[int, list[dict[str, Any]]]:
    """Answer lines, given as text or as objects."""
    source = io.StringIO("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    out = io.StringIO()
    code = answer_each(source, judge, out)
    return code, [json.loads(line) for line in out.getvalue().splitlines()]


def test_every_order_has_its_result_reason_and_culprit() -> None:
    reply = judge(FIGHT)

    assert list(reply) == ["id", "rules", "phase", "results", "units", "dislodged", "next_phase"]
    assert reply["results"][3:] == [
        {
            "power": "ITALY",
            "order": "A TYR S A VEN",
            "result": "cut",
            "reason": "cut by A MUN - TYR",
            "by": ["A MUN - TYR"],
        },
        {
            "power": "GERMANY",
            "order": "A MUN - TYR",
            "result": "fails",
            "reason": "fails 1:1 against A TYR S A VEN",
            "by": ["A TYR S A VEN"],
        },
    ]
    assert reply["units"] == {"AUSTRIA": ["A VEN", "F ADR"], "ITALY": ["A TYR"], "GERMANY": ["A MUN"]}
    assert reply["dislodged"] == [
        {"power": "ITALY", "unit": "A VEN", "from": "TRI", "retreats": ("APU", "PIE", "ROM", "TUS")}
    ]
    assert reply["next_phase"] == "S1901R"


def test_a_retreat_that_is_written_in_two_ways_is_one_order() -> None:
    rules = {"several_orders": "none"}
    orders = {"ITALY": ["A VEN R APU", "A VEN - APU"]}
    reply = judge(changed(RETREAT, rules=rules, orders=orders))

    assert [each["result"] for each in reply["results"]] == ["succeeds", "succeeds"]
    assert reply["units"]["ITALY"] == ["A APU"]


def test_of_two_builds_in_one_place_that_are_taken_back_from_the_bottom_the_first_is_left() -> None:
    rules = {"two_builds_in_one_place": "bottom-up"}
    reply = judge(changed(WINTER, rules=rules, orders={"ENGLAND": ["F LON B", "A LON B"]}))

    assert [each["result"] for each in reply["results"]][:2] == ["succeeds", "illegal"]


def test_builds_and_removals_have_other_names_too() -> None:
    reply = judge(WINTER)

    assert [(each["order"], each["result"]) for each in reply["results"]] == [
        ("F LON B", "succeeds"),
        ("A TYR D", "succeeds"),
    ]
    assert reply["units"] == {"ENGLAND": ["A LVP", "F LON"], "TURKEY": ["A CON"]}
    assert judge(changed(WINTER, orders={"TURKEY": ["DISBAND A TYR"]}))["units"]["TURKEY"] == ["A CON"]


def test_centres_and_adjustments_are_told_where_they_are_counted() -> None:
    fall = changed(START, phase="F1901M", units={"ITALY": ["A VEN", "A TUN"]}, centers={"ITALY": ["VEN"]}, orders={})
    reply = judge(fall)

    assert reply["centers"] == {"ITALY": ("TUN", "VEN")}
    assert reply["next_phase"] == "S1902M"
    reply = judge(changed(fall, centers={"ITALY": ["VEN", "ROM"]}))
    assert (reply["adjustments"], reply["next_phase"]) == ({"ITALY": 1}, "W1901A")


@pytest.mark.parametrize("rules", ["nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008", "datc", "1971", "2023"])
def test_rules_are_named(rules: str) -> None:
    assert judge(changed(FIGHT, rules=rules))["next_phase"] == "S1901R"


def test_rules_are_made_of_choices() -> None:
    real = {"base": "datc", "4.A.3": "c+fallback", "4.D.8": "a", "4.E.1": "impossible-is-move"}

    assert judge(changed(FIGHT, rules=real))["rules"] == real


def test_the_sandard_map_has_no_turkey() -> None:
    reply = judge(
        {
            "rules": "edc2023",
            "map": "sandard",
            "phase": "F1901M",
            "units": {"RUSSIA": ["F BLA", "A SMY"]},
            "centers": {"RUSSIA": ["SEV"]},
            "orders": {"RUSSIA": ["F BLA - CON"]},
        }
    )

    assert reply["centers"] == {"RUSSIA": ("CON", "SEV")}
    assert reply["map"] == "sandard"


def test_an_answer_with_new_orders_is_the_next_question() -> None:
    rng = random.Random(4)
    value = changed(START, orders={})
    phases = set()
    for _ in range(80):
        reply = json.loads(json.dumps(judge(value)))
        phases.add(reply["next_phase"][0] + reply["next_phase"][-1])
        value = changed(reply, orders=some_orders(reply, rng))
    assert phases == {"SM", "SR", "FM", "FR", "WA"}


def some_orders(reply: dict[str, Any], rng: random.Random) -> dict[str, list[str]]:
    """Order what is legal, by lot; a unit that can support what another was told to do mostly does."""
    position = read_position({**reply, "phase": reply["next_phase"]}, standard_map())
    by_unit: dict[tuple[str, str], list[str]] = {}
    for power in position.units:
        for order in legal_orders(standard_map(), position, power):
            by_unit.setdefault((power, " ".join(write(order).split()[:2])), []).append(write(order))
    orders: dict[str, list[str]] = {}
    told: set[str] = set()
    for owner, unit in rng.sample(list(by_unit), len(by_unit)):
        choices = by_unit[owner, unit]
        helping = [text for text in choices if " S " in text and text.partition(" S ")[2] in told]
        text = rng.choice(helping if helping and rng.random() < 0.7 else choices)
        told.add(text)
        orders.setdefault(owner, []).append(text)
    return orders


def test_what_is_not_an_order_is_invalid_and_keeps_its_place() -> None:
    reply = judge(
        changed(
            FIGHT,
            orders={
                "ITALY": ["A VEN H", "A Ven-Tri", "A XYZ - BOH", "A VEN - XYZ - TRI", "A TYR - SWI", "A TYR - VIE"]
            },
        )
    )

    assert [each["result"] for each in reply["results"]] == [
        "stands",
        "invalid",
        "invalid",
        "invalid",
        "illegal",
        "succeeds",
    ]
    assert reply["results"][1]["order"] == "A Ven-Tri"
    assert reply["results"][2]["reason"] == "'XYZ' is not a province of this map"
    assert reply["results"][4]["reason"] == "Switzerland can never be entered"


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("A PAR - BUR", "there is no unit in PAR"),
        ("A TRI - VEN", "the unit in TRI belongs to Austria, not to Italy"),
        ("A VEN B", "not an order for a movement phase"),
        ("WAIVE", "not an order for a movement phase"),
        ("A VEN S A PAR", "there is no unit in PAR"),
        ("A VEN C A TYR - TRI", "A VEN is not a fleet at sea (DATC 6.F.1)"),
        ("A VEN - ADR", "ADR is a sea, and A VEN an army (DATC 6.A.2)"),
        ("A VEN - TRI VIA", "no fleets lie on the way from VEN to TRI (DATC 6.D.32)"),
        ("A VEN - ADR - SWI", "Switzerland can never be entered"),
    ],
)
def test_an_order_that_cannot_be_is_illegal(order: str, reason: str) -> None:
    reply = judge(changed(FIGHT, units={**FIGHT["units"], "AUSTRIA": ["A TRI"]}, orders={"ITALY": [order]}))

    assert reply["results"] == [{"power": "ITALY", "order": order, "result": "illegal", "reason": reason, "by": []}]


@pytest.mark.parametrize(
    ("change", "error", "where"),
    [
        ({"rules": "wdc2009"}, "no rules 'wdc2009'; known are ", "object 1 rules"),
        ({"rules": {"4.A.2": "x"}}, "'x' is not one of a, b, c, d, e, f, pandin", "object 1 rules.4.A.2"),
        ({"rules": 5}, "expected a name or settings, found 5", "object 1 rules"),
        ({"phase": "X1901M"}, "'X1901M' is not a phase", "object 1 phase"),
        ({"phase": None}, "'None' is not a phase", "object 1 phase"),
        ({"units": {"ITALY": ["A ADR"]}}, "A ADR cannot stand there", "object 1 units ITALY"),
        ({"units": {"ITALY": ["F TYR"]}}, "F TYR cannot stand there", "object 1 units ITALY"),
        ({"units": {"ITALY": ["F SPA"]}}, "F SPA cannot stand there; name the coast, SPA/NC or SPA/SC",
         "object 1 units ITALY"),
        ({"units": {"ITALY": ["A QQQ"]}}, "unknown province QQQ", "object 1 units ITALY"),
        ({"units": {"ITALY": ["A VEN", "F VEN"]}}, "two units stand in VEN: A VEN of ITALY and F VEN of ITALY",
         "object 1 units"),
        ({"units": {"SPAIN": []}}, "unknown power 'SPAIN'; powers are ", "object 1 units"),
        ({"units": ["A VEN"]}, "expected an object of powers, found list", "object 1 units"),
        ({"centers": {"ITALY": ["TYR"]}}, "'TYR' is not a supply centre", "object 1 centers ITALY"),
        ({"orders": ["A VEN H"]}, "expected an object of powers, found list", "object 1 orders"),
        ({"orders": {"ITALY": "A VEN H"}}, "expected a list of texts, found 'A VEN H'", "object 1 orders ITALY"),
        ({"orders": {"SPAIN": []}}, "unknown power 'SPAIN'; powers are ", "object 1 orders"),
        ({"map": "moon"}, "no map 'moon'; maps are standard, sandard", "object 1 map"),
        ({"ordrs": {}}, "unknown field; did you mean 'orders'?", "object 1 ordrs"),
        ({"dislodged": [{"power": "ITALY", "unit": "A VEN", "form": "TYR", "retreats": []}]},
         "unknown field; did you mean 'from'?", "object 1 dislodged[0] form"),
        ({"phase": "W1901A"}, "missing: adjustments are counted from the centres", "object 1 centers"),
    ],
)  # fmt: skip
def test_a_wrong_object_is_answered_with_what_is_wrong(change: dict[str, Any], error: str, where: str) -> None:
    code, [reply] = stream(changed(FIGHT, **change))

    assert (code, reply["id"], reply["where"]) == (1, "fight", where)
    assert reply["error"].startswith(error)


@pytest.mark.parametrize("missing", ["rules", "phase", "units"])
def test_what_is_missing_is_told(missing: str) -> None:
    value = changed(FIGHT)
    del value[missing]

    assert stream(value)[1][0]["where"] == f"object 1 {missing}"


@pytest.mark.parametrize(
    ("retreats", "error"),
    [
        (["PAR"], "'retreats': A VEN does not border PAR"),
        (["APU", "TRI"], "'retreats': A ALB stands in TRI"),
        ("ROM", "'retreats': expected a list of places, found 'ROM'"),
    ],
)
def test_impossible_retreats_are_refused(retreats: object, error: str) -> None:
    value = changed(RETREAT, units={"AUSTRIA": ["A VEN", "A TRI"]})
    value["dislodged"][0]["retreats"] = retreats

    assert stream(value)[1][0]["error"] == error.replace("A ALB", "A TRI")


def test_retreats_belong_to_a_retreat_phase() -> None:
    assert (
        stream(changed(RETREAT, phase="F1902M"))[1][0]["error"]
        == "A VEN has yet to retreat, and F1902M is not a retreat phase"
    )


def test_one_wrong_object_does_not_stop_the_others() -> None:
    code, replies = stream(FIGHT, "{not json", "[1]", changed(FIGHT, id=2), '{"a": NaN}', "[" * 100_000)

    assert code == 1
    assert [reply.get("next_phase", "error" in reply) for reply in replies] == [
        "S1901R",
        True,
        True,
        "S1901R",
        True,
        True,
    ]
    assert replies[1]["where"] == "object 2"


def test_a_key_that_stands_twice_is_refused() -> None:
    code, [reply] = stream('{"rules": "datc", "phase": "S1901M", "phase": "F1901M", "units": {}}')

    assert (code, reply["error"]) == (1, "JSON that is not accepted: 'phase' stands twice in one object")


def test_one_object_may_be_spread_over_many_lines() -> None:
    code, replies = stream(json.dumps(FIGHT, indent=2))

    assert (code, len(replies)) == (0, 1)


def test_the_command_reads_a_file_or_standard_input(tmp_path: Any) -> None:
    path = tmp_path / "phases.jsonl"
    path.write_text(json.dumps(FIGHT) + "\n", "utf-8")

    for result in (
        CliRunner().invoke(judge_command, [str(path)]),
        CliRunner().invoke(judge_command, [], input="\ufeff" + json.dumps(FIGHT)),
    ):
        assert result.exit_code == 0
        assert json.loads(result.stdout)["next_phase"] == "S1901R"
    assert CliRunner().invoke(judge_command, [], input="{}").exit_code == 1


def test_half_a_character_does_not_stop_the_stream() -> None:
    code, [reply] = stream('{"id": "\\ud800", "rules": "datc"}')

    assert (code, reply["id"]) == (1, "\ud800")


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Walk through all that can be changed in an object."""
    if path:
        yield path
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], (*path, key))
    elif isinstance(value, list):
        for index, inside in enumerate(value):
            yield from leaves(inside, (*path, index))


WORDS = [
    "A VEN",
    "F STP",
    "F STP/NC",
    "A XYZ",
    "",
    "A VEN - VEN",
    "F ADR C F ADR - ADR",
    "A VEN S A VEN S A VEN",
    "S1901R",
    "W1901A",
]
JUNK: list[Any] = [None, True, -1, 1e308, [], {}, [[]], {"A": []}, "\ud800", "💥", "A" * 500]


def mutated(value: Any, rng: random.Random) -> Any:
    """Change something somewhere: drop it, double it, swap it, or put rubbish in its place."""
    value = json.loads(json.dumps(value))
    for _ in range(rng.choice((1, 1, 2, 4))):
        paths = list(leaves(value))
        orders = [path for path in paths if path[0] == "orders" and len(path) > 1]
        path = rng.choice(orders if orders and rng.random() < 0.6 else paths)
        parent = value
        for step in path[:-1]:
            parent = parent[step]
        old, last = parent[path[-1]], path[-1]
        match rng.randrange(5):
            case 0:
                del parent[last]
            case 1 if isinstance(parent, list):
                parent.append(old)
            case 2 if isinstance(old, str) and old:
                letters = list(old)
                letters[rng.randrange(len(letters))] = rng.choice("ABCDEFMNRSTUV/-. 1é")
                parent[last] = "".join(letters)
            case 3:
                parent[last] = rng.choice(WORDS)
            case _:
                parent[last] = deepcopy(rng.choice(JUNK))
    return value


@pytest.mark.slow
def test_ten_thousand_mutations_are_answered_and_none_crashes() -> None:
    rng = random.Random(1901)
    answered = refused = 0
    for number in range(10_000):
        value = mutated(rng.choice([FIGHT, WINTER, RETREAT, START]), rng)
        source, out = io.StringIO(json.dumps(value) + "\n"), io.StringIO()
        answer_each(source, judge, out)
        [reply] = [json.loads(line) for line in out.getvalue().splitlines()]
        if "error" in reply:
            refused += 1
            assert reply["where"], number
        else:
            answered += 1
            given = [text for texts in value.get("orders", {}).values() for text in texts]
            told = [each for each in reply["results"] if each["result"] != "automatic"]
            assert len(told) == len(given), number
            assert {each["result"] for each in reply["results"]} <= {str(word) for word in Word}
            assert all(each["reason"] for each in reply["results"]), number
    assert answered > 2000
    assert refused > 2000
