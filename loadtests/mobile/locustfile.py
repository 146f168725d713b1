"""Phones and shapes for locust; `python -m loadtests.mobile` runs it, and `locust -f` shows its own pages.

Each phone has an address of its own, as in production, so no phone reaches the rate limit of a client.
"""

import random
import time
from argparse import ArgumentParser
from typing import Any

import gevent
from locust import HttpUser, LoadTestShape, between, events, task
from locust.env import Environment
from requests import Response
from requests.adapters import HTTPAdapter

from loadtests.mobile.phone import Phone
from loadtests.mobile.running_stack import find_running_stack
from loadtests.mobile.session import AppResponse, Request, Script, session
from loadtests.mobile.shapes import SHAPES, phones_at

_SESSIONS_OF_A_PHONE = 3
_PROGRESS_SECONDS = 5
_PHONES_A_SECOND = 100


class FromAddress(HTTPAdapter):
    """Connects from one address of this machine."""

    def __init__(self, address: str) -> None:
        self._address = address
        super().__init__()

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - requests names no types
        """Create the pool of connections with the address as the source."""
        super().init_poolmanager(*arguments, **options, source_address=(self._address, 0))


class MobileUser(HttpUser):
    """A user with a phone; after some sessions, another user with another phone."""

    wait_time = between(1, 5)

    def __init__(self, environment: Environment) -> None:
        self._stack = find_running_stack()
        self.host = self._stack.edge_url
        super().__init__(environment)
        self._rng = random.Random()  # noqa: S311 - no secret is made of it
        self._sessions = 0
        self._phone = self._new_phone()

    @task
    def go_through_onboarding(self) -> None:
        """Play one session."""
        if self._sessions == _SESSIONS_OF_A_PHONE:
            self._phone, self._sessions = self._new_phone(), 0
        self._sessions += 1
        self._play(session(self._phone, self._rng))

    def _new_phone(self) -> Phone:
        phone = Phone.new(self._rng)
        self.client.close()
        if self._stack.is_on_this_machine:
            self.client.mount("http://", FromAddress(phone.address))
        self.client.headers.update(
            {"X-Project-Id": self._stack.project_id, "X-Secret-Key": self._stack.secret_key, "User-Agent": "Load/1.0"}
        )
        return phone

    def _play(self, script: Script) -> None:
        request = next(script)
        while True:
            gevent.sleep(request.pause)
            received = self._send(request)
            try:
                if received is None:
                    return
                request = script.send(received)
            except StopIteration:
                return

    def _send(self, request: Request) -> AppResponse | None:
        """Send a request and return the response; None after an unexpected status, which counts as a failure."""
        with self.client.request(
            request.method, request.path, json=request.body, headers=request.headers, catch_response=True
        ) as response:
            if response.status_code not in request.expected_statuses:
                response.failure(f"{response.status_code}: {response.text[:200]}")
                return None
            response.success()
            return _app_response(response)


class ChosenShape(LoadTestShape):
    """The shape, length and number of phones of the options."""

    def tick(self) -> tuple[int, int] | None:
        """Return the number of phones now, and the maximum of phones that start or end in a second."""
        options = self.runner.environment.parsed_options
        phones = phones_at(SHAPES[options.shape], self.get_run_time(), options.minutes * 60, options.phones)
        return None if phones is None else (phones, _PHONES_A_SECOND)


@events.init_command_line_parser.add_listener
def _add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--shape", choices=list(SHAPES), default="ramp", help="how the number of phones changes")
    parser.add_argument("--minutes", type=float, default=2.0, help="how long it lasts")
    parser.add_argument("--phones", type=int, default=200, help="the maximum number of phones")


@events.test_start.add_listener
def _show_progress(environment: Environment, **_: object) -> None:
    gevent.spawn(_print_progress, environment, time.monotonic())


def _print_progress(environment: Environment, started_at: float) -> None:
    options = environment.parsed_options
    while True:
        gevent.sleep(_PROGRESS_SECONDS)
        total, passed = environment.stats.total, time.monotonic() - started_at
        print(
            f"{options.shape} {passed:4.0f} of {options.minutes * 60:.0f} s: {environment.runner.user_count} phones,"
            f" {total.current_rps:.0f} requests/s, p50 {total.get_current_response_time_percentile(0.5) or 0:.0f} ms,"
            f" p99 {total.get_current_response_time_percentile(0.99) or 0:.0f} ms, {total.num_failures} failures",
            flush=True,
        )


def _app_response(response: Response) -> AppResponse:
    document = response.json() if response.content else {}
    return AppResponse(response.status_code, document, response.headers.get("ETag"))
