"""How tests are shared out among the workers of pytest-xdist: groups first, each to one worker, then all others singly.

Groups by pytest-xdist's own marks do not work with the pytest that we have: it took away the attribute they rest on.
"""

from xdist.scheduler import LoadScopeScheduling

#: What shares something costly that lasts as long as a worker, a whole stack or cluster, or takes longer than all else:
#: files and folders, and the groups that they are in.
GROUPS = {
    "tests/e2e/": "journeys",
    "tests/integration/redis/test_cluster.py": "cluster",
    "tests/integration/redis/test_late_replies.py": "cluster",
    "tests/integration/deploy/local/test_stack_lifecycle.py": "stack",
    "tests/integration/cli/doctor/test_doctor_command.py": "stack",
    "tests/integration/edge_api/test_worker.py": "edge workers",
    "tests/integration/test_redis_tls.py": "Redis over TLS",
    "tests/contract/sweeps/test_schemathesis.py": "schemathesis",
    "tests/integration/management_api/test_query_plans.py": "crowded database",
    "tests/integration/management_api/test_serving.py": "lasting service",
    "tests/faults/test_erasure_in_flight.py": "hurt stack",
    "tests/faults/test_killed_consumer.py": "hurt stack",
    "tests/faults/test_killed_management.py": "hurt stack",
    "tests/faults/test_killed_publisher.py": "hurt stack",
}


class GroupedScheduler(LoadScopeScheduling):
    """What is shared is started once in a run, and the run does not end with a worker that is busy for minutes."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


def group_of(nodeid: str) -> str:
    """Give the group of a test, which is its own name when it is in none."""
    return next((group for start, group in GROUPS.items() if nodeid.startswith(start)), nodeid)
