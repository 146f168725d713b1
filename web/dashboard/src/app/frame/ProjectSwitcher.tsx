import { Group, Menu, Skeleton, Text, UnstyledButton } from "@mantine/core";
import { IconCheck, IconSelector } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { projectQuery, projectsQuery } from "@/api/projects";
import { texts } from "@/texts";
import { MenuItemLink } from "@/ui/links";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import classes from "./Frame.module.css";

const MAX_SHOWN = 8;

/** The name of the project, and a menu of the latest ones; they are fetched when it opens. */
export function ProjectSwitcher({ projectId }: { projectId: string | undefined }) {
  const [opened, setOpened] = useState(false);
  const project = useQuery({ ...projectQuery(projectId ?? ""), enabled: projectId !== undefined });
  const latest = useQuery({ ...projectsQuery({ limit: MAX_SHOWN }), enabled: opened, ...OPTIONAL_QUERY });
  const name = projectId === undefined ? texts.app.chooseProject : project.data?.data.name;

  return (
    <Menu opened={opened} onChange={setOpened} width={216} position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={classes.switcher} aria-label={`${texts.app.switchProject}: ${name ?? ""}`}>
          <Group justify="space-between" wrap="nowrap" gap="xs">
            {name === undefined && project.isPending ? (
              <Skeleton height={16} width={120} my={3} />
            ) : (
              <Text fw={550} truncate>
                {name ?? texts.app.chooseProject}
              </Text>
            )}
            <IconSelector size={18} aria-hidden style={{ flexShrink: 0 }} />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {latest.data?.items.map((item) => (
          <MenuItemLink
            key={item.id}
            to="/projects/$projectId"
            params={{ projectId: item.id }}
            rightSection={item.id === projectId ? <IconCheck size={18} aria-hidden /> : null}
          >
            {item.name}
          </MenuItemLink>
        ))}
        {latest.isLoading && <Skeleton height={16} m="xs" />}
        <Menu.Divider />
        <MenuItemLink to="/projects">{texts.app.moreProjects}</MenuItemLink>
      </Menu.Dropdown>
    </Menu>
  );
}
