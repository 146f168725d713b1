import { Button } from "@mantine/core";
import { IconLanguageHiragana } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useDashboard } from "@/api/dashboard";
import { useInvalidate } from "@/api/useInvalidate";
import { toast, toastError } from "@/ui/feedback/feedback";
import { draftByMachine } from "./queries";
import { translationTexts as words } from "./texts";

interface MachineDraftProps {
  flowId: string;
  locale: string;
  missing: number;
  /** Save what was typed, so that it is not missing. */
  onStart: () => Promise<void>;
}

/** Translate missing texts by the machine of the operator; nothing where there is none. */
export function MachineDraft({ flowId, locale, missing, onStart }: MachineDraftProps) {
  const invalidate = useInvalidate();
  const { config } = useDashboard();
  const draft = useMutation({
    mutationFn: async () => {
      await onStart();
      return draftByMachine(flowId, locale);
    },
    onSuccess: ({ translated, skipped, left }) => toast(words.drafted(translated, skipped.length, left)),
    onError: (error) => toastError(error),
    onSettled: () => invalidate("flow"),
  });
  return config.translates && missing > 0 ? (
    <Button
      variant="default"
      leftSection={<IconLanguageHiragana size={18} />}
      loading={draft.isPending}
      title={words.draftHelp}
      onClick={() => draft.mutate()}
    >
      {words.draft}
    </Button>
  ) : null;
}
