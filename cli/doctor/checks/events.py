"""Events between the edges and PostgreSQL: spool, streams, consumers, dead letters."""

import time
from collections.abc import Iterator
from typing import Any

from cli.connections import spool_folder
from cli.console import plural
from cli.doctor.installation import Installation
from cli.doctor.result import Result
from common.wire.redis_keys import USED_QUOTAS, event_streams
from common.wire.used_quotas import STATE_FIELD, UsedQuotas, decode_used_quotas
from edge_api.events.status import damaged_spool_files, spooled_bytes
from management_api.background.chores import CONSUMER_CHORES
from management_api.background.health import MAX_FAILING_SECONDS, chore_states
from management_api.event_consumer.dead_letters import UNKNOWN_PROJECT
from management_api.event_consumer.stream import stream_state
from publisher.schedules import PUBLISHER_CHORES


def check_spool(installation: Installation) -> Iterator[Result]:
    """Check the size of the spool on this machine, and for damaged files."""
    folder = spool_folder(installation.settings)
    size = None if folder is None else spooled_bytes(folder)
    if folder is None or size is None:
        yield Result.not_checked("No spool of an edge is known on this machine (ONBOARDING_EDGE_SPOOL_FOLDER).")
        return
    if damaged := damaged_spool_files(folder):
        files = plural(damaged, "file was", "files were")
        yield Result.error(
            f"{files} damaged on disk in the spool in {folder}; the readable events are stored.",
            "Check the disk; remove the files in `damaged/` when they are no longer needed.",
        )
    if size:
        yield Result.warning(
            f"{size:,} bytes of events wait on disk in {folder}.",
            "They are replayed when Redis takes them; with no edge running on this machine, start one.",
        )
    elif not damaged:
        yield Result.ok("No events wait on the disk of this machine.")


#: By the clock of PostgreSQL.
_LOST = """
    SELECT to_char(max(lost_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') FROM event_streams
    WHERE lost_at > clock_timestamp() - interval '7 days'
"""


def check_lost_streams(installation: Installation) -> Iterator[Result]:
    """Check whether Redis has lost event streams within a week."""
    with installation.postgresql() as cursor:
        [(lost_at,)] = cursor.execute(_LOST).fetchall()
    if lost_at is None:
        yield Result.ok("Redis has lost no event streams within a week.")
    else:
        yield Result.warning(
            f"Redis had lost event streams at {lost_at} UTC, with the events that were not stored.",
            "See OnboardingEventsLost in docs/operations/alerts.md. This line ends after a week.",
        )


#: A consumer has a heartbeat five times in each reclaim time, which is 5 s by default.
_STALE_SECONDS = 30
_LATE_SECONDS = 60


def check_event_streams(installation: Installation) -> Iterator[Result]:
    """Check the lag of all streams and the heartbeats of the consumers."""
    with installation.redis() as client:
        streams = [stream_state(client, stream) for stream in event_streams()]
    waiting = sum(stream.waiting for stream in streams)
    oldest_seconds = max(stream.oldest_seconds for stream in streams)
    idle_seconds = {consumer.name: consumer.idle_ms / 1000 for stream in streams for consumer in stream.consumers}
    live = [name for name, seconds in idle_seconds.items() if seconds < _STALE_SECONDS]
    events = plural(waiting, "event waits", "events wait")
    backlog = f"{events} for PostgreSQL, the oldest for {oldest_seconds:.0f} s."
    is_late = waiting > 0 and oldest_seconds > _LATE_SECONDS
    if not live:
        yield Result.error(
            f"No event consumer is running. {backlog if waiting else 'Nothing waits.'}",
            "Start `onboarding consumer`. Nothing is lost meanwhile, as long as Redis has memory.",
        )
    elif is_late:
        yield Result.warning(
            backlog,
            "See `onboarding events status`: where the rate of storing is zero, the consumer's log says why; where it"
            " is not, start another consumer.",
        )
    else:
        consumers = plural(len(live), "event consumer is running", "event consumers are running")
        yield Result.ok(f"{consumers}. {backlog if waiting else 'Nothing waits.'}")


#: So many projects are named.
_NAMED = 5


def check_quotas(installation: Installation) -> Iterator[Result]:
    """Name the projects that have used up a quota of the day, as the edges know them."""
    with installation.redis() as client:
        state: Any = client.hget(USED_QUOTAS, STATE_FIELD)
    used = UsedQuotas(0, {}) if state is None else decode_used_quotas(state)
    if not used.projects or used.resets_at <= time.time():
        yield Result.ok("No project has used up a quota of today.")
        return
    named = [f"{project_id} ({', '.join(sorted(quotas))})" for project_id, quotas in sorted(used.projects.items())]
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    yield Result.warning(
        f"Events get 429 until midnight UTC, because a quota is used up, of {', '.join(named[:_NAMED])}{more}.",
        "See OnboardingProjectOverQuota in docs/operations/alerts.md.",
    )


_LETTERS = """
    SELECT split_part(reason, ':', 1) AS kind, count(*) FROM dead_letters
    WHERE replayed_at IS NULL GROUP BY kind ORDER BY count(*) DESC, kind
"""


def check_dead_letters(installation: Installation) -> Iterator[Result]:
    """Count the dead letters by kind. Dead letters that are being replayed do not count."""
    with installation.postgresql() as cursor:
        kinds = dict(cursor.execute(_LETTERS).fetchall())
    if unknown := kinds.pop(UNKNOWN_PROJECT, 0):
        events = plural(unknown, "event is", "events are")
        yield Result.warning(
            f"{events} kept as dead letters because the project was never in this database.",
            "A restore loses projects that were made after the dump: run `onboarding snapshots rebuild`, so that edges"
            " stop serving them. docs/operations/data.md (Restore) has the steps.",
        )
    if kinds:
        named = ", ".join(f"{kind}: {count}" for kind, count in kinds.items())
        yield Result.warning(
            f"Some events could not be stored ({named}).",
            "See `onboarding events dead-letters list`; when the cause is fixed, replay them with `onboarding events"
            " dead-letters replay`.",
        )
    elif not unknown:
        yield Result.ok("There are no dead letters.")


def check_maintenance(installation: Installation) -> Iterator[Result]:
    """Check that each maintenance chore of consumers and publishers has succeeded lately."""
    names = [chore.name for chore in (*CONSUMER_CHORES, *PUBLISHER_CHORES)]
    with installation.postgresql() as cursor:
        chores = chore_states(cursor, names)
    problems = [chore for chore in chores if chore.reason is not None or chore.age_seconds > MAX_FAILING_SECONDS]
    for chore in problems:
        report = Result.error if chore.age_seconds > MAX_FAILING_SECONDS else Result.warning
        why = "and no process has tried since" if chore.reason is None else f"because of {chore.reason}"
        yield report(
            f"The maintenance chore {chore.name} has not succeeded for {chore.age_seconds / 60:.0f} min, {why}.",
            "See OnboardingMaintenanceFailing in docs/operations/alerts.md; consumers and publishers repeat it by"
            " themselves.",
        )
    if not chores:
        yield Result.not_checked("No consumer or publisher has run a maintenance chore yet.")
    elif not problems:
        yield Result.ok("All maintenance chores of consumers and publishers succeed.")
