"""The slot of a command, the owner of a slot, and the way of a pipeline's commands through redirects."""

import time
from typing import Any

import pytest
from redis.crc import key_slot
from redis.exceptions import AskError, MovedError, RedisError, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from common.redis.cluster_routing import Command, CommandRouter, TopologyCache, slot_for, with_asking
from common.redis.url import Node

STARTUP_NODE, ONE, TWO = ("startup", 1), ("one", 1), ("two", 2)
#: The slots of these keys are 15495 and 3300.
KEY_OF_TWO, KEY_OF_ONE = "a", "b"


def slots(*owners: tuple[int, int, bytes, int]) -> list[Any]:
    """Return a reply to CLUSTER SLOTS in which every owner has a replica."""
    return [[first, last, [host, port, b"id"], [b"replica", 9, b"id"]] for first, last, host, port in owners]


@pytest.fixture
def topology() -> TopologyCache:
    """Return a Cluster of two nodes with half of the slots each."""
    topology = TopologyCache([ONE])
    topology.update(slots((0, 8191, b"one", 1), (8192, 16383, b"two", 2)), ONE)
    return topology


def get(key: str) -> Command:
    return ("GET", key), {}


def reply(router: CommandRouter, node: Node, *replies: Any) -> None:  # noqa: ANN401 - replies are anything
    """Pass the replies of one node to the router, for all commands that are pending there."""
    router.record_replies(node, router.pending_by_node()[node], replies)


@pytest.mark.parametrize(
    "arguments",
    [
        ("GET", "a{tag}"),
        ("XADD", b"b{tag}", "*"),
        ("EVAL", "return 1", 1, "c{tag}", "argument"),
        ("XREAD", b"COUNT", 1, b"STREAMS", "d{tag}", "0-0"),
        ("XREADGROUP", "GROUP", "g", "c", "STREAMS", "e{tag}", ">"),
        ("XINFO STREAM", "f{tag}"),
    ],
)
def test_slot_of_command_is_the_slot_of_its_first_key(arguments: tuple[Any, ...]) -> None:
    assert slot_for(arguments) == key_slot(b"tag")


def test_command_about_a_server_has_no_slot() -> None:
    assert slot_for(("PING",)) is None


def test_owner_without_a_host_has_the_host_of_the_source() -> None:
    topology = TopologyCache([STARTUP_NODE])
    topology.update(slots((0, 99, b"", 7), (100, 16383, b"other", 8)), STARTUP_NODE)
    assert (topology.owner(0), topology.owner(16383)) == (("startup", 7), ("other", 8))


def test_slot_without_owner_is_an_outage_and_invalidates_the_topology() -> None:
    now = [0.0]
    topology = TopologyCache([STARTUP_NODE], lambda: now[0])
    topology.update(slots((0, 99, b"one", 7)), STARTUP_NODE)
    with pytest.raises(RedisConnectionError):
        topology.owner(100)
    now[0] = 1
    assert topology.needs_refresh()


def test_invalid_topology_is_refreshed_a_few_times_a_second_at_most() -> None:
    now = [0.0]
    topology = TopologyCache([STARTUP_NODE], lambda: now[0])
    assert topology.needs_refresh()
    topology.update(slots((0, 16383, b"one", 7)), STARTUP_NODE)
    topology.invalidate()
    assert not topology.needs_refresh()
    now[0] = 0.2
    assert topology.needs_refresh()
    topology.update(slots((0, 16383, b"one", 7)), ("one", 7))
    assert not topology.needs_refresh()


def test_refresh_queries_the_last_source_first_and_startup_nodes_are_never_stale() -> None:
    topology = TopologyCache([STARTUP_NODE])
    topology.update(slots((0, 99, b"one", 7), (100, 16383, b"two", 7)), ("two", 7))
    assert topology.refresh_candidates() == [("two", 7), ("one", 7), STARTUP_NODE]
    assert topology.stale_nodes([("one", 7), ("gone", 7), STARTUP_NODE]) == [("gone", 7)]


def test_replies_are_in_the_order_of_the_commands(topology: TopologyCache) -> None:
    router = CommandRouter([get(KEY_OF_TWO), get(KEY_OF_ONE), get(KEY_OF_TWO)], topology)
    reply(router, ONE, b"2")
    reply(router, TWO, b"1", b"3")
    assert (router.is_done, router.replies) == (True, [b"1", b"2", b"3"])


def test_error_of_a_node_is_the_reply_to_its_command(topology: TopologyCache) -> None:
    router = CommandRouter([get(KEY_OF_ONE)], topology)
    error = ResponseError("OOM")
    reply(router, ONE, error)
    assert (router.is_done, router.replies) == (True, [error])


def test_failure_of_a_node_is_the_reply_to_its_commands_alone(topology: TopologyCache) -> None:
    router = CommandRouter([get(KEY_OF_ONE), get(KEY_OF_TWO)], topology)
    error = RedisConnectionError("dead")
    router.record_failure(ONE, router.pending_by_node()[ONE], error)
    reply(router, TWO, b"1")
    assert (router.is_done, router.replies) == (True, [error, b"1"])


def test_command_for_a_slot_without_a_master_fails_alone() -> None:
    topology = TopologyCache([ONE])
    topology.update(slots((0, 8191, b"one", 1)), ONE)
    router = CommandRouter([get(KEY_OF_ONE), get(KEY_OF_TWO)], topology)
    reply(router, ONE, b"1")
    assert router.is_done
    assert isinstance(router.replies[1], RedisConnectionError)


def test_commands_of_a_node_that_timed_out_fail_at_once_for_a_while() -> None:
    now = [0.0]
    topology = TopologyCache([ONE], lambda: now[0])
    topology.update(slots((0, 8191, b"one", 1), (8192, 16383, b"two", 2)), ONE)

    def pending() -> set[Node]:
        return set(CommandRouter([get(KEY_OF_ONE), get(KEY_OF_TWO)], topology).pending_by_node())

    topology.record_failure(ONE, RedisConnectionError("refused"))
    assert pending() == {ONE, TWO}
    topology.record_failure(ONE, RedisTimeoutError("silent"))
    assert pending() == {TWO}
    assert topology.refresh_candidates() == topology.owners_to_ask() == [TWO, ONE]
    now[0] = 0.2
    # It may have a successor.
    assert pending() == {TWO}
    assert topology.needs_refresh()
    now[0] = 0.6
    assert pending() == {ONE, TWO}
    topology.record_failure(ONE, RedisTimeoutError("silent again"))
    now[0] = 5.7
    assert pending() == {ONE, TWO}
    topology.record_failure(ONE, RedisTimeoutError("silent again"))
    topology.record_reply(ONE)
    assert pending() == {ONE, TWO}


def test_moved_command_goes_to_the_target_of_the_redirect(topology: TopologyCache) -> None:
    router = CommandRouter([get(KEY_OF_ONE)], topology)
    reply(router, ONE, MovedError("3300 three:3"))
    assert not router.is_done
    assert with_asking(router.pending_by_node()["three", 3]) == [get(KEY_OF_ONE)]
    reply(router, ("three", 3), b"1")
    assert router.replies == [b"1"]


def test_redirect_without_a_host_keeps_the_host_of_the_node(topology: TopologyCache) -> None:
    router = CommandRouter([get(KEY_OF_ONE)], topology)
    reply(router, ONE, MovedError("3300 :3"))
    assert list(router.pending_by_node()) == [("one", 3)]


def test_command_for_a_slot_being_moved_follows_asking(topology: TopologyCache) -> None:
    router = CommandRouter([get(KEY_OF_ONE), get(KEY_OF_TWO)], topology)
    reply(router, ONE, AskError("3300 two:2"))
    (pending,) = router.pending_by_node().values()
    assert with_asking(pending) == [(("ASKING",), {}), get(KEY_OF_ONE), get(KEY_OF_TWO)]
    router.record_replies(TWO, pending, [b"OK", b"1", b"2"])
    assert (router.is_done, router.replies) == (True, [b"1", b"2"])


def test_pipeline_refuses_a_command_about_a_server(topology: TopologyCache) -> None:
    with pytest.raises(RedisError):
        CommandRouter([(("PING",), {})], topology)


def test_settling_a_long_pipeline_of_two_nodes_takes_linear_time(topology: TopologyCache) -> None:
    # 5 s when each settled command was searched for in a list of all pending ones, 0.02 s without.
    router = CommandRouter([get(f"key-{number}") for number in range(16_000)], topology)
    started = time.process_time()
    for node, commands in router.pending_by_node().items():
        router.record_replies(node, commands, [b"1"] * len(commands))
    assert router.is_done
    assert time.process_time() - started < 1
