import { TextInput } from "@mantine/core";
import * as z from "zod/mini";
import type { ListedFlowView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { Dialog } from "@/ui/feedback/Dialog";
import { toast } from "@/ui/feedback/feedback";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { updateFlow } from "./queries";
import { flowTexts } from "./texts";

const words = flowTexts;

/** The check of a name of a flow. */
export const flowName = z
  .string()
  .check(z.trim(), z.minLength(1, words.nameLength), z.maxLength(100, words.nameLength));
const schema = z.object({ name: flowName });

/** A dialog that gives a flow another name. */
export function RenameFlow({ flow, onClose }: { flow: ListedFlowView; onClose: () => void }) {
  const invalidate = useInvalidate();
  const form = useApiForm({
    name: `rename-flow:${flow.id}`,
    initialValues: { name: flow.name },
    schema,
    submit: async ({ name }) => {
      await updateFlow(flow.id, { name: name.trim() });
      await invalidate("flow");
      toast(words.renamed(name.trim()));
      onClose();
    },
  });
  return (
    <Dialog title={words.renameTitle(flow.name)} onClose={onClose}>
      <ApiFormView form={form} submitLabel={words.rename} onCancel={onClose}>
        <TextInput data-autofocus label={words.name} {...form.field("name", words.nameHelp)} />
      </ApiFormView>
    </Dialog>
  );
}
