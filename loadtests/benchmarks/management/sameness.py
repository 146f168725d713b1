"""Both services must answer alike, or the comparison means nothing."""

from typing import Any

from loadtests.benchmarks.management.cases import cases
from loadtests.benchmarks.management.programs import Programs
from loadtests.benchmarks.management.seed_data import Furniture, call, remove_made

#: What is each answer's own.
_OWN = frozenset({"id", "project_id", "created_at", "updated_at", "public_key"})


def check_same_answers(programs: Programs, furniture: Furniture) -> None:
    """Send each sort of request to both. Raises RuntimeError when the answers differ in more than ids and times."""
    for case in cases():
        exchange = next(iter(case.templates(furniture)))
        management = call(programs.management.port, furniture.api_key, *exchange)
        bare = call(programs.bare.port, furniture.bare_key, *exchange)
        if _comparable(management) != _comparable(bare):
            raise RuntimeError(f"{case.name}: {management} is not {bare}")
    remove_made(programs.database_url)


def _comparable(document: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(document, dict):
        return {name: None if name in _OWN else _comparable(value) for name, value in document.items()}
    if isinstance(document, list):
        return [_comparable(item) for item in document]
    return document
