"""The centre chart of a board as SVG: a line for each power, a step for each year; its page gives the colours."""

from collections.abc import Iterator, Mapping, Sequence

from pipeline.board.map import Power
from pipeline.picture.look import COATS

WIDTH, HEIGHT = 360.0, 220.0  # drawing units; about a telephone's width
LEFT, RIGHT, TOP, LOW = 26.0, 330.0, 10.0, 196.0  # where the lines are
LETTER = 13.0  # size of a power's letter at the end of its line, and the least from one to the next
STEP = 3  # centres from one line of the grid to the next

Counts = Mapping[Power, int]


def centre_chart(years: Mapping[int, Counts], powers: Sequence[Power], title: str) -> str:
    """Draw the counts after every Fall under a title; nothing before the second year, for a point is no line."""
    if len(years) < 2:
        return ""
    most = max(count for counts in years.values() for count in counts.values())
    scale = Scale(tuple(sorted(years)), max(most, STEP))
    lines = "".join(line for power in powers for line in drawn(scale, years, power))
    box = f"0 0 {WIDTH:g} {HEIGHT:g}"
    return (
        f'<svg class="chart" viewBox="{box}" role="img" aria-label="{title}">'
        f"{''.join(grid(scale))}{lines}{''.join(letters(scale, years, powers))}</svg>"
    )


class Scale:
    """Where a year and a count are."""

    def __init__(self, years: tuple[int, ...], most: int) -> None:
        self.years = years
        self.most = -(-most // STEP) * STEP

    def x(self, year: int) -> float:
        """Across."""
        place = self.years.index(year) / (len(self.years) - 1)
        return LEFT + place * (RIGHT - LEFT)

    def y(self, count: float) -> float:
        """Down."""
        return LOW - count / self.most * (LOW - TOP)


def grid(scale: Scale) -> Iterator[str]:
    """Draw the counts as level lines, and write the years below."""
    for count in range(0, scale.most + 1, STEP):
        y = scale.y(count)
        yield f'<path class="grid" d="M{LEFT:g} {y:.1f}H{RIGHT:g}"/>'
        yield f'<text class="axis" x="{LEFT - 6:g}" y="{y + 4:.1f}" text-anchor="end">{count}</text>'
    each = -(-len(scale.years) // 6)  # years are so wide that six have room
    for number, year in enumerate(scale.years):
        if number % each == 0:
            yield f'<text class="axis" x="{scale.x(year):.1f}" y="{LOW + 17:g}" text-anchor="middle">{year}</text>'


def drawn(scale: Scale, years: Mapping[int, Counts], power: Power) -> Iterator[str]:
    """Draw one power's line, on a rim that parts it from the others."""
    way = "L".join(f"{scale.x(year):.1f} {scale.y(years[year].get(power, 0)):.1f}" for year in scale.years)
    yield f'<path class="rim" d="M{way}"/><path d="M{way}" fill="none" stroke="{COATS[power].body}" stroke-width="3"/>'


def letters(scale: Scale, years: Mapping[int, Counts], powers: Sequence[Power]) -> Iterator[str]:
    """Write each power's letter at the end of its line; of lines that end together beside one another."""
    last = years[scale.years[-1]]
    taken: list[float] = []
    for power in sorted(powers, key=lambda each: -last.get(each, 0)):
        y = scale.y(last.get(power, 0))
        if taken and y < taken[-1] + LETTER:
            y = taken[-1] + LETTER
        taken.append(y)
    up = max(0.0, taken[-1] - LOW) if taken else 0.0
    for power, y in zip(sorted(powers, key=lambda each: -last.get(each, 0)), taken, strict=True):
        coat = COATS[power]
        yield f'<circle cx="{RIGHT + 14:g}" cy="{y - up:.1f}" r="6.5" fill="{coat.body}"/>'
        yield (
            f'<text class="letter" x="{RIGHT + 14:g}" y="{y - up + 3.4:.1f}" text-anchor="middle" fill="{coat.ink}">'
            f"{coat.letter}</text>"
        )
