"""Rules files made at random from what the tables of points may say: each is refused with its line, or runs through.

A file that is not refused scores an event after each of three rounds, and now and then its workbook is written; of
some an event is made, drawn, played and ranked by the commands `new`, `draw`, `enter result`, `standings`, `score`.
Prints how many were refused and the first that ended in an exception.

    python benchmarks/random_rules.py [FILES] [FIRST]
"""

import json
import random
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.cli import group
from pipeline.cli.score import write_scored
from pipeline.problems import Stopped
from pipeline.rules.convert import kinds_of
from pipeline.rules.rules_check import check_rules, payments
from pipeline.rules.scoring import HIGHEST, SIMPLE
from pipeline.scoring.parts import Part, TiedShare, To, Unreached
from pipeline.scoring.results import (
    Board,
    Bonus,
    Ending,
    Entrant,
    EventResults,
    Penalty,
    RoundingWay,
    Seat,
    StandBy,
    Team,
)
from pipeline.scoring.rules import (
    BoardGameTies,
    ChampionBy,
    ChoiceOfBoards,
    ChoosingRule,
    FinalTotal,
    Loses,
    Positive,
    PowerBy,
    ScoringRules,
    TeamCount,
    TwoBoards,
)
from pipeline.scoring.score import score
from pipeline.scoring.system import Abandoned, ComparedBy, ComparedIn, PoolOf, Replacement
from pipeline.scoring.tribute import Due, Kept, Payers
from pipeline.workbook.write import write_workbook

GIVES = [str(part.__struct_config__.tag) for part in kinds_of(Part)]

Value = Callable[[], Any]
ODD: tuple[Any, ...] = (
    -1, 0, 1, 17, 34, 35, 1000, 10**6 + 1, 10**12, -5.5, 0.1, "1/3", "1/0", "110 %", "", "x", "ask", "{power", "}",
    True, [], [0], [-1], ["a"], [[]], [[1], [1, 1]], {}, {"value": 3}, {"give": "flat"}, {"centres": 0}, "a\"b", "*",
)  # fmt: skip
NAMES = [f"Player {letter}" for letter in "ABCDEFGHIJKLMN"]
A_WORKBOOK_EVERY = 40
AN_EVENT_EVERY = 50  # files: of one in so many an event is run by the commands
YEARS = ("1905 A7 E7 F5 G5 I4 R4 T2", "1907 A12 E9 F6 G4 I3")
LAST = 2  # of the three times that an event is scored
SHOWN = 5  # exceptions


class Maker(Struct):
    """What makes one file."""

    dice: random.Random
    oddness: float  # the chance of each value that it is something else

    def table(self, keys: Mapping[str, Value], needed: Iterable[str] = ()) -> dict[str, Any]:
        """A table with some of its keys; those it needs are nearly always there."""
        must = set(needed)
        found = {}
        for key, value in keys.items():
            if self.dice.random() < (1 - self.oddness / 2 if key in must else 0.4):
                found[key] = self.dice.choice(ODD) if self.dice.random() < self.oddness else value()
        if self.dice.random() < self.oddness / 4:
            found[self.dice.choice(("puol", "centers", "value"))] = self.dice.choice(ODD)
        return found

    def points(self) -> Any:
        """Points as people write them."""
        return self.dice.choice((1, 2, 3, 5, 0.5, 10, 15, 100, "1/2", "15 %", -1, 0, 7))

    def some(self) -> Any:
        """Points of which there are some."""
        return self.dice.choice((1, 10, 34, 75, 100, 0.1, "1/3"))

    def whole(self, least: int, most: int) -> Value:
        """A whole number."""
        return lambda: self.dice.randrange(least, most + 1)

    def list_of(self, value: Value, most: int = 8) -> Value:
        """A list with something in it."""
        return lambda: [value() for _ in range(self.dice.randrange(1, most + 1))]

    def word(self, kind: type[StrEnum]) -> Value:
        """A word of a closed list."""
        return lambda: str(self.dice.choice(list(kind)))

    def yes(self) -> bool:
        """Yes or no."""
        return self.dice.random() < 0.5

    def file(self) -> dict[str, Any]:
        """A whole file of points."""
        rounds = self.dice.randrange(1, 5)
        teams, final, votes = (self.dice.random() < 0.4 for _ in range(3))
        final = final and rounds > 1
        found: dict[str, Any] = {"scoring": self.scoring(), "totals": self.totals(rounds, has_final=final)}
        if teams:
            found["teams"] = self.table(
                {
                    "size": self.whole(2, 4),
                    "least": self.whole(1, 2),
                    "rounds": self.rounds(rounds),
                    "count": self.word(TeamCount),
                    "apart": self.rounds(rounds),
                    "per_country": self.whole(0, 3),
                    "title": lambda: "best team",
                },
                ("size", "rounds"),
            )
        found["ties"] = self.ties(rounds, final=final, teams=teams)
        found["awards"] = self.awards(votes=votes)
        return {key: table for key, table in found.items() if self.dice.random() > self.oddness / 8}

    def rounds(self, most: int) -> Value:
        """Some rounds, each once."""
        return lambda: sorted(self.dice.sample(range(1, most + 1), self.dice.randrange(1, most + 1)))

    def scoring(self) -> dict[str, Any]:
        """The system."""
        kind = self.dice.choice(("plain", "pool", "tribute"))
        winner: dict[str, Value] = {"winner": lambda: self.dice.choice((100, 75))}
        others: dict[str, Value] = {"others": lambda: self.dice.choice((0, 1, [self.part()]))}
        if kind == "plain" and self.yes():
            winner = {"winner": lambda: "formula", "factor": self.some, "everyone_survived": self.yes}
            others = {"others": lambda: "formula", "others_factor": lambda: "1/2"}
        solo: dict[str, Value] = {
            "centres": lambda: self.dice.choice((18, 18, 20, 16, "more than half")),
            **winner,
            **others,
        }
        due = self.dice.choice(list(Due))
        tribute: dict[str, Value] = {
            "due": lambda: str(due),
            "each": self.some,
            "payers": self.word(Payers),
            "most": lambda: "1/2",
            "shared": self.word(Kept),
        }
        tribute |= {"above": self.whole(0, 10)} if due is Due.ABOVE else {}
        keys: dict[str, Value] = {
            "system": lambda: "a system",
            "parts": self.list_of(self.part, 3),
            "solo": lambda: self.table(solo, ("winner", "others")),
            "eliminated": lambda: self.dice.choice(("formula", "nothing", 0, "0.1 per year", "1 per year begun")),
            "abandoned": self.word(Abandoned),
            "late_seasons": self.whole(1, 20),
            "replaced": self.word(Replacement),
            "rounding": self.rounding,
            "sandard": self.yes,
            "shown_decimals": self.whole(0, 4),
            "sealed": self.yes,
        }
        compared: dict[str, Value] = {"by": self.word(ComparedBy), "in": self.word(ComparedIn)}
        compared |= {"bonuses": self.list_of(self.points)} if self.yes() else {"mean": self.some}
        keys |= (
            {"compared": lambda: self.table(compared, ("by", "bonuses", "mean"))} if self.dice.random() < 0.3 else {}
        )
        keys |= {"pool": self.some, "pool_of": self.word(PoolOf)} if kind == "pool" else {}
        keys |= {"pool_each_year": self.some} if kind == "pool" and self.yes() else {}
        keys |= {"tribute": lambda: self.table(tribute, ("due",))} if kind == "tribute" else {}
        return self.table(keys, ("parts", "solo", "pool", "tribute"))

    def rounding(self) -> Any:
        """A rounding."""
        if self.yes():
            return self.table({"how": self.word(RoundingWay), "decimals": self.whole(0, 4)})
        return str(self.dice.choice(list(RoundingWay)))

    def part(self, depth: int = 0) -> Any:
        """A block with the settings that it has, and now and then one that it has not."""
        give = self.dice.choice([name for name in GIVES if name != "largest" or depth == 0])
        centres: dict[str, Value] = {"each": self.points}
        own: dict[str, dict[str, Value]] = {
            "centres": {**centres, "above": self.whole(0, 20), "year": self.whole(1901, 1908)},
            "table": {"points": self.list_of(self.points, 35), "beyond": self.points},
            "polynomial": {"coefficients": self.list_of(self.points, 4)},
            "survival": {"points": self.points},
            "survival until": {
                "year": self.whole(1901, 1910),
                "points": self.points,
                "unreached": self.word(Unreached),
            },
            "years": {**centres, "begun": self.yes, "most": self.whole(1, 10)},
            "pot": {"points": self.some},
            "draw": {"points": self.list_of(self.points)},
            "beaten powers": {**centres, "order": self.word(StandBy)},
            "top": {"bonuses": self.list_of(self.points)},
            "near top": {"points": self.some, "shares": self.list_of(self.some, 4)},
            "distance": {"ahead": self.list_of(self.points), "behind": self.list_of(self.points)},
            "places": {
                "bonuses": self.list_of(self.points),
                "shared": self.word(TiedShare),
                "order": self.word(StandBy),
                "pairs": self.list_of(self.points),
                "groups": self.list_of(self.points),
            },
            "largest": {"of": lambda: [self.part(depth + 1), self.part(depth + 1)]},
        }
        needed = {"points", "coefficients", "year", "bonuses", "shares", "ahead", "of"}
        keys = own.get(give, centres)
        return {"give": give, **self.table({**keys, "to": self.word(To)}, needed & keys.keys())}

    def totals(self, rounds: int, *, has_final: bool) -> dict[str, Any]:
        """How games add up."""
        weight = self.list_of(self.some, rounds)
        bonuses = {
            "participation": lambda: self.table(
                {"each_round": self.some, "from_rounds": self.whole(1, rounds)}, ("from_rounds",)
            ),
            "preregistration": lambda: self.table({"points": self.some, "rounds": self.rounds(rounds)}, ("rounds",)),
            "final_share": lambda: "15 %",
            "final_victory": self.some,
            "withdrawal": lambda: self.dice.choice(("1/3", {"points": 10})),
        }
        penalty = {
            "kind": lambda: self.dice.choice(("late", "absence", "conduct")),
            "points": self.some,
            "loses": self.word(Loses),
            "keeps": lambda: ["withdrawal"],
        }
        best: dict[str, Value] = {
            "players": self.whole(1, 9),
            "after": self.rounds(max(rounds - 1, 1)),
            "weights": weight,
            "round": self.whole(1, rounds),
            "times": self.some,
            "ties": lambda: ["highest game"],
        }
        of_pool: dict[str, Value] = {"name": lambda: "A pool", "seats": self.whole(2, 21)}
        of_pool["last_year"] = self.whole(1905, 1909)
        pool = {key: value for key, value in best.items() if key not in {"players", "times"}} | of_pool
        keys: dict[str, Value] = {
            "rounds": lambda: rounds if has_final or self.dice.random() < 0.9 else "any",
            "round_weights": self.list_of(self.some, rounds),
            "size_weights": lambda: {"6": "6/7"},
            "wins_first": self.yes,
            "weights": lambda: self.dice.choice(("all", weight(), [weight(), weight()])),
            "two_boards": self.word(TwoBoards),
            "rounding": self.rounding,
            "most_games": lambda: self.table(
                {"rounds": self.rounds(rounds), "games": self.whole(1, rounds)}, ("rounds", "games")
            ),
            "groups": lambda: [
                self.table({"rounds": self.rounds(rounds), "weights": weight, "counted": self.yes}, ("rounds",))
                for _ in range(self.dice.choice((0, 0, 1, 2)))
            ],
            "for_the_best": lambda: [self.table(best, best.keys() - {"weights", "ties"})],
            "pools": lambda: [self.table(pool, pool.keys() - {"weights", "ties", "last_year"})],
            "bonuses": lambda: self.table(bonuses),
            "penalties": lambda: [self.table(penalty, ("kind", "points"))],
        }
        found = self.table(keys, ("rounds",))
        if has_final:
            before = self.rounds(max(rounds - 1, 1))
            final: dict[str, Value] = {
                "round": lambda: rounds,
                "seats": self.whole(1, 7),
                "winners_first": self.yes,
                "qualifying_rounds": before,
                "qualifying_weights": weight,
                "at_least_positive": self.whole(0, 10),
                "positive": self.word(Positive),
                "two_boards": self.word(ChoiceOfBoards),
                "total": self.word(FinalTotal),
                "champion": self.word(ChampionBy),
                "choosing": self.word(ChoosingRule),
                "moves_up": self.yes,
            }
            found["final"] = self.table(final, ("round", "qualifying_rounds"))
        return found

    def ties(self, rounds: int, *, final: bool, teams: bool) -> dict[str, Any]:
        """Chains."""
        names = [
            *(name for name in SIMPLE if name != "most top grades"),
            *(f"{each} game" for each in HIGHEST),
            "power order",
            "centres by year",
            "latest round",
        ]

        def chain() -> list[str]:
            return self.dice.sample(names, self.dice.randrange(4))

        keys: dict[str, Value] = {"players": chain, "powers": chain}
        keys |= {"qualifying": chain, "final": chain} if final else {}
        keys |= {"teams": chain} if teams else {}
        keys |= {
            "power_order": lambda: [str(power) for power in Power],
            "final_years": lambda: [1909, 1902],
            "latest_rounds": self.rounds(rounds),
            "dropped_games_break_ties": self.yes,
        }
        return self.table(keys, ("power_order", "final_years", "latest_rounds"))

    def awards(self, *, votes: bool) -> dict[str, Any]:
        """Titles, votes, board games."""
        keys: dict[str, Value] = {
            "places": lambda: ["champion", "second"][: self.dice.randrange(3)],
            "named": self.whole(0, 7),
            "power": lambda: self.dice.choice(("best {power}", "", "best of all")),
            "power_by": self.word(PowerBy),
            "power_final": self.yes,
            "titles": lambda: [self.table({"title": lambda: "second", "ties": lambda: ["highest game"]}, ("title",))],
            "board_games": lambda: self.table(
                {
                    "weights": lambda: {"Shark": 4.5, "Go": 1},
                    "points": lambda: {"2": [6, 2], "3": [7, 4, 1]},
                    "ties": self.word(BoardGameTies),
                },
                ("weights", "points"),
            ),
        }
        if votes:
            keys["votes"] = lambda: self.table(
                {
                    "points": lambda: {"A": 3, "B": 1, "C": 0},
                    "titles": lambda: {"tactics": "best tactician"},
                    "least_games": self.whole(0, 3),
                },
                ("points", "titles"),
            )
        return self.table(keys)


def toml_of(value: Any) -> str:
    """Write a value of a rules file in one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case list():
            return "[" + ", ".join(map(toml_of, value)) + "]"
        case dict():
            return "{ " + ", ".join(f"{toml_of(key)} = {toml_of(inside)}" for key, inside in value.items()) + " }"
        case _:
            return str(value)


def text_of(tables: Mapping[str, Any]) -> str:
    """Write a rules file: a key a line."""
    lines = []
    for name, table in tables.items():
        lines.append(f"[{name}]")
        lines += [f"{toml_of(key)} = {toml_of(value)}" for key, value in table.items()]
    return "\n".join(lines)


def invent(dice: random.Random, rules: ScoringRules) -> EventResults:
    """An event of these rules, with what may happen in one."""
    boards = []
    for number in range(1, (rules.totals.rounds or 3) + 1):
        order = dice.sample(NAMES, len(NAMES))
        for index in range(2):
            cuts = sorted(dice.randrange(35) for _ in range(6))
            counts = [b - a for a, b in zip([0, *cuts], [*cuts, 34], strict=True)]
            centres = dict(zip(Power, counts, strict=True))
            seats = {
                power: Seat(
                    player=name if dice.random() < 0.9 else None,
                    instead_of=dice.choice(NAMES) if dice.random() < 0.05 else None,
                    arrived=dice.randrange(1, 20) if dice.random() < 0.05 else None,
                )
                for power, name in zip(Power, order[7 * index : 7 * index + 7], strict=True)
            }
            years = {year: centres for year in range(1901, 1908) if dice.random() < 0.7}
            is_final = rules.final is not None and rules.final.round == number and index == 0
            boards.append(
                Board(
                    round=number,
                    name="AB"[index],
                    seats=seats,
                    centres=centres,
                    years=years,
                    ended=dice.choice(list(Ending)),
                    is_final=is_final,
                )
            )
    kinds = [rule.kind for rule in rules.penalties]
    size = rules.teams.size if rules.teams else 3
    return EventResults(
        boards=tuple(boards),
        players={name: Entrant(name=name, distance_km=dice.choice((None, 10, 500))) for name in NAMES},
        penalties=tuple(Penalty(player=dice.choice(NAMES), kind=kind) for kind in kinds),
        bonuses=tuple(
            Bonus(player=name, kind="withdrawal", round=1) for name in NAMES[:1] if rules.bonuses.withdrawal is not None
        ),
        teams=(Team(name="Owls", members=tuple(NAMES[:size])),),
        lots=(tuple(dice.sample(NAMES, 5)),),
    )


def run_by_commands(text: str) -> None:
    """Make an event of the rules, and let it run for two rounds; what the rules refuse is refused with its reason."""
    with tempfile.TemporaryDirectory() as folder:
        rules, roster, cup = Path(folder, "mine.toml"), Path(folder, "players.csv"), str(Path(folder, "cup"))
        rules.write_text(text, "utf-8")
        roster.write_text("name\n" + "\n".join(NAMES), "utf-8")
        _command("new", cup, "--tournament", str(rules), "--roster", str(roster))
        event: dict[str, Any] = {"tournament": str(rules), "rounds": []}
        for number in (1, 2):
            if not _command("draw", cup, "--round", str(number), "--seed", "1"):
                break
            for board in (1, 2):
                years = [word for year in YEARS for word in ("--year", year)]
                _command("enter", cup, "result", f"{number}.{board}", "time", *years, "--why", "random")
            _command("standings", cup, "-o", str(Path(folder, "standings.xlsx")))
            boards = [{"board": "A", "result": {"centers": {"AUSTRIA": 12}}, "players": {"AUSTRIA": NAMES[0]}}]
            event["rounds"].append({"number": number, "boards": boards})
        document = Path(folder, "event.json")
        document.write_text(json.dumps(event), "utf-8")
        _command("score", str(document))


def _command(*words: str) -> bool:
    """Run a command; what is no plain refusal is the program's fault."""
    ran = CliRunner().invoke(group, list(words))
    if ran.exception is not None and not isinstance(ran.exception, Stopped | SystemExit):
        raise ran.exception
    return ran.exit_code == 0 and ran.exception is None


def try_file(seed: int) -> str:
    """Make a file, and let it run; tells what became of it. An exception is one of the program's faults."""
    dice = random.Random(seed)
    maker = Maker(dice, dice.choice((0.0, 0.01, 0.05)))
    tables = maker.file()
    text = text_of(tables)
    checked = check_rules(text, Path("random.toml"))
    for fault in checked.faults:
        assert fault.line or fault.path.partition(".")[0] not in tables, (fault, text)
    if checked.tournament is None:
        return "refused"
    if seed % AN_EVENT_EVERY == 0:
        run_by_commands(text)
    rules = replace(checked.tournament.scoring, readings=())
    payments(rules)
    for number in range(3):
        event = invent(dice, rules)
        part = replace(event, boards=event.boards[: 2 * (number + 1)])
        scored = score(part, rules)
        write_scored(scored)
        if seed % A_WORKBOOK_EVERY == 0 and number == LAST:
            try:
                write_workbook(scored, title="random")
            except Stopped:
                return "no workbook"
    return "told" if checked.faults else "runs"


def main(files: int, first: int) -> int:
    """Try so many files."""
    found: Counter[str] = Counter()
    for seed in range(first, first + files):
        try:
            found[try_file(seed)] += 1
        except Exception:
            found["exception"] += 1
            if found["exception"] <= SHOWN:
                print(f"file {seed}:", *traceback.format_exc().splitlines()[-6:], sep="\n  ")
    print(dict(found))
    return 1 if found["exception"] else 0


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*(given + [10_000, 0][len(given) :])))
