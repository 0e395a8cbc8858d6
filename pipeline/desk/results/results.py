"""What was played, as the scoring wants it: boards with their seats, their counts by year, and how they ended."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import pairwise
from typing import Any, Generic, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import Power, starting_position
from pipeline.desk.event.ending import draws_of, final_results, overruled_by, survivors_left_out
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, Seating, ended_early, games, seated_rounds
from pipeline.desk.event.lots import lots
from pipeline.desk.event.people import Turn
from pipeline.desk.forms.player_forms import board_games_of, count_ratings
from pipeline.desk.ruling.desk import conduct_of
from pipeline.desk.ruling.rulings import all_rulings
from pipeline.draw.field import BY_WORD, OF_LOT, VOLUNTEERS
from pipeline.draw.roster import Player as RosterPlayer
from pipeline.draw.same_names import name_key
from pipeline.ledger import events
from pipeline.ledger.files import local_time
from pipeline.ledger.ledger import Fact, standing
from pipeline.ledger.parts import About, board_name, round_and_board
from pipeline.problems import stop
from pipeline.scoring import results
from pipeline.scoring.extras import WITHDRAWAL
from pipeline.scoring.interim import at_moment, moments_reached
from pipeline.scoring.ranking import may_rank
from pipeline.scoring.rules import StandingsMoment
from pipeline.scoring.score import Scored, score
from pipeline.scoring.standings_in_words import decided_by
from pipeline.scoring.tally import Counted
from pipeline.words.names import name_order
from pipeline.words.speech import write_count

# What was noted beside the results, as the scoring wants it: everything that stands, with the names of today.

T = TypeVar("T")
NoteOfPlayer = (
    events.PenaltyEntered
    | events.BonusEntered
    | events.AwardGiven
    | events.PlayerExcluded
    | events.PreregistrationEntered
    | events.BoardChosen
    | events.ScoreRuled
    | events.LateStartEntered
)
BoardPower = tuple[str, Power]  # a board and a power


class OfSeat(Struct, Generic[T], frozen=True):
    """What was noted of a seat, and who sat there then."""

    value: T
    player: str


class ReadNotes(Struct, frozen=True, kw_only=True):
    """All notes in force."""

    penalties: tuple[results.Penalty, ...] = ()
    bonuses: tuple[results.Bonus, ...] = ()
    honours: tuple[results.Honour, ...] = ()
    lots: tuple[tuple[str, ...], ...] = ()  # each drawing of names, the first drawn first
    excluded: frozenset[str] = frozenset()
    announced: dict[str, frozenset[int]] = field(default_factory=dict)  # by player: rounds announced the day before
    chosen: dict[str, dict[int, str]] = field(default_factory=dict)  # by player: round -> the board that counts
    both: dict[str, frozenset[int]] = field(default_factory=dict)  # by player: rounds of which both boards count
    rulings: dict[BoardPower, OfSeat[results.ScoreRuling]] = field(default_factory=dict)
    arrived: dict[BoardPower, OfSeat[int]] = field(default_factory=dict)  # the season somebody arrived in
    draws: dict[str, Fact[events.DrawEntered]] = field(default_factory=dict)  # by board: who is in the draw it ended in


def read_notes(event: Event) -> ReadNotes:
    """Read all notes in force; of two on the same, the newer counts."""

    def name_of(said: NoteOfPlayer) -> str:
        return event.people.name_of(said.player)

    def points_of(said: events.PenaltyEntered | events.BonusEntered) -> dict[str, Any]:
        points = results.exact(said.points) if said.points is not None else None
        return {"player": name_of(said), "kind": said.kind, "points": points, "round": said.round, "reason": said.why}

    chosen, both = _chosen_boards(event)
    return ReadNotes(
        penalties=tuple(
            results.Penalty(**points_of(fact.said), times=fact.said.times)
            for fact in standing(event.facts, events.PenaltyEntered)
        ),
        bonuses=tuple(results.Bonus(**points_of(fact.said)) for fact in standing(event.facts, events.BonusEntered)),
        honours=tuple(
            results.Honour(award=fact.said.award, player=name_of(fact.said), why=fact.said.why)
            for fact in standing(event.facts, events.AwardGiven)
        ),
        lots=tuple(
            tuple(event.people.name_of(number) for number in drawing)
            for drawing in _drawings(fact.said.players for fact in reversed(standing(event.facts, events.LotsDrawn)))
        ),
        excluded=frozenset(name_of(fact.said) for fact in standing(event.facts, events.PlayerExcluded)),
        announced={
            name_of(fact.said): frozenset(fact.said.rounds)
            for fact in standing(event.facts, events.PreregistrationEntered)
        },
        chosen=chosen,
        both=both,
        rulings={
            (fact.said.board, fact.said.power): OfSeat(
                results.ScoreRuling(results.exact(fact.said.score), fact.said.why), name_of(fact.said)
            )
            for fact in standing(event.facts, events.ScoreRuled)
        },
        arrived={
            (fact.said.board, fact.said.power): OfSeat(fact.said.season, name_of(fact.said))
            for fact in standing(event.facts, events.LateStartEntered)
        },
        draws=draws_of(event),
    )


def _chosen_boards(event: Event) -> tuple[dict[str, dict[int, str]], dict[str, frozenset[int]]]:
    """By player: the board that counts in each round for which one was chosen, and the rounds of which both count."""
    chosen: dict[str, dict[int, str]] = {}
    both: dict[str, set[int]] = {}
    for choice in standing(event.facts, events.BoardChosen):
        name, number = event.people.name_of(choice.said.player), choice.said.round
        chosen.setdefault(name, {})[number] = round_and_board(choice.said.board)[1]
        both.setdefault(name, set()).discard(number)
        if choice.said.both:
            both[name].add(number)
            del chosen[name][number]
    return chosen, {name: frozenset(rounds) for name, rounds in both.items()}


def _drawings(drawn: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """The lots, newest first; without those whose people are all in a newer, larger lot."""
    seen: set[int] = set()
    for lot in drawn:
        if seen.isdisjoint(lot):
            yield lot
        seen.update(lot)


def _published_results(event: Event) -> results.FinalResults | None:
    if (fact := final_results(event)) is None:
        return None
    places = {event.people.name_of(number): (place, total) for place, number, total in fact.said.places}
    return results.FinalResults(at=local_time(fact.at), places=places)


def event_results(
    event: Event, *, running: bool = False, public: Mapping[str, Game] | None = None
) -> results.EventResults:
    """The results of every game that is over; with ``running`` also of those that go on, as they stand.

    ``public`` are the games that everybody may see, by the board's full name: nothing else is looked at then, and a
    sheet was late only where its phase is over (None: all that is written down).
    """
    all_games = games(event) if public is None else public
    counted = [game for game in all_games.values() if game.ending or running]
    notes = read_notes(event)
    return results.EventResults(
        boards=tuple(as_board(game, notes) for game in counted),
        players={player.name: _as_player(event, player, notes) for player in event.players},
        teams=tuple(_teams(event)),
        penalties=(*_late_penalties(event, public), *notes.penalties),
        bonuses=tuple(_bonuses(event, [game.seating for game in all_games.values()], notes)),
        ballots=count_ratings(event),
        board_games=board_games_of(event),
        honours=notes.honours,
        lots=(*(lot.order_drawn for lot in lots(event) if lot.about is About.FINAL and lot.order), *notes.lots),
        going_on=frozenset(game.spot for game in all_games.values() if not game.ending),
        published=_published_results(event),
        ended_after=ended.said.after if (ended := ended_early(event)) else None,
    )


def _as_player(event: Event, player: RosterPlayer, notes: ReadNotes) -> results.Entrant:
    """One player with his notes; a preregistration on the roster counts for every round."""
    every = frozenset(range(1, event.tournament.rounds + 1)) if player.preregistered else frozenset()
    return results.Entrant(
        name=player.name,
        is_director=player.director,
        is_excluded=player.name in notes.excluded,
        has_left=player.left,
        distance_km=player.distance_km,
        preregistered=notes.announced.get(player.name, every),
        chosen=notes.chosen.get(player.name, {}),
        both=notes.both.get(player.name, frozenset()),
    )


def _as_seat(game: Game, power: Power, notes: ReadNotes) -> results.Seat:
    """Who sits at a power, whose seat it was, when he came, and what was ruled on the score."""
    earlier = [each for each in game.seating.earlier if each.power is power]
    here = game.seating.last_players[power]  # notes of whoever sat there before are not about this player
    arrived = notes.arrived.get((game.name, power))
    arrived = arrived if arrived and arrived.player == here else None
    ruling = notes.rulings.get((game.name, power))
    ruling = ruling if ruling and ruling.player == here else None
    left = [each for each in earlier if each.player]  # an empty seat has no player who could leave it
    return results.Seat(
        player=game.seating.players[power] or None,
        instead_of=left[0].player if left else None,
        between=tuple(
            results.Between(each.player, before.until.season_number)
            for before, each in pairwise(earlier)
            if each in left[1:]
        ),
        arrived=arrived.value if arrived else (earlier[-1].until.season_number if earlier else None),
        ruling=ruling.value if ruling else None,
        is_arrival_noted=arrived is not None,
        relieved=game.seating.relieved.get(power),
    )


def as_board(game: Game, notes: ReadNotes) -> results.Board:
    seats = {power: _as_seat(game, power, notes) for power in Power if power in game.seating.players}
    total = len(game.map.centres)
    return results.Board(
        round=game.seating.round,
        name=game.seating.board,
        seats=seats,
        centres=game.centres,
        years=game.counts_by_year,
        ended=results.Ending(game.ending) if game.ending else results.Ending.UNSTATED,
        is_final=game.seating.is_final,
        pool=game.seating.pool,
        chose=game.seating.chose,
        total=total,
        overruled=overruled_by(game.end.fact) if game.ending and game.end else (),
        left_out=survivors_left_out(game, notes.draws.get(game.name)),
        unowned=total - sum(game.centres.values()),  # a sheet or typed counts that do not add up are never entered
    )


def _teams(event: Event) -> Iterable[results.Team]:
    """The teams of the roster, in the order in which they first appear there."""
    names = dict.fromkeys(player.team for player in event.players if player.team)
    for name in names:
        members = [player for player in event.players if player.team == name]
        yield results.Team(name=name, members=tuple(p.name for p in members), country=members[0].country)


def _late_penalties(event: Event, public: Mapping[str, Game] | None) -> Iterable[results.Penalty]:
    """What late sheets cost, each with its turn and rule (EDC23 D4)."""
    rule = event.tournament.conduct.late_points
    if not rule.value:
        return
    conduct, every = conduct_of(event, all_rulings(event)), games(event)
    for turn, decision in conduct.late_points().items():
        if public is not None and not _is_phase_over(public, turn):
            continue
        if conduct.players[turn] and (points := -(decision.points or Fraction(0))):
            reason = f"{turn}: late ({rule.source})"
            yield results.Penalty(
                player=conduct.players[turn],
                kind="late",
                points=points,
                round=every[turn.board].seating.round,
                reason=reason,
            )


def _is_phase_over(public: Mapping[str, Game], turn: Turn) -> bool:
    """Whether the phase of a turn is over on a board that everybody may see: it is published, or the game has ended."""
    game = public.get(turn.board)
    return game is not None and (bool(game.ending) or any(played.phase == turn.phase for played in game.played))


def _bonuses(event: Event, boards: Sequence[Seating], notes: ReadNotes) -> Iterable[results.Bonus]:
    """Withdrawals and what is noted; no withdrawal of somebody who took a seat of that round after all (EDC23 D2)."""
    sat = {(name, board.round) for board in boards for name in board.everybody}
    for bonus in (*_withdrawals(event, {board.round for board in boards}, notes), *notes.bonuses):
        if bonus.kind != WITHDRAWAL or bonus.points is not None or (bonus.player, bonus.round) not in sat:
            yield bonus


def _withdrawals(event: Event, rounds: Set[int], notes: ReadNotes) -> Iterable[results.Bonus]:
    """Who sat out these rounds voluntarily, if the rules give points for it (EDC23 D); the newest draw counts.

    A withdrawal that is noted, too, is the same one.
    """
    if event.tournament.scoring.bonuses.withdrawal is None:
        return
    noted = {(bonus.player, bonus.round) for bonus in notes.bonuses if bonus.kind == WITHDRAWAL}
    for number, fact in seated_rounds(event).items():
        if number not in rounds:
            continue
        for each in fact.said.draw.aside if fact.said.draw else ():
            if (str(each.player), number) not in noted:
                known = next(filter(each.why.startswith, (BY_WORD, VOLUNTEERS)), "")
                lot = OF_LOT if each.why.endswith(OF_LOT) else ""
                middle = each.why.removeprefix(known).removesuffix(lot)
                reason = f"{event.speech.says(known)}{middle}{event.speech.says(lot)}"
                yield results.Bonus(player=str(each.player), kind=WITHDRAWAL, round=number, reason=reason)


# The scores of an event, as the facts have them.

BEFORE_PLAY = StandingsMoment(0)


def scored_event(
    event: Event,
    *,
    running: bool = False,
    public: Mapping[str, Game] | None = None,
    moment: StandingsMoment | None = None,
) -> Scored:
    """Score every game that is over; with ``running`` also those that go on, as they stand; or all of a moment.

    ``public`` are the games that everybody may see (see `event_results`); None: the director's standings.
    """
    results_of_event = event_results(event, running=running or moment is not None, public=public)
    return score(at_moment(results_of_event, moment) if moment else results_of_event, event.tournament.scoring)


def public_standings(event: Event, public: Mapping[str, Game]) -> Scored:
    """The standings that everybody may see; where the rules show them at some moments only, those of the newest."""
    over, interim = scored_event(event, public=public), event.tournament.scoring.interim
    if interim and interim.moments and not over.progress.is_over:
        over = scored_event(event, public=public, moment=newest_moment(event, public) or BEFORE_PLAY)
    return without_places_before_play(over)


def without_places_before_play(scored: Scored) -> Scored:
    """Standings in which nobody is listed before a game is over: who has a bonus by then has no result yet."""
    return scored if scored.games else replace(scored, standings=replace(scored.standings, unranked=()))


def projected_standings(event: Event, public: Mapping[str, Game]) -> Scored | None:
    """The standings that everybody may see, if every game of which there is a count ended now.

    None where no such game goes on, and where the rules show standings at some moments only.
    """
    counted = {name: game for name, game in public.items() if game.ending or game.position.phase.last_count is not None}
    interim = event.tournament.scoring.interim
    if (interim and interim.moments) or all(game.ending for game in counted.values()):
        return None
    return scored_event(event, running=True, public=counted)


def without_result(players: Iterable[RosterPlayer], scored: Scored) -> tuple[str, ...]:
    """Who is in none of these standings, because no game of theirs is over; without those who went home."""
    listed = {tally.player.name for tally in scored.standings.tallies}
    waiting = (player.name for player in players if not player.left and player.name not in listed)
    return tuple(sorted(waiting, key=name_order))


def newest_moment(event: Event, public: Mapping[str, Game] | None = None) -> StandingsMoment | None:
    """The newest moment that has come at which the rules show standings; None before the first, or without any."""
    interim = event.tournament.scoring.interim
    if interim is None or not interim.moments:
        return None
    results_of_event = event_results(event, running=True, public=public)
    return max(
        moments_reached(results_of_event, interim.moments),
        default=None,
        key=lambda each: (each.round, each.year or 9999),
    )


# Explain a player's place: from the place to the games, the centres, and when each was taken.

BLOCK_MEANINGS = {  # of the blocks of a scoring system whose names do not say what they count
    "table": " (by the count of centres)",
    "polynomial": " (of the count of centres)",
    "flat": " (the same to everybody)",
    "pot": " (shared by all who are in the draw)",
    "draw": " (by how many are in it)",
    "margins": " (centres more than each power below)",
    "lead": " (centres more than the second)",
    "top": " (by how many share the highest count)",
    "near top": " (shared by the top and those near it)",
    "distance": " (from the best of the others, in centres)",
    "places": " (by rank on the board)",
}


def explain_standing(event: Event, name: str) -> Iterator[str]:
    """The account of one player, the place first, a line at a time."""
    scored = scored_event(event)
    row = next((row for row in scored.standings.rows if name_key(row.player) == name_key(name)), None)
    tally = next((one for one in scored.standings.tallies if name_key(one.player.name) == name_key(name)), None)
    if tally is None:
        raise stop("has no place yet: no game of this player is over", name)
    decimals = event.tournament.scoring.decimals
    if row:
        place = f"place {row.place}{' (shared)' if row.is_tied else ''}"
    elif may_rank(tally):
        place = "no place yet, as no game is over"
    else:
        place = f"not ranked ({'the director' if tally.player.is_director else 'excluded'})"
    yield f"{tally.player.name}: {place}, {write_count(results.format_decimal(tally.total, decimals), 'point')}"
    if row is not None and (reason := decided_by(row, scored)):
        yield f"  decided by  {reason}"
    all_games = games(event)
    for counted in tally.games:
        yield from _game_lines(all_games[board_name(counted.game.round, counted.game.board.name)], counted, decimals)
    for extra in tally.extras:
        yield f"  {extra.kind:<11} {results.decimal(extra.points)}  {extra.why}"
    rounded = "" if tally.total == tally.exact else f", counts as {results.decimal(tally.total)}"
    yield f"  total       {results.decimal(tally.exact)}{rounded}"


def _game_lines(game: Game, counted: Counted, decimals: int) -> Iterator[str]:
    """One game: its score, what it is made of, and the centres with the year each was taken."""
    played = counted.game
    weight = "" if counted.weight == 1 else f" × {results.decimal(counted.weight)}"
    game_score = results.format_decimal(played.score, decimals)
    yield (
        f"  board {game.name:<5} {played.power}: {game_score}{weight}, {write_count(played.centres, 'centre')}, "
        f"{played.outcome}" + (f"; {counted.why}" if counted.why else "")
    )
    for part, points in played.parts.items():
        yield f"    {part}{BLOCK_MEANINGS.get(part, '')}: {results.decimal(points)}"
    for remark in played.remarks:
        yield f"    {remark}"
    for centre, taken in _taken_in(game, played.power).items():
        yield f"    {centre}  {taken}"


def _taken_in(game: Game, power: Power) -> dict[str, str]:
    """Since when a power owns each of its centres, and with which unit each was taken, for ``explain``.

    Empty for a game played elsewhere, of which only the counts are known.
    """
    if game.entered is not None:
        return {}
    first = game.played[0].before if game.played else game.position
    is_start = first == starting_position(game.map)
    held = "held from the start" if is_start else f"held in {first.phase.in_words}, when the position was set"
    mine, by_hand = first.centres.get(power, ()), "held since the position was set by hand"
    owned = {each: held if each in mine else by_hand for each in sorted(game.position.centres.get(power, ()))}
    for played in game.played:
        before = set(played.before.centres.get(power, ()))
        after = set(played.resolution.after.centres.get(power, ()))
        for centre in after - before:
            unit = next((u for u in played.resolution.after.units.get(power, ()) if u.province == centre), None)
            if centre in owned:
                owned[centre] = f"taken in {played.phase.in_words}" + (f" by {unit}" if unit else "")
    return owned
