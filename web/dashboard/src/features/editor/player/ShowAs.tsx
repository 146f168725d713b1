import { Button, Collapse, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDeviceMobile } from "@tabler/icons-react";
import { conditionTexts } from "@/features/audience/texts";
import { PLATFORM_OPTIONS } from "@/ui/platforms";
import type { TypedDevice } from "./play";
import { playerTexts as words } from "./texts";

const { attributeNames: names, placeholders } = conditionTexts;
const TYPED = ["locale", "country", "appVersion", "osVersion"] as const;

interface ShowAsProps {
  device: TypedDevice;
  onChange: (device: TypedDevice) => void;
}

/** The device that the preview shows the flow to, as conditions know it. */
export function ShowAs({ device, onChange }: ShowAsProps) {
  const [isOpen, open] = useDisclosure();
  const { attributes, ...members } = device;
  const known = [...Object.values(members), ...(attributes ?? "").split("\n")].filter(Boolean);
  const change = (name: keyof TypedDevice, value: string | null) => {
    const { [name]: _, ...others } = device;
    onChange(value ? { ...others, [name]: value } : others);
  };
  return (
    <Stack gap="xs">
      <Button
        variant="default"
        size="xs"
        leftSection={<IconDeviceMobile size={16} />}
        aria-expanded={isOpen}
        onClick={open.toggle}
        style={{ alignSelf: "flex-start" }}
      >
        {words.showAs}
      </Button>
      <Text size="xs" c="dimmed">
        {known.length > 0 ? known.join(", ") : words.anyone}
      </Text>
      <Collapse expanded={isOpen}>
        <Stack gap="xs">
          <SimpleGrid cols={2} spacing="xs">
            <Select
              size="xs"
              label={names.platform}
              data={PLATFORM_OPTIONS}
              clearable
              value={device.platform ?? null}
              onChange={(value) => change("platform", value)}
            />
            {TYPED.map((name) => (
              <TextInput
                key={name}
                size="xs"
                label={names[name]}
                placeholder={placeholders[name]}
                value={device[name] ?? ""}
                onChange={({ target }) => change(name, target.value)}
              />
            ))}
          </SimpleGrid>
          <Textarea
            size="xs"
            label={words.attributes}
            description={words.attributesHelp}
            descriptionProps={{ fz: 12 }}
            autosize
            minRows={2}
            value={attributes ?? ""}
            onChange={({ target }) => change("attributes", target.value)}
          />
        </Stack>
      </Collapse>
    </Stack>
  );
}
