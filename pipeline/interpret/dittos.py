"""Cut the lines of a sheet into words, and put the words that ditto marks repeat in their place."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from msgspec.structs import replace

from pipeline.interpret import order_words
from pipeline.interpret.doubts import Doubt, LineDoubt
from pipeline.interpret.line_reader import LineReader
from pipeline.interpret.lines import cut_words, read_line
from pipeline.interpret.readings import Sheet, unit_spoken_of
from pipeline.interpret.tokens import Mark, Token, blank_harmless, tokenize
from pipeline.interpret.verdict import Line
from pipeline.interpret.who_and_when import blank_label
from pipeline.interpret.written_words import FILLERS, LETTERS, OWN, SIGNS, SignSense


def cut_lines(sheet: Sheet, lines: Sequence[Line]) -> list[Line]:
    """Cut lines into words, without blank ones; a line whose unit the next one may repeat is asked."""
    pieces: list[Line] = []
    for line in lines:
        piece = _cut_line(sheet, line, pieces[-1] if pieces else None)
        if pieces and _repeats_unit(sheet, line):
            above = pieces[-1]
            pieces[-1] = replace(above, notes=(*above.notes, LineDoubt.of(Doubt.UNDER_HEADING, text=piece.shown)))
        if piece.tokens:
            pieces.append(piece)
    return pieces


def _cut_line(sheet: Sheet, line: Line, above: Line | None) -> Line:
    """Cut one line, and put words in the place of its ditto marks; what orders no unit cannot be repeated surely."""
    text = blank_label(sheet, blank_harmless(line.text))
    tokens = cut_words(text, sheet.lexicon)
    notes = (*line.notes, *_note_corrections(line))
    if above and any(token.mark is Mark.DITTO for token in tokens):
        here, there = _length_of_unit(sheet, tokenize(text), text), _length_of_unit(sheet, above.tokens, above.text)
        text = _undo_dittos(text, above.tokens, (here, there))
        tokens = cut_words(text, sheet.lexicon)
        orders = read_line(above.text, sheet.lexicon, sheet.position.phase.step)
        is_without_unit = not any(unit_spoken_of(sheet, each.shape) for each in orders)
        here_now = read_line(text, sheet.lexicon, sheet.position.phase.step)
        is_bare = any(isinstance(each.shape, order_words.BareUnit) for each in here_now)
        helps_itself = any(
            isinstance(e.shape, order_words.Supports | order_words.Convoys) and e.shape.of.place == e.shape.unit.place
            for e in here_now
        )  # "A Hol ditto" below "F Nth C A Hol - Edi"
        stops_short = _stops_short(text, above)
        if is_without_unit or is_bare or helps_itself or stops_short or _repeats_unit(sheet, line):  # "ditto Bud"
            notes = (*notes, LineDoubt.of(Doubt.UNDER_HEADING, text=above.shown))
    return replace(line, text=text, tokens=tokens, notes=notes)


def _stops_short(text: str, above: Line) -> bool:
    """Say whether an order ends where the one that it repeats goes on: 'F Ank " A Con' below "F Aeg S A Con - Bul"."""
    written, said = ([token.folded for token in tokens] for tokens in (tokenize(text), above.tokens))
    count = next((n for n in range(1, len(written)) if written[-n] in LETTERS), 0)
    ends = (at + count for at in range(len(said)) if count and said[at : at + count] == written[-count:])
    return any(end < len(said) for end in ends)


def _note_corrections(line: Line) -> Iterator[LineDoubt]:
    """Note that a line is crossed out or written over; the tournament's rules decide what that means."""
    if line.struck_out:
        yield LineDoubt.of(Doubt.STRUCK_OUT, text=line.shown)
    if line.overwritten:
        yield LineDoubt.of(Doubt.OVERWRITTEN, text=line.shown)


def _length_of_unit(sheet: Sheet, tokens: tuple[Token, ...], text: str) -> int:
    """How many words and signs the unit has that a line begins with; 0 if none is named."""
    said = tuple(takewhile(lambda token: token.mark is not Mark.DITTO, tokens))
    reader = LineReader(said, text, sheet.lexicon, sheet.position.phase.step)
    return reader.at if said and reader.unit().place is not None else 0


def _repeats_unit(sheet: Sheet, line: Line) -> bool:
    """Say whether ditto marks stand where a line's unit is due, or its place: nobody knows what unit they repeat.

    A place behind them is the unit's, and a whole line may be repeated; not behind a unit's letter, as in 'F " - Rum'.
    """
    tokens = cut_words(blank_harmless(line.text), sheet.lexicon)
    begin = next((at for at, token in enumerate(tokens) if token.folded not in LETTERS.keys() | FILLERS | OWN), 0)
    after = next((at for at, token in enumerate(tokens) if at >= begin and token.mark is not Mark.DITTO), len(tokens))
    if begin or after in {0, len(tokens)}:
        return after > begin > 0
    return not LineReader(tokens[after:], line.text, sheet.lexicon, sheet.position.phase.step).is_place_word()


def _undo_dittos(text: str, before: tuple[Token, ...], units: Sequence[int] = (0, 0)) -> str:
    """A ditto mark repeats the word above it; the last one on a line repeats the rest of that line.

    ``units``: how many words the units have, here and above; behind the one stands what is behind the other.
    Behind a sign that does not stand there above, nobody knows what it repeats: the line breaks off.

    >>> _undo_dittos('A Boh " A Mun - Ber', tokenize("A Sil S A Mun - Ber"))
    'A Boh S A Mun - Ber'
    >>> _undo_dittos('A Boh "', tokenize("A Sil S A Mun - Ber"))
    'A Boh S A Mun - Ber'
    >>> _undo_dittos('A Ruh S "', tokenize("A Mun - Bur"))
    'A Ruh S'
    """
    tokens = tokenize(text)
    if not any(token.mark is Mark.DITTO for token in tokens):
        return text
    words: list[str] = []
    above = at = 0
    while at < len(tokens):
        if tokens[at].mark is not Mark.DITTO:
            is_glued = bool(words) and tokens[at].tight and tokens[at - 1].mark is not Mark.DITTO  # "Mid-Atlantic"
            words[-1:] = [words[-1] + _spell(tokens[at])] if is_glued else [*words[-1:], _spell(tokens[at])]
            above, at = above + 1, at + 1
            continue
        above = units[1] if at == units[0] and all(units) else above
        if at > 0 and above <= len(before) and _sign_of(tokens[at - 1]) not in {None, _sign_of(before[above - 1])}:
            break
        run = at
        while run < len(tokens) and tokens[run].mark is Mark.DITTO:
            run += 1
        end = _next_like(tokens[run], before, above) if run < len(tokens) else len(before)
        end = min(end, run) if at == 0 and run < len(tokens) else end  # else the unit would be that of the line above
        words += [_spell(token) for token in before[above:end]]
        above, at = end, run
    return " ".join(words)


def _sign_of(token: Token) -> SignSense | None:
    """The sign that a token is, before anybody knows the tournament's own words."""
    return SignSense.TO if token.mark is Mark.DASH else SIGNS.get(token.folded)


def _next_like(token: Token, before: tuple[Token, ...], above: int) -> int:
    """Find where the word after a ditto mark stands in the line above; a word that is not there follows one ditto."""
    for index in range(above, len(before)):
        if before[index].mark is token.mark and before[index].folded == token.folded:
            return index
    return min(above + 1, len(before))


def _spell(token: Token) -> str:
    """Write a token again, brackets and all."""
    return f"({token.text})" if token.bracketed else token.text
