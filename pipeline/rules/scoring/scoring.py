"""Read the scoring tables of a rules file, ``[scoring] [totals] [ties] [teams] [awards]``, into typed rules."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pipeline.board.map import Power
from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules.scoring.exact_values import (
    FACTOR,
    NO_LESS,
    PART,
    ROUNDS,
    SOME,
    Range,
    decimals,
    maybe_points,
    needed_rounds,
    needed_whole,
    one_of_points,
    points,
    table_of_points,
    weights,
    whole,
    whole_numbers,
    without_sources,
    word,
    words,
)
from pipeline.rules.scoring.system_table import read_rounding, read_system
from pipeline.rules.scoring.tie_table import read_ties
from pipeline.rules.toml.plain_text import is_whole
from pipeline.rules.toml.table import Table
from pipeline.scoring.totals.rules import (
    AwardRules,
    BoardGameRules,
    BoardGameTies,
    Bonuses,
    ChampionBy,
    ChoiceOfBoards,
    ChoosingRule,
    Final,
    FinalTotal,
    Loses,
    MostGames,
    Participation,
    PenaltyRule,
    Positive,
    Preregistration,
    RatingRules,
    RuleSource,
    ScoringRules,
    SecondReading,
    TeamCount,
    TeamRules,
    Totals,
    TwoBoards,
    Withdrawal,
)

TABLES = ("scoring", "totals", "ties", "teams", "awards")
SEATS = Range(1, len(Power))  # of a final table
MEMBERS = Range(1, 99)
PEOPLE = Range(0, 9999)
GAMES = Range(0, 99)
NO_WORD = re.compile(r'["*?~<>={}]|^\s*$')  # signs that a spreadsheet takes for something else
READ_TWICE = ("totals.final.", "ties.qualifying")  # settings that may say how else they can be read


def read_scoring(tables: Mapping[str, Any], where: str) -> ScoringRules:
    """Read the scoring tables of one tournament, or stop with every fault (`Stopped`). Other tables are not looked at.

    >>> squares = {"system": "squares", "pool": 100, "parts": [{"give": "polynomial", "coefficients": [0, 0, 1]}]}
    >>> read_scoring({"scoring": squares, "totals": {"rounds": 3}}, "mine.toml").system.pool
    Fraction(100, 1)
    >>> read_scoring({"scoring": squares | {"puol": 1}, "totals": {"rounds": "3"}}, "mine.toml")
    Traceback (most recent call last):
    pipeline.problems.Stopped: mine.toml scoring.puol: unknown field; did you mean 'pool'?; mine.toml totals.rounds: \
expected int, found '3'
    """
    sources: dict[str, RuleSource] = {}
    plain = without_sources({key: tables[key] for key in TABLES if key in tables}, "", sources)
    problems: list[Problem] = []
    rules = read_plain(plain, where, sources, problems)
    readings = tuple(second_readings(plain, where, sources, problems))
    if problems:
        raise Stopped(sorted(dict.fromkeys(problems), key=lambda problem: problem.where))
    return replace(rules, readings=readings)


def second_readings(
    plain: Mapping[str, Any], where: str, sources: Mapping[str, RuleSource], problems: list[Problem]
) -> Iterator[SecondReading]:
    """The settings of the final table that say how else they can be read, each with the rules that would follow."""
    for path, source in sources.items():
        if source.otherwise is None:
            continue
        spot = f"{where} {path}.otherwise".strip()
        if not path.startswith(READ_TWICE):
            problems.append(Problem(Weight.STOPS, f"expected in {' or '.join(READ_TWICE)} only; leave it out", spot))
            continue
        if not source.why:
            problems.append(Problem(Weight.STOPS, "two readings need a 'why'", f"{where} {path}".strip()))
        faults: list[Problem] = []
        rules = read_plain(with_value(plain, path.split("."), source.otherwise), where, sources, faults)
        problems += [replace(fault, where=spot) for fault in faults if fault not in problems]
        value = as_words(value_at(plain, path.split(".")))
        yield SecondReading(path=path, value=value, otherwise=as_words(source.otherwise), source=source, rules=rules)


def with_value(plain: Mapping[str, Any], path: Sequence[str], value: object) -> dict[str, Any]:
    """The same tables with another value in one place.

    >>> with_value({"ties": {"final": 1}}, ["ties", "final"], 2)
    {'ties': {'final': 2}}
    """
    first, *rest = path
    return {**plain, first: with_value(plain[first], rest, value) if rest else value}


def value_at(plain: Mapping[str, Any], path: Sequence[str]) -> Any:
    """The value in one place."""
    first, *rest = path
    return value_at(plain[first], rest) if rest else plain[first]


def as_words(value: object) -> str:
    """Write a value as people say it.

    >>> as_words(["distance", "lot"]), as_words([]), as_words("total")
    ('distance, lot', 'nothing', 'total')
    """
    return ", ".join(map(str, value)) or "nothing" if isinstance(value, list) else str(value)


def read_plain(
    plain: Mapping[str, Any], where: str, sources: Mapping[str, RuleSource], problems: list[Problem]
) -> ScoringRules:
    """Read tables of plain settings; their faults are added to the list."""
    opened = {key: opened_table(plain, key, where, problems) for key in TABLES}
    scoring = opened["scoring"]
    system = read_system(scoring)
    totals_table, awards_table = opened["totals"], opened["awards"]
    rules = ScoringRules(
        name=where,
        system=system,
        totals=read_totals(totals_table),
        final=read_final(totals_table.table("final")) if "final" in totals_table.values else None,
        bonuses=read_bonuses(totals_table.table("bonuses")),
        penalties=read_penalties(totals_table),
        ties=read_ties(opened["ties"]),
        teams=read_teams(opened["teams"]) if plain.get("teams") else None,
        votes=read_votes(awards_table.table("votes")) if "votes" in awards_table.values else None,
        board_games=read_board_games(awards_table.table("board_games"))
        if "board_games" in awards_table.values
        else None,
        awards=read_awards(awards_table),
        decimals=decimals(scoring, "shown_decimals", 3),
        is_sealed=scoring.get("sealed", bool, False),
        sources=sources,
    )
    totals_table.finish()
    awards_table.finish()
    return rules


def opened_table(plain: Mapping[str, Any], key: str, where: str, problems: list[Problem]) -> Table:
    """Open one of the tables; all share one list of faults."""
    inside = plain.get(key, {})
    table = Table(inside if isinstance(inside, Mapping) else {}, f"{where} {key}".strip(), problems)
    if not isinstance(inside, Mapping):
        problems.append(Problem(Weight.STOPS, f"expected a table, found {inside!r}", table.where))
    if key in ("scoring", "totals") and key not in plain:
        problems.append(Problem(Weight.STOPS, f"missing; a tournament needs [{key}]", table.where))
    return table


def read_totals(table: Table) -> Totals:
    """``[totals]``: how games become a total."""
    limit = None
    if "most_games" in table.values:
        inside = table.table("most_games")
        limit = MostGames(
            needed_rounds(inside, "rounds", "in which games are limited"), needed_whole(inside, "games", ROUNDS)
        )
        inside.finish()
    return Totals(
        rounds=needed_whole(table, "rounds", ROUNDS),
        weights=weights(table, "weights"),
        two_boards=word(table, "two_boards", TwoBoards, TwoBoards.ASK),
        rounding=read_rounding(table, "rounding"),
        most_games=limit,
    )


def read_final(table: Table) -> Final:
    """``[totals.final]``: the final table."""
    final = Final(
        round=needed_whole(table, "round", ROUNDS),
        seats=whole(table, "seats", SEATS.most, SEATS),
        qualifying_rounds=needed_rounds(table, "qualifying_rounds", "before it that one qualifies in"),
        qualifying_weights=weights(table, "qualifying_weights"),
        at_least_positive=whole(table, "at_least_positive", 0, PEOPLE),
        positive=word(table, "positive", Positive, Positive.TOTAL),
        two_boards=word(table, "two_boards", ChoiceOfBoards, ChoiceOfBoards.AT_THE_END),
        total=word(table, "total", FinalTotal, FinalTotal.LIKE_EVERYBODY),
        champion=word(table, "champion", ChampionBy, ChampionBy.TABLE),
        choosing=word(table, "choosing", ChoosingRule, ChoosingRule.NOT_STATED),
    )
    table.finish()
    return final


def read_bonuses(table: Table) -> Bonuses:
    """``[totals.bonuses]``: points that no board gives."""
    participation = preregistration = None
    if "participation" in table.values:
        inside = table.table("participation")
        each = points(inside, "each_round", Fraction(1), SOME)
        participation = Participation(each, needed_whole(inside, "from_rounds", ROUNDS))
        inside.finish()
    if "preregistration" in table.values:
        inside = table.table("preregistration")
        announced = needed_rounds(inside, "rounds", "that are to be announced and played")
        preregistration = Preregistration(points(inside, "points", Fraction(1), SOME), announced)
        inside.finish()
    part = maybe_points(table, "withdrawal", PART)
    bonuses = Bonuses(
        participation=participation,
        preregistration=preregistration,
        final_share=points(table, "final_share", Fraction(), FACTOR),
        final_victory=points(table, "final_victory", Fraction(), NO_LESS),
        withdrawal=Withdrawal(part) if part is not None else None,
    )
    table.asked |= {"participation", "preregistration", "withdrawal"}
    table.finish()
    return bonuses


def read_penalties(table: Table) -> tuple[PenaltyRule, ...]:
    """``[[totals.penalties]]``: each kind once."""
    rules = tuple(read_penalty(inside) for inside in table.tables("penalties"))
    kinds = [rule.kind for rule in rules]
    for number, kind in enumerate(kinds):
        if kind and kind in kinds[:number]:
            table.fault(f"penalties[{number}].kind", f"{kind!r} has a price already; write each kind once")
    return rules


def read_penalty(table: Table) -> PenaltyRule:
    """``[[totals.penalties]]``: what one kind of penalty costs."""
    rule = PenaltyRule(
        kind=table.need("kind", str, ""),
        points=points(table, "points", Fraction(), NO_LESS),
        loses=word(table, "loses", Loses, Loses.NOTHING),
        keeps=words(table, "keeps"),
    )
    if "kind" in table.values and NO_WORD.search(rule.kind):
        table.fault("kind", f"expected a word for what is punished, without signs, found {rule.kind!r}")
    if "points" not in table.values and rule.loses is Loses.NOTHING:
        table.fault("points", "missing; write what is taken away, or what it 'loses'")
    table.finish()
    return rule


def read_teams(table: Table) -> TeamRules:
    """``[teams]``: the team competition."""
    per_country = whole(table, "per_country", 0, PEOPLE)
    rules = TeamRules(
        size=needed_whole(table, "size", MEMBERS),
        least=whole(table, "least", 1, MEMBERS),
        rounds=needed_rounds(table, "rounds", "that count for teams"),
        count=word(table, "count", TeamCount, TeamCount.ALL),
        apart=whole_numbers(table, "apart"),
        per_country=per_country or None,
        title=table.get("title", str, "team champions"),
    )
    if rules.least > rules.size:
        table.fault("least", f"a team of {rules.size} never has {rules.least} members; write {rules.size} or fewer")
    table.finish()
    return rules


def read_votes(table: Table) -> RatingRules:
    """``[awards.votes]``: grades that players give each other."""
    titles = table.get("titles", dict, {})
    rules = RatingRules(
        points=table_of_points(table, "points"),
        titles={str(skill): str(title) for skill, title in titles.items()},
        least_games=whole(table, "least_games", 0, GAMES),
    )
    if not rules.points:
        table.fault("points", "missing; give the points of each grade, the best first, such as { A = 3, B = 1, C = 0 }")
    if not rules.titles:
        table.fault("titles", "missing; give each skill its title, such as { tactics = 'best tactician' }")
    table.finish()
    return rules


def read_board_games(table: Table) -> BoardGameRules:
    """``[awards.board_games]``: the board-games competition."""
    by_size = table.table("points")
    found: dict[int, tuple[Fraction, ...]] = {}
    for size, row in by_size.values.items():
        if is_whole(size) and isinstance(row, list) and len(row) == int(size) > 1:
            found[int(size)] = tuple(one_of_points(by_size, size, value, Fraction()) for value in row)
        else:
            by_size.fault(size, f"expected a number of players and points for as many places, found {row!r}")
    rules = BoardGameRules(
        weights=table_of_points(table, "weights", FACTOR),
        points=found,
        ties=word(table, "ties", BoardGameTies, BoardGameTies.LOWER),
        title=table.get("title", str, "board-games champion"),
    )
    if not rules.weights:
        table.fault("weights", "missing; give the weight of each game, such as { Shark = 4.5 }")
    if not by_size.values:
        table.fault("points", "missing; give the points of each place by the number of players, such as { 2 = [6, 2] }")
    table.finish()
    return rules


def read_awards(table: Table) -> AwardRules:
    """``[awards]``: which places and performances are honoured."""
    table.asked |= {"votes", "board_games"}
    power = table.get("power", str, "best {power}")
    if any(brace in power.replace("{power}", "") for brace in "{}"):
        table.fault("power", f"only {{power}} may stand in braces, found {power!r}")
        power = ""
    return AwardRules(places=words(table, "places", ("champion",)), named=whole(table, "named", 0, PEOPLE), power=power)
