"""The distribution of tests among the workers of pytest-xdist: groups first, each to one worker, then single tests.

The `xdist_group` mark does not work with the installed pytest, which removed an attribute that it reads.
"""

from xdist.scheduler import LoadScopeScheduling

#: Groups by file or folder: tests with an expensive fixture, such as a browser or a cluster, and the longest tests.
GROUPS = {
    "tests/e2e/": "e2e",
    "tests/integration/redis/test_cluster.py": "cluster",
    "tests/integration/redis/test_late_replies.py": "cluster",
    "tests/integration/deploy/local/test_stack_lifecycle.py": "stack",
    "tests/integration/edge_api/test_worker.py": "edge workers",
    "tests/integration/test_redis_tls.py": "Redis over TLS",
    "tests/integration/postgresql/test_replica.py": "replica",
    "tests/integration/deploy/test_redis_users.py": "users of Redis",
    "tests/unit/common/telemetry/test_exporter.py": "exporter",
    "tests/contract/flows/test_golden_snapshot.py": "golden snapshot",
    "tests/contract/sweeps/test_schemathesis.py": "schemathesis",
    "tests/integration/management_api/db/test_query_plans.py": "crowded database",
    "tests/integration/management_api/test_serving.py": "lasting service",
    "tests/browser/dashboard/flows/": "browser with flows",
    "tests/browser/dashboard/app/": "browser with flows",
    "tests/browser/dashboard/": "browser with the rest of the dashboard",
    "tests/browser/": "browser with hosted pages",
    "tests/unit/tools/test_sbom.py": "bill of materials",
    "tests/unit/cli/test_packaging.py": "wheel",
    "tests/unit/management_api/experiment_statistics/test_against_statsmodels.py": "statsmodels",
    "tests/faults/kills/test_killed_consumer.py": "killable stack",
    "tests/faults/kills/test_killed_management.py": "killable stack",
    "tests/faults/kills/test_killed_publisher.py": "killable stack",
    "tests/faults/kills/test_erasure_in_flight.py": "killable stack",
}


class GroupedScheduler(LoadScopeScheduling):
    """Run each group in one worker, which starts the shared fixture once. Groups take longest and come first."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


def group_of(nodeid: str) -> str:
    """Return the group of a test; a test without a group has its own name as group."""
    return next((group for start, group in GROUPS.items() if nodeid.startswith(start)), nodeid)
