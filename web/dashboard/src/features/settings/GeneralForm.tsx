import {
  Checkbox,
  Divider,
  Group,
  NumberInput,
  Radio,
  Select,
  Stack,
  Switch,
  Textarea,
  TextInput,
  Title,
} from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { projectQuery, updateProject } from "@/api/projects";
import type { Tagged } from "@/api/responses";
import type { FlowView, ProjectView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { projectTexts } from "@/features/projects/texts";
import { texts } from "@/texts";
import { toast } from "@/ui/feedback/feedback";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { dropUnsavedWork } from "@/ui/form/unsavedWork";
import { useApiForm } from "@/ui/form/useApiForm";
import { useNewest, VersionConflict } from "@/ui/form/VersionConflict";
import { PLATFORMS } from "@/ui/platforms";
import { bodyOf, flowOptions, valuesOf } from "./general";
import { Languages } from "./Languages";
import { settingsTexts } from "./texts";

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(3, projectTexts.nameLength), z.maxLength(50, projectTexts.nameLength)),
  description: z.string().check(z.trim(), z.maxLength(200, projectTexts.descriptionLength)),
  settings: z.object({ platforms: z.array(z.string()).check(z.minLength(1, projectTexts.platformsMissing)) }),
});

interface GeneralFormProps {
  project: Tagged<ProjectView>;
  flows: readonly FlowView[];
  onSaved: () => void;
}

/** The form of a project's settings. */
export function GeneralForm({ project, flows, onSaved }: GeneralFormProps) {
  const queryClient = useQueryClient();
  const invalidate = useInvalidate();
  const { data } = project;
  const { newest, save } = useNewest(project, () => queryClient.fetchQuery({ ...projectQuery(data.id), staleTime: 0 }));
  const name = `project-settings:${data.id}`;
  const refresh = () => invalidate("project");
  const form = useApiForm({
    name,
    initialValues: { ...valuesOf(data), etag: project.etag },
    schema,
    submit: async ({ etag, ...values }) => {
      await save(() => updateProject(data.id, bodyOf(values), etag));
      dropUnsavedWork(name);
      await refresh();
      toast(settingsTexts.saved);
      onSaved();
    },
  });
  useHotkeys([["mod+S", () => form.onSubmit()]], [], true);
  const settings = settingsTexts;
  const direct = form.fields.values.settings.direct_writes;

  return (
    <ApiFormView form={form} submitLabel={texts.ui.save}>
      <TextInput label={projectTexts.name} {...form.field("name", projectTexts.nameHelp)} />
      <Textarea
        autosize
        minRows={2}
        label={projectTexts.description}
        {...form.field("description", projectTexts.descriptionHelp)}
      />
      <Checkbox.Group label={projectTexts.platforms} {...form.field("settings.platforms")}>
        <Group gap="lg" mt="xs">
          {PLATFORMS.map((platform) => (
            <Checkbox key={platform} value={platform} label={texts.ui.platforms[platform]} />
          ))}
        </Group>
      </Checkbox.Group>
      <Select
        label={settings.defaultFlow}
        placeholder={settings.noDefaultFlow}
        clearable
        clearButtonProps={{ "aria-label": settings.noDefaultFlow }}
        data={flowOptions(flows, data.settings.default_flow_id)}
        {...form.field("settings.default_flow_id", settings.defaultFlowHelp)}
      />
      <TextInput
        label={settings.customDomain}
        placeholder="onboarding.example.com"
        {...form.field("settings.custom_domain", settings.customDomainHelp)}
      />
      <Divider mt="xs" />
      <Title order={2}>{settings.texts}</Title>
      <Languages form={form} />
      <Divider mt="xs" />
      <Title order={2}>{settings.data}</Title>
      <Switch
        label={settings.analytics}
        description={settings.analyticsHelp}
        {...form.fields.getInputProps("settings.analytics_enabled", { type: "checkbox" })}
      />
      <Switch
        label={settings.recordAnswers}
        description={settings.recordAnswersHelp}
        {...form.fields.getInputProps("settings.record_answers", { type: "checkbox" })}
      />
      <Divider mt="xs" />
      <Title order={2}>{settings.changes}</Title>
      <Radio.Group label={settings.directWrites} {...form.field("settings.direct_writes")}>
        <Stack gap="sm" mt="xs">
          <Radio value="allowed" label={settings.direct.allowed} description={settings.directHelp.allowed} />
          <Radio value="refused" label={settings.direct.refused} description={settings.directHelp.refused} />
        </Stack>
      </Radio.Group>
      <NumberInput
        label={settings.approvals}
        min={0}
        max={5}
        allowDecimal={false}
        w={{ base: "100%", sm: 240 }}
        {...form.field(
          "settings.required_approvals",
          settings.approvalsInWords(Number(form.fields.values.settings.required_approvals), direct === "allowed"),
        )}
      />
      <VersionConflict form={form} newestEtag={newest.etag} onTheirs={() => void refresh().then(onSaved)} />
    </ApiFormView>
  );
}
