import { Checkbox, Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import type { FlowView } from "@/api/schema";
import { useProjectId } from "@/features/projects/queries";
import { texts } from "@/texts";
import { Dialog } from "@/ui/Dialog";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { qaDevicesQuery, replaceDevices, withDevice } from "./queries";

const schema = z.object({
  id: z.string().check(z.trim(), z.minLength(1, texts.qaDevices.idMissing)),
  flowId: z.string().check(z.minLength(1, texts.qaDevices.flowMissing)),
});

interface AddQaDeviceProps {
  flows: readonly FlowView[];
  onClose: () => void;
}

/** A dialog that adds a device, or gives one another flow. */
export function AddQaDevice({ flows, onClose }: AddQaDeviceProps) {
  const projectId = useProjectId();
  const queryClient = useQueryClient();
  const form = useApiForm({
    name: `add-qa-device:${projectId}`,
    initialValues: { id: "", flowId: "", draft: false },
    schema,
    fieldNames: { devices: "id" },
    submit: async (values) => {
      const present = await queryClient.fetchQuery({ ...qaDevicesQuery(projectId), staleTime: 0 });
      const devices = withDevice(present.data.devices, { ...values, id: values.id.trim() });
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
        <Select
          label={texts.qaDevices.flow}
          searchable
          data={flows.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.field("flowId")}
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
