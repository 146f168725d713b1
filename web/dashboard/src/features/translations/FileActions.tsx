import { Button, FileButton, Menu, Stack, Table, Text } from "@mantine/core";
import { IconDownload, IconUpload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { components } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { Dialog } from "@/ui/feedback/Dialog";
import { toast, toastError } from "@/ui/feedback/feedback";
import { saveFile } from "@/ui/saveFile";
import { exportFile, FORMATS, type Format, formatOf, idOf, importFile, type Scope } from "./queries";
import { translationTexts as words } from "./texts";

interface ActionsProps {
  scope: Scope;
  locale: string;
  canEdit: boolean;
  /** Save what was typed, so that a file has it. */
  onExport: () => Promise<void>;
}

/** Files of translations, for translators and their tools. */
export function FileActions({ scope, locale, canEdit, onExport }: ActionsProps) {
  const invalidate = useInvalidate();
  const [skipped, setSkipped] = useState<components["schemas"]["SkippedText"][]>([]);
  const download = useMutation({
    mutationFn: async (format: Format) => {
      await onExport();
      return { format, content: await exportFile(scope, locale, format) };
    },
    onSuccess: ({ format, content }) => saveFile(content, `${idOf(scope)}.${locale}.${format}`),
    onError: (error) => toastError(error),
  });
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const format = formatOf(file.name);
      if (!format) {
        throw new Error(words.notAFile);
      }
      return importFile(scope, locale, format, await file.text());
    },
    onSuccess: (result) => {
      toast(words.imported(result.imported, result.unchanged));
      setSkipped(result.skipped);
    },
    onError: (error, file) => (formatOf(file.name) ? toastError(error) : toast(words.notAFile)),
    onSettled: () => invalidate("flow"),
  });
  return (
    <>
      {skipped.length > 0 && (
        <Dialog title={words.skippedTitle(skipped.length)} size="lg" onClose={() => setSkipped([])}>
          <Skipped texts={skipped} />
        </Dialog>
      )}
      <Menu>
        <Menu.Target>
          <Button variant="default" leftSection={<IconDownload size={18} />} loading={download.isPending}>
            {words.export}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FORMATS.map((format) => (
            <Menu.Item key={format} onClick={() => download.mutate(format)}>
              {words.formats[format]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {canEdit && (
        <FileButton accept=".csv,.json,.xliff,.xlf" onChange={(file) => file && upload.mutate(file)}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconUpload size={18} />} loading={upload.isPending}>
              {words.import}
            </Button>
          )}
        </FileButton>
      )}
    </>
  );
}

function Skipped({ texts }: { texts: readonly components["schemas"]["SkippedText"][] }) {
  return (
    <Stack>
      <Table aria-label={words.skippedTitle(texts.length)} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.key}</Table.Th>
            <Table.Th>{words.reason}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {texts.map(({ key, reason }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a file may have a key twice, and the list never changes
            <Table.Tr key={place}>
              <Table.Td>
                <Text ff="monospace" size="xs" style={{ overflowWrap: "anywhere" }}>
                  {key}
                </Text>
              </Table.Td>
              <Table.Td>{reason}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
