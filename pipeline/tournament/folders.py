"""Where the data files are: at the top of a checkout, or inside an installed package."""

from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def data_folder(name: str) -> Path:
    """Find ``abbreviations``, ``templates/rules``, ``templates/sheets`` or ``samples``.

    >>> data_folder("templates/rules").is_dir()
    True
    """
    checkout = PACKAGE.parent / name
    return checkout if checkout.is_dir() else PACKAGE / "_data" / name
