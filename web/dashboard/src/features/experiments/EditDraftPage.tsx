import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";
import { ApiError } from "@/api/errors";
import { flowsQuery } from "@/features/flows/queries";
import { texts } from "@/texts";
import { toast } from "@/ui/feedback";
import { PageHeader } from "@/ui/PageHeader";
import { QueryView, TextSkeleton } from "@/ui/states";
import { ExperimentForm } from "./ExperimentForm";
import { experimentQuery, updateExperiment, useRefreshExperiments } from "./queries";
import type { Step } from "./searches";
import { bodyOf, valuesOf } from "./values";

const route = getRouteApi("/projects/$projectId/experiments/$experimentId/edit");
const words = texts.experiments.form;

/** The form of a draft. */
export function EditDraftPage() {
  const { projectId, experimentId } = route.useParams();
  const { step = "idea" } = route.useSearch();
  const navigate = route.useNavigate();
  const refresh = useRefreshExperiments(projectId);
  const experiment = useQuery(experimentQuery(experimentId));
  const flows = useQuery({ ...flowsQuery(projectId, {}), enabled: experiment.isSuccess });
  const onStep = useCallback((to: Step) => void navigate({ search: { step: to } }), [navigate]);
  return (
    <>
      <PageHeader title={words.editTitle} text={experiment.data?.data.name} />
      <QueryView query={experiment} skeleton={<TextSkeleton lines={8} />}>
        {(tagged) => (
          <QueryView query={flows} skeleton={<TextSkeleton lines={8} />}>
            {({ items }) => (
              <ExperimentForm
                name={`experiment ${experimentId}`}
                initialValues={valuesOf(tagged.data, new Map(items.map(({ id, name }) => [id, name])))}
                step={step}
                onStep={onStep}
                submitLabel={words.save}
                submit={async (values) => {
                  try {
                    await updateExperiment(tagged, bodyOf(values));
                  } catch (error) {
                    // The next attempt is made against the draft as it is now.
                    if (error instanceof ApiError && error.status === 412) {
                      await experiment.refetch();
                    }
                    throw error;
                  }
                  await refresh();
                  toast(words.saved);
                  await navigate({
                    to: "/projects/$projectId/experiments/$experimentId",
                    params: { projectId, experimentId },
                    search: {},
                  });
                }}
              />
            )}
          </QueryView>
        )}
      </QueryView>
    </>
  );
}
