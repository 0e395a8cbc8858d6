"""The gallery of scoring systems as a Markdown page: ``ordersheets rules --gallery``."""

from collections.abc import Iterator

from pipeline.cli.rules.rules_list import most, paid
from pipeline.rules.load import load_systems
from pipeline.rules.scoring.systems import SystemFile

PICTURES = "../templates/scoring"  # from docs/
HEAD = """# Scoring systems

What one game is worth, system by system. A rules file takes one by its name:

```toml
[scoring]
system = "tribute"

[totals]
rounds = 3
```

What else stands in the table `[scoring]` is laid over the system's own; [scoring.md](scoring.md) has all settings.
In the pictures the line is the mean over 249 ways to share 34 centres among seven powers without a solo, the band
reaches from the least to the most that a count of centres brings, and the bars are what one board of 12-9-6-4-3-0-0
pays, two powers having been eliminated in 1904 and 1906. Every file in `templates/scoring/` has its source, worked
examples, and what its sources leave open or tell in two ways.

This page is the output of `ordersheets rules --gallery`, made from those files; a test keeps it so.

| system | name | what it rewards | 12-9-6-4-3-0-0 pays | a solo |
|---|---|---|---|---|
"""


def gallery_page() -> str:
    """Write the whole page."""
    systems = load_systems().values()
    return HEAD + "".join(row(system) for system in systems) + "".join("\n".join(entry(each)) for each in systems)


def row(system: SystemFile) -> str:
    """One line of the table."""
    pays = " · ".join(paid(system, 2))
    return f"| [`{system.id}`](#{system.id}) | {system.name} | {system.rewards} | {pays} | {most(system)} |\n"


def entry(system: SystemFile) -> Iterator[str]:
    """One system with its picture."""
    yield f"\n## {system.id}\n"
    told = ", ".join(each for each in (system.author, str(system.year or ""), system.played) if each)
    also = f" Also called {', '.join(system.also)}." if system.also else ""
    yield f"**{system.name}**{f' ({told})' if told else ''}. {system.summary} It rewards {system.rewards}.{also}\n"
    yield f"![{system.name}: points by centres, and what a board pays]({PICTURES}/{system.id}.svg)\n"
    yield f"Source: {system.source}.{f' {system.why}' if system.why else ''}\n"
