"""Standings in words: what decided a place, why somebody has a title. Every sentence is made from the key that did."""

from typing import assert_never

from pipeline.scoring.awards import Award, Group, Held
from pipeline.scoring.doubt_words import listed
from pipeline.scoring.exact import shown
from pipeline.scoring.progress import FinalState
from pipeline.scoring.ranking import Decision
from pipeline.scoring.score import Scored
from pipeline.scoring.standings import Row, Won

ON_TABLE = {Held.GIVEN: "winner of", Held.LEADS: "leads", Held.LEVEL: "first of"}
VOTE_DECIMALS = 2  # of a mean of votes, and of board-game points


def decided_by(row: Row, scored: Scored) -> str:
    """Say what put a player into a place, empty where it was the total alone."""
    told = str(row.decision) if row.decision else ""
    if row.won is None:
        return told
    table = on_table(row, scored)
    return f"{table}; {told}" if told else table


def on_table(row: Row, scored: Scored) -> str:
    """Say how somebody is first of the final table: by its score, or by the total; and whether it is over."""
    champions, decimals = scored.standings.champions, scored.rules.decimals
    level = f", level with {listed([name for name in champions if name != row.player])}" if len(champions) > 1 else ""
    is_over = scored.progress.final in (FinalState.OVER, FinalState.NONE)
    match row.won:
        case Won.TABLE:
            score = shown(row.tally.final.score, decimals) if row.tally.final else "0"
            verb = "leads" if not is_over else "first of" if level else "won"
            return f"{verb} the final table with {score}{level}"
        case Won.TOTAL:
            best = "best total of the final table"
            return f"{best} so far{level}" if not is_over else f"{best}{level}"
        case None:
            return ""
        case _:
            assert_never(row.won)


def reason(award: Award, decimals: int) -> str:
    """Say why somebody has a title, or leads for it."""
    told = f"; {award.decision}" if award.decision else ""
    match award.group:
        case Group.PLACES:
            return f"{won(award, decimals)}{shown(award.value, decimals)} points{told}"
        case Group.POWERS:
            seats = ", ".join(f"round {game.round} {game.board.name}" for game in award.games)
            return f"{shown(award.value, decimals)} points in {seats}{told}"
        case Group.VOTES:
            return f"{shown(award.value, VOTE_DECIMALS)} of {award.votes} votes{told}"
        case Group.TEAMS:
            return f"{shown(award.value, decimals)} points{told}"
        case Group.BOARD_GAMES:
            return f"{shown(award.value, VOTE_DECIMALS)} points"
        case Group.SPECIAL:
            return award.why
        case _:
            assert_never(award.group)


def won(award: Award, decimals: int) -> str:
    """Say by what a champion is one."""
    match award.won:
        case Won.TABLE:
            return f"{ON_TABLE[award.held]} the final table with {shown(award.on_final, decimals)}, "
        case Won.TOTAL:
            return "best total of the final table, "
        case None:
            return ""
        case _:
            assert_never(award.won)


def state(held: Held, progress: object) -> str:
    """Say how somebody has a title that is not given yet."""
    match held:
        case Held.GIVEN:
            return ""
        case Held.LEADS:
            return f"leads {progress}"
        case Held.LEVEL:
            return "level: see the doubts"
        case _:
            assert_never(held)


def decided_with(decision: Decision | None) -> str | None:
    """Say with which numbers a tie-break decided, and against whom."""
    if decision is None:
        return None
    own, other = decision.numbers
    return f"{own} against {other} ({decision.against})"
