"""All tables in one place: importing this module fills `Model.metadata`."""

from management_api.database.audit_log import AuditEntry
from management_api.database.event_ids import EventId, EventStorage, FormerEventIdEven, FormerEventIdOdd
from management_api.database.events import DeadLetter, Event, Exposure
from management_api.database.experiments import Experiment
from management_api.database.flows import Flow
from management_api.database.idempotency_keys import IdempotencyKey
from management_api.database.maintenance_chores import MaintenanceChore
from management_api.database.model import Model
from management_api.database.projects import Member, Project, SecretKey
from management_api.database.publications import Publication
from management_api.database.qa_devices import QaDevice
from management_api.database.schema_compatibility import SchemaCompatibility
from management_api.database.screens import Screen
from management_api.database.statistics import (
    ActivityCell,
    Device,
    ErasedDevice,
    PendingErasure,
    ProjectTotal,
    ResultCell,
)
from management_api.database.themes import Theme
from management_api.database.users import ApiKey, User

TABLES: tuple[type[Model], ...] = (
    User, ApiKey, IdempotencyKey, Project, Member, SecretKey, Flow, Screen, Theme, Experiment, QaDevice, Publication,
    Event, Exposure, DeadLetter, EventId, EventStorage, FormerEventIdEven, FormerEventIdOdd,
    Device, ErasedDevice, PendingErasure, ActivityCell, ResultCell, ProjectTotal, MaintenanceChore,
    AuditEntry, SchemaCompatibility,
)  # fmt: skip

metadata = Model.metadata
