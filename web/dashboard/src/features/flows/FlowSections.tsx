import { getRouteApi, Outlet } from "@tanstack/react-router";
import { SectionLink, SectionLinks } from "@/ui/SectionLinks";
import { flowTexts } from "./texts";

const route = getRouteApi("/projects/$projectId/flows/$flowId");

const SECTIONS = [
  { to: "/projects/$projectId/flows/$flowId", label: flowTexts.screens, exact: true },
  { to: "/projects/$projectId/flows/$flowId/targeting", label: flowTexts.audience },
  { to: "/projects/$projectId/flows/$flowId/translations", label: flowTexts.translations },
  { to: "/projects/$projectId/flows/$flowId/history", label: flowTexts.history },
] as const;

/** A flow: links to its screens, its targeting and its history, and the section of the address. */
export function FlowSections() {
  const params = route.useParams();
  return (
    <>
      <SectionLinks label={flowTexts.sections}>
        {SECTIONS.map((section) => (
          <SectionLink
            key={section.to}
            to={section.to}
            params={params}
            activeOptions={{ exact: "exact" in section, includeSearch: false }}
            activeProps={{ "data-active": true }}
            label={section.label}
          />
        ))}
      </SectionLinks>
      <Outlet />
    </>
  );
}
