"""Translations of screens, in every form that has contents (languages, Model)."""

from typing import Any

import pytest

from tests.support.clients.management import Management, User, data_of

CONTENT = {
    "question": "Which one?",
    "options": [{"value": "a", "label": "First"}, {"value": "b", "label": "Second"}],
    "answer_key": "choice",
}
GERMAN = {"/question": "Welche?", "/options/a/label": {"text": "Erste", "source": "1st"}}
STORED = {
    "/question": {"text": "Welche?", "source": "Which one?"},
    "/options/a/label": {"text": "Erste", "source": "1st"},
}


@pytest.fixture
def project(alice: User) -> dict[str, Any]:
    made = alice.create_project()
    data_of(alice.put(f"/api/projects/{made['id']}", {"settings": {"locales": ["en", "de", "pt-BR"]}}))
    return made


def question(**members: object) -> dict[str, Any]:
    return {"type": "question_single_choice", "content": CONTENT, **members}


def test_translations_are_where_content_is(alice: User, project: dict[str, Any]) -> None:
    screens = [question(localizations={"de": GERMAN, "PT-br": {"/question": ""}}), question()]
    flow = alice.create_flow(project["id"], screens=screens)
    path = f"/api/flows/{flow['id']}"
    [translated, plain] = data_of(alice.get(path))["screens"]
    expected = {"de": STORED, "pt-BR": {"/question": {"text": "", "source": "Which one?"}}}
    assert translated["localizations"] == expected
    assert "localizations" not in plain
    assert data_of(alice.get(f"/api/screens/{translated['id']}"))["localizations"] == expected
    listed = data_of(alice.get("/api/screens", params={"flowId": flow["id"]}))
    assert [screen.get("localizations") for screen in listed] == [expected, None]
    document = data_of(alice.get(f"{path}/versions/1"))["document"]
    assert document["screens"][0]["localizations"] == expected
    draft = data_of(alice.put(f"{path}/draft", {"document": document}), 201)
    assert draft["document"]["screens"][0]["localizations"] == expected
    copy = data_of(alice.post(f"{path}/duplicate"), 201)
    assert data_of(alice.get(f"/api/flows/{copy['id']}"))["screens"][0]["localizations"] == expected


def test_diff_names_each_translation_by_its_pointer(alice: User, project: dict[str, Any]) -> None:
    flow = alice.create_flow(project["id"], screens=[question(localizations={"de": GERMAN})])
    path = f"/api/flows/{flow['id']}"
    document = data_of(alice.get(f"{path}/versions/1"))["document"]
    document["screens"][0]["localizations"] = {"de": {"/question": "Welche nun?"}, "pt-BR": {"/question": "Qual?"}}
    alice.put(f"{path}/draft", {"document": document})
    diff = data_of(alice.get(f"{path}/draft/diff"))
    screen = f"/screens/{document['screens'][0]['id']}/localizations"
    assert diff["changes"] == [
        {
            "op": "replace",
            "path": f"{screen}/de/question",
            "before": STORED["/question"],
            "after": {"text": "Welche nun?", "source": "Which one?"},
        },
        {"op": "remove", "path": f"{screen}/de/options/a/label", "before": STORED["/options/a/label"], "after": None},
        {
            "op": "add",
            "path": f"{screen}/pt-BR/question",
            "before": None,
            "after": {"text": "Qual?", "source": "Which one?"},
        },
    ]


@pytest.mark.parametrize(
    ("localizations", "field"),
    [
        ({"de": {"/title": "T"}}, "de./title"),
        ({"de": {"/options/a/value": "x"}}, "de./options/a/value"),
        ({"de": {"/options/0/label": "x"}}, "de./options/0/label"),
        ({"de": {"/answer_key": "x"}}, "de./answer_key"),
        ({"de": {"question": "x"}}, "de.question"),
        ({"fr": {"/question": "x"}}, "fr./question"),
        ({"en": {"/question": "x"}}, "en./question"),
        ({"de": {"/question": 5}}, "de./question"),
        ({"de": {"/question": {"source": "x"}}}, "de./question.text"),
        ({"de": {"/question": {"text": None}}}, "de./question.text"),
        ({"de": {"/question": {"text": "x", "more": 1}}}, "de./question.more"),
        ({"de": []}, "de"),
        ({"de": {"/question": "x" * 262_144}}, ""),
    ],
)
def test_every_write_refuses_what_cannot_be_translated(
    alice: User, project: dict[str, Any], localizations: dict[str, Any], field: str
) -> None:
    flow = alice.create_flow(project["id"], screens=[question()])
    screen_id = flow["screens"][0]["id"]
    screen = question(localizations=localizations)
    document = {"name": "A", "screens": [{"id": screen_id, **screen}]}
    writes = {
        "localizations": [
            alice.post("/api/screens", {"flowId": flow["id"], **screen}),
            alice.put(f"/api/screens/{screen_id}", {"localizations": localizations}),
        ],
        "screens.0.localizations": [
            alice.post("/api/flows", {"projectId": project["id"], "name": "A", "screens": [screen]})
        ],
        "document.screens.0.localizations": [alice.put(f"/api/flows/{flow['id']}/draft", {"document": document})],
    }
    for prefix, refusals in writes.items():
        for refused in refusals:
            assert refused.status_code == 400
            assert [detail["field"] for detail in refused.json["details"]] == [".".join(filter(None, (prefix, field)))]


def test_translation_that_stood_before_is_kept_without_its_base_and_its_language(
    alice: User, project: dict[str, Any]
) -> None:
    flow = alice.create_flow(project["id"], screens=[question(localizations={"de": GERMAN})])
    path = f"/api/screens/{flow['screens'][0]['id']}"
    shorter = {**CONTENT, "options": [{"value": "b", "label": "Second"}, {"value": "c", "label": "Third"}]}
    assert data_of(alice.put(path, {"content": shorter}))["localizations"] == {"de": STORED}
    settings = f"/api/projects/{project['id']}"
    data_of(alice.put(settings, {"settings": {"locales": ["en"]}}))
    assert data_of(alice.get(path))["localizations"] == {"de": STORED}
    assert data_of(alice.put(path, {"localizations": {"de": STORED}}))["localizations"] == {"de": STORED}
    draft = {"document": data_of(alice.get(f"/api/flows/{flow['id']}/versions/1"))["document"]}
    data_of(alice.put(f"/api/flows/{flow['id']}/draft", draft), 201)
    assert alice.put(path, {"localizations": {"de": {"/options/b/label": "Zweite"}}}).status_code == 400
    assert "localizations" not in data_of(alice.put(path, {"localizations": {}}))
    assert alice.put(path, {"localizations": {"de": STORED}}).status_code == 400


def test_screen_that_comes_back_keeps_translations_without_a_base(alice: User, project: dict[str, Any]) -> None:
    flow = alice.create_flow(project["id"], screens=[question(localizations={"de": GERMAN}), question()])
    path = f"/api/flows/{flow['id']}"
    screen = f"/api/screens/{flow['screens'][0]['id']}"
    data_of(alice.put(screen, {"content": {**CONTENT, "options": []}}))
    document = data_of(alice.get(f"{path}/versions/2"))["document"]
    assert alice.delete(screen).status_code == 200
    draft = data_of(alice.put(f"{path}/draft", {"document": document}), 201)
    assert draft["document"]["screens"][0]["localizations"] == {"de": STORED}
    other = {**document["screens"][0], "id": "screen_01jbzzzzzzzzzzzzzzzzzzzzzz"}
    assert alice.put(f"{path}/draft", {"document": {**document, "screens": [other]}}).status_code == 400


def test_write_without_a_change_of_translations_changes_nothing(
    management: Management, alice: User, project: dict[str, Any]
) -> None:
    flow = alice.create_flow(project["id"], screens=[question(localizations={"de": {"/question": "Welche?"}})])
    revision = management.publication_of(project["id"])
    path = f"/api/screens/{flow['screens'][0]['id']}"
    data_of(alice.put(path, {"localizations": {"DE": {"/question": {"text": "Welche?"}}}}))
    assert management.publication_of(project["id"]) == revision
    changed = data_of(alice.put(path, {"localizations": {"de": {"/question": "Welche nun?"}}}))
    assert management.publication_of(project["id"]) > revision
    entry = data_of(alice.get(f"/api/projects/{project['id']}/audit-log"))[0]
    assert (entry["action"], entry["after"]) == ("screen.update", {"localizations": changed["localizations"]})
