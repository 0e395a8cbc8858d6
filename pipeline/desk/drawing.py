"""Draw a round of an event: from its facts, its roster and its standings to seats, and back into a fact."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import MAPS, SIX_PLAYERS, Power
from pipeline.desk.draw_request import PEOPLE, Request, with_full_names
from pipeline.desk.drawn_again import check_again
from pipeline.desk.drawn_round import (
    Drawn,
    add_fixed_boards,
    earlier_decisions,
    final_board,
    last_draws,
    name_boards,
    records_of,
    standings_before,
    task_of,
    with_table,
)
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, ended_early, games, seated_rounds, seatings
from pipeline.desk.event.lots import OpenLots
from pipeline.desk.event.seating import boards_by_hand
from pipeline.desk.final_table import (
    FinalDecisions,
    FinalTable,
    PoolDecisions,
    PoolSeats,
    final_table,
    seat_pools,
    why_no_final_table,
)
from pipeline.desk.players import not_drawn
from pipeline.desk.results.results import read_notes
from pipeline.desk.void_sheets import void_note
from pipeline.draw.draw_round import draw_seats
from pipeline.draw.field import Gathering, Lots, RoundDecisions, Terms, Turnout, gather_players
from pipeline.draw.offers import Uneven, make_even, objections_to_choices
from pipeline.draw.roster import nobody_called
from pipeline.draw.task import Answers, Draw, Task, fill_open_settings, wishes_in_pool
from pipeline.ledger.claims import Claims
from pipeline.ledger.events import Seated
from pipeline.ledger.parts import About, BoardSeated, LotRecord
from pipeline.problems import ExitCode, Problem, Stopped, stop
from pipeline.rules.conduct import Reader
from pipeline.rules.load import load_tournament
from pipeline.rules.tournament import Aim, DrawRules
from pipeline.scoring.score import Scored


def draw_round(event: Event, request: Request, urn: OpenLots | None = None) -> Drawn:
    """Draw a round, or stop with everything that must be decided first (exit code 3).

    Nothing is written down but the lots that are drawn on the way; without an ``urn`` none is.
    """
    as_of = event.facts.last_number()
    drawn = _drawn_from(_start_of(event, request, urn))
    return replace(drawn, notes=(*drawn.notes, *_later_rounds(event, drawn), *void_note(event, drawn)), as_of=as_of)


def drawn_with_lots(event: Event, request: Request, word: str | None, by: str, *, may_write: bool = True) -> Drawn:
    """Draw a round; the lots that it takes are sealed and drawn openly, none in a dry run."""
    if not may_write:
        if word is not None:
            raise stop("a dry run draws no lot; leave it out, or --dry-run", "--word")
        return draw_round(event, request)
    with closing(Claims(event.folder / "claims.db")) as claims:
        urn = OpenLots(event=event, claims=claims, round=request.round, by=by, word=word)
        drawn = draw_round(event, request, urn)
        urn.close()
    return drawn


def _later_rounds(event: Event, drawn: Drawn) -> Iterator[str]:
    """Say of later rounds that they were drawn without regard to this draw; not if its seats stood then already."""
    rounds = seated_rounds(event)
    stands = rounds.get(drawn.round)
    is_same = stands is not None and {each.board: each.players for each in stands.said.boards} == drawn.boards
    for number, fact in rounds.items():
        if number > drawn.round and not (is_same and stands and stands.number < fact.number):
            text = "was drawn before this draw, and takes no account of it; draw it again if it has not begun"
            yield f"round {number} {text}"


class DrawStart(Struct, frozen=True, kw_only=True):
    """What a draw starts from: the request, with full names and all who are away, and the facts as they are now."""

    event: Event
    request: Request
    rules: DrawRules  # with those of another tournament for what this one's leave open, if the request says so
    fixed: Mapping[str, BoardSeated]  # boards that were set by hand
    before: Mapping[int, Seated]  # the draws that stand, by round
    scored: Scored  # the games of earlier rounds that are over
    going_on: tuple[str, ...]  # the games of earlier rounds that are not
    urn: OpenLots | None

    @property
    def round(self) -> int:
        return self.request.round

    @property
    def stands(self) -> Seated | None:
        """The draw of this round that stands."""
        return self.before.get(self.round)


def _start_of(event: Event, request: Request, urn: OpenLots | None) -> DrawStart:
    """Find out what the draw starts from; stop where the round cannot be drawn, or not once more."""
    if not 1 <= request.round <= event.tournament.rounds:
        raise stop(f"no round {request.round}; there are {event.tournament.rounds}", "--round")
    if ended := ended_early(event):
        text = f"the event ended after round {ended.said.after}; take that note (number {ended.number}) back first"
        raise stop(text, "--round")
    request = with_full_names(request, event.people.name_meant)
    if unknown := [name for name in request.declines if name not in event.people.names]:
        raise Stopped([nobody_called(name, event.people.names, "--declines") for name in unknown])
    fixed = boards_by_hand(event, request.round)
    request = replace(request, decisions=_with_all_absent(event, request.round, request.decisions))
    rules = event.tournament.draw
    if request.like:
        rules = fill_open_settings(rules, load_tournament(request.like).draw)
    before = last_draws(event)
    if (said := before.get(request.round)) and len(fixed) == len(said.boards):
        del before[request.round]  # all its boards were set by hand: nothing is drawn yet
    check_again(event, rules, request, before)
    return DrawStart(
        event=event,
        request=request,
        rules=rules,
        fixed=fixed,
        before=before,
        scored=standings_before(event, request.round),
        going_on=_games_going_on(request.round, games(event).values()),
        urn=urn,
    )


def _games_going_on(round_number: int, every: Iterable[Game]) -> tuple[str, ...]:
    """The games of earlier rounds that are still played."""
    return tuple(game.name for game in every if game.seating.round < round_number and not game.ending)


def boards_in_play(event: Event, round_number: int, every: Iterable[Game]) -> tuple[str, ...]:
    """The boards of earlier rounds that are still played, whose results a draw ignores; none in a league."""
    if event.tournament.is_league:
        return ()
    return _games_going_on(round_number, every)


def _drawn_from(start: DrawStart) -> Drawn:
    """Draw a round: the players of the final table, those of each pool, and then everybody else."""
    request, stands, table = start.request, start.stands, _final_table_of(start)
    if table and request.chosen and stands and stands.draw and stands.draw.waits:
        return with_table(start.round, table, stands)
    answers = earlier_decisions(start.before, start.round).with_later(request.answers)
    turnout = _field_or_questions(start, answers, table)
    task = task_of(start.event, start.round, start.rules, answers, turnout, start.scored)
    lot = _lots_of(start.urn, About.POOL) if request.final_lot else None
    asked = PoolDecisions(declined=request.declines, lot=lot)
    pools = seat_pools(start.scored, start.round, start.going_on, turnout.bodies, asked, task.size)
    seats, pool_names = _draw_pools(task, request.seed, pools, start.rules)
    boards = name_boards(seats.boards, task.tables, {*start.fixed, *(table.stays_at if table else ())})
    used = tuple(start.urn.used) if start.urn else ()
    drawn = Drawn(
        round=start.round,
        seed=request.seed,
        boards=boards,
        maps=_maps_of_six(start.event, boards, task.size),
        pools={
            name: pool
            for name, board in boards.items()
            for own, pool in zip(seats.boards, pool_names, strict=True)
            if own is board and pool
        },
        notes=(
            f"drawn with seed {request.seed}",
            *(note for pool in pools for note in pool.notes),
            *_notes_on_draw(start, seats, turnout, used),
            *why_no_final_table(start.event.tournament.scoring, start.scored, start.round),
        ),
        why=request.decisions.why,
        lots=used,
        broken=tuple(str(each) for each in seats.broken),
        turnout=turnout,
        table=table,
        answers=answers,
        points=seats.points,
    )
    if start.fixed:
        stood = [each.board for each in seated_rounds(start.event)[start.round].said.boards]
        drawn = add_fixed_boards(start.fixed, {name: stood.index(name) for name in start.fixed}, drawn)
    return _with_final(drawn, start.event, task) if table else drawn


def _final_table_of(start: DrawStart) -> FinalTable | None:
    """The final table of the round, with who stays where he sits, and with the powers that its players chose."""
    event, chosen = start.event, start.request.chosen
    scoring = event.tournament.scoring
    asked = _asked_of(start)
    table = final_table(scoring, start.scored, start.round, start.going_on, asked)
    if table is None:
        return None
    at = tuple(p.stays_at for p in event.players if p.stays_at and p.name in table.players)
    table = replace(table, stays_at=at)
    return table.with_powers(chosen) if chosen else table


def _maps_of_six(event: Event, boards: Mapping[str, Mapping[Power, str]], size: int) -> dict[str, str]:
    """The map of each board that has fewer players than the others, by its name."""
    return {name: SIX_PLAYERS[event.details.map_name] for name, players in boards.items() if len(players) < size}


def _draw_pools(task: Task, seed: int, pools: Sequence[PoolSeats], rules: DrawRules) -> tuple[Draw, list[str]]:
    """Draw each pool by itself, and then everybody else; with the pool of each board, empty for the others."""
    if not pools:
        drawn = draw_seats(task, seed)
        return drawn, [""] * len(drawn.boards)
    rest = list(task.bodies)
    parts: list[tuple[str, Draw]] = []
    for pool in pools:
        for name in pool.players:
            rest.remove(name)
        wishes = wishes_in_pool(task.wishes, rules.pools.get(pool.name, {}), pool.name)
        own = replace(task, bodies=pool.players, empty=(), points={}, rounds_after=0, mates_after=(), wishes=wishes)
        parts.append((pool.name, draw_seats(_among(own), seed)))
    if rest:
        parts.append(("", draw_seats(_among(replace(task, bodies=tuple(rest), points={})), seed)))
    boards = [(name, board) for name, drawn in parts for board in drawn.boards]
    whole = Draw(
        boards=tuple(board for _, board in boards),
        breaches=tuple(breach for _, drawn in parts for breach in drawn.breaches),
        notes=tuple(f"{name}: {note}" if name else note for name, drawn in parts for note in drawn.notes),
    )
    return whole, [name for name, _ in boards]


def _among(task: Task) -> Task:
    """A task without the players who do not sit at its boards."""
    here = set(task.bodies)
    together = tuple(tuple(name for name in group if name in here) for group in task.together)
    tables = {name: table for name, table in task.tables.items() if name in here}
    return replace(task, together=together, tables=tables, recorders=task.recorders & here)


def _with_all_absent(event: Event, round_number: int, decisions: RoundDecisions) -> RoundDecisions:
    """Add to the absent who sits on a board set by hand, has left, is excluded or is kept out by the roll call."""
    boards = [each for each in seatings(event).values() if each.round == round_number and each.is_by_hand]
    seated = dict.fromkeys(name for each in boards for name in each.players.values() if name)
    absent = (*decisions.absent, *(name for name in seated if name not in (*decisions.twice, *decisions.plays)))
    excluded = read_notes(event).excluded
    left = tuple(player.name for player in event.players if player.left or player.name in excluded)
    away = not_drawn(event, round_number, (*absent, *decisions.aside, *decisions.sent))
    return replace(decisions, absent=(*absent, *left, *away))


def _absent_players(decisions: RoundDecisions) -> frozenset[str]:
    """Whom the draw does not seat: away, excluded, sitting out, left out, or on a board that was set by hand."""
    return frozenset((*decisions.absent, *decisions.aside, *decisions.sent))


def _asked_of(start: DrawStart) -> FinalDecisions:
    """The director's word on the final table; players whom an unfinished draw has put there keep their seats."""
    request, stands, rules = start.request, start.stands, start.event.tournament.scoring
    waiting = stands.draw if stands and stands.draw and stands.draw.waits else None
    has_pools = any(pool.round == start.round for pool in rules.totals.pools)
    is_for_pools = has_pools and (rules.final is None or rules.final.round != start.round)
    return FinalDecisions(
        named=request.finalists,
        gone=_absent_players(request.decisions) | frozenset(request.declines),
        lot=_lots_of(start.urn, About.FINAL) if request.final_lot and not is_for_pools else None,
        seated=tuple(map(str, waiting.finalists)) if waiting and request.chosen else (),
    )


def _field_or_questions(start: DrawStart, answers: Answers, table: FinalTable | None) -> Turnout:
    """Find out who plays, or stop with all open questions at once."""
    try:
        return _field_of(start, table)
    except Stopped as stopped:
        away = _absent_players(start.request.decisions)
        here = tuple(p.name for p in start.event.players if p.name not in away and not p.director)
        further: tuple[Problem, ...] = ()  # what the rules leave open for such a field
        try:
            task_of(start.event, start.round, start.rules, answers, Turnout(bodies=here), start.scored)
        except Stopped as left_open:
            further = left_open.problems
        if isinstance(stopped, Uneven):
            raise Uneven(stopped.choice, further) from stopped
        raise Stopped((*stopped.problems, *further), stopped.code) from stopped


def _field_of(start: DrawStart, table: FinalTable | None) -> Turnout:
    """Find out who plays at the ordinary boards of the round."""
    event, decisions = start.event, start.request.decisions
    at_final = set(table.players) if table else set()
    others = [player for player in event.players if player.name not in at_final]
    ways = {way: getattr(decisions, way) for way in PEOPLE}
    others_of = {way: tuple(name for name in named if name not in at_final) for way, named in ways.items()}
    named_people = replace(decisions, **others_of)  # without those at the final table
    empty = Gathering(
        round=start.round,
        terms=_terms_of(event, start.rules, start.round),
        records=records_of(event, start.round, start.scored),
    )
    gathering = gather_players(others, named_people, empty)
    if not named_people.why and (problems := tuple(objections_to_choices(gathering, named_people))):
        raise Stopped(problems, ExitCode.RULE_FIRST)
    make_even(gathering, start.request.take, _lots_of(start.urn, About.FIELD))
    return gathering.turnout()


def _terms_of(event: Event, rules: DrawRules, round_number: int) -> Terms:
    """What the tournament says of a field that does not fill its boards."""
    is_last = round_number >= event.tournament.rounds  # everybody may play the last round (EDC96)
    variant = SIX_PLAYERS.get(event.details.map_name)
    return Terms(
        uneven=rules.uneven,
        director_boards=rules.director_boards,
        two_boards=event.tournament.conduct.two_boards_often,
        rounds_most=replace(rules.rounds_most, value=None) if is_last else rules.rounds_most,
        is_paid=event.tournament.scoring.bonuses.withdrawal is not None,
        size=len(event.board.start),
        six=len(MAPS[variant]().start) if variant else 0,
    )


def _lots_of(urn: OpenLots | None, about: About) -> Lots:
    """Draw lots from the urn, or say that one is needed where there is none."""

    def draw_names(names: tuple[str, ...], count: int) -> tuple[str, ...]:
        if urn is None:
            text = (
                f"{count} of {len(names)} by lot: {', '.join(names)}; none is drawn in a dry run, leave --dry-run out"
            )
            raise stop(text, "--dry-run", ExitCode.RULE_FIRST)
        return urn.draw(about, names, count)

    return draw_names


def _notes_on_draw(start: DrawStart, seats: Draw, turnout: Turnout, used: Iterable[LotRecord]) -> Iterator[str]:
    """Write the notes on a draw: wishes not met, who does not play and why, and results still missing."""
    event, request = start.event, start.request
    yield from seats.notes
    yield from map(str, seats.breaches)
    if turnout.six:
        yield f"{turnout.six} of the boards without Turkey, for six; that was the director's choice"
    paid = event.tournament.scoring.bonuses.withdrawal is not None
    groups = (
        ("sits out", turnout.aside, ""),
        ("is left out", turnout.sent, "; no bonus; to withdraw in another round is still open" if paid else ""),
        ("does not play", turnout.out, ""),
        ("plays two boards", turnout.twice, ""),
        ("plays to fill a board", turnout.plays, ""),
    )
    for word, people, more in groups:
        yield from (f"{each.name} {word}: {each.why}{more}" for each in people)
    yield from (lot.in_words for lot in used)
    if request.decisions.why:
        yield f"the director's reason: {request.decisions.why}"
    if start.going_on:
        yield f"the standings leave out {', '.join(start.going_on)}, where play goes on"
    played = {game.seating.round for game in games(event).values()}
    yield from (f"round {number} is not drawn yet" for number in range(1, request.round) if number not in played)
    if request.like:
        yield f"what the rules leave open is drawn as in {request.like}, as the director decided"
    conduct = event.tournament.conduct
    if request.round == 1 and conduct.reader.value is Reader.BEGINNERS and not any(p.beginner for p in event.players):
        text = "no player is a beginner (roster, column 'beginner'); beginners' orders are read first"
        yield f"{text} ({conduct.reader.source})"


def _with_final(drawn: Drawn, event: Event, task: Task) -> Drawn:
    """Add the final table as the last board: with the powers its players chose, or drawn where nobody chooses."""
    table = drawn.table
    assert table is not None
    if table.chooses and not table.powers:
        return replace(drawn, notes=(*drawn.notes, *table.notes))
    name = final_board(table, drawn.boards)
    if table.powers:
        seats: Mapping[Power, str] = {power: who for who, power in table.powers}
    else:
        powers = tuple(w for w in task.wishes.wished if w.aim in (Aim.SAME_POWER_ONCE, Aim.POWER_GROUPS))
        own = replace(task, bodies=table.players, wishes=replace(task.wishes, wished=powers, meetings_most=None))
        own = replace(own, mates=frozenset(), families=frozenset(), together=(), points={}, rounds_after=0, empty=())
        own = replace(own, tables={}, recorders=frozenset())
        drawn_seats = draw_seats(own, drawn.seed)
        seats = drawn_seats.boards[0]
        drawn = replace(drawn, notes=(*drawn.notes, *map(str, drawn_seats.breaches)))
    if missing := [str(power) for power in event.board.start if power not in seats]:
        raise stop(f"nobody chose {', '.join(missing)}", "--final")
    return replace(drawn, boards={**drawn.boards, name: seats}, final=name, notes=(*drawn.notes, *table.notes))
