"""The proxies whose word on a client's address is believed."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

#: Stands in the setting for peers on a Unix socket, which have no address.
UNIX_SOCKET = "unix"

Address = IPv4Address | IPv6Address


class TrustedProxies:
    """Networks (CIDR), and whether a peer on a Unix socket is one of them."""

    def __init__(self, networks: tuple[str, ...]) -> None:
        """Read what the setting lists. Raises ValueError, which names the first that is neither network nor `unix`."""
        self.includes_unix_socket = UNIX_SOCKET in networks
        self._networks: list[IPv4Network | IPv6Network] = [
            ip_network(network) for network in networks if network != UNIX_SOCKET
        ]

    def __bool__(self) -> bool:
        return self.includes_unix_socket or bool(self._networks)

    def __contains__(self, address: Address) -> bool:
        return any(address in network for network in self._networks)


def read_address(text: str) -> Address:
    """Read an address as proxies write it: bare, in brackets, with a port. Raises ValueError.

    An IPv4 address in IPv6 clothing is that IPv4 address.
    """
    bare = text.strip()
    if bare.startswith("["):
        bare, bracket, _ = bare[1:].partition("]")
        if not bracket:
            raise ValueError("a bracket is not closed")
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    address = ip_address(bare)
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address
