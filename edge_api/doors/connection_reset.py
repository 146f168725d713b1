"""How a connection is ended whose client takes nothing of what it was sent."""

import asyncio
import socket
import struct

#: Close with a reset.
_AT_ONCE = struct.pack("ii", 1, 0)


def reset(transport: asyncio.Transport) -> None:
    """End a connection and throw away what was written to it.

    After an ordinary close the kernel keeps that, megabytes for each connection, and offers it for many minutes more.
    """
    connection = transport.get_extra_info("socket")
    if connection is not None and connection.family != socket.AF_UNIX:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
    transport.abort()
