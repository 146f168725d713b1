"""Clients that send five requests once, as an app does after its start, beside a client that has a lease."""

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from ipaddress import IPv4Address
from itertools import count, repeat

from loadtests.benchmarks.edge.cases import CLIENTS, Case
from loadtests.benchmarks.edge.measuring import Plan
from loadtests.measurement.client_headers import client_headers
from loadtests.measurement.http_load import HttpLoad, Load, Measured
from loadtests.measurement.programs import Server
from loadtests.measurement.rounds import Side

_REQUESTS_OF_A_CLIENT = 5
_CONNECTIONS = 16
_FIRST_ADDRESS = int(IPv4Address("20.0.0.0"))
#: The edge reports the requests of a new client to Redis within this time after the load.
_REPORT_SECONDS = 2.0
_AIM = 1.3


@dataclass(slots=True)
class FirstRequests:
    """The processor time of new clients and of a client with a lease, round by round."""

    new: Side[Measured] = field(default_factory=Side)
    leased: Side[Measured] = field(default_factory=Side)

    @property
    def ratios(self) -> list[float]:
        """The processor time of a request of a new client against one of the leased client, round by round."""
        return [new / leased for new, leased in zip(self.new.cost, self.leased.cost, strict=True)]

    def table(self) -> str:
        """Return the table of the run, as Markdown."""
        ratios, costs = self.ratios, (self.new.processor_seconds, self.leased.processor_seconds)
        cells = (
            "resolve, a client of five requests, once",
            f"**{statistics.median(ratios):.2f}** ({min(ratios):.2f} to {max(ratios):.2f})",
            f"{_AIM:.2f}",
            ", ".join(f"{cost * 1e6:.1f}" for cost in costs),
        )
        header = "| Processor time of new clients | ratio to a client with a lease | aim | processor µs: new, leased |"
        return f"{header}\n|---|---|---|---|\n| {' | '.join(cells)} |"


def measure_first_requests(case: Case, new: Server, leased: Server, plan: Plan) -> FirstRequests:
    """Send requests of new clients to one edge and of one client to another, by turns."""
    measured = FirstRequests()
    sides = (
        (measured.new, HttpLoad(new.port, _new_clients(case).__next__), new),
        (measured.leased, HttpLoad(leased.port, _one_client(case).__next__), leased),
    )
    for _, load, _ in sides:
        load.run(Load(plan.seconds, _CONNECTIONS))
    for _ in range(plan.rounds):
        for side, load, server in sides:
            side.measure_round(server.process, lambda load=load: _until_reported(load, plan.seconds))  # type: ignore[misc]  # bound now
    return measured


def _until_reported(load: HttpLoad, seconds: float) -> Measured:
    measured = load.run(Load(seconds, _CONNECTIONS))
    time.sleep(_REPORT_SECONDS)
    return measured


def _new_clients(case: Case) -> Iterator[bytes]:
    """Return the requests of clients whose addresses the edge has never seen, in the name of other devices."""
    clients = client_headers(CLIENTS)
    for number in count():
        headers = f"{clients[number % CLIENTS].rpartition(' ')[0]} {IPv4Address(_FIRST_ADDRESS + number)}"
        yield from repeat(case.request(headers, case.bodies[number % CLIENTS]), _REQUESTS_OF_A_CLIENT)


def _one_client(case: Case) -> Iterator[bytes]:
    """Return the same requests with one address."""
    clients = client_headers(CLIENTS)
    for number in count():
        headers = f"{clients[number % CLIENTS].rpartition(' ')[0]} {IPv4Address(_FIRST_ADDRESS)}"
        yield from repeat(case.request(headers, case.bodies[number % CLIENTS]), _REQUESTS_OF_A_CLIENT)
