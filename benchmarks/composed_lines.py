"""Lines that a grammar composes (`benchmarks/line_grammar`), each against what its tournament's rules make of it.

python benchmarks/composed_lines.py [--lines 100000] [--seed 1] [--show 3] [--only wrongly] [--kind middle]

A line is a plain order in a notation, with none, one or two decorations. By tournament and by kind, worst first:

* *followed wrongly*: an order is clear that nobody gave, or that is refused;
* *settled in silence*: one of two meanings is clear; a piece is clear and another is not; the line has no entry;
* *lost in silence*: the line is clear, a hold, a disbanding or nothing comes of it, and nobody is asked;
* *asked though clear*;
* *asked, left open*: no fault, as the rules are silent there or leave it to the director.

A fault is counted for the decorations of the simplest line that has it.
"""

import argparse
import sys
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.line_grammar.places import TOURNAMENTS
from benchmarks.line_grammar.verdicts import FAULTS, judge_lines

Counts = dict[str, Counter[str]]
Examples = dict[tuple[str, str], list[str]]


def count_faults(lines: int, seed: int) -> tuple[Counts, Examples]:
    """Judge lines: how many of which fault, by kind and by tournament, and what the lines are."""
    counts: Counts = defaultdict(Counter)
    examples: Examples = defaultdict(list)
    for line, fault, simplest, answer in judge_lines(lines, seed):
        for name in (line.tournament, "in all", *line.names):
            counts[name]["lines"] += 1
        if fault is not None:
            kind = " + ".join(simplest.names)
            for name in (line.tournament, "in all", kind):
                counts[name][fault] += 1
            text = f"{simplest.tournament} {simplest.situation.phase} {' / '.join(map(str, simplest.lines))}"
            examples[fault, kind].append(f"{text}  [{simplest.order}] -> {answer}")
    return dict(counts), dict(examples)


def main() -> None:
    """Print the figures, and with ``--show`` so many lines of each kind of fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="lines to show of each kind of fault")
    parser.add_argument("--only", default="", help="show only faults whose name has these letters")
    parser.add_argument("--kind", default="", help="show only kinds whose name has these letters")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    shares = [asked.lines // asked.jobs + (number < asked.lines % asked.jobs) for number in range(asked.jobs)]
    counts: Counts = defaultdict(Counter)
    examples: Examples = defaultdict(list)
    with ProcessPoolExecutor(asked.jobs) as pool:
        for some, shown in pool.map(count_faults, shares, [asked.seed * 1000 + job for job in range(asked.jobs)]):
            for name, found in some.items():
                counts[name] += found
            for key, lines in shown.items():
                examples[key] += lines
    for (fault, kind), lines in sorted(examples.items(), key=lambda one: (FAULTS.index(one[0][0]), -len(one[1]))):
        if asked.show and asked.only in fault and asked.kind in kind:
            print(f"\n{fault}: {kind} ({len(lines)})", *(f"    {line}" for line in lines[: asked.show]), sep="\n")
    heads = [*TOURNAMENTS, "in all"]
    kinds = sorted(set(counts) - set(heads), key=lambda name: ([-counts[name][fault] for fault in FAULTS], name))
    print(f"\n{'':64}{'lines':>8}" + "".join(f"{fault:>20}" for fault in FAULTS))
    for name in (*heads, *kinds):
        print(f"{name[:63]:64}{counts[name]['lines']:8}" + "".join(f"{counts[name][fault]:20}" for fault in FAULTS))


if __name__ == "__main__":
    main()
