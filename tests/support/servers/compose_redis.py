"""The Redis of deploy/compose.yaml: its own command and files, with Valkey from a package in place of the image's."""

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
#: The users that `make_secrets.sh` makes, beside the administrator.
USERS = ("edge", "management", "publisher", "consumer", "doctor")


def make_secrets(folder: Path) -> None:
    """Run deploy/make_secrets.sh for that folder."""
    subprocess.run(["/bin/sh", DEPLOY / "make_secrets.sh", folder], check=True)  # noqa: S603 - our own script


class ComposeRedis:
    """Implements what `RunningServer` runs."""

    name = "valkey"

    def __init__(self, folder: Path) -> None:
        """Make the secrets and the configuration, with the container's folders moved below this one."""
        self._folder = folder
        self._secrets = folder / "secrets"
        make_secrets(self._secrets)
        for name in ("data", "run"):
            (folder / name).mkdir()
        self.port = free_port()
        settings = (DEPLOY / "redis" / "redis.conf").read_text()
        (folder / "redis.conf").write_text(f"{self._moved(settings)}\nport {self.port}\nbind {LOOPBACK}\n")

    @property
    def url(self) -> str:
        """The administrator's URL."""
        return f"redis://:{(self._secrets / 'redis_password').read_text()}@{LOOPBACK}:{self.port}/0"

    def url_for(self, user: str) -> str:
        """Return the URL that the process of that name is given, with the server's place in this test."""
        given = urlsplit((self._secrets / f"redis_url_{user}").read_text())
        return given._replace(netloc=f"{given.username}:{given.password}@{LOOPBACK}:{self.port}").geturl()

    def spec(self) -> ProcessSpec:
        """Return the container's command."""
        service = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["redis"]
        shell, *arguments = service["command"]
        return ProcessSpec(
            name=self.name,
            arguments=(f"/bin/{shell}", *(self._moved(argument) for argument in arguments)),
            environment=bare_environment(),
            lock_file=self._folder / "lock",
            stop_steps=(StopStep(signal.SIGTERM, 10),),
            folder=self._folder,
        )

    def is_ready(self) -> bool:
        """Return whether it answers."""
        try:
            with redis.Redis.from_url(self.url, socket_timeout=2, socket_connect_timeout=2) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def _moved(self, text: str) -> str:
        places = {
            "/run/secrets": self._secrets,
            "/run/redis": self._folder / "run",
            "/etc/onboarding/redis.conf": self._folder / "redis.conf",
            "/etc/onboarding/users.acl": DEPLOY / "redis" / "users.acl",
            "dir /data": f"dir {self._folder / 'data'}",
            "exec redis-server": f"exec {valkey_binary()}",
        }
        pattern = "|".join(re.escape(place) for place in places)
        return re.sub(pattern, lambda found: str(places[found[0]]), text)


@contextmanager
def compose_redis(folder: Path) -> Iterator[ComposeRedis]:
    """Run it for the length of the block."""
    server = ComposeRedis(folder)
    running = RunningServer(server, folder / "valkey.log")
    try:
        running.start()
        yield server
    finally:
        running.stop()
