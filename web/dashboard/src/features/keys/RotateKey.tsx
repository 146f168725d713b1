import { Radio, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { texts } from "@/texts";
import { Dialog } from "@/ui/feedback/Dialog";
import { toast } from "@/ui/feedback/feedback";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { rotateSecretKey, secretKeysQuery } from "./queries";
import { secretKeyTexts } from "./texts";

const GRACES = ["86400", "604800", "3600", "0"] as const;
const schema = z.object({
  phrase: z
    .string()
    .check(z.refine((words) => words.trim() === secretKeyTexts.rotatePhrase, secretKeyTexts.phraseMissing)),
});

/** A dialog that makes a new secret key and ends the present ones, at once or after a time. */
export function RotateKey({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useApiForm({
    name: `rotate-key:${projectId}`,
    initialValues: { grace: GRACES[0] as string, phrase: "" },
    schema,
    fieldNames: { grace_period_seconds: "grace" },
    submit: async ({ grace }) => {
      queryClient.setQueryData(secretKeysQuery(projectId).queryKey, await rotateSecretKey(projectId, Number(grace)));
      toast(secretKeyTexts.rotated);
      onClose();
    },
  });
  return (
    <Dialog title={secretKeyTexts.rotateTitle} onClose={onClose}>
      <ApiFormView form={form} submitLabel={secretKeyTexts.rotate} onCancel={onClose}>
        <Text>{secretKeyTexts.rotateText}</Text>
        <Radio.Group label={secretKeyTexts.grace} {...form.field("grace")}>
          <Stack gap="xs" mt="xs">
            {GRACES.map((grace) => (
              <Radio key={grace} value={grace} label={secretKeyTexts.graces[grace]} />
            ))}
          </Stack>
        </Radio.Group>
        <TextInput
          label={texts.ui.typeToConfirm(secretKeyTexts.rotatePhrase)}
          autoComplete="off"
          {...form.field("phrase")}
        />
      </ApiFormView>
    </Dialog>
  );
}
