"""One tournament as data: everything its rules file and its abbreviation table say, typed.

This is what every other module imports. The switches for lines stand in ``reading_rules``, those for sheets in
``conduct``, those for the event here; the words in ``abbreviations``.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import fields, replace

from pipeline.board import Power, standard_map
from pipeline.judge.rulebook import Rulebook, rulebook
from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules.abbreviations import Abbreviations
from pipeline.rules.conduct import ConductRules, Late, MissingSheetRule
from pipeline.rules.reading_rules import (
    AdjustmentRules,
    ByLand,
    ImpossibleOrder,
    ReadingRules,
    Route,
    Surplus,
    Twice,
    YesNo,
)
from pipeline.rules.switches import Asks, Quote, Setting, Switch, walk_switches
from pipeline.scoring.numbers import Needed
from pipeline.scoring.results import FIRST_YEAR
from pipeline.scoring.rules import ScoringRules
from pipeline.words.speech import ENGLISH, Choice, Speech

MOST_OF_LEAGUE = 99  # rounds: a game's key in the workbook has two digits for them

# When games end, how long a phase lasts, who sits where: tables ``[ending]``, ``[clock]``, ``[draw]``, ``[judge]``.


class CountedCentres(Choice):
    """Which supply centre count is a game's result."""

    ASK = "ask", "the director rules"
    LAST_FALL = "last_fall", "that of the last completed Fall; the year that is interrupted does not count"
    LAST_RECORDED = "last_recorded", "the last that was recorded, after Fall moves, retreats and adjustments"
    LAST_ADJUSTMENT = "last_adjustment", "that of the last adjustments"
    FALL_RETREATS = "fall_retreats", "that after the Fall retreats; builds are not made"


class Announced(Choice):
    """Who knows beforehand when a round ends."""

    ASK = "ask", "the director rules"
    SECRET = "secret", "only the director"
    KNOWN = "known", "everybody"


class Per(Choice):
    """How often a draw vote may be held."""

    ASK = "ask", "the director rules"
    SEASON = "season", "once a season (Spring or Fall)"
    ANY = "any", "as often as it is asked for"


class Majority(Choice):
    """What carries a draw."""

    ASK = "ask", "the director rules"
    UNANIMOUS = "unanimous", "every power that has a centre"


class Absent(Choice):
    """How somebody votes who is not there, or has abandoned the game."""

    ASK = "ask", "the director rules"
    YES = "yes", "for every proposal"
    MUST_VOTE = "must_vote", "no vote is held without this player"


class VoteTime(Choice):
    """When a draw vote is held."""

    ASK = "ask", "the director rules"
    ANY = "any", "at any time"
    NEGOTIATION = "negotiation", "in negotiation time; the clock does not stop"
    AFTER_PHASE = "after_phase", "at the end of a phase, after retreats and adjustments"
    NOT_FALL_READING = "not_fall_reading", "at any time but between the first Fall order read and the adjustments"


class Proposal(Choice):
    """The condition for holding a vote."""

    ASK = "ask", "the director rules"
    ALL_AGREE = "all_agree", "every surviving player agrees to hold it, which is no vote for the draw"
    ONE_ASKS = "one_asks", "one player asks for it; an open veto before it begins ends it"
    REQUEST = "request", "one player asks the director for it"
    ONE_ASKS_OPENLY = "one_asks_openly", "one player asks for it; anybody's open objection counts as a No"


class VoteRules(Struct, frozen=True, kw_only=True):
    """Table ``[ending.vote]``: draw votes."""

    proposal: Annotated[Setting[Proposal], Asks("31", "what does it take before a vote is held?")]
    stalemate: Annotated[Setting[YesNo], Asks("31", "must the position be a stalemate?")]
    from_year: Annotated[Setting[int | None], Asks("31", "first year in which a vote may be held")]
    last_year: Annotated[Setting[YesNo], Asks("31", "may a vote be held in the last year?")]
    time: Annotated[Setting[VoteTime], Asks("31", "when is a vote held?")]
    per: Annotated[Setting[Per], Asks("31", "how often may a vote be held?")]
    per_player: Annotated[Setting[int | None], Asks("31", "how many votes may one player ask for in a game?")]
    eliminated_asks: Annotated[Setting[YesNo], Asks("31", "may a player without a centre ask for a vote?")]
    secret: Annotated[Setting[YesNo], Asks("31", "is the vote secret?")]
    carried_by: Annotated[Setting[Majority], Asks("31", "what carries the draw?")]
    absent: Annotated[Setting[Absent], Asks("31", "how does a player vote who is not there?")]
    abandoned: Annotated[Setting[Absent], Asks("31", "how does a player vote who has abandoned the game?")]
    asker_says_yes: Annotated[Setting[YesNo], Asks("31", "does the player who asked for the vote vote for the draw?")]
    includes_all_survivors: Annotated[Setting[YesNo], Asks("31", "does a draw include all survivors?")]
    counted: Annotated[Setting[CountedCentres], Asks("31", "which count is the result?")]


class DiceRules(Struct, frozen=True, kw_only=True):
    """Table ``[ending.dice]``: a die after each Fall of the last years, and what is added to each roll."""

    added: Annotated[Setting[tuple[int, ...]], Asks("end", "what is added to the first roll, the second, …")]
    ends_at: Annotated[Setting[int | None], Asks("end", "the sum at which no more years are played")]


class EndingRules(Struct, frozen=True, kw_only=True):
    """Table ``[ending]``: how a game ends and which count is its result."""

    last_year: Annotated[Setting[int | None], Asks("end", "the last year that is played, where it is fixed")]
    last_year_top_board: Annotated[
        Setting[int | None], Asks("end", "the last year of the final table, where it is fixed")
    ]
    call_time: Annotated[Setting[Announced], Asks("end", "who knows when the director will end a round?")]
    round_times: Annotated[Setting[str | None], Asks("end", "when does each round begin and end?")]
    solo_centres: Annotated[Setting[int | None], Asks("end", "centres that win alone; none written: more than half")]
    concession: Annotated[Setting[YesNo], Asks("end", "may a game be conceded to one player as won?")]
    concession_centres: Annotated[
        Setting[int | None], Asks("end", "centres that the power must own to whom a game is conceded")
    ]
    counted_in_fall: Annotated[
        Setting[CountedCentres], Asks("end", "the game is ended at a Fall deadline: which count is the result?")
    ]
    counted_in_spring: Annotated[
        Setting[CountedCentres], Asks("end", "the game is ended at a Spring deadline: which count is the result?")
    ]
    stagnation_years: Annotated[
        Setting[int | None],
        Asks("end", "years without a centre changing hands after which the director may end a game"),
    ]
    stagnation_after: Annotated[Setting[int | None], Asks("end", "the year after which such years are counted")]
    vote: VoteRules
    dice: DiceRules


class SeasonParts(Struct, frozen=True, kw_only=True):
    """Seconds of one movement season, part by part; 0 where a part has no time of its own."""

    negotiation: int
    writing: int = 0
    reading: int = 0

    def __str__(self) -> str:
        return " + ".join(
            f"{part // 60}:{part % 60:02}" for part in (self.negotiation, self.writing, self.reading) if part
        )


class Span(Struct, frozen=True, kw_only=True):
    """The clock of the years from some year on: one of the tables ``[[clock.years]]``."""

    from_year: int
    spring: SeasonParts
    fall: SeasonParts
    rule: Annotated[str, Needed("the rule that says so", "'WDC08 12.4'")]

    def __str__(self) -> str:
        return f"from {self.from_year} Spring {self.spring}, Fall {self.fall}"


class ClockRules(Struct, frozen=True, kw_only=True):
    """Table ``[clock]``: seconds for each part of a season, by year."""

    years: tuple[Span, ...] = ()
    retreats: Annotated[Setting[int | None], Asks("clock", "seconds for retreats, where they have a time of their own")]
    winter: Annotated[
        Setting[int | None], Asks("clock", "seconds for adjustments, where they have a time of their own")
    ]
    runs_on: Annotated[Setting[YesNo], Asks("clock", "does the clock run on through retreats, adjustments and votes?")]
    faster: Annotated[Setting[YesNo], Asks("clock", "may a board play faster if all agree?")]

    def at(self, year: int) -> Span | None:
        """Find the clock of a year; none where the rules have none for it."""
        spans = (span for span in self.years if span.from_year <= year)
        return max(spans, key=lambda span: span.from_year, default=None)


class Wish(Choice):
    """How strongly a wish for the draw is held."""

    ASK = "ask", "the director rules"
    NO = "no", "not wished"
    MUST = "must", "never broken while any draw can keep it"
    SHOULD = "should", "broken as seldom as can be, and every breach reported"


class Aim(Choice):
    """A wish for the draw, by name, so that wishes can be put in order."""

    SAME_POWER_ONCE = "same_power_once", "nobody plays the same power twice"
    POWER_GROUPS = "power_groups_kept", "everybody plays one power of each group"
    TEAMS_APART = "teams_apart", "team mates play apart"
    FAMILIES_APART = "families_apart", "members of a family play apart"
    NEW_OPPONENTS = "new_opponents", "players meet new opponents"
    TRIOS_APART = "trios_apart", "no three players meet twice"
    BEST_TOGETHER = "best_together", "the best of each part of a round meet in the next"


class StandDown(Choice):
    """What the rules offer when players are not a multiple of seven; the director chooses."""

    ASK = "ask", "the director rules"
    DOUBLE = "double", "volunteers play on two boards"
    DIRECTOR_PLAYS = "director_plays", "the director plays, for no score"
    VOLUNTEERS = "volunteers", "volunteers sit out"
    LOCAL_BOARD = "local_board_members", "local members of the club's board are left out"
    LOCAL_CLUB = "local_club_members", "local members of the club are left out"
    LOCAL = "local_non_members", "other local players are left out"
    TRAVELLERS = "travellers", "travellers are left out"
    LOWEST_RANKED = "lowest_ranked", "the lowest ranked are left out"
    NEAREST = "nearest", "in the first round, and among equals, those who travelled least are left out"
    VARIANT = "variant", "six play without Turkey (Sandard)"


class DrawRules(Struct, frozen=True, kw_only=True):
    """Table ``[draw]``: who plays whom, as which power. Final tables: ``[totals.final]``; teams: ``[teams]``."""

    new_opponents: Annotated[Setting[Wish], Asks("draw", "players should meet new opponents")]
    meetings_most: Annotated[Setting[int | None], Asks("draw", "how often two players may meet at most")]
    trios_apart: Annotated[Setting[Wish], Asks("draw", "no three players meet twice")]
    same_power_once: Annotated[Setting[Wish], Asks("draw", "nobody plays the same power twice")]
    power_groups: Annotated[
        Setting[tuple[tuple[Power, ...], ...]], Asks("draw", "groups of powers, of each of which a player gets one")
    ]
    power_groups_kept: Annotated[Setting[Wish], Asks("draw", "everybody plays one power of each group")]
    families_apart: Annotated[
        Setting[Wish], Asks("draw", "families, clubs and the like, by the roster's `keep_apart`, play apart")
    ]
    teams_apart: Annotated[Setting[Wish], Asks("draw", "team mates play apart in the rounds of table [teams]")]
    best_together: Annotated[
        Setting[Wish], Asks("draw", "the best of each part of a round meet in the next, if they have not met")
    ]
    order: Annotated[Setting[tuple[Aim, ...]], Asks("draw", "which wishes go before which, most important first?")]
    binding: Annotated[Setting[YesNo], Asks("draw", "is a draw binding once it is published?")]
    uneven: Annotated[
        Setting[tuple[StandDown, ...]],
        Asks("draw", "what the rules offer when seven do not divide; who is left out, in this order"),
    ]
    director_boards: Annotated[
        Setting[int | None], Asks("draw", "on how many boards of a round the director may play to fill them")
    ]
    rounds_most: Annotated[
        Setting[int | None], Asks("draw", "how many of the rounds before the last one player may play")
    ]
    pools: Mapping[str, Mapping[Aim, Wish]] = {}  # name of a pool -> its own wishes

    def faults(self) -> Iterator[tuple[str, str]]:
        """What cannot be of its fields together: the key, and what to write."""
        for name, wishes in self.pools.items():
            for aim, wish in wishes.items():
                if wish is Wish.ASK:
                    yield (
                        f"pools.{name}.{aim}",
                        "expected 'must', 'should' or 'no'; leave it out where all play by one wish",
                    )


class JudgeRules(Struct, frozen=True, kw_only=True):
    """Table ``[judge]``: an edition of the rulebook, and the choices that this tournament makes differently."""

    edition: Setting[str]
    choices: Mapping[str, Setting[Any]]  # field of the judge's rulebook -> what it is set to


# Put a tournament's rulebook for the judge together: an edition, the table ``[judge]``, and what other tables imply.
#
# Some questions are asked of a line on paper and of a canonical order alike. They are answered once, in ``[reading]``
# or ``[adjustments]``, and handed to the judge; where the director is to be asked, the judge uses the edition's value.

TABLE = "table"  # judge.removal_list: the order of the abbreviation table

BY_LAND = {ByLand.LAND: "tagged", ByLand.OWN_FLEET: "own-fleet", ByLand.ANY_FLEET: "any"}
ROUTE = {Route.BINDS: "binding", Route.IGNORED: "ignored"}
IMPOSSIBLE = {
    ImpossibleOrder.HOLD: "hold",
    ImpossibleOrder.HOLD_UNSUPPORTED: "unsupported",
    ImpossibleOrder.TRIED_TO_MOVE: "move",
}
SURPLUS = {Surplus.FIRST: "first", Surplus.BOTTOM_UP: "bottom-up", Surplus.LAST: "last", Surplus.NONE: "none"}
DISLODGED = {MissingSheetRule.ALL_HOLD: True, MissingSheetRule.CIVIL_DISORDER: False}
TWICE = {Twice.HOLD: "none", Twice.FIRST: "first", Twice.LAST: "last"}
IMPLIED = {
    "several_orders": "reading.twice_different",
    "adjacent_convoy": "reading.by_land",
    "named_route": "reading.route",
    "impossible_orders": "reading.impossible",
    "too_many_builds": "adjustments.too_many_builds",
    "too_many_removals": "adjustments.too_many_disbands",
    "imposed_builds": "adjustments.first_year_builds",
    "disorder_retreats": "conduct.missing_sheet",
}
# What a field of the judge's rulebook is about: the rows of the catalogue of situations, and the question.
ANY_ROW = "12, 16-25"
ABOUT = {
    "disorder_supported": ("2", "may the units of a power that gave no orders be supported?"),
    "own_fleets_first": ("17", "does an own convoy shut out those that others offer?"),
    "paradox": ("18", "a convoyed army decides over its own convoy"),
    "paradox_backup": ("18", "a paradox to which that rule has no answer"),
    "routes": ("19", "a convoy has several routes and one is broken"),
    "convoy_against_own": ("20", "may a fleet carry an attack that dislodges its owner's own unit?"),
    "attack_from": ("21", "where does the attack of a convoyed army come from?"),
    "retreat_to_convoyed_attacker": ("21", "may a unit retreat to where its attacker came from by convoy?"),
    "removal_far_from": ("25", "a disband is missing: farthest from what?"),
    "removal_steps": ("25", "a disband is missing: how is the distance counted?"),
    "removal_spares_centres": ("25", "a disband is missing: of units equally far, do those off centres go first?"),
    "removal_list": ("25", "a disband is missing: which order of provinces settles the rest?"),
    "land_fallback": (ANY_ROW, "when does an army walk that meant to go to a neighbour by sea?"),
    "dislodged_still_bounces": (ANY_ROW, "does a dislodged unit still bounce others elsewhere?"),
    "missing_coast": (ANY_ROW, "a fleet moves where it can reach two coasts, none written"),
    "only_coast_omitted": (ANY_ROW, "a fleet moves where it can reach one coast, and it is not written"),
    "impossible_coast": (ANY_ROW, "the coast that is written cannot be reached, another can"),
    "support_coast": (ANY_ROW, "a fleet that can reach two coasts is supported, none written"),
    "wrong_unit_coast": (ANY_ROW, "the ordered fleet is on the other coast"),
    "irrelevant_coast": (ANY_ROW, "a coast is written where none is needed"),
    "wrong_letter": (ANY_ROW, "the letter A or F of a unit is wrong"),
    "inland_fleet_is_army": (ANY_ROW, "is a fleet that is built inland an army?"),
    "two_builds_in_one_place": (ANY_ROW, "two builds are ordered in one place: which counts?"),
    "waiving": (ANY_ROW, "may a build be waived?"),
    "unconvoyed_army_holds": (
        ANY_ROW,
        "an army that no fleet was ordered to carry: does it hold, or try to move?",
    ),
    "superfluous_convoy_is_illegal": (
        ANY_ROW,
        "is a convoy illegal where the army's routes do not need that fleet?",
    ),
    "missing_fleet": (ANY_ROW, "an army is ordered over water where no fleet lies that could carry it"),
}
OTHERWISE = (ANY_ROW, "where does this tournament differ from its rulebook?")


def canonical_order_settings(
    reading: ReadingRules, adjustments: AdjustmentRules, conduct: ConductRules
) -> dict[str, Any]:
    """What the switches for written lines say about canonical orders."""
    settings: dict[str, Any] = {
        "several_orders": TWICE.get(reading.twice_different.value),
        "adjacent_convoy": BY_LAND.get(reading.by_land.value),
        "named_route": ROUTE.get(reading.route.value),
        "impossible_orders": IMPOSSIBLE.get(reading.impossible.value),
        "too_many_builds": SURPLUS.get(adjustments.too_many_builds.value),
        "too_many_removals": SURPLUS.get(adjustments.too_many_disbands.value),
        "imposed_builds": adjustments.first_year_builds.value,
        "disorder_retreats": DISLODGED.get(conduct.missing_sheet.value),
    }
    return {field: value for field, value in settings.items() if value is not None}


def check_disorder(conduct: ConductRules, where: str, problems: list[Problem]) -> None:
    """The judge sees that a power ordered nothing, and not why: a refused late sheet is treated as a missing one is."""
    for name in ("late_first", "late_again", "late_after_reading_began"):
        late: Late = getattr(conduct, name).value
        disorder = conduct.missing_sheet.value is MissingSheetRule.CIVIL_DISORDER
        if late is (Late.ALL_HOLD if disorder else Late.CIVIL_DISORDER) and conduct.missing_sheet.value in DISLODGED:
            text = f"{late} here and {conduct.missing_sheet.value} in missing_sheet; the judge cannot tell them apart"
            problems.append(Problem(Weight.STOPS, text, f"{where}.{name}"))


def check_years(ending: EndingRules, where: str, problems: list[Problem]) -> None:
    """Report a last year that no game can reach: a year before the first."""
    for key, setting in (("last_year", ending.last_year), ("last_year_top_board", ending.last_year_top_board)):
        if setting.value is not None and setting.value < FIRST_YEAR:
            text = f"expected a year from {FIRST_YEAR} on, or 'none', found {setting.value}"
            problems.append(Problem(Weight.STOPS, text, f"{where}.{key}.value"))


def make_rulebook(
    judge: JudgeRules, others: Mapping[str, Any], abbreviations: Abbreviations, where: str, problems: list[Problem]
) -> Rulebook:
    """Make the judge's rulebook; ``others`` are the `canonical_order_settings`. Faults are added to ``problems``."""
    settings: dict[str, Any] = {"edition": judge.edition.value or "datc", **others}
    for field, setting in judge.choices.items():
        if field in IMPLIED:
            text = f"this is answered by {IMPLIED[field]}; take it out here"
            problems.append(Problem(Weight.STOPS, text, f"{where}.{field}"))
        elif setting.value is not None:
            settings[field] = setting.value
    if settings.get("removal_list") == TABLE:
        settings["removal_list"] = [code for code in abbreviations.order if code in standard_map().provinces]
    try:
        return rulebook(settings, where)
    except Stopped as stopped:
        problems.extend(stopped.problems)
        return Rulebook()


SECTIONS = ("reading", "adjustments", "conduct", "ending", "clock", "draw")
POINTS = ("scoring", "totals", "ties", "teams", "awards", "interim")  # tables that the scoring modules read


class Tournament(Struct, frozen=True, kw_only=True, eq=False, dict=True, weakref=True):
    """The rules that one tournament plays under."""

    id: str  # "edc1996"
    short: str  # "EDC96", as in "EDC96 8"
    name: str
    source: str  # the document the rules were taken from
    map: str  # a key of `pipeline.board.MAPS`
    language: str  # of what players see: a key of `pipeline.words.speech.languages`
    judge: JudgeRules  # what the file says
    rulebook: Rulebook  # what the judge is given
    reading: ReadingRules
    adjustments: AdjustmentRules
    conduct: ConductRules
    ending: EndingRules
    clock: ClockRules
    draw: DrawRules
    abbreviations: Abbreviations
    scoring: ScoringRules
    points: Mapping[str, Mapping[str, Any]]  # the tables of POINTS, as they stand in the file

    @property
    def rounds(self) -> int:
        """How many rounds are played; of a league, how many there may be at most."""
        return self.scoring.totals.rounds or MOST_OF_LEAGUE

    @property
    def is_league(self) -> bool:
        """Whether rounds are played for ever, each by those who come."""
        return self.scoring.totals.rounds == 0

    @property
    def teams_apart_rounds(self) -> tuple[int, ...]:
        """The rounds in which team mates play apart, where they do: those the rules name, else the team rounds."""
        teams = self.scoring.teams
        return (teams.apart or teams.rounds) if teams else ()

    def pool_last_year(self, name: str) -> Setting[int | None] | None:
        """The last year of a pool's boards, where it has one of its own."""
        for number, pool in enumerate(self.scoring.totals.pools):
            if pool.name == name and pool.last_year is not None:
                path = f"totals.pools[{number}]"
                source = self.scoring.sources.get(path) or self.scoring.sources.get(f"{path}.last_year")
                return Setting(pool.last_year, source.rule if source else "", path=f"{path}.last_year")
        return None

    def last_year(self, *, is_final: bool, pool: str) -> Setting[int | None]:
        """The setting that fixes the last year of a board."""
        of_all = self.ending.last_year_top_board if is_final else self.ending.last_year
        return self.pool_last_year(pool) or of_all

    def in_language(self, code: str) -> "Tournament":
        """These rules for players of another language: its words are read, and printed where the table has them."""
        speaks = code != ENGLISH and self.abbreviations.language == code
        if (code, speaks) == (self.language, self.abbreviations.prints_own):
            return self  # the same object: tables are kept under it
        return replace(self, language=code, abbreviations=replace(self.abbreviations, prints_own=speaks))

    @property
    def speech(self) -> Speech:
        """The language of what players see, with the words of the table where that is in it."""
        table = self.abbreviations
        return Speech(self.language, table.places_in_print() if table.prints_own else {})

    def switches(self) -> Iterator[Switch]:
        """Walk every switch with its source, in the order of the file."""
        table = Setting(self.abbreviations.id, self.abbreviations.source, path="tournament.abbreviations")
        yield Switch("11, 33", "which abbreviations and signs are accepted?", table)
        yield Switch("12, 16-25", "which edition of the rulebook?", self.judge.edition)
        for name, setting in self.judge.choices.items():
            yield Switch(*ABOUT.get(name, OTHERWISE), setting)
        for section in SECTIONS:
            yield from walk_switches(getattr(self, section))
            if section == "clock":
                yield self.seasons_of_the_clock()
        yield from _scoring_switches(self.points, "")

    def seasons_of_the_clock(self) -> Switch:
        """The tables ``[[clock.years]]`` as one switch."""
        seasons = "; ".join(map(str, sorted(self.clock.years, key=lambda span: span.from_year)))
        rules = ", ".join(dict.fromkeys(span.rule for span in self.clock.years))
        setting = Setting(seasons, rules, left_open=not seasons, path="clock.years")
        return Switch("clock", "minutes of negotiation, writing and reading, by first year", setting)

    @cached_property
    def quotes_by_path(self) -> Mapping[str, Quote]:
        """What the rules say of each situation, by the path of its setting."""
        return {switch.path: switch.quote for switch in self.switches() if switch.question}

    def quotes(self, paths: Iterable[str]) -> tuple[Quote, ...]:
        """Quotes of the rules for these settings; empty for doubts of the handwriting reader."""
        return tuple(self.quotes_by_path[path] for path in dict.fromkeys(paths))

    def stated_quotes(self, paths: Iterable[str]) -> tuple[Quote, ...]:
        """What the rules say under these settings, without those on which they are silent or say that there is none."""
        known = {switch.path: switch.setting for switch in self.switches()}
        return self.quotes(path for path in paths if not known[path].asks and known[path].value)

    @cached_property
    def otherwise(self) -> tuple[tuple[Setting[Any], "Tournament"], ...]:
        """The settings on lines whose rule can be read in another way, each with the tournament that reads it so."""
        readings = []
        for name in ("reading", "adjustments"):
            section = getattr(self, name)
            for field in fields(section):
                setting: Setting[Any] = getattr(section, field.name)
                if setting.otherwise is not None:
                    read = replace(setting, value=setting.otherwise, otherwise=None)
                    readings.append((setting, replace(self, **{name: replace(section, **{field.name: read})})))
        return tuple(readings)

    def open_switches(self) -> tuple[Switch, ...]:
        """List the switches on which the director will be asked."""
        return tuple(switch for switch in self.switches() if switch.setting.asks)


def _scoring_switches(inside: Any, path: str) -> Iterator[Switch]:
    """Walk scoring tables as they stand in the file: what has a rule, or is no table, is one switch.

    >>> found = {"totals": {"rounds": {"value": 3, "rule": "X 1"}}}
    >>> [(each.path, each.setting.value) for each in _scoring_switches(found, "")]
    [('totals.rounds', 3)]
    """
    if isinstance(inside, list) and any(isinstance(each, dict) for each in inside):
        for place, each in enumerate(inside):
            yield from _scoring_switches(each, f"{path}[{place}]")
    elif isinstance(inside, dict) and inside.keys().isdisjoint(("value", "rule")):
        for key, each in inside.items():
            yield from _scoring_switches(each, f"{path}.{key}" if path else key)
    elif isinstance(inside, dict):
        rest = {key: value for key, value in inside.items() if key not in ("rule", "why", "otherwise")}
        value = rest["value"] if list(rest) == ["value"] else rest
        value = f"{value}; else {inside['otherwise']}" if "otherwise" in inside else value
        yield Switch("", "", Setting(value, inside.get("rule", ""), inside.get("why", ""), path=path))
    else:
        yield Switch("", "", Setting(inside, path=path))
