"""Where Redis is, read from one URL: a server, the master that Sentinels name, or a Cluster.

| URL | Topology |
|---|---|
| `redis://`, `rediss://`, `unix://`, as redis-py reads them | one server |
| `redis+sentinel://[user:password@]host:port,host:port/service[/db]` | the service's master, as Sentinels say |
| `redis+cluster://[user:password@]host:port,host:port` | a Cluster; some of its nodes are named |

`rediss+sentinel://` and `rediss+cluster://` speak TLS to every server and Sentinel. Options behind `?` are redis-py's;
`sentinel_username` and `sentinel_password` are what the Sentinels themselves want, if anything.
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
    """What stands behind a URL."""

    SINGLE = "single"
    SENTINEL = "sentinel"
    CLUSTER = "cluster"


_DEFAULT_PORTS = {Topology.SENTINEL: 26379, Topology.CLUSTER: 6379}


@dataclass(frozen=True, slots=True, repr=False)
class RedisAddress:
    """Its text has no address in it, as there are passwords in addresses."""

    topology: Topology
    #: Whom to ask where the keys are: Sentinels, or nodes of the Cluster. A single server is nobody's to tell.
    seeds: tuple[Node, ...] = ()
    #: The name under which Sentinels know the master.
    service: str = ""
    _before: str = ""
    _before_seed: str = ""
    _behind: str = ""
    _behind_seed: str = ""

    def url_of(self, node: Node) -> str:
        """Give the URL of a server that holds keys; a single one has only this address, whatever `node` is."""
        if self.topology is Topology.SINGLE:
            return self._before
        return f"{self._before}{_written(node)}{self._behind}"

    def url_of_seed(self, seed: Node) -> str:
        """Give the URL of one that can tell where the keys are."""
        return f"{self._before_seed}{_written(seed)}{self._behind_seed}"

    @property
    def url(self) -> str:
        """The URL of a single server; of any other topology, one with the right options and the first seed's place."""
        return self.url_of(self.seeds[0] if self.seeds else ("", 0))


def read_redis_address(url: str) -> RedisAddress:
    """Read a URL. Raises ValueError, whose text says what is expected and quotes nothing."""
    scheme, separator, rest = url.partition("://")
    if separator and scheme in _PLAIN_SCHEMES:
        return RedisAddress(Topology.SINGLE, _before=url)
    plain, plus, kind = scheme.partition("+")
    if not (separator and plus) or plain not in ("redis", "rediss") or kind not in _DEFAULT_PORTS:
        raise ValueError(_WRONG_SCHEME)
    topology = Topology(kind)
    place, _, query = rest.partition("?")
    place, _, path = place.partition("/")
    credentials, at, hosts = place.rpartition("@")
    seeds = tuple(_node(host.strip(), _DEFAULT_PORTS[topology]) for host in hosts.split(","))
    service, database = _service_and_database(topology, path)
    options = parse_qsl(query, keep_blank_values=True)
    own = dict(options)
    behind = _query([(name, value) for name, value in options if name not in _SENTINEL_OPTIONS])
    is_sentinel = topology is Topology.SENTINEL
    return RedisAddress(
        topology,
        seeds,
        service,
        _before=f"{plain}://{credentials}{at}",
        _before_seed=f"{plain}://{_sentinel_credentials(own) if is_sentinel else credentials + at}",
        _behind=f"/{database}{behind}",
        _behind_seed=behind,
    )


def _node(text: str, default_port: int) -> Node:
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


def _written(node: Node) -> str:
    host, port = node
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _service_and_database(topology: Topology, path: str) -> tuple[str, int]:
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


def _query(options: list[tuple[str, str]]) -> str:
    return f"?{urlencode(options)}" if options else ""
