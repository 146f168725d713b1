import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useProjectId } from "@/api/projects";
import { FilteredView } from "@/features/analytics/filters/FilteredView";
import { Filters } from "@/features/analytics/filters/Filters";
import { filterErrors } from "@/features/analytics/filters/filterErrors";
import type { AnalyticsSearch } from "@/features/analytics/filters/search";
import { ChartSkeleton } from "@/ui/charts";
import { ButtonLink } from "@/ui/links";
import { PageHeader } from "@/ui/PageHeader";
import { NoFlow } from "../NoFlow";
import { experimentChoicesQuery, flowChoicesQuery, funnelQuery } from "../queries";
import { analyticsTexts } from "../texts";
import { Funnel } from "./Funnel";
import { busiestFlow, experimentsWith } from "./funnel";

const route = getRouteApi("/projects/$projectId/analytics/funnel");

/** How far the users of a flow get, screen by screen. */
export function FunnelPage() {
  const projectId = useProjectId();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const flows = useQuery(flowChoicesQuery(projectId));
  const flowId = search.flowId ?? busiestFlow(flows.data?.flows ?? [])?.id ?? null;
  const funnel = useQuery({ ...funnelQuery(flowId ?? "", search), enabled: flowId !== null });
  const experiments = useQuery(experimentChoicesQuery(projectId)).data ?? [];
  const experiment = experiments.find(({ id }) => id === search.experimentId);
  const choices = experimentsWith(flowId ?? "", experiments);
  const filter = (changes: AnalyticsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  const clear = () => void navigate({ search: {}, replace: true });

  return (
    <>
      <PageHeader
        title={analyticsTexts.funnel.title}
        text={analyticsTexts.funnel.help}
        actions={
          search.experimentId !== undefined && (
            <ButtonLink
              to="/projects/$projectId/experiments/$experimentId"
              params={{ projectId, experimentId: search.experimentId }}
              variant="default"
            >
              {analyticsTexts.funnel.openResults}
            </ButtonLink>
          )
        }
      />
      <Filters search={search} error={funnel.error} onFilter={filter} flowId={flowId}>
        {(choices.length > 0 || search.experimentId !== undefined) && (
          <Select
            aria-label={analyticsTexts.funnel.experiment}
            placeholder={analyticsTexts.funnel.byVariant}
            error={filterErrors(funnel.error).experimentId}
            clearable
            data={choices.map(({ id, name }) => ({ value: id, label: name }))}
            value={search.experimentId ?? null}
            onChange={(chosen) => filter({ experimentId: chosen ?? undefined })}
            w={{ base: "100%", sm: 260 }}
          />
        )}
      </Filters>
      <NoFlow flows={flows}>
        <FilteredView query={funnel} skeleton={<ChartSkeleton />} onClear={clear}>
          {(data) => <Funnel funnel={data} experiment={experiment} />}
        </FilteredView>
      </NoFlow>
    </>
  );
}
