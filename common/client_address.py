"""The address that a client is counted by: the peer, or the header of trusted proxies (contract, section 1)."""

from collections import OrderedDict
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from socket import AF_INET, inet_pton

#: Stands for peers on a Unix socket, which have no address, in the setting and as an address.
UNIX_SOCKET = "unix"

#: Clients can use any address of an IPv6 network of this size.
_IPV6_PREFIX = 64
#: A chain of more proxies is not read.
_MAX_HOPS = 16
_MAX_CACHED_LENGTH = 256
#: An entry takes 300 to 600 bytes. The oldest entry makes room for a new one.
_MAX_CACHED = 16_384
_MAX_PROXIES_CACHED = 1_000

Address = IPv4Address | IPv6Address


class TrustedProxies:
    """The networks (CIDR) of trusted proxies, and whether a peer on a Unix socket is one of them."""

    def __init__(self, networks: tuple[str, ...]) -> None:
        """Parse the setting. Raises ValueError, which names the first entry that is neither a network nor `unix`."""
        self.includes_unix_socket = UNIX_SOCKET in networks
        self._networks: list[IPv4Network | IPv6Network] = [
            ip_network(network) for network in networks if network != UNIX_SOCKET
        ]

    def __bool__(self) -> bool:
        return self.includes_unix_socket or bool(self._networks)

    def __contains__(self, address: Address) -> bool:
        return any(address in network for network in self._networks)

    def trust(self, peer: str | None) -> bool:
        """Return whether a connected client is a trusted proxy; `peer` is None on a Unix socket."""
        if peer is None or peer == UNIX_SOCKET:
            return self.includes_unix_socket
        try:
            return parse_address(peer) in self
        except ValueError:
            return False


class ClientAddresses:
    """Finds client addresses. Results are cached, because parsing addresses is slow."""

    def __init__(self, proxies: TrustedProxies) -> None:
        self._proxies = proxies
        self.trusts_proxies = bool(proxies)
        self._cache: OrderedDict[tuple[str, str | None], str] = OrderedDict()
        #: The addresses of connected proxies, which are few, by their texts.
        self._known_proxies: dict[str, str] = {}

    def find(self, peer: str | None, forwarded_for: str | None) -> str:
        """Return the address; `peer` is None or empty on a Unix socket, `forwarded_for` is X-Forwarded-For.

        The header is read from the right, because each proxy appends its peer, up to the first hop that is not a
        trusted proxy. Earlier hops are invented by the client. An unreadable header is ignored. IPv6 counts by /64.
        """
        source = (peer or UNIX_SOCKET, forwarded_for if self.trusts_proxies else None)
        cached = self._cache.get(source)
        if cached is not None:
            return cached
        address = self._find(*source)
        if len(forwarded_for or "") <= _MAX_CACHED_LENGTH:
            if len(self._cache) >= _MAX_CACHED:
                self._cache.popitem(last=False)
            self._cache[source] = address
        return address

    def _find(self, peer: str, forwarded_for: str | None) -> str:
        own = self._known_proxies.get(peer)
        if own is None:
            if peer == UNIX_SOCKET:
                is_trusted, own = self._proxies.includes_unix_socket, UNIX_SOCKET
            else:
                try:
                    address = parse_address(peer)
                except ValueError:
                    return peer
                is_trusted, own = address in self._proxies, _counted_as(address)
            if not is_trusted:
                return own
            if len(self._known_proxies) >= _MAX_PROXIES_CACHED:
                self._known_proxies.clear()
            self._known_proxies[peer] = own
        if forwarded_for is None:
            return own
        try:
            client = self._first_untrusted(forwarded_for)
        except ValueError:
            return own
        return own if client is None else _counted_as(client)

    def _first_untrusted(self, forwarded_for: str) -> Address | None:
        """Return the right-most hop that is not a proxy, or the left-most if all are. Raises ValueError."""
        hops = forwarded_for.rsplit(",", _MAX_HOPS)
        address = None
        for hop in reversed(hops[-_MAX_HOPS:]):
            address = parse_address(hop)
            if address not in self._proxies:
                return address
        return None if len(hops) > _MAX_HOPS else address


def parse_address(text: str) -> Address:
    """Parse an address as proxies write it: bare, in brackets, with a port. Raises ValueError.

    An IPv4-mapped IPv6 address is returned as IPv4.
    """
    bare = text.strip()
    if bare.startswith("["):
        bare, bracket, _ = bare[1:].partition("]")
        if not bracket:
            raise ValueError("a bracket is not closed")
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        # Each new client has an address, and ipaddress parses it in Python.
        return IPv4Address(inet_pton(AF_INET, bare))
    except OSError:
        address = ip_address(bare)
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def _counted_as(address: Address) -> str:
    if isinstance(address, IPv6Address):
        return str(IPv6Network((int(address), _IPV6_PREFIX), strict=False))
    return str(address)
