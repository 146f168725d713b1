import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import * as z from "zod/mini";
import { ANALYTICS_GROUPS, analyticsSearch, eventTypeSearch, platformSearch } from "@/features/analytics/search";
import { DAY_MEASURES, EXPERIMENT_SORTS, EXPERIMENT_STATUSES, STEPS } from "@/features/experiments/searches";
import { MEMBER_SORTS } from "@/features/members/queries";
import { MEASURES, OVERVIEW_PERIODS } from "@/features/overview/measures";
import { ProjectView } from "@/features/projects/ProjectView";
import { PROJECT_SORTS } from "@/features/projects/queries";
import { THEME_SORTS } from "@/features/themes/queries";
import { ErrorState, NotFoundState } from "@/ui/states";
import { listSearch } from "@/ui/table/listSearch";
import { Frame } from "./Frame";

/** All views. Each is a chunk of its own; its file reads its parameters by `getRouteApi(path)`. */

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
  validateSearch: z.object({ ...listSearch, sort: z.catch(z.optional(z.enum(PROJECT_SORTS)), undefined) }),
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
  validateSearch: z.object({
    period: z.catch(z.optional(z.enum(OVERVIEW_PERIODS)), undefined),
    measure: z.catch(z.optional(z.enum(MEASURES)), undefined),
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
  validateSearch: z.object(analyticsSearch),
  component: lazyRouteComponent(() => import("@/features/analytics/FunnelPage"), "FunnelPage"),
});

const counts = createRoute({
  getParentRoute: () => analytics,
  path: "/counts",
  validateSearch: z.object({
    ...analyticsSearch,
    ...platformSearch,
    ...eventTypeSearch,
    by: z.catch(z.optional(z.enum(ANALYTICS_GROUPS)), undefined),
  }),
  component: lazyRouteComponent(() => import("@/features/analytics/CountsPage"), "CountsPage"),
});

const events = createRoute({
  getParentRoute: () => analytics,
  path: "/events",
  validateSearch: z.object({ ...analyticsSearch, ...platformSearch, ...eventTypeSearch, page: listSearch.page }),
  component: lazyRouteComponent(() => import("@/features/analytics/EventsPage"), "EventsPage"),
});

const responses = createRoute({
  getParentRoute: () => analytics,
  path: "/responses",
  validateSearch: z.object({ ...analyticsSearch, ...platformSearch }),
  component: lazyRouteComponent(() => import("@/features/analytics/ResponsesPage"), "ResponsesPage"),
});

const flows = createRoute({
  getParentRoute: () => project,
  path: "/flows",
  validateSearch: z.object({
    ...listSearch,
    status: z.catch(z.optional(z.enum(["draft", "active", "archived"])), undefined),
  }),
  component: lazyRouteComponent(() => import("@/features/flows/FlowsPage"), "FlowsPage"),
});

const experiments = createRoute({
  getParentRoute: () => project,
  path: "/experiments",
  validateSearch: z.object({
    ...listSearch,
    sort: z.catch(z.optional(z.enum(EXPERIMENT_SORTS)), undefined),
    status: z.catch(z.optional(z.enum(EXPERIMENT_STATUSES)), undefined),
  }),
  component: lazyRouteComponent(() => import("@/features/experiments/ExperimentsPage"), "ExperimentsPage"),
});

const step = z.catch(z.optional(z.enum(STEPS)), undefined);
const newExperiment = createRoute({
  getParentRoute: () => project,
  path: "/experiments/new",
  validateSearch: z.object({ step }),
  component: lazyRouteComponent(() => import("@/features/experiments/NewExperimentPage"), "NewExperimentPage"),
});

const experiment = createRoute({
  getParentRoute: () => project,
  path: "/experiments/$experimentId",
  validateSearch: z.object({ measure: z.catch(z.optional(z.enum(DAY_MEASURES)), undefined) }),
  component: lazyRouteComponent(() => import("@/features/experiments/ExperimentPage"), "ExperimentPage"),
});

const draftExperiment = createRoute({
  getParentRoute: () => project,
  path: "/experiments/$experimentId/edit",
  validateSearch: z.object({ step }),
  component: lazyRouteComponent(() => import("@/features/experiments/EditDraftPage"), "EditDraftPage"),
});

const flow = createRoute({
  getParentRoute: () => project,
  path: "/flows/$flowId",
  component: lazyRouteComponent(() => import("@/features/editor/FlowEditorPage"), "FlowEditorPage"),
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

const members = createRoute({
  getParentRoute: () => settings,
  path: "/members",
  validateSearch: z.object({
    page: listSearch.page,
    sort: z.catch(z.optional(z.enum(MEMBER_SORTS)), undefined),
  }),
  component: lazyRouteComponent(() => import("@/features/members/MembersPage"), "MembersPage"),
});

const secretKeys = createRoute({
  getParentRoute: () => settings,
  path: "/secret-keys",
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
  validateSearch: z.object({
    page: listSearch.page,
    sort: z.catch(z.optional(z.enum(["created_at", "-created_at"])), undefined),
  }),
  component: lazyRouteComponent(() => import("@/features/audit/AuditLogPage"), "AuditLogPage"),
});

const themes = createRoute({
  getParentRoute: () => project,
  path: "/themes",
  validateSearch: z.object({ page: listSearch.page, sort: z.catch(z.optional(z.enum(THEME_SORTS)), undefined) }),
  component: lazyRouteComponent(() => import("@/features/themes/ThemesPage"), "ThemesPage"),
});

const theme = createRoute({
  getParentRoute: () => project,
  path: "/themes/$themeId",
  component: lazyRouteComponent(() => import("@/features/themes/ThemePage"), "ThemePage"),
});

const flowHistory = createRoute({
  getParentRoute: () => project,
  path: "/flows/$flowId/history",
  validateSearch: z.object({ page: listSearch.page }),
  component: lazyRouteComponent(() => import("@/features/history/HistoryPage"), "HistoryPage"),
});

const typed = z.catch(z.optional(z.string()), undefined);
const targeting = createRoute({
  getParentRoute: () => project,
  path: "/flows/$flowId/targeting",
  validateSearch: z.object({
    device: typed,
    platform: z.catch(z.optional(z.enum(["ios", "android"])), undefined),
    appVersion: typed,
    osVersion: typed,
    country: typed,
    locale: typed,
    attributes: typed,
  }),
  component: lazyRouteComponent(() => import("@/features/targeting/TargetingPage"), "TargetingPage"),
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
    flow,
    flowHistory,
    targeting,
    experiments,
    newExperiment,
    experiment,
    draftExperiment,
    settings.addChildren([generalSettings, members, secretKeys, qaDevices, auditLog]),
    themes,
    theme,
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
    defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} />,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof newRouter>;
  }
}
