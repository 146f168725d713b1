"""The edge against servers that do nothing: `python -m loadtests.edge_benchmark`."""

import argparse
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from loadtests.edge_benchmark.cases import Case, cases
from loadtests.edge_benchmark.figure import draw
from loadtests.edge_benchmark.measuring import Plan, compare
from loadtests.edge_benchmark.programs import Server, Stack, running_bare_servers, running_stack
from loadtests.edge_benchmark.report import SECTION, facts, line, table
from loadtests.management_benchmark.pinning import give_own_processor
from loadtests.tables import write_between


def main() -> None:
    """Run the benchmark and print its table."""
    options = _options()
    plan = Plan(options.rounds, options.seconds)
    with running_stack() as stack:
        chosen = [case for case in _cases(stack) if options.only in case.name]
        paths = {case.name: f"/{number}" for number, case in enumerate(chosen)}
        answers = {paths[case.name]: _answer(case, stack.doors["protocol"]) for case in chosen}
        with running_bare_servers(answers) as bare:
            pinned = _pin([*bare.values(), *stack.doors.values()])
            compared = []
            for case in chosen:
                servers = {name: (server, paths[case.name]) for name, server in bare.items()}
                servers |= {name: (server, case.path) for name, server in stack.doors.items()}
                compared.append(compare(case, servers, plan))
                print(line(compared[-1]), flush=True)
    section = f"{table(compared)}\n\n{facts(plan, pinned)}"
    print(section)
    if options.write_into is not None:
        write_between(options.write_into, SECTION, section)
    if options.figure is not None:
        options.figure.parent.mkdir(parents=True, exist_ok=True)
        options.figure.write_text(draw(compared))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="loadtests.edge_benchmark", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each server is measured")
    parser.add_argument("--seconds", type=int, default=3, help="how long a round is")
    parser.add_argument("--only", default="", help="a part of the names of the requests to measure")
    parser.add_argument("--write-into", type=Path, help="a document with markers that takes the table")
    parser.add_argument("--figure", type=Path, help="an SVG file that takes the plot")
    return parser.parse_args()


def _cases(stack: Stack) -> list[Case]:
    config = cases(stack.project_id, stack.secret_key, "")[1]
    with _open(config, stack.doors["protocol"]) as answer:
        return cases(stack.project_id, stack.secret_key, answer.headers["ETag"])


def _answer(case: Case, server: Server) -> tuple[int, int]:
    """Ask once, and give the status and the length of the answer."""
    try:
        with _open(case, server) as answer:
            return answer.status, len(answer.read())
    except HTTPError as error:
        if error.code != 304:  # noqa: PLR2004 - to the library an error, to us an answer
            raise
        return error.code, 0


def _open(case: Case, server: Server):  # type: ignore[no-untyped-def]  # noqa: ANN202 - urlopen has no type to name
    body = case.bodies[0].encode() if case.bodies else None
    url = f"http://127.0.0.1:{server.port}{case.path}"
    return urlopen(Request(url, body, dict(case.headers), method=case.method))


def _pin(servers: list[Server]) -> str:
    if not give_own_processor(server.process for server in servers):
        return "nothing pinned"
    return "the servers by turns on one of them, the load generator on the others"


if __name__ == "__main__":
    main()
