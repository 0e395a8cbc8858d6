"""How far an event has come: which rounds are over, and whether the final table is."""

from dataclasses import dataclass
from enum import Enum

from pipeline.scoring.results.results import EventResults
from pipeline.scoring.totals.rules import Final, ScoringRules
from pipeline.words.speech import to_say
from pipeline.words.wording import wording

DURING, AFTER = to_say("during round {round} of {planned}"), to_say("after round {round} of {planned}")


class FinalState(Enum):
    """What became of the final table."""

    NONE = "none"  # the rules have none, or too few players have a positive result (EDC23 B)
    TO_COME = "to come"
    GOING_ON = "going on"
    NOT_MARKED = "not marked"  # its round is over, and none of its boards is the final table
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Progress:
    """What is over. A round is over with the last of its boards."""

    planned: int  # rounds
    over: frozenset[int]
    going_on: frozenset[int]  # rounds of which a board goes on
    final: FinalState

    @classmethod
    def of(cls, event: EventResults, rules: ScoringRules, *, is_final_held: bool) -> "Progress":
        """Say how far an event has come."""
        going_on = frozenset(number for number, _ in event.going_on)
        over = frozenset(event.rounds) - going_on
        return cls(
            planned=rules.totals.rounds,
            over=over,
            going_on=going_on,
            final=final_state(event, rules.final, over) if rules.final and is_final_held else FinalState.NONE,
        )

    @property
    def is_over(self) -> bool:
        """Whether every round that the rules have is over, and with them the final table."""
        planned = sum(1 for number in self.over if number <= self.planned)
        return planned >= self.planned and not self.going_on and self.final in (FinalState.NONE, FinalState.OVER)

    def are_over(self, rounds: tuple[int, ...]) -> bool:
        """Whether certain rounds are over."""
        return self.over.issuperset(rounds)

    def __str__(self) -> str:
        return in_words(self)


def final_state(event: EventResults, final: Final, over: frozenset[int]) -> FinalState:
    """Say what became of the final table of an event that has one."""
    marked = [board.spot for board in event.finals]
    if marked:
        return FinalState.GOING_ON if set(marked) & event.going_on else FinalState.OVER
    return FinalState.NOT_MARKED if final.round in over else FinalState.TO_COME


def in_words(progress: Progress) -> str:
    """Say how far it has come.

    >>> print(Progress(4, frozenset({1, 2}), frozenset(), FinalState.TO_COME))
    after round 2 of 4
    >>> print(Progress(4, frozenset({1, 2, 3, 4}), frozenset(), FinalState.NOT_MARKED))
    after round 4 of 4, the final table not marked
    >>> print(Progress(3, frozenset({1}), frozenset({2}), FinalState.NONE))
    during round 2 of 3
    """
    begun, planned = progress.over | progress.going_on, progress.planned
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
    if progress.final is FinalState.NOT_MARKED:
        words = wording("{far}, the final table not marked", far=words)
    return words
