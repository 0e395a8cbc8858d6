"""Why a line is taken as it is, and what speaks for each order that it may mean."""

from enum import StrEnum

from pipeline.words import Told


class Because(StrEnum):
    """One kind of reason, beside the doubts; `pipeline.words` has a sentence for each."""

    AS_WRITTEN = "AS_WRITTEN"
    RULE = "RULE"  # of value: a setting's value says what becomes of it
    DIRECTOR_RULES = "DIRECTOR_RULES"  # of why: the setting's, or none
    RULES_SILENT = "RULES_SILENT"  # of why: likewise, and no rule says anything
    NAME_ALONE = "NAME_ALONE"
    NAMED_AND_DUE = "NAMED_AND_DUE"  # of named, due: more units are named than there is anything to do with
    NO_COMPLETE_ORDER = "NO_COMPLETE_ORDER"  # of unit
    NOTHING_OPEN = "NOTHING_OPEN"  # to a unit that was driven out
    NEED_NOT_BE_WRITTEN = "NEED_NOT_BE_WRITTEN"  # of value
    FIRST_YEAR = "FIRST_YEAR"  # of wanted: so many builds the referee imposes
    OFFERED = "OFFERED"  # of ruling: one that was made before
    REFUSED = "REFUSED"  # of why: what the judge says against it
    NO_CONVOY = "NO_CONVOY"  # of place: no sea
    # what settled a doubtful word
    NOTHING_ELSE = "NOTHING_ELSE"
    OWN_ORDERS = "OWN_ORDERS"
    REACH = "REACH"
    LETTER_CASE = "LETTER_CASE"
    # what speaks for an order that may be meant
    TAKEN = "TAKEN"  # of words: each `WORD`
    WORD = "WORD"  # of text, province, how, spelling, likeness
    NOT_FOLLOWED = "NOT_FOLLOWED"
    WITH_COAST = "WITH_COAST"
    OTHER_READING = "OTHER_READING"
    IDLE_UNIT = "IDLE_UNIT"
    IDLE_DISLODGED = "IDLE_DISLODGED"
    IMPLIED_BY = "IMPLIED_BY"  # of line
    OPEN_TO_IT = "OPEN_TO_IT"
    IF_MEANT = "IF_MEANT"
    POSSIBLE = "POSSIBLE"


def by_rule(value: object) -> Told:
    """What the value of a setting says becomes of a line."""
    return Told.of(Because.RULE, value=value)


AS_WRITTEN = Told.of(Because.AS_WRITTEN)
DIRECTOR_RULES = Told.of(Because.DIRECTOR_RULES, why=())
