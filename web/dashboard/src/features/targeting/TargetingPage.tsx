import { Alert, Button, Grid, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconInfoCircle } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useInvalidate } from "@/api/useInvalidate";
import { type EditedFlow, saveDraft } from "@/features/editor/queries";
import { projectQuery, useCan, useProjectId } from "@/features/projects/queries";
import { texts } from "@/texts";
import { lazyDialog } from "@/ui/lazyDialog";
import { PageHeader } from "@/ui/PageHeader";
import { NotFoundState, QueryView, TextSkeleton } from "@/ui/states";
import { Explain } from "./Explain";
import { targetedFlowQuery } from "./queries";
import { bodyOf, savesIntoDraft } from "./saving";
import { TargetingForm } from "./TargetingForm";
import { TargetingInWords } from "./TargetingInWords";
import { isBehindDefault } from "./words";

const Publish = lazyDialog(async () => (await import("@/features/editor/Publish")).Publish);

const route = getRouteApi("/projects/$projectId/flows/$flowId/targeting");
const words = texts.targeting;

/** The targeting of a flow: its conditions and its share, and the explanation for a device. */
export function TargetingPage() {
  const { projectId, flowId } = route.useParams();
  const edited = useQuery(targetedFlowQuery(flowId));
  return (
    <QueryView query={edited} isPage skeleton={<TextSkeleton lines={8} />}>
      {(shown) =>
        shown.flow.project_id === projectId ? <LoadedTargeting edited={shown} /> : <NotFoundState titleOrder={1} />
      }
    </QueryView>
  );
}

function LoadedTargeting({ edited }: { edited: EditedFlow }) {
  const { flow } = edited;
  const projectId = useProjectId();
  const canEdit = useCan("editor");
  const project = useQuery(projectQuery(projectId)).data?.data;
  const queryClient = useQueryClient();
  const invalidate = useInvalidate();
  const [publishing, publish] = useDisclosure();
  const [isUnsaved, setUnsaved] = useState(false);
  const intoDraft = project !== undefined && savesIntoDraft(edited, project);

  async function restart(theirs: EditedFlow | null) {
    const query = targetedFlowQuery(flow.id);
    queryClient.setQueryData(query.queryKey, theirs ?? (await queryClient.fetchQuery({ ...query, staleTime: 0 })));
    await invalidate(["flows", projectId], ["explanation", projectId], ["edited-flow", flow.id]);
  }

  async function rebase(liveVersion: number) {
    await saveDraft(edited, { document: bodyOf(edited.document), base_version: liveVersion });
    await restart(null);
    return true;
  }

  return (
    <>
      <PageHeader
        title={words.title}
        text={flow.name}
        actions={
          canEdit &&
          edited.etag !== null && (
            <Button
              variant="default"
              disabled={isUnsaved}
              title={isUnsaved ? words.saveFirst : undefined}
              onClick={publish.open}
            >
              {texts.editor.publish.open}
            </Button>
          )
        }
      />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="md">
            {flow.is_default && <Note text={words.isDefault} />}
            {flow.status !== "active" && <Note text={words.notActive} />}
            {flow.status === "active" && project && isBehindDefault(flow, project.settings.default_flow_id) && (
              <Note text={words.isBehindDefault} />
            )}
            {canEdit && intoDraft && <Note text={edited.etag === null ? words.needsDraft : words.hasDraft} />}
            {canEdit && project ? (
              <TargetingForm
                key={`${edited.etag} ${edited.liveEtag}`}
                edited={edited}
                intoDraft={intoDraft}
                onRestart={restart}
                onUnsaved={setUnsaved}
              />
            ) : (
              <TargetingInWords targeting={flow.targeting} />
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Explain flow={flow} />
        </Grid.Col>
      </Grid>
      {publishing && (
        <Publish
          edited={edited}
          document={edited.document}
          onRebase={rebase}
          onPublished={() => {
            publish.close();
            void restart(null);
          }}
          onClose={publish.close}
        />
      )}
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
