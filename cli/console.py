"""Output of commands: numbers with their nouns, progress bars, JSON."""

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from sqlalchemy import Row


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
    """Print rows of one statement as a table, or as JSON; `none` is the heading without rows."""
    if as_json:
        print_json([row._asdict() for row in rows])
        return
    table = Table(*(rows[0]._fields if rows else (none,)))
    for row in rows:
        # As text, because a name may have markup.
        table.add_row(*(Text("" if value is None else str(value)) for value in row))
    Console().print(table)
