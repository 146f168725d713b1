"""Uploads to a running service: on the disk instead of in memory, bounded in number, and only where files belong."""

import base64
import secrets
import select
import socket
from collections.abc import Iterator
from typing import Any

import psutil
import pytest

from deploy.local.loopback_ports import LOOPBACK
from management_api.worker import MAX_UPLOADS
from tests.integration.management_api.running_service import ServiceProcess, running_service
from tests.integration.management_api.test_serving import environment_in
from tests.support.databases.recycled_databases import RecycledDatabases
from tests.support.media_files import mp4, picture

pytestmark = pytest.mark.slow
MEBIBYTE = 1024 * 1024


@pytest.fixture(scope="module")
def service(
    recycled_databases: RecycledDatabases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[ServiceProcess, str]]:
    """Return a service with a store of media files, and the token of a user."""
    folder = tmp_path_factory.mktemp("service")
    with recycled_databases.database() as url:
        environment = environment_in(folder, url, base64.b64encode(secrets.token_bytes(32)).decode())
        environment["ONBOARDING_MEDIA_STORE"] = f"file://{folder}/media"
        with running_service(environment, folder) as process:
            yield process, environment["TEST_TOKEN"]


def _project(process: ServiceProcess, token: str) -> str:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return str(process.call("POST", "/api/projects", [b'{"name":"Media"}'], headers)[1]["data"]["id"])


def _upload(
    service: tuple[ServiceProcess, str], project_id: str, content: bytes, content_type: str, query: str = ""
) -> tuple[int, Any]:
    process, token = service
    headers = {"Authorization": f"Bearer {token}", "Content-Type": content_type, "Content-Length": str(len(content))}
    return process.call("POST", f"/api/media?projectId={project_id}&name=File{query}", [content], headers)


def _memory(process: ServiceProcess) -> int:
    return sum(child.memory_info().rss for child in psutil.Process(process.pid).children(recursive=True))


def test_large_video_is_never_in_the_memory_of_the_service(service: tuple[ServiceProcess, str]) -> None:
    project_id = _project(*service)
    poster = _upload(service, project_id, picture("PNG"), "image/png")[1]["data"]["id"]
    video = mp4(media_data=bytes(28 * MEBIBYTE))
    before = _memory(service[0])
    for _ in range(3):
        status, body = _upload(service, project_id, video, "video/mp4", f"&poster_media_id={poster}")
        assert (status, body["data"]["bytes"]) == (201, len(video))
    assert _memory(service[0]) - before < 20 * MEBIBYTE
    too_large = _upload(service, project_id, bytes(31 * MEBIBYTE), "video/mp4")
    assert (too_large[0], too_large[1]["code"]) == (413, "PAYLOAD_TOO_LARGE")


def test_one_credential_has_a_share_of_the_uploads(service: tuple[ServiceProcess, str]) -> None:
    process, token = service
    head = (
        f"POST /api/media?projectId=p&name=a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: video/mp4\r\nContent-Length: {20 * MEBIBYTE}\r\n\r\n"
    )
    unfinished = [socket.create_connection((LOOPBACK, process.port), timeout=20) for _ in range(5)]
    try:
        for connection in unfinished:
            connection.sendall(head.encode() + bytes(MEBIBYTE))
        # One of them is refused at once, whichever comes last, and others go on meanwhile.
        answered, _, _ = select.select(unfinished, [], [], 20)
        assert answered[0].recv(65536).startswith(b"HTTP/1.1 503 ")
        assert process.call("GET", "/health/ready")[0] == 200
    finally:
        for connection in unfinished:
            connection.close()


def test_invented_credentials_leave_uploads_to_users(service: tuple[ServiceProcess, str]) -> None:
    process, token = service
    project_id = _project(process, token)
    heads = [
        f"POST /api/media?projectId=p&name=a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {number}\r\n"
        f"Content-Type: video/mp4\r\nContent-Length: {20 * MEBIBYTE}\r\n\r\n"
        for number in range(MAX_UPLOADS // 2 + 1)
    ]
    unfinished = [socket.create_connection((LOOPBACK, process.port), timeout=20) for _ in heads]
    try:
        for connection, head in zip(unfinished, heads, strict=True):
            connection.sendall(head.encode() + bytes(MEBIBYTE))
        # Any of them may come last.
        answered, _, _ = select.select(unfinished, [], [], 20)
        assert answered[0].recv(65536).startswith(b"HTTP/1.1 503 ")
        assert _upload(service, project_id, picture("PNG"), "image/png")[0] == 201
    finally:
        for connection in unfinished:
            connection.close()


def test_other_paths_take_no_large_body(service: tuple[ServiceProcess, str]) -> None:
    process, token = service
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "Content-Length": str(2 * MEBIBYTE),
    }
    assert process.call("POST", "/api/flows", [bytes(2 * MEBIBYTE)], headers)[0] == 413
