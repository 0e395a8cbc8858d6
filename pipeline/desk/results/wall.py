"""The results to hang up, in the language of the players: standings, rounds, the race, the final table, teams, awards.

While the standings are sealed, only who sat where and the teams (NZ99 23).
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import games
from pipeline.desk.results.results import without_places_before_play, without_result
from pipeline.draw.roster import Player, family_order
from pipeline.paper.wall_page import WallChart, WallColumn, WallLine, WallPage, WallRow
from pipeline.scoring import awards, ranking
from pipeline.scoring.qualification import Qualification
from pipeline.scoring.results import Board, RoundingWay, decimal, format_decimal
from pipeline.scoring.score import Scored
from pipeline.scoring.stakes import is_level_so_far, weigh_doubts
from pipeline.scoring.standings_in_words import (
    FIRST_ON_TABLE,
    WINS_FIRST,
    decided_by,
    interim_note,
    players_amended,
)
from pipeline.scoring.tally import Counted, Tally
from pipeline.words.names import name_order
from pipeline.words.speech import Speech, to_say

IN_THE_RACE = 8  # players whose points are drawn
GROUPS = {
    awards.Group.PLACES: to_say("Places"),
    awards.Group.POWERS: to_say("Best powers"),
    awards.Group.TEAMS: to_say("Teams"),
    awards.Group.VOTES: to_say("Titles"),
    awards.Group.TITLES: to_say("Titles"),
    awards.Group.BOARD_GAMES: to_say("Titles"),
    awards.Group.SPECIAL: to_say("Special awards"),
}

TITLES = (
    to_say("best {power}"),
    to_say("outstanding play of {power}"),
    to_say("second place"),
    to_say("third place"),
    to_say("runner-up"),
    to_say("second of the podium"),
    to_say("third of the podium"),
    to_say("Best Negotiator"),
    to_say("Best Tactician"),
    to_say("board-games champion"),
    to_say("team champions"),
)  # of the rules that come with the program; names of championships are said as they are


def results_pages(
    scored: Scored, title: str, speech: Speech, players: Iterable[Player] = (), *, is_projected: bool = False
) -> tuple[WallPage, ...]:
    """The pages with places and points; ``players`` say which of their names is the family name.

    ``is_projected`` says on every page that games are counted as if time were called now.
    """
    shown = without_places_before_play(scored)
    return tuple(_Results(shown, title, speech, tuple(players), is_projected).pages())


def _by_family_name(names: Iterable[str], players: Iterable[Player]) -> list[str]:
    known = {player.name: player for player in players}
    return sorted(names, key=lambda name: family_order(known.get(name, Player(name=name))))


class _Results(Struct):
    """The pages of one event while they are being made."""

    scored: Scored
    title: str
    speech: Speech
    players: Sequence[Player]
    is_projected: bool

    @property
    def decimals(self) -> int:
        return self.scored.rules.decimals

    def says(self, text: str, /, **data: object) -> str:
        return self.speech.says(text, **data)

    def points(self, value: Fraction) -> str:
        return self.speech.number(format_decimal(value, self.decimals))

    def progress(self) -> str:
        """How far the event has come, or that these are no results yet."""
        if self.is_projected:
            return self.says("If time were called now: not the final result")
        far = self.says(str(self.scored.progress))  # a text that knows its pattern
        return far[:1].upper() + far[1:]

    def page(
        self, name: str, columns: tuple[WallColumn, ...], rows: tuple[WallRow, ...], *, subtitle: str = ""
    ) -> WallPage:
        """A page of a kind, which is its title and the name of its sheet, with how far the event has come."""
        line = " · ".join(filter(None, (self.progress(), subtitle)))
        cells = [row.cells for row in rows if not row.is_heading]
        used = [n for n in range(len(columns)) if not cells or any(each[n] for each in cells)]  # for larger letters
        columns = tuple(columns[n] for n in used)
        rows = tuple(row if row.is_heading else replace(row, cells=tuple(row.cells[n] for n in used)) for row in rows)
        return WallPage(name=name, title=f"{self.title} · {name}", subtitle=line, columns=columns, rows=rows)

    def pages(self) -> Iterator[WallPage]:
        yield self.standings_page()
        if self.scored.qualification and self.scored.rules.final:
            yield self.qualification_page(self.scored.qualification, self.scored.rules.final.seats)
        yield self.rounds_page()
        if self.scored.teams:
            yield self.teams_page()
        if any(award.winners for award in self.scored.awards):
            yield self.awards_page()

    # The standings.

    def standings_page(self) -> WallPage:
        rows = self.scored.standings.rows
        rounds = self.rounds_played()
        teams = {name: team.name for team in self.scored.event.teams for name in team.members}
        columns = (
            WallColumn(head=self.says("Place"), is_key=True),
            WallColumn(head=self.says("Player"), is_key=True),
            WallColumn(head=self.says("Team")),
            *(WallColumn(head=self.says("R{round}", round=number), is_number=True) for number in rounds),
            WallColumn(head="±", is_number=True),
            WallColumn(head=self.says("Total"), is_number=True),
            WallColumn(head=self.says("Decided by"), is_long=True),
        )

        def line(place: str, name: str, tally: Tally, why: str, *, is_first: bool) -> WallRow:
            extras = tally.exact - tally.weighted
            cells = (
                *(place, name, teams.get(name, "")),
                *(self.scores_in(tally, number) for number in rounds),
                f"{'+' if extras > 0 else ''}{self.speech.number(decimal(extras))}" if extras else "",
                *(self.points(tally.total), why),
            )
            return WallRow(cells, is_first)

        ranked = [
            line(
                row.place_shown,
                row.player,
                row.tally,
                decided_by(row, self.scored, self.speech),
                is_first=row.place == 1,
            )
            for row in rows
        ]
        placed = {row.player for row in rows}
        others = [
            line("–", name, tally, "", is_first=False)
            for name, tally in sorted(self.tallies().items(), key=lambda each: name_order(each[0]))
            if name not in placed
        ]
        blank = ("",) * (len(columns) - 2)
        others += [WallRow(("–", name, *blank)) for name in without_result(self.players, self.scored)]
        made = self.page(self.says("Standings"), columns, (*ranked, *others), subtitle=self.scored.rules.name)
        return replace(made, notes=self.notes(), chart=self.race())

    def tallies(self) -> dict[str, Tally]:
        return {tally.player.name: tally for tally in self.scored.standings.tallies}

    def rounds_played(self) -> list[int]:
        return sorted({game.round for game in self.scored.games if game.player is not None})

    def scores_in(self, tally: Tally, number: int) -> str:
        """The scores of a player in a round; what does not count stands in brackets."""
        return " ".join(self.score(counted) for counted in tally.games if counted.game.round == number)

    def score(self, counted: Counted) -> str:
        text = self.points(counted.game.score)
        if counted.weight == 0 or counted.is_dropped:
            return f"({text})"
        return text if counted.weight == 1 else f"{text} ×{self.speech.number(decimal(counted.weight))}"

    def decision(self, decided: ranking.RankDecision | None) -> str:
        return decided.in_words(self.speech) if decided else ""

    def notes(self) -> tuple[str, ...]:
        """What the signs on the page mean, and how many doubts the director has still to settle."""
        counted = [counted for tally in self.tallies().values() for counted in tally.games]
        lines = []
        if any(each.weight not in (0, 1) for each in counted):
            lines.append(self.says("× beside a score: how much of it counts."))
        if any(each.weight == 0 or each.is_dropped for each in counted):
            lines.append(self.says("In brackets: a score that does not count."))
        if self.scored.rules.totals.rounding.how is RoundingWay.TRUNCATE:
            lines.append(self.says("What follows the point in a total is dropped."))
        if self.scored.rules.totals.wins_first:
            lines.append(self.says(WINS_FIRST))
        if self.scored.rules.final:
            lines.append(self.says(FIRST_ON_TABLE[self.scored.rules.final.champion]))
        lines += interim_note(self.scored, self.speech)
        if amended := players_amended(self.scored):
            lines.append(
                self.says(
                    "The results that were published as final stand; they differ for {names}.",
                    names=", ".join(amended),
                )
            )
        if count := sum(not is_level_so_far(doubt, self.scored) for doubt in self.scored.doubts):
            lines.append(self.says("In doubt, until the director has decided: {count}.", count=count))
        lines += [
            self.says("Board {board}: ended by the director's word: {why}", board=_board(board), why=overruled.why)
            for board in self.scored.event.boards
            for overruled in board.overruled
        ]
        return tuple(dict.fromkeys(lines))  # one end may overrule two rules

    def race(self) -> WallChart | None:
        """The points of the first players after each round, as they count."""
        rounds = self.rounds_played()
        if len(rounds) < 2:
            return None
        lines = tuple(
            WallLine(
                row.player,
                tuple(float(sum((c.points for c in row.tally.games if c.game.round <= n), Fraction())) for n in rounds),
            )
            for row in self.scored.standings.rows[:IN_THE_RACE]
        )
        return WallChart(tuple(self.says("R{round}", round=number) for number in rounds), lines)

    # Who plays the final table.

    def qualification_page(self, qualification: Qualification, seats: int) -> WallPage:
        by_table = {True: self.says("plays the final"), False: ""}
        rows = tuple(
            WallRow(
                (
                    _place(placed.place, placed.is_tied),
                    placed.contender.name,
                    self.points(placed.contender.total),
                    self.says("level for a seat")
                    if placed.contender.name in qualification.undecided
                    else by_table[qualification.is_held and placed.contender.name in qualification.finalists],
                    self.decision(placed.decision),
                ),
                is_first=placed.contender.name in qualification.finalists,
            )
            for placed in qualification.ranking
        )
        best = self.says("the {count} best play", count=seats)
        state = "" if qualification.is_settled else self.says("as it stands")
        columns = (
            WallColumn(head=self.says("Place"), is_key=True),
            WallColumn(head=self.says("Player"), is_key=True),
            WallColumn(head=self.says("Total"), is_number=True),
            WallColumn(head=self.says("Seat")),
            WallColumn(head=self.says("Decided by"), is_long=True),
        )
        return self.page(self.says("Final table"), columns, rows, subtitle=" · ".join(filter(None, (best, state))))

    # Where everybody sat, and what it brought.

    def rounds_page(self) -> WallPage:
        rounds = self.rounds_played()
        played: dict[tuple[str, int], list[tuple[str, str]]] = {}
        for game in self.scored.games:
            if game.player is not None:
                seat = f"{game.board.name} {self.speech.power(game.power)} {game.centres}"
                played.setdefault((game.player, game.round), []).append((seat, self.points(game.score)))
        rows = tuple(
            WallRow(
                (
                    name,
                    *(
                        ", ".join(part[side] for part in played.get((name, number), ()))
                        for number in rounds
                        for side in (0, 1)
                    ),
                )
            )
            for name in _by_family_name({name for name, _ in played}, self.players)
        )
        columns = (
            WallColumn(head=self.says("Player"), is_key=True),
            *(
                WallColumn(head=self.says("Round {round}", round=number) if is_seat else "", is_number=not is_seat)
                for number in rounds
                for is_seat in (True, False)
            ),
        )
        boards = (board for board in self.scored.event.boards if board.pool)
        pools = (self.says("Board {board}: {state}", board=_board(board), state=board.pool) for board in boards)
        subtitle = " · ".join((self.says("board, power and centres; points"), *pools))
        return self.page(self.says("Rounds"), columns, rows, subtitle=subtitle)

    # Teams and awards.

    def teams_page(self) -> WallPage:
        rows = tuple(
            WallRow(
                (
                    _place(row.place, row.is_tied),
                    row.team.name,
                    "\n".join(f"{share.player} {self.points(share.points)}" for share in row.shares),
                    self.points(row.total),
                    self.decision(row.decision),
                ),
                is_first=row.place == 1,
            )
            for row in self.scored.teams
        )
        columns = (
            WallColumn(head=self.says("Place"), is_key=True),
            WallColumn(head=self.says("Team"), is_key=True),
            WallColumn(head=self.says("Members"), is_long=True),
            WallColumn(head=self.says("Total"), is_number=True),
            WallColumn(head=self.says("Decided by"), is_long=True),
        )
        return self.page(self.says("Teams"), columns, rows)

    def awards_page(self) -> WallPage:
        rows: list[WallRow] = []
        heading = ""
        doubted = {title for one in weigh_doubts(self.scored) for title in one.titles}
        for award in self.scored.awards:
            if not award.winners:
                continue
            if heading != (heading := GROUPS[award.group]):
                rows.append(WallRow((self.says(heading),), is_heading=True))
            names, why = ", ".join(award.winners), self.reason(award)
            if award.held is not awards.Held.GIVEN:
                named = ", ".join(filter(None, (names, why)))
                is_level, names = award.held is awards.Held.LEVEL, ""
                level, leads = self.says("level: {names}", names=named), self.says("in the lead: {names}", names=named)
                why = level if is_level else leads
            elif award.title in doubted:
                why = self.says("in doubt: {why}", why=why)
            is_power = award.group is awards.Group.POWERS
            title = self.speech.power(award.games[0].power) if is_power else self.says(award.title)
            rows.append(WallRow((title[:1].upper() + title[1:], names, why)))
        columns = (
            WallColumn(head=self.says("Award"), is_long=True),
            WallColumn(head=self.says("Who"), is_key=True),
            WallColumn(head=self.says("Why"), is_long=True),
        )
        return self.page(self.says("Awards"), columns, tuple(rows))

    def reason(self, award: awards.Award) -> str:
        """Why somebody has a title: the points, where they were made, what decided a tie; or the director's words."""
        if award.group is awards.Group.SPECIAL:
            return award.why
        decimals = 2 if award.group in (awards.Group.VOTES, awards.Group.BOARD_GAMES) else self.decimals
        value = self.speech.number(format_decimal(award.value, decimals))
        parts = [
            self.says("{points} of {count:vote|votes}", points=value, count=award.votes)
            if award.group is awards.Group.VOTES
            else self.says("{points:point|points}", points=value)
        ]
        parts += [self.says("board {board}", board=_board(game.board)) for game in award.games]
        if award.row:
            parts.append(decided_by(award.row, self.scored, self.speech))
        else:
            parts.append(self.decision(award.decision))
        return " · ".join(filter(None, parts))


# While everything is sealed: who sat where, by name, and the teams, and nothing from which places or points follow.


def sealed_pages(event: Event, scored: Scored) -> Iterator[WallPage]:
    """Who sat where, by name, and the teams; nothing from which places or points follow (NZ99 23)."""
    says, seats = event.speech.says, {player.name: dict[int, list[str]]() for player in event.players}
    for game in games(event).values():
        for power, name in game.seating.players.items():
            if name:
                where = f"{game.name} {event.speech.power(power)}"
                seats.setdefault(name, {}).setdefault(game.seating.round, []).append(where)
    rounds = sorted({number for own in seats.values() for number in own})
    yield WallPage(
        name=says("Standings"),
        title=event.details.name,
        subtitle=says("Sealed until the awards: players by name, without places or points."),
        columns=(
            WallColumn(head=says("Player"), is_key=True),
            *(WallColumn(head=says("Round {round}", round=number)) for number in rounds),
        ),
        rows=tuple(
            WallRow((name, *(", ".join(seats[name].get(number, ())) for number in rounds)))
            for name in _by_family_name(seats, event.people.players)
        ),
    )
    if scored.event.teams:
        yield WallPage(
            name=says("Teams"),
            title=f"{event.details.name} · {says('Teams')}",
            columns=(
                WallColumn(head=says("Team"), is_key=True),
                WallColumn(head=says("Members"), is_long=True),
            ),
            rows=tuple(
                WallRow((team.name, "\n".join(sorted(team.members))))
                for team in sorted(scored.event.teams, key=lambda team: name_order(team.name))
            ),
        )


def _board(board: Board) -> str:
    return f"{board.round}.{board.name}"


def _place(place: int, is_tied: bool) -> str:
    return f"{place}{'=' if is_tied else ''}"
