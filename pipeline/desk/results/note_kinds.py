"""What can be noted beside the results: penalties, scores by ruling, newcomers, lots, and the like.

Every kind is one fact with who, when and why; the page and the command ask for its fields and read them alike.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import FIRST_PHASE, MAPS, SIX_PLAYERS, Phase, Power
from pipeline.desk.event.ending import enter_draw
from pipeline.desk.event.games import Game, Seating, games, seatings
from pipeline.desk.event.note_values import NOBODY, START, YES, AskedValue, NoteField, Values
from pipeline.desk.event.seating import against_two_boards, check_two_boards, seat_faults, with_board
from pipeline.desk.forms.results_in import read_players, result_facts
from pipeline.desk.results.early_end import against_early_end, last_round_seated
from pipeline.ledger import events
from pipeline.ledger.ledger import standing
from pipeline.ledger.parts import Column, SeatChange, SeatRuling
from pipeline.rules.conduct import AbandonedPosition
from pipeline.rules.noted_results import BONUS_WORDS, PENALTY_WORDS, canonical
from pipeline.rules.reading_rules import YesNo
from pipeline.scoring.extras import FINAL_TABLE, FINAL_VICTORY, PARTICIPATION, PREREGISTRATION, WITHDRAWAL
from pipeline.scoring.results import Ending
from pipeline.scoring.rules import TwoBoards

# Checks of a note before it is written down: all faults at once, each with its rule.

Facts = tuple[events.NoteEntered | events.ResultEntered | events.Seated, ...]
Read = Mapping[str, Any]  # the fields of a note as they were read


def _enter_penalty(values: Values, read: Read) -> Facts:
    """A deduction costs what the rules say for its kind, or what the director says (EDC23 D4; NZ99 9, 24; WDC08 18).

    A sanction that the rules name, such as a season suspension, costs nothing by itself (NZ99 24).
    """
    priced = {rule.kind for rule in values.event.tournament.scoring.penalties}
    sanctions = values.event.tournament.conduct.sanctions.value
    kind = canonical(read["kind"] or "", {each: (each,) for each in (*priced, *sanctions)} | PENALTY_WORDS)
    points = read["points"].removeprefix("-") if read["points"] else None  # a deduction has no sign
    if points is None and kind in sanctions and kind not in priced:
        points = "0"
    if read["times"] == 0:
        values.fault("times", "expected a whole number from 1, found '0'")
    if kind and points is None and kind not in priced:
        known = f"; these rules price {', '.join(sorted(priced))}" if priced else ""
        values.fault("points", f"missing; {kind!r} has no price in the rules{known}")
    return (
        events.PenaltyEntered(
            player=read["player"], kind=kind, points=points, times=read["times"] or 1, round=read["round"]
        ),
    )


def _enter_bonus(values: Values, read: Read) -> Facts:
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
        _check_withdrawal(values, read)
    return (events.BonusEntered(player=read["player"], kind=kind, points=read["points"], round=read["round"]),)


def _check_withdrawal(values: Values, read: Read) -> None:
    """Check that a player who withdrew from a round does not play in it (EDC23 D), and that it is not noted yet."""
    if read["round"] is None:
        values.fault("round", "missing; a withdrawal is worth a part of its round's scores")
    name = values.event.people.name_of(read["player"] or 0)
    for seating in seatings(values.event).values():
        if seating.round == read["round"] and name in seating.everybody:
            values.fault("round", f"{name} plays on {seating.name} in that round")
    for fact in standing(values.event.facts, events.BonusEntered):
        if (fact.said.player, fact.said.kind, fact.said.round) == (read["player"], WITHDRAWAL, read["round"]):
            noted = f"{name} has it already (number {fact.number} of the journal)"
            values.fault("round", f"{noted}; take that back before another is entered")


def _rule_score(values: Values, read: Read) -> Facts:
    """The director's own score for one seat (NZ99 22; WM III.8)."""
    _check_seat(values, read)
    if read["score"] is not None and Fraction(read["score"]) < 0:
        values.fault("score", "a game's score cannot be negative; take points away with a penalty")
    return (
        events.ScoreRuled(
            board=read["board"].name, power=read["power"], player=_who_sits(values, read), score=read["score"]
        ),
    )


def _who_sits(values: Values, read: Read) -> int:
    """Who sits now at the board and the power of a note; kept in the fact, for a new draw seats others."""
    game, power = read["board"], read["power"]
    sits = game.seating.last_players.get(power, "")
    return values.event.people.number_of(sits, game.name) if sits else 0


def _check_seat(values: Values, read: Read) -> None:
    """Check that the power is played at the board."""
    game: Game | None = read["board"]
    if game and read["power"] and read["power"] not in game.seating.players:
        values.fault("power", f"nobody plays {read['power']} on board {game.name}")


def _replace_player(values: Values, read: Read) -> Facts:
    """Give a seat to another player, or leave it empty: before play as if he had always had it, later as a replacement.

    During a game that is a replacement (WDC08 12.6; WM III.8; EDC23 D). The season decides: somebody who orders from
    the first season on replaced nobody.
    """
    _check_seat(values, read)
    game, power, phase, number = read["board"], read["power"], read["phase"], read["player"]
    if game is None or power is None or power not in game.seating.players:
        return ()
    name = values.event.people.name_of(number or 0)
    before = game.seating.players[power]
    is_first = phase is not None and phase.sort_key <= FIRST_PHASE.sort_key
    _check_seat_phase(values, game, power, phase)
    ruled = tuple(_check_newcomer(values, game, power, read, name))
    rule = values.event.tournament.conduct.abandoned
    if number and not is_first and rule.value is AbandonedPosition.HOLDS:
        values.fault("player", f"an abandoned seat is not filled: {rule.value.meaning} ({rule.source})")
    sat = values.event.people.number_of(before, game.name) if before else 0
    if is_first:
        change = SeatChange(board=game.name, power=power, player=number or 0, before=sat)
        return (events.SeatsChanged(why="", changes=(change,), ruled=ruled),)
    return (
        events.PlayerReplaced(
            why="", board=game.name, power=power, phase=phase, player=number, before=sat, ruled=ruled
        ),
    )


def _check_seat_phase(values: Values, game: Game, power: Power, phase: Phase | None) -> None:
    """Check that a seat changes hands in a phase that was reached, and after its previous change."""
    if phase is None:
        return
    untils = [each.until for each in game.seating.earlier if each.power is power]
    last = max(untils, default=None, key=lambda until: until.sort_key)
    if last is not None and phase.sort_key <= last.sort_key:
        changes = [
            fact.number
            for fact in standing(values.event.facts, events.PlayerReplaced)
            if (fact.said.board, fact.said.power) == (game.name, power)
        ]
        way_out = f"take that back first (number {changes[-1]} in the journal), or name a later phase"
        values.fault("phase", f"the seat changed hands in {last.in_words}; {way_out}")
    elif game.played and phase.sort_key <= FIRST_PHASE.sort_key:
        text = f"{begun(game)}; name the newcomer's first season with orders, or take the publication back"
        values.fault("phase", f"{text}, if the seat was so from the start")
    if game.entered is None and phase.sort_key > game.position.phase.sort_key:
        values.fault("phase", f"{game.position.phase.in_words} is open; {phase.in_words} has not come")
    if game.entered is not None and phase.year > max(game.entered.years) + 1:  # the Spring after a count may be open
        values.fault("phase", f"the game was played to {max(game.entered.years)}; {phase.in_words} never came")
    if phase.sort_key < FIRST_PHASE.sort_key:
        values.fault("phase", f"games begin with {FIRST_PHASE.in_words}")


def begun(game: Game) -> str:
    """Say that a game is being played with its seats."""
    return f"{game.played[0].phase.in_words} is published on board {game.name}"


def _check_newcomer(values: Values, game: Game, power: Power, read: Read, name: str) -> Iterator[SeatRuling]:
    """Check that nobody has two seats at a board, nor returns after elimination (WM III.8), nor has two boards.

    Returns what the director allowed where the rules leave it to him or forbid it.
    """
    seating = game.seating
    if not name:
        if not seating.players[power]:
            values.fault("player", f"nobody sits there already; name who takes {power}")
        return
    if name == seating.players[power]:
        values.fault("player", f"{name} plays {power} on board {game.name} already")
        return
    gave_up = [str(each.power) for each in seating.earlier if each.player == name and each.power is not power]
    if gave_up:
        values.fault("player", f"{name} gave up {', '.join(gave_up)} at this board; a player has one seat on a board")
        return
    own = [each for each, sits in seating.players.items() if sits == name]
    alive = [str(each) for each in own if game.position.centres.get(each) or game.position.units.get(each)]
    rule = values.event.tournament.conduct.eliminated_may_replace
    if alive:
        values.fault("player", f"{name} plays {', '.join(alive)} at this board")
    elif own and rule.value is YesNo.NO:
        values.fault("player", f"{name} was eliminated from this game, and does not come back to it ({rule.source})")
    elif own and rule.asks:
        question = f"{name} was eliminated from this game; the rules do not say whether one may come back"
        if values.allow(read, question):
            yield SeatRuling.ELIMINATED
    if not own and values.allow(read, against_two_boards(values.event, seating.round, seating.board, name)):
        yield SeatRuling.TWO_BOARDS


def round_of_swap(read: Read, boards: Mapping[str, Seating]) -> int:
    """The round in which two players change places: the one that is named, or the one that was drawn last."""
    return read.get("round") or max((seating.round for seating in boards.values()), default=0)


def _swap_players(values: Values, read: Read) -> Facts:
    """Swap two players before play: each has the other's seat from the first order on."""
    event, boards = values.event, seatings(values.event)
    number = round_of_swap(read, boards)
    said = []
    for field in ("player", "other"):
        name = event.people.name_of(read[field] or 0)
        seats = [
            (seating.name, power)
            for seating in boards.values()
            for power, who in seating.players.items()
            if who == name and seating.round == number
        ]
        if name and len(seats) != 1:
            boards_there = " and ".join(board for board, _ in seats)
            each_alone = f"on {boards_there}; give each seat by '{KINDS['substitute'].title}'"
            values.fault(field, f"{name} sits {each_alone if seats else f'nowhere in round {number}'}")
        said += [(board, power, read[field]) for board, power in seats[:1]]
    if values.problems or len(said) < 2:
        return ()
    (here, mine, one), (there, yours, other) = said
    if one == other:
        values.fault("other", f"{event.people.name_of(one)} stands on both sides; name another player")
    every = games(event)
    for game in dict.fromkeys((here, there)):
        if every[game].played:
            values.fault(
                "player", f"{begun(every[game])}; its seats stand, and change only by '{KINDS['substitute'].title}'"
            )
        elif boards[game].earlier:
            values.fault("player", f"a seat of board {game} was taken over during the game; take that back first")
    return (
        events.SeatsChanged(
            why="",
            changes=(
                SeatChange(board=here, power=mine, player=other, before=one),
                SeatChange(board=there, power=yours, player=one, before=other),
            ),
        ),
    )


def _board_by_hand(values: Values, read: Read) -> Facts:
    """Seat a board by hand: for late-comers, or a table outside the draw; the other boards stay."""
    event, room = values.event, read["board"]
    players = dict(read_players(values, read["players"] or [], may_be_free=True))
    map_name = _map_by_hand(values, read, players)
    if players and not any(players.values()):
        values.fault("players", "nobody plays at this board; name one player or more")
    if room is None or values.problems:
        return ()
    number, board = room
    name, why = f"{number}.{board}", values.text("why")
    drawn = seatings(event).get(name)
    if drawn and drawn.is_by_hand and drawn.first_players == players:
        stands = [fact.said for fact in standing(event.facts, events.Seated) if fact.said.round == number]
        return tuple(stands[-1:])  # it is in force already
    if drawn:
        titles = f"'{KINDS['swap'].title}' and '{KINDS['substitute'].title}'"
        values.fault("board", f"board {name} is seated already; the notes {titles} change its seats")
    for where, text in seat_faults(event, {board: players}, {board: map_name}):
        values.fault("players", f"{where}: {text}")
    notes = (f"board {name} is set by hand: {why}", *check_two_boards(values, read, room, players.values()))
    return () if values.problems else (with_board(event, number, board, players, map_name, notes),)


def _map_by_hand(values: Values, read: Read, players: Mapping[Power, str]) -> str:
    """The map of a board set by hand: the one of six only where the director says so; every power has its line."""
    own = values.event.details.map_name
    six = SIX_PLAYERS.get(own)
    if read["six"] and six is None:
        values.fault("six", f"the map {own!r} has no board of six")
    name = six if read["six"] and six is not None else own
    missing = [str(power) for power in MAPS[name]().start if power not in players]
    if missing and not values.problems:
        text = f"no line for {', '.join(missing)}; a seat that nobody has yet is '{missing[0]} {NOBODY}'"
        if six is not None and set(players) == set(MAPS[six]().start):
            text += "; a board of six is one only where you say so: --six, on the page 'a board of six, without Turkey'"
        values.fault("players", text)
    return name


def _late_start(values: Values, read: Read) -> Facts:
    """Note in which season a player arrived: from season n on he gets (14-n)/14 of the score (EDC23 D)."""
    _check_seat(values, read)
    season = 0 if read["phase"] == START else read["phase"].season_number
    seasons = values.event.tournament.scoring.system.late_seasons
    if seasons is None:
        values.fault("season", "these rules take nothing off for arriving late; enter a score or a penalty instead")
    elif season > seasons:
        values.fault("phase", f"{read['phase'].in_words} is season {season}; the rules know {seasons}")
    sits = _who_sits(values, read)
    return (events.LateStartEntered(board=read["board"].name, power=read["power"], player=sits, season=season),)


def _choose_counting_board(values: Values, read: Read) -> Facts:
    """Note which of two boards in a round counts, if the player chooses (EDC23 D) or the rules leave it open."""
    rules, game = values.event.tournament.scoring, read["board"]
    if read["both"] and rules.totals.two_boards is not TwoBoards.ASK:
        values.fault("both", f"the rules say what counts: {rules.totals.two_boards.value!r}")
    if rules.totals.two_boards not in (TwoBoards.CHOSEN, TwoBoards.ASK):
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
    chosen = events.BoardChosen(
        why="", player=read["player"], round=game.seating.round, board=game.name, both=bool(read["both"])
    )
    return (chosen,)


def _enter_lot(values: Values, read: Read) -> Facts:
    """Enter names in the order in which they were drawn (WM XI.1.b.v); contradicting lots are refused."""
    drawn: list[int] = read["players"] or []
    for fact in standing(values.event.facts, events.LotsDrawn):
        before = list(fact.said.players)
        if set(before).isdisjoint(drawn) or [number for number in drawn if number in before] == before:
            continue
        names = ", ".join(values.event.people.name_of(number) for number in before)
        text = f"{names} were drawn in this order (number {fact.number}); name them all, in that order, or take it back"
        values.fault("players", text)
    return (events.LotsDrawn(players=tuple(drawn)),)


def _change_roster_value(column: Column, value: str) -> Callable[[Values, Read], Facts]:
    """Change one field of a player, or empty it; the change counts until that field of the file is edited."""

    def facts(values: Values, read: Read) -> Facts:
        filed = next((p for p in values.event.people.before_changes if p.number == read["player"]), None)
        was = getattr(filed, column) if filed else None
        now = "" if read[value] == NONE else read[value]
        return (events.PlayerNoted(why="", player=read["player"], field=column, value=now, was=was),)

    return facts


def _end_early(values: Values, _: Read) -> Facts:
    """The rounds that are not drawn are played no more."""
    values.problems += against_early_end(values.event)
    return (events.EventEndedEarly(after=last_round_seated(values.event)),)


class NoteKind(Struct, frozen=True, kw_only=True):
    word: str  # as the command has it
    title: str  # as the page has it
    fields: tuple[NoteField, ...]
    facts: Callable[[Values, Read], Facts]  # what is written down; faults are noted in the values
    needs_why: bool = False
    is_scored: bool = False  # points or places follow from it: needs a reason once these are published as final
    rules: str = ""  # what the five tournaments say of it


ENDINGS = tuple(str(ending) for ending in Ending if ending is not Ending.UNSTATED)
NONE = "none"  # empties a field of a player
OR_NONE = f"or the word {NONE}"
WHO = NoteField(name="player", label="who", asked=AskedValue.PLAYER)
BOARD = NoteField(name="board", label="board", asked=AskedValue.BOARD, help="such as 2.3")
FROM = NoteField(name="phase", label="from", asked=AskedValue.PHASE, help="the first season, such as F1903")
KIND = NoteField(name="kind", label="what for", asked=AskedValue.WORD, is_open=True)
POWER = NoteField(name="power", label="power", asked=AskedValue.POWER)
ROUND = NoteField(name="round", label="round", asked=AskedValue.ROUND, needed=False)
RULED = NoteField(
    name="ruled",
    label="allowed by the director",
    asked=AskedValue.WORD,
    needed=False,
    help="where the rules leave it to the director",
    words=YES,
)
SEATED = NoteField(
    name="players",
    label="who sits where",
    asked=AskedValue.LINES,
    help="such as AUSTRIA Ada, a power a line; AUSTRIA nobody leaves a seat free on a board set by hand",
)
POINTS = NoteField(name="points", label="points, where the rules give none", asked=AskedValue.POINTS, needed=False)


KINDS = {
    kind.word: kind
    for kind in (
        NoteKind(
            word="penalty",
            title="A penalty",
            fields=(
                WHO,
                replace(KIND, help="absence, contesting, late, conduct, or a word of your own"),
                replace(POINTS, help="taken away; the sign does not matter"),
                ROUND,
                NoteField(name="times", label="how often", asked=AskedValue.COUNT, needed=False),
            ),
            facts=_enter_penalty,
            needs_why=True,
            rules="EDC23 D4; NZ99 9, 24; WDC08 11.3, 18",
        ),
        NoteKind(
            word="bonus",
            title="A bonus",
            fields=(
                WHO,
                replace(KIND, help="withdrawal, preregistration, or a word of your own"),
                POINTS,
                ROUND,
            ),
            facts=_enter_bonus,
            needs_why=True,
            rules="EDC23 D2, D3",
        ),
        NoteKind(
            word="score",
            title="A score by ruling",
            fields=(BOARD, POWER, NoteField(name="score", label="score", asked=AskedValue.POINTS)),
            facts=_rule_score,
            needs_why=True,
            rules="NZ99 22; WM III.8",
        ),
        NoteKind(
            word="substitute",
            title="Somebody takes a seat",
            fields=(
                BOARD,
                POWER,
                NoteField(
                    name="player", label="newcomer", asked=AskedValue.PLAYER_OR_NOBODY, help=f"a name, or {NOBODY}"
                ),
                replace(
                    FROM,
                    help="the first season, such as F1903; S1901 before play: seated there from the start",
                ),
                RULED,
            ),
            facts=_replace_player,
            needs_why=True,
            rules="WDC08 12.6; WM III.8; NZ99 5, 13; EDC23 D",
        ),
        NoteKind(
            word="swap",
            title="Two players change places",
            fields=(
                WHO,
                NoteField(name="other", label="with", asked=AskedValue.PLAYER),
                replace(ROUND, help="without it the round that was drawn last"),
            ),
            facts=_swap_players,
            needs_why=True,
            rules="before play, by the director's hand",
        ),
        NoteKind(
            word="board",
            title="A board set by hand",
            fields=(
                NoteField(name="board", label="board", asked=AskedValue.NEW_BOARD, help="round and board, such as 2.3"),
                SEATED,
                NoteField(
                    name="six",
                    label="a board of six, without Turkey",
                    asked=AskedValue.WORD,
                    needed=False,
                    help="the lines name the six others",
                    words=YES,
                ),
                RULED,
            ),
            facts=_board_by_hand,
            needs_why=True,
            rules="latecomers, fixed tables",
        ),
        NoteKind(
            word="draw",
            title="Who is in a draw",
            fields=(
                BOARD,
                NoteField(
                    name="powers", label="powers in it", asked=AskedValue.POWERS, help="such as AUSTRIA ITALY, or A I"
                ),
            ),
            facts=enter_draw,
            is_scored=True,
            rules="Dixiecon, Tribute and others that leave survivors out",
        ),
        NoteKind(
            word="late-start",
            title="Somebody arrived late",
            fields=(
                BOARD,
                POWER,
                NoteField(
                    name="phase",
                    label="in",
                    asked=AskedValue.ARRIVAL,
                    help=f"the first season, such as F1903; {START}: nothing is taken off the score",
                ),
            ),
            facts=_late_start,
            needs_why=True,
            rules="EDC23 D",
        ),
        NoteKind(
            word="counts",
            title="Which of two boards counts",
            fields=(
                WHO,
                BOARD,
                NoteField(
                    name="both",
                    label="both count",
                    asked=AskedValue.WORD,
                    needed=False,
                    help="where the rules leave it to the director",
                    words=YES,
                ),
            ),
            facts=_choose_counting_board,
            is_scored=True,
            rules="EDC23 D",
        ),
        NoteKind(
            word="lot",
            title="A lot",
            fields=(
                NoteField(
                    name="players", label="names", asked=AskedValue.PLAYERS, help="a name a line, the first drawn first"
                ),
            ),
            facts=_enter_lot,
            is_scored=True,
            rules="WM XI.1.b.v, XI.2; WDC08 16.3; EDC23 B",
        ),
        NoteKind(
            word="excluded",
            title="Somebody is excluded",
            fields=(WHO,),
            facts=lambda _, read: (events.PlayerExcluded(player=read["player"]),),
            needs_why=True,
            rules="EDC96 12; NZ99 9, 24; WDC08 18",
        ),
        NoteKind(
            word="award",
            title="A special award",
            fields=(NoteField(name="award", label="award", asked=AskedValue.TEXT), WHO),
            facts=lambda _, read: (events.AwardGiven(award=read["award"], player=read["player"]),),
            rules="WM XI.3",
        ),
        NoteKind(
            word="distance",
            title="Distance from home",
            fields=(WHO, NoteField(name="km", label="kilometres", asked=AskedValue.COUNT)),
            facts=_change_roster_value(Column.DISTANCE, "km"),
            rules="WM XI.1.b.iv; EDC23 B",
        ),
        NoteKind(
            word="country",
            title="Country",
            fields=(WHO, NoteField(name="country", label="country", asked=AskedValue.TEXT, help=OR_NONE)),
            facts=_change_roster_value(Column.COUNTRY, "country"),
            rules="EDC96 team tournament",
        ),
        NoteKind(
            word="club",
            title="Club",
            fields=(WHO, NoteField(name="club", label="club", asked=AskedValue.TEXT, help=OR_NONE)),
            facts=_change_roster_value(Column.CLUB, "club"),
        ),
        NoteKind(
            word="preregistered",
            title="Announced beforehand",
            fields=(WHO, NoteField(name="rounds", label="rounds", asked=AskedValue.ROUNDS, help="such as 1, 4")),
            facts=lambda _, read: (events.PreregistrationEntered(player=read["player"], rounds=tuple(read["rounds"])),),
            is_scored=True,
            rules="EDC23 D3, G",
        ),
        NoteKind(
            word="early-end",
            title="The event ends before its last round",
            fields=(),
            facts=_end_early,
            needs_why=True,
            rules="NZ99 2; WM XI.1.a; EDC23 B; EDC96 rounds; WDC08 4",
        ),
        NoteKind(
            word="result",
            title="A game played elsewhere",
            fields=(
                NoteField(name="board", label="board", asked=AskedValue.NEW_BOARD, help="round and board, such as 2.3"),
                NoteField(name="ended", label="how it ended", asked=AskedValue.WORD, words=ENDINGS),
                NoteField(
                    name="years",
                    label="counts, a year a line",
                    asked=AskedValue.LINES,
                    help="such as 1907 A5 E4 F5 G5 I4 R6 T5, and N for unowned centres",
                ),
                replace(SEATED, label="who played, where the board is not drawn", needed=False),
                NoteField(
                    name="stalemate",
                    label="the position is a stalemate",
                    asked=AskedValue.WORD,
                    needed=False,
                    help="of a draw that was voted, where the rules want that",
                    words=YES,
                ),
                RULED,
            ),
            facts=result_facts,
            is_scored=True,
            rules="WDC08 11.3",
        ),
    )
}
