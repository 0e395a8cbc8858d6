"""Read the scoring tables of a rules file (``[scoring]``, ``[totals]``, …, `TABLES`) into typed rules."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated, Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules.convert import convert_value, read_struct
from pipeline.rules.table import NONE, Table, did_you_mean
from pipeline.scoring import rules as scoring_rules
from pipeline.scoring import tiebreaks
from pipeline.scoring.numbers import MOST_ROUNDS, Decimals, Once
from pipeline.scoring.parts import name_parts
from pipeline.scoring.results import Ending, YearNumber
from pipeline.scoring.system import FORMULA, NO_SCALE, System
from pipeline.words.speech import to_say, write_count

S = TypeVar("S", bound=Struct)

# Read ``[ties]``: chains of tie-breaks by their names.

SIMPLE: dict[str, scoring_rules.Chain] = {
    "most wins": (tiebreaks.MostWins(),),
    "most draws": (tiebreaks.MostDraws(),),
    "better best game": tiebreaks.better_game(1, to_say("best game")),
    "better second-best game": tiebreaks.better_game(2, to_say("second-best game")),
    "better third-best game": tiebreaks.better_game(3, to_say("third-best game")),
    "better game": tiebreaks.better_game(1, to_say("game")),
    "best meeting": (tiebreaks.BestMeeting(),),
    "sum of meetings": (tiebreaks.SumOfMeetings(),),
    "distance": (tiebreaks.Distance(),),
    "lot": (tiebreaks.TieLot(),),
    "final score": (tiebreaks.FinalScore(),),
    "chose last": (tiebreaks.ChoseLast(),),
    "best of": (tiebreaks.Overall(to_say("best of")),),
    "best total": (tiebreaks.Overall(to_say("best total")),),
    "all games": (tiebreaks.AllGames(),),
    "centre margin": (tiebreaks.CentreMargin(),),
    "opponents": (tiebreaks.Opponents(),),
    "most top grades": (tiebreaks.TopGrades(),),
}
HIGHEST = {
    to_say("highest game"): 1,
    to_say("second-highest game"): 2,
    to_say("third-highest game"): 3,
    to_say("fourth-highest game"): 4,
}
CHAINS = ("players", "qualifying", "final", "teams", "powers", "votes")


class _TieSettings(Struct, frozen=True):
    """What tie-breaks need to know beside their names."""

    dropped_games_break_ties: bool = False
    power_order: Annotated[tuple[Power, ...], Once()] = ()
    final_years: tuple[YearNumber, ...] = ()  # the last and the first
    latest_rounds: tuple[int, ...] = ()

    def faults(self) -> Iterator[tuple[str, str]]:
        """What cannot be of its fields together: the key, and what to write."""
        if self.power_order and len(self.power_order) != len(Power):
            yield "power_order", f"expected the seven powers, each once; found {', '.join(self.power_order)}"
        years = list(self.final_years)
        if years and (len(years) != 2 or years[0] < years[1]):
            yield "final_years", f"expected the last and the first year, such as [1909, 1902]; found {years}"

    @property
    def chains(self) -> dict[str, scoring_rules.Chain]:
        """The tie-breaks that need a setting of their own; one without it is no step."""
        order, rounds = self.power_order, self.latest_rounds
        years = range(self.final_years[0], self.final_years[-1] - 1, -1) if self.final_years else ()
        made: dict[str, scoring_rules.Chain] = {
            "power order": (tiebreaks.PowerOrder(order),) if order else (),
            "centres by year": tuple(tiebreaks.CentresInYear(year) for year in years),
            "latest round": (tiebreaks.LatestRound(rounds),) if rounds else (),
        }
        for name, nth in HIGHEST.items():
            made[name] = (tiebreaks.HighestGame(nth, name, self.dropped_games_break_ties),)
        return made


NEEDS = {"power order": "power_order", "centres by year": "final_years", "latest round": "latest_rounds"}


def _read_chain(table: Table, key: str, settings: _TieSettings) -> scoring_rules.Chain:
    known = SIMPLE | settings.chains
    names = convert_value(table.get(key, list, []), tuple[str, ...], table, key)
    for number, name in enumerate(names):
        if name not in known:
            table.fault(f"{key}[{number}]", f"{name!r} is no tie-break{did_you_mean(name, tuple(known))}")
        elif not known[name]:
            table.fault(f"{key}[{number}]", f"{name!r} needs the setting {NEEDS[name]!r} in this table")
    return tuple(tiebreak for name in names for tiebreak in known.get(name, ()))


TABLES = ("scoring", "totals", "ties", "teams", "awards", "interim")
READ_TWICE = ("totals.final.", "ties.qualifying")  # settings that may say how else they can be read


def read_scoring(tables: Mapping[str, Any], where: str) -> scoring_rules.ScoringRules:
    """Read the scoring tables of one tournament, or stop with every fault (`Stopped`).

    Of other tables only ``[ending]`` is looked at, where it is there, for the endings that the rules do not have.

    >>> squares = {"system": "squares", "pool": 100, "parts": [{"give": "polynomial", "coefficients": [0, 0, 1]}]}
    >>> read_scoring({"scoring": squares, "totals": {"rounds": 3}}, "mine.toml").system.pool
    Fraction(100, 1)
    >>> read_scoring({"scoring": squares | {"puol": 1}, "totals": {"rounds": "3"}}, "mine.toml")
    Traceback (most recent call last):
    pipeline.problems.Stopped: mine.toml scoring.puol: unknown field; did you mean 'pool'?; mine.toml totals.rounds: \
expected a whole number, found '3'
    """
    sources: dict[str, scoring_rules.RuleSource] = {}
    plain = _without_sources({key: tables[key] for key in TABLES if key in tables}, "", sources)
    problems: list[Problem] = []
    rules = _read_plain(plain, where, sources, problems)
    readings = tuple(_second_readings(plain, where, sources, problems))
    if problems:
        raise Stopped(sorted(dict.fromkeys(problems), key=lambda problem: problem.where))
    return replace(rules, readings=readings, endings=_known_endings(tables.get("ending")))


def _without_sources(value: Any, path: str, sources: dict[str, scoring_rules.RuleSource]) -> Any:
    """Take the rules and reasons out of a table and keep them by path; what is left is plain settings.

    >>> sources = {}
    >>> _without_sources({"pool": {"value": 100, "rule": "WM XII"}}, "scoring", sources), sources["scoring.pool"].rule
    ({'pool': 100}, 'WM XII')
    """
    if isinstance(value, list):
        return [_without_sources(inside, f"{path}[{number}]", sources) for number, inside in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    if "rule" in value or "why" in value:
        sources[path] = scoring_rules.RuleSource(
            str(value.get("rule", "")), str(value.get("why", "")), value.get("otherwise")
        )
    if "value" in value and value.keys() <= {"value", "rule", "why", "otherwise"}:
        return _without_sources(value["value"], path, sources)
    plain = {key: inside for key, inside in value.items() if key not in ("rule", "why")}
    return {key: _without_sources(inside, f"{path}.{key}" if path else key, sources) for key, inside in plain.items()}


def _known_endings(ending: object) -> scoring_rules.EndingsKnown:
    """What ``[ending]`` says against endings: no last year, no dice, no stagnation; and every survivor in a draw."""
    last, top = (_rule_that_none(ending, key) for key in ("last_year", "last_year_top_board"))
    endings = {
        Ending.DICE: _rule_that_none(ending, "dice", "added"),
        Ending.STAGNATION: _rule_that_none(ending, "stagnation_years"),
    }
    return scoring_rules.EndingsKnown(
        missing={how: rule for how, rule in {**endings, Ending.LAST_YEAR: last}.items() if rule},
        missing_at_final={how: rule for how, rule in {**endings, Ending.LAST_YEAR: top}.items() if rule},
        all_survivors=_rule_that(ending, ("yes",), "vote", "includes_all_survivors"),
    )


def _rule_that_none(ending: object, *path: str) -> str:
    """The rule by which no game ends so; empty where games may, or where the rules leave it open."""
    return _rule_that(ending, (NONE, []), *path)


def _rule_that(ending: object, values: Collection[object], *path: str) -> str:
    """The rule of a setting that has one of these values; empty where it has another, or none."""
    section = ending
    for key in path:
        section = section.get(key) if isinstance(section, Mapping) else None
    if not isinstance(section, Mapping) or section.get("value") not in values:
        return ""
    return str(section.get("rule", ""))


def _second_readings(
    plain: Mapping[str, Any], where: str, sources: Mapping[str, scoring_rules.RuleSource], problems: list[Problem]
) -> Iterator[scoring_rules.SecondReading]:
    """The settings of the final table that say how else they can be read, each with the rules that would follow."""
    for path, source in sources.items():
        if source.otherwise is None:
            continue
        spot = f"{where} {path}.otherwise".strip()
        if not path.startswith(READ_TWICE) or "[" in path:  # "[": a list of tables where one table belongs
            problems.append(Problem(Weight.STOPS, f"expected in {' or '.join(READ_TWICE)} only; leave it out", spot))
            continue
        if not source.why:
            problems.append(Problem(Weight.STOPS, "two readings need a 'why'", f"{where} {path}".strip()))
        faults: list[Problem] = []
        rules = _read_plain(_with_value(plain, path.split("."), source.otherwise), where, sources, faults)
        problems += [replace(fault, where=spot) for fault in faults if fault not in problems]
        value = _as_words(_value_at(plain, path.split(".")))
        yield scoring_rules.SecondReading(
            path=path, value=value, otherwise=_as_words(source.otherwise), source=source, rules=rules
        )


def _with_value(plain: Mapping[str, Any], path: Sequence[str], value: object) -> dict[str, Any]:
    """Copy tables, with another value in one place.

    >>> _with_value({"ties": {"final": 1}}, ["ties", "final"], 2)
    {'ties': {'final': 2}}
    """
    first, *rest = path
    return {**plain, first: _with_value(plain[first], rest, value) if rest else value}


def _value_at(plain: Mapping[str, Any], path: Sequence[str]) -> Any:
    first, *rest = path
    return _value_at(plain[first], rest) if rest else plain[first]


def _as_words(value: object) -> str:
    """Write a value as people say it.

    >>> _as_words(["distance", "lot"]), _as_words([]), _as_words("total")
    ('distance, lot', 'nothing', 'total')
    """
    return ", ".join(map(str, value)) or "nothing" if isinstance(value, list) else str(value)


def _read_plain(
    plain: Mapping[str, Any], where: str, sources: Mapping[str, scoring_rules.RuleSource], problems: list[Problem]
) -> scoring_rules.ScoringRules:
    """Read tables of plain settings; their faults are added to the list."""
    scoring, totals, ties, teams, awards, interim = (_opened_table(plain, key, where, problems) for key in TABLES)
    scoring.asked |= {"shown_decimals", "sealed"}
    totals.asked |= {"final", "bonuses", "penalties"}
    awards.asked |= {"votes", "board_games"}
    settings = read_struct(_TieSettings, Table(ties.values, ties.where, problems, asked={*CHAINS}))
    system = _read_system(scoring)
    return scoring_rules.ScoringRules(
        name=where,
        system=system,
        totals=read_struct(scoring_rules.Totals, totals, _read_stages(totals, settings, system)),
        final=_read_final(totals, system),
        bonuses=_read_if_there(scoring_rules.Bonuses, totals, "bonuses") or scoring_rules.Bonuses(),
        penalties=_read_penalties(totals),
        ties=scoring_rules.Ties(**{key: _read_chain(ties, key, settings) for key in CHAINS}),
        teams=read_struct(scoring_rules.TeamRules, teams) if plain.get("teams") else None,
        votes=_read_if_there(scoring_rules.RatingRules, awards, "votes"),
        board_games=_read_if_there(scoring_rules.BoardGameRules, awards, "board_games"),
        awards=read_struct(scoring_rules.AwardRules, awards, {"titles": _read_titles(awards, settings)}),
        decimals=convert_value(scoring.values.get("shown_decimals", 3), Decimals, scoring, "shown_decimals"),
        is_sealed=scoring.get("sealed", bool, False),
        interim=read_struct(scoring_rules.InterimRules, interim) if plain.get("interim") else None,
        sources=sources,
    )


def _opened_table(plain: Mapping[str, Any], key: str, where: str, problems: list[Problem]) -> Table:
    """Open one of the tables; all share one list of faults."""
    inside = plain.get(key, {})
    table = Table(inside if isinstance(inside, Mapping) else {}, f"{where} {key}".strip(), problems)
    if not isinstance(inside, Mapping):
        problems.append(Problem(Weight.STOPS, f"expected a table, found {inside!r}", table.where))
    if key in ("scoring", "totals") and key not in plain:
        problems.append(Problem(Weight.STOPS, f"missing; a tournament needs [{key}]", table.where))
    return table


def _read_if_there(kind: type[S], table: Table, key: str) -> S | None:
    return read_struct(kind, table.table(key)) if key in table.values else None


def _read_system(table: Table, before: str = "") -> System:
    """Read a scoring system, and give its blocks their names, which begin with ``before``."""
    system = read_struct(System, table)
    if system.pool is not None and table.table("solo").values.get("winner") == FORMULA:
        table.fault("solo.winner", NO_SCALE)
    parts = name_parts(system.parts, before)
    others = system.solo.others
    named = name_parts(others, f"{before}solo ") if isinstance(others, tuple) else others
    solo = system.solo if named is others else replace(system.solo, others=named)
    tribute = system.tribute
    if tribute is not None and tribute.most_of:
        limit = next((part for part in parts if part.name == before + tribute.most_of), None)
        tribute = replace(tribute, limit=limit)
        if limit is None:
            names = ", ".join(part.name.removeprefix(before) for part in parts)
            table.fault("tribute.most_of", f"no block {tribute.most_of!r}; there are {names}")
    return replace(system, parts=parts, solo=solo, tribute=tribute)


def _read_penalties(table: Table) -> tuple[scoring_rules.PenaltyRule, ...]:
    """``[[totals.penalties]]``: each kind once."""
    rules = tuple(read_struct(scoring_rules.PenaltyRule, inside) for inside in table.tables("penalties"))
    kinds = [rule.kind for rule in rules]
    for number, kind in enumerate(kinds):
        if kind and kind in kinds[:number]:
            table.fault(f"penalties[{number}].kind", f"{kind!r} has a price already; write each kind once")
    return rules


def _read_stages(table: Table, settings: _TieSettings, system: System) -> dict[str, object]:
    """``[[totals.for_the_best]]`` and ``[[totals.pools]]``, with the settings of ``[ties]`` for their ``ties``."""
    best = tuple(
        read_struct(scoring_rules.ForTheBest, inside, {"ties": _read_chain(inside, "ties", settings)})
        for inside in table.tables("for_the_best")
    )
    pools = tuple(
        read_struct(
            scoring_rules.Pool,
            inside,
            {
                "ties": _read_chain(inside, "ties", settings),
                "system": _read_own_system(inside, f"pool {number} ", system),
            },
        )
        for number, inside in enumerate(table.tables("pools"), start=1)
    )
    return {"for_the_best": best, "pools": pools}


def _read_final(table: Table, system: System) -> scoring_rules.Final | None:
    """``[totals.final]``, with a scoring of its own where it has one."""
    if "final" not in table.values:
        return None
    inside = table.table("final")
    return read_struct(scoring_rules.Final, inside, {"system": _read_own_system(inside, "final ", system)})


OF_ALL_BOARDS = ("abandoned", "compared", "late_of", "late_seasons", "replaced", "sandard")  # keys of [scoring]


def _read_own_system(table: Table, before: str, system: System) -> System | None:
    """The own scoring of a pool, or of the final table; in what all boards have in common it is that of the event."""
    table.asked.add("scoring")
    if "scoring" not in table.values:
        return None
    own = table.table("scoring")
    for key in OF_ALL_BOARDS:
        if key in own.values:
            own.fault(key, "holds for all boards of the event; write it in [scoring]")
    if system.compared is not None:
        table.fault(
            "scoring", "scores are compared with those of other boards (scoring.compared); leave one of both out"
        )
    return replace(
        _read_system(own, before),
        abandoned=system.abandoned,
        compared=None,
        late_of=system.late_of,
        late_seasons=system.late_seasons,
        replacement=system.replacement,
        has_sandard=system.has_sandard,
    )


def _read_titles(table: Table, settings: _TieSettings) -> tuple[scoring_rules.TitleRules, ...]:
    """``[[awards.titles]]``: titles that other rankings make, with the settings of ``[ties]`` for their chains."""
    titles = []
    for inside in table.tables("titles"):
        chain = _read_chain(inside, "ties", settings)
        titles.append(read_struct(scoring_rules.TitleRules, inside, {"ties": chain}))
    return tuple(titles)


# Rules on points that are valid and cannot work: missing rounds, tie-breaks without data.

Misfit = tuple[str, str]  # the path of a setting, and what is wrong with it and what would work
ON_THE_FINAL = (tiebreaks.FinalScore, tiebreaks.PowerOrder, tiebreaks.ChoseLast, tiebreaks.CentresInYear)


def misfits(rules: scoring_rules.ScoringRules) -> Iterator[Misfit]:
    """List what does not fit together, each with its setting, the reason, and the nearest that works."""
    rounds = rules.totals.rounds or MOST_ROUNDS
    yield from _weight_misfits("totals.weights", rules.totals.weights, rounds, rules.totals.two_boards)
    if len(rules.totals.round_weights) > rounds:
        text = (
            f"{write_count(len(rules.totals.round_weights), 'weight')}, but {write_count(rounds, 'round')}; leave "
            "out the last"
        )
        yield "totals.round_weights", text
    elif 0 < rules.totals.rounds == len(rules.totals.round_weights) and not any(rules.totals.round_weights):
        yield "totals.round_weights", "no round counts: all weights are 0; give one at least another weight"
    if not rules.totals.rounds and rules.totals.two_boards is scoring_rules.TwoBoards.CHOSEN:
        text = "a player chooses after all rounds, and a league has no last one; take 'higher' or 'both'"
        yield "totals.two_boards", text
    for number, title in enumerate(rules.awards.titles):
        yield from _unplayed_rounds(f"awards.titles[{number}].rounds", title.rounds, rounds)
        yield from _weight_misfits(
            f"awards.titles[{number}].weights", title.weights, len(title.rounds) or rounds, rules.totals.two_boards
        )
    yield from _group_misfits(rules, rounds)
    yield from _final_misfits(rules)
    if rules.totals.most_games:
        yield from _unplayed_rounds("totals.most_games.rounds", rules.totals.most_games.rounds, rounds)
    if rules.interim:
        yield from _unplayed_rounds("interim.moments", [moment.round for moment in rules.interim.moments], rounds)
    if rules.teams:
        yield from _unplayed_rounds("teams.rounds", rules.teams.rounds, rounds)
        yield from _unplayed_rounds("teams.apart", rules.teams.apart, rounds)
    if rules.bonuses.preregistration:
        yield from _unplayed_rounds(
            "totals.bonuses.preregistration.rounds", rules.bonuses.preregistration.rounds, rounds
        )
    yield from _tie_misfits(rules)


def _group_misfits(rules: scoring_rules.ScoringRules, rounds: int) -> Iterator[Misfit]:
    """Groups of rounds, and rounds that count more for the best, which no event of these rules can have."""
    totals = rules.totals
    for number, group in enumerate(totals.groups):
        path = f"totals.groups[{number}]"
        yield from _unplayed_rounds(f"{path}.rounds", group.rounds, rounds)
        yield from _weight_misfits(f"{path}.weights", group.weights, len(group.rounds), totals.two_boards)
    stages: list[tuple[str, scoring_rules.ForTheBest | scoring_rules.Pool]] = [
        *((f"totals.for_the_best[{number}]", best) for number, best in enumerate(totals.for_the_best)),
        *((f"totals.pools[{number}]", pool) for number, pool in enumerate(totals.pools)),
    ]
    for path, best in stages:
        yield from _unplayed_rounds(f"{path}.round", (best.round,), rounds)
        yield from _unplayed_rounds(f"{path}.after", [n for n in best.after if n < 1], rounds)
        yield from _weight_misfits(f"{path}.weights", best.weights, len(best.after), totals.two_boards)
    if totals.groups and rules.final and rules.final.total is scoring_rules.FinalTotal.QUALIFYING_PLUS_FINAL:
        text = "[[totals.groups]] says already how rounds are added; take 'like everybody', or leave the groups out"
        yield "totals.final.total", text


def _weight_misfits(
    path: str, weights: scoring_rules.Weights, rounds: int, two_boards: scoring_rules.TwoBoards
) -> Iterator[Misfit]:
    """Weights that no game can have: more of them than games are played."""
    # then a player may have more games than rounds
    more = two_boards in (scoring_rules.TwoBoards.BOTH, scoring_rules.TwoBoards.CHOSEN)
    several = len(weights.rows) > 1
    for number, row in enumerate(weights.rows, start=1):
        played = number if several else rounds
        if several and len(row) > played and number < len(weights.rows):
            yield (
                f"{path}[{number - 1}]",
                f"{write_count(len(row), 'weight')} for {write_count(number, 'game')}; leave out the last",
            )
        elif len(row) > rounds and not more:
            text = (
                f"{write_count(len(row), 'weight')}, but {write_count(rounds, 'round')}; leave out the last, or say "
                "two_boards = 'both'"
            )
            yield f"{path}[{number - 1}]" if several else path, text
    if several and len(weights.rows) > rounds and not more:
        yield (
            path,
            f"rows for up to {write_count(len(weights.rows), 'game')}, but {write_count(rounds, 'round')}; "
            "leave out the last",
        )


def _unplayed_rounds(path: str, named: Sequence[int], rounds: int) -> Iterator[Misfit]:
    if strange := [number for number in named if not 1 <= number <= rounds]:
        yield path, f"round {', '.join(map(str, strange))} is not played; there are rounds 1 to {rounds}"


def _final_misfits(rules: scoring_rules.ScoringRules) -> Iterator[Misfit]:
    """A final table in a round that is not played, or that one qualifies for in it or after it."""
    final, rounds = rules.final, rules.totals.rounds or MOST_ROUNDS
    if final is None:
        return
    yield from _unplayed_rounds("totals.final.round", (final.round,), rounds)
    yield from _unplayed_rounds("totals.final.qualifying_rounds", final.qualifying_rounds, rounds)
    if late := [number for number in final.qualifying_rounds if final.round <= number <= rounds]:
        text = f"round {', '.join(map(str, late))} is not before the final table of round {final.round}; leave it out"
        yield "totals.final.qualifying_rounds", text
    yield from _weight_misfits(
        "totals.final.qualifying_weights",
        final.qualifying_weights,
        max(len(final.qualifying_rounds), 1),
        rules.totals.two_boards,
    )


def _tie_misfits(rules: scoring_rules.ScoringRules) -> Iterator[Misfit]:
    """Report chains of rankings that the event does not have, and tie-breaks by facts that cannot be entered."""
    ties = rules.ties
    for key, chain, there, table in (
        ("qualifying", ties.qualifying, rules.final, "[totals.final]"),
        ("final", ties.final, rules.final, "[totals.final]"),
        ("teams", ties.teams, rules.teams, "[teams]"),
        ("votes", ties.votes, rules.votes, "[awards.votes]"),
    ):
        if chain and there is None:
            yield f"ties.{key}", f"there is no {table}; leave this out, or write that table"
        if key not in ("qualifying", "votes") and any(isinstance(step, tiebreaks.Opponents) for step in chain):
            text = "'opponents' are those of players and of best powers; leave it out here, or take 'highest game'"
            yield f"ties.{key}", text
    chains: tuple[tuple[str, scoring_rules.Chain], ...] = (
        ("players", ties.players),
        ("qualifying", ties.qualifying),
        *((("final", ties.final),) if rules.final else ()),  # else it is reported already
        ("teams", ties.teams),
        ("powers", ties.powers),
        *((f"titles {title.title}", title.ties) for title in rules.awards.titles),
        *((f"for_the_best, round {best.round}", best.ties) for best in rules.totals.for_the_best),
        *((f"pools {pool.name}", pool.ties) for pool in rules.totals.pools),
    )
    for key, chain in chains:
        for step in chain:
            if isinstance(step, ON_THE_FINAL) and rules.final is None:
                text = f"{step.name!r} separates nobody without [totals.final]; take 'highest game', or write it"
                yield f"ties.{key}", text
            if isinstance(step, tiebreaks.TopGrades):
                yield f"ties.{key}", f"{step.name!r} counts grades, which only ties.votes has; take 'highest game'"
