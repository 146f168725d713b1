"""Valid custom domains, and the members that a PUT changes."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.errors import InvalidRequestError
from management_api.http.requests import parse_body
from management_api.projects.schemas import ProjectUpdateBody


def settings_body(custom_domain: str) -> bytes:
    return b'{"settings": {"custom_domain": "' + custom_domain.encode() + b'"}}'


@pytest.mark.parametrize(
    ("given_name", "stored"),
    [
        ("example.com", "example.com"),
        (" Onboarding.Example.COM ", "onboarding.example.com"),
        ("a-b.c--d.example", "a-b.c--d.example"),
        ("1.2.example", "1.2.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("a" * 63 + ".com", "a" * 63 + ".com"),
        ("a.b2", "a.b2"),
    ],
)
def test_a_host_name_is_taken_in_lower_case(given_name: str, stored: str) -> None:
    assert parse_body(ProjectUpdateBody, settings_body(given_name)).columns() == {"custom_domain": stored}


@pytest.mark.parametrize(
    "name",
    ["localhost", "a..b", ".a.b", "a.b.", "-a.b", "a-.b", "a_b.c", "a b.c", "a.b:80", "a.b/c", "http://a.b", "1.2.3.4",
     "[::1]",
     "*.a.b", "a.1", "bücher.example", "a" * 64 + ".b", "a." * 130 + "b", "a@b.c", "a.b\\nc"],
)  # fmt: skip
def test_malformed_host_name_is_rejected(name: str) -> None:
    with pytest.raises(InvalidRequestError):
        parse_body(ProjectUpdateBody, settings_body(name))


@given(
    st.lists(st.sampled_from(["ios", "android", "web", "", 1, None]), max_size=4).filter(
        lambda platforms: platforms not in (["ios"], ["android"], ["ios", "android"], ["android", "ios"])
    )
)
def test_any_other_list_of_platforms_is_refused(platforms: list[object]) -> None:
    with pytest.raises(InvalidRequestError):
        parse_body(ProjectUpdateBody, orjson.dumps({"settings": {"platforms": platforms}}))
