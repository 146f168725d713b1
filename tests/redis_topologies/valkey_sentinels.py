"""A master, a replica and a Sentinel on the loopback interface."""

from pathlib import Path

from deploy.local.loopback_ports import LOOPBACK
from tests.polling import eventually
from tests.redis_topologies.valkey_node import PASSWORD, StartedNode, started

SERVICE = "onboarding"


class ValkeySentinels:
    """Use it as a fixture: make it, and `stop` it whatever has happened."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.servers: list[StartedNode] = []
        self.sentinels: list[StartedNode] = []

    @property
    def url(self) -> str:
        """The URL of the service; its Sentinels want a password too."""
        places = ",".join(sentinel.place for sentinel in self.sentinels)
        return f"redis+sentinel://:{PASSWORD}@{places}/{SERVICE}/0?sentinel_password={PASSWORD}"

    def start(self, *lines: str) -> None:
        """Start all of it; `lines` go into the configuration of both servers."""
        master = started(self._folder / "first", *lines)
        self.servers = [master]
        self.servers.append(started(self._folder / "second", f"replicaof {LOOPBACK} {master.node.port}", *lines))
        eventually(self.has_replica, within=20)
        self.sentinels = [
            started(
                self._folder / "sentinel",
                f"sentinel monitor {SERVICE} {LOOPBACK} {master.node.port} 1",
                f"sentinel auth-pass {SERVICE} {PASSWORD}",
                f"sentinel down-after-milliseconds {SERVICE} 500",
                f"sentinel failover-timeout {SERVICE} 3000",
                is_sentinel=True,
            )
        ]
        eventually(lambda: len(self.sentinels[0].ask("SENTINEL REPLICAS", SERVICE)) == 1, within=20)

    @property
    def master(self) -> StartedNode:
        """The server that the Sentinel calls the master now."""
        _, port = self.sentinels[0].ask("SENTINEL GET-MASTER-ADDR-BY-NAME", SERVICE)
        return next(server for server in self.servers if server.node.port == int(port))

    @property
    def replica(self) -> StartedNode:
        """The other one."""
        master = self.master
        return next(server for server in self.servers if server is not master)

    def has_replica(self) -> bool:
        """Tell whether one of the servers follows the other."""
        return any(server.node.is_ready() and _follows(server) for server in self.servers)

    def stop(self) -> None:
        """Stop everything."""
        for node in [*self.sentinels, *self.servers]:
            node.server.kill()


def _follows(server: StartedNode) -> bool:
    return bool(server.ask("INFO", "replication").get("master_link_status") == "up")
