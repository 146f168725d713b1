import { ActionIcon, Menu } from "@mantine/core";
import { IconBook, IconHelp, IconKeyboard, IconPlugConnected } from "@tabler/icons-react";
import { useParams } from "@tanstack/react-router";
import { useDashboard } from "@/api/dashboard";
import { texts } from "@/texts";
import { MenuItemLink } from "@/ui/links";

/** The menu of help: how to connect an app, the reference, the shortcuts, and the release. */
export function HelpMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { projectId } = useParams({ strict: false });
  const { config } = useDashboard();
  return (
    <Menu width={248}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={texts.app.help}>
          <IconHelp size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {projectId !== undefined && (
          <MenuItemLink
            to="/projects/$projectId/settings/connect"
            params={{ projectId }}
            leftSection={<IconPlugConnected size={18} />}
          >
            {texts.app.connect}
          </MenuItemLink>
        )}
        <Menu.Item component="a" href="/api/docs" target="_blank" leftSection={<IconBook size={18} />}>
          {texts.app.reference}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={18} />} onClick={onShortcuts}>
          {texts.app.shortcuts}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{texts.app.release(config.release)}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}
