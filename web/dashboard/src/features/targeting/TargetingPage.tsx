import { Alert, Grid, Stack } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { projectQuery, useCan, useIsRoleKnown, useProjectId } from "@/api/projects";
import { conditionTexts } from "@/features/audience/texts";
import { isBehindDefault } from "@/features/audience/words";
import { DraftHeader } from "@/features/editor/DraftHeader";
import type { FlowDraftStore } from "@/features/editor/draft/draftStore";
import { draftStoreQuery, useDraft } from "@/features/editor/draft/useDraft";
import { useScheduledPublication } from "@/features/editor/publish/useScheduledPublication";
import { NotFoundState, QueryView, TextSkeleton } from "@/ui/states";
import { Explain } from "./Explain";
import { TargetingForm } from "./TargetingForm";
import { TargetingInWords } from "./TargetingInWords";
import { targetingTexts } from "./texts";

const route = getRouteApi("/projects/$projectId/flows/$flowId/targeting");
const words = conditionTexts;

/** The targeting of a flow: its conditions and its share, and the explanation for a device. */
export function TargetingPage() {
  const { projectId, flowId } = route.useParams();
  const store = useQuery(draftStoreQuery(projectId, flowId));
  return (
    <QueryView query={store} isPage skeleton={<TextSkeleton lines={8} />}>
      {(loaded) =>
        loaded.stored.flow.project_id === projectId ? (
          <LoadedTargeting key={flowId} store={loaded} />
        ) : (
          <NotFoundState titleOrder={1} />
        )
      }
    </QueryView>
  );
}

function LoadedTargeting({ store }: { store: FlowDraftStore }) {
  const { flow } = useDraft(store).stored;
  const publication = useScheduledPublication(store);
  const canEdit = useCan("editor");
  const isRoleKnown = useIsRoleKnown();
  const project = useQuery(projectQuery(useProjectId())).data?.data;
  return (
    <>
      <DraftHeader
        store={store}
        canEdit={canEdit}
        publication={publication}
        title={targetingTexts.title}
        object={flow.name}
        text={flow.name}
      />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="md">
            {flow.is_default && <Note text={targetingTexts.isDefault} />}
            {flow.status !== "active" && <Note text={words.notActive} />}
            {flow.status === "active" && project && isBehindDefault(flow, project.settings.default_flow_id) && (
              <Note text={targetingTexts.isBehindDefault} />
            )}
            {canEdit && store.hasDraft && <Note text={targetingTexts.hasDraft} />}
            {!isRoleKnown ? (
              <TextSkeleton lines={6} />
            ) : canEdit ? (
              <TargetingForm store={store} edit={publication.edit} />
            ) : (
              <TargetingInWords targeting={flow.targeting} />
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Explain flow={flow} />
        </Grid.Col>
      </Grid>
    </>
  );
}

function Note({ text }: { text: string }) {
  return (
    <Alert variant="light" color="gray" icon={<IconInfoCircle size={18} />}>
      {text}
    </Alert>
  );
}
