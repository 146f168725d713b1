"""One URL says where Redis is, whatever stands behind it."""

import pytest

from common.redis.url import Topology, read_redis_address


@pytest.mark.parametrize("url", ["redis://:secret@redis:6379/1", "rediss://redis", "unix:///run/redis.sock?db=2"])
def test_a_single_server_has_the_url_that_redis_py_reads(url: str) -> None:
    address = read_redis_address(url)
    assert (address.topology, address.url, address.seeds) == (Topology.SINGLE, url, ())


def test_sentinels_are_asked_with_their_own_password_and_the_master_with_the_other() -> None:
    address = read_redis_address(
        "rediss+sentinel://app:p%40ss@one:1,two,[::1]:3/flows/2?ssl_ca_certs=/ca.pem&sentinel_password=a/b"
    )
    assert (address.topology, address.service) == (Topology.SENTINEL, "flows")
    assert address.seeds == (("one", 1), ("two", 26379), ("::1", 3))
    assert address.url_of(("master", 7)) == "rediss://app:p%40ss@master:7/2?ssl_ca_certs=%2Fca.pem"
    assert address.url_of_seed(("::1", 3)) == "rediss://:a%2Fb@[::1]:3?ssl_ca_certs=%2Fca.pem"


def test_sentinels_without_a_password_are_given_none() -> None:
    address = read_redis_address("redis+sentinel://:secret@one/flows")
    assert address.url_of_seed(address.seeds[0]) == "redis://one:26379"
    assert address.url == "redis://:secret@one:26379/0"


def test_every_node_of_a_cluster_has_the_same_password_and_options() -> None:
    address = read_redis_address("redis+cluster://:secret@one, two:7001/0?socket_keepalive=yes")
    assert (address.topology, address.seeds) == (Topology.CLUSTER, (("one", 6379), ("two", 7001)))
    assert address.url_of(("three", 7002)) == "redis://:secret@three:7002/0?socket_keepalive=yes"


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("http://one", "must be a redis://"),
        ("redis", "must be a redis://"),
        ("redis+unix://one", "must be a redis://"),
        ("unix+cluster://one", "must be a redis://"),
        ("redis+sentinel://one:1", "must name the service"),
        ("redis+sentinel://one:1/flows/two", "must have the number of a database"),
        ("redis+cluster://one:1/3", "must not name a database"),
        ("redis+cluster://", "must name hosts"),
        ("redis+cluster://one,,two", "must name hosts"),
        ("redis+cluster://::1", "must name hosts"),
        ("redis+cluster://[::1", "must have an IPv6 address in brackets"),
        ("redis+cluster://one:0", "must have ports"),
        ("redis+cluster://one:secret", "must have ports"),
    ],
)
def test_what_cannot_be_read_is_said_without_quoting_it(url: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as error:
        read_redis_address(url.replace("://", "://user:hidden@"))
    assert "hidden" not in str(error.value)


def test_an_address_shows_no_password() -> None:
    assert "secret" not in repr(read_redis_address("redis+cluster://:secret@one"))
