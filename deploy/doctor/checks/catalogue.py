"""All checks, in the order in which their reports are read."""

from deploy.doctor.checks.assignment_keys import look_at_assignment_keys
from deploy.doctor.checks.clocks import look_at_clocks
from deploy.doctor.checks.connections import look_at_connections
from deploy.doctor.checks.dead_letters import look_at_dead_letters
from deploy.doctor.checks.event_replicas import check_event_replicas
from deploy.doctor.checks.event_streams import look_at_event_streams
from deploy.doctor.checks.master_key import look_at_master_key
from deploy.doctor.checks.postgresql import look_at_postgresql
from deploy.doctor.checks.publications import look_at_publications
from deploy.doctor.checks.redis_server import look_at_redis
from deploy.doctor.checks.services import look_at_services
from deploy.doctor.checks.settings import look_at_settings
from deploy.doctor.checks.snapshots import look_at_snapshots
from deploy.doctor.checks.spool import look_at_spool
from deploy.doctor.examination import Check

CHECKS = (
    Check("settings", look_at_settings),
    Check("PostgreSQL", look_at_postgresql),
    Check("connections", look_at_connections),
    Check("Redis", look_at_redis),
    Check("event replicas", check_event_replicas),
    Check("clocks", look_at_clocks),
    Check("master key", look_at_master_key),
    Check("assignment keys", look_at_assignment_keys),
    Check("publisher", look_at_publications),
    Check("snapshots", look_at_snapshots),
    Check("event consumer", look_at_event_streams),
    Check("dead letters", look_at_dead_letters),
    Check("spool", look_at_spool),
    Check("services", look_at_services),
)
