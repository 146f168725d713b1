"""Snapshots for tests of the edge, and their publication to Redis; a test names only the fields that it is about."""

from typing import Any

import msgspec
import redis

from common.credentials import KeyPrefix, generate_key, secret_key_digest
from common.ids import IdPrefix, new_id
from common.rules.conditions import Condition
from common.wire.redis_keys import CHANGE_EPOCH, CHANGE_STREAM, SNAPSHOT_FORMAT, snapshot_key
from common.wire.snapshot import (
    CONTENT_VERSION,
    DefaultFlow,
    OverridingFlow,
    SecretKeyDigest,
    Snapshot,
    TargetedFlow,
    encode_snapshot,
)
from publisher.compiler import compress_config

SECRET_KEY = generate_key(KeyPrefix.SECRET)
KEY_ID = "key_of_the_tests"
EVERYONE = 10_000


def a_default_flow(flow_id: str = "flow_default") -> DefaultFlow:
    """Return a default flow whose response names it."""
    return DefaultFlow(flow_id, flow_body(flow_id, "default"))


def an_overriding_flow(flow_id: str, *device_ids: str) -> OverridingFlow:
    """Return a flow that the QA devices always get."""
    return OverridingFlow(flow_id, device_ids, flow_body(flow_id, "override"))


def a_targeted_flow(flow_id: str, *conditions: Condition, rollout_buckets: int = EVERYONE) -> TargetedFlow:
    """Return a flow for targeting: without conditions and a rollout, it is for everyone."""
    return TargetedFlow(flow_id, rollout_buckets, conditions, flow_body(flow_id, "targeting"))


def flow_body(flow_id: str, source: str, name: str = "Flow") -> bytes:
    """Return a response body as the flows of this module have."""
    return msgspec.json.encode(
        {
            "flowId": flow_id,
            "projectId": "proj_of_the_tests",
            "flow": {"id": flow_id, "name": name, "theme": None, "screens": []},
            "assignment": {"source": source, "experimentId": None, "variant": None, "token": None},
            "configVersion": 1,
        }
    )


def response_of(snapshot: Snapshot, flow: DefaultFlow | OverridingFlow | TargetedFlow, *, draft: bool = False) -> bytes:
    """Return the response of a resolve that ends at this flow of a compiled snapshot."""
    (part,) = (part.body for part in snapshot.flow_parts if (part.flow_id, part.is_draft) == (flow.flow_id, draft))
    return part + flow.tail


def config_of(name: str) -> bytes:
    """Return the configuration of a project of that name, long enough to be compressed."""
    settings = {"platforms": ["ios"], "defaultFlowId": None, "analyticsEnabled": True, "customDomain": None}
    return msgspec.json.encode(
        {
            "projectId": "proj_of_the_tests",
            "name": name,
            "settings": settings,
            "flows": [],
            "themes": [],
            "experiments": [],
            "configVersion": 1,
        }
    )


def a_snapshot(**fields: object) -> Snapshot:
    """Return a new project with a default flow at revision 1; its secret key is SECRET_KEY."""
    chosen: dict[str, Any] = {
        "project_id": new_id(IdPrefix.PROJECT),
        "revision": 1,
        "secret_keys": (SecretKeyDigest(KEY_ID, secret_key_digest(SECRET_KEY)),),
        "platforms": ("ios", "android"),
        "analytics_enabled": True,
        "flow_ids": frozenset({"flow_default"}),
        "overrides": (),
        "experiments": (),
        "targeted": (),
        "default": a_default_flow(),
        "config": compress_config(config_of("Shop")),
        "deleted": False,
        **fields,
    }
    return Snapshot(**chosen)


def next_revision(snapshot: Snapshot, **fields: object) -> Snapshot:
    """Return the same project one revision later, with these changes."""
    changes: dict[str, Any] = {"revision": snapshot.revision + 1, **fields}
    return msgspec.structs.replace(snapshot, **changes)


def mark_complete(client: redis.Redis, epoch: str = "epoch-of-the-tests") -> None:
    """Store that Redis has every project, as the publisher does after a rebuild."""
    client.set(CHANGE_EPOCH, epoch)
    client.set(SNAPSHOT_FORMAT, CONTENT_VERSION)


def store(client: redis.Redis, snapshot: Snapshot) -> None:
    """Write a snapshot as the publisher does, without an entry in the change stream."""
    client.hset(
        snapshot_key(snapshot.project_id), mapping={"revision": snapshot.revision, "body": encode_snapshot(snapshot)}
    )


def announce(client: redis.Redis, snapshot: Snapshot) -> None:
    """Append the revision to the change stream."""
    client.xadd(
        CHANGE_STREAM,
        {
            "project": snapshot.project_id,
            "revision": snapshot.revision,
            "deleted": int(snapshot.deleted),
        },
    )


def publish(client: redis.Redis, snapshot: Snapshot) -> None:
    """Write a snapshot and append its revision to the change stream, as the publisher does."""
    store(client, snapshot)
    announce(client, snapshot)


def sdk_headers(snapshot: Snapshot, secret_key: str = SECRET_KEY) -> dict[str, str]:
    """Return the headers of an SDK of that project."""
    return {"X-Project-Id": snapshot.project_id, "X-Secret-Key": secret_key}
