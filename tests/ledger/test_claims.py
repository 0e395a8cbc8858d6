"""Who works on what, and who is logged in: as long as the machine runs, and no longer than that."""

from pathlib import Path

import pytest

from pipeline.ledger.claims import Claims, Login, digest_of
from pipeline.web.office import CLAIM_S, SESSION_S


def test_after_a_restart_of_the_machine_no_claim_holds_and_no_session_outlasts_its_day(tmp_path: Path) -> None:
    claims = Claims(tmp_path / "claims.db")
    long_up, fresh = 90_000.0, 40.0  # seconds since the machine was started
    anna = Login(digest=digest_of("a"), csrf="x", name="anna", role="assistant", until=long_up + SESSION_S)
    tess = Login(digest=digest_of("t"), csrf="x", name="tess", role="director", until=long_up + SESSION_S)
    claims.let_in(anna)
    assert claims.claim("row", anna, now=long_up, seconds=CLAIM_S)
    assert claims.held_by_others(tess, now=fresh, seconds=CLAIM_S) == {}
    assert claims.claim("row", tess, now=fresh, seconds=CLAIM_S)
    assert claims.login("a", now=long_up + 1, seconds=SESSION_S) == anna
    assert claims.login("a", now=fresh, seconds=SESSION_S) is None
    claims.close()


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
