"""What is seen of ink that spoils a reading of it, in the words of a line's notes; no pixel is looked at here."""

STRUCK_OUT = "struck out"
PARTLY_STRUCK = "something is struck out or written over"
TORN = "a word has a gap in it"
MORE = "more is written than letters"
LEAVES_ROW = "ink leaves the row"
HIDDEN = "part of the row cannot be seen: cut off, covered or painted over"
MENDED = "ink stands above or below the type"
LINE_THROUGH = "a line of the scanner runs through what is written"

BESIDE = "ink stands beside the boxes"
ACROSS = "ink runs from one box into another"
NO_SIGN = "no box says what the unit does"
TWO_TICKS = "two boxes are ticked where one must be"
UNSURE_TICK = "a mark may be a tick or not"
NO_UNIT = "no unit is written in its box"
TOO_MUCH = "more boxes are filled than this order has"
TOO_LITTLE = "a box is empty that this order needs"
DOUBTS = frozenset({BESIDE, ACROSS, NO_SIGN, TWO_TICKS, UNSURE_TICK, NO_UNIT, TOO_MUCH, TOO_LITTLE})  # of boxes

LEAVES_BOX = "ink leaves the box"  # of a number on a form
HIDDEN_BOX = "a box to tick cannot be seen: cut off, covered or painted over"
TWO_CHOICES = "more than one box is ticked"  # of a choice on a form

# A reading of the rest would not be what was written, however sure it is.
SPOILS = DOUBTS | {
    STRUCK_OUT,
    PARTLY_STRUCK,
    TORN,
    MORE,
    HIDDEN,
    LINE_THROUGH,
    MENDED,
    LEAVES_ROW,
    LEAVES_BOX,
    TWO_CHOICES,
    HIDDEN_BOX,
}
