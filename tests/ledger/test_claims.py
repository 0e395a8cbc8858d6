"""Who works on what, and who is logged in: as long as the machine runs, and no longer than that."""

import hashlib
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from pipeline.ledger.claims import Claims, Login, digest_of
from pipeline.web.logins import SESSION_S
from pipeline.web.office import CLAIM_S


def test_what_is_broken_off_is_not_written_and_keeps_nobody_else_from_writing(tmp_path: Path) -> None:
    claims, other = Claims(tmp_path / "claims.db"), Claims(tmp_path / "claims.db")
    anna = Login(digest=digest_of("a"), csrf="x", name="anna", role="assistant", until=SESSION_S)
    with pytest.raises(KeyError), claims.transaction() as connection:
        connection.execute("INSERT INTO claims SELECT 'row', 'b', 'tess', 10")
        raise KeyError
    assert other.claim("row", anna, now=1, seconds=CLAIM_S)
    assert claims.claim("row", anna, now=2, seconds=CLAIM_S)
    claims.close()
    other.close()


# Who works on what, after any history of three browsers at two desks: against a table of what each holds until when.

SECONDS, WHATS = 10.0, ("row 1", "row 2", "row 3")
PEOPLE = ("Tess", "Tess", "Bob")  # the first two are one person at two browsers


def browser(number: int, until: float) -> Login:
    return Login(digest=digest_of(f"c{number}"), csrf=f"x{number}", name=PEOPLE[number], role=f"r{number}", until=until)


@pytest.mark.parametrize("seed", range(4))
def test_a_claim_is_its_holders_until_it_ends_or_the_clock_begins_anew(tmp_path: Path, seed: int) -> None:
    dice, now = Random(seed), 100.0
    held = dict[str, tuple[int, float]]()
    inside = dict[int, float]()
    with closing(Claims(tmp_path / "claims.db")) as one, closing(Claims(tmp_path / "claims.db")) as other:
        for _ in range(60):
            claims, number, what = dice.choice((one, other)), dice.randrange(3), dice.choice(WHATS)
            login = browser(number, now + dice.choice((5.0, 10.0, 11.0)))
            holds = {each: (who, until) for each, (who, until) in held.items() if now < until <= now + SECONDS}
            match dice.randrange(9):
                case 0 | 1 | 2:
                    held = holds
                    is_mine = what not in held or held[what][0] == number
                    assert claims.claim(what, login, now=now, seconds=SECONDS) == is_mine
                    held |= {what: (number, now + SECONDS)} if is_mine else {}
                case 3:
                    kept = dice.choice((what, None))
                    claims.keep_only(kept, login)
                    held = {each: hold for each, hold in held.items() if hold[0] != number or each == kept}
                case 4:
                    claims.renew(login, now=now, seconds=SECONDS)
                    mine = {each for each, (who, until) in held.items() if who == number and until > now}
                    held |= dict.fromkeys(mine, (number, now + SECONDS))
                case 5:
                    claims.let_in(login)
                    inside[number] = login.until
                case 6:
                    claims.send_away(login)
                    inside.pop(number, None)
                    held = {each: hold for each, hold in held.items() if hold[0] != number}
                case 7:
                    stay = {number}
                    claims.free_what_was_left("Tess", {browser(who, 0).digest for who in stay})
                    held = {each: hold for each, hold in held.items() if hold[0] in stay or PEOPLE[hold[0]] != "Tess"}
                case _:
                    now = dice.choice((now + 1, now + 3, now + SECONDS, 1.0))  # the machine was started anew: 1.0
            for who in range(3):
                theirs = {w: PEOPLE[h] for w, (h, until) in held.items() if h != who and now < until <= now + SECONDS}
                assert other.held_by_others(browser(who, 0), now=now, seconds=SECONDS) == theirs
                until = inside.get(who, 0.0)
                found = one.login(f"c{who}", now=now, seconds=SECONDS)
                assert found == (browser(who, until) if now < until <= now + SECONDS else None)


def test_a_secret_is_kept_once_and_is_told_only_by_its_hash(tmp_path: Path) -> None:
    with closing(Claims(tmp_path / "claims.db")) as claims:
        claims.keep_secret("lot 1", "plum")
        claims.keep_secret("lot 1", "pear")
        claims.keep_secret("lot 2", "fig")
        shown = {word: hashlib.sha256(word.encode()).hexdigest() for word in ("plum", "pear", "fig")}
        found = {
            (name, word): claims.secret(name, sum_)
            for name in ("lot 1", "lot 2", "lot 3")
            for word, sum_ in shown.items()
        }
        assert {key: value for key, value in found.items() if value} == {
            ("lot 1", "plum"): "plum",
            ("lot 2", "fig"): "fig",
        }
