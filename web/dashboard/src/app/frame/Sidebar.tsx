import { Burger, Group, Stack, Text } from "@mantine/core";
import {
  IconChartBar,
  IconFlask,
  IconFolders,
  IconLayoutDashboard,
  IconPalette,
  IconRoute,
  IconSettings,
} from "@tabler/icons-react";
import { useParams } from "@tanstack/react-router";
import { PRODUCT, texts } from "@/texts";
import { NavLinkLink } from "@/ui/links";
import classes from "./Frame.module.css";
import { ProjectSwitcher } from "./ProjectSwitcher";

/** The views of a project, in the order of the sidebar. */
export const PROJECT_VIEWS = [
  { to: "/projects/$projectId/overview", label: texts.app.overview, Icon: IconLayoutDashboard },
  { to: "/projects/$projectId/flows", label: texts.app.flows, Icon: IconRoute },
  { to: "/projects/$projectId/experiments", label: texts.app.experiments, Icon: IconFlask },
  { to: "/projects/$projectId/analytics", label: texts.app.analytics, Icon: IconChartBar },
  { to: "/projects/$projectId/themes", label: texts.app.themes, Icon: IconPalette },
  { to: "/projects/$projectId/settings", label: texts.app.settings, Icon: IconSettings },
] as const;

interface SidebarProps {
  opened: boolean;
  onClose: () => void;
}

/** The product's name, the project switcher, and the views of the project; without a project, the projects. */
export function Sidebar({ opened, onClose }: SidebarProps) {
  const { projectId } = useParams({ strict: false });
  return (
    <Stack gap="sm">
      <Text px={8} fz="sm" fw={600} c="dimmed">
        {PRODUCT}
      </Text>
      <Group gap="xs" wrap="nowrap">
        {opened && <Burger hiddenFrom="sm" size="sm" opened onClick={onClose} aria-label={texts.app.closeNavigation} />}
        <ProjectSwitcher projectId={projectId} />
      </Group>
      <Stack gap={4}>
        {projectId === undefined ? (
          <NavLinkLink
            to="/projects"
            className={classes.link}
            label={texts.app.projects}
            leftSection={<IconFolders size={18} />}
            activeProps={{ "data-active": true }}
          />
        ) : (
          PROJECT_VIEWS.map(({ to, label, Icon }) => (
            <NavLinkLink
              key={to}
              to={to}
              params={{ projectId }}
              className={classes.link}
              label={label}
              leftSection={<Icon size={18} />}
              activeProps={{ "data-active": true }}
            />
          ))
        )}
      </Stack>
    </Stack>
  );
}
