"""The screens of a flow stay numbered 0..n-1 through all changes, also concurrent ones."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from common.settings.shared import DatabaseSettings
from common.wire.public_responses import ScreenType
from management_api.auth.access import Caller
from management_api.auth.entity_tags import NO_PRECONDITION
from management_api.db.engine import Database
from management_api.db.models.flows import Flow
from management_api.db.models.projects import Role
from management_api.projects.quotas import Quotas
from management_api.screens.operations import create_screen, delete_screen, list_screens, update_screen
from management_api.screens.schemas import ScreenCreateBody, ScreenListQuery, ScreenUpdateBody
from management_api.settings import MAX_DOCUMENT_BYTES
from tests.support.data.rows import add_flow, add_member, add_project, add_user, change_document
from tests.support.data.rows_of_0_2_0 import flows_with_other_rows

LIMITS = replace(Quotas(*[100] * len(fields(Quotas))), content_bytes_per_project=MAX_DOCUMENT_BYTES)


@dataclass(frozen=True)
class Sequence:
    """A flow's screens, changed through the operations, one transaction each."""

    database: Database
    caller: Caller
    flow_id: str

    def insert(self, order: int | None) -> str:
        """Add a screen; return its id."""
        with self.database.transaction() as session:
            body = ScreenCreateBody(flow_id=self.flow_id, type=ScreenType.CUSTOM, order=order)
            return str(create_screen(session, self.caller, body, LIMITS)["id"])

    def move(self, screen_id: str, order: int) -> None:
        with self.database.transaction() as session:
            update_screen(session, self.caller, screen_id, ScreenUpdateBody(order=order), LIMITS, NO_PRECONDITION)

    def remove(self, screen_id: str) -> None:
        with self.database.transaction() as session:
            delete_screen(session, self.caller, screen_id, NO_PRECONDITION)

    def clear(self) -> None:
        with self.database.transaction() as session:
            change_document(session, session.get_one(Flow, self.flow_id), screens=[])

    def stored(self) -> list[tuple[str, int]]:
        """Return (id, order) of every screen by its order."""
        with self.database.transaction() as session:
            # As release 0.2.0 reads them, too.
            assert flows_with_other_rows(session) == []
            query = ScreenListQuery(flow_id=self.flow_id, limit=100)
            return [(screen["id"], screen["order"]) for screen in list_screens(session, self.caller, query)[0]]


@pytest.fixture
def sequence(database_url: str) -> Iterator[Sequence]:
    database = Database(DatabaseSettings(database_url=SecretStr(database_url), database_pool_size=8))
    with database.transaction() as session:
        user, project = add_user(session), add_project(session)
        add_member(session, project, user, Role.EDITOR)
        flow = add_flow(session, project)
        caller, flow_id = Caller(user.id, Role.EDITOR), flow.id
    yield Sequence(database, caller, flow_id)
    database.close()


#: (what, which screen, to which place); the screen is taken modulo how many there are.
STEPS = st.lists(
    st.tuples(st.sampled_from(["insert", "insert", "move", "remove"]), st.integers(0, 7), st.integers(0, 9)),
    max_size=12,
)


def _expect(sequence: Sequence, expected: list[str], step: tuple[str, int, int]) -> None:
    """Execute a step in the database and in a plain list, which has the expected order."""
    what, which, place = step
    if what == "insert":
        expected.insert(place, sequence.insert(place))
    elif expected:
        screen_id = expected.pop(which % len(expected))
        if what == "move":
            sequence.move(screen_id, place)
            expected.insert(place, screen_id)
        else:
            sequence.remove(screen_id)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_inserts_moves_and_deletes_equal_the_operations_of_a_list(
    sequence: Sequence, steps: list[tuple[str, int, int]]
) -> None:
    sequence.clear()
    expected: list[str] = []
    for step in steps:
        _expect(sequence, expected, step)
    assert sequence.stored() == [(screen_id, order) for order, screen_id in enumerate(expected)]


def test_screens_inserted_at_the_same_time_get_places_of_their_own(sequence: Sequence) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(sequence.insert, [0, None, 1, 0, None, 2, 0, 5] * 5))
    assert [order for _, order in sequence.stored()] == list(range(40))
    assert {screen_id for screen_id, _ in sequence.stored()} == set(made)


def test_moves_and_deletes_at_the_same_time_leave_no_gap(sequence: Sequence) -> None:
    made = [sequence.insert(None) for _ in range(24)]
    with ThreadPoolExecutor(8) as threads:
        removed = [threads.submit(sequence.remove, screen_id) for screen_id in made[::2]]
        moved = [threads.submit(sequence.move, screen_id, place) for place, screen_id in enumerate(made[1::6])]
        for task in (*removed, *moved):
            task.result()
    stored = sequence.stored()
    assert [order for _, order in stored] == list(range(12))
    assert {screen_id for screen_id, _ in stored} == set(made[1::2])
