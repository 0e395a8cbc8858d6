"""A rules file is loaded whole or refused with every fault; a sixth tournament is only a file."""

import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from pipeline import small_files
from pipeline.judge import rulebook
from pipeline.problems import Problem, Stopped
from pipeline.rules.load import find_rules, load_abbreviations, load_tournament
from pipeline.rules.reading_rules import EvidenceRule, Twice, UnfollowedOrder
from pipeline.small_files import data_folder

LINE = 'word_reachability = { value = "settles", rule = "HI31 4" }'
SIXTH = """
[tournament]
id = "highland2031"
short = "HI31"
name = "Highland Open 2031"
source = "the back of the programme"
abbreviations = "highland"

[judge]
edition = { value = "2023", rule = "HI31 1" }
paradox = { value = "all-hold", rule = "HI31 9" }

[reading]
not_ordered = { value = "hold", rule = "HI31 2" }
twice_different = { value = "last", rule = "HI31 3", why = "the last ink counts" }
word_reachability = { value = "settles", rule = "HI31 4" }
struck_out = "ask"
by_land = { value = "own_fleet", rule = "HI31 5" }

[adjustments]
too_many_builds = { value = "none", rule = "HI31 6" }
first_year_builds = { value = 1, rule = "HI31 6" }

[conduct]
late_points = { value = "-1/2", rule = "HI31 7" }
late_first = { value = "warned", rule = "HI31 7" }

[ending]
last_year = { value = "none", rule = "HI31 8" }

[[clock.years]]
from_year = 1901
spring = { negotiation = 900, writing = 30 }
fall = { negotiation = 900, writing = 30 }
rule = "HI31 10"

[draw]
uneven = { value = ["volunteers", "double"], rule = "HI31 11" }
power_groups = { value = [["ENGLAND", "FRANCE"], ["ITALY"]], rule = "HI31 11" }

[scoring]
system = { value = "squares", rule = "HI31 12" }
pool = { value = 100, rule = "HI31 12" }

[[scoring.parts]]
give = "polynomial"
coefficients = [0, 0, 1]
rule = "HI31 12"

[totals]
rounds = { value = 2, rule = "HI31 13" }

[[totals.penalties]]
kind = "late"
points = "1/2"
rule = "HI31 7"
"""

WORDS = """
name = "Gaelic and English"
extends = ["english"]

[provinces]
EDI = { accepted = ["Dùn Èideann", "Dùn"] }
LVP = { accepted = ["Liv"] }

[signs]
hold = ["stad"]
"""


def write_sixth(folder: Path, rules: str = SIXTH, words: str = WORDS) -> Path:
    (folder / "abbreviations").mkdir(exist_ok=True)
    (folder / "abbreviations" / "highland.toml").write_text(words, "utf-8")
    path = folder / "highland.toml"
    path.write_text(rules, "utf-8")
    return path


def faults(path: Path) -> list[str]:
    with pytest.raises(Stopped) as stopped:
        load_tournament(path)
    return [f"{problem.where}: {problem.text}" for problem in stopped.value.problems]


def test_a_sixth_tournament_needs_a_file_and_no_code(tmp_path: Path) -> None:
    found = load_tournament(write_sixth(tmp_path))

    assert (found.id, found.short, found.rounds, found.map) == ("highland2031", "HI31", 2, "standard")
    assert (found.reading.twice_different.value, found.reading.twice_different.rule) == (Twice.LAST, "HI31 3")
    assert found.reading.twice_different.why == "the last ink counts"
    assert found.reading.word_reachability.value is EvidenceRule.SETTLES
    assert found.conduct.late_points.value == Fraction(-1, 2)
    assert found.ending.last_year.value is None
    assert not found.ending.last_year.asks
    assert (found.rulebook.paradox, found.rulebook.adjacent_convoy) == (
        rulebook.Paradox.ALL_HOLD,
        rulebook.AdjacentConvoy.OWN_FLEET,
    )
    assert (found.rulebook.too_many_builds, found.rulebook.imposed_builds) == (rulebook.Several.NONE, 1)
    assert found.abbreviations.places_listed("dun eideann") == ("EDI",)
    assert found.abbreviations.places_listed("Liv") == (
        "LVP",
    )  # its own row settles what the English table calls ambiguous
    assert found.abbreviations.places_listed("Nwy") == ("NWY",)


def test_what_a_file_does_not_say_is_asked_and_never_invented(tmp_path: Path) -> None:
    found = load_tournament(write_sixth(tmp_path))
    unsaid = [switch for switch in found.switches() if not switch.setting.rule and switch.path.startswith("reading")]

    assert found.reading.bare_unit.value is UnfollowedOrder.ASK
    assert found.reading.bare_unit.asks
    assert found.ending.solo_centres.asks  # a number
    assert found.draw.order.asks  # a list
    assert (found.reading.misspelt_lead.value, found.reading.misspelt_lead.asks) == (1.0, True)  # no word has that lead
    assert all(switch.setting.asks for switch in unsaid)
    assert len(unsaid) > 30


def test_files_that_hold_the_same_are_one_tournament_and_any_change_makes_another(tmp_path: Path) -> None:
    path = write_sixth(tmp_path)
    first = load_tournament(path)
    stamp = path.stat()
    assert load_tournament(write_sixth(tmp_path)) is first

    path.write_text(SIXTH.replace("rounds = { value = 2", "rounds = { value = 3"), "utf-8")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # as long and as old as before
    assert load_tournament(path).rounds == 3

    found = load_tournament(write_sixth(tmp_path, words=WORDS.replace("Liv", "Lvr")))
    assert found.rounds == 2
    assert found.abbreviations.places_listed("Lvr") == ("LVP",)

    base = tmp_path / "abbreviations" / "english.toml"  # before the program's own, once it is there
    base.write_text((data_folder("abbreviations") / "english.toml").read_text("utf-8"), "utf-8")
    beside = load_tournament(path)
    assert beside is not found
    base.unlink()
    assert load_tournament(path) is not beside

    path.write_text("[tournament", "utf-8")
    with pytest.raises(Stopped):
        load_tournament(path)


def test_every_fault_is_told_at_once_with_its_path_and_what_was_meant(tmp_path: Path) -> None:
    bad = (
        SIXTH.replace('value = "last"', 'value = "lats"')
        .replace('struck_out = "ask"', 'struck_out = "followed"\nstruck_over = "ask"')
        .replace('by_land = { value = "own_fleet", rule = "HI31 5" }', 'by_land = { value = "own_fleet" }')
        .replace('paradox = { value = "all-hold"', 'paradox = { value = "allhold"')
        .replace('value = 1, rule = "HI31 6"', 'value = "one", rule = "HI31 6"')
        .replace('value = "-1/2"', 'value = "half"')
        .replace('["volunteers", "double"]', '["volunters"]')
        .replace('["ITALY"]', '"ITALY"')
        .replace("writing = 30", "wirting = 30", 1)
        .replace('short = "HI31"', 'short = 31\nmap = "standart"')
        .replace("[conduct]", "[condcut]")
        .replace('value = "none", rule = "HI31 8"', 'rule = "HI31 8"')
        + "\n[jugde]\n"
    )
    bad = bad.replace("[judge]", "[judge]\nnamed_route = { value = 'binding', rule = 'HI31 5' }\n")
    bad = bad.replace("[condcut]", "[conduct]\nlate_fisrt = 'ask'\n")

    assert faults(write_sixth(tmp_path, bad)) == [
        "highland.toml adjustments.first_year_builds.value: expected a whole number, found 'one'",
        "highland.toml clock.years[0].spring.wirting: unknown field; did you mean 'writing'?",
        "highland.toml conduct.late_fisrt: unknown field; did you mean 'late_first'?",
        "highland.toml conduct.late_points.value: 'half' is not a number; write 15, 0.1, '1/2' or '110 %'",
        "highland.toml draw.power_groups.value[1]: expected a list, found 'ITALY'",
        "highland.toml draw.uneven.value[0]: 'volunters' is not one of ask, double, director_plays, volunteers, "
        "local_board_members, local_club_members, local_non_members, travellers, lowest_ranked, nearest, variant; did "
        "you mean 'volunteers'?",
        "highland.toml ending.last_year.value: missing; expected a whole number or 'none'",
        "highland.toml judge.named_route: this is answered by reading.route; take it out here",
        "highland.toml judge.paradox: 'allhold' is not one of 1971, 1982, 2000, all-hold, verheijden, szykman, pandin; "
        "did you mean 'all-hold'?",
        "highland.toml jugde: unknown field; did you mean 'judge'?",
        "highland.toml reading.by_land.rule: missing; quote the rule that says so, such as 'WDC08 12.4'",
        "highland.toml reading.struck_out: a value needs the rule it comes from; write "
        '{ value = "followed", rule = "…" }, '
        "or 'ask' where there is none",
        "highland.toml reading.struck_over: unknown field; did you mean 'struck_out'?",
        "highland.toml reading.twice_different.value: 'lats' is not one of ask, hold, first, last; did you mean "
        "'last'?",
        "highland.toml tournament.map: 'standart' is not one of standard, sandard; did you mean 'standard'?",
        "highland.toml tournament.short: expected a text, found 31",
    ]


def test_a_rule_that_can_be_read_in_two_ways_has_both_values_and_a_why(tmp_path: Path) -> None:
    both = 'word_reachability = { value = "settles", otherwise = "ignored", rule = "HI31 4", why = "4 says so" }'
    found = load_tournament(write_sixth(tmp_path, SIXTH.replace(LINE, both)))

    setting = found.reading.word_reachability
    assert (setting.value, setting.otherwise) == (EvidenceRule.SETTLES, EvidenceRule.IGNORED)
    ((again, otherwise),) = found.otherwise
    assert again is setting
    assert otherwise.reading.word_reachability.value is EvidenceRule.IGNORED
    assert otherwise.otherwise == ()
    assert otherwise.reading.by_land is found.reading.by_land


@pytest.mark.parametrize(
    ("both", "fault"),
    [
        ('{ value = "settles", otherwise = "ignored", rule = "HI31 4" }',
         "why: missing; say why the rule is read as it is"),
        ('{ value = "settles", otherwise = "settles", rule = "HI31 4", why = "x" }',
         "otherwise: 'settles' is the value itself; leave it out where the rule can be read in one way only"),
        ('{ value = "ask", otherwise = "settles", rule = "HI31 4", why = "x" }',
         "otherwise: the value is 'ask', so there is no other reading; leave it out"),
        ('{ value = "settles", otherwise = "ignore", rule = "HI31 4", why = "x" }',
         "otherwise: 'ignore' is not one of ask, settles, listed_words, ignored; did you mean 'ignored'?"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_second_way_to_read_a_rule_is_told(tmp_path: Path, both: str, fault: str) -> None:
    path = write_sixth(tmp_path, SIXTH.replace(LINE, f"word_reachability = {both}"))

    assert faults(path) == [f"highland.toml reading.word_reachability.{fault}"]


def test_a_late_sheet_costs_the_same_in_conduct_and_in_scoring(tmp_path: Path) -> None:
    path = write_sixth(tmp_path, SIXTH.replace('value = "-1/2"', "value = -1"))

    assert faults(path) == [
        "highland.toml conduct.late_points: a late sheet costs 1 point here and 1/2 in [[totals.penalties]]; write "
        "the same in both"
    ]


@pytest.mark.parametrize(("written", "points"), [("-0.5", "-1/2"), ('"-0.5"', "-1/2"), ("-1.5", "-3/2"), ("-1", "-1")])
def test_what_a_late_sheet_costs_may_be_written_with_decimals(tmp_path: Path, written: str, points: str) -> None:
    rules = SIXTH.replace('value = "-1/2"', f"value = {written}").replace('points = "1/2"', f'points = "{points[1:]}"')

    assert load_tournament(write_sixth(tmp_path, rules)).conduct.late_points.value == Fraction(points)


@pytest.mark.parametrize("written", ["true", "[]", '"1/0"'])
def test_what_is_no_number_is_never_dropped_without_a_word(tmp_path: Path, written: str) -> None:
    (fault,) = faults(write_sixth(tmp_path, SIXTH.replace('value = "-1/2"', f"value = {written}")))

    assert fault.startswith("highland.toml conduct.late_points.value: ")
    assert fault.endswith(" is not a number; write 15, 0.1, '1/2' or '110 %'")


def test_the_judge_cannot_tell_a_refused_late_sheet_from_a_missing_one(tmp_path: Path) -> None:
    missing = '[conduct]\nmissing_sheet = { value = "civil_disorder", rule = "HI31 7" }'
    late = 'late_again = { value = "all_hold", rule = "HI31 7" }\n'
    path = write_sixth(tmp_path, SIXTH.replace("[conduct]", f"{missing}\n{late}"))

    assert faults(path) == [
        "highland.toml conduct.late_again: all_hold here and civil_disorder in missing_sheet; the judge cannot tell "
        "them apart"
    ]


def test_whether_the_dislodged_of_a_silent_power_retreat_is_said_once(tmp_path: Path) -> None:
    path = write_sixth(
        tmp_path, SIXTH.replace("[judge]", '[judge]\ndisorder_retreats = { value = false, rule = "HI31 7" }')
    )

    assert faults(path) == [
        "highland.toml judge.disorder_retreats: this is answered by conduct.missing_sheet; take it out here"
    ]


def test_an_unknown_tournament_is_answered_with_the_known_ones() -> None:
    with pytest.raises(Stopped) as stopped:
        find_rules("edc2032")

    assert stopped.value.problems[0].text == (
        "no such tournament; did you mean 'edc2023'?; known are edc1996, edc2023, nzdc1999, wdc2008, weaselmoot, "
        "or give the path of a .toml file"
    )


def test_a_file_that_is_missing_or_no_toml_is_said_to_be_so(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("[tournament\n", "utf-8")

    assert faults(tmp_path / "gone.toml") == [f"{tmp_path / 'gone.toml'}: no such file; check the name"]
    assert faults(broken) == [
        "broken.toml: not TOML: Expected ']' at the end of a table declaration (at line 1, column 12)"
    ]


@pytest.mark.parametrize(
    "read", [small_files.read_small, lambda path: small_files.read_named(path, small_files.LARGEST)]
)
def test_a_file_is_read_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Callable[[Path], bytes]
) -> None:
    path = tmp_path / "ten"
    path.write_bytes(b"ten bytes.")

    monkeypatch.setattr(small_files, "LARGEST", 10)
    assert read(path) == b"ten bytes."
    monkeypatch.setattr(small_files, "LARGEST", 9)
    with pytest.raises(OSError, match="it is larger than 0 MB"):
        read(path)


def test_an_unknown_table_of_abbreviations_is_one_more_fault(tmp_path: Path) -> None:
    path = write_sixth(tmp_path, SIXTH.replace('abbreviations = "highland"', 'abbreviations = "inglish"'))

    assert faults(path)[0] == (
        "abbreviations: no table 'inglish'; did you mean 'english'?; known are edc1996, edc2023, english, french, "
        "german, names, nzdc1999, signs, signs_french, signs_german, wdc2008"
    )


def test_tables_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    path = write_sixth(tmp_path, words='extends = ["english", "lowland"]')
    (tmp_path / "abbreviations" / "lowland.toml").write_text('extends = ["highland"]', "utf-8")

    assert faults(path) == ["lowland.toml extends: 'highland' extends this table, so this table cannot extend it"]


@pytest.mark.parametrize("name", ["../secret", "{folder}/secret", "inside/../../secret"])
@pytest.mark.parametrize("is_extended", [False, True])
def test_a_table_that_lies_outside_of_its_folder_is_not_read(tmp_path: Path, name: str, is_extended: bool) -> None:
    name = name.format(folder=tmp_path)
    (tmp_path / "abbreviations" / "inside").mkdir(parents=True)
    for path, text in (("secret", 'extends = ["english"]'), ("abbreviations/own", f'extends = ["{name}"]')):
        (tmp_path / f"{path}.toml").write_text(text, "utf-8")
    problems = list[Problem]()
    load_abbreviations("own" if is_extended else name, tmp_path, problems)
    assert [each.text.partition(";")[0] for each in problems] == [f"no table {name!r}"]
