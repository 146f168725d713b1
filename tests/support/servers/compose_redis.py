"""The Redis of deploy/compose.yaml: its command and files, with Valkey from a package instead of the image."""

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import redis
import yaml

from deploy.local.loopback_ports import LOOPBACK, free_port
from deploy.local.supervision.process_spec import ProcessSpec, StopStep, bare_environment
from deploy.local.valkey_server import valkey_binary
from tests.support.servers.running_server import RunningServer

DEPLOY = Path(__file__).parents[3] / "deploy"
#: The users that `make_secrets.sh` creates besides the administrator.
USERS = ("edge", "management", "publisher", "consumer", "doctor")


def make_secrets(folder: Path) -> None:
    """Run deploy/make_secrets.sh for that folder."""
    subprocess.run(["/bin/sh", DEPLOY / "make_secrets.sh", folder], check=True)  # noqa: S603 - our own script


class ComposeRedis:
    """Implements the protocol `Server` of `RunningServer`."""

    name = "valkey"

    def __init__(self, folder: Path) -> None:
        """Create the secrets and the configuration; the folders of the container are below `folder`."""
        self._folder = folder
        self._secrets = folder / "secrets"
        make_secrets(self._secrets)
        for name in ("data", "run"):
            (folder / name).mkdir()
        self.port = free_port()
        settings = (DEPLOY / "redis" / "redis.conf").read_text()
        (folder / "redis.conf").write_text(f"{self._with_local_paths(settings)}\nport {self.port}\nbind {LOOPBACK}\n")

    @property
    def url(self) -> str:
        """The administrator's URL."""
        return f"redis://:{(self._secrets / 'redis_password').read_text()}@{LOOPBACK}:{self.port}/0"

    def url_for(self, user: str) -> str:
        """Return the URL of the process of this name, with the address of this server."""
        configured = urlsplit((self._secrets / f"redis_url_{user}").read_text())
        return configured._replace(
            netloc=f"{configured.username}:{configured.password}@{LOOPBACK}:{self.port}"
        ).geturl()

    def spec(self) -> ProcessSpec:
        """Return the command of the container."""
        service = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["redis"]
        shell, *arguments = service["command"]
        return ProcessSpec(
            name=self.name,
            arguments=(f"/bin/{shell}", *(self._with_local_paths(argument) for argument in arguments)),
            environment=bare_environment(),
            lock_file=self._folder / "lock",
            stop_steps=(StopStep(signal.SIGTERM, 10),),
            folder=self._folder,
        )

    def is_ready(self) -> bool:
        """Return whether the server responds to PING."""
        try:
            with redis.Redis.from_url(self.url, socket_timeout=2, socket_connect_timeout=2) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def _with_local_paths(self, text: str) -> str:
        paths = {
            "/run/secrets": self._secrets,
            "/run/redis": self._folder / "run",
            "/etc/onboarding/redis.conf": self._folder / "redis.conf",
            "/etc/onboarding/users.acl": DEPLOY / "redis" / "users.acl",
            "dir /data": f"dir {self._folder / 'data'}",
            "exec redis-server": f"exec {valkey_binary()}",
        }
        pattern = "|".join(re.escape(path) for path in paths)
        return re.sub(pattern, lambda found: str(paths[found[0]]), text)


@contextmanager
def compose_redis(folder: Path) -> Iterator[ComposeRedis]:
    """Run the server for the length of the block."""
    server = ComposeRedis(folder)
    running = RunningServer(server, folder / "valkey.log")
    try:
        running.start()
        yield server
    finally:
        running.stop()
