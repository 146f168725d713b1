"""Rolling restarts and dead workers under load: a restart fails no request, a death what the worker had in hand."""

from functools import partial
from pathlib import Path

import pytest
import redis

from tests.faults.soak import report, soaked
from tests.polling import eventually
from tests.revision_readers import RevisionReaders, a_numbered_snapshot, revision_readers
from tests.snapshots import publish
from tests.started_edge import StartedEdge

RESTARTS = soaked("RESTARTS", 1)
READERS = 8
SECONDS_OF_ONE = 60


def read_some(readers: RevisionReaders) -> None:
    """Wait until everyone has been answered, some of them several times."""
    enough = readers.right + 50 * READERS
    eventually(lambda: readers.right > enough, within=30)


def is_replaced(edge: StartedEdge, victim: int) -> bool:
    """Tell whether another worker stands in for a dead one."""
    return victim not in edge.workers() and edge.has_all_workers()


@pytest.mark.timeout(RESTARTS * SECONDS_OF_ONE + 240)
def test_rolling_restarts_fail_no_request_and_a_dead_worker_is_replaced(
    redis_url: str, redis_client: redis.Redis, tmp_path: Path
) -> None:
    snapshots = [a_numbered_snapshot() for _ in range(4)]
    for snapshot in snapshots:
        publish(redis_client, snapshot)
    with (
        StartedEdge(redis_url, tmp_path, workers=2) as edge,
        revision_readers(edge, snapshots, of_each_worker=READERS // 2) as readers,
    ):
        for _ in range(RESTARTS):
            read_some(readers)
            edge.restart_by_turns()
        read_some(readers)
        assert (readers.wrong, readers.unreached) == ([], 0)
        for _ in range(RESTARTS):
            victim = edge.kill_a_worker()
            eventually(partial(is_replaced, edge, victim), within=SECONDS_OF_ONE)
            read_some(readers)
    assert readers.wrong == []
    # At most what the dead worker had in its hands; everyone is served by the others at once.
    assert readers.unreached <= RESTARTS * READERS
    figures = {"restarts": RESTARTS, "deaths": RESTARTS, "right": readers.right, "lost by deaths": readers.unreached}
    report(f"Workers replaced under load, {READERS} readers", figures)
