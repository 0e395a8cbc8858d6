"""Whether the order that was read accounts for every word and sign of its part of a line.

Every token has one letter for the part that it plays: a place, a unit's letter, the sign of a support. The letters of
an order, in their sequence, must be one of the ways to write it that are listed here; whatever else stands on the line
(a word, a bracket around a part of the order, a sign that another step knows) is not accounted for, and is asked about.
"""

import re
from collections.abc import Sequence
from itertools import accumulate

from pipeline.board import Step
from pipeline.interpret import order_words
from pipeline.interpret.token_reader import GrammarWords
from pipeline.interpret.tokens import NUMBERING, STRUCK, Mark, Token
from pipeline.interpret.written_words import (
    ARTICLES,
    AT_SEA,
    DISLODGED,
    FROM,
    OF,
    OWN,
    PASSIVE,
    TOWARDS,
    WITH,
    SignSense,
)

# The parts: P p place and what belongs to it, A unit's letter, N nationality, o the, my, one, e of, i in, x from,
# < an arrow back, - dash, = equals sign, t to, m moves, s supports, c convoys, q supported, h holds, v via, z with,
# w sea, l land, r retreats, d disbands, b builds, j dislodged, H R D B the same signs of one letter, / + & , : as
# written, ? the rest
PARTS = {
    "o": frozenset({"a", "the", "la", "le", "les", "der", "die", "das", "unit"}) | OWN | ARTICLES,
    "i": frozenset({"at", "in", "on"}),
    "x": FROM,
    "e": OF,
    "t": TOWARDS,
    "q": PASSIVE,
    "z": WITH,
    "w": AT_SEA,
    "j": frozenset({DISLODGED}),
}
SIGNED = {
    SignSense.TO: "m",
    SignSense.SUPPORT: "s",
    SignSense.CONVOY: "c",
    SignSense.HOLD: "h",
    SignSense.BY: "v",
    SignSense.LAND: "l",
    SignSense.RETREAT: "r",
    SignSense.DISBAND: "d",
    SignSense.BUILD: "b",
    SignSense.WAIVE: "?",
}
MARKED = {Mark.DASH: "-", Mark.PLUS: "+", Mark.SLASH: "/", Mark.BREAK: ",", Mark.DITTO: "?", Mark.OTHER: "?"}
UNMARKED = re.compile(r"[\w\s.()\[\]{}→>–—+/-]*")  # nothing that stands between tokens and is none
ATTACKS = frozenset({"attack", "attacks", "attacking", "invade", "invades", "take", "takes"})  # no retreats
STRUCK_WORD = re.compile(r"~\w+~")  # "A Bud ~S~ A Vie - Gal"
MARKS = {";": ",", "\n": ","}
BRACES = (("{", "}"), ("[", "]"), ("(", ")"))
OPENING, CLOSING = " \t([{", (")", "]", "}")
BETWEEN = re.compile(r"[^\w\s.()\[\]{}]")


PLACE = "o*Pp*"
UNIT = rf"o*(?:N:?)?o*(?:A[-/:]?(?:[eix]o*)?N?{PLACE}N?|N?{PLACE}N?A?)"
TO = r"(?:-[tm]*i?|[tm]+i?|m-|=)"
FLEETS = rf"o*A?{PLACE}(?:[-,&]+A?{PLACE})*"  # by which an army goes
WAY = rf"(?:[vz]?o*c(?:v?{FLEETS})?|[cq]?[vz]{FLEETS}c?|[cq]o*A?{PLACE}|[vz]w|v?l|v|q)"
ROUTE = rf"(?!m+[^mt]+t)(?:{TO}{PLACE}|-A{PLACE})+"  # not "takes Bel to Lon"
MOVE = rf"(?:{UNIT}[,:]?(?:t?{WAY})?(?:{ROUTE}|{PLACE}),?{WAY}?|-{UNIT}{TO}{PLACE})"
BACKWARDS = rf"{TO}{PLACE}[x<]{UNIT}"  # "to Galicia from Vienna"
HELPED = rf"(?:{UNIT}(?:{ROUTE}|\({ROUTE}\)|{PLACE}),?{WAY}?|{BACKWARDS})"
ASIDE_OF_MOVE = re.compile(r"[^c(]*\(c[^()]+\).+")  # "F Hel (C A Kie) - Den" may be a move, too
MAY_BE_BRACKETED = re.compile(rf"\(([ANshHcrRdDj]|{UNIT}|{WAY}|(?<=[sc]\(){HELPED}|(?<=^\()[^()]*(?=\)$))\)")
WAYS: dict[Step, dict[type[order_words.Shape], str]] = {
    Step.MOVEMENT: {
        order_words.BareUnit: rf"{UNIT}|A",
        order_words.Holds: rf"-?{UNIT}[,:]?-?t?[hH](?:i{PLACE})?|A?[hH]|h:?{UNIT}",
        order_words.Moves: rf"{MOVE}|{UNIT}{TO}|A?{TO}{PLACE}|o*A?o*{BACKWARDS}",
        order_words.Supports: rf"-?(?:{UNIT}[,:]?|A?,?)(?:-s-|t?s[,:]?)"
        rf"(?:t?{UNIT}(?:-?t?[hH])?|(?:o?he?|[hH]t?){UNIT}|(?:o*me|m|t)?{HELPED}|{UNIT}{TO}|{ROUTE}|(?:o*me|m|t)?{UNIT}|)",
        order_words.Convoys: rf"-?(?:{UNIT}|A?),?t?(?:c[,:]?(?:{HELPED}|{ROUTE}|{UNIT}|)|q{ROUTE})",
    },
    Step.RETREATS: {
        order_words.BareUnit: rf"{UNIT}|A",
        order_words.Moves: rf"{UNIT}j?,?(?:-?[rR][,:]?{TO}?|{TO}|){PLACE}r?|[rR][e:]?{UNIT}{TO}{PLACE}"
        rf"|A?(?:[rR]{TO}?|{TO}){PLACE}|o*A?o*[rR]?{BACKWARDS}",
        order_words.Disbands: rf"{UNIT}j?,?-?(?:[rR]-?t?[dD]|[dD])|[-dD]{UNIT}",
    },
    Step.ADJUSTMENTS: {
        order_words.BareUnit: rf"{UNIT}|A",
        order_words.Builds: rf"-?(?:[bB]:?|\+)?{UNIT}[,:]?-?(?:[bB+]|\([bB]\))?",
        order_words.Disbands: rf"(?:[dD]:?|-)?{UNIT}[,:]?-?(?:[dD]|\([dD]\))?",
    },
}
PATTERNS = {step: {shape: re.compile(way) for shape, way in shapes.items()} for step, shapes in WAYS.items()}


def accounts_for(
    shape: order_words.Shape, tokens: Sequence[Token], roles: Sequence[str], text: str, words: GrammarWords, step: Step
) -> bool:
    """Say whether an order accounts for all the tokens that it was read from, and for what stands between them.

    ``roles`` has the part of every token that is a place, a unit's letter or a nationality; ``text`` is the line up to
    the next order.
    """
    pattern = PATTERNS[step].get(type(shape))
    if pattern is None or not tokens:
        return True  # what is no order of this step has its own doubt
    written_on = text[len(text[: tokens[0].start].rstrip(OPENING)) :]
    if not all(_are_paired(written_on, opening, closing) for opening, closing in BRACES):
        return False  # it may join two rows
    begin = NUMBERING.sub("", text, count=1).lstrip()
    if begin.startswith((*CLOSING, "!", "~")) or STRUCK_WORD.search(text) is not None:
        return False
    is_marked = UNMARKED.fullmatch(text, tokens[0].start) is None
    parts: list[str] = []
    is_open = False
    end = tokens[0].start
    for token, role in zip(tokens, roles, strict=True):
        if is_marked and role != "p":
            parts += (MARKS.get(mark, mark) for mark in BETWEEN.findall(text, end, token.start))
        end = token.end
        if token.bracketed is not is_open and role != "p":
            parts.append("(" if token.bracketed else ")")
            is_open = token.bracketed
        parts.append(role or _part_of(token, words))
    if is_open:
        parts.append(")")
    if is_marked:
        parts += (mark for mark in BETWEEN.findall(text, end) if mark != "!")
    written = "".join(parts)
    is_aside = isinstance(shape, order_words.Convoys) and ASIDE_OF_MOVE.fullmatch(written) is not None
    while "(" in written and (bare := MAY_BE_BRACKETED.sub(r"\1", written)) != written:
        written = bare
    is_attack = step is Step.RETREATS and not ATTACKS.isdisjoint(token.folded for token in tokens)
    return not (is_aside or is_attack) and pattern.fullmatch(written) is not None


def _are_paired(text: str, opening: str, closing: str) -> bool:
    """Say whether every bracket that opens is closed behind it.

    >>> _are_paired("A (Vie) - Gal", "(", ")"), _are_paired("A Vie )-( Gal", "(", ")")
    (True, False)
    """
    depths = list(accumulate((each == opening) - (each == closing) for each in text))
    return not depths or (depths[-1] == 0 and min(depths) >= 0)


def _part_of(token: Token, words: GrammarWords) -> str:
    """The part of a token that is no place, no unit's letter and no nationality; of a word, found once."""
    if token.text == STRUCK:
        return "?"
    if token.folded in FROM and not token.text.isalpha():
        return "<"
    if token.mark is not Mark.WORD:
        return "&" if token.folded or token.text == "&" else "=" if token.text == "=" else MARKED[token.mark]
    part = words.parts.get(token.folded)
    if part is None:
        part = words.parts[token.folded] = _part_of_word(token.folded, words)
    return part


def _part_of_word(folded: str, words: GrammarWords) -> str:
    sign = words.signs.get(folded) or words.misspelt_sign(folded)
    for part, those in PARTS.items():
        if folded in those:
            return part
    if sign is None:
        return "?"
    part = SIGNED[sign]
    return part.upper() if len(folded) == 1 and part in "hrdb" else part
