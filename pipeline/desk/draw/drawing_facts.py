"""What the draw of a round must know of the event: who met whom, who did what, what was decided, who is best."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from pipeline.board.standard import MAPS, SIX_PLAYERS
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import games, seated_rounds, seatings
from pipeline.desk.results.results import event_results
from pipeline.draw.players.field import Record, Turnout
from pipeline.draw.players.roster import Player
from pipeline.draw.search.task import Pair, PastBoard, Task, Wishes
from pipeline.draw.search.wishes import HISTORY, Answers, wishes_of
from pipeline.ledger.events import Seated
from pipeline.ledger.parts import DrawDecided, DrawTold
from pipeline.rules.event_rules import Aim, DrawRules, Wish
from pipeline.scoring.places.score import Scored, score


def last_draws(event: Event) -> dict[int, Seated]:
    """The last seating of each round, with everybody's name of today."""
    return {number: fact.said for number, fact in seated_rounds(event).items()}


def said_before(before: Mapping[int, Seated], round_number: int) -> Answers:
    """What the director decided for earlier rounds holds until he says otherwise."""
    answers = Answers()
    for number in sorted(n for n in before if n < round_number):
        answers = answers.then(read_answers((before[number].draw or DrawTold()).decided))
    return answers


def read_answers(decided: DrawDecided) -> Answers:
    """Read what a draw was told."""
    aims, wishes = {str(aim): aim for aim in Aim}, {str(wish): wish for wish in Wish}
    return Answers(
        wishes={aims[aim]: wishes[wish] for aim, wish in decided.wishes.items()},
        has_limit=decided.has_limit,
        meetings_most=decided.meetings_most,
    )


def write_answers(answers: Answers) -> DrawDecided:
    """Write what a draw was told."""
    return DrawDecided(
        wishes={str(aim): str(wish) for aim, wish in answers.wishes.items()},
        has_limit=answers.has_limit,
        meetings_most=answers.meetings_most,
    )


def standings_before(event: Event, round_number: int) -> Scored:
    """Score the games of the earlier rounds that are over."""
    results = event_results(event)
    earlier = tuple(board for board in results.boards if board.round < round_number)
    return score(replace(results, boards=earlier), event.tournament.scoring)


def unfinished(event: Event, round_number: int) -> tuple[str, ...]:
    """The boards of earlier rounds that are not over."""
    return tuple(name for name, game in games(event).items() if game.seating.round < round_number and not game.ended)


def records_of(event: Event, round_number: int, scored: Scored) -> dict[str, Record]:
    """What everybody has done in the earlier rounds."""
    places = {row.player: row.place for row in scored.standings.rows}
    seats = Counter(
        (name, board.round)
        for board in seatings(event).values()
        if board.round < round_number
        for name in (*board.players.values(), *(each.player for each in board.earlier))
        if name
    )
    draws = [said.draw for number, said in last_draws(event).items() if number < round_number and said.draw]
    asides = Counter(each.player for draw in draws for each in draw.aside)
    sent = Counter(each.player for draw in draws for each in draw.sent)
    rounds = Counter(name for name, _ in seats)
    doubled = Counter(name for (name, _), count in seats.items() if count > 1)
    return {
        player.name: Record(
            rounds=rounds[player.name],
            doubled=doubled[player.name],
            aside=asides[player.name],
            sent=sent[player.name],
            place=places.get(player.name),
        )
        for player in event.players
    }


def task_of(event: Event, number: int, rules: DrawRules, answers: Answers, seats: Turnout, scored: Scored) -> Task:
    """Put together what the draw must know."""
    tournament = event.tournament
    past = tuple(
        PastBoard(round=board.round, players=board.last_players)
        for board in seatings(event).values()
        if board.round < number
    )
    playing = set(seats.bodies)
    after = tuple(range(number + 1, tournament.rounds + 1))
    mates = {n: mates_in(event, n, playing) for n in (number, *after)}
    families = pairs_apart(event.players, playing)
    together = tuple(best_of_last(event, number, scored, playing))
    matters = {aim for aim in HISTORY if past}
    if not rules.power_groups.value:
        matters.discard(Aim.POWER_GROUPS)
    if mates[number] or (any(mates.values()) and not rules.teams_apart.asks):
        matters.add(Aim.TEAMS_APART)
    matters |= {Aim.FAMILIES_APART} if families else set()
    matters |= {Aim.BEST_TOGETHER} if together else set()
    variant = MAPS[SIX_PLAYERS[event.details.map_name]]().start if seats.six else event.board.start
    before = last_draws(event).get(number - 1)
    previous = before.draw if before and before.draw else DrawTold()
    return Task(
        powers=tuple(event.board.start),
        bodies=seats.bodies,
        empty=tuple(power for power in event.board.start if power not in variant) * seats.six,
        wishes=wishes_of(rules, answers, matters) if matters else Wishes(),
        past=past,
        mates=mates[number],
        families=families,
        together=together,
        rounds_after=len(after),
        mates_after=tuple(mates[n] for n in after),
        points={str(who): point for who, point in previous.points.items()},
    )


def mates_in(event: Event, number: int, playing: set[str]) -> frozenset[Pair]:
    """The team mates who play apart in a round."""
    if number not in event.tournament.teams_apart_rounds:
        return frozenset()
    teams: dict[str, list[str]] = {}
    for player in event.players:
        if player.team and player.name in playing:
            teams.setdefault(player.team, []).append(player.name)
    return frozenset(frozenset(pair) for team in teams.values() for pair in combinations(team, 2))


def pairs_apart(players: tuple[Player, ...], playing: set[str]) -> frozenset[Pair]:
    """Who is to be kept apart from whom, family and the like; one of the two need say so."""
    return frozenset(
        frozenset((player.name, other))
        for player in players
        for other in player.keep_apart
        if {player.name, other} <= playing and player.name != other
    )


def best_of_last(event: Event, number: int, scored: Scored, playing: set[str]) -> Iterator[tuple[str, ...]]:
    """The best of each game of the round before, best first, as many at a time as a board seats (EDC23 E)."""
    size = len(event.board.start)
    last = [game for game in scored.games if game.round == number - 1 and game.player in playing]
    best = [game for game in last if game.score == max(game.scores.values())]
    best.sort(key=lambda game: (-game.score, str(game.player)))
    names = list(dict.fromkeys(str(game.player) for game in best))
    for start in range(0, len(names), size):
        yield tuple(names[start : start + size])
