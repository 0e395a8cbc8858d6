"""The two tables that the World Diplomacy Database takes: the classification, and the boards.

Columns and values as the Diplomacy Tournament Visualiser writes them for it (its WDD views): a player is a first name,
a name and HOMONYME 1; EXAEQUO is how many share the rank; 999 is unranked; a power is 0 and its first two letters;
years count from 1901 as 1. Names are parted before their last word: look them over before they are sent.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from pipeline.board.map import Power
from pipeline.desk.event.games import Game
from pipeline.desk.publish.public_record import PublicRecord, PublicStandings
from pipeline.export.tables import ExportTable, Line, counts, table
from pipeline.scoring.games.system import PlayerGame as Scored
from pipeline.scoring.results.exact import decimal
from pipeline.scoring.results.results import FIRST_YEAR, Board, Ending

MOST_ROUNDS = 8  # R1 … R8
LEAST_YEARS = 20  # CT_01 … CT_20
UNRANKED = 999
WHO = ("FIRST NAME", "NAME", "HOMONYME")
BEST = ("RK", "PT", "CT", "HEAT", "BOARD")  # of the best player of each power
TOP = tuple(f"{name}_TOPBOARD" for name in ("NAME", "HEAT", "BOARD", "RK", "CT", "COUNTRY"))


def wdd_tables(record: PublicRecord) -> tuple[ExportTable, ...]:
    """Both tables; none while the standings are sealed, for a rank is in every line."""
    if record.places is None:
        return ()
    numbers = board_numbers(record)
    return classification(record.places, numbers), boards(record, record.places, numbers)


def board_numbers(record: PublicRecord) -> dict[tuple[int, str], int]:
    """Boards by number within their round, from 1: the database knows no names of boards."""
    return {game.spot: number for each in record.rounds for number, game in enumerate(record.boards(each), start=1)}


def classification(places: PublicStandings, numbers: Mapping[tuple[int, str], int]) -> ExportTable:
    """One line a player: rank, score, rounds, the best of a power, the final table."""
    has_final = any(board.is_final for board in places.final.event.boards)
    best = [f"{what}_{country(power)}" for power in Power for what in BEST]
    columns = (*WHO, "RANK", "EXAEQUO", "SCORE", *(f"R{n}" for n in range(1, MOST_ROUNDS + 1)), *best)
    return table("wdd-classification", (*columns, *(TOP if has_final else ())), classified(places, numbers))


def classified(places: PublicStandings, numbers: Mapping[tuple[int, str], int]) -> Iterator[Line]:
    """The lines of the classification."""
    scored = places.final
    rows = scored.standings.rows
    shared = [row.place for row in rows]
    for row in rows:
        yield {
            **who(row.player),
            "RANK": row.place,
            "EXAEQUO": shared.count(row.place),
            "SCORE": decimal(row.total),
            **of_games(row.player, places, numbers),
        }
    for tally in scored.standings.unranked:
        name = tally.player.name
        line = {**who(name), "RANK": UNRANKED, "EXAEQUO": 1, "SCORE": decimal(tally.total)}
        yield {**line, **of_games(name, places, numbers)}


def of_games(name: str, places: PublicStandings, numbers: Mapping[tuple[int, str], int]) -> Line:
    """What one player's games add to the classification."""
    mine = [game for game in places.final.games if game.player == name]
    sums: dict[int, Fraction] = {}
    for game in mine:
        sums[game.round] = sums.get(game.round, Fraction(0)) + game.score
    found: dict[str, str | int | None] = {f"R{number}": decimal(score) for number, score in sums.items()}
    for best in places.final.powers:
        for each in (one for one in best.games if one.player == name):
            values = (1, decimal(each.score), each.centres, each.round, numbers[each.board.spot])
            found |= dict(zip((f"{what}_{country(best.power)}" for what in BEST), values, strict=True))
    for game in (game for game in mine if game.board.is_final):
        rank = 1 + sum(score > game.score for score in game.scores.values())
        values_top = ("A", game.round, numbers[game.board.spot], rank, game.centres, country(game.power))
        found |= dict(zip(TOP, values_top, strict=True))
    return found


def boards(record: PublicRecord, places: PublicStandings, numbers: Mapping[tuple[int, str], int]) -> ExportTable:
    """One line a seat of a game that is over: its rank, score and counts."""
    games = {game.spot: game for game in record.games.values()}
    last = max((year for game in games.values() for year in counts(game)), default=FIRST_YEAR)
    marks = [year_mark(FIRST_YEAR + n) for n in range(max(LEAST_YEARS, last - FIRST_YEAR + 1))]
    columns = (*WHO, "ROUND", "BOARD", "COUNTRY", "RANK", "EXAEQUO", "SCORE", "NB_CENTRE", "YEAR_ELIMINATION", "DRAW")
    seats = (seat(game, games[game.board.spot], numbers) for game in places.final.games if game.player)
    return table("wdd-boards", (*columns, *marks), seats)


def seat(scored: Scored, game: Game, numbers: Mapping[tuple[int, str], int]) -> Line:
    """One line of the boards."""
    ranks = {
        power: 1 + sum(other > score for other in scored.scores.values()) for power, score in scored.scores.items()
    }
    by_year = {year: row.get(scored.power, 0) for year, row in sorted(counts(game).items())}
    return {
        **who(scored.player or ""),
        "ROUND": scored.round,
        "BOARD": numbers[game.spot],
        "COUNTRY": country(scored.power),
        "RANK": ranks[scored.power],
        "EXAEQUO": list(ranks.values()).count(ranks[scored.power]),
        "SCORE": decimal(scored.score),
        "NB_CENTRE": scored.centres,
        "YEAR_ELIMINATION": eliminated(by_year),
        "DRAW": draw(scored.board, scored.power),
        **{year_mark(year): count for year, count in by_year.items()},
    }


def who(name: str) -> dict[str, str | int | None]:
    """Part a name before its last word.

    >>> who("Maria van der Berg")
    {'FIRST NAME': 'Maria van der', 'NAME': 'Berg', 'HOMONYME': 1}
    """
    first, _, last = name.rpartition(" ")
    return dict(zip(WHO, (first, last, 1), strict=True))


def country(power: Power) -> str:
    """A power as the database writes it.

    >>> country(Power.AUSTRIA)
    '0AU'
    """
    return f"0{power[:2]}"


def year_mark(year: int) -> str:
    """The column of a year.

    >>> year_mark(1901)
    'CT_01'
    """
    return f"CT_{year - FIRST_YEAR + 1:02}"


def eliminated(by_year: Mapping[int, int]) -> int | None:
    """The year in which a power lost its last centre, counted from 1901 as 1."""
    gone = [year for year, count in by_year.items() if not any(by_year[later] for later in by_year if later >= year)]
    return gone[0] - FIRST_YEAR + 1 if gone else None


def draw(board: Board, power: Power) -> int | None:
    """How many share a draw that was voted, 1 for who won alone, 0 for who has no part; nothing in a timed game."""
    owners: Sequence[Power] = [each for each in board.powers if board.centres[each] and each not in board.left_out]
    match board.ended:
        case Ending.SOLO:
            return int(board.centres[power] == max(board.centres.values()))
        case Ending.VOTE:
            return len(owners) if power in owners else 0
        case _:
            return None
