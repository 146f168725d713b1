import { Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useProjectId } from "@/api/projects";
import { QueryView, TextSkeleton } from "@/ui/states";
import { Time } from "@/ui/values/format";
import { changeInWords, groupChanges } from "./changes";
import { changesQuery } from "./queries";
import { overviewTexts } from "./texts";

/** The newest changes of the project and who made them. */
export function RecentChanges({ enabled }: { enabled: boolean }) {
  const projectId = useProjectId();
  const changes = useQuery({ ...changesQuery(projectId), enabled });
  return (
    <section>
      <Title order={2} mb="xs">
        {overviewTexts.changes}
      </Title>
      <QueryView query={changes} skeleton={<TextSkeleton lines={4} />}>
        {(entries) => (
          <Stack component="ul" gap={4} p={0} m={0} style={{ listStyle: "none" }}>
            {groupChanges(entries).map(({ entry, more }) => (
              <Group component="li" key={entry.id} justify="space-between" wrap="nowrap" mih={32} gap="md">
                <Text size="sm" lineClamp={2}>
                  <Text span fw={550} inherit>
                    {entry.user_name ?? overviewTexts.somebody}
                  </Text>{" "}
                  {changeInWords(entry)}
                  {more > 0 && overviewTexts.andMore(more)}
                </Text>
                <Time value={entry.at} c="dimmed" fz={13} style={{ whiteSpace: "nowrap" }} />
              </Group>
            ))}
          </Stack>
        )}
      </QueryView>
    </section>
  );
}
