"""Explanations of management agree with resolutions of the edge, for random projects and devices.

`EXPLAINED_CONTEXTS` says how many random devices are explained, about; 100,000 take some minutes.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr
from sqlalchemy.orm import Session

from common.json_body import convert_object
from common.rules.resolution import Assignment, Choice, evaluate
from common.settings.shared import DatabaseSettings
from common.wire.public_bodies import ResolveBody
from edge_api.snapshots.loaded import LoadedSnapshot
from management_api.auth.access import Caller
from management_api.db.engine import Database
from management_api.db.models.projects import Project, Role
from management_api.experiments.explain import explain_resolution
from publisher.compiler import compile_snapshot
from publisher.project_reader import read_projects
from publisher.project_records import ProjectRecord
from tests.support.data.assignment_keys import TOKENS
from tests.support.data.rows import add_experiment, add_flow, add_member, add_project, add_qa_devices, add_user
from tests.support.databases.fresh_databases import FreshDatabases

CONTEXTS = int(os.environ.get("EXPLAINED_CONTEXTS", "320"))
#: A project costs more to make than a device, so that many contexts are many devices rather than many projects.
PROJECTS = 40 if CONTEXTS < 1000 else 200
DEVICES = CONTEXTS // PROJECTS

CONDITIONS: list[dict[str, Any]] = [
    {"attribute": "country", "operator": "eq", "value": "BR"},
    {"attribute": "attributes.plan", "operator": "in", "value": ["pro", True, 1]},
    {"attribute": "appVersion", "operator": "semver_gte", "value": "2.0.0"},
    {"attribute": "locale", "operator": "neq", "value": "pt"},
    {"attribute": "platform", "operator": "not_exists"},
]

flows = st.fixed_dictionaries(
    {
        "status": st.sampled_from(["active", "active", "draft", "archived"]),
        "priority": st.integers(-1, 1),
        "rollout_buckets": st.sampled_from([0, 1, 3_000, 7_000, 10_000]),
        "conditions": st.lists(st.sampled_from(CONDITIONS), max_size=2),
    }
)
experiments = st.fixed_dictionaries(
    {
        "status": st.sampled_from(["running", "running", "paused", "draft"]),
        "traffic_buckets": st.sampled_from([0, 2_500, 10_000]),
        "conditions": st.lists(st.sampled_from(CONDITIONS), max_size=1),
        "salt_version": st.integers(1, 2),
    }
)
projects = st.fixed_dictionaries(
    {
        "experiments": st.lists(experiments, max_size=3),
        "platforms": st.sampled_from([["ios"], ["android"], ["ios", "android"]]),
        "flows": st.lists(flows, max_size=5),
        "default": st.integers(0, 5),
        "overrides": st.dictionaries(st.sampled_from(["d0", "d1", "d2"]), st.integers(0, 4), max_size=2),
    }
)
#: Members of bodies: each is absent as often as it has any of these values.
MEMBERS: dict[str, list[Any]] = {
    "platform": ["ios", "android"],
    "country": ["BR", "br", "PT"],
    "locale": ["pt", "pt-BR", "en"],
    "appVersion": ["1.9", "2.0.0", "x"],
    "attributes": [{}, {"plan": "pro"}, {"plan": "free"}, {"plan": True}, {"plan": 1}, {"plan": 0}],
}
#: The content of a token: the number of an experiment, a variant that may not exist, a version of the salts.
Kept = tuple[int, str, int]


def a_device(source: Random) -> tuple[dict[str, Any], Kept | None]:
    """Return the body of a random device, and the content of its token, if it has one."""
    body: dict[str, Any] = {"deviceId": f"d{source.randrange(9)}"}
    for name, values in MEMBERS.items():
        chosen = source.choice([None, *values])
        if chosen is not None:
            body[name] = chosen
    kept = (source.randrange(3), source.choice("abz"), source.randint(1, 2))
    return body, source.choice([None, kept])


@pytest.fixture(scope="module")
def database(postgresql_url: str, run_folder: Path) -> Iterator[Database]:
    with FreshDatabases(postgresql_url, run_folder).migrated() as url:
        database = Database(DatabaseSettings(database_url=SecretStr(url)))
        yield database
        database.close()


def add_random_project(session: Session, drawn: dict[str, Any]) -> Project:
    """Add the drawn project; an override or a default beyond its flows is left out."""
    project = add_project(session, platforms=drawn["platforms"])
    added = [add_flow(session, project, **columns) for columns in drawn["flows"]]
    if drawn["default"] < len(added) and added[drawn["default"]].status != "archived":
        project.default_flow_id = added[drawn["default"]].id
    for columns in drawn["experiments"] if len(added) > 1 else []:
        add_experiment(session, added[0], added[1], **columns)
    overrides = {device: added[number].id for device, number in drawn["overrides"].items() if number < len(added)}
    add_qa_devices(session, project, overrides)
    return project


def token_of(content: ProjectRecord, device_id: str, kept: Kept | None) -> dict[str, str]:
    """Return the member of a body with the token, if the device has one."""
    if kept is None or kept[0] >= len(content.experiments):
        return {}
    assignment = Assignment(content.experiments[kept[0]].experiment_id, *kept[1:])
    return {"assignmentToken": TOKENS.issue(content.project_id, device_id, assignment).decode()}


def flow_body(resident: LoadedSnapshot, choice: Choice) -> dict[str, Any]:
    """Return the finished response; that of a variant without a token."""
    if choice.assignment:
        finished = b"".join(resident.answers.variant_response(choice))
    else:
        finished = resident.answers.response(choice).body + resident.answers.response(choice).tail
    answer: dict[str, Any] = orjson.loads(finished)
    return answer


@pytest.mark.timeout(120 + CONTEXTS / 50)
@settings(max_examples=PROJECTS, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=projects, seed=st.integers(0, 2**32))
def test_explanation_agrees_with_edge(database: Database, drawn: dict[str, Any], seed: int) -> None:
    source = Random(seed)
    with database.transaction() as session:
        project = add_random_project(session, drawn)
        user = add_user(session)
        add_member(session, project, user)
        project_id, caller = project.id, Caller(user.id, Role.VIEWER)
    with database.repeatable_read() as session:
        (content,), _ = read_projects(session, [project_id])
        assert isinstance(content, ProjectRecord)
        resident = LoadedSnapshot.from_snapshot(compile_snapshot(content, ()))
        for members, kept in (a_device(source) for _ in range(DEVICES)):
            document = members | token_of(content, members["deviceId"], kept)
            body = convert_object(document, ResolveBody)
            read = TOKENS.read(project_id, body.device_id, body.assignment_token)
            choice = evaluate(resident.answers.rules, body, read)
            explanation = explain_resolution(session, caller, project_id, body, TOKENS)
            matched = [step for step in explanation.steps if step.matched]
            if choice is None:
                assert (explanation.flow_id, matched) == (None, [])
            else:
                assignment = choice.assignment
                experiment_id, variant = (assignment.experiment_id, assignment.variant) if assignment else (None, None)
                assert (explanation.flow_id, explanation.source) == (choice.flow_id, choice.source)
                assert (explanation.experiment_id, explanation.variant) == (experiment_id, variant)
                answer = flow_body(resident, choice)
                assert (answer["flowId"], answer["assignment"]["source"]) == (choice.flow_id, choice.source)
                assert matched == [explanation.steps[-1]]
                assert matched[0].id == (assignment.experiment_id if assignment else choice.flow_id)
