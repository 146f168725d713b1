import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Navigate } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { membershipQuery, useCan } from "@/api/projects";
import type { Tagged } from "@/api/responses";
import type { ExperimentView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { flowsQuery } from "@/features/flows/queries";
import { toast } from "@/ui/feedback/feedback";
import { useNewest } from "@/ui/form/VersionConflict";
import { PageHeader } from "@/ui/PageHeader";
import { QueryView, TextSkeleton } from "@/ui/states";
import { experimentQuery, updateExperiment } from "../queries";
import type { Step } from "../searches";
import { experimentTexts } from "../texts";
import { ExperimentForm } from "./ExperimentForm";
import { OnlyEditors } from "./OnlyEditors";
import { bodyOf, valuesOf } from "./values";

const route = getRouteApi("/projects/$projectId/experiments/$experimentId/edit");
const words = experimentTexts.form;

/** The form of a draft; other experiments are changed in their own view. */
export function EditDraftPage() {
  const { projectId, experimentId } = route.useParams();
  const invalidate = useInvalidate();
  const experiment = useQuery(experimentQuery(experimentId));
  const flows = useQuery({ ...flowsQuery(projectId, {}), enabled: experiment.isSuccess });
  const [restarts, setRestarts] = useState(0);
  const membership = useQuery(membershipQuery(projectId));
  const canEdit = useCan("editor");
  if (membership.isSuccess && !canEdit) {
    return <OnlyEditors />;
  }
  if (experiment.data && experiment.data.data.status !== "draft") {
    return (
      <Navigate to="/projects/$projectId/experiments/$experimentId" params={{ projectId, experimentId }} replace />
    );
  }
  return (
    <>
      <PageHeader title={words.editTitle} text={experiment.data?.data.name} />
      <QueryView query={experiment} skeleton={<TextSkeleton lines={8} />}>
        {(tagged) => (
          <QueryView query={flows} skeleton={<TextSkeleton lines={8} />}>
            {({ items }) => (
              <EditDraft
                key={restarts}
                experiment={tagged}
                flowNames={new Map(items.map(({ id, name }) => [id, name]))}
                onRestart={() => void invalidate("experiment").then(() => setRestarts(restarts + 1))}
              />
            )}
          </QueryView>
        )}
      </QueryView>
    </>
  );
}

interface EditDraftProps {
  experiment: Tagged<ExperimentView>;
  flowNames: ReadonlyMap<string, string>;
  /** Load the present draft into the form. */
  onRestart: () => void;
}

function EditDraft({ experiment, flowNames, onRestart }: EditDraftProps) {
  const { data, etag } = experiment;
  const { step = "idea" } = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const invalidate = useInvalidate();
  const { newest, save } = useNewest(experiment, () =>
    queryClient.fetchQuery({ ...experimentQuery(data.id), staleTime: 0 }),
  );
  const onStep = useCallback((to: Step) => void navigate({ search: { step: to } }), [navigate]);
  return (
    <ExperimentForm
      name={`experiment ${data.id}`}
      initialValues={{ ...valuesOf(data, flowNames), etag }}
      step={step}
      onStep={onStep}
      submitLabel={words.save}
      draft={{ etag: newest.etag, onRestart }}
      submit={async (values) => {
        await save(() => updateExperiment({ data, etag: values.etag ?? null }, bodyOf(values)));
        await invalidate("experiment");
        toast(words.saved);
        await navigate({
          to: "/projects/$projectId/experiments/$experimentId",
          params: { projectId: data.project_id, experimentId: data.id },
          search: {},
        });
      }}
    />
  );
}
