"""The catalogue of the interface: every path, its resource, and who may call it (contract, section 3).

A role is the least role that the caller needs in the project that the request is about; `Access.USER` is any
authenticated user, `Access.OPEN` anyone. A path that has no row cannot be reached.
"""

from common.rules.assignment_tokens import AssignmentTokens
from management_api.database.analytics_reads import AnalyticsReads
from management_api.database.key_vault import KeyVault
from management_api.database.projects import Role
from management_api.database.transactions import Database
from management_api.operations.limits import Limits
from management_api.operations.screen_template_catalogue import SCREEN_TEMPLATES
from management_api.resources.analytics import AnalyticsBreakdown, AnalyticsEvents, AnalyticsFunnel
from management_api.resources.audit_log import AuditLog
from management_api.resources.devices import ProjectDevice
from management_api.resources.documentation import DocumentationAsset, DocumentationPage, OpenApiDocument
from management_api.resources.experiment_lifecycle import ExperimentCompletion, ExperimentPause, ExperimentStart
from management_api.resources.experiment_results import ExperimentResultsItem
from management_api.resources.experiments import ExperimentCollection, ExperimentItem
from management_api.resources.explanations import ResolutionExplanation
from management_api.resources.flow_copies import FlowDuplicate
from management_api.resources.flows import FlowCollection, FlowItem
from management_api.resources.health import Liveness, Readiness
from management_api.resources.members import MemberCollection, MemberItem
from management_api.resources.project_keys import ProjectKeyRotation, ProjectKeys
from management_api.resources.projects import ProjectCollection, ProjectItem
from management_api.resources.qa_devices import ProjectQaDevices
from management_api.resources.screen_orders import FlowScreenOrder
from management_api.resources.screen_templates import ScreenTemplateCollection
from management_api.resources.screens import ScreenCollection, ScreenItem
from management_api.resources.statistics import ProjectStatistics
from management_api.resources.themes import ThemeCollection, ThemeItem
from management_api.resources.user_keys import UserApiKey, UserApiKeyRotation
from management_api.resources.users import CurrentUser
from management_api.resources.writes import Writes
from management_api.routes.route import Access, Route


def interface_routes(
    database: Database, vault: KeyVault, limits: Limits, assignments: AssignmentTokens
) -> tuple[Route, ...]:
    """Give the rows of the management interface, without the /api in front."""
    writes = Writes(database, vault)
    reads = AnalyticsReads(database)
    return (
        Route("/projects", ProjectCollection(database, vault, limits, writes), get=Access.USER, post=Access.USER),
        Route(
            "/projects/{project_id}",
            ProjectItem(database, vault),
            get=Role.VIEWER,
            put=Role.ADMIN,
            delete=Role.OWNER,
        ),
        Route("/projects/{project_id}/stats", ProjectStatistics(reads), get=Role.VIEWER),
        Route("/projects/{project_id}/api-keys", ProjectKeys(database, vault), get=Role.ADMIN),
        Route("/projects/{project_id}/api-keys/rotate", ProjectKeyRotation(vault, limits, writes), post=Role.ADMIN),
        Route(
            "/projects/{project_id}/members",
            MemberCollection(database, limits, writes),
            get=Role.VIEWER,
            post=Role.ADMIN,
        ),
        # Whoever removes himself needs no more than to be a member: everyone may leave.
        Route("/projects/{project_id}/members/{user_id}", MemberItem(database), put=Role.ADMIN, delete=Role.ADMIN),
        Route("/projects/{project_id}/audit-log", AuditLog(database), get=Role.VIEWER),
        Route("/projects/{project_id}/qa-devices", ProjectQaDevices(database), get=Role.VIEWER, put=Role.EDITOR),
        Route("/projects/{project_id}/explain", ResolutionExplanation(writes, assignments), post=Role.VIEWER),
        Route("/projects/{project_id}/devices/{device_id:path}", ProjectDevice(database), delete=Role.ADMIN),
        Route("/flows", FlowCollection(database, limits, writes), get=Role.VIEWER, post=Role.EDITOR),
        Route("/flows/{flow_id}", FlowItem(database), get=Role.VIEWER, put=Role.EDITOR, delete=Role.EDITOR),
        Route("/flows/{flow_id}/duplicate", FlowDuplicate(limits, writes), post=Role.EDITOR),
        Route("/flows/{flow_id}/screens/order", FlowScreenOrder(database), put=Role.EDITOR),
        Route("/screens", ScreenCollection(database, limits, writes), get=Role.VIEWER, post=Role.EDITOR),
        Route("/screens/{screen_id}", ScreenItem(database), get=Role.VIEWER, put=Role.EDITOR, delete=Role.EDITOR),
        Route("/screen-templates", ScreenTemplateCollection(SCREEN_TEMPLATES), get=Access.USER),
        Route("/themes", ThemeCollection(database, limits, writes), get=Role.VIEWER, post=Role.EDITOR),
        Route("/themes/{theme_id}", ThemeItem(database), get=Role.VIEWER, put=Role.EDITOR, delete=Role.EDITOR),
        Route("/experiments", ExperimentCollection(database, limits, writes), get=Role.VIEWER, post=Role.EDITOR),
        Route(
            "/experiments/{experiment_id}",
            ExperimentItem(database),
            get=Role.VIEWER,
            put=Role.EDITOR,
            delete=Role.EDITOR,
        ),
        Route("/experiments/{experiment_id}/start", ExperimentStart(limits, writes), post=Role.EDITOR),
        Route("/experiments/{experiment_id}/pause", ExperimentPause(writes), post=Role.EDITOR),
        Route("/experiments/{experiment_id}/complete", ExperimentCompletion(writes), post=Role.EDITOR),
        Route("/experiments/{experiment_id}/results", ExperimentResultsItem(reads), get=Role.VIEWER),
        Route("/analytics", AnalyticsBreakdown(reads), get=Role.VIEWER),
        Route("/analytics/funnel", AnalyticsFunnel(reads), get=Role.VIEWER),
        Route("/analytics/events", AnalyticsEvents(reads), get=Role.VIEWER),
        Route("/user", CurrentUser(database), get=Access.USER),
        Route("/user/api-key", UserApiKey(database, vault), get=Access.USER),
        Route("/user/api-key/rotate", UserApiKeyRotation(vault, writes), post=Access.USER),
    )


def documentation_routes() -> tuple[Route, ...]:
    """Give the rows of the documentation, without the /api in front."""
    return (
        Route("/openapi.json", OpenApiDocument(), get=Access.OPEN),
        Route("/docs", DocumentationPage(), get=Access.OPEN),
        Route("/docs/{asset}", DocumentationAsset(), get=Access.OPEN),
    )


def operations_routes(database: Database) -> tuple[Route, ...]:
    """Give the rows of the operations endpoints, which stand outside /api."""
    return (
        Route("/health/live", Liveness(), get=Access.OPEN),
        Route("/health/ready", Readiness(database), get=Access.OPEN),
    )
