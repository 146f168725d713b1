"""Users and their credentials: a personal API key, or a JWT of the identity provider (contract, section 2).

A user is created, with an API key, at the first request of an identity. Keys are found by a keyed digest, and are
stored encrypted, to be shown again.
"""

from datetime import datetime, timedelta
from enum import Enum
from typing import Any, NamedTuple

import falcon
from sqlalchemy import BindParameter, Row, bindparam, exists, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from common.credentials import KeyPrefix, generate_key, is_well_formed
from common.errors import AuthenticationError, ForbiddenError, ProjectCredentialsError
from common.ids import IdPrefix, is_id, new_id
from common.timestamps import utc_now
from management_api.auth.groups import GroupRoles, roles_to_json
from management_api.auth.jwt import Identity, TokenVerifier
from management_api.db.audit import AUDITED_EVERY, record_of_user
from management_api.db.engine import ColumnReader, Database
from management_api.db.key_vault import KeyVault
from management_api.db.models.audit_log import InstallationEntry
from management_api.db.models.projects import SecretKey
from management_api.db.models.users import ApiKey, User

#: The form of a JWT; no key of this service has it.
TOKEN_DOTS = 2
#: Precision of `last_used_at`, so that a busy key is not a write for each request.
LAST_USED_PRECISION = timedelta(minutes=1)

# Built once, as each request executes one of them; building a statement costs as much as executing it. Results are
# never cached, so a rotation ends the former key at once in every worker.
_USER = select(
    User.id, User.email, User.name, User.signed_in_at, User.groups_at, User.group_roles, User.deactivated_at
).where(User.issuer == bindparam("issuer"), User.subject == bindparam("subject"))


class CredentialKind(Enum):
    """The kind of credential that authenticated a user."""

    API_KEY = "personal API key"
    JWT = "token of the identity provider"


class AuthenticatedUser(NamedTuple):
    """The user who sent a request, and the credential."""

    user_id: str
    credential: CredentialKind


class Authentication:
    """Turns the credential of a request into a user."""

    def __init__(
        self, database: Database, vault: KeyVault, tokens: TokenVerifier, group_roles: GroupRoles | None = None
    ) -> None:
        self._database = database
        self._group_roles = group_roles
        self._vault = vault
        self._tokens = tokens
        # One digest for each master key, so that a key is also found while it is encrypted again.
        digests: list[BindParameter[bytes]] = [bindparam(name) for name in self._digests("")]
        self._api_key = (
            select(ApiKey.user_id, ApiKey.last_used_at, User.deactivated_at)
            .join(User, User.id == ApiKey.user_id)
            .where(ApiKey.digest.in_(digests))
        )
        self._secret_key = select(SecretKey.id).where(
            SecretKey.digest.in_(digests), SecretKey.project_id == bindparam("project_id"), SecretKey.is_active()
        )

    def column_reader(self) -> ColumnReader:
        """Return a reader for one request, for its credential and its responder."""
        return self._database.column_reader()

    def user_of(self, request: falcon.Request, reader: ColumnReader) -> AuthenticatedUser:
        """Return the user who sent the request. Raises AuthenticationError or ForbiddenError."""
        scheme, _, credential = (request.auth or "").strip().partition(" ")
        credential = credential.strip()
        if scheme.lower() != "bearer" or not credential:
            raise self._without_bearer(request, reader)
        # The form decides the kind, so a credential that fails as one kind is never tried as the other.
        if not credential.startswith(KeyPrefix.API.value) and credential.count(".") == TOKEN_DOTS:
            return AuthenticatedUser(self._user_of_token(credential, reader), CredentialKind.JWT)
        return AuthenticatedUser(self._user_of_api_key(credential, reader), CredentialKind.API_KEY)

    def _user_of_token(self, token: str, reader: ColumnReader) -> str:
        identity = self._tokens.verify(token)
        row = reader.execute(_USER, identity.key).one_or_none()
        if row is not None and row.deactivated_at is not None:
            # A 401 would ask for a new sign-in, which could not help.
            raise ForbiddenError.deactivated()
        group_roles = self._roles_to_apply(identity, row)
        if row is not None and group_roles is None and _is_up_to_date(identity, row):
            user_id: str = row.id
            return user_id
        # A request must not wait for a second connection of the pool.
        reader.close()
        with self._database.transaction() as session:
            user_id = _create_or_update_user(session, self._vault, identity)
            if group_roles is not None and self._group_roles is not None:
                # The statement lets tokens of one user queue, and stops one that is older than another.
                is_newest = or_(User.groups_at.is_(None), User.groups_at <= identity.issued_at)
                values = {"groups_at": identity.issued_at, "group_roles": group_roles}
                newest = update(User).where(User.id == user_id, is_newest).values(**values).returning(User.id)
                if session.scalar(newest) is not None:
                    self._group_roles.apply(session, user_id, identity.groups or ())
            return user_id

    def _roles_to_apply(self, identity: Identity, row: Row[*tuple[Any, ...]] | None) -> dict[str, str] | None:
        """Return the roles of the groups in a token; None if a token as new was applied, or nothing is read.

        The groups of a token without its time are not applied: it may be older than another one.
        """
        if self._group_roles is None or identity.groups is None or identity.issued_at is None:
            return None
        roles = roles_to_json(self._group_roles.of_groups(identity.groups))
        if row is None or row.groups_at is None or identity.issued_at > row.groups_at:
            return roles
        # The times of tokens have whole seconds, so the newer of two tokens of one second is unknown.
        return roles if identity.issued_at == row.groups_at and roles != row.group_roles else None

    def _user_of_api_key(self, key: str, reader: ColumnReader) -> str:
        # A mistyped key does not reach the database.
        if not is_well_formed(KeyPrefix.API, key):
            raise AuthenticationError.api_key()
        row = reader.execute(self._api_key, self._digests(key)).one_or_none()
        if row is None:
            raise AuthenticationError.api_key()
        if row.deactivated_at is not None:
            raise ForbiddenError.deactivated()
        user_id: str = row.user_id
        if row.last_used_at is None or row.last_used_at < utc_now() - LAST_USED_PRECISION:
            reader.close()
            with self._database.transaction() as session:
                _update_last_used(session, user_id)
        return user_id

    def _without_bearer(self, request: falcon.Request, reader: ColumnReader) -> AuthenticationError | ForbiddenError:
        """Return 403 for a valid credential of an SDK, which permits nothing here, and 401 for all others."""
        project_id, secret_key = request.get_header("X-Project-Id"), request.get_header("X-Secret-Key")
        if not project_id or not secret_key:
            return AuthenticationError.absent()
        if not is_id(IdPrefix.PROJECT, project_id) or not is_well_formed(KeyPrefix.SECRET, secret_key):
            return ProjectCredentialsError()
        values = {**self._digests(secret_key), "project_id": project_id}
        is_valid = reader.execute(self._secret_key, values).one_or_none() is not None
        return ForbiddenError() if is_valid else ProjectCredentialsError()

    def _digests(self, key: str) -> dict[str, bytes]:
        """Return the digests of a key, by the names of parameters."""
        return {f"digest_{number}": digest for number, digest in enumerate(self._vault.lookup_digests(key))}


def get_user(session: Session, user_id: str) -> User:
    """Return a user who exists, for example the caller."""
    return session.get_one(User, user_id)


def show_api_key(session: Session, user_id: str) -> ApiKey:
    """Return the key of a user. The log of the installation names the user, once in AUDITED_EVERY."""
    is_recent = (
        InstallationEntry.at > func.clock_timestamp() - AUDITED_EVERY,
        InstallationEntry.action == "api_key.show",
        InstallationEntry.user_id == user_id,
    )
    if not session.scalar(select(exists().where(*is_recent))):
        record_of_user(session, "show", user_id, actor=user_id, entity="api_key")
    return session.get_one(ApiKey, user_id)


def rotate_api_key(session: Session, vault: KeyVault, user_id: str) -> ApiKey:
    """Replace a user's key; the former key is invalid from the commit on."""
    key = session.get_one(ApiKey, user_id, with_for_update=True)
    now = session.execute(select(func.clock_timestamp())).scalar_one()
    new_key = generate_key(KeyPrefix.API)
    key.digest = vault.lookup_digest(new_key)
    key.sealed = vault.encrypt(new_key, owner_id=user_id)
    key.created_at = now
    key.last_used_at = None
    record_of_user(session, "rotate", user_id, actor=user_id, entity="api_key")
    return key


def _create_or_update_user(session: Session, vault: KeyVault, identity: Identity) -> str:
    """Return the user's id; concurrent first requests create the user once."""
    row = session.execute(_USER, identity.key).one_or_none()
    if row is None:
        return _create_user(session, vault, identity)
    user_id: str = row.id
    changes = _changes(identity, row)
    if changes:
        session.execute(update(User).where(User.id == user_id).values(**changes))
    _record_sign_in(session, identity, user_id, row.signed_in_at)
    return user_id


def _create_user(session: Session, vault: KeyVault, identity: Identity) -> str:
    # A concurrent insert of the same user waits here for the commit, inserts nothing, and reads that row.
    user_id: str | None = session.scalar(
        insert(User)
        .values(id=new_id(IdPrefix.USER), **identity.key, email=identity.email, name=identity.name)
        .on_conflict_do_nothing(index_elements=[User.issuer, User.subject])
        .returning(User.id)
    )
    if user_id is None:
        existing: str = session.scalars(_USER, identity.key).one()
        return existing
    key = generate_key(KeyPrefix.API)
    session.add(ApiKey(user_id=user_id, digest=vault.lookup_digest(key), sealed=vault.encrypt(key, owner_id=user_id)))
    session.flush()
    _record_sign_in(session, identity, user_id, None)
    return user_id


def _changes(identity: Identity, row: Row[*tuple[Any, ...]]) -> dict[str, str]:
    """Return the changed columns; a token without an address or a name removes nothing."""
    claims = (("email", identity.email, row.email), ("name", identity.name, row.name))
    return {column: new for column, new, old in claims if new is not None and new != old}


def _is_up_to_date(identity: Identity, row: Row[*tuple[Any, ...]]) -> bool:
    """Return whether a token changes nothing of its user."""
    return not _changes(identity, row) and not _is_new_sign_in(identity, row.signed_in_at)


def _is_new_sign_in(identity: Identity, recorded: datetime | None) -> bool:
    """Return whether the log has no sign-in of the hour before the token's."""
    signed_in_at = identity.signed_in_at or utc_now()
    return recorded is None or signed_in_at > recorded + AUDITED_EVERY


def _record_sign_in(session: Session, identity: Identity, user_id: str, recorded: datetime | None) -> None:
    """Write a new sign-in to the log of the installation; of concurrent requests only one does."""
    if not _is_new_sign_in(identity, recorded):
        return
    is_as_read = User.signed_in_at.is_(None) if recorded is None else User.signed_in_at == recorded
    signed_in = (
        update(User)
        .where(User.id == user_id, is_as_read)
        .values(signed_in_at=identity.signed_in_at or utc_now())
        .returning(User.id)
    )
    if session.scalar(signed_in) is not None:
        record_of_user(session, "sign_in", user_id, actor=user_id)


def _update_last_used(session: Session, user_id: str) -> None:
    """Set `last_used_at` of a user's key to now, unless it is recent."""
    now = func.clock_timestamp()
    # Checked again in the statement: of concurrent requests only the first one writes.
    stale = or_(ApiKey.last_used_at.is_(None), ApiKey.last_used_at < now - LAST_USED_PRECISION)
    session.execute(update(ApiKey).where(ApiKey.user_id == user_id, stale).values(last_used_at=now))
