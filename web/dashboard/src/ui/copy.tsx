import { ActionIcon, Code, Group, CopyButton as MantineCopyButton, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy, IconEye, IconEyeOff } from "@tabler/icons-react";
import { useState } from "react";
import { texts } from "@/texts";

/** A button that copies a value and confirms it. */
export function CopyButton({ value, label = texts.ui.copy }: { value: string; label?: string }) {
  return (
    <MantineCopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? texts.ui.copied : label}>
          <ActionIcon variant="subtle" color="gray" aria-label={copied ? texts.ui.copied : label} onClick={copy}>
            {copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
          </ActionIcon>
        </Tooltip>
      )}
    </MantineCopyButton>
  );
}

/** A credential that is hidden until a click, with a button that copies it. */
export function SecretValue({ value, label }: { value: string; label: string }) {
  const [shown, setShown] = useState(false);
  return (
    <Group gap={4} wrap="nowrap">
      <Code aria-label={label} fz={13} py={4} px="xs" style={{ overflowWrap: "anywhere" }}>
        {shown ? value : "•".repeat(24)}
      </Code>
      <Tooltip label={shown ? texts.ui.hide : texts.ui.show}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${shown ? texts.ui.hide : texts.ui.show}: ${label}`}
          onClick={() => setShown(!shown)}
        >
          {shown ? <IconEyeOff size={18} /> : <IconEye size={18} />}
        </ActionIcon>
      </Tooltip>
      <CopyButton value={value} label={`${texts.ui.copy}: ${label}`} />
    </Group>
  );
}

/** The background of Mantine's `Code`. */
const BACKGROUND = "light-dark(var(--mantine-color-gray-0), var(--mantine-color-dark-6))";

interface CodeBlockProps {
  code: string;
  /** The text to copy, where it differs from the shown text, such as by a credential in place of dots. */
  copied?: string;
}

/** Lines of code with a button that copies them. */
export function CodeBlock({ code, copied = code }: CodeBlockProps) {
  return (
    <Group gap={0} wrap="nowrap" align="flex-start" bg={BACKGROUND} bdrs="sm">
      <Code block fz={13} flex={1} miw={0} color="transparent" tabIndex={0}>
        {code}
      </Code>
      <Group p={6}>
        <CopyButton value={copied} />
      </Group>
    </Group>
  );
}
