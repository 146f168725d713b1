"""Versions of flows and of themes: the rules that both share (contract, section 7)."""

import pytest
from sqlalchemy import func, insert, select, update

from management_api.db.models.projects import Role
from tests.contract.history.parts import Part
from tests.support.clients.management import User, data_of


def test_first_version_is_made_with_the_part(part: Part, alice: User) -> None:
    [version] = data_of(alice.get(f"{part.path}/versions"))
    assert version.keys() == {
        *(f"{part.noun}_id", "number", "origin", "note", "restored_from", "created_at", "created_by")
    }
    assert (version["number"], version["origin"], version["note"]) == (1, "created", None)
    assert version["created_by"] is not None
    live, document = part.read(), part.version(1)
    assert {name: live[name] for name in document.keys() - {"screens"}} == {
        name: value for name, value in document.items() if name != "screens"
    }


def test_direct_writes_of_one_user_within_five_minutes_are_one_version(part: Part) -> None:
    for name in ("B", "C", "D"):
        part.rename(name)
    assert part.origins() == [(1, "created"), (2, "direct")]
    assert part.version(2)["name"] == "D"
    part.make_older(minutes=5, seconds=1)
    part.rename("E")
    assert part.origins()[-1] == (3, "direct")


def test_direct_write_of_another_user_is_a_version_of_its_own(part: Part, alice: User) -> None:
    bob = part.management.member(f"bob-{part.id}", part.project_id, Role.EDITOR)
    for user, name in ((alice, "B"), (bob, "C"), (alice, "D")):
        part.rename(name, user)
    assert part.origins() == [(1, "created"), (2, "direct"), (3, "direct"), (4, "direct")]


def test_write_that_changes_nothing_makes_no_version_and_no_revision(part: Part, alice: User) -> None:
    live, revision = part.read(), part.revision()
    data_of(alice.put(part.path, live))
    assert (part.origins(), part.revision()) == ([(1, "created")], revision)
    data_of(alice.put(part.path, {**live, "is_default": True}))
    assert part.origins() == [(1, "created")]


def test_version_that_a_draft_names_is_not_replaced(part: Part) -> None:
    part.rename("B")
    part.save("Draft")
    part.rename("C")
    assert part.origins() == [(1, "created"), (2, "direct"), (3, "direct")]


def test_versions_are_listed_in_pages(part: Part, alice: User) -> None:
    for number in range(2, 6):
        part.make_older(minutes=6)
        part.rename(f"Name {number}")
    page = alice.get(f"{part.path}/versions", params={"page": "2", "limit": "2"})
    assert [version["number"] for version in data_of(page)] == [3, 2]
    assert page.json["pagination"] == {"page": 2, "limit": 2, "total": 5, "totalPages": 3}


@pytest.mark.parametrize("number", ["0", "2", "01x", "-1", "1.0", "7671703903", "99999999999999999999"])
def test_version_that_does_not_exist_is_404(part: Part, alice: User, number: str) -> None:
    for method, inner in (("GET", ""), ("GET", "/diff"), ("POST", "/restore")):
        result = alice.request(method, f"{part.path}/versions/{number}{inner}")
        assert (result.status_code, result.json["code"]) == (404, "NOT_FOUND")


def test_versions_are_compared_with_the_one_before_or_another(part: Part, alice: User) -> None:
    for name in ("B", "C"):
        part.make_older(minutes=6)
        part.rename(name)
    path = f"{part.path}/versions/3/diff"
    change = {"op": "replace", "path": "/name", "before": "B", "after": "C"}
    assert data_of(alice.get(path)) == {"from": 2, "to": 3, "changes": [change]}
    against = data_of(alice.get(path, params={"against": "1"}))
    assert against == {"from": 1, "to": 3, "changes": [{**change, "before": "Welcome"}]}
    assert alice.get(path, params={"against": "4"}).status_code == 400
    first = data_of(alice.get(f"{part.path}/versions/1/diff"))
    assert {change["op"] for change in first["changes"]} == {"add"}


def test_restore_makes_a_new_version_of_what_was(part: Part, alice: User) -> None:
    before = part.read()
    part.save("Second")
    part.publish()
    revision = part.revision()
    version = data_of(alice.post(f"{part.path}/versions/1/restore", {"note": "Back"}), 201)
    assert {"number": 3, "origin": "restored", "restored_from": 1, "note": "Back"}.items() <= version.items()
    assert version["document"] == part.version(1) == part.version(3)
    changing = ("updated_at",)
    assert {**part.read(), **dict.fromkeys(changing)} == {**before, **dict.fromkeys(changing)}
    assert part.revision() == revision + 1


def test_restore_if_match_is_about_the_live_version_or_the_draft(part: Part, alice: User) -> None:
    path = f"{part.path}/versions"
    part.save("B")
    tag = alice.post(f"{part.path}/publish").headers["etag"]
    data_of(alice.post(f"{path}/1/restore", headers={"If-Match": tag}), 201)
    late = alice.post(f"{path}/1/restore", headers={"If-Match": tag})
    assert (late.status_code, late.json["code"]) == (412, "PRECONDITION_FAILED")
    first = alice.post(f"{path}/2/restore", {"to": "draft"}, headers={"If-None-Match": "*"})
    assert first.status_code == 200
    assert alice.post(f"{path}/1/restore", {"to": "draft"}, headers={"If-None-Match": "*"}).status_code == 412
    again = alice.post(f"{path}/1/restore", {"to": "draft"}, headers={"If-Match": first.headers["etag"]})
    assert data_of(again)["document"]["name"] != "B"


def test_restore_of_the_live_version_is_409(part: Part, alice: User) -> None:
    assert alice.post(f"{part.path}/versions/1/restore").status_code == 409
    assert part.origins() == [(1, "created")]


def test_restore_to_the_draft_leaves_what_is_live(part: Part, alice: User) -> None:
    part.rename("B")
    draft = data_of(alice.post(f"{part.path}/versions/1/restore", {"to": "draft"}))
    assert (draft["document"]["name"], draft["base_version"]) == ("Welcome", 2)
    assert part.read()["name"] == "B"


def test_version_has_a_strong_tag_of_its_content(part: Part, alice: User) -> None:
    tags = []
    for name in ("B", "B", "C"):  # The third change replaces version 2.
        part.rename(name)
        tags.append(alice.get(f"{part.path}/versions/2").headers["ETag"])
    assert tags[0] == tags[1] != tags[2]
    assert not tags[0].startswith("W/")


def test_newest_200_versions_and_the_base_of_the_draft_are_kept(part: Part, alice: User) -> None:
    part.save("Draft")
    version, model = part.version_model, part.model
    with part.management.database.transaction() as session:
        session.execute(
            insert(version).from_select(
                [f"{part.noun}_id", "number", "project_id", "origin", "document"],
                select(
                    version.part_id, func.generate_series(2, 205), version.project_id, version.origin, version.document
                ).where(version.part_id == part.id),
            )
        )
        session.execute(update(model).where(model.id == part.id).values(live_version=205))
    part.rename("B")
    with part.management.database.reading() as session:
        of_part = select(version.number).where(version.part_id == part.id).order_by(version.number)
        assert session.scalars(of_part).all() == [1, *range(7, 207)]
    assert alice.get(f"{part.path}/versions/6").status_code == 404
    stale = alice.put(f"{part.path}/draft", {"document": part.document("A"), "base_version": 6})
    assert stale.status_code == 400
