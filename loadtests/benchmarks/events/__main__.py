"""The cost of storing events before their acknowledgement: `python -m loadtests.benchmarks.events`."""

import argparse
import os
from pathlib import Path

from loadtests.benchmarks.events.measuring import Plan, measure, measure_half_load
from loadtests.benchmarks.events.programs import Edges, running_edges
from loadtests.benchmarks.events.report import conditions, table
from loadtests.measurement.cpu_affinity import pin_to_own_processor, processors
from loadtests.measurement.tables import write_between

#: A file system in memory, if the system has one.
_MEMORY = Path("/dev/shm")  # noqa: S108 - with a folder of its own in it


def main() -> None:
    """Run the benchmark and print its table."""
    options = _options()
    plan = Plan(options.rounds, options.seconds, options.connections)
    allowed = processors()
    with running_edges() as edges:
        pinned = _pin(edges)
        measured = measure(edges, plan)
    if _MEMORY.is_dir():
        if allowed:
            # The first pinning applies to this process and so to the programs that it starts.
            os.sched_setaffinity(0, allowed)
        with running_edges(_MEMORY) as edges:
            _pin(edges)
            measured.half_in_memory = measure_half_load(edges, plan, measured.half_rates)
    section = f"{table(measured)}\n\n{conditions(plan, pinned, measured)}"
    print(section)
    if options.write_into is not None:
        write_between(options.write_into, "ingestion benchmark", section)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="loadtests.benchmarks.events", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each edge is measured")
    parser.add_argument("--seconds", type=int, default=3, help="how long a round is")
    parser.add_argument("--connections", type=int, default=512, help="how many clients post at the same time")
    parser.add_argument("--write-into", type=Path, help="a document with markers that takes the table")
    return parser.parse_args()


def _pin(edges: Edges) -> str:
    if not pin_to_own_processor(server.process for server in edges.servers.values()):
        return "nothing pinned"
    return "the edges by turns on one of them, Redis and the load generator on the others"


if __name__ == "__main__":
    main()
