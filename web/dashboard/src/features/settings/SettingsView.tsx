import { Outlet } from "@tanstack/react-router";
import { useCan, useProjectId } from "@/features/projects/queries";
import { texts } from "@/texts";
import { SectionLink, SectionLinks } from "@/ui/SectionLinks";

const SECTIONS = [
  { to: "/projects/$projectId/settings", label: texts.settings.general, exact: true },
  { to: "/projects/$projectId/settings/members", label: texts.members.title },
  { to: "/projects/$projectId/settings/api-keys", label: texts.secretKeys.title, adminOnly: true },
  { to: "/projects/$projectId/settings/qa-devices", label: texts.qaDevices.title },
  { to: "/projects/$projectId/settings/audit-log", label: texts.auditLog.title },
] as const;

/** The settings of a project: links to their sections, and the section of the address. */
export function SettingsView() {
  const projectId = useProjectId();
  const isAdmin = useCan("admin");
  return (
    <>
      <SectionLinks label={texts.settings.sections}>
        {SECTIONS.filter((section) => isAdmin || !("adminOnly" in section)).map((section) => (
          <SectionLink
            key={section.to}
            to={section.to}
            params={{ projectId }}
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
