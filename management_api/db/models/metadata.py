"""All tables in one place: importing this module fills `Model.metadata`."""

from management_api.db.migrate import SchemaCompatibility
from management_api.db.models.analytics import (
    ActivityRollup,
    DeadLetter,
    Device,
    ErasedDevice,
    Event,
    EventType,
    Exposure,
    FlowTotal,
    LinkRollup,
    LocaleRollup,
    PendingErasure,
    ProjectTotal,
    ProjectUsage,
    ResultRollup,
    RollupCheckpoint,
    UncountedBatch,
)
from management_api.db.models.audit_log import AuditEntry, InstallationEntry
from management_api.db.models.base import Model
from management_api.db.models.deleted_projects import DeletedProject
from management_api.db.models.event_ids import EventId, EventStorage
from management_api.db.models.experiments import Experiment
from management_api.db.models.flow_history import (
    DraftApproval,
    FlowDraft,
    FlowSchedule,
    FlowVersion,
    PreviewLink,
    ScreenId,
)
from management_api.db.models.flows import Flow, Theme
from management_api.db.models.installation import InstallationId, KnownEventStream
from management_api.db.models.maintenance import MaintenanceChore
from management_api.db.models.media import Media, MediaObject
from management_api.db.models.outbox import Publication
from management_api.db.models.projects import Member, Project, QaDevice, SecretKey
from management_api.db.models.theme_history import ThemeDraft, ThemeVersion
from management_api.db.models.users import ApiKey, IdempotencyKey, User

TABLES: tuple[type[Model], ...] = (
    User, ApiKey, IdempotencyKey, Project, Member, SecretKey, Flow, Theme, Experiment, QaDevice, Publication,
    FlowVersion, FlowDraft, DraftApproval, FlowSchedule, PreviewLink, ScreenId, ThemeVersion, ThemeDraft,
    Media, MediaObject,
    Event, EventType, Exposure, DeadLetter, EventId, EventStorage, UncountedBatch,
    Device, ErasedDevice, PendingErasure, ActivityRollup, ResultRollup, LinkRollup, LocaleRollup,
    ProjectTotal, ProjectUsage,
    FlowTotal, RollupCheckpoint, MaintenanceChore,
    AuditEntry, InstallationEntry, DeletedProject, SchemaCompatibility, InstallationId, KnownEventStream,
)  # fmt: skip

metadata = Model.metadata
