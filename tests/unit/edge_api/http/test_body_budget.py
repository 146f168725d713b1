"""The budget of unfinished bodies: which bodies make room for others."""

from dataclasses import dataclass, field

import pytest

from common.errors import UnavailableError
from edge_api.http.connection_limits import BodyBudget, Phase


@dataclass(eq=False)
class Sender:
    """A connection that sends a body."""

    budget: BodyBudget
    peer: str
    phase: int = Phase.BODY
    since: float = 0.0
    write_blocked_since: float | None = None
    is_dropped: bool = field(default=False, init=False)

    def send(self, size: int) -> "Sender":
        self.budget.hold(self, size)
        return self

    def time_out(self) -> None:
        """End the connection."""

    def drop_body(self) -> None:
        """Release the body, as a connection does."""
        self.is_dropped = True
        self.budget.release(self)


@pytest.fixture
def budget() -> BodyBudget:
    """Return a budget of 160 bytes, of which 10 are freed when it is full."""
    return BodyBudget(160)


def test_full_budget_drops_the_oldest_bodies_of_the_largest_peer(budget: BodyBudget) -> None:
    honest = Sender(budget, "honest").send(30)
    crowd = [Sender(budget, "slow").send(20) for _ in range(6)]
    newest = Sender(budget, "other").send(25)
    assert [one.is_dropped for one in (honest, *crowd, newest)] == [False, True, True, *[False] * 5]
    assert budget.used == 30 + 4 * 20 + 25


def test_two_crowds_lose_bodies_by_turns(budget: BodyBudget) -> None:
    crowds = [[Sender(budget, peer).send(20) for _ in range(4)] for peer in ("a", "b")]
    Sender(budget, "other").send(60)
    assert [sum(one.is_dropped for one in crowd) for crowd in crowds] == [2, 2]


def test_growing_body_is_never_dropped_for_itself(budget: BodyBudget) -> None:
    other = Sender(budget, "slow").send(20)
    growing = Sender(budget, "slow").send(100).send(150)
    assert (other.is_dropped, growing.is_dropped, budget.used) == (True, False, 150)


def test_body_larger_than_the_budget_is_refused(budget: BodyBudget) -> None:
    large = Sender(budget, "large")
    with pytest.raises(UnavailableError):
        large.send(161)
    budget.release(large)
    assert budget.used == 0
