"""The cost to store and count events, and to read the counts: `python -m loadtests.benchmarks.storage`."""

import argparse
import tempfile
import time
from collections.abc import Iterator
from datetime import date
from itertools import chain, islice
from pathlib import Path

from pydantic import SecretStr

from common.process import tune_gc
from common.settings.shared import DatabaseSettings
from common.timestamps import utc_now
from common.wire.redis_keys import event_streams
from common.wire.stream_records import EventRecord
from loadtests.benchmarks.storage.backlog import Drained, drain
from loadtests.benchmarks.storage.compare_storing import Storing, compare_storing, fill_week_before
from loadtests.benchmarks.storage.fill import fill
from loadtests.benchmarks.storage.queries import Measured, measure, queries
from loadtests.benchmarks.storage.report import draining_table, facts, reading_table, storing_table
from loadtests.benchmarks.storage.seed_data import DAYS, add_project, running_database
from loadtests.benchmarks.storage.synthetic_events import EVENTS_IN_BATCH, synthetic_events
from loadtests.measurement.programs import running_redis
from loadtests.measurement.tables import write_between
from management_api.db.engine import Database
from management_api.event_consumer.settings import ConsumerSettings
from management_api.rollups.checkpoints import due_checkpoints, make_checkpoint


def main() -> None:
    """Run the benchmark and print its tables."""
    options = _options()
    today = utc_now().date()
    # As the event consumer does.
    tune_gc()
    with (
        tempfile.TemporaryDirectory(prefix="storage-benchmark-") as folder,
        running_database(Path(folder)) as (settings, database),
    ):
        storing = _compare(database, options.batches, today)
        print(storing_table(storing), flush=True)
        drained = _drain(database, settings, Path(folder), options.batches, today)
        print(draining_table(drained), flush=True)
        measured, stored = _measure_queries(database, options, today)
    section = "\n\n".join(
        (
            storing_table(storing),
            draining_table(drained),
            reading_table(measured),
            facts(stored, options),
        )
    )
    print(section)
    if options.write_into is not None:
        write_between(options.write_into, "storage benchmark", section)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="loadtests.benchmarks.storage", description=__doc__)
    parser.add_argument("--events", type=int, default=10_000_000, help="how many events the project has that is read")
    parser.add_argument("--batches", type=int, default=100, help="how many batches are stored both ways")
    parser.add_argument("--times", type=int, default=100, help="how often each query is executed")
    parser.add_argument("--only", default="", help="a part of the names of the queries to measure")
    parser.add_argument("--write-into", type=Path, help="a document with markers that takes the tables")
    return parser.parse_args()


def _compare(database: Database, batches: int, today: date) -> dict[str, tuple[Storing, Storing]]:
    """Store both ways in a new database, and for a project that is older than a week."""
    new = compare_storing(database, _batches(database, batches, today))
    later = _batches(database, batches, today)
    first = next(later)
    fill_week_before(database, first[0].project_id)
    return {"": new, ", after the first week": compare_storing(database, chain([first], later))}


def _drain(
    database: Database, settings: DatabaseSettings, folder: Path, batches: int, today: date
) -> dict[str, Drained]:
    """Drain a backlog of one project by one consumer, and another one by two."""
    with running_redis(folder) as (redis_url, _):
        of_consumer = ConsumerSettings(**settings.model_dump(), redis_url=SecretStr(redis_url))
        of_consumer = of_consumer.model_copy(update={"database_pool_size": len(event_streams()) + 1})
        return {
            name: drain(of_consumer, _batches(database, batches, today), consumers)
            for name, consumers in (("one consumer", 1), ("two consumers", 2))
        }


def _batches(database: Database, batches: int, today: date) -> Iterator[list[EventRecord]]:
    project_id, _, flows = add_project(database)
    made = synthetic_events(project_id, flows, events=batches * EVENTS_IN_BATCH, last_day=today, days=1)
    return islice(made, batches)


def _measure_queries(database: Database, options: argparse.Namespace, today: date) -> tuple[list[Measured], int]:
    """Fill a project and measure the queries on it; return their times and the number of events."""
    project_id, caller, flows = add_project(database)
    start = time.perf_counter()
    stored = fill(
        database, project_id, synthetic_events(project_id, flows, events=options.events, last_day=today, days=DAYS)
    )
    print(f"{stored} events filled in {time.perf_counter() - start:.0f} s", flush=True)
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("SET statement_timeout = 0")
        connection.exec_driver_sql("VACUUM ANALYZE")
    measured: list[Measured] = []
    for suffix in ("", ", from a checkpoint"):
        if suffix:
            for _, before in due_checkpoints(database, utc_now(), min_devices=0):
                make_checkpoint(database, project_id, before)
        for name, query in queries(project_id, caller, flows, today):
            if options.only in name and (not suffix or name.startswith("stats")):
                measured.append(measure(database, name + suffix, query, options.times))
                print(reading_table(measured[-1:]).splitlines()[-1], flush=True)
    return measured, stored


if __name__ == "__main__":
    main()
