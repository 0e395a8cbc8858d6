"""Points that no board gives: bonuses, withdrawals, penalties, each with its reason."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from pipeline.scoring import rules as scoring_rules
from pipeline.scoring.results import Bonus, Entrant, Penalty, decimal, sum_points
from pipeline.words.speech import write_count

PARTICIPATION = "participation"
PREREGISTRATION = "preregistration"
FINAL_TABLE = "final table"
FINAL_VICTORY = "final victory"
WITHDRAWAL = "withdrawal"


def kinds_by_rule(rules: scoring_rules.Bonuses) -> tuple[str, ...]:
    """The kinds of bonus that the rules compute: they need no points."""
    computed = {
        PARTICIPATION: rules.participation,
        PREREGISTRATION: rules.preregistration,
        FINAL_TABLE: rules.final_share or None,
        FINAL_VICTORY: rules.final_victory or None,
        WITHDRAWAL: rules.withdrawal,
    }
    return tuple(kind for kind, rule in computed.items() if rule is not None)


class Extra(Struct, frozen=True):
    """Points beside the boards: a bonus above 0, a penalty below."""

    kind: str
    points: Fraction
    why: str


class BonusGrounds(Struct, frozen=True, kw_only=True):
    """What a player's bonuses and penalties depend on."""

    player: Entrant
    rounds: frozenset[int]  # rounds played
    weighted: Fraction  # the weighted sum of the boards
    is_finalist: bool
    has_won_final: bool
    bonuses: Sequence[Bonus]  # the player's own
    penalties: Sequence[Penalty]  # the player's own
    round_scores: Mapping[int, Sequence[Fraction]]  # every player's scores, by round


def compute_extras(grounds: BonusGrounds, rules: scoring_rules.ScoringRules) -> tuple[Extra, ...]:
    """Bonuses as the rules compute them or as the director states them, then penalties and what goes with them."""
    stated = [Extra(bonus.kind, bonus.points, bonus.reason) for bonus in grounds.bonuses if bonus.points is not None]
    kinds = {extra.kind for extra in stated}
    earned = [extra for extra in _computed_bonuses(grounds, rules.bonuses) if extra.kind not in kinds] + stated
    charged = [charge(penalty, rules.penalties) for penalty in grounds.penalties]
    for penalty in grounds.penalties:
        earned = _left_after(penalty, earned, rules.penalties)
    whole = [
        _forfeit(grounds, earned, penalty) for penalty in grounds.penalties if _loses_all(penalty, rules.penalties)
    ]
    return (*earned, *whole[:1], *charged)


def _computed_bonuses(grounds: BonusGrounds, rules: scoring_rules.Bonuses) -> list[Extra]:
    """The bonuses that the rules know how to give."""
    given: list[Extra] = []
    if rules.participation and len(grounds.rounds) >= rules.participation.from_rounds:
        points = rules.participation.each_round * len(grounds.rounds)
        given.append(Extra(PARTICIPATION, points, f"{write_count(len(grounds.rounds), 'round')} played"))
    if (
        rules.preregistration
        and _is_preregistered(grounds, rules)
        and grounds.rounds.issuperset(rules.preregistration.rounds)
    ):
        rounds = " and ".join(str(number) for number in rules.preregistration.rounds)
        given.append(Extra(PREREGISTRATION, rules.preregistration.points, f"announced and played rounds {rounds}"))
    if rules.final_share and grounds.is_finalist:
        why = f"{decimal(rules.final_share * 100)} % of {decimal(grounds.weighted)}"
        given.append(Extra(FINAL_TABLE, rules.final_share * grounds.weighted, why))
    if rules.final_victory and grounds.has_won_final:
        given.append(Extra(FINAL_VICTORY, rules.final_victory, "won the final table"))
    if rules.withdrawal:
        given += [
            _withdrawal_bonus(bonus, grounds, rules.withdrawal)
            for bonus in grounds.bonuses
            if bonus.kind == WITHDRAWAL and bonus.points is None  # the rules compute its worth
        ]
    return given


def _is_preregistered(grounds: BonusGrounds, rules: scoring_rules.Bonuses) -> bool:
    """Whether a player was pre-registered for all rounds that the bonus names (EDC23 D3, G)."""
    wanted = rules.preregistration.rounds if rules.preregistration else ()
    noted = any(bonus.kind == PREREGISTRATION and bonus.points is None for bonus in grounds.bonuses)
    return noted or grounds.player.preregistered.issuperset(wanted)


def _withdrawal_bonus(bonus: Bonus, grounds: BonusGrounds, rule: scoring_rules.Withdrawal) -> Extra:
    """A withdrawal is worth the first tercile of that round's scores, unweighted (EDC23 D), or a number of points."""
    if rule.points is not None:
        return Extra(WITHDRAWAL, rule.points, f"stood down in round {bonus.round}")
    scores = grounds.round_scores.get(bonus.round or 0, ())
    points = lowest_part(scores, rule.part)
    return Extra(
        WITHDRAWAL,
        points,
        f"first {rule.part} of {write_count(len(scores), 'score')} of round {bonus.round}",
    )


def lowest_part(scores: Sequence[Fraction], part: Fraction) -> Fraction:
    """The first quantile by nearest rank: of N scores, ascending, the one at place N * ``part`` rounded up.

    With a third it is the first tercile (EDC23 D, reading).

    >>> lowest_part([Fraction(n) for n in (9, 1, 5, 3, 7, 2, 8)], Fraction(1, 3))
    Fraction(3, 1)
    """
    if not scores:
        return Fraction()
    place = -(-len(scores) * part.numerator // part.denominator)
    return sorted(scores)[max(place, 1) - 1]


def _rule_for(penalty: Penalty, rules: Sequence[scoring_rules.PenaltyRule]) -> scoring_rules.PenaltyRule | None:
    """What the rules say about a kind of penalty, if anything."""
    return next((rule for rule in rules if rule.kind == penalty.kind), None)


def charge(penalty: Penalty, rules: Sequence[scoring_rules.PenaltyRule]) -> Extra:
    """A penalty costs what the rules say for its kind, or what the director says (EDC23 D4; NZ99 9, 24; WDC08 18)."""
    rule = _rule_for(penalty, rules)
    each = penalty.points if penalty.points is not None else (rule.cost if rule else Fraction())
    often = write_count(penalty.times, "time") if penalty.times > 1 else ""
    when = f"round {penalty.round}" if penalty.round is not None else ""
    why = ", ".join(part for part in (penalty.reason, when, often) if part)
    return Extra(penalty.kind, -each * penalty.times, why)


def _left_after(penalty: Penalty, earned: Sequence[Extra], rules: Sequence[scoring_rules.PenaltyRule]) -> list[Extra]:
    """Some penalties take the bonuses too, except kinds that the rule keeps, such as a withdrawal's (EDC23 D4)."""
    rule = _rule_for(penalty, rules)
    if not rule or rule.loses is not scoring_rules.Loses.BONUSES:
        return list(earned)
    why = f"lost: {penalty.kind}"
    return [bonus if bonus.kind in rule.keeps else replace(bonus, points=Fraction(), why=why) for bonus in earned]


def _loses_all(penalty: Penalty, rules: Sequence[scoring_rules.PenaltyRule]) -> bool:
    """Whether a penalty takes all positive points (EDC23 D4)."""
    rule = _rule_for(penalty, rules)
    return rule is not None and rule.loses is scoring_rules.Loses.EVERYTHING


def _forfeit(grounds: BonusGrounds, earned: Sequence[Extra], penalty: Penalty) -> Extra:
    """All positive points, the boards' and the bonuses', are taken away (EDC23 D4)."""
    positive = grounds.weighted + sum_points(extra.points for extra in earned if extra.points > 0)
    return Extra(penalty.kind, -positive, "all positive points")
