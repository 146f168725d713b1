import { Button, Group, Loader, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { texts } from "@/texts";
import { Confirm } from "@/ui/feedback/Confirm";
import { toast, toastError } from "@/ui/feedback/feedback";
import { saveFile } from "@/ui/saveFile";
import { eraseDevice, exportDevice } from "./deviceData";
import { settingsTexts } from "./texts";

const deviceTexts = settingsTexts.device;

/** The download and the erasure of all data of one device, for the request of a person. */
export function DeviceData({ projectId }: { projectId: string }) {
  const [typed, setTyped] = useState("");
  const [items, setItems] = useState(0);
  const [asking, { open, close }] = useDisclosure();
  const running = useRef<AbortController | null>(null);
  const device = typed.trim();
  const download = useMutation({
    mutationFn: async () => {
      const controller = new AbortController();
      running.current = controller;
      setItems(0);
      let total = 0;
      const file = await exportDevice(projectId, device, controller.signal, (count) => {
        total = count;
        setItems(count);
      });
      return { file, total };
    },
    onSuccess: ({ file, total }) => {
      saveFile(file, "device.json");
      toast(deviceTexts.downloaded(total));
    },
    onError: (error) => {
      if (!running.current?.signal.aborted) {
        toastError(error);
      }
    },
  });
  useEffect(() => () => running.current?.abort(), []);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (device !== "" && !download.isPending) {
      download.mutate();
    }
  }

  return (
    <Paper withBorder p="lg">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Title order={2}>{deviceTexts.title}</Title>
          <Text c="dimmed">{deviceTexts.help}</Text>
          <TextInput
            label={deviceTexts.id}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            maxLength={256}
            disabled={download.isPending}
            autoComplete="off"
            spellCheck={false}
          />
          {download.isPending ? (
            <Group gap="sm">
              <Loader size="sm" aria-hidden />
              <Text role="status">{deviceTexts.reading(items)}</Text>
              <Button variant="default" onClick={() => running.current?.abort()}>
                {texts.ui.cancel}
              </Button>
            </Group>
          ) : (
            <Group gap="sm">
              <Button type="submit" variant="default" leftSection={<IconDownload size={18} />} disabled={device === ""}>
                {deviceTexts.download}
              </Button>
              <Button variant="light" color="red" disabled={device === ""} onClick={open}>
                {deviceTexts.erase}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      {asking && (
        <Confirm
          title={deviceTexts.eraseTitle(device)}
          text={deviceTexts.eraseText}
          phrase={device}
          action={deviceTexts.erase}
          onConfirm={async () => {
            toast(await eraseDevice(projectId, device));
            setTyped("");
          }}
          onClose={close}
        />
      )}
    </Paper>
  );
}
