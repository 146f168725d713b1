"""What a server did in the rounds of a run, which are measured by turns with those of another one.

By turns, so that whatever else the machine does falls on all alike.
"""

import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from loadtests.management_benchmark.pinning import cpu_seconds


class Loaded(Protocol):
    """What a load generator tells of one round."""

    @property
    def rate(self) -> float:
        """Answers a second."""

    @property
    def answers(self) -> int:
        """How many there were."""


LoadedT = TypeVar("LoadedT", bound=Loaded)


@dataclass(slots=True)
class Side(Generic[LoadedT]):
    """One server in one case: its rounds at full load, and the times of its answers at half of it, in seconds."""

    rounds: list[LoadedT] = field(default_factory=list)
    #: Processor seconds of the server for each answer, round by round.
    cost: list[float] = field(default_factory=list)
    half: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """The median of the rounds, in answers a second."""
        return statistics.median(each.rate for each in self.rounds)

    @property
    def processor_seconds(self) -> float:
        """The median of what an answer costs the server itself."""
        return statistics.median(self.cost)

    def take_round(self, process: int, load: Callable[[], LoadedT]) -> None:
        """Load the server, which is this process with its children, once more."""
        used = cpu_seconds(process)
        loaded = load()
        self.rounds.append(loaded)
        self.cost.append((cpu_seconds(process) - used) / loaded.answers)

    def ratios_to(self, other: "Side[LoadedT]") -> list[float]:
        """Give the ratio of rates to another server, round by round."""
        return [own.rate / base.rate for own, base in zip(self.rounds, other.rounds, strict=True)]
