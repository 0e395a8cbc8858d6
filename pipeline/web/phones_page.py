"""The page *phones*: its address as a QR code, the certificate's fingerprint, who may log in, and who is logged out."""

from typing import Any

from starlette.routing import Route

from pipeline.draw.same_names import name_key
from pipeline.ledger.claims import Login
from pipeline.printable import unprintable
from pipeline.problems import stop
from pipeline.web import versions
from pipeline.web.app import Pages, text_of
from pipeline.web.logins import Logins, NetworkSwitch, Right, Role, new_guest
from pipeline.web.network import network_addresses
from pipeline.web.office import Office
from pipeline.web.shown import ABSENT, Things, Version

LONGEST_NAME = 60  # letters
ROLES = {  # what somebody at a browser may do
    Role.DIRECTOR: "director: everything",
    Role.ASSISTANT: "assistant: settles and types, publishes nothing",
    Role.UPLOAD: "phone: hands in pictures of sheets",
    Role.SCREEN: "screen: shows what is published",
}


def phone_routes(pages: Pages) -> list[Route]:
    logins = pages.logins

    def see_guest(office: Office, login: Login, body: dict[str, Any]) -> Things:
        return _see_guest(logins, body)

    return [
        *pages.written_page(
            "/room",
            "room.html",
            Right.PUBLISH,
            lambda office, *_: _show_room(office, logins),
            lambda *_: _see_room(logins),
        ),
        pages.act(
            "/api/room/network",
            lambda office, _, body: _switch(office, logins.network, body),
            Right.PUBLISH,
            lambda *_: _see_network(logins),
            is_long=True,
        ),
        pages.act("/api/room/add", lambda office, _, body: _add_guest(office, logins, body), Right.PUBLISH, see_guest),
        pages.act("/api/room/away", lambda _, login, body: _send_away(logins, login, body), Right.PUBLISH, see_guest),
    ]


def _add_guest(office: Office, logins: Logins, body: dict[str, Any]) -> dict[str, Any]:
    """Expect somebody else at a browser: he comes in by the PIN that is made for him.

    If he may be a player, the answer is the question, and only with ``other`` is he somebody else, also later.
    """
    name, role = " ".join(text_of(body, "name").split()), str(body.get("role", ""))
    if not name or len(name) > LONGEST_NAME:
        raise stop("type a name", "name")
    if fault := unprintable(name):
        raise stop(f"the name holds {fault}", "name")
    if role not in tuple(Role):
        raise stop(f"expected one of {', '.join(Role)}", "role")
    is_listed = name_key(name) in {name_key(guest.name) for guest in logins.guests}
    meant = office.players_meant(name, role)
    if meant and body.get("other") is not True:
        players = [(f"This is {each}", {"name": each}) for each in meant]
        question = f"Is {name} a player? Players see no rows of their own boards."
        return {
            "asks": meant,
            "question": question,
            "choices": [*players, (f"{name} is somebody else", {"other": True})],
        }
    office.tell_apart(name, meant)
    if meant and is_listed:
        return {"said": f"{name} is known now"}
    if is_listed:
        raise stop("somebody of this name may log in already; the PIN is in the list", "name")
    logins.guests = (*logins.guests, new_guest(name, Role(role)))
    return {"said": f"{name} may log in, with the PIN in the list"}


def _show_room(office: Office, logins: Logins) -> dict[str, Any]:
    code = logins.pages_at.code(logins.port)
    return {
        "networks": [] if logins.pages_at.addresses else list(network_addresses()),
        "addresses": [logins.pages_at.url(each, logins.port) for each in logins.pages_at.addresses],
        "fingerprint": logins.pages_at.fingerprint,
        "fixed": _fixed_way(logins.network),
        "code": code.svg_data_uri(scale=8, border=3) if code else "",
        "seats": [
            {
                "name": guest.name,
                "role": str(guest.role),
                "may": ROLES[guest.role],
                "pin": guest.pin,
                "browsers": logins.browsers_of(guest),
                "meant": office.players_meant(guest.name, guest.role),
            }
            for guest in logins.guests
        ],
        "roles": [[str(role), words] for role, words in ROLES.items()],
    }


def _send_away(logins: Logins, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    name, role = text_of(body, "name"), text_of(body, "role")
    pin = logins.send_all_away(name, role, login).pin
    return {"pin": pin, "said": f"{name} ({role}) is logged out; the new PIN is {pin}"}


def _see_room(logins: Logins) -> Things:
    return versions.of_guests(logins.guests) | _see_network(logins)


def _see_guest(logins: Logins, body: dict[str, Any]) -> Things:
    """Somebody who may log in, or that nobody of this name may."""
    name = versions.name_guest(" ".join(text_of(body, "name").split()))
    return {name: versions.of_guests(logins.guests).get(name, ABSENT)}


def _see_network(logins: Logins) -> Things:
    return {"the network": Version((", ".join(logins.pages_at.addresses) or "off",))}


def _fixed_way(network: NetworkSwitch | None) -> str:
    """Whether a desk that was started for the network is encrypted; nothing where that can be chosen."""
    if network is None or not network.began.addresses:
        return ""
    return "encrypted" if network.began.is_tls else "plain"


def _switch(office: Office, network: NetworkSwitch | None, body: dict[str, Any]) -> dict[str, Any]:
    """Open the pages to the room's network, or close them to it."""
    if network is None:
        raise stop("these pages are not served over a network", "network")
    if body.get("on") is True:
        network.switch_on(office.event, text_of(body, "address"), is_tls=body.get("encrypted") is not False)
        return {"said": "the pages are open to the network"}
    network.switch_off()
    return {"said": "the pages are closed to the network"}
