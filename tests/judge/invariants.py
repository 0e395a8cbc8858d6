"""What is true of every answer of the judge, under all rules, whatever was ordered."""

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from judge.comparing import Answer, ask, choices_of
from judge.random_questions import POWERS, Question
from pipeline.board import Kind, Map

Where = dict[str, tuple[str, str]]  # province -> power, unit


def where(units: Mapping[str, list[str]]) -> Where:
    return {text[2:5]: (power, text) for power, texts in units.items() for text in texts}


def broken(board: Map, question: Question, answer: Answer) -> list[str]:
    """Name what is not as it must be."""
    told = [*_crowded(answer)]
    match question["phase"][-1]:
        case "M":
            told += [*_broken_movement(board, question, answer)]
        case "R":
            told += [*_broken_retreats(question, answer)]
        case _:
            told += [*_broken_winter(board, question, answer)]
    return told


def _crowded(answer: Answer) -> Iterator[str]:
    counted = Counter(text[2:5] for texts in answer["units"].values() for text in texts)
    yield from (f"{number} units in {province}" for province, number in counted.items() if number > 1)


def _arrivals(answer: Answer) -> dict[str, tuple[str, str]]:
    """Where each move that succeeded began, and where it went."""
    moves = [each["order"].removesuffix(" VIA").split() for each in answer["results"] if each["result"] == "succeeds"]
    return {words[1][:3]: (words[0], words[-1]) for words in moves if len(words) > 3 and words[2] == "-"}


def _broken_movement(board: Map, question: Question, answer: Answer) -> Iterator[str]:
    """Units stay, go, or are driven out; each of these for a reason that the results name."""
    before, after = where(question["units"]), where(answer["units"])
    driven = {d["unit"][2:5]: d for d in answer["dislodged"]}
    went = _arrivals(answer)
    expected: Counter[tuple[str, str, str]] = Counter()
    for province, (power, text) in before.items():
        if province in driven:
            if driven[province]["power"] != power or driven[province]["unit"] != text:
                yield f"{driven[province]['unit']} was driven out, and it is {power} {text} that stood there"
            if province in went:
                yield f"{text} was driven out and got away"
        else:
            expected[power, text[0], went[province][1][:3] if province in went else province] += 1
    found = Counter((power, text[0], province) for province, (power, text) in after.items())
    if found != expected:
        yield f"units {sorted(expected - found)} are missing, {sorted(found - expected)} came from nowhere"
    for province, one in driven.items():
        came = went.get(one["from"])
        if came is None or came[1][:3] != province or before[one["from"]][0] == one["power"]:
            yield f"{one['unit']} was driven out from {one['from']}, and no foreign unit came from there"
        yield from _broken_refuges(board, question, answer, one)
    for start, (_, to) in went.items():
        if to[:3] in before and to[:3] not in driven and to[:3] not in went:
            yield f"{start} went to {to}, and the unit there neither left nor was driven out"


def _broken_refuges(board: Map, question: Question, answer: Answer, one: Mapping[str, Any]) -> Iterator[str]:
    """A refuge borders, is empty, saw no standoff, and is not where the attack came from, if that came over land."""
    rules, after = choices_of(question), where(answer["units"])
    beaten_off = {
        each["order"].removesuffix(" VIA").split()[-1][:3]
        for each in answer["results"]
        if " - " in each["order"] and each["result"] == "fails" and each["reason"].startswith("bounces")
    }
    for place in one["retreats"]:
        if place not in board.reach(Kind(one["unit"][0]), one["unit"][2:]):
            yield f"{one['unit']} may flee to {place}, which it cannot reach"
        if place[:3] in after or place[:3] in beaten_off:
            yield f"{one['unit']} may flee to {place}, where somebody is or a standoff was"
        if place[:3] == one["from"] and not rules["retreat_to_convoyed_attacker"]:
            yield f"{one['unit']} may flee to {place}, where the attack came from"


def _broken_retreats(question: Question, answer: Answer) -> Iterator[str]:
    """Who stood stays; who fled is where it was ordered to go, alone, and where it was free to go."""
    before, after = where(question["units"]), where(answer["units"])
    yield from (f"{text} is gone" for province, (_, text) in before.items() if after.get(province, ("", ""))[1] != text)
    arrived = {province: one for province, one in after.items() if province not in before}
    fled = [
        words
        for each in answer["results"]
        if each["result"] == "succeeds" and len(words := each["order"].split()) > 3 and words[2] == "R"
    ]
    if len({words[1][:3] for words in fled}) != len(arrived):
        yield f"{len(fled)} retreats succeeded, and {len(arrived)} units arrived"
    for province, (power, text) in arrived.items():
        own = [d for d in question["dislodged"] if d["power"] == power and d["unit"][0] == text[0]]
        if not any(text[2:] in d["retreats"] for d in own):
            yield f"{text} fled to {province}, and no unit of {power} may"
    if answer["dislodged"]:
        yield "somebody is still driven out"


def _broken_winter(board: Map, question: Question, answer: Answer) -> Iterator[str]:
    """Never more units than centres, never a removal too many; builds stand in own free home centres."""
    before, after = where(question["units"]), where(answer["units"])
    for power in POWERS:
        owned = question["centers"].get(power, [])
        old = {text for who, text in before.values() if who == power}
        new = {text for who, text in after.values() if who == power}
        due = len(owned) - len(old)
        if due < 0 and (len(new) != len(owned) or new - old):
            yield f"{power} has {len(old)} units, {len(owned)} centres, and then {len(new)} units"
        if due >= 0 and (old - new or len(new) > len(owned)):
            yield f"{power} may build {due}, and had {len(old)} units and then {len(new)}"
        for built in new - old:
            home = board.provinces[built[2:5]].home
            if built[2:5] not in owned or home != power or built[2:5] in before:
                yield f"{power} built {built}, not in an own free home centre"


# The same question asked in another way.


def renamed(question: Question, random: Random) -> tuple[Question, dict[str, str]]:
    """The question with the powers' names exchanged, and the new name of each."""
    names = dict(zip(POWERS, random.sample(POWERS, len(POWERS)), strict=True))
    other = dict(question)
    for key in ("units", "orders", "centers"):
        if key in question:
            other[key] = {names[power]: listed for power, listed in question[key].items()}
    if "dislodged" in question:
        other["dislodged"] = [{**d, "power": names[d["power"]]} for d in question["dislodged"]]
    return other, names


def shuffled(question: Question, random: Random) -> Question:
    """The question with powers and orders in another order; orders for one unit keep theirs (DATC 4.D.3)."""

    def mixed(listed: Mapping[str, list[str]]) -> dict[str, list[str]]:
        powers = random.sample(sorted(listed), len(listed))
        return {power: random.sample(listed[power], len(listed[power])) for power in powers}

    orders = {}
    for power, texts in mixed(question["orders"]).items():
        in_turn = {unit: [t for t in question["orders"][power] if t[2:5] == unit] for unit in {t[2:5] for t in texts}}
        orders[power] = [in_turn[text[2:5]].pop(0) for text in texts]
    return {**question, "units": mixed(question["units"]), "orders": orders}


def outcome(answer: Answer, names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The words and the places of an answer, with the powers' names changed."""
    names = names or {power: power for power in POWERS}
    return {
        "results": sorted((names[r["power"]], r["order"], r["result"]) for r in answer["results"]),
        "units": sorted((names[power], text) for power, texts in answer["units"].items() for text in texts),
        "dislodged": sorted((names[d["power"]], d["unit"], d["from"], d["retreats"]) for d in answer["dislodged"]),
    }


def asked_otherwise(question: Question, answer: Answer, random: Random) -> list[str]:
    """Names, the order of the sheets, and orders for units that do not exist make no difference."""
    told = []
    again, names = renamed(question, random)
    if outcome(ask(again)) != outcome(answer, names):
        told.append("other names give another answer")
    if outcome(ask(shuffled(question, random))) != outcome(answer):
        told.append("another order of the orders gives another answer")
    texts = [text for listed in question["orders"].values() for text in listed]
    empty = sorted({"A TUS", "F WES", "A MOS"} - {f"{k} {t[2:5]}" for k in "AF" for t in [*texts, *_units(question)]})
    power = next((power for power, listed in question["orders"].items() if listed), None)
    if power and empty:
        ghost = f"{random.choice(empty)} {random.choice(['H', '- PIE', '- BOT', 'S A VEN - TRI', 'C A TUS - NAF'])}"
        orders = {**question["orders"], power: [*question["orders"][power], ghost]}
        other = outcome(ask({**question, "orders": orders}))
        other["results"] = [each for each in other["results"] if each[:2] != (power, ghost)]
        if other != outcome(answer):
            told.append(f"{ghost}, for a unit that is not there, changes the answer")
    return told


def _units(question: Question) -> list[str]:
    return [text for texts in question["units"].values() for text in texts]
