"""Ids of several projects in one list: who takes a part of it finds each id with its own project."""

from hypothesis import given
from hypothesis import strategies as st

from management_api.event_consumer.listed_ids import ListedIds, suspect_all

ordered_ids = st.dictionaries(
    st.integers(-(2**63), 2**63 - 1), st.lists(st.binary(min_size=16, max_size=16), max_size=5), max_size=5
)


def by_project(listed: ListedIds) -> dict[int, list[bytes]]:
    """Read the list as SQL does, of which a subscript counts from 1 and the last is included."""
    runs = zip(listed.projects, listed.firsts, listed.lasts, strict=True)
    return {project: list(listed.digests.uuids[first - 1 : last]) for project, first, last in runs}


@given(ordered_ids)
def test_every_id_is_in_the_run_of_its_project(ordered: dict[int, list[bytes]]) -> None:
    assert by_project(ListedIds.of(ordered)) == ordered


@given(ordered_ids, st.data())
def test_a_part_keeps_each_id_in_the_run_of_its_project(ordered: dict[int, list[bytes]], data: st.DataObject) -> None:
    numbered = [(project, place) for project, digests in ordered.items() for place in range(len(digests))]
    chosen = data.draw(st.sets(st.sampled_from(range(len(numbered)))) if numbered else st.just(set()))
    part = ListedIds.of(ordered).only(sorted(chosen))
    kept = {numbered[number] for number in chosen}
    assert by_project(part) == {
        project: [digest for place, digest in enumerate(digests) if (project, place) in kept]
        for project, digests in ordered.items()
    }


def test_who_knows_of_no_turn_lists_nothing() -> None:
    since, listed = suspect_all(ListedIds.of({1: [b"x" * 16]}))
    assert since is None
    assert by_project(listed) == {}
