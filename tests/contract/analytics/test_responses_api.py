"""The answers to the questions of a flow (contract, section 8, Form responses)."""

import csv
import io
from typing import Any

import pytest

from management_api.rollups.erasure import complete_erasures
from management_api.rollups.rebuild import rebuild_project
from tests.support.clients.management import Management, User, data_of
from tests.support.data.analytics_events import add_events, an_event, moment

MARCH = {"from": "2026-03-01", "to": "2026-03-05"}
SCREENS = [
    {"type": "welcome", "content": {"title": "Hi"}},
    {"type": "question_single_choice", "content": {"question": "Goal?", "options": [{"value": "fit", "label": "Fit"}]}},
    {"type": "question_multiple_choice", "content": {"question": "Days?"}},
    {"type": "question_picker", "content": {"question": "Height?", "picker": "height"}},
    {"type": "question_picker", "content": {"question": "Birthday?", "picker": "date"}},
    {"type": "question_text", "name": "Remarks"},
]
GOAL, DAYS, HEIGHT, BIRTHDAY, REMARKS = range(1, 6)


@pytest.fixture
def alice(shared_management: Management) -> User:
    return shared_management.user("alice")


@pytest.fixture
def flow(alice: User, project_id: str) -> dict[str, Any]:
    """Return a flow with five questions, of a project that records answers."""
    data_of(alice.put(f"/api/projects/{project_id}", {"settings": {"record_answers": True}}))
    return alice.create_flow(project_id, screens=SCREENS)


def answered(
    flow: dict[str, Any], number: int, answer: object, device_id: str = "d1", day: int = 2, **columns: object
) -> dict[str, Any]:
    """Return the event of an answer, as hosted pages send it."""
    screen = flow["screens"][number]
    properties = {"answer_key": "key", "question_type": screen["type"], "answer": answer}
    chosen = {
        "event_type": "question_answered",
        "device_id": device_id,
        "flow_id": flow["id"],
        "screen_id": screen["id"],
        "session_id": "s1",
        "properties": properties,
    }
    return {**an_event(moment(day), **chosen), **columns}


def add(management: Management, flow: dict[str, Any], *events: dict[str, Any]) -> None:
    with management.database.transaction() as session:
        add_events(session, flow["project_id"], events)


def responses(user: User, flow: dict[str, Any], **params: str) -> list[dict[str, Any]]:
    query = {"flowId": flow["id"], **MARCH, **params}
    view = data_of(user.get("/api/analytics/responses", params=query))
    assert (view["flow_id"], view["from"], view["to"]) == (flow["id"], MARCH["from"], MARCH["to"])
    questions: list[dict[str, Any]] = view["questions"]
    return questions


def test_questions_are_in_the_order_of_the_screens_also_without_answers(alice: User, flow: dict[str, Any]) -> None:
    assert responses(alice, flow) == [
        {
            "screen_id": screen["id"],
            "question": question,
            "question_type": screen["type"],
            "answers": 0,
            **({"samples": []} if screen["type"] == "question_text" else {"distribution": []}),
        }
        for screen, question in zip(
            flow["screens"][1:], ("Goal?", "Days?", "Height?", "Birthday?", "Remarks"), strict=True
        )
    ]


def test_choices_are_counted_by_value(shared_management: Management, alice: User, flow: dict[str, Any]) -> None:
    add(
        shared_management,
        flow,
        *(answered(flow, GOAL, "fit", f"d{number}") for number in range(3)),
        answered(flow, GOAL, ["calm"], "d3"),
        answered(flow, DAYS, ["mo", "tu"], "d1"),
        answered(flow, DAYS, ["tu", "tu"], "d2"),
    )
    goal, days, *_ = responses(alice, flow)
    assert (goal["answers"], goal["distribution"]) == (
        4,
        [{"value": "fit", "count": 3}, {"value": "calm", "count": 1}],
    )
    assert (days["answers"], days["distribution"]) == (2, [{"value": "tu", "count": 2}, {"value": "mo", "count": 1}])


def test_each_box_of_a_consent_is_a_question(shared_management: Management, alice: User, project_id: str) -> None:
    items = [{"name": "terms", "label": "The terms"}, {"name": "news", "label": "News"}, {"name": "x", "label": ""}]
    content = {"title": "Agree?", "items": items}
    data_of(alice.put(f"/api/projects/{project_id}", {"settings": {"record_answers": True}}))
    flow = alice.create_flow(project_id, screens=[{"type": "consent", "content": content}])
    given = [("terms", True, "d1"), ("news", False, "d1"), ("terms", True, "d2"), ("news", True, "d2")]
    events = [answered(flow, 0, answer, device) for _, answer, device in given]
    for event, (name, _, _) in zip(events, given, strict=True):
        event["properties"]["answer_key"] = name
    add(shared_management, flow, *events)
    found = responses(alice, flow)
    assert [(one["question"], one["question_type"], one["answers"]) for one in found] == [
        ("The terms", "consent", 2),
        ("News", "consent", 2),
    ]
    assert [one["distribution"] for one in found] == [
        [{"value": "true", "count": 2}],
        [{"value": "false", "count": 1}, {"value": "true", "count": 1}],
    ]


def test_numbers_of_pickers_have_mean_median_and_percentiles(
    shared_management: Management, alice: User, flow: dict[str, Any]
) -> None:
    heights = [150, 160, 170, 180, 200]
    add(
        shared_management,
        flow,
        *(answered(flow, HEIGHT, [str(height)], f"d{height}") for height in heights),
        answered(flow, BIRTHDAY, ["June", "15", "1995"]),
    )
    _, _, height, birthday, _ = responses(alice, flow)
    assert height["answers"] == 5
    assert height["numbers"] == {"mean": 172.0, "median": 170.0, "p10": 154.0, "p90": 192.0}
    assert height.keys() == {"screen_id", "question", "question_type", "answers", "numbers"}
    assert birthday["distribution"] == [{"value": "June 15 1995", "count": 1}]


def test_texts_are_samples_unless_all_are_numbers(
    shared_management: Management, alice: User, flow: dict[str, Any]
) -> None:
    add(shared_management, flow, answered(flow, REMARKS, "7", "d1"), answered(flow, REMARKS, " 8.5 ".strip(), "d2"))
    assert responses(alice, flow)[-1]["numbers"] == {"mean": 7.75, "median": 7.75, "p10": 7.15, "p90": 8.35}
    add(
        shared_management,
        flow,
        answered(flow, REMARKS, "Good", "d3", day=3),
        *(answered(flow, REMARKS, "x" * 2000, f"e{number}", day=4) for number in range(3)),
    )
    remarks = responses(alice, flow)[-1]
    assert (remarks["answers"], remarks["samples"]) == (6, ["x" * 1000] * 3 + ["Good", *remarks["samples"][4:]])
    assert set(remarks["samples"][4:]) == {"7", "8.5"}
    assert "numbers" not in remarks


def test_samples_are_the_newest_hundred(shared_management: Management, alice: User, flow: dict[str, Any]) -> None:
    events = [
        answered(flow, REMARKS, f"text {number}", f"d{number}", occurred_at=moment(2, second=number))
        for number in range(120)
    ]
    add(shared_management, flow, *events)
    remarks = responses(alice, flow)[-1]
    assert (remarks["answers"], remarks["samples"]) == (120, [f"text {number}" for number in range(119, 19, -1)])


def test_newest_answer_of_a_session_counts(shared_management: Management, alice: User, flow: dict[str, Any]) -> None:
    add(
        shared_management,
        flow,
        answered(flow, GOAL, "second", occurred_at=moment(2, second=2)),
        answered(flow, GOAL, "first", occurred_at=moment(2, second=1)),
        answered(flow, GOAL, "visit", session_id="s2"),
        answered(flow, GOAL, "loose", "d2", session_id=None),
        answered(flow, GOAL, "last", "d2", session_id=None, occurred_at=moment(2, second=1)),
    )
    goal = responses(alice, flow)[0]
    assert goal["answers"] == 3
    assert {value["value"] for value in goal["distribution"]} == {"second", "visit", "last"}


@pytest.mark.parametrize("answer", ["", [], [""], None])
def test_empty_answers_count_as_none(
    shared_management: Management, alice: User, flow: dict[str, Any], answer: object
) -> None:
    add(shared_management, flow, *(answered(flow, number, answer) for number in (GOAL, DAYS, HEIGHT, REMARKS)))
    assert [question["answers"] for question in responses(alice, flow)] == [0] * 5


@pytest.mark.parametrize("answer", [7, True, {"a": [1]}, [[1], {"b": 2}], "' OR 1=1", "\N{GRINNING FACE}" * 50])
def test_answers_of_any_json_are_shown(
    shared_management: Management, alice: User, flow: dict[str, Any], answer: object
) -> None:
    add(shared_management, flow, *(answered(flow, number, answer) for number in (GOAL, DAYS, HEIGHT, REMARKS)))
    assert [question["answers"] for question in responses(alice, flow)] == [1, 1, 1, 0, 1]


def test_period_platform_and_experiment_narrow_the_answers(
    shared_management: Management, alice: User, flow: dict[str, Any]
) -> None:
    experiment_id = shared_management.add_experiment(flow["project_id"], flow["id"])
    add(
        shared_management,
        flow,
        answered(flow, GOAL, "early", "d1", day=1),
        answered(flow, GOAL, "android", "d2", platform="android"),
        answered(flow, GOAL, "tried", "d3", experiment_id=experiment_id, variant="a"),
        answered(flow, GOAL, "late", "d4", day=6),
        answered(flow, GOAL, "other", "d5", event_type="question_seen"),
        answered(flow, GOAL, None, "d6", properties={"answer_key": "k"}),
    )

    def values(**params: str) -> set[str]:
        return {value["value"] for value in responses(alice, flow, **params)[0]["distribution"]}

    assert values() == {"early", "android", "tried"}
    assert values(platform="android") == {"android"}
    assert values(experimentId=experiment_id) == {"tried"}
    query = {"flowId": flow["id"], "from": "2026-03-06", "to": "2026-03-06"}
    [late, *_] = data_of(alice.get("/api/analytics/responses", params=query))["questions"]
    assert [value["value"] for value in late["distribution"]] == ["late"]


def test_answers_of_hosted_pages_are_dropped_where_they_are_not_recorded(
    shared_management: Management, alice: User, flow: dict[str, Any]
) -> None:
    project_path = f"/api/projects/{flow['project_id']}"
    data_of(alice.put(project_path, {"settings": {"record_answers": False}}))
    add(shared_management, flow, answered(flow, GOAL, "secret", "d1", event_id="e1"))
    assert responses(alice, flow)[0]["answers"] == 0
    [event] = data_of(alice.get("/api/analytics/events", params={"projectId": flow["project_id"]}))
    assert event["properties"] == {"answer_key": "key", "question_type": "question_single_choice"}
    # An app that reports answers in its own form decides by itself.
    add(shared_management, flow, answered(flow, GOAL, None, "d2", properties={"answer": "own"}))
    assert responses(alice, flow)[0]["distribution"] == [{"value": "own", "count": 1}]
    data_of(alice.put(project_path, {"settings": {"record_answers": True}}))
    add(shared_management, flow, answered(flow, GOAL, "open", "d3"))
    assert responses(alice, flow)[0]["answers"] == 2


def test_erased_device_has_no_answers(shared_management: Management, alice: User, flow: dict[str, Any]) -> None:
    events = [
        answered(flow, GOAL, "fit", "d1"),
        answered(flow, GOAL, "calm", "d2"),
        answered(flow, REMARKS, "me", "d1"),
    ]
    add(shared_management, flow, *events)
    project_id = flow["project_id"]
    assert alice.delete(f"/api/projects/{project_id}/devices/d1").status_code == 200
    complete_erasures(shared_management.database, project_id)
    # On its way during the erasure.
    add(shared_management, flow, answered(flow, GOAL, "late", "d1"))
    goal, *_, remarks = responses(alice, flow)
    assert (goal["distribution"], remarks["samples"]) == ([{"value": "calm", "count": 1}], [])
    assert rebuild_project(shared_management.database, project_id, repair=False) == []


def test_csv_has_a_row_for_each_value_text_and_set_of_numbers(
    shared_management: Management, alice: User, flow: dict[str, Any]
) -> None:
    add(
        shared_management,
        flow,
        answered(flow, GOAL, "fit", "d1"),
        answered(flow, GOAL, "fit", "d2"),
        answered(flow, HEIGHT, ["180"]),
        answered(flow, REMARKS, '=HYPERLINK("x")'),
    )
    query = {"flowId": flow["id"], **MARCH}
    response = alice.get("/api/analytics/responses", params=query, headers={"Accept": "text/csv"})
    assert (response.status_code, response.headers["content-type"]) == (200, "text/csv; charset=utf-8; header=present")
    assert f"responses_{flow['id']}_2026-03-01_2026-03-05.csv" in response.headers["content-disposition"]
    ids = [screen["id"] for screen in flow["screens"]]
    assert list(csv.reader(io.StringIO(response.text, newline=""))) == [
        ["screen_id", "question", "question_type", "answers", "value", "count", "mean", "median", "p10", "p90"],
        [ids[GOAL], "Goal?", "question_single_choice", "2", "fit", "2", "", "", "", ""],
        [ids[DAYS], "Days?", "question_multiple_choice", "0", "", "", "", "", "", ""],
        [ids[HEIGHT], "Height?", "question_picker", "1", "", "", "180.0", "180.0", "180.0", "180.0"],
        [ids[BIRTHDAY], "Birthday?", "question_picker", "0", "", "", "", "", "", ""],
        [ids[REMARKS], "Remarks", "question_text", "1", '\'=HYPERLINK("x")', "", "", "", "", ""],
    ]
