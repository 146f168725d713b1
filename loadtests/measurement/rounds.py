"""The rounds of a server in a run.

The rounds of the compared servers take turns, so that other work on the machine slows all of them alike.
"""

import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from loadtests.measurement.cpu_affinity import cpu_seconds


class Loaded(Protocol):
    """The result of one round of a load generator."""

    @property
    def rate(self) -> float:
        """Responses a second."""

    @property
    def responses(self) -> int:
        """The number of responses."""


LoadedT = TypeVar("LoadedT", bound=Loaded)


@dataclass(slots=True)
class Side(Generic[LoadedT]):
    """One server in one case: its rounds at full load, and its response times at half load, in seconds."""

    rounds: list[LoadedT] = field(default_factory=list)
    #: Processor seconds of the server for a response, round by round.
    cost: list[float] = field(default_factory=list)
    half: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """The median of the rounds, in responses a second."""
        return statistics.median(measured.rate for measured in self.rounds)

    @property
    def processor_seconds(self) -> float:
        """The processor time of the server for a response, the median of the rounds."""
        return statistics.median(self.cost)

    def measure_round(self, process: int, load: Callable[[], LoadedT]) -> None:
        """Run one more round and add the processor time of the server, this process with its children."""
        used = cpu_seconds(process)
        loaded = load()
        self.rounds.append(loaded)
        self.cost.append((cpu_seconds(process) - used) / loaded.responses)

    def ratios_to(self, other: "Side[LoadedT]") -> list[float]:
        """Return the ratio of rates to another server, round by round."""
        return [own.rate / base.rate for own, base in zip(self.rounds, other.rounds, strict=True)]
