"""The client address of a request: which proxies are trusted, and how an address is counted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.client_address import ClientAddresses, TrustedProxies

OUTSIDE = "203.0.113.9"
PROXY = "10.0.0.1"


def behind(*networks: str) -> ClientAddresses:
    """Return the client addresses of a service that trusts proxies in the networks."""
    return ClientAddresses(TrustedProxies(networks))


def test_header_of_a_peer_that_is_no_trusted_proxy_is_ignored() -> None:
    assert behind().find(OUTSIDE, "198.51.100.1") == OUTSIDE
    assert behind("10.0.0.0/8").find(OUTSIDE, "198.51.100.1") == OUTSIDE
    assert behind("10.0.0.0/8").find(OUTSIDE, PROXY) == OUTSIDE


def test_header_of_a_trusted_proxy_names_the_client() -> None:
    assert behind("10.0.0.0/8").find(PROXY, OUTSIDE) == OUTSIDE
    assert behind("10.0.0.0/8").find(PROXY, None) == PROXY


@pytest.mark.parametrize(
    "forwarded_for",
    [
        f"198.51.100.1, {OUTSIDE}",
        f"198.51.100.1,{OUTSIDE}, 10.9.9.9",
        f"nonsense, {OUTSIDE}, 10.9.9.9, 10.8.8.8",
        f"{OUTSIDE}:51234",
        f"::ffff:{OUTSIDE}",
    ],
)
def test_rightmost_hop_that_is_no_proxy_is_the_client(forwarded_for: str) -> None:
    assert behind("10.0.0.0/8").find(PROXY, forwarded_for) == OUTSIDE


def test_first_hop_is_the_client_when_all_are_proxies() -> None:
    assert behind("10.0.0.0/8").find(PROXY, "10.3.3.3, 10.2.2.2") == "10.3.3.3"


@pytest.mark.parametrize(
    "forwarded_for", ["", "nonsense", f"{OUTSIDE}, nonsense", f"{OUTSIDE},", "1.2.3", "[::1", "a:b"]
)
def test_malformed_header_is_ignored(forwarded_for: str) -> None:
    assert behind("10.0.0.0/8").find(PROXY, forwarded_for) == PROXY


def test_header_with_too_many_hops_is_ignored() -> None:
    assert behind("10.0.0.0/8").find(PROXY, ", ".join([OUTSIDE, *["10.2.2.2"] * 16])) == PROXY


def test_ipv6_address_is_counted_by_its_64_network() -> None:
    addresses = behind("fd00::/8")
    assert (
        addresses.find("2001:db8:1:2:3::4", None) == addresses.find("2001:db8:1:2:ffff::9", None) == "2001:db8:1:2::/64"
    )
    assert addresses.find("2001:db8:1:3::4", None) == "2001:db8:1:3::/64"
    assert addresses.find("fd00::1", "[2001:db8:1:2::7]:443") == "2001:db8:1:2::/64"


def test_ipv4_mapped_address_is_the_ipv4_address() -> None:
    assert behind().find(f"::ffff:{OUTSIDE}", None) == OUTSIDE
    assert behind("10.0.0.0/8").find(f"::ffff:{PROXY}", OUTSIDE) == OUTSIDE


@pytest.mark.parametrize("peer", [None, ""])
def test_peers_on_a_unix_socket_are_one_client_unless_trusted(peer: str | None) -> None:
    assert behind("10.0.0.0/8").find(peer, OUTSIDE) == "unix"
    assert behind("unix").find(peer, OUTSIDE) == OUTSIDE
    assert behind("unix").find(peer, None) == "unix"


@given(peer=st.none() | st.text(max_size=20), forwarded_for=st.none() | st.text("0123456789abcdef.:,[] %", max_size=60))
def test_any_peer_and_header_give_an_address(peer: str | None, forwarded_for: str | None) -> None:
    assert isinstance(behind("0.0.0.0/0", "::/0", "unix").find(peer, forwarded_for), str)


def test_address_is_found_after_the_cache_was_full() -> None:
    addresses = behind()
    assert [addresses.find(f"10.1.{number // 256}.{number % 256}", None) for number in range(5000)][-1] == "10.1.19.135"


@pytest.mark.parametrize("network", ["10.0.0.1/8", "example.com", "10.0.0.0/33", "Unix"])
def test_invalid_network_is_rejected(network: str) -> None:
    with pytest.raises(ValueError, match=r"host bits set|does not appear"):
        TrustedProxies((network,))
