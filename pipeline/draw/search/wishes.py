"""Which wishes hold for a round: what the rules say, and what the director says where they are silent."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, fields, replace

from pipeline.draw.search.task import Wished, Wishes
from pipeline.problems import ExitCode, Problem, Stopped, Weight
from pipeline.rules.event_rules import Aim, DrawRules, Wish
from pipeline.rules.toml.setting import Setting, asked_by

OF_THE_DIRECTOR = "the director"
HISTORY = frozenset({Aim.SAME_POWER_ONCE, Aim.POWER_GROUPS, Aim.NEW_OPPONENTS, Aim.TRIOS_APART})  # need earlier rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What the director has said about wishes, in his order of importance."""

    wishes: Mapping[Aim, Wish] = field(default_factory=dict)
    has_limit: bool = False  # whether he has said how often two players may meet
    meetings_most: int | None = None  # and how often; None: as often as they like

    def then(self, later: "Answers") -> "Answers":
        """Take what he said later before what he said first; the order is that of the later word, then the rest."""
        limit = later if later.has_limit else self
        wishes = {**later.wishes, **{aim: wish for aim, wish in self.wishes.items() if aim not in later.wishes}}
        return Answers(wishes=wishes, has_limit=limit.has_limit, meetings_most=limit.meetings_most)


def filled(rules: DrawRules, other: DrawRules) -> DrawRules:
    """Take the settings that some rules leave open from another tournament's rules."""
    settings = {each.name: getattr(rules, each.name) for each in fields(rules)}
    return replace(
        rules, **{name: getattr(other, name) if setting.asks else setting for name, setting in settings.items()}
    )


def wishes_of(rules: DrawRules, answers: Answers, matters: Set[Aim]) -> Wishes:
    """Put the wishes that matter for this round in order, or stop with every question that is open (exit code 3)."""
    questions = list(open_questions(rules, answers, matters))
    if questions:
        raise Stopped(questions, ExitCode.RULE_FIRST)
    wished = []
    for aim in in_order(rules, answers):
        setting: Setting[Wish] = getattr(rules, aim.value)
        said = answers.wishes.get(aim)
        wish = said or setting.value
        if aim in matters and wish in (Wish.MUST, Wish.SHOULD):
            wished.append(Wished(aim=aim, wish=wish, rule=OF_THE_DIRECTOR if said else setting.source))
    wished.sort(key=lambda each: each.wish is not Wish.MUST)  # stable: what must be kept comes first
    limit = rules.meetings_most
    return Wishes(
        wished=tuple(wished),
        meetings_most=answers.meetings_most if answers.has_limit else limit.value,
        meetings_rule=OF_THE_DIRECTOR if answers.has_limit else limit.source,
        groups=rules.power_groups.value,
    )


def open_questions(rules: DrawRules, answers: Answers, matters: Set[Aim]) -> Iterator[Problem]:
    """Ask what the rules leave open, as far as it matters for this round."""
    asked = asked_by(type(rules))
    for aim in Aim:
        if aim in matters and aim not in answers.wishes and getattr(rules, aim.value).asks:
            question = f"is it a wish that {asked[aim.value].question}? the rules are silent"
            text = f"{question}; say --wish {aim.value}=must, =should or =no"
            yield Problem(Weight.ASKS, text, f"draw.{aim.value}")
    if Aim.NEW_OPPONENTS in matters and rules.meetings_most.asks and not answers.has_limit:
        text = f"{asked['meetings_most'].question}? the rules are silent; say --meetings-most 2, or none"
        yield Problem(Weight.ASKS, text, "draw.meetings_most")


def in_order(rules: DrawRules, answers: Answers) -> tuple[Aim, ...]:
    """Order the aims: as the rules have it; where they are silent, as the director named them; then the rest."""
    first = () if rules.order.asks else rules.order.value
    return tuple(dict.fromkeys((*first, *answers.wishes, *Aim)))
