"""Fold Markdown at a width that people read: ``python docs/fold.py`` folds every page.

Paragraphs and items of lists are folded. Tables, headings, code, and paragraphs that break a line on purpose stay.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from textwrap import TextWrapper

ROOT = Path(__file__).parents[1]
WIDTH = 100  # columns
ITEM = re.compile(r" *([-*+]|\d+\.) +")
STAYS = re.compile(r"$|[|#>]|<!--|\[[^]]+\]: | {4}")  # an empty line, table, heading, quote, comment, address or code
MARKUP = re.compile(r" (?=[>|]|\[\S*\]:|([-*+=#]+|\d+[.)])( |$))")  # before what would begin something else
CODE = re.compile(r"`[^`]+`")  # stays on one line, to be found
KEPT = "\0"  # stands for a space at which no line may end


def fold(page: str) -> str:
    """Fold one page.

    >>> print(fold("* " + "word " * 20 + "- " + "more " * 3))
    * word word word word word word word word word word word word word word word word word word word
      word - more more more
    """
    return "\n".join(_fold_lines(page.split("\n")))


def _fold_lines(lines: list[str]) -> Iterator[str]:
    """All lines of a page, those of a paragraph or an item taken together."""
    block: list[str] = []
    is_code = False
    for line in lines:
        is_fence = line.lstrip().startswith("```")
        stays = is_code or is_fence or STAYS.match(line if not block else line.lstrip())
        if stays or ITEM.match(line):
            yield from _fold_block(block)
            block = []
        if stays:
            yield line
        else:
            block.append(line)
        is_code ^= is_fence
    yield from _fold_block(block)


def _fold_block(block: list[str]) -> list[str]:
    """A paragraph or an item, as it is if it is narrow enough."""
    if all(len(line) <= WIDTH for line in block) or any(line.endswith(("  ", "\\")) for line in block[:-1]):
        return block
    item = ITEM.match(block[0])
    begin = item.group() if item else block[0][: len(block[0]) - len(block[0].lstrip())]
    words = " ".join([block[0][len(begin) :].strip(), *(line.strip() for line in block[1:])])
    text = CODE.sub(lambda code: code.group().replace(" ", KEPT), MARKUP.sub(KEPT, words))
    wrapper = TextWrapper(WIDTH, begin, " " * len(begin), break_long_words=False, break_on_hyphens=False)
    return [line.replace(KEPT, " ") for line in wrapper.wrap(text)]


def kept_pages() -> Iterator[Path]:
    """Every page of Markdown that is kept, but for those that ``docs/generate.py`` writes."""
    told = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    yield from (ROOT / name for name in told.stdout.splitlines() if not name.startswith("docs/generated/"))


if __name__ == "__main__":
    for page in kept_pages():
        page.write_text(fold(page.read_text("utf-8")), "utf-8")
