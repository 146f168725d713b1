"""Every name that we use in Redis. A key of a project carries its id as the hash tag, so that it lives in one slot."""

import mmh3

#: The stream of published revisions: entries `project`, `revision`, `deleted` ("0" or "1").
CHANGE_STREAM = "onboarding:changes"

#: The change stream is a signal, not a store: whoever missed more than this reconciles.
CHANGE_STREAM_LENGTH = 100_000

#: The format of the snapshots that Redis holds. Where it is absent, so are (some of) the snapshots.
SNAPSHOT_FORMAT = "onboarding:snapshot-format"

#: Events are spread over this many streams by project.
EVENT_SHARDS = 4

#: A sorted set of the secret keys that opened a request lately: members `project_id/key_id`, scores Unix milliseconds.
#: The event consumer empties it. The prefix is that of the streams, so the same users of Redis may reach it.
KEY_USE = "onboarding:events:key-use"

#: The consumer group that drains the event streams into PostgreSQL.
EVENT_GROUP = "postgresql"

#: The single field of an entry of an event stream; `stream_records.py` says what is in it.
EVENT_FIELD = "r"

#: Beside it, in an entry that was a dead letter: the letter's id, and how often it has failed.
LETTER_FIELD = "letter"
ATTEMPTS_FIELD = "attempts"


def snapshot_key(project_id: str) -> str:
    """Name the hash of a project's snapshot: fields `revision` and `body`."""
    return f"onboarding:snapshot:{{{project_id}}}"


def event_stream(shard: int) -> str:
    """Name the event stream of one shard."""
    return f"onboarding:events:{{{shard}}}"


def event_stream_of(project_id: str) -> str:
    """Name the event stream that a project's events go to."""
    return event_stream(mmh3.hash(project_id, 0, signed=False) % EVENT_SHARDS)


def event_streams() -> tuple[str, ...]:
    """Name all event streams."""
    return tuple(event_stream(shard) for shard in range(EVENT_SHARDS))


def rate_limit_key(bucket_digest: str, window: int) -> str:
    """Name the count of one rate-limit bucket in one window."""
    return f"onboarding:rate:{{{bucket_digest}}}:{window}"
