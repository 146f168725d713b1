"""GET /health/live and /health/ready (contract, section 3, Operations endpoints)."""

from common.errors import UnavailableError
from edge_api.answers.answer import Answer, json_answer


def live_answer() -> Answer:
    """Say that the process runs."""
    return json_answer(200, b'{"status":"live"}')


def ready_answer(*, was_reached: bool, is_reachable: bool) -> Answer:
    """Say whether requests can be served: from the first contact with Redis on, for good.

    Raises UnavailableError before that.
    """
    if not was_reached:
        raise UnavailableError("Redis has not been reached yet")
    return json_answer(200, b'{"status":"ready"}' if is_reachable else b'{"status":"degraded"}')
