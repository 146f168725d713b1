"""Measures all ways to store by turns, at full load and at half load."""

import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from loadtests.benchmarks.events.disk import time_syncs
from loadtests.benchmarks.events.programs import Edges
from loadtests.benchmarks.events.raw_redis import RawRate, delete_events, load_redis
from loadtests.measurement.http_load import Load
from loadtests.measurement.load_generator import Throughput, send_load, warm_up
from loadtests.measurement.rounds import Side

BASE = "at-once"
PRODUCT = "durable"


@dataclass(frozen=True, slots=True)
class Plan:
    """The length and the number of the rounds, and the number of connections."""

    rounds: int
    seconds: int
    connections: int


@dataclass(slots=True)
class Measured:
    """The edges by name, and Redis alone."""

    edges: Mapping[str, Side[Throughput]]
    #: By name: the rounds at half load.
    half: Mapping[str, list[Throughput]]
    redis: list[RawRate] = field(default_factory=list)
    #: Seconds of writes to the disk alone, between the rounds at half load.
    syncs: list[float] = field(default_factory=list)
    #: The rounds at half load with the files of Redis in memory, without the time of the disk.
    half_in_memory: Mapping[str, list[Throughput]] = field(default_factory=dict)

    @property
    def half_rates(self) -> Mapping[str, float]:
        """The half load in events/s: half of the rate of the product's edge, or of the own rate if that is lower."""
        half = self.edges[PRODUCT].rate / 2
        return {name: min(half, side.rate / 2) for name, side in self.edges.items()}

    @property
    def redis_rate(self) -> float:
        """The median of the rounds, in entries a second."""
        return statistics.median(measured.rate for measured in self.redis)


def measure(edges: Edges, plan: Plan) -> Measured:
    """Measure everything."""
    sides = {name: Side[Throughput]() for name in edges.servers}
    measured = Measured(sides, {name: [] for name in edges.servers})
    for server in edges.servers.values():
        warm_up(edges.requests, server.port, plan.connections)
    for _ in range(plan.rounds):
        for name, server in edges.servers.items():
            load = partial(send_load, edges.requests, server.port, Load(plan.seconds, plan.connections))
            sides[name].measure_round(server.process, load)
            delete_events(edges.redis.port)
        measured.redis.append(load_redis(edges.redis.port, plan.seconds / 2))
    for _ in range(plan.rounds):
        for name, throughput in _half_load(edges, plan, measured.half_rates):
            measured.half[name].append(throughput)
        measured.syncs += time_syncs(edges.folder, plan.seconds / 2)
    return measured


def measure_half_load(edges: Edges, plan: Plan, rates: Mapping[str, float]) -> Mapping[str, list[Throughput]]:
    """Measure only the edge of the product and the edge without storing at half load."""
    chosen = {name: rates[name] for name in (BASE, PRODUCT)}
    half: dict[str, list[Throughput]] = {name: [] for name in chosen}
    for number in range(1 + plan.rounds):
        for name, throughput in _half_load(edges, plan, chosen):
            # The first round warms up.
            half[name] += [throughput] if number else []
    return half


def _half_load(edges: Edges, plan: Plan, rates: Mapping[str, float]) -> Iterator[tuple[str, Throughput]]:
    for name, rate in rates.items():
        load = Load(plan.seconds, plan.connections, rate)
        yield name, send_load(edges.requests, edges.servers[name].port, load)
        delete_events(edges.redis.port)
