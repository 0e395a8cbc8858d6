"""The cards and maps of a board that hang and do not say what counts, after something was corrected or taken back."""

from collections.abc import Iterator, Mapping
from itertools import groupby

from msgspec import Struct

from pipeline.board import Phase
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import PhaseFact
from pipeline.desk.publish.explain import differences
from pipeline.ledger.events import ActTakenBack, LedgerEvent, PhasePublished, PositionSet
from pipeline.ledger.ledger import Fact

Stood = dict[Phase, Fact[PhasePublished]]  # how each published phase stood at some time


class Outdated(Struct, frozen=True):
    """The phases of a board whose cards and maps hang wrongly, in the order of play."""

    anew: tuple[Phase, ...]  # published otherwise a second time
    back: tuple[Phase, ...]  # they stand again as they did before something that was taken back
    gone: tuple[Phase, ...]  # not published any more


def find_outdated(event: Event, board: str) -> Outdated:
    """What is to be hung up or taken down, since the board came to a phase in which it never was before.

    Until then all that was published may hang, and what was gone for a while may have been taken down.
    """
    hung = dict[Phase, list[Fact[PhasePublished] | None]]()
    stood: Stood = {}
    for stood in _times(event, board):
        for phase in {*hung, *stood}:
            now, seen = stood.get(phase), hung.setdefault(phase, [])
            if now is not None and now not in seen:
                hung[phase] = [each for each in seen if each is not None]  # a card is printed with it
            hung[phase].append(now)
    anew, back, gone = list[Phase](), list[Phase](), list[Phase]()
    for phase, seen in sorted(hung.items(), key=lambda each: each[0].sort_key):
        counts = stood.get(phase)
        if counts is None:
            gone.append(phase)
        elif any(each is None or any(differences(each.said, counts.said)) for each in seen):
            is_newest = all(each is not None and each.number <= counts.number for each in seen)
            (anew if is_newest else back).append(phase)
    return Outdated(tuple(anew), tuple(back), tuple(gone))


def _times(event: Event, board: str) -> Iterator[Stood]:
    """How the phases of a board stood after each act, since the newest one was published first."""
    kinds: tuple[type[PhaseFact], ...] = (PhasePublished, PositionSet)
    facts = [fact for fact in event.facts.select(*kinds) if fact.said.board == board]
    first = dict[Phase, int]()
    for fact in facts:
        if isinstance(fact.said, PhasePublished):
            first.setdefault(fact.said.phase, fact.number)
    undone = dict[int, int]()
    acts: list[Fact[LedgerEvent]] = [*facts]
    for back in event.facts.select(ActTakenBack):
        if any(fact.number == back.said.fact for fact in facts):
            undone.setdefault(back.said.fact, back.number)
            acts.append(back)
    since = max(first.values(), default=0)
    acts = sorted((act for act in acts if act.number >= since), key=lambda act: act.number)
    for _, whole in groupby(acts, key=_act_of):
        yield _stood_at(max(act.number for act in whole), facts, undone)


def _act_of(fact: Fact[LedgerEvent]) -> object:
    """What is the same for the facts of one act: a correction is taken back as a whole, with one reason."""
    return (fact.by, fact.said.why) if isinstance(fact.said, ActTakenBack) else fact.number


def _stood_at(number: int, facts: list[Fact[PhaseFact]], undone: Mapping[int, int]) -> Stood:
    """How the phases of a board stood when the journal came to a number."""
    stood: Stood = {}
    for fact in facts:
        if fact.number > number or undone.get(fact.number, number + 1) <= number:
            continue
        said = fact.said
        phase = said.phase if isinstance(said, PhasePublished) else Phase.read(said.position["phase"])
        stood = {each: then for each, then in stood.items() if each.sort_key < phase.sort_key}
        if published := fact.of(PhasePublished):
            stood[phase] = published
    return stood
