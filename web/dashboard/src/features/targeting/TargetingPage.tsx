import { Alert, Grid, Stack } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/features/projects/queries";
import { texts } from "@/texts";
import { ButtonLink } from "@/ui/links";
import { PageHeader } from "@/ui/PageHeader";
import { QueryView, TextSkeleton } from "@/ui/states";
import { Explain } from "./Explain";
import { targetedFlowQuery } from "./queries";
import { TargetingForm } from "./TargetingForm";
import { TargetingInWords } from "./TargetingInWords";

const route = getRouteApi("/projects/$projectId/flows/$flowId/targeting");
const words = texts.targeting;

/** Who sees a flow: its conditions and its share, and beside them which rule wins for a device. */
export function TargetingPage() {
  const { projectId, flowId } = route.useParams();
  const canEdit = useCan("editor");
  const flow = useQuery(targetedFlowQuery(flowId));
  return (
    <QueryView query={flow} skeleton={<TextSkeleton lines={8} />}>
      {(shown) => (
        <>
          <PageHeader
            title={words.title}
            text={shown.name}
            actions={
              <ButtonLink to="/projects/$projectId/flows/$flowId" params={{ projectId, flowId }} variant="default">
                {words.openFlow}
              </ButtonLink>
            }
          />
          <Grid gap="xl">
            <Grid.Col span={{ base: 12, md: 7 }}>
              <Stack gap="md">
                {shown.is_default && <Note text={words.isDefault} />}
                {shown.status !== "active" && <Note text={words.notActive} />}
                {canEdit && shown.has_draft && <Note text={words.hasDraft} />}
                {canEdit ? (
                  <TargetingForm key={`${flowId} ${JSON.stringify(shown.targeting)}`} flow={shown} />
                ) : (
                  <TargetingInWords targeting={shown.targeting} />
                )}
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 5 }}>
              <Explain flow={shown} />
            </Grid.Col>
          </Grid>
        </>
      )}
    </QueryView>
  );
}

function Note({ text }: { text: string }) {
  return (
    <Alert variant="light" color="gray" icon={<IconInfoCircle size={18} />}>
      {text}
    </Alert>
  );
}
