"""``ordersheets rules`` prints the switches with their sources."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from pipeline.cli.rules import rules_command
from pipeline.problems import Stopped
from pipeline.rules.load import find_rules


def run(*arguments: str) -> Result:
    return CliRunner().invoke(rules_command, list(arguments))


def test_each_switch_is_printed_with_its_value_its_rule_and_what_it_means() -> None:
    out = run("weaselmoot").output

    assert "  letter_wrong                 followed               WM VI.2.c\n" in out
    assert "      the ordered unit's letter is wrong: the line is followed\n" in out
    assert "  struck_out                   ask                    the rules are silent\n" in out
    assert "[scoring]" in out
    assert max(map(len, out.splitlines())) < 200


def test_without_a_name_the_known_tournaments_are_listed() -> None:
    assert run().output.splitlines()[1] == "edc2023        European Diplomacy Championship 2023"


def test_only_what_will_be_asked() -> None:
    out = run("edc1996", "--open").output

    assert "struck_out" in out
    assert "word_reachability" not in out
    asked = out.splitlines()[-1]
    assert asked.split(" switches; the director is asked on ")[0] == asked.split()[-3]


def test_one_object_for_scripts() -> None:
    found = json.loads(run("edc2023", "--json").output)
    switches = {switch["path"]: switch for switch in found["switches"]}

    assert switches["conduct.late_points"] == {
        "path": "conduct.late_points",
        "catalogue": "1",
        "question": "points that every late sheet costs, as a negative number",
        "value": -1,
        "meaning": "",
        "rule": "EDC23 D4",
        "why": "",
        "otherwise": None,
        "asks": False,
    }
    assert switches["ending.dice.added"]["value"] == []
    assert found["abbreviations"]["ambiguous"]["tyr"] == ["TYR", "TYS"]
    assert {note["word"] for note in found["lint"]} == {"mar", "tyr"}


def test_lint_leaves_with_1_only_for_what_nobody_accepted(tmp_path: Path) -> None:
    assert run("wdc2008", "--lint").exit_code == 0
    assert run("edc2023", "--lint").output.endswith("edc2023: all accepted\n")
    (tmp_path / "abbreviations").mkdir()
    (tmp_path / "abbreviations" / "wdc2008.toml").write_text(
        'extends = ["english"]\n[provinces]\nMUN = { accepted = ["Ber"] }\n', "utf-8"
    )
    copy = tmp_path / "copy.toml"
    copy.write_text(find_rules("wdc2008").read_text("utf-8"), "utf-8")

    odd = run(str(copy), "--lint")

    assert (odd.exit_code, odd.output) == (1, "'ber' is listed for BER and MUN: it will be ambiguous\n")


def test_an_unknown_name_stops_with_advice() -> None:
    result = run("wcd2008")

    assert isinstance(result.exception, Stopped)
    assert "did you mean 'wdc2008'?" in str(result.exception)
