"""Tell why a player stands where he stands: from the place to the games, the centres, and who took them when."""

from collections.abc import Iterator

from pipeline.board.map import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, games
from pipeline.desk.results.scored import scored_event
from pipeline.problems import stop
from pipeline.scoring.places.words import decided_by
from pipeline.scoring.results.exact import decimal, shown
from pipeline.scoring.totals.counting import Counted


def explain_standing(event: Event, name: str) -> Iterator[str]:
    """The account of one player, the place first, a line at a time."""
    scored = scored_event(event)
    row = next((row for row in scored.standings.rows if row.player.casefold() == name.casefold()), None)
    if row is None:
        raise stop("has no place: no game of this player is over", name)
    decimals = event.tournament.scoring.decimals
    tied = " (shared)" if row.is_tied else ""
    yield f"{row.player}: place {row.place}{tied}, {shown(row.total, decimals)} points"
    if told := decided_by(row, scored):
        yield f"  decided by  {told}"
    found = games(event)
    for counted in row.tally.games:
        yield from game_lines(found[f"{counted.game.round}.{counted.game.board.name}"], counted, decimals)
    for extra in row.tally.extras:
        yield f"  {extra.kind:<11} {shown(extra.points, decimals)}  {extra.why}"
    yield f"  total       {decimal(row.tally.exact)}"


def game_lines(game: Game, counted: Counted, decimals: int) -> Iterator[str]:
    """One game: its score, what it is made of, and the centres with the year each was taken."""
    played = counted.game
    weight = "" if counted.weight == 1 else f" × {decimal(counted.weight)}"
    yield (
        f"  board {game.name:<5} {played.power}: {shown(played.score, decimals)}{weight}, {played.centres} centres, "
        f"{played.outcome}" + (f"; {counted.why}" if counted.why else "")
    )
    for part, points in played.parts.items():
        yield f"    {part}: {decimal(points)}"
    for remark in played.remarks:
        yield f"    {remark}"
    for centre, taken in taken_in(game, played.power).items():
        yield f"    {centre}  {taken}"


def taken_in(game: Game, power: Power) -> dict[str, str]:
    """Since when a power owns each of its centres, and with which unit it was taken: ``explain`` goes on from there."""
    owned = dict.fromkeys(sorted(game.position.centres.get(power, ())), "held from the start")
    for played in game.played:
        before = set(played.before.centres.get(power, ()))
        after = set(played.resolution.after.centres.get(power, ()))
        for centre in after - before:
            unit = next((u for u in played.resolution.after.units.get(power, ()) if u.province == centre), None)
            if centre in owned:
                owned[centre] = f"taken in {played.phase.in_words}" + (f" by {unit}" if unit else "")
    return owned
