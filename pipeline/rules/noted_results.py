"""Read what the director noted beside the boards: players, penalties, bonuses, teams, votes, board games, awards."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.problems import Stopped
from pipeline.rules.board_results import Facts, read_boards
from pipeline.rules.table import did_you_mean, is_whole
from pipeline.scoring.results import Board, BoardGame, Bonus, Entrant, EventResults, Honour, Penalty, RatingBallot, Team
from pipeline.scoring.rules import BoardGameRules, ChoiceOfBoards, RatingRules, ScoringRules, TwoBoards
from pipeline.scoring.tally import FINAL_TABLE, FINAL_VICTORY, PARTICIPATION, PREREGISTRATION, WITHDRAWAL

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


ENTRANT_KEYS = ("name", "director", "excluded", "left", "distance_km", "preregistered", "chosen", "team")
ENTRANT_ALIASES = ("player", "td", "gm", "disqualified", "distance")
VOTE_KEYS, VOTE_ALIASES = (
    ("player", "from", "skill", "grade", "round"),
    ("to", "for", "by", "voter", "title", "vote", "votes"),
)


def canonical(value: str, words: Mapping[str, tuple[str, ...]]) -> str:
    """Read one of several words for the same thing; other words stay as they are.

    >>> canonical(" Pre-registered", BONUS_WORDS), canonical("good deeds", BONUS_WORDS)
    ('preregistration', 'good deeds')
    """
    text = " ".join(value.split())
    return next((word for word, same in words.items() if text.casefold() in map(str.casefold, same)), text)


def _read_entrants(facts: Facts, value: object, rules: ScoringRules) -> Iterator[Entrant]:
    """Read the roster: names, or objects with a name and what the rules want to know of the player."""
    seen: set[str] = set()
    for where, row in facts.rows(value, "players"):
        table = row if isinstance(row, Mapping) else {"name": row}
        facts.not_read(table, ENTRANT_KEYS, where, ENTRANT_ALIASES)
        named = facts.first_of(table, where, "name", "player")
        name = facts.new_name(named, f"{where}.name" if table is row else where)
        if name in seen:
            facts.fault(where, f"{name!r} is in the list twice; give two people two names")
        seen.add(name)
        distance = facts.first_of(table, where, "distance_km", "distance")
        director = facts.first_of(table, where, "director", "td", "gm")
        yield Entrant(
            name=name,
            is_director=facts.truth(director, f"{where}.director"),
            is_excluded=facts.truth(facts.first_of(table, where, "excluded", "disqualified"), f"{where}.excluded"),
            has_left=facts.truth(table.get("left"), f"{where}.left"),
            distance_km=None if distance is None else facts.count(distance, f"{where}.distance_km"),
            preregistered=_read_preregistered(facts, table.get("preregistered"), f"{where}.preregistered", rules),
            chosen=_read_chosen(facts, table.get("chosen"), f"{where}.chosen"),
        )


def _read_preregistered(facts: Facts, value: object, where: str, rules: ScoringRules) -> frozenset[int]:
    """Read the rounds announced the day before: a list, or true for all that the bonus asks for (EDC23 G)."""
    if value is None or value is False:
        return frozenset()
    if value is True:
        rule = rules.bonuses.preregistration
        return frozenset(rule.rounds if rule else ())
    return frozenset(facts.count(number, path, least=1) for path, number in facts.rows(value, where))


def _read_chosen(facts: Facts, value: object, where: str) -> dict[int, str]:
    """Read which of two boards counts: ``{"2": "B"}`` (EDC23 D)."""
    found = {}
    for number, board in facts.table(value, where).items():
        if is_whole(str(number)) and int(number) in found:
            facts.fault(f"{where}.{number}", f"round {int(number)} stands twice; leave one of them out")
        elif is_whole(str(number)):
            found[int(number)] = str(board)
        else:
            facts.fault(f"{where}.{number}", f"expected the number of a round, found {number!r}")
    return found


def _read_given_penalties(facts: Facts, value: object, rules: ScoringRules) -> Iterator[Penalty]:
    """Read penalties: ``{"player", "kind"?, "points"?, "times"?, "round"?, "reason"?}``; the sign does not matter."""
    known = {rule.kind: (rule.kind,) for rule in rules.penalties} | PENALTY_WORDS
    costs = {rule.kind for rule in rules.penalties}
    for where, row in facts.rows(value, "penalties"):
        table = facts.table(row, where)
        facts.misspelt(table, ("player", "kind", "points", "times", "round", "reason"), where, ("why", "type", "count"))
        reason = str(facts.first_of(table, where, "reason", "why") or "")
        kind = canonical(str(facts.first_of(table, where, "kind", "type") or reason or "penalty"), known)
        given, times = table.get("points"), facts.first_of(table, where, "times", "count")
        if given is None and kind not in costs:
            listed = f"; these rules know {', '.join(sorted(costs))}" if costs else ""
            facts.fault(where, f"no points, and {kind!r} has no price in the rules{listed}")
        yield Penalty(
            player=facts.name(table.get("player"), f"{where}.player"),
            kind=kind,
            points=None if given is None else abs(facts.points(given, f"{where}.points")),
            times=1 if times is None else facts.count(times, f"{where}.times", least=1),
            round=_read_round_of(facts, table, where),
            reason="" if reason == kind else reason,
        )


def _read_given_bonuses(facts: Facts, value: object, rules: ScoringRules) -> Iterator[Bonus]:
    """Read bonuses: ``{"player", "kind"?, "points"?, "round"?, "reason"?}``."""
    for where, row in facts.rows(value, "bonuses"):
        table = facts.table(row, where)
        facts.misspelt(table, ("player", "kind", "points", "round", "reason"), where, ("why", "type"))
        reason = str(facts.first_of(table, where, "reason", "why") or "")
        kind = canonical(str(facts.first_of(table, where, "kind", "type") or reason or "bonus"), BONUS_WORDS)
        given, number = table.get("points"), _read_round_of(facts, table, where)
        if given is None:
            _check_unpriced(facts, kind, number, where, rules)
        yield Bonus(
            player=facts.name(table.get("player"), f"{where}.player"),
            kind=kind,
            points=None if given is None else facts.points(given, f"{where}.points"),
            round=number,
            reason="" if reason == kind else reason,
        )


def _check_unpriced(facts: Facts, kind: str, number: int | None, where: str, rules: ScoringRules) -> None:
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


def _read_round_of(facts: Facts, table: Mapping[str, Any], where: str) -> int | None:
    value = table.get("round")
    return None if value is None else facts.count(value, f"{where}.round", least=1)


def _read_withdrawals(facts: Facts, document: Mapping[str, Any], rules: ScoringRules) -> Iterator[Bonus]:
    """Read who withdrew on request: ``"withdrawn": [name]`` in a round, or ``"withdrawals": [{"player", "round"}]``."""
    found: list[tuple[str, object, int | None]] = []
    rounds = document.get("rounds")
    for index, row in enumerate(rounds if isinstance(rounds, list) else [], start=1):
        if isinstance(row, Mapping):
            path = f"rounds[{index - 1}].withdrawn"
            number = row.get("number", index)
            found += [(where, name, number) for where, name in facts.rows(row.get("withdrawn"), path)]
    for where, row in facts.rows(document.get("withdrawals"), "withdrawals"):
        table = facts.table(row, where)
        facts.not_read(table, ("player", "round"), where)
        found.append((f"{where}.player", table.get("player"), _read_round_of(facts, table, where)))
    for where, name, number in found:
        if not rules.bonuses.withdrawal:
            facts.fault(where, "these rules give nothing for a withdrawal; leave it out")
        if number is None:
            facts.fault(where, "missing round; a withdrawal is worth a part of its round's scores")
        yield Bonus(player=facts.new_name(name, where), kind=WITHDRAWAL, round=number)


def _read_entered_teams(facts: Facts, value: object) -> Iterator[Team]:
    """Read teams: ``{"team", "members": [name], "country"?}``, or an object of lists by name."""
    if isinstance(value, Mapping):
        value = [{"team": name, "members": members} for name, members in value.items()]
    names: Counter[str] = Counter()
    teams: Counter[str] = Counter()
    for where, row in facts.rows(value, "teams"):
        table = facts.table(row, where)
        facts.misspelt(table, ("team", "name", "members", "players", "country"), where)
        members = facts.first_of(table, where, "members", "players")
        if members is None:
            facts.fault(f"{where}.members", "missing; a team needs its members")
        found = tuple(facts.name(name, path) for path, name in facts.rows(members, f"{where}.members"))
        team = facts.new_name(facts.first_of(table, where, "team", "name"), f"{where}.team")
        names.update(found)
        teams.update([team])
        yield Team(name=team, members=found, country=str(table.get("country", "")))
    for name, often in names.items():
        if often > 1:
            facts.fault("teams", f"{name!r} is named {often} times; a player belongs to one team")
    for team, often in teams.items():
        if often > 1:
            facts.fault("teams", f"{often} teams are called {team!r}; give each its own name")


def _read_ballots(facts: Facts, value: object, rules: RatingRules | None) -> tuple[RatingBallot, ...]:
    """Read votes and count them by player and skill.

    A vote is ``{"player", "from"?, "negotiation": "A", "tactics": "B"}`` or ``{"player", "skill", "grade"}``; votes
    counted before are ``{"player", "negotiation": {"A": 12, "B": 7, "C": 2}}``.
    """
    if not rules:
        if value:
            facts.fault("votes", "these rules have no votes; leave them out")
        return ()
    received: dict[tuple[str, str], Counter[str]] = {}
    given: set[tuple[str, str, str, int]] = set()
    for where, row in facts.rows(value, "votes"):
        table = facts.table(row, where)
        player = facts.name(facts.first_of(table, where, "player", "to", "for"), f"{where}.player")
        skills = [key for key in table if canonical(key, SKILL_WORDS) in rules.titles]
        facts.not_read(table, (*VOTE_KEYS, *rules.titles), where, (*VOTE_ALIASES, *skills))
        named = facts.first_of(table, where, "from", "by", "voter")
        voter = facts.name(named, f"{where}.from") if named is not None else ""
        number = _read_round_of(facts, table, where)
        if voter and voter == player:
            facts.fault(where, f"{player} votes for {player}; only other players are graded")
        for skill, grades in _skills_in(facts, table, where, rules):
            if voter and number is not None:
                vote = (voter, player, skill, number)
                if vote in given:
                    facts.fault(where, f"{voter} grades {player} in {skill} twice in round {number}")
                given.add(vote)
            received.setdefault((player, skill), Counter()).update(grades)
    return tuple(
        RatingBallot(player=player, skill=skill, grades=dict(grades)) for (player, skill), grades in received.items()
    )


def _skills_in(
    facts: Facts, table: Mapping[str, Any], where: str, rules: RatingRules
) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Find the skills graded in one row, with how often each grade was given."""
    named = facts.first_of(table, where, "skill", "title")
    fields = {canonical(key, SKILL_WORDS): value for key, value in table.items()}
    if named is not None:
        grade = facts.first_of(table, where, "grade", "vote", "votes")
        fields = {canonical(str(named), SKILL_WORDS): grade}
    known = {grade.casefold(): grade for grade in rules.points} | {grade: grade for grade in rules.points}
    found = [(skill, fields[skill]) for skill in fields if skill in rules.titles]
    if not found:
        facts.fault(where, f"no grade for {' or '.join(rules.titles)}")
    for skill, value in found:
        if value is None and named is None:
            continue
        if isinstance(value, Mapping):
            counts: Mapping[Any, Any] = value
        else:
            counts = Counter(str(grade) for grade in (value if isinstance(value, list) else [value]))
        good: Counter[str] = Counter()
        for grade, often in counts.items():
            text = str(grade).strip()
            if listed := known.get(text, known.get(text.casefold(), "")):
                good[listed] += facts.count(often, f"{where}.{skill}.{grade}")
            else:
                facts.fault(f"{where}.{skill}", f"unknown grade {grade!r}; expected {', '.join(rules.points)}")
        yield skill, good


def _read_played_board_games(facts: Facts, value: object, rules: BoardGameRules | None) -> Iterator[BoardGame]:
    """Read board games: ``{"game", "places": [name or [names]], "signed"?}`` (NZ99 27)."""
    for where, row in facts.rows(value, "board_games"):
        if not rules:
            facts.fault(where, "these rules have no board-games competition; leave it out")
            continue
        table = facts.table(row, where)
        facts.not_read(table, ("game", "places", "signed"), where)
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


def _read_lots(facts: Facts, value: object) -> Iterator[tuple[str, ...]]:
    """Read lots: names in the order in which they were drawn, or a list of such drawings."""
    rows = list(facts.rows(value, "lots"))
    drawings = rows if rows and all(isinstance(row, list) for _, row in rows) else [("lots", value)] if rows else []
    seen: set[str] = set()
    for where, drawing in drawings:
        names = tuple(facts.name(name, path) for path, name in facts.rows(drawing, where))
        for name in names:
            if name in seen:
                facts.fault(where, f"{name!r} is drawn twice; name who is drawn together in one lot")
            seen.add(name)
        yield names


def _read_honours(facts: Facts, value: object) -> Iterator[Honour]:
    """Read special awards that the director gives: ``{"award", "player", "why"?}``."""
    for where, row in facts.rows(value, "awards"):
        table = facts.table(row, where)
        facts.not_read(table, ("award", "player", "why"), where)
        yield Honour(
            award=facts.new_name(table.get("award"), f"{where}.award"),
            player=facts.name(table.get("player"), f"{where}.player"),
            why=str(table.get("why", "")),
        )


# Read an event's results, as ``ordersheets score`` takes them, into an `EventResults`.

KEYS = (
    "id",
    "tournament",
    "players",
    "rounds",
    "penalties",
    "bonuses",
    "teams",
    "votes",
    "board_games",
    "awards",
    "lots",
    "withdrawals",
)


def read_results(document: Mapping[str, Any], rules: ScoringRules) -> tuple[EventResults, tuple[str, ...]]:
    """Read the results of an event, or stop with every fault (`Stopped`).

    Also says in sentences which fields of the document nobody read.
    """
    facts = Facts()
    facts.misspelt(document, KEYS, "")
    if "rounds" not in document:
        facts.fault("rounds", "missing; give a list of rounds with their boards")
    roster = tuple(_read_entrants(facts, document.get("players"), rules))
    facts.names = dict.fromkeys(player.name for player in roster)
    listed = tuple(read_boards(facts, document.get("rounds"), rules))
    boards = tuple(board for board, _, has_result in listed if has_result)
    withdrawn = tuple(_read_withdrawals(facts, document, rules))
    players = everybody(roster, tuple(board for board, *_ in listed), withdrawn)
    facts.names = dict.fromkeys(players)
    event = EventResults(
        boards=tuple(sorted(boards, key=lambda board: board.round)),
        players=players,
        penalties=tuple(_read_given_penalties(facts, document.get("penalties"), rules)),
        bonuses=(*withdrawn, *_read_given_bonuses(facts, document.get("bonuses"), rules)),
        teams=tuple(_read_entered_teams(facts, document.get("teams"))) or _teams_of(document.get("players")),
        ballots=_read_ballots(facts, document.get("votes"), rules.votes),
        board_games=tuple(_read_played_board_games(facts, document.get("board_games"), rules.board_games)),
        honours=tuple(_read_honours(facts, document.get("awards"))),
        lots=tuple(_read_lots(facts, document.get("lots"))),
        going_on=frozenset(board.spot for board, goes_on, _ in listed if goes_on),
    )
    _check_withdrawals(facts, event)
    _check_choices(facts, event, rules)
    if facts.problems:
        raise Stopped(dict.fromkeys(facts.problems))
    return event, facts.unread()


def everybody(
    roster: tuple[Entrant, ...], boards: tuple[Board, ...], withdrawn: tuple[Bonus, ...]
) -> dict[str, Entrant]:
    found = {player.name: player for player in roster}
    for board in boards:
        for seat in board.seats.values():
            for name in (seat.player, seat.instead_of):
                if name:
                    found.setdefault(name, Entrant(name=name))
    for bonus in withdrawn:
        found.setdefault(bonus.player, Entrant(name=bonus.player))
    return found


def _teams_of(players: object) -> tuple[Team, ...]:
    """Make the teams that the roster names, where no list of teams is given."""
    members: dict[str, list[str]] = {}
    for row in players if isinstance(players, list) else []:
        if isinstance(row, Mapping) and row.get("team"):
            members.setdefault(str(row["team"]).strip(), []).append(
                str(row.get("name") or row.get("player", "")).strip()
            )
    return tuple(Team(name=team, members=tuple(names)) for team, names in members.items())


def _check_withdrawals(facts: Facts, event: EventResults) -> None:
    """Nobody plays a round that he withdrew from (EDC23 D)."""
    for bonus in event.bonuses:
        if bonus.kind != "withdrawal" or bonus.round is None:
            continue
        for board in event.boards:
            sitting = [seat.player for seat in board.seats.values()]
            if board.round == bonus.round and bonus.player in sitting:
                text = f"{bonus.player} withdrew from round {bonus.round} but plays on {board.name}"
                facts.fault("bonuses", text)


def _check_choices(facts: Facts, event: EventResults, rules: ScoringRules) -> None:
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
                    f"{player.name} has played {rounds} of the {enough} rounds after which one of two boards is "
                    "chosen; until then both count, so leave 'chosen' out"
                )
            else:
                continue
            facts.fault("players", text)


def _rounds_to_choose(rules: ScoringRules) -> int:
    """After how many rounds played one of two boards is chosen, by one reading of the rules."""
    if rules.final and rules.final.two_boards is ChoiceOfBoards.BEFORE_THE_FINAL:
        return len(rules.final.qualifying_rounds)
    return rules.totals.rounds
