"""Measures both services in one run, by turns."""

from dataclasses import dataclass, field
from functools import partial

from loadtests.benchmarks.management.cases import Case
from loadtests.benchmarks.management.programs import Programs
from loadtests.benchmarks.management.seed_data import SeedData, delete_created
from loadtests.measurement.http_load import HttpLoad, Load, Measured
from loadtests.measurement.rounds import Side

_WARM_UP_SECONDS = 1.0
#: Two for each thread: the server always has the next request at hand.
_CONNECTIONS_PER_THREAD = 2


@dataclass(frozen=True, slots=True)
class Plan:
    """The length and the number of the rounds."""

    rounds: int
    seconds: float
    threads: int


@dataclass(slots=True)
class Comparison:
    """Both sides in one case."""

    case: Case
    management: Side[Measured] = field(default_factory=Side)
    bare: Side[Measured] = field(default_factory=Side)

    @property
    def ratios(self) -> list[float]:
        """The ratio of each round, the management service to the bare one."""
        return self.management.ratios_to(self.bare)


def compare(programs: Programs, seed_data: SeedData, case: Case, plan: Plan) -> Comparison:
    """Measure one case. Raises LoadError."""
    compared = Comparison(case)
    sides = (
        (compared.management, programs.management, case.requests(seed_data, seed_data.api_key)),
        (compared.bare, programs.bare, case.requests(seed_data, seed_data.bare_key)),
    )
    connections = plan.threads * _CONNECTIONS_PER_THREAD
    for _, server, requests in sides:
        HttpLoad(server.port, requests).run(Load(_WARM_UP_SECONDS, connections))
    for number in range(plan.rounds):
        # Each goes first in every other round.
        for side, server, requests in sides if number % 2 == 0 else reversed(sides):
            load = HttpLoad(server.port, requests)
            side.measure_round(server.process, partial(load.run, Load(plan.seconds, connections)))
            _delete_created_rows(programs, case)
    for side, server, requests in sides:
        half = HttpLoad(server.port, requests).run(Load(plan.seconds * 2, connections, rate=side.rate / 2))
        side.half.extend(half.times)
        _delete_created_rows(programs, case)
    return compared


def _delete_created_rows(programs: Programs, case: Case) -> None:
    if case.creates_rows:
        delete_created(programs.database_url)
