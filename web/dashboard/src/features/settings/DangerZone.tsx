import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { deleteProject } from "@/api/projects";
import type { ProjectView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { Confirm } from "@/ui/feedback/Confirm";
import { toast } from "@/ui/feedback/feedback";
import { settingsTexts } from "./texts";

/** The deletion of a project. */
export function DangerZone({ project }: { project: ProjectView }) {
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const [asking, { open, close }] = useDisclosure();
  const { stats } = project;
  async function remove() {
    await deleteProject(project.id);
    await navigate({ to: "/projects" });
    await invalidate("projects");
    toast(settingsTexts.deleted(project.name));
  }
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm">
        <Title order={2}>{settingsTexts.danger}</Title>
        <Text c="dimmed">{settingsTexts.deleteHelp}</Text>
        <Group>
          <Button variant="light" color="red" onClick={open}>
            {settingsTexts.delete}
          </Button>
        </Group>
      </Stack>
      {asking && (
        <Confirm
          title={settingsTexts.deleteTitle(project.name)}
          text={settingsTexts.deleteText(stats.total_flows, stats.total_users)}
          phrase={project.name}
          action={settingsTexts.delete}
          onConfirm={remove}
          onClose={close}
        />
      )}
    </Paper>
  );
}
