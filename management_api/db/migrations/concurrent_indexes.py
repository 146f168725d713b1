"""Builds indexes beside requests and consumers, for migrations."""

from alembic import op
from sqlalchemy import text

TIMEOUTS = ("lock_timeout", "statement_timeout")


def build_concurrently(name: str, definition: str, *, unique: bool = False) -> None:
    """Build an index CONCURRENTLY; call it inside `autocommit_block`. `definition` begins with ON.

    The build takes as long as the table is large, and waits for every transaction that is older. Requests do not wait
    for it, so it has no timeout. The timeouts of the migration hold again afterwards.
    """
    connection = op.get_bind()
    former = {timeout: connection.scalar(text(f"SHOW {timeout}")) for timeout in TIMEOUTS}
    for timeout in TIMEOUTS:
        op.execute(f"SET {timeout} = 0")
    # An interrupted run leaves an invalid index.
    op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
    op.execute(f"CREATE {'UNIQUE ' if unique else ''}INDEX CONCURRENTLY {name} {definition}")
    for timeout, value in former.items():
        op.execute(f"SET {timeout} = '{value}'")
