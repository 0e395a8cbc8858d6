"""Which notes of a line say that its ink spoils a reading of it; no pixel is looked at here."""

from pipeline.ink import Note

DOUBTS = frozenset(  # of a row of boxes
    {
        Note.BESIDE,
        Note.ACROSS,
        Note.NO_SIGN,
        Note.TWO_TICKS,
        Note.UNSURE_TICK,
        Note.NO_UNIT,
        Note.TOO_MUCH,
        Note.TOO_LITTLE,
    }
)

# A reading of the rest would not be what was written, however sure it is.
SPOILS = DOUBTS | {
    Note.STRUCK_OUT,
    Note.PARTLY_STRUCK,
    Note.TORN,
    Note.RUN_TOGETHER,
    Note.MORE,
    Note.HIDDEN,
    Note.LINE_THROUGH,
    Note.MENDED,
    Note.LEAVES_ROW,
    Note.LEAVES_BOX,
    Note.TWO_CHOICES,
    Note.HIDDEN_BOX,
}
