"""How often a connection waits for PostgreSQL, as libpq sees it: for BEGIN and COMMIT too."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg


@dataclass(frozen=True)
class Trips:
    """`number` is how often the server was asked and answered, `parsed` how often something not prepared."""

    number: int
    parsed: int


@contextmanager
def traced(connection: psycopg.Connection[Any], file: Path) -> Iterator[list[str]]:
    """Give a list that fills, when the block ends, with the sorts of messages that went over the wire inside it."""
    messages: list[str] = []
    with file.open("w+") as trace:
        connection.pgconn.trace(trace.fileno())
        try:
            yield messages
        finally:
            connection.pgconn.untrace()
            trace.seek(0)
            # A line is: when, F(rontend) or B(ackend), the length, the sort of message, what it says.
            fields = (line.split("\t") for line in trace)
            messages += [
                sort.strip() for _, side, _, sort, *_ in (each for each in fields if len(each) > 3) if side in "FB"
            ]


def trips_of(messages: list[str]) -> Trips:
    """Count what was traced."""
    return Trips(messages.count("ReadyForQuery"), messages.count("Parse"))
