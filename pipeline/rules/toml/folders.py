"""Where the data files are: at the top of a checkout, or inside an installed package."""

from pathlib import Path

PACKAGE = Path(__file__).parents[2]


def data_folder(name: str) -> Path:
    """Find ``abbreviations``, ``templates/rules``, ``templates/sheets`` or ``samples``.

    >>> data_folder("templates/rules").is_dir()
    True
    """
    packed = PACKAGE / "_data" / name  # there only in an installed package, which may have strangers beside it
    return packed if packed.is_dir() else PACKAGE.parent / name
