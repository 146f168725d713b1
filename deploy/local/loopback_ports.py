"""Free ports of the loopback interface."""

import socket
from pathlib import Path

LOOPBACK = "127.0.0.1"


def is_free(port: int) -> bool:
    """Return whether a server could listen on the port now."""
    with socket.socket() as probe:
        # As servers do: connections in TIME_WAIT do not occupy the port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
        return True


def free_port() -> int:
    """Return a port that is free at this moment."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def address_in_network() -> str:
    """Return the address of this machine in the network of its default route; the loopback address without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Of a documentation network (RFC 5737). Connecting a datagram socket sends nothing.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return LOOPBACK
        return str(probe.getsockname()[0])


def reserve_port(file: Path) -> int:
    """Return the port in the file if it is still free, else a new one, which is written to the file."""
    if file.exists():
        text = file.read_text().strip()
        if text.isdecimal() and is_free(int(text)):
            return int(text)
    port = free_port()
    file.write_text(f"{port}\n")
    return port


def read_port(file: Path) -> int | None:
    """Return the port in the file, None without one."""
    text = file.read_text().strip() if file.exists() else ""
    return int(text) if text.isdecimal() else None
