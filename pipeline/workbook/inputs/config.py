"""The Config sheet: every number of the rules, a named cell that formulas use and the director may change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pipeline.scoring.totals.rules import RuleSource
from pipeline.workbook.xlsx.address import fixed
from pipeline.workbook.xlsx.page import Content, LiveFormula, Page
from pipeline.workbook.xlsx.styles import CENTRED, ENTRY, HEAD, HEAD_LEFT, NOTE, QUIET, SECTION, TEXT, TITLE, Look

SHEET = "Config"
FIRST_ROW, LABEL, NAME, RULE, VALUE = 5, 1, 2, 3, 4  # rows and columns
NUMBER = ENTRY.but(align="center")

Number = int | Fraction


@dataclass(slots=True)
class Config:
    """The sheet while it is being made: ask for a named cell, get the name to write in a formula."""

    page: Page
    sources: Mapping[str, RuleSource] = field(default_factory=dict)  # setting -> the rule it comes from
    names: dict[str, str] = field(default_factory=dict)  # name -> absolute reference
    row: int = FIRST_ROW

    def section(self, title: str) -> None:
        """Begin a group of settings."""
        self.row += self.row > FIRST_ROW
        for column in range(LABEL, VALUE + 8):
            self.page.put(self.row, column, title if column == LABEL else None, SECTION)
        self.row += 1

    def number(self, name: str, value: Number | None, label: str, rule: str = "") -> str:
        """Enter one number; gives its name. None leaves the cell empty. ``rule`` is the setting in the rules file."""
        return self.values(name, [value], label, rule, NUMBER)

    def word(self, name: str, value: str, label: str, choices: Sequence[str], rule: str = "") -> str:
        """Enter one of a few words; gives the name of its cell."""
        reference = fixed(self.row, VALUE).replace("$", "")
        self.page.allow_list([reference], f'"{",".join(choices)}"', label[:30], f"one of: {', '.join(choices)}")
        return self.values(name, [value], label, rule, NUMBER)

    def numbers(self, name: str, values: Sequence[Number], label: str, rule: str = "") -> str:
        """Enter a list of numbers side by side; the name is the whole list, for INDEX."""
        return self.values(name, values, label, rule, NUMBER)

    def running(self, name: str, values: Sequence[Number], label: str, rule: str = "") -> str:
        """Enter a list and, below it, its running sums from 0 on; gives the name of the running sums."""
        self.numbers(name, values, label, rule)
        inputs = self.row - 1
        sums: list[Content] = [0]
        for k in range(1, len(values) + 1):
            total = sum(values[:k], Fraction())
            sums.append(LiveFormula(f"SUM({fixed(inputs, VALUE)}:{fixed(inputs, VALUE + k - 1)})", total))
        sums += [LiveFormula(f"{fixed(self.row, VALUE + len(values))}", sum(values, Fraction()))] * (8 - len(sums))
        return self.values(f"{name}_sums", sums, "    added up from the first place on", "", CENTRED)

    def table(self, name: str, rows: Sequence[Sequence[Number]], labels: Sequence[str], rule: str = "") -> str:
        """Enter a table of numbers; the name is the whole of it, for INDEX with row and column."""
        first, width = self.row, max(len(row) for row in rows)
        for label, row in zip(labels, rows, strict=True):
            self.line([*row, *[0] * (width - len(row))], label, "", rule, NUMBER)
        self.page.put(first, NAME, name, QUIET)
        self.names[name] = f"{SHEET}!{fixed(first, VALUE)}:{fixed(self.row - 1, VALUE + width - 1)}"
        return name

    def values(self, name: str, contents: Sequence[Content], label: str, rule: str, look: Look) -> str:
        """Enter cells under a name."""
        last = f":{fixed(self.row, VALUE + len(contents) - 1)}" if len(contents) > 1 else ""
        self.names[name] = f"{SHEET}!{fixed(self.row, VALUE)}{last}"
        self.line(contents, label, name, rule, look)
        return name

    def line(self, contents: Sequence[Content], label: str, name: str, rule: str, look: Look) -> None:
        """Fill one row."""
        self.page.put(self.row, LABEL, label, TEXT)
        self.page.put(self.row, NAME, name or None, QUIET)
        source = self.sources.get(rule)
        self.page.put(self.row, RULE, source.rule if source else None, QUIET)
        self.page.row(self.row, VALUE, contents, look)
        self.row += 1

    def finish(self, event: str, tournament: str) -> Page:
        """Put the heads on and set the sheet up for print."""
        page = self.page
        page.put(1, 1, f"Config: {event}", TITLE)
        page.merge(
            2,
            1,
            VALUE + 7,
            f"What the formulas reckon with: the rules of {tournament}. Yellow cells may be changed.",
            NOTE,
        )
        page.row(4, LABEL, ("Setting", "Name in formulas", "Rule"), HEAD_LEFT)
        page.merge(4, VALUE, VALUE + 7, "Value", HEAD)
        page.widths |= {LABEL: 46, NAME: 24, RULE: 34} | dict.fromkeys(range(VALUE, VALUE + 8), 9)
        page.freeze, page.repeat, page.landscape = "A5", "4:4", True
        return page
