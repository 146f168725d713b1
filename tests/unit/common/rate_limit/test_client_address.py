"""Where a request comes from: whom to believe, and how far."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.rate_limit.client_address import ClientAddresses, TrustedProxies

OUTSIDE = "203.0.113.9"
PROXY = "10.0.0.1"


def behind(*networks: str) -> ClientAddresses:
    """Give what a service knows whose proxies are in these networks."""
    return ClientAddresses(TrustedProxies(networks))


def test_the_header_of_a_peer_that_is_no_proxy_is_not_believed() -> None:
    assert behind().find(OUTSIDE, "198.51.100.1") == OUTSIDE
    assert behind("10.0.0.0/8").find(OUTSIDE, "198.51.100.1") == OUTSIDE
    assert behind("10.0.0.0/8").find(OUTSIDE, PROXY) == OUTSIDE


def test_a_proxy_says_whom_it_was_called_by() -> None:
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
def test_the_right_most_hop_that_is_no_proxy_is_the_client(forwarded_for: str) -> None:
    assert behind("10.0.0.0/8").find(PROXY, forwarded_for) == OUTSIDE


def test_of_proxies_alone_the_first_is_the_client() -> None:
    assert behind("10.0.0.0/8").find(PROXY, "10.3.3.3, 10.2.2.2") == "10.3.3.3"


@pytest.mark.parametrize(
    "forwarded_for", ["", "nonsense", f"{OUTSIDE}, nonsense", f"{OUTSIDE},", "1.2.3", "[::1", "a:b"]
)
def test_a_header_that_cannot_be_read_is_not_believed(forwarded_for: str) -> None:
    assert behind("10.0.0.0/8").find(PROXY, forwarded_for) == PROXY


def test_a_header_with_more_hops_than_anyone_has_is_not_believed() -> None:
    assert behind("10.0.0.0/8").find(PROXY, ", ".join([OUTSIDE, *["10.2.2.2"] * 16])) == PROXY


def test_ipv6_is_counted_by_its_64() -> None:
    addresses = behind("fd00::/8")
    assert (
        addresses.find("2001:db8:1:2:3::4", None) == addresses.find("2001:db8:1:2:ffff::9", None) == "2001:db8:1:2::/64"
    )
    assert addresses.find("2001:db8:1:3::4", None) == "2001:db8:1:3::/64"
    assert addresses.find("fd00::1", "[2001:db8:1:2::7]:443") == "2001:db8:1:2::/64"


def test_an_ipv4_address_in_ipv6_clothing_is_that_address() -> None:
    assert behind().find(f"::ffff:{OUTSIDE}", None) == OUTSIDE
    assert behind("10.0.0.0/8").find(f"::ffff:{PROXY}", OUTSIDE) == OUTSIDE


@pytest.mark.parametrize("peer", [None, ""])
def test_peers_on_a_unix_socket_are_one_client_unless_they_are_a_proxy(peer: str | None) -> None:
    assert behind("10.0.0.0/8").find(peer, OUTSIDE) == "unix"
    assert behind("unix").find(peer, OUTSIDE) == OUTSIDE
    assert behind("unix").find(peer, None) == "unix"


@given(peer=st.none() | st.text(max_size=20), forwarded_for=st.none() | st.text("0123456789abcdef.:,[] %", max_size=60))
def test_whatever_is_sent_there_is_an_address(peer: str | None, forwarded_for: str | None) -> None:
    assert isinstance(behind("0.0.0.0/0", "::/0", "unix").find(peer, forwarded_for), str)


def test_many_clients_are_not_remembered_for_ever() -> None:
    addresses = behind()
    assert [addresses.find(f"10.1.{number // 256}.{number % 256}", None) for number in range(5000)][-1] == "10.1.19.135"


@pytest.mark.parametrize("network", ["10.0.0.1/8", "example.com", "10.0.0.0/33", "Unix"])
def test_what_is_no_network_cannot_be_trusted(network: str) -> None:
    with pytest.raises(ValueError, match=r"host bits set|does not appear"):
        TrustedProxies((network,))
