"""Whether changes are published: what waits in the outbox, and whether a publisher is there."""

from collections.abc import Iterator

from deploy.doctor.finding import Finding, warning, well, wrong
from deploy.doctor.installation import Installation
from deploy.local.counted_words import counted
from management_api.database.publications import NOTIFY_CHANNEL

_WAITING = """
    SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(updated_at)), 0)::float8
    FROM publications WHERE published_revision < wanted_revision
"""
#: A publisher's listening connection has never run anything else.
_LISTENING = """
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query = %s
"""
#: A publisher takes a fraction of a second, and tries a project that has failed again every half minute.
_LONG_SECONDS = 30


def look_at_publications(installation: Installation) -> Iterator[Finding]:
    """Report the outbox, and how many publishers listen."""
    with installation.postgresql() as cursor:
        [(waiting, oldest_seconds)] = cursor.execute(_WAITING).fetchall()
        [(publishers,)] = cursor.execute(_LISTENING, [f"LISTEN {NOTIFY_CHANNEL}"]).fetchall()
    projects = counted(waiting, "project waits", "projects wait")
    backlog = f"{projects} to be published, the oldest change for {oldest_seconds:.0f} s."
    is_late = waiting > 0 and oldest_seconds > _LONG_SECONDS
    if not publishers:
        sentence = f"No publisher listens to the database. {backlog if waiting else 'Nothing waits.'}"
        remedy = "Start `onboarding publisher`; its log says `publisher.outage` where it cannot reach a server."
        yield wrong(sentence, remedy) if is_late else warning(sentence, remedy)
    elif is_late:
        yield wrong(
            backlog,
            "Look into the publisher's log: `publication.failed` names a project that cannot be compiled (a wrong"
            " master key is `InvalidTag`), `publisher.outage` a server that is away.",
        )
    else:
        listening = counted(publishers, "publisher listens", "publishers listen")
        yield well(f"{listening}. {backlog if waiting else 'Nothing waits.'}")
