import { Group, Stack, Text } from "@mantine/core";
import { IconCheck, IconMinus } from "@tabler/icons-react";
import type { ExplanationView, StepView } from "@/api/schema";
import { targetingTexts } from "./texts";

const words = targetingTexts.explain;

interface ExplainedRulesProps {
  explanation: ExplanationView;
  /** The flow of the view. */
  flowId: string;
  names: ReadonlyMap<string, string>;
  /** The conditions of flows in words, by the id of the flow. */
  audiences: ReadonlyMap<string, string>;
}

/** The result for a device in one sentence, and all rules in their order. */
export function ExplainedRules({ explanation, flowId, names, audiences }: ExplainedRulesProps) {
  const shown = explanation.flow_id;
  const name = shown === null ? null : (names.get(shown) ?? shown);
  return (
    <Stack gap="sm">
      <Text fw={550} role="status">
        {name === null ? words.nothing : shown === flowId ? words.thisFlow(name) : words.otherFlow(name)}
      </Text>
      <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: "none" }} aria-label={words.rules}>
        {explanation.steps.map((step) => (
          <Rule
            key={`${step.rule} ${step.id}`}
            step={step}
            name={names.get(step.id ?? "")}
            audience={audiences.get(step.id ?? "")}
          />
        ))}
      </Stack>
    </Stack>
  );
}

function Rule({ step, name, audience }: { step: StepView; name?: string; audience?: string }) {
  const rule = words.ruleNames[step.rule] ?? step.rule;
  return (
    <Group component="li" gap="xs" wrap="nowrap" align="flex-start">
      {step.matched ? (
        <IconCheck
          size={18}
          style={{ flex: "none" }}
          aria-label={words.wins}
          color="var(--mantine-primary-color-filled)"
        />
      ) : (
        <IconMinus size={18} style={{ flex: "none" }} aria-label={words.skipped} color="var(--mantine-color-dimmed)" />
      )}
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={step.matched ? 550 : undefined}>
          {name ? words.ruleOf(rule, name) : rule}
        </Text>
        {audience && step.rule === "flow" && <Text size="sm">{words.onlyFor(audience)}</Text>}
        <Text size="sm" c="dimmed">
          {step.reason}
        </Text>
      </div>
    </Group>
  );
}
