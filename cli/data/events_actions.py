"""The work of `onboarding events`."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from redis import Redis
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cli.connections import open_database, redis_url, spool_folder
from cli.console import plural, print_json, progress_bars
from cli.errors import CommandError
from cli.settings import CommandSettings
from common.wire.stream_records import StreamRecordError, decode_record
from edge_api.events.status import spooled_bytes
from management_api.db.engine import Database
from management_api.db.models.analytics import DeadLetter
from management_api.event_consumer.dead_letters import (
    DeadLetterFilter,
    count_dead_letters,
    delete_dead_letters,
    newest_dead_letters,
    replay_dead_letters,
)
from management_api.event_consumer.status import EventStatus, read_event_status
from management_api.event_consumer.stream import connect


def show_status(settings: CommandSettings, seconds: float, *, as_json: bool) -> None:
    """Print the status of events, as tables or as JSON."""
    measuring = Console(stderr=True).status("Measuring rates")
    with _servers(settings) as (database, client), measuring:
        status = read_event_status(database, client, seconds)
    folder = spool_folder(settings)
    spool_bytes = None if folder is None else spooled_bytes(folder)
    if as_json:
        print_json({**msgspec.to_builtins(status), "spool_bytes": spool_bytes})
        return
    console = Console()
    for table in _status_tables(status, spool_bytes):
        console.print(table)


def show_dead_letters(settings: CommandSettings, selected: DeadLetterFilter, limit: int, *, as_json: bool) -> None:
    """Print the newest dead letters, one a line."""
    with open_database(settings) as database, database.reading() as session:
        rows = [_outline(dead_letter) for dead_letter in newest_dead_letters(session, selected, limit)]
        count = count_dead_letters(session, selected)
    if as_json:
        print_json(rows)
        return
    table = Table(*rows[0] if rows else ("no dead letters",))
    for row in rows:
        # As text, because a reason may quote anything.
        table.add_row(*(Text("" if value is None else str(value)) for value in row.values()))
    Console().print(table)
    if count > len(rows):
        Console(stderr=True).print(f"{plural(count - len(rows), 'older dead letter')} not shown; see --limit.")


def show_dead_letter(settings: CommandSettings, dead_letter_id: int) -> None:
    """Print one dead letter with its content."""
    with open_database(settings) as database, database.reading() as session:
        found = newest_dead_letters(session, DeadLetterFilter(ids=(dead_letter_id,), include_replayed=True), 1)
        if not found:
            raise CommandError(f"there is no dead letter {dead_letter_id}")
        content = _outline(found[0]) | _content(found[0].body)
    print_json(content)


def replay_selected(settings: CommandSettings, selected: DeadLetterFilter, *, dry_run: bool) -> None:
    """Put dead letters back into their streams, with a progress bar."""
    console = Console(stderr=True)
    with _servers(settings) as (database, client):
        if dry_run:
            with database.reading() as session:
                count = count_dead_letters(session, selected)
            console.print(f"{plural(count, 'dead letter')} would be replayed.", highlight=False)
            return
        with progress_bars(console) as progress:
            task = progress.add_task("replaying", total=None)
            count = replay_dead_letters(
                database, client, selected, lambda done, total: progress.update(task, completed=done, total=total)
            )
    console.print(
        f"{plural(count, 'dead letter')} put back into the streams; see `onboarding events status`.", highlight=False
    )


def delete_selected(settings: CommandSettings, selected: DeadLetterFilter, *, dry_run: bool) -> None:
    """Delete dead letters."""
    with open_database(settings) as database, database.transaction() as session:
        count = count_dead_letters(session, selected) if dry_run else delete_dead_letters(session, selected)
    outcome = "would be deleted" if dry_run else "deleted"
    Console(stderr=True).print(f"{plural(count, 'dead letter')} {outcome}.", highlight=False)


@contextmanager
def _servers(settings: CommandSettings) -> Iterator[tuple[Database, Redis]]:
    """Open both servers."""
    with open_database(settings) as database, connect(redis_url(settings)) as client:
        yield database, client


def _outline(dead_letter: DeadLetter) -> dict[str, Any]:
    replayed_at = dead_letter.replayed_at
    return {
        "id": dead_letter.id,
        "project_id": dead_letter.project_id,
        "reason": dead_letter.reason,
        "attempts": dead_letter.attempts,
        "created_at": dead_letter.created_at.isoformat(timespec="seconds"),
        "last_failed_at": dead_letter.last_failed_at.isoformat(timespec="seconds"),
        "replayed_at": replayed_at.isoformat(timespec="seconds") if replayed_at else None,
    }


def _content(body: bytes) -> dict[str, Any]:
    try:
        record = decode_record(body)
    except StreamRecordError:
        return {"body": base64.b64encode(body).decode()}
    return {"record": msgspec.structs.asdict(record)}


def _status_tables(status: EventStatus, spool_bytes: int | None) -> Iterator[Table]:
    streams = Table("stream", "waiting", "of these read", "oldest (s)", title="Events that are not in PostgreSQL yet")
    for stream in status.streams:
        streams.add_row(stream.stream, f"{stream.waiting:,}", f"{stream.pending:,}", f"{stream.oldest_seconds:.1f}")
    streams.add_section()
    streams.add_row("all", f"{status.waiting:,}", f"{status.pending:,}", f"{status.oldest_seconds:.1f}")
    yield streams
    yield _consumer_table(status)
    rates = Table("arriving (events/s)", "stored (events/s)", "in the spool", title="Rates")
    spool = "unknown" if spool_bytes is None else f"{spool_bytes:,} bytes"
    rates.add_row(f"{status.arriving_a_second:,.0f}", f"{status.stored_a_second:,.0f}", spool)
    yield rates
    if status.dead_letters:
        dead_letters = Table("reason", "dead letters", "being replayed", "oldest", title="Dead letters")
        for kind in status.dead_letters:
            oldest = kind.oldest_at.isoformat(timespec="seconds")
            dead_letters.add_row(kind.kind, f"{kind.letters:,}", f"{kind.replayed:,}", oldest)
        yield dead_letters


def _consumer_table(status: EventStatus) -> Table:
    pending: dict[str, int] = {}
    idle_ms: dict[str, int] = {}
    for consumer in (consumer for stream in status.streams for consumer in stream.consumers):
        pending[consumer.name] = pending.get(consumer.name, 0) + consumer.pending
        idle_ms[consumer.name] = min(idle_ms.get(consumer.name, consumer.idle_ms), consumer.idle_ms)
    table = Table("consumer", "pending", "last heartbeat (s ago)", title="Consumers" if pending else "No consumer")
    for name in sorted(pending):
        table.add_row(name, f"{pending[name]:,}", f"{idle_ms[name] / 1000:.1f}")
    return table
