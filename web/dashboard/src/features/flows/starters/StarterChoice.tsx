import { Radio, Stack } from "@mantine/core";
import { STARTERS } from "./starters";

interface StarterChoiceProps {
  label: string;
  value?: string;
  onChange?: (id: string) => void;
  /** The words of the choice without a starter. */
  none: { name: string; text: string };
}

/** A choice between the starter flows and none. */
export function StarterChoice({ label, none, value, onChange }: StarterChoiceProps) {
  return (
    <Radio.Group label={label} value={value} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        {STARTERS.map((starter) => (
          <Radio key={starter.id} value={starter.id} label={starter.name} description={starter.text} />
        ))}
        <Radio value="" label={none.name} description={none.text} />
      </Stack>
    </Radio.Group>
  );
}
