import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { ProjectView } from "@/api/schema";
import { texts } from "@/texts";
import { Confirm } from "@/ui/Confirm";
import { toast } from "@/ui/feedback";

/** The deletion of a project. */
export function DangerZone({ project }: { project: ProjectView }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [asking, { open, close }] = useDisclosure();
  const { stats } = project;
  async function remove() {
    await api.DELETE("/api/projects/{project_id}", { params: { path: { project_id: project.id } } });
    await navigate({ to: "/projects" });
    await queryClient.invalidateQueries({ queryKey: ["projects"] });
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
