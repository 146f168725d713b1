"""Which content codings clients take, by RFC 9110, section 12.5.3."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_api.answers.content_coding import ContentCodings, ranked_codings

CODINGS = ["br", "gzip", "identity"]
weights = st.sampled_from(["", ";q=0", "; q=0.5", ";Q=0.500", " ;q=1.0", ";q=1", ";q=0.", ";q=0.001"])
names = st.sampled_from(["br", "BR", "gzip", "x-gzip", "identity", "*", "deflate", "zstd"])
texts = st.text(st.characters(max_codepoint=255), max_size=40)


@pytest.mark.parametrize(
    ("accept_encoding", "expected"),
    [
        (None, "identity"),
        ("gzip", "gzip identity"),
        ("GZIP", "gzip identity"),
        ("x-gzip", "gzip identity"),
        ("br", "br identity"),
        ("gzip, deflate, br", "br gzip identity"),
        ("gzip, deflate, br, zstd", "br gzip identity"),
        ("br;q=0.9, gzip", "gzip br identity"),
        ("br, gzip;q=0.5", "br gzip identity"),
        ("br\t;\tq=0.5 ,gzip; q=0.5", "br gzip identity"),
        ("*", "br gzip identity"),
        ("*;q=0.5, br;q=0.1", "gzip identity br"),
        ("br;q=0, *", "gzip identity"),
        ("*;q=0", "identity"),
        ("*;q=0, gzip", "gzip identity"),
        ("gzip;q=0", "identity"),
        ("gzip; q=0.000", "identity"),
        ("identity", "identity"),
        ("identity, gzip;q=0.5", "identity gzip"),
        ("identity;q=0.5, gzip", "gzip identity"),
        ("identity, gzip", "gzip identity"),
        ("identity;q=0, gzip;q=0.001", "gzip identity"),
        ("identity;q=0", "identity"),
        ("deflate", "identity"),
        (",, gzip,", "gzip identity"),
    ],
)
def test_codings_are_ranked_as_the_client_weighs_them_then_by_size(accept_encoding: str | None, expected: str) -> None:
    assert ranked_codings(accept_encoding) == tuple(expected.split())


@pytest.mark.parametrize(
    "malformed",
    ["q=nonsense", "q=7", "q=1.1", "q=0.5555", "q=-1", "q=1e-1", "q=inf", "q=nan", "q=", "q", "", "level=5", "q=1;q=1"],
)
def test_a_coding_with_a_malformed_weight_is_not_sent(malformed: str) -> None:
    assert ranked_codings(f"br;{malformed}") == ("identity",)
    assert ranked_codings(f"gzip, br;{malformed}") == ("gzip", "identity")


@given(st.lists(st.tuples(names, weights), unique_by=lambda member: member[0].lower().removeprefix("x-"), max_size=8))
def test_what_is_ranked_is_what_the_standard_calls_acceptable(members: list[tuple[str, str]]) -> None:
    said = {
        name.lower().removeprefix("x-"): float(weight.replace(" ", "").lower().removeprefix(";q=") or 1)
        for name, weight in members
    }
    ranked = ranked_codings(", ".join(name + weight for name, weight in members))
    acceptable = {coding for coding in CODINGS if said.get(coding, said.get("*", 0.0)) > 0}
    assert set(ranked) == acceptable | {"identity"}
    by_weight = [said.get(coding, said.get("*", 0.0)) for coding in ranked]
    assert by_weight == sorted(by_weight, reverse=True)


@given(texts | st.lists(texts, max_size=80).map(",".join))
def test_whatever_is_said_the_plain_form_may_be_sent(accept_encoding: str) -> None:
    assert "identity" in ranked_codings(accept_encoding)


def test_what_is_remembered_is_what_was_read() -> None:
    codings = ContentCodings()
    for _ in range(2):
        for number in range(600):
            assert codings.ranked(f"gzip, coding-{number}") == ("gzip", "identity")
            assert codings.ranked("br") == ("br", "identity")
            assert codings.ranked(None) == ("identity",)
    assert codings.ranked("gzip," + " " * 10_000 + "br") == ("br", "gzip", "identity")
