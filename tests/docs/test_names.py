"""Endpoints, metrics, log events and defaults of settings in the documents are those of the code."""

import json
import re
from collections.abc import Iterator

from cli.processes.start import READERS
from common.rules.conditions import OPERATORS, ValueType
from common.telemetry.catalogue.complete import CATALOGUE
from common.telemetry.catalogue.former_names import FORMER_NAMES
from tests.docs.markdown import ROOT, code_of, documents, errors_in, name_of, source_files, spans_of

_DOCUMENTS = [document for document in documents() if name_of(document) != "CHANGELOG.md"]
_OPENAPI = json.loads((ROOT / "management_api" / "docs" / "openapi.json").read_text())
#: Served beside the interface that the OpenAPI document describes.
_NOT_IN_OPENAPI = {("GET", "/metrics"), ("GET", "/dashboard/config.json")}
_ENDPOINTS = _NOT_IN_OPENAPI | {
    (method.upper(), re.sub(r"\{\w+\}", "*", path)) for path, item in _OPENAPI["paths"].items() for method in item
}
_REQUEST = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE) (/[\w/:{}.-]+)")
_PARAMETER = re.compile(r":\w+|\{\w+\}")

_METRIC = re.compile(r"\bonboarding_[a-z]\w+")
#: Roles and databases of PostgreSQL.
_NO_METRICS = re.compile(r"onboarding_(?:app|drill|before_TIME)")
_SUFFIX_OF_HISTOGRAM = re.compile(r"_(bucket|count|sum)$")

#: Names with underscores or dots in the pages for operators: log events, tables, columns, members of responses.
_NAME = re.compile(r"[a-z]+(?:[._][a-z]+)+")
_PRODUCT = ("cli/", "common/", "edge_api/", "management_api/", "publisher/", "deploy/")
_WORDS = frozenset(
    word
    for source in source_files()
    if name_of(source).startswith(_PRODUCT)
    for word in re.findall(r"[a-z]+(?:[._][a-z]+)*", source.read_text())
)
#: Of PostgreSQL, PgBouncer and redis-py.
_FOREIGN_NAMES = {"pg_dump", "pg_restore", "default_pool_size", "hot_standby_feedback"}

_DEFAULT = re.compile(r"`ONBOARDING_([A-Z_]+)` \((\d+)(?: (s|ms))?\)")
_FIELDS = {name: field for reader in READERS.values() for name, field in reader.model_fields.items()}


def _unknown_endpoints(text: str) -> Iterator[str]:
    for code in code_of(text):
        for method, path in _REQUEST.findall(code):
            if (method, _PARAMETER.sub("*", path)) not in _ENDPOINTS:
                yield f"{method} {path}"


def _unknown_metrics(text: str) -> Iterator[str]:
    for name in _METRIC.findall(text):
        known = name in {*CATALOGUE, *FORMER_NAMES.values()} or _SUFFIX_OF_HISTOGRAM.sub("", name) in CATALOGUE
        if not known and not _NO_METRICS.fullmatch(name):
            yield name


def _unknown_names(text: str) -> Iterator[str]:
    for span in spans_of(text):
        if _NAME.fullmatch(span) and span not in _WORDS | _FOREIGN_NAMES and not (ROOT / "deploy" / span).exists():
            yield span


def _wrong_defaults(text: str) -> Iterator[str]:
    for variable, number, unit in _DEFAULT.findall(text):
        default = float(_FIELDS[variable.lower()].default)
        if default != int(number) * (1000 if unit == "s" and variable.endswith("_MS") else 1):
            yield f"{variable}: {number}, not {default}"


def _wrong_names(text: str) -> Iterator[str]:
    yield from _unknown_endpoints(text)
    yield from _unknown_metrics(text)
    yield from _wrong_defaults(text)


def test_names_in_documents_are_those_of_the_code() -> None:
    assert errors_in(_DOCUMENTS, _wrong_names) == {}


def test_names_in_pages_for_operators_occur_in_the_product() -> None:
    assert errors_in((ROOT / "docs" / "operations").glob("*.md"), _unknown_names) == {}


def test_missing_names_and_wrong_defaults_are_found() -> None:
    assert list(_unknown_endpoints("`GET /api/nonsense` and `GET /api/flows/:id`")) == ["GET /api/nonsense"]
    assert list(_unknown_metrics("onboarding_nonsense_total and onboarding_workers_reporting")) == [
        "onboarding_nonsense_total"
    ]
    assert list(_unknown_names("`publisher.nonsense` and `publisher.outage`")) == ["publisher.nonsense"]
    assert len(list(_wrong_defaults("`ONBOARDING_CONSUMER_RECLAIM_AFTER_MS` (6 s)"))) == 1


def test_bucketing_defines_each_operator_with_the_type_of_its_value() -> None:
    words = {
        ValueType.SCALAR: "string, number or boolean",
        ValueType.LIST: "list of these",
        ValueType.TEXT: "string",
        ValueType.NUMBER: "number",
        ValueType.VERSION: "version",
        ValueType.NONE: "none",
    }
    text = (ROOT / "docs" / "bucketing.md").read_text()
    rows = text.partition("| Operator | Value |")[2].partition("\n\n")[0].splitlines()[2:]
    cells = [row.split(" | ") for row in rows]
    documented = {name: row[1] for row in cells for name in re.findall(r"`(\w+)`", row[0])}
    assert documented == {name: words[operator.takes] for name, operator in OPERATORS.items()}
