"""Run another program that ends with its parent: drop privileges, set the parent-death signal, exec.

The launcher starts each child through this script, in an interpreter without site packages (`-I -S`), because
- code between fork and exec in the launcher itself (preexec_fn) is not safe beside threads;
- the unprivileged account may be unable to reach the interpreter, so it starts before the account changes;
- a change of credentials clears the parent-death signal, so the signal is set after it.

Arguments: SIGNAL PARENT_PID ACCOUNT FOLDER [PROGRAM ARGUMENT...]; ACCOUNT is `UID:GID` or `-`. Without a program, the
exit code tells whether the account may enter the folder.
"""

import ctypes
import os
import sys

_PR_SET_PDEATHSIG = 1
_CANNOT_RUN = 126


def _drop_to(account: str) -> None:
    if account == "-":
        return
    user, group = (int(part) for part in account.split(":"))
    os.setgroups([])
    os.setgid(group)
    os.setuid(user)


def die_with(parent: int, signal: int) -> None:
    """Request the signal for the end of the parent (Linux); exit if the parent has ended already."""
    if sys.platform == "linux" and ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the parent-death signal cannot be set")
    if os.getppid() != parent:
        # The parent died before the signal was set.
        sys.exit(_CANNOT_RUN)


def _main(arguments: list[str]) -> None:
    signal, parent, account, folder, *program = arguments
    try:
        _drop_to(account)
        os.chdir(folder)
        die_with(int(parent), int(signal))
        if program:
            os.execv(program[0], program)  # noqa: S606 - no shell is wanted; the arguments are the launcher's own
    except OSError as error:
        sys.stderr.write(f"cannot run {program[:1]} as {account} in {folder}: {error.strerror}\n")
        sys.exit(_CANNOT_RUN)


if __name__ == "__main__":
    _main(sys.argv[1:])
