"""From an error to its answer: the one place of this service where that is decided (contract, section 1, Errors)."""

from common.errors import InternalError, RequestError, error_body
from edge_api.answers.answer import JSON_CONTENT, Answer


def error_answer(error: Exception) -> Answer:
    """Give the answer to any error; one that was not raised on purpose says nothing about itself."""
    known = error if isinstance(error, RequestError) else InternalError()
    own = tuple((name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in known.headers.items())
    return Answer.of(known.status, (JSON_CONTENT, *own), error_body(known))
