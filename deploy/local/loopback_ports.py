"""Free ports of the loopback interface."""

import socket
from pathlib import Path

LOOPBACK = "127.0.0.1"


def is_free(port: int) -> bool:
    """Tell whether a server could listen on the port now."""
    with socket.socket() as probe:
        # As servers do, so that connections still in TIME_WAIT don't count as somebody listening.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
        return True


def free_port() -> int:
    """Find a port that is free at this moment."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def remembered_port(file: Path) -> int:
    """Give the port noted in the file if it is still free, else a new one, which is noted."""
    if file.exists():
        noted = file.read_text().strip()
        if noted.isdecimal() and is_free(int(noted)):
            return int(noted)
    port = free_port()
    file.write_text(f"{port}\n")
    return port


def noted_port(file: Path) -> int | None:
    """Give the port noted in the file, whoever listens there; None where nothing is noted."""
    noted = file.read_text().strip() if file.exists() else ""
    return int(noted) if noted.isdecimal() else None
