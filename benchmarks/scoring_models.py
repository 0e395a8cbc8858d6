"""Every system of Tournament Visualiser against a small model, over all 2,486 ways to share 34 centres, and solos.

The models are written from the public descriptions of the systems, and know nothing of the program's building blocks.
Each chart has years at random, in which powers die at random; a half that is rounded is the one that the description's
program pays.

    python benchmarks/scoring_models.py [SEED]
"""

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction as F  # noqa: N817 - every line of a model is arithmetic

from msgspec import Struct

from pipeline.board import Power
from pipeline.rules.load import load_systems
from pipeline.scoring.results import Board, Seat
from pipeline.scoring.system import score_board

Scores = list[F]
SOLOS = 200  # charts with one
WINS = 18


class Chart(Struct, frozen=True, dict=True, weakref=True):
    """The centres of seven powers after each year, the last one the end."""

    years: tuple[tuple[int, ...], ...]

    @property
    def end(self) -> tuple[int, ...]:
        """The centres at the end."""
        return self.years[-1]

    @property
    def soloist(self) -> int | None:
        """Who has won."""
        return next((n for n, owned in enumerate(self.end) if owned >= WINS), None)

    @property
    def top(self) -> int:
        """The highest count."""
        return max(self.end)

    @property
    def toppers(self) -> int:
        """How many have it."""
        return self.end.count(self.top)

    @property
    def second(self) -> int:
        """The second highest count."""
        return sorted(self.end)[-2]

    @property
    def alive(self) -> int:
        """How many own a centre."""
        return sum(owned > 0 for owned in self.end)

    def died(self, power: int) -> int:
        """The year, 1 for the first, after which a power had nothing; a solo ends everybody's game."""
        counts = [year[power] for year in self.years]
        return counts.index(0) + 1 if 0 in counts else len(self.years)


def ranked(points: Sequence[F | int], keys: Sequence[object], *, lower: bool = False) -> Scores:
    """Points by place: who is level averages those of the places it spans, or has those of the lowest."""
    listed = [F(each) for each in points] + [F()] * 7
    found = []
    for own in keys:
        above, level = sum(each > own for each in keys), sum(each == own for each in keys)  # type: ignore[operator]
        spanned = listed[above : above + level]
        found.append(spanned[-1] if lower else sum(spanned, F()) / level)
    return found


def with_solo(winner: int, others: Callable[[Chart, int], F | int], draw: Callable[[Chart], Scores]) -> "Model":
    """A system with a score for the soloist, one for each of the others, and one without a solo."""

    def score(chart: Chart) -> Scores:
        if chart.soloist is None:
            return draw(chart)
        return [F(winner if n == chart.soloist else others(chart, n)) for n in range(7)]

    return score


Model = Callable[[Chart], Scores]


def nothing(chart: Chart, power: int) -> F:
    """Who loses to a solo has nothing."""
    return F()


def years_lived(each: F | int, *, begun: bool = False) -> Callable[[Chart, int], F]:
    """Points for each year that ended with a centre, with or without the year of the elimination."""
    return lambda chart, power: each * F(chart.died(power) - 1 + begun)


def each_power(alive: Callable[[Chart, int, int], F | int], dead: Callable[[Chart, int], F | int]) -> Model:
    """A score that is made power by power."""
    return lambda c: [F(alive(c, n, owned) if owned else dead(c, n)) for n, owned in enumerate(c.end)]


def by_elimination(chart: Chart) -> list[tuple[int, int]]:
    """The order of the powers, in which the dead are told apart by the year."""
    return [(owned, 0 if owned else chart.died(n)) for n, owned in enumerate(chart.end)]


def detour09(c: Chart) -> Scores:
    """A point a centre, two for surviving, the lead, 4-3-2-1 by place, out of 100; the dead a quarter a year."""
    place = ranked((4, 3, 2, 1), c.end, lower=True)
    raw = [
        owned + 2 + place[n] + (c.top - c.second if owned == c.top else 0) if owned else F()
        for n, owned in enumerate(c.end)
    ]
    return [100 * raw[n] / sum(raw) if owned else a_quarter(c, n) for n, owned in enumerate(c.end)]


def a_quarter(chart: Chart, power: int) -> F:
    """A quarter of a point a year, two at most."""
    return min(F(chart.died(power) - 1, 4), F(2))


def omg(c: Chart) -> Scores:
    """1.5 a centre, 9 for surviving, 4.5-3-1.5; everybody pays the sole leader the gap, at most half of his points."""
    place = ranked((F(9, 2), 3, F(3, 2)), c.end)
    points = [F(3, 2) * owned + 9 * (owned > 0) + place[n] for n, owned in enumerate(c.end)]
    paid = [F() if owned == c.top else min(F(c.top - c.second), points[n] / 2) for n, owned in enumerate(c.end)]
    return [points[n] + (sum(paid, F()) / c.toppers if owned == c.top else -paid[n]) for n, owned in enumerate(c.end)]


def tribute(c: Chart) -> Scores:
    """A point a centre and a part of 66; a survivor pays the top one for each centre above six, at most that part."""
    part = F(66, c.alive)
    due = min(F(max(c.top - 6, 0)), part)
    won = due * (c.alive - c.toppers) / c.toppers
    return [owned + part + (won if owned == c.top else -due) if owned else F() for owned in c.end]


def open_tribute(c: Chart) -> Scores:
    """34 and three a centre, less what one is behind the top; n at the top get an n²-th of all that is paid."""
    paid = sum(c.top - owned for owned in c.end)
    won = paid // c.toppers**2
    return [F(34 + 3 * n - (c.top - n) + (won if n == c.top else 0)) if n else F() for n in c.end]


def southern_sun(c: Chart) -> Scores:
    """30 for surviving, ten a centre, 130-80-50-30-20-10-10 averaged and rounded; the dead three a year begun."""
    place = ranked((130, 80, 50, 30, 20, 10, 10)[: c.alive], c.end)
    return [F(30 + 10 * n + round(place[p])) if n else 3 * F(c.died(p)) for p, n in enumerate(c.end)]


def vulcan(c: Chart) -> Scores:
    """A point a centre, five for surviving, each centre above everybody below, ten shared by the top."""
    return [
        n + 5 + sum(max(n - other, 0) for other in c.end) + (F(10, c.toppers) if n == c.top else F()) if n else F()
        for n in c.end
    ]


def classic(*, three: bool) -> Model:
    """30 for surviving, ten a centre, 48 shared by the top, or nothing for three and more; the dead one a year."""

    def alive(c: Chart, _: int, owned: int) -> F:
        top = owned == c.top and (three or c.toppers <= 2)
        return 30 + 10 * owned + (F(48, c.toppers) if top else F())

    return each_power(alive, years_lived(1))


def ranked_classic(groups: Callable[[int, int], int]) -> Model:
    """30 for surviving, ten a centre, points by place; ``groups`` says what who is level gets; the dead one a year."""

    def alive(c: Chart, _: int, owned: int) -> int:
        above = sum(other > owned for other in c.end)
        return 30 + 10 * owned + groups(above, c.end.count(owned))

    return each_power(alive, years_lived(1))


ALONE, PAIRS = (200, 90, 60, 40, 30, 20, 10), (135, 70, 50, 35, 25, 15)


def lowest_place(above: int, level: int) -> int:
    """Two have a number of their own, three and more that of the lowest place."""
    return PAIRS[above] if level == 2 else ALONE[above + level - 1]


def lowest_pair(above: int, level: int) -> int:
    """Who is level has what two have who share the two lowest of its places."""
    return ALONE[above] if level == 1 else PAIRS[above + level - 2]


def carnage(points: Sequence[int], a_centre: int, *, by_year: bool, lead: int = 0) -> Model:
    """Points by place and by centre; the dead level or in the order of their elimination; perhaps for the lead."""

    def draw(c: Chart) -> Scores:
        place = ranked(points, by_elimination(c) if by_year else c.end)
        ahead = [lead * (c.top - c.second) if owned == c.top else 0 for owned in c.end]
        return [place[n] + a_centre * owned + ahead[n] for n, owned in enumerate(c.end)]

    return draw


def haight(c: Chart) -> Scores:
    """Ten a centre, 66-55-44-33-22-11, five a centre of the lead; the dead by their year, and one a year begun."""
    place = ranked((66, 55, 44, 33, 22, 11), by_elimination(c), lower=True)
    lead = 5 * (c.top - c.second)
    return [
        place[n] + (10 * owned + (lead if owned == c.top else 0) if owned else c.died(n))
        for n, owned in enumerate(c.end)
    ]


def after_haight(c: Chart, power: int) -> F:
    """Five a centre or one a year begun, whichever is more."""
    return F(max(5 * c.end[power], c.died(power)))


def manorcon(*, dead_in_sum: bool) -> Model:
    """Shares of 100 by s² + 4s + 16; the dead a tenth a year."""

    def draw(c: Chart) -> Scores:
        worth = [n * n + 4 * n + 16 for n in c.end]
        whole = sum(w for w, n in zip(worth, c.end, strict=True) if n or dead_in_sum)
        return [F(100 * worth[p], whole) if n else F(c.died(p) - 1, 10) for p, n in enumerate(c.end)]

    return draw


def maxonian(threshold: int) -> Model:
    """7 to 1 by place, who is level by earlier years; a point for each centre above a number, up to 18."""

    def score(c: Chart) -> Scores:
        place = ranked((7, 6, 5, 4, 3, 2, 1), [tuple(year[n] for year in reversed(c.years)) for n in range(7)])
        counts = [c.soloist in (None, n) for n in range(7)]
        return [place[n] + (max(min(owned, WINS) - threshold, 0) if counts[n] else 0) for n, owned in enumerate(c.end)]

    return score


def sydney(c: Chart) -> Scores:
    """700 to 100 by place, 25 a centre, one a year begun for the dead; a solo half more, half for the others."""
    place = ranked((700, 600, 500, 400, 300, 200, 100), by_elimination(c))
    points = [place[n] + (25 * owned or c.died(n)) for n, owned in enumerate(c.end)]
    if c.soloist is None:
        return points
    return [each * (F(3, 2) if n == c.soloist else F(1, 2)) for n, each in enumerate(points)]


def bangkok(shares: tuple[F | int, ...]) -> Model:
    """A point a centre, three for surviving, 12 shared by those near the top; the dead 0.3 a year."""

    def draw(c: Chart) -> Scores:
        own = [F(shares[c.top - n]) if c.top - n < len(shares) else F() for n in c.end]
        return [n + 12 * own[p] / sum(own) + (3 if n else F(3, 10) * (c.died(p) - 1)) for p, n in enumerate(c.end)]

    return draw


def pike(c: Chart) -> Scores:
    """A point a centre, three for surviving, 6, 4 and 2 at and near the top; the dead a tenth a year begun."""

    def near(owned: int) -> int:
        if owned != c.top:
            return {1: 4, 2: 2}.get(c.top - owned, 0)
        if c.toppers > 1:
            return 4
        return 6 + (4 if c.top - 1 not in c.end else 0) + (2 if not {c.top - 1, c.top - 2} & set(c.end) else 0)

    return [F(n + near(n) + 3) if n else F(near(n)) + F(c.died(p), 10) for p, n in enumerate(c.end)]


def c_diplo(played: int, points: tuple[int, int, int], a_centre: Callable[[int], int] = int) -> Model:
    """A point for playing, by centre and by the first three places."""
    return lambda c: [played + a_centre(n) + place for n, place in zip(c.end, ranked(points, c.end), strict=True)]


def namur(owned: int) -> int:
    """What so many centres bring."""
    return (0, 5, 9, 12, 14, 16, 18)[owned] if owned <= 6 else 12 + owned


def draw_size(owned: int) -> int:
    """What so many centres bring."""
    return next(points for least, points in ((14, 105), (11, 70), (8, 42), (4, 30), (1, 21), (0, 0)) if owned >= least)


def whipping(c: Chart) -> Scores:
    """Ten a centre, 60 shared by survivors, two a centre for the sole leader; the dead one a year begun."""
    sole = 2 * c.top if c.toppers == 1 else 0
    return [10 * n + F(60, c.alive) + (sole if n == c.top else 0) if n else F(c.died(p)) for p, n in enumerate(c.end)]


BY_THOUSANDS = (7000, 6000, 5000, 4000, 3000, 2000, 1000)
TAPE = (40, 24, 15, 9, 6, 3, 3)
MODELS: dict[str, Model] = {
    "bangkok-2020": with_solo(41, lambda c, n: F(c.end[n], 2), bangkok((3, 2, 1))),
    "olympic": with_solo(46, nothing, bangkok((4, F(3, 2), F(1, 2)))),
    "bangkok-pike": with_solo(60, years_lived(F(1, 10), begun=True), pike),
    "base-3": with_solo(
        46,
        nothing,
        each_power(lambda c, _, n: 3 + n + (F(9, 3 ** (c.toppers - 1)) if n == c.top else 0), nothing),
    ),
    "carnage-dead-equal": with_solo(28034, nothing, carnage(BY_THOUSANDS, 1, by_year=False)),
    "carnage": with_solo(28034, nothing, carnage(BY_THOUSANDS, 1, by_year=True)),
    "carnage-centre-count": with_solo(
        39028, lambda c, n: 1000, carnage([1001 * n for n in range(7, 0, -1)], 500, by_year=True)
    ),
    "carnage-2023": with_solo(28034, nothing, carnage(BY_THOUSANDS, 1, by_year=True, lead=300)),
    "c-diplo-100": with_solo(100, nothing, c_diplo(1, (38, 14, 7))),
    "c-diplo-80": with_solo(80, nothing, c_diplo(0, (25, 14, 7))),
    "c-diplo-namur": with_solo(85, nothing, c_diplo(1, (38, 14, 7), namur)),
    "detour09": with_solo(110, a_quarter, detour09),
    "draw-size": with_solo(100, nothing, each_power(lambda c, _, n: F(100, c.alive), nothing)),
    "duct-tape": with_solo(75, nothing, carnage(TAPE, 1, by_year=False)),
    "duct-tape-by-year": with_solo(75, nothing, carnage(TAPE, 1, by_year=True)),
    "haight": with_solo(451, after_haight, haight),
    "manorcon": with_solo(75, years_lived(F(1, 10)), manorcon(dead_in_sum=True)),
    "manorcon-original": with_solo(100, years_lived(F(1, 10)), manorcon(dead_in_sum=True)),
    "manorcon-v2": with_solo(100, years_lived(F(1, 10)), manorcon(dead_in_sum=False)),
    "maxonian": maxonian(13),
    "seven-eleven": maxonian(11),
    "mischief": with_solo(
        34, nothing, each_power(lambda c, _, n: n + ({1: 5, 2: 1}.get(c.toppers, 0) if n == c.top else 0), nothing)
    ),
    "omg": with_solo(100, nothing, omg),
    "ranked-classic": with_solo(550, years_lived(1), ranked_classic(lowest_place)),
    "ranked-classic-v2": with_solo(550, years_lived(1), ranked_classic(lowest_pair)),
    "solo-or-bust": with_solo(100, nothing, lambda c: [F()] * 7),
    "sum-of-squares": with_solo(100, nothing, lambda c: [F(100 * n * n, sum(m * m for m in c.end)) for n in c.end]),
    "southern-sun": with_solo(500, nothing, southern_sun),
    "sydney-league": sydney,
    "tribute": with_solo(100, nothing, tribute),
    "open-tribute": with_solo(340, nothing, open_tribute),
    "vulcan": with_solo(130, lambda c, n: 5 if c.end[n] else 0, vulcan),
    "whipping": with_solo(468, years_lived(1, begun=True), whipping),
    "world-classic": with_solo(420, years_lived(1), classic(three=True)),
    "summer-classic": with_solo(420, years_lived(1), classic(three=False)),
    "your-draw-size-short": with_solo(300, nothing, each_power(lambda c, _, n: draw_size(n), nothing)),
    "your-draw-size-unlimited": with_solo(320, nothing, each_power(lambda c, _, n: draw_size(n), nothing)),
}


def shares(total: int, powers: int, most: int) -> Iterator[tuple[int, ...]]:
    """Every way to share so many centres, the most first."""
    if powers == 0:
        if total == 0:
            yield ()
        return
    for first in range(min(total, most), -1, -1):
        if first * powers < total:
            return
        yield from ((first, *rest) for rest in shares(total - first, powers - 1, first))


def chart(dice: random.Random, counts: Sequence[int]) -> Chart:
    """A chart that ends with these counts, in which the dead died one year or another and nobody had won before."""
    end = dice.sample(counts, 7)
    length = dice.randrange(1, 15)
    died = [dice.randrange(1, length + 1) if owned == 0 else 0 for owned in end]
    years = []
    for year in range(1, length):
        alive = [n for n in range(7) if not died[n] or year < died[n]]
        owned = [0] * 7
        for place in alive:
            owned[place] = 1
        for _ in range(34 - len(alive)):
            owned[dice.choice([n for n in alive if owned[n] < WINS - 1])] += 1
        years.append(tuple(owned))
    return Chart((*years, tuple(end)))


def board_of(one: Chart) -> Board:
    """The same for the program."""
    years = {1900 + n: dict(zip(Power, counts, strict=True)) for n, counts in enumerate(one.years, start=1)}
    seats = {power: Seat(player=None) for power in Power}
    return Board(round=1, name="A", seats=seats, centres=years[max(years)], years=years, unowned=0)


def charts(seed: int) -> Iterator[Chart]:
    """All ways to share 34 centres without a solo, and some with one."""
    dice = random.Random(seed)
    for counts in shares(34, 7, WINS - 1):
        yield chart(dice, counts)
    solos = list(shares(34, 7, 34))
    for _ in range(SOLOS):
        yield chart(dice, dice.choice([counts for counts in solos if counts[0] >= WINS]))


def differing(seed: int) -> tuple[Counter[str], dict[str, tuple[Chart, Scores]]]:
    """How many charts each system pays otherwise, and the first of them with what the model pays."""
    systems = load_systems()
    found: Counter[str] = Counter(dict.fromkeys(MODELS, 0))
    first: dict[str, tuple[Chart, Scores]] = {}
    for one in charts(seed):
        board = board_of(one)
        for name, model in MODELS.items():
            wanted = model(one)
            if [game.score for game in score_board(board, systems[name].system)] != wanted:
                found[name] += 1
                first.setdefault(name, (one, wanted))
    return found, first


if __name__ == "__main__":
    counted, examples = differing(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    for system, number in counted.items():
        print(f"{system:<26} {number} differ")
        if system in examples:
            print("   ", examples[system][0].years, [str(each) for each in examples[system][1]])
    sys.exit(1 if any(counted.values()) else 0)
