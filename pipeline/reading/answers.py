"""What is written on a form laid straight: numbers, ticks, words and signatures, each as a line with its tier."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pipeline.ink import InkLine, InkReading, Note, Tier
from pipeline.paper import sheet_layout
from pipeline.reading import band, recogniser, strokes
from pipeline.reading.digits import WhitePage, shipped_reader
from pipeline.reading.register import RegisteredPage, part
from pipeline.reading.rows import RowInk, cut_row_picture, see_field

CLEAN = 0.015  # of a box: with less ink there is no mark; dirt has 0.01
NOT_THE_WHOLE = (Note.STRUCK_OUT, Note.LEAVES_ROW, Note.LINE_THROUGH)  # with such a note a line is no copy
SURE = 0.035  # of a box: from here on there is a mark; a tick of a thin pen has 0.06


class WordsRead(Struct, frozen=True):
    """What an engine made of the lines for words, by their numbers."""

    inks: Mapping[int, RowInk]
    readings: Mapping[int, InkLine]  # of those that it was asked about
    seen: Mapping[int, recogniser.KeptRow]  # what it saw in lines that were to be copied


def read_answers(
    page: RegisteredPage,
    answers: tuple[sheet_layout.Answer, ...],
    engine: recogniser.Recogniser,
    vocabulary: recogniser.Vocabulary,
) -> tuple[tuple[InkLine, ...], Mapping[int, recogniser.KeptRow]]:
    """Read everything that a form asks for; and what was seen in the lines that were to be copied.

    Other words are for a person; names come with the engine's reading.
    """
    words = _read_words(page, answers, engine, vocabulary)
    white = WhitePage.of(page)
    numbers = _read_numbers(white, answers)
    return tuple(_read_answer(page, numbers, answer, words) for answer in answers), words.seen


def _read_numbers(white: WhitePage, answers: Sequence[sheet_layout.Answer]) -> dict[int, InkLine]:
    """Read the numbers in boxes, those of a row together where it is known what they come to."""
    by_number, together = {}, dict[str, list[sheet_layout.NumberAnswer]]()
    for answer in answers:
        if isinstance(answer, sheet_layout.NumberAnswer) and answer.together:
            together.setdefault(answer.name.split()[0], []).append(answer)
        elif isinstance(answer, sheet_layout.NumberAnswer):
            by_number[answer.number] = shipped_reader().read(white, answer)
    for row in together.values():
        by_number |= {line.number: line for line in shipped_reader().read_row(white, row)}
    return by_number


def _read_words(
    page: RegisteredPage,
    answers: tuple[sheet_layout.Answer, ...],
    engine: recogniser.Recogniser,
    vocabulary: recogniser.Vocabulary,
) -> WordsRead:
    """Ask the engine about the lines for words: whose name it is, or whether it is what was to be copied."""
    asked = [answer for answer in answers if isinstance(answer, sheet_layout.TextAnswer)]
    inks = {answer.number: _ink_of(page, answer) for answer in asked}
    names = {each.number: inks[each.number] for each in asked if each.is_player and not inks[each.number].is_blank}
    read = recogniser.read_safely(engine, [ink.crop for ink in names.values()], vocabulary) if vocabulary.lines else []
    readings = {
        number: InkLine.without_place(line.readings, Tier.ASKED) for number, line in zip(names, read, strict=False)
    }
    copies = {each.number: each.copies for each in asked if each.copies and not inks[each.number].is_blank}
    compared = recogniser.compare_safely(engine, [inks[number].crop for number in copies], list(copies.values()))
    comparisons = dict(zip(copies, compared, strict=False))
    seen = {number: each.kept for number, each in comparisons.items() if each.kept is not None}
    return WordsRead(inks, readings | {number: each.reading for number, each in comparisons.items()}, seen)


def _text_line(answer: sheet_layout.TextAnswer, words: WordsRead) -> InkLine:
    """A line for words: a person says what they are, but for those that are what was to be copied."""
    ink, reading = words.inks[answer.number], words.readings.get(answer.number)
    if ink.is_blank or reading is None:
        tier = Tier.BLANK if ink.is_blank else Tier.ASKED
        return InkLine(number=answer.number, box=answer.box, readings=(), tier=tier, notes=ink.notes)
    notes = tuple(dict.fromkeys((*ink.notes, *reading.notes)))
    is_spoilt = any(note in NOT_THE_WHOLE for note in ink.notes)
    tier = Tier.ASKED if is_spoilt or reading.tier is not Tier.ACCEPTED else Tier.ACCEPTED
    return InkLine(number=answer.number, box=answer.box, readings=reading.readings, tier=tier, notes=notes)


def _read_answer(
    page: RegisteredPage,
    numbers: Mapping[int, InkLine],
    answer: sheet_layout.Answer,
    words: WordsRead,
) -> InkLine:
    match answer:
        case sheet_layout.NumberAnswer():
            return _asked_if_lined(page, answer, numbers[answer.number])
        case sheet_layout.ChoiceAnswer():
            read_alone = _read_choice(answer, [strokes.ink_share(page, box) for box in answer.boxes])
            if all(strokes.has_frame(page, box) for box in answer.boxes):
                return _asked_if_lined(page, answer, read_alone)
            return replace(read_alone, tier=Tier.ASKED, notes=(*read_alone.notes, Note.HIDDEN_BOX))
        case sheet_layout.TextAnswer():
            return _text_line(answer, words)
        case sheet_layout.SignatureAnswer():
            is_blank = _ink_of(page, answer).is_blank
            tier = Tier.BLANK if is_blank else Tier.ACCEPTED
            return InkLine(number=answer.number, box=answer.box, readings=(), tier=tier)


def _asked_if_lined(
    page: RegisteredPage, answer: sheet_layout.NumberAnswer | sheet_layout.ChoiceAnswer, line: InkLine
) -> InkLine:
    """Ask about an answer out of whose boxes a line of the scanner was taken: a digit may have gone with it."""
    lines = page.lines
    if (
        lines is None
        or line.tier is Tier.BLANK
        or not any((part(lines, b) < band.TAKEN_OUT).any() for b in answer.boxes)
    ):
        return line
    return replace(line, tier=Tier.ASKED, notes=(*line.notes, Note.LINE_THROUGH))


def _ink_of(page: RegisteredPage, answer: sheet_layout.TextAnswer | sheet_layout.SignatureAnswer) -> RowInk:
    """The ink on a line for words."""
    return see_field(page, sheet_layout.Field(answer.name, None, answer.box))


def _read_choice(answer: sheet_layout.ChoiceAnswer, shares: list[float]) -> InkLine:
    """One sure tick and clean boxes beside it are a choice; no mark at all is none; everything else is asked.

    >>> from pipeline.ink import Box
    >>> vote = sheet_layout.ChoiceAnswer("vote", 1, ("yes", "no"), (Box(0, 0, 8, 8), Box(50, 0, 8, 8)))
    >>> [_read_choice(vote, shares).tier.value for shares in ([0.08, 0.0], [0.0, 0.0], [0.08, 0.09], [0.02, 0.0])]
    ['accepted', 'blank', 'asked', 'asked']
    """
    marked = [(share, choice) for share, choice in zip(shares, answer.choices, strict=True) if share >= CLEAN]
    readings = tuple(InkReading(choice, min(1.0, share / SURE)) for share, choice in marked)
    notes: tuple[Note, ...] = (Note.TWO_CHOICES if len(marked) > 1 else Note.FAINT_TICK,)
    tier = Tier.ASKED
    if not marked:
        tier, notes = Tier.BLANK, ()
    elif len(marked) == 1 and marked[0][0] >= SURE:
        tier, notes = Tier.ACCEPTED, ()
    box = sheet_layout.place_of(answer)
    return InkLine(number=answer.number, box=box, readings=readings, tier=tier, notes=notes)


def cut_pictures(
    page: RegisteredPage, answers: tuple[sheet_layout.Answer, ...], lines: tuple[InkLine, ...]
) -> dict[int, bytes]:
    """The pictures of everything that was written, with the paper around it."""
    return {
        answer.number: cut_row_picture(page.flat, sheet_layout.place_of(answer))
        for answer, line in zip(answers, lines, strict=True)
        if line.tier is not Tier.BLANK
    }
