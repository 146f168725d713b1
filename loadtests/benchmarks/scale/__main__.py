"""The cost of many projects, and of large ones: `python -m loadtests.benchmarks.scale`."""

import argparse
import shlex
import sys
import time
from pathlib import Path

from loadtests.benchmarks.scale.growth import FLOWS, grow_flows, grow_projects, times_by_step
from loadtests.benchmarks.scale.memory_bound import measure_bound
from loadtests.benchmarks.scale.programs import Servers, running_servers
from loadtests.benchmarks.scale.publishing import Publishing
from loadtests.benchmarks.scale.reach import measure_reach
from loadtests.benchmarks.scale.report import (
    bound_lines,
    conditions,
    growth_line,
    growth_table,
    reach_table,
    rebuild_line,
)
from loadtests.benchmarks.scale.synthetic_projects import SyntheticProject
from loadtests.measurement.charts import draw_growth
from loadtests.measurement.tables import write_between

_FLOWS_OF_EACH = (5, 50, 500)


def main() -> None:
    """Run everything and print its tables."""
    options = _options()
    with running_servers() as servers:
        section = _measure(servers, options)
    section = f"{section}\n\n{conditions(_own_options())}"
    print(section)
    if options.write_into is not None:
        write_between(options.write_into, "scale", section)


def _measure(servers: Servers, options: argparse.Namespace) -> str:
    publishing = Publishing(servers)
    publishing.start_with_empty_redis()
    totals = [options.projects // 100, options.projects // 10, options.projects]
    parts: list[str] = []
    by_projects = []
    # The smallest size first: each size adds to the one before.
    for step in grow_projects(servers, publishing, totals):
        by_projects.append(step)
        print(growth_line(step), flush=True)
    reach = measure_reach(servers, [SyntheticProject(number, FLOWS) for number in range(totals[-1])], options.publishes)
    print(reach_table(reach), flush=True)
    by_flows = []
    for step in grow_flows(servers, publishing, options.large_projects, _FLOWS_OF_EACH):
        by_flows.append(step)
        print(growth_line(step), flush=True)
    parts.append(growth_table([*by_projects, *by_flows]))
    started = time.perf_counter()
    servers.rebuild_snapshots()
    all_projects = totals[-1] + options.large_projects * len(_FLOWS_OF_EACH)
    parts.append(rebuild_line(all_projects, time.perf_counter() - started))
    bound = measure_bound(servers, [SyntheticProject(number, FLOWS) for number in range(totals[-1])])
    parts.append(bound_lines(bound, totals[-1]))
    parts.append(reach_table(reach))
    if options.figure is not None:
        panels = {
            f"projects, {by_projects[0].flows} flows each": (
                [step.projects for step in by_projects],
                times_by_step(by_projects),
            ),
            f"flows in each of {by_flows[0].projects} projects": (
                [step.flows for step in by_flows],
                times_by_step(by_flows),
            ),
        }
        draw_growth(options.figure, panels)
    return "\n\n".join(parts)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="loadtests.benchmarks.scale", description=__doc__)
    parser.add_argument("--projects", type=int, default=100_000, help="the most projects; a hundredth is the fewest")
    parser.add_argument("--large-projects", type=int, default=100, help="projects with each number of flows")
    parser.add_argument("--publishes", type=int, default=300, help="how often one is published to four workers")
    parser.add_argument("--write-into", type=Path, help="a document with markers that takes the tables")
    parser.add_argument("--figure", type=Path, help="an SVG file that takes the chart")
    return parser.parse_args()


def _own_options() -> str:
    """Return the options of this run without those of the output."""
    given = sys.argv[1:]
    kept = [
        option for option in zip(given[::2], given[1::2], strict=False) if option[0] not in {"--write-into", "--figure"}
    ]
    return shlex.join(part for option in kept for part in option)


if __name__ == "__main__":
    main()
