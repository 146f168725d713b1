import { getRouteApi, Outlet } from "@tanstack/react-router";
import { editorTexts } from "@/features/editor/texts";
import { texts } from "@/texts";
import { SectionLink, SectionLinks } from "@/ui/SectionLinks";

const route = getRouteApi("/projects/$projectId/flows/$flowId");

const SECTIONS = [
  { to: "/projects/$projectId/flows/$flowId", label: editorTexts.parts.screens, exact: true },
  { to: "/projects/$projectId/flows/$flowId/targeting", label: texts.flows.audience },
  { to: "/projects/$projectId/flows/$flowId/history", label: texts.history.title },
] as const;

/** A flow: links to its screens, its targeting and its history, and the section of the address. */
export function FlowSections() {
  const params = route.useParams();
  return (
    <>
      <SectionLinks label={texts.flows.sections}>
        {SECTIONS.map((section) => (
          <SectionLink
            key={section.to}
            to={section.to}
            params={params}
            activeOptions={{ exact: "exact" in section }}
            activeProps={{ "data-active": true }}
            label={section.label}
          />
        ))}
      </SectionLinks>
      <Outlet />
    </>
  );
}
