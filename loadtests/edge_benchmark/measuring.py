"""Measures all servers in one run, by turns."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import cycle

from loadtests.edge_benchmark.cases import Case
from loadtests.edge_benchmark.full_load import CONNECTIONS, Throughput, load_fully
from loadtests.edge_benchmark.programs import Server
from loadtests.management_benchmark.http_load import HttpLoad, Load
from loadtests.rounds import Side

BASE = "bare"
_WARM_UP_SECONDS = 1


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how often."""

    rounds: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """All servers in one case, by their names."""

    case: Case
    sides: Mapping[str, Side[Throughput]]

    def ratios(self, name: str) -> list[float]:
        """Give the ratio of rates to the bare server, round by round."""
        return self.sides[name].ratios_to(self.sides[BASE])

    def cost_ratio(self, name: str) -> float:
        """Give how many answers the server makes of the processor time that one costs the bare server."""
        return self.sides[BASE].processor_seconds / self.sides[name].processor_seconds


def compare(case: Case, servers: Mapping[str, tuple[Server, str]], plan: Plan) -> Comparison:
    """Measure one case at every server; each has a path of its own for it."""
    sides = {name: Side[Throughput]() for name in servers}
    for server, path in servers.values():
        load_fully(case, path, server.port, _WARM_UP_SECONDS)
    for _ in range(plan.rounds):
        for name, (server, path) in servers.items():
            sides[name].take_round(server.process, partial(load_fully, case, path, server.port, plan.seconds))
    for _ in range(plan.rounds):
        for name, (server, path) in servers.items():
            requests = cycle(case.requests(path))
            # The same for all, but for a server that could not keep up with it.
            half_rate = min(sides[name].rate, sides[BASE].rate) / 2
            load = HttpLoad(server.port, lambda requests=requests: next(requests))  # type: ignore[misc]  # bound now
            sides[name].half.extend(load.run(Load(plan.seconds, CONNECTIONS, half_rate)).times)
    return Comparison(case, sides)
