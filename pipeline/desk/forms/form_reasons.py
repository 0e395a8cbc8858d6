"""Why a form waits for a person."""

from enum import StrEnum


class FormReason(StrEnum):
    """One kind of reason; `pipeline.words` has a sentence for each."""

    HANDWRITTEN = "HANDWRITTEN"  # of offered
    WHICH_TICK = "WHICH_TICK"  # of seen, offered
    NOT_READ = "NOT_READ"  # of seen, offered
    MAYBE_SIGNED = "MAYBE_SIGNED"  # of seen
    WRONG_SUM = "WRONG_SUM"  # of year, sum, centres
    NOT_PLAYED_YET = "NOT_PLAYED_YET"  # of year
    LEAP = "LEAP"  # of power, here, year, before, then, most
    COUNT_DIFFERS = "COUNT_DIFFERS"  # of power, here, centres, year
    NO_ENDING = "NO_ENDING"
    POWER_UNSIGNED = "POWER_UNSIGNED"  # of power
    NOT_ON_ROSTER = "NOT_ON_ROSTER"  # of name
    NO_NUMBER = "NO_NUMBER"
    NOBODYS_NUMBER = "NOBODYS_NUMBER"  # of number
    OTHER_NAME = "OTHER_NAME"  # of number, player, beside
    NO_NAME_BESIDE = "NO_NAME_BESIDE"  # of number, player
    NO_GAME = "NO_GAME"
    NO_PLACE = "NO_PLACE"
    TWICE_ON_SHEET = "TWICE_ON_SHEET"  # of player
    NO_POINTS = "NO_POINTS"  # of players, known
    WRONG_PLACES = "WRONG_PLACES"  # of places
    NO_TEAM_NAME = "NO_TEAM_NAME"
    EMPTY_TEAM = "EMPTY_TEAM"
    UNSIGNED = "UNSIGNED"
    TWICE_ON_FORM = "TWICE_ON_FORM"  # of player
    IN_OTHER_TEAM = "IN_OTHER_TEAM"  # of player, team
    SECOND_BALLOT = "SECOND_BALLOT"  # of others
    NO_TICK = "NO_TICK"
