"""What only reads: a connection on which each statement is a transaction of its own, without a session around it."""

from sqlalchemy.orm import Session

from management_api.database.statement_cursors import StatementCursors


class Reading:
    """A pooled connection for the statements of `prepared.py`; nothing else can be run here."""

    __slots__ = ("cursors",)

    def __init__(self, cursors: StatementCursors) -> None:
        self.cursors = cursors


#: What an operation that only reads asks for: it is used by itself, and inside of changes.
Readable = Reading | Session
