"""Measures both services in one run, by turns, so that whatever else the machine does falls on both alike."""

import statistics
from dataclasses import dataclass, field

from loadtests.management_benchmark.cases import Case
from loadtests.management_benchmark.furnishing import Furniture, remove_made
from loadtests.management_benchmark.http_load import HttpLoad, Load, Measured
from loadtests.management_benchmark.pinning import cpu_seconds
from loadtests.management_benchmark.programs import Programs

_WARM_UP_SECONDS = 1.0
#: Two for each thread: the server always has the next request at hand.
_CONNECTIONS_PER_THREAD = 2


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how often."""

    rounds: int
    seconds: float
    threads: int


@dataclass(slots=True)
class Side:
    """One service in one case: the rounds at full load, the processor time each took, the answers' times at half."""

    rounds: list[Measured] = field(default_factory=list)
    used: list[float] = field(default_factory=list)
    half: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """The median of the rounds, in answers a second."""
        return statistics.median(each.rate for each in self.rounds)

    @property
    def milliseconds_of_processor(self) -> float:
        """What one answer costs the service itself, without the database."""
        return sum(self.used) / len(self.full) * 1000

    @property
    def full(self) -> list[float]:
        """The answers' times of all rounds at full load."""
        return [time for each in self.rounds for time in each.times]


@dataclass(slots=True)
class Comparison:
    """Both sides in one case."""

    case: Case
    management: Side = field(default_factory=Side)
    bare: Side = field(default_factory=Side)

    @property
    def ratios(self) -> list[float]:
        """The ratio of each round, the management service to the bare one."""
        pairs = zip(self.management.rounds, self.bare.rounds, strict=True)
        return [management.rate / bare.rate for management, bare in pairs]


def compare(programs: Programs, furniture: Furniture, case: Case, plan: Plan) -> Comparison:
    """Measure one case. Raises LoadError."""
    compared = Comparison(case)
    sides = (
        (compared.management, programs.management, case.requests(furniture, furniture.api_key)),
        (compared.bare, programs.bare, case.requests(furniture, furniture.bare_key)),
    )
    connections = plan.threads * _CONNECTIONS_PER_THREAD
    for _, server, requests in sides:
        HttpLoad(server.port, requests).run(Load(_WARM_UP_SECONDS, connections))
    for number in range(plan.rounds):
        # Each goes first in every other round.
        for side, server, requests in sides if number % 2 == 0 else reversed(sides):
            used = cpu_seconds(server.process)
            measured = HttpLoad(server.port, requests).run(Load(plan.seconds, connections))
            side.rounds.append(measured)
            side.used.append(cpu_seconds(server.process) - used)
            _tidy(programs, case)
    for side, server, requests in sides:
        half = HttpLoad(server.port, requests).run(Load(plan.seconds * 2, connections, rate=side.rate / 2))
        side.half.extend(half.times)
        _tidy(programs, case)
    return compared


def _tidy(programs: Programs, case: Case) -> None:
    if case.makes_rows:
        remove_made(programs.database_url)
