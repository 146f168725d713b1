import { Checkbox, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { useProjectId } from "@/api/projects";
import { FlowChoice } from "@/features/experiments/form/FlowChoice";
import { Dialog } from "@/ui/feedback/Dialog";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { qaDevicesQuery, replaceDevices, withDevice } from "./queries";
import { qaDeviceTexts } from "./texts";

const schema = z.object({
  id: z.string().check(z.trim(), z.minLength(1, qaDeviceTexts.idMissing)),
  flow: z.object({ id: z.string().check(z.minLength(1, qaDeviceTexts.flowMissing)), name: z.string() }),
});

/** A dialog that adds a device, or gives one another flow. */
export function AddQaDevice({ onClose }: { onClose: () => void }) {
  const projectId = useProjectId();
  const queryClient = useQueryClient();
  const form = useApiForm({
    name: `add-qa-device:${projectId}`,
    initialValues: { id: "", flow: { id: "", name: "" }, draft: false },
    schema,
    fieldNames: { devices: "id" },
    submit: async (values) => {
      const present = await queryClient.fetchQuery({ ...qaDevicesQuery(projectId), staleTime: 0 });
      const devices = withDevice(present.data.devices, {
        id: values.id.trim(),
        flowId: values.flow.id,
        draft: values.draft,
      });
      queryClient.setQueryData(
        qaDevicesQuery(projectId).queryKey,
        await replaceDevices(projectId, present.etag, devices),
      );
      onClose();
    },
  });
  return (
    <Dialog title={qaDeviceTexts.add} onClose={onClose}>
      <ApiFormView form={form} submitLabel={qaDeviceTexts.add} onCancel={onClose}>
        <TextInput data-autofocus label={qaDeviceTexts.device} {...form.field("id", qaDeviceTexts.deviceHelp)} />
        <FlowChoice
          label={qaDeviceTexts.flow}
          flow={form.fields.values.flow}
          error={form.fields.errors["flow.id"]}
          onChoose={(flow) => form.fields.setFieldValue("flow", flow)}
        />
        <Checkbox
          label={qaDeviceTexts.draft}
          description={qaDeviceTexts.draftHelp}
          {...form.fields.getInputProps("draft", { type: "checkbox" })}
        />
      </ApiFormView>
    </Dialog>
  );
}
