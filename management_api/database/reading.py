"""What only reads: a connection on which each statement is a transaction of its own, without a session around it."""

from typing import Any

import psycopg
from sqlalchemy.orm import Session


class Reading:
    """A pooled connection for the statements of `prepared.py`; nothing else can be run here."""

    __slots__ = ("cursor",)

    def __init__(self, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
        #: One for all statements: making a cursor costs a third of what a short statement does.
        self.cursor = connection.cursor()


#: What an operation that only reads asks for: it is used by itself, and inside of changes.
Readable = Reading | Session
