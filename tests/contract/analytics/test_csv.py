"""The row that counts events and users, asked for as CSV (contract, section 3)."""

import csv
import io

import pytest
from falcon import testing

from tests.support.clients.management import Management, User
from tests.support.data.analytics_events import add_events, an_event, moment

MARCH = {"from": "2026-03-01", "to": "2026-03-03"}
CSV = "text/csv; charset=utf-8; header=present"


def _ask(user: User, project_id: str, accept: str, **params: str) -> testing.Result:
    query = {"projectId": project_id, **MARCH, **params}
    return user.get("/api/analytics", params=query, headers={"Accept": accept})


def _table(answer: testing.Result) -> list[list[str]]:
    return list(csv.reader(io.StringIO(answer.text, newline="")))


def test_csv_has_a_header_and_the_rows(management: Management, alice: User, project_id: str) -> None:
    with management.database.transaction() as session:
        add_events(session, project_id, [an_event(moment(2)), an_event(moment(2), device_id="d2")])
    answer = _ask(alice, project_id, "text/csv")
    assert (answer.status_code, answer.headers["content-type"]) == (200, CSV)
    assert "accept" in answer.headers["vary"].lower()
    assert answer.content == (b"date,events,users\r\n2026-03-01,0,0\r\n2026-03-02,2,2\r\n2026-03-03,0,0\r\n")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ('says "hi", twice', 'says "hi", twice'),
        ("two\nlines", "two\nlines"),
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"),
        ("\rx", "'\rx"),
        ("\n=1", "'\n=1"),
        (" =1+1", "' =1+1"),
        ("\u3000=1+1", "'\u3000=1+1"),
        (";=1+1", "';=1+1"),
        ("; ;-1", "'; ;-1"),
        ("|@x", "'|@x"),
        (",+1", "',+1"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("\uff0b1", "'\uff0b1"),
        ("\uff0d1", "'\uff0d1"),
        ("\uff20SUM(A1)", "'\uff20SUM(A1)"),
        ("\uff1b\uff1d1", "'\uff1b\uff1d1"),
        ("a=b", "a=b"),
        ("a;b", "a;b"),
        ("naïve 🎉", "naïve 🎉"),
        ("", ""),
    ],
)
def test_invented_names_stay_in_a_single_harmless_cell(
    management: Management, alice: User, project_id: str, name: str, shown: str
) -> None:
    with management.database.transaction() as session:
        add_events(session, project_id, [an_event(moment(2), screen_id=name)])
    assert _table(_ask(alice, project_id, "text/csv", group_by="screen")) == [
        ["screen_id", "events", "users"],
        [shown, "1", "1"],
    ]


@pytest.mark.parametrize("name", ["a;=1+1", ";=1+1", "a\t=1+1", "a|=1+1", 'a";=1+1'])
def test_csv_quotes_texts_that_other_separators_would_split(
    management: Management, alice: User, project_id: str, name: str
) -> None:
    with management.database.transaction() as session:
        add_events(session, project_id, [an_event(moment(2), screen_id=name)])
    text = _ask(alice, project_id, "text/csv", group_by="screen").text
    for separator in ";\t|":
        cells = [cell for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) for cell in row]
        assert not [cell for cell in cells if cell.startswith("=")]


def test_csv_has_the_name_of_a_file(alice: User, project_id: str) -> None:
    response = _ask(alice, project_id, "text/csv", group_by="screen")
    name = f"analytics_{project_id}_screen_2026-03-01_2026-03-03.csv"
    assert response.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert "content-disposition" not in _ask(alice, project_id, "application/json").headers


def test_null_group_is_an_empty_csv_field(management: Management, alice: User, project_id: str) -> None:
    with management.database.transaction() as session:
        add_events(session, project_id, [an_event(moment(2), platform=None)])
    assert _table(_ask(alice, project_id, "text/csv", group_by="platform"))[1:] == [["", "1", "1"]]


@pytest.mark.parametrize(
    ("accept", "is_csv"),
    [
        ("text/csv", True),
        ("text/csv; charset=utf-8", True),
        ("text/*", True),
        ("TEXT/CSV", True),
        ("Text/*; Q=0.5, application/json;q=0.4", True),
        ("text/csv;q=0.5, Application/JSON", False),
        ("application/json;q=0.5, text/csv", True),
        ("application/json;q=0.5, text/csv;q=0.6", True),
        ("text/csv;q=0.5, */*;q=0.1", True),
        ("text/csv;q=0.5, application/json", False),
        ("text/csv;q=0", False),
        ("text/csv, application/json", False),
        ("*/*", False),
        ("application/json", False),
        ("application/xml", False),
        ("csv", False),
        ("text/csv;q=high", False),
        (";;,,", False),
        ("", False),
    ],
)
def test_response_is_csv_only_when_accept_prefers_it(
    alice: User, project_id: str, accept: str, *, is_csv: bool
) -> None:
    answer = _ask(alice, project_id, accept)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == (CSV if is_csv else "application/json")


def test_errors_are_json_for_any_accept(alice: User, project_id: str) -> None:
    answer = _ask(alice, project_id, "text/csv", group_by="moon")
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/json")
    assert answer.json["code"] == "INVALID_PARAMETER"
