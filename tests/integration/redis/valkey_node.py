"""One Valkey among several: a node of a Cluster, a master, a replica or a Sentinel."""

import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import redis

from deploy.local.loopback_ports import LOOPBACK, free_port
from deploy.local.supervision.process_spec import ProcessSpec, StopStep, bare_environment
from deploy.local.valkey_server import valkey_binary
from tests.support.servers.running_server import RunningServer

PASSWORD = "of-all-nodes"
#: A healthy node may wait for its disk for seconds on a busy machine.
_TIMEOUT_SECONDS = 15

_EVERY_NODE = f"""\
bind {LOOPBACK}
requirepass {PASSWORD}
daemonize no
loglevel notice
"""
_DURABLE = f"""\
masterauth {PASSWORD}
save ""
appendonly yes
appendfsync always
maxmemory-policy noeviction
repl-diskless-sync-delay 0
"""


class ValkeyNode:
    """The configuration and the command line of a node, which `RunningServer` runs."""

    name = "valkey"

    def __init__(self, folder: Path, lines: Sequence[str], *, is_sentinel: bool = False) -> None:
        """Write its configuration: every write is fsynced; `lines` make it a master, a replica or a Sentinel."""
        self.port = free_port()
        self._folder = folder
        self._arguments = ("--sentinel",) if is_sentinel else ()
        folder.mkdir(parents=True)
        common = _EVERY_NODE if is_sentinel else _EVERY_NODE + _DURABLE
        own = "\n".join((f"port {self.port}", f'dir "{folder}"', *lines, ""))
        # Sentinels and promoted replicas append to it.
        self._configuration.write_text(common + own)

    @property
    def url(self) -> str:
        return f"redis://:{PASSWORD}@{LOOPBACK}:{self.port}/0"

    def spec(self) -> ProcessSpec:
        return ProcessSpec(
            name=self.name,
            arguments=(str(valkey_binary()), str(self._configuration), *self._arguments),
            environment=bare_environment(),
            lock_file=self._folder / "lock",
            stop_steps=(StopStep(signal.SIGKILL, 5),),
            folder=self._folder,
        )

    def is_ready(self) -> bool:
        try:
            return self.ask("PING") is True
        except redis.RedisError:
            return False

    def ask(self, *words: str | int) -> Any:  # noqa: ANN401 - replies have any type
        with redis.Redis.from_url(self.url, socket_timeout=_TIMEOUT_SECONDS) as client:
            return client.execute_command(*words)

    @property
    def _configuration(self) -> Path:
        return self._folder / "valkey.conf"


class StartedNode:
    """A running node, which its fixture stops."""

    def __init__(self, node: ValkeyNode, folder: Path) -> None:
        self.node = node
        self.server = RunningServer(node, folder / "node.log")

    @property
    def address(self) -> str:
        """Host and port, as in a URL."""
        return f"{LOOPBACK}:{self.node.port}"

    def ask(self, *words: str | int) -> Any:  # noqa: ANN401 - replies have any type
        return self.node.ask(*words)

    def freeze(self) -> None:
        """Stop the process, as if its machine hung: it accepts connections and does not reply."""
        os.kill(self.server.pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self.server.pid, signal.SIGCONT)


def started(folder: Path, *lines: str, is_sentinel: bool = False) -> StartedNode:
    """Start a node and wait until it replies."""
    node = StartedNode(ValkeyNode(folder, lines, is_sentinel=is_sentinel), folder)
    node.server.start()
    return node
