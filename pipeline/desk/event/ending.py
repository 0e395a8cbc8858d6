"""How games end at the desk: one check for every door, and what is written down; an end can be taken back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pipeline.board.map import Power
from pipeline.desk.event.dice import rolls
from pipeline.desk.event.draw_notes import draws_of
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, seated_rounds
from pipeline.ledger.events import (
    ActTakenBack,
    EndUndone,
    GameEnded,
    LedgerEvent,
    ResultEntered,
    Seated,
    VoteHeld,
    VoteUndone,
)
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import Lifted
from pipeline.ledger.undone import standing
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.event_rules import Announced
from pipeline.rules.game_end import EndBar, GameNow, Over, bars, count_of, last_year, soloist, years_over
from pipeline.rules.toml.setting import Setting
from pipeline.scoring.games.system import Abandoned
from pipeline.scoring.results.results import Ending, Overruled
from pipeline.words.speech import to_say
from pipeline.words.wording import wording

OVER = {
    Ending.SOLO: to_say("a power has won alone ({rule})"),
    Ending.LAST_YEAR: to_say("{year} was the last year ({rule})"),
    Ending.DICE: to_say("the dice ended the round after {year} ({rule})"),
}


def game_now(event: Event, game: Game) -> GameNow:
    """A game as the rules on its end see it."""
    ended = [roll for roll in rolls(event, game.seating.round) if roll.ends] if has_dice(event) else []
    return GameNow(
        phase=game.position.phase,
        centres={power: len(game.position.centres.get(power, ())) for power in game.seating.players},
        total=len(game.map.centres),
        is_final=game.seating.is_final,
        dice_ended=ended[-1].year if ended else None,
    )


def has_dice(event: Event) -> bool:
    """Whether a die may end rounds of this tournament."""
    return bool(event.tournament.ending.dice.added.value)


def still_years(game: Game) -> int:
    """The years in a row, up to the last completed Fall, in which no centre changed hands."""
    years = 0
    for played in reversed([played for played in game.played if played.ends_a_fall]):
        if owners(played.before.centres) != owners(played.after.centres):
            break
        years += 1
    return years


def owners(centres: Mapping[Power, tuple[str, ...]]) -> dict[str, Power]:
    """Whose each centre is."""
    return {centre: power for power, owned in centres.items() for centre in owned}


def worth(event: Event) -> Setting[Abandoned]:
    """What this tournament gives for an abandoned game, with its rule."""
    rules = event.tournament.scoring
    source = rules.sources.get("scoring.abandoned")
    return Setting(rules.system.abandoned, source.rule if source else "", left_open=source is None)


def votes_held(event: Event, board: str) -> list[Fact[VoteHeld]]:
    """The votes of a board that were not taken back, oldest first."""
    return [fact for fact in standing(event.facts, VoteHeld) if fact.said.board == board]


def carried_now(event: Event, game: Game) -> Fact[VoteHeld] | None:
    """The vote that carried a draw in the phase a board is in."""
    phase = game.position.phase
    return next((f for f in votes_held(event, game.name) if f.said.carried and f.said.phase == phase), None)


def against(event: Event, game: Game, how: Ending, *, has_voted: bool | None = None) -> tuple[EndBar, ...]:
    """Everything that stands against a game ending so, now; ``has_voted`` where a vote is just being held."""
    voted = carried_now(event, game) is not None if has_voted is None else has_voted
    now = replace(game_now(event, game), has_voted=voted, still_years=still_years(game))
    return bars(how, now, event.tournament.ending, worth(event))


def over(event: Event, game: Game) -> Over | None:
    """Why no further year of a game is played, where that is so and nobody has ended it yet."""
    return None if game.ended else years_over(game_now(event, game), event.tournament.ending)


def goes_on(event: Event, game: Game) -> bool:
    """Whether anybody writes anything on a board any more."""
    return not game.ended and over(event, game) is None


def to_end(why: Over) -> str:
    """Say that a game is to be ended, with the rule and the command."""
    return f"{OVER[why.how].format(year=why.year, rule=why.rule)}; end the game: end --how {option(why.how)}"


def over_words(event: Event, game: Game) -> str | None:
    """Why a board is to be ended, with the rule; None where it goes on, or has been ended."""
    why = over(event, game)
    return wording(OVER[why.how], year=why.year, rule=why.rule) if why else None


def announced_end(event: Event, game: Game) -> str | None:
    """With which year play ends on a board, where that is fixed and everybody may know it before (NZ99 3: nobody)."""
    rules = event.tournament.ending
    last = last_year(game_now(event, game), rules)
    if rules.call_time.value is not Announced.KNOWN or last.value is None or game.ended:
        return None
    return wording(to_say("play ends with {year} ({rule})"), year=last.value, rule=last.source)


def announced_times(event: Event) -> str:
    """When the rounds begin and end, as the rules write it, where everybody may know it; nothing where not."""
    rules = event.tournament.ending
    is_told = rules.call_time.value is Announced.KNOWN and rules.round_times.value
    return f"{rules.round_times.value} ({rules.round_times.source})" if is_told else ""


def option(how: Ending) -> str:
    """A way to end a game as the command line has it."""
    return how.value.replace(" ", "-")


def end_game(event: Event, game: Game, how: Ending, *, by: str, why: str = "") -> Fact[GameEnded]:
    """Write down that a game is over, or stop with all that stands against it.

    A reason overrules what a director may overrule; the fact keeps what that was.
    """
    return event.facts.write(end_of(event, game, how, why=why), by)


def end_of(event: Event, game: Game, how: Ending, *, why: str, has_voted: bool | None = None) -> GameEnded:
    """What ends a game, or stop with all that stands against it."""
    if game.ended:
        raise stop(f"the game is over already: {game.ended}", game.name)
    found = against(event, game, how, has_voted=has_voted)
    check_lifted(found, why, game.name)
    return GameEnded(board=game.name, phase=game.position.phase, how=how, why=why, overruled=lifted(found))


def lifted(found: Iterable[EndBar]) -> tuple[Lifted, ...]:
    """What a director overruled, as it is written down with the end."""
    return tuple(Lifted(bar.ground, bar.rule) for bar in found)


def check_lifted(found: Sequence[EndBar], why: str, where: str) -> None:
    """Stop where something stands that no reason lifts, or that a reason would lift and none is given."""
    if any(bar.is_firm for bar in found) or (found and not why.strip()):
        code = ExitCode.WRONG_INPUT if any(bar.is_firm for bar in found) else ExitCode.RULE_FIRST
        raise Stopped((Problem(weight_of(bar), in_words(bar), where) for bar in found), code)


def weight_of(bar: EndBar) -> Weight:
    """Whether a bar stops, or asks for the director's word."""
    return Weight.STOPS if bar.is_firm else Weight.ASKS


def in_words(bar: EndBar) -> str:
    """What stands against an end, and how to go on."""
    return str(bar) if bar.is_firm else f"{bar}; to end it so all the same, say why"


def undo_end(event: Event, game: Game, *, by: str, why: str = "") -> Fact[LedgerEvent]:
    """Take the end of a game back: it goes on; the vote that ended it is void, as is who was in its draw.

    Refused where the counts end it. What rests on its result is told first, and wants a reason.
    """
    if not game.ended or game.end is None:
        raise stop("the game goes on; there is no end to take back", game.name)
    if game.entered is not None:
        mend = f"set its sheet {game.entered.form} aside" if game.entered.form else "take the entry back"
        raise stop(f"its result was entered, it was not played here; {mend}", game.name)
    if game.end.how is Ending.SOLO and soloist(game_now(event, game), event.tournament.ending) is not None:
        raise stop("the centres say that it is a solo; correct the phase that is wrong", game.name)
    if not why.strip() and (resting := list(rests_on(event, game))):
        text = "to let the game go on all the same, say why"
        raise Stopped((Problem(Weight.ASKS, f"{each}; {text}", game.name) for each in resting), ExitCode.RULE_FIRST)
    facts: list[LedgerEvent] = [EndUndone(board=game.name, fact=game.end.fact.number, why=why)]
    if game.end.how is Ending.VOTE and (vote := carried_now(event, game)):
        facts.append(VoteUndone(board=game.name, fact=vote.number, why=why))
    if drawn := draws_of(event).get(game.name):
        facts.append(ActTakenBack(fact=drawn.number, why=why))
    return event.facts.write_all(facts, by)[0]


def rests_on(event: Event, game: Game) -> Iterator[str]:
    """What was made from the standings since a game was ended, in words."""
    for fact in drawn_since(event, game):
        table = ", with its final table," if fact.said.draw and fact.said.draw.finalists else ""
        yield f"round {fact.said.round}{table} was drawn since from standings with this result"


def drawn_since(event: Event, game: Game) -> Iterator[Fact[Seated]]:
    """The draws of later rounds that were made since a game was ended."""
    since = game.end.fact.number if game.end else 0
    for number, fact in seated_rounds(event).items():
        if number > game.seating.round and fact.number > since:
            yield fact


def what_counts(event: Event, game: Game, how: Ending) -> str:
    """Which count of centres would be the result if the game ended so now, with the rule."""
    setting = count_of(how, game_now(event, game), event.tournament.ending)
    return f"{setting.value.meaning} ({setting.source})"


def solo_winner(event: Event, game: Game) -> Power | None:
    """The power that wins alone, if one does: enough centres at the end of a Fall."""
    return soloist(game_now(event, game), event.tournament.ending)


def overruled_by(end: Fact[GameEnded] | Fact[ResultEntered]) -> tuple[Overruled, ...]:
    """What a director overruled when he ended a game, or took its result: what did not hold, the rule, his reason."""
    why = str(end.said.why or "")
    return tuple(Overruled(each.ground.in_words, each.rule, why, end.by) for each in end.said.overruled or ())
