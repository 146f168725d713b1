"""The transaction of a POST: done once for one Idempotency-Key, however often and however concurrently it is sent."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import falcon
from sqlalchemy.orm import Session

from common.errors import Detail, InvalidRequestError
from management_api.database.key_vault import KeyVault
from management_api.database.transactions import Database
from management_api.operations.callers import Caller
from management_api.operations.idempotency import KeyedPost, StoredAnswer, claim, store, stored_answer
from management_api.operations.project_access import check_may_read
from management_api.operations.project_parts import PartKind, part_to_read
from management_api.resources.exchange import caller_of, raw_body_of

#: Printable ASCII.
_KEY = re.compile(r"[\x20-\x7e]{1,255}")
REPLAYED = "Idempotency-Replayed"


#: Checks the role that the caller has now, before a stored answer is sent. Raises like the operation itself.
CheckAccess = Callable[[Session, Caller], object]


def project_access(project_id: str) -> CheckAccess:
    """Return the check for a POST that needs a role in this project."""
    return lambda session, caller: check_may_read(session, caller, project_id)


def part_access(kind: PartKind[Any], part_id: str) -> CheckAccess:
    """Return the check for a POST that needs a role in the project of this flow, screen, theme or experiment."""
    return lambda session, caller: part_to_read(session, caller, kind, part_id)


def user_access(_session: Session, _caller: Caller) -> None:
    """Check nothing, for a POST that needs no role in a project."""


class Writes:
    """Opens the transactions of POSTs. Every responder of a POST uses it, and answers inside the block.

    The block is not entered if the request has been answered before: falcon.HTTPStatus leaves with that answer, after
    `check_access`. Both methods raise InvalidRequestError for a malformed key, ConflictError for one that was used for
    another request.
    """

    def __init__(self, database: Database, vault: KeyVault) -> None:
        self._database = database
        self._vault = vault

    @contextmanager
    def begin(self, request: falcon.Request, response: falcon.Response, check_access: CheckAccess) -> Iterator[Session]:
        """Open Database.transaction; the answer is stored in it if the request carries a key."""
        post = _keyed_post(request)
        with self._database.transaction() as session:
            if post is not None:
                _replay(claim(session, self._vault, post), session, caller_of(request), check_access)
            yield session
            if post is not None:
                store(session, self._vault, post, _answer_in(response))

    @contextmanager
    def begin_read(
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


def _keyed_post(request: falcon.Request) -> KeyedPost | None:
    key = request.get_header("Idempotency-Key")
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        raise InvalidRequestError([Detail.invalid("Idempotency-Key", "must have 1 to 255 printable ASCII characters")])
    return KeyedPost(caller_of(request).user_id, key, request.context.path_in_interface, raw_body_of(request))


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
