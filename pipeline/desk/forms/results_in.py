"""The result of a game that was played without the program: from its board sheet or typed in, with the same checks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from pipeline.board import MAPS, SIX_PLAYERS, Map, Phase, Power, Season, Step, starting_position
from pipeline.desk.event.ending import (
    check_lifted,
    check_no_draw,
    check_unused,
    has_dice,
    overruled_conditions,
    published_before,
    rests_on,
    rolls_of_round,
    worth,
)
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, Seating, find_game, games
from pipeline.desk.event.note_values import NOBODY as NOBODY_SITS
from pipeline.desk.event.note_values import Values
from pipeline.desk.event.seating import check_two_boards, seat_faults, with_board
from pipeline.desk.forms.forms_in import NOBODY, FormDoubt, FormIn, FormReason
from pipeline.ledger.events import ActTakenBack, ResultEntered, Seated
from pipeline.ledger.ledger import standing
from pipeline.paper.form import name_answer
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.game_end import FIRST_YEAR, GameNow, end_bars
from pipeline.rules.reading_rules import YesNo
from pipeline.scoring.doubts import Clash
from pipeline.scoring.results import Ending
from pipeline.scoring.system import contradictions
from pipeline.words.speech import Message, sentence

CentresByYear = Mapping[int, Mapping[Power, int]]

COUNT = re.compile(r"(?<![A-Za-z])([A-Za-z]+)\s*+[:=]?\s*+(\d{1,2})")
LETTERS = {power[0]: power for power in Power}
REFUSED = (Clash.SOLO, Clash.BACK)  # other contradictions are shown as doubts of the standings
CHANGED = "a field was ruled on since it was entered; accept it again"
NOBODY_LETTER = "N"  # beside the letters of the powers: centres that nobody owns


def _result_of_counts(
    event: Event, game: Game, form: str, ended: Ending, years: CentresByYear, why: str, *, is_stalemate: bool
) -> ResultEntered:
    """The fact that enters a result, or stop with the objections of its counts and of the rules on endings.

    ``form`` is the board sheet that it stands on; nothing: it was typed in. ``is_stalemate`` is what the director says
    of a draw that was voted.
    """
    if game.played:
        raise stop("the game is played here; its orders say the result", game.name)
    if game.ending and game.entered is None:
        raise stop(f"the game is over already: {game.ending}", game.name)
    check_no_draw(event, game.name)
    scoring = event.tournament.scoring.system_at(is_final=game.seating.is_final, pool=game.seating.pool)
    needed = scoring.solo.centres_needed(len(game.map.centres))
    clashes = contradictions(game.spot, years, years[max(years)], needed)
    if faults := [fault for fault in clashes if fault.clash in REFUSED]:
        raise Stopped(Problem(Weight.STOPS, fault.text, game.name) for fault in faults)
    doubts = [sentence(doubt) for doubt in (*_leaps(game.map, years), *_unlike_position(game, years))]
    if game.entered is None:
        doubts += published_before(event)
    elif game.end and (game.entered.years, game.end.how) != (years, ended):
        doubts += rests_on(event, game)
    if doubts and not why.strip():
        text = "; to enter it all the same, say why"
        raise Stopped((Problem(Weight.ASKS, each + text, game.name) for each in doubts), ExitCode.RULE_FIRST)
    elsewhere = replace(_game_elsewhere(event, game, years), is_stalemate=is_stalemate)
    bars = end_bars(ended, elsewhere, event.tournament.ending, worth(event))
    check_lifted(bars, why, game.name)
    return ResultEntered(
        board=game.name,
        form=form,
        ended=ended,
        years={year: years[year] for year in sorted(years)},
        why=why,
        overruled=overruled_conditions(bars),
    )


def _leaps(board: Map, years: CentresByYear) -> Iterator[Message]:
    """Counts that no power can reach: a unit takes one centre a year, and nobody has more units than centres."""
    last, before = FIRST_YEAR - 1, {power: len(owned) for power, owned in starting_position(board).centres.items()}
    for year in sorted(years):
        for power, owned in years[year].items():
            most = before.get(power, 0) * 2 ** (year - last)
            if before.get(power, 0) and owned > most:
                then = f"the end of {last}" if last >= FIRST_YEAR else "the start"
                yield Message.of(
                    FormReason.LEAP, power=power, here=owned, year=year, before=before[power], most=most, then=then
                )
        last, before = year, dict(years[year])


def _unlike_position(game: Game, years: CentresByYear) -> Iterator[Message]:
    """Counts that differ from those of the position that was set by hand."""
    for year, counts in game.counts_set_by_hand.items():
        for power, centres in counts.items():
            here = years.get(year, {}).get(power, centres)
            if here != centres:
                yield Message.of(FormReason.SET_OTHERWISE, power=power, here=here, centres=centres, year=year)


def _game_elsewhere(event: Event, game: Game, years: CentresByYear) -> GameNow:
    """A game that was played without the program, as the rules on its end see it: after the last Fall written down."""
    last = max(years)
    ended = [roll.year for roll in rolls_of_round(event, game.seating.round) if roll.ends] if has_dice(event) else []
    return GameNow(
        phase=Phase(last, Season.WINTER, Step.ADJUSTMENTS),
        centres=years[last],
        total=len(game.map.centres),
        is_final=game.seating.is_final,
        pool_last_year=event.tournament.pool_last_year(game.seating.pool),
        has_voted=True,
        dice_ended=ended[-1] if ended else None,
        still_years=_years_still(years),
        was_elsewhere=True,
    )


def _years_still(years: CentresByYear) -> int:
    """How many years in a row, up to the last, everybody's count stayed the same."""
    still = 0
    for year, before in pairwise(sorted(years, reverse=True)):
        if before != year - 1 or years[year] != years[before]:
            break
        still += 1
    return still


# ---- typed in -------------------------------------------------------------------------------------------------------


def result_facts(values: Values, read: Mapping[str, Any]) -> tuple[Seated | ResultEntered, ...]:
    """Read a result that is typed in; a board that is not drawn is seated with it."""
    event, room = values.event, read["board"]
    players = dict(read_players(values, read["players"] or []))
    map_name = _map_played(event, room, players)
    years = dict(_read_years(values, read["years"] or [], MAPS[map_name]()))
    if room is None or values.problems:
        return ()
    game, seated = _seated_game(values, read, room, players, map_name)
    if game is None or values.problems:
        return ()
    ended, is_stalemate = Ending(read["ended"]), bool(read["stalemate"])
    result = _result_of_counts(event, game, "", ended, years, values.text("why"), is_stalemate=is_stalemate)
    return (*seated, result)


def _map_played(event: Event, room: tuple[int, str] | None, players: Mapping[Power, str]) -> str:
    """The map of a board: as it was drawn, else the one of six where just its powers were played (EDC23 B)."""
    drawn = games(event).get(f"{room[0]}.{room[1]}") if room else None
    if drawn is not None:
        return drawn.seating.map_name
    own = event.details.map_name
    six = SIX_PLAYERS.get(own)
    return six if six is not None and set(players) == set(MAPS[six]().start) else own


def _read_years(values: Values, lines: Sequence[str], board: Map) -> Iterator[tuple[int, dict[Power, int]]]:
    """Read counts, a year a line: ``1907 A5 E4 F5 G5 I4 R6 T5``, all centres of the board, N the unowned ones."""
    powers, total, seen = tuple(board.start), len(board.centres), set()
    for line in lines:
        year, _, rest = line.partition(" ")
        year = year.rstrip(":")
        if not re.fullmatch(r"19\d\d", year) or year == "1900" or int(year) in seen:
            values.fault("years", f"expected a year from 1901 on, each once, found {year!r} in {line!r}")
            continue
        seen.add(int(year))
        counts = _read_counts(values, line, rest, powers)
        owned, unowned = {power: counts.get(power, 0) for power in powers}, counts.get(NOBODY_LETTER, 0)
        if (total_read := sum(owned.values()) + unowned) != total:
            text = f"{year} adds up to {total_read}, unowned centres (N) included; the board has {total}"
            values.fault("years", text)
        yield int(year), owned


def _read_counts(values: Values, line: str, rest: str, powers: Sequence[Power]) -> dict[str, int]:
    """Read the counts of one line; powers that are not written have 0."""
    counts: dict[str, int] = {}
    names = {**{letter: power for letter, power in LETTERS.items() if power in powers}, NOBODY_LETTER: NOBODY_LETTER}
    names |= {str(power): power for power in powers} | {"NOBODY": NOBODY_LETTER}
    for part in COUNT.finditer(rest):
        owner = names.get(part[1].upper())
        if owner is None or owner in counts:
            values.fault("years", f"{part[0]!r} in {line!r}: {'stands twice' if owner else 'no such power'}")
        else:
            counts[owner] = int(part[2])
    if left := COUNT.sub("", rest).replace(",", "").replace(";", "").strip():
        values.fault(
            "years", f"{left!r} in {line!r} is no count; write A5 E4 F5 G5 I4 R6 T5, and N for unowned centres"
        )
    return counts


def read_players(values: Values, lines: Sequence[str], *, may_be_free: bool = False) -> Iterator[tuple[Power, str]]:
    """Read who plays, a power a line: ``AUSTRIA Ada``; where a seat may be free, ``AUSTRIA nobody`` has no name."""
    seen = set[Power]()
    for line in lines:
        word, _, name = line.replace("=", " ", 1).partition(" ")
        power = LETTERS.get(word.upper()) if len(word) == 1 else next((p for p in Power if p == word.upper()), None)
        is_free = may_be_free and name.strip().casefold() == NOBODY_SITS
        number = values.find_player("players", name.strip()) if name.strip() and not is_free else None
        if power is None or not name.strip():
            values.fault("players", f"expected a power and a name, such as AUSTRIA Ada, found {line!r}")
        elif power in seen:
            values.fault("players", f"{power} is given twice, again in {line!r}")
        elif number is not None or is_free:
            seen.add(power)
            yield power, values.event.people.name_of(number or 0)


def _seated_game(
    values: Values, read: Mapping[str, Any], room: tuple[int, str], players: Mapping[Power, str], map_name: str
) -> tuple[Game | None, tuple[Seated, ...]]:
    """The game of a board that is drawn; one that is not is seated with those who played, beside the others."""
    event, (number, board) = values.event, room
    name = f"{number}.{board}"
    if name in games(event):
        game = find_game(event, name)
        if differs := [power for power, who in players.items() if game.seating.players.get(power) != who]:
            sits = ", ".join(f"{power} {game.seating.players.get(power) or 'nobody'}" for power in differs)
            values.fault("players", f"board {name} is drawn otherwise: {sits}; leave the players out")
        return game, ()
    for where, text in seat_faults(event, {board: players}, {board: map_name}):
        values.fault("players", f"{where}: {text}")
    if values.problems:
        return None, ()
    allowed = check_two_boards(values, read, room, players.values())
    seated = with_board(event, number, board, players, map_name, allowed)
    index = len(seated.boards) - 1
    seating = Seating(round=number, board=board, index=index, players=players, map_name=map_name)
    return Game(seating=seating, position=starting_position(seating.map)), (seated,)


# Board sheets: the counts that players wrote, compared with the adjudicated ones (WDC08 11.3).

CentresRead = dict[str, int | None]  # owner -> centres; None where a person must read them


def board_sheet_doubts(event: Event, game: Game, form: FormIn) -> Iterator[FormDoubt]:
    """Doubts of a board sheet: unread fields, impossible counts, and counts that differ from the adjudicated ones."""
    yield from form.unread()
    derived = game.played_counts
    written = years_of(form)
    for year, counts in written.items():
        yield from _wrong_sums(game, form, year, counts)
        if game.played and form.rulings.accepted is None:
            yield from _differing(form, year, counts, derived)
    if form.rulings.accepted is None and not game.played and written and game.entered is None:
        yield from _not_final(form, written)
        yield from _objections(game, form, written)
        setting = event.tournament.ending.vote.stalemate
        if form.by_name["ended"].value == Ending.VOTE and (setting.asks or setting.value is YesNo.YES):
            reason = Message.of(FormReason.NO_STALEMATE, rule=setting.source)
            yield form.make_doubt(reason, "ended", may_stand=True)


def years_of(form: FormIn) -> dict[int, CentresRead]:
    """The rows that something is written in; an empty box counts as 0 if others are filled in."""
    by_year: dict[int, CentresRead] = {}
    owners = [item.name for item in form.printed.request.lists["owners"]]
    for item in form.printed.request.lists["years"]:
        cells = {owner: form.by_name[name_answer(item.name, owner)] for owner in owners}
        if any(not cell.is_empty for cell in cells.values()):
            by_year[int(item.name)] = {
                owner: None if cell.value is None else int(cell.value or 0) for owner, cell in cells.items()
            }
    return by_year


def _wrong_sums(game: Game, form: FormIn, year: int, counts: CentresRead) -> Iterator[FormDoubt]:
    """A row that was read must add up to all centres of the board, unowned ones included."""
    total = len(game.map.centres)
    known = [number for number in counts.values() if number is not None]
    if len(known) == len(counts) and sum(known) != total:
        reason = Message.of(FormReason.WRONG_SUM, year=year, sum=sum(known), centres=total)
        yield form.make_doubt(reason, _first_written(form, year, counts))


def _first_written(form: FormIn, year: int, counts: CentresRead) -> str:
    """The first field of a row that something is written in: its picture shows the row."""
    return next(name for owner in counts if not form.by_name[name := name_answer(str(year), owner)].is_empty)


def _differing(
    form: FormIn, year: int, counts: CentresRead, derived: Mapping[int, Mapping[Power, int]]
) -> Iterator[FormDoubt]:
    """Differences between the written counts and the adjudicated ones."""
    if year not in derived:
        reason = Message.of(FormReason.NOT_PLAYED_YET, year=year)
        yield form.make_doubt(reason, _first_written(form, year, counts), may_stand=True)
        return
    for power, centres in derived[year].items():
        here = counts.get(str(power))
        if here is not None and here != centres:
            reason = Message.of(FormReason.COUNT_DIFFERS, power=str(power), here=here, centres=centres, year=year)
            yield form.make_doubt(reason, name_answer(str(year), power), may_stand=True)


def _objections(game: Game, form: FormIn, written: Mapping[int, CentresRead]) -> Iterator[FormDoubt]:
    """Counts that need the reason of a person.

    No power can reach them from those of the last year written before, or the position that was set by hand differs.
    """
    known = {
        year: {Power(owner): number for owner, number in row.items() if owner != NOBODY and number is not None}
        for year, row in written.items()
    }
    for doubt in (*_leaps(game.map, known), *_unlike_position(game, known)):
        yield form.make_doubt(doubt, name_answer(str(doubt["year"]), str(doubt["power"])), may_stand=True)


def _not_final(form: FormIn, written: Mapping[int, CentresRead]) -> Iterator[FormDoubt]:
    """What is missing before a sheet can be the result of a game that was played without the program."""
    if form.by_name["ended"].is_empty:
        yield form.make_doubt(FormReason.NO_ENDING, "ended")
    last = written[max(written)]
    for item in form.printed.request.lists["seats"]:
        field = name_answer(item.name, "signature")
        if form.by_name[field].is_empty and last.get(item.name) != 0:
            yield form.make_doubt(Message.of(FormReason.POWER_UNSIGNED, power=item.name), field, may_stand=True)


def agreement(game: Game, form: FormIn) -> str:
    """What the sheet says beside the position, in words."""
    written = years_of(form)
    if not written:
        return "nothing is written on it yet"
    if not game.played:
        entered = "entered as the result" if game.entered else "the game is not played here; accept it as the result"
        return f"to {max(written)}: {CHANGED if game.entered and form.rulings.is_changed else entered}"
    derived = game.played_counts
    differ = any(any(_differing(form, year, counts, derived)) for year, counts in written.items())
    return f"{'differs from' if differ else 'agrees with'} the position, to {max(written)}"


def result_of(event: Event, game: Game, form: FormIn, why: str, *, is_stalemate: bool) -> ResultEntered | None:
    """The result that an accepted sheet enters; nothing for a game that is played here: its orders say the result."""
    if game.played:
        return None
    written = years_of(form)
    if not written:
        raise stop("nothing is written on the sheet", form.id)
    ended = form.by_name["ended"].value
    if not ended:
        raise stop("say how the game ended: rule on the field 'ended'", form.id)
    years = {
        year: {Power(owner): number or 0 for owner, number in row.items() if owner != NOBODY}
        for year, row in written.items()
    }
    return _result_of_counts(event, game, form.id, Ending(ended), years, why, is_stalemate=is_stalemate)


def withdrawal_of(event: Event, game: Game, form: str, why: str) -> tuple[ActTakenBack, ...]:
    """The facts that undo what a sheet entered when it is set aside; what was entered before it counts again.

    What used the result since needs a reason; who is in its draw is taken back first.
    """
    if game.entered is not None and game.entered.form == form:
        check_no_draw(event, game.name)
        if game.end:
            check_unused(event, game, game.end.fact.number, why, "to set the sheet aside all the same")
    entered = [fact.number for fact in standing(event.facts, ResultEntered) if fact.said.form == form]
    return tuple(ActTakenBack(fact=number, why=why) for number in entered)
