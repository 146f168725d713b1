"""Measures the edge and bare uvicorn by turns, with the same requests."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from loadtests.measurement.http_load import Load
from loadtests.measurement.load_generator import Throughput, send_load, warm_up
from loadtests.measurement.programs import Server
from loadtests.measurement.rounds import Side

#: More clients with longer pauses keep a rate better, because a response time is then a small part of a pause.
HALF_LOAD_CONNECTIONS = 256


@dataclass(frozen=True, slots=True)
class Plan:
    """The length and the number of the rounds."""

    rounds: int
    seconds: int


@dataclass(slots=True)
class Measured:
    """One server: its rounds at full load and at half load."""

    full: Side[Throughput] = field(default_factory=Side)
    half: list[Throughput] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The edge and bare uvicorn in one case."""

    name: str
    aim: float | None = None
    edge: Measured = field(default_factory=Measured)
    bare: Measured = field(default_factory=Measured)

    @property
    def ratios(self) -> list[float]:
        """The ratio of rates, round by round."""
        return self.edge.full.ratios_to(self.bare.full)

    @property
    def cost_ratio(self) -> float:
        """The ratio of responses for the same processor time."""
        return self.bare.full.processor_seconds / self.edge.full.processor_seconds


def compare(
    compared: Comparison, edge: Server, bare: Server, requests: Sequence[bytes], plan: Plan, *, connections: int
) -> None:
    """Measure both servers at full load and then at the same rate, half of the rate of the slower one."""
    sides = ((compared.bare, bare), (compared.edge, edge))
    for _, server in sides:
        warm_up(requests, server.port)
    for _ in range(plan.rounds):
        for side, server in sides:
            load = partial(send_load, requests, server.port, Load(plan.seconds, connections))
            side.full.measure_round(server.process, load)
    half = Load(plan.seconds, HALF_LOAD_CONNECTIONS, min(side.full.rate for side, _ in sides) / 2)
    for _ in range(plan.rounds):
        for side, server in sides:
            side.half.append(send_load(requests, server.port, half))
