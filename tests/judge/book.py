"""Print the pages as a book: ``python -m judge.book`` in ``tests/`` writes ``docs/cases/`` anew."""

from pathlib import Path

from judge.pages import FOLDER

BOOK = Path(__file__).parents[2] / "docs" / "cases"
INTRODUCTION = """# Cases of the judge

Every order of every case, with its result and its reason. The same pages are run as tests
(`tests/cases/judge/`); this book is printed from them by `python -m judge.book` in `tests/`.

The cases 6.A to 6.J are those of the *Diplomacy Adjudicator Test Cases* 3.2 by Lucas B. Kruijswijk (numbers, units and
orders), told in our own words; `@2.4` marks ten older ones for removals before 2023. `under` repeats a case with
another choice. How to read and write a page: `tests/judge/pages.py`.

"""


def book() -> dict[str, str]:
    """Print every page, and a table of contents; by file name."""
    chapters = {path: path.read_text("utf-8").splitlines() for path in sorted(FOLDER.glob("*.case"))}
    contents = [f"- [{title(lines)}]({path.stem}.md)" for path, lines in chapters.items()]
    printed = {f"{path.stem}.md": chapter(lines) for path, lines in chapters.items()}
    return {"README.md": INTRODUCTION + "\n".join(contents) + "\n", **printed}


def title(lines: list[str]) -> str:
    """A page's first line says what it is about."""
    return lines[0].removeprefix("# ").removesuffix(".")


def chapter(lines: list[str]) -> str:
    """Print one page: cases as headings, lessons as text, orders as they stand."""
    printed = [f"# {title(lines)}"]
    block: list[str] = []
    for line in [*lines[1:], "end"]:
        if line.startswith("  ") or (block and not line):
            block.append(line)
            continue
        if block:
            printed += ["```text", *trimmed(block), "```", ""]
            block = []
        if line and line != "end":
            number, gap, name = line.partition("  ")
            printed += [f"\n## {number} · {name}\n"] if gap else [line]
            if not gap:
                continue
        elif line != "end":
            printed.append("")
    return "\n".join(printed).replace("\n\n\n", "\n\n").rstrip() + "\n"


def trimmed(block: list[str]) -> list[str]:
    """Leave out the empty lines at the end, and the indent that all have."""
    while block and not block[-1]:
        block = block[:-1]
    return [line[2:] for line in block]


def main() -> None:
    """Write the book."""
    BOOK.mkdir(exist_ok=True)
    for name, text in book().items():
        (BOOK / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
