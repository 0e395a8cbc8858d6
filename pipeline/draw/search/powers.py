"""Powers for players, exactly: the cheapest way to give every seat's power to one body.

Two problems of assignment: over the whole field before boards are searched (which no seating can beat), and over each
board afterwards. The first is solved by shortest augmenting paths, the second by trying all subsets.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.draw.search.prices import Matrix


def field_powers(powers: Matrix, boards: int) -> tuple[list[int], float]:
    """Give every body a power, each power ``boards`` times, at the least cost; the places of the powers, and the cost.

    >>> field_powers([[0, 1], [0, 5], [9, 9], [1, 9]], 2)
    ([1, 0, 1, 0], 11.0)
    """
    cost = np.repeat(np.array(powers, float), boards, axis=1)
    columns = assigned(cost)
    total = float(cost[np.arange(len(columns)), columns].sum())
    return [int(column) // boards for column in columns], total


def assigned(cost: NDArray[np.float64]) -> NDArray[np.int64]:
    """Solve the assignment problem: for each row its column, at the least sum.

    Shortest augmenting paths with potentials (Jonker and Volgenant 1987), one row after another.
    """
    n = len(cost)
    row_of = np.full(n + 1, -1)  # column -> row; the last column is the root of each search
    of_row, of_column = np.zeros(n), np.zeros(n + 1)
    for start in range(n):
        row_of[n] = start
        column = n
        far = np.full(n, np.inf)
        came_from = np.full(n, n)
        done = np.zeros(n, bool)
        while row_of[column] >= 0:
            if column < n:
                done[column] = True
            row = row_of[column]
            reach = cost[row] - of_row[row] - of_column[:n]
            better = ~done & (reach < far)
            far[better] = reach[better]
            came_from[better] = column
            column = int(np.argmin(np.where(done, np.inf, far)))
            step = far[column]
            of_row[row_of[:n][done]] += step
            of_column[:n][done] -= step
            of_row[start] += step
            far[~done] -= step
        while column != n:
            row_of[column] = row_of[came_from[column]]
            column = int(came_from[column])
    answer = np.empty(n, np.int64)
    answer[row_of[:n]] = np.arange(n)
    return answer


def board_powers(powers: Sequence[Sequence[float]]) -> tuple[tuple[int, ...], float]:
    """Give the bodies of one board one power each at the least cost; which body has each power, and the cost.

    >>> board_powers([[0, 1, 9], [0, 5, 9], [1, 1, 1]])
    ((1, 0, 2), 2)
    """
    size = len(powers)
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0, ())}  # bodies seated -> cost of the first powers, who
    for power in range(size):
        after: dict[int, tuple[float, tuple[int, ...]]] = {}
        for seated, (cost, who) in best.items():
            for body in range(size):
                if seated >> body & 1:
                    continue
                key, sum_ = seated | 1 << body, cost + powers[body][power]
                if key not in after or sum_ < after[key][0]:
                    after[key] = (sum_, (*who, body))
        best = after
    cost, who = best[(1 << size) - 1]
    return who, cost
