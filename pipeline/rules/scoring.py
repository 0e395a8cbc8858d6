"""Read the scoring tables of a rules file (``[scoring]``, ``[totals]``, …, `TABLES`) into typed rules."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from pipeline.board import Power
from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules import blocks
from pipeline.rules.table import NONE, Table, did_you_mean, is_whole
from pipeline.scoring import rules as scoring_rules
from pipeline.scoring import tiebreaks
from pipeline.scoring.results import Ending

# Read ``[ties]``: chains of tie-breaks by their names.

SIMPLE: dict[str, scoring_rules.Chain] = {
    "most wins": (tiebreaks.MostWins(),),
    "most draws": (tiebreaks.MostDraws(),),
    "better best game": tiebreaks.better_game(1, "best game"),
    "better second-best game": tiebreaks.better_game(2, "second-best game"),
    "better third-best game": tiebreaks.better_game(3, "third-best game"),
    "better game": tiebreaks.better_game(1, "game"),
    "best meeting": (tiebreaks.BestMeeting(),),
    "sum of meetings": (tiebreaks.SumOfMeetings(),),
    "distance": (tiebreaks.Distance(),),
    "lot": (tiebreaks.TieLot(),),
    "final score": (tiebreaks.FinalScore(),),
    "chose last": (tiebreaks.ChoseLast(),),
    "best of": (tiebreaks.Overall("best of"),),
    "best total": (tiebreaks.Overall("best total"),),
    "all games": (tiebreaks.AllGames(),),
    "centre margin": (tiebreaks.CentreMargin(),),
    "opponents": (tiebreaks.Opponents(),),
    "most top grades": (tiebreaks.TopGrades(),),
}
HIGHEST = {name: n for n, name in enumerate(("highest", "second-highest", "third-highest", "fourth-highest"), start=1)}
FIRST_YEAR, LAST_YEAR = 1901, 1999  # years that a tie-break may ask for
CHAINS = ("players", "qualifying", "final", "teams", "powers", "votes")


def _tiebreaks_with_settings(table: Table) -> dict[str, Callable[[], scoring_rules.Chain]]:
    """The tie-breaks that need a setting of their own."""
    dropped_too = table.get("dropped_games_break_ties", bool, False)
    order = _read_order(table)
    years = blocks.whole_numbers(table, "final_years")
    rounds = blocks.whole_numbers(table, "latest_rounds")
    if len(years) not in (0, 2):
        table.fault("final_years", f"expected the last and the first year, such as [1909, 1902]; found {list(years)}")
    elif not all(FIRST_YEAR <= year <= LAST_YEAR for year in years):
        table.fault("final_years", f"expected years from {FIRST_YEAR} to {LAST_YEAR}; found {list(years)}")
        years = ()
    elif years and years[0] < years[1]:
        table.fault("final_years", f"expected the last year first, such as [1909, 1902]; found {list(years)}")
    last, first = (years[0], years[1]) if len(years) == 2 else (0, 0)
    made: dict[str, Callable[[], scoring_rules.Chain]] = {
        "power order": lambda: (tiebreaks.PowerOrder(order),) if order else (),
        "centres by year": lambda: tuple(tiebreaks.CentresInYear(year) for year in range(last, first - 1, -1) if year),
        "latest round": lambda: (tiebreaks.LatestRound(rounds),) if rounds else (),
    }
    for name, nth in HIGHEST.items():
        made[f"{name} game"] = _highest(nth, f"{name} game", dropped_too)
    return made


def _highest(nth: int, name: str, dropped_too: bool) -> Callable[[], scoring_rules.Chain]:
    """Make the tie-break on the nth highest score."""
    return lambda: (tiebreaks.HighestGame(nth, name, dropped_too),)


def _read_order(table: Table) -> tuple[Power, ...]:
    """Read the order of powers that breaks a finalists' tie."""
    names = blocks.read_texts(table, "power_order")
    if names and sorted(names) != sorted(Power):
        table.fault("power_order", f"expected the seven powers, each once; found {', '.join(names)}")
        return ()
    return tuple(Power(name) for name in names)


NEEDS = {"power order": "power_order", "centres by year": "final_years", "latest round": "latest_rounds"}


def _read_chain(table: Table, key: str, made: dict[str, Callable[[], scoring_rules.Chain]]) -> scoring_rules.Chain:
    known = (*SIMPLE, *made)
    chain: list[scoring_rules.Chain] = []
    for number, name in enumerate(blocks.read_texts(table, key)):
        if name in SIMPLE:
            chain.append(SIMPLE[name])
        elif name in made:
            chain.append(made[name]())
            if not chain[-1]:
                table.fault(f"{key}[{number}]", f"{name!r} needs the setting {NEEDS[name]!r} in this table")
        else:
            table.fault(f"{key}[{number}]", f"{name!r} is no tie-break{did_you_mean(name, known)}")
    return tuple(tiebreak for steps in chain for tiebreak in steps)


TABLES = ("scoring", "totals", "ties", "teams", "awards", "interim")
SEATS = blocks.Range(1, len(Power))  # of a final table
MEMBERS = blocks.Range(1, 99)
PEOPLE = blocks.Range(0, 9999)
GAMES = blocks.Range(0, 99)
NO_WORD = re.compile(r'["*?~<>={}]|^\s*$')  # signs that a spreadsheet takes for something else
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
expected int, found '3'
    """
    sources: dict[str, scoring_rules.RuleSource] = {}
    plain = blocks.without_sources({key: tables[key] for key in TABLES if key in tables}, "", sources)
    problems: list[Problem] = []
    rules = _read_plain(plain, where, sources, problems)
    readings = tuple(_second_readings(plain, where, sources, problems))
    if problems:
        raise Stopped(sorted(dict.fromkeys(problems), key=lambda problem: problem.where))
    return replace(rules, readings=readings, endings=_known_endings(tables.get("ending")))


def _known_endings(ending: object) -> scoring_rules.EndingsKnown:
    """What ``[ending]`` says against endings: no last year, no dice, no stagnation; and every survivor in a draw."""
    last, top = (_rule_that_none(ending, key) for key in ("last_year", "last_year_top_board"))
    found = {
        Ending.DICE: _rule_that_none(ending, "dice", "added"),
        Ending.STAGNATION: _rule_that_none(ending, "stagnation_years"),
    }
    return scoring_rules.EndingsKnown(
        missing={how: rule for how, rule in {**found, Ending.LAST_YEAR: last}.items() if rule},
        missing_at_final={how: rule for how, rule in {**found, Ending.LAST_YEAR: top}.items() if rule},
        all_survivors=_rule_that(ending, ("yes",), "vote", "includes_all_survivors"),
    )


def _rule_that_none(ending: object, *path: str) -> str:
    """The rule by which no game ends so; empty where games may, or where the rules leave it open."""
    return _rule_that(ending, (NONE, []), *path)


def _rule_that(ending: object, values: Collection[object], *path: str) -> str:
    """The rule of a setting that has one of these values; empty where it has another, or none."""
    found = ending
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else None
    if not isinstance(found, Mapping) or found.get("value") not in values:
        return ""
    return str(found.get("rule", ""))


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
    opened = {key: _opened_table(plain, key, where, problems) for key in TABLES}
    scoring = opened["scoring"]
    system = blocks.read_system(scoring)
    totals_table, awards_table = opened["totals"], opened["awards"]
    table = opened["ties"]
    made = _tiebreaks_with_settings(table)
    chains = {key: _read_chain(table, key, made) for key in CHAINS}
    table.finish()
    rules = scoring_rules.ScoringRules(
        name=where,
        system=system,
        totals=_read_totals(totals_table),
        final=_read_final(totals_table.table("final")) if "final" in totals_table.values else None,
        bonuses=_read_bonuses(totals_table.table("bonuses")),
        penalties=_read_penalties(totals_table),
        ties=scoring_rules.Ties(**chains),
        teams=_read_teams(opened["teams"]) if plain.get("teams") else None,
        votes=_read_votes(awards_table.table("votes")) if "votes" in awards_table.values else None,
        board_games=_read_board_games(awards_table.table("board_games"))
        if "board_games" in awards_table.values
        else None,
        awards=_read_awards(awards_table, opened["ties"]),
        decimals=blocks.decimals(scoring, "shown_decimals", 3),
        is_sealed=scoring.get("sealed", bool, False),
        interim=_read_interim(opened["interim"]) if plain.get("interim") else None,
        sources=sources,
    )
    totals_table.finish()
    awards_table.finish()
    return rules


def _opened_table(plain: Mapping[str, Any], key: str, where: str, problems: list[Problem]) -> Table:
    """Open one of the tables; all share one list of faults."""
    inside = plain.get(key, {})
    table = Table(inside if isinstance(inside, Mapping) else {}, f"{where} {key}".strip(), problems)
    if not isinstance(inside, Mapping):
        problems.append(Problem(Weight.STOPS, f"expected a table, found {inside!r}", table.where))
    if key in ("scoring", "totals") and key not in plain:
        problems.append(Problem(Weight.STOPS, f"missing; a tournament needs [{key}]", table.where))
    return table


def _read_totals(table: Table) -> scoring_rules.Totals:
    """``[totals]``: how games become a total."""
    limit = None
    if "most_games" in table.values:
        inside = table.table("most_games")
        limit = scoring_rules.MostGames(
            blocks.needed_rounds(inside, "rounds", "in which games are limited"),
            blocks.needed_whole(inside, "games", blocks.ROUNDS),
        )
        inside.finish()
    return scoring_rules.Totals(
        rounds=_read_round_count(table),
        weights=blocks.weights(table, "weights"),
        round_weights=blocks.list_of_points(table, "round_weights", blocks.FACTOR),
        size_weights=_read_size_weights(table),
        wins_first=table.get("wins_first", bool, False),
        two_boards=blocks.word(table, "two_boards", scoring_rules.TwoBoards, scoring_rules.TwoBoards.ASK),
        rounding=blocks.read_rounding(table, "rounding"),
        most_games=limit,
    )


OPEN = "any"  # rounds of a league


def _read_round_count(table: Table) -> int:
    """How many rounds there are; 0 in a league, which has as many as are played."""
    if table.values.get("rounds") == OPEN:
        table.asked.add("rounds")
        return 0
    return blocks.needed_whole(table, "rounds", blocks.ROUNDS)


def _read_size_weights(table: Table) -> dict[int, Fraction]:
    """``size_weights = { 6 = "6/7" }``: by how many players sat at a board."""
    found = blocks.table_of_points(table, "size_weights", blocks.FACTOR)
    for size in found:
        if not is_whole(size) or not SEATS.has(int(size)):
            table.fault(f"size_weights.{size}", f"expected a number of players from 1 to {SEATS.most}")
    return {int(size): weight for size, weight in found.items() if is_whole(size)}


def _read_final(table: Table) -> scoring_rules.Final:
    final = scoring_rules.Final(
        round=blocks.needed_whole(table, "round", blocks.ROUNDS),
        seats=blocks.read_whole(table, "seats", SEATS.most, SEATS),
        winners_first=table.get("winners_first", bool, False),
        qualifying_rounds=blocks.needed_rounds(table, "qualifying_rounds", "before it that one qualifies in"),
        qualifying_weights=blocks.weights(table, "qualifying_weights"),
        at_least_positive=blocks.read_whole(table, "at_least_positive", 0, PEOPLE),
        positive=blocks.word(table, "positive", scoring_rules.Positive, scoring_rules.Positive.TOTAL),
        two_boards=blocks.word(
            table, "two_boards", scoring_rules.ChoiceOfBoards, scoring_rules.ChoiceOfBoards.AT_THE_END
        ),
        total=blocks.word(table, "total", scoring_rules.FinalTotal, scoring_rules.FinalTotal.LIKE_EVERYBODY),
        champion=blocks.word(table, "champion", scoring_rules.ChampionBy, scoring_rules.ChampionBy.TABLE),
        choosing=blocks.word(table, "choosing", scoring_rules.ChoosingRule, scoring_rules.ChoosingRule.NOT_STATED),
    )
    table.finish()
    return final


def _read_bonuses(table: Table) -> scoring_rules.Bonuses:
    """``[totals.bonuses]``: points that no board gives."""
    participation = preregistration = None
    if "participation" in table.values:
        inside = table.table("participation")
        each = blocks.read_points(inside, "each_round", Fraction(1), blocks.SOME)
        participation = scoring_rules.Participation(each, blocks.needed_whole(inside, "from_rounds", blocks.ROUNDS))
        inside.finish()
    if "preregistration" in table.values:
        inside = table.table("preregistration")
        announced = blocks.needed_rounds(inside, "rounds", "that are to be announced and played")
        preregistration = scoring_rules.Preregistration(
            blocks.read_points(inside, "points", Fraction(1), blocks.SOME), announced
        )
        inside.finish()
    bonuses = scoring_rules.Bonuses(
        participation=participation,
        preregistration=preregistration,
        final_share=blocks.read_points(table, "final_share", Fraction(), blocks.FACTOR),
        final_victory=blocks.read_points(table, "final_victory", Fraction(), blocks.NO_LESS),
        withdrawal=_read_withdrawal(table),
    )
    table.asked |= {"participation", "preregistration", "withdrawal"}
    table.finish()
    return bonuses


def _read_withdrawal(table: Table) -> scoring_rules.Withdrawal | None:
    """``withdrawal``: a part of the round's scores, ``"1/3"``, or a number, ``{ points = 10 }``."""
    if not isinstance(table.values.get("withdrawal"), dict):
        part = blocks.maybe_points(table, "withdrawal", blocks.PART)
        return scoring_rules.Withdrawal(part) if part is not None else None
    inside = table.table("withdrawal")
    if "points" not in inside.values:
        inside.fault("points", "missing; write what sitting out is worth, such as 10")
    fixed = blocks.read_points(inside, "points", Fraction(1), blocks.SOME)
    inside.finish()
    return scoring_rules.Withdrawal(points=fixed)


def _read_penalties(table: Table) -> tuple[scoring_rules.PenaltyRule, ...]:
    """``[[totals.penalties]]``: each kind once."""
    rules = tuple(_read_penalty(inside) for inside in table.tables("penalties"))
    kinds = [rule.kind for rule in rules]
    for number, kind in enumerate(kinds):
        if kind and kind in kinds[:number]:
            table.fault(f"penalties[{number}].kind", f"{kind!r} has a price already; write each kind once")
    return rules


def _read_penalty(table: Table) -> scoring_rules.PenaltyRule:
    """``[[totals.penalties]]``: what one kind of penalty costs."""
    rule = scoring_rules.PenaltyRule(
        kind=table.need("kind", str, ""),
        points=blocks.read_points(table, "points", Fraction(), blocks.NO_LESS),
        loses=blocks.word(table, "loses", scoring_rules.Loses, scoring_rules.Loses.NOTHING),
        keeps=blocks.read_texts(table, "keeps"),
    )
    if "kind" in table.values and NO_WORD.search(rule.kind):
        table.fault("kind", f"expected a word for what is punished, without signs, found {rule.kind!r}")
    if "points" not in table.values and rule.loses is scoring_rules.Loses.NOTHING:
        table.fault("points", "missing; write what is taken away, or what it 'loses'")
    table.finish()
    return rule


def _read_teams(table: Table) -> scoring_rules.TeamRules:
    per_country = blocks.read_whole(table, "per_country", 0, PEOPLE)
    rules = scoring_rules.TeamRules(
        size=blocks.needed_whole(table, "size", MEMBERS),
        least=blocks.read_whole(table, "least", 1, MEMBERS),
        rounds=blocks.needed_rounds(table, "rounds", "that count for teams"),
        count=blocks.word(table, "count", scoring_rules.TeamCount, scoring_rules.TeamCount.ALL),
        apart=blocks.whole_numbers(table, "apart"),
        per_country=per_country or None,
        title=table.get("title", str, "team champions"),
    )
    if rules.least > rules.size:
        table.fault("least", f"a team of {rules.size} never has {rules.least} members; write {rules.size} or fewer")
    table.finish()
    return rules


def _read_votes(table: Table) -> scoring_rules.RatingRules:
    """``[awards.votes]``: grades that players give each other."""
    titles = table.get("titles", dict, {})
    rules = scoring_rules.RatingRules(
        points=blocks.table_of_points(table, "points"),
        titles={str(skill): str(title) for skill, title in titles.items()},
        least_games=blocks.read_whole(table, "least_games", 0, GAMES),
    )
    if not rules.points:
        table.fault("points", "missing; give the points of each grade, the best first, such as { A = 3, B = 1, C = 0 }")
    if not rules.titles:
        table.fault("titles", "missing; give each skill its title, such as { tactics = 'best tactician' }")
    table.finish()
    return rules


def _read_board_games(table: Table) -> scoring_rules.BoardGameRules:
    """``[awards.board_games]``: the board-games competition."""
    by_size = table.table("points")
    found: dict[int, tuple[Fraction, ...]] = {}
    for size, row in by_size.values.items():
        if is_whole(size) and isinstance(row, list) and len(row) == int(size) > 1:
            found[int(size)] = tuple(blocks.one_of_points(by_size, size, value, Fraction()) for value in row)
        else:
            by_size.fault(size, f"expected a number of players and points for as many places, found {row!r}")
    rules = scoring_rules.BoardGameRules(
        weights=blocks.table_of_points(table, "weights", blocks.FACTOR),
        points=found,
        ties=blocks.word(table, "ties", scoring_rules.BoardGameTies, scoring_rules.BoardGameTies.LOWER),
        title=table.get("title", str, "board-games champion"),
    )
    if not rules.weights:
        table.fault("weights", "missing; give the weight of each game, such as { Shark = 4.5 }")
    if not by_size.values:
        table.fault("points", "missing; give the points of each place by the number of players, such as { 2 = [6, 2] }")
    table.finish()
    return rules


def _read_awards(table: Table, ties: Table) -> scoring_rules.AwardRules:
    """``[awards]``: which places and performances are honoured."""
    table.asked |= {"votes", "board_games"}
    power = table.get("power", str, "best {power}")
    if any(brace in power.replace("{power}", "") for brace in "{}"):
        table.fault("power", f"only {{power}} may stand in braces, found {power!r}")
        power = ""
    titles = tuple(_read_title(inside, ties) for inside in table.tables("titles"))
    names = [title.title for title in titles]
    places = blocks.read_texts(table, "places", ("champion",))
    for number, name in enumerate(names):
        if name in names[:number] or name in places:
            table.fault(f"titles[{number}].title", f"there is a title {name!r} already; write each once")
    return scoring_rules.AwardRules(
        places=places,
        named=blocks.read_whole(table, "named", 0, PEOPLE),
        power=power,
        power_by=blocks.word(table, "power_by", scoring_rules.PowerBy, scoring_rules.PowerBy.SCORE),
        power_final=table.get("power_final", bool, True),
        titles=titles,
    )


def _read_title(table: Table, ties: Table) -> scoring_rules.TitleRules:
    """``[[awards.titles]]``: a title that another ranking makes, with the settings of ``[ties]`` for its chain."""
    title = table.need("title", str, "")
    if "title" in table.values and NO_WORD.search(title):
        table.fault("title", f"expected a title without signs, found {title!r}")
    if table.values.get("rounds") == []:
        table.fault("rounds", "no rounds; name those that count for the title, or leave the key out: then all do")
    silent = Table(ties.values, ties.where)  # its faults are reported where it is read
    rules = scoring_rules.TitleRules(
        title=title,
        rounds=blocks.whole_numbers(table, "rounds"),
        weights=blocks.weights(table, "weights"),
        ties=_read_chain(table, "ties", _tiebreaks_with_settings(silent)),
    )
    table.finish()
    return rules


def _read_interim(table: Table) -> scoring_rules.InterimRules:
    """``[interim]``: until when results are interim, and when standings are made."""
    moments = []
    for number, value in enumerate(table.get("moments", list, [])):
        moment = scoring_rules.StandingsMoment.read(str(value))
        if moment is None:
            text = f"expected a round, such as 2, or a round and a year, such as '3:1904', found {value!r}"
            table.fault(f"moments[{number}]", text)
        else:
            moments.append(moment)
    rules = scoring_rules.InterimRules(
        until=blocks.word(table, "until", scoring_rules.Until, scoring_rules.Until.OVER), moments=tuple(moments)
    )
    table.finish()
    return rules


# Rules on points that are valid and cannot work: missing rounds, tie-breaks without data.

Misfit = tuple[str, str]  # the path of a setting, and what is wrong with it and what would work
ON_THE_FINAL = (tiebreaks.FinalScore, tiebreaks.PowerOrder, tiebreaks.ChoseLast, tiebreaks.CentresInYear)


def misfits(rules: scoring_rules.ScoringRules) -> Iterator[Misfit]:
    """List what does not fit together, each with its setting, the reason, and the nearest that works."""
    rounds = rules.totals.rounds or blocks.MOST_ROUNDS
    yield from _weight_misfits("totals.weights", rules.totals.weights, rounds, rules.totals.two_boards)
    if len(rules.totals.round_weights) > rounds:
        text = f"{len(rules.totals.round_weights)} weights, but {rounds} rounds; leave out the last"
        yield "totals.round_weights", text
    elif 0 < rules.totals.rounds == len(rules.totals.round_weights) and not any(rules.totals.round_weights):
        yield "totals.round_weights", "no round counts: all weights are 0; give one at least another weight"
    if not rules.totals.rounds and rules.totals.two_boards is scoring_rules.TwoBoards.CHOSEN:
        text = "a player chooses once he has played all rounds, and a league has no last one; take 'higher' or 'both'"
        yield "totals.two_boards", text
    for number, title in enumerate(rules.awards.titles):
        yield from _unplayed_rounds(f"awards.titles[{number}].rounds", title.rounds, rounds)
        yield from _weight_misfits(
            f"awards.titles[{number}].weights", title.weights, len(title.rounds) or rounds, rules.totals.two_boards
        )
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
            yield f"{path}[{number - 1}]", f"{len(row)} weights where {number} games are played; leave out the last"
        elif len(row) > rounds and not more:
            text = f"{len(row)} weights, but {rounds} rounds; leave out the last, or say two_boards = 'both'"
            yield f"{path}[{number - 1}]" if several else path, text
    if several and len(weights.rows) > rounds and not more:
        yield path, f"rows for up to {len(weights.rows)} games, but {rounds} rounds; leave out the last"


def _unplayed_rounds(path: str, named: Sequence[int], rounds: int) -> Iterator[Misfit]:
    if strange := [number for number in named if not 1 <= number <= rounds]:
        yield path, f"round {', '.join(map(str, strange))} is not played; there are rounds 1 to {rounds}"


def _final_misfits(rules: scoring_rules.ScoringRules) -> Iterator[Misfit]:
    """A final table in a round that is not played, or that one qualifies for in it or after it."""
    final, rounds = rules.final, rules.totals.rounds or blocks.MOST_ROUNDS
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
    )
    for key, chain in chains:
        for step in chain:
            if isinstance(step, ON_THE_FINAL) and rules.final is None:
                text = f"{step.name!r} separates nobody without [totals.final]; take 'highest game', or write it"
                yield f"ties.{key}", text
            if isinstance(step, tiebreaks.TopGrades):
                yield f"ties.{key}", f"{step.name!r} counts grades, which only ties.votes has; take 'highest game'"
