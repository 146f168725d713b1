"""Servers of a whole test run: each has an owner process, which stops it at the end of the run.

The first worker that needs a server starts its owner. The workers end at different times, so the owner is no child of
theirs and watches the main process of the run.
"""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from cli.demo.files import replace_file
from deploy.local.supervision.file_lock import try_lock
from tests.support.polling import eventually

_START_SECONDS = 200.0
_FOREVER = float("inf")


def shared_server(run_folder: Path, module: str) -> str:
    """Return the address that the owner of the server wrote; the first call starts `module` as the owner."""
    name = module.rpartition(".")[2]
    address_file, log_file = run_folder / f"{name}.address", run_folder / f"{name}.log"
    lock = eventually(lambda: try_lock(run_folder / f"{name}.lock"), within=_START_SECONDS)
    try:
        if not address_file.exists():
            owner = _start_owner(module, address_file, log_file)
            eventually(lambda: address_file.exists() or _has_ended(owner), within=_START_SECONDS)
        if not address_file.exists():
            raise RuntimeError(f"{module} ended: {log_file.read_text(errors='replace')[-4000:]}")
        return address_file.read_text()
    finally:
        os.close(lock)


def own_server(serve: Callable[[Path], AbstractContextManager[str]]) -> None:
    """Serve as the owner until the run ends. `serve` accepts the log file and yields the address."""
    address_file, log_file, run_process = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    signal.signal(signal.SIGTERM, _exit)
    with serve(log_file) as address:
        replace_file(address_file, address.encode())
        eventually(lambda: not _is_alive(run_process), within=_FOREVER)


def _start_owner(module: str, address_file: Path, log_file: Path) -> int:
    # A worker of pytest-xdist is a child of the main process of the run.
    run_process = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    log = os.open(log_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        return os.posix_spawn(
            sys.executable,
            [sys.executable, "-m", module, str(address_file), str(log_file), str(run_process)],
            {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
            file_actions=[(os.POSIX_SPAWN_DUP2, log, 1), (os.POSIX_SPAWN_DUP2, log, 2)],
            # Ctrl-C at the terminal ends the run, and the owner ends after it.
            setsid=True,
        )
    finally:
        os.close(log)


def _has_ended(owner: int) -> bool:
    return os.waitpid(owner, os.WNOHANG) != (0, 0)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def _exit(_signal: int, _frame: object) -> None:
    sys.exit(0)
