"""What is written on a form laid straight: numbers, ticks, words and signatures, each as a line with its tier."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pipeline.ink import InkLine, InkReading, Note, Tier
from pipeline.paper.layout.answers import (
    Answer,
    ChoiceAnswer,
    NumberAnswer,
    SignatureAnswer,
    TextAnswer,
    place_of,
)
from pipeline.paper.layout.sheet_layout import Field
from pipeline.reading.digits.numbers import WhitePage, shipped_reader
from pipeline.reading.ink.band import TAKEN_OUT
from pipeline.reading.ink.ticks import has_frame, ink_share
from pipeline.reading.registration.register import RegisteredPage
from pipeline.reading.rows.recogniser import KeptRow, Recogniser, RowReading, Vocabulary, compare_safely, read_safely
from pipeline.reading.rows.rows import RowInk, part, row_ink, view

CLEAN = 0.015  # of a box: below there is no mark; dirt has 0.01 (`ticks`)
NOT_THE_WHOLE = (Note.STRUCK_OUT, Note.LEAVES_ROW, Note.LINE_THROUGH)  # then a line is no copy, whatever it reads
SURE = 0.035  # from here on it is one; a tick of a thin pen has 0.06


@dataclass(frozen=True, slots=True)
class Words:
    """What an engine made of the lines for words, by their numbers."""

    inks: Mapping[int, RowInk]
    readings: Mapping[int, RowReading]  # of those that it was asked about
    seen: Mapping[int, KeptRow]  # what it saw in lines that were to be copied


def read_answers(
    page: RegisteredPage, answers: tuple[Answer, ...], engine: Recogniser, vocabulary: Vocabulary
) -> tuple[tuple[InkLine, ...], Mapping[int, KeptRow]]:
    """Read everything that a form asks for; and what was seen in the lines that were to be copied.

    Other words are for a person, with what the engine makes of a name beside.
    """
    words = read_words(page, answers, engine, vocabulary)
    white = WhitePage.of(page)
    return tuple(read_answer(page, white, answer, words) for answer in answers), words.seen


def read_words(page: RegisteredPage, answers: tuple[Answer, ...], engine: Recogniser, vocabulary: Vocabulary) -> Words:
    """Ask the engine about the lines for words: whose name it is, or whether it is what was to be copied."""
    asked = [answer for answer in answers if isinstance(answer, TextAnswer)]
    inks = {answer.number: ink_of(page, answer) for answer in asked}
    names = {each.number: inks[each.number] for each in asked if each.is_player and not inks[each.number].is_blank}
    said = read_safely(engine, [ink.crop for ink in names.values()], vocabulary) if vocabulary.lines else []
    readings = {number: RowReading(told.readings, Tier.ASKED) for number, told in zip(names, said, strict=False)}
    copies = {each.number: each.copies for each in asked if each.copies and not inks[each.number].is_blank}
    compared = compare_safely(engine, [inks[number].crop for number in copies], list(copies.values()))
    found = dict(zip(copies, compared, strict=False))
    seen = {number: each.kept for number, each in found.items() if each.kept is not None}
    return Words(inks, readings | {number: each.reading for number, each in found.items()}, seen)


def text_line(answer: TextAnswer, words: Words) -> InkLine:
    """A line for words: a person says what they are, but for those that are what was to be copied."""
    ink, said = words.inks[answer.number], words.readings.get(answer.number)
    if ink.is_blank:
        return InkLine(number=answer.number, box=answer.box, readings=(), tier=Tier.BLANK, notes=ink.notes)
    if said is None:
        return InkLine(number=answer.number, box=answer.box, readings=(), tier=Tier.ASKED, notes=ink.notes)
    notes = tuple(dict.fromkeys((*ink.notes, *said.notes)))
    is_spoilt = any(note in NOT_THE_WHOLE for note in ink.notes)
    tier = Tier.ASKED if is_spoilt or said.tier is not Tier.ACCEPTED else Tier.ACCEPTED
    return InkLine(number=answer.number, box=answer.box, readings=said.readings, tier=tier, notes=notes)


def read_answer(
    page: RegisteredPage,
    white: WhitePage,
    answer: Answer,
    words: Words,
) -> InkLine:
    """Read one answer."""
    match answer:
        case NumberAnswer():
            return asked_if_lined(page, answer, shipped_reader().read(white, answer))
        case ChoiceAnswer():
            read_alone = read_choice(answer, [ink_share(page, box) for box in answer.boxes])
            if all(has_frame(page, box) for box in answer.boxes):
                return asked_if_lined(page, answer, read_alone)
            return replace(read_alone, tier=Tier.ASKED, notes=(*read_alone.notes, Note.HIDDEN_BOX))
        case TextAnswer():
            return text_line(answer, words)
        case SignatureAnswer():
            is_blank = ink_of(page, answer).is_blank
            tier = Tier.BLANK if is_blank else Tier.ACCEPTED
            return InkLine(number=answer.number, box=answer.box, readings=(), tier=tier)


def asked_if_lined(page: RegisteredPage, answer: NumberAnswer | ChoiceAnswer, line: InkLine) -> InkLine:
    """Ask about an answer out of whose boxes a line of the scanner was taken: a digit may have gone with it."""
    lines = page.lines
    if lines is None or line.tier is Tier.BLANK or not any((part(lines, b) < TAKEN_OUT).any() for b in answer.boxes):
        return line
    return replace(line, tier=Tier.ASKED, notes=(*line.notes, Note.LINE_THROUGH))


def ink_of(page: RegisteredPage, answer: TextAnswer | SignatureAnswer) -> RowInk:
    """The ink on a line for words."""
    return row_ink(page, Field(answer.name, None, answer.box))


def read_choice(answer: ChoiceAnswer, shares: list[float]) -> InkLine:
    """One sure tick and clean boxes beside it are a choice; no mark at all is none; everything else is asked.

    >>> from pipeline.ink import Box
    >>> vote = ChoiceAnswer("vote", 1, ("yes", "no"), (Box(0, 0, 8, 8), Box(50, 0, 8, 8)))
    >>> [read_choice(vote, shares).tier.value for shares in ([0.08, 0.0], [0.0, 0.0], [0.08, 0.09], [0.02, 0.0])]
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
    box = place_of(answer)
    return InkLine(number=answer.number, box=box, readings=readings, tier=tier, notes=notes)


def pictures(page: RegisteredPage, answers: tuple[Answer, ...], lines: tuple[InkLine, ...]) -> dict[int, bytes]:
    """The pictures of everything that was written, with the paper around it."""
    return {
        answer.number: view(page.flat, place_of(answer))
        for answer, line in zip(answers, lines, strict=True)
        if line.tier is not Tier.BLANK
    }
