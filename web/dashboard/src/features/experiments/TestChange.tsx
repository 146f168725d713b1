import { Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import * as z from "zod/mini";
import type { FlowView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { duplicateFlow } from "@/features/flows/queries";
import { flowTexts } from "@/features/flows/texts";
import { Dialog } from "@/ui/feedback/Dialog";
import { toast } from "@/ui/feedback/feedback";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { newVariants, variantBodies, withFlow } from "./form/variants";
import { createExperiment } from "./queries";
import { experimentTexts } from "./texts";

const words = experimentTexts.test;
const { nameLength } = experimentTexts.form;
const schema = z.object({ name: z.string().check(z.trim(), z.minLength(1, nameLength), z.maxLength(100, nameLength)) });

interface TestChangeProps {
  flow: Pick<FlowView, "id" | "name" | "project_id">;
  onClose: () => void;
}

/** A dialog that copies a flow, makes a draft of an experiment of both, and opens the copy in the editor. */
export function TestChange({ flow, onClose }: TestChangeProps) {
  const { project_id: projectId } = flow;
  const navigate = useNavigate();
  const invalidate = useInvalidate();
  // A second attempt takes the copy of the first one.
  const copy = useRef<Awaited<ReturnType<typeof duplicateFlow>>>(undefined);
  const form = useApiForm({
    name: `test-change:${flow.id}`,
    initialValues: { name: words.standardName(flow.name).slice(0, 100) },
    schema,
    submit: async ({ name }) => {
      copy.current ??= await duplicateFlow(flow.id);
      const variant = copy.current;
      const rows = newVariants(flow).map((row, place) => (place === 0 ? row : withFlow(row, variant)));
      await createExperiment({ projectId, name: name.trim(), variants: variantBodies(rows) });
      await invalidate("experiment");
      toast(words.created(name.trim()));
      onClose();
      await navigate({ to: "/projects/$projectId/flows/$flowId", params: { projectId, flowId: variant.id } });
    },
  });
  return (
    <Dialog title={words.title} onClose={onClose}>
      <ApiFormView form={form} submitLabel={words.submit} onCancel={onClose}>
        <Text size="sm">{words.text}</Text>
        <TextInput data-autofocus label={flowTexts.name} {...form.field("name", words.nameHelp)} />
      </ApiFormView>
    </Dialog>
  );
}
