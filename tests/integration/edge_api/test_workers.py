"""Several workers on one port: one that dies is replaced, a rolling restart drops nothing, none outlives its parent."""

import os
import signal
import subprocess
import threading
from collections import Counter
from typing import Self

import httpx
import psutil
import redis

from common.snapshot import Snapshot
from deploy.local.loopback_ports import free_port
from tests.integration.edge_api.test_serving import edge_process, is_ready
from tests.polling import eventually
from tests.snapshots import a_snapshot, publish, sdk_headers

CLIENTS = 4


class Visitors:
    """Clients that resolve one device after the other over connections that they keep, until they are told to stop."""

    def __init__(self, url: str, snapshot: Snapshot) -> None:
        self.outcomes: Counter[str] = Counter()
        self._url = url
        self._headers = sdk_headers(snapshot)
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._visit) for _ in range(CLIENTS)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _visit(self) -> None:
        with httpx.Client(base_url=self._url, timeout=20) as client:
            while not self._stop.is_set():
                try:
                    answer = client.post("/api/onboarding/resolve", headers=self._headers, json={"deviceId": "phone"})
                    self.outcomes[str(answer.status_code)] += 1
                except httpx.HTTPError as error:
                    self.outcomes[type(error).__name__] += 1


def workers_of(process: subprocess.Popen[str]) -> set[int]:
    """Give the children that serve: not one that has ended, nor the one that Python itself starts beside them."""
    return {child.pid for child in psutil.Process(process.pid).children() if "spawn_main" in _command(child)}


def _command(child: psutil.Process) -> str:
    try:
        return " ".join(child.cmdline())
    except psutil.Error:
        return ""


def has_ended(worker: psutil.Process) -> bool:
    """Tell whether a process runs no more; an orphan is still listed until whoever inherits it takes notice."""
    try:
        return not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def published(client: redis.Redis) -> Snapshot:
    """Publish a project that may be asked for without end."""
    snapshot = a_snapshot()
    publish(client, snapshot)
    return snapshot


def test_a_rolling_restart_under_load_fails_no_request(redis_url: str, redis_client: redis.Redis) -> None:
    snapshot, port = published(redis_client), free_port()
    url = f"http://127.0.0.1:{port}"
    limits = {"ONBOARDING_RATE_LIMIT_SECRET_KEY": "1000000000"}
    with edge_process(redis_url, port, ONBOARDING_EDGE_WORKERS="2", **limits) as process:
        eventually(lambda: is_ready(url) and len(workers_of(process)) == 2, within=30)
        before = workers_of(process)
        with Visitors(url, snapshot) as visitors:
            eventually(lambda: visitors.outcomes["200"] > 100)
            process.send_signal(signal.SIGHUP)
            eventually(lambda: len(workers_of(process)) == 2 and not before & workers_of(process), within=60)
            answered = visitors.outcomes["200"]
            eventually(lambda: visitors.outcomes["200"] > answered + 100)
        assert set(visitors.outcomes) == {"200"}


def test_a_worker_that_dies_is_replaced(redis_url: str) -> None:
    port = free_port()
    with edge_process(redis_url, port, ONBOARDING_EDGE_WORKERS="2") as process:
        eventually(lambda: is_ready(f"http://127.0.0.1:{port}") and len(workers_of(process)) == 2, within=30)
        victim = min(workers_of(process))
        os.kill(victim, signal.SIGKILL)
        eventually(lambda: victim not in workers_of(process) and len(workers_of(process)) == 2, within=30)
        eventually(lambda: is_ready(f"http://127.0.0.1:{port}"), within=30)


def test_workers_end_when_their_parent_is_killed(redis_url: str) -> None:
    port = free_port()
    with edge_process(redis_url, port, ONBOARDING_EDGE_WORKERS="2") as process:
        eventually(lambda: is_ready(f"http://127.0.0.1:{port}") and len(workers_of(process)) == 2, within=30)
        workers = [psutil.Process(pid) for pid in workers_of(process)]
        process.kill()
        eventually(lambda: all(has_ended(worker) for worker in workers), within=30)
