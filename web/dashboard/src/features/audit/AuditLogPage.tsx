import { Anchor, Table, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useProjectId } from "@/api/projects";
import type { AuditEntryView } from "@/api/schema";
import { DownloadCsv } from "@/features/analytics/DownloadCsv";
import { memberNamesQuery } from "@/features/members/queries";
import { Dialog } from "@/ui/feedback/Dialog";
import { AnchorLink } from "@/ui/links";
import type { Column } from "@/ui/table/DataTable";
import { ListView } from "@/ui/table/ListView";
import { Time } from "@/ui/values/format";
import { actionInWords, authorInWords, changesOf, namesOf, objectName, viewOf } from "./changes";
import { auditLogQuery, downloadAuditLog } from "./queries";
import { auditTexts } from "./texts";

const route = getRouteApi("/projects/$projectId/settings/audit-log");

const optionsOf = (entries: readonly (readonly [string, string])[]) =>
  entries.map(([value, label]) => ({ value, label }));
const TYPE_OPTIONS = optionsOf(Object.entries(auditTexts.types));

/** The audit log of a project: the changes with their authors and times. */
export function AuditLogPage() {
  const projectId = useProjectId();
  const [opened, setOpened] = useState<AuditEntryView | null>(null);
  const search = route.useSearch();
  const entries = useQuery(auditLogQuery(projectId, search));
  const members = useQuery(memberNamesQuery(projectId));
  const names = namesOf(entries.data?.items ?? []);
  const columns: readonly Column<AuditEntryView>[] = [
    {
      key: "action",
      header: auditTexts.action,
      render: (entry) => (
        <Anchor component="button" inherit ta="start" onClick={() => setOpened(entry)}>
          {actionInWords(entry)}
        </Anchor>
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
            load={() => downloadAuditLog(projectId, search)}
            fileName="audit-log.csv"
            help={auditTexts.csvHelp}
            disabled={entries.data?.pagination.total === 0}
          />
        }
        query={entries}
        columns={columns}
        rowKey={({ id }) => id}
        searchLabel={auditTexts.search}
        filters={[
          { name: "entity_type", label: auditTexts.object, any: auditTexts.anyType, options: TYPE_OPTIONS },
          {
            name: "user_id",
            label: auditTexts.user,
            any: auditTexts.anyUser,
            options: optionsOf([...(members.data ?? []), ...Object.entries(auditTexts.authors)]),
          },
        ]}
        empty={{
          icon: <IconHistory size={32} stroke={1.5} />,
          title: auditTexts.emptyTitle,
          text: auditTexts.emptyText,
        }}
      />
    </>
  );
}

/** The object of an entry: its name, as a link while it exists, with the id on hover; or else the id. */
function ObjectName({ entry, names }: { entry: AuditEntryView; names: ReadonlyMap<string, string> }) {
  const projectId = useProjectId();
  const name = objectName(entry, names);
  const view = viewOf(entry);
  const shown = name === undefined ? <code>{entry.entity_id}</code> : name;
  return view ? (
    <AnchorLink
      to={`/projects/$projectId/${view}`}
      params={{
        projectId,
        flowId: entry.entity_id,
        screenId: entry.entity_id,
        themeId: entry.entity_id,
        experimentId: entry.entity_id,
      }}
      title={entry.entity_id}
    >
      {shown}
    </AnchorLink>
  ) : (
    <span title={entry.entity_id}>{shown}</span>
  );
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
