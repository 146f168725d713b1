"""A check that both services return equal responses, without which the comparison would be invalid."""

from typing import Any

from loadtests.benchmarks.management.cases import cases
from loadtests.benchmarks.management.programs import Programs
from loadtests.benchmarks.management.seed_data import SeedData, call, delete_created

#: The members that differ between two equal responses.
_DIFFERENT = frozenset({"id", "project_id", "created_at", "updated_at", "public_key"})


def check_equal_responses(programs: Programs, seed_data: SeedData) -> None:
    """Send each kind of request to both services. Raises RuntimeError if more than ids and times differ."""
    for case in cases():
        exchange = next(iter(case.templates(seed_data)))
        management = call(programs.management.port, seed_data.api_key, *exchange)
        bare = call(programs.bare.port, seed_data.bare_key, *exchange)
        if _comparable(management) != _comparable(bare):
            raise RuntimeError(f"{case.name}: {management} is not {bare}")
    delete_created(programs.database_url)


def _comparable(document: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(document, dict):
        return {name: None if name in _DIFFERENT else _comparable(value) for name, value in document.items()}
    if isinstance(document, list):
        return [_comparable(item) for item in document]
    return document
