import { Paper, SegmentedControl, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useProjectId } from "@/api/projects";
import { ErrorState } from "@/ui/states";
import { estimateQuery } from "../queries";
import { experimentTexts } from "../texts";
import { estimateInWords, type Plan } from "./estimateInWords";
import { type ExperimentValues, isEventType } from "./values";
import { TOTAL_PERCENT } from "./variants";

const words = experimentTexts.estimate;
const LIFTS = ["5", "10", "20", "50"];
const TYPING_MILLISECONDS = 400;

/** Return the parts of the form that the duration depends on. */
function planOf(values: ExperimentValues): Plan {
  const weights = values.variants
    .map(({ weight }) => Number(weight))
    .filter((weight) => weight > 0 && weight <= TOTAL_PERCENT);
  return {
    goal: values.primary_event,
    traffic: Math.min(Math.max(Number(values.traffic_percentage) || 0, 0), TOTAL_PERCENT),
    smallestWeight: weights.length > 0 ? Math.min(...weights) : 0,
    hasConditions: values.conditions.length > 0,
  };
}

/** The days that the experiment of a form will take, for an improvement that the user chooses. */
export function Estimate({ values }: { values: ExperimentValues }) {
  const projectId = useProjectId();
  const [lift, setLift] = useState("10");
  const [encoded] = useDebouncedValue(JSON.stringify(planOf(values)), TYPING_MILLISECONDS);
  const plan = JSON.parse(encoded) as Plan;
  const isValid = isEventType(plan.goal);
  const estimate = useQuery({
    ...estimateQuery(projectId, {
      primary_event: plan.goal,
      traffic_percentage: plan.traffic,
      smallest_weight: plan.smallestWeight,
      lift_percentage: Number(lift),
    }),
    enabled: isValid,
  });
  const inWords = isValid && estimate.data ? estimateInWords(estimate.data, plan) : null;
  return (
    <Paper withBorder p="md" component="section" aria-label={words.title}>
      <Stack gap="sm">
        <Title order={2} size="h3">
          {words.title}
        </Title>
        <div>
          <Text size="sm" id="smallest-lift" mb={4}>
            {words.lift}
          </Text>
          <SegmentedControl
            fullWidth
            aria-labelledby="smallest-lift"
            data={LIFTS.map((value) => ({ value, label: `${value}%` }))}
            value={lift}
            onChange={setLift}
          />
        </div>
        {estimate.isError && !estimate.data ? (
          <ErrorState error={estimate.error} onRetry={() => void estimate.refetch()} />
        ) : !isValid ? (
          <Text c="dimmed">{words.badGoal}</Text>
        ) : inWords === null ? (
          <Skeleton height={72} aria-busy="true" />
        ) : (
          <Stack gap="xs" role="status">
            {inWords.days && (
              <Text fz={20} lh="28px" fw={550}>
                {inWords.days}
              </Text>
            )}
            {inWords.reasons.map((reason) => (
              <Text key={reason} size="sm" c="dimmed">
                {reason}
              </Text>
            ))}
          </Stack>
        )}
      </Stack>
    </Paper>
  );
}
