"""Each player's account: the games that count with their weights, bonuses, penalties, and the total they make."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from pipeline.scoring.games.system import PlayerGame
from pipeline.scoring.results.doubts import (
    ScoringDoubt,
    TooManyGames,
    TwoBoardsAgain,
    TwoBoardsAndWithdrew,
    WithdrewAgain,
)
from pipeline.scoring.results.results import Entrant, EventResults
from pipeline.scoring.totals.counting import Counted, account
from pipeline.scoring.totals.extras import WITHDRAWAL, Extra, Stay, extras
from pipeline.scoring.totals.rules import ChoiceOfBoards, Final, FinalTotal, ScoringRules, TwoBoards, Weights
from pipeline.scoring.totals.tiebreaks import Contender


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """One player's account."""

    player: Entrant
    games: tuple[Counted, ...]  # in the order of play
    weighted: Fraction  # what the boards bring
    extras: tuple[Extra, ...]
    exact: Fraction  # before the total is rounded
    total: Fraction
    final: PlayerGame | None = None
    doubts: tuple[ScoringDoubt, ...] = ()

    @property
    def is_finalist(self) -> bool:
        """Whether the player sat on the final table."""
        return self.final is not None

    @property
    def rounds(self) -> frozenset[int]:
        """The rounds played."""
        return frozenset(counted.game.round for counted in self.games)

    def contender(self, total: Fraction | None = None) -> Contender:
        """Make what tie-breaks see of this account; ``total`` where something else is compared first."""
        games = tuple(counted.game for counted in self.games if not counted.is_dropped)
        return Contender(
            name=self.player.name,
            total=self.total if total is None else total,
            games=games,
            counted=tuple(counted.game for counted in self.games if counted.weight),
            overall=self.total,
            everything=sum((game.score for game in games), Fraction()),
            final=self.final,
            distance_km=self.player.distance_km,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Which games an account is made of, and with which weights."""

    rounds: frozenset[int] | None  # None: all
    weights: Weights
    has_final: bool  # whether the final table is part of it
    chooses_after: int  # rounds after which one of two boards played in the same round must be chosen (EDC23 D)


def whole_event(rules: ScoringRules) -> Stage:
    """The account at the end."""
    return Stage(
        rounds=None,
        weights=rules.totals.weights,
        has_final=rules.final is not None,
        chooses_after=rules.totals.rounds,
    )


def qualifying(rules: ScoringRules, final: Final) -> Stage:
    """The account that decides who is on the final table."""
    is_early = final.two_boards is ChoiceOfBoards.BEFORE_THE_FINAL
    return Stage(
        rounds=frozenset(final.qualifying_rounds),
        weights=final.qualifying_weights,
        has_final=False,
        chooses_after=len(final.qualifying_rounds) if is_early else rules.totals.rounds,
    )


def tallies(
    event: EventResults, games: Sequence[PlayerGame], rules: ScoringRules, stage: Stage, champion: str | None = None
) -> dict[str, Tally]:
    """Everybody's account, by name: all who played, and all who have a bonus or a penalty."""
    within = [game for game in games if stage.rounds is None or game.round in stage.rounds]
    by_player: dict[str, list[PlayerGame]] = {}
    scores: dict[int, list[Fraction]] = {}
    for game in within:
        if game.player is not None:
            by_player.setdefault(game.player, []).append(game)
            scores.setdefault(game.round, []).append(game.score)
    names = dict.fromkeys([*by_player, *others(event, stage)])
    return {
        name: tally(event, by_player.get(name, []), rules, stage, person(event, name), scores, champion)
        for name in names
    }


def others(event: EventResults, stage: Stage) -> Iterable[str]:
    """Who is in the event without a scored seat: by a bonus, a penalty, or having been replaced."""
    yield from (bonus.player for bonus in event.bonuses if is_within(bonus.round, stage))
    yield from (penalty.player for penalty in event.penalties if is_within(penalty.round, stage))
    for board in event.boards:
        if is_within(board.round, stage):
            yield from (seat.replaced for seat in board.seats.values() if seat.replaced)


def is_within(number: int | None, stage: Stage) -> bool:
    """Whether a round, or what has none, belongs to a stage."""
    return number is None or stage.rounds is None or number in stage.rounds


def person(event: EventResults, name: str) -> Entrant:
    """The registered player, or somebody known by name only."""
    return event.players.get(name) or Entrant(name=name)


def tally(
    event: EventResults,
    games: Sequence[PlayerGame],
    rules: ScoringRules,
    stage: Stage,
    player: Entrant,
    round_scores: Mapping[int, Sequence[Fraction]],
    champion: str | None,
) -> Tally:
    """A total is the weighted games and bonuses less penalties, rounded (EDC23 D; EDC96; Weasel XII; WDC08 15)."""
    final = next((game for game in games if game.board.is_final), None) if stage.has_final else None
    counted, doubts = weighed(player, games, rules, stage, final)
    sum_of_games = sum((one.points for one in counted), Fraction())
    stay = Stay(
        player=player,
        rounds=frozenset(game.round for game in games),
        weighted=sum_of_games,
        is_finalist=final is not None,
        has_won_final=final is not None and player.name == champion,
        bonuses=[bonus for bonus in event.bonuses if bonus.player == player.name and is_within(bonus.round, stage)],
        penalties=[one for one in event.penalties if one.player == player.name and is_within(one.round, stage)],
        round_scores=round_scores,
    )
    beside = extras(stay, rules)
    exact = sum_of_games + sum((extra.points for extra in beside), Fraction())
    return Tally(
        player=player,
        games=counted,
        weighted=sum_of_games,
        extras=beside,
        exact=exact,
        total=rules.totals.rounding(exact),
        final=final,
        doubts=(*doubts, *too_many(player, games, rules), *volunteered(stay, games, rules)),
    )


def weighed(
    player: Entrant, games: Sequence[PlayerGame], rules: ScoringRules, stage: Stage, final: PlayerGame | None
) -> tuple[tuple[Counted, ...], tuple[ScoringDoubt, ...]]:
    """A finalist's last game may count in full beside the qualifying ones: Stot = Sint + Sround5 (EDC96)."""
    if final and rules.final and rules.final.total is FinalTotal.QUALIFYING_PLUS_FINAL:
        before = [game for game in games if game.round in rules.final.qualifying_rounds and game is not final]
        counted, doubts = account(player, before, rules.totals, rules.final.qualifying_weights)
        return (*counted, Counted(final, Fraction(1), why="the final table counts in full")), doubts
    return account(player, games, replace(rules.totals, rounds=stage.chooses_after), stage.weights)


def too_many(player: Entrant, games: Sequence[PlayerGame], rules: ScoringRules) -> list[ScoringDoubt]:
    """A player may play only so many of certain rounds (EDC96: three of the first four)."""
    limit = rules.totals.most_games
    if not limit:
        return []
    played = [game.round for game in games if game.round in limit.rounds]
    if len(played) <= limit.games:
        return []
    return [TooManyGames(player=player.name, rounds=limit.rounds, found=len(played), allowed=limit.games)]


def volunteered(stay: Stay, games: Sequence[PlayerGame], rules: ScoringRules) -> list[ScoringDoubt]:
    """Two boards at once and a withdrawal are each allowed once, and exclude each other (EDC23 D)."""
    if not rules.bonuses.withdrawal or rules.totals.two_boards is not TwoBoards.CHOSEN:
        return []
    doubled = len(games) - len(stay.rounds)
    withdrawn = sum(1 for bonus in stay.bonuses if bonus.kind == WITHDRAWAL)
    found: list[ScoringDoubt] = []
    if doubled > 1:
        found.append(TwoBoardsAgain(player=stay.player.name, found=doubled))
    if withdrawn > 1:
        found.append(WithdrewAgain(player=stay.player.name, found=withdrawn))
    if doubled and withdrawn:
        found.append(TwoBoardsAndWithdrew(player=stay.player.name))
    return found
