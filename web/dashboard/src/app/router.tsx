import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { PROJECT_SORTS } from "@/api/projects";
import { screenOf } from "@/api/screens";
import { THEME_SORTS } from "@/api/themes";
import {
  ANALYTICS_GROUPS,
  analyticsSearch,
  eventTypeSearch,
  platformSearch,
} from "@/features/analytics/filters/search";
import { AUDIT_SORTS } from "@/features/audit/queries";
import { DAY_MEASURES, EXPERIMENT_SORTS, EXPERIMENT_STATUSES, STEPS } from "@/features/experiments/searches";
import { MEMBER_SORTS } from "@/features/members/queries";
import { MEASURES, OVERVIEW_PERIODS } from "@/features/overview/measures";
import { ProjectView } from "@/features/projects/ProjectView";
import { STATES as TRANSLATION_STATES } from "@/features/translations/queries";
import { anyText, listSearch, oneOf, searchOf } from "@/ui/search";
import { ErrorState, NotFoundState } from "@/ui/states";
import { Frame } from "./frame/Frame";

// All views. Each is a chunk of its own; its file reads its parameters by `getRouteApi(path)`.

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Frame,
  notFoundComponent: () => <NotFoundState titleOrder={1} />,
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/projects", replace: true });
  },
});

const projects = createRoute({
  getParentRoute: () => root,
  path: "/projects",
  validateSearch: searchOf({ ...listSearch, sort: oneOf(PROJECT_SORTS) }),
  component: lazyRouteComponent(() => import("@/features/projects/ProjectsPage"), "ProjectsPage"),
});

const apiKeys = createRoute({
  getParentRoute: () => root,
  path: "/api-keys",
  component: lazyRouteComponent(() => import("@/features/keys/ApiKeysPage"), "ApiKeysPage"),
});

const project = createRoute({
  getParentRoute: () => root,
  path: "/projects/$projectId",
  component: ProjectView,
});

const projectHome = createRoute({
  getParentRoute: () => project,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/projects/$projectId/overview", params, replace: true });
  },
});

const overview = createRoute({
  getParentRoute: () => project,
  path: "/overview",
  validateSearch: searchOf({
    period: oneOf(OVERVIEW_PERIODS),
    measure: oneOf(MEASURES),
  }),
  component: lazyRouteComponent(() => import("@/features/overview/OverviewPage"), "OverviewPage"),
});

const analytics = createRoute({
  getParentRoute: () => project,
  path: "/analytics",
  component: lazyRouteComponent(() => import("@/features/analytics/AnalyticsView"), "AnalyticsView"),
});

const analyticsHome = createRoute({
  getParentRoute: () => analytics,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/projects/$projectId/analytics/funnel", params, replace: true });
  },
});

const funnel = createRoute({
  getParentRoute: () => analytics,
  path: "/funnel",
  validateSearch: searchOf(analyticsSearch),
  component: lazyRouteComponent(() => import("@/features/analytics/funnel/FunnelPage"), "FunnelPage"),
});

const counts = createRoute({
  getParentRoute: () => analytics,
  path: "/counts",
  validateSearch: searchOf({
    ...analyticsSearch,
    ...platformSearch,
    ...eventTypeSearch,
    by: oneOf(ANALYTICS_GROUPS),
  }),
  component: lazyRouteComponent(() => import("@/features/analytics/CountsPage"), "CountsPage"),
});

const events = createRoute({
  getParentRoute: () => analytics,
  path: "/events",
  validateSearch: searchOf({ ...analyticsSearch, ...platformSearch, ...eventTypeSearch, page: listSearch.page }),
  component: lazyRouteComponent(() => import("@/features/analytics/EventsPage"), "EventsPage"),
});

const responses = createRoute({
  getParentRoute: () => analytics,
  path: "/responses",
  validateSearch: searchOf({ ...analyticsSearch, ...platformSearch }),
  component: lazyRouteComponent(() => import("@/features/analytics/responses/ResponsesPage"), "ResponsesPage"),
});

const flows = createRoute({
  getParentRoute: () => project,
  path: "/flows",
  validateSearch: searchOf({
    ...listSearch,
    status: oneOf(["draft", "active", "archived"]),
    archived: oneOf(["shown"]),
  }),
  component: lazyRouteComponent(() => import("@/features/flows/FlowsPage"), "FlowsPage"),
});

const experiments = createRoute({
  getParentRoute: () => project,
  path: "/experiments",
  validateSearch: searchOf({
    ...listSearch,
    sort: oneOf(EXPERIMENT_SORTS),
    status: oneOf(EXPERIMENT_STATUSES),
  }),
  component: lazyRouteComponent(() => import("@/features/experiments/ExperimentsPage"), "ExperimentsPage"),
});

const step = oneOf(STEPS);
const newExperiment = createRoute({
  getParentRoute: () => project,
  path: "/experiments/new",
  validateSearch: searchOf({ step }),
  component: lazyRouteComponent(() => import("@/features/experiments/form/NewExperimentPage"), "NewExperimentPage"),
});

const experiment = createRoute({
  getParentRoute: () => project,
  path: "/experiments/$experimentId",
  validateSearch: searchOf({ measure: oneOf(DAY_MEASURES) }),
  component: lazyRouteComponent(() => import("@/features/experiments/ExperimentPage"), "ExperimentPage"),
});

const draftExperiment = createRoute({
  getParentRoute: () => project,
  path: "/experiments/$experimentId/edit",
  validateSearch: searchOf({ step }),
  component: lazyRouteComponent(() => import("@/features/experiments/form/EditDraftPage"), "EditDraftPage"),
});

const flow = createRoute({
  getParentRoute: () => project,
  path: "/flows/$flowId",
  component: lazyRouteComponent(() => import("@/features/flows/FlowSections"), "FlowSections"),
});

const flowEditor = createRoute({
  getParentRoute: () => flow,
  path: "/",
  validateSearch: searchOf({ screen: anyText, locale: anyText }),
  component: lazyRouteComponent(() => import("@/features/editor/FlowEditorPage"), "FlowEditorPage"),
});

/** A screen whose flow is not known, such as that of an entry of the audit log. */
const screen = createRoute({
  getParentRoute: () => project,
  path: "/screens/$screenId",
  loader: async ({ params: { projectId, screenId } }) => {
    const { flow_id: flowId } = await screenOf(screenId);
    throw redirect({
      to: "/projects/$projectId/flows/$flowId",
      params: { projectId, flowId },
      search: { screen: screenId },
      replace: true,
    });
  },
});

const flowHistory = createRoute({
  getParentRoute: () => flow,
  path: "/history",
  validateSearch: searchOf({ page: listSearch.page }),
  component: lazyRouteComponent(() => import("@/features/history/HistoryPage"), "HistoryPage"),
});

const translations = createRoute({
  getParentRoute: () => flow,
  path: "/translations",
  validateSearch: searchOf({ locale: anyText, state: oneOf(TRANSLATION_STATES), search: listSearch.search }),
  component: lazyRouteComponent(() => import("@/features/translations/TranslationsPage"), "TranslationsPage"),
});

const projectTranslations = createRoute({
  getParentRoute: () => project,
  path: "/translations",
  validateSearch: searchOf({ locale: anyText, state: oneOf(TRANSLATION_STATES), search: listSearch.search }),
  component: lazyRouteComponent(
    () => import("@/features/translations/ProjectTranslationsPage"),
    "ProjectTranslationsPage",
  ),
});

const targeting = createRoute({
  getParentRoute: () => flow,
  path: "/targeting",
  component: lazyRouteComponent(() => import("@/features/targeting/TargetingPage"), "TargetingPage"),
});

const settings = createRoute({
  getParentRoute: () => project,
  path: "/settings",
  component: lazyRouteComponent(() => import("@/features/settings/SettingsView"), "SettingsView"),
});

const generalSettings = createRoute({
  getParentRoute: () => settings,
  path: "/",
  component: lazyRouteComponent(() => import("@/features/settings/GeneralPage"), "GeneralPage"),
});

const connect = createRoute({
  getParentRoute: () => settings,
  path: "/connect",
  component: lazyRouteComponent(() => import("@/features/connect/ConnectPage"), "ConnectPage"),
});

const members = createRoute({
  getParentRoute: () => settings,
  path: "/members",
  validateSearch: searchOf({
    page: listSearch.page,
    sort: oneOf(MEMBER_SORTS),
  }),
  component: lazyRouteComponent(() => import("@/features/members/MembersPage"), "MembersPage"),
});

const secretKeys = createRoute({
  getParentRoute: () => settings,
  path: "/api-keys",
  component: lazyRouteComponent(() => import("@/features/keys/SecretKeysPage"), "SecretKeysPage"),
});

const qaDevices = createRoute({
  getParentRoute: () => settings,
  path: "/qa-devices",
  component: lazyRouteComponent(() => import("@/features/qa-devices/QaDevicesPage"), "QaDevicesPage"),
});

const auditLog = createRoute({
  getParentRoute: () => settings,
  path: "/audit-log",
  validateSearch: searchOf({ ...listSearch, sort: oneOf(AUDIT_SORTS), entity_type: anyText, user_id: anyText }),
  component: lazyRouteComponent(() => import("@/features/audit/AuditLogPage"), "AuditLogPage"),
});

const themes = createRoute({
  getParentRoute: () => project,
  path: "/themes",
  validateSearch: searchOf({ page: listSearch.page, sort: oneOf(THEME_SORTS) }),
  component: lazyRouteComponent(() => import("@/features/themes/ThemesPage"), "ThemesPage"),
});

const theme = createRoute({
  getParentRoute: () => project,
  path: "/themes/$themeId",
});

const themeEditor = createRoute({
  getParentRoute: () => theme,
  path: "/",
  component: lazyRouteComponent(() => import("@/features/themes/ThemePage"), "ThemePage"),
});

const themeHistory = createRoute({
  getParentRoute: () => theme,
  path: "/history",
  validateSearch: searchOf({ page: listSearch.page }),
  component: lazyRouteComponent(() => import("@/features/themes/ThemeHistoryPage"), "ThemeHistoryPage"),
});

const routeTree = root.addChildren([
  home,
  projects,
  apiKeys,
  project.addChildren([
    projectHome,
    overview,
    analytics.addChildren([analyticsHome, funnel, counts, events, responses]),
    flows,
    projectTranslations,
    flow.addChildren([flowEditor, flowHistory, targeting, translations]),
    screen,
    experiments,
    newExperiment,
    experiment,
    draftExperiment,
    settings.addChildren([generalSettings, connect, members, secretKeys, qaDevices, auditLog]),
    themes,
    theme.addChildren([themeEditor, themeHistory]),
  ]),
]);

/** Return the router of the dashboard, below the path that the service serves it at. */
export function newRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: "/dashboard",
    context: { queryClient },
    defaultPreload: "intent",
    scrollRestoration: true,
    defaultErrorComponent: ({ error, reset }) => <ErrorState titleOrder={1} error={error} onRetry={reset} />,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof newRouter>;
  }
}
