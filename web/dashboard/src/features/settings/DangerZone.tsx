import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import type { ProjectView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { deleteProject } from "@/features/projects/queries";
import { texts } from "@/texts";
import { Confirm } from "@/ui/Confirm";
import { toast } from "@/ui/feedback";

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
    toast(texts.settings.deleted(project.name));
  }
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm">
        <Title order={2}>{texts.settings.danger}</Title>
        <Text c="dimmed">{texts.settings.deleteHelp}</Text>
        <Group>
          <Button variant="light" color="red" onClick={open}>
            {texts.settings.delete}
          </Button>
        </Group>
      </Stack>
      {asking && (
        <Confirm
          title={texts.settings.deleteTitle(project.name)}
          text={texts.settings.deleteText(stats.total_flows, stats.total_users)}
          phrase={project.name}
          action={texts.settings.delete}
          onConfirm={remove}
          onClose={close}
        />
      )}
    </Paper>
  );
}
