"""What is known of a Cluster: which node has a key, when to ask again, and whom."""

from typing import Any

import pytest
from redis.crc import key_slot
from redis.exceptions import ConnectionError as RedisConnectionError

from common.redis.cluster_map import slot_of
from common.redis.cluster_view import ClusterView

SEEDS = [("seed", 1)]


def slots(*owners: tuple[int, int, bytes, int]) -> list[Any]:
    """Give what CLUSTER SLOTS replies; every owner has a replica."""
    return [[first, last, [host, port, b"id"], [b"replica", 9, b"id"]] for first, last, host, port in owners]


@pytest.mark.parametrize(
    "words",
    [
        ("GET", "a{tag}"),
        ("XADD", b"b{tag}", "*"),
        ("EVAL", "return 1", 1, "c{tag}", "argument"),
        ("XREAD", b"COUNT", 1, b"STREAMS", "d{tag}", "0-0"),
        ("XREADGROUP", "GROUP", "g", "c", "STREAMS", "e{tag}", ">"),
        ("XINFO STREAM", "f{tag}"),
    ],
)
def test_the_key_of_a_command_says_its_slot(words: tuple[Any, ...]) -> None:
    assert slot_of(words) == key_slot(b"tag")


def test_a_command_about_a_server_has_no_slot() -> None:
    assert slot_of(("PING",)) is None


def test_a_node_without_a_name_is_where_it_was_asked() -> None:
    view = ClusterView(SEEDS)
    view.learn(slots((0, 99, b"", 7), (100, 16383, b"other", 8)), ("seed", 1))
    assert (view.owner(0), view.owner(16383)) == (("seed", 7), ("other", 8))


def test_a_slot_that_nobody_has_is_an_outage_and_a_reason_to_ask_again() -> None:
    now = [0.0]
    view = ClusterView(SEEDS, lambda: now[0])
    view.learn(slots((0, 99, b"one", 7)), ("seed", 1))
    with pytest.raises(RedisConnectionError):
        view.owner(100)
    now[0] = 1
    assert view.wants_map()


def test_however_much_it_is_doubted_a_map_is_asked_for_a_few_times_a_second() -> None:
    now = [0.0]
    view = ClusterView(SEEDS, lambda: now[0])
    assert view.wants_map()
    view.learn(slots((0, 16383, b"one", 7)), ("seed", 1))
    view.doubt()
    assert not view.wants_map()
    now[0] = 0.2
    assert view.wants_map()
    view.learn(slots((0, 16383, b"one", 7)), ("one", 7))
    assert not view.wants_map()


def test_whoever_answered_last_is_asked_first_and_the_named_nodes_are_never_forgotten() -> None:
    view = ClusterView(SEEDS)
    view.learn(slots((0, 99, b"one", 7), (100, 16383, b"two", 7)), ("two", 7))
    assert view.whom_to_ask() == [("two", 7), ("one", 7), ("seed", 1)]
    assert view.forgotten([("one", 7), ("gone", 7), ("seed", 1)]) == [("gone", 7)]
