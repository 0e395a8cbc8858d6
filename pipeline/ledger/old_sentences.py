"""What events of before there were codes say in sentences, and the code that each of them stands for.

These sentences are permanent data: they are read in old events, never written, and never reworded.
"""

import re

from pipeline.ink import Note, Noted, PictureFault
from pipeline.interpret.doubts import Doubt, Found
from pipeline.ledger.parts import PAD_DOUBTS, TickFault, missing_tick
from pipeline.rules.rulings_book import INK
from pipeline.words.speech import Told

NOTES = {
    "struck out": Note.STRUCK_OUT,
    "something is struck out or written over": Note.PARTLY_STRUCK,
    "a word has a gap in it": Note.TORN,
    "more is written than letters": Note.MORE,
    "ink leaves the row": Note.LEAVES_ROW,
    "faint ink": Note.FAINT_INK,
    "part of the row cannot be seen: cut off, covered or painted over": Note.HIDDEN,
    "ink stands above or below the type": Note.MENDED,
    "a line of the scanner runs through what is written": Note.LINE_THROUGH,
    "ink stands beside the boxes": Note.BESIDE,
    "ink runs from one box into another": Note.ACROSS,
    "no box says what the unit does": Note.NO_SIGN,
    "two boxes are ticked where one must be": Note.TWO_TICKS,
    "a mark may be a tick or not": Note.UNSURE_TICK,
    "no unit is written in its box": Note.NO_UNIT,
    "more boxes are filled than this order has": Note.TOO_MUCH,
    "a box is empty that this order needs": Note.TOO_LITTLE,
    "ink leaves the box": Note.LEAVES_BOX,
    "a box between two digits is empty": Note.GAP,
    "a box to tick cannot be seen: cut off, covered or painted over": Note.HIDDEN_BOX,
    "more than one box is ticked": Note.TWO_CHOICES,
    "a mark that may be no tick": Note.FAINT_TICK,
    "typed: read by Tesseract too": Note.TYPED,
    "two scans of this row differ": Note.SCANS_DIFFER,
    "the reader who knows the hand reads another order": Note.HANDS_DIFFER,
    "the recording has ended": Note.RECORDING_ENDED,
}
LACKS = (  # what followed a semicolon was never part of it
    (re.compile(r"(.+) has no order"), Doubt.NO_ORDER, ("unit",)),
    (re.compile(r"no retreat is ordered for (.+)"), Doubt.RETREAT_MISSING, ("unit",)),
    (re.compile(r"(\d+) of (\d+) builds not ordered"), Doubt.SHORT_BUILD, ("short", "due")),
    (re.compile(r"(\d+) of (\d+) disbands not ordered"), Doubt.SHORT_DISBAND, ("short", "due")),
)
SWITCHES = {"what is written": INK}
TICKED = {
    "over": TickFault.OVER,
    "still to come": TickFault.TO_COME,
    "more than one of each is ticked": TickFault.SEVERAL,
}
UNTICKED = re.compile(r"no (\w+)(?: and no (\w+))? is ticked")
FAULTS = (
    (re.compile(r"(\d+) of 4 corner markers cannot be seen"), PictureFault.MARKERS_LOST, "lost"),
    (re.compile(r"(\d+)% of the bars beside the rows cannot be seen"), PictureFault.BARS_LOST, "share"),
    (re.compile(r"scanned at about (\d+) dpi; 200 to 300 read better"), PictureFault.COARSE, "dpi"),
    (re.compile(r"a line down the page, (\d+) mm from the left edge .*"), PictureFault.LINE_DOWN, "at_mm"),
    (re.compile(r"(\d+) lines down the page: .*"), PictureFault.LINES_DOWN, "count"),
)
ONE_BIT = "scanned in black and white; grey reads better, and pencil is lost without it"
ROWS_HIDDEN = re.compile(r"rows that cannot be seen whole: ([\d, ]+); .*")
OUT_OF_RANGE = re.compile(r"expected (\d+) to (\d+)")
FAILED = re.compile(r"(.*?) failed: (.*)", re.DOTALL)
SHORT = re.compile(r"(.*) answered (\d+) rows of (\d+)")


def note_of(text: str) -> Noted:
    """The note on ink that a sentence stands for.

    >>> note_of("struck out"), note_of("expected 0 to 34").as_body()
    (<Note.STRUCK_OUT: 'STRUCK_OUT'>, {'code': 'OUT_OF_RANGE', 'least': 0, 'most': 34})
    """
    if text in NOTES:
        return NOTES[text]
    if found := OUT_OF_RANGE.fullmatch(text):
        return Told.of(Note.OUT_OF_RANGE, least=int(found[1]), most=int(found[2]))
    if found := SHORT.fullmatch(text):
        return Told.of(Note.ENGINE_SHORT, engine=found[1], answered=int(found[2]), rows=int(found[3]))
    if found := FAILED.fullmatch(text):
        return Told.of(Note.ENGINE_FAILED, engine=found[1], why=found[2])
    return Told.of(Note.IN_WORDS, text=text)


def lacks_of(text: str) -> Found:
    """What has no order, as a sentence says it.

    >>> lacks_of("F EDI has no order; it holds") == Found.of(Doubt.NO_ORDER, unit="F EDI")
    True
    """
    for pattern, doubt, names in LACKS:
        if found := pattern.fullmatch(text.split(";", maxsplit=1)[0]):
            values = (int(each) if each.isdigit() else each for each in found.groups())
            return Found.of(doubt, **dict(zip(names, values, strict=True)))
    return Found.of(Doubt.NO_ORDER, unit=text)


def case_of(doubt: str, switch: str, context: str) -> tuple[str, str]:
    """The switch and the case of what a ruling was made on; those of a pad, and of unread ink, were sentences.

    >>> case_of("WRONG_SEASON", "conduct.wrong_season", "still to come")
    ('conduct.wrong_season', <TickFault.TO_COME: 'to come'>)
    """
    if doubt in PAD_DOUBTS:
        if found := UNTICKED.fullmatch(context):
            return switch, missing_tick(tuple(each for each in found.groups() if each))
        return switch, TICKED.get(context, context)
    return SWITCHES.get(switch, switch), context


def fault_of(text: str) -> Told:
    """What was wrong with a picture, as a sentence says it.

    >>> fault_of("2 of 4 corner markers cannot be seen").as_body()
    {'code': 'MARKERS_LOST', 'lost': 2}
    """
    if text == ONE_BIT:
        return Told.of(PictureFault.ONE_BIT)
    if found := ROWS_HIDDEN.fullmatch(text):
        return Told.of(PictureFault.ROWS_HIDDEN, rows=tuple(map(int, found[1].split(", "))))
    for pattern, code, name in FAULTS:
        if found := pattern.fullmatch(text):
            value = int(found[1]) / 100 if code is PictureFault.BARS_LOST else int(found[1])
            return Told.of(code, **{name: value})
    return Told.of(PictureFault.IN_WORDS, text=text)
