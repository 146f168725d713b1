"""Machine translation of missing texts: what leaves, what is taken, and how it is marked (languages)."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from management_api.db.models.projects import Role
from tests.support.clients.management import Management, User, data_of, management_service
from tests.support.servers.recording_service import RecordingService, Reply

KEY = "secret-key-of-the-machine"
VARIABLE = "{{answers.name|voc\u00ea}}"
TEXTS = {"/title": "Hello {{answers.name|you}} & co", "/subtitle": "Welcome", "/primary_button/label": "Go on"}
CONTENT = {
    "title": TEXTS["/title"],
    "subtitle": TEXTS["/subtitle"],
    "primary_button": {"label": TEXTS["/primary_button/label"], "action": "next"},
    "image_url": "https://pictures.example/a.png",
}


@pytest.fixture
def machine() -> Iterator[RecordingService]:
    with RecordingService() as service:
        yield service


@pytest.fixture(params=["openai", "deepl"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def translating(
    kind: str, machine: RecordingService, database_url: str, master_key: str, tmp_path: Path
) -> Iterator[Management]:
    url = f"http://{machine.address}"
    with management_service(
        *(database_url, master_key, tmp_path),
        translate_url=url,
        translate_kind=kind,
        translate_key=KEY,
        translate_model="small",
    ) as service:
        yield service


@pytest.fixture
def alice(translating: Management) -> User:
    return translating.user("alice")


def reply(kind: str, texts: list[str]) -> Reply:
    """Return the answer of a service with these translations."""
    if kind == "deepl":
        return Reply(body=json.dumps({"translations": [{"text": text} for text in texts]}).encode())
    content = json.dumps({"texts": texts})
    return Reply(body=json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode())


def a_flow(alice: User, content: dict[str, Any] = CONTENT) -> str:
    project = alice.create_project()
    data_of(alice.put(f"/api/projects/{project['id']}", {"settings": {"locales": ["en", "pt-BR"]}}))
    flow = alice.create_flow(project["id"], screens=[{"type": "welcome", "content": content}])
    return f"/api/flows/{flow['id']}"


def draft(user: User, path: str, status: int = 200) -> Any:  # noqa: ANN401 - any JSON
    result = user.post(f"{path}/translations/draft", params={"locale": "pt-BR"})
    return data_of(result) if status == 200 else (result.status_code, result.json["error"])


def rows(user: User, path: str) -> dict[str, Any]:
    found = data_of(user.get(f"{path}/translations", params={"locale": "pt-BR"}))["rows"]
    return {row["pointer"]: row for row in found}


def test_missing_texts_are_translated_and_marked_until_somebody_confirms(
    alice: User, machine: RecordingService, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    path = a_flow(alice)
    kept = f"Ol\u00e1 {VARIABLE} & cia" if kind == "openai" else f"Ol\u00e1 <k>{VARIABLE}</k> &amp; cia"
    machine.reply = reply(kind, [kept, "Bem-vindo", "Continuar"])
    assert draft(alice, path) == {"translated": 3, "skipped": [], "left": 0}
    project_id = data_of(alice.get(path))["project_id"]
    actions = [entry["action"] for entry in data_of(alice.get(f"/api/projects/{project_id}/audit-log"))]
    assert actions[0] == "flow.draft_saved"
    [received] = machine.received
    sent = json.loads(received.body)
    if kind == "deepl":
        assert received.target == "/v2/translate"
        assert received.headers["authorization"] == f"DeepL-Auth-Key {KEY}"
        assert (sent["source_lang"], sent["target_lang"], sent["tag_handling"]) == ("EN", "PT-BR", "xml")
        assert sent["text"] == ["Hello <k>{{answers.name|you}}</k> &amp; co", "Welcome", "Go on"]
    else:
        assert received.target == "/chat/completions"
        assert received.headers["authorization"] == f"Bearer {KEY}"
        assert sent["model"] == "small"
        assert json.loads(sent["messages"][1]["content"]) == {"texts": list(TEXTS.values())}
    found = rows(alice, path)
    assert found["/title"]["text"] == f"Ol\u00e1 {VARIABLE} & cia"
    assert [(row["state"], row.get("machine")) for row in found.values() if row["text"]] == [("done", True)] * 3
    # A confirmation and a change by hand take the mark away; a file with the same text does not.
    key = f"{found['/title']['screen_id']}"
    file = {
        f"{key}/title": {"text": found["/title"]["text"], "base": TEXTS["/title"], "confirmed": True},
        f"{key}/subtitle": {"text": "Bem-vinda", "base": "Welcome"},
        f"{key}/primary_button/label": {"text": "Continuar", "base": "Go on"},
    }
    headers = {"Content-Type": "application/json"}
    body = json.dumps(file).encode()
    data_of(alice.post(f"{path}/translations/import", params={"locale": "pt-BR"}, body=body, headers=headers))
    assert [row.get("machine") for row in rows(alice, path).values() if row["text"]] == [None, None, True]
    assert KEY not in caplog.text
    assert "Welcome" not in caplog.text


def test_texts_that_exist_stay_and_a_lost_variable_is_not_taken(
    alice: User, machine: RecordingService, kind: str
) -> None:
    path = a_flow(alice)
    screen = data_of(alice.get(path))["screens"][0]
    localizations = {"pt-BR": {"/subtitle": "Minha"}}
    data_of(alice.put(f"/api/screens/{screen['id']}", {"localizations": localizations}))
    machine.reply = reply(kind, ["Ol\u00e1", "Continuar"])
    screen_id = screen["id"]
    assert draft(alice, path) == {
        "translated": 1,
        "skipped": [{"key": f"{screen_id}/title", "reason": "the machine has lost a variable"}],
        "left": 0,
    }
    found = rows(alice, path)
    assert [found[pointer]["text"] for pointer in TEXTS] == ["", "Minha", "Continuar"]
    assert found["/image_url"]["text"] == ""


def test_service_that_fails_changes_nothing(alice: User, machine: RecordingService) -> None:
    path = a_flow(alice)
    for answer in (
        None,
        Reply(status=500),
        Reply(status=302, headers={"Location": "http://127.0.0.1:1/"}),
        Reply(body=b"no JSON"),
        Reply(body=b'{"translations": [{"text": "one"}], "choices": []}'),
        Reply(body=b"x" * (1024 * 1024 + 1)),
    ):
        machine.reply = answer
        assert draft(alice, path, 503) == (503, "The service for machine translation has given no translation")
    assert data_of(alice.get(f"{path}/translations"))["summary"]["pt-BR"]["done"] == 0
    assert alice.get(f"{path}/draft").status_code == 404


def test_one_request_takes_so_many_texts(alice: User, machine: RecordingService, kind: str) -> None:
    path = a_flow(alice, {"title": "T", "x": [f"Text {number}" for number in range(149)]})
    machine.reply = reply(kind, ["Texto"] * 50)
    assert draft(alice, path) == {"translated": 100, "skipped": [], "left": 50}
    assert [len(texts_in(received.body)) for received in machine.received] == [50, 50]


def texts_in(body: bytes) -> list[str]:
    sent = json.loads(body)
    texts: list[str] = sent["text"] if "text" in sent else json.loads(sent["messages"][1]["content"])["texts"]
    return texts


def test_viewer_sends_nothing(translating: Management, alice: User, machine: RecordingService) -> None:
    path = a_flow(alice)
    viewer = translating.member("bob", data_of(alice.get(path))["project_id"], Role.VIEWER)
    assert draft(viewer, path, 403)[0] == 403
    assert machine.received == []


def test_installation_without_a_service_says_so(own_management: Management) -> None:
    user = own_management.user("carol")
    message = "Machine translation is not set up (ONBOARDING_TRANSLATE_URL)"
    assert draft(user, a_flow(user), 409) == (409, message)
