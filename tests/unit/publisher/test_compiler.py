"""Compiler of snapshots: flows, their order, the finished responses, digests of keys, tombstones."""

import gzip
from datetime import UTC, datetime
from typing import Any

import brotli
import msgspec
import orjson
import pytest
from cryptography.exceptions import InvalidTag
from pydantic import SecretStr

from common.credentials import secret_key_digest
from common.rules.conditions import Condition
from common.wire.public_responses import PublicRule, PublicVariable
from common.wire.snapshot import SecretKeyDigest, Snapshot, TargetedFlow, encode_snapshot
from management_api.db.key_vault import KeyVault
from publisher.compiler import compile_project, compile_snapshot, compress_config, digest_keys
from publisher.project_records import DeletedProject, FlowRecord, ProjectRecord, QaOverride, SealedKey
from tests.support.data.snapshots import response_of
from tests.unit.publisher.records import a_flow, a_project, a_theme


def resolved(project: ProjectRecord) -> dict[str, Any]:
    """Return the response of the project's only targeted flow."""
    snapshot = compile_snapshot(project, ())
    (targeted,) = snapshot.targeted
    response: dict[str, Any] = orjson.loads(response_of(snapshot, targeted))
    return response


def configured(project: ProjectRecord) -> dict[str, Any]:
    """Return the response of GET /api/config."""
    response: dict[str, Any] = orjson.loads(compile_snapshot(project, ()).config.body)
    return response


def test_logic_is_in_the_responses_of_flows_that_have_some() -> None:
    held = {"attribute": "answers.goal", "operator": "eq", "value": "lose"}
    [screen] = a_flow().screens
    rule = PublicRule(id="rule_1", when=[held], go_to="end")
    logical = msgspec.structs.replace(screen, show_if=[held], next=[rule])
    project = a_project(a_flow(screens=(logical, screen), variables=(PublicVariable(name="a", formula="1"),)))
    for flow in (resolved(project)["flow"], configured(project)["flows"][0]):
        first, second = flow["screens"]
        assert first["showIf"] == [held]
        assert first["next"] == [{"id": "rule_1", "when": [held], "goTo": "end"}]
        assert not {"showIf", "next"} & second.keys()
        assert flow["variables"] == [{"name": "a", "formula": "1"}]
    assert "variables" not in configured(a_project(a_flow()))["flows"][0]


def test_resolve_body_has_exactly_the_members_of_the_contract() -> None:
    assert resolved(a_project(a_flow())) == {
        "flowId": "flow_1",
        "projectId": "proj_1",
        "flow": {
            "id": "flow_1",
            "name": "First steps",
            "theme": None,
            "screens": [
                {
                    "id": "screen_1",
                    "type": "welcome",
                    "name": "Hello",
                    "order": 0,
                    "content": {"title_text": "Welcome", "nested": {"snake_case": [1, 2.5, None, True]}},
                    "settings": {"skippable": False},
                }
            ],
        },
        "assignment": {"source": "targeting", "experimentId": None, "variant": None, "token": None},
        "configVersion": 7,
    }


def test_default_flow_has_source_default_and_is_not_targeted() -> None:
    snapshot = compile_snapshot(a_project(a_flow(), default_flow_id="flow_1"), ())
    assert snapshot.targeted == ()
    assert snapshot.default is not None
    assert snapshot.default.flow_id == "flow_1"
    assert orjson.loads(response_of(snapshot, snapshot.default))["assignment"]["source"] == "default"


def test_inactive_default_flow_has_no_response() -> None:
    snapshot = compile_snapshot(a_project(default_flow_id="flow_draft", flow_ids=frozenset({"flow_draft"})), ())
    assert snapshot.default is None
    assert snapshot.flow_ids == {"flow_draft"}


def test_override_has_response_for_flow_of_any_status() -> None:
    draft = a_flow(id="flow_draft", status="draft")
    snapshot = compile_snapshot(a_project(overrides=(QaOverride(draft, ("d1", "d2")),)), ())
    (override,) = snapshot.overrides
    assert (override.flow_id, override.device_ids) == ("flow_draft", ("d1", "d2"))
    answer = orjson.loads(response_of(snapshot, override))
    assert (answer["flowId"], answer["assignment"]["source"]) == ("flow_draft", "override")
    assert len(answer["flow"]["screens"]) == 1
    assert snapshot.targeted == ()


def test_flow_of_several_rules_is_stored_once() -> None:
    flow = a_flow()
    project = a_project(flow, default_flow_id="flow_1", overrides=(QaOverride(flow, ("tester",)),))
    snapshot = compile_snapshot(project, ())
    assert [(part.flow_id, part.is_draft) for part in snapshot.flow_parts] == [("flow_1", False)]
    assert snapshot.default is not None
    assert len(snapshot.default.tail) < 150


def test_config_does_not_list_qa_devices() -> None:
    project = a_project(overrides=(QaOverride(a_flow(status="draft"), ("tester",)),))
    assert configured(project) == configured(a_project())


def test_config_says_whether_events_may_have_answers_only_where_they_may() -> None:
    assert configured(a_project(record_answers=True))["settings"]["recordAnswers"] is True
    assert "recordAnswers" not in configured(a_project())["settings"]


def test_targeted_flows_keep_their_order() -> None:
    flows = [a_flow(id=flow_id) for flow_id in ("flow_b", "flow_c", "flow_a")]
    snapshot = compile_snapshot(a_project(*flows), ())
    assert [flow.flow_id for flow in snapshot.targeted] == ["flow_b", "flow_c", "flow_a"]


def test_rollout_and_conditions_reach_the_snapshot() -> None:
    flow = a_flow(
        rollout_buckets=1250, conditions=[{"attribute": "platform", "operator": "in", "value": ["ios"]}], screens=()
    )
    (targeted,) = compile_snapshot(a_project(flow), ()).targeted
    assert targeted == TargetedFlow(
        flow_id="flow_1",
        rollout_buckets=1250,
        conditions=(Condition("platform", "in", ["ios"]),),
        tail=targeted.tail,
    )


def test_condition_with_unknown_member_is_refused() -> None:
    flow = a_flow(conditions=[{"attribute": "platform", "operator": "eq", "value": "ios", "negated": True}])
    with pytest.raises(msgspec.ValidationError):
        compile_snapshot(a_project(flow), ())


def test_flow_has_its_own_theme() -> None:
    themes = (a_theme(id="theme_d", is_default=True), a_theme(id="theme_own"))
    theme = resolved(a_project(a_flow(theme_id="theme_own"), themes=themes))["flow"]["theme"]
    assert theme == {
        "id": "theme_own",
        "name": "Light",
        "colors": {"primary_color": "#ff0000"},
        "typography": {"font_family": "Inter"},
        "borderRadius": {"button": 8},
    }


def test_flow_without_theme_has_the_default_theme() -> None:
    themes = (a_theme(id="theme_other"), a_theme(id="theme_d", is_default=True))
    assert resolved(a_project(a_flow(), themes=themes))["flow"]["theme"]["id"] == "theme_d"


def test_flow_without_theme_and_default_has_none() -> None:
    assert resolved(a_project(a_flow(), themes=(a_theme(),)))["flow"]["theme"] is None


def test_config_has_all_members_for_offline_decisions() -> None:
    conditions = [{"attribute": "country", "operator": "eq", "value": "PT"}]
    flow = a_flow(theme_id="theme_1", priority=5, rollout_buckets=5000, conditions=conditions, screens=())
    project = a_project(
        flow, themes=(a_theme(is_default=True),), custom_domain="go.shop.test", default_flow_id="flow_1"
    )
    assert configured(project) == {
        "projectId": "proj_1",
        "name": "Shop",
        "settings": {
            "platforms": ["ios", "android"],
            "defaultFlowId": "flow_1",
            "analyticsEnabled": True,
            "customDomain": "go.shop.test",
        },
        "flows": [
            {
                "id": "flow_1",
                "name": "First steps",
                "status": "active",
                "isDefault": True,
                "priority": 5,
                "themeId": "theme_1",
                "targeting": {"percentage": 50, "conditions": conditions},
                "screens": [],
                "createdAt": "2026-05-01T12:00:00.123Z",
            }
        ],
        "themes": [
            {
                "id": "theme_1",
                "name": "Light",
                "colors": {"primary_color": "#ff0000"},
                "typography": {"font_family": "Inter"},
                "borderRadius": {"button": 8},
                "isDefault": True,
            }
        ],
        "experiments": [],
        "configVersion": 7,
    }


@pytest.mark.parametrize(
    ("rollout_buckets", "shown"), [(0, b"0"), (10_000, b"100"), (5_000, b"50"), (1, b"0.01"), (1_234, b"12.34")]
)
def test_percentage_is_an_integer_when_it_is_whole(rollout_buckets: int, shown: bytes) -> None:
    config = compile_snapshot(a_project(a_flow(rollout_buckets=rollout_buckets)), ()).config
    assert b'"percentage":' + shown + b"," in config.body


def test_compressed_config_is_the_same_document() -> None:
    config = compile_snapshot(a_project(a_flow()), ()).config
    assert gzip.decompress(config.gzip) == brotli.decompress(config.brotli) == config.body


def test_config_document_depends_on_its_body_alone() -> None:
    document = compress_config(b"{}")
    assert document == compress_config(b"{}")
    assert document.etag != compress_config(b"[]").etag


def test_secret_keys_keep_their_order() -> None:
    digests = (SecretKeyDigest("key_2", b"2" * 32), SecretKeyDigest("key_1", b"1" * 32, 1_800_000_000.0))
    assert compile_snapshot(a_project(), digests).secret_keys == digests


@pytest.mark.parametrize("flows", [(), (a_flow(),), (a_flow(), a_flow(id="flow_2"))])
def test_equal_contents_have_equal_bytes(flows: tuple[FlowRecord, ...]) -> None:
    project = a_project(*flows, flow_ids=frozenset({f"flow_{number}" for number in range(50)}))
    again = a_project(*flows, flow_ids=frozenset({f"flow_{number}" for number in reversed(range(50))}))
    assert encode_snapshot(compile_snapshot(project, ())) == encode_snapshot(compile_snapshot(again, ()))


def a_project_with_key(vault: KeyVault, *, owner_id: str, expires_at: datetime | None = None) -> ProjectRecord:
    """Return a project whose one key was sealed for that owner."""
    return a_project(secret_keys=(SealedKey("key_1", vault.encrypt("obk_sk_x", owner_id=owner_id), expires_at),))


def test_key_becomes_its_digest_and_its_expiry(master_key: str) -> None:
    vault = KeyVault(SecretStr(master_key))
    project = a_project_with_key(vault, owner_id="proj_1", expires_at=datetime(2027, 1, 1, tzinfo=UTC))
    assert digest_keys(project, vault) == (SecretKeyDigest("key_1", secret_key_digest("obk_sk_x"), 1_798_761_600.0),)


def test_a_key_sealed_for_another_project_is_refused(master_key: str) -> None:
    vault = KeyVault(SecretStr(master_key))
    with pytest.raises(InvalidTag):
        digest_keys(a_project_with_key(vault, owner_id="proj_2"), vault)


def test_a_deleted_project_becomes_a_tombstone(master_key: str) -> None:
    vault = KeyVault(SecretStr(master_key))
    assert compile_project(DeletedProject("proj_1", 9), vault) == Snapshot.tombstone("proj_1", 9)
