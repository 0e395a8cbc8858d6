"""Points that no board gives: bonuses, withdrawals, penalties, each with its reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from pipeline.scoring.results.exact import decimal
from pipeline.scoring.results.results import Bonus, Entrant, Penalty
from pipeline.scoring.totals.rules import Bonuses, Loses, PenaltyRule, ScoringRules, Withdrawal

PARTICIPATION = "participation"
PREREGISTRATION = "preregistration"
FINAL_TABLE = "final table"
FINAL_VICTORY = "final victory"
WITHDRAWAL = "withdrawal"


@dataclass(frozen=True, slots=True)
class Extra:
    """Points beside the boards: a bonus above 0, a penalty below."""

    kind: str
    points: Fraction
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """What a player's bonuses depend on."""

    player: Entrant
    rounds: frozenset[int]  # rounds played
    weighted: Fraction  # the weighted sum of the boards
    is_finalist: bool
    has_won_final: bool
    bonuses: Sequence[Bonus]  # the player's own
    penalties: Sequence[Penalty]  # the player's own
    round_scores: Mapping[int, Sequence[Fraction]]  # every player's scores, by round


def extras(stay: Stay, rules: ScoringRules) -> tuple[Extra, ...]:
    """Bonuses as the rules compute them or as the director states them, then penalties and what goes with them."""
    stated = [Extra(bonus.kind, bonus.points, bonus.reason) for bonus in stay.bonuses if bonus.points is not None]
    kinds = {extra.kind for extra in stated}
    earned = [extra for extra in computed(stay, rules.bonuses) if extra.kind not in kinds] + stated
    charged = [charge(penalty, rules.penalties) for penalty in stay.penalties]
    for penalty in stay.penalties:
        earned = left_after(penalty, earned, rules.penalties)
    whole = [forfeit(stay, earned, penalty) for penalty in stay.penalties if loses_all(penalty, rules.penalties)]
    return (*earned, *whole[:1], *charged)


def computed(stay: Stay, rules: Bonuses) -> list[Extra]:
    """The bonuses that the rules know how to give."""
    given: list[Extra] = []
    if rules.participation and len(stay.rounds) >= rules.participation.from_rounds:
        points = rules.participation.each_round * len(stay.rounds)
        given.append(Extra(PARTICIPATION, points, f"{len(stay.rounds)} rounds played"))
    if rules.preregistration and announced(stay, rules) and stay.rounds.issuperset(rules.preregistration.rounds):
        rounds = " and ".join(str(number) for number in rules.preregistration.rounds)
        given.append(Extra(PREREGISTRATION, rules.preregistration.points, f"announced and played rounds {rounds}"))
    if rules.final_share and stay.is_finalist:
        why = f"{decimal(rules.final_share * 100)} % of {decimal(stay.weighted)}"
        given.append(Extra(FINAL_TABLE, rules.final_share * stay.weighted, why))
    if rules.final_victory and stay.has_won_final:
        given.append(Extra(FINAL_VICTORY, rules.final_victory, "won the final table"))
    if rules.withdrawal:
        given += [withdrawn(bonus, stay, rules.withdrawal) for bonus in stay.bonuses if is_withdrawal(bonus)]
    return given


def announced(stay: Stay, rules: Bonuses) -> bool:
    """Whether a player was pre-registered for all rounds that the bonus names (EDC23 D3, G)."""
    wanted = rules.preregistration.rounds if rules.preregistration else ()
    noted = any(bonus.kind == PREREGISTRATION and bonus.points is None for bonus in stay.bonuses)
    return noted or stay.player.preregistered.issuperset(wanted)


def is_withdrawal(bonus: Bonus) -> bool:
    """Whether a bonus is a withdrawal whose worth the rules compute."""
    return bonus.kind == WITHDRAWAL and bonus.points is None


def withdrawn(bonus: Bonus, stay: Stay, rule: Withdrawal) -> Extra:
    """A withdrawal is worth the first tercile of that round's scores, unweighted (EDC23 D)."""
    scores = stay.round_scores.get(bonus.round or 0, ())
    points = lowest_part(scores, rule.part)
    return Extra(
        WITHDRAWAL, points, f"first {decimal(rule.part, 2)} of the {len(scores)} scores of round {bonus.round}"
    )


def lowest_part(scores: Sequence[Fraction], part: Fraction) -> Fraction:
    """The first tercile by nearest rank: of N scores, ascending, the one at place N/3 rounded up (EDC23 D, reading).

    >>> lowest_part([Fraction(n) for n in (9, 1, 5, 3, 7, 2, 8)], Fraction(1, 3))
    Fraction(3, 1)
    """
    if not scores:
        return Fraction()
    place = -(-len(scores) * part.numerator // part.denominator)
    return sorted(scores)[max(place, 1) - 1]


def rule_for(penalty: Penalty, rules: Sequence[PenaltyRule]) -> PenaltyRule | None:
    """What the rules say about a kind of penalty, if anything."""
    return next((rule for rule in rules if rule.kind == penalty.kind), None)


def charge(penalty: Penalty, rules: Sequence[PenaltyRule]) -> Extra:
    """A penalty costs what the rules say for its kind, or what the director says (EDC23 D4; NZ99 9, 24; WDC08 18)."""
    rule = rule_for(penalty, rules)
    each = penalty.points if penalty.points is not None else (rule.points if rule else Fraction())
    often = f"{penalty.times} times" if penalty.times > 1 else ""
    when = f"round {penalty.round}" if penalty.round is not None else ""
    why = ", ".join(part for part in (penalty.reason, when, often) if part)
    return Extra(penalty.kind, -each * penalty.times, why)


def left_after(penalty: Penalty, earned: Sequence[Extra], rules: Sequence[PenaltyRule]) -> list[Extra]:
    """Some penalties take the bonuses too, but not what stands in for a round's score (EDC23 D4, reading)."""
    rule = rule_for(penalty, rules)
    if not rule or rule.loses is not Loses.BONUSES:
        return list(earned)
    why = f"lost: {penalty.kind}"
    return [bonus if bonus.kind in rule.keeps else replace(bonus, points=Fraction(), why=why) for bonus in earned]


def loses_all(penalty: Penalty, rules: Sequence[PenaltyRule]) -> bool:
    """Whether a penalty takes all positive points (EDC23 D4)."""
    rule = rule_for(penalty, rules)
    return rule is not None and rule.loses is Loses.EVERYTHING


def forfeit(stay: Stay, earned: Sequence[Extra], penalty: Penalty) -> Extra:
    """All positive points, the boards' and the bonuses', are taken away (EDC23 D4)."""
    positive = stay.weighted + sum((extra.points for extra in earned if extra.points > 0), Fraction())
    return Extra(penalty.kind, -positive, "all positive points")
