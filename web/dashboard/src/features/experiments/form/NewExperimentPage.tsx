import { Alert } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";
import { membershipQuery, projectQuery, useCan } from "@/api/projects";
import { useInvalidate } from "@/api/useInvalidate";
import { flowsQuery } from "@/features/flows/queries";
import { toast } from "@/ui/feedback/feedback";
import { AnchorLink } from "@/ui/links";
import { PageHeader } from "@/ui/PageHeader";
import { QueryView, TextSkeleton } from "@/ui/states";
import { createExperiment } from "../queries";
import type { Step } from "../searches";
import { experimentTexts } from "../texts";
import { ExperimentForm } from "./ExperimentForm";
import { OnlyEditors } from "./OnlyEditors";
import { bodyOf, newValues } from "./values";
import { MIN_VARIANTS } from "./variants";

const route = getRouteApi("/projects/$projectId/experiments/new");
const words = experimentTexts;

/** The form of a new experiment. The step stands in the address, and what is typed survives a reload. */
export function NewExperimentPage() {
  const { projectId } = route.useParams();
  const { step = "idea" } = route.useSearch();
  const navigate = route.useNavigate();
  const invalidate = useInvalidate();
  const membership = useQuery(membershipQuery(projectId));
  const canEdit = useCan("editor");
  const project = useQuery(projectQuery(projectId));
  const flows = useQuery(flowsQuery(projectId, {}));
  const onStep = useCallback((to: Step) => void navigate({ search: { step: to } }), [navigate]);

  if (membership.isSuccess && !canEdit) {
    return <OnlyEditors />;
  }
  return (
    <>
      <PageHeader title={words.form.title} />
      <QueryView query={project} skeleton={<TextSkeleton lines={8} />}>
        {({ data }) => (
          <QueryView query={flows} skeleton={<TextSkeleton lines={8} />}>
            {({ items }) => (
              <>
                {items.filter(({ status }) => status !== "archived").length < MIN_VARIANTS && <TooFewFlows />}
                <ExperimentForm
                  name={`experiment new ${projectId}`}
                  initialValues={newValues(items.find(({ id }) => id === data.settings.default_flow_id) ?? null)}
                  step={step}
                  onStep={onStep}
                  submitLabel={words.form.create}
                  submit={async (values) => {
                    const created = await createExperiment({ projectId, ...bodyOf(values) });
                    await invalidate("experiment");
                    toast(words.form.created(created.name));
                    await navigate({
                      to: "/projects/$projectId/experiments/$experimentId",
                      params: { projectId, experimentId: created.id },
                      search: {},
                    });
                  }}
                />
              </>
            )}
          </QueryView>
        )}
      </QueryView>
    </>
  );
}

/** The note in a project with fewer than two flows. */
function TooFewFlows() {
  const { projectId } = route.useParams();
  return (
    <Alert variant="light" color="gray" icon={<IconInfoCircle size={18} />} mb="lg">
      {words.form.tooFewFlows}{" "}
      <AnchorLink to="/projects/$projectId/flows" params={{ projectId }} size="sm">
        {words.form.toFlows}
      </AnchorLink>
    </Alert>
  );
}
