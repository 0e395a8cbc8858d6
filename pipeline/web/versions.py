"""The things on which acts rest, as pages show them: each by its name, in lines that people can compare."""

from collections.abc import Iterable, Mapping
from typing import Any

from pipeline.desk.event import ending
from pipeline.desk.event.ending import final_results
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.event.people import Turn
from pipeline.desk.forms.forms_in import FormIn
from pipeline.desk.players import RollCall, list_players, rounds_with_public_seats, standings_are_open
from pipeline.desk.publish.public_record import BigClock
from pipeline.desk.results.notes import notes_in_force
from pipeline.desk.results.results import scored_event
from pipeline.desk.review import queue
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.ruling.rows import PowerRows, Row
from pipeline.journal.lines import JournalLine
from pipeline.ledger.events import ActTakenBack, FormsPrinted, LedgerEvent, PageIdentified, PageSetAside, SheetsPrinted
from pipeline.orders import write, write_position
from pipeline.scoring.standings_in_words import places_shown
from pipeline.web.logins import Guest
from pipeline.web.on_pages import texts_on_page
from pipeline.web.shown import ABSENT, Things, Version
from pipeline.words.names import fold_name
from pipeline.words.speech import write_count

# People and rounds


def name_roll(round_number: int) -> str:
    return f"the roll call of round {round_number}"


def _name_called(roll: RollCall, name: str) -> str:
    return f"{name} in round {roll.round}"


def of_roll(roll: RollCall) -> Things:
    """The roll call as a whole, and each player's state in it."""
    whole = {name_roll(roll.round): Version(tuple(f"{name}: {called}" for name, called in roll.called.items()))}
    return whole | {_name_called(roll, name): Version((str(called),)) for name, called in roll.called.items()}


def of_called(roll: RollCall, names: Iterable[str], *, others: bool) -> Things:
    """What an entry in the roll call rests on: the states of those who are named, or of all."""
    folded = {fold_name(name) for name in names}
    things = of_roll(roll)
    if others:
        return {name_roll(roll.round): things[name_roll(roll.round)]}
    named = (_name_called(roll, name) for name in roll.called if fold_name(name) in folded)
    return {thing: things[thing] for thing in named}


def of_check_ins(round_number: int, said: Mapping[str, bool]) -> Things:
    """Who says by phone that he is here, and whether the director refused it."""
    return {
        f"{name}'s check-in for round {round_number}": Version(("refused" if is_refused else "says: I am here",))
        for name, is_refused in said.items()
    }


def of_goings(said: Mapping[str, bool]) -> Things:
    """Who says by phone to be going home, and whether the director refused that."""
    return {
        f"that {name} goes home": Version(("refused" if is_refused else "says: I go home",))
        for name, is_refused in said.items()
    }


def of_players(event: Event) -> Things:
    """Everybody on the list of players."""
    return {f"player {each.player.name}": _player(each.player) for each in list_players(event)}


def _player(player: Any) -> Version:
    told = ", ".join(filter(None, (player.club, player.country, player.team, "has left" if player.left else "")))
    return Version((f"{player.name}{f' ({told})' if told else ''}",), str(player.number))


def of_player(event: Event, name: str) -> Things:
    """One player by his name, or that nobody has it."""
    players = [each.player for each in list_players(event) if fold_name(each.player.name) == fold_name(name)]
    return {f"player {players[0].name}": _player(players[0])} if players else {f"player {name}": ABSENT}


def _name_seats(round_number: int) -> str:
    return f"the seats of round {round_number}"


def of_seats(event: Event, games: Iterable[Game], round_number: int) -> Things:
    """Who sits where in a round, and whether everybody may see it."""
    mine = [game for game in games if game.seating.round == round_number]
    if not mine:
        return {_name_seats(round_number): ABSENT}
    lines = [
        f"board {game.name}, {power.title()}: {player or 'nobody'}"
        for game in mine
        for power, player in game.seating.last_players.items()
    ]
    told = "public" if round_number in rounds_with_public_seats(event, mine) else "not public"
    return {_name_seats(round_number): Version((told, *lines))}


def of_prints(event: Event, round_number: int) -> Things:
    """The order sheets that were printed for a round."""
    prints = [
        f"number {fact.number} of the journal: {write_count(len(fact.said.sheets), 'sheet')}"
        for fact in event.facts.select(SheetsPrinted)
        if any(sheet.round == round_number for sheet in fact.said.sheets)
    ]
    return {f"what was printed for round {round_number}": Version(tuple(prints))}


def of_settings(event: Event) -> Things:
    return {
        f"the setting {name}": Version((str(getattr(event.details, name)) or "not set",))
        for name in ("name", "paper", "schedule", "notice", "live_address", "backup")
    }


# Boards and turns


def of_board(event: Event, game: Game) -> Things:
    """A game as it stands: its phase, position, seats, votes and end."""
    position = write_position(game.position)
    units = [
        f"{power.title()} ({game.seating.last_players.get(power) or 'nobody'}): "
        f"{', '.join(position['units'].get(power, ()))}; {' '.join(position['centers'].get(power, ()))}"
        for power in game.seating.players
    ]
    votes = [f"vote, number {fact.number} of the journal" for fact in ending.votes_held(event, game.name)]
    over = [f"over: {game.ending}, number {game.end.fact.number} of the journal"] if game.ending and game.end else []
    newest = game.played[-1].fact.number if game.played else 0
    lines = (game.position.phase.in_words, *units, *votes, *over)
    return {f"board {game.name}": Version(lines, f"{newest} {position['dislodged']}")}


def of_turn(live: LiveDesk, turn: Turn) -> Things:
    """A power's sheet and rows as they count now, by what was typed, ruled and scanned."""
    return of_rows(live, turn, live.power(live.games[turn.board], turn.power))


def of_rows(live: LiveDesk, turn: Turn, power: PowerRows) -> Things:
    """As `of_turn`, of rows that may be of an earlier phase."""
    rows = [
        f"{row.line}. {row.ink or '(nothing written)'} = {write(row.order) if row.order else 'no order'}"
        for row in power.rows
    ]
    state = (f"the sheet: {power.state}", *texts_on_page(power.problems))
    return {f"{turn}": Version((*state, *rows), news_of(live, turn))}


def news_of(live: LiveDesk, turn: Turn) -> str:
    """What came in and was decided last for a turn."""
    decided = live.by_turn.get(turn, ())
    sheets = tuple((sheet.serial, sheet.news) for sheet in live.sheets(turn))
    return f"{decided[-1].number if decided else 0} {sheets}"


def of_decisions(live: LiveDesk, name: str) -> Things:
    """What somebody decided himself last, which he may take back."""
    decided = (*live.log(), *live.event.facts.select(PageIdentified, PageSetAside, ActTakenBack))
    mine = sorted(fact.number for fact in decided if fact.by == name)
    return {f"what {name} decided": Version(tuple(f"number {number} of the journal" for number in mine[-3:]))}


def of_item(live: LiveDesk, name: str, item: queue.QueueItem | None) -> Things:
    """What waits for a decision under a name; ``item``: None where nothing does any more."""
    if item is None:
        return {name: Version(("nothing waits for a decision here any more",))}
    match item:
        case queue.ReviewItem(turn, None, problem):
            lines = (*of_turn(live, turn)[str(turn)].lines, problem.text if problem else "")
        case queue.ReviewItem(row=Row() as row) | queue.Check(row=row):
            lines = (f"written: {row.ink}", row.reason, f"order: {write(row.order) if row.order else 'none'}")
        case queue.StrayPage(fact, _):
            lines = (fact.said.text,)
        case queue.Ready(board, phase, powers):
            turns = [Turn(board, phase, power.power) for power in powers]
            lines = tuple(f"{turn}: {line}" for turn in turns for line in of_turn(live, turn)[str(turn)].lines)
        case _:
            lines = ("it waits",)
    return {name: Version(lines, queue.item_fingerprint(live, item))}


def of_clock(clock: BigClock | None) -> Things:
    """The big clock; absent before it was ever started."""
    if clock is None:
        return {"the clock": ABSENT}
    state = "runs" if clock.since else f"is stopped after {write_count(round(clock.elapsed_s), 'second')}"
    return {"the clock": Version((f"{clock.label}: {state}",), str(clock.number))}


def of_dice(event: Event, round_number: int) -> Things:
    dice = [
        f"die {roll.number}: {roll.die if roll.seed else 'sealed'}"
        for roll in ending.rolls_of_round(event, round_number)
    ]
    return {f"the dice of round {round_number}": Version(tuple(dice))}


def of_standings(event: Event) -> Things:
    return {"the standings": Version(("everybody sees them" if standings_are_open(event) else "they are hidden",))}


def of_final_results(event: Event) -> Things:
    """Whether the results were published as final, and which; and what they are now, where the rules call for that."""
    fact = final_results(event)
    said = f"published as final, as number {fact.number} of the journal says" if fact else "not published as final"
    things = {"the final results": Version((said,))}
    if event.tournament.scoring.interim is None:
        return things
    places = places_shown(scored_event(event))
    lines = tuple(f"{place}. {name}: {total}" for name, (place, total) in places.items())
    return things | {"the results as they are": Version(lines)}


def name_guest(name: str) -> str:
    return f"{fold_name(name)}, who may log in"


def of_guests(guests: Iterable[Guest]) -> Things:
    """Who may log in, in which role; a new PIN is another version."""
    return {name_guest(guest.name): Version((f"{guest.name}: {guest.role}, PIN {guest.pin}",)) for guest in guests}


# Notes, journal and forms


def name_notes(said: LedgerEvent) -> str:
    """The notes of the kind of a fact."""
    return f"notes: {said.KIND}"


def of_notes(event: Event) -> Things:
    """The notes in force, together by kind and each by its number."""
    together: dict[str, tuple[str, ...]] = {}
    notes = notes_in_force(event)
    for note in notes:
        together[name_notes(note.fact.said)] = (*together.get(name_notes(note.fact.said), ()), note.words)
    things = {what: Version(lines) for what, lines in together.items()}
    return things | {f"note {note.fact.number}": Version((note.words,)) for note in notes}


def of_journal_lines(lines: Iterable[JournalLine]) -> Things:
    """Lines of the journal, with what would follow if they were taken back."""
    shown = [(line, line.as_json()) for line in lines]
    return {
        f"number {line.fact.number} of the journal": Version(
            (
                json["what"],
                json["standing"],
                json["would"] or json["why_not"],
                *(each["words"] for each in json["rests"]),
            )
        )
        for line, json in shown
    }


def of_forms_printed(event: Event) -> Things:
    """How many forms were printed."""
    count = sum(len(fact.said.forms) for fact in event.facts.select(FormsPrinted))
    return {"forms that were printed": Version((str(count),)) if count else ABSENT}


def of_form(form: FormIn, json: Mapping[str, Any]) -> Things:
    """A form that is in: its state, and what stands in its fields."""
    fields = [f"{answered.answer.name}: {answered.value}" for answered in form.answers]
    doubts = [f"asked: {doubt['field']}: {doubt['text']}" for doubt in json["doubts"]]
    newest = [fact for fact in (*form.rulings.values.values(), form.rulings.accepted, form.rulings.aside) if fact]
    decided = [f"decided: number {max(fact.number for fact in newest)} of the journal"] if newest else []
    return {f"form {form.id}": Version((str(json["state"]), *fields, *doubts, *decided))}
