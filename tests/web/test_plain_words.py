"""What cannot be printed on a line is refused by the pages as by the commands."""

import pytest

from web.conftest import Browser


@pytest.mark.parametrize("sign", ["\x07", "\x7f", "\x85", "\u2028", "\u2029", "\u202e", "\u200b"])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/notes/enter", {"what": "award", "values": {"award": "Best{}", "player": "Ada"}}),
        ("/api/notes/enter", {"what": "excluded", "values": {"player": "Ada"}, "why": "so{}so"}),
        ("/api/clock/set", {"label": "Spring{}", "parts": [["writing", 60]]}),
        ("/api/clock/set", {"label": "Spring", "parts": [["wri{}ting", 60]]}),
    ],
)
def test_a_decision_with_it_is_refused_and_nothing_is_written_down(
    tess: Browser, path: str, body: dict[str, object], sign: str
) -> None:
    before = tess.opened.office.event.facts.last_number()
    answer = tess.client.post(path, json=spoilt(body, sign), headers={"X-Token": tess.token})
    assert answer.status_code == 422
    assert f"U+{ord(sign):04X}" in answer.json()["said"]
    assert tess.opened.office.event.facts.last_number() == before


def spoilt(value: object, sign: str) -> object:
    """Put the sign where the braces are."""
    match value:
        case str():
            return value.replace("{}", sign)
        case dict():
            return {key: spoilt(inside, sign) for key, inside in value.items()}
        case list():
            return [spoilt(inside, sign) for inside in value]
        case _:
            return value


def test_notes_quote_this_tournaments_rules_and_offer_the_kinds_that_it_has(tess: Browser) -> None:
    kinds = {each["word"]: each for each in tess.client.get("/api/notes").json()["kinds"]}
    short = tess.opened.office.event.tournament.short
    quoted = {rule for kind in kinds.values() for rule in kind["rules"].split("; ") if rule}
    assert quoted
    assert {rule.split()[0] for rule in quoted} == {short}
    assert not kinds["draw"]["here"]  # nothing is paid by who is in it
    assert not kinds["country"]["here"]
    (what_for,) = (field for field in kinds["penalty"]["fields"] if field["name"] == "kind")
    assert "a word of your own" in what_for["help"]
    assert "contesting" not in what_for["help"]  # EDC 2023 punishes it
