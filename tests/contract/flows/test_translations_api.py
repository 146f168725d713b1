"""States, files and validation of translations (languages, Interface)."""

import csv
import io
import json
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from falcon.testing import Result
from translate.storage.xliff2 import Xliff2File

from management_api.db.models.projects import Role
from tests.support.clients.management import Management, User, data_of

CONTENT = {
    "title": "=Sum {{answers.name|you}}",
    "subtitle": "Line 1\nLine 2\r\n'quoted', \"too\" <b>&amp; \ufffe \U0001f600",
    "primary_button": {"label": "Go on", "action": "next"},
    "x_list": ["", "'text"],
}
KEYS = ["/title", "/subtitle", "/primary_button/label", "/x_list/1"]
TYPES = {"csv": "text/csv", "json": "application/json", "xliff": "application/xliff+xml"}


@pytest.fixture
def flow(alice: User) -> dict[str, Any]:
    project = alice.create_project()
    data_of(alice.put(f"/api/projects/{project['id']}", {"settings": {"locales": ["en", "de", "pt-BR"]}}))
    localizations = {
        "de": {
            "/title": "=Summe {{answers.name|du}}",
            # Longer than a field that the csv module reads by itself.
            "/subtitle": {"text": "@Zeile 1\r\nZeile 2\ufffe" + "x" * 131_072, "source": "Line"},
        }
    }
    screens = [
        {"type": "welcome", "name": "Hello", "content": CONTENT, "localizations": localizations},
        {"type": "custom", "content": {}},
    ]
    return alice.create_flow(project["id"], screens=screens)


def export(user: User, path: str, file_format: str) -> Result:
    return user.get(f"{path}/translations/export", params={"locale": "de", "format": file_format})


def send(user: User, path: str, file: bytes | str, file_format: str = "csv", **headers: str) -> Result:
    body = file.encode() if isinstance(file, str) else file
    return user.post(
        f"{path}/translations/import",
        params={"locale": "de"},
        body=body,
        headers={"Content-Type": TYPES[file_format], **headers},
    )


def path_of(flow: dict[str, Any]) -> str:
    return f"/api/flows/{flow['id']}"


def test_rows_have_states_in_the_order_of_screens(alice: User, flow: dict[str, Any]) -> None:
    path = f"{path_of(flow)}/translations"
    read = data_of(alice.get(path, params={"locale": "DE"}))
    screen_id = flow["screens"][0]["id"]
    assert read["rows"][0] == {
        "screen_id": screen_id,
        "screen_name": "Hello",
        "pointer": "/title",
        "base": CONTENT["title"],
        "text": "=Summe {{answers.name|du}}",
        "state": "done",
    }
    states = [(row["pointer"], row["state"]) for row in read["rows"]]
    assert states == list(zip(KEYS, ["done", "outdated", "missing", "missing"], strict=True))
    assert read["summary"] == {
        "de": {"total": 4, "done": 1, "missing": 2, "outdated": 1},
        "pt-BR": {"total": 4, "done": 0, "missing": 4, "outdated": 0},
    }
    assert data_of(alice.get(path))["rows"] == []
    missing = data_of(alice.get(path, params={"locale": "de", "state": "missing"}))
    assert [row["pointer"] for row in missing["rows"]] == KEYS[2:]
    for wrong in ({"locale": "en"}, {"locale": "fr"}, {"locale": "?"}, {"state": "new"}):
        assert alice.get(path, params=wrong).status_code == 400


@pytest.mark.parametrize("file_format", list(TYPES))
def test_round_trip_changes_nothing(alice: User, flow: dict[str, Any], file_format: str) -> None:
    exported = export(alice, path_of(flow), file_format)
    assert exported.headers["content-type"] == TYPES[file_format]
    result = data_of(send(alice, path_of(flow), exported.content, file_format))
    assert result == {"imported": 0, "unchanged": 4, "skipped": []}
    assert alice.get(f"{path_of(flow)}/draft").status_code == 404


@pytest.mark.parametrize("file_format", list(TYPES))
def test_file_of_another_draft_gives_equal_translations(alice: User, flow: dict[str, Any], file_format: str) -> None:
    """All texts, with their odd characters, pass the file and the import."""
    before = data_of(alice.get(f"{path_of(flow)}/translations", params={"locale": "de"}))["rows"]
    exported = export(alice, path_of(flow), file_format).content
    document = data_of(alice.get(f"{path_of(flow)}/versions/1"))["document"]
    del document["screens"][0]["localizations"]
    data_of(alice.put(f"{path_of(flow)}/draft", {"document": document}), 201)
    assert data_of(send(alice, path_of(flow), exported, file_format)) == {"imported": 2, "unchanged": 2, "skipped": []}
    after = data_of(alice.get(f"{path_of(flow)}/translations", params={"locale": "de"}))["rows"]
    assert [row["text"] for row in after] == [row["text"] for row in before]


def test_files_are_those_that_translators_know(alice: User, flow: dict[str, Any]) -> None:
    key = f"{flow['screens'][0]['id']}/title"
    table = list(csv.DictReader(io.StringIO(export(alice, path_of(flow), "csv").text, newline="")))
    assert table[0] == {
        "key": key,
        "base": f"'{CONTENT['title']}",
        "text": "'=Summe {{answers.name|du}}",
        "state": "done",
    }
    assert table[1]["text"].startswith("'@")
    assert table[3]["base"] == "''text"
    read = json.loads(export(alice, path_of(flow), "json").content)
    assert read[key] == {"base": CONTENT["title"], "text": "=Summe {{answers.name|du}}", "state": "done"}
    root = ET.fromstring(export(alice, path_of(flow), "xliff").content)  # noqa: S314 - the service's own file
    name = "{urn:oasis:names:tc:xliff:document:2.0}"
    assert (root.tag, root.attrib) == (f"{name}xliff", {"version": "2.0", "srcLang": "en", "trgLang": "de"})
    unit = next(root.iter(f"{name}unit"))
    assert (unit.get("id"), unit.get("name")) == ("u1", key)
    assert [segment.get("state") for segment in root.iter(f"{name}segment")] == [
        *("final", "translated", "initial", "initial")
    ]


def test_file_that_a_translation_tool_wrote_changes_what_was_translated(alice: User, flow: dict[str, Any]) -> None:
    store = Xliff2File(io.BytesIO(export(alice, path_of(flow), "xliff").content))
    [button] = [unit for unit in store.units if unit.source == "Go on"]
    button.target = "Weiter \u2192 <b>&"
    written = bytes(store)
    assert data_of(send(alice, path_of(flow), written, "xliff")) == {"imported": 1, "unchanged": 3, "skipped": []}
    rows = data_of(alice.get(f"{path_of(flow)}/translations", params={"locale": "de"}))["rows"]
    assert (rows[2]["text"], rows[2]["state"]) == ("Weiter \u2192 <b>&", "done")


def test_import_writes_into_the_draft(management: Management, alice: User, flow: dict[str, Any]) -> None:
    screen_id = flow["screens"][0]["id"]
    rows = [
        (f"{screen_id}/title", "Old base", "Neu"),
        (f"{screen_id}/primary_button/label", "", "Weiter"),
        (f"{screen_id}/x_list/1", "", ""),
        (f"{screen_id}/subtitle", "", ""),
        (f"{screen_id}/title", "", "Noch einmal"),
        (f"{screen_id}/gone", "", "x"),
        ("", "", "x"),
    ]
    table = io.StringIO(newline="")
    csv.writer(table, delimiter=";").writerows([("Key", "Base", "Text"), *rows])
    path = path_of(flow)
    result = data_of(send(alice, path, "\ufeff" + table.getvalue()))
    assert (result["imported"], result["unchanged"]) == (2, 1)
    assert [skipped["key"] for skipped in result["skipped"]] == [
        *(f"{screen_id}/subtitle", f"{screen_id}/title", f"{screen_id}/gone", "")
    ]
    draft = alice.get(f"{path}/draft")
    stored = data_of(draft)["document"]["screens"][0]["localizations"]["de"]
    assert stored["/title"] == {"text": "Neu", "source": "Old base"}
    assert stored["/primary_button/label"] == {"text": "Weiter", "source": "Go on"}
    changed = json.dumps({f"{screen_id}/title": "Neuer"})
    assert send(alice, path, changed, "json", **{"If-Match": '"00"'}).status_code == 412
    assert data_of(send(alice, path, changed, "json", **{"If-Match": draft.headers["etag"]}))["imported"] == 1
    log = data_of(alice.get(f"/api/projects/{flow['project_id']}/audit-log"))
    assert [entry["action"] for entry in log[:2]] == ["flow.draft_saved"] * 2
    viewer = management.member("bob", flow["project_id"], Role.VIEWER)
    assert send(viewer, path, changed, "json").status_code == 403
    assert export(viewer, path, "csv").status_code == 200


def test_file_of_a_project_has_the_flows_that_are_not_archived(alice: User, flow: dict[str, Any]) -> None:
    project_id = flow["project_id"]
    path = f"/api/projects/{project_id}"
    screens = [{"type": "welcome", "content": {"title": "Other"}}]
    other = alice.create_flow(project_id, screens=screens, priority=5)
    alice.create_flow(project_id, screens=screens, status="archived")
    read = alice.get(f"{path}/translations", params={"locale": "de"})
    listed = data_of(read)
    assert [(row["flow_id"], row["flow_name"], row["base"]) for row in listed["rows"]][:2] == [
        (other["id"], other["name"], "Other"),
        (flow["id"], flow["name"], CONTENT["title"]),
    ]
    assert listed["summary"]["de"] == {"total": 5, "done": 1, "missing": 3, "outdated": 1}
    keys = [row["key"] for row in csv.DictReader(io.StringIO(export(alice, path, "csv").text, newline=""))]
    first = f"{other['id']}/{other['screens'][0]['id']}/title"
    assert keys == [first, *(f"{flow['id']}/{flow['screens'][0]['id']}{pointer}" for pointer in KEYS)]
    file = export(alice, path, "xliff").content
    assert data_of(send(alice, path, file, "xliff")) == {"imported": 0, "unchanged": 5, "skipped": []}
    texts = {first: "Anders", keys[1]: "Neu", "flow_x/screen_x/title": "x", f"{other['id']}/x": "x"}
    assert send(alice, path, json.dumps(texts), "json", **{"If-Match": '"00"'}).status_code == 412
    result = data_of(send(alice, path, json.dumps(texts), "json", **{"If-Match": read.headers["etag"]}))
    assert (result["imported"], [skipped["key"] for skipped in result["skipped"]]) == (
        2,
        ["flow_x/screen_x/title", f"{other['id']}/x"],
    )
    for changed in (flow, other):
        assert alice.get(f"{path_of(changed)}/draft").status_code == 200
    assert send(alice, path, "{}", "json", **{"If-Match": read.headers["etag"]}).status_code == 412


def test_project_is_read_with_as_many_statements_for_any_number_of_flows(
    management: Management, alice: User, flow: dict[str, Any]
) -> None:
    executed = []
    for _ in range(2):
        with management.counted_statements() as statements:
            data_of(alice.get(f"/api/projects/{flow['project_id']}/translations", params={"locale": "de"}))
        executed.append(len(statements))
        for _ in range(3):
            alice.create_flow(flow["project_id"], screens=[{"type": "welcome", "content": {"title": "Other"}}])
    assert executed[0] == executed[1]


def test_translation_is_confirmed_and_taken_away_by_json(alice: User, flow: dict[str, Any]) -> None:
    title, subtitle = (f"{flow['screens'][0]['id']}{pointer}" for pointer in KEYS[:2])
    same = {"text": "@Zeile 1\r\nZeile 2\ufffe", "base": CONTENT["subtitle"], "confirmed": True}
    changes = {title: {"text": None}, subtitle: same}
    path = path_of(flow)
    assert data_of(send(alice, path, json.dumps(changes), "json"))["imported"] == 2
    rows = data_of(alice.get(f"{path}/translations", params={"locale": "de"}))["rows"]
    assert [row["state"] for row in rows[:2]] == ["missing", "done"]
    assert data_of(send(alice, path, json.dumps(changes), "json")) == {"imported": 0, "unchanged": 2, "skipped": []}


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
NAMESPACE = 'xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en"'
GROUP = "<group id='g'>"
UNIT = '<file id="f"><unit id="u"><segment>{}</segment></unit></file>'
PLAIN = UNIT.format("<source>x</source>")
STATE, LANGUAGE = 'segment state="done">', 'source lang="en">'
BAD_CHARACTER = UNIT.format("<source><cp hex='x'/></source>")


def test_import_refuses_other_files(alice: User, flow: dict[str, Any]) -> None:
    files = (
        ("name,text\r\nx,y", "csv"),
        (b"key,text\r\n\xff,y", "csv"),
        ('key,text\r\n"x,y', "csv"),
        ("key,text\r\n" + "x,y\r\n" * 150_001, "csv"),
        ("[]", "json"),
        ('{"a": 5}', "json"),
        ('{"a": {"text": 5}}', "json"),
        ("", "xliff"),
        (BOMB + f"<xliff {NAMESPACE}>&b;</xliff>", "xliff"),
        ('<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"/>', "xliff"),
        (f"<xliff {NAMESPACE}/>", "xliff"),
        (f"<xliff {NAMESPACE}><file id='f'/></xliff>", "xliff"),
        (f"<xliff {NAMESPACE}>{UNIT.format('')}</xliff>", "xliff"),
        (f"<xliff {NAMESPACE}>{UNIT.format('<target>x</target><source>y</source>')}</xliff>", "xliff"),
        (f"<xliff {NAMESPACE}>{UNIT.format('<source>x</source><source>y</source>')}</xliff>", "xliff"),
        (f"<xliff {NAMESPACE}>{UNIT.format('<source><b>x</b></source>')}</xliff>", "xliff"),
        (f"<xliff {NAMESPACE}>{BAD_CHARACTER}</xliff>", "xliff"),
        (f"<xliff {NAMESPACE} foo='x'>{PLAIN}</xliff>", "xliff"),
        (f"<xliff {NAMESPACE}>{PLAIN.replace('segment>', STATE, 1)}</xliff>", "xliff"),
        (f"<xliff {NAMESPACE}>{PLAIN.replace('source>', LANGUAGE, 1)}</xliff>", "xliff"),
        (f"<xliff {NAMESPACE}>{PLAIN.replace('<segment', 'x<segment')}</xliff>", "xliff"),
        (f"<xliff {NAMESPACE}><file id='f'>{GROUP * 2000}{'</group>' * 2000}</file></xliff>", "xliff"),
    )
    assert [file[:200] for file, kind in files if send(alice, path_of(flow), file, kind).status_code != 400] == []
    assert alice.get(f"{path_of(flow)}/draft").status_code == 404


def test_import_is_bounded_and_of_a_known_type(alice: User, flow: dict[str, Any]) -> None:
    assert send(alice, path_of(flow), b"x" * (5 * 1024 * 1024 + 1)).status_code == 413
    path = f"{path_of(flow)}/translations/import"
    assert alice.post(path, {}, params={"locale": "en"}).status_code == 400
    refused = alice.post(path, params={"locale": "de"}, body=b"x", headers={"Content-Type": "text/plain"})
    assert refused.status_code == 415
    large = {f"{flow['screens'][0]['id']}/title": "x" * 262_144}
    assert send(alice, path_of(flow), json.dumps(large), "json").status_code == 400


def test_publication_names_translations_that_miss_or_are_outdated(alice: User, flow: dict[str, Any]) -> None:
    path = path_of(flow)
    document = data_of(alice.get(f"{path}/versions/1"))["document"]
    document["screens"][0]["localizations"]["de"]["/title"]["text"] = "{{ answers.name : upper | du }} {{x}}"
    data_of(alice.put(f"{path}/draft", {"document": document}), 201)
    found = data_of(alice.post(f"{path}/draft/validate"))
    screen_id = document["screens"][0]["id"]
    assert [(error["field"], error["code"]) for error in found["errors"]] == [
        (f"/screens/{screen_id}/localizations/de/title", "VARIABLE_MISMATCH")
    ]
    assert [(warning["code"], warning["message"]) for warning in found["warnings"]] == [
        ("MISSING_TRANSLATION", "has 2 missing translations into de"),
        ("MISSING_TRANSLATION", "has 4 missing translations into pt-BR"),
        ("OUTDATED_TRANSLATION", "has 1 outdated translation into de"),
    ]
    texts = {f"{screen_id}/title": "{{answers.name|dich}}"}
    data_of(send(alice, path, json.dumps(texts), "json"))
    assert data_of(alice.post(f"{path}/draft/validate"))["errors"] == []
    settings = {"settings": {"locales": ["en"]}}
    data_of(alice.put(f"/api/projects/{flow['project_id']}", settings))
    assert data_of(alice.post(f"{path}/draft/validate")) == {"errors": [], "warnings": []}
