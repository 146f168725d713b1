"""Drafts of flows and of themes: the rules that both share (contract, section 7)."""

import pytest

from management_api.db.models.projects import Role
from tests.contract.history.parts import Part
from tests.support.clients.management import User, data_of


def test_part_without_a_draft_is_404(part: Part, alice: User) -> None:
    for method, inner in (("GET", "draft"), ("DELETE", "draft"), ("GET", "draft/diff"), ("POST", "publish")):
        result = alice.request(method, f"{part.path}/{inner}")
        assert (result.status_code, result.json["code"]) == (404, "NOT_FOUND"), inner


def test_draft_has_its_state_and_leaves_what_is_live(part: Part) -> None:
    before, revision = part.read(), part.revision()
    draft = part.save(" Second ")
    assert draft["document"]["name"] == "Second"
    assert {f"{part.noun}_id": part.id, "base_version": 1, "live_version": 1}.items() <= draft.items()
    assert draft.keys() == {
        *(f"{part.noun}_id", "document", "base_version", "live_version", "updated_at", "updated_by"),
        *("approvals", "required_approvals"),
    }
    assert (part.read(), part.revision()) == (before, revision)


def test_draft_is_replaced_with_200_and_deleted(part: Part, alice: User) -> None:
    part.save("Second")
    replaced = part.save("Third", 200)
    assert data_of(alice.get(f"{part.path}/draft")) == replaced
    assert data_of(alice.put(f"{part.path}/draft", replaced)) == replaced
    assert alice.delete(f"{part.path}/draft").status_code == 200
    assert alice.get(f"{part.path}/draft").status_code == 404


def test_draft_is_made_only_where_there_is_none_if_the_client_demands_it(part: Part, alice: User) -> None:
    path, body = f"{part.path}/draft", {"document": part.document("Second")}
    first = alice.put(path, body, headers={"If-None-Match": "*"})
    assert first.status_code == 201
    second = alice.put(path, {"document": part.document("Other")}, headers={"If-None-Match": "*"})
    assert (second.status_code, second.json["code"]) == (412, "PRECONDITION_FAILED")
    assert data_of(alice.get(path))["document"]["name"] == "Second"
    both = {"If-None-Match": "*", "If-Match": first.headers["etag"]}
    assert alice.put(path, body, headers=both).status_code == 400


@pytest.mark.parametrize("base_version", [0, 2, -1, 2**31, "1", 1.5, True])
def test_base_version_that_does_not_exist_is_400(part: Part, alice: User, base_version: object) -> None:
    result = alice.put(f"{part.path}/draft", {"document": part.document("B"), "base_version": base_version})
    assert (result.status_code, result.json["details"][0]["field"]) == (400, "base_version")


def test_if_match_protects_a_draft(part: Part, alice: User) -> None:
    path, body = f"{part.path}/draft", {"document": part.document("A")}
    for absent in ("*", '"abc"'):
        assert alice.put(path, body, headers={"If-Match": absent}).status_code == 412
    tag = alice.put(path, body).headers["ETag"]
    assert alice.get(path).headers["ETag"] == tag
    changed = alice.put(path, {"document": part.document("B")}, headers={"If-Match": tag})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != tag
    assert alice.put(path, body, headers={"If-Match": tag}).status_code == 412
    assert alice.delete(path, headers={"If-Match": tag}).status_code == 412
    assert alice.post(f"{part.path}/publish", headers={"If-Match": tag}).status_code == 412
    assert alice.post(f"{part.path}/publish", headers={"If-Match": changed.headers["ETag"]}).status_code == 201


def test_publish_makes_the_draft_live_as_the_next_version(part: Part, alice: User) -> None:
    draft = part.save("Second")
    diff = data_of(alice.get(f"{part.path}/draft/diff"))
    assert (diff["from"], diff["to"]) == (1, "draft")
    assert {"op": "replace", "path": "/name", "before": "Welcome", "after": "Second"} in diff["changes"]
    revision = part.revision()
    version = part.publish(note="Shorter")
    assert {"number": 2, "origin": "published", "note": "Shorter", "restored_from": None}.items() <= version.items()
    assert version["document"] == draft["document"] == part.version(2)
    assert part.read()["name"] == "Second"
    assert alice.get(f"{part.path}/draft").status_code == 404
    assert part.revision() == revision + 1


def test_publish_with_an_idempotency_key_is_done_once(part: Part, alice: User) -> None:
    part.save("Second")
    key = {"Idempotency-Key": part.id}
    first, again = (alice.post(f"{part.path}/publish", {}, headers=key) for _ in range(2))
    assert data_of(first, 201) == data_of(again, 201)
    assert part.origins() == [(1, "created"), (2, "published")]


def test_draft_that_is_live_already_is_409(part: Part, alice: User) -> None:
    data_of(alice.put(f"{part.path}/draft", {"document": part.version(1)}), 201)
    refused = alice.post(f"{part.path}/publish")
    assert (refused.status_code, refused.json["error"]) == (409, "Nothing to publish")
    [problem] = refused.json["details"]
    assert (problem["field"], problem["code"]) == ("", "NOTHING_TO_PUBLISH")


def test_stale_draft_is_409_until_it_is_saved_on_the_live_version(part: Part, alice: User) -> None:
    part.save("Second")
    part.rename("Direct")
    refused = alice.post(f"{part.path}/publish")
    assert (refused.status_code, refused.json["details"][0]["code"]) == (409, "STALE_BASE")
    part.save("Second", 200, base_version=2)
    assert part.publish()["number"] == 3


def test_roles_of_a_draft_are_viewer_to_read_and_editor_to_write(part: Part) -> None:
    viewer = part.management.member(f"viewer-{part.id}", part.project_id, Role.VIEWER)
    part.save("Second")
    for inner in ("draft", "draft/diff", "versions", "versions/1", "versions/1/diff"):
        assert viewer.get(f"{part.path}/{inner}").status_code == 200
    body = {"document": part.document("B")}
    assert viewer.put(f"{part.path}/draft", body).status_code == 403
    assert viewer.delete(f"{part.path}/draft").status_code == 403
    for inner in ("publish", "versions/1/restore"):
        assert viewer.post(f"{part.path}/{inner}").status_code == 403
    stranger = part.management.user(f"stranger-{part.id}")
    assert stranger.get(f"{part.path}/draft").status_code == 404


def test_every_step_of_a_draft_is_in_the_audit_log(part: Part, alice: User) -> None:
    saved = part.save("Second")
    data_of(alice.put(f"{part.path}/draft", saved))
    tag = alice.get(f"{part.path}/draft").headers["ETag"].strip('"')
    part.publish()
    part.save("B")
    alice.delete(f"{part.path}/draft")
    data_of(alice.post(f"{part.path}/versions/1/restore"), 201)
    log = data_of(alice.get(f"/api/projects/{part.project_id}/audit-log", params={"limit": "100"}))
    entries = [entry for entry in reversed(log) if entry["entity_id"] == part.id]
    steps = [entry["action"].removeprefix(f"{part.noun}.") for entry in entries]
    assert [step for step in steps if step not in {"create", "update"}] == [
        *("draft_saved", "published", "draft_saved", "draft_deleted", "restored")
    ]
    after = {entry["action"].removeprefix(f"{part.noun}."): entry["after"] for entry in entries}
    assert after["draft_saved"] is None
    assert (after["published"]["version"], after["published"]["draft"]) == (2, tag)
    assert after["restored"] == {"version": 3, "restored_from": 1}
