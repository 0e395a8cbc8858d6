"""What decided a place, worked out a second time from the games alone, without the program's tie-breaks or rankings."""

from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from msgspec import Struct, field

from pipeline.scoring.results import EventResults
from pipeline.scoring.system import PlayerGame

GIRTEF = ("AUSTRIA", "GERMANY", "ITALY", "RUSSIA", "TURKEY", "ENGLAND", "FRANCE")  # EDC96, ties for the title
OUTCOMES = {"win": 4, "draw": 3, "elimination": 2, "loss": 1, "abandoned": 0}
NONE = Fraction(-(10**9))  # a game that was not played


class One(Struct, frozen=True, dict=True, weakref=True):
    """Somebody who is ranked, as little of it as the tie-breaks need."""

    name: str
    total: Fraction
    games: tuple[PlayerGame, ...]  # without the second board that was dropped
    counted: tuple[PlayerGame, ...]
    overall: Fraction = Fraction()
    everything: Fraction = Fraction()
    final: PlayerGame | None = None


Known = dict[int, dict[str, tuple[object, ...]]]


class Lookup(Struct, frozen=True, dict=True, weakref=True):
    """What lies beyond the tied."""

    event: EventResults
    totals: dict[str, Fraction]
    known: Known = field(default_factory=dict)  # the steps of games, worked out once


Keys = list[tuple[object, ...]]


def say(value: object, decimals: int = 3) -> str:
    """Write one number as a sentence has it."""
    if not isinstance(value, Fraction | int):
        return str(value)
    if value == NONE:
        return "not played"
    value = Fraction(value)
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    text = f"{exact.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if float(text) == 0 else text


def nth_best(games: Sequence[PlayerGame], nth: int) -> Fraction:
    """The nth score from the top."""
    scores = sorted((game.score for game in games), reverse=True)
    return scores[nth - 1] if len(scores) >= nth else NONE


def survival(game: PlayerGame) -> tuple[int, int]:
    """The last year with a centre, and how many."""
    lived = [(year, counts[game.power]) for year, counts in game.board.years.items() if counts.get(game.power, 0)]
    return max(lived, default=(0, 0))


def margins(game: PlayerGame) -> tuple[Fraction, ...]:
    """The own score less that of each in the order of the finish; the eliminated have nothing."""
    order = sorted(game.board.powers, key=lambda p: (game.board.centres[p], game.scores[p]), reverse=True)
    return tuple(game.score - (game.scores[p] if game.board.centres[p] else 0) for p in order)


STEPS = ("outcome", "points", "position", "survival", "margin over the others")


def steps(game: PlayerGame, known: Known) -> dict[str, tuple[object, ...]]:
    """The six steps of comparing games (NZ99 B 4), the last two as one."""
    if id(game) in known:
        return known[id(game)]
    ahead = sum(count > game.centres for count in game.board.centres.values())
    sharing = sum(count == game.centres for count in game.board.centres.values())
    known[id(game)] = {
        "outcome": (OUTCOMES[game.outcome.value],),
        "points": (game.score,),
        "position": (-ahead - 1, -sharing),
        "survival": survival(game) if game.centres == 0 else (),
        "margin over the others": margins(game),
    }
    return known[id(game)]


def nth_game(one: One, nth: int, known: Known) -> PlayerGame | None:
    """The nth best game by the whole comparison."""
    games = sorted(one.games, key=lambda game: tuple(steps(game, known).values()), reverse=True)
    return games[nth - 1] if len(games) >= nth else None


def met(one: One, tied: Sequence[One]) -> list[Fraction]:
    """The scores of games against others of the tied."""
    names = {other.name for other in tied} - {one.name}
    return [g.score for g in one.counted if names & {seat.player for seat in g.board.seats.values()}]


def when_all(tied: Sequence[One], values: Sequence[object]) -> Keys:
    """A key that is missing for one separates nobody."""
    return [()] * len(tied) if any(value is None for value in values) else [(value,) for value in values]


def drawn_together(tied: Sequence[One], beyond: Lookup) -> list[int | None]:
    """The place of each in the one drawing that all of them are in."""
    lot = next((lot for lot in beyond.event.lots if {one.name for one in tied} <= set(lot)), ())
    return [-lot.index(one.name) - 1 if one.name in lot else None for one in tied]


SIMPLE: dict[str, Callable[[Sequence[One], Lookup], Keys]] = {
    "most wins": lambda tied, _: [(sum(g.outcome.value == "win" for g in o.games),) for o in tied],
    "most draws": lambda tied, _: [(sum(g.outcome.value == "draw" for g in o.games),) for o in tied],
    "highest game": lambda tied, _: [(nth_best(o.counted, 1),) for o in tied],
    "second-highest game": lambda tied, _: [(nth_best(o.counted, 2),) for o in tied],
    "best meeting": lambda tied, _: [(max(met(o, tied), default=0),) for o in tied],
    "sum of meetings": lambda tied, _: [(sum(met(o, tied), Fraction()),) for o in tied],
    "distance": lambda tied, beyond: when_all(tied, [beyond.event.players[o.name].distance_km for o in tied]),
    "lot": lambda tied, beyond: when_all(
        tied, drawn_together(tied, beyond)
    ),
    "final score": lambda tied, _: when_all(tied, [o.final.score if o.final else None for o in tied]),
    "power order": lambda tied, _: when_all(tied, [-GIRTEF.index(o.final.power) if o.final else None for o in tied]),
    "chose last": lambda tied, _: when_all(tied, [chosen(o) for o in tied]),
    "best of": lambda tied, _: [(o.overall,) for o in tied],
    "all games": lambda tied, _: [(o.everything,) for o in tied],
    "latest round": lambda tied, _: [(latest(o),) for o in tied],
    "centre margin": lambda tied, _: [
        (o.games[0].centres - max(n for p, n in o.games[0].board.centres.items() if p is not o.games[0].power),)
        for o in tied
    ],
    "opponents": lambda tied, beyond: [
        (sum((beyond.totals.get(s.player or "", Fraction()) for p, s in o.games[0].board.seats.items()
              if p is not o.games[0].power), Fraction()),)
        for o in tied
    ],
}  # fmt: skip
NTH = {"best game": 1, "second-best game": 2, "third-best game": 3, "game": 1}
CHAINS: dict[tuple[str, str], tuple[str, ...]] = {  # as the tournaments' texts have them
    ("nzdc1999", "players"): ("most wins", "most draws", "best game", "second-best game", "third-best game"),
    ("nzdc1999", "teams"): ("most wins", "most draws", "best game", "second-best game", "third-best game"),
    ("nzdc1999", "powers"): ("game",),
    ("weaselmoot", "players"): ("highest game", "best meeting", "sum of meetings", "distance", "lot"),
    ("weaselmoot", "powers"): ("lot",),
    ("edc2023", "final"): ("chose last",),
    ("edc2023", "qualifying"): ("highest game", "second-highest game", "distance", "lot"),
    ("edc1996", "players"): ("final score", "power order"),
    ("edc1996", "final"): ("final score", "power order"),
    ("edc1996", "qualifying"): ("highest game", "latest round", "lot"),
    ("edc1996", "powers"): ("centre margin",),
    ("wdc2008", "players"): ("highest game", "second-highest game", "all games"),
    ("wdc2008", "qualifying"): ("highest game", "second-highest game", "all games"),
    ("wdc2008", "teams"): ("highest game", "second-highest game", "all games"),
    ("wdc2008", "powers"): ("opponents", "lot"),
    ("wdc2008", "final"): (
        *(f"centres in {year}" for year in range(1909, 1901, -1)),
        "best of", "highest game", "second-highest game", "all games",
    ),
}  # fmt: skip


def chosen(one: One) -> int | None:
    """The place in the order of choosing."""
    order = one.final.board.chose if one.final else ()
    return order.index(one.name) + 1 if one.name in order else None


def latest(one: One) -> Fraction:
    """The score of round 4, of round 3 for who did not play it (EDC96)."""
    for number in (4, 3):
        if scores := [game.score for game in one.games if game.round == number]:
            return max(scores)
    return NONE


def in_year(tied: Sequence[One], year: int) -> Keys:
    """Centres on the final table after a year."""
    finals = [one.final for one in tied]
    return when_all(
        tied, [g.board.years[year].get(g.power, 0) if g and year in g.board.years else None for g in finals]
    )


def steps_of(name: str) -> tuple[str, ...]:
    """A tie-break, or the steps of one that compares games."""
    return tuple(f"{name}: {step}" for step in STEPS) if name in NTH else (name,)


def keys_of(name: str, tied: Sequence[One], beyond: Lookup) -> Keys:
    """The keys of a tie-break, or of one step of it."""
    if name.startswith("centres in "):
        return in_year(tied, int(name[-4:]))
    if name in SIMPLE:
        return SIMPLE[name](tied, beyond)
    which, _, step = name.partition(": ")
    games = [nth_game(one, NTH[which], beyond.known) for one in tied]
    if step == "survival" and not all(game and game.centres == 0 and game.board.years for game in games):
        return [()] * len(tied)
    return [steps(game, beyond.known)[step] if game else (NONE,) for game in games]


def sentence(name: str, own: tuple[object, ...], other: tuple[object, ...], against: str) -> str:
    """Say what told two apart."""
    a, b = next((x, y) for x, y in zip(own, other, strict=False) if x != y)
    mine, theirs = say(a), say(b)
    if name.endswith("outcome"):
        mine, theirs = (worded(key[0], OUTCOMES) for key in (own, other))
    elif name.endswith("position"):
        mine, theirs = (placed_in(key) for key in (own, other))
    elif name == "lot":
        mine, theirs = (f"drawn {-int(str(key[0]))}." for key in (own, other))
    elif name == "power order":
        mine, theirs = (GIRTEF[-int(str(key[0]))] for key in (own, other))
    elif mine == theirs:
        mine, theirs = say(a, 9), say(b, 9)
    return f"{name}: {mine} against {theirs} ({against})"


def worded(value: object, words: dict[str, int]) -> str:
    """Name an outcome."""
    return "not played" if value == NONE else next(word for word, number in words.items() if number == value)


def placed_in(key: tuple[object, ...]) -> str:
    """Name a place on a board."""
    if key[0] == NONE:
        return "not played"
    place, sharers = -int(str(key[0])), -int(str(key[1]))
    return f"place {place}" + (f" shared by {sharers}" if sharers > 1 else "")


def ranked(ones: Sequence[One], chain: Sequence[str], beyond: Lookup, first: int = 1) -> dict[str, tuple[int, str]]:
    """Everybody's place and the sentence that says what decided it, empty where it was the total, by name."""
    found: dict[str, tuple[int, str]] = {}
    for total in sorted({one.total for one in ones}, reverse=True):
        level = sorted((one for one in ones if one.total == total), key=lambda one: one.name)
        groups: list[tuple[list[One], Cut]] = [(level, ("", (), ()))]  # each with what cut it from the group before
        for name in (step for each in chain for step in steps_of(each)):
            groups = [piece for group, cut in groups for piece in cut_up(group, cut, name, beyond)]
        place = first + len(found)
        for index, (group, cut) in enumerate(groups):
            says = ""
            if index:
                says = sentence(cut[0], cut[2], cut[1], groups[index - 1][0][0].name)
            elif len(groups) > 1:
                name, above, below = groups[1][1]
                says = sentence(name, above, below, groups[1][0][0].name)
            found |= {one.name: (place, says) for one in group}
            place += len(group)
    return found


Cut = tuple[str, tuple[object, ...], tuple[object, ...]]  # the tie-break, and the keys above and below the cut


def cut_up(group: list[One], cut: Cut, name: str, beyond: Lookup) -> list[tuple[list[One], Cut]]:
    """Cut a group by one step; the first piece keeps what cut the group from the one before."""
    if len(group) < 2:
        return [(group, cut)]
    keys = keys_of(name, group, beyond)
    levels = sorted(set(keys), reverse=True)
    pieces = []
    for nth, key in enumerate(levels):
        members = [one for one, own in zip(group, keys, strict=True) if own == key]
        pieces.append((members, (name, levels[nth - 1], key) if nth else cut))
    return pieces
