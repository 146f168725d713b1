"""The parts of a URL of Redis, by topology."""

import pytest

from common.redis.url import Topology, parse_redis_url


@pytest.mark.parametrize("url", ["redis://:secret@redis:6379/1", "rediss://redis", "unix:///run/redis.sock?db=2"])
def test_url_of_single_server_is_unchanged(url: str) -> None:
    address = parse_redis_url(url)
    assert (address.topology, address.url, address.startup_nodes) == (Topology.SINGLE, url, ())


def test_sentinels_and_master_have_passwords_of_their_own() -> None:
    address = parse_redis_url(
        "rediss+sentinel://app:p%40ss@one:1,two,[::1]:3/flows/2?ssl_ca_certs=/ca.pem&sentinel_password=a/b"
    )
    assert (address.topology, address.service) == (Topology.SENTINEL, "flows")
    assert address.startup_nodes == (("one", 1), ("two", 26379), ("::1", 3))
    assert address.url_for(("master", 7)) == "rediss://app:p%40ss@master:7/2?ssl_ca_certs=%2Fca.pem"
    assert address.startup_url_for(("::1", 3)) == "rediss://:a%2Fb@[::1]:3?ssl_ca_certs=%2Fca.pem"


def test_sentinels_without_a_password_get_none() -> None:
    address = parse_redis_url("redis+sentinel://:secret@one/flows")
    assert address.startup_url_for(address.startup_nodes[0]) == "redis://one:26379"
    assert address.url == "redis://:secret@one:26379/0"


def test_cluster_nodes_share_password_and_options() -> None:
    address = parse_redis_url("redis+cluster://:secret@one, two:7001/0?socket_keepalive=yes")
    assert (address.topology, address.startup_nodes) == (Topology.CLUSTER, (("one", 6379), ("two", 7001)))
    assert address.url_for(("three", 7002)) == "redis://:secret@three:7002/0?socket_keepalive=yes"


@pytest.mark.parametrize(
    ("url", "message"),
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
def test_error_of_malformed_url_does_not_quote_it(url: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        parse_redis_url(url.replace("://", "://user:hidden@"))
    assert "hidden" not in str(error.value)


def test_repr_of_address_has_no_password() -> None:
    assert "secret" not in repr(parse_redis_url("redis+cluster://:secret@one"))
