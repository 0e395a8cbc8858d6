"""Plays Windows to every Python process that starts with this folder on its path and PLAYS_WINDOWS, a folder.

What Windows does not have is hidden from the program. Inside the folder an audit hook refuses what Windows refuses: to
replace or delete a file that some process has open, names that it does not know or that differ from another's by case
only, folders that are opened (as for fsync), and paths of 260 letters.
"""

import builtins
import errno
import os
import re
import sys
from types import ModuleType
from typing import Any

MODULES = ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "posix", "msvcrt", "winreg")
CALLS: dict[str, tuple[str, ...]] = {
    "os": (
        *("fork", "forkpty", "geteuid", "getuid", "getegid", "getgid", "setuid", "getlogin", "killpg", "getpgid"),
        *("setsid", "mkfifo", "mknod", "chown", "fchmod", "fchown", "uname", "statvfs", "sync", "sched_getaffinity"),
        *("sched_setaffinity", "wait3", "wait4", "getloadavg", "nice", "O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK"),
    ),
    "signal": ("SIGKILL", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGQUIT", "alarm", "setitimer", "pthread_kill"),
    "time": ("CLOCK_BOOTTIME",),
    "socket": ("AF_UNIX", "SO_REUSEPORT"),
    "sys": (),
}
NO_NAME = re.compile(r'(?i)(con|prn|aux|nul|com\d|lpt\d)( *\..*)?$|.*[. ]$|.*[<>:"|?*\\\x00-\x1f]')
LONGEST = 259  # letters of a path
REFUSED = {"open", "os.rename", "os.remove", "os.mkdir", "os.link", "sqlite3.connect"}
OF_TWO = {"os.rename", "os.link"}  # what names two paths
IN_PLACE = {"os.rename", "os.remove"}  # what needs that nobody has the file open


class Poorer:
    """A module as the program sees it, without what Windows does not have."""

    def __init__(self, module: ModuleType) -> None:
        self.__dict__["module"] = module

    def __getattr__(self, name: str) -> Any:
        module = self.__dict__["module"]
        if name in CALLS[module.__name__]:
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r} here")
        return "win32" if (module.__name__, name) == ("sys", "platform") else getattr(module, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self.__dict__["module"], name, value)


def hide() -> None:
    """Hide from the program, and from what runs as a script, what Windows does not have."""
    poorer = {name: Poorer(__import__(name)) for name in CALLS}
    import_all = builtins.__import__

    def import_some(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:  # noqa: A002
        if str((globals or {}).get("__name__", "")).partition(".")[0] in ("pipeline", "__main__"):
            if name in MODULES:
                raise ImportError(f"no module named {name!r} here")
            if name in poorer and not fromlist:
                return poorer[name]
            if set(fromlist or ()) & set(CALLS.get(name, ())):
                raise ImportError(f"no {fromlist} in {name} here")
        return import_all(name, globals, locals, fromlist, level)

    builtins.__import__ = import_some


def refuse_name(path: str, folder: str) -> None:
    """Raise what Windows raises for a name that it cannot have; two names that differ by case are told here."""
    for part in os.path.relpath(path, folder).split(os.sep):
        if part not in (".", "..") and NO_NAME.match(part):
            raise OSError(errno.EINVAL, "no file of Windows has such a name", path)
    if len(path) > LONGEST:
        raise FileNotFoundError(errno.ENOENT, "the path is too long for Windows", path)
    above, name = os.path.split(path)
    others = os.listdir(above) if os.path.isdir(above) and not os.path.lexists(path) else ()
    if name.casefold() in (each.casefold() for each in others):
        raise OSError(errno.EINVAL, "on Windows these two names are one file", path)


def refuse_open(path: str) -> None:
    """Raise what Windows raises where a file that some process has open is to be replaced or deleted."""
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            numbers = os.listdir(f"/proc/{process}/fd")
        except OSError:  # it has ended, or is another user's
            continue
        for number in numbers:
            try:
                opened = os.readlink(f"/proc/{process}/fd/{number}")
            except OSError:
                continue
            if opened == path:
                raise PermissionError(errno.EACCES, f"process {process} has it open", path)


def refuse(event: str, args: tuple[Any, ...], folder: str) -> None:
    """Refuse one act on the folder that Windows would refuse."""
    named = args[: 2 if event in OF_TWO else 1]
    paths = [os.path.abspath(os.fsdecode(each)) for each in named if isinstance(each, str | bytes | os.PathLike)]
    for path in (path for path in paths if (path + os.sep).startswith(folder + os.sep)):
        refuse_name(path, folder)
        if event == "open" and args[1] is None and os.path.isdir(path):
            raise PermissionError(errno.EACCES, "Windows opens no folder", path)
        if event in IN_PLACE:
            refuse_open(path)


def play(folder: str) -> None:
    """Hide and refuse from now on; an audit hook cannot be taken out again."""
    hide()
    sys.addaudithook(lambda event, args: refuse(event, args, folder) if event in REFUSED else None)


if "PLAYS_WINDOWS" in os.environ:
    play(os.environ["PLAYS_WINDOWS"])
