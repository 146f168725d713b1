import { Stack, Text } from "@mantine/core";
import type { FlowView, ProjectView } from "@/api/schema";
import { projectTexts } from "@/features/projects/texts";
import { texts } from "@/texts";
import { flowOptions } from "./general";
import { languageName } from "./languages";
import { settingsTexts } from "./texts";

interface GeneralSummaryProps {
  project: ProjectView;
  flows: readonly FlowView[];
}

/** The settings of a project, for members who cannot change them. */
export function GeneralSummary({ project, flows }: GeneralSummaryProps) {
  const { settings } = project;
  const words = settingsTexts;
  const onOff = (on: boolean) => (on ? words.on : words.off);
  const defaultFlow = flowOptions(flows, settings.default_flow_id).find(
    ({ value }) => value === settings.default_flow_id,
  );
  const rows = [
    [projectTexts.name, project.name],
    [projectTexts.description, project.description ?? words.none],
    [projectTexts.platforms, settings.platforms.map((platform) => texts.ui.platforms[platform]).join(", ")],
    [words.defaultFlow, defaultFlow?.label ?? words.none],
    [words.customDomain, settings.custom_domain ?? words.none],
    [words.languages, settings.locales.map(languageName).join(", ")],
    [words.analytics, onOff(settings.analytics_enabled)],
    [words.recordAnswers, onOff(settings.record_answers)],
    [words.directWrites, words.direct[settings.direct_writes]],
    [words.approvals, String(settings.required_approvals)],
  ] as const;
  return (
    <Stack component="dl" gap="md" m={0}>
      {rows.map(([label, value]) => (
        <div key={label}>
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0}>
            {value}
          </Text>
        </div>
      ))}
    </Stack>
  );
}
