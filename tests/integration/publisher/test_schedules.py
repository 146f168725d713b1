"""Each schedule runs once, also when processes that run it are killed."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, text

from common.telemetry.catalogue import publisher as catalogue
from common.telemetry.samples import SampleSet
from common.timestamps import utc_now
from management_api.background.runner import ChoreRunner
from management_api.db.engine import Database
from management_api.db.models.audit_log import AuditEntry
from management_api.db.models.flow_history import FlowSchedule, FlowVersion
from management_api.db.models.flows import Flow
from management_api.db.models.users import User
from publisher import schedules
from publisher.schedules import PUBLISHER_CHORES, ScheduleRunner
from publisher.settings import PublisherSettings
from tests.support.data.rows import add_flow, add_member, add_project, add_schedule, add_user, add_version
from tests.support.polling import eventually

_BREAK = """
    CREATE FUNCTION break_schedule() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.id = '{schedule_id}' THEN RAISE EXCEPTION 'broken'; END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER broken BEFORE UPDATE ON flow_schedules FOR EACH ROW EXECUTE FUNCTION break_schedule();
"""


def add_due(database: Database, flows: int, **columns: object) -> None:
    """Add flows of one project, of two versions, with a due schedule each."""
    with database.transaction() as session:
        project, owner = add_project(session), add_user(session)
        add_member(session, project, owner)
        for _ in range(flows):
            flow = add_flow(session, project, status="draft")
            add_version(session, flow)
            add_schedule(session, flow, owner, run_at=utc_now() - timedelta(seconds=1), **columns)


def running(database: Database, runner: ScheduleRunner, *, every_seconds: float = 0.1) -> AbstractContextManager[None]:
    """Run due schedules beside a block."""
    chores = [replace(chore, every_seconds=every_seconds, retry_seconds=0.1) for chore in PUBLISHER_CHORES]
    return ChoreRunner(database, chores, runner, runner.stop).running()


def states(database: Database) -> Counter[str]:
    """Return the number of schedules by state."""
    with database.reading() as session:
        return Counter(session.scalars(select(FlowSchedule.state)))


def test_runner_runs_a_schedule_soon_after_its_time(database: Database) -> None:
    add_due(database, 1)
    with running(database, ScheduleRunner(database)):
        eventually(lambda: states(database) == {"done": 1})
    with database.reading() as session:
        assert session.scalars(select(Flow.status)).all() == ["active"]


def test_more_schedules_than_a_batch_run_without_a_wait(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedules, "BATCH", 3)
    add_due(database, 7)
    with running(database, ScheduleRunner(database), every_seconds=3600):
        eventually(lambda: states(database) == {"done": 7}, within=60)


def test_two_runners_run_each_schedule_once(settings: PublisherSettings, database: Database) -> None:
    add_due(database, 40, action="restore", version=1)
    other = Database(settings)
    runners = [ScheduleRunner(database), ScheduleRunner(other)]
    try:
        with ThreadPoolExecutor(2) as pool:
            while states(database)["pending"]:
                list(pool.map(ScheduleRunner.run_due, runners))
    finally:
        other.close()
    assert states(database) == {"done": 40}
    with database.reading() as session:
        assert Counter(session.scalars(select(FlowVersion.origin))) == {"created": 40, "published": 40, "scheduled": 40}
        restored = session.scalars(select(AuditEntry.entity_id).where(AuditEntry.action == "flow.restored")).all()
        assert len(restored) == len(set(restored)) == 40


def test_schedules_of_a_flow_wait_for_one_that_is_locked(database: Database) -> None:
    add_due(database, 1, action="archive")
    with database.transaction() as session:
        [first] = session.scalars(select(FlowSchedule))
        flow, creator = session.get_one(Flow, first.flow_id), session.get_one(User, first.created_by)
        add_schedule(session, flow, creator, run_at=utc_now() - timedelta(milliseconds=500))
        locked_id = first.id
    runner = ScheduleRunner(database)
    with database.transaction() as session:
        session.execute(select(FlowSchedule).where(FlowSchedule.id == locked_id).with_for_update())
        assert runner.run_due() == 0
    assert runner.run_due() == 2
    with database.reading() as session:
        assert session.scalars(select(Flow.status)).all() == ["active"]


class _DefectiveRunner(ScheduleRunner):
    """A runner whose first round meets a defect that belongs to no schedule."""

    rounds = 0

    def run_round(self) -> int:
        """Fail in the first round."""
        self.rounds += 1
        if self.rounds == 1:
            raise TypeError("a defect")
        return super().run_round()


def test_runner_that_meets_a_defect_goes_on_and_counts_it(database: Database) -> None:
    add_due(database, 1)
    runner, samples = _DefectiveRunner(database), SampleSet()
    with running(database, runner):
        eventually(lambda: states(database) == {"done": 1})
    runner.collect(samples)
    assert [sample.value for sample in samples.samples if sample.metric == catalogue.SCHEDULE_ERRORS.name] == [1]


def test_schedule_that_meets_a_defect_stays_pending_and_the_others_run(database: Database) -> None:
    add_due(database, 3)
    with database.reading() as session:
        broken = session.scalars(select(FlowSchedule.id).order_by(FlowSchedule.id)).first()
    with database.transaction() as session:
        # The last statement before the commit fails: the flow's change must go with it.
        session.execute(text(_BREAK.format(schedule_id=broken)))
    runner = ScheduleRunner(database)
    assert runner.run_due() == 2
    assert states(database) == {"done": 2, "pending": 1}
    with database.transaction() as session:
        session.execute(text("DROP TRIGGER broken ON flow_schedules"))
        assert Counter(session.scalars(select(Flow.status))) == {"active": 2, "draft": 1}
    # It waits for its next attempt; another process runs it at once.
    assert runner.run_due() == 0
    assert ScheduleRunner(database).run_due() == 1
    assert states(database) == {"done": 3}
