"""The edge against a bare uvicorn that gets the same requests: `python -m loadtests.benchmarks.edge`."""

import argparse
import statistics
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from loadtests.benchmarks.edge.cases import CLIENTS, Case, edge_cases, languages_case
from loadtests.benchmarks.edge.first_requests import measure_first_requests
from loadtests.benchmarks.edge.measuring import Comparison, Plan, compare
from loadtests.benchmarks.edge.programs import Stack, running_bare_servers, running_stack
from loadtests.benchmarks.edge.report import SECTION, line, report
from loadtests.measurement.charts import draw_ratios
from loadtests.measurement.client_headers import client_headers, same_headers
from loadtests.measurement.cpu_affinity import pin_to_own_processor
from loadtests.measurement.programs import Server
from loadtests.measurement.tables import write_between

#: The names of the rows of resolves at edges with other settings.
_VARIANT_ROWS = {"asgi": "resolve, through ASGI", "addresses": "resolve, each address counted"}
_QUICK = Plan(rounds=2, seconds=1)


def main() -> None:
    """Run the benchmark and print its tables."""
    options = _options()
    plan = _QUICK if options.quick else Plan(options.rounds, options.seconds)
    settings = {"ONBOARDING_TRUSTED_PROXIES": options.trusted_proxies}
    with running_stack(settings, with_variants=not options.quick) as stack:
        cases = _cases(stack)
        cases = [case for case in cases if options.only in case.name]
        with running_bare_servers({case.name: _response(case, stack.edge) for case in cases}) as bare:
            pinned = _pin([*bare.values(), stack.edge, *stack.variants.values()])
            measure = partial(_measure, bare, plan)
            many_headers, repeated = client_headers(CLIENTS), same_headers(CLIENTS)
            many = [measure(case, many_headers, stack.edge, Comparison(case.name, case.aim)) for case in cases]
            same, first = [], []
            if not options.quick:
                resolves = [case for case in cases if case.name == "resolve"]
                for name, row in _VARIANT_ROWS.items():
                    edge = stack.variants[name]
                    many += [measure(case, many_headers, edge, Comparison(row)) for case in resolves]
                same = [measure(case, repeated, stack.edge, Comparison(case.name)) for case in cases]
                new, leased = stack.variants["first requests"], stack.variants["addresses"]
                first = [measure_first_requests(case, new, leased, plan).table() for case in resolves]
    section = "\n\n".join([*first, report(many, same, plan, pinned)])
    print(section)
    if options.write_into is not None:
        write_between(options.write_into, SECTION, section)
    if options.figure is not None:
        ratios = {comparison.name: statistics.median(comparison.ratios) for comparison in many}
        draw_ratios(options.figure, ratios, baseline="bare uvicorn")


def _measure(
    bare: Mapping[str, Server], plan: Plan, case: Case, clients: Sequence[str], edge: Server, compared: Comparison
) -> Comparison:
    compare(compared, edge, bare[case.name], case.requests(clients), plan, connections=case.connections)
    print(line(compared), file=sys.stderr, flush=True)
    return compared


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="loadtests.benchmarks.edge", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each server is measured")
    parser.add_argument("--seconds", type=int, default=3, help="how long a round is")
    parser.add_argument("--only", default="", help="a part of the names of the requests to measure")
    parser.add_argument("--trusted-proxies", default="", help="127.0.0.1: count each address of X-Forwarded-For")
    parser.add_argument("--quick", action="store_true", help="two rounds of 1 s, headers of many clients only")
    parser.add_argument("--write-into", type=Path, help="a document with markers that takes the tables")
    parser.add_argument("--figure", type=Path, help="an SVG file that takes the chart")
    return parser.parse_args()


def _cases(stack: Stack) -> list[Case]:
    config = edge_cases(stack.project_id, stack.secret_key, "")[1]
    with _open(config, stack.edge) as response:
        tag = response.headers["ETag"]
    return [*edge_cases(stack.project_id, stack.secret_key, tag), languages_case(*stack.languages)]


def _response(case: Case, server: Server) -> tuple[int, int]:
    """Send one request, and return the status and the length of the response."""
    try:
        with _open(case, server) as response:
            return response.status, len(response.read())
    except HTTPError as error:
        if error.code != 304:  # noqa: PLR2004 - urlopen takes it for an error
            raise
        return error.code, 0


def _open(case: Case, server: Server):  # type: ignore[no-untyped-def]  # noqa: ANN202 - urlopen has no type to name
    url = f"http://127.0.0.1:{server.port}{case.path}"
    return urlopen(Request(url, case.bodies[0].encode() or None, dict(case.headers), method=case.method))


def _pin(servers: list[Server]) -> str:
    if not pin_to_own_processor(server.process for server in servers):
        return "nothing pinned"
    return "the servers by turns on one of them, the load generator on the others"


if __name__ == "__main__":
    main()
