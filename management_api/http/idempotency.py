"""Idempotency-Key: a POST that is sent twice under one key is done once (contract, section 3)."""

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import falcon
from sqlalchemy import Row, bindparam, delete, func, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from common.errors import ConflictError, Detail, InvalidRequestError
from management_api.auth.access import Caller, PartT, get_for_read, project_for_read
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.db.models.users import IdempotencyKey, answer_owner
from management_api.db.prepared import Prepared
from management_api.http.requests import caller_of, raw_body_of

# Idempotency-Key: whatever is sent twice under one key is done once, and answered alike (contract, section 3).
# The key is written first, in the transaction of the change. A twin that comes meanwhile waits at the unique index:
# when the first one commits the twin gets its answer, when it fails or its process is killed the twin goes on as if
# alone.

LIFETIME = timedelta(hours=24)
#: Every new key takes a few that are over along, so that the table holds little more than a day.
CLEANED_AT_ONCE = 5

_IDENTITY = (IdempotencyKey.user_id, IdempotencyKey.key)
_IS_OF_POST = (IdempotencyKey.user_id == bindparam("of_user")) & (IdempotencyKey.key == bindparam("of_key"))
_IS_OVER = IdempotencyKey.created_at < func.clock_timestamp() - LIFETIME
_CLAIM = Prepared(
    insert(IdempotencyKey)
    .values(
        user_id=bindparam("of_user"),
        key=bindparam("of_key"),
        fingerprint=bindparam("fingerprint_of_post"),
        status=0,
        body_sealed=b"",
        created_at=func.clock_timestamp(),
    )
    .on_conflict_do_update(
        index_elements=_IDENTITY,
        set_={"fingerprint": bindparam("fingerprint_of_post"), "created_at": func.clock_timestamp()},
        where=_IS_OVER,
    )
    .returning(IdempotencyKey.key)
)
_ANSWER: Prepared[*tuple[Any, ...]] = Prepared(
    select(
        IdempotencyKey.fingerprint,
        IdempotencyKey.status,
        IdempotencyKey.body_sealed,
        IdempotencyKey.etag,
        _IS_OVER.label("is_over"),
    ).where(_IS_OF_POST)
)
# One that somebody is taking anew is passed over, so nobody waits for the others to be cleaned away.
_SOME_THAT_ARE_OVER = (
    select(*_IDENTITY)
    .where(_IS_OVER)
    .order_by(IdempotencyKey.created_at)
    .limit(CLEANED_AT_ONCE)
    .with_for_update(skip_locked=True)
)
_STORE = Prepared(
    update(IdempotencyKey)
    .where(_IS_OF_POST)
    .values(status=bindparam("answered"), body_sealed=bindparam("answer_sealed"), etag=bindparam("answer_etag"))
    .returning(IdempotencyKey.key)
    .add_cte(delete(IdempotencyKey).where(tuple_(*_IDENTITY).in_(_SOME_THAT_ARE_OVER)).cte("cleaned"))
)


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """What a POST was answered."""

    status: int
    body: bytes
    etag: str | None


@dataclass(frozen=True, slots=True)
class IdempotentRequest:
    """A POST that carries an Idempotency-Key. `path` is the one without a version, so that /api and /api/v1 are one."""

    user_id: str
    key: str
    path: str
    body: bytes

    @property
    def fingerprint(self) -> bytes:
        """Tell this request from others, in 32 bytes."""
        return hashlib.sha256(b"\0".join((b"POST", self.path.encode(), self.body))).digest()

    @property
    def answer_owner(self) -> str:
        """To whom the answer is sealed."""
        return answer_owner(self.user_id, self.key)


def claim(session: Session, vault: KeyVault, post: IdempotentRequest) -> StoredAnswer | None:
    """Take the key for this transaction, or give the answer if the request has been answered under it.

    Waits for a transaction that has the key. Raises ConflictError when the key was used for another request.
    """
    key = _key_of(post)
    if _CLAIM.row(session, {**key, "fingerprint_of_post": post.fingerprint}) is not None:
        return None
    # The statement above has locked the row that it could not take, so it is there, as it was committed.
    [found] = _ANSWER.rows(session, key)
    return _opened(vault, post, found)


def stored_answer(session: Session, vault: KeyVault, post: IdempotentRequest) -> StoredAnswer | None:
    """Return the answer if the request has been answered under its key. Claims nothing, and waits for no transaction.

    Raises ConflictError when the key was used for another request.
    """
    found = _ANSWER.row(session, _key_of(post))
    return None if found is None or found.is_over else _opened(vault, post, found)


def store(session: Session, vault: KeyVault, post: IdempotentRequest, answer: StoredAnswer) -> None:
    """Keep the answer with the key that this transaction has claimed, and delete some keys that are over."""
    sealed = vault.encrypt(answer.body.decode(), owner_id=post.answer_owner)
    _STORE.rows(
        session, {**_key_of(post), "answered": answer.status, "answer_sealed": sealed, "answer_etag": answer.etag}
    )


def _opened(vault: KeyVault, post: IdempotentRequest, found: Row[*tuple[Any, ...]]) -> StoredAnswer:
    if found.fingerprint != post.fingerprint:
        raise ConflictError("The Idempotency-Key has been used for another request")
    body = vault.decrypt(found.body_sealed, owner_id=post.answer_owner).encode()
    return StoredAnswer(found.status, body, found.etag)


def _key_of(post: IdempotentRequest) -> dict[str, object]:
    return {"of_user": post.user_id, "of_key": post.key}


#: Printable ASCII.
_KEY = re.compile(r"[\x20-\x7e]{1,255}")
REPLAYED = "Idempotency-Replayed"


#: Checks the role that the caller has now, before a stored answer is sent. Raises like the operation itself.
CheckAccess = Callable[[Session, Caller], object]


def project_access(project_id: str) -> CheckAccess:
    """Return the check for a POST that needs a role in this project."""
    return lambda session, caller: project_for_read(session, caller, project_id)


def part_access(model: type[PartT], part_id: str) -> CheckAccess:
    """Return the check for a POST that needs a role in the project of this flow, screen, theme or experiment."""
    return lambda session, caller: get_for_read(session, caller, model, part_id)


def user_access(_session: Session, _caller: Caller) -> None:
    """Check nothing, for a POST that needs no role in a project."""


class IdempotentWrites:
    """Opens the transactions of POSTs. Every responder of a POST uses it, and answers inside the block.

    The block is not entered if the request has been answered before: falcon.HTTPStatus leaves with that answer, after
    `check_access`. Both methods raise InvalidRequestError for a malformed key, ConflictError for one that was used for
    another request.
    """

    def __init__(self, database: Database, vault: KeyVault) -> None:
        self._database = database
        self._vault = vault

    @contextmanager
    def idempotent_transaction(
        self, request: falcon.Request, response: falcon.Response, check_access: CheckAccess
    ) -> Iterator[Session]:
        """Open Database.transaction; the answer is stored in it if the request carries a key."""
        post = _keyed_post(request)
        with self._database.transaction() as session:
            if post is not None:
                _replay(claim(session, self._vault, post), session, caller_of(request), check_access)
            yield session
            if post is not None:
                store(session, self._vault, post, _answer_in(response))

    @contextmanager
    def idempotent_read(
        self, request: falcon.Request, response: falcon.Response, check_access: CheckAccess
    ) -> Iterator[Session]:
        """Open Database.repeatable_read, for a POST that changes nothing; its answer is stored in a second transaction.

        The snapshot of REPEATABLE READ does not have the answer of a twin that commits later, so a claim inside of it
        would fail. Of two twins both run the block, and the answer of the first that stores it is sent for both.
        """
        post = _keyed_post(request)
        if post is not None:
            with self._database.transaction() as session:
                _replay(stored_answer(session, self._vault, post), session, caller_of(request), check_access)
        with self._database.repeatable_read() as session:
            yield session
        if post is not None:
            with self._database.transaction() as session:
                _replay(claim(session, self._vault, post), session, caller_of(request), check_access)
                store(session, self._vault, post, _answer_in(response))


def _keyed_post(request: falcon.Request) -> IdempotentRequest | None:
    key = request.get_header("Idempotency-Key")
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        raise InvalidRequestError([Detail.invalid("Idempotency-Key", "must have 1 to 255 printable ASCII characters")])
    return IdempotentRequest(caller_of(request).user_id, key, request.context.path_in_interface, raw_body_of(request))


def _answer_in(response: falcon.Response) -> StoredAnswer:
    if response.data is None:
        raise RuntimeError("a POST must be answered inside its transaction")
    return StoredAnswer(response.status_code, response.data, response.get_header("ETag"))


def _replay(answer: StoredAnswer | None, session: Session, caller: Caller, check_access: CheckAccess) -> None:
    """Leave with a stored answer, if there is one. Raises falcon.HTTPStatus, which Falcon sends."""
    if answer is None:
        return
    check_access(session, caller)
    headers = {"Content-Type": falcon.MEDIA_JSON, REPLAYED: "true"}
    if answer.etag is not None:
        headers["ETag"] = answer.etag
    raise falcon.HTTPStatus(answer.status, headers, answer.body.decode())
