"""The projects that have used up a quota of a UTC day (contract, Quotas of a project).

The event consumer writes them to Redis. An edge compares the digest, a few bytes, and reads the state only when it has
changed.
"""

import hashlib
from enum import StrEnum

import msgspec

from common.errors import OnboardingError

#: The fields of the hash in Redis.
DIGEST_FIELD, STATE_FIELD = "digest", "state"
#: More projects are not published: a bound of what each worker reads.
MAX_PROJECTS = 50_000


class DailyQuota(StrEnum):
    """A quota: its project may have a limited number of these in a UTC day."""

    EVENTS = "events"
    #: The properties of events, as JSON.
    PROPERTY_BYTES = "property_bytes"
    NEW_DEVICES = "new_devices"


class UsedQuotas(msgspec.Struct, frozen=True):
    """The quotas that projects have used up, by the id of the project.

    They are free again at `resets_at`, the Unix second of the end of the day. A quota that a later release adds is a
    name that this release does not know.
    """

    resets_at: int
    projects: dict[str, frozenset[str]]

    def encode(self) -> tuple[str, bytes]:
        """Return the digest and the bytes of the state; equal states have equal bytes."""
        state = _ENCODER.encode(self)
        return hashlib.blake2b(state, digest_size=16).hexdigest(), state


class UsedQuotasFormatError(OnboardingError):
    """The state in Redis is of a format that this release does not read."""


_ENCODER = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(UsedQuotas)


def decode_used_quotas(state: bytes) -> UsedQuotas:
    """Return the state. Raises UsedQuotasFormatError."""
    try:
        return _DECODER.decode(state)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsedQuotasFormatError(f"the used quotas cannot be decoded: {error}") from error
