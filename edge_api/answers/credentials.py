"""Who is asking: the project id and the secret key of an SDK (contract, sections 2 and 4)."""

import hmac

import msgspec

from common.credentials import secret_key_digest
from common.errors import AuthenticationError, ProjectCredentialsError
from edge_api.answers.request_head import RequestHeaders
from edge_api.snapshots.loaded import LoadedSnapshot


class Credentials(msgspec.Struct, frozen=True, gc=False):
    """What the client says it is. Its repr is empty, because it holds a secret key."""

    project_id: str
    secret_key: str

    def __repr__(self) -> str:
        return "Credentials()"


class AuthenticatedProject(msgspec.Struct, frozen=True, gc=False):
    """A project whose secret key was right, and that key: its id, and the Unix second at which it dies, if it does."""

    resident: LoadedSnapshot
    key_id: str
    expires_at: float | None = None


def presented_credentials(head: RequestHeaders) -> Credentials:
    """Take the credentials from the headers. Raises AuthenticationError when one of the two is absent."""
    if head.project_id is None or head.secret_key is None:
        raise AuthenticationError.absent(scheme="SecretKey")
    return Credentials(head.project_id, head.secret_key)


def authenticate(credentials: Credentials, resident: LoadedSnapshot | None, now: float) -> AuthenticatedProject:
    """Check the secret key against the project's; None is a project that does not exist.

    `now` is a Unix second. Every live key is compared, in constant time, whichever matches: the time that it takes
    tells nothing. Raises ProjectCredentialsError, which does not say which of the two was wrong.
    """
    if resident is None:
        raise ProjectCredentialsError
    digest = secret_key_digest(credentials.secret_key)
    right = None
    for key in resident.snapshot.secret_keys:
        is_live = key.expires_at is None or now < key.expires_at
        if hmac.compare_digest(digest, key.digest) and is_live:
            right = key
    if right is None:
        raise ProjectCredentialsError
    return AuthenticatedProject(resident, right.key_id, right.expires_at)
