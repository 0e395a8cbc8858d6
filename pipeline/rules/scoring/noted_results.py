"""Read what the director noted beside the boards: players, penalties, bonuses, teams, votes, board games, awards."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.rules.scoring.result_values import Facts, first_of
from pipeline.rules.toml.plain_text import is_whole
from pipeline.rules.toml.table import did_you_mean
from pipeline.scoring.results.results import BoardGame, Bonus, Entrant, Honour, Penalty, RatingBallot, Team
from pipeline.scoring.totals.extras import FINAL_TABLE, FINAL_VICTORY, PARTICIPATION, PREREGISTRATION, WITHDRAWAL
from pipeline.scoring.totals.rules import BoardGameRules, RatingRules, ScoringRules

BONUS_WORDS = {
    PARTICIPATION: ("participation",),
    PREREGISTRATION: ("preregistration", "pre-registration", "preregistered", "pre-registered"),
    FINAL_TABLE: ("final table", "final", "final participation"),
    FINAL_VICTORY: ("final victory", "final win", "final winner"),
    WITHDRAWAL: ("withdrawal", "withdrawn", "withdraw", "voluntary withdrawal"),
}
PENALTY_WORDS = {  # EDC23 D4; a rules file that names a kind itself comes first
    "absence": ("absence", "absent", "no-show", "refusal", "refused"),
    "contesting": ("contesting", "contest", "contested", "dispute"),
    "late": ("late", "late orders", "late order sheet"),
    "conduct": ("conduct", "cheating", "violence", "drunk", "disruption", "misconduct", "behaviour"),
}
SKILL_WORDS = {
    "negotiation": ("negotiation", "negotiator", "best negotiator", "diplomacy"),
    "tactics": ("tactics", "tactician", "best tactician", "tactic"),
}


def canonical(value: str, words: Mapping[str, tuple[str, ...]]) -> str:
    """Read one of several words for the same thing; other words stay as they are.

    >>> canonical(" Pre-registered", BONUS_WORDS), canonical("good deeds", BONUS_WORDS)
    ('preregistration', 'good deeds')
    """
    text = " ".join(value.split())
    return next((word for word, same in words.items() if text.casefold() in same), text)


def read_players(facts: Facts, value: object, rules: ScoringRules) -> Iterator[Entrant]:
    """Read the roster: names, or objects with a name and what the rules want to know of the player."""
    seen: set[str] = set()
    for where, one in facts.rows(value, "players"):
        table = one if isinstance(one, Mapping) else {"name": one}
        name = facts.new_name(first_of(table, "name", "player"), f"{where}.name" if table is one else where)
        if name in seen:
            facts.fault(where, f"{name!r} is in the list twice; give two people two names")
        seen.add(name)
        distance = first_of(table, "distance_km", "distance")
        director = first_of(table, "director", "td", "gm")
        yield Entrant(
            name=name,
            is_director=facts.truth(director, f"{where}.director"),
            is_excluded=facts.truth(first_of(table, "excluded", "disqualified"), f"{where}.excluded"),
            has_left=facts.truth(table.get("left"), f"{where}.left"),
            distance_km=None if distance is None else facts.count(distance, f"{where}.distance_km"),
            preregistered=read_preregistered(facts, table.get("preregistered"), f"{where}.preregistered", rules),
            chosen=read_chosen(facts, table.get("chosen"), f"{where}.chosen"),
        )


def read_preregistered(facts: Facts, value: object, where: str, rules: ScoringRules) -> frozenset[int]:
    """Read the rounds announced the day before: a list, or true for all that the bonus asks for (EDC23 G)."""
    if value is None or value is False:
        return frozenset()
    if value is True:
        rule = rules.bonuses.preregistration
        return frozenset(rule.rounds if rule else ())
    return frozenset(facts.count(number, path, least=1) for path, number in facts.rows(value, where))


def read_chosen(facts: Facts, value: object, where: str) -> dict[int, str]:
    """Read which of two boards counts: ``{"2": "B"}`` (EDC23 D)."""
    found = {}
    for number, board in facts.table(value, where).items():
        if is_whole(str(number)):
            found[int(number)] = str(board)
        else:
            facts.fault(f"{where}.{number}", f"expected the number of a round, found {number!r}")
    return found


def read_penalties(facts: Facts, value: object, rules: ScoringRules) -> Iterator[Penalty]:
    """Read penalties: ``{"player", "kind"?, "points"?, "times"?, "round"?, "reason"?}``; the sign does not matter."""
    known = {rule.kind: (rule.kind,) for rule in rules.penalties} | PENALTY_WORDS
    costs = {rule.kind for rule in rules.penalties}
    for where, one in facts.rows(value, "penalties"):
        table = facts.table(one, where)
        facts.misspelt(table, ("player", "kind", "points", "times", "round", "reason"), where)
        reason = str(first_of(table, "reason", "why") or "")
        kind = canonical(str(first_of(table, "kind", "type") or reason or "penalty"), known)
        given = table.get("points")
        if given is None and kind not in costs:
            listed = f"; these rules know {', '.join(sorted(costs))}" if costs else ""
            facts.fault(where, f"no points, and {kind!r} has no price in the rules{listed}")
        yield Penalty(
            player=facts.name(table.get("player"), f"{where}.player"),
            kind=kind,
            points=None if given is None else abs(facts.points(given, f"{where}.points")),
            times=facts.count(first_of(table, "times", "count") or 1, f"{where}.times", least=1),
            round=read_round(facts, table, where),
            reason="" if reason == kind else reason,
        )


def read_bonuses(facts: Facts, value: object, rules: ScoringRules) -> Iterator[Bonus]:
    """Read bonuses: ``{"player", "kind"?, "points"?, "round"?, "reason"?}``."""
    for where, one in facts.rows(value, "bonuses"):
        table = facts.table(one, where)
        facts.misspelt(table, ("player", "kind", "points", "round", "reason"), where)
        reason = str(first_of(table, "reason", "why") or "")
        kind = canonical(str(first_of(table, "kind", "type") or reason or "bonus"), BONUS_WORDS)
        given, number = table.get("points"), read_round(facts, table, where)
        if given is None:
            check_unpriced(facts, kind, number, where, rules)
        yield Bonus(
            player=facts.name(table.get("player"), f"{where}.player"),
            kind=kind,
            points=None if given is None else facts.points(given, f"{where}.points"),
            round=number,
            reason="" if reason == kind else reason,
        )


def check_unpriced(facts: Facts, kind: str, number: int | None, where: str, rules: ScoringRules) -> None:
    """A bonus without points must be one that the rules can compute."""
    computed = {
        PARTICIPATION: rules.bonuses.participation,
        PREREGISTRATION: rules.bonuses.preregistration,
        FINAL_TABLE: rules.bonuses.final_share or None,
        FINAL_VICTORY: rules.bonuses.final_victory or None,
        WITHDRAWAL: rules.bonuses.withdrawal,
    }
    if computed.get(kind) is None:
        known = tuple(word for word, rule in computed.items() if rule is not None)
        facts.fault(where, f"no points, and {kind!r} has no worth in the rules{did_you_mean(kind, known)}")
    elif kind == WITHDRAWAL and number is None:
        facts.fault(f"{where}.round", "missing; a withdrawal is worth a part of its round's scores")


def read_round(facts: Facts, table: Mapping[str, Any], where: str) -> int | None:
    """Read the round that something happened in, if it is given."""
    value = table.get("round")
    return None if value is None else facts.count(value, f"{where}.round", least=1)


def read_withdrawals(facts: Facts, document: Mapping[str, Any], rules: ScoringRules) -> Iterator[Bonus]:
    """Read who withdrew on request: ``"withdrawn": [name]`` in a round, or ``"withdrawals": [{"player", "round"}]``."""
    found: list[tuple[str, object, int | None]] = []
    rounds = document.get("rounds")
    for index, one in enumerate(rounds if isinstance(rounds, list) else [], start=1):
        if isinstance(one, Mapping):
            path = f"rounds[{index - 1}].withdrawn"
            number = one.get("number", index)
            found += [(where, name, number) for where, name in facts.rows(one.get("withdrawn"), path)]
    for where, one in facts.rows(document.get("withdrawals"), "withdrawals"):
        table = facts.table(one, where)
        found.append((f"{where}.player", table.get("player"), read_round(facts, table, where)))
    for where, name, number in found:
        if not rules.bonuses.withdrawal:
            facts.fault(where, "these rules give nothing for a withdrawal; leave it out")
        if number is None:
            facts.fault(where, "missing round; a withdrawal is worth a part of its round's scores")
        yield Bonus(player=facts.new_name(name, where), kind=WITHDRAWAL, round=number)


def read_teams(facts: Facts, value: object) -> Iterator[Team]:
    """Read teams: ``{"team", "members": [name], "country"?}``, or an object of lists by name."""
    if isinstance(value, Mapping):
        value = [{"team": name, "members": members} for name, members in value.items()]
    names: Counter[str] = Counter()
    teams: Counter[str] = Counter()
    for where, one in facts.rows(value, "teams"):
        table = facts.table(one, where)
        facts.misspelt(table, ("team", "name", "members", "players", "country"), where)
        members = first_of(table, "members", "players")
        if members is None:
            facts.fault(f"{where}.members", "missing; a team needs its members")
        found = tuple(facts.name(name, path) for path, name in facts.rows(members, f"{where}.members"))
        team = facts.new_name(first_of(table, "team", "name"), f"{where}.team")
        names.update(found)
        teams.update([team])
        yield Team(name=team, members=found, country=str(table.get("country", "")))
    for name, often in names.items():
        if often > 1:
            facts.fault("teams", f"{name!r} is named {often} times; a player belongs to one team")
    for team, often in teams.items():
        if often > 1:
            facts.fault("teams", f"{often} teams are called {team!r}; give each its own name")


def read_ballots(facts: Facts, value: object, rules: RatingRules | None) -> tuple[RatingBallot, ...]:
    """Read votes and count them by player and skill.

    A vote is ``{"player", "from"?, "negotiation": "A", "tactics": "B"}`` or ``{"player", "skill", "grade"}``; votes
    counted before are ``{"player", "negotiation": {"A": 12, "B": 7, "C": 2}}``.
    """
    if not rules:
        if value:
            facts.fault("votes", "these rules have no votes; leave them out")
        return ()
    received: dict[tuple[str, str], Counter[str]] = {}
    given: set[tuple[object, ...]] = set()
    for where, one in facts.rows(value, "votes"):
        table = facts.table(one, where)
        player = facts.name(first_of(table, "player", "to", "for"), f"{where}.player")
        voter = first_of(table, "from", "by", "voter")
        if voter is not None and facts.name(voter, f"{where}.from") == player:
            facts.fault(where, f"{player} votes for {player}; only other players are graded")
        for skill, grades in skills_in(facts, table, where, rules):
            if voter is not None and table.get("round") is not None:
                vote = (voter, player, skill, table["round"])
                if vote in given:
                    facts.fault(where, f"{voter} grades {player} in {skill} twice in round {table['round']}")
                given.add(vote)
            received.setdefault((player, skill), Counter()).update(grades)
    return tuple(
        RatingBallot(player=player, skill=skill, grades=dict(grades)) for (player, skill), grades in received.items()
    )


def skills_in(
    facts: Facts, table: Mapping[str, Any], where: str, rules: RatingRules
) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Find the skills graded in one row, with how often each grade was given."""
    named = first_of(table, "skill", "title")
    fields = {canonical(key, SKILL_WORDS): value for key, value in table.items()}
    if named is not None:
        grade = first_of(table, "grade", "vote", "votes")
        fields = {canonical(str(named), SKILL_WORDS): grade}
    found = [(skill, fields[skill]) for skill in fields if skill in rules.titles]
    if not found:
        facts.fault(where, f"no grade for {' or '.join(rules.titles)}")
    for skill, value in found:
        if value is None and named is None:
            continue
        counts = counted(value)
        good: dict[str, int] = {}
        for grade, often in counts.items():
            letter = str(grade).strip().upper()
            if letter in rules.points:
                good[letter] = facts.count(often, f"{where}.{skill}.{grade}")
            else:
                facts.fault(f"{where}.{skill}", f"unknown grade {grade!r}; expected {', '.join(rules.points)}")
        yield skill, good


def counted(value: object) -> Mapping[Any, Any]:
    """Count grades: one, a list of them, or counted before."""
    if isinstance(value, Mapping):
        return value
    return Counter(str(grade) for grade in (value if isinstance(value, list) else [value]))


def read_board_games(facts: Facts, value: object, rules: BoardGameRules | None) -> Iterator[BoardGame]:
    """Read board games: ``{"game", "places": [name or [names]], "signed"?}`` (NZ99 27)."""
    for where, one in facts.rows(value, "board_games"):
        if not rules:
            facts.fault(where, "these rules have no board-games competition; leave it out")
            continue
        table = facts.table(one, where)
        game = str(table.get("game", ""))
        known = tuple(rules.weights)
        if game not in known:
            facts.fault(f"{where}.game", f"{game!r} is not in the competition{did_you_mean(game, known)}")
            continue
        places = []
        for path, level in facts.rows(table.get("places"), f"{where}.places"):
            names = level if isinstance(level, list) else [level]
            places.append(tuple(facts.new_name(name, path) for name in names))
        players = [name for level in places for name in level]
        if len(players) not in rules.points:
            counts = ", ".join(str(size) for size in rules.points)
            facts.fault(f"{where}.places", f"{len(players)} players; there are points for {counts}")
            continue
        if len(set(players)) < len(players):
            facts.fault(f"{where}.places", "somebody is in two places")
        is_signed = facts.truth(table.get("signed", True), f"{where}.signed")
        yield BoardGame(game=game, places=tuple(places), is_signed=is_signed)


def read_lots(facts: Facts, value: object) -> Iterator[tuple[str, ...]]:
    """Read lots: names in the order in which they were drawn, or a list of such drawings."""
    rows = list(facts.rows(value, "lots"))
    drawings = rows if rows and all(isinstance(one, list) for _, one in rows) else [("lots", value)] if rows else []
    seen: set[str] = set()
    for where, drawing in drawings:
        names = tuple(facts.name(name, path) for path, name in facts.rows(drawing, where))
        for name in names:
            if name in seen:
                facts.fault(where, f"{name!r} is drawn twice; name who is drawn together in one lot")
            seen.add(name)
        yield names


def read_honours(facts: Facts, value: object) -> Iterator[Honour]:
    """Read special awards that the director gives: ``{"award", "player", "why"?}``."""
    for where, one in facts.rows(value, "awards"):
        table = facts.table(one, where)
        yield Honour(
            award=facts.new_name(table.get("award"), f"{where}.award"),
            player=facts.name(table.get("player"), f"{where}.player"),
            why=str(table.get("why", "")),
        )
