"""Where a request comes from: the peer, or what trusted proxies in front of us say (contract, section 1)."""

from ipaddress import IPv6Address, IPv6Network

from common.rate_limit.trusted_proxies import UNIX_SOCKET, Address, TrustedProxies, read_address

#: A household or a server has at least so many addresses of IPv6 that it can change them with every request.
_IPV6_PREFIX = 64
#: More proxies than this in a row are nobody's set-up.
_MOST_HOPS = 16
_LONGEST_REMEMBERED = 256
_MOST_REMEMBERED = 4096


class ClientAddresses:
    """Gives the address that a client is counted by; answers are remembered, because reading addresses is slow."""

    def __init__(self, proxies: TrustedProxies) -> None:
        self._proxies = proxies
        self._remembered: dict[tuple[str, str | None], str] = {}

    def of(self, peer: str | None, forwarded_for: str | None) -> str:
        """Give the address; `peer` is None or empty on a Unix socket, `forwarded_for` is X-Forwarded-For.

        The header is read from the right, as each proxy appends whom it was called by, up to the first hop that is no
        proxy of ours: what stands before that is the client's invention. One that cannot be read is not believed.
        IPv6 is counted by its /64.
        """
        question = (peer or UNIX_SOCKET, forwarded_for if self._proxies else None)
        known = self._remembered.get(question)
        if known is not None:
            return known
        address = self._find(*question)
        if len(forwarded_for or "") <= _LONGEST_REMEMBERED:
            if len(self._remembered) >= _MOST_REMEMBERED:
                self._remembered.clear()
            self._remembered[question] = address
        return address

    def _find(self, peer: str, forwarded_for: str | None) -> str:
        if peer == UNIX_SOCKET:
            believed, own = self._proxies.includes_unix_socket, UNIX_SOCKET
        else:
            try:
                address = read_address(peer)
            except ValueError:
                return peer
            believed, own = address in self._proxies, _counted(address)
        if not believed or forwarded_for is None:
            return own
        try:
            client = self._first_untrusted(forwarded_for)
        except ValueError:
            return own
        return own if client is None else _counted(client)

    def _first_untrusted(self, forwarded_for: str) -> Address | None:
        """Give the right-most hop that is no proxy of ours, or the left-most when all are. Raises ValueError."""
        hops = forwarded_for.rsplit(",", _MOST_HOPS)
        address = None
        for hop in reversed(hops[-_MOST_HOPS:]):
            address = read_address(hop)
            if address not in self._proxies:
                return address
        return None if len(hops) > _MOST_HOPS else address


def _counted(address: Address) -> str:
    if isinstance(address, IPv6Address):
        return str(IPv6Network((int(address), _IPV6_PREFIX), strict=False))
    return str(address)
