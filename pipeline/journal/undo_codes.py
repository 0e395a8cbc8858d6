"""Why a fact cannot simply be undone, and what undoing it does, as codes. Comments name what a sentence mentions."""

from enum import StrEnum

from pipeline.words.speech import SentenceCode


class Dependency(SentenceCode):
    """What rests on a fact, so that it cannot simply be undone."""

    # can be overruled with a reason
    ADJUDICATED = "ADJUDICATED"  # of phase, fact
    SEEN = "SEEN"  # everybody could see it
    STANDINGS_USED = "STANDINGS_USED"  # of round, fact
    ENDED_EARLY = "ENDED_EARLY"  # of fact: the event
    RESULTS_FINAL = "RESULTS_FINAL"  # of fact
    # must be undone first, or prevent the undoing
    LATER_ON_BOARD = "LATER_ON_BOARD"  # of board, fact, what
    SHEETS_PRINTED = "SHEETS_PRINTED"  # of board, phase, fact
    SEATS_PRINTED = "SEATS_PRINTED"  # of board, fact
    SHEET_IN = "SHEET_IN"  # of turn
    DECIDED = "DECIDED"  # of turn, fact
    LATER = "LATER"  # of fact, what: another of the same is newer
    USED = "USED"  # of fact, what: it was made with this
    TOGETHER = "TOGETHER"  # of fact, what: was written down with it
    CALLED_BY_COUNTS = "CALLED_BY_COUNTS"
    ROUND_BEGUN = "ROUND_BEGUN"  # of round
    IN_FILE = "IN_FILE"  # of name: the change stands in the file, or was changed there again
    COUNTS_NO_MORE = "COUNTS_NO_MORE"
    FILE_SAYS_OTHER = "FILE_SAYS_OTHER"  # of setting
    OF_PLAYER = "OF_PLAYER"  # of setting
    OF_RULES = "OF_RULES"  # of setting: a file


# a reason overrules these
OVERRULABLE = frozenset(
    {
        Dependency.ADJUDICATED,
        Dependency.SEEN,
        Dependency.STANDINGS_USED,
        Dependency.ENDED_EARLY,
        Dependency.RESULTS_FINAL,
    }
)


class UndoEffect(SentenceCode):
    """A consequence of undoing a fact."""

    COUNTS_NO_MORE = "COUNTS_NO_MORE"
    NOT_SEATED = "NOT_SEATED"  # of round
    EARLIER_SEATS = "EARLIER_SEATS"  # of round, fact
    OPEN_AGAIN = "OPEN_AGAIN"  # of board, phase
    OPEN_AGAIN_NO_SOLO = "OPEN_AGAIN_NO_SOLO"  # of board, phase
    EARLIER_RESULT = "EARLIER_RESULT"  # of board, phase, fact
    GOES_ON = "GOES_ON"  # of board, phase
    READ_AGAIN = "READ_AGAIN"  # of turn
    FORM_ASIDE = "FORM_ASIDE"  # of form
    FILE_AGAIN = "FILE_AGAIN"  # of changes: the file is written again
    PAGE_WAITS = "PAGE_WAITS"  # of page, name


class CannotUndo(SentenceCode):
    """Why facts of a kind cannot be undone."""

    BEGINNING = "BEGINNING"
    DRAWN_OPENLY = "DRAWN_OPENLY"
    PAPER = "PAPER"
    FORM = "FORM"
    HAND = "HAND"
    TAKES_BACK = "TAKES_BACK"


class UndoState(StrEnum):
    """Whether a fact can be undone."""

    OPEN = "open"  # nothing depends on it
    ASKS = "asks"  # something depends on it; a reason overrules that
    HELD = "held"  # something depends on it that must be undone first
    STAYS = "stays"  # facts of this kind cannot be undone
    TAKEN_BACK = "taken back"
