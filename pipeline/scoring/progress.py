"""How far an event has come: which rounds are over, and whether the final table is."""

from collections import Counter
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from pipeline.scoring import rules as scoring_rules
from pipeline.scoring.results import EventResults
from pipeline.words.speech import to_say, wording

IN_LEAGUE = to_say("during round {round}"), to_say("after round {round}")
DURING, AFTER = to_say("during round {round} of {planned}"), to_say("after round {round} of {planned}")


class FinalState(Enum):
    """What became of the final table."""

    NONE = "none"  # the rules have none, or too few players have a positive result (EDC23 B)
    TO_COME = "to come"
    GOING_ON = "going on"
    NOT_MARKED = "not marked"  # its round is over, and none of its boards is the final table
    OVER = "over"


class ResultsState(Enum):
    """Whether results may still be amended."""

    NOT_SAID = "not said"  # the rules do not speak of it
    INTERIM = "interim"  # an error that is found is corrected, and places are amended (WM XI.4)
    FINAL = "final"


class Progress(Struct, frozen=True):
    """What is over. A round is over with the last of its boards, or when too few may still play it for one."""

    planned: int  # rounds; 0: a league, which is never over
    over: frozenset[int]
    going_on: frozenset[int]  # rounds of which a board goes on
    final: FinalState
    year: int | None = None  # after whose Fall the boards that go on are looked at; None: as they stand
    results: ResultsState = ResultsState.NOT_SAID
    ended_early: bool = False  # the rounds that were not played are played no more

    @classmethod
    def of(cls, event: EventResults, rules: scoring_rules.ScoringRules, *, is_final_held: bool) -> "Progress":
        """Say how far an event has come."""
        going_on = frozenset(number for number, _ in event.going_on)
        over = frozenset(event.rounds) - going_on
        ended_early = event.ended_after is not None and max(over | going_on, default=0) <= event.ended_after
        if not ended_early:
            over |= rounds_played_out(event, rules)
        progress = cls(
            planned=rules.totals.rounds,
            over=over,
            going_on=going_on,
            final=_final_state(event, rules.final, over) if rules.final and is_final_held else FinalState.NONE,
            year=event.year,
            ended_early=ended_early,
        )
        if ended_early and progress.final is FinalState.TO_COME:
            progress = replace(progress, final=FinalState.NONE)
        return replace(progress, results=_results_state(event, rules.interim, is_over=progress.is_over))

    @property
    def is_over(self) -> bool:
        """Whether every round is over that the rules have, or that is still played, and with them the final table."""
        planned = sum(1 for number in self.over if number <= self.planned)
        return (
            bool(self.planned)
            and (planned >= self.planned or (self.ended_early and bool(self.over)))
            and not self.going_on
            and self.final in (FinalState.NONE, FinalState.OVER)
        )

    def are_over(self, rounds: tuple[int, ...]) -> bool:
        return self.over.issuperset(rounds)

    def __str__(self) -> str:
        return _progress_in_words(self)


def rounds_played_out(event: EventResults, rules: scoring_rules.ScoringRules) -> frozenset[int]:
    """Find the rounds that get no board any more, as players may play only so many (EDC96: three of the first four).

    Fewer may still play than sat on the smallest board so far. Who went home or is excluded plays no more; directors
    are not counted; who never came may still come.
    """
    limit = rules.totals.most_games
    boards = [board for board in event.boards if limit and board.round in limit.rounds]
    if limit is None or not boards or any(number in limit.rounds for number, _ in event.going_on):
        return frozenset()
    players = {name: player for name, player in event.players.items() if not player.is_director}
    smallest = min(sum(seat.player in players for seat in board.seats.values()) for board in boards)
    games = Counter(
        name for board in boards for seat in board.seats.values() for name in {seat.player, *seat.former_players}
    )
    may_play = [
        name
        for name, player in players.items()
        if not (player.has_left or player.is_excluded) and games[name] < limit.games
    ]
    return frozenset(limit.rounds).difference(event.rounds) if len(may_play) < smallest else frozenset()


def _final_state(event: EventResults, final: scoring_rules.Final, over: frozenset[int]) -> FinalState:
    """Say what became of the final table of an event that has one."""
    marked = [board.spot for board in event.finals]
    if marked:
        return FinalState.GOING_ON if set(marked) & event.going_on else FinalState.OVER
    return FinalState.NOT_MARKED if final.round in over else FinalState.TO_COME


def _results_state(event: EventResults, interim: scoring_rules.InterimRules | None, *, is_over: bool) -> ResultsState:
    """Results are interim until the event is over, or where the rules say so, until they are published as final."""
    if interim is None:
        return ResultsState.NOT_SAID
    is_final = is_over and (interim.until is scoring_rules.Until.OVER or event.published is not None)
    return ResultsState.FINAL if is_final else ResultsState.INTERIM


def _progress_in_words(progress: Progress) -> str:
    """Say how far it has come, and whether the results are interim.

    >>> interim = Progress(3, frozenset({1}), frozenset({2}), FinalState.NONE, 1904, ResultsState.INTERIM)
    >>> print(interim)
    during round 2 of 3, after Fall 1904, interim
    """
    words = _rounds_in_words(progress)
    if progress.year:
        words = wording("{far}, after Fall {year}", far=words, year=progress.year)
    match progress.results:
        case ResultsState.INTERIM:
            return wording("{far}, interim", far=words)
        case ResultsState.FINAL:
            return wording("{far}, final", far=words)
        case _:
            return words


def _rounds_in_words(progress: Progress) -> str:
    """Say how many rounds are over.

    >>> print(Progress(4, frozenset({1, 2}), frozenset(), FinalState.TO_COME))
    after round 2 of 4
    >>> print(Progress(4, frozenset({1, 2, 3, 4}), frozenset(), FinalState.NOT_MARKED))
    after round 4 of 4, the final table not marked
    >>> print(Progress(3, frozenset({1}), frozenset({2}), FinalState.NONE))
    during round 2 of 3
    """
    begun, planned = progress.over | progress.going_on, progress.planned
    if not planned:
        if not begun:
            return wording("before round 1")
        last = max(begun)
        return wording(IN_LEAGUE[last not in progress.going_on], round=last)
    if not begun:
        return wording("before round 1 of {planned}", planned=planned)
    last = max(begun)
    missed = [number for number in range(1, min(last, planned)) if number not in progress.over]
    during = last in progress.going_on
    words = wording(DURING if during else AFTER, round=last, planned=planned)
    if open_before := tuple(number for number in missed if number in progress.going_on):
        words = wording("{far}, round {rounds} going on", far=words, rounds=open_before)
    if not_played := tuple(number for number in missed if number not in progress.going_on):
        words = wording("{far}, without round {rounds}", far=words, rounds=not_played)
    if progress.ended_early and not during:
        words = wording("{far}, ended early", far=words)
    if progress.final is FinalState.NOT_MARKED:
        words = wording("{far}, the final table not marked", far=words)
    return words
