"""How rarely players meet again and have a power again, beside the best known tool, and how long a round takes.

    python benchmarks/draw.py [--seeds 3] [--only 28x4,49x4]

Each line draws a whole tournament, round by round, knowing in each round only those before it; of several seeds the
worst figures are shown. ``least`` is proved: seven of one board who sit down at B boards make pairs
(docs/explanation/draw.md). A power had twice where it need not be, or more repeats than the known tool, ends the run
with exit code 1.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from math import comb

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.draw.draw_round import draw_seats, spread_pairs
from pipeline.draw.task import Answers, PastBoard, Task, Wishes, wishes_of
from pipeline.rules.load import load_tournament
from pipeline.rules.tournament import Aim

HEADS = ("tournament", "repeats", "least", "known tool", "most meetings", "powers again", "known tool", "s a round")
MATTERS = frozenset({Aim.SAME_POWER_ONCE, Aim.POWER_GROUPS, Aim.NEW_OPPONENTS, Aim.TRIOS_APART})


class Case(Struct, frozen=True, kw_only=True):
    """One tournament to be drawn."""

    players: int
    rounds: int
    rules: str = "edc1996"
    meetings_most: int | None = None
    changing: int = 0  # so many go after each round, and as many come
    team: int = 0  # members, who play apart in every round
    known_repeats: int | None = None
    known_powers: int | None = None

    def __str__(self) -> str:
        words = [f"{self.players}x{self.rounds}"]
        words += [self.rules] if self.rules != "edc1996" else []
        words += [f"at most {self.meetings_most}"] if self.meetings_most else []
        words += [f"{self.changing} change"] if self.changing else []
        words += [f"teams of {self.team}"] if self.team else []
        return ", ".join(words)


CASES = (
    Case(players=28, rounds=4, known_repeats=72),
    Case(players=28, rounds=4, meetings_most=2, known_repeats=72),
    Case(players=28, rounds=3, rules="nzdc1999"),
    Case(players=35, rounds=4),
    Case(players=42, rounds=4),
    Case(players=49, rounds=4, known_repeats=9),
    Case(players=49, rounds=4, team=4),
    Case(players=56, rounds=4, team=4),
    Case(players=28, rounds=4, team=4),
    Case(players=49, rounds=4, changing=3),
    Case(players=56, rounds=4),
    Case(players=63, rounds=5),
    Case(players=70, rounds=5),
    Case(players=98, rounds=4),
    Case(players=140, rounds=5, known_powers=1),
    Case(players=140, rounds=5, changing=10),
)


class Figures(Struct, frozen=True):
    """How a tournament was drawn."""

    repeats: int
    most: int
    powers: int
    seconds: float  # of the slowest round

    def worst(self, other: "Figures") -> "Figures":
        """The worse of each figure."""
        return Figures(
            max(self.repeats, other.repeats),
            max(self.most, other.most),
            max(self.powers, other.powers),
            max(self.seconds, other.seconds),
        )


def wishes_for(case: Case) -> Wishes:
    rules = load_tournament(case.rules).draw
    matters = MATTERS if rules.power_groups.value else MATTERS - {Aim.POWER_GROUPS}
    found = wishes_of(rules, Answers(), matters | {Aim.TEAMS_APART} if case.team else matters)
    return replace(found, meetings_most=case.meetings_most) if case.meetings_most else found


def drawn(case: Case, seed: int) -> Figures:
    """Draw a tournament."""
    wishes, past, slowest = wishes_for(case), list[PastBoard](), 0.0
    points: Mapping[str, tuple[int, int]] = {}
    for number in range(1, case.rounds + 1):
        gone = (number - 1) * case.changing
        task = Task(
            powers=tuple(Power),
            bodies=tuple(f"P{n}" for n in range(gone, gone + case.players)),
            wishes=wishes,
            past=tuple(past),
            mates=mates_of(case),
            rounds_after=case.rounds - number,
            mates_after=(mates_of(case),) * (case.rounds - number),
            points=points,
        )
        start = time.process_time()
        found = draw_seats(task, 1000 * seed + number)
        slowest = max(slowest, time.process_time() - start)
        points = found.points
        past += [PastBoard(round=number, players=board) for board in found.boards]
    met = Counter(frozenset(pair) for board in past for pair in combinations(board.players.values(), 2))
    had = Counter((name, power) for board in past for power, name in board.players.items())
    repeats, powers = sum(met.values()) - len(met), sum(had.values()) - len(had)
    return Figures(repeats, max(met.values()), powers, slowest)


def mates_of(case: Case) -> frozenset[frozenset[str]]:
    """Who is in one team with whom."""
    teams = [range(first, first + case.team) for first in range(0, case.players - case.team + 1, case.team or 1)]
    return frozenset(frozenset((f"P{a}", f"P{b}")) for team in teams for a, b in combinations(team, 2))


def least(case: Case) -> str:
    """The fewest repeats there can be."""
    boards = case.players // 7
    in_two_rounds = boards * spread_pairs(7, boards)
    cap = case.meetings_most or (2 if case.rules == "nzdc1999" else None)
    if case.changing:
        return "-"
    if cap == 2:  # nobody meets a third time: every pair of rounds has its own repeats
        return str(comb(case.rounds, 2) * in_two_rounds)
    return str((case.rounds - 1) * in_two_rounds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="", help="such as 28x4,49x4")
    given = parser.parse_args()
    only = [word for word in given.only.split(",") if word]
    print(" | ".join(HEADS))
    worse = False
    for case in CASES:
        if only and f"{case.players}x{case.rounds}" not in only:
            continue
        figures = drawn(case, 1)
        for seed in range(2, given.seeds + 1):
            figures = figures.worst(drawn(case, seed))
        cells = (
            f"{case!s:<18}",
            figures.repeats,
            least(case),
            "-" if case.known_repeats is None else case.known_repeats,
            figures.most,
            figures.powers,
            "-" if case.known_powers is None else case.known_powers,
            f"{figures.seconds:.2f}",
        )
        print(" | ".join(map(str, cells)), flush=True)
        worse |= figures.powers > 0 or (case.known_repeats is not None and figures.repeats > case.known_repeats)
    return int(worse)


if __name__ == "__main__":
    sys.exit(main())
