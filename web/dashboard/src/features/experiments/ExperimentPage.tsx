import { Alert, Group, Stack, Text, Title } from "@mantine/core";
import { IconInfoCircle, IconTrophy } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/api/projects";
import type { Tagged } from "@/api/responses";
import type { ExperimentView } from "@/api/schema";
import { flowsQuery } from "@/features/flows/queries";
import { ChartSkeleton } from "@/ui/charts";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import { PageHeader } from "@/ui/PageHeader";
import { NotFoundState, QueryView, TextSkeleton } from "@/ui/states";
import { Time } from "@/ui/values/format";
import { StatusBadge } from "@/ui/values/StatusBadge";
import { ExperimentActions } from "./ExperimentActions";
import { estimateQuery, experimentQuery, resultsQuery } from "./queries";
import { ResultDays } from "./results/ResultDays";
import { Results } from "./results/Results";
import { VerdictCard } from "./results/VerdictCard";
import { TARGET_LIFT, verdictOf } from "./results/verdict";
import { Setup } from "./Setup";
import { STATUS_TONES } from "./searches";
import { experimentTexts } from "./texts";

const route = getRouteApi("/projects/$projectId/experiments/$experimentId");
const words = experimentTexts;
/** How often the results of a running experiment are read again. */
const RESULTS_MILLISECONDS = 30_000;

/** One experiment: its state, its results and its set-up. */
export function ExperimentPage() {
  const { projectId, experimentId } = route.useParams();
  const experiment = useQuery(experimentQuery(experimentId));
  return (
    <QueryView query={experiment} isPage skeleton={<TextSkeleton lines={8} />}>
      {(tagged) =>
        tagged.data.project_id === projectId ? (
          <ExperimentDetail experiment={tagged} />
        ) : (
          <NotFoundState titleOrder={1} />
        )
      }
    </QueryView>
  );
}

function ExperimentDetail({ experiment: tagged }: { experiment: Tagged<ExperimentView> }) {
  const experiment = tagged.data;
  const { id, project_id: projectId, status, variants } = experiment;
  const { measure = "users" } = route.useSearch();
  const navigate = route.useNavigate();
  const canEdit = useCan("editor");
  const hasStarted = status !== "draft";
  const flows = useQuery({ ...flowsQuery(projectId, {}), ...OPTIONAL_QUERY });
  const flowNames = new Map(flows.data?.items.map(({ id: flowId, name }) => [flowId, name]));
  const results = useQuery({
    ...resultsQuery(id),
    enabled: hasStarted,
    refetchInterval: status === "running" ? RESULTS_MILLISECONDS : false,
  });
  const weights = variants.map(({ weight }) => weight).filter((weight) => weight > 0);
  const estimate = useQuery({
    ...estimateQuery(projectId, {
      primary_event: experiment.primary_event,
      traffic_percentage: experiment.traffic_percentage,
      smallest_weight: Math.min(...weights),
      lift_percentage: TARGET_LIFT,
    }),
    // Only how many users are needed, and one request after the other.
    enabled: results.isSuccess && status !== "completed",
    ...OPTIONAL_QUERY,
  });
  const verdict = results.data && verdictOf(experiment, results.data, estimate.data);

  return (
    <>
      <PageHeader
        title={experiment.name}
        actions={canEdit && <ExperimentActions experiment={tagged} verdict={verdict} flows={flows.data?.items ?? []} />}
      />
      <Stack gap="xl">
        <StateLine experiment={experiment} />
        {hasStarted ? (
          <QueryView query={results} skeleton={<ChartSkeleton />}>
            {(data) => (
              <>
                {status === "completed" && <Outcome experiment={experiment} />}
                {verdict && <VerdictCard verdict={verdict} />}
                {data.users > 0 && <Results experiment={experiment} results={data} flowNames={flowNames} />}
                {data.days && data.days.length > 0 && (
                  <ResultDays
                    experiment={experiment}
                    days={data.days}
                    measure={measure}
                    onMeasure={(chosen) =>
                      void navigate({ search: (before) => ({ ...before, measure: chosen }), replace: true })
                    }
                  />
                )}
              </>
            )}
          </QueryView>
        ) : (
          <Alert variant="light" color="gray" icon={<IconInfoCircle size={20} />} title={words.life.draftTitle}>
            {canEdit ? words.life.draftText(variants.length) : words.life.draftViewer}
          </Alert>
        )}
        <section aria-label={words.setup.title}>
          <Title order={2} mb="md">
            {words.setup.title}
          </Title>
          <Setup experiment={{ ...experiment, conditions: experiment.audience.conditions }} flowNames={flowNames} />
        </section>
      </Stack>
    </>
  );
}

/** The status, and since when. */
function StateLine({ experiment: { status, created_at, started_at, ended_at } }: { experiment: ExperimentView }) {
  return (
    <Group gap="sm" mt={-16}>
      <StatusBadge tone={STATUS_TONES[status]}>{words.statuses[status]}</StatusBadge>
      <Text size="sm" c="dimmed">
        {started_at === null ? words.life.created : words.life.startedAt} <Time value={started_at ?? created_at} />
        {ended_at !== null && (
          <>
            {" · "}
            {words.life.endedAt} <Time value={ended_at} />
          </>
        )}
      </Text>
    </Group>
  );
}

/** How an experiment ended. */
function Outcome({ experiment: { winner, variants } }: { experiment: ExperimentView }) {
  const name = variants.find(({ key }) => key === winner)?.name;
  return (
    <Group gap="xs">
      <IconTrophy size={20} aria-hidden />
      <Text fw={550}>{name === undefined ? words.results.noWinner : words.results.winner(name)}</Text>
    </Group>
  );
}
