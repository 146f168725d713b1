"""What storing events with all that is counted costs, and reading it: `python -m tests.storage_benchmark`."""

import argparse
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from itertools import chain, islice
from pathlib import Path

from pydantic import SecretStr
from sqlalchemy.orm import Session

from common.ids import IdPrefix, new_id
from common.process import tune_gc
from common.settings.shared import DatabaseSettings
from common.timestamps import utc_now
from common.wire.redis_keys import event_streams
from common.wire.stream_records import EventRecord
from deploy.local.postgres_paths import delete_data
from deploy.local.postgresql_server import PostgresqlServer
from deploy.local.state_folder import StateFolder
from loadtests.measurement.tables import write_between
from management_api.auth.access import Caller
from management_api.db.engine import Database
from management_api.db.migrate import migrate
from management_api.db.models.event_ids import WEEK
from management_api.db.models.flows import Flow
from management_api.db.models.projects import Project, Role
from management_api.db.psycopg_connection import driver_connection
from management_api.event_consumer.settings import ConsumerSettings
from management_api.rollups.partitions import EVENT_IDS, make_partitions
from tests.storage_benchmark.draining import Drained, drain, running_redis
from tests.storage_benchmark.filling import fill
from tests.storage_benchmark.made_events import MadeFlow, made_events, made_flows
from tests.storage_benchmark.reading import Measured, measure, questions
from tests.storage_benchmark.report import draining_table, facts, reading_table, storing_table
from tests.storage_benchmark.storing import Storing, compare_storing, fill_week_before
from tests.support.data.rows import add_experiment, add_flow, add_member, add_project, add_screen, add_user
from tests.support.servers.running_server import RunningServer

DAYS = 90


def main() -> None:
    """Run the benchmark and print its tables."""
    options = _options()
    today = utc_now().date()
    # As the event consumer does.
    tune_gc()
    with _running_database() as (settings, database):
        storing = _compared(database, options.batches, today)
        print(storing_table(storing), flush=True)
        drained = _drained(settings, options.batches, today)
        print(draining_table(drained), flush=True)
        project_id, caller, flows = _project(database)
        start = time.perf_counter()
        stored = fill(
            database, project_id, made_events(project_id, flows, events=options.events, last_day=today, days=DAYS)
        )
        print(f"{stored} events filled in {time.perf_counter() - start:.0f} s", flush=True)
        with database.engine.connect() as connection:
            connection.exec_driver_sql("SET statement_timeout = 0")
            connection.exec_driver_sql("VACUUM ANALYZE")
        measured: list[Measured] = []
        for name, question in questions(project_id, caller, flows, today):
            if options.only in name:
                measured.append(measure(database, name, question, options.times))
                print(reading_table(measured[-1:]).splitlines()[-1], flush=True)
    tables = (storing_table(storing), draining_table(drained), reading_table(measured), facts(stored, options))
    section = "\n\n".join(tables)
    print(section)
    if options.write_into is not None:
        write_between(options.write_into, "storage benchmark", section)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.storage_benchmark", description=__doc__)
    parser.add_argument("--events", type=int, default=10_000_000, help="how many events the project has that is read")
    parser.add_argument("--batches", type=int, default=250, help="how many batches are stored both ways")
    parser.add_argument("--times", type=int, default=100, help="how often each question is asked")
    parser.add_argument("--only", default="", help="a part of the names of the questions to ask")
    parser.add_argument("--write-into", type=Path, help="a document with markers that takes the tables")
    return parser.parse_args()


@contextmanager
def _running_database() -> Iterator[tuple[DatabaseSettings, Database]]:
    """Run PostgreSQL as `make run` does, every commit on the disk, with this month's partitions and those before."""
    folder = Path(tempfile.mkdtemp(prefix="storage-benchmark-"))
    state = StateFolder(folder / "state")
    state.make()
    server = RunningServer(PostgresqlServer(state), folder / "postgresql.log")
    try:
        server.start()
        settings = DatabaseSettings(database_url=SecretStr(server.url))
        migrate(settings)
        database = Database(settings)
        try:
            for days in (DAYS, DAYS * 2 // 3, DAYS // 3, 0):
                with database.transaction() as session:
                    make_partitions(driver_connection(session), utc_now() - timedelta(days=days))
            with database.transaction() as session:
                make_partitions(driver_connection(session), utc_now() - WEEK, EVENT_IDS)
            yield settings, database
        finally:
            database.close()
    finally:
        server.stop()
        delete_data(state)
        shutil.rmtree(folder)


def _project(database: Database) -> tuple[str, Caller, list[MadeFlow]]:
    """Add a project with flows and screens, and one who may read it."""
    flows = made_flows()
    with database.transaction() as session:
        project, user = add_project(session, id=new_id(IdPrefix.PROJECT)), add_user(session)
        add_member(session, project, user, Role.OWNER)
        added = [_add_flow(session, project, flow) for flow in flows]
        for flow in flows:
            if flow.experiment_id is not None:
                add_experiment(session, added[0], added[1], id=flow.experiment_id)
        return project.id, Caller(user.id, Role.VIEWER), flows


def _add_flow(session: Session, project: Project, made: MadeFlow) -> Flow:
    flow = add_flow(session, project, id=made.flow_id)
    for screen_id in made.screen_ids:
        add_screen(session, flow, id=screen_id)
    return flow


def _compared(database: Database, batches: int, today: date) -> dict[str, tuple[Storing, Storing]]:
    """Store both ways in a new database, and for a project that is older than a week."""
    new = compare_storing(database, _batches(database, batches, today))
    later = _batches(database, batches, today)
    first = next(later)
    fill_week_before(database, first[0].project_id)
    return {"": new, ", after the first week": compare_storing(database, chain([first], later))}


def _drained(settings: DatabaseSettings, batches: int, today: date) -> dict[str, Drained]:
    """Drain a backlog of one project, which is one stream, and one of as many projects as there are streams."""
    with running_redis() as redis_url:
        of_consumer = ConsumerSettings(**settings.model_dump(), redis_url=SecretStr(redis_url))
        database = Database(of_consumer.model_copy(update={"database_pool_size": len(event_streams()) + 1}))
        try:
            one = drain(of_consumer, database, _batches(database, batches, today))
            streams = len(event_streams())
            many = [_batches(database, batches // streams + 1, today) for _ in range(streams)]
            return {"one project": one, f"{streams} projects": drain(of_consumer, database, chain.from_iterable(many))}
        finally:
            database.close()


def _batches(database: Database, batches: int, today: date) -> Iterator[list[EventRecord]]:
    project_id, _, flows = _project(database)
    made = made_events(project_id, flows, events=batches * 2000, last_day=today, days=1)
    return islice(made, batches)


if __name__ == "__main__":
    main()
