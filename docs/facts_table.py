"""The table of all facts in ``docs/house.md``, made from their classes.

``python docs/facts_table.py`` writes it anew; a test compares.
"""

from pathlib import Path
from typing import Any

from msgspec.structs import fields

from pipeline.ledger.events import KINDS, LedgerEvent

BEGIN, END = "<!-- facts: python docs/facts_table.py -->", "<!-- end of facts -->"
HEAD = "| kind | what it says | its keys (optional ones in brackets) | made in |"


def facts_table() -> str:
    """The table, a row for each kind of fact."""
    return "\n".join([HEAD, "|---|---|---|---|", *(_write_fact_row(kind) for kind in KINDS.values())])


def _write_fact_row(kind: type[LedgerEvent]) -> str:
    """One kind of fact."""
    says = " ".join((kind.__doc__ or "").split()).rstrip(".")
    writers = ", ".join(f"`{each}`" for each in kind.WRITERS)
    return f"| `{kind.KIND}` | {says} | {_keys_of(kind)} | {writers} |"


def _keys_of(kind: Any) -> str:
    """The keys of its body; those that are always there first."""
    found = fields(kind)
    may_be_left_out = kind.__struct_config__.omit_defaults
    always = [each.name for each in found if each.required or not may_be_left_out]
    sometimes = [each.name for each in found if each.name not in always]
    return ", ".join(always) + (f" ({', '.join(sometimes)})" if sometimes else "")


def _with_table(text: str) -> str:
    """A document with the table as it is now between its marks."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{facts_table()}\n{END}{after}"


if __name__ == "__main__":
    document = Path(__file__).parent / "house.md"
    document.write_text(_with_table(document.read_text("utf-8")), "utf-8")
