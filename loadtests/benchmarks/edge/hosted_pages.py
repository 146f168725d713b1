"""Hosted pages: the same project without pages beside it at the same edge, and requests of pages themselves."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import msgspec
from redis import Redis

from common.ids import IdPrefix, new_id
from common.wire.redis_keys import snapshot_key
from common.wire.snapshot import Snapshot, decode_snapshot, encode_snapshot
from loadtests.benchmarks.edge.cases import Case
from loadtests.benchmarks.edge.programs import Stack

_PUBLISHED_SECONDS = 60.0


def page_cases(stack: Stack, cases: Sequence[Case]) -> Iterator[Case]:
    """Yield resolve and configuration of a project without pages, then global-config and a page.

    The rows of the same names without "without pages" are those of the demo project, which has pages.
    """
    with Redis.from_url(stack.redis_url) as client:
        snapshot = _snapshot_with_pages(client, stack.project_id)
        copy = msgspec.structs.replace(snapshot, project_id=new_id(IdPrefix.PROJECT), pages=None)
        fields = {"revision": copy.revision, "body": encode_snapshot(copy)}
        client.hset(snapshot_key(copy.project_id), mapping=fields)
    for case in cases:
        if case.name in {"resolve", "config 200"}:
            headers = {**case.headers, "X-Project-Id": copy.project_id}
            yield replace(case, name=f"{case.name}, without pages", headers=headers, aim=None)
    query = f"apiKey={stack.secret_key}&projectId={stack.project_id}"
    get = {"Host": "127.0.0.1", "Accept-Encoding": "gzip"}
    yield Case("global-config", "GET", f"/api/global-config?{query}", get)
    with urlopen(f"http://127.0.0.1:{stack.edge.port}/api/global-config?{query}") as response:
        base = urlsplit(json.load(response)["backendDomain"]).path
    flow_id = (snapshot.pages or ())[0].flow_id
    yield Case("page", "GET", f"{base}/onboarding/{flow_id}/1?deviceId=device-1", get)


def _snapshot_with_pages(client: Redis, project_id: str) -> Snapshot:
    """Return the project's snapshot, when it has pages. Raises RuntimeError when none were built."""
    deadline = time.monotonic() + _PUBLISHED_SECONDS
    while time.monotonic() < deadline:
        body: Any = client.hget(snapshot_key(project_id), "body")
        snapshot = decode_snapshot(body)
        if snapshot.pages:
            return snapshot
        time.sleep(0.1)
    raise RuntimeError("the demo project has no pages: run `make web`")
