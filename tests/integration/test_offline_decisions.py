"""An SDK that was written from docs/bucketing.md alone decides offline as a resolve does."""

import json
from datetime import UTC, datetime
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from common.errors import FlowNotFoundError
from common.rules.bucketing import allocate, reallocate
from edge_api.api.config import ConfigEndpoint
from edge_api.api.request import AuthenticatedProject
from edge_api.api.resolve import ResolveEndpoint
from edge_api.snapshots.loaded import LoadedSnapshot
from publisher.compiler import compile_snapshot
from publisher.project_records import ExperimentRecord, FlowRecord, ProjectRecord, VariantRecord
from tests.support.data.assignment_keys import TOKENS
from tests.support.data.conditions import storable_conditions
from tests.support.offline_sdk.configuration import KeptConfiguration
from tests.support.offline_sdk.deciding import Decision, Kept, decide
from tests.unit.edge_api.api.authenticated import a_request
from tests.unit.publisher.records import a_flow, a_project

STARTED_AT = datetime(2026, 5, 1, tzinfo=UTC)
BUCKETS = st.sampled_from([0, 1, 57, 2_900, 5_000, 9_999, 10_000, 10_000])
TEXTS = st.sampled_from(["pt", "pt-BR", "PT-br", "BR", "br", "ios", "1.2", "2.0.0-rc.1", "2.0.0", "v2", "é", "pro", ""])
NUMBERS = st.sampled_from([0, 1, 1.0, 1.5, -3, 2**53, 2**53 + 1])
ATTRIBUTES = [
    "platform",
    "appVersion",
    "osVersion",
    "locale",
    "country",
    "deviceId",
    "attributes.plan",
    "attributes.a.b",
]
conditions = st.lists(
    storable_conditions(
        ATTRIBUTES,
        scalars=TEXTS | NUMBERS | st.booleans(),
        texts=TEXTS,
        numbers=NUMBERS,
        versions=st.sampled_from(["1.2", "2.0.0", "2.0.0-rc.1"]),
    ).map(msgspec.to_builtins),
    max_size=2,
)
devices = st.fixed_dictionaries(
    {"deviceId": st.sampled_from(["phone", " phone ", "端末", "a:b"]) | st.text("abcé😀", min_size=1, max_size=4)},
    optional={
        "platform": st.sampled_from(["ios", "android", None]),
        "appVersion": st.sampled_from(["1.2", "1.2.0", "2.0.0-rc.1", " 2.0.0", "v2", "", None]),
        "osVersion": st.sampled_from(["17", "2"]),
        "locale": st.sampled_from(["pt", "pt-BR", "PT-br", "en"]),
        "country": st.sampled_from(["BR", "br", "PT"]),
        "attributes": st.dictionaries(st.sampled_from(["plan", "a.b"]), TEXTS | NUMBERS | st.booleans(), max_size=2),
    },
)


@st.composite
def experiments(draw: st.DrawFn, number: int) -> ExperimentRecord:
    """Draw an experiment between two or three flows, whose weights may have been changed since."""
    steps = st.sampled_from([(50, 50, 0), (10, 20, 70), (0, 0, 100), (33, 33, 34), (90, 5, 5)])
    allocation = allocate(dict(zip("abc", draw(steps), strict=True)))
    for weights in draw(st.lists(steps, max_size=2)):
        allocation = reallocate(allocation, dict(zip("abc", weights, strict=True)))
    return ExperimentRecord(
        experiment_id=f"exp_{number}",
        name="Experiment",
        is_paused=draw(st.booleans()),
        conditions=draw(conditions),
        traffic_buckets=draw(BUCKETS),
        salt_version=draw(st.integers(1, 3)),
        primary_event="flow_completed",
        started_at=STARTED_AT,
        variants=tuple(
            VariantRecord(
                key=key,
                name=key,
                flow=a_flow(id=f"flow_of_{key}_{number}", status=draw(st.sampled_from(["active", "draft"]))),
                weight=sum(end - start for start, end in ranges) // 100,
                is_control=key == "a",
                ranges=ranges,
            )
            for key, ranges in allocation.items()
        ),
    )


@st.composite
def projects(draw: st.DrawFn) -> ProjectRecord:
    """Draw a project with experiments, targeted flows, and a default flow or none."""
    flows: list[FlowRecord] = [
        a_flow(id=f"flow_{number}", rollout_buckets=draw(BUCKETS), conditions=draw(conditions))
        for number in range(draw(st.integers(0, 4)))
    ]
    running = tuple(draw(experiments(number)) for number in range(draw(st.integers(0, 3))))
    flows += [
        variant.flow for experiment in running for variant in experiment.variants if variant.flow.status == "active"
    ]
    return a_project(
        *flows,
        platforms=draw(st.sampled_from([("ios",), ("ios", "android")])),
        default_flow_id=draw(st.sampled_from([None, *(flow.id for flow in flows)])),
        experiments=running,
    )


def access_to(content: ProjectRecord) -> AuthenticatedProject:
    return AuthenticatedProject(LoadedSnapshot.from_snapshot(compile_snapshot(content, ())), "key_1")


def configuration(access: AuthenticatedProject) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(ConfigEndpoint().handle(access, a_request()).body)
    return document


def resolved(access: AuthenticatedProject, device: dict[str, Any]) -> tuple[Decision, str | None] | None:
    """Return the decision of POST /api/onboarding/resolve, and the token."""
    try:
        answer = ResolveEndpoint(None, TOKENS).handle(access, a_request(json.dumps(device).encode()))
    except FlowNotFoundError:
        return None
    document = json.loads(answer.body + answer.tail)
    assignment = document["assignment"]
    return Decision(
        document["flowId"], assignment["source"], assignment["experimentId"], assignment["variant"]
    ), assignment["token"]


@settings(max_examples=150, deadline=None)
@given(projects(), st.lists(devices, min_size=1, max_size=12))
def test_offline_sdk_decides_as_a_resolve_does(content: ProjectRecord, requests: list[dict[str, Any]]) -> None:
    access = access_to(content)
    config = configuration(access)
    for device in requests:
        answer = resolved(access, device)
        assert decide(config, device) == (answer and answer[0])


@settings(max_examples=80, deadline=None)
@given(projects(), projects(), st.lists(devices, min_size=1, max_size=8))
def test_kept_assignment_decides_as_its_token_does(
    before: ProjectRecord, after: ProjectRecord, requests: list[dict[str, Any]]
) -> None:
    earlier, later = access_to(before), access_to(after)
    salts = {experiment["id"]: experiment["variantSalt"] for experiment in configuration(earlier)["experiments"]}
    config = configuration(later)
    for device in requests:
        first = resolved(earlier, device)
        if first is None or first[0].experiment_id is None or first[0].variant is None:
            continue
        kept = Kept(first[0].experiment_id, first[0].variant, salts[first[0].experiment_id])
        again = resolved(later, {**device, "assignmentToken": first[1]})
        assert decide(config, device, kept) == (again and again[0])


@given(order=st.lists(st.integers(1, 5), min_size=1, max_size=8))
def test_offline_sdk_keeps_the_highest_version_of_responses_in_any_order(order: list[int]) -> None:
    kept = KeptConfiguration()
    for revision in order:
        snapshot = compile_snapshot(a_project(revision=revision), ())
        kept.receive(configuration(AuthenticatedProject(LoadedSnapshot.from_snapshot(snapshot), "key_1")))
    assert kept.document is not None
    assert kept.document["configVersion"] == max(order)
