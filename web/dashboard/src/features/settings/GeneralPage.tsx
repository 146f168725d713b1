import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { projectQuery, useCan, useIsRoleKnown, useProjectId } from "@/api/projects";
import { flowsQuery } from "@/features/flows/queries";
import { AnchorLink } from "@/ui/links";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import { PageHeader } from "@/ui/PageHeader";
import { QueryView, TextSkeleton } from "@/ui/states";
import { DangerZone } from "./DangerZone";
import { DeviceData } from "./DeviceData";
import { GeneralForm } from "./GeneralForm";
import { GeneralSummary } from "./GeneralSummary";
import { settingsTexts } from "./texts";

/** The settings of a project: a form for admins, a summary for the others. */
export function GeneralPage() {
  const projectId = useProjectId();
  const project = useQuery(projectQuery(projectId));
  const flows = useQuery({ ...flowsQuery(projectId, { status: "active" }), ...OPTIONAL_QUERY });
  const canChange = useCan("admin");
  const isRoleKnown = useIsRoleKnown();
  const canDelete = useCan("owner");
  // A saved form starts again from the project as it is now.
  const [saves, setSaves] = useState(0);
  return (
    <>
      <PageHeader title={settingsTexts.title} text={canChange || !isRoleKnown ? undefined : settingsTexts.readOnly} />
      <Stack maw={640} gap="xl">
        <QueryView query={project} skeleton={<TextSkeleton lines={8} />}>
          {(tagged) =>
            !isRoleKnown ? (
              <TextSkeleton lines={8} />
            ) : canChange ? (
              <GeneralForm
                key={saves}
                project={tagged}
                flows={flows.data?.items ?? []}
                onSaved={() => setSaves(saves + 1)}
              />
            ) : (
              <GeneralSummary project={tagged.data} flows={flows.data?.items ?? []} />
            )
          }
        </QueryView>
        {project.data && project.data.data.settings.locales.length > 1 && (
          <AnchorLink to="/projects/$projectId/translations" params={{ projectId }}>
            {settingsTexts.translations}
          </AnchorLink>
        )}
        {project.data && canChange && <DeviceData projectId={projectId} />}
        {project.data && canDelete && <DangerZone project={project.data.data} />}
      </Stack>
    </>
  );
}
