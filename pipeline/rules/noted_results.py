"""Read an event's results: the boards, and what the director noted beside them, from players to board games."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Any

from msgspec import Struct, field

from pipeline.problems import Stopped
from pipeline.rules.board_results import Name, ResultTable, RoundFields, read_boards
from pipeline.rules.convert import BAD, convert_value, read_struct
from pipeline.rules.table import did_you_mean
from pipeline.scoring.extras import (
    FINAL_TABLE,
    FINAL_VICTORY,
    PARTICIPATION,
    PREREGISTRATION,
    WITHDRAWAL,
    kinds_by_rule,
)
from pipeline.scoring.numbers import Also, Range
from pipeline.scoring.results import Board, BoardGame, Bonus, Entrant, EventResults, Honour, Penalty, RatingBallot, Team
from pipeline.scoring.rules import BoardGameRules, ChoiceOfBoards, RatingRules, ScoringRules, TwoBoards
from pipeline.words.names import one_spelling
from pipeline.words.speech import write_count

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
    return next((word for word, same in words.items() if text.casefold() in map(str.casefold, same)), text)


RoundOf = Annotated[int, Range(1)] | None


class EntrantFields(Struct):
    """A player: a name, or an object with what the rules want to know of the player."""

    name: Annotated[Name, Also(("player",))]
    director: Annotated[bool, Also(("td", "gm"))] = False
    excluded: Annotated[bool, Also(("disqualified",))] = False
    left: bool = False
    distance_km: Annotated[int | None, Range(0), Also(("distance",))] = None
    preregistered: tuple[Annotated[int, Range(1)], ...] | bool = False  # true: all rounds that the bonus asks for
    chosen: Mapping[int, str | int] = field(default_factory=dict)  # which of two boards counts: {"2": "B"} (EDC23 D)
    team: str | int | None = None

    @staticmethod
    def spell_out(value: object) -> object:
        return value if isinstance(value, Mapping) else {"name": value}


class PenaltyFields(Struct):
    """A penalty; the sign of its points does not matter."""

    player: Name
    kind: Annotated[str, Also(("type",))] = ""
    points: Fraction | None = None
    times: Annotated[int, Range(1), Also(("count",))] = 1
    round: RoundOf = None
    reason: Annotated[str, Also(("why",))] = ""


class BonusFields(Struct):
    player: Name
    kind: Annotated[str, Also(("type",))] = ""
    points: Fraction | None = None
    round: RoundOf = None
    reason: Annotated[str, Also(("why",))] = ""


class WithdrawalFields(Struct):
    player: Name
    round: RoundOf = None


class TeamFields(Struct):
    team: Annotated[Name, Also(("name",))]
    members: Annotated[tuple[Name, ...], Also(("players",))]
    country: str = ""


class VoteFields(Struct):
    """A vote; beside these keys stands the grade in each skill."""

    player: Annotated[Name, Also(("to", "for"))]
    voter: Annotated[Name | None, Also(("by", "voter"))] = field(default=None, name="from")
    skill: Annotated[str | None, Also(("title",))] = None
    grade: Annotated[Any, Also(("vote", "votes"))] = None
    round: RoundOf = None


class PlaceFields(Struct):
    """Who came in at one place: a name, or several who share it."""

    names: tuple[Name, ...]

    @staticmethod
    def spell_out(value: object) -> object:
        return {"names": value if isinstance(value, list) else [value]}


class BoardGameFields(Struct):
    """A board game that was played (NZ99 27)."""

    game: str
    places: tuple[PlaceFields, ...]
    signed: bool = True


class HonourFields(Struct):
    """A special award that the director gives."""

    award: Name
    player: Name
    why: str = ""


class ResultsFields(Struct):
    """An event's results as ``ordersheets score`` takes them."""

    id: Any = None
    tournament: Any = None
    players: tuple[EntrantFields, ...] = ()
    rounds: tuple[RoundFields, ...] = ()
    penalties: tuple[PenaltyFields, ...] = ()
    bonuses: tuple[BonusFields, ...] = ()
    teams: tuple[TeamFields, ...] = ()
    votes: tuple[Mapping[str, Any], ...] = ()
    board_games: tuple[BoardGameFields, ...] = ()
    awards: tuple[HonourFields, ...] = ()
    lots: tuple[tuple[Name, ...], ...] = ()  # names in the order in which they were drawn
    withdrawals: tuple[WithdrawalFields, ...] = ()


def read_results(document: Mapping[str, Any], rules: ScoringRules) -> tuple[EventResults, tuple[str, ...]]:
    """Read the results of an event, or stop with every fault (`Stopped`).

    Also says in sentences which fields of the document nobody read.
    """
    table = ResultTable(_spell_out_lists(document), "")
    given = read_struct(ResultsFields, table)
    if "rounds" not in document:
        table.fault("rounds", "missing; give a list of rounds with their boards")
    roster = tuple(_entrants_in(table, given, rules))
    table.names |= dict.fromkeys(player.name for player in roster)
    listed = tuple(read_boards(table, given.rounds, rules))
    boards = tuple(board for board, _, has_result in listed if has_result)
    withdrawn = tuple(_withdrawals_in(table, given, rules))
    players = _everybody(roster, tuple(board for board, *_ in listed), withdrawn)
    table.names |= dict.fromkeys(players)
    _check_spellings(table, "players", players)
    event = EventResults(
        boards=tuple(sorted(boards, key=lambda board: board.round)),
        players=players,
        penalties=tuple(_penalties_in(table, given, rules)),
        bonuses=(*withdrawn, *_bonuses_in(table, given, rules)),
        teams=tuple(_teams_in(table, given)) or _teams_of(given.players),
        ballots=_ballots_in(table, given, rules.votes),
        board_games=tuple(_board_games_in(table, given, rules.board_games)),
        honours=tuple(_honours_in(table, given)),
        lots=tuple(_lots_in(table, given)),
        going_on=frozenset(board.spot for board, goes_on, _ in listed if goes_on),
    )
    _check_withdrawals(table, event)
    _check_choices(table, event, rules)
    if table.problems:
        raise Stopped(dict.fromkeys(table.problems))
    return event, table.unread.tell()


def _spell_out_lists(document: Mapping[str, Any]) -> dict[str, Any]:
    """Teams may be an object of lists by name, lots one list of names."""
    spelt = dict(document)
    if isinstance(teams := spelt.get("teams"), Mapping):
        spelt["teams"] = [{"team": name, "members": members} for name, members in teams.items()]
    if isinstance(lots := spelt.get("lots"), list) and not all(isinstance(row, list) for row in lots):
        spelt["lots"] = [lots]
    return spelt


def _entrants_in(table: ResultTable, given: ResultsFields, rules: ScoringRules) -> Iterator[Entrant]:
    seen: set[str] = set()
    announced = rules.bonuses.preregistration.rounds if rules.bonuses.preregistration else ()
    for number, each in enumerate(given.players):
        if each.name in seen:
            table.fault(f"players[{number}]", f"{each.name!r} is in the list twice; give two people two names")
        seen.add(each.name)
        rounds = each.preregistered if isinstance(each.preregistered, tuple) else announced * each.preregistered
        yield Entrant(
            name=str(each.name),
            is_director=each.director,
            is_excluded=each.excluded,
            has_left=each.left,
            distance_km=each.distance_km,
            preregistered=frozenset(rounds),
            chosen={number: str(board) for number, board in each.chosen.items()},
        )


def _penalties_in(table: ResultTable, given: ResultsFields, rules: ScoringRules) -> Iterator[Penalty]:
    known = {rule.kind: (rule.kind,) for rule in rules.penalties} | PENALTY_WORDS
    costs = {rule.kind for rule in rules.penalties}
    for number, each in enumerate(given.penalties):
        where, kind = f"penalties[{number}]", canonical(each.kind or each.reason or "penalty", known)
        if each.points is None and kind not in costs:
            listed = f"; these rules know {', '.join(sorted(costs))}" if costs else ""
            table.fault(where, f"no points, and {kind!r} has no price in the rules{listed}")
        yield Penalty(
            player=table.check_known(f"{where}.player", each.player),
            kind=kind,
            points=None if each.points is None else abs(each.points),
            times=each.times,
            round=each.round,
            reason="" if each.reason == kind else each.reason,
        )


def _bonuses_in(table: ResultTable, given: ResultsFields, rules: ScoringRules) -> Iterator[Bonus]:
    for number, each in enumerate(given.bonuses):
        where, kind = f"bonuses[{number}]", canonical(each.kind or each.reason or "bonus", BONUS_WORDS)
        if each.points is None:
            _check_unpriced(table, kind, each.round, where, rules)
        yield Bonus(
            player=table.check_known(f"{where}.player", each.player),
            kind=kind,
            points=each.points,
            round=each.round,
            reason="" if each.reason == kind else each.reason,
        )


def _check_unpriced(table: ResultTable, kind: str, number: int | None, where: str, rules: ScoringRules) -> None:
    """A bonus without points must be one that the rules can compute."""
    known = kinds_by_rule(rules.bonuses)
    if kind not in known:
        table.fault(where, f"no points, and {kind!r} has no worth in the rules{did_you_mean(kind, known)}")
    elif kind == WITHDRAWAL and number is None:
        table.fault(f"{where}.round", "missing; a withdrawal is worth a part of its round's scores")


def _withdrawals_in(table: ResultTable, given: ResultsFields, rules: ScoringRules) -> Iterator[Bonus]:
    """Who withdrew on request: ``"withdrawn": [name]`` in a round, or ``"withdrawals": [{"player", "round"}]``."""
    withdrawn: list[tuple[str, Name, int | None]] = [
        (f"rounds[{index}].withdrawn[{place}]", name, row.number or index + 1)
        for index, row in enumerate(given.rounds)
        for place, name in enumerate(row.withdrawn)
    ]
    withdrawn += [(f"withdrawals[{n}].player", each.player, each.round) for n, each in enumerate(given.withdrawals)]
    for where, name, number in withdrawn:
        if not rules.bonuses.withdrawal:
            table.fault(where, "these rules give nothing for a withdrawal; leave it out")
        if number is None:
            table.fault(where, "missing round; a withdrawal is worth a part of its round's scores")
        yield Bonus(player=str(name), kind=WITHDRAWAL, round=number)


def _teams_in(table: ResultTable, given: ResultsFields) -> Iterator[Team]:
    for number, each in enumerate(given.teams):
        for place, member in enumerate(each.members):
            table.check_known(f"teams[{number}].members[{place}]", member)
        yield Team(name=str(each.team), members=tuple(map(str, each.members)), country=each.country)
    for name, often in Counter(member for each in given.teams for member in each.members).items():
        if often > 1:
            table.fault("teams", f"{str(name)!r} is named {write_count(often, 'time')}; a player belongs to one team")
    for team, often in Counter(each.team for each in given.teams).items():
        if often > 1:
            table.fault("teams", f"{write_count(often, 'team')} are called {str(team)!r}; give each its own name")
    _check_spellings(table, "teams", (str(each.team) for each in given.teams))


def _check_spellings(table: ResultTable, where: str, names: Iterable[str]) -> None:
    """Nobody knows whether "Ada Lund" and "ada lund" are one."""
    for name, first in one_spelling(names).items():
        if name != first:
            table.fault(where, f"{first!r} and {name!r} differ in spelling alone; write one of them, or two names")


def _ballots_in(table: ResultTable, given: ResultsFields, rules: RatingRules | None) -> tuple[RatingBallot, ...]:
    """Count votes by player and skill.

    A vote is ``{"player", "from"?, "negotiation": "A", "tactics": "B"}`` or ``{"player", "skill", "grade"}``; votes
    counted before are ``{"player", "negotiation": {"A": 12, "B": 7, "C": 2}}``.
    """
    if not rules:
        if given.votes:
            table.fault("votes", "these rules have no votes; leave them out")
        return ()
    received: dict[tuple[str, str], Counter[str]] = {}
    cast: set[tuple[str, str, str, int]] = set()
    for number, row in enumerate(given.votes):
        where = f"votes[{number}]"
        inside = table.open_table(row, where)
        inside.asked |= {*rules.titles, *(key for key in row if canonical(key, SKILL_WORDS) in rules.titles)}
        vote = read_struct(VoteFields, inside)
        player = table.check_known(f"{where}.player", vote.player)
        voter = table.check_known(f"{where}.from", vote.voter) if vote.voter else ""
        if voter and voter == player:
            table.fault(where, f"{player} votes for {player}; only other players are graded")
        for skill, grades in _skills_in(table, vote, row, where, rules):
            if voter and vote.round is not None:
                if (voter, player, skill, vote.round) in cast:
                    table.fault(where, f"{voter} grades {player} in {skill} twice in round {vote.round}")
                cast.add((voter, player, skill, vote.round))
            received.setdefault((player, skill), Counter()).update(grades)
    return tuple(
        RatingBallot(player=player, skill=skill, grades=dict(grades)) for (player, skill), grades in received.items()
    )


def _skills_in(
    table: ResultTable, vote: VoteFields, row: Mapping[str, Any], where: str, rules: RatingRules
) -> Iterator[tuple[str, Mapping[str, int]]]:
    """The skills graded in one row, with how often each grade was given."""
    if vote.skill is not None:
        given = {canonical(vote.skill, SKILL_WORDS): vote.grade}
    else:
        given = {canonical(key, SKILL_WORDS): value for key, value in row.items() if value is not None}
    known = {grade.casefold(): grade for grade in rules.points} | {grade: grade for grade in rules.points}
    graded = {skill: value for skill, value in given.items() if skill in rules.titles}
    if not graded:
        table.fault(where, f"no grade for {' or '.join(rules.titles)}")
    for skill, value in graded.items():
        counts = value if isinstance(value, Mapping) else {str(value): 1}
        good: Counter[str] = Counter()
        for grade, often in counts.items():
            text, spot = str(grade).strip(), f"{where}.{skill}"
            listed = known.get(text, known.get(text.casefold(), ""))
            number = convert_value(often, Annotated[int, Range(0)], table, f"{spot}.{grade}")
            if not listed:
                table.fault(spot, f"unknown grade {grade!r}; expected {', '.join(rules.points)}")
            elif number is not BAD:
                good[listed] += number
        yield skill, good


def _board_games_in(table: ResultTable, given: ResultsFields, rules: BoardGameRules | None) -> Iterator[BoardGame]:
    for number, each in enumerate(given.board_games):
        where, places = f"board_games[{number}]", tuple(tuple(map(str, level.names)) for level in each.places)
        players = [name for names in places for name in names]
        if rules is None:
            table.fault(where, "these rules have no board-games competition; leave it out")
        elif each.game not in rules.weights:
            near = did_you_mean(each.game, tuple(rules.weights))
            table.fault(f"{where}.game", f"{each.game!r} is not in the competition{near}")
        elif len(players) not in rules.points:
            counts = ", ".join(str(size) for size in rules.points)
            table.fault(f"{where}.places", f"{write_count(len(players), 'player')}; there are points for {counts}")
        elif len(set(players)) < len(players):
            table.fault(f"{where}.places", "somebody is in two places")
        else:
            yield BoardGame(game=each.game, places=places, is_signed=each.signed)


def _lots_in(table: ResultTable, given: ResultsFields) -> Iterator[tuple[str, ...]]:
    seen: set[str] = set()
    for number, names in enumerate(given.lots):
        where = "lots" if len(given.lots) == 1 else f"lots[{number}]"
        for place, name in enumerate(names):
            table.check_known(f"{where}[{place}]", name)
            if name in seen:
                table.fault(where, f"{str(name)!r} is drawn twice; name who is drawn together in one lot")
            seen.add(name)
        yield tuple(map(str, names))


def _honours_in(table: ResultTable, given: ResultsFields) -> Iterator[Honour]:
    for number, each in enumerate(given.awards):
        player = table.check_known(f"awards[{number}].player", each.player)
        yield Honour(award=str(each.award), player=player, why=each.why)


def _everybody(
    roster: tuple[Entrant, ...], boards: tuple[Board, ...], withdrawn: tuple[Bonus, ...]
) -> dict[str, Entrant]:
    entrants = {player.name: player for player in roster}
    for board in boards:
        for seat in board.seats.values():
            for name in (seat.player, seat.instead_of, *seat.former_players):
                if name:
                    entrants.setdefault(name, Entrant(name=name))
    for bonus in withdrawn:
        entrants.setdefault(bonus.player, Entrant(name=bonus.player))
    return entrants


def _teams_of(players: tuple[EntrantFields, ...]) -> tuple[Team, ...]:
    """Make the teams that the roster names, where no list of teams is given."""
    members: dict[str, list[str]] = {}
    spelling = one_spelling(str(player.team).strip() for player in players if player.team)
    for player in players:
        if player.team:
            members.setdefault(spelling[str(player.team).strip()], []).append(str(player.name))
    return tuple(Team(name=team, members=tuple(names)) for team, names in members.items())


def _check_withdrawals(table: ResultTable, event: EventResults) -> None:
    """Nobody plays a round that he withdrew from (EDC23 D)."""
    for bonus in event.bonuses:
        if bonus.kind != WITHDRAWAL:
            continue
        for board in event.boards:
            sitting = [seat.player for seat in board.seats.values()]
            if board.round == bonus.round and bonus.player in sitting:
                text = f"{bonus.player} withdrew from round {bonus.round} but plays on {board.name}"
                table.fault("bonuses", text)


def _check_choices(table: ResultTable, event: EventResults, rules: ScoringRules) -> None:
    """A choice between two boards of a round counts, or is refused (EDC23 D)."""
    enough = min(_rounds_to_choose(each) for each in (rules, *(reading.rules for reading in rules.readings)))
    for player in event.players.values():
        sat = [(b.round, b.name) for b in event.boards if player.name in (s.player for s in b.seats.values())]
        rounds = len({number for number, _ in sat})
        for number, name in player.chosen.items():
            mine = [board for played, board in sat if played == number]
            if name not in mine:
                text = f"{player.name} chose board {name!r} of round {number} but did not play on it"
            elif rules.totals.two_boards is not TwoBoards.CHOSEN:
                rule = rules.totals.two_boards.value
                text = f"nobody chooses which of two boards counts by these rules ({rule!r}); leave 'chosen' out"
            elif len(mine) < 2:
                text = f"{player.name} played one board in round {number}; there is nothing to choose"
            elif rounds < enough:
                text = (
                    f"{player.name} has played {rounds} of the {write_count(enough, 'round')} after which "
                    "one of two boards is chosen; until then both count, so leave 'chosen' out"
                )
            else:
                continue
            table.fault("players", text)


def _rounds_to_choose(rules: ScoringRules) -> int:
    """After how many rounds played one of two boards is chosen, by one reading of the rules."""
    if rules.final and rules.final.two_boards is ChoiceOfBoards.BEFORE_THE_FINAL:
        return len(rules.final.qualifying_rounds)
    return rules.totals.rounds
