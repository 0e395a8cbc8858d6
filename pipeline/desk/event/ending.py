"""End a game and undo its end: the checks shared by command, page and forms, and the facts that are written."""

import hashlib
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from pipeline.board import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, find_game, games, seated_rounds
from pipeline.desk.event.note_values import Values
from pipeline.ledger import events
from pipeline.ledger.claims import Claims
from pipeline.ledger.ledger import Fact, standing
from pipeline.ledger.parts import OverruledObjection
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules import game_end
from pipeline.rules.reading_rules import YesNo
from pipeline.rules.switches import Setting
from pipeline.rules.tournament import Announced
from pipeline.scoring.results import Ending, Overruled
from pipeline.scoring.system import Abandoned, looks_at_draw
from pipeline.words.speech import to_say, wording

# The die of the last years, with a seed that everybody can check (WM VIII.4).
#
# Before the roll the desk shows the hash of a secret seed. Then somebody in the room calls a word. The die is made of
# both together: nobody could know both beforehand, and afterwards both are shown.

FAIR = 252  # the largest multiple of six that a byte holds: it and higher bytes are drawn again


Roll = events.DiceCommitted | events.DiceRolled  # a roll before its word was called, and after


def hash_of(seed: str) -> str:
    """What is shown before the roll.

    >>> hash_of("moot")[:8]
    'b3253887'
    """
    return hashlib.sha256(seed.encode()).hexdigest()


def die_of(seed: str, word: str) -> int:
    """The die that a seed and a word make; anybody can work it out again.

    >>> [die_of("seed", word) for word in ("apple", "pear", "plum")]
    [6, 2, 1]
    """
    text = f"{seed} {' '.join(word.casefold().split())}"
    for turn in itertools.count():
        byte = hashlib.sha256(f"{text} {turn}".encode()).digest()[0]
        if byte < FAIR:
            return byte % 6 + 1
    raise AssertionError("count() does not end")


def rolls_of_round(event: Event, round_number: int) -> tuple[Roll, ...]:
    """Every roll of a round, oldest first; at most the last is not rolled yet."""
    rolls: list[Roll] = [fact.said for fact in event.facts.select(events.DiceCommitted)]
    rolls += [fact.said for fact in event.facts.select(events.DiceRolled)]
    rolled = {said.number: said for said in rolls if said.round == round_number}
    return tuple(rolled[number] for number in sorted(rolled))


def commit_roll(event: Event, claims: Claims, round_number: int, seed: str, by: str) -> Roll:
    """Seal the seed of the next roll, and write its hash down; the seed stays secret until the word is called."""
    if not event.tournament.ending.dice.added.value:
        raise stop("this tournament ends no game by dice", f"round {round_number}")
    before = rolls_of_round(event, round_number)
    if before and before[-1].seed is None:
        raise stop("a roll is waiting for its word", f"round {round_number}")
    if before and before[-1].ends:
        raise stop("the dice have ended this round", f"round {round_number}")
    number, year = len(before) + 1, _year_of_roll(event, round_number)
    if before and before[-1].year == year:
        raise stop(f"there was a roll after Fall {year}; the next is after the next Fall", f"round {round_number}")
    claims.keep_secret(f"dice {round_number}.{number} {hash_of(seed)}", seed)
    event.facts.write(events.DiceCommitted(round=round_number, number=number, hash=hash_of(seed), year=year), by)
    return rolls_of_round(event, round_number)[-1]


def _year_of_roll(event: Event, round_number: int) -> int:
    """The year that has just been played: a die is rolled at the end of a Fall, when the first board is through."""
    phases = [
        game.position.phase for game in games(event).values() if game.seating.round == round_number and not game.ending
    ]
    year = max((phase.last_count for phase in phases if phase.last_count is not None), default=None)
    if year is None:
        where = f"round {round_number}"
        raise stop("a die is rolled at the end of a Fall, and no board of this round has played one", where)
    return year


def reveal_roll(event: Event, claims: Claims, round_number: int, word: str, by: str) -> Fact[events.DiceRolled]:
    """Roll with the word that was called, and show the seed."""
    before = rolls_of_round(event, round_number)
    if not before or before[-1].seed is not None:
        raise stop("no roll is waiting; show a hash first", f"round {round_number}")
    if not word.strip():
        raise stop("somebody in the room must call a word first", f"round {round_number}")
    roll = before[-1]
    seed = claims.secret(f"dice {round_number}.{roll.number} {roll.hash}", roll.hash)
    if seed is None:
        raise stop(
            "the sealed seed is lost (claims.db was replaced); roll a real die, and write it down",
            str(event.folder),
        )
    die = die_of(seed, word)
    said = events.DiceRolled(
        round=round_number,
        number=roll.number,
        hash=roll.hash,
        seed=seed,
        word=word,
        die=die,
        year=roll.year,
        ends=bool(game_end.dice_end_the_game(roll.number, die, event.tournament.ending.dice)),
    )
    return event.facts.write(said, by)


# Who is in the draw that ended a game, where the vote left survivors out of it.


def enter_draw(values: Values, read: Mapping[str, Any]) -> tuple[events.DrawEntered, ...]:
    """Enter who shares a draw.

    Survivors may be left out of a voted or agreed draw if the scoring uses that (Dixiecon).
    """
    game: Game | None = read["board"]
    rules = values.event.tournament.scoring
    system = rules.system_at(is_final=game.seating.is_final, pool=game.seating.pool) if game else rules.system
    if not looks_at_draw(system):
        values.fault("powers", f"points do not depend on who is in a draw ({system.name}): every survivor is in it")
    if game is None or not read["powers"]:
        return ()
    if not _is_drawn(game):
        how = f"it ended by {game.ending}" if game.ending else "it is not over; end it by vote first"
        values.fault("board", f"game {game.name} was not ended by a vote or an agreement: {how}")
    for power in read["powers"]:
        if not game.centres.get(power):
            values.fault("powers", f"{power} has no centre on board {game.name}; only survivors are in a draw")
    rule = values.event.tournament.ending.vote.includes_all_survivors
    out = [str(power) for power, count in game.centres.items() if count and power not in read["powers"]]
    if out and rule.value is YesNo.YES:
        values.fault("powers", f"a draw includes all survivors ({rule.source}), and {', '.join(out)} would be left out")
    if game.end is None:
        return ()
    return (events.DrawEntered(board=game.name, phase=game.end.phase, powers=tuple(read["powers"])),)


def _is_drawn(game: Game) -> bool:
    return game.ending is not None and Ending(game.ending) is Ending.VOTE


def draws_of(event: Event) -> dict[str, Fact[events.DrawEntered]]:
    """By board: who is in the draw that ended it, as it was written down last."""
    boards = games(event)
    noted = standing(event.facts, events.DrawEntered)
    return {fact.said.board: fact for fact in noted if (game := boards.get(fact.said.board)) and is_draw_of(game, fact)}


def is_draw_of(game: Game, drawn: Fact[events.DrawEntered]) -> bool:
    """Whether a note is on the draw that ended a game; one that went on and ended anew has another draw."""
    return game.end is not None and _is_drawn(game) and drawn.number > game.end.fact.number


def check_no_draw(event: Event, board: str) -> None:
    """Stop if a change of the result would invalidate the note on who is in its draw."""
    if drawn := draws_of(event).get(board):
        raise stop(f"who is in its draw is noted; undo number {drawn.number} of the journal first", board)


def survivors_left_out(game: Game, drawn: Fact[events.DrawEntered] | None) -> frozenset[Power]:
    """The survivors of a game whom its draw left out."""
    if drawn is None or not is_draw_of(game, drawn):
        return frozenset()
    return frozenset(power for power, count in game.centres.items() if count and power not in drawn.said.powers)


OVER = {
    Ending.SOLO: to_say("solo ({rule})"),
    Ending.LAST_YEAR: to_say("{year} was the last year ({rule})"),
    Ending.DICE: to_say("the dice ended the round after {year} ({rule})"),
}


def game_now(event: Event, game: Game) -> game_end.GameNow:
    """A game as the rules on its end see it."""
    ended = [roll for roll in rolls_of_round(event, game.seating.round) if roll.ends] if has_dice(event) else []
    return game_end.GameNow(
        phase=game.position.phase,
        centres={power: len(game.position.centres.get(power, ())) for power in game.seating.players},
        total=len(game.map.centres),
        is_final=game.seating.is_final,
        pool_last_year=event.tournament.pool_last_year(game.seating.pool),
        dice_ended=ended[-1].year if ended else None,
    )


def has_dice(event: Event) -> bool:
    return bool(event.tournament.ending.dice.added.value)


def _still_years(game: Game) -> int:
    """Count the years, back from the last completed Fall, in which no centre changed hands."""
    years, then, year = 0, game.position, game.position.phase.last_count or 0
    for played in reversed([played for played in game.played if played.ends_a_fall]):
        owners = _owners_by_centre(played.before.centres)
        if played.phase.year != year or owners != _owners_by_centre(then.centres):
            break
        years, then, year = years + 1, played.before, year - 1
    return years


def _owners_by_centre(centres: Mapping[Power, tuple[str, ...]]) -> dict[str, Power]:
    return {centre: power for power, owned in centres.items() for centre in owned}


def worth(event: Event) -> Setting[Abandoned]:
    """What an abandoned game scores in this tournament, with its rule."""
    rules = event.tournament.scoring
    source = rules.sources.get("scoring.abandoned")
    return Setting(rules.system.abandoned, source.rule if source else "", left_open=source is None)


def votes_held(event: Event, board: str) -> list[Fact[events.VoteHeld]]:
    """The votes of a board that were not taken back, oldest first."""
    return [fact for fact in standing(event.facts, events.VoteHeld) if fact.said.board == board]


def votes_that_count(event: Event, game: Game) -> list[Fact[events.VoteHeld]]:
    """The votes of a game as it stands now, oldest first.

    A vote that is carried ends the game. If the game goes on all the same, because it was corrected or set by hand
    since, the survivors have not voted on what stands now.
    """
    return [fact for fact in votes_held(event, game.name) if game.ending or not fact.said.carried]


def vote_that_ended(event: Event, game: Game) -> Fact[events.VoteHeld] | None:
    """The vote by which a game ended; its end is written right behind it."""
    held = votes_held(event, game.name)
    return next((fact for fact in held if game.end and fact.number == game.end.fact.number - 1), None)


def end_by_vote(event: Event, vote: Fact[events.VoteHeld]) -> Fact[events.GameEnded] | None:
    """The end that a vote made, also where a correction took it away."""
    ends = standing(event.facts, events.GameEnded) if vote.said.carried else []
    return next((fact for fact in ends if fact.number == vote.number + 1), None)


def bars_against_end(event: Event, game: Game, how: Ending, *, has_voted: bool = False) -> tuple[game_end.EndBar, ...]:
    """All reasons why a game cannot end in this way now.

    ``has_voted``: whether a vote carries it now.
    """
    now = replace(game_now(event, game), has_voted=has_voted, still_years=_still_years(game))
    return game_end.end_bars(how, now, event.tournament.ending, worth(event))


def over(event: Event, game: Game) -> game_end.Over | None:
    """Why a game must end now (solo, last year, dice), if it was not ended yet."""
    return None if game.ending else game_end.years_over(game_now(event, game), event.tournament.ending)


def is_going_on(event: Event, game: Game) -> bool:
    """Whether a board still expects orders."""
    return not game.ending and over(event, game) is None


def to_end(why: game_end.Over) -> str:
    """Say that the director must end a game now, with the rule and the command."""
    return f"{OVER[why.how].format(year=why.year, rule=why.rule)}; end the game: end --how {option(why.how)}"


def over_words(event: Event, game: Game) -> str | None:
    """Why a board is to be ended, with the rule; None where it goes on, or has been ended."""
    why = over(event, game)
    return wording(OVER[why.how], year=why.year, rule=why.rule) if why else None


def announced_end(event: Event, game: Game) -> str | None:
    """The last year of a board, where it is fixed and public (in NZ99 3 it is secret)."""
    rules = event.tournament.ending
    last = game_end.last_year(game_now(event, game), rules)
    if rules.call_time.value is not Announced.KNOWN or last.value is None or game.ending:
        return None
    return wording(to_say("play ends with {year} ({rule})"), year=last.value, rule=last.source)


def option(how: Ending) -> str:
    """A way to end a game as the command line has it."""
    return how.value.replace(" ", "-")


def end_game(event: Event, game: Game, how: Ending, *, by: str, why: str = "") -> Fact[events.GameEnded]:
    """Write down that a game is over, or stop with all reasons against it.

    A reason overrules what a director may overrule; the fact keeps what that was.
    """
    return event.facts.write(end_of(event, game, how, why=why), by)


def end_games(
    event: Event, over_now: Iterable[Game], how: Ending, *, by: str, why: str
) -> tuple[Fact[events.GameEnded], ...]:
    """End several games in the same way for one reason, or none of them, as when the hall closes."""
    said, against = list[events.GameEnded](), list[Stopped]()
    for game in over_now:
        try:
            said.append(end_of(event, game, how, why=why))
        except Stopped as stopped:
            against.append(stopped)
    if against:
        problems = [problem for stopped in against for problem in stopped.problems]
        raise Stopped((replace(each, text=f"board {each.where}: {each.text}") for each in problems), against[0].code)
    return event.facts.write_all(said, by)


def end_of(event: Event, game: Game, how: Ending, *, why: str, has_voted: bool = False) -> events.GameEnded:
    """The fact that ends a game, or stop with all reasons against it."""
    if game.ending:
        raise stop(f"the game is over already: {game.ending}", game.name)
    bars = bars_against_end(event, game, how, has_voted=has_voted)
    check_lifted(bars, why, game.name)
    return events.GameEnded(
        board=game.name, phase=game.position.phase, how=how, why=why, overruled=overruled_conditions(bars)
    )


def overruled_conditions(end_bars: Iterable[game_end.EndBar]) -> tuple[OverruledObjection, ...]:
    """What a director overruled, as it is written down with the end."""
    return tuple(OverruledObjection(bar.ground, bar.rule) for bar in end_bars)


def check_lifted(end_bars: Sequence[game_end.EndBar], why: str, where: str) -> None:
    """Stop if an objection cannot be overruled, or can be and no reason was given."""
    if any(bar.is_firm for bar in end_bars) or (end_bars and not why.strip()):
        code = ExitCode.WRONG_INPUT if any(bar.is_firm for bar in end_bars) else ExitCode.RULE_FIRST
        raise Stopped((_as_problem(bar, where) for bar in end_bars), code)


def _as_problem(bar: game_end.EndBar, where: str) -> Problem:
    """An objection to an end, with how to go on where the director may overrule it."""
    if bar.is_firm:
        return Problem(Weight.STOPS, str(bar), where)
    return Problem(Weight.ASKS, f"{bar}; to end it so all the same, say why", where)


def undo_end(event: Event, game: Game, *, by: str, why: str = "") -> Fact[events.LedgerEvent]:
    """Take the end of a game back: it goes on; the vote that ended it is void, as is who was in its draw.

    Refused if the centre counts make it a solo. What used its result since is listed, and needs a reason.
    """
    if not game.ending or game.end is None:
        raise stop("the game goes on; there is no end to take back", game.name)
    if game.entered is not None:
        mend = f"set its sheet {game.entered.form} aside" if game.entered.form else "take the entry back"
        raise stop(f"its result was entered, it was not played here; {mend}", game.name)
    if game.end.how is Ending.SOLO and game_end.soloist(game_now(event, game), event.tournament.ending) is not None:
        raise stop("the centre counts make it a solo; correct the phase that is wrong", game.name)
    check_unused(event, game, game.end.fact.number, why, "to let the game go on all the same")
    facts: list[events.LedgerEvent] = [events.EndUndone(board=game.name, fact=game.end.fact.number, why=why)]
    if game.end.how is Ending.VOTE and (vote := vote_that_ended(event, game)):
        facts.append(events.VoteUndone(board=game.name, fact=vote.number, why=why))
    drawn = (fact for fact in standing(event.facts, events.DrawEntered) if fact.said.board == game.name)
    facts += [events.ActTakenBack(fact=fact.number, why=why) for fact in drawn if is_draw_of(game, fact)]
    with event.facts.transaction():
        undone = event.facts.write_all(facts, by)[0]
        now = find_game(event, game.name)
        if now.ending:  # by an earlier end, at a phase that a correction had taken away and another brought back
            undo_end(event, now, by=by, why=why)
    return undone


def rests_on(event: Event, game: Game, since: int | None = None) -> Iterator[str]:
    """What was made from the standings since a game ended, or since another fact, in words."""
    yield from map(_use_in_words, used_since(event, game, since))


def _use_in_words(fact: Fact[events.LedgerEvent]) -> str:
    """Say what one fact made from the standings."""
    match fact.said:
        case events.Seated(round=number, draw=draw):
            table = ", with its final table," if draw and draw.finalists else ""
            return f"round {number}{table} was drawn since from standings with this result"
        case events.EventEndedEarly():
            return f"an early end of the event was entered since (number {fact.number})"
    return f"the results were published as final since (number {fact.number})"


def used_since(event: Event, game: Game, since: int | None = None) -> Iterator[Fact[events.LedgerEvent]]:
    """What used the standings since a game ended, or since another fact, by its number.

    The draws of later rounds, an early end of the event, and the publication of the results that are final.
    """
    if since is None:
        since = game.end.fact.number if game.end else 0
    for number, fact in seated_rounds(event).items():
        if number > game.seating.round and fact.number > since:
            yield fact
    yield from event_over_since(event, since)


def event_over_since(event: Event, since: int) -> Iterator[Fact[events.LedgerEvent]]:
    """That the event ended early, and that its results are final, where that was said since a fact, by its number."""
    said: list[Fact[events.LedgerEvent]] = [*standing(event.facts, events.EventEndedEarly)]
    said += filter(None, [final_results(event)])
    yield from (fact for fact in said if fact.number > since)


def final_results(event: Event) -> Fact[events.ResultsPublished] | None:
    """The results that were published as final, the newest; None before that, and where the event has gone on since.

    It goes on once an end is taken back: of a game, of the event, or a result that was entered. A game that ends since
    had gone on, be it by a correction.
    """
    newest = max(standing(event.facts, events.ResultsPublished), key=lambda fact: fact.number, default=None)
    if newest is None:
        return None
    ends = tuple(event.facts.select(events.EventEndedEarly, events.GameEnded, events.ResultEntered))
    known = {fact.number for fact in ends} | {getattr(fact.said, "form", "") for fact in ends} - {""}
    since = event.facts.select(
        *(events.EndUndone, events.ActTakenBack, events.FormSetAside, events.GameEnded), after=newest.number
    )
    goes_on = any(
        isinstance(fact.said, events.GameEnded)
        or known & {getattr(fact.said, "fact", None), getattr(fact.said, "form", None)}
        for fact in since
    )
    return None if goes_on else newest


def check_unused(event: Event, game: Game, since: int, why: str, to_go_on: str) -> None:
    """Stop without a reason if something was made from the standings since a fact; ``to_go_on``: what needs it."""
    _check_reason(rests_on(event, game, since), why, to_go_on, game.name)


def check_not_final(event: Event, since: int, why: str, to_go_on: str, where: str) -> None:
    """Stop without a reason if the results were published as final since an early end; ``to_go_on``: what needs it."""
    _check_reason(map(_use_in_words, event_over_since(event, since)), why, to_go_on, where)


def check_unpublished(event: Event, why: str, where: str) -> None:
    """Stop without a reason if the results were published as final: what is entered now changes them."""
    _check_reason(published_before(event), why, "to enter it all the same", where)


def published_before(event: Event) -> Iterator[str]:
    """That the results were published as final, in words; nothing before that."""
    if fact := final_results(event):
        yield f"the results were published as final before (number {fact.number})"


def _check_reason(resting: Iterable[str], why: str, to_go_on: str, where: str) -> None:
    problems = [Problem(Weight.ASKS, f"{each}; {to_go_on}, say why", where) for each in resting]
    if problems and not why.strip():
        raise Stopped(problems, ExitCode.RULE_FIRST)


def what_counts(event: Event, game: Game, how: Ending) -> str:
    """Which count of centres would be the result if the game ended so now, with the rule."""
    setting = game_end.count_of(how, game_now(event, game), event.tournament.ending)
    return f"{setting.value.meaning} ({setting.source})"


def solo_winner(event: Event, game: Game) -> Power | None:
    """The power that wins alone, if one does: enough centres at the end of a Fall."""
    return game_end.soloist(game_now(event, game), event.tournament.ending)


def overruled_by(end: Fact[events.GameEnded] | Fact[events.ResultEntered]) -> tuple[Overruled, ...]:
    """What the director overruled when he ended a game or entered its result: the condition, the rule, his reason."""
    why = str(end.said.why or "")
    return tuple(Overruled(each.ground.in_words, each.rule, why, end.by) for each in end.said.overruled or ())
