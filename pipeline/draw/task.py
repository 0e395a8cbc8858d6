"""The input and output of a draw: one round of one tournament, as plain values."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import combinations

from msgspec import Struct, field
from msgspec.structs import fields, replace

from pipeline.board import Power
from pipeline.problems import ExitCode, Problem, Stopped, Weight
from pipeline.rules.switches import Setting, asked_by
from pipeline.rules.tournament import Aim, DrawRules, Wish

Pair = frozenset[str]  # two names


def chair(number: int) -> str:
    """A name for an empty seat; it contains a line break, which no player's name does."""
    return f"\n{number}"


class PastBoard(Struct, frozen=True, kw_only=True):
    """One board of an earlier round."""

    round: int
    players: Mapping[Power, str]  # who played to the end
    left: tuple[tuple[Power, str], ...] = ()  # who gave a seat up during the game

    @property
    def seats(self) -> tuple[tuple[Power, str], ...]:
        return (*self.players.items(), *self.left)

    @property
    def everybody(self) -> frozenset[str]:
        return frozenset(name for _, name in self.seats)

    def pairs(self) -> frozenset[Pair]:
        """Who met here: not the two who had one seat after each other."""
        seats = combinations(self.seats, 2)
        return frozenset(frozenset((one, other)) for (p, one), (q, other) in seats if p is not q and one != other)


class Wished(Struct, frozen=True, kw_only=True):
    """One wish that holds, and the rule it comes from."""

    aim: Aim
    wish: Wish  # MUST or SHOULD
    rule: str


class Wishes(Struct, frozen=True, kw_only=True):
    """All wishes in force: those that must be kept, then those that should, each in order of importance."""

    wished: tuple[Wished, ...] = ()
    meetings_most: int | None = None  # how often two players may meet; None: no rule
    meetings_rule: str = ""
    groups: tuple[tuple[Power, ...], ...] = ()  # of each of which everybody gets one power

    def find(self, aim: Aim) -> Wished | None:
        """Find a wish by its aim; None where it is not wished."""
        return next((each for each in self.wished if each.aim is aim), None)


class Task(Struct, frozen=True, kw_only=True):
    """One round to be drawn. ``bodies`` are names, one for each seat; a player on two boards is named twice."""

    powers: tuple[Power, ...]  # of one board
    bodies: tuple[str, ...]  # as many as there are seats to be taken
    wishes: Wishes
    empty: tuple[Power, ...] = ()  # seats that nobody takes, each at a board of its own: a variant is played there
    past: tuple[PastBoard, ...] = ()
    mates: frozenset[Pair] = frozenset()  # team mates, in a round in which they play apart
    families: frozenset[Pair] = frozenset()
    tables: Mapping[str, str] = field(default_factory=dict)  # players who stay at a table of their own in every round
    recorders: frozenset[str] = frozenset()  # who are spread over the boards
    together: tuple[tuple[str, ...], ...] = ()  # groups of players wanted at one board
    rounds_after: int = 0  # rounds that will follow; the draw leaves room for them
    mates_after: tuple[frozenset[Pair], ...] = ()  # team mates who play apart in each of them
    points: Mapping[str, tuple[int, int]] = field(
        default_factory=dict
    )  # of an earlier draw; see `affine_plane.new_points`

    @property
    def size(self) -> int:
        """How many play on one board."""
        return len(self.powers)

    @property
    def boards(self) -> int:
        """How many boards there are, those with an empty seat among them."""
        to_come = self.chairs.keys() - set(self.bodies)  # the draw seats them like everybody
        return (len(self.bodies) + len(to_come)) // self.size

    @property
    def chairs(self) -> Mapping[str, Power]:
        r"""The empty seats under names that no player can have, to be drawn like everybody, each with its power.

        >>> dict(Task(powers=(), bodies=(), wishes=Wishes(), empty=(Power.TURKEY,)).chairs)
        {'\n0': <Power.TURKEY: 'TURKEY'>}
        """
        return {chair(number): power for number, power in enumerate(self.empty)}

    @property
    def recording(self) -> int:
        """How many seats are taken by recorders."""
        return sum(name in self.recorders for name in self.bodies)

    def pairs_never_together(self) -> frozenset[Pair]:
        """Who never sits at one board, in no round: those who stay at tables, and recorders while there are enough."""
        groups = [self.tables, *([self.recorders] if self.recording <= self.boards else [])]
        return frozenset(frozenset(pair) for group in groups for pair in combinations(sorted(group), 2))

    def met(self) -> Counter[Pair]:
        """Count how often any two players have sat at one board."""
        return Counter(pair for board in self.past for pair in board.pairs())

    def count_powers(self) -> Counter[tuple[str, Power]]:
        """Count how often anybody has played a power."""
        return Counter((name, power) for board in self.past for power, name in board.seats)


class Breach(Struct, frozen=True, kw_only=True):
    """One unmet wish of a seating: whose, and in words."""

    wish: Wish
    rule: str
    aim: str  # the word in the rules file
    who: tuple[str, ...]
    text: str
    is_allowed: bool = False  # not wished, but within the rules: a second meeting (NZ99 19)

    def __str__(self) -> str:
        word = "must" if self.wish is Wish.MUST else "should"
        return f"{self.text} ({'allowed' if self.is_allowed else f'{word} not be'}: {self.rule})"


class Draw(Struct, frozen=True, kw_only=True):
    """Boards and powers, and what could not be met."""

    boards: tuple[Mapping[Power, str], ...]
    breaches: tuple[Breach, ...] = ()
    notes: tuple[str, ...] = ()  # what limits any draw of this round, in words
    points: Mapping[str, tuple[int, int]] = field(
        default_factory=dict
    )  # for later rounds; see `affine_plane.new_points`

    @property
    def broken(self) -> tuple[Breach, ...]:
        """The breaches of wishes that must be kept."""
        return tuple(each for each in self.breaches if each.wish is Wish.MUST)


# Which wishes hold for a round: what the rules say, and what the director says where they are silent.

OF_THE_DIRECTOR = "the director"
# these need earlier rounds, or people on several boards: see `matter_within`
HISTORY = frozenset({Aim.SAME_POWER_ONCE, Aim.POWER_GROUPS, Aim.NEW_OPPONENTS, Aim.TRIOS_APART})


class Answers(Struct, frozen=True, kw_only=True):
    """What the director has said about wishes, in his order of importance."""

    wishes: Mapping[Aim, Wish] = field(default_factory=dict)
    has_limit: bool = False  # whether he has said how often two players may meet
    meetings_most: int | None = None  # and how often; None: as often as they like

    def with_later(self, later: "Answers") -> "Answers":
        """Merge later answers over earlier ones; the later answers come first in order."""
        limit = later if later.has_limit else self
        wishes = {**later.wishes, **{aim: wish for aim, wish in self.wishes.items() if aim not in later.wishes}}
        return Answers(wishes=wishes, has_limit=limit.has_limit, meetings_most=limit.meetings_most)


def fill_open_settings(rules: DrawRules, other: DrawRules) -> DrawRules:
    """Take the settings that some rules leave open from another tournament's rules."""
    settings = {each.name: value for each in fields(rules) if isinstance(value := getattr(rules, each.name), Setting)}
    return replace(
        rules, **{name: getattr(other, name) if setting.asks else setting for name, setting in settings.items()}
    )


def wishes_of(rules: DrawRules, answers: Answers, matters: Set[Aim]) -> Wishes:
    """Put the wishes that matter for this round in order, or stop with every question that is open (exit code 3)."""
    questions = list(_ask_open_wishes(rules, answers, matters))
    if questions:
        raise Stopped(questions, ExitCode.RULE_FIRST)
    wished = []
    for aim in _order_aims(rules, answers):
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


def wishes_in_pool(wishes: Wishes, own: Mapping[Aim, Wish], pool: str) -> Wishes:
    """Put a pool's own wishes in the place of those of the round; one that only the pool has comes last."""
    rule = f"[draw.pools], {pool}"
    kept = [
        each if each.aim not in own else Wished(aim=each.aim, wish=own[each.aim], rule=rule) for each in wishes.wished
    ]
    kept += [Wished(aim=aim, wish=wish, rule=rule) for aim, wish in own.items() if wishes.find(aim) is None]
    wished = [each for each in kept if each.wish is not Wish.NO]
    if not wishes.groups:
        wished = [each for each in wished if each.aim is not Aim.POWER_GROUPS]
    return replace(wishes, wished=tuple(sorted(wished, key=lambda each: each.wish is not Wish.MUST)))


def matter_within(rules: DrawRules, answers: Answers, bodies: Sequence[str]) -> Set[Aim]:
    """The wishes that concern people on several boards of one round, as far as the rules or the director decide them.

    Their seats count like seats of two rounds: no power again nor its group, and nobody met again.
    """
    several = sum(seats > 1 for seats in Counter(bodies).values())
    least = {Aim.SAME_POWER_ONCE: 1, Aim.POWER_GROUPS: 1, Aim.TRIOS_APART: 3}  # so many people, for it to matter
    aims = {
        aim
        for aim, people in least.items()
        if several >= people and (aim in answers.wishes or not getattr(rules, aim.value).asks)
    }
    is_limited = answers.has_limit or not rules.meetings_most.asks
    if several > 1 and is_limited and (Aim.NEW_OPPONENTS in answers.wishes or not rules.new_opponents.asks):
        aims.add(Aim.NEW_OPPONENTS)
    return aims


def _ask_open_wishes(rules: DrawRules, answers: Answers, matters: Set[Aim]) -> Iterator[Problem]:
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


def _order_aims(rules: DrawRules, answers: Answers) -> tuple[Aim, ...]:
    """Order the aims: as the rules have it; where they are silent, as the director named them; then the rest."""
    first = () if rules.order.asks else rules.order.value
    return tuple(dict.fromkeys((*first, *answers.wishes, *Aim)))
