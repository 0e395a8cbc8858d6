"""Who may see and do what, and what keeps others out."""

import errno
import os
import threading
from pathlib import Path

import pytest

from pipeline.ledger.events import PageSetAside
from pipeline.problems import Stopped
from pipeline.web.logins import Role, new_guest, read_guest
from pipeline.web.network import PageAddresses
from pipeline.web.server import Alerts, Opened, listen, open_office
from web.conftest import PICTURE, SEATS, Browser, Time, make_event, stranger


def test_the_key_of_the_terminal_lets_the_director_in_and_a_wrong_one_does_not(opened: Opened) -> None:
    nobody = stranger(opened)
    assert (nobody.get("/door").status_code, "works once" in nobody.get("/door").text) == (200, False)
    assert "set-cookie" not in nobody.get("/door?key=guess").headers
    cookie = nobody.get(f"/door?key={opened.logins.key}").headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert nobody.get("/").status_code == 200


def test_a_pin_opens_only_for_its_own_name_and_five_wrong_ones_close_the_door(opened: Opened, time: Time) -> None:
    nobody = stranger(opened)
    assert nobody.post("/door", data={"name": "Tess", "pin": "222222"}).status_code == 403
    for _ in range(4):
        nobody.post("/door", data={"name": "Tess", "pin": "000000"})
    assert "wait a minute" in nobody.post("/door", data={"name": "Tess", "pin": "111111"}).text
    time.now += 61
    assert nobody.post("/door", data={"name": "Tess", "pin": "111111"}).status_code == 303


def test_wrong_pins_are_counted_over_all_addresses_together(opened: Opened, time: Time) -> None:
    for number in range(20):
        nobody = stranger(opened, f"192.168.1.{number}")
        assert nobody.post("/door", data={"name": "Tess", "pin": "000000"}).status_code == 403
        time.now += 20
    late = stranger(opened, "192.168.1.99").post("/door", data={"name": "Tess", "pin": "111111"})
    assert (late.status_code, "set-cookie" in late.headers) == (403, False)
    time.now += 600
    assert stranger(opened).post("/door", data={"name": "Tess", "pin": "111111"}).status_code == 303


def test_the_director_is_told_of_a_wrong_pin_and_nobody_else_is(tmp_path: Path) -> None:
    make_event(tmp_path / "cup")
    told: list[str] = []
    with open_office(tmp_path / "cup", SEATS, is_lan=True, clock=Time(), alerts=Alerts(wrong=told.append)) as opened:
        tess, anna = Browser(opened, "Tess"), Browser(opened, "Anna")
        assert "knock" not in tess.post("/api/alive")
        stranger(opened, "192.168.1.7").post("/door", data={"name": "Tess", "pin": "123456"})
        knock = tess.post("/api/alive")["knock"]
        assert "192.168.1.7" in knock
        assert "'Tess'" in knock
        assert "123456" not in knock
        assert "knock" not in anna.post("/api/alive")
    assert [words in knock for words in told] == [True]


def test_the_key_of_the_terminal_opens_once_and_at_this_machine_only(opened: Opened) -> None:
    link = f"/door?key={opened.logins.key}"
    assert "set-cookie" not in stranger(opened, "192.168.1.7").get(link).headers
    assert "set-cookie" in stranger(opened).get(link).headers
    again = stranger(opened).get(link)
    assert (again.status_code, "set-cookie" in again.headers) == (403, False)
    assert len(opened.office.failed_logins) == 2


def test_a_pin_is_good_for_the_office_that_gave_it_and_for_no_other(tmp_path: Path) -> None:
    make_event(tmp_path / "cup")
    first, second = (tuple(new_guest(name, Role.DIRECTOR) for name in ("Tess", "Ann")) for _ in range(2))
    with open_office(tmp_path / "cup", first, clock=Time()) as opened:
        assert stranger(opened).post("/door", data={"name": "Tess", "pin": first[0].pin}).status_code == 303
    with open_office(tmp_path / "cup", second, clock=Time()) as opened:
        old = stranger(opened).post("/door", data={"name": "Tess", "pin": first[0].pin})
        assert old.status_code == (303 if first[0].pin == second[0].pin else 403)


@pytest.mark.parametrize("origin", ["http://evil.example", "http://[", "//[", "http://]", "http://[::1"])
def test_a_post_from_another_origin_is_refused_even_with_the_token(tess: Browser, origin: str) -> None:
    tess.look()
    headers = {"X-Token": tess.token, "Origin": origin}
    assert tess.client.post("/api/act", json={}, headers=headers).status_code == 403


def test_a_page_that_is_asked_for_by_a_strange_name_or_address_is_refused(opened: Opened, tess: Browser) -> None:
    def ask(host: str) -> int:
        status: int = tess.client.get("/", headers={"Host": host}).status_code
        return status

    assert [ask(host) for host in ("rebound.example:8040", "192.168.1.5:8040", "[fe80::1]:8040")] == [421, 421, 421]
    opened.logins.pages_at = PageAddresses(("192.168.1.5",))
    assert [ask(host) for host in ("192.168.1.5:8040", "192.168.1.6:8040", "127.0.0.1:8040")] == [200, 421, 200]
    tess.client.base_url = "http://192.168.1.6:8040"  # the connection comes in at another of its addresses
    assert ask("192.168.1.6:8040") == 303, "to the page where one logs in: cookies are another's"


def test_power_names_always_player_names_never(tess: Browser) -> None:
    text = str(tess.look())
    assert "England" in text
    assert not [name for name in ("Ada", "Cem", "Dag", "Eva", "Gil") if name in text]


def test_nobody_reviews_the_board_he_plays_on(opened: Opened, tess: Browser) -> None:
    player = Browser(opened, "Bo")
    assert player.look()["item"] is None
    assert player.client.get("/picture/ffffffffffffffff-p1-r1.png").status_code == 403
    assert player.client.get("/api/legal", params={"turn": "1.1 S1901M AUSTRIA"}).status_code == 422
    tess.look()
    refusal = player.press("nothing", token=tess.item["token"], status=409)
    assert "changed" in refusal["said"]


def test_a_session_with_a_role_that_there_is_not_opens_nothing(opened: Opened, anna: Browser) -> None:
    """A damaged file of log-ins may hold any word."""
    assert anna.client.get("/api/next").status_code == 200
    with opened.logins.claims.transaction() as connection:
        connection.execute("UPDATE sessions SET role = 'admin'")
    answer = anna.client.get("/api/next")
    assert (answer.status_code, answer.headers.get("location", "")) != (200, "")
    assert "item" not in answer.text


def test_a_picture_is_served_by_its_own_name_only(tess: Browser) -> None:
    assert tess.client.get("/picture/ffffffffffffffff-p1-r1.png").content == PICTURE
    assert tess.client.get("/picture/..%2F..%2Fevent.db").status_code in (404, 422)
    assert tess.client.get("/out/event.db").status_code == 422


def test_without_lan_only_this_machine_is_listened_to() -> None:
    with listen(0, is_lan=False) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are counted in /proc")
def test_a_port_that_is_taken_is_told_and_nothing_is_left_open() -> None:
    def count_open() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    with listen(0, is_lan=False) as listener:
        port, before = listener.getsockname()[1], count_open()
        kept = []  # what is not closed is kept by the error, too
        for _ in range(3):
            with pytest.raises(Stopped, match="choose another --port") as refused:
                listen(port, is_lan=False)
            kept.append(refused)
        assert count_open() == before


def test_a_seat_without_a_name_or_with_an_unknown_role_is_refused() -> None:
    assert read_guest("Anna").role is Role.ASSISTANT
    for text in ("Anna:queen", "", *(f" :{role}" for role in Role)):
        with pytest.raises(Stopped, match="expected NAME:ROLE"):
            read_guest(text)


def settle_all(browser: Browser) -> None:
    """Let everything that waits be nothing, until the board is ready."""
    browser.look()
    while browser.shown["item"] is not None and browser.item["kind"] != "ready":
        match browser.item["kind"]:
            case "sheet":
                browser.press("sheet", value="no orders")
            case "check":
                browser.press("right")
            case _:
                browser.press("nothing")


def test_a_picture_waits_for_nobodys_key(opened: Opened, tess: Browser) -> None:
    row = "/picture/ffffffffffffffff-p1-r1.png"
    assert tess.client.get(row).headers["Content-Type"] == "image/png"
    is_held, is_asked = threading.Event(), threading.Event()
    was_asked: list[bool] = []

    def at_work() -> None:
        with opened.office.lock:
            is_held.set()
            was_asked.append(is_asked.wait(20))

    other = threading.Thread(target=at_work)
    other.start()
    is_held.wait()
    assert tess.client.get(row).content == PICTURE
    is_asked.set()
    other.join()
    assert was_asked == [True]


def test_whose_picture_it_is_is_looked_up_again_once_a_page_was_laid_elsewhere(opened: Opened, tess: Browser) -> None:
    office, page = opened.office, ("f" * 16, 1)
    assert office.board_of_page(*page) == "1.1"
    office.shown_on[page] = (office.live.laid_out, "1.2")
    assert office.board_of_page(*page) == "1.2"
    office.event.facts.write(PageSetAside(sha256="e" * 64, page=1, why=""), "Tess")
    tess.look()
    assert office.board_of_page(*page) == "1.1"


def test_a_page_with_the_token_of_another_event_or_login_is_told_so_and_shown_nothing(opened: Opened) -> None:
    tess, other = Browser(opened, "Tess"), Browser(opened, "phone")
    for path in ("/api/next", "/api/day", "/api/tables", "/api/journal"):
        assert tess.client.get(path, headers={"X-Token": tess.token}).status_code == 200
        for token in (other.token, ""):
            refused = tess.client.get(path, headers={"X-Token": token})
            assert (refused.status_code, "another event was opened here since" in refused.text) == (403, True)


@pytest.mark.parametrize("number", [errno.EIO, errno.EMFILE, errno.EACCES, errno.ENOSPC, errno.ENOENT, errno.EROFS])
def test_a_disk_that_fails_under_a_page_is_told_in_words(
    opened: Opened, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tess = Browser(opened, "Tess")

    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number), "/stick/cup-backups")

    monkeypatch.setattr("pipeline.desk.review.live.LiveDesk.refresh", fail)
    tried = [tess.client.get(path) for path in ("/api/next", "/api/day", "/api/tables", "/api/journal", "/live")]
    tried.append(tess.client.post("/api/act", json={}, headers={"X-Token": tess.token}))
    broken = [answer for answer in tried if answer.status_code == 507]
    assert len(broken) >= 5
    assert all("cup-backups" in answer.json()["where"] for answer in broken)
    page = tess.client.get("/api/next", headers={"accept": "text/html"})
    assert (page.status_code, "Traceback" in page.text) == (507, False)
