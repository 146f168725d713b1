import { Stack } from "@mantine/core";
import { IconMessageQuestion } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { projectQuery, useProjectId } from "@/api/projects";
import type { ResponsesView } from "@/api/schema";
import { FilteredView } from "@/features/analytics/filters/FilteredView";
import { Filters } from "@/features/analytics/filters/Filters";
import type { AnalyticsSearch } from "@/features/analytics/filters/search";
import { busiestFlow } from "@/features/analytics/funnel/funnel";
import { ChartSkeleton } from "@/ui/charts";
import { ButtonLink } from "@/ui/links";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState } from "@/ui/states";
import { DownloadCsv } from "../DownloadCsv";
import { NoFlow } from "../NoFlow";
import { downloadResponses, flowChoicesQuery, flowQuery, responsesQuery } from "../queries";
import { analyticsTexts } from "../texts";
import { type OptionLabels, optionLabels } from "./optionLabels";
import { Question } from "./Question";

const route = getRouteApi("/projects/$projectId/analytics/responses");
const words = analyticsTexts.responses;

/** What users answered to the questions of a flow. */
export function ResponsesPage() {
  const projectId = useProjectId();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const flows = useQuery(flowChoicesQuery(projectId));
  const flowId = search.flowId ?? busiestFlow(flows.data?.flows ?? [])?.id ?? null;
  const responses = useQuery({ ...responsesQuery(flowId ?? "", search), enabled: flowId !== null });
  const flow = useQuery({ ...flowQuery(flowId ?? ""), enabled: flowId !== null && flows.isSuccess });
  const labels = optionLabels(flow.data?.screens ?? []);
  const filter = (changes: AnalyticsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  const clear = () => void navigate({ search: {}, replace: true });
  const answers = responses.data?.questions.reduce((sum, question) => sum + question.answers, 0) ?? 0;

  return (
    <>
      <PageHeader
        title={words.title}
        text={words.help}
        actions={
          <DownloadCsv
            load={() => downloadResponses(flowId ?? "", search)}
            fileName="responses.csv"
            disabled={answers === 0}
          />
        }
      />
      <Filters search={search} error={responses.error} onFilter={filter} flowId={flowId} withPlatform />
      <NoFlow flows={flows}>
        <FilteredView query={responses} skeleton={<ChartSkeleton />} onClear={clear}>
          {(data) => <Questions responses={data} answers={answers} labels={labels} />}
        </FilteredView>
      </NoFlow>
    </>
  );
}

interface QuestionsProps {
  responses: ResponsesView;
  answers: number;
  labels: OptionLabels;
}

function Questions({ responses, answers, labels }: QuestionsProps) {
  const projectId = useProjectId();
  const settings = useQuery({ ...projectQuery(projectId), enabled: answers === 0 }).data?.data.settings;
  const icon = <IconMessageQuestion size={32} stroke={1.5} />;
  if (answers === 0 && settings?.record_answers === false) {
    const toSettings = (
      <ButtonLink to="/projects/$projectId/settings" params={{ projectId }} variant="default">
        {words.openSettings}
      </ButtonLink>
    );
    return <EmptyState icon={icon} title={words.offTitle} text={words.offText} action={toSettings} />;
  }
  if (responses.questions.length === 0) {
    return <EmptyState icon={icon} title={words.emptyTitle} text={words.emptyText} />;
  }
  return (
    <Stack gap={40}>
      {responses.questions.map((question) => (
        <Question key={question.screen_id} question={question} labels={labels.get(question.screen_id)} />
      ))}
    </Stack>
  );
}
