"""Measures all servers in one run, by turns, so that whatever else the machine does falls on all alike."""

import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import cycle

from loadtests.edge_benchmark.cases import Case
from loadtests.edge_benchmark.full_load import CONNECTIONS, Throughput, load_fully
from loadtests.edge_benchmark.programs import Server
from loadtests.management_benchmark.http_load import HttpLoad, Load
from loadtests.management_benchmark.pinning import cpu_seconds

BASE = "bare"
_WARM_UP_SECONDS = 1


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how often."""

    rounds: int
    seconds: int


@dataclass(slots=True)
class Side:
    """One server in one case."""

    full: list[Throughput] = field(default_factory=list)
    #: Processor seconds of the server for each answer.
    cost: list[float] = field(default_factory=list)
    half: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """The median of the rounds, in answers a second."""
        return statistics.median(one.rate for one in self.full)


@dataclass(frozen=True, slots=True)
class Comparison:
    """All servers in one case, by their names."""

    case: Case
    sides: Mapping[str, Side]

    def ratios(self, name: str) -> list[float]:
        """Give the ratio of rates to the bare server, round by round."""
        pairs = zip(self.sides[name].full, self.sides[BASE].full, strict=True)
        return [own.rate / base.rate for own, base in pairs]

    def cost_ratio(self, name: str) -> float:
        """Give how many answers the server makes of the processor time that one costs the bare server."""
        return statistics.median(self.sides[BASE].cost) / statistics.median(self.sides[name].cost)


def compare(case: Case, servers: Mapping[str, tuple[Server, str]], plan: Plan) -> Comparison:
    """Measure one case at every server; each has a path of its own for it."""
    sides = {name: Side() for name in servers}
    for server, path in servers.values():
        load_fully(case, path, server.port, _WARM_UP_SECONDS)
    for _ in range(plan.rounds):
        for name, (server, path) in servers.items():
            used = cpu_seconds(server.process)
            throughput = load_fully(case, path, server.port, plan.seconds)
            sides[name].full.append(throughput)
            sides[name].cost.append((cpu_seconds(server.process) - used) / throughput.answers)
    for _ in range(plan.rounds):
        for name, (server, path) in servers.items():
            requests = cycle(case.requests(path))
            # The same for all, but for a server that could not keep up with it.
            half_rate = min(sides[name].rate, sides[BASE].rate) / 2
            load = HttpLoad(server.port, lambda requests=requests: next(requests))  # type: ignore[misc]  # bound now
            sides[name].half.extend(load.run(Load(plan.seconds, CONNECTIONS, half_rate)).times)
    return Comparison(case, sides)
