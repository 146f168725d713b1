import { Paper, Select, SimpleGrid, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FlowView } from "@/api/schema";
import { conditionTexts } from "@/features/audience/texts";
import { targetingInWords } from "@/features/audience/words";
import { flowsQuery } from "@/features/flows/queries";
import { useKeptWork, useUnsavedWork } from "@/ui/form/unsavedWork";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import { PLATFORM_OPTIONS } from "@/ui/platforms";
import { QueryView, TextSkeleton } from "@/ui/states";
import { ExplainedRules } from "./ExplainedRules";
import { experimentNamesQuery, explanationQuery, type TypedDevice } from "./queries";
import { targetingTexts } from "./texts";

const words = targetingTexts.explain;
const TYPED_FIELDS = ["appVersion", "osVersion", "country", "locale"] as const;
/** The device that the form starts with. */
const EXAMPLE_DEVICE = "device-1";
const TYPING_MILLISECONDS = 300;

/** A form for a device, and the rules that are evaluated for it with their results. */
export function Explain({ flow }: { flow: FlowView }) {
  const projectId = flow.project_id;
  const key = `explain:${projectId}`;
  const [typed, setTyped] = useState<TypedDevice>(useKeptWork<TypedDevice>(key) ?? { device: EXAMPLE_DEVICE });
  const [device] = useDebouncedValue(typed, TYPING_MILLISECONDS);
  const explanation = useQuery(explanationQuery(projectId, device));
  const steps = explanation.data?.steps ?? [];
  // Names are fetched only when there are rules to show, so that fewer requests run at once.
  const flows = useQuery({ ...flowsQuery(projectId, {}), enabled: steps.length > 0, ...OPTIONAL_QUERY });
  const experiments = useQuery({
    ...experimentNamesQuery(projectId),
    enabled: steps.some(({ rule }) => rule === "experiment"),
  });
  const names = new Map(
    [...(flows.data?.items ?? []), ...(experiments.data?.items ?? [])].map(({ id, name }) => [id, name]),
  );
  names.set(flow.id, flow.name);
  const audiences = new Map(
    [...(flows.data?.items ?? []), flow]
      .filter(({ targeting }) => targeting.conditions.length > 0)
      .map(({ id, targeting }) => [id, targetingInWords(targeting)]),
  );

  useUnsavedWork(key, device);

  const change = (name: keyof TypedDevice, value: string | null) =>
    setTyped((before) => ({ ...before, [name]: value || undefined }));

  return (
    <Paper component="section" withBorder p="md" aria-labelledby="explain-title">
      <Stack gap="md">
        <div>
          <Title order={2} id="explain-title">
            {words.title}
          </Title>
          <Text c="dimmed">{words.help}</Text>
        </div>
        <TextInput
          label={words.device}
          value={typed.device ?? ""}
          onChange={(event) => change("device", event.currentTarget.value)}
        />
        <SimpleGrid cols={2} spacing="xs">
          <Select
            label={words.fields.platform}
            data={PLATFORM_OPTIONS}
            clearable
            value={typed.platform ?? null}
            onChange={(value) => change("platform", value)}
          />
          {TYPED_FIELDS.map((name) => (
            <TextInput
              key={name}
              label={words.fields[name]}
              placeholder={conditionTexts.placeholders[name]}
              value={typed[name] ?? ""}
              onChange={(event) => change(name, event.currentTarget.value)}
            />
          ))}
        </SimpleGrid>
        <Textarea
          label={words.attributes}
          description={words.attributesHelp}
          autosize
          value={typed.attributes ?? ""}
          onChange={(event) => change("attributes", event.currentTarget.value)}
        />
        <div aria-live="polite">
          {device.device === undefined ? (
            <Text c="dimmed">{words.empty}</Text>
          ) : (
            <QueryView query={explanation} skeleton={<TextSkeleton />}>
              {(shown) => <ExplainedRules explanation={shown} flowId={flow.id} names={names} audiences={audiences} />}
            </QueryView>
          )}
        </div>
      </Stack>
    </Paper>
  );
}
