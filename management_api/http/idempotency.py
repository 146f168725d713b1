"""Idempotency-Key: a POST that is sent twice under one key is executed once (contract, section 3).

The key is inserted first, in the transaction of the change. A concurrent request with the same key waits at the unique
index: after a commit it gets the stored response, after a rollback it is executed itself.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import falcon
from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from common.errors import ConflictError, Detail, InvalidRequestError
from management_api.auth.access import Caller, PartT, check_may_read, get_for_read
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.db.models.users import IdempotencyKey, response_owner
from management_api.http.requests import caller_of, raw_body_of

REPLAYED = "Idempotency-Replayed"

#: Printable ASCII.
_KEY = re.compile(r"[\x20-\x7e]{1,255}")
_PRIMARY_KEY = (IdempotencyKey.user_id, IdempotencyKey.key)
_IS_EXPIRED = IdempotencyKey.is_expired()

#: Checks the present role of the caller before a stored response is sent. Raises like the operation itself.
CheckAccess = Callable[[Session, Caller], object]


def project_access(project_id: str) -> CheckAccess:
    """Return the check for a POST that needs a role in this project."""
    return lambda session, caller: check_may_read(session, caller, project_id)


def part_access(model: type[PartT], part_id: str) -> CheckAccess:
    """Return the check for a POST that needs a role in the project of this flow, screen, theme or experiment."""
    return lambda session, caller: get_for_read(session, caller, model, part_id)


def user_access(_session: Session, _caller: Caller) -> None:
    """Check nothing, for a POST that needs no role in a project."""


@dataclass(frozen=True, slots=True)
class IdempotentRequest:
    """A POST with an Idempotency-Key. `path` has no version, so /api and /api/v1 share their keys."""

    user_id: str
    key: str
    path: str
    body: bytes

    @property
    def fingerprint(self) -> bytes:
        """Return the 32 bytes that differ between different requests."""
        return hashlib.sha256(b"\0".join((b"POST", self.path.encode(), self.body))).digest()

    @property
    def response_owner(self) -> str:
        """Return the owner for whom the response is encrypted."""
        return response_owner(self.user_id, self.key)


class IdempotentWrites:
    """Opens the transactions of POSTs. Every responder of a POST uses it, and responds inside the block.

    A request that was executed before leaves with its stored response by falcon.HTTPStatus, after `check_access` and
    without entering the block. Both methods raise InvalidRequestError for a malformed key, and ConflictError for a key
    of another request.
    """

    def __init__(self, database: Database, vault: KeyVault) -> None:
        self._database = database
        self._vault = vault

    @contextmanager
    def idempotent_transaction(
        self, request: falcon.Request, response: falcon.Response, check_access: CheckAccess
    ) -> Iterator[Session]:
        """Open Database.transaction. If the request carries a key, the same transaction stores the response."""
        post = _idempotent_request(request)
        with self._database.transaction() as session:
            if post is not None:
                self._claim_or_replay(session, post, caller_of(request), check_access)
            yield session
            if post is not None:
                self._store(session, post, response)

    @contextmanager
    def idempotent_read(
        self, request: falcon.Request, response: falcon.Response, check_access: CheckAccess
    ) -> Iterator[Session]:
        """Open Database.repeatable_read, for a POST without changes; a second transaction stores its response.

        A REPEATABLE READ transaction cannot insert a key that another one has committed meanwhile. Two concurrent
        requests with one key both run the block, and both send the response that is stored first.
        """
        post = _idempotent_request(request)
        if post is not None:
            with self._database.transaction() as session:
                stored = session.scalar(select(IdempotencyKey).where(*_is_of(post), ~_IS_EXPIRED))
                if stored is not None:
                    self._replay(session, stored, post, caller_of(request), check_access)
        with self._database.repeatable_read() as session:
            yield session
        if post is not None:
            with self._database.transaction() as session:
                self._claim_or_replay(session, post, caller_of(request), check_access)
                self._store(session, post, response)

    def _claim_or_replay(
        self, session: Session, post: IdempotentRequest, caller: Caller, check_access: CheckAccess
    ) -> None:
        """Insert the key, or leave with its stored response. Waits for another transaction that has inserted it."""
        values = {"fingerprint": post.fingerprint, "created_at": func.clock_timestamp()}
        claim = (
            insert(IdempotencyKey)
            .values(user_id=post.user_id, key=post.key, status=0, body_sealed=b"", **values)
            .on_conflict_do_update(index_elements=_PRIMARY_KEY, set_=values, where=_IS_EXPIRED)
            .returning(IdempotencyKey.key)
        )
        if session.scalar(claim) is None:
            # The statement has locked the row of the other transaction, which is committed.
            stored = session.scalars(select(IdempotencyKey).where(*_is_of(post))).one()
            self._replay(session, stored, post, caller, check_access)

    def _replay(
        self,
        session: Session,
        stored: IdempotencyKey,
        post: IdempotentRequest,
        caller: Caller,
        check_access: CheckAccess,
    ) -> None:
        """Raise falcon.HTTPStatus, which Falcon sends, with the stored response."""
        if stored.fingerprint != post.fingerprint:
            raise ConflictError("The Idempotency-Key has been used for another request")
        check_access(session, caller)
        headers = {"Content-Type": falcon.MEDIA_JSON, REPLAYED: "true"}
        if stored.etag is not None:
            headers["ETag"] = stored.etag
        body = self._vault.decrypt(stored.body_sealed, owner_id=post.response_owner)
        raise falcon.HTTPStatus(stored.status, headers, body)

    def _store(self, session: Session, post: IdempotentRequest, response: falcon.Response) -> None:
        """Store the response under the claimed key. The event consumer deletes it when it has expired."""
        if response.data is None:
            raise RuntimeError("a POST must respond inside its transaction")
        session.execute(
            update(IdempotencyKey)
            .where(*_is_of(post))
            .values(
                status=response.status_code,
                body_sealed=self._vault.encrypt(response.data.decode(), owner_id=post.response_owner),
                etag=response.get_header("ETag"),
            )
            .execution_options(synchronize_session=False)
        )


def _idempotent_request(request: falcon.Request) -> IdempotentRequest | None:
    key = request.get_header("Idempotency-Key")
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        raise InvalidRequestError([Detail.invalid("Idempotency-Key", "must have 1 to 255 printable ASCII characters")])
    return IdempotentRequest(caller_of(request).user_id, key, request.context.path_in_interface, raw_body_of(request))


def _is_of(post: IdempotentRequest) -> tuple[ColumnElement[bool], ...]:
    return IdempotencyKey.user_id == post.user_id, IdempotencyKey.key == post.key
