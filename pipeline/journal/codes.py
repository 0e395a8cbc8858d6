"""What a line of the journal says, as codes; `pipeline.words` has a sentence for each."""

from enum import StrEnum


class Happened(StrEnum):
    """What a fact says."""

    PLAYERS_NUMBERED = "PLAYERS_NUMBERED"  # of count
    PLAYER_ADDED = "PLAYER_ADDED"  # of name, number
    PLAYER_RENAMED = "PLAYER_RENAMED"  # of was, name
    ROLL_CALLED = "ROLL_CALLED"  # of round, here, later, away
    SEATED = "SEATED"  # of round, boards
    DRAWN = "DRAWN"  # of round, boards, seed
    LOT_SEALED = "LOT_SEALED"  # of number, round, among
    LOT_DRAWN = "LOT_DRAWN"  # of number, round, word, order
    TEAM_ENTERED = "TEAM_ENTERED"  # of team, members, form
    TEAM_WITHDRAWN = "TEAM_WITHDRAWN"  # of form
    SHEETS_PRINTED = "SHEETS_PRINTED"  # of count, boards, phases
    PADS_PRINTED = "PADS_PRINTED"  # of count, boards
    FORMS_PRINTED = "FORMS_PRINTED"  # of count, kinds
    SCAN_RECEIVED = "SCAN_RECEIVED"  # of name
    SCAN_READ = "SCAN_READ"  # of name, pages
    PAGE_READ = "PAGE_READ"  # of name, page, tray, sheet
    PAGE_IDENTIFIED = "PAGE_IDENTIFIED"  # of name, page, sheet
    PAGE_SET_ASIDE = "PAGE_SET_ASIDE"  # of name, page
    ROW_RULED = "ROW_RULED"  # of turn, line, order
    ROW_READ = "ROW_READ"  # of turn, line, text
    UNIT_RULED = "UNIT_RULED"  # of turn, order: it has no row
    SHEET_RULED = "SHEET_RULED"  # of turn, decision
    LINES_TYPED = "LINES_TYPED"  # of turn, lines
    SPOT_RIGHT = "SPOT_RIGHT"  # of turn, line, ink
    SPOT_WRONG = "SPOT_WRONG"  # of turn, line, ink
    POSITION_SET = "POSITION_SET"  # of board, phase
    PUBLISHED = "PUBLISHED"  # of board, phase
    CORRECTED = "CORRECTED"  # of board, phase
    GAME_ENDED = "GAME_ENDED"  # of board, how
    RESULT_ENTERED = "RESULT_ENTERED"  # of board, how, year
    RESULT_WITHDRAWN = "RESULT_WITHDRAWN"  # of board
    VOTE_HELD = "VOTE_HELD"  # of board, yes, no
    VOTE_CARRIED = "VOTE_CARRIED"  # of board, yes
    VETOED = "VETOED"  # of board
    FIELD_RULED = "FIELD_RULED"  # of form, field, value
    FORM_ACCEPTED = "FORM_ACCEPTED"  # of form
    FORM_SET_ASIDE = "FORM_SET_ASIDE"  # of form
    NOTED = "NOTED"  # of words
    TAKEN_BACK = "TAKEN_BACK"  # of fact, what: the fact that counts no more, and what it says
    HAND_BROUGHT = "HAND_BROUGHT"  # of name, rows, event
    RESTORED = "RESTORED"  # of copy, at
    DICE_COMMITTED = "DICE_COMMITTED"  # of round, number
    DICE_ROLLED = "DICE_ROLLED"  # of round, number, die, word
    CLOCK_STARTED = "CLOCK_STARTED"  # of label
    CLOCK_STOPPED = "CLOCK_STOPPED"
    STANDINGS_OPENED = "STANDINGS_OPENED"
    STANDINGS_SEALED = "STANDINGS_SEALED"
    SEATS_TOLD = "SEATS_TOLD"  # of round
    SETTINGS_CHANGED = "SETTINGS_CHANGED"  # of changes, saved
    SETTINGS_FIRST_NOTED = "SETTINGS_FIRST_NOTED"  # of count
    UNKNOWN = "UNKNOWN"  # of kind: a newer edition wrote it


class SettingNow(StrEnum):
    """What became of a setting."""

    ADDED = "ADDED"  # of setting, now
    CHANGED = "CHANGED"  # of setting, was, now
    GONE = "GONE"  # of setting, was


class CameOf(StrEnum):
    """What came of a fact."""

    PRINTED = "PRINTED"  # of count, fact
    TOLD = "TOLD"  # of fact
    DRAWN = "DRAWN"  # of round, fact
    DRAWN_AGAIN = "DRAWN_AGAIN"  # of fact
    ADJUDICATED = "ADJUDICATED"  # of phase, fact
    AGAIN = "AGAIN"  # of fact
    ENDED = "ENDED"  # of how, fact
    VOID = "VOID"  # of sheets: others sit there now


class Resting(StrEnum):
    """What rests on a fact."""

    # the director's reason lifts these
    ADJUDICATED = "ADJUDICATED"  # of phase, fact
    SEEN = "SEEN"  # everybody could see it
    STANDINGS_USED = "STANDINGS_USED"  # of round, fact
    # these must go first, or stand
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
    IN_FILE = "IN_FILE"  # of name: the file says it, or says otherwise
    COUNTS_NO_MORE = "COUNTS_NO_MORE"
    FILE_SAYS_OTHER = "FILE_SAYS_OTHER"  # of setting
    OF_PLAYER = "OF_PLAYER"  # of setting


LIFTED = frozenset({Resting.ADJUDICATED, Resting.SEEN, Resting.STANDINGS_USED})  # by a reason


class Would(StrEnum):
    """What would follow if a fact counted no more."""

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


class Stays(StrEnum):
    """Why a kind of fact is never taken back."""

    BEGINNING = "BEGINNING"
    DRAWN_OPENLY = "DRAWN_OPENLY"
    PAPER = "PAPER"
    FORM = "FORM"
    FIRST_NOTED = "FIRST_NOTED"
    RESULT = "RESULT"
    HAND = "HAND"
    TAKES_BACK = "TAKES_BACK"
    NEWER = "NEWER"


class Standing(StrEnum):
    """Whether a fact can be taken back."""

    OPEN = "open"  # nothing rests on it
    ASKS = "asks"  # something rests on it that the director's reason lifts
    HELD = "held"  # something rests on it that must go first
    STAYS = "stays"  # such a fact is never taken back
    TAKEN_BACK = "taken back"
