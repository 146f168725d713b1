import { Button, Select, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { namesOf } from "@/features/editor/logic/rules";
import { ChangeList } from "@/features/editor/publish/ChangeList";
import { ScreenPairs } from "@/features/editor/publish/ScreenPairs";
import { editorTexts } from "@/features/editor/texts";
import { Dialog } from "@/ui/feedback/Dialog";
import { QueryView, TextSkeleton } from "@/ui/states";
import { newestVersionsQuery, versionQuery } from "./queries";
import { historyTexts } from "./texts";

const words = historyTexts;

interface VersionDialogProps {
  flowId: string;
  number: number;
  onClose: () => void;
}

/** A dialog with the changes of a version in words, against the version before or any other. */
export function VersionDialog({ flowId, number, onClose }: VersionDialogProps) {
  const before = number - 1;
  const [against, setAgainst] = useState(before);
  const version = useQuery(versionQuery(flowId, number, against === before ? undefined : against));
  const [pictured, { toggle }] = useDisclosure();
  const other = useQuery({ ...versionQuery(flowId, against), enabled: pictured && against > 0 });
  const versions = useQuery(newestVersionsQuery(flowId)).data ?? [];
  const others = new Set([before, ...versions.map((other) => other.number).filter((other) => other !== number)]);
  return (
    <Dialog title={words.versionNumber(number)} size="lg" onClose={onClose}>
      <Stack>
        <Select
          label={words.comparedWith}
          data={[...others]
            .sort((one, other) => other - one)
            .map((other) => ({
              value: String(other),
              label: other === 0 ? words.emptyFlow : words.versionNumber(other),
            }))}
          allowDeselect={false}
          searchable
          value={String(against)}
          onChange={(value) => setAgainst(Number(value))}
        />
        <QueryView query={version} skeleton={<TextSkeleton lines={5} />}>
          {({ version: found, changes }) => (
            <>
              {found.note && <Text c="dimmed">{found.note}</Text>}
              <ChangeList changes={changes} names={namesOf(found.document)} />
              {changes.length > 0 && (
                <Button variant="default" mr="auto" aria-expanded={pictured} onClick={toggle}>
                  {editorTexts.changes.pictures}
                </Button>
              )}
              {pictured && (against === 0 || other.data) && (
                <ScreenPairs
                  flowId={flowId}
                  before={other.data && against > 0 ? other.data.version.document : { ...found.document, screens: [] }}
                  after={found.document}
                  changes={changes}
                />
              )}
            </>
          )}
        </QueryView>
      </Stack>
    </Dialog>
  );
}
