"""Every sentence of "decided by" is made from the key that decided: random events of each tournament.

Places and sentences are worked out a second time from the games alone (`reference.py`). Set ORDERSHEETS_EVENTS for more
events than the few that every test run makes (1,000 of each take half a minute).
"""

import os
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

import pytest
from msgspec.structs import replace
from workbook.events import Wishes, invent

from pipeline.scoring.awards import BestPower, TeamRow
from pipeline.scoring.extras import FINAL_VICTORY
from pipeline.scoring.ranking import Placed, StandingsRow, may_rank
from pipeline.scoring.rules import ChampionBy
from pipeline.scoring.score import Scored, score
from pipeline.scoring.standings_in_words import decided_by
from pipeline.scoring.system import Outcome
from pipeline.scoring.tally import Counted, Tally, qualifying_stage, tallies
from scoring.played import TOURNAMENTS, rules
from scoring.reference import CHAINS, Lookup, One, ranked, say

EVENTS = int(os.environ.get("ORDERSHEETS_EVENTS", "60"))  # of each tournament


def scored_part(tournament: str, seed: int) -> Scored:
    """The first rounds of an invented event of few players with many ties; the last one often with a final table."""
    settings, dice = rules(tournament), random.Random(seed)
    last = dice.randint(1, settings.totals.rounds)
    wishes = Wishes(
        players=dice.choice((7, 8, 9)), rounds=last, tied=0.9, hostile=0, rulings=0, years=dice.random() < 0.7,
        final=bool(settings.final) and last == settings.totals.rounds, teams=2 if settings.teams else 0,
    )  # fmt: skip
    event = invent(seed, wishes)
    lots = list(event.players)
    dice.shuffle(lots)
    return score(replace(event, lots=(tuple(lots[: dice.choice((0, 4, 9))]),)), settings)


def from_tally(tally: Tally, total: Fraction | None = None) -> One:
    games = tuple(one.game for one in tally.games if not one.is_dropped)
    return One(
        name=tally.player.name,
        total=tally.total if total is None else total,
        games=games,
        counted=tuple(one.game for one in tally.games if one.weight),
        overall=tally.total,
        everything=sum((game.score for game in games), Fraction()),
        final=tally.final,
    )


def chain(tournament: str, contest: str) -> Sequence[str]:
    return CHAINS.get((tournament, contest), ())


def champions_of(one: Scored, tournament: str, beyond: Lookup) -> dict[str, str]:
    """The first of the final table, each with the sentence that says so."""
    final = one.rules.final
    accounts = [row.tally for row in one.standings.rows]
    finalists = [tally for tally in accounts if tally.final]
    if not final or not finalists:
        return {}
    by_table = final.champion is ChampionBy.TABLE
    ones = []
    for tally in finalists:
        before = tally.total - sum(extra.points for extra in tally.extras if extra.kind == FINAL_VICTORY)
        at_stake = tally.final.score if by_table and tally.final else before
        ones.append(replace(from_tally(tally, at_stake), overall=before))
    places = ranked(ones, chain(tournament, "final"), beyond)
    first = {name: says for name, (place, says) in places.items() if place == 1}
    found = {}
    for name, says in first.items():
        scored_there = next(t.final.score for t in finalists if t.player.name == name and t.final)
        table = "best total of the final table" if len(first) == 1 else "level for the best total of the final table"
        if by_table:
            verb = "won" if len(first) == 1 else "level on"
            table = f"{verb} the final table with {shown(scored_there, one)}"
        found[name] = table + (f"; {says}" if says else "")
    return found


def shown(value: Fraction, one: Scored) -> str:
    decimals = one.rules.decimals
    text = say(value, decimals)
    whole, _, part = text.partition(".")
    return f"{whole}.{part.ljust(decimals, '0')}" if decimals else whole


Message = dict[str, tuple[int, str]]  # name -> place and sentence


def sentences(one: Scored, tournament: str) -> Iterator[tuple[str, Message, Message]]:
    """What the program says, and what the reference does: places and words of players, seats, teams and powers."""
    beyond = Lookup(one.event, dict(one.standings.totals))
    champions = champions_of(one, tournament, beyond)
    rows: Sequence[StandingsRow] = one.standings.rows
    rest = [from_tally(row.tally) for row in rows if row.player not in champions]
    places = ranked(rest, chain(tournament, "players"), beyond, first=len(champions) + 1)
    places |= {name: (1, says) for name, says in champions.items()}
    yield "players", {row.player: (row.place, decided_by(row, one)) for row in rows}, places
    if one.qualification and one.rules.final:
        accounts = tallies(one.event, one.games, one.rules, qualifying_stage(one.rules, one.rules.final))
        seats = [from_tally(t) for t in accounts.values() if may_rank(t) and t.games]
        yield "seats", told(one.qualification.ranking), ranked(seats, chain(tournament, "qualifying"), beyond)
    totals = {row.player: row.tally for row in rows} | {t.player.name: t for t in one.standings.unranked}
    teams = [team_of(row, totals) for row in one.teams]
    said = {row.team.name: (row.place, str(row.decision or "")) for row in one.teams}
    yield "teams", said, ranked(teams, chain(tournament, "teams"), beyond)
    for best in one.powers:
        games = [(t.player.name, c.game) for t in totals.values() if may_rank(t) for c in t.games if may_win(c, best)]
        names = [name for name, _ in games]
        if len(set(names)) == len(names):  # nobody has played it twice, so that names tell the games apart
            ones = [One(name, game.score, (game,), (game,)) for name, game in games]
            best_ones = ranked(ones, chain(tournament, "powers"), beyond)
            first = {name: has for name, has in best_ones.items() if has[0] == 1}
            yield f"best {best.power}", dict.fromkeys(best.players, (1, str(best.decision or ""))), first


def told(ranking: Sequence[Placed]) -> Message:
    return {one.contender.name: (one.place, str(one.decision or "")) for one in ranking}


def may_win(one: Counted, best: BestPower) -> bool:
    return one.game.power is best.power and not one.is_dropped and one.game.outcome is not Outcome.ABANDONED


def team_of(row: TeamRow, totals: dict[str, Tally]) -> One:
    games = tuple(game for share in row.shares for game in share.games)
    kept = [totals[member] for member in row.team.members if member in totals]
    everything = sum((c.game.score for t in kept for c in t.games if not c.is_dropped), Fraction())
    total = sum((game.score for game in games), Fraction())
    overall = sum((tally.total for tally in kept), Fraction())
    return One(row.team.name, total, games, games, overall=overall, everything=everything)


@pytest.mark.parametrize("tournament", TOURNAMENTS)
def test_a_sentence_is_made_from_the_key_that_decided(tournament: str) -> None:
    said = 0
    for seed in range(EVENTS):
        one = scored_part(tournament, seed)
        for contest, program, reference in sentences(one, tournament):
            assert program == reference, (seed, contest)
            said += sum(bool(words) for _, words in program.values())
    assert said > EVENTS // 10
