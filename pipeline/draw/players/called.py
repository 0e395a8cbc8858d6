"""Whom somebody means: a whole name in any case, or its first words, such as the first name, where they are unique."""

from collections.abc import Iterable

from pipeline.rules.toml.table import did_you_mean


def meant_by(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """Everybody who may be meant: one where it is clear, several where it is not, nobody where it is unknown.

    >>> names = ("Anna Berg", "Anna Lind", "Bo", "Bo Ek", "Cy Day")
    >>> meant_by("cy", names), meant_by("Bo", names), meant_by("Anna", names), meant_by("Dee", names)
    (('Cy Day',), ('Bo',), ('Anna Berg', 'Anna Lind'), ())
    """
    names = tuple(names)
    wanted = text.casefold().split()
    if text in names:
        return (text,)
    whole = tuple(name for name in names if name.casefold().split() == wanted)
    begun = tuple(name for name in names if wanted and name.casefold().split()[: len(wanted)] == wanted)
    return whole or begun


def full_name(text: str, names: Iterable[str]) -> str:
    """The name of the one who is meant; where it is nobody, or not clear, the text as it is.

    >>> full_name("cy", ("Cy Day", "Bo Ek"))
    'Cy Day'
    """
    found = meant_by(text, names)
    return found[0] if len(found) == 1 else text


def not_called(text: str, names: Iterable[str]) -> str:
    """Say that a name is nobody's, or may be that of several.

    >>> not_called("Anna", ("Anna Berg", "Anna Lind"))
    "'Anna' may be Anna Berg or Anna Lind; say which"
    >>> not_called("Bo Eck", ("Anna Berg", "Bo Ek"))
    "nobody on the roster is called 'Bo Eck'; did you mean 'Bo Ek'?"
    """
    names = tuple(names)
    if len(found := meant_by(text, names)) > 1:
        return f"{text!r} may be {' or '.join(found)}; say which"
    return f"nobody on the roster is called {text!r}{did_you_mean(text, names)}"
