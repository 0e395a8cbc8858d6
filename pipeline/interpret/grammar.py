"""Read a whole line: without the words that are no part of an order, such as "please" and "is to"."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pipeline.board import Step
from pipeline.interpret.line_reader import LineReader, as_odd, is_read
from pipeline.interpret.order_words import Waives
from pipeline.interpret.token_reader import FIRST_WORDS, GrammarWords
from pipeline.interpret.tokens import Mark, Token
from pipeline.interpret.verdict import Entry
from pipeline.interpret.written_words import ARTICLES, FILLERS, GRAMMAR_WORDS, LETTERS, POLITE, SPOILERS, SignSense


def read_tokens(tokens: Sequence[Token], text: str, words: GrammarWords, step: Step) -> tuple[Entry, ...]:
    """Read every order on a line, the whole line at once; a line without a word has none.

    If that fails, the line is read again without its unknown words: the result is only offered, with the words that
    were left out.
    """
    if not tokens:
        return ()
    said = [
        token
        for before, token, after in zip((None, *tokens[:-1]), tokens, (*tokens[1:], None), strict=True)
        if token.mark is not Mark.WORD
        or words.is_listed(token.folded)
        or not (_is_polite(before, token, after) or _is_passive(before, token, after, words))
    ]
    is_subject = _begins_with_subject(said, words, step)
    is_unit = is_subject and not _names_unit_behind_verb(said, words, step)  # "I retreat Tys" may be Ionian's
    said = said[1:] if is_subject and not is_unit else said
    said = _without_verb(said, words) or list(tokens)  # "Thanks!"
    orders = tuple(LineReader(said, text, words, step, is_whole=True).orders())
    orders = tuple(map(as_odd, orders)) if is_unit else orders
    if all(getattr(order.shape, "is_for_all", False) or is_read(order.shape, words) for order in orders):
        return orders
    spoilt = [token for token in said if token.folded in SPOILERS and not words.is_listed(token.folded)]
    left = [token for token in said if token in spoilt or _is_no_word_of_orders(token, words)]
    kept = [token for token in said if token not in left]
    again = tuple(LineReader(kept, text, words, step).orders())
    if again and all(is_read(each.shape, words) and _has_unit(each) and not each.rest for each in again):
        return tuple(_with_words_left(again, left, text))
    return orders


ASKS = frozenset({"will", "shall", "does"})  # before the unit: a question


def _is_polite(before: Token | None, token: Token, after: Token | None) -> bool:
    """Say whether a word changes no order; "to be confirmed" does, and "thanks to Ruh" names no goal.

    "Will nach" is what somebody wants, in German.
    """
    behind = after.folded if after is not None else ""
    if (before is None and token.folded in ASKS) or (token.folded, behind) in {("thanks", "to"), ("will", "nach")}:
        return False
    return token.folded in POLITE and (before is None or before.folded != "be")


LONGEST_SIGN = 3  # letters of a sign that is no verb written out: "ret", "rem", "bld"


def _begins_with_subject(tokens: Sequence[Token], words: GrammarWords, step: Step) -> bool:
    """Say whether "I" stands before a verb: "I build an army in Budapest"; in movement "I support" may be Italy's."""
    if step is Step.MOVEMENT or len(tokens) < 2 or tokens[0].folded != "i" or words.is_listed("i"):
        return False
    return len(tokens[1].folded) > LONGEST_SIGN and words.sign_of(tokens[1].folded) is not None


def _names_unit_behind_verb(tokens: Sequence[Token], words: GrammarWords, step: Step) -> bool:
    """Say whether a unit is named behind "I" and a verb, so that "I" is none: its letter, or a place before a goal."""
    if step is Step.ADJUSTMENTS:
        return len(tokens) > FIRST_WORDS or words.sign_of(tokens[1].folded) is SignSense.WAIVE
    behind = [each for each in tokens[2:] if each.folded not in FILLERS]
    is_goal = [each.mark is Mark.DASH or words.sign_of(each.folded) is SignSense.TO for each in behind]
    return any(each.folded in LETTERS for each in behind[:1]) or (any(is_goal[1:]) and not is_goal[0])


def _without_verb(tokens: list[Token], words: GrammarWords) -> list[Token]:
    """Leave out "move" before a unit that goes somewhere: "Move the army from Vienna to Galicia"."""
    is_verb = len(tokens) > 1 and tokens[0].folded in {"move", "moves"}
    following = next((token.folded for token in tokens[1:] if token.folded not in FILLERS), "")
    has_goal = any(each.mark is Mark.DASH or words.sign_of(each.folded) is SignSense.TO for each in tokens[2:])
    return tokens[1:] if is_verb and following in LETTERS and has_goal else tokens


SAYS_NO = frozenset({"off"})  # "is off" takes an order back


def _is_passive(before: Token | None, token: Token, after: Token | None, words: GrammarWords) -> bool:
    """Say whether "be" or "is" stands before a verb: "A Tun to be convoyed to Gre", "A Vie is to move to Gal".

    Else "be" begins the name of Belgium, and "IS" is the Irish Sea.
    """
    is_before_verb = after is not None and after.folded in words.signs and after.folded not in SAYS_NO
    if token.folded != "is" or after is None or before is None:
        return is_before_verb and token.folded == "be"
    return is_before_verb and len(after.folded) > 1 and words.is_listed(before.folded)


def _is_no_word_of_orders(token: Token, words: GrammarWords) -> bool:
    """Say whether a word means nothing in the language of orders; in brackets small words are a part of a remark."""
    is_small = token.bracketed and token.folded in GRAMMAR_WORDS and not words.is_listed(token.folded)
    is_small = is_small and token.folded not in ARTICLES
    return token.mark is Mark.WORD and (is_small or not words.may_be_meant(token.folded))


def _has_unit(written: Entry) -> bool:
    """Say whether an order names its unit's place, or declines a build."""
    return isinstance(written.shape, Waives) or written.shape.unit.place is not None


def _with_words_left(orders: Sequence[Entry], left: Sequence[Token], text: str) -> Iterator[Entry]:
    """Add the left-out words to every order of the line."""
    words = " ".join(text[each.start : each.end] for each in left)
    for order in orders:
        yield replace(order, rest=words, is_spoilt=False)
