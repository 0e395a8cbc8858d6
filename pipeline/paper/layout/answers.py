"""What can be written on a form: a number in boxes, one tick of several, words, a signature."""

from dataclasses import dataclass

from pipeline.ink import Box


@dataclass(frozen=True, slots=True)
class NumberAnswer:
    """A number, one digit a box."""

    name: str
    number: int  # 1.., its place among the answers of the form: the line it comes back as
    boxes: tuple[Box, ...]
    least: int = 0
    most: int = 9999  # what is less or more is no answer


@dataclass(frozen=True, slots=True)
class ChoiceAnswer:
    """One tick where several boxes stand."""

    name: str
    number: int
    choices: tuple[str, ...]
    boxes: tuple[Box, ...]  # one for each choice


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """Words for people: they are kept as a picture."""

    name: str
    number: int
    box: Box
    is_player: bool = False  # the name of a player: the reader is told the names there are
    copies: str = ""  # the words that are printed beside it, to be copied


@dataclass(frozen=True, slots=True)
class SignatureAnswer:
    """A signature: there, or not."""

    name: str
    number: int
    box: Box


Answer = NumberAnswer | ChoiceAnswer | TextAnswer | SignatureAnswer


def place_of(answer: Answer) -> Box:
    """The part of the form that an answer takes up.

    >>> place_of(NumberAnswer("1901 FRANCE", 1, (Box(10, 20, 5, 8), Box(16, 20, 5, 8))))
    Box(left=10, top=20, width=11, height=8)
    """
    boxes = answer.boxes if isinstance(answer, NumberAnswer | ChoiceAnswer) else (answer.box,)
    left, top = min(box.left for box in boxes), min(box.top for box in boxes)
    right, bottom = max(box.left + box.width for box in boxes), max(box.top + box.height for box in boxes)
    return Box(left, top, round(right - left, 3), round(bottom - top, 3))
