"""The management service against a bare one on the same database: `python -m loadtests.benchmarks.management`."""

import argparse
from pathlib import Path

import psycopg

from loadtests.benchmarks.management.cases import cases
from loadtests.benchmarks.management.equal_responses import check_equal_responses
from loadtests.benchmarks.management.measuring import Comparison, Plan, compare
from loadtests.benchmarks.management.programs import Programs, running_programs
from loadtests.benchmarks.management.report import SECTION, command, facts, table
from loadtests.benchmarks.management.seed_data import create_seed_data
from loadtests.measurement.cpu_affinity import pin_to_own_processor
from loadtests.measurement.tables import write_between


def main() -> None:
    """Run the benchmark and print its table."""
    options = _options()
    plan = Plan(options.rounds, options.seconds, options.threads)
    with running_programs(workers=1, threads=plan.threads) as programs:
        pinned = _pin(programs)
        seed_data = create_seed_data(programs)
        check_equal_responses(programs, seed_data)
        compared: list[Comparison] = []
        for case in cases():
            if options.only not in case.name:
                continue
            compared.append(compare(programs, seed_data, case, plan))
            print(table(compared).splitlines()[-1], flush=True)
        with psycopg.connect(programs.database_url) as connection:
            server_version = f"{connection.info.server_version // 10_000}"
    section = f"{table(compared)}\n\n{facts(plan, pinned, server_version)} Made by `{command(plan)}`."
    print(section)
    if options.write_into is not None:
        write_between(options.write_into, SECTION, section)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="loadtests.benchmarks.management", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="how often each service is measured")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long a round is")
    parser.add_argument("--threads", type=int, default=8, help="threads of each service's one worker")
    parser.add_argument("--only", default="", help="a part of the names of the requests to measure")
    parser.add_argument("--write-into", type=Path, help="a document with markers that takes the table")
    return parser.parse_args()


def _pin(programs: Programs) -> str:
    if not pin_to_own_processor((programs.management.process, programs.bare.process)):
        return "nothing pinned"
    return "the service on one of them, the load generator and PostgreSQL on the others"


if __name__ == "__main__":
    main()
