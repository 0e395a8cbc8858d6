"""What the director must still decide before standings are final: each doubt is a value with its sentence.

A doubt stops nothing: the standings use an assumed number until the director decides.
"""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import asdict

from pipeline.board import Power
from pipeline.scoring.results import FIRST_YEAR, Ending, Spot, decimal
from pipeline.words.speech import IN_ENGLISH, Speech, to_say, wording


class NotedFact(StrEnum):
    """What a tie-break looks at and somebody has to note."""

    DISTANCE = "distance"  # from home (Weasel XI.1.b.iv; EDC23 B)
    CHOICE = "choice"  # the place in the order of choosing powers (EDC23 B)
    COUNTS = "counts"  # the centres after a year, between years that are recorded (WDC08 16.1)
    LOT = "lot"  # the names are drawn (Weasel XI.1.b.v; WDC08 16.3)


class Want(Struct, frozen=True):
    """A tie-break that could not decide, because a fact is not noted."""

    tiebreak: str
    fact: NotedFact
    tied: tuple[str, ...]  # who was level when it was asked
    missing: tuple[str, ...]  # the tied players whose fact is not noted


NOTED = {  # what has to be entered where a tie-break misses it
    NotedFact.DISTANCE: to_say("enter the distance from home of {missing}"),
    NotedFact.CHOICE: to_say("enter the order in which the final table chose its powers"),
    NotedFact.COUNTS: to_say("enter the centres that {missing} had after each year"),
    NotedFact.LOT: to_say("draw the names of {missing} and enter the order as lots"),
}


def _join_names(names: Sequence[object], speech: Speech = IN_ENGLISH) -> str:
    """Join names.

    >>> _join_names(["Ann"]), _join_names(["Ann", "Bob"]), _join_names(["Ann", "Bob", "Cy"])
    ('Ann', 'Ann and Bob', 'Ann, Bob and Cy')
    """
    *before, last = (str(name) for name in names)
    return speech.says("{names} and {last}", names=", ".join(before), last=last) if before else last


def join_powers(powers: Sequence[Power]) -> str:
    """Join powers in a text that knows its pattern.

    >>> join_powers([Power.ITALY]), join_powers([Power.ITALY, Power.RUSSIA, Power.TURKEY])
    ('ITALY', 'ITALY, RUSSIA and TURKEY')
    """
    *before, last = powers
    return wording("{names} and {last}", names=tuple(before), last=last) if before else str(last)


def _describe_missing_note(want: Want, speech: Speech) -> str:
    """Say what has to be noted for a tie-break."""
    return speech.says(NOTED[want.fact], missing=_join_names(want.missing, speech))


def _in_words(value: object, speech: Speech = IN_ENGLISH) -> object:
    """A field's value as sentences say it: a board, several names, what has to be noted.

    >>> _in_words((2, "B")), _in_words((Power.ITALY, Power.TURKEY)), _in_words(Fraction(1, 2)), _in_words(7)
    ('round 2, B', 'Italy and Turkey', '0.5', 7)
    """
    match value:
        case Want():
            return _describe_missing_note(value, speech)
        case Power():
            return speech.power(value).upper()
        case Ending():
            return speech.says(value)
        case (int() as number, str() as board):
            return speech.says("round {round}, {board}", round=number, board=board)
        case tuple() if value:
            return _join_names([_name_in_list(each, speech) for each in value], speech)
        case Fraction():
            return speech.number(decimal(value, 3))
    return value


def _name_in_list(value: object, speech: Speech) -> object:
    return speech.power(value) if isinstance(value, Power) else _in_words(value, speech)


ARE_LEVEL = to_say("{players} are level; {want}")


class ScoringDoubt(Struct, frozen=True, kw_only=True):
    """Something that the director must still say, or that is against the rules."""

    code: ClassVar[str]
    at: ClassVar[str]  # what it is about, with places for fields
    says: ClassVar[str]  # what was found, and how it is mended, with places for fields

    @property
    def where(self) -> str:
        return self.where_in(IN_ENGLISH)

    @property
    def text(self) -> str:
        """What was found, and how it is mended."""
        return self.in_words(IN_ENGLISH)

    def where_in(self, speech: Speech) -> str:
        """What it is about, in a language."""
        return speech.says(self.at, **self.words(speech))

    def in_words(self, speech: Speech) -> str:
        """What was found, and how it is mended, in a language."""
        return speech.says(self.says, **self.words(speech))

    def words(self, speech: Speech) -> dict[str, object]:
        """Its fields, as its sentences say them."""
        return {name: _in_words(value, speech) for name, value in asdict(self).items()}


class OfBoard(ScoringDoubt, frozen=True, kw_only=True):
    """A doubt about one board."""

    at = "{spot}"

    spot: Spot


class GameAbandoned(OfBoard, frozen=True, kw_only=True):
    """The rules do not say what a game is worth that ended like this; its last counts are scored (so in most rules)."""

    code = "game abandoned"
    says = to_say("{ending}; the rules do not say what it is worth, so its last counts are scored")
    ending: Ending


class EndingUnknown(OfBoard, frozen=True, kw_only=True):
    """A game is said to have ended in a way that the rules do not have; it is scored by its counts (NZ99 13)."""

    code = "ending unknown"
    ending: Ending
    rule: str
    is_worthless: bool  # by the rules a game that ends otherwise is abandoned, and pays nothing

    def in_words(self, speech: Speech) -> str:
        worthless = to_say(
            'its result says "{ending}", and by the rules no game ends so ({rule}); a game that ends otherwise is '
            "abandoned and pays nothing; it is scored by its centre counts until you correct the result, or enter it "
            "as abandoned"
        )
        unknown = to_say(
            'its result says "{ending}", and by the rules no game ends so ({rule}); it is scored by its centre counts '
            "until you correct the result"
        )
        return speech.says(worthless if self.is_worthless else unknown, **self.words(speech))


class DrawOfSome(OfBoard, frozen=True, kw_only=True):
    """A draw that leaves survivors out, where the rules put every survivor into it (NZ99 13)."""

    code = "draw of some"
    left_out: tuple[Power, ...]
    rule: str

    def in_words(self, speech: Speech) -> str:
        one = to_say(
            "{left_out} is left out of the draw, and by the rules it includes all survivors ({rule}); check both"
        )
        several = to_say(
            "{left_out} are left out of the draw, and by the rules it includes all survivors ({rule}); check both"
        )
        return speech.says(one if len(self.left_out) == 1 else several, **self.words(speech))


class SoloUnfounded(OfBoard, frozen=True, kw_only=True):
    """A game is said to have ended in a solo, and nobody owns enough centres; it is scored by its counts."""

    code = "solo unfounded"
    says = to_say("the result says solo, but nobody owns enough centres; it is scored by its centre counts")


class SoloDenied(OfBoard, frozen=True, kw_only=True):
    """A game is said to have ended in another way than a solo, and somebody owns enough centres to win."""

    code = "solo denied"
    says = to_say(
        'its result says "{ending}", and {power} has {owned:centre|centres}, which is a solo; it is scored '
        "as one: check both"
    )
    ending: str
    power: Power
    owned: int


class ScoreGuessed(OfBoard, frozen=True, kw_only=True):
    """The scores of a board rest on something that no source of the system says."""

    code = "score guessed"
    says = to_say("no source of {system} says what this board pays: {why}; check its scores, or rule on them")
    system: str
    why: str


class ComparisonGuessed(ScoringDoubt, frozen=True, kw_only=True):
    """Scores are compared with those of the same power elsewhere, and no paragraph of the rules is named for it."""

    code = "comparison guessed"
    at = to_say("standings")
    says = to_say(
        'scores are compared by "{by}", and no source of {method} says exactly how; assumed is {taken}; if the '
        "rules of the tournament say how, name their paragraph as 'rule' in [scoring.compared]"
    )
    by: str
    method: str
    taken: str


class SoloShared(OfBoard, frozen=True, kw_only=True):
    """Several powers own as many centres as win a game, and equally many; it is scored as a draw."""

    code = "solo shared"
    says = to_say(
        "{powers} own as many centres as win, and equally many; it is scored as a draw until you rule on the scores"
    )
    powers: tuple[Power, ...]


class YearsUnrecorded(OfBoard, frozen=True, kw_only=True):
    """Points depend on the years that powers lived, and the counts of some years are not recorded."""

    code = "years unrecorded"
    gaps: tuple[int, ...] = ()  # years before the last recorded one
    last: int | None = None  # the last recorded year, if its counts are not those at the end; neither: none is recorded

    def in_words(self, speech: Speech) -> str:
        says = speech.says
        if self.gaps:
            missing = says("the counts of {years} are not recorded", years=", ".join(map(str, self.gaps)))
        elif self.last:
            last = to_say("the counts of {year} are not those at the end, so the last year is not recorded")
            missing = says(last, year=self.last)
        else:
            missing = says("no year's counts are recorded")
        depend = to_say("{missing}, and points depend on it; enter the counts of every year, or a ruling on the scores")
        return says(depend, missing=missing)


class Clash(StrEnum):
    """Why the counts of two years cannot both be true."""

    SOLO = "solo"  # enough centres to win, and the game goes on
    BACK = "back"  # no centre, and later some
    WON = "won"  # more than all units of the power could take in that time
    LOST = "lost"  # all together own fewer than before


_AT_START = to_say("{who} begins with {owned} and has {then} {when}, more than it can take in that time; check it")
_SOLO = to_say(
    "{who} had {owned:centre|centres} in {year}, which is a solo and ends the game, and has {then} {when}; correct one "
    "of them, or leave out what comes after the solo"
)
_BACK = to_say("{who} had no centre in {year} and has {then} {when}; check both")
CLASHES = {  # by what it is, and whether the earlier counts are those with which every game begins
    (Clash.SOLO, False): _SOLO,
    (Clash.SOLO, True): _SOLO,
    (Clash.BACK, False): _BACK,
    (Clash.BACK, True): _BACK,
    (Clash.WON, True): _AT_START,
    (Clash.WON, False): to_say(
        "{who} had {owned} in {year} and has {then} {when}, more than it can take in that time; check both"
    ),
    (Clash.LOST, True): to_say(
        "all powers together begin with {owned:centre|centres} and have {then} {when}; an owned centre never becomes "
        "neutral again: check the counts"
    ),
    (Clash.LOST, False): to_say(
        "all powers together had {owned:centre|centres} in {year} and have {then} {when}; an owned centre never "
        "becomes neutral again: check both"
    ),
}


class YearsContradict(OfBoard, frozen=True, kw_only=True):
    """The counts of two years cannot both be true; the counts at the end are scored."""

    code = "years contradict"
    clash: Clash
    year: int
    later: int | None  # None: at the end
    power: Power | None = None  # None: all powers together
    owned: int  # in the earlier year
    then: int  # in the later one

    @property
    def is_start(self) -> bool:
        """Whether the earlier counts are those with which every game begins, which nobody enters."""
        return self.year < FIRST_YEAR

    def in_words(self, speech: Speech) -> str:
        when = speech.says("in {year}", year=self.later) if self.later else speech.says("at the end")
        who = speech.power(self.power).upper() if self.power else ""
        return speech.says(
            CLASHES[self.clash, self.is_start], who=who, owned=self.owned, year=self.year, then=self.then, when=when
        )


class RoundTooLate(OfBoard, frozen=True, kw_only=True):
    """A round beyond those that the rules have; its games count like the others."""

    code = "round too late"
    says = to_say("the rules have only {rounds:round|rounds}; the games of this one count like the others")
    rounds: int


class CentresMissing(OfBoard, frozen=True, kw_only=True):
    """Fewer centres are counted than the board has, and nobody said that the others are neutral."""

    code = "centres missing"
    found: int
    total: int

    def in_words(self, speech: Speech) -> str:
        counted = to_say(
            "{found} of {total:centre|centres} are counted; count again, or say that the rest, {left}, is unowned"
        )
        return speech.says(counted, found=self.found, total=self.total, left=self.total - self.found)


class YearMissing(OfBoard, frozen=True, kw_only=True):
    """Whether these powers lived through a year is not known, for its counts are not recorded (NZ99 B 1.2)."""

    code = "year missing"
    says = to_say("the counts of {year} are not recorded, so nobody knows whether {powers} lived then; enter them")
    year: int
    powers: tuple[Power, ...]


class AboutSeat(OfBoard, frozen=True, kw_only=True):
    """A doubt about one seat."""

    at = "{spot}, {power}"

    power: Power


class SeatReplaced(AboutSeat, frozen=True, kw_only=True):
    """A player was replaced, and the rules leave the score to the director (Weasel III.8; NZ99 5)."""

    code = "seat replaced"
    says = to_say("a replacement; the rules leave the score to the director")


class LateShareOpen(AboutSeat, frozen=True, kw_only=True):
    """The rules give a late share only to who relieves somebody on two boards; this is another newcomer (EDC23 D)."""

    code = "late share"
    says = to_say(
        "the rules give a late share only to a player who relieves somebody on two boards after the game has begun; "
        "enter with 'late-start' in which season this newcomer arrived, or 'start' if nothing is taken off"
    )


class FinalUnknown(OfBoard, frozen=True, kw_only=True):
    """A board is marked as the final table, and the rules have none; it counts like any board."""

    code = "final unknown"
    says = to_say("marked as the final table, but the rules have none; it counts like any board")


class FinalInOtherRound(OfBoard, frozen=True, kw_only=True):
    """A final table outside its round."""

    code = "final in other round"
    says = to_say("the final table is played in round {round}")
    round: int


class NotQualified(OfBoard, frozen=True, kw_only=True):
    """Somebody sits on the final table who did not qualify for it."""

    code = "not qualified"
    says = to_say("{player} did not qualify for the final table")
    player: str


class FinalNotHeld(OfBoard, frozen=True, kw_only=True):
    """A final table although too few players have a positive result (EDC23 B)."""

    code = "final not held"
    says = to_say("{positive:player has|players have} a positive result; a final table needs {needed}")
    positive: int
    needed: int


class AboutFinal(ScoringDoubt, frozen=True, kw_only=True):
    """A doubt about the final table."""

    at = to_say("final table")


class SeveralFinals(AboutFinal, frozen=True, kw_only=True):
    """More than one board is marked as the final table."""

    code = "several finals"
    spots: tuple[Spot, ...]

    def in_words(self, speech: Speech) -> str:
        spots = self.words(speech)["spots"]
        return speech.says(
            "{count:board is|boards are} marked as the final table: {spots}", count=len(self.spots), spots=spots
        )


class FinalNotMarked(AboutFinal, frozen=True, kw_only=True):
    """All rounds are over, and no board of the last one is marked as the final table: nobody can be champion."""

    code = "final not marked"
    says = to_say("no board of round {round} is marked as the final table, so nobody is champion; mark it")
    round: int


class LastSeatsOpen(AboutFinal, frozen=True, kw_only=True):
    """Players are level for the last seats of the final table (EDC96; EDC23 B; WDC08 4)."""

    code = "last seats open"
    players: tuple[str, ...]
    seats: int  # that are left for them
    want: Want | None

    def in_words(self, speech: Speech) -> str:
        says, players = speech.says, _join_names(self.players, speech)
        first = says("the rules do not say who goes first")
        how = _describe_missing_note(self.want, speech) if self.want else first
        if self.seats == 1:
            return says("{players} are level for the last seat; {how}", players=players, how=how)
        return says(
            "{players} are level for the last {count:seat|seats}; {how}", players=players, count=self.seats, how=how
        )


class OfPlayer(ScoringDoubt, frozen=True, kw_only=True):
    """A doubt about one player's account."""

    at = "{player}"

    player: str


class AboutRound(OfPlayer, frozen=True, kw_only=True):
    """A doubt about one player's round."""

    at = to_say("{player}, round {round}")

    round: int


class TwoBoardsUnpriced(AboutRound, frozen=True, kw_only=True):
    """Two boards in one round, and the rules do not say what counts; both do."""

    code = "two boards"
    says = to_say("two boards in one round; the rules do not say what counts, so both do")


class BoardNotChosen(AboutRound, frozen=True, kw_only=True):
    """The player has not said which of two boards counts (EDC23 D); the higher one does."""

    code = "board not chosen"
    says = to_say("no choice of board is noted; the higher one, {board}, counts until the player chooses")
    board: str


class TooManyGames(OfPlayer, frozen=True, kw_only=True):
    """More games of certain rounds than the rules allow (EDC96: three of the first four)."""

    code = "too many games"
    rounds: tuple[int, ...]
    found: int
    allowed: int

    def in_words(self, speech: Speech) -> str:
        rounds = ", ".join(map(str, self.rounds))
        many = to_say("{found:game|games} in rounds {rounds}; the rules allow {allowed}")
        return speech.says(many, found=self.found, rounds=rounds, allowed=self.allowed)


class TwoBoardsAgain(OfPlayer, frozen=True, kw_only=True):
    """Two boards in more than one round (EDC23 D: once)."""

    code = "two boards again"
    says = to_say("{found:round|rounds} on two boards; the rules allow one")
    found: int


class WithdrewAgain(OfPlayer, frozen=True, kw_only=True):
    """More than one withdrawal (EDC23 D: once)."""

    code = "withdrew again"
    says = to_say("{found:withdrawal|withdrawals}; the rules allow one")
    found: int


class TwoBoardsAndWithdrew(OfPlayer, frozen=True, kw_only=True):
    """Two boards in a round and a withdrawal, which exclude each other (EDC23 D)."""

    code = "two boards and withdrew"
    says = to_say("two boards in one round and a withdrawal exclude each other")


class PlaceLevel(ScoringDoubt, frozen=True, kw_only=True):
    """Players are level for an honoured place, or a lot decided although an earlier tie-break lacked a fact."""

    code = "place level"
    at = to_say("place {place}")
    place: int
    players: tuple[str, ...]
    want: Want

    def in_words(self, speech: Speech) -> str:
        want = _describe_missing_note(self.want, speech)
        return speech.says(ARE_LEVEL, players=_join_names(self.want.tied, speech), want=want)


class BestLevel(ScoringDoubt, frozen=True, kw_only=True):
    """More players are among the best for whom a round counts more than the rules say: the last are level."""

    code = "best level"
    at = to_say("round {round}")
    says = to_say(
        "{players} are level for the last of the {most} whose games count ×{times}: they count so for each of them; "
        "name what parts them as 'ties' in [[totals.for_the_best]], or enter lots"
    )
    round: int
    players: tuple[str, ...]
    most: int
    times: Fraction


class FinalLevel(AboutFinal, frozen=True, kw_only=True):
    """The best of the final table are level: there is no champion yet."""

    code = "final level"
    says = ARE_LEVEL
    players: tuple[str, ...]
    want: Want


class PowerLevel(ScoringDoubt, frozen=True, kw_only=True):
    """The best players of a power are level, and the director decides (Weasel XI.2; WDC08 16.3)."""

    code = "power level"
    at = to_say("best {power}")
    power: Power
    players: tuple[str, ...]
    want: Want

    def in_words(self, speech: Speech) -> str:
        lots = self.want.fact is NotedFact.LOT
        want = speech.says("enter their order as lots") if lots else _describe_missing_note(self.want, speech)
        return speech.says(ARE_LEVEL, players=_join_names(self.players, speech), want=want)


class TitleLevel(ScoringDoubt, frozen=True, kw_only=True):
    """The first of a ranking that makes a further title are level, and a fact is missing."""

    code = "title level"
    at = "{title}"
    says = ARE_LEVEL
    title: str
    players: tuple[str, ...]
    want: Want


class OfTeam(ScoringDoubt, frozen=True, kw_only=True):
    """A doubt about one team."""

    at = to_say("team {team}")

    team: str


class TeamTooLarge(OfTeam, frozen=True, kw_only=True):
    """More members than the rules allow (NZ99 26; EDC96; WDC08 15.2)."""

    code = "team too large"
    says = to_say("{found:member|members}; the rules allow {allowed}")
    found: int
    allowed: int


class TeamTooSmall(OfTeam, frozen=True, kw_only=True):
    """Fewer members than the rules ask for (EDC96; WDC08 15.2)."""

    code = "team too small"
    found: int
    needed: int

    def in_words(self, speech: Speech) -> str:
        return speech.says("{found:member|members}; the rules ask for {needed}", found=self.found, needed=self.needed)


class TeamMet(OfTeam, frozen=True, kw_only=True):
    """Team-mates on one board in a round in which they are kept apart (NZ99 26; EDC96)."""

    code = "team met"
    spot: Spot
    players: tuple[str, ...]

    def in_words(self, speech: Speech) -> str:
        return speech.says(
            "{players} met in round {round} on {board}",
            players=_join_names(self.players, speech),
            round=self.spot[0],
            board=self.spot[1],
        )


class TeamLeaver(OfTeam, frozen=True, kw_only=True):
    """A member who went home, was excluded or was replaced still gives the team points."""

    code = "team leaver"
    says = to_say("{player} went home, was replaced or was excluded, and still gives the team {points:point|points}")
    player: str
    points: Fraction


class TooManyTeams(ScoringDoubt, frozen=True, kw_only=True):
    """More teams of a country than the rules allow (EDC96)."""

    code = "too many teams"
    at = to_say("country {country}")
    says = to_say("{found:team|teams}; the rules allow {allowed}")
    country: str
    found: int
    allowed: int


class TeamsUnknown(ScoringDoubt, frozen=True, kw_only=True):
    """Teams are given, and the rules have no team competition; they are not ranked."""

    code = "teams unknown"
    at = to_say("teams")
    says = to_say("the rules have no team competition; the teams are not ranked")


class SheetNotSigned(ScoringDoubt, frozen=True, kw_only=True):
    """The score sheet of a board game is not signed; it does not count (NZ99 27)."""

    code = "sheet not signed"
    at = to_say("board game {number}, {game}")
    says = to_say("the score sheet is not signed; it does not count")
    number: int
    game: str
