"""A master, two replicas and a Sentinel on the loopback interface. Replication can be held up."""

from pathlib import Path
from types import TracebackType
from typing import Self

import redis

from deploy.local.loopback_ports import LOOPBACK
from tests.integration.redis.valkey_node import PASSWORD, StartedNode, started
from tests.support.polling import eventually
from tests.support.servers.fault_proxy import FaultProxy

SERVICE = "onboarding"
_REPLICAS = 2


class ValkeySentinels:
    """A context manager; `lines` go into the configuration of the servers.

    The replicas follow the master through a proxy, for `follow_seconds` until the Sentinel has them follow it directly.
    """

    def __init__(self, folder: Path, *lines: str, follow_seconds: float = 15) -> None:
        self._folder = folder
        self._lines = lines
        self._follow_ms = round(follow_seconds * 1000)
        self._servers: list[StartedNode] = []
        self._sentinels: list[StartedNode] = []
        self._link: FaultProxy | None = None

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
        try:
            # Before the master dies: a replica that reconnects while the link closes would leave a socket open.
            if self._link is not None:
                self._link.__exit__(kind, error, trace)
        finally:
            for node in [*self._sentinels, *self._servers]:
                node.server.kill()

    @property
    def url(self) -> str:
        """The URL of the service, with the password of the Sentinel."""
        addresses = ",".join(sentinel.address for sentinel in self._sentinels)
        return f"redis+sentinel://:{PASSWORD}@{addresses}/{SERVICE}/0?sentinel_password={PASSWORD}"

    @property
    def master(self) -> StartedNode:
        """The current master, by the Sentinel."""
        _, port = self._sentinels[0].ask("SENTINEL GET-MASTER-ADDR-BY-NAME", SERVICE)
        return next(server for server in self._servers if server.node.port == int(port))

    def hold_replication_up(self) -> None:
        """Deliver nothing more to the replicas; writes in flight are lost when the master dies."""
        assert self._link is not None
        self._link.black_hole()

    def fail_over(self) -> bool:
        """Have the Sentinel promote a replica while the master runs; False while it finds none to promote."""
        try:
            return bool(self._sentinels[0].ask("SENTINEL FAILOVER", SERVICE))
        except redis.ResponseError:
            return False

    def kill_master(self) -> None:
        self.master.server.kill()

    def _start(self) -> None:
        master = started(self._folder / "first", *self._lines)
        self._servers.append(master)
        self._link = FaultProxy(master.node.url)
        self._link.__enter__()
        link = f"replicaof {LOOPBACK} {self._link.port}"
        self._servers.extend(started(self._folder / name, link, *self._lines) for name in ("second", "third"))
        eventually(lambda: all(_follows(server) for server in self._servers[1:]), within=20)
        self._sentinels.append(
            started(
                self._folder / "sentinel",
                f"sentinel monitor {SERVICE} {LOOPBACK} {master.node.port} 1",
                f"sentinel auth-pass {SERVICE} {PASSWORD}",
                # A replica whose disk stalls for this time is not promoted; with none to promote, the next attempt
                # comes after twice the failover timeout.
                f"sentinel down-after-milliseconds {SERVICE} 1000",
                f"sentinel failover-timeout {SERVICE} {self._follow_ms}",
                is_sentinel=True,
            )
        )
        eventually(lambda: len(self._sentinels[0].ask("SENTINEL REPLICAS", SERVICE)) == _REPLICAS, within=20)


def _follows(server: StartedNode) -> bool:
    return bool(server.ask("INFO", "replication").get("master_link_status") == "up")
