"""What hangs on a wall or lies on a table beside the sheets: seats, place cards, badges, and a text of one's own."""

from itertools import groupby

from pipeline.desk.event.event import Event
from pipeline.desk.players import Seats
from pipeline.draw.roster import Player, family_order
from pipeline.paper import printed_list
from pipeline.problems import stop
from pipeline.words.names import name_order

MANY = 60  # players; a list of more has its letters above them


def seats_pdf(event: Event, seating: Seats) -> bytes:
    """The seats to hang up, by board and by family name, on the event's paper."""
    speech = event.speech
    boards = tuple(
        printed_list.SeatBlock(
            ", ".join(filter(None, (speech.says("Board {board}", board=board), seating.pools.get(board)))),
            tuple((speech.power(power), name or speech.says("nobody")) for power, name in seats),
        )
        for board, seats in seating.boards
    )
    if seating.out:
        boards += (
            printed_list.SeatBlock(speech.says("Sit this round out"), tuple((name, "") for name in seating.out)),
        )
    about = {"event": event.details.name, "round": seating.round}
    heads = (
        speech.says("{event} · round {round} · boards", **about),
        speech.says("{event} · round {round} · players", **about),
    )
    parts = tuple(map(printed_list.SeatPart, heads, (boards, _blocks_by_family_name(event, seating))))
    return printed_list.print_seats(
        parts, event.details.paper, _file_title(event, event.speech.says("Seats")), speech.code
    )


def _file_title(event: Event, kind: str) -> str:
    return f"{kind} · {event.details.name}"


def _blocks_by_family_name(event: Event, seats: Seats) -> tuple[printed_list.SeatBlock, ...]:
    """Who sits where, by family name; of many players, those of each letter below it."""
    known = {player.name: player for player in event.people.players}
    rows = sorted(
        (family_order(known.get(name, Player(name=name))), name, f"{board} {event.speech.power(power)}")
        for name, board, power in seats.by_player
    )
    sits_out = event.speech.says("sits this round out")
    rows += [(family_order(known.get(name, Player(name=name))), name, sits_out) for name in seats.out]
    rows.sort()
    if len(rows) < MANY:
        return (printed_list.SeatBlock("", tuple((name, where) for _, name, where in rows)),)
    return tuple(
        printed_list.SeatBlock(letter, tuple((name, where) for _, name, where in lines))
        for letter, lines in groupby(rows, key=lambda row: row[0][0][:1].upper())
    )


def place_cards_pdf(event: Event, seating: Seats) -> bytes:
    """A card for every seat of a round, to be folded and put on the table."""
    cards = tuple(
        printed_list.SignCard(
            name=name,
            above=event.speech.says("Board {board}", board=board),
            below=event.speech.power(power),
        )
        for board, seats in seating.boards
        for power, name in seats
        if name
    )
    title = _file_title(event, event.speech.says("Place cards"))
    return printed_list.print_place_cards(cards, event.details.paper, title, event.speech.code)


def badges_pdf(event: Event) -> bytes:
    """A badge for every player, by name; who has gone home needs none."""
    players = sorted((each for each in event.players if not each.left), key=lambda each: name_order(each.name))
    cards = tuple(
        printed_list.SignCard(
            name=player.name,
            above=event.details.name,
            below=" · ".join(filter(None, (player.club or player.team, player.country))),
        )
        for player in players
    )
    return printed_list.print_badges(
        cards, event.details.paper, _file_title(event, event.speech.says("Badges")), event.speech.code
    )


def notice_pdf(event: Event, text: str) -> bytes:
    """A text to hang up; without one, the one that the public screen shows."""
    words = text.strip() or event.details.notice
    if not words:
        raise stop("there is no text; give one with --text", "notice")
    return printed_list.print_notice(words, event.details.paper, event.details.name, event.speech.code)
