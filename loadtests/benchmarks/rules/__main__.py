"""The cost of a resolve with many rules, against one default flow: `python -m loadtests.benchmarks.rules`."""

import argparse
import json
import os
import platform
import statistics
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from loadtests.benchmarks.edge.cases import CLIENTS, Case
from loadtests.benchmarks.edge.programs import running_stack
from loadtests.benchmarks.rules.projects import ALL_HASHED, EXPERIMENTS, FLOWS, NO_MATCH, NO_RULES, USUAL, create_case
from loadtests.measurement.client_headers import client_headers
from loadtests.measurement.cpu_affinity import pin_to_own_processor
from loadtests.measurement.http_load import Load
from loadtests.measurement.load_generator import CONNECTIONS, Throughput, generator, send_load, warm_up
from loadtests.measurement.programs import Server
from loadtests.measurement.rounds import Side
from loadtests.measurement.tables import write_between

SECTION = "rules benchmark"
AIM = 1.5
#: Devices whose sources are counted.
_SAMPLE = 1000
#: Publishing has ended when the revision stays the same for this time.
_QUIET_SECONDS = 1.0


def main() -> None:
    """Run the benchmark and print its table."""
    options = _options()
    with running_stack() as stack:
        server = stack.edge
        measured = [create_case(stack, rules) for rules in (NO_RULES, NO_MATCH, USUAL, ALL_HASHED)]
        sources = {case.name: _sources(case, server) for case in measured}
        pin_to_own_processor([server.process])
        sides = {case.name: Side[Throughput]() for case in measured}
        many_headers = client_headers(CLIENTS)
        requests = {case.name: case.requests(many_headers) for case in measured}
        for case in measured:
            warm_up(requests[case.name], server.port)
        for _ in range(options.rounds):
            for case in measured:
                load = partial(send_load, requests[case.name], server.port, Load(options.seconds, CONNECTIONS))
                sides[case.name].measure_round(server.process, load)
    section = f"{_table(measured, sides, sources)}\n\n{_conditions(options.rounds, options.seconds)}"
    print(section)
    if options.write_into is not None:
        write_between(options.write_into, SECTION, section)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="loadtests.benchmarks.rules", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="how often each project is measured")
    parser.add_argument("--seconds", type=int, default=2, help="how long a round is")
    parser.add_argument("--write-into", type=Path, help="a document with markers that takes the table")
    return parser.parse_args()


def _sources(case: Case, server: Server) -> Counter[str]:
    """Wait until the project is published, and count the sources of the flows of its devices."""
    newest, since = 0, time.monotonic()
    while not newest or time.monotonic() - since < _QUIET_SECONDS:
        revision = _config_version(case, server)
        if revision != newest:
            newest, since = revision, time.monotonic()
        time.sleep(0.05)
    return Counter(_source(case, server, body) for body in case.bodies[:_SAMPLE])


def _config_version(case: Case, server: Server) -> int:
    """Return the revision of the project at the edge, 0 if it has none yet."""
    try:
        return int(_resolve(case, server, case.bodies[0])["configVersion"])
    except HTTPError:
        return 0


def _source(case: Case, server: Server, body: str) -> str:
    return str(_resolve(case, server, body)["assignment"]["source"])


def _resolve(case: Case, server: Server, body: str) -> dict[str, Any]:
    url = f"http://127.0.0.1:{server.port}{case.path}"
    with urlopen(Request(url, body.encode(), dict(case.headers)), timeout=20) as response:
        document: dict[str, Any] = json.load(response)
    return document


def _table(measured: Sequence[Case], sides: Mapping[str, Side[Throughput]], sources: Mapping[str, Counter[str]]) -> str:
    head = [
        (
            f"| {EXPERIMENTS} experiments and {FLOWS} targeted flows |"
            " ratio of processor time (lowest to highest round) | ratio of time at full load |"
            " processor µs a response | responses/s | sources of the flows |"
        ),
        "|---|---|---|---|---|---|",
    ]
    base = sides[NO_RULES.name]
    return "\n".join([*head, *(_line(case, sides[case.name], base, sources[case.name]) for case in measured)])


def _line(case: Case, side: Side[Throughput], base: Side[Throughput], sources: Counter[str]) -> str:
    costs = [own / other for own, other in zip(side.cost, base.cost, strict=True)]
    name = f"none: {case.name}" if side is base else case.name
    cells = [
        name,
        "1" if side is base else f"**{statistics.median(costs):.2f}** ({min(costs):.2f} to {max(costs):.2f})",
        "1" if side is base else f"{1 / statistics.median(side.ratios_to(base)):.2f}",
        f"{side.processor_seconds * 1e6:.1f}",
        f"{side.rate:.0f}",
        ", ".join(f"{source} {count / _SAMPLE:.0%}" for source, count in sources.most_common()),
    ]
    return f"| {' | '.join(cells)} |"


def _conditions(rounds: int, seconds: int) -> str:
    return (
        f"Aim: at most {AIM}. {rounds} rounds of {seconds} s for each project, by turns, at one edge of one worker,"
        f" {os.cpu_count()} processors ({platform.machine()}), Python {platform.python_version()}."
        f" Load generator: {generator()}. Made by `make bench-rules OPTIONS='--rounds {rounds} --seconds {seconds}'`."
    )


if __name__ == "__main__":
    main()
