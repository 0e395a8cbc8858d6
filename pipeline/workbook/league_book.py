"""A league's workbook: Workings and Standings as an event has them, from a list of results instead of boards."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from pipeline.scoring.league import (
    EventWorth,
    FallingPoints,
    League,
    LeagueEvent,
    LeagueResult,
    LinearPoints,
    ListedPoints,
    PointsByPlace,
    PointsByTotal,
    PointsRule,
    SharedPlace,
    entrants,
    score_league,
    worth_of,
)
from pipeline.scoring.ranking import may_rank
from pipeline.scoring.results import decimal
from pipeline.scoring.score import Scored
from pipeline.scoring.stakes import weigh_doubts
from pipeline.words.names import name_order
from pipeline.words.speech import Speech, speech_of, to_say, wording
from pipeline.workbook import checks_sheet, extra_columns, input_sheets, seats, standings_sheet, workings_sheet
from pipeline.workbook import page as xl
from pipeline.workbook.accounts import GameSlot, Person
from pipeline.workbook.checks_sheet import CheckMark, ChecksSheet, count_all_unread
from pipeline.workbook.games_sheet import SLOT_PER_PLAYER, SLOT_PER_ROUND, GameColumns, GameList
from pipeline.workbook.input_sheets import PLAYER_NAMES, YES, PlayerColumns, players_sheet, result_columns
from pipeline.workbook.seats import Config, ScoredEvent, SeatRow
from pipeline.workbook.standings_sheet import StandingsSheet
from pipeline.workbook.workings_sheet import WorkingColumns, Workings
from pipeline.workbook.write import INPUT, SHOWN, WORKING, WrittenWorkbook

EVENTS, RESULTS, NAMES, POINTS = to_say("Events"), "Results", to_say("Names"), to_say("Points")
HEAD_ROW = 4
SHEETS = {
    standings_sheet.SHEET: SHOWN,
    EVENTS: INPUT,
    RESULTS: INPUT,
    NAMES: INPUT,
    input_sheets.PLAYERS_SHEET: INPUT,
    input_sheets.PENALTIES: INPUT,
    input_sheets.BONUSES: INPUT,
    seats.SHEET: INPUT,
    checks_sheet.SHEET: WORKING,
    POINTS: WORKING,
    workings_sheet.SHEET: WORKING,
}
LEAST_EVENTS = "Least_events"


class _EventColumns(Struct, frozen=True):
    """Where things about events stand, one row an event."""

    by_total: xl.BookColumn  # 1 where the player's own total counts
    average: xl.BookColumn  # 1 where those who share a place get the mean
    factor: xl.BookColumn  # of the own total
    players: xl.BookColumn
    worth: xl.BookColumn  # of the first place


class _ResultInputs(Struct, frozen=True):
    """Where the results stand as they were exported."""

    event: xl.BookColumn
    name: xl.BookColumn
    place: xl.BookColumn
    total: xl.BookColumn


class _LeagueWorkings(Workings):
    """Workings of a league: nobody is replaced, and who played too few events has no place."""

    def takes_part(self, person: Person, base: extra_columns.Base, extras: extra_columns.Extras) -> xl.LiveFormula:
        """1 for who has a result, a bonus or a penalty; before the first result for nobody."""
        number = extras.number(person)
        noted = [f"COUNTIF({kind.player.there},{number})>0" for kind in (extras.bonuses, extras.penalties)]
        formula = f"IF(AND(SUM({base.rounds.here})>0,OR({base.rounds.cell(person.row)}>0,{','.join(noted)})),1,0)"
        return xl.LiveFormula(formula, int(bool(self.scored.games) and person.tally is not None))

    def may_rank(self, person: Person, taking_part: xl.BookColumn) -> xl.LiveFormula:
        """The excluded, and who played too few events, are scored and never ranked."""
        events = f"COUNTIF({self.games.player.there},{person.number})"
        barred = f"{self.players.excluded.far(person.row)}={self.page.word(YES)},{events}<{LEAST_EVENTS}"
        value = int(bool(self.scored.games) and person.tally is not None and may_rank(person.tally))
        return xl.LiveFormula(f"IF(OR({taking_part.cell(person.row)}=0,{barred}),0,1)", value)


class _LeagueChecks(ChecksSheet, kw_only=True):
    """The checks of a league: every name in the results is somebody's."""

    unknown: CheckMark

    def check_results(self) -> None:
        self.section(to_say("Players"))
        how = to_say("choose the name from the list, or add it to Players")
        self.check(to_say("Results with a name that is no player's in Names"), self.unknown, how)


class _LeagueBook(Struct):
    """The pages of a league while they are being made."""

    league: League
    scored: Scored
    pages: Mapping[str, xl.Page]
    config: Config
    rows: ScoredEvent
    results: Sequence[tuple[int, LeagueEvent, LeagueResult]]  # with the number of the event

    def fill(self) -> None:
        league, pages = self.league, self.pages
        self.config.section(self.config.page.speech.says("Points"))
        names = {kind: self.enter_points(kind, number) for number, kind in enumerate(league.points, start=1)}
        self.config.section(self.config.page.speech.says("Places"))
        label = to_say("Events that one must have played")
        self.config.number(LEAST_EVENTS, league.least_events, label, "league.least_events")
        players = players_sheet(pages[input_sheets.PLAYERS_SHEET], self.rows, self.scored.event, league.rules)
        self.config.names[PLAYER_NAMES] = players.name.there
        grid = xl.Grid(pages[RESULTS], HEAD_ROW, len(self.results))
        inputs = self.add_results(grid)
        events = self.add_events(names, inputs)
        columns = self.add_games(grid, inputs, events, players, self.add_points(names, events))
        workings = _LeagueWorkings(
            scored=self.scored,
            page=pages[workings_sheet.SHEET],
            games_sheet=GameList(grid, self.rows),
            games=columns,
            results=result_columns(self.rows),
            players=players,
            config=self.config,
            bonuses=pages[input_sheets.BONUSES],
            penalties=pages[input_sheets.PENALTIES],
        ).fill()
        self.add_standings(workings, columns)
        self.config.finish(league.name, league.name)

    def enter_points(self, kind: str, number: int) -> Mapping[str, str]:
        """Enter the numbers of one kind of points; returns their names."""
        rule, config, says = self.league.points[kind], self.config, self.config.page.speech.says
        cells: dict[str, str] = {}

        def enter(key: str, value: Fraction | int | None, label: str) -> None:
            if value is not None:
                path = f"points.{kind}.{key}"
                cells[key] = config.number(f"{key.title()}_{number}", value, f"{kind}: {says(label)}", path)

        if worth := worth_of(rule):
            enter("worth", worth.points, to_say("points of the first place"))
            enter("board", worth.each_board, to_say("points of the first place for each board"))
            enter("most", worth.most, to_say("at most"))
        if isinstance(rule, PointsByTotal):
            enter("factor", rule.factor, to_say("the total is multiplied by"))
        if isinstance(rule, FallingPoints):
            enter("each", rule.each, to_say("part of the place before"))
            enter("scoring", rule.scoring, to_say("part of the players who get points"))
            enter("least", rule.least, to_say("and at least"))
        if isinstance(rule, ListedPoints):
            name = f"Places_{number}"
            cells["places"] = config.numbers(
                name, rule.listed, f"{kind}: {says('points of places 1, 2, …')}", f"points.{kind}"
            )
            enter("others", rule.others, to_say("points of all other places"))
        return cells

    def add_results(self, grid: xl.Grid) -> _ResultInputs:
        """The results as they were exported."""
        page = grid.page
        page.put(1, 1, to_say("Results"), xl.TITLE)
        page.put(
            2, 1, wording("Places and totals of every event, as exported. Points and standings follow."), xl.SUBTITLE
        )
        page.freeze, page.repeat = f"A{grid.first}", f"{HEAD_ROW}:{HEAD_ROW}"
        inputs = _ResultInputs(
            event=grid.add(to_say("Event"), [number for number, _, _ in self.results], xl.ENTRY_NUMBER, 7),
            name=grid.add(to_say("Name there"), [result.name for _, _, result in self.results], xl.ENTRY, 28),
            place=grid.add(to_say("Place"), [result.place for _, _, result in self.results], xl.ENTRY_NUMBER, 7),
            total=grid.add(
                to_say("Total"), [result.total for _, _, result in self.results], xl.ENTRY.but(form="General"), 10
            ),
        )
        grid.page.count_no_numbers(inputs.total)
        most = max(len(event.results) for event in self.league.events)
        grid.page.count_no_wholes(len(self.league.events), inputs.event.there, least=1)
        grid.page.count_no_wholes(most, inputs.place.there, least=1)
        return inputs

    def add_events(self, names: Mapping[str, Mapping[str, str]], inputs: _ResultInputs) -> _EventColumns:
        """The events: their points, how many played, and what the first place is worth."""
        page, league = self.pages[EVENTS], self.league
        page.put(1, 1, to_say("Events"), xl.TITLE)
        page.put(2, 1, league.source, xl.SUBTITLE)
        page.freeze, page.repeat = f"A{HEAD_ROW + 1}", f"{HEAD_ROW}:{HEAD_ROW}"
        grid = xl.Grid(page, HEAD_ROW, len(league.events))
        rules = [league.points[event.kind] for event in league.events]
        number = grid.add(to_say("No"), list(range(1, len(league.events) + 1)), xl.WHOLE, 5)
        grid.add(to_say("Event"), [event.name for event in league.events], xl.ENTRY, 34)
        grid.add(to_say("Points"), [event.kind for event in league.events], xl.CENTRED, 10)
        by_total = grid.add(to_say("By total"), [int(isinstance(rule, PointsByTotal)) for rule in rules], xl.WHOLE, 8)
        average = grid.add(to_say("Average"), [int(_is_average(rule)) for rule in rules], xl.WHOLE, 8)
        factors: list[xl.Content] = [
            xl.LiveFormula(names[event.kind]["factor"], rule.factor) if isinstance(rule, PointsByTotal) else 0
            for event, rule in zip(league.events, rules, strict=True)
        ]
        factor = grid.add(to_say("Factor"), factors, xl.WHOLE.but(form="General"), 8)
        players = [
            xl.LiveFormula(f"COUNTIF({inputs.event.there},{number.cell(row)})", len(event.results))
            for row, event in zip(grid.rows, league.events, strict=True)
        ]
        count = grid.add(to_say("Players"), players, xl.WHOLE, 8)
        boards: list[xl.Content] = [
            worth.count_boards(event.boards) if (worth := worth_of(rule)) and worth.each_board else None
            for event, rule in zip(league.events, rules, strict=True)
        ]
        board = grid.add(to_say("Boards"), boards, xl.ENTRY_NUMBER, 8)
        page.count_no_numbers(board)
        worths: list[xl.Content] = [
            xl.LiveFormula(_worth_formula(worth, names[event.kind], board.cell(row)), league.worth(event))
            if (worth := worth_of(rule))
            else None
            for row, event, rule in zip(grid.rows, league.events, rules, strict=True)
        ]
        worth_column = grid.add(to_say("EventWorth"), worths, xl.points(league.rules.decimals), 9)
        return _EventColumns(by_total, average, factor, count, worth_column)

    def add_points(self, names: Mapping[str, Mapping[str, str]], events: _EventColumns) -> str:
        """What each place of each event brings; returns the area, for INDEX by place and event."""
        page, league = self.pages[POINTS], self.league
        page.put(1, 1, to_say("Points"), xl.TITLE)
        page.put(2, 1, wording("What each place of an event brings. Nothing to type here."), xl.SUBTITLE)
        page.freeze, page.repeat = f"B{HEAD_ROW + 1}", f"{HEAD_ROW}:{HEAD_ROW}"
        most = max(len(event.results) for event in league.events)
        grid = xl.Grid(page, HEAD_ROW, max(most, 2))  # Gnumeric's INDEX finds nothing in a single cell
        place = grid.add(to_say("Place"), [row - HEAD_ROW for row in grid.rows], xl.WHOLE, 7)
        columns = []
        for index, event in enumerate(league.events):
            rule = league.points[event.kind]
            row = HEAD_ROW + 1 + index
            contents: list[xl.Content] = []
            for each in grid.rows:
                own, players, worth = place.cell(each), events.players.far(row), events.worth.far(row)
                formula = _place_formula(rule, names[event.kind], own, players, worth)
                nth, many = each - HEAD_ROW, len(event.results)
                value = rule.at(nth, many, league.worth(event)) if isinstance(rule, PointsByPlace) else 0
                contents.append(xl.LiveFormula(f"IF({own}>{players},0,{formula})", value if nth <= many else 0))
            columns.append(grid.add(event.name, contents, xl.points(league.rules.decimals), 14))
        page.heights[HEAD_ROW] = 48
        return f"{POINTS}!{xl.fixed_cell(grid.first, columns[0].number)}:{xl.fixed_cell(grid.last, columns[-1].number)}"

    def add_names(self, players: PlayerColumns) -> tuple[xl.BookColumn, xl.BookColumn]:
        """Every name in the results, and the number of its player."""
        page = self.pages[NAMES]
        page.put(1, 1, to_say("Names"), xl.TITLE)
        page.put(2, 1, wording("Who is who: a name in results, and the player's name in the league."), xl.SUBTITLE)
        page.freeze, page.repeat = f"A{HEAD_ROW + 1}", f"{HEAD_ROW}:{HEAD_ROW}"
        names = sorted({result.name for _, _, result in self.results}, key=name_order)
        grid = xl.Grid(page, HEAD_ROW, len(names))
        there = grid.add(to_say("Name there"), names, xl.ENTRY, 30)
        persons = [self.league.person(name) for name in names]
        person = grid.add(to_say("Player"), persons, xl.ENTRY, 30)
        numbers = [
            xl.LiveFormula(xl.exact_match(players.name, players.number, person.cell(row)), self.rows.numbers[name])
            for row, name in zip(grid.rows, persons, strict=True)
        ]
        return there, grid.add(to_say("No"), numbers, xl.WHOLE, 6)

    def add_games(
        self, grid: xl.Grid, inputs: _ResultInputs, events: _EventColumns, players: PlayerColumns, area: str
    ) -> GameColumns:
        """Beside each result its player and its points: what a game has, where the event is the round."""
        there, numbers = self.add_names(players)
        rows = list(zip(grid.rows, self.results, strict=True))
        persons = [self.rows.numbers[self.league.person(result.name)] for _, _, result in self.results]
        matched = [xl.exact_match(there, numbers, inputs.name.cell(row)) for row in grid.rows]
        player = grid.add(to_say("Player no"), [*map(xl.LiveFormula, matched, persons)], xl.WHOLE, 8)
        shared_by = [_shared_by(row, inputs, event, result) for row, (_, event, result) in rows]
        sharing = grid.add(to_say("Shared by"), shared_by, xl.WHOLE, 8)
        points = [
            xl.LiveFormula(_points_formula(row, inputs, events, sharing, area), self.league.points_of(result, event))
            for row, (_, event, result) in rows
        ]
        score = grid.add(to_say("Points"), points, xl.points(self.league.rules.decimals), 10)
        won = [_won(row, inputs, sharing, event, result) for row, (_, event, result) in rows]
        outcome = grid.add(to_say("Won"), won, xl.WHOLE, 6)
        keys = [
            _key_of_game(row, inputs, player, number, person)
            for (row, (number, _, _)), person in zip(rows, persons, strict=True)
        ]
        slot = grid.add(to_say("Key"), keys, xl.WHOLE, 9)
        return GameColumns(
            player=player,
            round=inputs.event,
            power=inputs.name,  # a result has no power and no centres; nothing of a league looks at them
            centres=inputs.total,
            done=outcome,
            above=inputs.place,
            equal=sharing,
            outcome=outcome,
            score=score,
            slot=slot,
        )

    def add_standings(self, workings: WorkingColumns, columns: GameColumns) -> None:
        page, league = self.pages[standings_sheet.SHEET], self.league
        says = page.speech.says
        verdict = _LeagueChecks(
            page=self.pages[checks_sheet.SHEET],
            scored=self.scored,
            workings=workings,
            in_doubt="",
            unread=count_all_unread(self.pages.values()),
            unknown=CheckMark(f"COUNTIF({columns.player.there},0)", 0),
        ).fill()
        place, names = (
            workings.outcome.place.there,
            [row.player for row in self.scored.standings.rows if row.place == 1],
        )
        before = f"{says('Ahead')}: "
        first = f"{xl.quote_text(before)}&INDEX({workings.name.there},MATCH(1,{place},0))"
        are_level = f" {says('players are level for the first place')}"
        level = f"COUNTIF({place},1)&{xl.quote_text(are_level)}"
        formula = f'IF(COUNTIF({place},1)=0,"",IF(COUNTIF({place},1)>1,{level},{first}))'
        ahead = f"{before}{names[0]}" if len(names) == 1 else f"{len(names)}{are_level}"
        leads = xl.LiveFormula(formula, ahead if names else "")

        def label(slot: GameSlot) -> str:
            return league.events[slot.round - 1].name

        doubts = tuple(weigh_doubts(self.scored))
        notes = tuple(_how_points_are_given(league, page.speech))
        StandingsSheet(
            page, self.scored, workings, None, verdict, page.word(checks_sheet.PASS), leads, doubts, label, notes
        ).fill(league.name)
        many = len(league.events)
        page.put(2, 1, league.source or None, xl.SUBTITLE)
        after = says("Standings after {count:event|events}", count=many)
        page.put(3, 1, after, xl.SUBTITLE.but(italic=False, bold=True))
        page.heights[standings_sheet.HEAD_ROW] = 64
        for column in range(4, 4 + 2 * many, 2):
            page.widths[column] = 13


def _shared_by(row: int, inputs: _ResultInputs, event: LeagueEvent, result: LeagueResult) -> xl.LiveFormula:
    """How many have the place of a result in its event."""
    own, place = inputs.event, inputs.place
    formula = f"COUNTIFS({own.here},{own.cell(row)},{place.here},{place.cell(row)})"
    return xl.LiveFormula(formula, event.sharers(result.place))


def _points_formula(row: int, inputs: _ResultInputs, events: _EventColumns, sharing: xl.BookColumn, area: str) -> str:
    """The formula of what a result brings: by the own total, or by the place, alone or as the mean of those shared."""
    own, place, many = inputs.event.cell(row), inputs.place.cell(row), sharing.cell(row)
    one = f"INDEX({area},{place},{own})"
    mean = f"AVERAGE({one}:INDEX({area},{place}+{many}-1,{own}))"
    by_place = f"IF(INDEX({events.average.there},{own})=1,{mean},{one})"
    by_total = f"INDEX({events.factor.there},{own})*{inputs.total.cell(row)}"
    return f"IF(INDEX({events.by_total.there},{own})=1,{by_total},{by_place})"


def _won(
    row: int, inputs: _ResultInputs, sharing: xl.BookColumn, event: LeagueEvent, result: LeagueResult
) -> xl.LiveFormula:
    """The outcome of a result: 4 for who won the event alone, as for a game that is won, and 1 for all others."""
    formula = f"IF(AND({inputs.place.cell(row)}=1,{sharing.cell(row)}=1),4,1)"
    return xl.LiveFormula(formula, 4 if result.place == 1 and event.sharers(1) == 1 else 1)


def _key_of_game(row: int, inputs: _ResultInputs, player: xl.BookColumn, number: int, person: int) -> xl.LiveFormula:
    """The key by which the result of a player is found: his number, and that of the event in place of a round."""
    who, own = player.cell(row), inputs.event.cell(row)
    formula = f"IF({who}=0,0,{who}*{SLOT_PER_PLAYER}+{own}*{SLOT_PER_ROUND}+1)"
    return xl.LiveFormula(formula, person * SLOT_PER_PLAYER + number * SLOT_PER_ROUND + 1)


def _how_points_are_given(league: League, speech: Speech) -> Iterator[str]:
    """What places bring, in words, for players who read the list on the wall."""
    for kind, rule in league.points.items():
        given = _points_in_words(rule, speech)
        if isinstance(rule, PointsByPlace):
            shared = speech.says("; who share a place get {what}", what=speech.says(rule.shared.meaning))
            given = f"{given}{shared}"
        yield speech.says("Points {kind}: {given}.", kind=kind, given=given)
    if league.least_events > 1:
        yield speech.says("Who played in fewer than {count:event|events} has no place.", count=league.least_events)


def _points_in_words(rule: PointsRule, speech: Speech) -> str:
    says = speech.says

    def number(value: Fraction) -> str:
        return speech.number(decimal(value))

    match rule:
        case PointsByTotal():
            if rule.factor == 1:
                return says("the total there")
            return says("the total there, times {factor}", factor=number(rule.factor))
        case LinearPoints():
            steps = to_say("{worth} for the first place, in equal steps down to the last")
            return says(steps, worth=_worth_in_words(rule.worth, speech))
        case FallingPoints():
            falls = to_say("{worth} for the first place, then {part} % of the place before")
            said = says(falls, worth=_worth_in_words(rule.worth, speech), part=number(rule.each * 100))
            if rule.scoring < 1:
                said += says(", for the first {part} % of the players", part=number(rule.scoring * 100))
            return said + (says(", at least {points}", points=number(rule.least)) if rule.least else "")
        case ListedPoints():
            listed = to_say("{listed} for places 1 to {last}, {others} for all others")
            return says(
                listed, listed=", ".join(map(number, rule.listed)), last=len(rule.listed), others=number(rule.others)
            )
        case _:
            raise TypeError(f"no words for {rule}")


def _worth_in_words(worth: EventWorth, speech: Speech) -> str:
    if worth.points is not None:
        return speech.number(decimal(worth.points))
    each = speech.number(decimal(worth.each_board or Fraction()))
    if worth.rounds:
        of_rounds = to_say("{points} a board of the {rounds:largest round|largest rounds}")
        said = speech.says(of_rounds, points=each, rounds=worth.rounds)
    else:
        said = speech.says("{points} a board", points=each)
    if worth.most is None:
        return said
    return said + speech.says(", at most {points},", points=speech.number(decimal(worth.most)))


def _is_average(rule: PointsRule) -> bool:
    return isinstance(rule, PointsByPlace) and rule.shared is SharedPlace.AVERAGE


def _worth_formula(worth: EventWorth, names: Mapping[str, str], boards: str) -> str:
    """The formula of what a first place is worth."""
    if worth.each_board is None:
        return names["worth"]
    formula = f"{names['board']}*{boards}"
    return f"MIN({formula},{names['most']})" if worth.most is not None else formula


def _place_formula(rule: PointsRule, names: Mapping[str, str], place: str, players: str, worth: str) -> str:
    """The formula of what a place brings."""
    if isinstance(rule, LinearPoints):
        return f"{worth}*({players}-{place}+1)/{players}"
    if isinstance(rule, FallingPoints):
        last = f"-INT(-{xl.key(players + '*' + names['scoring'])})"
        return f"IF({place}>{last},0,MAX({worth}*{names['each']}^({place}-1),{names['least']}))"
    if isinstance(rule, ListedPoints):
        return f"IF({place}>{len(rule.listed)},{names['others']},INDEX({names['places']},{place}))"
    return "0"


def write_league(league: League) -> WrittenWorkbook:
    """Make the workbook of a league."""
    losses, scored = xl.Losses(), score_league(league)
    pages = {name: xl.Page(name, losses, speech_of(league.language), tab=tab) for name, tab in SHEETS.items()}
    config = Config(pages[seats.SHEET], league.rules.sources)
    listed = [(number, event, each) for number, event in enumerate(league.events, 1) for each in event.results]
    rows = _result_rows(league, scored)
    _LeagueBook(league, scored, pages, config, rows, listed).fill()
    doubts = tuple(weigh_doubts(scored))
    return WrittenWorkbook(
        tuple(pages.values()), config.names, league.name, tuple(losses.found), doubts, is_sealed=False
    )


def _result_rows(league: League, scored: Scored) -> ScoredEvent:
    """The results as rows of games, in the order of the events."""
    players = tuple(entrants(league, with_too_few=True).values())
    rows: list[SeatRow] = []
    by_player: dict[str, list[SeatRow]] = {}
    for row, game in enumerate(scored.games, start=HEAD_ROW + 1):
        seat = SeatRow(row, row, row, game.board, game.power, game.board.seats[game.power], game)
        rows.append(seat)
        by_player.setdefault(game.board.name, []).append(seat)
    return ScoredEvent(
        players=players,
        seats=tuple(rows),
        years=(),
        rounds=tuple(range(1, len(league.events) + 1)),
        boards_a_round=1,
        numbers={player.name: number for number, player in enumerate(players, start=1)},
        by_player=by_player,
    )
