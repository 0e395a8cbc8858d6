"""An event that ends before the last round of its rules, as after a storm: what follows, and what stands against it."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec.structs import replace

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import ended_early, games
from pipeline.desk.results.results import event_results
from pipeline.problems import Problem, Weight
from pipeline.scoring.progress import FinalState
from pipeline.scoring.rules import ScoringRules, Weights
from pipeline.scoring.score import Scored, score
from pipeline.scoring.standings_in_words import weights_in_words

WHERE = "early-end"


def last_round_seated(event: Event) -> int:
    return max((game.seating.round for game in games(event).values()), default=0)


def against_early_end(event: Event) -> Iterator[Problem]:
    """Why the event cannot end now before its last round."""
    if ended := ended_early(event):
        text = f"the event ended after round {ended.said.after} (number {ended.number} of the journal)"
        yield Problem(Weight.STOPS, f"{text}; take that back before another is entered", WHERE)
        return
    rules, seated = event.tournament.scoring, {game.seating.round for game in games(event).values()}
    if not rules.totals.rounds:
        yield Problem(Weight.STOPS, "a league has no last round; it ends when you draw no more", WHERE)
    elif not rounds_left_out(event):
        yield Problem(Weight.STOPS, "every round is drawn: none is left out", WHERE)
    elif not seated:
        yield Problem(Weight.STOPS, "no round is drawn yet", WHERE)
    for game in games(event).values():
        if not game.ending:
            text = "this game goes on; end it first, or undo its draw in the journal if it was not played"
            yield Problem(Weight.STOPS, text, f"board {game.name}")


def rounds_left_out(event: Event) -> tuple[int, ...]:
    """The rounds of the rules that were not drawn."""
    seated = {game.seating.round for game in games(event).values()}
    return tuple(number for number in range(1, event.tournament.scoring.totals.rounds + 1) if number not in seated)


def scored_if_ended(event: Event) -> Scored:
    """The standings as they are if no further round is played."""
    as_entered = event_results(event)
    return score(replace(as_entered, ended_after=last_round_seated(event)), event.tournament.scoring)


def describe_early_end(event: Event) -> tuple[str, ...]:
    """What the rules make of an event without the rounds that were not drawn, a sentence each."""
    rules, missing = event.tournament.scoring, rounds_left_out(event)
    lines = [f"{_name_rounds(missing)} not played. {weights_in_words(_of_what_was_played(event))}"]
    for what, path, named in _what_names_rounds(rules):
        if out := tuple(number for number in named if number in missing):
            lines.append(f"{what}{_rule(rules, path)}: {_name_rounds(out)} not played")
    if rules.final and scored_if_ended(event).progress.final is FinalState.NONE:
        lines.append("Without a final table the places are those of the totals")
    return tuple(lines)


def _of_what_was_played(event: Event) -> ScoringRules:
    """The rules with weights for as many games as somebody has played, and without a final that is not played."""
    rules, played = event.tournament.scoring, Counter[tuple[str, int]]()
    for game in games(event).values():
        played.update((name, game.seating.round) for name in game.seating.everybody)
    groups = [(group, _most_games(played, group.rounds)) for group in rules.totals.groups]
    totals = replace(
        rules.totals,
        weights=_weights_of(rules.totals.weights, _most_games(played, {number for _, number in played})),
        groups=tuple(replace(group, weights=_weights_of(group.weights, most)) for group, most in groups if most),
    )
    final = rules.final if rules.final and rules.final.round not in rounds_left_out(event) else None
    return replace(rules, totals=totals, final=final)


def _most_games(played: Mapping[tuple[str, int], int], rounds: Collection[int]) -> int:
    """How many games a player has at most in some rounds."""
    each = Counter[str]()
    for (name, number), many in played.items():
        each[name] += many * (number in rounds)
    return max(each.values(), default=0)


def _weights_of(weights: Weights, most: int) -> Weights:
    """The weights of up to so many games."""
    return Weights(tuple(row[:most] for row in weights.rows[:most]))


def _name_rounds(rounds: Sequence[int]) -> str:
    return f"round{'s' if len(rounds) > 1 else ''} {', '.join(map(str, rounds))} {'are' if len(rounds) > 1 else 'is'}"


def _rule(rules: ScoringRules, path: str) -> str:
    source = rules.sources.get(path) or rules.sources.get(path.rpartition(".")[0])
    return f" ({source.rule})" if source and source.rule else ""


def _what_names_rounds(rules: ScoringRules) -> Iterator[tuple[str, str, Sequence[int]]]:
    """What the rules say of single rounds: in words, its setting, and its rounds."""
    totals = rules.totals
    if final := rules.final:
        yield "the final table", "totals.final.round", (final.round,)
        yield "who qualifies for the final table", "totals.final.qualifying_rounds", final.qualifying_rounds
    if before := rules.bonuses.preregistration:
        yield "the bonus for preregistration", "totals.bonuses.preregistration", before.rounds
    if rules.teams:
        yield "the scores of teams", "teams.rounds", rules.teams.rounds
    for number, title in enumerate(rules.awards.titles):
        yield title.title, f"awards.titles[{number}]", title.rounds
    for number, best in enumerate(totals.for_the_best):
        yield "a round that counts otherwise for the best", f"totals.for_the_best[{number}]", (best.round,)
    for number, group in enumerate(totals.groups):
        yield "rounds that are added by themselves", f"totals.groups[{number}]", group.rounds
    for number, pool in enumerate(totals.pools):
        yield f"pool {pool.name}", f"totals.pools[{number}]", (pool.round,)
