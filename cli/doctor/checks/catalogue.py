"""All checks, in the order of their reports."""

from cli.doctor.checks.clocks import check_clocks
from cli.doctor.checks.events import check_dead_letters, check_event_streams, check_maintenance, check_spool
from cli.doctor.checks.keys import check_assignment_keys, check_master_key
from cli.doctor.checks.open_files import check_open_files
from cli.doctor.checks.postgresql import check_connections, check_postgresql
from cli.doctor.checks.publishing import check_publishers, check_snapshots
from cli.doctor.checks.redis_server import check_event_replicas, check_redis
from cli.doctor.checks.services import check_services
from cli.doctor.checks.settings import check_settings
from cli.doctor.runner import Check

CHECKS = (
    Check("settings", check_settings),
    Check("open files", check_open_files),
    Check("PostgreSQL", check_postgresql),
    Check("connections", check_connections),
    Check("Redis", check_redis),
    Check("event replicas", check_event_replicas),
    Check("clocks", check_clocks),
    Check("master key", check_master_key),
    Check("assignment keys", check_assignment_keys),
    Check("publisher", check_publishers),
    Check("snapshots", check_snapshots),
    Check("event consumer", check_event_streams),
    Check("dead letters", check_dead_letters),
    Check("maintenance", check_maintenance),
    Check("spool", check_spool),
    Check("services", check_services),
)
