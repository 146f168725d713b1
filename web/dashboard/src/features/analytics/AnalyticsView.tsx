import { Outlet } from "@tanstack/react-router";
import { useProjectId } from "@/api/projects";
import { SectionLink, SectionLinks } from "@/ui/SectionLinks";
import { keptFilters } from "./filters/search";
import { analyticsTexts } from "./texts";

const VIEWS = [
  { to: "/projects/$projectId/analytics/funnel", label: analyticsTexts.funnel.title },
  { to: "/projects/$projectId/analytics/counts", label: analyticsTexts.counts.title },
  { to: "/projects/$projectId/analytics/events", label: analyticsTexts.events.title },
  { to: "/projects/$projectId/analytics/responses", label: analyticsTexts.responses.title },
] as const;

/** The analytics of a project: links to their views, which keep the filters, and the view of the address. */
export function AnalyticsView() {
  const projectId = useProjectId();
  return (
    <>
      <SectionLinks label={analyticsTexts.views}>
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
