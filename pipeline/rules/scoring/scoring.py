"""Read the scoring tables of a rules file, ``[scoring] [totals] [ties] [teams] [awards]``, into typed rules."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules.scoring.exact_values import (
    decimals,
    maybe_points,
    one_of_points,
    points,
    rounds,
    table_of_points,
    weights,
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
        penalties=tuple(read_penalty(inside) for inside in totals_table.tables("penalties")),
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
        table.fault("", f"expected a table, found {inside!r}")
    if key in ("scoring", "totals") and key not in plain:
        table.fault("", f"missing; a tournament needs [{key}]")
    return table


def read_totals(table: Table) -> Totals:
    """``[totals]``: how games become a total."""
    limit = None
    if "most_games" in table.values:
        inside = table.table("most_games")
        limit = MostGames(whole_numbers(inside, "rounds"), inside.need("games", int, 0))
        inside.finish()
    return Totals(
        rounds=rounds(table),
        weights=weights(table, "weights"),
        two_boards=word(table, "two_boards", TwoBoards, TwoBoards.ASK),
        rounding=read_rounding(table, "rounding"),
        most_games=limit,
    )


def read_final(table: Table) -> Final:
    """``[totals.final]``: the final table."""
    final = Final(
        round=table.need("round", int, 0),
        seats=table.get("seats", int, 7),
        qualifying_rounds=whole_numbers(table, "qualifying_rounds"),
        qualifying_weights=weights(table, "qualifying_weights"),
        at_least_positive=table.get("at_least_positive", int, 0),
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
        participation = Participation(points(inside, "each_round", Fraction(1)), inside.need("from_rounds", int, 1))
        inside.finish()
    if "preregistration" in table.values:
        inside = table.table("preregistration")
        preregistration = Preregistration(points(inside, "points", Fraction(1)), whole_numbers(inside, "rounds"))
        inside.finish()
    part = maybe_points(table, "withdrawal")
    bonuses = Bonuses(
        participation=participation,
        preregistration=preregistration,
        final_share=points(table, "final_share", Fraction()),
        final_victory=points(table, "final_victory", Fraction()),
        withdrawal=Withdrawal(part) if part is not None else None,
    )
    table.asked |= {"participation", "preregistration", "withdrawal"}
    table.finish()
    return bonuses


def read_penalty(table: Table) -> PenaltyRule:
    """``[[totals.penalties]]``: what one kind of penalty costs."""
    rule = PenaltyRule(
        kind=table.need("kind", str, ""),
        points=points(table, "points", Fraction()),
        loses=word(table, "loses", Loses, Loses.NOTHING),
        keeps=words(table, "keeps"),
    )
    table.finish()
    return rule


def read_teams(table: Table) -> TeamRules:
    """``[teams]``: the team competition."""
    per_country = table.get("per_country", int, 0)
    rules = TeamRules(
        size=table.need("size", int, 0),
        least=table.get("least", int, 1),
        rounds=whole_numbers(table, "rounds"),
        count=word(table, "count", TeamCount, TeamCount.ALL),
        apart=whole_numbers(table, "apart"),
        per_country=per_country or None,
        title=table.get("title", str, "team champions"),
    )
    table.finish()
    return rules


def read_votes(table: Table) -> RatingRules:
    """``[awards.votes]``: grades that players give each other."""
    titles = table.get("titles", dict, {})
    rules = RatingRules(
        points=table_of_points(table, "points"),
        titles={str(skill): str(title) for skill, title in titles.items()},
        least_games=table.get("least_games", int, 0),
    )
    if not rules.points:
        table.fault("points", "missing; give the points of each grade, the best first, such as { A = 3, B = 1, C = 0 }")
    table.finish()
    return rules


def read_board_games(table: Table) -> BoardGameRules:
    """``[awards.board_games]``: the board-games competition."""
    by_size = table.table("points")
    found: dict[int, tuple[Fraction, ...]] = {}
    for size, row in by_size.values.items():
        if is_whole(size) and isinstance(row, list) and len(row) == int(size):
            found[int(size)] = tuple(one_of_points(by_size, size, value, Fraction()) for value in row)
        else:
            by_size.fault(size, f"expected a number of players and points for as many places, found {row!r}")
    rules = BoardGameRules(
        weights=table_of_points(table, "weights"),
        points=found,
        ties=word(table, "ties", BoardGameTies, BoardGameTies.LOWER),
        title=table.get("title", str, "board-games champion"),
    )
    table.finish()
    return rules


def read_awards(table: Table) -> AwardRules:
    """``[awards]``: which places and performances are honoured."""
    table.asked |= {"votes", "board_games"}
    return AwardRules(
        places=words(table, "places", ("champion",)),
        named=table.get("named", int, 0),
        power=table.get("power", str, "best {power}"),
    )
