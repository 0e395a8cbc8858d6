"""What the director must say about an event's results: single games, seats, counts, levels, and the final table."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from pipeline.board import Power
from pipeline.scoring import doubts, ranking, system
from pipeline.scoring.awards import BestPower
from pipeline.scoring.doubts import ScoringDoubt
from pipeline.scoring.parts import Centres, Part, SurvivalUntil
from pipeline.scoring.progress import FinalState, Progress
from pipeline.scoring.qualification import Qualification
from pipeline.scoring.results import Board, Ending, EventResults, Seat
from pipeline.scoring.rules import ScoringRules
from pipeline.words.speech import wording


def game_doubts(
    event: EventResults, games: tuple[system.PlayerGame, ...], rules: ScoringRules
) -> Iterator[ScoringDoubt]:
    """What the director must say about single games: their ends, their years, and what the system guesses."""
    is_ruled = any(
        source.rule and (path == "scoring.compared" or path.startswith("scoring.compared."))
        for path, source in rules.sources.items()
    )
    yield from _board_doubts(event.boards, rules)
    yield from _guess_doubts(games, rules)
    yield from system.comparison_doubts(games, rules.system, has_rule=is_ruled)
    for board in event.boards:
        yield from system.year_doubts(board, rules.system_of(board))


def level_doubts(powers: Sequence[BestPower], titles: Sequence[ranking.TitleRanking]) -> Iterator[ScoringDoubt]:
    """An award that ends in a lot, or in the director's discretion, waits for him (Weasel XI.2; WDC08 16.3)."""
    for best in powers:
        if best.want:
            yield doubts.PowerLevel(power=best.power, players=best.want.tied, want=best.want)
    for title in titles:
        if title.first and (want := title.first[0].want):
            yield doubts.TitleLevel(title=title.rules.title, players=want.tied, want=want)


def _board_doubts(boards: Sequence[Board], rules: ScoringRules) -> Iterator[ScoringDoubt]:
    """What the rules leave to the director on single boards (Weasel III.8; NZ99 5; EDC96 12)."""
    for board in boards:
        spot, scoring = board.spot, rules.system_of(board)
        gone = board.ended in (Ending.ABANDONED, Ending.CONCEDED)
        if gone and scoring.abandoned is system.Abandoned.ASK and not scoring.solo.soloist(board):
            yield doubts.GameAbandoned(spot=spot, ending=board.ended)
        if board.ended is Ending.SOLO and not scoring.solo.soloist(board):
            yield doubts.SoloUnfounded(spot=spot)
        yield from _ending_doubts(board, rules)
        if (winner := scoring.solo.soloist(board)) and (stated := _stated_end_but_solo(board)):
            yield doubts.SoloDenied(spot=spot, ending=stated, power=winner, owned=board.centres[winner])
        if len(level := scoring.solo.winners(board)) > 1:
            yield doubts.SoloShared(spot=spot, powers=level)
        if rules.totals.rounds and board.round > rules.totals.rounds:
            yield doubts.RoundTooLate(spot=spot, rounds=rules.totals.rounds)
        if board.is_final and not rules.final:
            yield doubts.FinalUnknown(spot=spot)
        yield from system.contradictions(spot, board.years, board.centres, scoring.solo.centres_needed(board.total))
        yield from _count_doubts(board, rules)
        yield from _seat_doubts(board, boards, rules)


def _ending_doubts(board: Board, rules: ScoringRules) -> Iterator[ScoringDoubt]:
    """An end that the rules do not have, unless it is a solo or the director has overruled them."""
    if rules.system_of(board).solo.soloist(board):
        return
    if (rule := rules.endings.rule_against(board)) and not board.overruled:
        is_worthless = rules.system.abandoned is system.Abandoned.ZERO
        yield doubts.EndingUnknown(spot=board.spot, ending=board.ended, rule=rule, is_worthless=is_worthless)
    if board.left_out and rules.endings.all_survivors:
        out = tuple(power for power in Power if power in board.left_out)
        yield doubts.DrawOfSome(spot=board.spot, left_out=out, rule=rules.endings.all_survivors)


def _stated_end_but_solo(board: Board) -> str:
    """How the result says that the game ended, in words; empty if it says nothing, or a solo."""
    if board.left_out or board.says_draw:
        return wording("a draw")
    return "" if board.ended in (Ending.SOLO, Ending.UNSTATED) else wording(board.ended)


def _seat_doubts(board: Board, boards: Sequence[Board], rules: ScoringRules) -> Iterator[ScoringDoubt]:
    """What the rules leave to the director on single seats: replacements, and shares of who came late (EDC23 D)."""
    for power, seat in board.seats.items():
        if seat.ruling:
            continue
        if _is_replacement_open(seat, rules.system.replacement):
            yield doubts.SeatReplaced(spot=board.spot, power=power)
        asks_for_share = rules.system.late_seasons and rules.system.late_of is system.LateOf.ASK
        if asks_for_share and _is_share_open(board, seat, boards):
            yield doubts.LateShareOpen(spot=board.spot, power=power)


def _is_replacement_open(seat: Seat, rule: system.Replacement) -> bool:
    """Whether the rules do not say who scores: of a replacement, or of who came late to a seat that nobody had.

    Where a newcomer scores, a seat that was left and that nobody took has none.
    """
    came_late = seat.replaced_player is None and seat.arrived is not None and seat.arrived > 1
    match rule:
        case system.Replacement.ASK:
            return seat.replaced_player is not None or came_late
        case system.Replacement.NOBODY:
            return came_late
        case system.Replacement.NEWCOMER:
            return seat.replaced_player is not None and seat.player is None


def _is_share_open(board: Board, seat: Seat, boards: Sequence[Board]) -> bool:
    """Whether a late share is in question: only who relieves somebody on two boards has one by the rules (EDC23 D).

    Who took over from such a player before the first orders were published may still have come after the game began.
    """
    if seat.player is None or seat.is_arrival_noted or not (seat.relieved or seat.arrived):
        return False
    others = [other for other in boards if other.round == board.round and other is not board]
    names = {name for other in others for sits in other.seats.values() for name in (sits.player, sits.instead_of)}
    return bool(seat.relieved) or seat.instead_of is None or seat.instead_of not in names


def _guess_doubts(games: Sequence[system.PlayerGame], rules: ScoringRules) -> Iterator[doubts.ScoreGuessed]:
    """The doubts where the scores of a board depend on a guess about its system."""
    if not any(each.guesses for each in rules.systems):
        return
    for spot, seats in groupby(games, lambda game: game.board.spot):
        of_board = list(seats)
        scoring = rules.system_of(of_board[0].board)
        for guess in system.guesses_about(scoring, of_board):
            yield doubts.ScoreGuessed(spot=spot, system=scoring.name, why=guess.why)


def _count_doubts(board: Board, rules: ScoringRules) -> Iterator[ScoringDoubt]:
    """Centres that nobody counted, at the end or after a year that brings points (NZ99 B 1.2)."""
    spot, counted, scoring = board.spot, sum(board.centres.values()), rules.system_of(board)
    if counted + (board.unowned or 0) != board.total:
        yield doubts.CentresMissing(spot=spot, found=counted + (board.unowned or 0), total=board.total)
    if scoring.solo.soloist(board) or system.is_void(board, scoring):
        return
    for part in system.every_part(scoring):
        unknown = [power for power in board.powers if _is_unknown(part, board, power)]
        if isinstance(part, SurvivalUntil) and unknown:
            yield doubts.YearMissing(spot=spot, year=part.year, powers=tuple(unknown))
        if isinstance(part, Centres) and part.year is not None and part.year not in board.years:
            if board.years and max(board.years) < part.year and dict(board.years[max(board.years)]) == board.centres:
                why = wording(
                    "the game ended before {year}: the centres at its end are taken for those of that year",
                    year=part.year,
                )
                yield doubts.ScoreGuessed(spot=spot, system=scoring.name, why=why)
            else:
                yield doubts.YearsUnrecorded(spot=spot, gaps=(part.year,))


def _is_unknown(part: Part, board: Board, power: Power) -> bool:
    """Whether nobody can say if a power lived through a year: it is dead, and the year is not recorded (NZ99 B 1.2).

    Who owned a centre later was alive; who owned none in an earlier year was dead; a game that ended before that
    year, with the counts of its last recorded one, has a rule of its own.
    """
    if not isinstance(part, SurvivalUntil) or board.centres[power] or part.year in board.years:
        return False
    last = max(board.years, default=part.year)
    if last < part.year and all(board.count_owned(each, last) == owned for each, owned in board.centres.items()):
        return False
    lived_later = any(board.count_owned(power, year) for year in board.years if year > part.year)
    dead_before = any(not board.count_owned(power, year) for year in board.years if year < part.year)
    return not lived_later and not dead_before


def final_doubts(
    event: EventResults, rules: ScoringRules, qualified: Qualification | None, progress: Progress
) -> Iterator[ScoringDoubt]:
    """The final table is played once, in its round, by those who qualified for it."""
    final = rules.final
    if not final:
        return
    if progress.final is FinalState.NOT_MARKED:
        yield doubts.FinalNotMarked(round=final.round)
    if qualified and qualified.undecided and not event.finals and progress.final is not FinalState.NONE:
        yield doubts.LastSeatsOpen(players=qualified.undecided, seats=qualified.seats, want=qualified.want)
    for board in event.finals:
        spot = board.spot
        if board.round != final.round:
            yield doubts.FinalInOtherRound(spot=spot, round=final.round)
        names = {seat.player for seat in board.seats.values() if seat.player}
        if qualified and qualified.is_held:
            may_sit = {*qualified.finalists, *qualified.undecided}
            if final.moves_up:  # the next take the seats of those who decline
                may_sit |= {one.contender.name for one in qualified.ranking}
            yield from (doubts.NotQualified(spot=spot, player=name) for name in sorted(names - may_sit))
        elif qualified:
            yield doubts.FinalNotHeld(spot=spot, positive=qualified.positive, needed=final.at_least_positive)
    if len(event.finals) > 1:
        yield doubts.SeveralFinals(spots=tuple(board.spot for board in event.finals))
