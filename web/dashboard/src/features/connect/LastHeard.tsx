import { Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCan, useProjectId } from "@/api/projects";
import { secretKeysQuery } from "@/features/keys/queries";
import { texts } from "@/texts";
import { QueryView, TextSkeleton } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { Time } from "@/ui/values/format";
import { type Heard, heardOf } from "./heard";
import { heardQuery } from "./queries";
import { connectTexts } from "./texts";

const words = connectTexts.heard;
const MAX_VERSIONS = 3;

const COLUMNS: readonly Column<Heard>[] = [
  {
    key: "platform",
    header: words.platform,
    render: ({ platform }) => (platform ? texts.ui.platforms[platform] : words.noPlatform),
  },
  {
    key: "versions",
    header: words.versions,
    render: ({ versions }) => versions.slice(0, MAX_VERSIONS).join(", ") || "–",
  },
  {
    key: "start",
    header: words.start,
    hideBelow: "sm",
    render: ({ start }) => (start ? <Time value={start.timestamp} /> : "–"),
  },
  {
    key: "newest",
    header: words.newest,
    render: ({ newest }) => (
      <>
        <code>{newest.event_type}</code>, <Time value={newest.timestamp} />
      </>
    ),
  },
];

/** What the apps of a project sent last, by platform. */
export function LastHeard() {
  const projectId = useProjectId();
  const isAdmin = useCan("admin");
  const events = useQuery(heardQuery(projectId));
  const keys = useQuery({ ...secretKeysQuery(projectId), enabled: isAdmin });
  const used = keys.data?.secret_keys.flatMap(({ last_used_at }) => last_used_at ?? []).sort();
  return (
    <Stack component="section" gap="sm" aria-labelledby="heard">
      <Title order={2} id="heard">
        {words.title}
      </Title>
      <QueryView query={events} skeleton={<TextSkeleton lines={3} />}>
        {(newest) =>
          newest.length === 0 ? (
            <Text role="status">{words.nothing}</Text>
          ) : (
            <DataTable
              label={words.title}
              columns={COLUMNS}
              rows={heardOf(newest)}
              rowKey={({ platform }) => platform ?? ""}
            />
          )
        }
      </QueryView>
      {used && (
        <Text size="sm" c="dimmed">
          {used.length === 0 ? (
            words.keyUnused
          ) : (
            <>
              {words.keyUsed} <Time value={used.at(-1) ?? ""} />
            </>
          )}
        </Text>
      )}
    </Stack>
  );
}
