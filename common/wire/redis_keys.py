"""All names in Redis. A key of a project has the project's id as its hash tag, so that it belongs to one slot."""

import mmh3

#: The stream of published revisions: entries `project`, `revision`, `deleted` ("0" or "1").
CHANGE_STREAM = "onboarding:changes"

#: The change stream is a signal, not a store: an edge that missed more entries than this synchronizes completely.
CHANGE_STREAM_LENGTH = 100_000

#: A random id of the data of the change stream. A position in the stream has no meaning under another id. The hash tag
#: is the stream's key, so that both are lost together. A publisher of release 0.2.0 does not write it.
CHANGE_EPOCH = f"onboarding:change-epoch:{{{CHANGE_STREAM}}}"

#: The content of the snapshots in Redis. Where it is absent, some or all snapshots are, too.
SNAPSHOT_FORMAT = "onboarding:snapshot-format"

#: The id of the database whose projects these snapshots are. The hash tag is the mark's key, so that both are lost
#: together. A publisher of release 0.2.0 does not write it.
INSTALLATION = f"onboarding:installation:{{{SNAPSHOT_FORMAT}}}"

#: The word behind the number in SNAPSHOT_FORMAT during a rebuild of a complete Redis.
RENEWING = b"renewing"

#: The manifest of the assets of hosted pages. The ACL of the edge has its keys by their prefix.
PAGE_ASSETS = "onboarding:page-assets"

#: The names of all assets in Redis, a sorted set by the Unix seconds at which they expire. A publisher of the release
#: before does not write it.
PAGE_ASSET_NAMES = "onboarding:page-asset-names"

#: The number of event streams.
EVENT_SHARDS = 4

#: A sorted set of the secret keys that opened a request lately: members `project_id/key_id`, scores Unix milliseconds.
#: The event consumer empties it. The prefix is that of the streams, so the same users of Redis may reach it.
KEY_USE = "onboarding:events:key-use"

#: The projects that have used up a quota of the present UTC day: a hash with the fields `state` and `digest`
#: (`used_quotas.py`). The event consumer writes it.
USED_QUOTAS = "onboarding:used-quotas"

#: The consumer group that drains the event streams into PostgreSQL.
EVENT_GROUP = "postgresql"

#: The field of an entry of an event stream; its content is in `stream_records.py`.
EVENT_FIELD = "r"

#: An additional field of an entry from a spool: the milliseconds that it was there, by the clock of the edge.
AGE_FIELD = "age"

#: Additional fields of an entry that was a dead letter: the dead letter's id, and the number of its failures.
DEAD_LETTER_FIELD = "letter"
ATTEMPTS_FIELD = "attempts"


def is_complete(mark: bytes | None) -> bool:
    """Return whether Redis has every snapshot, by the value of SNAPSHOT_FORMAT.

    A rebuild adds a word to the number: RENEWING where all snapshots are there and are only written again.
    """
    version, _, rebuild = (mark or b"").partition(b" ")
    return version.isdigit() and rebuild in (b"", RENEWING)


def snapshot_key(project_id: str) -> str:
    """Return the key of a project's snapshot, a hash with the fields `revision` and `body`."""
    return f"onboarding:snapshot:{{{project_id}}}"


def page_asset_key(name: str) -> str:
    """Return the key of one asset of hosted pages."""
    return f"onboarding:page-asset:{name}"


def event_stream(shard: int) -> str:
    """Return the key of a shard's event stream."""
    return f"onboarding:events:{{{shard}}}"


_EVENT_STREAMS = tuple(event_stream(shard) for shard in range(EVENT_SHARDS))


def event_stream_of(project_id: str, device_id: str) -> str:
    """Return the key of the event stream of a device, so that a project uses all streams (decision 93)."""
    return _EVENT_STREAMS[mmh3.hash(f"{project_id}/{device_id}", 0, signed=False) % EVENT_SHARDS]


def event_streams() -> tuple[str, ...]:
    """Return the keys of all event streams."""
    return _EVENT_STREAMS


def rate_limit_key(digest: str, window: int) -> str:
    """Return the key of a rate limit's counter in one window."""
    return f"onboarding:rate:{{{digest}}}:{window}"
