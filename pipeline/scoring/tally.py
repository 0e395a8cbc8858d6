"""Each player's account: the games that count with their weights, bonuses, penalties, and the total they make."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.scoring import doubts
from pipeline.scoring import rules as scoring_rules
from pipeline.scoring.doubts import ScoringDoubt
from pipeline.scoring.extras import WITHDRAWAL, BonusGrounds, Extra, compute_extras
from pipeline.scoring.results import Entrant, EventResults, Spot, decimal, sum_points
from pipeline.scoring.system import Outcome, PlayerGame, Replacement
from pipeline.scoring.tiebreaks import Contender
from pipeline.words.speech import ordinal

# Which of a player's games count toward the total, and with which weight.


class Counted(Struct, frozen=True):
    """One game in a player's account."""

    game: PlayerGame
    weight: Fraction  # 0: it does not count toward the total
    is_dropped: bool = False  # the other of two boards in one round: it counts for nothing at all
    why: str = ""  # what its weight comes from

    @property
    def points(self) -> Fraction:
        """What it brings to the total."""
        return self.weight * self.game.score


def _account(
    player: Entrant, games: Sequence[PlayerGame], totals: scoring_rules.Totals, weights: scoring_rules.Weights
) -> tuple[tuple[Counted, ...], tuple[ScoringDoubt, ...]]:
    """The games of one player in the order of play, the best of them with the first weight."""
    dropped, chosen = _second_boards(player, games, totals)
    kept = sorted((game for game in games if game.seat not in dropped), key=lambda game: -game.score)
    row = weights.of(len(kept))
    rank = {game.seat: number for number, game in enumerate(kept)}
    counted = []
    for game in games:
        if game.seat in dropped:
            counted.append(Counted(game, Fraction(), is_dropped=True, why=dropped[game.seat]))
        else:
            number = rank[game.seat]
            which = f"{ordinal(number + 1)} best" if number else "best"
            counted.append(Counted(game, row[number], why=f"{which} of {len(kept)}"))
    return tuple(counted), chosen


def _second_boards(
    player: Entrant, games: Sequence[PlayerGame], totals: scoring_rules.Totals
) -> tuple[dict[Spot, str], tuple[ScoringDoubt, ...]]:
    """Of two boards in one round only what the rules say counts (Weasel III.7; EDC23 D)."""
    rounds: dict[int, list[PlayerGame]] = {}
    for game in games:
        rounds.setdefault(game.round, []).append(game)
    dropped: dict[Spot, str] = {}
    doubtful: list[ScoringDoubt] = []
    for number, both in rounds.items():
        if len(both) < 2:
            continue
        is_said = player.chosen.get(number) in {game.board.name for game in both}
        match totals.two_boards:
            case scoring_rules.TwoBoards.ASK if is_said:
                dropped |= _not_chosen(player, both, number)
            case scoring_rules.TwoBoards.ASK if number not in player.both:
                doubtful.append(doubts.TwoBoardsUnpriced(player=player.name, round=number))
            case scoring_rules.TwoBoards.HIGHER:
                dropped |= {game.seat: "only the higher of two boards counts" for game in _less_than_best(both)}
            case scoring_rules.TwoBoards.CHOSEN if len(rounds) == totals.rounds:
                dropped |= _not_chosen(player, both, number)
                if not is_said:
                    best = _choose_board(player, both, number)
                    doubtful.append(doubts.BoardNotChosen(player=player.name, round=number, board=best.board.name))
    return dropped, tuple(doubtful)


def _not_chosen(player: Entrant, both: Sequence[PlayerGame], number: int) -> dict[Spot, str]:
    """The boards beside the chosen one, with the reason why they do not count."""
    best = _choose_board(player, both, number)
    return {game.seat: "only the chosen of two boards counts" for game in both if game is not best}


def _less_than_best(games: Sequence[PlayerGame]) -> list[PlayerGame]:
    """All but the highest score; of equal ones the first stays."""
    best = max(games, key=lambda game: game.score)
    return [game for game in games if game is not best]


def _choose_board(player: Entrant, both: Sequence[PlayerGame], number: int) -> PlayerGame:
    """The board the player chose; the higher one where no choice is noted (EDC23 D)."""
    named = player.chosen.get(number)
    chosen = next((game for game in both if game.board.name == named), None)
    return chosen or max(both, key=lambda game: game.score)


class Tally(Struct, frozen=True, kw_only=True, dict=True):
    """One player's account."""

    player: Entrant
    games: tuple[Counted, ...]  # in the order of play
    weighted: Fraction  # what the boards bring
    extras: tuple[Extra, ...]
    exact: Fraction  # before the total is rounded
    total: Fraction
    final: PlayerGame | None = None
    doubts: tuple[ScoringDoubt, ...] = ()
    nobodys: int = 0  # games in which the player was replaced, and whose points go to nobody

    @property
    def is_finalist(self) -> bool:
        """Whether the player sat on the final table."""
        return self.final is not None

    @property
    def wins(self) -> int:
        """Games won outright, of those that count for anything."""
        return sum(one.game.outcome is Outcome.WIN for one in self.games if not one.is_dropped)

    @property
    def boards_won(self) -> int:
        """Boards with nobody level or above; a shared top wins none."""
        return sum(one.game.above == 0 and one.game.equal == 1 for one in self.games if not one.is_dropped)

    def contender(self, total: Fraction | None = None) -> Contender:
        """Make what tie-breaks see of this account; ``total`` where something else is compared first."""
        return self._contender if total is None else replace(self._contender, total=total)

    @cached_property
    def _contender(self) -> Contender:
        games = tuple(counted.game for counted in self.games if not counted.is_dropped)
        return Contender(
            name=self.player.name,
            total=self.total,
            games=games,
            counted=tuple(counted.game for counted in self.games if counted.weight),
            overall=self.total,
            everything=sum_points(game.score for game in games),
            final=self.final,
            distance_km=self.player.distance_km,
            nobodys=self.nobodys,
        )


Raised = Mapping[int, Fraction]  # round -> what the weights of its games are multiplied by


class Stage(Struct, frozen=True, kw_only=True):
    """Which games an account is made of, and with which weights."""

    rounds: frozenset[int] | None  # None: all
    weights: scoring_rules.Weights
    has_final: bool  # whether the final table is part of it
    chooses_after: int  # rounds after which one of two boards played in the same round must be chosen (EDC23 D)
    groups: tuple[scoring_rules.RoundGroup, ...] = ()  # of rounds, with weights of their own; none: one for all
    raised: Mapping[str, Raised] = field(
        default_factory=dict
    )  # player -> whose games of some rounds count more, or less


def whole_event(rules: scoring_rules.ScoringRules) -> Stage:
    """The account at the end."""
    return Stage(
        rounds=None,
        weights=rules.totals.weights,
        has_final=rules.final is not None,
        chooses_after=rules.totals.rounds,
        groups=rules.totals.groups,
    )


def qualifying_stage(rules: scoring_rules.ScoringRules, final: scoring_rules.Final) -> Stage:
    """The account that decides who is on the final table."""
    is_early = final.two_boards is scoring_rules.ChoiceOfBoards.BEFORE_THE_FINAL
    return Stage(
        rounds=frozenset(final.qualifying_rounds),
        weights=final.qualifying_weights,
        has_final=False,
        chooses_after=len(final.qualifying_rounds) if is_early else rules.totals.rounds,
    )


def title_stage(rules: scoring_rules.ScoringRules, title: scoring_rules.TitleRules) -> Stage:
    """The account that decides a further title; a final table counts there like any other board."""
    return Stage(
        rounds=frozenset(title.rounds) if title.rounds else None,
        weights=title.weights,
        has_final=False,
        chooses_after=rules.totals.rounds,
    )


def best_stage(rules: scoring_rules.ScoringRules, best: scoring_rules.ForTheBest | scoring_rules.Pool) -> Stage:
    """The account that decides whose games of a later round count more, or who plays in a pool."""
    return Stage(rounds=frozenset(best.after), weights=best.weights, has_final=False, chooses_after=rules.totals.rounds)


def tallies(
    event: EventResults,
    games: Sequence[PlayerGame],
    rules: scoring_rules.ScoringRules,
    stage: Stage,
    champion: str | None = None,
    known: Mapping[str, Tally] | None = None,
) -> dict[str, Tally]:
    """Everybody's account, by name: all who played, and all who have a bonus or a penalty.

    ``known``: accounts made before, which hold for everybody whose games are the same as there.
    """
    within = [game for game in games if stage.rounds is None or game.round in stage.rounds]
    by_player: dict[str, list[PlayerGame]] = {}
    scores: dict[int, list[Fraction]] = {}
    for game in within:
        if game.player is not None:
            by_player.setdefault(game.player, []).append(game)
            scores.setdefault(game.round, []).append(game.score)
    names = dict.fromkeys([*by_player, *_others(event, stage)])
    nobodys = _count_nobodys(event, rules, stage)
    accounts: dict[str, Tally] = {}
    for name in names:
        own, account = by_player.get(name, []), known.get(name) if known else None
        if account is None or not _holds_still(account, own, nobodys[name]):
            entrant = event.players.get(name) or Entrant(name=name)  # known by name only
            account = _tally(event, own, rules, stage, entrant, scores, champion)
            account = replace(account, nobodys=nobodys[name]) if nobodys[name] else account
        accounts[name] = account
    return accounts


def _holds_still(account: Tally, own: Sequence[PlayerGame], nobodys: int) -> bool:
    """Whether an account that was made before is made of a player's games as they are now."""
    return (
        account.nobodys == nobodys
        and len(own) == len(account.games)
        and all(game is counted.game for game, counted in zip(own, account.games, strict=True))
    )


def _count_nobodys(event: EventResults, rules: scoring_rules.ScoringRules, stage: Stage) -> Counter[str]:
    """How many games everybody gave up whose points go to nobody (WDC08 12.6)."""
    boards = (board for board in event.boards if is_within(board.round, stage))
    if rules.system.replacement is not Replacement.NOBODY:
        return Counter()
    return Counter(name for board in boards for seat in board.seats.values() for name in seat.leavers)


def _others(event: EventResults, stage: Stage) -> Iterable[str]:
    """Who is in the event without a scored seat: by a bonus, a penalty, or having been replaced."""
    yield from (bonus.player for bonus in event.bonuses if is_within(bonus.round, stage))
    yield from (penalty.player for penalty in event.penalties if is_within(penalty.round, stage))
    for board in event.boards:
        if is_within(board.round, stage):
            yield from (name for seat in board.seats.values() for name in seat.former_players)


def is_within(number: int | None, stage: Stage) -> bool:
    """Whether a round, or what has none, belongs to a stage."""
    return number is None or stage.rounds is None or number in stage.rounds


def _tally(
    event: EventResults,
    games: Sequence[PlayerGame],
    rules: scoring_rules.ScoringRules,
    stage: Stage,
    player: Entrant,
    round_scores: Mapping[int, Sequence[Fraction]],
    champion: str | None,
) -> Tally:
    """A total is the weighted games and bonuses less penalties, rounded (EDC23 D; EDC96; Weasel XII; WDC08 15)."""
    final = next((game for game in games if game.board.is_final), None) if stage.has_final else None
    counted, weighing_doubts = _weigh_games(player, games, rules, stage, final)
    if raised := stage.raised.get(player.name):
        counted = tuple(_raise_weight(one, raised.get(one.game.round)) for one in counted)
    sum_of_games = sum_points(one.points for one in counted)
    grounds = BonusGrounds(
        player=player,
        rounds=frozenset(game.round for game in games),
        weighted=sum_of_games,
        is_finalist=final is not None,
        has_won_final=final is not None and player.name == champion,
        bonuses=[bonus for bonus in event.bonuses if bonus.player == player.name and is_within(bonus.round, stage)],
        penalties=[one for one in event.penalties if one.player == player.name and is_within(one.round, stage)],
        round_scores=round_scores,
    )
    beside = compute_extras(grounds, rules)
    exact = sum_of_games + sum_points(extra.points for extra in beside)
    return Tally(
        player=player,
        games=counted,
        weighted=sum_of_games,
        extras=beside,
        exact=exact,
        total=rules.totals.rounding(exact),
        final=final,
        doubts=(
            *weighing_doubts,
            *_find_too_many_games(player, games, rules),
            *_double_volunteer_doubts(grounds, games, rules),
        ),
    )


def _weigh_games(
    player: Entrant,
    games: Sequence[PlayerGame],
    rules: scoring_rules.ScoringRules,
    stage: Stage,
    final: PlayerGame | None,
) -> tuple[tuple[Counted, ...], tuple[ScoringDoubt, ...]]:
    """A finalist's last game may count in full beside the qualifying ones: Stot = Sint + Sround5 (EDC96)."""
    if final and rules.final and rules.final.total is scoring_rules.FinalTotal.QUALIFYING_PLUS_FINAL:
        before = [game for game in games if game.round in rules.final.qualifying_rounds and game is not final]
        counted, weighing_doubts = _account(player, before, rules.totals, rules.final.qualifying_weights)
        return (*counted, Counted(final, Fraction(1), why="the final table counts in full")), weighing_doubts
    totals = replace(rules.totals, rounds=stage.chooses_after)
    if not stage.groups:
        return _account(player, games, totals, stage.weights)
    parts = [
        _account(player, [game for game in games if game.round in rounds], totals, weights)
        for rounds, weights in weighted_rounds(stage, sorted({game.round for game in games}))
    ]
    by_seat = {one.game.seat: one for of_group, _ in parts for one in of_group}
    return tuple(by_seat[game.seat] for game in games), tuple(doubt for _, of_part in parts for doubt in of_part)


def weighted_rounds(stage: Stage, rounds: Sequence[int]) -> list[tuple[tuple[int, ...], scoring_rules.Weights]]:
    """The rounds whose games are sorted and weighted together; those beyond the last, a doubt, count in full."""
    if not stage.groups:
        return [(tuple(rounds), stage.weights)]
    rounds_weighted = [(tuple(n for n in rounds if n in group.rounds), group.table) for group in stage.groups]
    beyond = tuple(n for n in rounds if all(n not in group.rounds for group in stage.groups))
    return [(numbers, weights) for numbers, weights in (*rounds_weighted, (beyond, scoring_rules.Weights())) if numbers]


def _raise_weight(one: Counted, times: Fraction | None) -> Counted:
    """A game that counts more for one of the best so far."""
    if times is None or not one.weight:
        return one
    return replace(one, weight=one.weight * times, why=f"{one.why}, ×{decimal(times, 3)} for one of the best so far")


def _find_too_many_games(
    player: Entrant, games: Sequence[PlayerGame], rules: scoring_rules.ScoringRules
) -> list[ScoringDoubt]:
    """A player may play only so many of certain rounds (EDC96: three of the first four)."""
    limit = rules.totals.most_games
    if not limit:
        return []
    played = [game.round for game in games if game.round in limit.rounds]
    if len(played) <= limit.games:
        return []
    return [doubts.TooManyGames(player=player.name, rounds=limit.rounds, found=len(played), allowed=limit.games)]


def _double_volunteer_doubts(
    grounds: BonusGrounds, games: Sequence[PlayerGame], rules: scoring_rules.ScoringRules
) -> list[ScoringDoubt]:
    """Two boards at once and a withdrawal are each allowed once, and exclude each other (EDC23 D)."""
    if not rules.bonuses.withdrawal or rules.totals.two_boards is not scoring_rules.TwoBoards.CHOSEN:
        return []
    doubled = len(games) - len(grounds.rounds)
    withdrawn = sum(1 for bonus in grounds.bonuses if bonus.kind == WITHDRAWAL)
    doubtful: list[ScoringDoubt] = []
    if doubled > 1:
        doubtful.append(doubts.TwoBoardsAgain(player=grounds.player.name, found=doubled))
    if withdrawn > 1:
        doubtful.append(doubts.WithdrewAgain(player=grounds.player.name, found=withdrawn))
    if doubled and withdrawn:
        doubtful.append(doubts.TwoBoardsAndWithdrew(player=grounds.player.name))
    return doubtful
