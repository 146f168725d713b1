import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { texts } from "@/texts";

/** The menu at the end of a row: its children are `Menu.Item`s. */
export function RowMenu({ name, tabIndex, children }: { name: string; tabIndex?: number; children: ReactNode }) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={texts.ui.more(name)} tabIndex={tabIndex}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
