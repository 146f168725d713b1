import { Outlet } from "@tanstack/react-router";
import { useProjectId } from "@/features/projects/queries";
import { texts } from "@/texts";
import { SectionLink, SectionLinks } from "@/ui/SectionLinks";
import { keptFilters } from "./filters/search";

const VIEWS = [
  { to: "/projects/$projectId/analytics/funnel", label: texts.analytics.funnel.title },
  { to: "/projects/$projectId/analytics/counts", label: texts.analytics.counts.title },
  { to: "/projects/$projectId/analytics/events", label: texts.analytics.events.title },
  { to: "/projects/$projectId/analytics/responses", label: texts.analytics.responses.title },
] as const;

/** The analytics of a project: links to their views, which keep the filters, and the view of the address. */
export function AnalyticsView() {
  const projectId = useProjectId();
  return (
    <>
      <SectionLinks label={texts.analytics.views}>
        {VIEWS.map((view) => (
          <SectionLink
            key={view.to}
            to={view.to}
            params={{ projectId }}
            search={keptFilters}
            activeOptions={{ includeSearch: false }}
            activeProps={{ "data-active": true }}
            label={view.label}
          />
        ))}
      </SectionLinks>
      <Outlet />
    </>
  );
}
