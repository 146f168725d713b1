import { Button, Table, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useProjectId } from "@/api/projects";
import type { AuditEntryView } from "@/api/schema";
import { DownloadCsv } from "@/features/analytics/DownloadCsv";
import { Dialog } from "@/ui/feedback/Dialog";
import type { Column } from "@/ui/table/DataTable";
import { ListView } from "@/ui/table/ListView";
import { Time } from "@/ui/values/format";
import { actionInWords, authorInWords, changesOf, namesOf, objectName } from "./changes";
import { auditLogQuery, downloadAuditLog } from "./queries";
import { auditTexts } from "./texts";

const route = getRouteApi("/projects/$projectId/settings/audit-log");

/** The audit log of a project: the changes with their authors and times. */
export function AuditLogPage() {
  const projectId = useProjectId();
  const [opened, setOpened] = useState<AuditEntryView | null>(null);
  const entries = useQuery(auditLogQuery(projectId, route.useSearch()));
  const names = namesOf(entries.data?.items ?? []);
  const columns: readonly Column<AuditEntryView>[] = [
    {
      key: "action",
      header: auditTexts.action,
      render: (entry) => (
        <Button variant="transparent" size="compact-sm" px={0} onClick={() => setOpened(entry)}>
          {actionInWords(entry)}
        </Button>
      ),
    },
    {
      key: "object",
      header: auditTexts.object,
      hideBelow: "md",
      render: (entry) => <ObjectName entry={entry} names={names} />,
    },
    {
      key: "user",
      header: auditTexts.user,
      render: (entry) => <span title={entry.user_id}>{authorInWords(entry)}</span>,
    },
    {
      key: "at",
      header: auditTexts.at,
      sortBy: "created_at",
      numeric: true,
      render: ({ at }) => <Time value={at} />,
    },
  ];
  return (
    <>
      {opened && <Changes entry={opened} onClose={() => setOpened(null)} />}
      <ListView
        title={auditTexts.title}
        help={auditTexts.help}
        fixedAction={
          <DownloadCsv
            load={() => downloadAuditLog(projectId)}
            fileName="audit-log.csv"
            help={auditTexts.csvHelp}
            disabled={entries.data?.pagination.total === 0}
          />
        }
        query={entries}
        columns={columns}
        rowKey={({ id }) => id}
        empty={{
          icon: <IconHistory size={32} stroke={1.5} />,
          title: auditTexts.emptyTitle,
          text: auditTexts.emptyText,
        }}
      />
    </>
  );
}

/** The object of an entry: its name with the id on hover, or the id. */
function ObjectName({ entry, names }: { entry: AuditEntryView; names: ReadonlyMap<string, string> }) {
  const name = objectName(entry, names);
  return name === undefined ? <code>{entry.entity_id}</code> : <span title={entry.entity_id}>{name}</span>;
}

/** The members that one entry changed, before and after. */
function Changes({ entry, onClose }: { entry: AuditEntryView; onClose: () => void }) {
  const changes = changesOf(entry);
  const value = (words: string | undefined) => (
    <Text ff="monospace" size="xs" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
      {words ?? "–"}
    </Text>
  );
  return (
    <Dialog title={actionInWords(entry)} size="lg" onClose={onClose}>
      {changes.length === 0 ? (
        <Text c="dimmed">{auditTexts.noMembers}</Text>
      ) : (
        <Table aria-label={auditTexts.changes} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="24%">{auditTexts.member}</Table.Th>
              <Table.Th>{auditTexts.before}</Table.Th>
              <Table.Th>{auditTexts.after}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changes.map(({ member, before, after }) => (
              <Table.Tr key={member}>
                <Table.Td>{member}</Table.Td>
                <Table.Td>{value(before)}</Table.Td>
                <Table.Td>{value(after)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Dialog>
  );
}
