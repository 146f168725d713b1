"""Commands go to the node that has their key, and on to where a node sends them."""

import time
from typing import Any

import pytest
from redis.exceptions import AskError, MovedError, RedisError, ResponseError

from common.redis.cluster_view import ClusterView
from common.redis.errands import Command, Errands, with_asking, without_asking
from common.redis.url import Node

ONE, TWO = ("one", 1), ("two", 2)
#: The slots of these keys are 15495 and 3300.
IN_TWO, IN_ONE = "a", "b"


@pytest.fixture
def view() -> ClusterView:
    """Give a Cluster of two nodes with half of the slots each."""
    view = ClusterView([ONE])
    view.learn([[0, 8191, [b"one", 1, b"id"]], [8192, 16383, [b"two", 2, b"id"]]], ONE)
    return view


def get(key: str) -> Command:
    """Give a command."""
    return ("GET", key), {}


def answer(errands: Errands, node: Node, *replies: Any) -> None:  # noqa: ANN401 - replies are anything
    """Have a node answer all that would be sent to it."""
    errands.settle(node, errands.by_node()[node], replies)


def test_replies_come_in_the_order_of_the_commands(view: ClusterView) -> None:
    errands = Errands([get(IN_TWO), get(IN_ONE), get(IN_TWO)], view)
    answer(errands, ONE, b"2")
    answer(errands, TWO, b"1", b"3")
    assert (errands.are_done, errands.replies) == (True, [b"1", b"2", b"3"])


def test_a_refusal_is_a_reply(view: ClusterView) -> None:
    errands = Errands([get(IN_ONE)], view)
    refusal = ResponseError("OOM")
    answer(errands, ONE, refusal)
    assert (errands.are_done, errands.replies) == (True, [refusal])


def test_what_has_moved_follows_and_the_map_is_doubted(view: ClusterView) -> None:
    errands = Errands([get(IN_ONE)], view)
    answer(errands, ONE, MovedError("3300 three:3"))
    assert not errands.are_done
    assert with_asking(errands.by_node()["three", 3]) == [get(IN_ONE)]
    answer(errands, ("three", 3), b"1")
    assert errands.replies == [b"1"]


def test_a_node_that_names_no_host_means_its_own(view: ClusterView) -> None:
    errands = Errands([get(IN_ONE)], view)
    answer(errands, ONE, MovedError("3300 :3"))
    assert list(errands.by_node()) == [("one", 3)]


def test_what_is_being_moved_is_announced_each_time(view: ClusterView) -> None:
    errands = Errands([get(IN_ONE), get(IN_TWO)], view)
    answer(errands, ONE, AskError("3300 two:2"))
    (some,) = errands.by_node().values()
    assert with_asking(some) == [(("ASKING",), {}), get(IN_ONE), get(IN_TWO)]
    assert without_asking(some, [b"OK", b"1", b"2"]) == [b"1", b"2"]
    errands.settle(TWO, some, [b"1", b"2"])
    assert errands.replies == [b"1", b"2"]


def test_a_command_that_is_about_a_server_does_not_belong_into_a_pipeline(view: ClusterView) -> None:
    with pytest.raises(RedisError):
        Errands([(("PING",), {})], view)


def test_settling_a_long_pipeline_of_two_nodes_takes_linear_time(view: ClusterView) -> None:
    # 5 s when each settled command was searched for in the list of the open ones, 0.02 s without.
    errands = Errands([get(f"key-{number}") for number in range(16_000)], view)
    started = time.process_time()
    for node, some in errands.by_node().items():
        errands.settle(node, some, [b"1"] * len(some))
    assert errands.are_done
    assert time.process_time() - started < 1
