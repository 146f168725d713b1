import { Outlet } from "@tanstack/react-router";
import { useCan, useProjectId } from "@/api/projects";
import { auditTexts } from "@/features/audit/texts";
import { connectTexts } from "@/features/connect/texts";
import { secretKeyTexts } from "@/features/keys/texts";
import { memberTexts } from "@/features/members/texts";
import { qaDeviceTexts } from "@/features/qa-devices/texts";
import { SectionLink, SectionLinks } from "@/ui/SectionLinks";
import { settingsTexts } from "./texts";

const SECTIONS = [
  { to: "/projects/$projectId/settings", label: settingsTexts.general, exact: true },
  { to: "/projects/$projectId/settings/connect", label: connectTexts.title },
  { to: "/projects/$projectId/settings/members", label: memberTexts.title },
  { to: "/projects/$projectId/settings/api-keys", label: secretKeyTexts.title, adminOnly: true },
  { to: "/projects/$projectId/settings/qa-devices", label: qaDeviceTexts.title },
  { to: "/projects/$projectId/settings/audit-log", label: auditTexts.title },
] as const;

/** The settings of a project: links to their sections, and the section of the address. */
export function SettingsView() {
  const projectId = useProjectId();
  const isAdmin = useCan("admin");
  return (
    <>
      <SectionLinks label={settingsTexts.sections}>
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
