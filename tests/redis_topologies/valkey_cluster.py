"""A Redis Cluster of real nodes on the loopback interface: three masters, and a replica of the first."""

from pathlib import Path
from types import TracebackType
from typing import Self

import redis
from redis.crc import key_slot

from deploy.local.loopback_ports import LOOPBACK, free_port
from tests.polling import eventually
from tests.redis_topologies.valkey_node import PASSWORD, StartedNode, started

_SLOTS = 16_384
_MASTERS = 3


class ValkeyCluster:
    """Use it as a context manager. A node that is silent for `node_timeout_ms` is taken for dead by the others."""

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
        """All of them."""
        return [*self.masters, *self.replicas]

    @property
    def url(self) -> str:
        """The URL that names two of the nodes."""
        return f"redis+cluster://:{PASSWORD}@{self.masters[1].place},{self.masters[2].place}"

    def is_whole(self) -> bool:
        """Tell whether every node knows of all others, and that every slot has a master."""
        states = [node.ask("CLUSTER INFO") for node in self.nodes]
        return all(
            state["cluster_state"] == "ok" and state["cluster_known_nodes"] == str(len(self.nodes)) for state in states
        ) and all(_info(node, "replication")["master_link_status"] == "up" for node in self.replicas)

    def master_of(self, key: str) -> StartedNode:
        """Give the node that takes writes to the slot of a key, as the last master knows."""
        slot = key_slot(key.encode())
        for first, last, (_, port, *_), *_ in self.masters[-1].ask("CLUSTER SLOTS"):
            if first <= slot <= last:
                return next(node for node in self.nodes if node.node.port == port)
        raise LookupError(f"no node has slot {slot}")

    def begin_move(self, key: str, target: StartedNode) -> None:
        """Move everything in the slot of a key to another master, to which the former one sends on from now on."""
        slot, source = key_slot(key.encode()), self.master_of(key)
        ids = {node: node.ask("CLUSTER MYID").decode() for node in (source, target)}
        target.ask("CLUSTER SETSLOT", slot, "IMPORTING", ids[source])
        source.ask("CLUSTER SETSLOT", slot, "MIGRATING", ids[target])
        while keys := source.ask("CLUSTER GETKEYSINSLOT", slot, 100):
            source.ask("MIGRATE", LOOPBACK, target.node.port, "", 0, 5000, "AUTH", PASSWORD, "KEYS", *keys)

    def finish_move(self, key: str, target: StartedNode) -> None:
        """Tell every node that the slot has arrived."""
        slot, target_id = key_slot(key.encode()), target.ask("CLUSTER MYID").decode()
        for node in (target, *(node for node in self.masters if node is not target)):
            node.ask("CLUSTER SETSLOT", slot, "NODE", target_id)

    def empty(self) -> None:
        """Throw away what tests before have left."""
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
        eventually(self.is_whole, within=20)

    def _node(self, name: str) -> StartedNode:
        return started(
            self._folder / name,
            "cluster-enabled yes",
            f"cluster-node-timeout {self._node_timeout_ms}",
            # Slots whose master is away must not keep those of the others from being served.
            "cluster-require-full-coverage no",
            f"cluster-port {free_port()}",
        )

    def _bus_port_of(self, node: StartedNode) -> int:
        return int(node.ask("CONFIG GET", "cluster-port")["cluster-port"])

    def _replicates(self, master_id: str) -> bool:
        try:
            return bool(self.replicas[0].ask("CLUSTER REPLICATE", master_id))
        except redis.ResponseError:
            # It has not heard of the master yet.
            return False


def _info(node: StartedNode, section: str) -> dict[str, str]:
    return dict(node.ask("INFO", section))
