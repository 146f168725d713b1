"""The master is killed under load: no resolve fails, and acknowledged events are lost only where the settings allow it.

`SOAK_FAILOVERS` runs it with other settings too, `SOAK_FAILOVER_SECONDS` makes it long (docs/internals/redis.md).
"""

import dataclasses
from pathlib import Path

import pytest

from common.redis.connect import connect
from common.wire.redis_keys import event_streams, snapshot_key
from common.wire.snapshot import Snapshot
from tests.integration.redis.failover import LOAD_SECONDS, FailoverSetup, Outcome, fail_over
from tests.integration.redis.valkey_cluster import ValkeyCluster
from tests.integration.redis.valkey_node import StartedNode
from tests.integration.redis.valkey_sentinels import ValkeySentinels
from tests.support.clients.revision_readers import a_numbered_snapshot
from tests.support.servers.edge_process import StartedEdge
from tests.support.soak import report, soak_setting

pytestmark = pytest.mark.slow

_MIN_REPLICAS = ("min-replicas-to-write 1", "min-replicas-max-lag 1")
_NOT_WAITED_FOR = {"edge_event_replicas": "0"}
#: The lines in the configuration of both servers, and the setting of the edge. Those without a 0 lose nothing.
MODES: tuple[tuple[str, tuple[str, ...], dict[str, str]], ...] = (
    ("the default", (), {}),
    ("the default, min-replicas", _MIN_REPLICAS, {}),
    ("no replica waited for, min-replicas", _MIN_REPLICAS, _NOT_WAITED_FOR),
    ("no replica waited for", (), _NOT_WAITED_FOR),
)


def show(name: str, outcome: Outcome) -> None:
    """Print the outcome; pytest shows it with -s."""
    report(
        name,
        {
            field: f"{value:.2f}" if isinstance(value, float) else value
            for field, value in dataclasses.asdict(outcome).items()
        },
    )


@pytest.mark.timeout(240 + 20 * LOAD_SECONDS)
@pytest.mark.parametrize("mode", MODES[: soak_setting("FAILOVERS", 1, 3)], ids=lambda mode: mode[0])
def test_failover_by_sentinels_fails_no_resolve_and_loses_no_event_by_default(
    tmp_path: Path, database_url: str, mode: tuple[str, tuple[str, ...], dict[str, str]]
) -> None:
    mode_name, lines, replicas = mode
    settings = {**replicas, "edge_spool_folder": str(tmp_path / "spool")}
    with (
        ValkeySentinels(tmp_path / "servers", *lines, follow_seconds=15 + 2 * LOAD_SECONDS) as servers,
        connect(servers.url, reply_seconds=2, connect_seconds=1) as client,
        StartedEdge(servers.url, tmp_path, workers=2, **settings) as edge,
        FailoverSetup(database_url, servers.url, tmp_path / "spool") as setup,
    ):
        snapshots = [a_numbered_snapshot(project_id=setup.project_id()) for _ in range(2)]
        outcome = fail_over(
            setup,
            edge,
            client,
            snapshots,
            hold_replication_up=servers.hold_replication_up,
            kill=servers.kill_master,
            drained_meanwhile=False,
        )
    show(f"Sentinel, {mode_name}", outcome)
    assert (outcome.failed_resolves, outcome.failed_posts) == (0, 0)
    if replicas != _NOT_WAITED_FOR:
        assert outcome.lost == 0


def project_on(cluster: ValkeyCluster, node: StartedNode, setup: FailoverSetup) -> Snapshot:
    """Return a project whose snapshot is on the node, which also has events of every project."""
    assert any(cluster.master_of(stream) is node for stream in event_streams())
    while True:
        snapshot = a_numbered_snapshot(project_id=setup.project_id())
        if cluster.master_of(snapshot_key(snapshot.project_id)) is node:
            return snapshot


@pytest.mark.timeout(240 + 20 * LOAD_SECONDS)
def test_failover_in_a_cluster_fails_no_resolve(tmp_path: Path, database_url: str) -> None:
    with (
        ValkeyCluster(tmp_path / "servers", node_timeout_ms=1000) as cluster,
        FailoverSetup(database_url, cluster.url, tmp_path / "spool") as setup,
    ):
        victim = cluster.masters[0]
        # Two of the masters have no replica to wait for.
        settings = {**_NOT_WAITED_FOR, "edge_spool_folder": str(tmp_path / "spool")}
        snapshots = [project_on(cluster, victim, setup), a_numbered_snapshot(project_id=setup.project_id())]
        with (
            connect(cluster.url, reply_seconds=2, connect_seconds=1) as client,
            StartedEdge(cluster.url, tmp_path, workers=2, **settings) as edge,
        ):
            outcome = fail_over(
                setup,
                edge,
                client,
                snapshots,
                hold_replication_up=lambda: None,
                kill=victim.server.kill,
                drained_meanwhile=True,
            )
            assert cluster.master_of(snapshot_key(snapshots[0].project_id)) in cluster.replicas
    show("Cluster", outcome)
    assert (outcome.failed_resolves, outcome.failed_posts) == (0, 0)
