"""A row of the routes table cannot be written without saying who may call it."""

from typing import Any

import falcon
import pytest

from common.errors import MethodNotAllowedError
from management_api.db.models.projects import Role
from management_api.http.routing import Access, Route, endpoint


class Readable:
    """A resource that can be read."""

    @endpoint("read_thing")
    def on_get(self, request: falcon.Request, response: falcon.Response) -> None:
        """Answer."""


class Patchable(Readable):
    """A resource with a method that no row can name."""

    def on_patch(self, request: falcon.Request, response: falcon.Response) -> None:
        """Answer."""


class Undeclared:
    """A resource without a declared response."""

    def on_get(self, request: falcon.Request, response: falcon.Response) -> None:
        """Answer."""


class Undocumented:
    """A resource with a declared response and without a docstring."""

    @endpoint("read_thing")
    def on_get(self, request: falcon.Request, response: falcon.Response) -> None:
        pass


def test_a_row_names_every_method_of_its_resource() -> None:
    assert Route("/things", Readable(), get=Role.VIEWER).permission("GET") is Role.VIEWER


@pytest.mark.parametrize(
    ("resource", "permissions"),
    [
        (Readable(), {}),
        (Readable(), {"post": Access.USER}),
        (Readable(), {"get": Access.USER, "post": Access.USER}),
        (Patchable(), {"get": Access.USER}),
        (object(), {}),
    ],
)
def test_a_row_that_does_not_fit_its_resource_stops_the_start(resource: object, permissions: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^/things: \w+ answers"):
        Route("/things", resource, **permissions)


@pytest.mark.parametrize("resource", [Undeclared(), Undocumented()])
def test_a_responder_that_is_not_documented_stops_the_start(resource: object) -> None:
    with pytest.raises(ValueError, match=r"^/things: \w+\.on_get must have @endpoint"):
        Route("/things", resource, get=Access.USER)


def test_a_path_begins_with_a_slash() -> None:
    with pytest.raises(ValueError, match="must begin with /"):
        Route("things", Readable(), get=Access.USER)


def test_head_needs_the_permission_of_get_and_options_none() -> None:
    route = Route("/things", Readable(), get=Role.ADMIN)
    assert route.permission("HEAD") is Role.ADMIN
    assert route.permission("OPTIONS") is Access.OPEN


@pytest.mark.parametrize("method", ["POST", "PATCH", "TRACE", "UNHEARD", "get"])
def test_another_method_is_refused_with_the_ones_there_are(method: str) -> None:
    with pytest.raises(MethodNotAllowedError) as caught:
        Route("/things", Readable(), get=Role.ADMIN).permission(method)
    assert caught.value.headers == {"Allow": "GET, HEAD, OPTIONS"}
