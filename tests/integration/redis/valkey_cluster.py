"""A Redis Cluster of real nodes on the loopback interface: three masters, and a replica of the first."""

from pathlib import Path
from types import TracebackType
from typing import Self

import redis
from redis.crc import key_slot

from deploy.local.loopback_ports import LOOPBACK, free_port
from tests.integration.redis.valkey_node import PASSWORD, StartedNode, started
from tests.support.polling import eventually

_SLOTS = 16_384
_MASTERS = 3


class ValkeyCluster:
    """A context manager. The nodes declare one dead that has been silent for `node_timeout_ms`."""

    def __init__(self, folder: Path, *, node_timeout_ms: int = 15_000) -> None:
        self._folder = folder
        self._node_timeout_ms = node_timeout_ms
        self.masters: list[StartedNode] = []
        self.replicas: list[StartedNode] = []

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for node in self.nodes:
            node.server.kill()

    @property
    def nodes(self) -> list[StartedNode]:
        return [*self.masters, *self.replicas]

    @property
    def url(self) -> str:
        return f"redis+cluster://:{PASSWORD}@{self.masters[1].address},{self.masters[2].address}"

    def is_complete(self) -> bool:
        """Return whether every node has met all others, every slot has a master, and the replica follows."""
        states = [node.ask("CLUSTER INFO") for node in self.nodes]
        return all(
            state["cluster_state"] == "ok" and state["cluster_known_nodes"] == str(len(self.nodes)) for state in states
        ) and all(_info(node, "replication")["master_link_status"] == "up" for node in self.replicas)

    def master_of(self, key: str) -> StartedNode:
        """Return the master of a key by the topology of the last master."""
        slot = key_slot(key.encode())
        for first, last, (_, port, *_), *_ in self.masters[-1].ask("CLUSTER SLOTS"):
            if first <= slot <= last:
                return next(node for node in self.nodes if node.node.port == port)
        raise LookupError(f"no node has slot {slot}")

    def begin_move(self, key: str, target: StartedNode) -> None:
        """Move the keys in the slot of a key to another master; from now on the former one redirects with ASK."""
        slot, source = key_slot(key.encode()), self.master_of(key)
        ids = {node: node.ask("CLUSTER MYID").decode() for node in (source, target)}
        target.ask("CLUSTER SETSLOT", slot, "IMPORTING", ids[source])
        source.ask("CLUSTER SETSLOT", slot, "MIGRATING", ids[target])
        while keys := source.ask("CLUSTER GETKEYSINSLOT", slot, 100):
            source.ask("MIGRATE", LOOPBACK, target.node.port, "", 0, 5000, "AUTH", PASSWORD, "KEYS", *keys)

    def finish_move(self, key: str, target: StartedNode) -> None:
        """Make the target the owner of the slot on every node."""
        slot, target_id = key_slot(key.encode()), target.ask("CLUSTER MYID").decode()
        for node in (target, *(node for node in self.masters if node is not target)):
            node.ask("CLUSTER SETSLOT", slot, "NODE", target_id)

    def empty(self) -> None:
        for node in self.masters:
            node.ask("FLUSHALL")

    def _start(self) -> None:
        for number in range(_MASTERS):
            self.masters.append(self._node(f"master-{number}"))
        self.replicas.append(self._node("replica"))
        share = -(-_SLOTS // _MASTERS)
        for number, node in enumerate(self.masters):
            node.ask("CLUSTER ADDSLOTSRANGE", number * share, min((number + 1) * share, _SLOTS) - 1)
            node.ask("CLUSTER SET-CONFIG-EPOCH", number + 1)
        first = self.masters[0]
        for node in self.nodes[1:]:
            node.ask("CLUSTER MEET", LOOPBACK, first.node.port, self._bus_port_of(first))
        first_id = first.ask("CLUSTER MYID").decode()
        eventually(lambda: self._replicates(first_id), within=20)
        eventually(self.is_complete, within=20)

    def _node(self, name: str) -> StartedNode:
        return started(
            self._folder / name,
            "cluster-enabled yes",
            f"cluster-node-timeout {self._node_timeout_ms}",
            # The other slots are served while the master of some is unavailable.
            "cluster-require-full-coverage no",
            f"cluster-port {free_port()}",
        )

    def _bus_port_of(self, node: StartedNode) -> int:
        return int(node.ask("CONFIG GET", "cluster-port")["cluster-port"])

    def _replicates(self, master_id: str) -> bool:
        try:
            return bool(self.replicas[0].ask("CLUSTER REPLICATE", master_id))
        except redis.ResponseError:
            # It has not met the master yet.
            return False


def _info(node: StartedNode, section: str) -> dict[str, str]:
    return dict(node.ask("INFO", section))
