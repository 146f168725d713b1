"""Ports for the programs of a benchmark."""

import socket


def free_port() -> int:
    """Give a port of the loopback that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
