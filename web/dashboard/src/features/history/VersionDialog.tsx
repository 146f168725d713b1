import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ChangeList } from "@/features/editor/ChangeList";
import { namesOf } from "@/features/editor/changes";
import { texts } from "@/texts";
import { Dialog } from "@/ui/Dialog";
import { QueryView, TextSkeleton } from "@/ui/states";
import { versionQuery } from "./queries";

interface VersionDialogProps {
  flowId: string;
  number: number;
  onClose: () => void;
}

/** A dialog with the changes of a version in words. */
export function VersionDialog({ flowId, number, onClose }: VersionDialogProps) {
  const version = useQuery(versionQuery(flowId, number));
  return (
    <Dialog title={texts.history.versionNumber(number)} size="lg" onClose={onClose}>
      <QueryView query={version} skeleton={<TextSkeleton lines={5} />}>
        {({ version: found, changes }) => (
          <Stack>
            {found.note && <Text c="dimmed">{found.note}</Text>}
            <ChangeList changes={changes} names={namesOf(found.document)} />
          </Stack>
        )}
      </QueryView>
    </Dialog>
  );
}
