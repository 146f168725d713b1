import { Alert, Anchor, Box, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import qrcode from "qrcode-generator";
import { useMemo } from "react";
import { keys } from "@/api/keys";
import { editorTexts } from "@/features/editor/texts";
import { CopyButton } from "@/ui/copy";
import { Dialog } from "@/ui/feedback/Dialog";
import { QueryView, TextSkeleton } from "@/ui/states";
import { Time } from "@/ui/values/format";
import { createPreviewLink } from "../queries";

const words = editorTexts.link;
const MARGIN = 4;

interface PreviewLinkProps {
  flowId: string;
  /** Whether the link shows a draft; without one it shows the published flow. */
  hasDraft: boolean;
  onClose: () => void;
}

/** A dialog with a link to the draft's page, as a QR code for a phone. */
export function PreviewLink({ flowId, hasDraft, onClose }: PreviewLinkProps) {
  const link = useQuery({
    queryKey: [...keys.draft.previewLink, flowId],
    queryFn: () => createPreviewLink(flowId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Dialog title={words.title} onClose={onClose}>
      <QueryView query={link} skeleton={<TextSkeleton lines={8} />}>
        {({ url, expires_at }) => (
          <Stack align="center" gap="md">
            {isLoopback(url) ? (
              <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title={words.thisComputer}>
                {words.thisComputerText}
              </Alert>
            ) : (
              <QrCode text={url} />
            )}
            <Text ta="center">{hasDraft ? words.text : words.liveText}</Text>
            <Group gap={4} wrap="nowrap" maw="100%">
              <Anchor href={url} target="_blank" rel="noreferrer" truncate>
                {url}
              </Anchor>
              <CopyButton value={url} />
            </Group>
            <Text size="xs" c="dimmed">
              {words.expires} <Time value={expires_at} />
            </Text>
          </Stack>
        )}
      </QueryView>
    </Dialog>
  );
}

/** Return whether an address leads to the computer that opens it, so that a phone cannot open it. */
function isLoopback(url: string): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
}

/** A text as a QR code, dark on light in both schemes: not all cameras read the reverse. */
function QrCode({ text }: { text: string }) {
  const { path, size } = useMemo(() => {
    const code = qrcode(0, "M");
    code.addData(text);
    code.make();
    const count = code.getModuleCount();
    const modules: string[] = [];
    for (let row = 0; row < count; row += 1) {
      for (let column = 0; column < count; column += 1) {
        if (code.isDark(row, column)) {
          modules.push(`M${column + MARGIN} ${row + MARGIN}h1v1h-1z`);
        }
      }
    }
    return { path: modules.join(""), size: count + 2 * MARGIN };
  }, [text]);
  return (
    <Box bg="white" bdrs="md" p={0}>
      <svg width={240} height={240} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={words.code}>
        <path d={path} fill="#000000" shapeRendering="crispEdges" />
      </svg>
    </Box>
  );
}
