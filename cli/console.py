"""Output of commands: numbers with their nouns, progress bars, JSON."""

import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from sqlalchemy import Row

_ANY_WIDTH = 10_000


def plural(count: int, singular: str, plural_form: str | None = None) -> str:
    """Return a number and its noun: `1 event waits`, `1,200 events wait`. The default plural ends in `s`."""
    return f"{count:,} {singular if count == 1 else plural_form or f'{singular}s'}"


def progress_bars(console: Console) -> Progress:
    """Return bars with a description, the number of finished items, and the remaining time."""
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console
    )


def print_json(value: object) -> None:
    """Print as JSON, which escapes control characters that devices may have sent."""
    json.dump(msgspec.to_builtins(value), sys.stdout, indent=2, default=str)
    sys.stdout.write("\n")


def print_rows(rows: "Sequence[Row[*tuple[Any, ...]]]", none: str, *, as_json: bool) -> None:
    """Print rows of one statement as a table, with times in UTC, or as JSON; `none` is the heading without rows."""
    if as_json:
        print_json([row._asdict() for row in rows])
        return
    table = Table(*(rows[0]._fields if rows else (none,)))
    for row in rows:
        # As text, because a name may have markup.
        table.add_row(*(Text(_cell(value)) for value in row))
    console = Console()
    # An id that is cut is of no use for the next command, so a narrow terminal wraps the lines instead.
    console.width = max(console.width, Console(width=_ANY_WIDTH).measure(table).maximum)
    console.print(table)


def _cell(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC):%Y-%m-%d %H:%M}"
    return "" if value is None else str(value)
