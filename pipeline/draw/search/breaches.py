"""What a drawn round does not meet: every wish, every player it concerns, and what limits any draw of that round."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from pipeline.board.map import Power
from pipeline.draw.search.prices import group_turns, wanted_together
from pipeline.draw.search.task import Breach, Pair, Task, Wished
from pipeline.rules.event_rules import Aim, Wish

Board = Mapping[Power, str]


def breaches(task: Task, boards: Sequence[Board]) -> tuple[Breach, ...]:
    """List everything that a wish would have otherwise, most important first, found without the search."""
    forbidden = list(too_often(task, boards))
    found = forbidden[:]
    checks = {
        Aim.SAME_POWER_ONCE: same_powers,
        Aim.POWER_GROUPS: groups,
        Aim.TEAMS_APART: mates,
        Aim.FAMILIES_APART: relatives,
        Aim.NEW_OPPONENTS: repeats,
        Aim.TRIOS_APART: trios,
        Aim.BEST_TOGETHER: bests,
    }
    for wished in task.wishes.wished:
        found += [breach(wished, *each) for each in checks[wished.aim](task, boards)]
    too_many = {each.who for each in forbidden}
    return tuple(replace(each, is_allowed=may_be(each, task) and each.who not in too_many) for each in found)


Hit = tuple[tuple[str, ...], str]  # who, and in words


def may_be(each: Breach, task: Task) -> bool:
    """Whether the rules that wish for new opponents say how often players may meet all the same (NZ99 19)."""
    allowed = task.wishes.meetings_most is not None and task.wishes.meetings_most > 1
    return each.aim == Aim.NEW_OPPONENTS and each.wish is Wish.SHOULD and allowed


def breach(wished: Wished, who: tuple[str, ...], text: str) -> Breach:
    """Put the wish to what is against it."""
    return Breach(wish=wished.wish, rule=wished.rule, aim=str(wished.aim), who=who, text=text)


def sitting(boards: Sequence[Board]) -> Iterator[Pair]:
    """Every pair of players at one board."""
    for board in boards:
        for pair in combinations(sorted(set(board.values())), 2):
            yield frozenset(pair)


def meetings(task: Task, boards: Sequence[Board]) -> dict[Pair, int]:
    """How often the players who sit together now will have met, this round counted."""
    now, before = Counter(sitting(boards)), task.met()
    return {pair: before[pair] + count for pair, count in now.items()}


def too_often(task: Task, boards: Sequence[Board]) -> Iterator[Breach]:
    """Players who meet oftener than the rules allow."""
    most = task.wishes.meetings_most
    if most is None:
        return
    for pair, count in meetings(task, boards).items():
        if count > most:
            text = f"{both(pair)} meet for the {ordinal(count)} time; at most {most} are allowed"
            who = tuple(sorted(pair))
            yield Breach(wish=Wish.MUST, rule=task.wishes.meetings_rule, aim="meetings_most", who=who, text=text)


def same_powers(task: Task, boards: Sequence[Board]) -> Iterator[Hit]:
    """Players who have a power again."""
    rounds: dict[tuple[str, Power], list[int]] = {}
    for past in task.past:
        for power, name in past.players.items():
            rounds.setdefault((name, power), []).append(past.round)
    seats = Counter((name, power) for board in boards for power, name in board.items())
    for (name, power), count in sorted(seats.items()):
        if earlier := rounds.get((name, power)):
            yield (name,), f"{name} plays {power.title()} again, as in {in_rounds(earlier)}"
        if count > 1:
            yield (name,), f"{name} plays {power.title()} on two boards"


def groups(task: Task, boards: Sequence[Board]) -> Iterator[Hit]:
    """Players who have a power of a group they have had, while another group is still to come."""
    played = task.played()
    for board in boards:
        for power, name in board.items():
            if group_turns(played, name, power, task):
                group = next(group for group in task.wishes.groups if power in group)
                yield (name,), f"{name} plays {power.title()}, a further power of {words(p.title() for p in group)}"


def mates(task: Task, boards: Sequence[Board]) -> Iterator[Hit]:
    """Team mates at one board."""
    for pair in sitting(boards):
        if pair in task.mates:
            yield tuple(sorted(pair)), f"{both(pair)} are of one team and sit together"


def relatives(task: Task, boards: Sequence[Board]) -> Iterator[Hit]:
    """People at one board who are to be kept apart."""
    for pair in sitting(boards):
        if pair in task.families:
            yield tuple(sorted(pair)), f"{both(pair)} are to be kept apart and sit together"


def repeats(task: Task, boards: Sequence[Board]) -> Iterator[Hit]:
    """Players who meet again."""
    for pair, count in meetings(task, boards).items():
        if count > 1:
            yield tuple(sorted(pair)), f"{both(pair)} meet for the {ordinal(count)} time"


def trios(task: Task, boards: Sequence[Board]) -> Iterator[Hit]:
    """Three players who meet again."""
    for board in boards:
        for past in task.past:
            again = sorted(set(board.values()) & set(past.players.values()))
            for trio in combinations(again, 3):
                yield trio, f"{words(trio)} meet again, as in round {past.round}"


def bests(task: Task, boards: Sequence[Board]) -> Iterator[Hit]:
    """The best of the last round who have not met and do not meet now."""
    together = set(sitting(boards))
    for pair in wanted_together(task, task.met()):
        if pair not in together:
            yield tuple(sorted(pair)), f"{both(pair)}, among the best of the last round, have not met and sit apart"


def limits(task: Task, places: Sequence[int], found: Sequence[Breach]) -> tuple[str, ...]:
    """Say of what could not be met how much of it no draw could meet."""
    count = Counter(each.aim for each in found)
    notes = []
    if again := count[str(Aim.NEW_OPPONENTS)]:
        least, why = least_repeats(task)
        notes.append(f"{again} pairs meet again; no draw of this round has fewer than {least}{why}")
    powers = (Aim.SAME_POWER_ONCE, Aim.POWER_GROUPS)
    wished = [each.aim for each in task.wishes.wished if each.aim in powers]
    if wished and count[str(wished[0])]:
        least = least_powers(task, places, wished[0])
        what = "players have a power again" if wished[0] is Aim.SAME_POWER_ONCE else "players have a group again"
        notes.append(f"{count[str(wished[0])]} {what}; no draw of this round has fewer than {least}")
    elif len(wished) > 1 and count[str(wished[1])]:
        least = least_powers(task, places, wished[1])
        notes.append(f"{count[str(wished[1])]} players have a group again; the best share of powers leaves {least}")
    return tuple(notes)


def least_repeats(task: Task) -> tuple[int, str]:
    """How many pairs at least meet again: seven from each board of an earlier round spread over so many boards."""
    here = set(task.bodies)
    least: dict[int, int] = {}
    for number in sorted({board.round for board in task.past}):
        sizes = [len(here & set(b.players.values())) for b in task.past if b.round == number]
        if pairs := sum(spread_pairs(size, task.boards) for size in sizes):
            least[number] = pairs
    if not least:
        return 0, ""
    if task.wishes.meetings_most == 2:  # then nobody meets again whom he has met twice: the rounds add up
        rounds, bound = sorted(least), sum(least.values())
    else:
        rounds, bound = [max(least, key=lambda number: least[number])], max(least.values())
    return bound, f": the players of each board of {in_rounds(rounds)} sit down at {task.boards} boards"


def spread_pairs(count: int, boards: int) -> int:
    """The fewest pairs that so many players make when they are spread over so many boards.

    >>> spread_pairs(7, 4), spread_pairs(7, 7)
    (3, 0)
    """
    full, over = divmod(count, boards)
    return over * (full + 1) * full // 2 + (boards - over) * full * (full - 1) // 2


def least_powers(task: Task, places: Sequence[int], aim: Aim) -> int:
    """How many breaches the best share of powers over the whole field has, boards and opponents left aside."""
    played = task.played()
    seats = [(name, task.powers[place]) for name, place in zip(task.bodies, places, strict=True)]
    if aim is Aim.SAME_POWER_ONCE:
        return sum(1 for seat in seats if played[seat])
    return sum(1 for name, power in seats if group_turns(played, name, power, task))


def both(pair: Pair) -> str:
    """Name two players."""
    return words(sorted(pair))


def words(names: Iterator[str] | Sequence[str]) -> str:
    """Join names as people say them.

    >>> words(["Ann", "Bob", "Cat"])
    'Ann, Bob and Cat'
    """
    *most, last = list(names)
    return f"{', '.join(most)} and {last}" if most else last


def ordinal(count: int) -> str:
    """Write which time it is."""
    return {2: "2nd", 3: "3rd"}.get(count, f"{count}th")


def in_rounds(numbers: Sequence[int]) -> str:
    """Write in which rounds."""
    return f"round {numbers[0]}" if len(numbers) == 1 else f"rounds {words([str(n) for n in numbers])}"
