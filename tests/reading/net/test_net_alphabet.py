"""Texts are spelled in what the net can tell apart, and in nothing else."""

import pytest

from pipeline.reading.alphabet import CLASS_OF, CLASSES, spelling


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("A Vie - Boh", "avie-boh"),
        ("A. VIE → BOH", "avie-boh"),
        ("F StP (sc) => BOT", "fstp(sc)-bot"),
        ("F Spa/NC --> Mao", "fspa/nc-mao"),
        ("Bohême, Égée", "bohemeegee"),
        ("17", "17"),
        ("", ""),
    ],
)
def test_case_spaces_accents_and_the_shape_of_arrows_are_air(written: str, spelled: str) -> None:
    assert spelling(written) == spelled


def test_every_symbol_has_a_class_of_its_own_beside_the_blank() -> None:
    assert sorted(CLASS_OF.values()) == list(range(1, CLASSES))
