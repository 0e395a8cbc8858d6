"""What was played, as the scoring wants it: boards with their seats, their counts by year, and how they ended."""

from collections.abc import Iterable

from pipeline.board.map import Power
from pipeline.board.position import Position, Season
from pipeline.desk.decided import all_rulings
from pipeline.desk.desk import conduct_of
from pipeline.desk.event import Event
from pipeline.desk.games import Game, Played, games, seatings
from pipeline.desk.ratings import ballots_of
from pipeline.desk.score_sheets import board_games_of
from pipeline.desk.sheet_state import points_of, quoted
from pipeline.scoring.results import Board, Bonus, Ending, EventResults, Penalty, Player, Seat, Team


def event_results(event: Event, *, running: bool = False) -> EventResults:
    """The results of every game that is over; with ``running`` also of those that go on, as they stand."""
    found = games(event)
    counted = [game for game in found.values() if game.ended or running]
    return EventResults(
        boards=tuple(as_board(event, game) for game in counted),
        players={
            player.name: Player(
                name=player.name,
                is_director=player.director,
                distance_km=player.distance_km,
                preregistered=frozenset(range(1, event.tournament.rounds + 1)) if player.preregistered else frozenset(),
            )
            for player in event.players
        },
        teams=tuple(teams(event)),
        penalties=tuple(late_penalties(event)),
        bonuses=tuple(withdrawals(event)),
        ballots=ballots_of(event),
        board_games=board_games_of(event),
        going_on=frozenset(game.spot for game in found.values() if not game.ended),
    )


def as_board(event: Event, game: Game) -> Board:
    """One game's result."""
    seats = {power: Seat(player=game.seating.players[power]) for power in Power if power in game.seating.players}
    centres = game.entered.centres if game.entered else counts(game.position, seats)
    total = len(event.board.centres)
    return Board(
        round=game.seating.round,
        name=game.seating.board,
        seats=seats,
        centres=centres,
        years=game.entered.years if game.entered else years(game, seats),
        ended=Ending(game.ended) if game.ended else Ending.UNSTATED,
        is_final=game.seating.is_final,
        chose=game.seating.chose,
        total=total,
        unowned=None if game.entered else total - sum(centres.values()),  # a position knows them, a sheet does not
    )


def counts(position: Position, powers: Iterable[Power]) -> dict[Power, int]:
    """Centres owned; they change only after a Fall, so these are always the counts of the last completed one."""
    return {power: len(position.centres.get(power, ())) for power in powers}


def years(game: Game, powers: Iterable[Power]) -> dict[int, dict[Power, int]]:
    """The counts after every Fall that was played; a winter in which nobody had anything to do is not played."""
    return {played.phase.year: counts(played.resolution.after, powers) for played in game.played if ends_a_fall(played)}


def ends_a_fall(played: Played) -> bool:
    """Whether centres changed hands with this phase: after Fall movement or, where there were any, Fall retreats."""
    return played.phase.season is Season.FALL and played.resolution.after.phase.season is not Season.FALL


def teams(event: Event) -> Iterable[Team]:
    """The teams of the roster, in the order in which they first appear there."""
    names = dict.fromkeys(player.team for player in event.players if player.team)
    for name in names:
        members = [player for player in event.players if player.team == name]
        yield Team(name=name, members=tuple(p.name for p in members), country=members[0].country)


def late_penalties(event: Event) -> Iterable[Penalty]:
    """What late sheets cost, each with its turn and rule (EDC23 D4)."""
    conduct, seated = conduct_of(event, all_rulings(event)), seatings(event)
    for turn, decision in conduct.late_points().items():
        if points := points_of(decision):
            reason = f"{turn}: {quoted(decision)}"
            yield Penalty(
                player=conduct.players[turn],
                kind="late",
                points=points,
                round=seated[turn.board].round,
                reason=reason,
            )


def withdrawals(event: Event) -> Iterable[Bonus]:
    """Who stood aside, where the rules give something for it (EDC23 D); the newest draw of a round counts."""
    if event.tournament.scoring.bonuses.withdrawal is None:
        return
    draws = {fact.body["round"]: fact.body.get("draw", {}) for fact in event.facts.read("seated")}
    for number, drawn in sorted(draws.items()):
        for each in drawn.get("aside", ()):
            yield Bonus(player=each["player"], kind="withdrawal", round=number, reason=each["why"])
