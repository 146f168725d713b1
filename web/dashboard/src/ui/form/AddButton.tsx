import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";

interface AddButtonProps {
  label: string;
  /** The reason why the list takes no more rows; without one it does. */
  full?: string | false;
  onAdd: () => void;
}

/** The button below the rows of a list that adds one. */
export function AddButton({ label, full = false, onAdd }: AddButtonProps) {
  return (
    <Button
      variant="subtle"
      size="xs"
      leftSection={<IconPlus size={16} />}
      style={{ alignSelf: "flex-start" }}
      disabled={full !== false}
      title={full || undefined}
      onClick={onAdd}
    >
      {label}
    </Button>
  );
}
