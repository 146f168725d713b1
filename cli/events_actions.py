"""What the commands of `onboarding events` do: ask both servers, and print."""

import base64
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import redis
from pydantic import SecretStr
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cli.event_status import EventStatus, read_event_status, status_tables
from cli.plural import counted
from cli.progress_bars import progress_bars
from cli.server_addresses import server_addresses
from cli.server_errors import server_errors_as_one_line
from common.settings.shared import DatabaseSettings
from common.wire.stream_records import StreamRecordError, decode_record
from deploy.local.errors import StackError
from deploy.local.settings import StackSettings
from management_api.db.engine import Database
from management_api.db.models.analytics import DeadLetter
from management_api.event_consumer.dead_letters import (
    DeadLetterFilter,
    count_dead_letters,
    newest_dead_letters,
    replay_dead_letters,
)
from management_api.event_consumer.stream import connect


def show_event_status(settings: StackSettings, seconds: float, *, as_json: bool) -> None:
    """Print how events stand, as tables or as JSON."""
    measuring = Console(stderr=True).status("Measuring how fast events come and go")
    with _servers(settings) as (database, client), measuring:
        status = read_event_status(settings, database, client, seconds)
    if as_json:
        _print_json(status)
        return
    console = Console()
    for table in status_tables(status):
        console.print(table)


def show_letters(settings: StackSettings, which: DeadLetterFilter, limit: int, *, as_json: bool) -> None:
    """Print the newest letters, one a line."""
    with _servers(settings) as (database, _), database.reading() as session:
        letters = [_outline(letter) for letter in newest_dead_letters(session, which, limit)]
    if as_json:
        _print_json(letters)
        return
    table = Table(*letters[0] if letters else ("no dead letters",))
    for letter in letters:
        # As text, because a reason may quote anything.
        table.add_row(*(Text("" if value is None else str(value)) for value in letter.values()))
    Console().print(table)


def show_whole_letter(settings: StackSettings, letter_id: int) -> None:
    """Print one letter with what is in it."""
    with _servers(settings) as (database, _), database.reading() as session:
        found = newest_dead_letters(session, DeadLetterFilter(ids=(letter_id,), replayed_too=True), 1)
        if not found:
            raise StackError(f"there is no dead letter {letter_id}")
        shown = _outline(found[0]) | _content(found[0].body)
    _print_json(shown)


def replay(settings: StackSettings, which: DeadLetterFilter, *, dry_run: bool) -> None:
    """Put letters back into their streams, with a bar."""
    console = Console(stderr=True)
    with _servers(settings) as (database, client):
        if dry_run:
            with database.reading() as session:
                count = count_dead_letters(session, which)
            console.print(f"{_letters(count)} would be replayed.", highlight=False)
            return
        with progress_bars(console) as progress:
            task = progress.add_task("replaying", total=None)
            count = replay_dead_letters(
                database, client, which, lambda done, total: progress.update(task, completed=done, total=total)
            )
    console.print(f"{_letters(count)} put on the way again; `onboarding events status` tells.", highlight=False)


@contextmanager
def _servers(settings: StackSettings) -> Iterator[tuple[Database, redis.Redis]]:
    """Give both servers for the length of a chore."""
    addresses = server_addresses(settings)
    database = Database(DatabaseSettings(database_url=SecretStr(addresses.database_url)))
    client = connect(addresses.redis_url)
    try:
        with server_errors_as_one_line():
            yield database, client
    finally:
        client.close()
        database.close()


def _letters(count: int) -> str:
    return counted(count, "dead letter", "dead letters")


def _outline(letter: DeadLetter) -> dict[str, Any]:
    return {
        "id": letter.id,
        "project_id": letter.project_id,
        "reason": letter.reason,
        "attempts": letter.attempts,
        "created_at": letter.created_at.isoformat(timespec="seconds"),
        "last_failed_at": letter.last_failed_at.isoformat(timespec="seconds"),
        "replayed_at": letter.replayed_at.isoformat(timespec="seconds") if letter.replayed_at else None,
    }


def _content(body: bytes) -> dict[str, Any]:
    try:
        record = decode_record(body)
    except StreamRecordError:
        return {"body": base64.b64encode(body).decode()}
    return {"record": msgspec.structs.asdict(record)}


def _print_json(value: EventStatus | list[dict[str, Any]] | dict[str, Any]) -> None:
    # What devices sent may hold anything, so nothing goes to the terminal but what JSON escapes.
    json.dump(msgspec.to_builtins(value), sys.stdout, indent=2, default=str)
    sys.stdout.write("\n")
