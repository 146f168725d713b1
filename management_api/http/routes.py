"""The routes: every path, its resource, and the permission of each method (contract, section 3).

A role is the lowest role in the project of the request; `Access.USER` is any authenticated user, `Access.OPEN` anyone.
"""

from common.wire.assignment_tokens import AssignmentTokens
from management_api.analytics.resources import (
    AnalyticsBreakdown,
    AnalyticsEvents,
    AnalyticsFunnel,
    AnalyticsPaths,
    AnalyticsResponses,
    DeviceExport,
    ProjectDevice,
    ProjectStatistics,
)
from management_api.audit.resources import AuditLog
from management_api.dashboard.development import DevelopmentSignIn
from management_api.dashboard.files import DashboardFiles
from management_api.dashboard.resources import DashboardConfig, DashboardPage, DashboardRedirect
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.db.models.projects import Role
from management_api.db.replica import ReplicaReader
from management_api.docs.resources import DocumentationAsset, DocumentationPage, OpenApiDocument
from management_api.experiments.resources import (
    ExperimentCollection,
    ExperimentCompletion,
    ExperimentEstimate,
    ExperimentItem,
    ExperimentPause,
    ExperimentResultsItem,
    ExperimentStart,
    ResolutionExplanation,
)
from management_api.flows.lifecycle.preview_links import PreviewLinks
from management_api.flows.lifecycle.resources import (
    FlowDraftApproval,
    FlowDraftDiff,
    FlowDraftItem,
    FlowDraftValidation,
    FlowPreviewLink,
    FlowPublication,
    FlowScheduleCollection,
    FlowScheduleItem,
    FlowVersionCollection,
    FlowVersionDiff,
    FlowVersionItem,
    FlowVersionRestore,
)
from management_api.flows.resources import (
    FlowCollection,
    FlowDuplicate,
    FlowItem,
    FlowScreenOrder,
    ProjectFlowOrder,
)
from management_api.http.health import Liveness, Readiness
from management_api.http.idempotency import IdempotentWrites
from management_api.http.routing import Access, Route
from management_api.media.resources import MediaCollection, MediaItem, MediaLibrary
from management_api.members.resources import MemberCollection, MemberItem, ProjectTransfer
from management_api.projects.quotas import Quotas
from management_api.projects.resources import (
    ProjectCollection,
    ProjectItem,
    ProjectKeyRotation,
    ProjectKeys,
    ProjectQaDevices,
)
from management_api.screens.resources import ScreenCollection, ScreenItem, ScreenTemplateCollection
from management_api.settings import ManagementSettings
from management_api.templates.resources import FlowTemplateCollection, ThemeTemplateCollection
from management_api.themes.lifecycle.resources import (
    ThemeDraftDiff,
    ThemeDraftItem,
    ThemePublication,
    ThemeVersionCollection,
    ThemeVersionDiff,
    ThemeVersionItem,
    ThemeVersionRestore,
)
from management_api.themes.resources import ThemeCollection, ThemeItem
from management_api.translations.machine import MachineTranslator
from management_api.translations.resources import (
    FlowTranslations,
    FlowTranslationsDraft,
    FlowTranslationsExport,
    FlowTranslationsImport,
    ProjectTranslations,
    ProjectTranslationsExport,
    ProjectTranslationsImport,
)
from management_api.users.resources import CurrentUser, UserApiKey, UserApiKeyRotation


def api_routes(
    database: Database,
    vault: KeyVault,
    quotas: Quotas,
    assignments: AssignmentTokens,
    links: PreviewLinks,
    media: MediaLibrary,
    translator: MachineTranslator | None = None,
) -> tuple[Route, ...]:
    """Return the routes of the management interface, without the prefix /api."""
    writes = IdempotentWrites(database, vault)
    reader = ReplicaReader(database)
    device = Route("/projects/{project_id}/devices/{device_id:path}", ProjectDevice(database), delete=Role.ADMIN)
    return (
        Route("/projects", ProjectCollection(vault, quotas, writes), get=Access.USER, post=Access.USER),
        Route(
            "/projects/{project_id}",
            ProjectItem(database, vault, quotas.of_day),
            get=Role.VIEWER,
            put=Role.ADMIN,
            delete=Role.OWNER,
        ),
        Route("/projects/{project_id}/stats", ProjectStatistics(reader), get=Role.VIEWER),
        Route("/projects/{project_id}/api-keys", ProjectKeys(database, vault), get=Role.ADMIN),
        Route("/projects/{project_id}/api-keys/rotate", ProjectKeyRotation(vault, quotas, writes), post=Role.ADMIN),
        Route(
            "/projects/{project_id}/members",
            MemberCollection(quotas, writes),
            get=Role.VIEWER,
            post=Role.ADMIN,
        ),
        # Members may remove themselves with any role.
        Route(
            "/projects/{project_id}/members/{user_id}",
            MemberItem(database),
            get=Role.VIEWER,
            put=Role.ADMIN,
            delete=Role.ADMIN,
        ),
        Route("/projects/{project_id}/transfer", ProjectTransfer(writes), post=Role.OWNER),
        Route("/projects/{project_id}/audit-log", AuditLog(), get=Role.VIEWER),
        Route("/projects/{project_id}/qa-devices", ProjectQaDevices(database), get=Role.VIEWER, put=Role.EDITOR),
        Route("/projects/{project_id}/translations", ProjectTranslations(database), get=Role.VIEWER, cost=10),
        Route(
            "/projects/{project_id}/translations/export",
            ProjectTranslationsExport(database),
            get=Role.VIEWER,
            cost=10,
        ),
        Route(
            "/projects/{project_id}/translations/import", ProjectTranslationsImport(quotas, writes), post=Role.EDITOR
        ),
        Route("/projects/{project_id}/flows/order", ProjectFlowOrder(database), get=Role.VIEWER, put=Role.EDITOR),
        Route("/projects/{project_id}/explain", ResolutionExplanation(writes, assignments), post=Role.VIEWER, cost=10),
        device,
        Route(f"{device.template}/export", DeviceExport(database), get=Role.ADMIN, cost=10, beside=device),
        Route("/flows", FlowCollection(quotas, writes), get=Role.VIEWER, post=Role.EDITOR),
        Route("/flows/{flow_id}", FlowItem(database, quotas), get=Role.VIEWER, put=Role.EDITOR, delete=Role.EDITOR),
        Route("/flows/{flow_id}/duplicate", FlowDuplicate(quotas, writes), post=Role.EDITOR),
        Route("/flows/{flow_id}/screens/order", FlowScreenOrder(database), put=Role.EDITOR),
        Route(
            "/flows/{flow_id}/draft",
            FlowDraftItem(database, quotas),
            get=Role.VIEWER,
            put=Role.EDITOR,
            delete=Role.EDITOR,
        ),
        Route("/flows/{flow_id}/draft/diff", FlowDraftDiff(database), get=Role.VIEWER),
        Route("/flows/{flow_id}/draft/validate", FlowDraftValidation(writes), post=Role.VIEWER),
        Route("/flows/{flow_id}/draft/approve", FlowDraftApproval(writes), post=Role.EDITOR),
        Route("/flows/{flow_id}/publish", FlowPublication(writes), post=Role.EDITOR),
        Route(
            "/flows/{flow_id}/preview-link",
            FlowPreviewLink(database, writes, links),
            post=Role.EDITOR,
            delete=Role.EDITOR,
        ),
        Route("/flows/{flow_id}/translations", FlowTranslations(database), get=Role.VIEWER),
        Route("/flows/{flow_id}/translations/export", FlowTranslationsExport(database), get=Role.VIEWER),
        Route("/flows/{flow_id}/translations/import", FlowTranslationsImport(quotas, writes), post=Role.EDITOR),
        Route(
            "/flows/{flow_id}/translations/draft",
            FlowTranslationsDraft(database, quotas, writes, translator),
            post=Role.EDITOR,
            cost=10,
        ),
        Route("/flows/{flow_id}/versions", FlowVersionCollection(), get=Role.VIEWER),
        Route("/flows/{flow_id}/versions/{number}", FlowVersionItem(database), get=Role.VIEWER),
        Route("/flows/{flow_id}/versions/{number}/diff", FlowVersionDiff(database), get=Role.VIEWER),
        Route("/flows/{flow_id}/versions/{number}/restore", FlowVersionRestore(quotas, writes), post=Role.EDITOR),
        Route(
            "/flows/{flow_id}/schedules",
            FlowScheduleCollection(database, writes),
            get=Role.VIEWER,
            post=Role.EDITOR,
        ),
        Route("/flows/{flow_id}/schedules/{schedule_id}", FlowScheduleItem(database), delete=Role.EDITOR),
        Route("/screens", ScreenCollection(quotas, writes), get=Role.VIEWER, post=Role.EDITOR),
        Route(
            "/screens/{screen_id}", ScreenItem(database, quotas), get=Role.VIEWER, put=Role.EDITOR, delete=Role.EDITOR
        ),
        Route("/screen-templates", ScreenTemplateCollection(), get=Access.USER),
        Route("/flow-templates", FlowTemplateCollection(), get=Access.USER),
        Route("/theme-templates", ThemeTemplateCollection(), get=Access.USER),
        Route("/themes", ThemeCollection(quotas, writes), get=Role.VIEWER, post=Role.EDITOR),
        Route("/themes/{theme_id}", ThemeItem(database), get=Role.VIEWER, put=Role.EDITOR, delete=Role.EDITOR),
        Route(
            "/themes/{theme_id}/draft",
            ThemeDraftItem(database),
            get=Role.VIEWER,
            put=Role.EDITOR,
            delete=Role.EDITOR,
        ),
        Route("/themes/{theme_id}/draft/diff", ThemeDraftDiff(database), get=Role.VIEWER),
        Route("/themes/{theme_id}/publish", ThemePublication(writes), post=Role.EDITOR),
        Route("/themes/{theme_id}/versions", ThemeVersionCollection(), get=Role.VIEWER),
        Route("/themes/{theme_id}/versions/{number}", ThemeVersionItem(database), get=Role.VIEWER),
        Route("/themes/{theme_id}/versions/{number}/diff", ThemeVersionDiff(database), get=Role.VIEWER),
        Route("/themes/{theme_id}/versions/{number}/restore", ThemeVersionRestore(writes), post=Role.EDITOR),
        Route(
            "/media",
            MediaCollection(media, quotas, writes, database),
            get=Role.VIEWER,
            post=Role.EDITOR,
        ),
        Route(
            "/media/{media_id}",
            MediaItem(media, database),
            get=Role.VIEWER,
            put=Role.EDITOR,
            delete=Role.EDITOR,
        ),
        Route("/experiments", ExperimentCollection(reader, quotas, writes), get=Role.VIEWER, post=Role.EDITOR),
        Route("/experiments/estimate", ExperimentEstimate(reader), get=Role.VIEWER),
        Route(
            "/experiments/{experiment_id}",
            ExperimentItem(database),
            get=Role.VIEWER,
            put=Role.EDITOR,
            delete=Role.EDITOR,
        ),
        Route("/experiments/{experiment_id}/start", ExperimentStart(quotas, writes), post=Role.EDITOR),
        Route("/experiments/{experiment_id}/pause", ExperimentPause(writes), post=Role.EDITOR),
        Route("/experiments/{experiment_id}/complete", ExperimentCompletion(writes), post=Role.EDITOR),
        Route("/experiments/{experiment_id}/results", ExperimentResultsItem(reader), get=Role.VIEWER),
        Route("/analytics", AnalyticsBreakdown(reader), get=Role.VIEWER),
        Route("/analytics/funnel", AnalyticsFunnel(reader), get=Role.VIEWER),
        Route("/analytics/paths", AnalyticsPaths(reader), get=Role.VIEWER),
        Route("/analytics/responses", AnalyticsResponses(reader), get=Role.VIEWER),
        Route("/analytics/events", AnalyticsEvents(reader), get=Role.VIEWER),
        Route("/user", CurrentUser(database), get=Access.USER),
        Route("/user/api-key", UserApiKey(database, vault), get=Access.USER),
        Route("/user/api-key/rotate", UserApiKeyRotation(vault, writes), post=Access.USER),
    )


def documentation_routes() -> tuple[Route, ...]:
    """Return the routes of the documentation, without the prefix /api."""
    return (
        Route("/openapi.json", OpenApiDocument(), get=Access.OPEN),
        Route("/docs", DocumentationPage(), get=Access.OPEN),
        Route("/docs/{asset}", DocumentationAsset(), get=Access.OPEN),
    )


def dashboard_routes(settings: ManagementSettings) -> tuple[Route, ...]:
    """Return the routes of the dashboard, which have no prefix."""
    page = DashboardPage(settings, DashboardFiles())
    token = settings.dashboard_development_token
    demo = (Route("/dashboard/sign-in/{code}", DevelopmentSignIn(token), get=Access.OPEN),) if token else ()
    return (
        *demo,
        Route("/dashboard", DashboardRedirect(), get=Access.OPEN),
        Route("/dashboard/", page, get=Access.OPEN),
        Route("/dashboard/config.json", DashboardConfig(settings), get=Access.OPEN),
        Route("/dashboard/{path:path}", page, get=Access.OPEN),
    )


def operations_routes(database: Database) -> tuple[Route, ...]:
    """Return the routes of the operations endpoints, which have no prefix."""
    return (
        Route("/health/live", Liveness(), get=Access.OPEN),
        Route("/health/ready", Readiness(database), get=Access.OPEN),
    )
