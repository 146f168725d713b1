"""The transaction of a POST: done once for one Idempotency-Key, however often and however concurrently it is sent."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import falcon
from sqlalchemy.orm import Session

from common.errors import Detail, InvalidRequestError
from management_api.database.key_vault import KeyVault
from management_api.database.transactions import Database
from management_api.operations.idempotency import KeyedPost, StoredAnswer, claim, store
from management_api.resources.exchange import caller_of, raw_body_of

#: Printable ASCII.
_KEY = re.compile(r"[\x20-\x7e]{1,255}")
REPLAYED = "Idempotency-Replayed"


class Writes:
    """Opens the transactions of POSTs. Every responder of a POST uses it, and answers inside the block."""

    def __init__(self, database: Database, vault: KeyVault) -> None:
        self._database = database
        self._vault = vault

    @contextmanager
    def begin(
        self, request: falcon.Request, response: falcon.Response, *, consistent: bool = False
    ) -> Iterator[Session]:
        """Open a transaction; the answer is kept with it if the request carries a key.

        It is Database.transaction, or Database.consistent_read for a POST that only reads, and reads much.

        If it has been answered before, the block is not entered: falcon.HTTPStatus leaves with that answer. Raises
        InvalidRequestError for a key that is none, ConflictError for one that was used for another request.
        """
        post = _keyed_post(request)
        transaction = self._database.consistent_read() if consistent else self._database.transaction()
        with transaction as session:
            if post is None:
                yield session
                return
            answered = claim(session, self._vault, post)
            if answered is not None:
                raise _replay(answered)
            yield session
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


def _replay(answer: StoredAnswer) -> falcon.HTTPStatus:
    """Make what Falcon answers a request with when it leaves its responder."""
    headers = {"Content-Type": falcon.MEDIA_JSON, REPLAYED: "true"}
    if answer.etag is not None:
        headers["ETag"] = answer.etag
    return falcon.HTTPStatus(answer.status, headers, answer.body.decode())
