import { SegmentedControl, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useProjectId } from "@/api/projects";
import { newestEventQuery } from "@/features/connect/queries";
import { PageHeader } from "@/ui/PageHeader";
import { QueryView } from "@/ui/states";
import { FirstSteps } from "./FirstSteps";
import { FlowPerformance } from "./FlowPerformance";
import { Measures, MeasuresSkeleton } from "./Measures";
import { OVERVIEW_PERIODS, type OverviewPeriod } from "./measures";
import { statisticsQuery } from "./queries";
import { RecentChanges } from "./RecentChanges";
import { overviewTexts } from "./texts";

const route = getRouteApi("/projects/$projectId/overview");

const PERIOD_OPTIONS = OVERVIEW_PERIODS.map((period) => ({ value: period, label: overviewTexts.periods[period] }));

/** The state of a project at a glance; the first steps until its first event. */
export function OverviewPage() {
  const projectId = useProjectId();
  const { period = "7d", measure = "users" } = route.useSearch();
  const navigate = route.useNavigate();
  const statistics = useQuery(statisticsQuery(projectId, period));
  const newest = useQuery(newestEventQuery(projectId));

  return (
    <>
      <PageHeader
        title={overviewTexts.title}
        actions={
          newest.data && (
            <SegmentedControl
              aria-label={overviewTexts.period}
              data={PERIOD_OPTIONS}
              value={period}
              onChange={(chosen) =>
                void navigate({ search: (before) => ({ ...before, period: chosen as OverviewPeriod }), replace: true })
              }
            />
          )
        }
      />
      <Stack gap="xl">
        <FirstSteps statistics={statistics.data} newest={newest.data} />
        {newest.data !== null && (
          <>
            <QueryView query={statistics} skeleton={<MeasuresSkeleton />}>
              {(data) => (
                <Measures
                  statistics={data}
                  measure={measure}
                  onMeasure={(chosen) =>
                    void navigate({ search: (before) => ({ ...before, measure: chosen }), replace: true })
                  }
                />
              )}
            </QueryView>
            {(statistics.data || statistics.isPending) && <FlowPerformance statistics={statistics.data} />}
          </>
        )}
        <RecentChanges enabled={!statistics.isPending} />
      </Stack>
    </>
  );
}
