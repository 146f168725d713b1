"""Whether events come through to PostgreSQL: what waits in the streams, and whether a consumer lives."""

from collections.abc import Iterator

from common.wire.redis_keys import event_streams
from deploy.doctor.finding import Finding, warning, well, wrong
from deploy.doctor.installation import Installation
from deploy.local.counted_words import counted
from management_api.event_consumer.figures import stream_figures

#: A consumer gives a sign of life five times in each reclaim time, which is 5 s unless the settings say otherwise.
_SILENT_SECONDS = 30
_LATE_SECONDS = 60


def look_at_event_streams(installation: Installation) -> Iterator[Finding]:
    """Report the lag of all streams, and how many consumers give signs of life."""
    with installation.redis() as client:
        streams = [stream_figures(client, stream) for stream in event_streams()]
    waiting = sum(stream.waiting for stream in streams)
    oldest_seconds = max(stream.oldest_seconds for stream in streams)
    signs = {each.name: each.silent_ms / 1000 for stream in streams for each in stream.consumers}
    living = [name for name, silent_seconds in signs.items() if silent_seconds < _SILENT_SECONDS]
    events = counted(waiting, "event waits", "events wait")
    backlog = f"{events} for PostgreSQL, the oldest for {oldest_seconds:.0f} s."
    is_late = waiting > 0 and oldest_seconds > _LATE_SECONDS
    if not living:
        yield wrong(
            f"No event consumer gives a sign of life. {backlog if waiting else 'Nothing waits.'}",
            "Start `onboarding consumer`. Nothing is lost meanwhile, as long as Redis has memory.",
        )
    elif is_late:
        yield warning(
            backlog,
            "See `onboarding events status`: where the rate of storing is zero, the consumer's log says why; where it"
            " is not, start another consumer.",
        )
    else:
        consumers = counted(len(living), "event consumer lives", "event consumers live")
        yield well(f"{consumers}. {backlog if waiting else 'Nothing waits.'}")
