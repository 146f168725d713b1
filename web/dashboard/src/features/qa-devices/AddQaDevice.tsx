import { Checkbox, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { FlowChoice } from "@/features/experiments/form/FlowChoice";
import { useProjectId } from "@/features/projects/queries";
import { texts } from "@/texts";
import { Dialog } from "@/ui/Dialog";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { qaDevicesQuery, replaceDevices, withDevice } from "./queries";

const schema = z.object({
  id: z.string().check(z.trim(), z.minLength(1, texts.qaDevices.idMissing)),
  flow: z.object({ id: z.string().check(z.minLength(1, texts.qaDevices.flowMissing)), name: z.string() }),
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
    <Dialog title={texts.qaDevices.add} onClose={onClose}>
      <ApiFormView form={form} submitLabel={texts.qaDevices.add} onCancel={onClose}>
        <TextInput data-autofocus label={texts.qaDevices.device} {...form.field("id", texts.qaDevices.deviceHelp)} />
        <FlowChoice
          label={texts.qaDevices.flow}
          flow={form.fields.values.flow}
          error={form.fields.errors["flow.id"]}
          onChoose={(flow) => form.fields.setFieldValue("flow", flow)}
        />
        <Checkbox
          label={texts.qaDevices.draft}
          description={texts.qaDevices.draftHelp}
          {...form.fields.getInputProps("draft", { type: "checkbox" })}
        />
      </ApiFormView>
    </Dialog>
  );
}
