"""What must be true of a note before it is written down: its faults are told all at once, each with the rule."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from pipeline.board.map import Power
from pipeline.board.position import FIRST_PHASE, Phase
from pipeline.desk.event.games import Game, seatings
from pipeline.desk.event.note_values import Values
from pipeline.ledger.events import (
    AwardGiven,
    BoardChosen,
    BonusEntered,
    LateStartEntered,
    LotsDrawn,
    NoteEntered,
    PenaltyEntered,
    PlayerExcluded,
    PlayerNoted,
    PlayerReplaced,
    PreregistrationEntered,
    ResultEntered,
    ScoreRuled,
    Seated,
)
from pipeline.ledger.parts import Column
from pipeline.ledger.undone import standing
from pipeline.rules.conduct_rules import AbandonedPosition
from pipeline.rules.reading_rules import YesNo
from pipeline.rules.scoring.noted_results import BONUS_WORDS, PENALTY_WORDS, canonical
from pipeline.scoring.totals.extras import FINAL_TABLE, FINAL_VICTORY, PARTICIPATION, PREREGISTRATION, WITHDRAWAL
from pipeline.scoring.totals.rules import TwoBoards

Facts = tuple[NoteEntered | ResultEntered | Seated, ...]
Read = Mapping[str, Any]  # the fields of a note as they were read


def excluded(_: Values, read: Read) -> Facts:
    """Somebody is excluded (EDC96 12; NZ99 9, 24; WDC08 18)."""
    return (PlayerExcluded(player=read["player"]),)


def award(_: Values, read: Read) -> Facts:
    """A special award (WM XI.3)."""
    return (AwardGiven(award=read["award"], player=read["player"]),)


def announced(_: Values, read: Read) -> Facts:
    """The rounds that somebody had announced beforehand (EDC23 D3, G)."""
    return (PreregistrationEntered(player=read["player"], rounds=tuple(read["rounds"])),)


def penalty(values: Values, read: Read) -> Facts:
    """A deduction costs what the rules say for its kind, or what the director says (EDC23 D4; NZ99 9, 24; WDC08 18).

    A sanction that the rules name, such as a season suspension, costs nothing by itself (NZ99 24).
    """
    priced = {rule.kind for rule in values.event.tournament.scoring.penalties}
    sanctions = values.event.tournament.conduct.sanctions.value
    kind = canonical(read["kind"] or "", {each: (each,) for each in (*priced, *sanctions)} | PENALTY_WORDS)
    points = read["points"].removeprefix("-") if read["points"] else None  # a deduction has no sign
    if points is None and kind in sanctions and kind not in priced:
        points = "0"
    if kind and points is None and kind not in priced:
        known = f"; these rules price {', '.join(sorted(priced))}" if priced else ""
        values.fault("points", f"missing; {kind!r} has no price in the rules{known}")
    return (
        PenaltyEntered(player=read["player"], kind=kind, points=points, times=read["times"] or 1, round=read["round"]),
    )


def bonus(values: Values, read: Read) -> Facts:
    """Points that no board gives: what the rules compute, or what the director says (EDC23 D)."""
    rules = values.event.tournament.scoring.bonuses
    computed = {
        PARTICIPATION: rules.participation,
        PREREGISTRATION: rules.preregistration,
        FINAL_TABLE: rules.final_share or None,
        FINAL_VICTORY: rules.final_victory or None,
        WITHDRAWAL: rules.withdrawal,
    }
    kind = canonical(read["kind"] or "", BONUS_WORDS)
    if kind and read["points"] is None and computed.get(kind) is None:
        known = ", ".join(word for word, rule in computed.items() if rule is not None)
        values.fault("points", f"missing; {kind!r} has no worth in the rules{'; they know ' + known if known else ''}")
    if kind == WITHDRAWAL:
        check_withdrawal(values, read)
    return (BonusEntered(player=read["player"], kind=kind, points=read["points"], round=read["round"]),)


def check_withdrawal(values: Values, read: Read) -> None:
    """Nobody plays a round that he withdrew from (EDC23 D)."""
    if read["round"] is None:
        values.fault("round", "missing; a withdrawal is worth a part of its round's scores")
    name = values.event.people.name_of(read["player"] or 0)
    for seating in seatings(values.event).values():
        if seating.round == read["round"] and name in seating.everybody:
            values.fault("round", f"{name} plays on {seating.name} in that round")


def score(values: Values, read: Read) -> Facts:
    """The director's own score for one seat (NZ99 22; WM III.8)."""
    check_seat(values, read)
    if read["score"] is not None and Fraction(read["score"]) < 0:
        values.fault("score", "a game gives no less than nothing; take points away by a penalty")
    return (
        ScoreRuled(board=read["board"].name, power=read["power"], player=who_sits(values, read), score=read["score"]),
    )


def who_sits(values: Values, read: Read) -> int:
    """Who sits now at the board and the power of a note: a seat that is drawn again has other people."""
    game, power = read["board"], read["power"]
    sits = game.seating.last_players.get(power, "")
    return values.event.people.number_of(sits, game.name) if sits else 0


def check_seat(values: Values, read: Read) -> None:
    """The power is played at the board."""
    game: Game | None = read["board"]
    if game and read["power"] and read["power"] not in game.seating.players:
        values.fault("power", f"nobody plays {read['power']} on board {game.name}")


def substitute(values: Values, read: Read) -> Facts:
    """Somebody takes a seat over in the middle of a game, or leaves it to nobody (WDC08 12.6; WM III.8; EDC23 D)."""
    check_seat(values, read)
    game, power, phase, number = read["board"], read["power"], read["phase"], read["player"]
    if game is None or power is None or power not in game.seating.players:
        return ()
    name = values.event.people.name_of(number or 0)
    before = game.seating.players[power]
    check_phase(values, game, power, phase)
    check_newcomer(values, game, power, name)
    rule = values.event.tournament.conduct.abandoned
    if number and rule.value is AbandonedPosition.HOLDS:
        values.fault("player", f"a position that is left is not filled: {rule.value.meaning} ({rule.source})")
    sat = values.event.people.number_of(before, game.name) if before else 0
    return (PlayerReplaced(board=game.name, power=power, phase=phase, player=number, before=sat),)


def check_phase(values: Values, game: Game, power: Power, phase: Phase | None) -> None:
    """A seat changes hands in a phase that has come, and after the change before."""
    if phase is None:
        return
    last = max((each.until for each in game.seating.earlier if each.power is power), default=None, key=sort_key)
    if last is not None and phase.sort_key <= last.sort_key:
        values.fault("phase", f"the seat changed hands in {last.in_words}; this was later")
    if game.entered is None and phase.sort_key > game.position.phase.sort_key:
        values.fault("phase", f"{game.position.phase.in_words} is open; {phase.in_words} has not come")
    if phase.sort_key < FIRST_PHASE.sort_key:
        values.fault("phase", f"games begin with {FIRST_PHASE.in_words}")


def sort_key(phase: Phase) -> tuple[int, int, int]:
    """Phases in the order in which they are played."""
    return phase.sort_key


def check_newcomer(values: Values, game: Game, power: Power, name: str) -> None:
    """Nobody has two seats at a board, nor comes back to it where he was eliminated (WM III.8)."""
    seating = game.seating
    if not name:
        if not seating.players[power]:
            values.fault("player", f"nobody sits there already; name who takes {power}")
        return
    if name == seating.players[power]:
        values.fault("player", f"{name} plays {power} on board {game.name} already")
        return
    own = [each for each, sits in seating.players.items() if sits == name]
    alive = [str(each) for each in own if game.position.centres.get(each) or game.position.units.get(each)]
    rule = values.event.tournament.conduct.eliminated_may_replace
    if alive:
        values.fault("player", f"{name} plays {', '.join(alive)} at this board")
    elif own and rule.value is YesNo.NO:
        values.fault("player", f"{name} was eliminated from this game, and does not come back to it ({rule.source})")


def late_start(values: Values, read: Read) -> Facts:
    """Who arrived in season n gets (14-n)/14 of the score (EDC23 D)."""
    check_seat(values, read)
    if values.event.tournament.scoring.system.late is None:
        values.fault("season", "these rules take nothing off for arriving late; enter a score or a penalty instead")
    season = read["phase"].season_number
    sits = who_sits(values, read)
    return (LateStartEntered(board=read["board"].name, power=read["power"], player=sits, season=season),)


def counts(values: Values, read: Read) -> Facts:
    """Which of two boards in one round counts, where the player chooses (EDC23 D)."""
    rules, game = values.event.tournament.scoring, read["board"]
    if rules.totals.two_boards is not TwoBoards.CHOSEN:
        source = rules.sources.get("totals.two_boards")
        said = f"{rules.totals.two_boards.value!r} ({source.rule if source else 'the rules are silent'})"
        values.fault("board", f"in these rules nobody chooses which of two boards counts: {said}")
    if game is None or not read["player"]:
        return ()
    name = values.event.people.name_of(read["player"])
    sat = [each.name for each in seatings(values.event).values() if name in each.everybody]
    mine = [board for board in sat if board.startswith(f"{game.seating.round}.")]
    if game.name not in mine:
        values.fault("board", f"{name} does not play on {game.name}")
    elif len(mine) < 2:
        values.fault("board", f"{name} plays on one board only in round {game.seating.round}")
    return (BoardChosen(player=read["player"], round=game.seating.round, board=game.name),)


def lot(values: Values, read: Read) -> Facts:
    """Names in the order in which they were drawn (WM XI.1.b.v); nobody is in two lots that say different things."""
    drawn: list[int] = read["players"] or []
    for fact in standing(values.event.facts, LotsDrawn):
        before = list(fact.said.players)
        if set(before).isdisjoint(drawn) or [number for number in drawn if number in before] == before:
            continue
        names = ", ".join(values.event.people.name_of(number) for number in before)
        text = f"{names} were drawn in this order (fact {fact.number}); name them all, in that order, or take it back"
        values.fault("players", text)
    return (LotsDrawn(players=tuple(drawn)),)


def noted(column: Column, value: str) -> Callable[[Values, Read], Facts]:
    """A line of the roster, as it is now; it holds while the file says what it said then."""

    def facts(values: Values, read: Read) -> Facts:
        filed = next((p for p in values.event.people.filed if p.number == read["player"]), None)
        was = getattr(filed, column) if filed else None
        return (PlayerNoted(player=read["player"], field=column, value=read[value], was=was),)

    return facts
