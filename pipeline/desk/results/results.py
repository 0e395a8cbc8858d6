"""What was played, as the scoring wants it: boards with their seats, their counts by year, and how they ended."""

from collections.abc import Iterable, Mapping, Set

from pipeline.board.map import Power
from pipeline.desk.event.draw_notes import left_out
from pipeline.desk.event.ending import overruled_by
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, games, seated_rounds, seatings
from pipeline.desk.event.lots import lots
from pipeline.desk.event.turn import Turn
from pipeline.desk.forms.ratings import ballots_of
from pipeline.desk.forms.score_sheets import board_games_of
from pipeline.desk.results.noted import Noted, noted
from pipeline.desk.ruling.desk import conduct_of
from pipeline.desk.ruling.ruling_log import all_rulings
from pipeline.desk.ruling.sheet_state import points_of
from pipeline.draw.players.roster import Player as RosterPlayer
from pipeline.ledger.parts import About
from pipeline.scoring.results.results import Board, Bonus, Ending, Entrant, EventResults, Penalty, Seat, Team


def event_results(event: Event, *, running: bool = False, public: Mapping[str, Game] | None = None) -> EventResults:
    """The results of every game that is over; with ``running`` also of those that go on, as they stand.

    ``public`` are the games that everybody may see, by the board's full name: nothing else is looked at then, and a
    sheet was late only where its phase is over (None: all that is written down).
    """
    found = games(event) if public is None else public
    counted = [game for game in found.values() if game.ended or running]
    notes = noted(event)
    return EventResults(
        boards=tuple(as_board(event, game, notes) for game in counted),
        players={player.name: as_player(event, player, notes) for player in event.players},
        teams=tuple(teams(event)),
        penalties=(*late_penalties(event, public), *notes.penalties),
        bonuses=(*withdrawals(event, {game.seating.round for game in found.values()}), *notes.bonuses),
        ballots=ballots_of(event),
        board_games=board_games_of(event),
        honours=notes.honours,
        lots=(*(lot.order for lot in lots(event) if lot.about is About.FINAL and lot.order), *notes.lots),
        going_on=frozenset(game.spot for game in found.values() if not game.ended),
    )


def as_player(event: Event, player: RosterPlayer, notes: Noted) -> Entrant:
    """One person, with what was noted of him; who announced himself on the roster did so for every round."""
    every = frozenset(range(1, event.tournament.rounds + 1)) if player.preregistered else frozenset()
    return Entrant(
        name=player.name,
        is_director=player.director,
        is_excluded=player.name in notes.excluded,
        has_left=player.left,
        distance_km=player.distance_km,
        preregistered=notes.announced.get(player.name, every),
        chosen=notes.chosen.get(player.name, {}),
        both=notes.both.get(player.name, frozenset()),
    )


def as_seat(game: Game, power: Power, notes: Noted) -> Seat:
    """Who sits at a power, whose seat it was, when he came, and what was ruled on the score."""
    earlier = [each for each in game.seating.earlier if each.power is power]
    here = {game.seating.players[power], *(each.player for each in earlier)}  # a seat drawn again has other people
    arrived = notes.arrived.get((game.name, power))
    arrived = arrived if arrived and arrived.player in here else None
    ruling = notes.rulings.get((game.name, power))
    ruling = ruling if ruling and ruling.player in here else None
    left = [each.player for each in earlier if each.player]  # a seat that nobody had is no player's to leave
    return Seat(
        player=game.seating.players[power] or None,
        instead_of=left[0] if left else None,
        arrived=arrived.value if arrived else (earlier[-1].until.season_number if earlier else None),
        ruling=ruling.value if ruling else None,
        is_arrival_noted=arrived is not None,
        relieved=game.seating.relieved.get(power),
    )


def as_board(event: Event, game: Game, notes: Noted) -> Board:
    """One game's result."""
    seats = {power: as_seat(game, power, notes) for power in Power if power in game.seating.players}
    total = len(game.map.centres)
    return Board(
        round=game.seating.round,
        name=game.seating.board,
        seats=seats,
        centres=game.centres,
        years=game.entered.years if game.entered else game.years,
        ended=Ending(game.ended) if game.ended else Ending.UNSTATED,
        is_final=game.seating.is_final,
        chose=game.seating.chose,
        total=total,
        overruled=overruled_by(game.end.fact) if game.ended and game.end else (),
        left_out=left_out(game, notes.draws.get(game.name)),
        unowned=None
        if game.entered and game.entered.form
        else total - sum(game.centres.values()),  # a sheet does not say
    )


def teams(event: Event) -> Iterable[Team]:
    """The teams of the roster, in the order in which they first appear there."""
    names = dict.fromkeys(player.team for player in event.players if player.team)
    for name in names:
        members = [player for player in event.players if player.team == name]
        yield Team(name=name, members=tuple(p.name for p in members), country=members[0].country)


def late_penalties(event: Event, public: Mapping[str, Game] | None) -> Iterable[Penalty]:
    """What late sheets cost, each with its turn and rule (EDC23 D4)."""
    conduct, seated = conduct_of(event, all_rulings(event)), seatings(event)
    rule = conduct.rules.late_points.source
    for turn, decision in conduct.late_points().items():
        if public is not None and not is_published(public, turn):
            continue
        if conduct.players[turn] and (points := points_of(decision)):
            reason = f"{turn}: late ({rule})"
            yield Penalty(
                player=conduct.players[turn],
                kind="late",
                points=points,
                round=seated[turn.board].round,
                reason=reason,
            )


def is_published(public: Mapping[str, Game], turn: Turn) -> bool:
    """Whether the phase of a turn is over on a board that everybody may see: it is published, or the game has ended."""
    game = public.get(turn.board)
    return game is not None and (bool(game.ended) or any(played.phase == turn.phase for played in game.played))


def withdrawals(event: Event, rounds: Set[int]) -> Iterable[Bonus]:
    """Who stood aside in these rounds, where the rules give something for it (EDC23 D); the newest draw counts."""
    if event.tournament.scoring.bonuses.withdrawal is None:
        return
    for number, fact in seated_rounds(event).items():
        if number not in rounds:
            continue
        for each in fact.said.draw.aside if fact.said.draw else ():
            yield Bonus(player=str(each.player), kind="withdrawal", round=number, reason=each.why)
