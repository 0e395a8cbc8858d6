"""Read a section of a rules file into its class: the class's own annotations say what is allowed."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from pipeline.board.map import Power
from pipeline.rules.toml.setting import ASK, Choice, Setting
from pipeline.rules.toml.table import MOST, Table, did_you_mean, in_short, is_counted

S = TypeVar("S")
Fault = Callable[[str], None]
NONE = "none"
NEVER: Mapping[Any, Any] = {float: 1.0, int: 0}  # a word would have to be as near as can be
MISSING_RULE = "missing; quote the rule that says so, such as 'WDC08 12.4'"
BAD = object()  # a value that has been complained about


def read_section(kind: type[S], table: Table, path: str, special: Mapping[str, Any] | None = None) -> S:
    """Read one section, which stands at ``path`` in its file; ``special`` are fields that its caller has read."""
    hints = get_type_hints(kind, include_extras=True)
    values: dict[str, Any] = dict(special or {})
    for each in fields(kind):  # type: ignore[arg-type]  # every section is a dataclass
        hint = hints[each.name]
        if each.name in values:
            continue
        here = f"{path}.{each.name}"
        if get_origin(hint) is Annotated:
            values[each.name] = read_setting(get_args(get_args(hint)[0])[0], table, each.name, here)
        elif is_dataclass(hint):
            values[each.name] = read_section(hint, table.table(each.name), here)  # type: ignore[arg-type]
    table.finish()
    return kind(**values)


def read_setting(kind: Any, table: Table, key: str, path: str) -> Setting[Any]:
    """Read ``key = { value = …, rule = "…", why = "…" }``, or ``key = "ask"``, or nothing; it stands at ``path``."""
    table.asked.add(key)
    written = table.values.get(key, ASK)
    if not isinstance(written, dict):
        if written != ASK:
            example = f'{{ value = {written!r}, rule = "…" }}'.replace("'", '"')
            table.fault(key, f"a value needs the rule it comes from; write {example}, or 'ask' where there is none")
        return Setting(silent(kind), left_open=True, path=path)
    inside = Table(written, table.path(key), table.problems)
    rule, why = inside.get("rule", str, ""), inside.get("why", str, "")
    inside.asked.update(("value", "otherwise"))
    if "value" not in written:
        inside.fault("value", f"missing; expected {wanted(kind)}")
        inside.finish()
        return Setting(silent(kind), left_open=True, path=path)
    if written["value"] == ASK:
        if "otherwise" in written:
            inside.fault("otherwise", "nothing to differ from: the director is asked in any case; leave it out")
        inside.finish()
        return Setting(silent(kind), rule, why, left_open=True, path=path)
    found = convert(written["value"], kind, lambda text: inside.fault("value", text))
    if not rule and found is not BAD:
        inside.fault("rule", MISSING_RULE)
    other = read_other(kind, inside, found)
    inside.finish()
    return Setting(silent(kind) if found is BAD else found, rule, why, path=path, otherwise=other)


def read_other(kind: Any, inside: Table, value: Any) -> Any:
    """Read ``otherwise``, the value by the other way to read the rule; ``why`` says why it is not taken."""
    if "otherwise" not in inside.values:
        return None
    found = convert(inside.values["otherwise"], kind, lambda text: inside.fault("otherwise", text))
    if found == value and found is not BAD:
        text = "is the value itself; leave it out where the rule can be read in one way only"
        inside.fault("otherwise", f"{inside.values['otherwise']!r} {text}")
    elif not inside.values.get("why"):
        inside.fault("why", "missing; say why the rule is read as it is")
    return None if found is BAD else found


def silent(kind: Any) -> Any:
    """The value of a switch on which the rules are silent."""
    if is_choice(kind):
        return kind(ASK)
    if get_origin(kind) is tuple:
        return ()
    return NEVER.get(kind)


def convert(value: Any, kind: Any, fault: Fault) -> Any:
    """Make the typed value of what stands in the file, or say what is wrong with it and give back `BAD`."""
    if get_origin(kind) in (Union, UnionType):
        if value == NONE:
            return None
        return convert(value, get_args(kind)[0], fault)
    if get_origin(kind) is tuple:
        return convert_list(value, get_args(kind)[0], fault)
    if is_choice(kind) or kind is Power:
        return convert_word(value, kind, fault)
    return convert_number(value, kind, fault)


def convert_list(value: Any, kind: Any, fault: Fault) -> Any:
    """Make a tuple of a list."""
    if not isinstance(value, list):
        fault(f"expected a list, found {value!r}")
        return BAD
    found = tuple(convert(each, kind, fault) for each in value)
    return BAD if BAD in found else found


def convert_word(value: Any, kind: Any, fault: Fault) -> Any:
    """Make a member of a closed list of words."""
    allowed = tuple(str(member) for member in kind)
    if value in allowed:
        return kind(value)
    near = did_you_mean(value, allowed) if isinstance(value, str) else ""
    fault(f"{value!r} is not one of {', '.join(allowed)}{near}")
    return BAD


def convert_number(value: Any, kind: Any, fault: Fault) -> Any:
    """Make a number or a text, or leave it as it is for who knows better. Points are exact: whole, or "1/2"."""
    if kind is object:
        return tuple(value) if isinstance(value, list) else value
    if kind is Fraction:
        try:
            return Fraction(value) if isinstance(value, int | str) and not isinstance(value, bool) else BAD
        except (ValueError, ZeroDivisionError):
            fault(f"expected a whole number or a fraction such as '1/2', found {value!r}")
            return BAD
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        fault(f"expected {wanted(kind)}, found {value!r}")
        return BAD
    if isinstance(value, int | float) and not is_counted(value):
        fault(f"expected {wanted(kind)} up to {MOST:,}, found {in_short(value)}")
        return BAD
    return value


def is_choice(kind: Any) -> bool:
    """Say whether a type is a closed list of words."""
    return isinstance(kind, type) and issubclass(kind, Choice)


def wanted(kind: Any) -> str:
    """Name a type for a message."""
    if get_origin(kind) in (Union, UnionType):
        return f"{wanted(get_args(kind)[0])} or 'none'"
    if get_origin(kind) is tuple:
        return "a list"
    if is_choice(kind):
        return f"one of {', '.join(kind)}"
    return {int: "a whole number", float: "a number", str: "a text", Fraction: "a number"}.get(kind, str(kind))
