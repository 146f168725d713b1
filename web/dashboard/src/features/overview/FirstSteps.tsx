import { Paper, Skeleton, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { keys } from "@/api/keys";
import { useProjectId } from "@/api/projects";
import type { EventView, StatisticsView } from "@/api/schema";
import { Lines } from "@/features/connect/Lines";
import { EVENT } from "@/features/connect/requests";
import { flowsQuery } from "@/features/flows/queries";
import { texts } from "@/texts";
import { ButtonLink } from "@/ui/links";
import classes from "./FirstSteps.module.css";
import { overviewTexts } from "./texts";

interface FirstStepsProps {
  statistics: StatisticsView | undefined;
  /** Null while the project has no event; undefined until that is known. */
  newest: EventView | null | undefined;
}

const SKELETON_HEIGHT = 496;
/** How often the list of a project without an active flow is read again. */
const FLOWS_MILLISECONDS = 10_000;
/** How often the statistics are read again after the first event: they count it some seconds later. */
const STATISTICS_MILLISECONDS = 2_000;

/** The steps to the first event. They tick themselves, and stay once it is there until the view is left. */
export function FirstSteps({ statistics, newest }: FirstStepsProps) {
  const projectId = useProjectId();
  const queryClient = useQueryClient();
  const [waited, setWaited] = useState(false);
  const isFirst = newest === null;
  const flows = useQuery({
    ...flowsQuery(projectId, { status: "active" }),
    enabled: isFirst,
    refetchInterval: ({ state }) => (state.data?.pagination.total === 0 ? FLOWS_MILLISECONDS : false),
  });
  const isCounted = (statistics?.overview.total_users ?? 0) > 0;
  useEffect(() => {
    if (isFirst) {
      setWaited(true);
      return undefined;
    }
    if (!waited) {
      return undefined;
    }
    const readAgain = () => void queryClient.invalidateQueries({ queryKey: [...keys.analytics.statistics, projectId] });
    readAgain();
    if (isCounted) {
      return undefined;
    }
    const timer = setInterval(readAgain, STATISTICS_MILLISECONDS);
    return () => clearInterval(timer);
  }, [isFirst, waited, isCounted, projectId, queryClient]);

  if (newest === undefined || !(isFirst || waited)) {
    return null;
  }
  if (isFirst && flows.isPending) {
    return <Skeleton height={SKELETON_HEIGHT} role="group" aria-busy="true" aria-label={texts.ui.loading} />;
  }
  const received = newest !== null;
  const flow = flows.data?.items.find(({ is_default }) => is_default) ?? flows.data?.items[0];
  const resolved = received || isCounted;
  return (
    <Paper withBorder p="lg" component="section" aria-label={overviewTexts.firstSteps.title}>
      <Title order={2} mb={4}>
        {received ? overviewTexts.firstSteps.doneTitle : overviewTexts.firstSteps.title}
      </Title>
      <Text c="dimmed" mb="lg">
        {received ? overviewTexts.firstSteps.doneText : overviewTexts.firstSteps.text}
      </Text>
      <Stack component="ol" className={classes.steps} gap="lg">
        <Step done title={overviewTexts.firstSteps.project} />
        {flow ? (
          <Step
            done
            title={overviewTexts.firstSteps.flowDone(flow.name, flow.is_default)}
            text={overviewTexts.firstSteps.flowDoneText}
          >
            <ButtonLink
              to="/projects/$projectId/flows/$flowId"
              params={{ projectId, flowId: flow.id }}
              variant="default"
              size="xs"
            >
              {overviewTexts.firstSteps.openFlow(flow.name)}
            </ButtonLink>
          </Step>
        ) : (
          <Step done={false} title={overviewTexts.firstSteps.flow} text={overviewTexts.firstSteps.flowText}>
            <ButtonLink to="/projects/$projectId/flows" params={{ projectId }} variant="default" size="xs">
              {overviewTexts.firstSteps.openFlows}
            </ButtonLink>
          </Step>
        )}
        <Step
          done={received}
          title={received ? overviewTexts.firstSteps.received(newest.event_type) : overviewTexts.firstSteps.waiting}
          text={
            received
              ? undefined
              : resolved
                ? overviewTexts.firstSteps.resolvedText
                : overviewTexts.firstSteps.waitingText
          }
          live
        >
          {!received && <Lines label={overviewTexts.firstSteps.linesOf} targets={EVENT} />}
        </Step>
      </Stack>
    </Paper>
  );
}

interface StepProps {
  done: boolean;
  title: string;
  text?: string;
  /** Screen readers hear of it when the step is done. */
  live?: boolean;
  /** What to do. */
  children?: ReactNode;
}

function Step({ done, title, text, live, children }: StepProps) {
  return (
    <li className={classes.step} data-done={done || undefined}>
      {done ? (
        <ThemeIcon size={24} radius="xl" color="teal" variant="light">
          <IconCheck size={16} aria-label={overviewTexts.firstSteps.done} />
        </ThemeIcon>
      ) : (
        <span className={live ? classes.waiting : classes.open} aria-hidden />
      )}
      <Stack gap="xs" miw={0} align="stretch">
        <Text fw={550} role={live ? "status" : undefined}>
          {title}
        </Text>
        {text && <Text c="dimmed">{text}</Text>}
        {children && <div>{children}</div>}
      </Stack>
    </li>
  );
}
