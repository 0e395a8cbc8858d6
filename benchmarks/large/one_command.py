"""Run one command and say what it took, as JSON: ``python -I -S one_command.py COMMAND WORD…``.

A process is charged with the memory of the one that starts it until it runs a program of its own, so this one is small:
it imports nothing that it does not need.
"""

import os
import sys
import time

PER_MB = 1024 * 1024 if sys.platform == "darwin" else 1024  # of the unit in which the system counts


def main() -> None:
    """Run it, its words going nowhere."""
    if sys.platform == "win32":
        raise NotImplementedError("Windows does not tell what a process took")
    quiet = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    begun = time.perf_counter()
    number = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet)
    _, status, used = os.wait4(number, 0)
    clock, code = time.perf_counter() - begun, os.waitstatus_to_exitcode(status)
    print(f"[{used.ru_utime + used.ru_stime}, {clock}, {used.ru_maxrss // PER_MB}, {code}]")


if __name__ == "__main__":
    main()
