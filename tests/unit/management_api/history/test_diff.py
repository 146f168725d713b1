"""Differences of documents: complete, by screen id, with as few moves as possible."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from management_api.history.diff import EMPTY_DOCUMENT, MAX_CHANGES, Change, document_changes

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text("ab/~", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab/~", max_size=2), inner, max_size=3),
    max_leaves=6,
)
IDS = st.permutations("abcdef").flatmap(lambda ids: st.integers(0, 6).map(lambda count: list(ids)[:count]))


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """Return a document with up to six screens, of which two documents share some."""
    screens = [{"id": screen_id, "content": draw(JSON)} for screen_id in draw(IDS)]
    return {"name": draw(st.text("ab", max_size=2)), "targeting": draw(JSON), "screens": screens}


def applied(document: dict[str, Any], changes: list[Change]) -> dict[str, Any]:
    """Return the document after the changes, as a client would compute it."""
    changed = copy.deepcopy(document)
    screens = {screen["id"]: screen for screen in changed["screens"]}
    order = list(screens)
    places: dict[str, int] = {}
    for change in changes:
        head, _, inner = change.path.removeprefix("/").partition("/")
        if head == "screens" and "/" not in inner:
            if change.op == "remove":
                assert screens.pop(inner) == change.before
                order.remove(inner)
            elif change.op == "add":
                screens[inner] = change.after
            else:
                order.remove(inner)
                places[inner] = change.after
        elif head == "screens":
            screen_id, _, path = inner.partition("/")
            _replace(screens[screen_id], path, change)
        else:
            _replace(changed, change.path.removeprefix("/"), change)
    added = [screen_id for screen_id in screens if screen_id not in order and screen_id not in places]
    changed["screens"] = screens
    changed["order"] = (order, set(added), places)
    return changed


def _replace(target: Any, path: str, change: Change) -> None:  # noqa: ANN401 - any JSON
    *parents, last = [name.replace("~1", "/").replace("~0", "~") for name in path.split("/")]
    for name in parents:
        target = target[int(name) if isinstance(target, list) else name]
    key = int(last) if isinstance(target, list) else last
    if change.op == "remove":
        assert target.pop(key) == change.before
        return
    assert change.op == "add" or target[key] == change.before
    target[key] = change.after


@given(documents(), documents())
def test_changes_lead_from_one_document_to_the_other(before: dict[str, Any], after: dict[str, Any]) -> None:
    changes = document_changes(before, after)
    result = applied(before, changes)
    order, added, places = result.pop("order")
    assert {screen["id"]: screen for screen in after["screens"]} == result.pop("screens")
    assert result == {name: value for name, value in after.items() if name != "screens"}
    final = [screen["id"] for screen in after["screens"]]
    assert [screen_id for screen_id in final if screen_id in order] == order
    assert {screen_id: final.index(screen_id) for screen_id in places} == places
    assert added == set(final) - set(order) - places.keys()


@given(documents())
def test_equal_documents_have_no_changes(document: dict[str, Any]) -> None:
    assert document_changes(document, copy.deepcopy(document)) == []


def test_one_screen_that_moves_is_one_move() -> None:
    before = [{"id": screen_id} for screen_id in "abcde"]
    after = [{"id": screen_id} for screen_id in "eabcd"]
    changes = document_changes({"screens": before}, {"screens": after})
    assert changes == [Change("move", "/screens/e", 4, 0)]


def test_first_version_adds_everything() -> None:
    document = {"name": "A", "screens": [{"id": "s"}]}
    assert document_changes(EMPTY_DOCUMENT, document) == [
        Change("add", "/name", None, "A"),
        Change("add", "/screens/s", None, {"id": "s"}),
    ]


@pytest.mark.parametrize(("before", "after"), [(1, True), (0, False), ("1", 1), ([], {}), ([1], [1, 2]), (None, 0)])
def test_values_of_different_kinds_differ(before: object, after: object) -> None:
    changes = document_changes({"a": before, "screens": []}, {"a": after, "screens": []})
    assert [(change.op, change.path) for change in changes] == [("replace", "/a")]


def with_content(content: dict[str, Any], title: str = "A") -> dict[str, Any]:
    """Return a document of two screens, the first of which has this content."""
    return {"name": title, "screens": [{"id": "s", "content": content}, {"id": "t", "content": {}}]}


def numbered(value: int, count: int) -> dict[str, Any]:
    """Return an object of members that differ when the value differs."""
    return {str(number): value for number in range(count)}


def test_more_changes_than_the_limit_replace_their_common_object() -> None:
    before, after = ({"title": "A", "inner": numbered(value, MAX_CHANGES + 1)} for value in (0, 1))
    changes = document_changes(with_content(before), with_content(after))
    assert changes == [Change("replace", "/screens/s/content/inner", before["inner"], after["inner"])]


def test_more_changes_than_the_limit_everywhere_replace_the_document() -> None:
    before, after = (with_content(numbered(value, MAX_CHANGES), title=str(value)) for value in (0, 1))
    assert document_changes(before, after) == [Change("replace", "", before, after)]


def test_as_many_changes_as_the_limit_are_all_listed() -> None:
    before, after = (with_content(numbered(value, MAX_CHANGES)) for value in (0, 1))
    assert len(document_changes(before, after)) == MAX_CHANGES


def test_long_names_of_stored_documents_do_not_multiply_a_diff() -> None:
    name = "n" * 100_000
    before, after = (with_content({name: numbered(value, 1_000)}) for value in (0, 1))
    changes = document_changes(before, after)
    assert [(change.op, change.after) for change in changes] == [("replace", after["screens"][0]["content"][name])]
