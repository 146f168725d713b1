"""The topology and the addresses of Redis, parsed from one URL: a server, a master behind Sentinels, or a Cluster.

| URL | Topology |
|---|---|
| `redis://`, `rediss://`, `unix://`, as redis-py reads them | one server |
| `redis+sentinel://[user:password@]host:port,host:port/service[/db]` | the service's master; the hosts are Sentinels |
| `redis+cluster://[user:password@]host:port,host:port` | a Cluster; the hosts are some of its nodes |

`rediss+sentinel://` and `rediss+cluster://` use TLS to every server and Sentinel. Options behind `?` are redis-py's;
`sentinel_username` and `sentinel_password` are the credentials for the Sentinels themselves.
"""

from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import parse_qsl, quote, urlencode

#: A host, and a port.
Node = tuple[str, int]

_PLAIN_SCHEMES = ("redis", "rediss", "unix")
_SENTINEL_OPTIONS = ("sentinel_username", "sentinel_password")
_WRONG_SCHEME = (
    "must be a redis://, rediss:// or unix:// URL, or redis+sentinel:// or redis+cluster:// (rediss+... with TLS)"
)


class Topology(StrEnum):
    """The kinds of installations of Redis."""

    SINGLE = "single"
    SENTINEL = "sentinel"
    CLUSTER = "cluster"


_DEFAULT_PORTS = {Topology.SENTINEL: 26379, Topology.CLUSTER: 6379}


@dataclass(frozen=True, slots=True, repr=False)
class RedisAddress:
    """The parsed URL. It has no repr, because URLs contain passwords."""

    topology: Topology
    #: The Sentinels, or the named nodes of the Cluster; empty for a single server.
    startup_nodes: tuple[Node, ...] = ()
    #: The name of the master at the Sentinels.
    service: str = ""
    _prefix: str = ""
    _startup_prefix: str = ""
    _suffix: str = ""
    _startup_suffix: str = ""

    def url_for(self, node: Node) -> str:
        """Return the URL of a server that stores keys; a single server has the same one for every `node`."""
        if self.topology is Topology.SINGLE:
            return self._prefix
        return f"{self._prefix}{_host_and_port(node)}{self._suffix}"

    def startup_url_for(self, node: Node) -> str:
        """Return the URL of a startup node, with the credentials of the Sentinels where it is one."""
        return f"{self._startup_prefix}{_host_and_port(node)}{self._startup_suffix}"

    @property
    def url(self) -> str:
        """The URL of the single server, or the options of the others with the host of the first startup node."""
        return self.url_for(self.startup_nodes[0] if self.startup_nodes else ("", 0))


def parse_redis_url(url: str) -> RedisAddress:
    """Parse a URL. Raises ValueError with a text that quotes nothing of the URL."""
    scheme, separator, rest = url.partition("://")
    if separator and scheme in _PLAIN_SCHEMES:
        return RedisAddress(Topology.SINGLE, _prefix=url)
    plain, plus, kind = scheme.partition("+")
    if not (separator and plus) or plain not in ("redis", "rediss") or kind not in _DEFAULT_PORTS:
        raise ValueError(_WRONG_SCHEME)
    topology = Topology(kind)
    authority, _, query = rest.partition("?")
    authority, _, path = authority.partition("/")
    credentials, at, hosts = authority.rpartition("@")
    startup_nodes = tuple(_parse_node(host.strip(), _DEFAULT_PORTS[topology]) for host in hosts.split(","))
    service, database = _parse_path(topology, path)
    options = parse_qsl(query, keep_blank_values=True)
    suffix = _encode_query([(name, value) for name, value in options if name not in _SENTINEL_OPTIONS])
    startup_credentials = f"{credentials}{at}"
    if topology is Topology.SENTINEL:
        startup_credentials = _sentinel_credentials(dict(options))
    return RedisAddress(
        topology,
        startup_nodes,
        service,
        _prefix=f"{plain}://{credentials}{at}",
        _startup_prefix=f"{plain}://{startup_credentials}",
        _suffix=f"/{database}{suffix}",
        _startup_suffix=suffix,
    )


def _parse_node(text: str, default_port: int) -> Node:
    host, port = text, ""
    if text.startswith("["):
        host, bracket, port = text[1:].partition("]")
        if not bracket or (port and not port.startswith(":")):
            raise ValueError("must have an IPv6 address in brackets: [::1]:6379")
        port = port[1:]
    elif ":" in text:
        host, _, port = text.rpartition(":")
    if not host or (not text.startswith("[") and ":" in host):
        raise ValueError("must name hosts as host:port, separated by commas, IPv6 addresses in brackets")
    if not port:
        return host, default_port
    if not (port.isascii() and port.isdigit() and 0 < int(port) <= 65535):  # noqa: PLR2004 - the greatest port
        raise ValueError("must have ports between 1 and 65535")
    return host, int(port)


def _host_and_port(node: Node) -> str:
    host, port = node
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _parse_path(topology: Topology, path: str) -> tuple[str, int]:
    """Return the service and the number of the database."""
    if topology is Topology.CLUSTER:
        if path not in ("", "0"):
            raise ValueError("must not name a database: a Cluster has none but 0")
        return "", 0
    service, _, database = path.partition("/")
    if not service:
        raise ValueError("must name the service behind the Sentinels: redis+sentinel://host:port/service")
    if database and not (database.isascii() and database.isdigit()):
        raise ValueError("must have the number of a database behind the service, or nothing")
    return service, int(database or 0)


def _sentinel_credentials(options: dict[str, str]) -> str:
    username, password = (quote(options.get(name, ""), safe="") for name in _SENTINEL_OPTIONS)
    return f"{username}:{password}@" if username or password else ""


def _encode_query(options: list[tuple[str, str]]) -> str:
    return f"?{urlencode(options)}" if options else ""
